#include "src/resources.hpp"

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

Resources resources_for(const CountOptions& options) {
  Resources resources;
  resources.threads = options.threads > 0 ? options.threads : std::max(1, omp_get_max_threads());
  resources.memory_bytes = options.memory_limit_bytes > 0 ? options.memory_limit_bytes : available_memory();
  return resources;
}

}  // namespace countpm
