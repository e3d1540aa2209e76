#include "src/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/blocks.hpp"
#include "src/format_quantity.hpp"

namespace countpm {
namespace {

constexpr double log10_of_2 = 0.30102999566398120;
// Blocks this small are counted in microseconds by any method: looking for the best one would take longer.
constexpr std::uint64_t tiny_rows = 10;
constexpr const char* tiny_method = "ryser";
constexpr const char* tiny_general_method = "definition";
// A block that takes less is counted before more methods are set up (some 0.1 ms each) ...
constexpr double log10_quick_seconds = -3.3;
// ... or before those are that sample for their forecast: 50 to 500 ms for skipper and forbert-marx at 60 to
// 300 rows (2-core AMD EPYC, 2026-11-21).
constexpr double log10_slow_seconds = 0.3;

bool excludes(const CandidateRequest& request, std::string_view method) {
  return std::find(request.exclude.begin(), request.exclude.end(), method) != request.exclude.end();
}

bool is_wanted(const Method& method, const CandidateRequest& request) {
  return (request.method == "auto" || request.method == method.name()) && !excludes(request, method.name());
}

Candidate set_up(const Method& method, const AnyBlock& block, const BlockBound& bound, WeightKind weight_kind,
                 const CountOptions& options, const Resources& resources, const CandidateRequest& request) {
  Candidate candidate;
  candidate.method = &method;
  if (is_general(block) && !method.counts_general_graphs()) {
    candidate.obstacle = "it counts bipartite graphs and matrices only, and this block has an odd cycle";
    return candidate;
  }
  candidate.choice = choose_arithmetic(block, bound, method, weight_kind, options, request.skip_primes);
  candidate.asked = true;
  auto obstacle = method.obstacle(block, candidate.choice.arithmetic);
  if (!obstacle) obstacle = method.idle(block, options.rules);
  if (obstacle) {
    candidate.obstacle = *obstacle;
    return candidate;
  }
  MethodOptions method_options;
  method_options.rules = options.rules;
  method_options.seed = options.seed;
  method_options.threads = resources.threads;
  method_options.memory_bytes = resources.memory_bytes;
  method_options.order = options.order;
  candidate.job = method.make_job(block, candidate.choice.arithmetic, method_options);
  candidate.predict(resources);
  return candidate;
}

}  // namespace

void Candidate::predict(const Resources& resources) {
  log10_work = job->log2_work() * log10_of_2;
  log10_seconds = log10_work - std::log10(job->nominal_rate()) - log10_correction -
                  std::log10(job->speed_up(resources.threads));
  memory_bytes =
      job->bytes_shared() + job->bytes_per_thread() * static_cast<std::uint64_t>(resources.threads);
  fits = memory_bytes <= resources.memory_bytes;
  obstacle = fits ? ""
                  : fmt::format("it needs {} of memory and the limit is {}", format_bytes(memory_bytes),
                                format_bytes(resources.memory_bytes));
}

void Candidate::measure(double seconds, const Resources& resources) {
  // The best of a few: a slice that another process interrupts says nothing of the rest.
  constexpr int slices = 3;
  double rate = 0;
  for (int slice = 0; slice < slices; ++slice) rate = std::max(rate, job->measured_rate(seconds / slices));
  log10_correction = std::log10(rate) - std::log10(job->nominal_rate());
  measured = true;
  predict(resources);
  measured_log10_work = log10_work;
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
  forecast.measured = measured;
  return forecast;
}

std::vector<Candidate> set_up_candidates(const AnyBlock& block, const BlockBound& bound,
                                         WeightKind weight_kind, const CountOptions& options,
                                         const Resources& resources, const CandidateRequest& request) {
  const char* const tiny_choice = is_general(block) ? tiny_general_method : tiny_method;
  const bool tiny = request.method == "auto" && !request.ask_all && rows_of(block) <= tiny_rows &&
                    !excludes(request, tiny_choice);
  std::vector<Candidate> candidates;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < request.methods->size(); ++k) {
    const Method& method = *(*request.methods)[k];
    if (method.slow_to_forecast() || !is_wanted(method, request)) continue;
    if (tiny && method.name() != tiny_choice) continue;
    if (!request.ask_all && best < log10_quick_seconds) break;
    candidates.push_back(set_up(method, block, bound, weight_kind, options, resources, request));
    candidates.back().place = k;
    if (candidates.back().can()) best = std::min(best, candidates.back().log10_seconds);
  }
  return candidates;
}

void add_slow_candidates(std::vector<Candidate>& candidates, const AnyBlock& block, const BlockBound& bound,
                         WeightKind weight_kind, const CountOptions& options, const Resources& resources,
                         const CandidateRequest& request) {
  const Candidate* best = fastest(candidates);
  if (!request.ask_all && best != nullptr && best->log10_seconds < log10_slow_seconds) return;
  for (std::size_t k = 0; k < request.methods->size(); ++k) {
    const Method& method = *(*request.methods)[k];
    if (!method.slow_to_forecast() || !is_wanted(method, request)) continue;
    candidates.push_back(set_up(method, block, bound, weight_kind, options, resources, request));
    candidates.back().place = k;
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.place < b.place; });
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
