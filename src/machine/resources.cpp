#include "src/machine/resources.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "graph/clock.hpp"
#include "kernels/gpu/wake_gpu.hpp"
#include "src/machine/assume.hpp"
#include "src/machine/channel.hpp"
#include "src/machine/gpu_start.hpp"
#include "src/machine/machine_limits.hpp"
#include "src/machine/startable_threads.hpp"
#include "src/text/format_number.hpp"
#include "src/text/format_quantity.hpp"

namespace countpm {
namespace {

// Of what the limits on this process leave when a count is planned, this share is for what is not in the
// plan, and as much beside: what is searched for plans, lists of transitions.
constexpr std::uint64_t room_parts = 16;
constexpr std::uint64_t beside_plans_bytes = std::uint64_t{1} << 20U;
// The threads' stacks take no more than this share of it, less those of threads that watch and write: beside
// late ones three threads that counted ran out of 4 MiB (2026-12-01).
constexpr std::uint64_t stacks_share = 4;
constexpr std::uint64_t other_threads = 2;

int default_threads(int cores, const Channel* channel) {
  if (channel != nullptr) {
    // The ranks of a host are under one quota.
    const int quota = core_quota().value_or(std::numeric_limits<int>::max());
    return std::min({channel->local_cores(), cores, std::max(1, quota / channel->local_ranks())});
  }
  const char* const asked = std::getenv("OMP_NUM_THREADS");
  const int threads = std::max(1, omp_get_max_threads());
  return asked != nullptr && *asked != '\0' ? threads : std::min(threads, cores);
}

/// As many of the threads as can be had, and notes on the others.
int threads_to_use(int wanted, std::uint64_t room, std::vector<std::string>& notes) {
  int threads = std::clamp(wanted, 1, most_threads);
  if (threads < wanted)
    notes.push_back(fmt::format("{} of {} threads: that is the most there may be", threads, wanted));
  const std::uint64_t stack = std::max<std::uint64_t>(thread_stack_bytes(), 1);
  const std::uint64_t left = room > other_threads * stack ? room - other_threads * stack : 0;
  const std::uint64_t others = std::min<std::uint64_t>(left / stacks_share / stack, most_threads);
  if (others + 1 < static_cast<std::uint64_t>(threads)) {
    notes.push_back(
        fmt::format("{} of {} threads: the stacks of more, {} each, would take over a quarter of "
                    "the memory that the limits leave",
                    others + 1, threads, format_bytes(stack)));
    threads = static_cast<int>(others + 1);
  }
  const int started = startable_threads(threads);
  if (started < threads)
    notes.push_back(fmt::format("{} of {} threads: the system starts no more", started, threads));
  return started;
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

std::vector<GpuInfo> as_set_by(const CountOptions& options, std::vector<GpuInfo> gpus) {
  for (GpuInfo& gpu : gpus) {
    if (options.gpu_memory_bytes > 0) gpu.memory_bytes = std::min(gpu.memory_bytes, options.gpu_memory_bytes);
    gpu.grid = static_cast<unsigned>(options.settings.number(Setting::grid).value_or(0));
    gpu.static_share = options.settings.is(Setting::division, "static");
  }
  return gpus;
}

std::atomic<bool>& gpu_start_under_way() {
  static std::atomic<bool> under_way = false;
  return under_way;
}

/// Its thread has ended before the process does. Exit handlers run last in, first out, and the driver has
/// some of its own, which would wait for the thread in vain: so what waits for the thread is put on top of
/// them, after the driver was loaded and after each step of its start.
class GpuStart {
 public:
  GpuStart() {
    load_driver();  // before its thread, whose stack it may use
    gpu_start_under_way() = true;
    try {
      thread_ = start_thread([] {
        wake_gpu([] { std::atexit(await_gpu_start); });
        gpu_start_under_way() = false;
        gpu_start_under_way().notify_all();
      });
    } catch (const UnableError&) {
      gpu_start_under_way() = false;  // it starts when it is used, then
    }
  }
  GpuStart(const GpuStart&) = delete;
  GpuStart& operator=(const GpuStart&) = delete;
  ~GpuStart() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

}  // namespace

std::vector<GpuInfo> choose_gpus(const CountOptions& options) {
  if (options.device == "cpu") return {};
  if (!options.assumed.gpu.empty()) return as_set_by(options, assumed_gpus(options.assumed));
  std::vector<GpuInfo> found;
  found.reserve(static_cast<std::size_t>(options.emulated_gpus));
  for (int k = 0; k < options.emulated_gpus; ++k) found.push_back(emulated_gpu(k));
  if (found.empty()) found = gpus();
  if (const auto number = options.settings.number(Setting::gpu_number)) {
    std::erase_if(found,
                  [&](const GpuInfo& gpu) { return static_cast<std::uint64_t>(gpu.index) != *number; });
    if (found.empty())
      throw UnableError(fmt::format("there is no GPU number {}", *number), "they are numbered from 0");
  }
  const auto wanted = static_cast<std::size_t>(options.gpus);
  const std::size_t on_host = found.size();
  if (options.channel != nullptr) found = share_of(*options.channel, std::move(found), wanted);
  if (found.empty() && on_host > 0 && (options.device == "gpu" || wanted > 0))
    throw UnableError(fmt::format("none of this host's {} GPUs is left for rank {}, the {}. of {} here",
                                  on_host, options.channel->rank(), options.channel->local_rank() + 1,
                                  options.channel->local_ranks()),
                      "try no more ranks per host than GPUs, or fewer --gpus per rank");
  if (found.empty() && (options.device == "gpu" || wanted > 0))
    throw UnableError("no GPU to count on: " + gpu_obstacle(),
                      "--device cpu, or auto without --gpus, counts on the CPU");
  if (found.size() < wanted)
    throw UnableError(fmt::format("{} GPUs asked for, and there {} {}", wanted,
                                  found.size() == 1 ? "is" : "are", found.size()),
                      fmt::format("try --gpus {}", found.size()));
  if (wanted > 0) found.resize(wanted);
  return as_set_by(options, std::move(found));
}

bool may_start_gpu(const CountOptions& options) {
  // Ranks of a host share its GPUs, and it is not known yet which of them this one has.
  return options.device != "cpu" && options.emulated_gpus == 0 && options.assumed.gpu.empty() &&
         options.channel == nullptr && gpus_are_likely();
}

bool start_gpu_behind(const CountOptions& options) {
  if (!may_start_gpu(options)) return false;
  static const GpuStart start;
  return true;
}

bool gpu_is_starting() {
  return gpu_start_under_way();
}

void await_gpu_start() {
  gpu_start_under_way().wait(true);
}

namespace {

/// available_memory(), not asked again within 20 ms: it takes some 0.15 ms, as long as a small count.
std::uint64_t memory_of_late() {
  constexpr double kept_seconds = 0.02;
  static std::mutex mutex;
  static double asked = -1;
  static std::uint64_t bytes = 0;
  const std::lock_guard lock(mutex);
  const double now = seconds_now();
  if (asked < 0 || now - asked > kept_seconds) {
    bytes = available_memory().bytes;
    asked = now;
  }
  return bytes;
}

}  // namespace

int wanted_threads(const Options& options) {
  if (options.threads > 0) return std::min(options.threads, most_threads);
  return std::min(default_threads(available_cores(), nullptr), most_threads);
}

Resources resources_for(const CountOptions& options) {
  Resources resources;
  resources.cores = available_cores();
  resources.machines = resources.ranks = options.assumed.machines;
  resources.assumed_gpus = !options.assumed.gpu.empty();
  const std::uint64_t room = room_in_limits().bytes;
  if (options.assumed.threads > 0) {
    resources.threads = resources.cores = options.assumed.threads;
  } else {
    resources.threads = threads_to_use(
        options.threads > 0 ? options.threads : default_threads(resources.cores, options.channel), room,
        resources.notes);
    if (resources.threads > resources.cores) {
      resources.notes.push_back(fmt::format("{} threads and {}: more threads than cores count no faster",
                                            resources.threads,
                                            counted(static_cast<std::uint64_t>(resources.cores), "core")));
    }
  }
  const std::uint64_t stacks = static_cast<std::uint64_t>(resources.threads - 1) * thread_stack_bytes();
  const std::uint64_t left = room > stacks ? room - stacks : 0;
  std::uint64_t memory = options.memory_limit_bytes;
  if (memory == 0) {
    memory = memory_of_late();
    if (options.channel != nullptr) memory /= static_cast<std::uint64_t>(options.channel->local_ranks());
  }
  resources.most_memory_bytes = std::min(memory, left);
  const std::uint64_t beside = left / room_parts + beside_plans_bytes;
  resources.memory_bytes = std::min(memory, left > 2 * beside ? left - beside : left / 2);
  if (options.device == "gpu" || options.gpus > 0) {
    start_gpu_behind(options);
    resources.gpus = choose_gpus(options);
  }
  resources.all_gpus = options.gpus > 0;
  resources.cpu = options.device != "gpu";
  return resources;
}

void add_notes(const Resources& resources, std::vector<std::string>& notes) {
  notes.insert(notes.end(), resources.notes.begin(), resources.notes.end());
}

std::string note_on_threads(int threads, const Resources& resources) {
  return fmt::format("{} of {} threads: more do not fit the {} of memory", threads, resources.threads,
                     format_bytes(resources.memory_bytes));
}

bool fit_threads(std::uint64_t bytes_each, Resources& resources, std::vector<std::string>& notes) {
  const std::uint64_t fit = resources.memory_bytes / std::max<std::uint64_t>(bytes_each, 1);
  if (fit == 0) return false;
  if (fit < static_cast<std::uint64_t>(resources.threads)) {
    notes.push_back(note_on_threads(static_cast<int>(fit), resources));
    resources.threads = static_cast<int>(fit);
  }
  return true;
}

}  // namespace countpm
