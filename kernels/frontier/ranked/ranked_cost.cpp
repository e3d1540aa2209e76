#include "kernels/frontier/ranked/ranked_cost.hpp"

#include <algorithm>

#include "kernels/frontier/ranked/runs/ranked_runs.hpp"
#include "kernels/frontier/ranked/step_runner.hpp"

namespace countpm {
namespace {

// AMD EPYC (Zen 4), AVX-512, one core, 2026-11-27: fitted to 292 steps of six programs, of which half took
// between 0.9 and 1.2 times as long as these say (bench/results/frontier.md). In ns: for a word pulled, and
// of values of 3 words and more, which are no masks' business; for a word times a weight; for a run, and of
// values of several words; for a block of a kind of set; for a word of a table made; for the runs of a step
// to be listed.
constexpr double word_ns = 0.62;
constexpr double word_of_three_ns = 0.4;
constexpr double weighed_word_ns = 0.8;
constexpr double weighed_word_of_two_ns = 1.6;
constexpr double run_ns = 4.7;
constexpr double run_of_two_ns = 5.6;
constexpr double block_ns = 10;
constexpr double made_word_ns = 0.3;
constexpr double step_ns = 1e5;
// A byte of a page touched for the first time.
constexpr double page_byte_ns = 0.15;
constexpr double bytes_beside = 1 << 20;
// Of a join: for a way to split the shared vertices, a run, a pair of values, and a product of two words; for
// a set whose bits are put in order, and a word of its value.
constexpr double look_ns = 1.5;
constexpr double join_run_ns = 8;
constexpr double pair_ns = 2;
constexpr double product_ns = 1.2;
constexpr double ordered_set_ns = 8;
constexpr double ordered_word_ns = 2;

double pull_word_ns(std::uint32_t words, const RankedWeight& weight) {
  if (!weight.is_one()) return words == 1 ? weighed_word_ns : weighed_word_of_two_ns;
  return words < 3 ? word_ns : word_of_three_ns;
}

double relayout_ns(const RankedRelayout& relayout) {
  return static_cast<double>(relayout.states) * (ordered_set_ns + ordered_word_ns * relayout.to_words);
}

double join_ns(const RankedJoin& join) {
  const double products = static_cast<double>(join.waiting.to_words) * static_cast<double>(join.top.to_words);
  return relayout_ns(join.waiting) + relayout_ns(join.top) + relayout_ns(join.result) + look_ns * join.looks +
         join_run_ns * join.runs + (pair_ns + product_ns * products) * join.pairs + step_ns;
}

struct StepCost {
  double values_ns = 0;  // what is done to words
  double runs_ns = 0;    // to runs and blocks
};

StepCost cost_of(const RankedStep& step) {
  const RankedCut cut = cut_step(step);
  const auto words = static_cast<double>(step.to_words);
  StepCost cost;
  cost.values_ns = made_word_ns * words * static_cast<double>(step.to_states);
  for (const RankedPull& pull : step.pulls)
    cost.values_ns +=
        pull_word_ns(step.to_words, pull.weight) * words * static_cast<double>(moves_of(step, pull));
  cost.runs_ns = (step.to_words == 1 ? run_ns : run_of_two_ns) * runs_in_step(step, cut) +
                 block_ns * cut.blocks * static_cast<double>(step.pulls.size());
  return cost;
}

}  // namespace

RankedRates nominal_rates(const RankedProgram& program) {
  RankedRates rates;
  rates.slower.assign(program.steps.size(), 1);
  rates.page_byte_ns = page_byte_ns;
  rates.listing_ns = step_ns;
  return rates;
}

double step_seconds(const RankedStep& step) {
  const StepCost cost = cost_of(step);
  return (cost.values_ns + cost.runs_ns) * 1e-9;
}

bool is_of_short_runs(const RankedStep& step) {
  const StepCost cost = cost_of(step);
  return cost.runs_ns > cost.values_ns;
}

double ranked_seconds(const RankedProgram& program, const RankedRates& rates) {
  const double threads = std::max(rates.threads, 1);
  double seconds = rates.page_byte_ns * 1e-9 * ranked_bytes(program) / threads;
  for (std::size_t k = 0; k < program.steps.size(); ++k) {
    const RankedStep& step = program.steps[k];
    const double alone = rates.slower[k] * step_seconds(step);
    seconds += rates.listing_ns * 1e-9 + (step.to_states < states_for_threads ? alone : alone / threads);
  }
  for (const RankedJoin& join : program.joins) seconds += join_ns(join) * 1e-9 / threads;
  return seconds;
}

double ranked_seconds(const RankedProgram& program) {
  return ranked_seconds(program, nominal_rates(program));
}

double least_ranked_seconds(std::size_t steps) {
  return step_ns * 1e-9 * static_cast<double>(steps);
}

double ranked_bytes(const RankedProgram& program) {
  return static_cast<double>(program.bytes.all()) + bytes_beside;
}

}  // namespace countpm
