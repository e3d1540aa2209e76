#include "src/plan/gpu_teams.hpp"

#include <algorithm>

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

}  // namespace

std::vector<GpuInfo> teams_for(const Job& job, const std::vector<GpuInfo>& gpus) {
  if (gpus.size() < 2 || !of_a_kind(gpus) || !job.device_obstacle(gpus.front())) return gpus;
  for (std::size_t size = 2; size <= gpus.size(); ++size) {
    if (job.device_obstacle(joined_gpus(some_of(gpus, 0, size)))) continue;
    const std::size_t count = gpus.size() / size;
    std::vector<GpuInfo> teams;
    for (std::size_t team = 0; team < count; ++team)
      teams.push_back(
          joined_gpus(some_of(gpus, gpus.size() * team / count, gpus.size() * (team + 1) / count)));
    return teams;
  }
  return gpus;
}

std::unique_ptr<Job> cut_for_gpus(const Job& job, const Arithmetic& moduli,
                                  const std::vector<GpuInfo>& gpus) {
  std::unique_ptr<Job> cut = job.for_gpus_alone(moduli, gpus.front());
  if (!cut || gpus.size() < 2 || !of_a_kind(gpus) || !cut->device_obstacle(gpus.front())) return cut;
  return job.for_gpus_alone(moduli, joined_gpus(gpus));
}

std::optional<MemoryGap> memory_gap(const Job& job, const std::vector<GpuInfo>& gpus) {
  const auto* const form = dynamic_cast<const ShortOfGpuMemory*>(&job);
  if (form == nullptr || gpus.empty()) return std::nullopt;
  std::optional<MemoryGap> gap = form->gpu_memory_gap(gpus.front());
  if (gpus.size() < 2 || !of_a_kind(gpus)) return gap;
  const std::optional<MemoryGap> together = form->gpu_memory_gap(joined_gpus(gpus));
  return together && (!gap || together->log2_times < gap->log2_times) ? together : gap;
}

Refusal why_no_gpu(const Job& job, const std::vector<GpuInfo>& gpus) {
  Refusal refusal{RefusalKind::no_gpu_form, "it does not run on a GPU"};
  if (gpus.empty()) return refusal;
  std::optional<Refusal> why = job.device_obstacle(gpus.front());
  if (!why || why->kind == RefusalKind::no_gpu_form) return refusal;
  if (gpus.size() > 1 && of_a_kind(gpus)) {
    if (auto together = job.device_obstacle(joined_gpus(gpus))) why = std::move(together);
  }
  return {why->kind, refusal.text + ": " + why->text};
}

}  // namespace countpm
