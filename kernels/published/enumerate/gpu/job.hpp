#pragma once
// enumerate's units on a GPU, or on the CPU in the GPU's steps: a template over CudaDevice and CpuDevice.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/arithmetic/wrap_ring.hpp"
#include "kernels/gpu/device_rounds.hpp"
#include "kernels/published/enumerate/gpu/form.hpp"
#include "kernels/published/enumerate/gpu/kernel.hpp"
#include "kernels/published/enumerate/gpu/tuning.hpp"

namespace countpm {

template <class Device>
class EnumerateDeviceJob : public DeviceJob {
 public:
  EnumerateDeviceJob(EnumerateTask task, const GpuInfo& gpu) : device_(gpu), task_(std::move(task)) {
    for (unsigned k = 2; k <= task_.rows; ++k) ranks_ *= k;
  }

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    Residues result;
    for (std::size_t k = 0; k < task_.moduli.size(); ++k) {
      const Modulus& modulus = task_.moduli[k];
      const auto add = [&](const auto& ring) {
        result.residue.push_back(sum(ring, task_.entries[k], first_rank(first), first_rank(last), stop));
      };
      if (modulus.prime != 0) {
        add(PrimeRing(modulus.prime));
      } else if (modulus.power_of_two == 64) {
        add(WrapRing<std::uint64_t>());
      } else {
        add(WrapRing<uint128>());
      }
    }
    return result;
  }

  double measured_rate(double seconds) override {
    return rate_of_ranges(*this, task_.units, seconds,
                          [this](std::uint64_t count) { return static_cast<double>(first_rank(count)); });
  }

  std::uint64_t device_bytes() const override { return 1 << 20; }

 private:
  /// As the CPU cuts them.
  std::uint64_t first_rank(std::uint64_t unit) const {
    return static_cast<std::uint64_t>(static_cast<uint128>(ranks_) * unit / task_.units);
  }

  template <class R>
  uint128 sum(const R& ring, const std::vector<uint128>& given, std::uint64_t begin, std::uint64_t end,
              const StopSignal& stop) {
    using Kernel = EnumerateKernel<R>;
    using Element = typename R::Element;
    if (begin >= end) return 0;
    std::vector<Element> elements(given.size());
    std::transform(given.begin(), given.end(), elements.begin(),
                   [](uint128 entry) { return static_cast<Element>(entry); });
    const auto entries = device_.upload(elements);
    const std::size_t shared_bytes = Kernel::shared_bytes(task_.rows);
    const unsigned blocks = device_.template blocks<Kernel>(shared_bytes);
    const auto totals = device_.upload(std::vector<Element>(blocks, ring.zero()));
    const std::uint64_t round = std::uint64_t{blocks} * Kernel::threads;
    const std::uint64_t ranks_an_item = item_size((end - begin) / round);
    Kernel kernel{ring, task_.rows,   entries.data(), ranks_an_item, begin, end, begin / ranks_an_item,
                  0,    totals.data()};
    const std::uint64_t items = (end - 1) / ranks_an_item + 1;
    launch_in_rounds(kernel, items, round, 1, pace_, stop, [&] {
      device_.launch(kernel, blocks, shared_bytes);
      device_.wait();
    });
    Element total = ring.zero();
    for (const Element part : device_.download(totals, blocks)) ring.add_to(total, part);
    return ring.to_residue(total);
  }

  /// The largest factorial that gives every thread an item, or what is asked for.
  std::uint64_t item_size(std::uint64_t ranks_a_thread) const {
    if (task_.steps) return *task_.steps + 1;
    std::uint64_t size = 1;
    for (unsigned k = 2; k <= std::min(task_.rows, enumerate_tuning::most_walked_rows); ++k) {
      if (k > enumerate_tuning::least_walked_rows && size * k > ranks_a_thread) break;
      size *= k;
    }
    return size;
  }

  Device device_;
  EnumerateTask task_;
  std::uint64_t ranks_ = 1;
  LaunchPace pace_{enumerate_tuning::launch_seconds, 1e6};  // by items
};

template <class Device>
std::unique_ptr<DeviceJob> EnumerateForm<Device>::make(EnumerateTask task, const GpuInfo& gpu) {
  return std::make_unique<EnumerateDeviceJob<Device>>(std::move(task), gpu);
}

}  // namespace countpm
