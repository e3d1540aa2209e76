#include "src/plan/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/polynomial_method.hpp"
#include "kernels/support/plan_text.hpp"
#include "src/plan/arithmetic_cost.hpp"
#include "src/run/executor.hpp"
#include "src/structure/blocks.hpp"
#include "src/text/format_quantity.hpp"

namespace countpm {
namespace {

constexpr double log10_of_two = 0.30102999566398120;
// Blocks this small are counted in microseconds by any method: looking for the best one would take longer.
constexpr std::uint64_t tiny_rows = 10;
// A method is asked only where the best so far takes that many times as long as asking. Setting up took
// (2-core AMD EPYC, 2026-11-21, blocks of 24, 65 and 277 rows): pruned 46, 39, 44 ms, skipper 13, 45, 18,
// frontier 19, 8, 61, forbert-marx 161 ms and 404 ms, rook up to 56, the others 0.2 to 3.
constexpr double worth_asking = 2;
// Those that take longer than this are asked after the others have searched, which leaves less to save; in
// long searches, as soon as asking is a tenth of it.
constexpr double slow_setup_seconds = 0.048;
constexpr double worth_asking_slow = 5;
constexpr double setups_searched = 10;

// Until a GPU has its first unit: context, memory, tables. H200, 2026-11-21: planning er_n36_p50, which makes
// the context, took 0.15 s.
constexpr double gpu_setup_seconds = 0.1;
// A shorter slice leaves most of a GPU idle and sees its launch alone: er_n40_p30, counted in 0.13 s on an
// H200, was predicted at 33 s from slices of some milliseconds (2026-11-21).
constexpr double least_gpu_slice_seconds = 0.04;

double log10_sum(double a, double b) {
  return log2_sum(a / log10_of_two, b / log10_of_two) * log10_of_two;
}

// A block of more rows is first tried by polynomial methods; where one can, setting up the others would only
// take time: at 19,996 rows (a 200 x 200 lattice) 1.4 s, half as long as planar's count (2-core AMD EPYC,
// 2026-11-21).
constexpr std::uint64_t many_rows = 256;

bool is_slow(const Method& method) {
  return method.setup_seconds() >= slow_setup_seconds;
}

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

std::vector<std::size_t> by_setup_seconds(const std::vector<const Method*>& methods, bool polynomial_first) {
  std::vector<std::size_t> order(methods.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (polynomial_first && is_polynomial(*methods[a]) != is_polynomial(*methods[b]))
      return is_polynomial(*methods[a]);
    return methods[a]->setup_seconds() < methods[b]->setup_seconds();
  });
  return order;
}

/// Whether a block of many rows has a method that needs no other beside it.
bool settled(const std::vector<Candidate>& candidates, const AnyBlock& block,
             const CandidateRequest& request) {
  return !request.ask_all && rows_of(block) > many_rows &&
         std::any_of(candidates.begin(), candidates.end(), [](const Candidate& candidate) {
           return candidate.can() && candidate.method->traits().settles_large_blocks;
         });
}

void sort_by_place(std::vector<Candidate>& candidates) {
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.place < b.place; });
}

/// Why no GPU takes the job.
Refusal why_no_gpu(const Job& job, const std::vector<GpuInfo>& gpus) {
  Refusal refusal{RefusalKind::no_gpu_form, "it does not run on a GPU"};
  if (gpus.empty()) return refusal;
  const std::optional<Refusal> why = job.device_obstacle(gpus.front());
  if (!why || why->kind == RefusalKind::no_gpu_form) return refusal;
  return {why->kind, refusal.text + ": " + why->text};
}

/// The one that counts tiny blocks like this one before any other is set up; null where the table has none.
const Method* for_tiny(const AnyBlock& block, const std::vector<const Method*>& methods) {
  const bool general = is_general(block);
  const auto found = std::find_if(methods.begin(), methods.end(), [general](const Method* method) {
    return general ? method->traits().for_tiny_graphs : method->traits().for_tiny_matrices;
  });
  return found == methods.end() ? nullptr : *found;
}

/// Whether a journal's primes, which another machine chose (by its own bound, for its own GPUs), are primes
/// and enough for the bound here.
bool suffices(const Arithmetic& journaled, const ArithmeticChoice& choice, double log2_bound) {
  if (journaled.kind != Arithmetic::Kind::residues || choice.arithmetic.kind != journaled.kind) return false;
  // As many values as choose_arithmetic() makes room for.
  const double bits = std::floor(log2_bound) + 1 + (choice.is_signed ? 1 : 0);
  // None smaller is ever chosen: a list of more than that was made up, and would take its time.
  constexpr double fewest_bits = 16;
  if (static_cast<double>(journaled.moduli.size()) > bits / fewest_bits + 1) return false;
  mpz_class product = 1;
  for (const Modulus& modulus : journaled.moduli) {
    const mpz_class prime = static_cast<unsigned long>(modulus.prime);
    constexpr int rounds = 25;
    if (mpz_probab_prime_p(prime.get_mpz_t(), rounds) == 0 || gcd(prime, product) != 1 ||
        gcd(prime, choice.denominator) != 1)
      return false;
    product *= prime;
  }
  return static_cast<double>(mpz_sizeinbase(product.get_mpz_t(), 2)) - 1 >= bits;
}

Candidate set_up(const Method& method, const AnyBlock& block, const BlockBound& bound, WeightKind weight_kind,
                 const CountOptions& options, const Resources& resources, const CandidateRequest& request) {
  check_stop();
  Candidate candidate;
  candidate.method = &method;
  if (is_general(block) && !method.counts_general_graphs()) {
    candidate.obstacle = {RefusalKind::structure,
                          "it counts bipartite graphs and matrices only, and this block has an odd cycle"};
    return candidate;
  }
  const std::unique_ptr<Preparation> prepared = prepare(method, block);
  BlockBound least = bound;
  if (weight_kind < WeightKind::real) least.log2_bound = std::min(least.log2_bound, prepared->log2_bound());
  candidate.choice = choose_arithmetic(block, least, method, weight_kind, options, request.skip_primes);
  candidate.log2_bound = least.log2_bound;
  if (request.arithmetic && suffices(*request.arithmetic, candidate.choice, least.log2_bound))
    candidate.choice.arithmetic = *request.arithmetic;
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
  candidate.job = prepared->make_job(candidate.choice.arithmetic, method_options);
  if (request.plan && candidate.job->plan() != *request.plan)
    throw PlanError(fmt::format("{} cuts this block into other units now", method.name()));
  candidate.pinned = request.arithmetic.has_value();
  candidate.arithmetic_seconds = arithmetic_seconds(block, candidate.choice);
  candidate.fit_primes(resources);
  if (!resources.cpu && candidate.processors.gpus.empty()) {
    candidate.obstacle = why_no_gpu(*candidate.job, resources.gpus);
    candidate.job.reset();
  }
  return candidate;
}

}  // namespace

void Candidate::predict(const Resources& resources) {
  // A journal's plan was made to fit another day.
  const std::uint64_t allowed =
      pinned ? std::max(resources.memory_bytes, resources.most_memory_bytes) : resources.memory_bytes;
  threads = threads_that_fit({job.get()}, resources.threads, allowed);
  log10_work = job->log2_work() * log10_of_two;
  processors = {};
  const double cpu_rate = log10_cpu_rate(resources);
  log10_seconds = log10_work - cpu_rate;
  const double gpu_rate = log10_gpu_rate(resources);
  if (!std::isinf(gpu_rate)) {
    // A unit that runs on all threads has them and the memory for itself: none runs beside a GPU.
    const bool beside = resources.cpu && !job->runs_on_all_threads();
    const double rate = beside ? log10_sum(gpu_rate, cpu_rate) : gpu_rate;
    const double seconds = log10_sum(std::log10(gpu_setup_seconds), log10_work - rate);
    if (!resources.cpu || seconds < log10_seconds) {
      log10_seconds = seconds;
      processors = {beside, resources.gpus};
    }
  }
  if (arithmetic_seconds > 0) log10_seconds = log10_sum(log10_seconds, std::log10(arithmetic_seconds));
  memory_bytes = peak_bytes({job.get()}, threads);
  fits = memory_bytes <= allowed;
  if (fits) {
    obstacle.reset();
    return;
  }
  const std::string needed = format_bytes(memory_bytes);
  const std::string limit = format_bytes(allowed);
  obstacle = {RefusalKind::memory,
              needed == limit
                  ? fmt::format("it needs {} bytes of memory and the limit is {}", memory_bytes, allowed)
                  : fmt::format("it needs {} of memory and the limit is {}", needed, limit)};
}

void Candidate::fit_primes(const Resources& resources) {
  predict(resources);
  const unsigned bits = job->device_prime_bits();
  if (pinned || resources.gpus.empty() || bits == 0 || !processors.gpus.empty()) return;
  ArithmeticChoice other_choice = with_prime_bits(choice, log2_bound, bits, skip_primes);
  std::unique_ptr<Job> other_job = job->with_primes(other_choice.arithmetic);
  const double seconds = log10_seconds;
  std::swap(choice, other_choice);
  std::swap(job, other_job);
  predict(resources);
  const bool wanted = !processors.gpus.empty() && (!resources.cpu || log10_seconds < seconds);
  if (wanted) {
    measured = false;
    return;
  }
  std::swap(choice, other_choice);
  std::swap(job, other_job);
  predict(resources);
}

void Candidate::measure(double seconds, const Resources& resources) {
  // The best of a few: a slice that another process interrupts says nothing of the rest.
  constexpr int slices = 3;
  const auto best = [](auto& source, double slice_seconds) {
    double rate = 0;
    for (int slice = 0; slice < slices; ++slice) {
      const double one = source.measured_rate(slice_seconds);
      if (one == 0) break;
      rate = std::max(rate, one);
    }
    return rate;
  };
  if (processors.cpu)
    log10_correction = std::log10(best(*job, seconds / slices)) - std::log10(job->nominal_rate());
  if (!processors.gpus.empty()) {
    const GpuInfo& gpu = processors.gpus.front();
    const double slice_seconds = std::max(seconds / slices, least_gpu_slice_seconds);
    // Where a unit alone takes too long to be measured by, the nominal rate stands.
    const double rate = best(*job->on_device(gpu), slice_seconds);
    log10_gpu_correction = rate > 0 ? std::log10(rate) - std::log10(job->nominal_device_rate(gpu)) : 0;
  }
  measured = true;
  predict(resources);
  measured_log10_work = log10_work;
}

double Candidate::log10_cpu_rate(const Resources& resources) const {
  return std::log10(job->nominal_rate()) + log10_correction +
         std::log10(job->speed_up(std::min(threads, resources.cores)));
}

double Candidate::log10_gpu_rate(const Resources& resources) const {
  double rate = 0;
  // No more GPUs than there are units have something to do.
  const std::size_t gpus = std::min<std::size_t>(resources.gpus.size(), job->units());
  for (std::size_t k = 0; k < gpus; ++k) rate += job->nominal_device_rate(resources.gpus[k]);
  return rate > 0 ? std::log10(rate) + log10_gpu_correction : -std::numeric_limits<double>::infinity();
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
  forecast.device = processors.name();
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
  for (const std::size_t k : by_setup_seconds(*request.methods, rows_of(block) > many_rows)) {
    const Method& method = *(*request.methods)[k];
    if (settled(candidates, block, request)) break;
    if (is_slow(method) || !is_wanted(method, request)) continue;
    if (tiny && &method != tiny_choice) continue;
    if (!request.ask_all && best < worth_asking * method.setup_seconds()) break;
    candidates.push_back(set_up(method, block, bound, weight_kind, options, resources, request));
    candidates.back().place = k;
    if (candidates.back().can()) best = std::min(best, std::pow(10, candidates.back().log10_seconds));
  }
  sort_by_place(candidates);
  return candidates;
}

bool add_slow_candidates(std::vector<Candidate>& candidates, const AnyBlock& block, const BlockBound& bound,
                         WeightKind weight_kind, const CountOptions& options, const Resources& resources,
                         const CandidateRequest& request, double searched_seconds) {
  if (settled(candidates, block, request)) return false;
  const std::size_t before = candidates.size();
  const Candidate* fast = fastest(candidates);
  const double best =
      fast == nullptr ? std::numeric_limits<double>::infinity() : std::pow(10, fast->log10_seconds);
  for (const std::size_t k : by_setup_seconds(*request.methods, false)) {
    const Method& method = *(*request.methods)[k];
    if (!is_slow(method) || !is_wanted(method, request) || is_among(candidates, method)) continue;
    if (setups_searched * method.setup_seconds() > searched_seconds) break;
    if (!request.ask_all && best < worth_asking_slow * method.setup_seconds()) break;
    candidates.push_back(set_up(method, block, bound, weight_kind, options, resources, request));
    candidates.back().place = k;
  }
  const bool any = candidates.size() > before;
  sort_by_place(candidates);
  return any;
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
