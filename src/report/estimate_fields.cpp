// Estimates, described for JSON.
#include <algorithm>
#include <cmath>

#include "src/report/head.hpp"
#include "src/report/json.hpp"
#include "src/report/sampled_fields.hpp"
#include "src/words/estimate_words.hpp"

namespace countpm {
namespace {

/// ln of the value; an exact one has no error.
struct Logarithm {
  double value = 0;
  double error = 0;
  double vertices = 1;
};

const Fields<Logarithm>& fields_of(const Logarithm*) {
  static const auto fields =
      Fields<Logarithm>()
          .add("ln_z", "null: 0", [](const Logarithm& log) { return finite(log.value); })
          .add("ln_z_standard_error", "null with a doubt or a guarantee, 0 of an exact count",
               [](const Logarithm& log) { return finite(log.error); })
          .add("per_vertex", "", [](const Logarithm& log) { return finite(log.value / log.vertices); })
          .add("per_vertex_standard_error", "",
               [](const Logarithm& log) { return finite(log.error / log.vertices); });
  return fields;
}

Logarithm logarithm_of(const EstimateResult& result) {
  const auto vertices = static_cast<double>(std::max<std::uint64_t>(result.vertices, 1));
  if (!result.estimate) return {result.exact_log10 * std::log(10.0), 0, vertices};
  return {result.estimate->log(), result.estimate->ln_error(), vertices};
}

}  // namespace

const Fields<FittedGuess>& fields_of(const FittedGuess*) {
  static const auto fields =
      Fields<FittedGuess>()
          .add("states", "of each step that it was fitted to", &FittedGuess::states)
          .add("factors", "by which steps multiply priorities", &FittedGuess::factors)
          .add("seconds", "of the fit", &FittedGuess::seconds)
          .add("pilot_states", "of each of a few pilots, by which it was judged", &FittedGuess::pilot_states)
          .add("variance_before", "relative, of a sample of `pilot_states` states without it; null: infinite",
               [](const FittedGuess& guess) { return finite(guess.variance_before); })
          .add("variance_after", "and with it",
               [](const FittedGuess& guess) { return finite(guess.variance_after); })
          .add("kept", "whether samples are drawn with it", &FittedGuess::kept);
  return fields;
}

const Fields<SecondEstimate>& fields_of(const SecondEstimate*) {
  static const auto fields =
      Fields<SecondEstimate>()
          .add("sampler", "", &SecondEstimate::sampler)
          .add("log10", "null: all samples are 0",
               [](const SecondEstimate& second) { return finite(second.log10); })
          .add("log10_lower", "what the block is at least, by Markov's inequality",
               [](const SecondEstimate& second) { return finite(second.log10_lower); })
          .add("samples", "", &SecondEstimate::samples)
          .add("planned", "more than `samples` if the time limit ended them", &SecondEstimate::planned)
          .add("nonzero", "", &SecondEstimate::nonzero)
          .add("effective_samples", "", &SecondEstimate::effective_samples)
          .add("contradicts", "the block then is in doubt", &SecondEstimate::contradicts)
          .add("seconds", "", &SecondEstimate::seconds);
  return fields;
}

const Fields<EstimatedBlock>& fields_of(const EstimatedBlock*) {
  static const auto fields =
      Fields<EstimatedBlock>()
          .add("rows", "of a graph with odd cycles or monomers its vertices", &EstimatedBlock::rows)
          .add("edges", "", &EstimatedBlock::entries)
          .add("general", "a graph with odd cycles or monomers", &EstimatedBlock::general)
          .add("method",
               "the exact method, `reductions`, the sampler, or with a guarantee `rejection`: then `samples` "
               "are trials, `nonzero` those that succeeded or had hits "
               "([guarantees](estimate-methods.md#guarantees))",
               &EstimatedBlock::method)
          .add("exact", "", &EstimatedBlock::exact)
          .add("log10", "null: 0", [](const EstimatedBlock& block) { return finite(block.log10); })
          .add("relative_standard_error", "null for a single sample",
               [](const EstimatedBlock& block) { return finite(block.relative_error); })
          .add("samples", "", &EstimatedBlock::samples)
          .add("nonzero", "", &EstimatedBlock::nonzero)
          .add("effective_samples", "", &EstimatedBlock::effective_samples)
          .add("largest_share", "of one sample in the sum", &EstimatedBlock::largest_share)
          .add("pareto_k", "how heavy the tail of the samples is; null: there is none to fit",
               [](const EstimatedBlock& block) { return finite(block.pareto_k); })
          .add("doubt", "", [](const EstimatedBlock& block) { return text_or_null(block.doubt); })
          .add("seconds", "", &EstimatedBlock::seconds)
          .add("population", "only of the sampler `population`", &EstimatedBlock::population)
          .add("second",
               "of [a second sampler](estimate.md#the-interval); null with `--sampler` and `--guarantee`",
               &EstimatedBlock::second);
  return fields;
}

const Fields<MissedGoal>& fields_of(const MissedGoal*) {
  const auto asked = [](auto MissedGoal::*value) {
    return [value](const MissedGoal& missed) {
      const auto number = missed.*value;
      return number > 0 ? std::optional(number) : std::nullopt;
    };
  };
  static const auto fields =
      Fields<MissedGoal>()
          .add("because", "`time limit`", &MissedGoal::because)
          .add("relative_error", "asked for; null: something else was", asked(&MissedGoal::relative_error))
          .add("ln_error", "likewise", asked(&MissedGoal::ln_error))
          .add("samples", "likewise, of every sampled block", asked(&MissedGoal::samples))
          .add("advised_seconds", "a time limit that is predicted to suffice; null: not known",
               asked(&MissedGoal::advised_seconds))
          .add("text", "a sentence, which is among the `notes`, too", &MissedGoal::text);
  return fields;
}

const Fields<Replicate>& fields_of(const Replicate*) {
  static const auto fields =
      Fields<Replicate>()
          .add("seed", "", &Replicate::seed)
          .add("sampler", "", &Replicate::sampler)
          .add("log10", "", [](const Replicate& one) { return finite(one.log10); })
          .add("ln_z_standard_error", "null with a doubt",
               [](const Replicate& one) { return finite(one.ln_error); })
          .add("samples", "", &Replicate::samples)
          .add("effective_samples", "", &Replicate::effective_samples)
          .add("pareto_k", "", [](const Replicate& one) { return finite(one.pareto_k); })
          .add("doubt", "", [](const Replicate& one) { return text_or_null(one.doubt); })
          .add("seconds", "", &Replicate::seconds);
  return fields;
}

const Fields<ReplicateSpread>& fields_of(const ReplicateSpread*) {
  static const auto fields =
      Fields<ReplicateSpread>()
          .add("observed", "the standard deviation of ln Z", &ReplicateSpread::observed)
          .add("shown", "the root mean square of their standard errors", &ReplicateSpread::shown)
          .add("chi_square", "", &ReplicateSpread::chi_square)
          .add("probability", "of one as large by chance", &ReplicateSpread::probability)
          .add("contradicts", "", &ReplicateSpread::contradicts);
  return fields;
}

const Fields<GuaranteeGoal>& fields_of(const GuaranteeGoal*) {
  static const auto fields = Fields<GuaranteeGoal>()
                                 .add("epsilon", "", &GuaranteeGoal::epsilon)
                                 .add("delta", "", &GuaranteeGoal::delta);
  return fields;
}

const Fields<PopulationReport>& fields_of(const PopulationReport*) {
  static const auto fields =
      Fields<PopulationReport>()
          .add("states", "that stay alive at a time", &PopulationReport::states)
          .add("guess", "of what states are worth; null: none was fitted", &PopulationReport::guess);
  return fields;
}

const Fields<SampleCheck>& fields_of(const SampleCheck*) {
  static const auto fields = Fields<SampleCheck>()
                                 .add("sampler", "", &SampleCheck::sampler)
                                 .add("samples", "", &SampleCheck::samples);
  return fields;
}

const Fields<Estimate>& fields_of(const Estimate*) {
  static const auto fields =
      Fields<Estimate>()
          .add("estimate", "with as many digits as the error leaves, whatever its size: `6.1241e+43`",
               [](const Estimate& estimate) { return words::value_text(estimate); })
          .add("log10", "null: every sample was 0",
               [](const Estimate& estimate) { return finite(estimate.log10); })
          .add("relative_error",
               "the interval's farther end over the estimate, or that over the end, minus 1; null with a "
               "doubt",
               [](const Estimate& estimate) { return finite(estimate.relative_error); })
          .add("confidence", "with a guarantee 1 - DELTA", &Estimate::confidence)
          .add("interval", "two decimal strings, rounded outwards",
               [](const Estimate& estimate) { return words::interval_texts(estimate); })
          .add("log10_interval",
               "null for 0; with a guarantee from the estimate over 1 + EPS to the estimate over 1 - EPS",
               [](const Estimate& estimate) {
                 return std::array{finite(estimate.low_log10), finite(estimate.high_log10)};
               })
          .add("log10_sample_mean", "of the samples' mean: not `log10` if the certified bounds exclude it",
               [](const Estimate& estimate) { return finite(estimate.log10_sample_mean); })
          .add("moved", "they do", [](const Estimate& estimate) { return was_moved(estimate); })
          .add("samples", "", &Estimate::samples)
          .add("nonzero", "", &Estimate::nonzero)
          .add("effective_samples", "of the block that has the fewest", &Estimate::effective_samples)
          .add("largest_share", "of one sample in its block's sum", &Estimate::largest_share)
          .add("pareto_k", "of the block where the tail is heaviest",
               [](const Estimate& estimate) { return finite(estimate.pareto_k); })
          .add("pareto_k_means", "a sentence; null with a guarantee",
               [](const Estimate& estimate) {
                 return estimate.guarantee
                            ? std::nullopt
                            : std::optional(meaning_of_pareto_k(estimate.pareto_k, estimate.doubt.empty()));
               })
          .add("unseen", "3 over the walks, by which the interval is wider; null with a guarantee",
               [](const Estimate& estimate) {
                 return estimate.guarantee ? std::nullopt : std::optional(estimate.unseen);
               })
          .add("assumes", "in words, what the interval assumes of that; null with a doubt or a guarantee",
               [](const Estimate& estimate) { return text_or_null(assumption(estimate)); })
          .add("doubt", "", [](const Estimate& estimate) { return text_or_null(estimate.doubt); })
          .add("guarantee", "null without `--guarantee`", &Estimate::guarantee)
          .add("seed", "", &Estimate::seed);
  return fields;
}

const Fields<EstimateResult>& fields_of(const EstimateResult*) {
  static const auto fields = with_notes(
      head<EstimateResult>("estimate")
          .add("exact_count", "the checked count if nothing was left to sample; then `estimate` is null",
               &EstimateResult::exact_count)
          .add("sampler", "a name of [estimate.md](estimate.md), with a guarantee `rejection`",
               &EstimateResult::sampler)
          .add("device", "what drew the samples: `cpu`, `gpu` or `gpu+cpu`", &EstimateResult::device)
          .add("threads", "", &EstimateResult::threads)
          .add("ranks", "as of a count", &EstimateResult::ranks)
          .add("lost_ranks", "", &EstimateResult::lost_ranks)
          .add("blocks", "sampled ones first; small exact ones are one", &EstimateResult::blocks)
          .add("reductions", "for every rule what it did",
               [](const EstimateResult& result) { return by_rule(result.reductions); })
          .add("checks",
               "of what was counted exactly, and of the estimate `interval` or `nesting bound` "
               "([checks.md](checks.md))",
               &EstimateResult::checks)
          .add("seconds", "`count` has exact blocks and sampling", &EstimateResult::seconds)
          .add("estimate", "of the whole input", &EstimateResult::estimate)
          .add("entropy", "ln of the value",
               [](const EstimateResult& result) { return logarithm_of(result); })
          .add("replicates",
               "with `--replicates`, each of them; `estimate` is of all, `blocks` are the first's",
               &EstimateResult::replicates)
          .add("spread", "of these, if none is in doubt", &EstimateResult::spread)
          .add("goal_met",
               "whether the error or number of samples asked for was reached; true if nothing was sampled",
               [](const EstimateResult& result) { return !result.missed.has_value(); })
          .add("goal_missed", "why it was not", &EstimateResult::missed));
  return fields;
}

}  // namespace countpm
