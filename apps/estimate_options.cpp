// The options of estimates.

#include "apps/option_rows.hpp"
#include "apps/parse_value.hpp"
#include "kernels/estimate/population/population.hpp"
#include "kernels/estimate/samples/sampler.hpp"

namespace countpm::app {
namespace {

constexpr std::uint64_t most_samples = std::uint64_t{1} << 53;

std::vector<std::string_view> sampler_names() {
  std::vector<std::string_view> names{"auto"};
  for (const SamplerInfo& info : samplers()) names.push_back(info.name);
  return names;
}

}  // namespace

std::vector<OptionInfo> estimate_options() {
  using R = Request&;
  using V = std::string_view;
  using T = ValueType;
  constexpr std::uint64_t most_steps = 1'000'000;
  const Names estimate{"estimate"};
  return {
      with_uses(
          {{"marginals",
            "with --sampled: annealed, boundary, bethe, or auto, whichever of the last two does better in a "
            "few trial samples"},
           {"sample",
            "auto: draw exactly; annealed, bethe or boundary: approximately, by weighted samples, where "
            "exact "
            "draws are out of reach"}},
          choice_row(
              "sampler", "NAME", "auto", sampler_names(),
              "how to draw samples (docs/estimate.md); auto: bethe, population or boundary, and of graphs "
              "with odd cycles or "
              "monomers bethe or boundary, whichever does better in a few trial samples",
              estimate,
              [](R r, V v) {
                r.estimate.sampler.kind = v == "auto" ? std::optional<SamplerKind>() : sampler_named(v);
              })),
      value_row("rel-error", T::share, "SHARE", "1%",
                "the goal: sample until the error is at most this share of the estimate", estimate,
                [](R r, V v) { r.estimate.relative_error = *parse_share(v); }),
      value_row(
          "log-error", T::share, "ERROR", "",
          "another goal: sample until the standard error of ln Z is at most this, 0.35 at most; then ln Z "
          "is shown",
          estimate, [](R r, V v) { r.estimate.log_error = *parse_share(v); }),
      number_row("replicates", "N", "1", 1, most_replicates,
                 "make N independent estimates, by seeds derived from --seed, and one of them all: they show "
                 "whether the errors are what they claim",
                 estimate, [](R r, V v) { r.estimate.replicates = *parse_integer(v); }),
      value_row(
          "ratio-to", T::file, "INPUT", "",
          "not the sum over the matchings of the first input, but its ratio to that of this one, on the "
          "same vertices: by the same samples, so that what both have in common makes no error",
          estimate, [](R r, V v) { r.ratio_to = v; }),
      value_row("integrate", T::text, "LETTER=FROM:TO", "",
                "how much ln Z changes as the letter in weights goes from one number to another: the "
                "integral of the "
                "mean number of its edges over its logarithm",
                estimate, [](R r, V v) { r.integrate = letter_range(v); }),
      flag_row("signed",
               "negative and complex weights, too: samples of their absolute values, each with its sign or "
               "phase, and the mean sign, which says how much cancels",
               estimate, [](R r, V) { r.signed_sum = true; }),
      flag_row(
          "explain",
          "say what would be done and how long that is predicted to take; of samples, after trial "
          "samples alone, what would be drawn, by which sampler, and what a doubt would mean; marginals: "
          "with --sampled; sample: what each method would take, exact or not",
          {"estimate", "marginals", "compare", "minors", "sample"}, [](R r, V) { r.explain = true; }),
      value_row("log-weights", T::file, "FILE", "",
                "write the logarithm of every sample's weight as CSV: replicate, block, sample, ln_weight",
                estimate, [](R r, V v) { r.log_weights = v; }),
      value_row("confidence", T::share, "SHARE", "95%",
                "how likely the interval is to hold the count; above 50%", estimate,
                [](R r, V v) { r.estimate.confidence = *parse_share(v); }),
      value_row("guarantee", T::guarantee, "EPS,DELTA", "",
                "a proven error, whatever the matrix: the estimate is within a factor 1 +- EPS, except with "
                "probability DELTA. EPS is at least 0.0001, DELTA at least 0.000001. Refused (exit 3) where "
                "that is "
                "predicted to take longer than --time-limit",
                estimate,
                [](R r, V v) {
                  const auto [epsilon, delta] = *parse_guarantee(v);
                  r.estimate.guarantee = GuaranteeGoal{epsilon, delta};
                }),
      with_uses(
          {{"marginals", "with --sampled: draw exactly N samples of every piece of the graph"}},
          number_row("samples", "N", "", 1, most_samples, "draw exactly N samples of every sampled block",
                     estimate, [](R r, V v) { r.estimate.samples = *parse_integer(v); })),
      flag_row("sampled",
               "by weighted samples, each probability with its standard error: where no exact method reaches",
               {"marginals"}, [](R r, V) { r.sampled = true; }),
      value_row("edge-error", T::share, "SHARE", "1%",
                "with --sampled: sample until no edge's standard error is larger; below 50%", {"marginals"},
                [](R r, V v) { r.edge_error = *parse_share(v); }),
      choice_row(
          "prune", "NAME", "auto", {"auto", "on", "off"},
          "at every step, drop the edges that no perfect matching has left: no sample is zero, but each "
          "takes "
          "longer; auto: for scaling+ up to 1024 rows",
          estimate,
          [](R r, V v) { r.estimate.sampler.prune = v == "auto" ? std::optional<bool>() : v == "on"; }),
      number_row(
          "scale-interval", "ROWS", "", 1, most_steps,
          "scaling: how many rows to draw before scaling again; without it, 1, and one more per 512 rows",
          estimate,
          [](R r, V v) {
            r.estimate.sampler.scale_interval = static_cast<std::uint32_t>(*parse_integer(v));
          }),
      number_row(
          "scale-steps", "N", "4", 1, most_steps,
          "scaling: how many sweeps of Sinkhorn's iteration each time", estimate,
          [](R r, V v) { r.estimate.sampler.scale_steps = static_cast<std::uint32_t>(*parse_integer(v)); }),
      number_row(
          "exact-tail", "ROWS", "", 0, 64,
          "count the last ROWS rows of every sample exactly; 0: none; without it, as many as are cheap",
          estimate,
          [](R r, V v) { r.estimate.sampler.tail_rows = static_cast<std::uint32_t>(*parse_integer(v)); }),
      number_row("strata", "N", "1", 1, most_strata,
                 "make each sample the mean of N walks whose first choices are stratified", estimate,
                 [](R r, V v) { r.estimate.sampler.strata = static_cast<std::uint32_t>(*parse_integer(v)); }),
      number_row(
          "population", "N", "", 1, most_population,
          "population: how many states to keep alive; without it, as many as make samples steady", estimate,
          [](R r, V v) { r.estimate.sampler.population = static_cast<std::uint32_t>(*parse_integer(v)); }),
      choice_row("second", "NAME", "auto", {"auto", "none", "annealed"},
                 "what checks the samples: auto, another kind of sampler for a tenth of the time, unless "
                 "--sampler says which; annealed, a Markov chain for as long as the samples; none",
                 {"estimate"},
                 [](R r, V v) {
                   r.estimate.second = v == "annealed" ? SecondOpinion::annealed
                                       : v == "none"   ? SecondOpinion::none
                                                       : SecondOpinion::automatic;
                 }),
      value_row("exact-below", T::duration, "TIME", "1s",
                "count blocks predicted to take less than this exactly", estimate,
                [](R r, V v) { r.estimate.exact_below_seconds = *parse_duration(v); }),
      flag_row("all-sampled", "sample every block that the reductions leave, even if it is easy to count",
               estimate, [](R r, V) { r.estimate.all_sampled = true; }),
      choice_row("on-limit", "NAME", "refuse", {"refuse", "estimate", "bounds"},
                 "what to do with a count beyond the limits: refuse it (exit 3); estimate it, and say so; or "
                 "print certain bounds, LOWER .. UPPER, and exit with 3",
                 {"count"},
                 [](R r, V v) {
                   r.on_limit = v == "estimate" ? OnLimit::estimate
                                : v == "bounds" ? OnLimit::bounds
                                                : OnLimit::refuse;
                 }),
  };
}

void share_with_sampled_marginals(std::vector<OptionInfo>& table) {
  share_options(table, {"sampler", "samples", "seed"}, "marginals");
  share_options(table, {"sampler"}, "sample");
}

}  // namespace countpm::app
