#pragma once
// Which GPUs work on a job one by one, which hold its tables together, and when tables wait in host memory.
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/memory_gap.hpp"
#include "kernels/method.hpp"
#include "src/machine/resources.hpp"

namespace countpm {

/// What of the host's memory all GPUs together may use for tables that do not fit theirs.
struct HostRoom {
  std::uint64_t bytes = 0;
  bool measured = true;  // the link is this machine's, and its rate can be looked at
};

/// The GPUs as they share a job's units: one by one where one alone can run a unit, which is faster, or else
/// as many teams of neighbours as there can be (GpuInfo::others), each with as few as suffice or a few more.
/// Where not even all of them together can, as many of them as the host has memory for, each with its share
/// (GpuInfo::host_bytes). One by one, too, where nothing helps.
std::vector<GpuInfo> teams_for(const Job& job, const std::vector<GpuInfo>& gpus, const HostRoom& host);

/// Job::for_gpus_alone() for one of them or, where that does not suffice, for all together, or for one with
/// the host's memory beside its own.
std::unique_ptr<Job> cut_for_gpus(const Job& job, const Arithmetic& moduli, const std::vector<GpuInfo>& gpus,
                                  const HostRoom& host);

/// What the GPUs lack for the job, one by one or all together; empty where it is not memory alone.
std::optional<MemoryGap> memory_gap(const Job& job, const std::vector<GpuInfo>& gpus);

/// Why no GPU takes the job, nor all of them together, nor one with the host's memory.
Refusal why_no_gpu(const Job& job, const std::vector<GpuInfo>& gpus, const HostRoom& host);

}  // namespace countpm
