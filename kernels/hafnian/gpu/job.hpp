#pragma once
// Units of hafnian on a device: launches of the kernel, one prime after another, or the numbers and then
// their magnitudes. Templates over CudaDevice and CpuDevice.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/float_ring.hpp"
#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/gpu/device_rounds.hpp"
#include "kernels/gpu/device_tables.hpp"
#include "kernels/hafnian/gpu/form.hpp"
#include "kernels/hafnian/gpu/kernel.hpp"
#include "kernels/hafnian/gpu/lane.hpp"
#include "kernels/hafnian/residue_lane.hpp"
#include "kernels/hafnian/rounding.hpp"

namespace countpm::pair_sets {

/// Sums over sets in one Lane's numbers.
template <class Device, class Lane>
class SetWalker {
 public:
  using Value = typename Lane::Value;
  using Total = typename Lane::Total;

  /// At most so many bytes of shared memory a block, where one pair fits them, and `memory_bytes` in all,
  /// where one block fits them.
  SetWalker(const Pairing& pairing, const GpuInfo& gpu, std::uint64_t shared_bytes,
            std::uint64_t memory_bytes)
      : device_(gpu),
        sets_(pairing.sets),
        layout_(device_layout(pairing, shared_bytes, sizeof(Value))),
        items_a_unit_(layout_.items_from(pairing.decided)) {
    kernel_.layout = layout_;
    kernel_.rows_and_columns = tables_.upload(entry_table(layout_.vertices[0]));
    blocks_ = device_.template blocks<PairSetKernel<Lane>>(layout_.shared_bytes());
    const std::uint64_t items = pairing.units * items_a_unit_;
    kernel_.chunk = chunk_of(items);
    // No more than there are chunks, and than fit the memory.
    const std::uint64_t chunks = (items + kernel_.chunk - 1) / kernel_.chunk;
    const std::uint64_t fitting = memory_bytes / (layout_.values * sizeof(Value));
    blocks_ = static_cast<unsigned>(
        std::min<std::uint64_t>({blocks_, chunks, std::max<std::uint64_t>(fitting, 1)}));
    memory_ = device_.template allocate<Value>(std::size_t{blocks_} * layout_.values);
    device_.clear(memory_);
    totals_ = device_.template allocate<Total>(std::size_t{blocks_} * layout_.totals());
    kernel_.memory = memory_.data();
    kernel_.totals = totals_.data();
  }

  /// Entries by entry_index(), and the 1 of these numbers.
  const Value* upload(const std::vector<Value>& entries, const Value& one) {
    std::vector<Value> level(entry_values(), Value{});  // 0: its polynomials are of degree 0
    for (std::size_t k = 0; k < entries.size(); ++k) level[margin + k * layout_.stride] = entries[k];
    level[margin + std::size_t{layout_.polynomials[0]} * layout_.stride] = one;
    bytes_ += level.size() * sizeof(Value);
    return tables_.upload(level);
  }

  /// What adds up to the sum over the sets of units first .. last - 1; without `alternate` all with +.
  std::vector<Total> totals(const Lane& lane, const Value* entries, bool alternate, std::uint64_t first,
                            std::uint64_t last, const StopSignal& stop) {
    PairSetKernel<Lane> kernel = kernel_;
    kernel.lane = lane;
    kernel.alternate = alternate;
    kernel.entries = entries;
    kernel.first = first * items_a_unit_;
    device_.clear(totals_);
    additions_ = 0;
    const double terms = static_cast<double>(sets_) / static_cast<double>(items_a_unit_);
    const std::uint64_t round = std::uint64_t{blocks_} * kernel.chunk;
    launch_in_rounds(kernel, last * items_a_unit_, round, terms, pace_, stop, [&] {
      device_.launch(kernel, blocks_, layout_.shared_bytes());
      device_.wait();
      const std::uint64_t items = kernel.last - kernel.first;
      additions_ += std::min(items, (items + round - 1) / round * kernel.chunk);
    });
    return device_.download(totals_, totals_.size());
  }
  /// The most sets that one of the last totals is the sum of.
  std::uint64_t additions() const { return additions_; }
  std::uint64_t bytes() const { return memory_.size() * sizeof(Value) + bytes_; }

 private:
  /// At a chunk's start all upper pairs are decided, which takes as long as some hundred sets; a stop waits
  /// for a chunk of each block. 32 items at least, and more where all blocks have some of them.
  unsigned chunk_of(std::uint64_t items) const {
    constexpr std::uint64_t sets_a_chunk = 1024;
    constexpr std::uint64_t least = 32;
    constexpr std::uint64_t chunks_a_block = 8;
    std::uint64_t chunk = std::max(sets_a_chunk / layout_.totals(), least);
    while (chunk > least && items / chunk < chunks_a_block * blocks_) chunk /= 2;
    return static_cast<unsigned>(chunk);
  }
  std::size_t entry_values() const {
    return margin + (std::size_t{layout_.polynomials[0]} + 1) * layout_.stride;
  }

  Device device_;
  DeviceTables<Device> tables_{device_};
  std::uint64_t sets_;
  DeviceLayout layout_;
  std::uint64_t items_a_unit_;
  unsigned blocks_ = 0;
  PairSetKernel<Lane> kernel_;
  typename Device::template Buffer<Value> memory_;
  typename Device::template Buffer<Total> totals_;
  std::uint64_t bytes_ = 0;
  std::uint64_t additions_ = 0;
  // A stop is to be heard within 0.1 s.
  LaunchPace pace_{0.03, 1e6};
};

/// What jobs in all numbers have alike: their rate is one of sets.
class PairSetJobBase : public DeviceJob {
 public:
  explicit PairSetJobBase(const Pairing& pairing) : units_(pairing.units), sets_(pairing.sets) {}

  double measured_rate(double seconds) override {
    return rate_of_ranges(*this, units_, seconds, [&](std::uint64_t count) {
      return static_cast<double>(count) * static_cast<double>(sets_);
    });
  }

 private:
  std::uint64_t units_;
  std::uint64_t sets_;
};

template <class Device>
class PairSetDeviceJob : public PairSetJobBase {
 public:
  PairSetDeviceJob(const DeviceTask& task, const GpuInfo& gpu)
      : PairSetJobBase(task.pairing),
        walker_(task.pairing, gpu, shared_for(task.pairing, gpu), gpu.memory_bytes / 2) {
    for (const PrimeEntries& given : task.primes) {
      const ResidueLane lane(given.prime);
      primes_.push_back({lane, walker_.upload(given.entries, lane.word_power)});
    }
  }

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    Residues result;
    for (const Prime& prime : primes_) {
      std::uint64_t total = 0;
      for (const std::uint32_t sum : walker_.totals(prime.lane, prime.entries, true, first, last, stop))
        total += sum;
      result.residue.push_back(prime.lane.out_of_words(total));
    }
    return result;
  }

  std::uint64_t device_bytes() const override { return walker_.bytes(); }

 private:
  struct Prime {
    ResidueLane lane;
    const std::uint32_t* entries;
  };

  /// Six pairs are of some 40 KiB. Groups of twins may be of more; three blocks a multiprocessor then.
  static std::uint64_t shared_for(const Pairing& pairing, const GpuInfo& gpu) {
    return pairing.twins ? gpu.shared_bytes / 3 : gpu.shared_bytes;
  }

  SetWalker<Device, ResidueLane> walker_;
  std::vector<Prime> primes_;
};

template <class Device, class Lane>
class FloatingPairSetJob : public PairSetJobBase {
 public:
  FloatingPairSetJob(const FloatingDeviceTask& task, const GpuInfo& gpu)
      : PairSetJobBase(task.pairing),
        shape_(task.pairing.shape),
        bits_(task.bits),
        exponent_(task.entries.exponent),
        lost_(lost_below(task.entries.sizes.smallest, task.pairing.shape)),
        // Two blocks a multiprocessor at least.
        numbers_(task.pairing, gpu, gpu.shared_bytes / 2, gpu.memory_bytes / 2),
        magnitudes_(task.pairing, gpu, gpu.shared_bytes / 2, gpu.memory_bytes / 4),
        sizes_(magnitudes_.upload(task.entries.sizes.size, 1)) {
    std::vector<typename Lane::Value> entries(task.entries.sizes.size.size());
    static_assert(sizeof(typename Lane::Value) == lanes::words_of(Lane::kind) * sizeof(double));
    std::memcpy(static_cast<void*>(entries.data()), task.entries.words.data(),
                entries.size() * sizeof(typename Lane::Value));
    constexpr double one[lanes::words_of(Lane::kind)] = {1};
    typename Lane::Value unit;
    std::memcpy(static_cast<void*>(&unit), one, sizeof(unit));
    entries_ = numbers_.upload(entries, unit);
  }

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    Ball ball = zero_ball(bits_);
    add_up(numbers_.totals({}, entries_, true, first, last, stop), ball);
    Ball magnitudes = zero_ball(bits_);
    add_up(magnitudes_.totals({}, sizes_, false, first, last, stop), magnitudes);
    const Errors errors = lane_errors(Lane::kind, shape_, static_cast<double>(numbers_.additions()));
    add_error(ball, shape_, errors, magnitudes.re.to_double(MPFR_RNDU) * of_magnitudes,
              lost_ * static_cast<double>(last - first));
    scale_by_power_of_two(ball, exponent_);
    return ball;
  }

  std::uint64_t device_bytes() const override { return numbers_.bytes() + magnitudes_.bytes(); }

 private:
  /// Without rounding beyond the ball's.
  template <class Total>
  static void add_up(const std::vector<Total>& totals, Ball& ball) {
    constexpr std::size_t words = sizeof(Total) / sizeof(double);
    for (const Total& total : totals) {
      double part[words];
      std::memcpy(part, &total, sizeof(total));
      for (std::size_t k = 0; k < words; ++k) add_exactly(k < 2 ? ball.re : ball.im, part[k], ball.error);
    }
  }

  PairShape shape_;
  mpfr_prec_t bits_;
  std::int64_t exponent_;
  double lost_;  // in a unit
  SetWalker<Device, Lane> numbers_;
  SetWalker<Device, RealLane> magnitudes_;
  const typename Lane::Value* entries_ = nullptr;
  const double* sizes_;
};

template <class Device>
std::unique_ptr<DeviceJob> PairSetForm<Device>::make(const DeviceTask& task, const GpuInfo& gpu) {
  return std::make_unique<PairSetDeviceJob<Device>>(task, gpu);
}

template <class Device>
std::unique_ptr<DeviceJob> FloatingPairSetForm<Device>::make(const FloatingDeviceTask& task,
                                                             const GpuInfo& gpu) {
  switch (task.entries.kind) {
    case lanes::Kind::real:
      return std::make_unique<FloatingPairSetJob<Device, RealLane>>(task, gpu);
    case lanes::Kind::complex:
      return std::make_unique<FloatingPairSetJob<Device, ComplexLane>>(task, gpu);
    case lanes::Kind::real_pair:
      return std::make_unique<FloatingPairSetJob<Device, RealPairLane>>(task, gpu);
    case lanes::Kind::complex_pair:
      return std::make_unique<FloatingPairSetJob<Device, ComplexPairLane>>(task, gpu);
    case lanes::Kind::residues:
      break;
  }
  throw std::logic_error("FloatingPairSetForm: residues are no floating point");
}

}  // namespace countpm::pair_sets
