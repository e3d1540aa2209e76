// The options that many questions share: what is read and counted, how, within which limits, and what is
// written.
#include "apps/option_rows.hpp"
#include "apps/parse_value.hpp"
#include "graph/kinds/monomers.hpp"
#include "graph/kinds/rings.hpp"
#include "graph/kinds/tiles.hpp"
#include "graph/text.hpp"
#include "kernels/method.hpp"
#include "kernels/order_kind.hpp"

namespace countpm::app {
namespace {

template <class Infos>
Names names_of(const Infos& infos) {
  Names names;
  for (const auto& info : infos) names.push_back(info.name);
  return names;
}

Names rule_names() {
  Names names = names_of(rules());
  names.emplace_back("all");
  return names;
}

Names method_names() {
  Names names{"auto"};
  for (const Method* method : exact_methods()) names.push_back(method->name());
  return names;
}

std::vector<OptionInfo> input_options() {
  using namespace group;
  return {
      with_uses(
          {{minors | probability | determinants, "values count here in any case; this may be left out"}},
          row("weights", readers - list - chem, flag(),
              "use the input's weights: add up, over all matchings, the products of their edges' "
              "weights. Without it every edge of a file counts 1, and a warning says that there are "
              "weights; a lattice with weights= implies it",
              [](R r, V) { r.read.weights = true; })),
      repeatable(row("at", readers - list - chem - minors - probability, valued(T::text, "LETTER=VALUE,..."),
                     "substitute numbers for letters in weights; the letters that remain give a polynomial, "
                     "one line per term (docs/polynomial-weights.md)",
                     [](R r, V v) { r.read.at.emplace_back(v); })),
      row("maximum", count | explain | estimate | marginals | sample | many | split | sampled | forecast,
          flag(),
          "count the matchings with the most edges, which need not cover every vertex; for a rectangular "
          "matrix this is the permanent: the sum over all injections of the shorter side into the longer",
          [](R r, V) { r.count.matchings = MatchingSize::maximum; }),
      row("ground-state",
          count | explain | estimate | list | marginals | sample | split | (others - recurrence),
          choice("WHICH", "", {"min", "max"}),
          "count only the perfect matchings of least (or largest) weight, the sum of their edges' weights, "
          "and print that weight (docs/ground-states.md)",
          [](R r, V v) { r.read.ground_state = chosen<Extremum>("ground-state", v); }),
      row("degree", count | explain | estimate | split | orbits | forecast, number("F", "", 0, 1'000'000),
          "count F-factors: sets of edges in which every vertex has degree F (docs/degrees.md)",
          [](R r, V v) { r.read.degree = static_cast<Index>(*parse_integer(v)); }),
      row("kind", readers, choice("KIND", "", {"bipartite", "directed", "undirected", "symmetric", "hyper"}),
          "the kind of graph, if not what the format implies (an edge list is undirected); symmetric: an "
          "undirected graph, each edge as two arcs; hyper: sets of vertices, one per line, whose exact "
          "covers "
          "are counted",
          [](R r, V v) {
            r.read.symmetric = v == "symmetric";
            r.hyper = v == "hyper";
            r.read.kind = v == "bipartite"                    ? GraphKind::bipartite
                          : v == "undirected" || v == "hyper" ? GraphKind::undirected
                                                              : GraphKind::directed;
          }),
      row("format", readers, choice("NAME", "", names_of(formats())),
          "the input's format, if it is not the one of the file's ending. Standard input, and files without "
          "an ending, are recognized by their content",
          [](R r, V v) { r.read.format = format_named(v); }),
      row("embedding", count | explain | marginals | sample | split | logarithm | forecast,
          valued(T::file, "FILE"),
          "the graph is drawn on a closed surface as FILE says: a line per vertex, with its neighbours in "
          "clockwise order. Its matchings are counted by Pfaffians, up to 4 handles or 8 crosscaps "
          "(docs/surfaces.md)",
          [](R r, V v) { r.read.embedding = v; }),
      repeatable(row("remove", readers - minors - probability, valued(T::text, "LABEL,..."),
                     "remove these vertices and their edges; may be given several times. If both sides of a "
                     "bipartite graph have the label: left:LABEL or right:LABEL",
                     [](R r, V v) { r.read.remove.emplace_back(v); })),
      row("multi", readers, choice("POLICY", "reject", {"reject", "sum", "first"}),
          "parallel edges: reject them, add up their weights (sum), or count an edge that is listed again "
          "with the same weight once (first)",
          [](R r, V v) { r.read.multi = chosen<MultiPolicy>("multi", v); }),
      row("loops", readers - chem - minors - probability - determinants,
          choice("POLICY", "reject", {"reject", "drop", "monomer"}),
          "loops of an undirected graph: reject them, drop them, or read them as weights of vertices that "
          "may stay alone (monomer): the loop hafnian. In a directed graph a loop is a cycle",
          [](R r, V v) { r.read.loops = chosen<LoopPolicy>("loops", v); }),
      row("first-line", readers, choice("WHAT", "", {"edge", "header"}),
          "whether the first line of a table of words is an edge or a header (names of columns, or numbers "
          "of vertices and edges), if the other lines do not show it",
          [](R r, V v) { r.read.first_line = v == "edge" ? FirstLine::edge : FirstLine::header; }),
      row("ends", readers, valued(T::text, "A,B"),
          "the columns of a table that contain the ends of edges, by name or by number from 1; 1: both are "
          "in the first word",
          [](R r, V v) { r.read.end_columns = v; }),
      row("weight-column", readers, valued(T::text, "NAME"),
          "the column of a table that contains the weights, by name or by number from 1; in GraphML, DOT, "
          "GML, GEXF, Pajek and JSON the attribute of edges. It implies --weights",
          [](R r, V v) {
            r.read.weight_column = v;
            r.read.weights = true;
          }),
      row("strict", readers, flag(),
          "treat warnings as errors: count nothing if the input can be read in another way, too",
          [](R r, V) { r.read.strict = true; }),
      row("monomers", readers - chem - minors - probability - determinants - bounds - ratios,
          bare("1", weight("[WEIGHT]", "", monomer_letter)),
          "count all matchings, not only perfect ones: each vertex that stays alone contributes this weight. "
          "t: the matching polynomial, one line per number of edges (docs/monomers.md)",
          [](R r, V v) { r.read.monomers = v; }),
      row("rings", count | explain | many | split | logarithm | orbits,
          bounded(valued(T::integers, "LENGTHS"), least_ring, largest_ring),
          "count the covers by edges and by rings, the graph's chordless cycles of these lengths. For a "
          "molecule, --rings 6 is the Clar covering polynomial (docs/covers.md)",
          [](R r, V v) {
            r.read.rings.clear();
            for (const std::string_view one : countpm::split(v, ','))
              r.read.rings.push_back(static_cast<std::uint32_t>(*parse_integer(one)));
          }),
      row("ring-weight", count | explain | many | split | logarithm | orbits,
          weight("WEIGHT", "x", ring_letter),
          "the weight of each ring of --rings. x: a polynomial, one line per number of rings",
          [](R r, V v) { r.read.ring_weight = v; }),
      row("power", count | split | logarithm | orbits,
          number("K", "", 0, std::numeric_limits<std::uint32_t>::max()),
          "only one coefficient of a polynomial (--monomers t, --rings): that of K edges, or of K rings",
          [](R r, V v) { r.power = *parse_integer(v); }),
      row("rows", count | explain | estimate | split | minors | (others - recurrence),
          bounded(valued(T::integers, "N,N,..."), 0, most_copies),
          "repeat row i of the matrix N_i times (0 drops it), in the order of the file: permanents of boson "
          "sampling (docs/guides/boson-sampling.md)",
          [](R r, V v) { r.read.rows = parse_copies(v); }),
      row("cols", count | explain | estimate | split | minors | (others - recurrence),
          bounded(valued(T::integers, "N,N,..."), 0, most_copies), "the same for its columns",
          [](R r, V v) { r.read.columns = parse_copies(v); }),
      row("copies", count | explain | estimate | split | (others - recurrence),
          bounded(valued(T::integers, "N,N,..."), 0, most_copies),
          "repeat vertex i of the graph N_i times (0 drops it), as row and column i of its symmetric matrix. "
          "A loop joins the copies of its vertex; with --loops monomer it is also the weight of a copy that "
          "stays alone (docs/monomers.md)",
          [](R r, V v) { r.read.rows = r.read.columns = parse_copies(v); }),
  };
}

std::vector<OptionInfo> method_options() {
  using namespace group;
  return {
      row("method", planned, choice("NAME", "auto", method_names()),
          "count by this method only, or refuse and say why; auto is the one that is predicted to be fastest",
          [](R r, V v) { r.count.method = v; }),
      with_uses(
          {{estimate,
            "where to draw samples: only on GPUs, only on the CPU, or (auto) on the CPU, which GPUs join "
            "after a second"}},
          row("device", planned | sessions, choice("NAME", "auto", {"auto", "cpu", "gpu"}),
              "where to count: only on GPUs, only on the CPU, or (auto) on GPUs if they are predicted to "
              "be faster",
              [](R r, V v) { r.count.device = r.estimate.device = v; })),
      row("gpus", (planned | sessions) - ratios, number("N", "0", 0, 64),
          "how many GPUs to use; 0: all of them",
          [](R r, V v) { r.count.gpus = r.estimate.gpus = static_cast<int>(*parse_integer(v)); }),
      row("gpu-memory", count | explain | many | split | sessions | logarithm | orbits | recurrence,
          bounded(valued(T::bytes, "BYTES"), 1, no_limit),
          "use at most this much of each GPU's memory (docs/gpu.md), not all of it",
          [](R r, V v) { r.count.gpu_memory_bytes = *parse_bytes(v); }),
      row("order", planned, choice("NAME", "auto", names_of(order_kinds())),
          "the order in which frontier eliminates vertices. The count does not depend on it",
          [](R r, V v) { r.count.order = order_named(v); }),
      repeatable(row("no-rule", planned, choice("NAME", "", rule_names()),
                     "do not use this reduction rule; may be given several times. all: none of them",
                     [](R r, V v) {
                       if (v == "all") return r.count.rules.enabled.fill(false);
                       r.count.rules.drop(rule_named(v));
                     })),
      repeatable(
          row("set", count | explain | many | split, valued(T::text, "NAME=VALUE"),
              "for study: what published papers vary about a method that --method names; 'countpm "
              "methods --settings' lists names and values. A count does not depend on it; may be given "
              "several times (docs/settings.md)",
              [](R r, V v) { r.count.settings.set(v); })),
      row("settings", methods, flag(), "list what --set takes: names, values, methods, and who varied it",
          [](R r, V) { r.settings = true; }),
      with_uses(
          {{minors, "compute with real and complex values of this many bits", "", {}, true},
           {determinants, "round real and complex values to this many bits", "", {}, true}},
          row("arithmetic", planned | minors | determinants,
              choice_or_number("KIND", "kahan", {"plain", "kahan", "double-double"}, 24, 900),
              "floating point for real and complex weights: doubles, added plainly or by Kahan's sums; pairs "
              "of doubles; or MPFR with this many bits, which also shows decimals with as many digits. "
              "Integers and fractions are always exact, and so are the decimals of planar inputs",
              [](R r, V v) {
                const std::optional<std::uint64_t> bits = parse_integer(v);
                r.count.arithmetic = bits ? FloatArithmetic::of_bits(static_cast<unsigned>(*bits))
                                          : FloatArithmetic{chosen<FloatChoice>("arithmetic", v)};
              })),
      row("seed", planned | marginals | sample, number("N", "1", 0, no_limit),
          "the seed of all random choices: samples, and the trials that predict work. A count does not "
          "depend on it",
          [](R r, V v) { r.count.seed = *parse_integer(v); }),
  };
}

std::vector<OptionInfo> limits_options() {
  using namespace group;
  return {
      with_uses(
          {{estimate, "draw samples for no longer than this", "1m"},
           {marginals,
            "refuse what is predicted to take longer, and stop what does take longer (exit 3); with "
            "--sampled draw samples for no longer than this, 1m unless given"},
           {compare,
            "the limit of the count; each estimate draws samples for no longer than this, 1m unless given"}},
          row("time-limit", workers - list, valued(T::duration, "TIME", "1h"),
              "refuse what is predicted to take longer, and stop what does take longer (exit 3)",
              [](R r, V v) {
                r.count.time_limit_seconds = r.estimate.time_limit_seconds = *parse_duration(v);
              })),
      row("memory-limit", workers, bounded(valued(T::bytes, "BYTES"), 1, no_limit),
          "refuse what needs more memory than this and 16M (20M with CUDA) for the program itself (exit 3). "
          "By default the "
          "limit is what the machine, control groups, ulimit and Slurm leave (docs/limits.md)",
          [](R r, V v) { r.count.memory_limit_bytes = *parse_bytes(v); }),
      with_letter('j', row("threads", workers - list - minors, number("N", "0", 0, 1024),
                           "how many threads to use; 0: as many as OMP_NUM_THREADS says, or else as there "
                           "are cores for this process. The count does not depend on it",
                           [](R r, V v) { r.count.threads = static_cast<int>(*parse_integer(v)); })),
  };
}

std::vector<OptionInfo> output_options() {
  using namespace group;
  return {
      not_kept(with_letter(
          'o',
          with_uses(
              {{split,
                "how the parts' names begin: FILE-1.part, FILE-2.part, ...; FILE/ is a folder, in which they "
                "are named after the input"},
               {merge, "write what the parts have together to the checkpoint FILE"},
               {many | compare,
                "write the table to FILE instead of standard output; after Ctrl-C, the rows until then"}},
              row("output", readers | sessions | prove | lattice, valued(T::file, "FILE"),
                  "write the answer to FILE instead of standard output; nothing is written unless the answer "
                  "is complete",
                  [](R r, V v) { r.output = v; })))),
      not_kept(row("json",
                   readers | sessions | status | verify | prove | lattice | methods | input_formats | version,
                   flag(), "write JSON to standard output (docs/json.md)", [](R r, V) { r.json = true; })),
      row("csv",
          list | marginals | sample | many | compare | chem | minors | (others - forecast - recurrence),
          flag(), "write comma-separated values with a header line", [](R r, V) { r.csv = true; }),
      with_uses(
          {{explain, "draw the matrix, its blocks and its elimination order (SVG or PNG)"},
           {marginals, "draw every edge with its probability (SVG or PNG)"},
           {chem, "draw the molecule with its bond orders (SVG or PNG)"},
           {sample, "draw the first matching (SVG or PNG)"},
           {many, "plot ln Z per vertex as the lattices grow (SVG or PNG)"},
           {compare, "plot how the estimates approach the count (SVG or PNG)"}},
          row("svg", drawn | sampled | logarithm, valued(T::file, "FILE"),
              "write a picture of the result; a FILE that ends in .png is made by librsvg's rsvg-convert "
              "(docs/pictures.md)",
              [](R r, V v) { r.svg = v; })),
      with_uses({{marginals, "what --svg draws: the edges, or the matrix", "", {"auto", "edges", "matrix"}}},
                row("draw", marginals | sample | sampled,
                    choice("KIND", "auto", {"auto", "tiles", "height", "edges", "matrix"}),
                    "what --svg draws: tiles (dominoes or lozenges), the height function, the edges, or the "
                    "matrix; auto: the first of tiles, edges and matrix that the input has",
                    [](R r, V v) { r.draw = chosen<DrawKind>("draw", v); })),
      row("scale", marginals | sampled, choice("KIND", "linear", {"linear", "clip", "log"}),
          "how probabilities become colours: linearly, linearly between the 2nd and 98th percentile, or by "
          "their logarithms",
          [](R r, V v) { r.map_scale = chosen<draw::MapScale>("scale", v); }),
      row("title", drawn | sampled | logarithm, valued(T::text, "TEXT"),
          "the picture's title, if not the input's name", [](R r, V v) { r.page.title = v; }),
      row("width", drawn | sampled | logarithm, number("PIXELS", "", 100, 100'000),
          "the picture's width; everything else scales with it",
          [](R r, V v) { r.page.width = static_cast<double>(*parse_integer(v)); }),
      row("no-legend", drawn | sampled | logarithm, flag(), "omit the legend from the picture",
          [](R r, V) { r.page.legend = false; }),
      row("heights", sample, valued(T::file, "FILE"),
          "write the height functions of the samples as CSV: sample, row, column, height (dominoes and "
          "lozenges)",
          [](R r, V v) { r.heights = v; }),
      not_kept(row("html",
                   count | explain | estimate | compare | marginals | many | sessions | logarithm | sampled,
                   valued(T::file, "FILE"),
                   "write the result as an HTML page: one file with numbers, tables and pictures, which "
                   "loads nothing else (docs/html.md)",
                   [](R r, V v) { r.html = v; })),
      row("ln-weights", estimate, valued(T::file, "FILE"),
          "write ln of every sample's weight as CSV: replicate, block, sample, ln_weight",
          [](R r, V v) { r.ln_weights = v; }),
      not_kept(row("overwrite", (readers - split) | sessions | prove | lattice, flag(),
                   "replace files that exist: those of --output, --svg, --heights, --ln-weights, --html and "
                   "--proof. An input is never replaced",
                   [](R r, V) { r.overwrite = true; })),
      not_kept(with_letter(
          'v', with_uses({{list | marginals | sample | chem | minors | probability | determinants | bounds,
                           "write the report to standard error, even if that is not a terminal",
                           "",
                           {"summary"}}},
                         row("report",
                             count | estimate | list | marginals | sample | chem | minors | probability |
                                 determinants | bounds | sessions | (others - forecast - recurrence),
                             bare("summary", choice("[WHAT]", "", {"summary", "checks"})),
                             "write the report to standard error, even if that is not a terminal; checks: "
                             "with every check and what it compared",
                             [](R r, V v) {
                               r.report = true;
                               r.checks = v == "checks";
                             })))),
      not_kept(with_letter('q', with_uses({{explain, "with --svg: no line about the colours"}},
                                          row("quiet", workers, flag(), "no report and no progress bar",
                                              [](R r, V) { r.quiet = true; })))),
  };
}

std::vector<OptionInfo> run_options() {
  using namespace group;
  return {
      not_kept(row("checkpoint", count | estimate | ratio | integral, valued(T::file, "FILE"),
                   "save progress to FILE, a new file: after an interruption 'countpm resume FILE' "
                   "continues, on any machine",
                   [](R r, V v) { r.count.checkpoint.file = v; })),
      not_kept(row("progress", workers - explain - list,
                   bare("auto", choice("[STYLE]", "", {"auto", "bar", "lines", "json", "none"})),
                   "show progress on standard error, even if that is not a terminal. auto: a bar on a "
                   "terminal, elsewhere a line every 10 seconds; json: an object per line, every second "
                   "(docs/json.md); none: no bar on a terminal either",
                   [](R r, V v) { r.progress = v; })),
  };
}

std::vector<OptionInfo> other_options() {
  using namespace group;
  return {
      not_kept(with_letter(
          'h', row("help",
                   workers | status | lattice | methods | input_formats | schema | version | help | complete,
                   flag(), "this help", [](R r, V) { r.help = true; }))),
      not_kept(with_letter('V', row("version", count | version | (others - recurrence), flag(),
                                    "the version, and what is built in", [](R r, V) { r.version = true; }))),
  };
}

}  // namespace

const std::vector<OptionSection>& option_sections() {
  static const std::vector<OptionSection> sections = [] {
    std::vector<OptionSection> all{{"Input", false, input_options()},
                                   {"Method", false, method_options()},
                                   {"Limits", false, limits_options()},
                                   {"Output", false, output_options()},
                                   {"Long runs", false, run_options()}};
    for (OptionSection& own : own_sections()) all.push_back(std::move(own));
    all.push_back({"Other", false, other_options()});
    return all;
  }();
  return sections;
}

const std::vector<OptionInfo>& option_table() {
  static const std::vector<OptionInfo> table = [] {
    std::vector<OptionInfo> all;
    for (const OptionSection& section : option_sections())
      all.insert(all.end(), section.options.begin(), section.options.end());
    return all;
  }();
  return table;
}

}  // namespace countpm::app
