#pragma once
// A frontier job's units on a GPU, or on the CPU in the GPU's steps: a template over CudaDevice and
// CpuDevice.
#include <cmath>
#include <memory>
#include <optional>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/frontier/gpu/dense_job.hpp"
#include "kernels/frontier/gpu/form.hpp"
#include "kernels/frontier/gpu/sorted_job.hpp"

namespace countpm {

template <class Device>
class FrontierJobOnDevice : public FrontierDeviceJob {
 public:
  FrontierJobOnDevice(FrontierDeviceTask task, const GpuInfo& gpu) : device_(gpu), task_(std::move(task)) {}

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    Partial total = zero(*task_.arithmetic);
    const auto units = static_cast<double>(std::max<std::uint64_t>(last - first, 1));
    for (std::uint64_t unit = first; unit < last; ++unit) {
      const auto before = static_cast<double>(unit - first);
      const auto tables = [&](const FrontierTables& given) {
        const double work = std::exp2(std::min(given.log2_moves, 1000.0));
        return run_tables(given, stop, [&](std::uint64_t moves) {
          stop.report_share((before + std::min(1.0, static_cast<double>(moves) / work)) / units);
        });
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
    };
    add_up(dense_);
    add_up(short_keys_);
    add_up(long_keys_);
    return sum;
  }

  void take_form(TableForm form) override { task_.form = form; }

 private:
  template <class Progress>
  Partial run_tables(const FrontierTables& tables, const StopSignal& stop, const Progress& progress) {
    const Program program = make_program(*tables.graph, *tables.elimination);
    if (const auto dense = dense_program(program, tables)) {
      if (short_keys_) short_keys_->release();
      if (long_keys_) long_keys_->release();
      return dense_->run(*dense, stop, progress);
    }
    const auto key_bytes = device_key_bytes(program.key_bits);
    if (!key_bytes) refuse_keys(program.key_bits);
    // One machine at a time holds memory.
    if (dense_) dense_->release();
    if (*key_bytes == sizeof(std::uint64_t)) {
      if (long_keys_) long_keys_->release();
      return run_on(short_keys_, program, tables, stop, progress);
    }
    if (short_keys_) short_keys_->release();
    return run_on(long_keys_, program, tables, stop, progress);
  }
  /// Where the tables are to be whole ones. Makes their machine.
  std::optional<DenseProgram> dense_program(const Program& program, const FrontierTables& tables) {
    if (task_.form == TableForm::sorted) return std::nullopt;
    auto dense = make_dense_program(*tables.graph, *tables.elimination, task_.dense_low_bits);
    TableForm form = task_.form;
    if (form == TableForm::dense) {
      if (!dense) refuse_dense_form();
    } else {
      form = choose_form({program.key_bits, tables.log2_states, tables.log2_moves + tables.log2_share,
                          static_cast<double>(program.rounds.size())},
                         dense ? &dense->figures : nullptr, device_.gpu(), task_.value_bytes);
    }
    if (form != TableForm::dense) return std::nullopt;
    if (!dense_)
      dense_ = std::make_unique<DenseMachine<Device>>(device_, *task_.block, *task_.arithmetic,
                                                      task_.value_bytes, task_.dense_low_bits);
    return dense;
  }
  template <class Machine, class Progress>
  Partial run_on(std::unique_ptr<Machine>& machine, const Program& program, const FrontierTables& tables,
                 const StopSignal& stop, const Progress& progress) {
    if (!machine)
      machine = std::make_unique<Machine>(device_, *task_.block, *task_.arithmetic, task_.value_bytes,
                                          task_.most_records);
    return machine->run(program, tables.log2_states, stop, progress);
  }

  Device device_;
  FrontierDeviceTask task_;
  std::unique_ptr<DenseMachine<Device>> dense_;
  std::unique_ptr<FrontierMachine<Device, std::uint64_t>> short_keys_;
  std::unique_ptr<FrontierMachine<Device, uint128>> long_keys_;
};

template <class Device>
std::unique_ptr<FrontierDeviceJob> FrontierForm<Device>::make(const FrontierDeviceTask& task,
                                                              const GpuInfo& gpu) {
  return std::make_unique<FrontierJobOnDevice<Device>>(task, gpu);
}

}  // namespace countpm
