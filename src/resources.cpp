#include "src/resources.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

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

}  // namespace

std::vector<GpuInfo> choose_gpus(const CountOptions& options) {
  if (options.device == "cpu") return {};
  std::vector<GpuInfo> found;
  found.reserve(static_cast<std::size_t>(options.emulated_gpus));
  for (int k = 0; k < options.emulated_gpus; ++k) found.push_back(emulated_gpu(k));
  if (found.empty()) found = gpus();
  const auto wanted = static_cast<std::size_t>(options.gpus);
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
  resources.cores = std::max(1, omp_get_num_procs());
  resources.memory_bytes = options.memory_limit_bytes > 0 ? options.memory_limit_bytes : available_memory();
  if (options.device == "gpu" || options.gpus > 0) resources.gpus = choose_gpus(options);
  resources.cpu = options.device != "gpu";
  return resources;
}

}  // namespace countpm
