#pragma once
// A planar job's units on a GPU, or on the CPU in the GPU's steps: a template over CudaDevice and CpuDevice.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/gpu/device_tables.hpp"
#include "kernels/planar/gpu/form.hpp"
#include "kernels/planar/gpu/kernel.hpp"

namespace countpm {

template <class Device>
class PlanarDeviceJob : public DeviceJob {
 public:
  PlanarDeviceJob(PlanarDeviceTask task, const GpuInfo& gpu)
      : device_(gpu), task_(std::move(task)), most_groups_(groups_that_fit(gpu)) {
    const PlanarLayout& layout = *task_.layout;
    inverses_ = memory_.upload(layout.inverses);
    factors_ = memory_.upload(layout.factors);
    updates_ = memory_.upload(layout.updates);
    tables_.fronts = memory_.upload(layout.fronts);
    tables_.row_front = memory_.upload(layout.row_front);
    tables_.edge_start = memory_.upload(layout.edge_start);
    tables_.edges = memory_.upload(layout.edges);
    tables_.source_start = memory_.upload(layout.source_start);
    tables_.sources = memory_.upload(layout.sources);
    tables_.column_map = memory_.upload(layout.column_map);
    tables_.child_start = memory_.upload(layout.child_start);
    tables_.children = memory_.upload(layout.children);
    tables_.arena_entries = layout.arena_entries;
    tables_.value_count = task_.values->size();
    tables_.skew = layout.skew;
  }

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    Partial result = zero(*task_.arithmetic);
    std::vector<uint128>& residues = std::get<Residues>(result).residue;
    const std::size_t begin = std::min<std::size_t>(first * task_.primes_a_unit, residues.size());
    const std::size_t end = std::min<std::size_t>(last * task_.primes_a_unit, residues.size());
    CpuPrimes others(task_, residues, stop);
    for (std::size_t k = begin; k < end;) {
      const std::size_t primes = next_batch(end - k);
      const Batch batch = eliminate(k, primes, stop);
      for (std::size_t p = 0; p < primes; ++p) {
        if (batch.zero_pivot[p] != 0) {
          others.start(k + p);
        } else {
          residues[k + p] = batch.residue[p];
        }
      }
      k += primes;
    }
    others.finish();
    return result;
  }

  double measured_rate(double seconds) override {
    // As few primes as a group has leave most of the GPU idle: more are tried until they take longer each.
    constexpr double worth_more = 1.5;
    constexpr double patience = 4;
    const StopSignal never;
    double spent = 0;
    double all_spent = 0;
    double rate = 0;
    double rate_before = 0;
    std::size_t primes = 0;
    std::size_t next = planar_step::lanes;
    do {
      rate_before = rate;
      primes = std::min(next, task_.arithmetic->moduli.size());
      const double start = seconds_now();
      for (std::size_t k = 0; k < primes;) {
        const std::size_t some = next_batch(primes - k);
        eliminate(k, some, never);
        k += some;
      }
      spent = seconds_now() - start;
      all_spent += spent;
      rate = task_.multiplications * static_cast<double>(primes) / std::max(spent, 1e-6);
      next *= 4;
    } while (primes < task_.arithmetic->moduli.size() &&
             (spent < seconds / 4 || (rate > worth_more * rate_before && all_spent < patience * seconds)));
    return std::max(rate, rate_before);
  }

  std::uint64_t device_bytes() const override {
    const std::size_t primes = task_.arithmetic->moduli.size();
    const std::size_t groups = (primes + planar_step::lanes - 1) / planar_step::lanes;
    return task_.layout->table_bytes() + std::min<std::uint64_t>(groups, most_groups_) * group_bytes();
  }

 private:
  /// Of the CPU's threads, beside the GPU: primes modulo which a pivot of the reference is zero.
  class CpuPrimes {
   public:
    CpuPrimes(const PlanarDeviceTask& task, std::vector<uint128>& residues, const StopSignal& stop)
        : task_(task), residues_(residues), stop_(stop) {}

    void start(std::size_t k) {
      static const std::size_t most = std::max(1U, std::thread::hardware_concurrency());
      if (running_.size() >= most) finish();
      running_.emplace_back(k, std::async(std::launch::async, task_.on_cpu, k, std::cref(stop_)));
    }
    void finish() {
      for (auto& [k, residue] : running_) residues_[k] = residue.get();
      running_.clear();
    }

   private:
    const PlanarDeviceTask& task_;
    std::vector<uint128>& residues_;
    const StopSignal& stop_;
    std::vector<std::pair<std::size_t, std::future<std::uint64_t>>> running_;
  };

  struct Batch {
    std::vector<std::uint32_t> residue;
    std::vector<std::uint32_t> zero_pivot;  // the residue is anything
  };

  std::uint64_t group_bytes() const {
    const std::uint64_t words = task_.layout->arena_entries + task_.values->size() + 5;
    return words * planar_step::lanes * sizeof(std::uint32_t);
  }
  std::size_t groups_that_fit(const GpuInfo& gpu) const {
    const auto memory =
        static_cast<std::uint64_t>(planar_tuning::memory_share * static_cast<double>(gpu.memory_bytes));
    const std::uint64_t tables = task_.layout->table_bytes();
    const std::uint64_t groups = memory > tables ? (memory - tables) / group_bytes() : 0;
    if (groups == 0) {
      throw UnableError("the GPU has too little memory for 32 primes of this block side by side",
                        "--device cpu needs none of it");
    }
    return std::min<std::uint64_t>(groups, task_.most_groups);
  }

  /// So many of the primes that are left, so that all batches are about as large.
  std::size_t next_batch(std::size_t left) const {
    const std::size_t most = most_groups_ * planar_step::lanes;
    const std::size_t batches = (left + most - 1) / most;
    const std::size_t even = (left + batches - 1) / batches;
    const std::size_t whole = (even + planar_step::lanes - 1) / planar_step::lanes * planar_step::lanes;
    return std::min(whole, left);
  }

  Batch eliminate(std::size_t first, std::size_t primes, const StopSignal& stop) {
    groups_ = (primes + planar_step::lanes - 1) / planar_step::lanes;
    reserve_numbers();
    write_primes(first, primes);
    device_.clear(zero_pivots_);
    for (std::size_t level = task_.layout->levels.size(); level-- > 0;)
      eliminate_level(task_.layout->levels[level], stop);
    launch(CollectKernel{tables_, {1, groups_}, task_.layout->roots, results_.data()}, 0, stop);
    Batch batch{device_.download(results_, primes), device_.download(zero_pivots_, primes)};
    pending_ = 0;
    for (std::size_t p = 0; p < primes; ++p) {
      std::uint32_t& residue = batch.residue[p];
      if (task_.sign < 0 && residue != 0)
        residue = static_cast<std::uint32_t>(task_.arithmetic->moduli[first + p].prime) - residue;
    }
    return batch;
  }

  /// Numbers for `groups_` groups; fewer at once from now on where the device turns out to have less memory.
  void reserve_numbers() {
    if (groups_ <= reserved_groups_) return;
    reserved_groups_ = 0;
    arena_ = {};  // before the new one is there
    values_ = {};
    const std::size_t words = groups_ * planar_step::lanes;
    arena_ = device_.template allocate<std::uint32_t>(task_.layout->arena_entries * words);
    values_ = device_.template allocate<std::uint32_t>(task_.values->size() * words);
    primes_ = device_.template allocate<planar_step::LanePrime>(words);
    zero_pivots_ = device_.template allocate<std::uint32_t>(words);
    results_ = device_.template allocate<std::uint32_t>(words);
    tables_.arena = arena_.data();
    tables_.values = values_.data();
    tables_.primes = primes_.data();
    tables_.zero_pivots = zero_pivots_.data();
    reserved_groups_ = groups_;
  }

  std::vector<std::uint64_t> residues_modulo(std::size_t modulus) const {
    if (task_.residues) return task_.residues(modulus);
    const PrimeRing ring(task_.arithmetic->moduli[modulus].prime);
    std::vector<std::uint64_t> residues;
    residues.reserve(task_.values->size());
    for (const mpq_class& value : *task_.values)
      residues.push_back(static_cast<std::uint64_t>(ring.to_residue(ring.from_mpq(value))));
    return residues;
  }

  /// Lanes that are left over repeat the last prime.
  void write_primes(std::size_t first, std::size_t primes) {
    const std::size_t values = task_.values->size();
    std::vector<planar_step::LanePrime> lanes(groups_ * planar_step::lanes);
    std::vector<std::uint32_t> residues(lanes.size() * values);
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      const std::size_t modulus = first + std::min(k, primes - 1);
      const std::uint64_t prime = task_.arithmetic->moduli[modulus].prime;
      lanes[k] = planar_step::lane_prime(static_cast<std::uint32_t>(prime));
      const std::vector<std::uint64_t> own = residues_modulo(modulus);
      for (std::size_t v = 0; v < values; ++v) {
        const std::uint64_t residue = own[v];
        residues[(k / planar_step::lanes * values + v) * planar_step::lanes + k % planar_step::lanes] =
            static_cast<std::uint32_t>((residue << 32) % prime);
      }
    }
    lanes.resize(primes_.size(), lanes.back());
    residues.resize(values_.size(), 0);
    device_.write(primes_, lanes);
    device_.write(values_, residues);
  }

  void eliminate_level(const PlanarLayout::Level& level, const StopSignal& stop) {
    // An entry is cleared, added to and stored: as much as so many multiplications.
    constexpr double entry_cost = 8;
    launch(AssembleKernel{tables_, {level.rows.count, groups_}, level.rows.first}, level.entries * entry_cost,
           stop);
    launch(SmallFrontKernel{tables_, {level.small_fronts.count, groups_}, level.small_fronts.first},
           level.multiplications, stop);
    for (const PlanarLayout::Panel& panel : level.panels) {
      constexpr double depth = planar_tuning::panel_pivots;
      const auto inverses = static_cast<double>(panel.inverses.count);
      const auto factors = static_cast<double>(panel.factors.count);
      const auto updates = static_cast<double>(panel.updates.count);
      const double inverting = inverses * depth * depth * depth;
      if (tables_.skew) {
        launch(inverting_kernel<true>(panel), inverting, stop);
      } else {
        launch(inverting_kernel<false>(panel), inverting, stop);
      }
      launch(
          FactorKernel{
              tables_, {panel.factors.count, groups_}, factors_ + panel.factors.first, panel.first_pivot},
          factors * planar_tuning::tile_rows * depth * depth, stop);
      launch(
          UpdateKernel{
              tables_, {panel.updates.count, groups_}, updates_ + panel.updates.first, panel.first_pivot},
          updates * planar_tuning::block_rows * planar_tuning::block_columns * depth, stop,
          UpdateKernel::shared_bytes);
    }
  }

  template <bool skew>
  InvertKernel<skew> inverting_kernel(const PlanarLayout::Panel& panel) const {
    return {tables_, {panel.inverses.count, groups_}, inverses_ + panel.inverses.first, panel.first_pivot};
  }

  /// multiplications: of one prime. The device is never more than some 30 ms behind.
  template <class Kernel>
  void launch(const Kernel& kernel, double multiplications, const StopSignal& stop,
              std::size_t shared_bytes = 0) {
    const std::uint64_t tasks = kernel.share.all();
    if (tasks == 0) return;
    stop.check();
    const std::uint64_t blocks = (tasks + Kernel::tasks_a_block - 1) / Kernel::tasks_a_block;
    device_.launch(kernel, static_cast<unsigned>(blocks), shared_bytes);
    const GpuInfo& gpu = device_.gpu();
    pending_ += multiplications * static_cast<double>(groups_ * planar_step::lanes) /
                (planar_tuning::nominal_multiplications_a_cycle * gpu.clock_ghz * 1e9 * gpu.multiprocessors);
    if (pending_ < planar_tuning::launch_seconds) return;
    device_.wait();
    pending_ = 0;
  }

  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  Device device_;
  DeviceTables<Device> memory_{device_};
  PlanarDeviceTask task_;
  std::size_t most_groups_;
  PlanarTables tables_;
  const std::uint32_t* inverses_ = nullptr;
  const DeviceTile* factors_ = nullptr;
  const DeviceTile* updates_ = nullptr;
  Buffer<planar_step::LanePrime> primes_;
  Buffer<std::uint32_t> values_;
  Buffer<std::uint32_t> arena_;
  Buffer<std::uint32_t> zero_pivots_;
  Buffer<std::uint32_t> results_;
  std::size_t reserved_groups_ = 0;
  std::size_t groups_ = 0;  // of the batch at hand
  double pending_ = 0;      // nominal seconds of what has been launched since the last wait
};

template <class Device>
std::unique_ptr<DeviceJob> PlanarForm<Device>::make(const PlanarDeviceTask& task, const GpuInfo& gpu) {
  return std::make_unique<PlanarDeviceJob<Device>>(task, gpu);
}

}  // namespace countpm
