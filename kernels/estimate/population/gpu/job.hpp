#pragma once
// The samples by populations that a DeviceSampler launches: templates over CudaDevice and CpuDevice.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/estimate/population/gpu/form.hpp"
#include "kernels/estimate/population/gpu/kernel.hpp"
#include "kernels/estimate/samples/gpu/launches.hpp"
#include "kernels/estimate/samples/gpu/stream.hpp"

namespace countpm {

/// For states of so many words.
template <unsigned Words>
PopulationLayout population_layout(const PopulationPlan& plan, std::uint32_t members, bool table_is_shared) {
  PopulationLayout layout;
  const std::uint32_t degree = std::max(plan.highest_degree, 1U);
  // One more than its members may stay (KeepByShares), and one to spare.
  const std::uint64_t states = std::uint64_t{members} + 2;
  layout.members = members;
  layout.entry_bits = static_cast<std::uint32_t>(std::bit_width(degree - 1));
  layout.slots = PopulationChildren<Words>::slots(static_cast<std::uint32_t>(states * degree));
  const std::uint64_t children = states << layout.entry_bits;
  const std::uint64_t lists = states * degree;
  const auto put = [&layout](std::uint64_t count, std::size_t size) {
    const std::uint64_t at = layout.bytes;
    layout.bytes += (count * size + 15) / 16 * 16;
    return at;
  };
  for (unsigned k = 0; k < 2; ++k) {
    layout.used[k] = put(states, sizeof(BitSet<Words>));
    layout.priority[k] = put(states, sizeof(double));
  }
  layout.next = put(children, sizeof(std::uint32_t));
  layout.worth = put(children, sizeof(double));
  layout.head = put(lists, sizeof(std::uint32_t));
  layout.first = put(lists, sizeof(std::uint32_t));
  layout.flags = put(children / 32 + 1, sizeof(std::uint32_t));
  layout.ranks = put(children / 32 + 1, sizeof(std::uint32_t));
  layout.child = put(lists, sizeof(std::uint32_t));
  layout.value = put(lists, sizeof(double));
  layout.table = table_is_shared ? 0 : put(layout.slots, sizeof(std::uint32_t));
  return layout;
}

template <class Device, class Kernel>
class DevicePopulations {
 public:
  DevicePopulations(const Device& device, const PopulationTask& task) : device_(device), launches_(device) {
    const PopulationPlan& plan = *task.plan;
    entries_ = device.upload(plan.entries);
    first_entry_ = device.upload(plan.first_entry);
    closing_ = device.upload(closing_columns(plan));
    kernel_.plan = {entries_.data(),
                    first_entry_.data(),
                    closing_.data(),
                    static_cast<std::uint32_t>(plan.steps()),
                    nullptr,
                    nullptr,
                    {},
                    {},
                    nullptr};
    if (!plan.fitted.empty()) upload_guess(plan.fitted);
    // The table is where threads meet: in shared memory, as long as that leaves room for the other blocks.
    const std::uint64_t room = device.gpu().shared_bytes / Kernel::blocks_per_multiprocessor;
    const std::uint32_t slots = population_layout<Kernel::words>(plan, task.members, true).slots;
    kernel_.table_is_shared = Kernel::shared_bytes(slots) + reserved_bytes <= room;
    const std::size_t shared_bytes = Kernel::shared_bytes(kernel_.table_is_shared ? slots : 0);
    kernel_.layout = population_layout<Kernel::words>(plan, task.members, kernel_.table_is_shared);
    const unsigned blocks = launches_.blocks_with(kernel_.layout.bytes, shared_bytes);
    if (blocks == 0)
      throw UnableError("the GPU has too little memory for a population of this size",
                        "try a smaller --population; --device cpu needs none of it");
    launches_.prepare(kernel_, blocks, kernel_.layout.bytes, shared_bytes, counters, steps_emulated);
  }

  std::uint64_t few() const { return launches_.blocks(); }

  void begin(const SampleNumbers& numbers, Scaled* samples) { launches_.begin(kernel_, numbers, samples); }
  std::uint64_t go_on() const {
    const std::vector<std::uint64_t> seen = launches_.go_on(kernel_);
    if (seen[2] != 0) refuse_population_weights();
    return seen[1];
  }

 private:
  static constexpr std::uint32_t steps_emulated = 16;
  static constexpr std::size_t counters = 3;
  // Of every block, by CUDA itself.
  static constexpr std::uint64_t reserved_bytes = 1024;

  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  /// The columns that each row is the last of.
  static std::vector<std::uint64_t> closing_columns(const PopulationPlan& plan) {
    std::vector<std::uint64_t> closing(plan.steps() * Kernel::words, 0);
    for (std::size_t t = 0; t < plan.steps(); ++t) {
      for (std::uint64_t k = plan.first_entry[t]; k < plan.first_entry[t + 1]; ++k) {
        const PopulationPlan::Entry& entry = plan.entries[k];
        if (entry.last) closing[t * Kernel::words + entry.bit / 64] |= std::uint64_t{1} << entry.bit % 64;
      }
    }
    return closing;
  }

  /// Lists of a guess in the device's memory.
  struct FactorBuffers {
    Buffer<std::uint32_t> low;
    Buffer<std::uint32_t> high;
    Buffer<std::int32_t> exponent;
    Buffer<std::uint64_t> first;
  };
  GuessFactorView upload_factors(const GuessFactorList& factors, FactorBuffers& buffers) {
    buffers.low = device_.upload(factors.low);
    buffers.high = device_.upload(factors.high);
    buffers.exponent = device_.upload(factors.exponent);
    buffers.first = device_.upload(factors.first);
    return {buffers.low.data(), buffers.high.data(), buffers.exponent.data(), buffers.first.data()};
  }
  void upload_guess(const GuessFactors& guess) {
    // One number more: a pointer that is there says that there is a guess.
    std::vector<std::uint32_t> near = guess.near;
    near.push_back(0);
    near_ = device_.upload(near);
    first_near_ = device_.upload(guess.first_near);
    const GuessPowers powers;
    powers_ = device_.upload(std::vector<double>(powers.table().begin(), powers.table().end()));
    kernel_.plan.near = near_.data();
    kernel_.plan.first_near = first_near_.data();
    kernel_.plan.powers = powers_.data();
    kernel_.plan.of_steps = upload_factors(guess.of_steps, of_steps_);
    kernel_.plan.of_entries = upload_factors(guess.of_entries, of_entries_);
  }

  const Device& device_;
  Kernel kernel_;
  ResumedLaunches<Device, Kernel, PopulationPlace> launches_;
  Buffer<PopulationPlan::Entry> entries_;
  Buffer<std::uint64_t> first_entry_;
  Buffer<std::uint64_t> closing_;
  Buffer<std::uint32_t> near_;
  Buffer<std::uint64_t> first_near_;
  Buffer<double> powers_;
  FactorBuffers of_steps_;
  FactorBuffers of_entries_;
};

/// Small populations do not keep many threads busy.
template <class Device, unsigned Words>
std::unique_ptr<DeviceSampler> populations_of(const PopulationTask& task, const GpuInfo& gpu) {
  constexpr std::uint32_t small = 512;
  if (task.members <= small) {
    using Small = DevicePopulations<Device, PopulationKernel<Words, 128>>;
    return std::make_unique<StreamedSamples<Device, Small>>(task, task.numbers, gpu);
  }
  using Large = DevicePopulations<Device, PopulationKernel<Words, 512>>;
  return std::make_unique<StreamedSamples<Device, Large>>(task, task.numbers, gpu);
}

template <class Device>
std::unique_ptr<DeviceSampler> PopulationForm<Device>::make(const PopulationTask& task, const GpuInfo& gpu) {
  if (task.plan->width <= 64) return populations_of<Device, 1>(task, gpu);
  if (task.plan->width <= 128) return populations_of<Device, 2>(task, gpu);
  return populations_of<Device, most_device_width / 64>(task, gpu);
}

}  // namespace countpm
