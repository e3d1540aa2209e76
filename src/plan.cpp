#include "src/plan.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "src/blocks.hpp"
#include "src/format_quantity.hpp"

namespace countpm {
namespace {

constexpr double log10_of_2 = 0.30102999566398120;
// Blocks this small are counted in microseconds by any method: looking for the best one would take longer.
constexpr std::uint64_t tiny_rows = 10;
constexpr const char* tiny_method = "ryser";
constexpr const char* tiny_general_method = "definition";
// A nominal forecast beyond this many seconds is out of reach whatever the machine: the job is not even set
// up.
constexpr double log10_hopeless_seconds = 15;
// Below this many predicted seconds measuring costs more than a wrong choice.
constexpr double worth_measuring_seconds = 0.02;
constexpr double measuring_seconds = 0.03;
// Nominal rates are right within a factor of ten or so on today's machines.
constexpr double log10_nominal_error = 1;

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

// The arithmetic of a forecast: at most one modulus, so that even hopeless blocks are set up at no cost.
Arithmetic narrowed(const Arithmetic& arithmetic) {
  Arithmetic narrow = arithmetic;
  if (narrow.moduli.size() > 1) narrow.moduli.resize(1);
  return narrow;
}

bool excludes(const PlanRequest& request, std::string_view method) {
  return std::find(request.exclude.begin(), request.exclude.end(), method) != request.exclude.end();
}

struct Candidate {
  const Method* method;
  std::size_t forecast;  // its place in the table of forecasts
  ArithmeticChoice choice;
  std::unique_ptr<Job> job;
  double log2_work;
  double log10_seconds;  // of one thread at first, of all in the end
};

std::string size_text(const BlockForecast& block) {
  return fmt::format("{} {} and {} {}", block.rows, block.general ? "vertices" : "rows", block.entries,
                     block.general ? "edges" : "entries");
}

double log10_share_of_threads(const Job& job, int threads) {
  return std::log10(
      static_cast<double>(std::min<std::uint64_t>(job.units(), static_cast<std::uint64_t>(threads))));
}

// Sets up the job in its full arithmetic and replaces the nominal rate by a measured one.
void measure(Candidate& candidate, const AnyBlock& block, const MethodOptions& method_options,
             const Resources& resources, MethodForecast& forecast) {
  candidate.job = candidate.method->make_job(block, candidate.choice.arithmetic, method_options);
  const double rate = candidate.job->measured_rate(measuring_seconds);
  candidate.log2_work = candidate.job->log2_work();
  candidate.log10_seconds = candidate.log2_work * log10_of_2 - std::log10(rate) -
                            log10_share_of_threads(*candidate.job, resources.threads);
  forecast.log10_work = candidate.log2_work * log10_of_2;
  forecast.log10_seconds = candidate.log10_seconds;
  forecast.measured = true;
}

}  // namespace

Resources resources_for(const CountOptions& options) {
  Resources resources;
  resources.threads = options.threads > 0 ? options.threads : std::max(1, omp_get_max_threads());
  resources.memory_bytes = options.memory_limit_bytes > 0 ? options.memory_limit_bytes : available_memory();
  return resources;
}

BlockPlan plan_block(const AnyBlock& block, WeightKind weight_kind, const CountOptions& options,
                     const Resources& resources, const PlanRequest& request) {
  MethodOptions method_options{options.rules, options.seed};
  method_options.order = options.order;
  BlockPlan plan;
  plan.forecast.rows = rows_of(block);
  plan.forecast.entries = entries_of(block);
  plan.seconds = std::numeric_limits<double>::infinity();
  const BlockBound bound = bound_of(block);
  plan.forecast.log2_bound = bound.log2_bound;
  plan.forecast.general = is_general(block);
  const char* const tiny_choice = plan.forecast.general ? tiny_general_method : tiny_method;
  const bool tiny = request.method == "auto" && !request.forecast_all && plan.forecast.rows <= tiny_rows &&
                    !excludes(request, tiny_choice);

  std::vector<Candidate> candidates;
  for (const Method* method : exact_methods()) {
    if (request.method != "auto" && request.method != method->name()) continue;
    if (excludes(request, method->name())) continue;
    if (tiny && method->name() != tiny_choice) continue;
    MethodForecast forecast;
    forecast.method = method->name();
    forecast.work_name = method->work_name();
    if (plan.forecast.general && !method->counts_general_graphs()) {
      forecast.obstacle = "it counts bipartite graphs and matrices only, and this block has an odd cycle";
      plan.forecast.methods.push_back(std::move(forecast));
      continue;
    }
    ArithmeticChoice choice =
        choose_arithmetic(block, bound, *method, weight_kind, options, request.skip_primes);
    if (plan.forecast.arithmetic.empty()) plan.forecast.arithmetic = choice.arithmetic.name();
    auto obstacle = method->obstacle(block, choice.arithmetic);
    if (!obstacle) obstacle = method->idle(block, options.rules);
    if (obstacle) {
      forecast.obstacle = *obstacle;
      plan.forecast.methods.push_back(std::move(forecast));
      continue;
    }
    std::unique_ptr<Job> job = method->make_job(block, narrowed(choice.arithmetic), method_options);
    forecast.memory_bytes = job->bytes_per_thread() * static_cast<std::uint64_t>(resources.threads);
    forecast.log10_work = job->log2_work() * log10_of_2;
    forecast.log10_seconds = forecast.log10_work - std::log10(job->nominal_rate()) -
                             log10_share_of_threads(*job, resources.threads);
    if (forecast.memory_bytes > resources.memory_bytes) {
      forecast.obstacle =
          fmt::format("it needs {} of memory and the limit is {}", format_bytes(forecast.memory_bytes),
                      format_bytes(resources.memory_bytes));
    } else {
      candidates.push_back({method, plan.forecast.methods.size(), std::move(choice), nullptr,
                            job->log2_work(), forecast.log10_seconds});
    }
    plan.forecast.methods.push_back(std::move(forecast));
  }
  const auto faster = [](const Candidate& a, const Candidate& b) {
    return a.log10_seconds < b.log10_seconds;
  };
  std::sort(candidates.begin(), candidates.end(), faster);
  if (candidates.empty() || candidates.front().log10_seconds > log10_hopeless_seconds) return plan;

  const double best = candidates.front().log10_seconds;
  if (best > std::log10(worth_measuring_seconds) || request.forecast_all) {
    const auto measure_forecast = [&](Candidate& candidate) {
      measure(candidate, block, method_options, resources, plan.forecast.methods[candidate.forecast]);
    };
    for (Candidate& candidate : candidates) {
      if (candidate.log10_seconds <= best + log10_nominal_error) measure_forecast(candidate);
    }
    std::sort(candidates.begin(), candidates.end(), faster);
    // Where the measured ones turn out slower than another's nominal figure, that one has to prove itself
    // too.
    while (!candidates.front().job) {
      measure_forecast(candidates.front());
      std::sort(candidates.begin(), candidates.end(), faster);
    }
  }
  Candidate& chosen = candidates.front();
  if (!chosen.job) chosen.job = chosen.method->make_job(block, chosen.choice.arithmetic, method_options);
  plan.forecast.methods[chosen.forecast].chosen = true;
  plan.forecast.arithmetic = chosen.choice.arithmetic.name();
  plan.method = chosen.method;
  plan.choice = std::move(chosen.choice);
  plan.job = std::move(chosen.job);
  plan.seconds = std::pow(10, chosen.log10_seconds);
  return plan;
}

double log10_total_seconds(const std::vector<BlockForecast>& forecasts) {
  // Log-sum-exp over the best method of each block; the chosen one is the best of those that can.
  double total = -std::numeric_limits<double>::infinity();
  for (const BlockForecast& forecast : forecasts) {
    double best = std::numeric_limits<double>::infinity();
    for (const MethodForecast& method : forecast.methods) {
      if (method.obstacle.empty()) best = std::min(best, method.log10_seconds);
    }
    if (std::isinf(best)) return best;  // no method can, whatever the other blocks take
    const double larger = std::max(total, best);
    total = larger + std::log10(std::pow(10, total - larger) + std::pow(10, best - larger));
  }
  return total;
}

void refuse_if_beyond_limits(const std::vector<const BlockPlan*>& plans, const CountOptions& options,
                             double elapsed_seconds) {
  std::vector<BlockForecast> forecasts;
  forecasts.reserve(plans.size());
  for (const BlockPlan* plan : plans) {
    const bool possible = std::any_of(plan->forecast.methods.begin(), plan->forecast.methods.end(),
                                      [](const MethodForecast& method) { return method.obstacle.empty(); });
    if (!possible) {
      std::string reasons;
      for (const MethodForecast& method : plan->forecast.methods) {
        reasons +=
            fmt::format("{}{} cannot: {}", reasons.empty() ? "" : "; ", method.method, method.obstacle);
      }
      throw UnableError(
          fmt::format("no method can count a block of {}: {}", size_text(plan->forecast), reasons),
          "'countpm explain' shows every method");
    }
    forecasts.push_back(plan->forecast);
  }
  if (forecasts.empty()) return;
  const double log10_seconds = log10_total_seconds(forecasts);
  if (std::isinf(options.time_limit_seconds) && log10_seconds <= log10_hopeless_seconds) return;
  if (log10_seconds <= std::log10(std::max(options.time_limit_seconds - elapsed_seconds, 1e-9))) return;
  const BlockForecast& largest = *std::max_element(
      forecasts.begin(), forecasts.end(), [](const auto& a, const auto& b) { return a.rows < b.rows; });
  throw UnableError(
      fmt::format(
          "counting is predicted to take {} by {} and the time limit is {}, {} of it used already (the "
          "largest irreducible block has {})",
          format_log10_seconds(log10_seconds), options.method == "auto" ? "the best method" : options.method,
          format_seconds(options.time_limit_seconds), format_seconds(elapsed_seconds), size_text(largest)),
      log10_seconds > log10_hopeless_seconds
          ? "no limit would help: exact counting is out of reach for the methods of this version"
          : fmt::format("--time-limit {:.0f} would do it; 'countpm explain' shows every method's forecast",
                        std::ceil((elapsed_seconds + std::pow(10, log10_seconds)) * 1.5)));
}

}  // namespace countpm
