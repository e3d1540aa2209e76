// The table of options, with its help texts.
#include <fmt/format.h>

#include <limits>

#include "apps/options.hpp"
#include "apps/parse_value.hpp"
#include "kernels/method.hpp"
#include "kernels/order_kind.hpp"

namespace countpm::app {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names{"auto"};
  for (const Method* method : exact_methods()) names.push_back(method->name());
  return names;
}

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const FormatInfo& format : formats()) names.push_back(format.name);
  return names;
}

std::vector<std::string_view> rule_names() {
  std::vector<std::string_view> names;
  for (const RuleInfo& rule : rules()) names.push_back(rule.name);
  return names;
}

std::vector<std::string_view> order_names() {
  std::vector<std::string_view> names;
  for (const OrderInfo& order : order_kinds()) names.push_back(order.name);
  return names;
}

std::vector<OptionInfo> make_table() {
  using R = Request&;
  using V = std::string_view;
  using T = ValueType;
  return {
      {"method",
       0,
       T::choice,
       "NAME",
       "auto",
       0,
       0,
       method_names(),
       "count by this method, or refuse with the reason",
       {"count", "explain", "estimate"},
       false,
       [](R r, V v) { r.count.method = v; }},
      {"device",
       0,
       T::choice,
       "NAME",
       "auto",
       0,
       0,
       {"auto", "cpu", "gpu"},
       "where to count: auto takes GPUs where that is predicted to be faster, gpu counts on nothing else",
       {"count", "explain"},
       false,
       [](R r, V v) { r.count.device = v; }},
      {"gpus",
       0,
       T::integer,
       "N",
       "0",
       0,
       64,
       {},
       "how many GPUs to use; 0: all that there are",
       {"count", "explain"},
       false,
       [](R r, V v) { r.count.gpus = static_cast<int>(*parse_integer(v)); }},
      {"threads",
       0,
       T::integer,
       "N",
       "0",
       0,
       1024,
       {},
       "threads; 0: as many as OpenMP gives. The count never depends on it",
       {"count", "explain", "estimate", "marginals", "sample"},
       false,
       [](R r, V v) { r.count.threads = static_cast<int>(*parse_integer(v)); }},
      {"time-limit",
       0,
       T::duration,
       "TIME",
       "1h",
       0,
       0,
       {},
       "refuse what is predicted to take longer, and stop what does (exit 3); estimate samples no longer, by "
       "default 1m",
       {"count", "explain", "estimate", "marginals", "sample"},
       false,
       [](R r, V v) { r.count.time_limit_seconds = r.estimate.time_limit_seconds = *parse_duration(v); }},
      {"memory-limit",
       0,
       T::bytes,
       "BYTES",
       "",
       1,
       no_limit,
       {},
       "refuse what needs more memory (exit 3); without it: the machine's available memory",
       {"count", "explain", "estimate", "list", "marginals", "sample"},
       false,
       [](R r, V v) { r.count.memory_limit_bytes = *parse_bytes(v); }},
      {"double-check",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "count again by another method on the transpose, and compare",
       {"count"},
       false,
       [](R r, V) { r.count.double_check = true; }},
      {"no-rule",
       0,
       T::choice,
       "NAME",
       "",
       0,
       0,
       rule_names(),
       "switch a reduction rule off; may be given several times",
       {"count", "explain", "estimate"},
       true,
       [](R r, V v) { r.count.rules.drop(rule_named(v)); }},
      {"order",
       0,
       T::choice,
       "NAME",
       "auto",
       0,
       0,
       order_names(),
       "frontier: which orders of elimination to use; never changes a count",
       {"count", "explain", "estimate"},
       false,
       [](R r, V v) { r.count.order = order_named(v); }},
      {"seed",
       0,
       T::integer,
       "N",
       "1",
       0,
       no_limit,
       {},
       "seed of what sample and estimate draw, and of the samples that predict work; never changes a count",
       {"count", "explain", "estimate", "sample"},
       false,
       [](R r, V v) { r.count.seed = *parse_integer(v); }},
      {"arithmetic",
       0,
       T::choice,
       "NAME",
       "kahan",
       0,
       0,
       {"plain", "kahan", "double-double"},
       "floating point for real and complex weights; integers and fractions are always exact",
       {"count", "explain", "estimate"},
       false,
       [](R r, V v) {
         r.count.floating = v == "plain"   ? FloatChoice::plain
                            : v == "kahan" ? FloatChoice::kahan
                                           : FloatChoice::double_double;
       }},
      {"precision",
       0,
       T::integer,
       "BITS",
       "",
       24,
       900,
       {},
       "count real and complex weights in MPFR with this many bits, in place of --arithmetic",
       {"count", "explain", "estimate"},
       false,
       [](R r, V v) {
         r.count.floating = FloatChoice::mpfr;
         r.count.precision_bits = static_cast<unsigned>(*parse_integer(v));
       }},
      {"format",
       0,
       T::choice,
       "NAME",
       "",
       0,
       0,
       format_names(),
       "the input's format; without it: by the file's ending, checked against the content",
       {"count", "explain", "estimate", "list", "marginals", "sample"},
       false,
       [](R r, V v) { r.read.format = format_named(v); }},
      {"as",
       0,
       T::choice,
       "KIND",
       "",
       0,
       0,
       {"bipartite", "directed", "undirected", "symmetric"},
       "the kind of graph; without it: what the format says, undirected for an edge list; symmetric: "
       "an undirected graph as a directed one, each edge an arc both ways",
       {"count", "explain", "estimate", "list", "marginals", "sample"},
       false,
       [](R r, V v) {
         r.read.symmetric = v == "symmetric";
         r.read.as = v == "bipartite"    ? GraphKind::bipartite
                     : v == "undirected" ? GraphKind::undirected
                                         : GraphKind::directed;
       }},
      {"weights",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "sum the products of the input's weights; without it every edge counts 1",
       {"count", "explain", "estimate", "marginals", "sample"},
       false,
       [](R r, V) { r.read.weights = true; }},
      {"multi",
       0,
       T::choice,
       "POLICY",
       "reject",
       0,
       0,
       {"reject", "sum"},
       "parallel edges: an error, or add them up",
       {"count", "explain", "estimate", "list", "marginals", "sample"},
       false,
       [](R r, V v) { r.read.multi = v == "sum" ? MultiPolicy::sum : MultiPolicy::reject; }},
      {"loops",
       0,
       T::choice,
       "POLICY",
       "reject",
       0,
       0,
       {"reject", "drop"},
       "loops of an undirected graph: an error, or leave them out (in a directed graph a loop is a cycle)",
       {"count", "explain", "estimate", "list", "marginals", "sample"},
       false,
       [](R r, V v) { r.read.loops = v == "drop" ? LoopPolicy::drop : LoopPolicy::reject; }},
      {"limit",
       0,
       T::integer,
       "N",
       "",
       0,
       no_limit,
       {},
       "stop after N matchings",
       {"list"},
       false,
       [](R r, V v) { r.limit = *parse_integer(v); }},
      {"range",
       0,
       T::range,
       "A..B",
       "1..",
       0,
       0,
       {},
       "only the matchings number A to B, counted from 1",
       {"list"},
       false,
       [](R r, V v) {
         const NumberRange range = *parse_range(v);
         r.list.first = range.first;
         r.list.last = range.last;
       }},
      {"count",
       0,
       T::integer,
       "K",
       "1",
       0,
       no_limit,
       {},
       "how many matchings to draw",
       {"sample"},
       false,
       [](R r, V v) { r.sample.count = *parse_integer(v); }},
      {"exact",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "probabilities as fractions p/q in lowest terms",
       {"marginals"},
       false,
       [](R r, V) { r.marginals.exact = true; }},
      {"digits",
       0,
       T::integer,
       "N",
       "12",
       1,
       100'000,
       {},
       "significant digits of probabilities, rounded from the exact value",
       {"marginals"},
       false,
       [](R r, V v) { r.marginals.digits = static_cast<unsigned>(*parse_integer(v)); }},
      {"csv",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "write comma-separated values with a head line",
       {"marginals"},
       false,
       [](R r, V) { r.csv = true; }},
      {"json",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "write JSON to standard output (docs/json.md)",
       {"count", "explain", "estimate", "list", "marginals", "sample", "methods"},
       false,
       [](R r, V) { r.json = true; }},
      {"report",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "write the report to standard error even when that is no terminal",
       {"count", "estimate", "list", "marginals", "sample"},
       false,
       [](R r, V) { r.report = true; }},
      {"checks",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "write the report with every check and what it compared",
       {"count"},
       false,
       [](R r, V) { r.checks = true; }},
      {"quiet",
       'q',
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "no report and no progress bar",
       {"count", "estimate", "list", "marginals", "sample"},
       false,
       [](R r, V) { r.quiet = true; }},
      {"progress",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "show progress on standard error even when that is no terminal: a line every 10 seconds",
       {"count", "estimate", "marginals", "sample"},
       false,
       [](R r, V) { r.progress = true; }},
      {"no-progress",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "no progress bar",
       {"count", "estimate", "marginals", "sample"},
       false,
       [](R r, V) { r.no_progress = true; }},
      {"markdown",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "write docs/options.md",
       {"help"},
       false,
       [](R r, V) { r.markdown = true; }},
      {"help",
       'h',
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "the command's help",
       {"count", "explain", "estimate", "list", "marginals", "sample", "lattice", "methods", "version",
        "help"},
       false,
       [](R r, V) { r.help = true; }},
      {"version",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "the version",
       {"count", "version"},
       false,
       [](R r, V) { r.version = true; }},
  };
}

}  // namespace

const std::vector<OptionInfo>& option_table() {
  static const std::vector<OptionInfo> table = [] {
    std::vector<OptionInfo> all = make_table();
    const std::vector<OptionInfo> more = estimate_options();
    all.insert(all.end(), more.begin(), more.end());
    const std::vector<OptionInfo> of_series = series_options();
    all.insert(all.end(), of_series.begin(), of_series.end());
    share_with_series(all);
    const std::vector<OptionInfo> of_compare = compare_options();
    all.insert(all.end(), of_compare.begin(), of_compare.end());
    share_with_compare(all);
    return all;
  }();
  return table;
}

std::string spelling(const OptionInfo& option) {
  const std::string letter = option.letter == 0 ? "" : fmt::format("-{}, ", option.letter);
  return fmt::format("{}--{}{}{}", letter, option.name, option.value_name.empty() ? "" : " ",
                     option.value_name);
}

std::string value_help(const OptionInfo& option) {
  switch (option.type) {
    case ValueType::flag:
      return "no value";
    case ValueType::choice:
      return fmt::format("{}", fmt::join(option.choices, ", "));
    case ValueType::integer:
      if (option.most == no_limit) return fmt::format("a whole number from {} to 2^64-1", option.least);
      return fmt::format("a whole number from {} to {}", option.least, option.most);
    case ValueType::choices:
      return fmt::format("some of {}, with commas between", fmt::join(option.choices, ", "));
    case ValueType::integers:
      return fmt::format("whole numbers from {} to {}, with commas between", option.least, option.most);
    case ValueType::duration:
      return "seconds above 0, or 10s, 5m, 2h, 3d, none";
    case ValueType::bytes:
      return "bytes above 0, or 512K, 512M, 4G, 1T";
    case ValueType::range:
      return "A..B with 1 <= A <= B, or A..";
    case ValueType::guarantee:
      return "two shares, each above 0 and below 1: 0.1,0.05";
    case ValueType::share:
      return "a share above 0 and below 1, or a percentage such as 1%";
  }
  return "";
}

}  // namespace countpm::app
