// Control groups: Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/ of Linux; where they are mounted
// stands in /proc/self/mountinfo (proc(5)), which group this process is in in /proc/self/cgroup (cgroups(7)).
#include "src/machine/machine_limits.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __EMSCRIPTEN__
#include <emscripten/heap.h>
#include <malloc.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <sstream>
#include <string_view>
#include <vector>

#include "graph/clock.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
// Version 1 writes "no limit" as the largest multiple of a page below 2^63.
constexpr std::uint64_t least_unlimited = std::uint64_t{1} << 62U;

std::uint64_t less(std::uint64_t limit, std::uint64_t used) {
  return limit > used ? limit - used : 0;
}

void take_less(MemoryRoom& room, std::uint64_t bytes, const std::string& source) {
  if (bytes < room.bytes) room = {bytes, source};
}

/// The number that a file begins with; nothing for "max", for what is no number and where there is no such
/// file.
std::optional<std::uint64_t> number_in(const std::string& file) {
  std::ifstream in(file);
  std::uint64_t value = 0;
  if (!(in >> value)) return std::nullopt;
  return value;
}

/// The value behind a key in a file of lines "key value": /proc/meminfo, memory.stat.
std::optional<std::uint64_t> value_in(const std::string& file, std::string_view wanted) {
  std::ifstream in(file);
  std::string key;
  std::uint64_t value = 0;
  while (in >> key >> value) {
    if (key == wanted) return value;
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

/// A field of /proc/self/statm in bytes.
std::uint64_t statm(const std::string& root, int field) {
  std::ifstream in(root + "/proc/self/statm");
  std::uint64_t pages = 0;
  for (int k = 0; k <= field; ++k) {
    if (!(in >> pages)) return 0;
  }
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}
constexpr int statm_size = 0;
constexpr int statm_resident = 1;
constexpr int statm_data = 5;

bool holds(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == name) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

/// A mounted hierarchy of control groups: version 2, or one of version 1 with the controller.
struct Hierarchy {
  bool unified = false;
  std::string mount;  // where it is seen, below `root`
  std::string group;  // this process's, below the mount: "" or "/a/b"
};

/// The path of this process's group in the hierarchy, as /proc/self/cgroup has it.
std::optional<std::string> group_of(const std::string& root, bool unified, std::string_view controller) {
  std::ifstream in(root + "/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (unified ? line.starts_with("0::") : holds(controllers, controller)) return line.substr(second + 1);
  }
  return std::nullopt;
}

/// What a mount shows of its hierarchy begins at `top`, which need not be the hierarchy's root. Of a group
/// that is not below it (a namespace of its own: "/../x") only the mount itself can be seen.
std::string below(const std::string& group, const std::string& top) {
  if (group.find("/..") != std::string::npos) return {};
  std::string rest = group;
  if (top != "/") {
    if (group != top && !group.starts_with(top + "/")) return {};
    rest = group.substr(top.size());
  }
  return rest == "/" ? std::string() : rest;
}

std::vector<Hierarchy> read_hierarchies(const std::string& root, std::string_view controller) {
  std::vector<Hierarchy> found;
  std::ifstream in(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.find(" - cgroup") == std::string::npos) continue;  // of another type: not worth taking apart
    std::istringstream words(line);
    std::string skipped;
    std::string top;
    std::string mount;
    std::string word;
    if (!(words >> skipped >> skipped >> skipped >> top >> mount)) continue;
    while (words >> word && word != "-") {
    }
    std::string type;
    std::string options;
    if (!(words >> type >> skipped >> options)) continue;
    const bool unified = type == "cgroup2";
    if (!unified && (type != "cgroup" || !holds(options, controller))) continue;
    const auto group = group_of(root, unified, controller);
    found.push_back({unified, mount, group ? below(*group, top) : std::string()});
  }
  return found;
}

/// The same, of this machine (no root) looked for once a second at most: counts of small matrices take less
/// time than the system takes to list its mounts.
std::vector<Hierarchy> hierarchies(const std::string& root, const std::string& controller) {
  if (!root.empty()) return read_hierarchies(root, controller);
  struct Known {
    double read_at = 0;
    std::vector<Hierarchy> found;
  };
  static std::mutex mutex;
  static std::map<std::string, Known> known;
  constexpr double fresh_seconds = 1;
  const std::lock_guard lock(mutex);
  const auto [place, unknown] = known.try_emplace(controller);
  Known& one = place->second;
  if (unknown || seconds_now() - one.read_at > fresh_seconds)
    one = {seconds_now(), read_hierarchies(root, controller)};
  return one.found;
}

/// Calls visit(folder) for this process's group and every group above it that can be seen.
void for_groups(const std::string& root, const Hierarchy& hierarchy,
                const std::function<void(const std::string&)>& visit) {
  for (std::string group = hierarchy.group;; group.resize(group.rfind('/'))) {
    std::string folder = root;
    visit(folder.append(hierarchy.mount).append(group));
    if (group.find('/') == std::string::npos) return;
  }
}

void limit_by_group(const std::string& folder, bool unified, MemoryRoom& room) {
  const auto used = number_in(folder + (unified ? "/memory.current" : "/memory.usage_in_bytes"));
  if (!used) return;
  const std::uint64_t reclaimable =
      value_in(folder + "/memory.stat", unified ? "inactive_file" : "total_inactive_file").value_or(0);
  for (const char* name : {"/memory.max", "/memory.high", "/memory.limit_in_bytes"}) {
    if (unified != (std::string_view(name) != "/memory.limit_in_bytes")) continue;
    const auto limit = number_in(folder + name);
    if (limit && *limit < least_unlimited)
      take_less(room, less(*limit, less(*used, reclaimable)), "the control group's " + folder + name);
  }
}

void limit_by_slurm(const std::string& root, MemoryRoom& room) {
  const auto number = [](const char* name) {
    const char* const text = std::getenv(name);
    return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  };
  const auto take = [&](std::uint64_t mebibytes, const char* name) {
    if (mebibytes == 0 || mebibytes >= least_unlimited >> 20U) return;  // 0: all of the node's
    take_less(room, less(mebibytes << 20U, statm(root, statm_resident)), fmt::format("Slurm's {}", name));
  };
  take(number("SLURM_MEM_PER_NODE"), "SLURM_MEM_PER_NODE");
  std::uint64_t cores = number("SLURM_CPUS_ON_NODE");
  if (cores == 0) cores = number("SLURM_CPUS_PER_TASK");
  if (cores == 0) cores = static_cast<std::uint64_t>(available_cores(root));
  take(number("SLURM_MEM_PER_CPU") * std::min<std::uint64_t>(cores, 1U << 20U), "SLURM_MEM_PER_CPU");
}

/// Cores by a quota and its period in microseconds.
std::optional<int> cores_of(std::uint64_t quota, std::uint64_t period) {
  if (quota == 0 || period == 0) return std::nullopt;
  const std::uint64_t cores = quota / period + (quota % period != 0 ? 1 : 0);
  return static_cast<int>(std::clamp<std::uint64_t>(cores, 1, std::numeric_limits<int>::max()));
}

std::optional<int> cores_of_group(const std::string& folder, bool unified) {
  if (!unified) {
    std::ifstream in(folder + "/cpu.cfs_quota_us");
    std::int64_t quota = 0;
    const auto period = number_in(folder + "/cpu.cfs_period_us");
    if (!(in >> quota) || quota <= 0 || !period) return std::nullopt;
    return cores_of(static_cast<std::uint64_t>(quota), *period);
  }
  std::ifstream in(folder + "/cpu.max");
  std::uint64_t quota = 0;
  std::uint64_t period = 0;
  if (!(in >> quota >> period)) return std::nullopt;  // "max 100000"
  return cores_of(quota, period);
}

}  // namespace

MemoryRoom room_in_limits(const std::string& root) {
  MemoryRoom room;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    take_less(room, less(limit.rlim_cur, statm(root, statm_size)), "ulimit -v");
  if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    take_less(room, less(limit.rlim_cur, statm(root, statm_data)), "ulimit -d");
  return room;
}

MemoryRoom available_memory(const std::string& root) {
  MemoryRoom room = room_in_limits(root);
#ifdef __EMSCRIPTEN__
  const auto heap_end = reinterpret_cast<std::uintptr_t>(sbrk(0));
  take_less(room, less(emscripten_get_heap_max(), heap_end) + mallinfo().fordblks,
            "the most that WebAssembly has in this build");
#endif
  if (const auto kib = value_in(root + "/proc/meminfo", "MemAvailable:"))
    take_less(room, *kib < no_limit / 1024 ? *kib * 1024 : no_limit, "the machine's available memory");
  for (const Hierarchy& hierarchy : hierarchies(root, "memory")) {
    for_groups(root, hierarchy,
               [&](const std::string& folder) { limit_by_group(folder, hierarchy.unified, room); });
  }
  limit_by_slurm(root, room);
  return room;
}

std::optional<int> core_quota(const std::string& root) {
  std::optional<int> least;
  for (const Hierarchy& hierarchy : hierarchies(root, "cpu")) {
    for_groups(root, hierarchy, [&](const std::string& folder) {
      const auto cores = cores_of_group(folder, hierarchy.unified);
      if (cores) least = std::min(least.value_or(*cores), *cores);
    });
  }
  return least;
}

int available_cores(const std::string& root) {
  int cores = std::max(1, omp_get_num_procs());
  if (const auto quota = core_quota(root)) cores = std::min(cores, *quota);
  if (const char* const text = std::getenv("SLURM_CPUS_PER_TASK")) {
    const long task = std::strtol(text, nullptr, 10);
    if (task > 0 && task < cores) cores = static_cast<int>(task);
  }
  return cores;
}

std::uint64_t thread_stack_bytes() {
  std::size_t bytes = 0;
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes) != 0) return std::uint64_t{8} << 20U;
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  // OpenMP's own variable: a number of KiB, or one with B, K, M or G behind it.
  const char* text = std::getenv("OMP_STACKSIZE");
  if (text == nullptr) text = std::getenv("GOMP_STACKSIZE");
  if (text == nullptr) return bytes;
  char* end = nullptr;
  const std::uint64_t number = std::strtoull(text, &end, 10);
  while (*end == ' ') ++end;
  const unsigned shift = *end == 'B' || *end == 'b'   ? 0
                         : *end == 'M' || *end == 'm' ? 20
                         : *end == 'G' || *end == 'g' ? 30
                                                      : 10;
  if (number == 0 || number > no_limit >> (shift + 1)) return bytes;
  return std::max<std::uint64_t>(number << shift, bytes);
}

std::uint64_t data_bytes(const std::string& root) {
  return statm(root, statm_data);
}

}  // namespace countpm
