#pragma once
// Units of hafnian on a device: launches of the kernel, one prime after another. A template over CudaDevice
// and CpuDevice.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/gpu/device_rounds.hpp"
#include "kernels/gpu/device_tables.hpp"
#include "kernels/hafnian/gpu/form.hpp"
#include "kernels/hafnian/gpu/kernel.hpp"

namespace countpm::pair_sets {

template <class Device>
class PairSetDeviceJob : public DeviceJob {
 public:
  PairSetDeviceJob(const DeviceTask& task, const GpuInfo& gpu)
      : device_(gpu),
        units_(task.pairing.units),
        sets_(task.pairing.sets),
        layout_(device_layout(task.pairing, gpu.shared_bytes)),
        items_a_unit_(std::uint64_t{1} << (layout_.upper - task.pairing.decided)) {
    kernel_.layout = layout_;
    kernel_.rows_and_columns = tables_.upload(entry_table(layout_.vertices[0]));
    for (const PrimeEntries& given : task.primes) add_prime(given);
    blocks_ = device_.template blocks<PairSetKernel>(layout_.shared_bytes());
    // No more than there are chunks, and than half of the memory.
    const std::uint64_t items = task.pairing.units * items_a_unit_;
    const std::uint64_t chunks = (items + PairSetKernel::chunk - 1) / PairSetKernel::chunk;
    const std::uint64_t fitting = gpu.memory_bytes / 2 / (layout_.words * sizeof(std::uint32_t));
    blocks_ = static_cast<unsigned>(
        std::min<std::uint64_t>({blocks_, chunks, std::max<std::uint64_t>(fitting, 1)}));
    memory_ = device_.template allocate<std::uint32_t>(std::size_t{blocks_} * layout_.words);
    device_.clear(memory_);
    totals_ = device_.template allocate<std::uint32_t>(blocks_);
    kernel_.memory = memory_.data();
    kernel_.totals = totals_.data();
  }

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    Residues result;
    for (const Prime& prime : primes_) result.residue.push_back(residue(prime, first, last, stop));
    return result;
  }

  double measured_rate(double seconds) override {
    return rate_of_ranges(*this, units_, seconds, [&](std::uint64_t count) {
      return static_cast<double>(count) * static_cast<double>(sets_);
    });
  }

  std::uint64_t device_bytes() const override {
    return memory_.size() * sizeof(std::uint32_t) + primes_.size() * entry_words() * sizeof(std::uint32_t);
  }

 private:
  struct Prime {
    ResidueLane lane;
    const std::uint32_t* entries;
  };

  /// Of level 0: its polynomials are of degree 0.
  std::size_t entry_words() const {
    return margin + (std::size_t{layout_.polynomials[0]} + 1) * layout_.stride;
  }

  void add_prime(const PrimeEntries& given) {
    const ResidueLane lane(given.prime);
    std::vector<std::uint32_t> words(entry_words());
    for (std::size_t k = 0; k < given.entries.size(); ++k)
      words[margin + k * layout_.stride] = given.entries[k];
    words[margin + std::size_t{layout_.polynomials[0]} * layout_.stride] = lane.word_power;
    primes_.push_back({lane, tables_.upload(words)});
  }

  std::uint64_t residue(const Prime& prime, std::uint64_t first, std::uint64_t last, const StopSignal& stop) {
    PairSetKernel kernel = kernel_;
    kernel.lane = prime.lane;
    kernel.entries = prime.entries;
    kernel.first = first * items_a_unit_;
    device_.clear(totals_);
    const double terms = static_cast<double>(sets_) / static_cast<double>(items_a_unit_);
    launch_in_rounds(kernel, last * items_a_unit_, std::uint64_t{blocks_} * PairSetKernel::chunk, terms,
                     pace_, stop, [&] {
                       device_.launch(kernel, blocks_, layout_.shared_bytes());
                       device_.wait();
                     });
    std::uint64_t total = 0;
    for (const std::uint32_t sum : device_.download(totals_, blocks_)) total += sum;
    return prime.lane.out_of_words(total);
  }

  Device device_;
  DeviceTables<Device> tables_{device_};
  std::uint64_t units_;
  std::uint64_t sets_;
  DeviceLayout layout_;
  std::uint64_t items_a_unit_;
  unsigned blocks_ = 0;
  PairSetKernel kernel_;
  std::vector<Prime> primes_;
  typename Device::template Buffer<std::uint32_t> memory_;
  typename Device::template Buffer<std::uint32_t> totals_;
  // A stop is to be heard within 0.1 s.
  LaunchPace pace_{0.03, 1e6};
};

template <class Device>
std::unique_ptr<DeviceJob> PairSetForm<Device>::make(const DeviceTask& task, const GpuInfo& gpu) {
  return std::make_unique<PairSetDeviceJob<Device>>(task, gpu);
}

}  // namespace countpm::pair_sets
