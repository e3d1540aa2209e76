// The table of options, with its help texts.
#include <limits>

#include "apps/completions.hpp"
#include "apps/option_rows.hpp"
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
      choice_row("method", "NAME", "auto", method_names(), "count by this method, or refuse with the reason",
                 {"count", "explain", "estimate"}, [](R r, V v) { r.count.method = v; }),
      choice_row("device", "NAME", "auto", {"auto", "cpu", "gpu"},
                 "where to count or to sample: auto takes GPUs where that is predicted to be faster "
                 "(samples: after a second), gpu nothing else",
                 {"count", "explain", "estimate"}, [](R r, V v) { r.count.device = r.estimate.device = v; }),
      number_row("gpus", "N", "0", 0, 64, "how many GPUs to use; 0: all that there are",
                 {"count", "explain", "estimate"},
                 [](R r, V v) { r.count.gpus = r.estimate.gpus = static_cast<int>(*parse_integer(v)); }),
      number_row("threads", "N", "0", 0, 1024,
                 "threads; 0: OMP_NUM_THREADS, or the cores that the system, control groups and Slurm give. "
                 "The count "
                 "never depends on it",
                 {"count", "explain", "estimate", "marginals", "sample"},
                 [](R r, V v) { r.count.threads = static_cast<int>(*parse_integer(v)); }),
      value_row(
          "time-limit", T::duration, "TIME", "1h",
          "refuse what is predicted to take longer, and stop what does (exit 3); estimate samples no longer, "
          "by default 1m",
          {"count", "explain", "estimate", "marginals", "sample"},
          [](R r, V v) { r.count.time_limit_seconds = r.estimate.time_limit_seconds = *parse_duration(v); }),
      bounded(
          value_row(
              "memory-limit", T::bytes, "BYTES", "",
              "refuse what needs more memory, beside 16M for the program itself (exit 3); without it, and at "
              "most: what machine, control groups, ulimit and Slurm leave (docs/planner.md)",
              {"count", "explain", "estimate", "list", "marginals", "sample"},
              [](R r, V v) { r.count.memory_limit_bytes = *parse_bytes(v); }),
          1, no_limit),
      flag_row("double-check", "count again by another method on the transpose, and compare", {"count"},
               [](R r, V) { r.count.double_check = true; }),
      repeatable(choice_row(
          "no-rule", "NAME", "", rule_names(), "switch a reduction rule off; may be given several times",
          {"count", "explain", "estimate"}, [](R r, V v) { r.count.rules.drop(rule_named(v)); })),
      choice_row("order", "NAME", "auto", order_names(),
                 "frontier: which orders of elimination to use; never changes a count",
                 {"count", "explain", "estimate"}, [](R r, V v) { r.count.order = order_named(v); }),
      number_row("seed", "N", "1", 0, no_limit,
                 "seed of what sample and estimate draw, and of the samples that predict work; never changes "
                 "a count",
                 {"count", "explain", "estimate", "sample"},
                 [](R r, V v) { r.count.seed = *parse_integer(v); }),
      choice_row("arithmetic", "NAME", "kahan", {"plain", "kahan", "double-double"},
                 "floating point for real and complex weights; integers and fractions are always exact",
                 {"count", "explain", "estimate"},
                 [](R r, V v) {
                   r.count.floating = v == "plain"   ? FloatChoice::plain
                                      : v == "kahan" ? FloatChoice::kahan
                                                     : FloatChoice::double_double;
                 }),
      number_row("precision", "BITS", "", 24, 900,
                 "count real and complex weights in MPFR with this many bits, in place of --arithmetic",
                 {"count", "explain", "estimate"},
                 [](R r, V v) {
                   r.count.floating = FloatChoice::mpfr;
                   r.count.precision_bits = static_cast<unsigned>(*parse_integer(v));
                 }),
      choice_row("format", "NAME", "", format_names(),
                 "the input's format; without it: by the file's ending, checked against the content",
                 {"count", "explain", "estimate", "list", "marginals", "sample"},
                 [](R r, V v) { r.read.format = format_named(v); }),
      choice_row("as", "KIND", "", {"bipartite", "directed", "undirected", "symmetric"},
                 "the kind of graph; without it: what the format says, undirected for an edge list; "
                 "symmetric: an undirected graph as a directed one, each edge an arc both ways",
                 {"count", "explain", "estimate", "list", "marginals", "sample"},
                 [](R r, V v) {
                   r.read.symmetric = v == "symmetric";
                   r.read.as = v == "bipartite"    ? GraphKind::bipartite
                               : v == "undirected" ? GraphKind::undirected
                                                   : GraphKind::directed;
                 }),
      flag_row("weights",
               "sum the products of the input's weights; without it every edge counts 1, but of lattices "
               "with weights=",
               {"count", "explain", "estimate", "marginals", "sample"},
               [](R r, V) { r.read.weights = true; }),
      choice_row("multi", "POLICY", "reject", {"reject", "sum"}, "parallel edges: an error, or add them up",
                 {"count", "explain", "estimate", "list", "marginals", "sample"},
                 [](R r, V v) { r.read.multi = v == "sum" ? MultiPolicy::sum : MultiPolicy::reject; }),
      choice_row(
          "loops", "POLICY", "reject", {"reject", "drop"},
          "loops of an undirected graph: an error, or leave them out (in a directed graph a loop is a cycle)",
          {"count", "explain", "estimate", "list", "marginals", "sample"},
          [](R r, V v) { r.read.loops = v == "drop" ? LoopPolicy::drop : LoopPolicy::reject; }),
      number_row("limit", "N", "", 0, no_limit, "stop after N matchings", {"list"},
                 [](R r, V v) { r.limit = *parse_integer(v); }),
      value_row("range", T::range, "A..B", "1..", "only the matchings number A to B, counted from 1",
                {"list"},
                [](R r, V v) {
                  const NumberRange range = *parse_range(v);
                  r.list.first = range.first;
                  r.list.last = range.last;
                }),
      number_row("count", "K", "1", 0, no_limit, "how many matchings to draw", {"sample"},
                 [](R r, V v) { r.sample.count = *parse_integer(v); }),
      flag_row("exact", "probabilities as fractions p/q in lowest terms", {"marginals"},
               [](R r, V) { r.marginals.exact = true; }),
      number_row("digits", "N", "12", 1, 100'000,
                 "significant digits of probabilities, rounded from the exact value", {"marginals"},
                 [](R r, V v) { r.marginals.digits = static_cast<unsigned>(*parse_integer(v)); }),
      flag_row("csv", "write comma-separated values with a head line", {"marginals"},
               [](R r, V) { r.csv = true; }),
      flag_row("json", "write JSON to standard output (docs/json.md)",
               {"count", "explain", "estimate", "list", "marginals", "sample", "methods"},
               [](R r, V) { r.json = true; }),
      flag_row("report", "write the report to standard error even when that is no terminal",
               {"count", "estimate", "list", "marginals", "sample"}, [](R r, V) { r.report = true; }),
      flag_row("checks", "write the report with every check and what it compared", {"count", "estimate"},
               [](R r, V) { r.checks = true; }),
      with_letter('q', flag_row("quiet", "no report and no progress bar",
                                {"count", "estimate", "list", "marginals", "sample"},
                                [](R r, V) { r.quiet = true; })),
      flag_row("markdown", "write docs/options.md", {"help"}, [](R r, V) { r.markdown = true; }),
      flag_row("man", "write the man page countpm(1)", {"help"}, [](R r, V) { r.manual = true; }),
      choice_row("completions", "SHELL", "", shell_names(),
                 "write the completions of options, values, commands and lattices for this shell", {"help"},
                 [](R r, V v) { r.completions = v; }),
      with_letter('h', flag_row("help", "the command's help",
                                {"count", "explain", "estimate", "list", "marginals", "sample", "lattice",
                                 "methods", "version", "help"},
                                [](R r, V) { r.help = true; })),
      flag_row("version", "the version", {"count", "version"}, [](R r, V) { r.version = true; }),
  };
}

}  // namespace

const std::vector<OptionInfo>& option_table() {
  static const std::vector<OptionInfo> table = [] {
    std::vector<OptionInfo> all = make_table();
    for (const auto& more :
         {estimate_options(), input_options(), picture_options(), run_options(), series_options()})
      all.insert(all.end(), more.begin(), more.end());
    all.push_back(log_only_option());
    share_with_series(all);
    const std::vector<OptionInfo> of_compare = compare_options();
    all.insert(all.end(), of_compare.begin(), of_compare.end());
    share_with_compare(all);
    share_with_resume(all);
    return all;
  }();
  return table;
}

}  // namespace countpm::app
