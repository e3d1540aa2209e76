#include "src/plan/what_would_do.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "src/machine/assume.hpp"
#include "src/plan/setup_costs.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/text/format_quantity.hpp"

namespace countpm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Nobody waits longer.
constexpr double most_advised_seconds = 3e7;
// Of the time that is left: forecasts are off by some of it.
constexpr double share_that_does = 0.8;
constexpr int most_advised_threads = 512;

double seconds_of(double log10_seconds) {
  return log10_seconds > 300 ? infinity : std::pow(10, log10_seconds);
}

/// With so many threads, each on a core of its own; by the forecast for those that there are.
double seconds_on(const BlockPlan& plan, int threads, const Resources& resources) {
  const auto speed = [&](int some) {
    if (plan.job->runs_on_all_threads()) return plan.job->speed_up(some);
    const auto units = static_cast<double>(plan.job->units());
    return units / std::ceil(units / some);
  };
  return plan.seconds * speed(std::min(resources.threads, resources.cores)) / speed(threads);
}

std::string cores_that_do(const std::vector<const BlockPlan*>& plans, double left,
                          const Resources& resources) {
  if (std::any_of(plans.begin(), plans.end(), [](const BlockPlan* plan) {
        return plan->job == nullptr || !plan->processors.gpus.empty();
      }))
    return {};
  for (int threads = 2; threads <= most_advised_threads; threads *= 2) {
    if (threads <= std::min(resources.threads, resources.cores)) continue;
    double seconds = 0;
    for (const BlockPlan* plan : plans) seconds += seconds_on(*plan, threads, resources);
    if (seconds > left) continue;
    return fmt::format("{} would do{}, in {}", counted(static_cast<std::uint64_t>(threads), "core"),
                       threads <= resources.cores ? fmt::format(" (--threads {})", threads) : "",
                       format_duration(seconds));
  }
  return {};
}

std::string gpu_that_does(const std::vector<const BlockPlan*>& plans, double left,
                          const CountOptions& options) {
  AssumedMachine assumed;
  assumed.gpu = "h100";
  const GpuInfo gpu = assumed_gpus(assumed).front();
  double seconds = gpu_setup_seconds;
  for (const BlockPlan* plan : plans) {
    if (plan->job == nullptr || !plan->processors.gpus.empty()) return {};
    const auto* form = dynamic_cast<const GpuForm*>(plan->job.get());
    if (form == nullptr || form->device_obstacle(gpu)) return {};
    const double rate = form->nominal_device_rate(gpu);
    if (!(rate > 0)) return {};
    seconds += seconds_of((plan->job->log2_work() - std::log2(rate)) * std::log10(2.0));
  }
  if (seconds > left) return {};
  return fmt::format("an H100{} would do, in {}", options.device == "cpu" ? " (without --device cpu)" : "",
                     format_duration(seconds));
}

struct MemoryWay {
  double seconds = 0;
  std::uint64_t bytes = 0;
  std::string method;
};

/// The fastest of the methods that have no obstacle but memory.
std::optional<MemoryWay> with_memory(const BlockForecast& forecast) {
  std::optional<MemoryWay> best;
  for (const MethodForecast& method : forecast.methods) {
    if (!method.obstacle || method.obstacle->kind != RefusalKind::memory || method.memory_bytes == 0)
      continue;
    const double seconds = seconds_of(method.log10_seconds);
    if (!best || seconds < best->seconds) best = {seconds, method.memory_bytes, method.method};
  }
  return best;
}

std::string memory_text(const MemoryWay& way) {
  return fmt::format("{} of memory would do, by {} in {}", format_bytes(way.bytes), way.method,
                     format_duration(way.seconds));
}

/// Each block by what is the fastest with any memory.
std::string memory_that_does(const std::vector<const BlockPlan*>& plans, double left) {
  MemoryWay total;
  for (const BlockPlan* plan : plans) {
    const std::optional<MemoryWay> way = with_memory(plan->forecast);
    if (!way || way->seconds >= plan->seconds) {
      total.seconds += plan->seconds;
      continue;
    }
    total.seconds += way->seconds;
    total.bytes = std::max(total.bytes, way->bytes);
    total.method = way->method;
  }
  if (total.bytes == 0 || total.seconds > left) return {};
  return memory_text(total);
}

}  // namespace

std::string what_would_be_in_time(const std::vector<const BlockPlan*>& plans, const CountOptions& options,
                                  const Resources& resources, double elapsed_seconds) {
  double predicted = 0;
  for (const BlockPlan* plan : plans) predicted += plan->seconds;
  const double left = share_that_does * (options.time_limit_seconds - elapsed_seconds);
  std::vector<std::string> ways;
  if (predicted < most_advised_seconds) ways.push_back(advised_time_limit(elapsed_seconds, predicted));
  for (const std::string& way : {cores_that_do(plans, left, resources), gpu_that_does(plans, left, options),
                                 memory_that_does(plans, left)}) {
    if (!way.empty()) ways.push_back(way);
  }
  return fmt::format("{}", fmt::join(ways, "; "));
}

std::string what_memory_would_do(const BlockForecast& forecast, double seconds) {
  const std::optional<MemoryWay> way = with_memory(forecast);
  return way && way->seconds <= seconds ? memory_text(*way) : std::string();
}

}  // namespace countpm
