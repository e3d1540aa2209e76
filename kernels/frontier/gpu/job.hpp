#pragma once
// A frontier job's units on a GPU, or on the CPU in the GPU's steps: a template over CudaDevice and
// CpuDevice.
#include <cmath>
#include <memory>
#include <optional>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/frontier/gpu/dense_job.hpp"
#include "kernels/frontier/gpu/dense_waiting.hpp"
#include "kernels/frontier/gpu/form.hpp"
#include "kernels/frontier/gpu/sorted_job.hpp"

namespace countpm {

template <class Device>
class FrontierJobOnDevice : public FrontierDeviceJob {
 public:
  FrontierJobOnDevice(FrontierDeviceTask task, const GpuInfo& gpu) : device_(gpu), task_(std::move(task)) {
    for (const GpuInfo& other : gpu.others) others_.push_back(std::make_unique<Device>(other));
  }

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    Partial total = zero(*task_.arithmetic);
    const auto units = static_cast<double>(std::max<std::uint64_t>(last - first, 1));
    for (std::uint64_t unit = first; unit < last; ++unit) {
      const auto before = static_cast<double>(unit - first);
      const auto tables = [&](const FrontierTables& given) {
        return run_tables(given, stop,
                          [&](double share) { stop.report_share((before + std::min(1.0, share)) / units); });
      };
      add(total, task_.run_unit(unit, stop, tables), *task_.arithmetic);
    }
    return total;
  }

  double measured_rate(double seconds) override {
    const double work = std::exp2(task_.log2_work) / static_cast<double>(task_.units);  // a unit's
    // The first steps of a long run are small and slow, and say nothing of the large ones.
    if (work > seconds * task_.nominal_rate) return task_.nominal_rate;
    const StopSignal never;
    const double start = seconds_now();
    double elapsed = 0;
    std::uint64_t done = 0;
    try {
      while (done < task_.units && elapsed < seconds) {
        run(done, done + 1, never);
        ++done;
        elapsed = seconds_now() - start;
      }
    } catch (const UnableError&) {
      return task_.nominal_rate;
    }
    return std::max(work * static_cast<double>(done) / std::max(elapsed, 1e-9), 1.0);
  }

  std::uint64_t device_bytes() const override { return statistics().bytes; }

  FrontierDeviceStatistics statistics() const override {
    FrontierDeviceStatistics sum;
    const auto add_up = [&](const auto& machine) {
      if (!machine) return;
      const FrontierDeviceStatistics& own = machine->statistics();
      sum.moves += own.moves;
      sum.states += own.states;
      sum.peak_states = std::max(sum.peak_states, own.peak_states);
      sum.slices += own.slices;
      sum.bytes = std::max(sum.bytes, own.bytes);
      sum.key_bits = std::max(sum.key_bits, own.key_bits);
      sum.dense_programs += own.dense_programs;
      sum.gpus = std::max(sum.gpus, own.gpus);
      sum.host_bytes = std::max(sum.host_bytes, own.host_bytes);
      sum.loaded_bytes += own.loaded_bytes;
      sum.stored_bytes += own.stored_bytes;
    };
    add_up(dense_);
    add_up(waiting_);
    add_up(short_keys_);
    add_up(long_keys_);
    sum.passes = passes_;
    return sum;
  }

  void take_form(TableForm form) override { task_.form = form; }

 private:
  /// One pass after the other, each with as many of the moduli as fit.
  template <class Progress>
  Partial run_tables(const FrontierTables& tables, const StopSignal& stop, const Progress& progress) {
    std::optional<Program> program;
    std::optional<DenseProgram> dense;
    std::optional<DenseProgram> tree;
    if (tables.elimination != nullptr) {
      program = make_program(*tables.graph, *tables.elimination);
      if (task_.form != TableForm::sorted)
        dense = make_dense_program(*tables.graph, *tables.elimination, task_.dense_low_bits);
    }
    if (tables.tree != nullptr && task_.form != TableForm::sorted)
      tree = make_dense_program(*tables.graph, *tables.tree, task_.dense_low_bits);
    const FormChoice choice = choose(program, dense, tree, tables);
    Partial total = zero(*task_.arithmetic);
    auto at = tables.moduli.begin();
    const std::uint64_t passes = choice.passes.size();
    const double log2_moves = choice.tree ? tree->figures.log2_moves : tables.log2_moves;
    const double work = std::exp2(std::min(log2_moves, 1000.0)) * static_cast<double>(passes);
    std::uint64_t done = 0;  // moves of the passes before
    for (std::uint64_t pass = 0; pass < passes; ++pass) {
      const std::vector<std::uint32_t> moduli(at, at + choice.passes[pass]);
      at += choice.passes[pass];
      std::uint64_t known = 0;  // moves of this pass
      const auto share = [&](std::uint64_t moves) {
        known = std::max(known, moves);
        progress(static_cast<double>(done + known) / work);
      };
      const Partial value = choice.form != TableForm::dense
                                ? run_sorted(*program, tables, moduli, stop, share)
                            : choice.waits ? run_waiting(*dense, moduli.front(), stop, share)
                                           : run_dense(choice.tree ? *tree : *dense, moduli, stop, share);
      done += known;
      add(total, value, *task_.arithmetic);
    }
    passes_ += passes;
    return total;
  }
  FormChoice choose(const std::optional<Program>& program, const std::optional<DenseProgram>& dense,
                    const std::optional<DenseProgram>& tree, const FrontierTables& tables) const {
    ValueBytes bytes;
    for (const std::uint32_t modulus : tables.moduli) bytes.push_back(task_.value_bytes[modulus]);
    const bool any = task_.form == TableForm::dense ? dense || tree : program || tree;
    if (!any) refuse_dense_form();
    std::optional<WaitingForecast> waiting;
    if (dense && !dense->zero) waiting.emplace(*dense, task_.dense_low_bits);
    const WaitingForecast* const can_wait = waiting ? &*waiting : nullptr;
    std::optional<FormChoice> line;
    if (program && task_.form != TableForm::dense) {
      const SortedFigures sorted{program->key_bits, tables.log2_states, tables.log2_moves + tables.log2_share,
                                 static_cast<double>(program->rounds.size())};
      line = task_.form == TableForm::sorted
                 ? sorted_form(sorted, device_.gpu(), bytes)
                 : choose_form(sorted, dense ? &dense->figures : nullptr, device_.gpu(), bytes, can_wait);
    } else if (dense) {
      line = dense_form(dense->figures, device_.gpu(), bytes, can_wait);
    }
    if (!tree) return *line;
    return or_in_a_tree(line ? &*line : nullptr, &tree->figures, device_.gpu(), bytes);
  }

  // One machine at a time holds memory.
  template <class Progress>
  Partial run_dense(const DenseProgram& program, const std::vector<std::uint32_t>& moduli,
                    const StopSignal& stop, const Progress& progress) {
    if (short_keys_) short_keys_->release();
    if (long_keys_) long_keys_->release();
    if (waiting_) waiting_->release();
    if (!dense_) {
      std::vector<const Device*> devices{&device_};
      for (const auto& other : others_) devices.push_back(other.get());
      dense_ = std::make_unique<DenseMachine<Device>>(std::move(devices), *task_.block, *task_.arithmetic,
                                                      task_.value_bytes, task_.dense_low_bits);
    }
    return dense_->run(program, moduli, stop, progress);
  }
  template <class Progress>
  Partial run_waiting(const DenseProgram& program, std::uint32_t modulus, const StopSignal& stop,
                      const Progress& progress) {
    if (short_keys_) short_keys_->release();
    if (long_keys_) long_keys_->release();
    if (dense_) dense_->release();
    if (!waiting_)
      waiting_ = std::make_unique<WaitingMachine<Device>>(device_, *task_.block, *task_.arithmetic,
                                                          task_.value_bytes, task_.dense_low_bits);
    return waiting_->run(program, modulus, stop, progress);
  }
  template <class Progress>
  Partial run_sorted(const Program& program, const FrontierTables& tables,
                     const std::vector<std::uint32_t>& moduli, const StopSignal& stop,
                     const Progress& progress) {
    const auto key_bytes = device_key_bytes(program.key_bits);
    if (!key_bytes) refuse_keys(program.key_bits);
    if (dense_) dense_->release();
    if (waiting_) waiting_->release();
    if (*key_bytes == sizeof(std::uint64_t)) {
      if (long_keys_) long_keys_->release();
      return run_on(short_keys_, program, tables, moduli, stop, progress);
    }
    if (short_keys_) short_keys_->release();
    return run_on(long_keys_, program, tables, moduli, stop, progress);
  }
  template <class Machine, class Progress>
  Partial run_on(std::unique_ptr<Machine>& machine, const Program& program, const FrontierTables& tables,
                 const std::vector<std::uint32_t>& moduli, const StopSignal& stop, const Progress& progress) {
    if (!machine)
      machine = std::make_unique<Machine>(device_, *task_.block, *task_.arithmetic, task_.value_bytes,
                                          task_.most_records);
    return machine->run(program, tables.log2_states, moduli, stop, progress);
  }

  Device device_;
  std::vector<std::unique_ptr<Device>> others_;  // that hold whole tables together with it
  FrontierDeviceTask task_;
  std::uint64_t passes_ = 0;
  std::unique_ptr<DenseMachine<Device>> dense_;
  std::unique_ptr<WaitingMachine<Device>> waiting_;
  std::unique_ptr<FrontierMachine<Device, std::uint64_t>> short_keys_;
  std::unique_ptr<FrontierMachine<Device, uint128>> long_keys_;
};

template <class Device>
std::unique_ptr<FrontierDeviceJob> FrontierForm<Device>::make(const FrontierDeviceTask& task,
                                                              const GpuInfo& gpu) {
  return std::make_unique<FrontierJobOnDevice<Device>>(task, gpu);
}

}  // namespace countpm
