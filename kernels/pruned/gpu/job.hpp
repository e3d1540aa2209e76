#pragma once
// A job's units on a GPU, or on the CPU in the GPU's steps: a template over CudaDevice and CpuDevice.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph/clock.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/pruned/gpu/form.hpp"
#include "kernels/pruned/gpu/kernel.hpp"
#include "kernels/subsets/prefixes.hpp"

namespace countpm {

template <class Device, unsigned limbs, unsigned lane_bytes, unsigned words>
class PrunedDeviceJob : public DeviceJob {
 public:
  PrunedDeviceJob(PrunedDeviceTask task, const GpuInfo& gpu) : device_(gpu), task_(std::move(task)) {
    kernel_.shape = task_.layout.shape;
    tables_ = device_.upload(task_.layout.tables);
    ways_ = device_.upload(task_.layout.ways);
    digits_ = device_.upload(task_.digits);
    counters_ = device_.template allocate<std::uint64_t>(2);
    for (auto& nodes : nodes_) nodes = device_.template allocate<DeviceNode>(room());
    blocks_ = device_.template blocks<Kernel>(kernel_.shared_bytes());
    sums_ = device_.template allocate<WideInteger<limbs>>(warps());
    kernel_.tables = tables_.data();
    kernel_.ways = ways_.data();
    kernel_.sums = sums_.data();
    kernel_.items.digits = digits_.data();
    kernel_.items.next = counters_.data();
    kernel_.items.left_count = counters_.data() + 1;
    kernel_.items.room = room();
    kernel_.items.prefixes = task_.prefixes;
    kernel_.items.units = task_.units;
    kernel_.items.levels = static_cast<std::uint32_t>(task_.prefix_levels);
    kernel_.items.split = split();
    kernel_.items.budget = task_.budget != 0 ? task_.budget : pruned_tuning::budget;
  }

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    return share_of_permanent(sum(first, last, stop), task_.rows, RyserForm::classic, task_.scale,
                              task_.arithmetic);
  }

  /// Goes on until more units are no faster: a few do not keep all warps busy to their end.
  double measured_rate(double seconds) override {
    const StopSignal never;
    sum(0, 1, never);  // the first launch loads the kernel
    double units_a_second = 0;
    for (std::uint64_t count = 1;; count *= 4) {
      count = std::min(count, task_.units);
      const double start = seconds_now();
      sum(0, count, never);
      const double spent = std::max(seconds_now() - start, 1e-6);
      const double before =
          std::exchange(units_a_second, std::max(units_a_second, static_cast<double>(count) / spent));
      if (count == task_.units || spent > seconds) break;
      if (spent > seconds / 4 && units_a_second < pruned_tuning::still_faster * before) break;
    }
    return std::exp2(task_.log2_visits) * units_a_second / static_cast<double>(task_.units);
  }

  std::uint64_t device_bytes() const override {
    return tables_.size() * 4 + digits_.size() + sums_.size() * sizeof(WideInteger<limbs>) +
           2 * sizeof(DeviceNode) * room() + 8192;
  }

 private:
  using Kernel = PrunedKernel<limbs, lane_bytes, words>;

  std::size_t room() const {
    return device_.gpu().emulated ? pruned_tuning::most_nodes_left_emulated : pruned_tuning::most_nodes_left;
  }
  std::uint64_t warps() const { return std::uint64_t{blocks_} * (Kernel::threads / 32); }
  double lanes() const { return static_cast<double>(warps()) * 32; }

  /// Levels below a prefix that are split off, so that items are small and many.
  std::uint32_t split() const {
    const double visits = std::exp2(task_.log2_visits);
    const double wanted = std::max(
        visits / pruned_tuning::visits_an_item,
        std::min(pruned_tuning::items_a_lane * lanes(), visits / pruned_tuning::least_visits_an_item));
    std::uint32_t result = 0;
    double items = static_cast<double>(std::max<std::uint64_t>(task_.prefixes, 1));
    const DeviceShape& shape = task_.layout.shape;
    for (std::size_t k = task_.prefix_levels; k < shape.head && result < 24 && items < wanted; ++k) {
      if (!task_.layout.single(k)) break;
      ++result;
      items *= 2;
    }
    return result;
  }

  /// Of the units' parts, exact or modulo 2^(64 limbs). Short launches, so that a stop is soon heard; what
  /// one leaves comes first in the next.
  mpz_class sum(std::uint64_t first, std::uint64_t last, const StopSignal& stop) {
    mpz_class total;
    if (first >= last || !task_.layout.alive) return total;
    DeviceItems& items = kernel_.items;
    items.first_unit = first;
    items.range = last - first;
    items.first_place = 0;
    items.node_range = {};
    const std::uint64_t rounds = (task_.prefixes + task_.units - 1) / task_.units;
    items.place_range = SpreadRange((rounds * items.range) << items.split);
    const std::uint64_t all = items.place_range.asked();
    double many = lanes() * pruned_tuning::first_items_a_lane;
    while (items.first_place < all || items.node_range.size != 0) {
      stop.check();
      const double start = seconds_now();
      const std::uint64_t places = std::min(all - items.first_place, static_cast<std::uint64_t>(many));
      items.count = items.node_range.asked() + places;
      const std::uint64_t left = launch(total);
      const double spent = std::max(seconds_now() - start, 1e-5);
      items.first_place += places;
      items.node_range = SpreadRange(left);
      std::swap(nodes_[0], nodes_[1]);
      many = std::clamp(many * std::min(pruned_tuning::launch_seconds / spent, 16.0), 1.0,
                        static_cast<double>(all));
    }
    return total;
  }

  /// Adds the sum of all items to total and says how many nodes are left, in nodes_[1].
  std::uint64_t launch(mpz_class& total) {
    kernel_.items.nodes = nodes_[0].data();
    kernel_.items.left = nodes_[1].data();
    device_.write(counters_, std::vector<std::uint64_t>{0, 0});
    device_.launch(kernel_, blocks_, kernel_.shared_bytes());
    // Modulo 2^(64 limbs) too: those words of the sum are all that is asked for, or all that there are.
    total += sum_as_mpz(device_.download(sums_, warps()));
    return std::min<std::uint64_t>(device_.download(counters_, 2)[1], room());
  }

  Device device_;
  PrunedDeviceTask task_;
  Kernel kernel_;
  unsigned blocks_ = 1;
  typename Device::template Buffer<std::uint32_t> tables_;
  typename Device::template Buffer<std::int64_t> ways_;
  typename Device::template Buffer<std::uint8_t> digits_;
  typename Device::template Buffer<std::uint64_t> counters_;   // items taken, nodes left
  typename Device::template Buffer<DeviceNode> nodes_[2];      // that are items, that are left
  typename Device::template Buffer<WideInteger<limbs>> sums_;  // of warps
};

template <class Device>
std::unique_ptr<DeviceJob> PrunedForm<Device>::make(const PrunedDeviceTask& task, const GpuInfo& gpu) {
  const auto make = [&](auto constant) -> std::unique_ptr<DeviceJob> {
    constexpr unsigned limbs = decltype(constant)::value;
    switch (task.layout.shape.words) {
      case 12:
        return std::make_unique<PrunedDeviceJob<Device, limbs, 1, 12>>(task, gpu);
      case 16:
        return std::make_unique<PrunedDeviceJob<Device, limbs, 1, 16>>(task, gpu);
      default:
        return std::make_unique<PrunedDeviceJob<Device, limbs, 2, 32>>(task, gpu);
    }
  };
  switch (task.limbs) {
    case 1:
      return make(std::integral_constant<unsigned, 1>{});
    case 2:
      return make(std::integral_constant<unsigned, 2>{});
    case 3:
      return make(std::integral_constant<unsigned, 3>{});
    default:
      return make(std::integral_constant<unsigned, 4>{});
  }
}

}  // namespace countpm
