#include "src/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <thread>
#include <utility>

#include "graph/clock.hpp"
#include "graph/stop_signal.hpp"
#include "kernels/spread_form.hpp"
#include "src/machine/gpu_start.hpp"
#include "src/machine/startable_threads.hpp"
#include "src/plan/beyond_limits.hpp"
#include "src/plan/rivals.hpp"
#include "src/plan/search_plans.hpp"
#include "src/plan/what_would_do.hpp"
#include "src/run/executor.hpp"
#include "src/structure/blocks.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_quantity.hpp"

namespace countpm {
namespace {

// A forecast beyond this many seconds is out of reach whatever the machine.
constexpr double log10_hopeless_seconds = 15;
// Below this many predicted seconds measuring costs more than a wrong choice.
constexpr double worth_measuring_seconds = 0.02;
// ... and below this where there is nothing to choose.
constexpr double worth_measuring_alone_seconds = 0.1;
constexpr double measuring_share = 0.02;  // of the best prediction, for each method, and at most
// A unit of pruned is slow at its start: er_n40_p30 showed 11 M nodes/s in 10 ms, 15 M in 30 ms, 30 M in 0.3
// s, 34 M over all (2-core AMD EPYC, Zen 4, 2026-11-21).
constexpr double measuring_seconds = 0.6;
constexpr double least_measuring_seconds = 0.002;
// Nominal rates are right within a factor of ten or so on today's machines.
constexpr double log10_nominal_error = 1;
// Measuring on a GPU takes about that long, a kernel compiled for it or 65,536 prefixes made: where the best
// takes not much longer, only those near it are worth that. `--device gpu` took 2.3 s to plan er_n40_p50's
// 0.5 s on an H200 (bench/results/counting-gpu.md).
constexpr double gpu_measuring_seconds = 0.2;
constexpr double least_gpu_error = 2;
// A rate is measured again where a search has changed the work that much since.
constexpr double log10_other_work = 0.3;
// Below this many seconds on the CPU a GPU is not worth its start. er_n40_p30 took 1.5 s on 16 Xeon cores for
// 0.98 predicted, and an H200 0.6 s with all planning (2026-11-25).
constexpr double worth_gpu_seconds = 0.5;
// From so many on, slow methods, whose setup takes some 0.1 s, are worth it on a GPU, too, which is at most
// some fifty times as fast. One of them counts 44 rows with nine ones in ten in 0.03 s, and a GPU that was
// started in vain took 0.1 (H200, 2026-11-30).
constexpr double worth_asking_before_gpus_seconds = 50;
// Where nominal rates say that GPUs will come for certain, the CPU's own are measured no longer than this.
constexpr double certain_gpu_seconds = 3;
constexpr double measuring_beside_gpus_seconds = 0.03;
// Of a best prediction on a GPU, with its start: below this a measurement there would take as long again, and
// nominal rates of GPUs are right within a factor of two.
constexpr double worth_measuring_on_gpu_seconds = 0.5;
// ... and below this where there is nothing to choose: er_n48_p20's 0.59 predicted seconds by pruned were
// measured for 0.28 (H200, 2026-11-27).
constexpr double worth_measuring_alone_on_gpu_seconds = 20;
// A block predicted so many times beyond the time limit is refused, whatever its rates (log10): nominal ones
// are right within a factor of ten, and searches seldom save more than another. 62 rows of half ones were
// measured for 3 s to be refused for 145 years.
constexpr double log10_beyond_measuring = 2;
// A search shorter than this shows no progress.
constexpr double worth_showing_seconds = 0.2;

std::string size_text(const BlockForecast& block) {
  return fmt::format("{} {} and {} {}", block.rows, block.general ? "vertices" : "rows", block.entries,
                     block.general ? "edges" : "entries");
}

// For the report on a block that no method will count: the first that was asked what it would compute in.
const Candidate* first_with_arithmetic(const std::vector<Candidate>& candidates) {
  for (const Candidate& candidate : candidates) {
    if (candidate.asked) return &candidate;
  }
  return nullptr;
}

/// How far a method's nominal figure may be from the best, for it to be measured.
double log10_doubt(const Candidate& candidate, double log10_best) {
  if (candidate.measured) return 0;
  if (candidate.processors.gpus.empty()) return log10_nominal_error;
  return std::clamp(log10_best - std::log10(gpu_measuring_seconds), std::log10(least_gpu_error),
                    log10_nominal_error);
}

// Measures the methods near the best until the best one is measured: where the measured ones turn out slower
// than another's nominal figure, that one has to prove itself too.
void measure_near_best(std::vector<Candidate>& candidates, const Resources& resources, double most_seconds,
                       const StopSignal& stop) {
  const auto fresh = [](const Candidate& candidate) {
    return candidate.measured &&
           std::abs(candidate.measured_log10_work - candidate.log10_work) < log10_other_work;
  };
  const double seconds = std::clamp(measuring_share * std::pow(10, fastest(candidates)->log10_seconds),
                                    least_measuring_seconds, most_seconds);
  do {
    const double best = fastest(candidates)->log10_seconds;
    for (Candidate& candidate : candidates) {
      if (!candidate.can() || fresh(candidate)) continue;
      if (candidate.log10_seconds > best + log10_doubt(candidate, best)) continue;
      stop.check();
      candidate.measure(seconds, resources);
    }
  } while (!fresh(*fastest(candidates)));
}

/// What a candidate has to beat: the seconds of the best of the others.
double seconds_to_beat(const std::vector<Candidate>& candidates, const Candidate& candidate) {
  double best = std::numeric_limits<double>::infinity();
  for (const Candidate& other : candidates) {
    if (&other != &candidate && other.can()) best = std::min(best, std::pow(10, other.log10_seconds));
  }
  return best;
}

void fit_memory(std::vector<Candidate>& candidates, const Resources& resources, const PlanRequest& request) {
  for (Candidate& candidate : candidates) {
    const bool whatever_it_takes = request.candidates.ask_all;
    tell_rival(
        candidate,
        whatever_it_takes ? std::numeric_limits<double>::infinity() : seconds_to_beat(candidates, candidate),
        resources);
    candidate.fit_memory(resources);
  }
}

/// By which a plan that a search has changed is known.
std::vector<double> works(const std::vector<Candidate>& candidates) {
  std::vector<double> result;
  result.reserve(candidates.size());
  for (const Candidate& candidate : candidates) result.push_back(candidate.log10_work);
  return result;
}

/// context: with what it cannot know here.
void search(std::vector<Candidate>& candidates, SearchContext context, const CountOptions& options,
            const Resources& resources, const PlanRequest& request, Monitor& monitor) {
  bool shown = false;
  double shown_seconds = 0;
  context.seconds_left = options.time_limit_seconds - monitor.elapsed();
  context.resources = &resources;
  context.stop = &monitor.stop_signal();
  context.clock = seconds_now;
  context.before_slice = [&](const Candidate& candidate, double slice, double budget) {
    if (budget < worth_showing_seconds) return;
    if (!shown) monitor.begin_stage("plan", budget);
    shown = true;
    monitor.finish(std::exchange(shown_seconds, slice));
    std::string name(candidate.method->name());
    // Who asks for forecasts has one at once, before the search has made it better.
    if (request.candidates.ask_all)
      name += fmt::format(", {} as far as is known", format_log10_duration(candidate.log10_seconds));
    monitor.describe(name, request.block, request.blocks);
  };
  search_plans(candidates, context);
}

/// most_seconds: for each method.
void measure(std::vector<Candidate>& candidates, const CountOptions& options, const Resources& resources,
             const PlanRequest& request, Monitor& monitor, double most_seconds = measuring_seconds) {
  const double log10_seconds_left =
      std::log10(std::max(options.time_limit_seconds - monitor.elapsed(), 1e-9));
  const Candidate* best = fastest(candidates);
  if (best == nullptr || best->log10_seconds > log10_hopeless_seconds) return;
  if (!request.candidates.ask_all && best->log10_seconds > log10_seconds_left + log10_beyond_measuring)
    return;
  const bool alone = std::none_of(candidates.begin(), candidates.end(), [best](const Candidate& other) {
    return &other != best && other.can() && other.log10_seconds < best->log10_seconds + log10_nominal_error;
  });
  double worth = alone ? worth_measuring_alone_seconds : worth_measuring_seconds;
  if (!best->processors.gpus.empty())
    worth = alone ? worth_measuring_alone_on_gpu_seconds : worth_measuring_on_gpu_seconds;
  if (best->log10_seconds > std::log10(worth) || request.candidates.ask_all)
    measure_near_best(candidates, resources, most_seconds, monitor.stop_signal());
}

/// With the device `auto`: whether the best takes so long on the CPU that GPUs are worth a look.
bool may_want_gpus(std::vector<Candidate>& candidates, const CountOptions& options,
                   const Resources& resources, double seconds) {
  if (options.device != "auto" || !resources.gpus.empty()) return false;
  const Candidate* best = fastest(candidates);
  return best == nullptr || best->log10_seconds >= std::log10(seconds);
}

/// Starts a GPU where there may be one, with `work` on a thread beside it meanwhile. False: there is no sign
/// of one, and nothing was done.
template <class Work>
bool start_gpu_beside(const CountOptions& options, const Work& work) {
  if (!may_start_gpu(options)) return false;
  const StopSignal* const stop = current_stop_signal();
  std::exception_ptr failure;
  const auto run = [&] {
    const StopScope scope(stop);
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  {
    struct Beside {
      std::thread thread;
      ~Beside() {
        if (thread.joinable()) thread.join();
      }
    } beside;
    try {
      beside.thread = start_thread(run);
    } catch (const UnableError&) {
      run();
    }
    start_gpu_behind(options);
  }
  if (failure) std::rethrow_exception(failure);
  return true;
}

void join_gpus(std::vector<Candidate>& candidates, std::vector<GpuInfo> gpus, Resources& resources,
               const PlanRequest& request) {
  if (gpus.empty()) return;
  resources.gpus = std::move(gpus);
  for (Candidate& candidate : candidates) {
    if (candidate.job) candidate.fit_primes(resources);
  }
  fit_memory(candidates, resources, request);
}

}  // namespace

BlockPlan plan_block(const AnyBlock& block, WeightKind weight_kind, const CountOptions& options,
                     const Resources& given_resources, const PlanRequest& request, Monitor& monitor) {
  const double start = seconds_now();
  Resources resources = given_resources;
  BlockPlan plan;
  plan.forecast.rows = rows_of(block);
  plan.forecast.entries = entries_of(block);
  plan.seconds = std::numeric_limits<double>::infinity();
  const BlockBound bound = bound_of(block);
  plan.forecast.log2_bound = bound.log2_bound;
  plan.forecast.general = is_general(block);

  std::vector<Candidate> candidates;
  try {
    candidates = set_up_candidates(block, bound, weight_kind, options, resources, request.candidates);
    if (!request.nominal) {
      const auto ask_slow_ones = [&](double searched_seconds) {
        return add_slow_candidates(candidates, block, bound, weight_kind, options, resources,
                                   request.candidates, searched_seconds);
      };
      // Slow methods are asked before a GPU is started where that would be worth it on a GPU, too, and else
      // while its driver is loaded: one that is far ahead of the rest spares the GPU, and measuring. While
      // the GPU starts, rates are measured, but not for long where it will come for certain.
      std::vector<GpuInfo> gpus;
      if (may_want_gpus(candidates, options, resources, worth_asking_before_gpus_seconds)) ask_slow_ones(0);
      const bool starting = may_want_gpus(candidates, options, resources, worth_gpu_seconds) &&
                            start_gpu_beside(options, [&] { ask_slow_ones(0); });
      bool certain = may_want_gpus(candidates, options, resources, certain_gpu_seconds);
      if (certain && !starting) gpus = choose_gpus(options);
      if (!starting && gpus.empty()) ask_slow_ones(0);
      certain = certain && (starting || !gpus.empty());
      measure(candidates, options, resources, request, monitor,
              certain ? measuring_beside_gpus_seconds : measuring_seconds);
      if (gpus.empty() && may_want_gpus(candidates, options, resources, worth_gpu_seconds))
        gpus = choose_gpus(options);
      join_gpus(candidates, std::move(gpus), resources, request);
      // Before rates of GPUs are measured, too: nominal ones say what is worth asking there.
      bool changed = ask_slow_ones(0);
      measure(candidates, options, resources, request, monitor);
      if (request.search) {
        SearchContext context;
        // What `explain` measures beside is not part of a count.
        context.planned_seconds = request.candidates.ask_all ? 0 : seconds_now() - start;
        context.entries = static_cast<double>(plan.forecast.entries);
        context.join = [&](double searched_seconds) {
          if (!ask_slow_ones(searched_seconds)) return false;
          measure(candidates, options, resources, request, monitor);
          return true;
        };
        const std::vector<double> before = works(candidates);
        search(candidates, std::move(context), options, resources, request, monitor);
        changed = changed || works(candidates) != before;
      }
      // For what joined GPUs it was done, which takes some ten to eighty milliseconds.
      if (changed || resources.gpus.empty()) fit_memory(candidates, resources, request);
      ask_slow_ones(std::numeric_limits<double>::infinity());
      measure(candidates, options, resources, request, monitor);
    } else if (request.candidates.plan) {
      add_slow_candidates(candidates, block, bound, weight_kind, options, resources, request.candidates,
                          std::numeric_limits<double>::infinity());
    }
  } catch (const Stopped&) {
    monitor.throw_if_stopped();
    throw;
  }

  Candidate* chosen = weight_kind == WeightKind::real ? fastest_of_decimals(candidates) : fastest(candidates);
  if (chosen != nullptr && chosen->log10_seconds > log10_hopeless_seconds) chosen = nullptr;
  for (const Candidate& candidate : candidates) {
    if (candidate.asked) plan.forecast.log2_bound = std::min(plan.forecast.log2_bound, candidate.log2_bound);
    plan.forecast.methods.push_back(candidate.forecast());
    plan.forecast.methods.back().chosen = &candidate == chosen;
  }
  // Methods compare by what one rank would take for all, whose units all would share. What is shared in any
  // case takes that divided by the ranks.
  double ranks_at_work = 1;
  if (chosen != nullptr && resources.machines == 1) ranks_at_work = parts_of(*chosen->job);
  for (MethodForecast& method : plan.forecast.methods) {
    if (method.chosen) method.log10_seconds -= std::log10(ranks_at_work);
  }
  if (const Candidate* named = chosen != nullptr ? chosen : first_with_arithmetic(candidates))
    plan.forecast.arithmetic = named->choice.name();
  if (chosen == nullptr) return plan;
  plan.method = chosen->method;
  plan.choice = std::move(chosen->choice);
  plan.skip_primes = request.candidates.skip_primes;
  plan.job = std::move(chosen->job);
  plan.processors = std::move(chosen->processors);
  plan.seconds = std::pow(10, chosen->log10_seconds) / ranks_at_work;
  return plan;
}

double log10_total_seconds(const std::vector<BlockForecast>& forecasts) {
  // Log-sum-exp over the method of each block: the chosen one, or else the best of those that can.
  double total = -std::numeric_limits<double>::infinity();
  for (const BlockForecast& forecast : forecasts) {
    double best = std::numeric_limits<double>::infinity();
    for (const MethodForecast& method : forecast.methods) {
      if (!method.obstacle) best = std::min(best, method.log10_seconds);
    }
    for (const MethodForecast& method : forecast.methods) {
      if (method.chosen && !method.obstacle) best = method.log10_seconds;
    }
    if (std::isinf(best)) return best;  // no method can, whatever the other blocks take
    const double larger = std::max(total, best);
    total = larger + std::log10(std::pow(10, total - larger) + std::pow(10, best - larger));
  }
  return total;
}

namespace {

// Of the machine's cores: what others take is worth a word from there on.
constexpr double worth_telling_load = 0.25;

std::string load_text(const Resources& resources) {
  if (!resources.load || resources.load->busy < worth_telling_load * resources.load->cores) return {};
  return fmt::format("; this was measured with {:.1f} of {} cores busy with other programs",
                     resources.load->busy, resources.load->cores);
}

void refuse_if_beyond_memory(const std::vector<const BlockPlan*>& plans, const Resources& resources) {
  std::vector<const Job*> jobs;
  for (const BlockPlan* plan : plans) {
    if (plan->job) jobs.push_back(plan->job.get());
  }
  const std::uint64_t bytes = peak_bytes(jobs, 1);
  if (bytes <= std::max(resources.memory_bytes, resources.most_memory_bytes)) return;
  throw BeyondLimits(
      fmt::format("counting {} blocks side by side needs {} of memory on one thread and the limit is {}",
                  jobs.size(), format_bytes(bytes), format_bytes(resources.memory_bytes)),
      fmt::format("try a --memory-limit of {} and some more", format_bytes(bytes)));
}

}  // namespace

void refuse_if_beyond_limits(const std::vector<const BlockPlan*>& plans, const CountOptions& options,
                             const Resources& resources, double elapsed_seconds) {
  std::vector<BlockForecast> forecasts;
  forecasts.reserve(plans.size());
  for (const BlockPlan* plan : plans) {
    const bool possible = std::any_of(plan->forecast.methods.begin(), plan->forecast.methods.end(),
                                      [](const MethodForecast& method) { return !method.obstacle; });
    if (!possible) {
      std::string reasons;
      bool cpu_could = false;
      for (const MethodForecast& method : plan->forecast.methods) {
        reasons +=
            fmt::format("{}{} cannot: {}", reasons.empty() ? "" : "; ", method.method, method.obstacle->text);
        cpu_could = cpu_could || is_of_gpu(method.obstacle->kind);
      }
      const std::string memory = what_memory_would_do(plan->forecast, options.time_limit_seconds);
      throw BeyondLimits(
          fmt::format("no method can count a block of {}: {}", size_text(plan->forecast), reasons),
          cpu_could        ? "--device auto counts on the CPU what no GPU method can"
          : memory.empty() ? "'countpm explain' shows every method"
                           : memory + "; 'countpm explain' shows every method");
    }
    forecasts.push_back(plan->forecast);
  }
  if (forecasts.empty()) return;
  refuse_if_beyond_memory(plans, resources);
  const double log10_seconds = log10_total_seconds(forecasts);
  // What is hopeless has no job, whatever the limit.
  const bool hopeless = log10_seconds > log10_hopeless_seconds;
  if (!hopeless && log10_seconds <= std::log10(std::max(options.time_limit_seconds - elapsed_seconds, 1e-9)))
    return;
  std::string limit;
  if (!std::isinf(options.time_limit_seconds))
    limit = fmt::format(" and the time limit is {}, of which {} is used",
                        format_duration(options.time_limit_seconds), format_duration(elapsed_seconds));
  const BlockForecast& largest = *std::max_element(
      forecasts.begin(), forecasts.end(), [](const auto& a, const auto& b) { return a.rows < b.rows; });
  std::string remedy = "no limit would help: exact counting is out of reach for the methods of this version";
  if (!hopeless) {
    remedy = what_would_be_in_time(plans, options, resources, elapsed_seconds);
    remedy += remedy.empty() ? "'countpm explain' shows every method's forecast"
                             : "; 'countpm explain' shows every method's forecast";
  }
  throw BeyondLimits(
      fmt::format("counting is predicted to take {} by {}{}; the largest irreducible block has {}{}",
                  format_log10_duration(log10_seconds),
                  options.method == "auto" ? "the best method" : options.method, limit, size_text(largest),
                  load_text(resources)),
      remedy);
}

}  // namespace countpm
