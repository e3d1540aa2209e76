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
// ... or before those are that sample or search first: 50 to 500 ms for skipper and forbert-marx at 60 to 300
// rows (2-core AMD EPYC, 2026-11-21).
constexpr double log10_slow_seconds = -0.7;

bool excludes(const CandidateRequest& request, std::string_view method) {
  return std::find(request.exclude.begin(), request.exclude.end(), method) != request.exclude.end();
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
  log10_correction = std::log10(job->measured_rate(seconds)) - std::log10(job->nominal_rate());
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
  std::vector<std::size_t> place;  // in the table of methods
  double best = std::numeric_limits<double>::infinity();
  for (const bool slow : {false, true}) {
    for (std::size_t k = 0; k < request.methods->size(); ++k) {
      const Method& method = *(*request.methods)[k];
      if (method.slow_to_forecast() != slow) continue;
      if (request.method != "auto" && request.method != method.name()) continue;
      if (excludes(request, method.name())) continue;
      if (tiny && method.name() != tiny_choice) continue;
      if (!request.ask_all && best < (slow ? log10_slow_seconds : log10_quick_seconds)) break;
      candidates.push_back(set_up(method, block, bound, weight_kind, options, resources, request));
      place.push_back(k);
      if (candidates.back().can()) best = std::min(best, candidates.back().log10_seconds);
    }
  }
  std::vector<std::size_t> order(candidates.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place[a] < place[b]; });
  std::vector<Candidate> sorted;
  sorted.reserve(candidates.size());
  for (const std::size_t k : order) sorted.push_back(std::move(candidates[k]));
  return sorted;
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
