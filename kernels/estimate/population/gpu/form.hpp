#pragma once
// Samples by populations on a GPU, as the CPU side sees it.
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/estimate/population/population.hpp"
#include "kernels/estimate/samples/device_sampler.hpp"
#include "kernels/estimate/samples/sample_numbers.hpp"
#include "kernels/gpu/device_info.hpp"

namespace countpm {

/// The most live columns that states on a GPU have bits for.
inline constexpr std::uint32_t most_device_width = 256;

/// Why no GPU draws these samples; empty: PopulationForm makes what does.
std::string population_obstacle(const PopulationPlan& plan);

struct PopulationTask {
  const PopulationPlan* plan = nullptr;  // without an obstacle
  std::uint32_t members = 1;
  SampleNumbers numbers;  // seed, stream and the matrix' exponent
};

template <class Device>
struct PopulationForm {
  /// `task.plan` may go afterwards. Throws UnableError where the GPU's memory does not suffice.
  static std::unique_ptr<DeviceSampler> make(const PopulationTask& task, const GpuInfo& gpu);
};

}  // namespace countpm
