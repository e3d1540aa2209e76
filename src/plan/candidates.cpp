#include "src/plan/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <numeric>
#include <utility>

#include "graph/clock.hpp"
#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/competitor.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/least_seconds.hpp"
#include "kernels/polynomial_method.hpp"
#include "kernels/special_case.hpp"
#include "kernels/spread_form.hpp"
#include "kernels/support/plan_text.hpp"
#include "src/plan/arithmetic_cost.hpp"
#include "src/plan/rivals.hpp"
#include "src/plan/setup_costs.hpp"
#include "src/plan/shared_rate.hpp"
#include "src/plan/side_by_side.hpp"
#include "src/run/executor.hpp"
#include "src/structure/blocks.hpp"
#include "src/text/format_quantity.hpp"

namespace countpm {
namespace {

constexpr double log10_of_two = 0.30102999566398120;
// A shorter slice leaves most of a GPU idle and sees its launch alone: er_n40_p30, counted in 0.13 s on an
// H200, was predicted at 33 s from slices of some milliseconds (2026-11-21).
constexpr double least_gpu_slice_seconds = 0.04;
// Of a GPU's seconds for everything, 0.25: the polynomial of 100 x 100 vertices, 63 units of 1.7 s a core,
// took 3.7 s on an H200 with 16 cores beside it, 2.1 s on it alone (2026-11-27).
constexpr double log10_longest_unit_share = -0.6;
// Threads that do less than a twentieth of what the GPUs do gain less than their last units, which all wait
// for, can cost: on an H200 15 of them did 1.8 % of a count by pruned and made it 1.5 to 2 s longer.
constexpr double log10_least_cpu_share = -1.3;

double log10_sum(double a, double b) {
  return log2_sum(a / log10_of_two, b / log10_of_two) * log10_of_two;
}

// Then those that count what is nearly planar, where that is seen soon and is soon counted: 40 x 40 vertices
// with two edges more are counted in 3 ms, and orders for them took frontier 0.55 s (2026-11-26).
constexpr double soon_seconds = 0.05;
constexpr double soon_enough_seconds = 0.5;  // then a longer search would not save what it takes

bool excludes(const CandidateRequest& request, std::string_view method) {
  return std::find(request.exclude.begin(), request.exclude.end(), method) != request.exclude.end();
}

bool is_among(const std::vector<Candidate>& candidates, const Method& method) {
  return std::any_of(candidates.begin(), candidates.end(),
                     [&](const Candidate& candidate) { return candidate.method == &method; });
}

bool is_wanted(const Method& method, const CandidateRequest& request) {
  return (request.method == "auto" || request.method == method.name()) && !excludes(request, method.name());
}

/// Whether a block of many rows has a method that needs no other beside it. Of decimal weights an exact
/// method that is soon done needs none, and one that is not may be slower than floating point.
bool settled(const std::vector<Candidate>& candidates, const AnyBlock& block, WeightKind weight_kind,
             const CandidateRequest& request) {
  if (request.ask_all) return false;
  if (weight_kind == WeightKind::real)
    return std::any_of(candidates.begin(), candidates.end(), is_soon_exact);
  return rows_of(block) > many_rows &&
         std::any_of(candidates.begin(), candidates.end(), [](const Candidate& candidate) {
           return candidate.can() && candidate.method->traits().settles_large_blocks;
         });
}

void sort_by_place(std::vector<Candidate>& candidates) {
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.place < b.place; });
}

/// The one that counts tiny blocks like this one before any other is set up; null where the table has none.
const Method* for_tiny(const AnyBlock& block, const std::vector<const Method*>& methods) {
  const bool general = is_general(block);
  const auto found = std::find_if(methods.begin(), methods.end(), [general](const Method* method) {
    return general ? method->traits().for_tiny_graphs : method->traits().for_tiny_matrices;
  });
  return found == methods.end() ? nullptr : *found;
}

/// Leaves to a simpler method among the others what it does by itself.
void leave_to_simpler(Candidate& candidate, const std::vector<Candidate>& others) {
  const auto* const special = dynamic_cast<const SpecialCase*>(candidate.job.get());
  const Method* const simpler = special == nullptr ? nullptr : special->simpler_method();
  if (simpler == nullptr) return;
  const bool is_there = std::any_of(others.begin(), others.end(), [simpler](const Candidate& other) {
    return other.method == simpler && other.can();
  });
  if (!is_there) return;
  candidate.job.reset();
  candidate.obstacle = {RefusalKind::nothing_to_do,
                        fmt::format("{} does the same here, with nothing around it", simpler->name())};
}

/// A table that does not fit one rank, or takes it long, may be shared by all.
void offer_ranks(Job& job, const Resources& resources, const CandidateRequest& request) {
  auto* const form = dynamic_cast<SpreadForm*>(&job);
  if (form == nullptr || resources.ranks <= 1 || !resources.cpu) return;
  if (!request.plan && !form->wants_parts()) return;
  // A plan that another rank made is for the memory of all.
  const std::uint64_t bytes =
      resources.least_rank_bytes && !request.plan ? resources.least_rank_bytes() : resources.memory_bytes;
  form->offer_parts({resources.ranks, std::min(bytes, resources.memory_bytes)});
}

/// best: seconds that the best of those set up before is predicted to take.
Candidate set_up(const Method& method, const AnyBlock& block, const BlockBound& bound, WeightKind weight_kind,
                 const CountOptions& options, const Resources& resources, const CandidateRequest& request,
                 double best) {
  check_stop();
  Candidate candidate;
  candidate.method = &method;
  if (has_monomers(block) && !method.counts_monomers()) {
    candidate.obstacle = {RefusalKind::structure,
                          tiles_of(block) != 0
                              ? "it counts perfect matchings only, and here larger sets cover vertices, too"
                              : "it counts perfect matchings only, and here vertices may stay alone"};
    return candidate;
  }
  if (is_general(block) && !method.counts_general_graphs()) {
    candidate.obstacle = {RefusalKind::structure,
                          "it counts bipartite graphs and matrices only, and this block has an odd cycle"};
    return candidate;
  }
  const std::unique_ptr<Preparation> prepared = prepare(method, block);
  auto* const competitor = dynamic_cast<Competitor*>(prepared.get());
  const int cores = cores_that_compete(resources);
  const bool told = !std::isinf(best) && !request.plan;
  if (competitor != nullptr && told) competitor->compete_with(best, cores);
  BlockBound least = bound;
  if (request.residues_only) {
    candidate.choice.arithmetic = request.arithmetic.value();
  } else {
    if (weight_kind < WeightKind::real ||
        (weight_kind == WeightKind::real && counts_decimals_exactly(block, bound, method, options)))
      least.log2_bound = std::min(least.log2_bound, prepared->log2_bound(resources.threads));
    candidate.choice = choose_arithmetic(block, least, method, weight_kind, options, request.skip_primes);
    if (request.arithmetic && suffices(*request.arithmetic, candidate.choice, least.log2_bound))
      candidate.choice.arithmetic = *request.arithmetic;
  }
  candidate.log2_bound = least.log2_bound;
  candidate.asked = true;
  candidate.skip_primes = request.skip_primes;
  candidate.obstacle = prepared->obstacle(candidate.choice.arithmetic);
  if (!candidate.obstacle) candidate.obstacle = method.nothing_to_do(block, options.rules);
  if (candidate.obstacle) return candidate;
  MethodOptions method_options;
  method_options.rules = options.rules;
  method_options.seed = options.seed;
  method_options.threads = resources.threads;
  method_options.memory_bytes = resources.memory_bytes;
  method_options.order = options.order;
  method_options.plan = request.plan;
  method_options.settings = options.settings;
  const auto* const competing = dynamic_cast<const CompetingMethod*>(&method);
  if (competing != nullptr && told) {
    candidate.job =
        competing->make_job_beside(best * cores, block, candidate.choice.arithmetic, method_options);
  } else {
    candidate.job = prepared->make_job(candidate.choice.arithmetic, method_options);
  }
  if (request.plan && candidate.job->plan() != *request.plan)
    throw PlanError(fmt::format("{} cuts this block into other units now", method.name()));
  offer_ranks(*candidate.job, resources, request);
  candidate.pinned = request.arithmetic.has_value();
  candidate.arithmetic_seconds = arithmetic_seconds(block, candidate.choice);
  candidate.fit_primes(resources);
  tell_rival(candidate, request.ask_all ? std::numeric_limits<double>::infinity() : best, resources);
  candidate.fit_memory(resources);
  if (!resources.cpu && candidate.processors.gpus.empty() && !candidate.may_come_to_fit())
    candidate.job.reset();
  return candidate;
}

/// Where --gpus asks for all of them, their start is the same whatever the plan.
double start_of(const std::vector<GpuInfo>& teams, const Resources& resources) {
  return resources.all_gpus ? gpu_setup_seconds : gpus_setup_seconds(teams);
}

/// Of a large block: a polynomial method that needs no planar graph and finds at once that it counts it soon.
std::optional<Candidate> soon_counted(const AnyBlock& block, const BlockBound& bound, WeightKind weight_kind,
                                      const CountOptions& options, const Resources& resources,
                                      const CandidateRequest& request) {
  for (std::size_t k = 0; k < request.methods->size(); ++k) {
    const Method& method = *(*request.methods)[k];
    if (!is_polynomial(method) || method.traits().needs_planarity || !is_wanted(method, request)) continue;
    Candidate candidate =
        set_up(method, block, bound, weight_kind, options, resources, request, soon_seconds);
    candidate.place = k;
    if (candidate.can() && std::pow(10, candidate.log10_seconds) <= soon_enough_seconds) return candidate;
  }
  return std::nullopt;
}

}  // namespace

void Candidate::predict(const Resources& resources) {
  // A journal's plan was made to fit another day.
  const std::uint64_t allowed = allowed_bytes(resources);
  threads = threads_that_fit({job.get()}, resources.threads, allowed);
  log10_work = job->log2_work() * log10_of_two;
  processors = {};
  start_seconds = 0;
  nominal_gpus = resources.assumed_gpus;
  const double cpu_rate = log10_cpu_rate(resources);
  log10_seconds = log10_work - cpu_rate;
  memory_bytes = peak_bytes({job.get()}, threads);
  std::vector<GpuInfo> gpus = teams_for(*job, resources.gpus, host_room(resources));
  const std::vector<double> rates = rates_of_paying(gpus, resources);
  const double gpu_rate = log10_gpu_rate(rates, resources);
  if (!std::isinf(gpu_rate)) {
    // A unit that runs on all threads has them and the memory for itself: none runs beside a GPU. Nor does
    // one that a thread would still be at when the GPU is through with all the others.
    const double log10_gpu_seconds = log10_work - gpu_rate;
    const double start = start_of(gpus, resources);
    const bool beside = resources.cpu && !job->runs_on_all_threads() &&
                        cpu_rate > gpu_rate + log10_least_cpu_share &&
                        log10_unit_seconds(resources) < log10_gpu_seconds + log10_longest_unit_share;
    const double rate = beside ? log10_sum(gpu_rate, cpu_rate) : gpu_rate;
    const double seconds = log10_sum(std::log10(start), log10_work - rate);
    if (!resources.cpu || seconds < log10_seconds || job->is_for_gpus_alone()) {
      log10_seconds = seconds;
      processors = {beside, std::move(gpus)};
      start_seconds = start;
    }
  }
  if (arithmetic_seconds > 0) log10_seconds = log10_sum(log10_seconds, std::log10(arithmetic_seconds));
  waiting_bytes = 0;
  for (const GpuInfo& gpu : processors.gpus) waiting_bytes += job->waiting_bytes(gpu);
  memory_bytes += waiting_bytes;
  fits = memory_bytes <= allowed;
  log10_too_large = 0;
  if (processors.gpus.empty() && (!resources.cpu || job->is_for_gpus_alone()))
    return predict_gpu_memory(resources);
  if (fits) {
    obstacle.reset();
    return;
  }
  log10_too_large = std::log10(static_cast<double>(memory_bytes)) -
                    std::log10(static_cast<double>(std::max<std::uint64_t>(allowed, 1)));
  const std::string needed = format_bytes(memory_bytes);
  const std::string limit = format_bytes(allowed);
  obstacle = {RefusalKind::memory,
              needed == limit
                  ? fmt::format("it needs {} bytes of memory and the limit is {}", memory_bytes, allowed)
                  : fmt::format("it needs {} of memory and the limit is {}", needed, limit)};
}

std::uint64_t Candidate::allowed_bytes(const Resources& resources) const {
  return pinned ? std::max(resources.memory_bytes, resources.most_memory_bytes) : resources.memory_bytes;
}

HostRoom Candidate::host_room(const Resources& resources) const {
  const std::uint64_t allowed = allowed_bytes(resources);
  return {allowed - std::min(allowed, peak_bytes({job.get()}, threads)), !resources.assumed_gpus};
}

void Candidate::measure(double seconds, const Resources& resources) {
  // The best of a few: a slice that another process interrupts says nothing of the rest. One that takes far
  // longer than it was to, a large unit, says enough.
  constexpr int slices = 3;
  constexpr double far_longer = 4;
  const auto best = [](double slice_seconds, const auto& rate_of) {
    double rate = 0;
    for (int slice = 0; slice < slices; ++slice) {
      const double start = seconds_now();
      const double one = rate_of();
      if (one == 0) break;
      rate = std::max(rate, one);
      if (seconds_now() - start > far_longer * slice_seconds) break;
    }
    return rate;
  };
  if (processors.cpu) {
    const int side_by_side = threads_that_share(*job, std::min(threads, resources.cores));
    log10_correction =
        std::log10(best(seconds / slices,
                        [&] { return rate_beside_others(*job, seconds / slices, side_by_side); })) -
        std::log10(job->nominal_rate());
  }
  if (!processors.gpus.empty() && !nominal_gpus) {
    const GpuInfo& gpu = processors.gpus.front();
    const double slice_seconds = std::max(seconds / slices, least_gpu_slice_seconds);
    // Where a unit alone takes too long to be measured by, the nominal rate stands.
    const std::unique_ptr<DeviceJob> device = job->on_device(gpu);
    const double rate = best(slice_seconds, [&] { return device->measured_rate(slice_seconds); });
    log10_gpu_correction = rate > 0 ? std::log10(rate) - std::log10(job->nominal_device_rate(gpu)) : 0;
  }
  measured = true;
  predict(resources);
  measured_log10_work = log10_work;
}

double Candidate::log10_unit_seconds(const Resources& resources) const {
  const double threads_at_work = job->speed_up(std::min(threads, resources.cores));
  return log10_work - std::log10(std::max<double>(static_cast<double>(job->units()), 1)) -
         (log10_cpu_rate(resources) - std::log10(threads_at_work * machines_at_work(resources)));
}

double Candidate::log10_cpu_rate(const Resources& resources) const {
  return std::log10(job->nominal_rate()) + log10_correction +
         std::log10(job->speed_up(std::min(threads, resources.cores))) +
         std::log10(machines_at_work(resources));
}

double Candidate::machines_at_work(const Resources& resources) const {
  if (resources.machines <= 1) return 1;  // units may not be made yet
  // A unit is one machine's, or all machines share it; ranks that are there are not predicted with.
  if (parts_of(*job) > 1) return resources.machines;
  return static_cast<double>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(resources.machines), job->units()));
}

double Candidate::log10_gpu_rate(const std::vector<double>& rates, const Resources& resources) const {
  const double rate = std::accumulate(rates.begin(), rates.end(), 0.0);
  if (!(rate > 0)) return -std::numeric_limits<double>::infinity();
  const double units_a_gpu = static_cast<double>(job->units()) / static_cast<double>(rates.size());
  return std::log10(rate) + log10_gpu_correction +
         std::log10(std::min(machines_at_work(resources), std::max(units_a_gpu, 1.0)));
}

std::vector<double> Candidate::rates_of_paying(std::vector<GpuInfo>& teams,
                                               const Resources& resources) const {
  std::vector<double> rates;
  // No more GPUs than there are units have something to do.
  for (std::size_t k = 0; k < teams.size() && k < job->units(); ++k)
    rates.push_back(job->nominal_device_rate(teams[k]));
  if (resources.all_gpus) return rates;
  const auto log10_seconds_on = [&](const std::vector<GpuInfo>& some,
                                    const std::vector<double>& their_rates) {
    return log10_sum(std::log10(start_of(some, resources)),
                     log10_work - log10_gpu_rate(their_rates, resources));
  };
  teams.resize(rates.size());
  while (rates.size() > 1) {
    const std::vector<GpuInfo> fewer(teams.begin(), teams.end() - 1);
    const std::vector<double> fewer_rates(rates.begin(), rates.end() - 1);
    if (log10_seconds_on(teams, rates) < log10_seconds_on(fewer, fewer_rates)) break;
    teams = fewer;
    rates = fewer_rates;
  }
  return rates;
}

MethodForecast Candidate::forecast() const {
  MethodForecast forecast;
  forecast.method = method->name();
  forecast.work_name = method->work_name();
  forecast.obstacle = obstacle;
  if (!job) return forecast;
  forecast.plan = job->describe();
  forecast.log10_seconds = log10_seconds;
  forecast.log10_work = log10_work;
  forecast.memory_bytes = memory_bytes;
  forecast.waiting_bytes = waiting_bytes;
  forecast.measured = measured && (!nominal_gpus || processors.gpus.empty());
  forecast.device = processors.name();
  if (!processors.gpus.empty())
    forecast.gpus_together = static_cast<int>(processors.gpus.front().others.size()) + 1;
  return forecast;
}

std::vector<Candidate> set_up_candidates(const AnyBlock& block, const BlockBound& bound,
                                         WeightKind weight_kind, const CountOptions& options,
                                         const Resources& resources, const CandidateRequest& request) {
  const Method* const tiny_choice = for_tiny(block, *request.methods);
  const bool tiny = request.method == "auto" && !request.ask_all && rows_of(block) <= tiny_rows &&
                    tiny_choice != nullptr && !excludes(request, tiny_choice->name());
  std::vector<Candidate> candidates;
  double best = std::numeric_limits<double>::infinity();
  const auto first = [&](const Method& method) {
    return (rows_of(block) > many_rows || weight_kind == WeightKind::real) && method.traits().needs_planarity;
  };
  bool large = rows_of(block) > many_rows && request.method == "auto" && !request.ask_all;
  const bool sparse = is_sparse(pattern_of(block));
  const auto last = [&](const Method& method) { return sparse && method.traits().for_dense_blocks; };
  for (const std::size_t k : by_setup_seconds(*request.methods, first, last)) {
    const Method& method = *(*request.methods)[k];
    if (settled(candidates, block, weight_kind, request)) break;
    if (large && !first(method)) {
      large = false;
      if (auto soon = soon_counted(block, bound, weight_kind, options, resources, request)) {
        candidates.push_back(std::move(*soon));
        best = std::pow(10, candidates.back().log10_seconds);
      }
    }
    if (is_slow(method) || !is_wanted(method, request) || is_among(candidates, method)) continue;
    if (tiny && &method != tiny_choice) continue;
    if (!request.ask_all && best < worth_asking * setup_seconds_for(method, pattern_of(block))) break;
    const int cores = std::min(resources.threads, resources.cores);
    if (!request.ask_all && best * cores < least_seconds(method, block)) continue;
    Candidate candidate = set_up(method, block, bound, weight_kind, options, resources, request, best);
    leave_to_simpler(candidate, candidates);
    candidates.push_back(std::move(candidate));
    candidates.back().place = k;
    if (candidates.back().can()) best = std::min(best, std::pow(10, candidates.back().log10_seconds));
  }
  sort_by_place(candidates);
  return candidates;
}

bool add_slow_candidates(std::vector<Candidate>& candidates, const AnyBlock& block, const BlockBound& bound,
                         WeightKind weight_kind, const CountOptions& options, const Resources& resources,
                         const CandidateRequest& request, double searched_seconds) {
  if (settled(candidates, block, weight_kind, request)) return false;
  const std::size_t before = candidates.size();
  const Candidate* fast = fastest(candidates);
  const double best =
      fast == nullptr ? std::numeric_limits<double>::infinity() : std::pow(10, fast->log10_seconds);
  // A GPU's start is not saved by another method, which would need it too.
  const double saveable = fast == nullptr ? best : best - fast->start_seconds;
  const auto none = [](const Method&) { return false; };
  for (const std::size_t k : by_setup_seconds(*request.methods, none, none)) {
    const Method& method = *(*request.methods)[k];
    if (!is_slow(method) || !is_wanted(method, request) || is_among(candidates, method)) continue;
    const double whole = searched_seconds == 0 ? saveable : searched_seconds;
    if (worth_setups * method.setup_seconds() > whole) break;
    if (!request.ask_all && saveable < worth_asking_slow * method.setup_seconds()) break;
    candidates.emplace_back().place = k;
  }
  const bool any = candidates.size() > before;
  const std::size_t fresh = candidates.size() - before;
  const auto threads = static_cast<std::size_t>(std::max(std::min(resources.threads, resources.cores), 1));
  const StopSignal* const stop = current_stop_signal();
  std::vector<std::exception_ptr> failures(fresh);
  do_side_by_side(fresh, threads, [&](std::size_t i) {
    const StopScope scope(stop);
    Candidate& candidate = candidates[before + i];
    const std::size_t place = candidate.place;
    try {
      candidate =
          set_up(*(*request.methods)[place], block, bound, weight_kind, options, resources, request, best);
      candidate.place = place;
    } catch (...) {
      failures[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  sort_by_place(candidates);
  return any;
}

bool is_soon_exact(const Candidate& candidate) {
  constexpr double log10_soon = 0;  // a second
  return candidate.can() && candidate.log10_seconds <= log10_soon &&
         candidate.choice.arithmetic.kind == Arithmetic::Kind::residues;
}

Candidate* fastest_of_decimals(std::vector<Candidate>& candidates) {
  Candidate* best = nullptr;
  for (Candidate& candidate : candidates) {
    if (is_soon_exact(candidate) && (best == nullptr || candidate.log10_seconds < best->log10_seconds))
      best = &candidate;
  }
  return best != nullptr ? best : fastest(candidates);
}

Candidate* fastest(std::vector<Candidate>& candidates) {
  Candidate* best = nullptr;
  for (Candidate& candidate : candidates) {
    if (candidate.can() && (best == nullptr || candidate.log10_seconds < best->log10_seconds))
      best = &candidate;
  }
  return best;
}

}  // namespace countpm
