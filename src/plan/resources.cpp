#include "src/plan/resources.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <utility>

#include "src/distributed/channel.hpp"

namespace countpm {
namespace {

std::uint64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::uint64_t kib = 0;
  while (file >> key >> kib) {
    if (key == "MemAvailable:") return kib * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::numeric_limits<std::uint64_t>::max();
}

/// Of the GPUs that this host shows, those of this rank: the ranks of a host divide them, --gpus each or as
/// evenly as it goes. Slurm may have given every rank its own already.
std::vector<GpuInfo> share_of(const Channel& channel, std::vector<GpuInfo> found, std::size_t wanted) {
  if (std::getenv("SLURM_GPUS_PER_TASK") != nullptr) return found;
  const auto rank = static_cast<std::size_t>(channel.local_rank());
  const auto ranks = static_cast<std::size_t>(channel.local_ranks());
  const std::size_t first = std::min(wanted > 0 ? rank * wanted : found.size() * rank / ranks, found.size());
  const std::size_t last =
      std::min(wanted > 0 ? first + wanted : found.size() * (rank + 1) / ranks, found.size());
  return {found.begin() + static_cast<std::ptrdiff_t>(first),
          found.begin() + static_cast<std::ptrdiff_t>(last)};
}

}  // namespace

std::vector<GpuInfo> choose_gpus(const CountOptions& options) {
  if (options.device == "cpu") return {};
  std::vector<GpuInfo> found;
  found.reserve(static_cast<std::size_t>(options.emulated_gpus));
  for (int k = 0; k < options.emulated_gpus; ++k) found.push_back(emulated_gpu(k));
  if (found.empty()) found = gpus();
  const auto wanted = static_cast<std::size_t>(options.gpus);
  const std::size_t on_host = found.size();
  if (options.channel != nullptr) found = share_of(*options.channel, std::move(found), wanted);
  if (found.empty() && on_host > 0 && (options.device == "gpu" || wanted > 0))
    throw UnableError(fmt::format("none of this host's {} GPUs is left for rank {}, the {}. of {} here",
                                  on_host, options.channel->rank(), options.channel->local_rank() + 1,
                                  options.channel->local_ranks()),
                      "no more ranks a host than GPUs, or fewer --gpus a rank, would do it");
  if (found.empty() && (options.device == "gpu" || wanted > 0))
    throw UnableError("no GPU to count on: " + gpu_obstacle(),
                      "--device cpu, or auto without --gpus, counts on the CPU");
  if (found.size() < wanted)
    throw UnableError(fmt::format("{} GPUs asked for, and there {} {}", wanted,
                                  found.size() == 1 ? "is" : "are", found.size()),
                      fmt::format("--gpus {} would do it", found.size()));
  if (wanted > 0) found.resize(wanted);
  return found;
}

Resources resources_for(const CountOptions& options) {
  Resources resources;
  resources.threads = options.threads > 0 ? options.threads : std::max(1, omp_get_max_threads());
  if (options.threads == 0 && options.channel != nullptr) resources.threads = options.channel->local_cores();
  resources.cores = std::max(1, omp_get_num_procs());
  resources.memory_bytes = options.memory_limit_bytes > 0 ? options.memory_limit_bytes : available_memory();
  if (options.memory_limit_bytes == 0 && options.channel != nullptr)
    resources.memory_bytes /= static_cast<std::uint64_t>(options.channel->local_ranks());
  if (options.device == "gpu" || options.gpus > 0) resources.gpus = choose_gpus(options);
  resources.cpu = options.device != "gpu";
  return resources;
}

}  // namespace countpm
