#include "src/plan/gpu_teams.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace countpm {
namespace {

std::vector<GpuInfo> some_of(const std::vector<GpuInfo>& gpus, std::size_t first, std::size_t last) {
  return {gpus.begin() + static_cast<std::ptrdiff_t>(first),
          gpus.begin() + static_cast<std::ptrdiff_t>(last)};
}

bool of_a_kind(const std::vector<GpuInfo>& gpus) {
  return std::all_of(gpus.begin(), gpus.end(), [&](const GpuInfo& gpu) {
    return gpu.name == gpus.front().name && gpu.multiprocessors == gpus.front().multiprocessors;
  });
}

/// Teams of several that hold tables together; empty where not even all of them do.
std::vector<GpuInfo> teams_of_several(const Job& job, const std::vector<GpuInfo>& gpus) {
  std::vector<GpuInfo> teams;
  if (gpus.size() < 2 || !of_a_kind(gpus)) return teams;
  for (std::size_t size = 2; size <= gpus.size() && teams.empty(); ++size) {
    if (job.device_obstacle(joined_gpus(some_of(gpus, 0, size)))) continue;
    const std::size_t count = gpus.size() / size;
    for (std::size_t team = 0; team < count; ++team)
      teams.push_back(
          joined_gpus(some_of(gpus, gpus.size() * team / count, gpus.size() * (team + 1) / count)));
  }
  return teams;
}

/// The link is looked at, which starts the GPU, only where that much memory helps.
std::optional<GpuInfo> waiting_gpu(const Job& job, const GpuInfo& gpu, std::uint64_t bytes, bool measured) {
  GpuInfo with_host = with_host_memory(gpu, bytes, false);
  if (job.device_obstacle(with_host)) return std::nullopt;
  return measured ? with_host_memory(std::move(with_host), bytes, true) : with_host;
}

bool may_wait(const std::optional<Refusal>& obstacle, const HostRoom& host) {
  return obstacle && obstacle->kind == RefusalKind::no_gpu_form_here && host.bytes > 0;
}

}  // namespace

std::vector<GpuInfo> teams_for(const Job& job, const std::vector<GpuInfo>& gpus, const HostRoom& host) {
  if (gpus.empty()) return gpus;
  const std::optional<Refusal> obstacle = job.device_obstacle(gpus.front());
  if (!obstacle) return gpus;
  if (std::vector<GpuInfo> teams = teams_of_several(job, gpus); !teams.empty()) return teams;
  if (!may_wait(obstacle, host)) return gpus;
  // No more than have something to do.
  for (std::size_t count = std::min<std::size_t>(gpus.size(), job.units()); count > 0; --count) {
    std::vector<GpuInfo> some;
    for (std::size_t k = 0; k < count && some.size() == k; ++k) {
      if (auto gpu = waiting_gpu(job, gpus[k], host.bytes / count, host.measured))
        some.push_back(*std::move(gpu));
    }
    if (some.size() == count) return some;
  }
  return gpus;
}

std::unique_ptr<Job> cut_for_gpus(const Job& job, const Arithmetic& moduli, const std::vector<GpuInfo>& gpus,
                                  const HostRoom& host) {
  std::unique_ptr<Job> cut = job.for_gpus_alone(moduli, gpus.front());
  if (!cut) return cut;
  std::optional<Refusal> obstacle = cut->device_obstacle(gpus.front());
  if (!obstacle) return cut;
  if (gpus.size() > 1 && of_a_kind(gpus)) {
    const GpuInfo together = joined_gpus(gpus);
    cut = job.for_gpus_alone(moduli, together);
    obstacle = cut->device_obstacle(together);
  }
  if (!may_wait(obstacle, host)) return cut;
  const GpuInfo with_host = with_host_memory(gpus.front(), host.bytes, false);
  auto waiting = job.for_gpus_alone(moduli, with_host);
  return waiting->device_obstacle(with_host) ? std::move(cut) : std::move(waiting);
}

std::optional<MemoryGap> memory_gap(const Job& job, const std::vector<GpuInfo>& gpus) {
  const auto* const form = dynamic_cast<const ShortOfGpuMemory*>(&job);
  if (form == nullptr || gpus.empty()) return std::nullopt;
  std::optional<MemoryGap> gap = form->gpu_memory_gap(gpus.front());
  if (gpus.size() < 2 || !of_a_kind(gpus)) return gap;
  const std::optional<MemoryGap> together = form->gpu_memory_gap(joined_gpus(gpus));
  return together && (!gap || together->log2_times < gap->log2_times) ? together : gap;
}

Refusal why_no_gpu(const Job& job, const std::vector<GpuInfo>& gpus, const HostRoom& host) {
  Refusal refusal{RefusalKind::no_gpu_form, "it does not run on a GPU"};
  if (gpus.empty()) return refusal;
  const std::optional<Refusal> alone = job.device_obstacle(gpus.front());
  if (!alone || alone->kind == RefusalKind::no_gpu_form) return refusal;
  std::optional<Refusal> why = alone;
  if (gpus.size() > 1 && of_a_kind(gpus)) {
    if (auto together = job.device_obstacle(joined_gpus(gpus))) why = std::move(together);
  }
  if (may_wait(alone, host)) {
    auto waiting = job.device_obstacle(with_host_memory(gpus.front(), host.bytes, false));
    if (waiting && waiting->text != alone->text) why = std::move(waiting);
  }
  return {why->kind, refusal.text + ": " + why->text};
}

}  // namespace countpm
