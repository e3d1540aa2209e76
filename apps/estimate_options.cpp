// The options of estimates.
#include <limits>

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
      choice_row(
          "sampler", "NAME", "auto", sampler_names(),
          "how samples are drawn (docs/estimate.md); auto: bethe or population, whichever pilot samples "
          "of the block favour",
          estimate,
          [](R r, V v) {
            r.estimate.sampler.kind = v == "auto" ? std::optional<SamplerKind>() : sampler_named(v);
          }),
      value_row("rel-error", T::share, "SHARE", "1%",
                "sample until the interval reaches no farther from the estimate", estimate,
                [](R r, V v) { r.estimate.relative_error = *parse_share(v); }),
      value_row("confidence", T::share, "SHARE", "95%", "of the interval; above a half", estimate,
                [](R r, V v) { r.estimate.confidence = *parse_share(v); }),
      value_row(
          "guarantee", T::guarantee, "EPS,DELTA", "",
          "sample until the estimate is within a factor 1 +- EPS (at least 0.0001) but for a probability "
          "of DELTA (at least 0.000001), whatever the matrix; refuse (exit 3) what is predicted to take "
          "longer than --time-limit",
          estimate,
          [](R r, V v) {
            const auto [epsilon, delta] = *parse_guarantee(v);
            r.estimate.guarantee = GuaranteeGoal{epsilon, delta};
          }),
      number_row("samples", "N", "", 1, most_samples, "draw exactly N samples of every sampled block",
                 estimate, [](R r, V v) { r.estimate.samples = *parse_integer(v); }),
      choice_row(
          "prune", "NAME", "auto", {"auto", "on", "off"},
          "drop edges in no perfect matching at every step: no sample is zero, each is slower; auto: for "
          "scaling+ up to 1024 rows",
          estimate,
          [](R r, V v) { r.estimate.sampler.prune = v == "auto" ? std::optional<bool>() : v == "on"; }),
      number_row("scale-interval", "ROWS", "", 1, most_steps,
                 "scaling: scale again after so many rows; without it: 1, and one more for every 512 rows",
                 estimate,
                 [](R r, V v) {
                   r.estimate.sampler.scale_interval = static_cast<std::uint32_t>(*parse_integer(v));
                 }),
      number_row(
          "scale-steps", "N", "4", 1, most_steps, "scaling: sweeps of Sinkhorn's scaling each time", estimate,
          [](R r, V v) { r.estimate.sampler.scale_steps = static_cast<std::uint32_t>(*parse_integer(v)); }),
      number_row(
          "exact-tail", "ROWS", "", 0, 64,
          "count so many last rows of every sample exactly; 0: none; without it: as many as are cheap",
          estimate,
          [](R r, V v) { r.estimate.sampler.tail_rows = static_cast<std::uint32_t>(*parse_integer(v)); }),
      number_row("strata", "N", "1", 1, most_strata,
                 "a sample is the mean of N walks whose first choices are stratified", estimate,
                 [](R r, V v) { r.estimate.sampler.strata = static_cast<std::uint32_t>(*parse_integer(v)); }),
      number_row(
          "population", "N", "", 1, most_population,
          "population: states that stay alive; without it: as many as make samples steady", estimate,
          [](R r, V v) { r.estimate.sampler.population = static_cast<std::uint32_t>(*parse_integer(v)); }),
      value_row("exact-below", T::duration, "TIME", "1s",
                "count blocks predicted to take less than this exactly", estimate,
                [](R r, V v) { r.estimate.exact_below_seconds = *parse_duration(v); }),
      flag_row("all-sampled", "sample every block that the reductions leave, easy ones too", estimate,
               [](R r, V) { r.estimate.all_sampled = true; }),
      choice_row(
          "on-limit", "NAME", "refuse", {"refuse", "estimate"},
          "what is beyond the limits: refuse it (exit 3), or show an estimate with its error, and say so",
          {"count"}, [](R r, V v) { r.estimate_beyond_limits = v == "estimate"; }),
  };
}

}  // namespace countpm::app
