// The options of estimates.
#include <limits>

#include "apps/options.hpp"
#include "apps/parse_value.hpp"

namespace countpm::app {
namespace {

constexpr std::uint64_t most_samples = std::uint64_t{1} << 53;

std::vector<std::string_view> sampler_names() {
  std::vector<std::string_view> names;
  for (const SamplerInfo& info : samplers()) names.push_back(info.name);
  return names;
}

OptionInfo row(std::string_view name, ValueType type, std::string_view value_name,
               std::string_view default_value, std::string_view help,
               void (*apply)(Request&, std::string_view)) {
  OptionInfo option;
  option.name = name;
  option.type = type;
  option.value_name = value_name;
  option.default_value = default_value;
  option.help = help;
  option.commands = {"estimate"};
  option.apply = apply;
  return option;
}

OptionInfo number(std::string_view name, std::string_view value_name, std::string_view default_value,
                  std::uint64_t least, std::uint64_t most, std::string_view help,
                  void (*apply)(Request&, std::string_view)) {
  OptionInfo option = row(name, ValueType::integer, value_name, default_value, help, apply);
  option.least = least;
  option.most = most;
  return option;
}

OptionInfo choice(std::string_view name, std::string_view default_value,
                  std::vector<std::string_view> choices, std::string_view help,
                  void (*apply)(Request&, std::string_view)) {
  OptionInfo option = row(name, ValueType::choice, "NAME", default_value, help, apply);
  option.choices = std::move(choices);
  return option;
}

}  // namespace

std::vector<OptionInfo> estimate_options() {
  using R = Request&;
  using V = std::string_view;
  using T = ValueType;
  constexpr std::uint64_t most_steps = 1'000'000;
  std::vector<OptionInfo> table{
      choice("sampler", "scaling+", sampler_names(), "how samples are drawn (docs/estimate.md)",
             [](R r, V v) { r.estimate.sampler.kind = sampler_named(v); }),
      row("rel-error", T::share, "SHARE", "1%",
          "sample until the interval reaches no farther from the estimate",
          [](R r, V v) { r.estimate.relative_error = *parse_share(v); }),
      row("confidence", T::share, "SHARE", "95%", "of the interval; above a half",
          [](R r, V v) { r.estimate.confidence = *parse_share(v); }),
      row("guarantee", T::guarantee, "EPS,DELTA", "",
          "sample until the estimate is within a factor 1 +- EPS but for a probability of DELTA, whatever "
          "the "
          "matrix; refuse (exit 3) what is predicted to take longer than --time-limit",
          [](R r, V v) {
            const auto [epsilon, delta] = *parse_guarantee(v);
            r.estimate.guarantee = GuaranteeGoal{epsilon, delta};
          }),
      number("samples", "N", "", 1, most_samples, "draw exactly N samples of every sampled block",
             [](R r, V v) { r.estimate.samples = *parse_integer(v); }),
      choice("prune", "auto", {"auto", "on", "off"},
             "drop edges in no perfect matching at every step: no sample is zero, each is slower; auto: for "
             "scaling+ "
             "up to 1024 rows",
             [](R r, V v) { r.estimate.sampler.prune = v == "auto" ? std::optional<bool>() : v == "on"; }),
      number("scale-interval", "ROWS", "", 1, most_steps,
             "scaling: scale again after so many rows; without it: 1, and one more for every 512 rows",
             [](R r, V v) {
               r.estimate.sampler.scale_interval = static_cast<std::uint32_t>(*parse_integer(v));
             }),
      number(
          "scale-steps", "N", "4", 1, most_steps, "scaling: sweeps of Sinkhorn's scaling each time",
          [](R r, V v) { r.estimate.sampler.scale_steps = static_cast<std::uint32_t>(*parse_integer(v)); }),
      number("exact-tail", "ROWS", "", 0, 64,
             "count so many last rows of every sample exactly; 0: none; without it: as many as are cheap",
             [](R r, V v) { r.estimate.sampler.tail_rows = static_cast<std::uint32_t>(*parse_integer(v)); }),
      row("exact-below", T::duration, "TIME", "1s", "count blocks predicted to take less than this exactly",
          [](R r, V v) { r.estimate.exact_below_seconds = *parse_duration(v); }),
      row("all-sampled", T::flag, "", "", "sample every block that the reductions leave, easy ones too",
          [](R r, V) { r.estimate.all_sampled = true; }),
      choice("on-limit", "refuse", {"refuse", "estimate"},
             "what is beyond the limits: refuse it (exit 3), or show an estimate with its error, and say so",
             [](R r, V v) { r.estimate_beyond_limits = v == "estimate"; }),
  };
  table.back().commands = {"count"};
  return table;
}

}  // namespace countpm::app
