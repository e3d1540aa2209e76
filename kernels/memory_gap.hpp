#pragma once
// A block that a GPU would take if it had more memory.
#include <optional>

namespace countpm {

struct GpuInfo;  // kernels/gpu/device_info.hpp

struct MemoryGap {
  double log2_times = 0;  // as much memory as there is, by so many doublings, would do
  double seconds = 0;     // that it would take there
};

/// A job whose plan decides how much of a GPU's memory it takes: class XJob : public Job, public GpuForm,
/// public ShortOfGpuMemory.
class ShortOfGpuMemory {
 public:
  virtual ~ShortOfGpuMemory() = default;

  /// Where nothing but its memory is why GPUs like this one do not take the job: what the plan at hand lacks.
  /// Another plan may lack nothing. Empty where they take it, and where no search would help.
  virtual std::optional<MemoryGap> gpu_memory_gap(const GpuInfo& gpu) const = 0;
};

}  // namespace countpm
