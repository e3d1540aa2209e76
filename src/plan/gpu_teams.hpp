#pragma once
// Which GPUs work on a job one by one, and which hold its tables together.
#include <memory>
#include <optional>
#include <vector>

#include "kernels/memory_gap.hpp"
#include "kernels/method.hpp"
#include "src/machine/resources.hpp"

namespace countpm {

/// The GPUs as they share a job's units: one by one where one alone can run a unit, which is faster, or else
/// as many teams of neighbours as there can be (GpuInfo::others), each with as few as suffice or a few more.
/// One by one, too, where not even all of them together can.
std::vector<GpuInfo> teams_for(const Job& job, const std::vector<GpuInfo>& gpus);

/// Job::for_gpus_alone() for one of them or, where that does not suffice, for all together.
std::unique_ptr<Job> cut_for_gpus(const Job& job, const Arithmetic& moduli, const std::vector<GpuInfo>& gpus);

/// What the GPUs lack for the job, one by one or all together; empty where it is not memory alone.
std::optional<MemoryGap> memory_gap(const Job& job, const std::vector<GpuInfo>& gpus);

/// Why no GPU takes the job, nor all of them together.
Refusal why_no_gpu(const Job& job, const std::vector<GpuInfo>& gpus);

}  // namespace countpm
