#include "apps/questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "apps/commands.hpp"
#include "apps/options.hpp"
#include "graph/errors.hpp"

namespace countpm::app {
namespace {

/// Each of the first excludes each of the others, whatever is asked.
struct Exclusion {
  std::vector<std::string_view> some;
  std::vector<std::string_view> others;
  std::string_view why;  // may be empty
};

const std::vector<Exclusion>& exclusions() {
  static const std::vector<Exclusion> table{
      {{"quiet"}, {"report"}, ""},
      {{"json"}, {"csv"}, ""},
      {{"exact"}, {"digits", "arithmetic"}, ""},
      {{"ground-state"}, {"maximum", "monomers", "degree"}, ""},
      {{"degree"}, {"maximum", "monomers", "rows", "cols", "copies"}, ""},
      {{"copies"}, {"rows", "cols"}, "it repeats both"},
      {{"embedding"},
       {"maximum", "degree", "monomers", "rings", "rows", "cols", "copies"},
       "a drawing is of the graph as it is, and of its perfect matchings"},
      {{"rings"}, {"ground-state", "degree", "rows", "cols", "copies"}, ""},
      {{"samples"}, {"error"}, ""},
      {{"error"}, {"ln-error"}, "each says when to stop"},
      {{"all-sampled"}, {"exact-below"}, ""},
      {{"guarantee"},
       {"samples", "error", "confidence", "sampler", "prune", "scale-interval", "scale-steps", "exact-tail",
        "strata", "population", "second"},
       ""},
      {{"proof"}, {"on-limit", "assume"}, "a proof is of a number that is counted here"},
      {{"modulo"},
       {"proof", "on-limit", "checkpoint", "power", "arithmetic"},
       "a residue modulo a number is an integer, found in one go, and nothing else of the count is"},
      {{"given"}, {"pairs"}, ""},
      {{"given", "pairs"}, {"svg", "html"}, "of pairs of edges there is no picture and no page"},
      {{"integrate"}, {"ratio-to"}, "each says which two sums"},
      {{"signed"}, {"ratio-to", "integrate"}, "ratios are of weights that are not negative"},
      {{"checkpoint"}, {"ln-z"}, "a logarithm is computed in one go, without units that could be kept"},
  };
  return table;
}

/// Options that say nothing without one of others.
struct Need {
  std::vector<std::string_view> options;
  Questions questions;  // in which that is so
  std::vector<std::string_view> needed;
  const char* message;  // {}: the option
};

const std::vector<Need>& needs() {
  using Q = Question;
  static const std::vector<Need> table{
      {{"draw"}, Q::marginals | Q::sample, {"svg"}, "--{} says what --svg FILE draws; give it, too"},
      {{"title", "width", "no-legend", "scale"},
       Q::explain | Q::marginals | Q::sample | Q::many | Q::compare | Q::chem,
       {"svg", "sheet", "html"},
       "--{} says what --svg FILE looks like; give it, too"},
      {{"sampler", "samples", "seed", "error", "explain"},
       Q::marginals,
       {"sampled"},
       "--{} is for samples: --sampled asks for them"},
  };
  return table;
}

[[noreturn]] void throw_excluded(std::string_view one, std::string_view other, std::string_view why) {
  throw UsageError(
      fmt::format("--{} and --{} exclude each other{}{}", one, other, why.empty() ? "" : ": ", why));
}

}  // namespace

void check_options(const Request& request) {
  for (const Exclusion& exclusion : exclusions()) {
    for (const std::string_view one : exclusion.some) {
      for (const std::string_view other : exclusion.others) {
        if (is_given(request, one) && is_given(request, other)) throw_excluded(one, other, exclusion.why);
      }
    }
  }
  for (const auto& asking : request.given) {
    const OptionInfo& asker = *find_option(asking.first);
    if (!asker.asks) continue;
    for (const auto& [name, value] : request.given) {
      if (!find_option(name)->questions.has(*asker.asks)) throw_excluded(name, asker.name, asker.why);
    }
  }
  for (const Need& need : needs()) {
    if (!need.questions.has(question_of(request.command))) continue;
    for (const std::string_view option : need.options) {
      const bool there = std::any_of(need.needed.begin(), need.needed.end(),
                                     [&](std::string_view name) { return is_given(request, name); });
      if (is_given(request, option) && !there)
        throw UsageError(fmt::format(fmt::runtime(need.message), option));
    }
  }
}

std::string exclusions_markdown() {
  const auto has = [](const std::vector<std::string_view>& options, std::string_view name) {
    return std::find(options.begin(), options.end(), name) != options.end();
  };
  const auto names = [&](const std::vector<std::string_view>& options) {
    std::string text;
    std::vector<std::string_view> named;
    for (const OptionSection& section : option_sections()) {
      const auto excluded = [&](const OptionInfo& option) { return has(options, option.name); };
      // All options of a section of several are named by their section.
      if (section.options.size() < 3 ||
          !std::all_of(section.options.begin(), section.options.end(), excluded))
        continue;
      text += fmt::format("{}all *{}*", text.empty() ? "" : ", ", section.title);
      for (const OptionInfo& option : section.options) named.push_back(option.name);
    }
    for (const std::string_view name : options)
      if (!has(named, name)) text += fmt::format("{}`--{}`", text.empty() ? "" : ", ", name);
    return text;
  };
  std::string text = "\n# What excludes what\n\n| Option | excludes | since |\n|---|---|---|\n";
  for (const Exclusion& exclusion : exclusions())
    text += fmt::format("| {} | {} | {} |\n", names(exclusion.some), names(exclusion.others), exclusion.why);
  for (const OptionInfo& asker : option_table()) {
    std::vector<std::string_view> excluded;
    // A count with --explain is another command's, explain's.
    const Questions asked =
        asker.asks == Question::forecast ? asker.questions - Question::count : asker.questions;
    for (const OptionInfo& option : option_table()) {
      if (asker.asks && !option.questions.has(*asker.asks) &&
          !commands_of(option.questions.both(asked)).empty())
        excluded.push_back(option.name);
    }
    if (!excluded.empty())
      text += fmt::format("| `--{}` | {} | {} |\n", asker.name, names(excluded), asker.why);
  }
  return text;
}

}  // namespace countpm::app
