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
      choice_row(
          "method", "NAME", "auto", method_names(),
          "count by this method alone, or refuse and say why; auto takes the one predicted to be fastest",
          {"count", "explain", "estimate"}, [](R r, V v) { r.count.method = v; }),
      with_uses({{"estimate",
                  "where to draw samples: on GPUs alone, on the CPU alone, or (auto) on the CPU, which GPUs "
                  "join when it has drawn for a second"}},
                choice_row("device", "NAME", "auto", {"auto", "cpu", "gpu"},
                           "where to count: on GPUs alone, on the CPU alone, or (auto) on GPUs if they "
                           "are predicted to "
                           "be faster",
                           {"count", "explain", "estimate"},
                           [](R r, V v) { r.count.device = r.estimate.device = v; })),
      number_row("gpus", "N", "0", 0, 64, "how many GPUs to use; 0: all that there are",
                 {"count", "explain", "estimate"},
                 [](R r, V v) { r.count.gpus = r.estimate.gpus = static_cast<int>(*parse_integer(v)); }),
      with_letter(
          'j',
          number_row(
              "threads", "N", "0", 0, 1024,
              "how many threads to use; 0: as many as OMP_NUM_THREADS says, or else as there are cores for "
              "this process. The count does not depend on it",
              {"count", "explain", "estimate", "marginals", "sample"},
              [](R r, V v) { r.count.threads = static_cast<int>(*parse_integer(v)); })),
      with_uses({{"estimate", "draw samples for no longer than this", "1m"},
                 {"marginals",
                  "refuse what is predicted to take longer, and stop what does take longer (exit 3); with "
                  "--sampled draw samples for no longer than this, 1m unless given"}},
                value_row("time-limit", T::duration, "TIME", "1h",
                          "refuse what is predicted to take longer, and stop what does take longer (exit 3)",
                          {"count", "explain", "estimate", "marginals", "sample"},
                          [](R r, V v) {
                            r.count.time_limit_seconds = r.estimate.time_limit_seconds = *parse_duration(v);
                          })),
      bounded(value_row("memory-limit", T::bytes, "BYTES", "",
                        "refuse what needs more memory than this and 16M for the program itself (exit 3); "
                        "without it, the "
                        "limit is what the machine, control groups, ulimit and Slurm leave (docs/limits.md)",
                        {"count", "explain", "estimate", "list", "marginals", "sample"},
                        [](R r, V v) { r.count.memory_limit_bytes = *parse_bytes(v); }),
              1, no_limit),
      bounded(value_row("gpu-memory", T::bytes, "BYTES", "",
                        "use no more than this of each GPU's memory (docs/gpu.md); without it, what it has",
                        {"count", "explain"}, [](R r, V v) { r.count.gpu_memory_bytes = *parse_bytes(v); }),
              1, no_limit),
      flag_row("double-check", "count a second time, by another method on the transposed matrix, and compare",
               {"count"}, [](R r, V) { r.count.double_check = true; }),
      repeatable(choice_row(
          "no-rule", "NAME", "", rule_names(), "do without this reduction rule; may be given several times",
          {"count", "explain", "estimate"}, [](R r, V v) { r.count.rules.drop(rule_named(v)); })),
      choice_row("order", "NAME", "auto", order_names(),
                 "frontier: the order in which vertices are eliminated. The count does not depend on it",
                 {"count", "explain", "estimate"}, [](R r, V v) { r.count.order = order_named(v); }),
      number_row(
          "seed", "N", "1", 0, no_limit,
          "seed of everything random: samples, and the trials that predict work. A count does not depend on "
          "it",
          {"count", "explain", "estimate", "sample"}, [](R r, V v) { r.count.seed = *parse_integer(v); }),
      choice_row("arithmetic", "NAME", "kahan", {"plain", "kahan", "double-double"},
                 "floating point for real and complex weights; integers and fractions are always exact, and "
                 "so are the "
                 "decimals of planar inputs",
                 {"count", "explain", "estimate"},
                 [](R r, V v) {
                   r.count.floating = v == "plain"   ? FloatChoice::plain
                                      : v == "kahan" ? FloatChoice::kahan
                                                     : FloatChoice::double_double;
                 }),
      number_row("precision", "BITS", "", 24, 900,
                 "count real and complex weights in MPFR with this many bits, instead of --arithmetic, and "
                 "show decimals with as "
                 "many digits",
                 {"count", "explain", "estimate"},
                 [](R r, V v) {
                   r.count.floating = FloatChoice::mpfr;
                   r.count.precision_bits = static_cast<unsigned>(*parse_integer(v));
                 }),
      choice_row("format", "NAME", "", format_names(),
                 "the input's format; without it, the file's ending says, and the content is checked. Of "
                 "standard input, and of "
                 "names without an ending, the content says",
                 {"count", "explain", "estimate", "list", "marginals", "sample"},
                 [](R r, V v) { r.read.format = format_named(v); }),
      choice_row(
          "as", "KIND", "", {"bipartite", "directed", "undirected", "symmetric", "hyper"},
          "the kind of graph; without it, what the format says (an edge list is undirected). symmetric: an "
          "undirected graph taken as a directed one, each edge as two arcs. hyper: sets of vertices, one a "
          "line (--format hyper), of which exact covers are counted",
          {"count", "explain", "estimate", "list", "marginals", "sample"},
          [](R r, V v) {
            r.read.symmetric = v == "symmetric";
            r.hyper = v == "hyper";
            r.read.as = v == "bipartite"                    ? GraphKind::bipartite
                        : v == "undirected" || v == "hyper" ? GraphKind::undirected
                                                            : GraphKind::directed;
          }),
      flag_row("weights",
               "use the input's weights: add up, over all matchings, the products of their edges' weights. "
               "Without it "
               "every edge of a file counts 1, and a warning says that there are weights; a lattice with "
               "weights= needs no "
               "--weights",
               {"count", "explain", "estimate", "marginals", "sample"},
               [](R r, V) { r.read.weights = true; }),
      flag_row("maximum",
               "count the matchings with the most edges, which need not cover every vertex: of a matrix with "
               "m rows and n columns its permanent, the sum over the ways to give each line of the shorter "
               "side another one of the longer",
               {"count", "explain", "estimate", "marginals", "sample"},
               [](R r, V) { r.count.matchings = MatchingSize::maximum; }),
      choice_row("multi", "POLICY", "reject", {"reject", "sum", "first"},
                 "parallel edges: reject them, add up their weights, or take an edge that is listed again, "
                 "with the same weight, once (first)",
                 {"count", "explain", "estimate", "list", "marginals", "sample"},
                 [](R r, V v) {
                   r.read.multi = v == "sum"     ? MultiPolicy::sum
                                  : v == "first" ? MultiPolicy::first
                                                 : MultiPolicy::reject;
                 }),
      choice_row("loops", "POLICY", "reject", {"reject", "drop", "monomer"},
                 "loops of an undirected graph: reject them, leave them out, or take them for weights of "
                 "vertices that may stay alone: the loop hafnian (in a directed graph a loop is a cycle)",
                 {"count", "explain", "estimate", "list", "marginals", "sample"},
                 [](R r, V v) {
                   r.read.loops = v == "drop"      ? LoopPolicy::drop
                                  : v == "monomer" ? LoopPolicy::monomer
                                                   : LoopPolicy::reject;
                 }),
      with_uses({{"chem", "the first N structures in --structures and --sheet"}},
                number_row("limit", "N", "", 0, no_limit, "stop after N matchings", {"list"},
                           [](R r, V v) { r.limit = *parse_integer(v); })),
      value_row("range", T::range, "A..B", "1..", "only matchings number A to B; the first is number 1",
                {"list"},
                [](R r, V v) {
                  const NumberRange range = *parse_range(v);
                  r.list.first = range.first;
                  r.list.last = range.last;
                }),
      number_row("count", "K", "1", 0, no_limit, "how many matchings to draw", {"sample"},
                 [](R r, V v) { r.sample.count = *parse_integer(v); }),
      with_uses(
          {{"marginals", "probabilities as fractions p/q in lowest terms"}},
          flag_row("exact",
                   "with --weights: take decimals, and the parts of complex numbers, for the fractions "
                   "that they spell, and count exactly",
                   {"count", "explain", "marginals"},
                   [](R r, V) { (r.command == "marginals" ? r.marginals.exact : r.read.exact) = true; })),
      value_row("given", T::text, "A,B", "",
                "for every edge, its joint probability with the edge A,B and the covariance of the two",
                {"marginals"}, [](R r, V v) { r.given_edge = v; }),
      value_row("pairs", T::file, "FILE", "",
                "the probabilities of pairs of edges, one pair per line of FILE as four labels",
                {"marginals"}, [](R r, V v) { r.pairs_file = v; }),
      number_row("digits", "N", "12", 1, 100'000,
                 "significant digits of a probability, which is rounded from its exact value", {"marginals"},
                 [](R r, V v) { r.marginals.digits = static_cast<unsigned>(*parse_integer(v)); }),
      flag_row("csv", "write comma-separated values with a header line", {"list", "marginals", "sample"},
               [](R r, V) { r.csv = true; }),
      flag_row("json", "write JSON to standard output (docs/json.md)",
               {"count", "explain", "estimate", "list", "marginals", "sample", "methods", "version"},
               [](R r, V) { r.json = true; }),
      with_letter(
          'v',
          flag_row("report", "write the report to standard error, even where that is not a terminal",
                   {"count", "estimate", "list", "marginals", "sample"}, [](R r, V) { r.report = true; })),
      flag_row("checks", "write the report, with every check and what it compared", {"count", "estimate"},
               [](R r, V) { r.checks = true; }),
      with_letter('q', with_uses({{"explain", "with --svg: no line about the colours"}},
                                 flag_row("quiet", "no report and no progress bar",
                                          {"count", "explain", "estimate", "list", "marginals", "sample"},
                                          [](R r, V) { r.quiet = true; }))),
      with_uses({{"schema", "write docs/json.md"}},
                flag_row("markdown", "write docs/options.md", {"help", "schema"},
                         [](R r, V) { r.markdown = true; })),
      flag_row("man", "write the man page countpm(1)", {"help"}, [](R r, V) { r.manual = true; }),
      choice_row("completions", "SHELL", "", shell_names(),
                 "write the completions of options, values, commands and lattices for this shell", {"help"},
                 [](R r, V v) { r.completions = v; }),
      with_letter('h', flag_row("help", "this help",
                                {"count", "explain", "estimate", "list", "marginals", "sample", "lattice",
                                 "methods", "schema", "version", "help"},
                                [](R r, V) { r.help = true; })),
      with_letter('V', flag_row("version", "the version, and what is built in", {"count", "version"},
                                [](R r, V) { r.version = true; })),
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
    all.push_back(up_to_symmetry_option());
    share_with_sampled_marginals(all);
    share_with_series(all);
    const std::vector<OptionInfo> of_compare = compare_options();
    all.insert(all.end(), of_compare.begin(), of_compare.end());
    share_with_compare(all);
    share_with_resume(all);
    const std::vector<OptionInfo> of_chem = chem_options();
    all.insert(all.end(), of_chem.begin(), of_chem.end());
    share_with_chem(all);
    const std::vector<OptionInfo> of_photons = photon_options();
    all.insert(all.end(), of_photons.begin(), of_photons.end());
    share_with_photons(all);
    return all;
  }();
  return table;
}

}  // namespace countpm::app
