#include "src/input/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "graph/errors.hpp"
#include "graph/kinds/monomers.hpp"
#include "kernels/method.hpp"
#include "src/input/sound_options.hpp"
#include "src/machine/resources.hpp"
#include "src/text/format_number.hpp"
#include "src/text/ground_state_text.hpp"

namespace countpm {

namespace {

bool is_matrix(const Instance& instance, const InputInfo& input) {
  const bool format = input.format == Format::matrix_market || input.format == Format::dense;
  return format && !input.lattice && instance.kind == GraphKind::bipartite;
}

}  // namespace

std::string side_name(const Instance& instance, const InputInfo& input, bool rows) {
  if (instance.problem == Problem::cycle_covers) return rows ? "tails" : "heads";
  if (is_matrix(instance, input)) return rows ? "rows" : "columns";
  return rows ? "left" : "right";
}

ViolatorReport report_violator(const Instance& instance, const InputInfo& input,
                               const HallViolator& violator) {
  ViolatorReport report;
  report.side = side_name(instance, input, violator.of_rows);
  const auto label = [&](Index i, bool row) {
    return row ? instance.row_label(i) : instance.column_label(i);
  };
  for (const Index i : violator.vertices) report.vertices.push_back(label(i, violator.of_rows));
  for (const Index i : violator.neighbours) report.neighbours.push_back(label(i, !violator.of_rows));
  return report;
}

ViolatorReport report_violator(const Instance& instance, const TutteViolator& violator) {
  ViolatorReport report;
  report.side = "vertices";
  for (const Index v : violator.removed) report.neighbours.push_back(instance.row_label(v));
  for (const std::vector<Index>& component : violator.odd_components) {
    std::vector<std::string>& labels = report.odd_components.emplace_back();
    for (const Index v : component) labels.push_back(instance.row_label(v));
    report.vertices.insert(report.vertices.end(), labels.begin(), labels.end());
  }
  return report;
}

std::vector<RuleReport> report_rules(const RuleTally& tally) {
  std::vector<RuleReport> report;
  for (const RuleInfo& info : rules())
    report.push_back({std::string(info.name), tally[info.rule].applied, tally[info.rule].removed});
  return report;
}

namespace {

std::string ground_states_note(const GroundStates& states, const Instance& instance) {
  if (!states.weight) return "no perfect matching, and so no ground state";
  const std::uint64_t entries = instance.pattern.entries();
  const std::uint64_t tight = instance.problem == Problem::general_perfect_matchings ? entries / 2 : entries;
  std::string text =
      fmt::format("the {} weight is {}; {} of {} may be in a matching of this weight", name_of(states.which),
                  weight_text(states), tight, counted(tight + states.edges_dropped, "edge"));
  if (states.odd_sets > 0)
    text +=
        fmt::format(", which leaves {} of vertices by one edge each", counted(states.odd_sets, "odd set"));
  return text;
}

std::string surface_note(const DrawnOn& surface) {
  const std::string what = !surface.orientable  ? counted(surface.genus, "crosscap")
                           : surface.genus == 0 ? "a sphere"
                                                : fmt::format("genus {}", surface.genus);
  return fmt::format("drawn on a surface, as {}: {}, {}",
                     surface.file.empty() ? "the input says" : quoted(surface.file, 200) + " says", what,
                     counted(surface.faces, "face"));
}

}  // namespace

std::vector<std::string> report_notes(const Instance& instance, const InputInfo& input,
                                      MatchingSize matchings) {
  std::vector<std::string> notes = input.assumptions;
  const Index rows = instance.pattern.rows;
  const Index columns = instance.pattern.columns;
  const bool other_question = input.degrees || input.ground_states;  // which --maximum is not for
  if (matchings == MatchingSize::perfect && rows != columns &&
      instance.problem == Problem::perfect_matchings && !other_question) {
    notes.push_back(
        is_matrix(instance, input)
            ? fmt::format(
                  "the matrix has {} rows and {} columns: 0, because a perfect matching covers "
                  "every row and every column. --maximum gives the permanent of a rectangular matrix: "
                  "the sum over the ways to give each line of the shorter side another one of the "
                  "longer",
                  rows, columns)
            : fmt::format(
                  "the sides have {} and {} vertices, so that no matching is perfect; --maximum counts "
                  "the largest ones",
                  rows, columns));
  }
  if (matchings == MatchingSize::maximum && is_matrix(instance, input)) {
    const Index shorter = std::min(instance.left_labels.size(), instance.right_labels.size());
    if (instance.free->matching_size < shorter)
      notes.push_back(fmt::format(
          "a maximum matching has {}, fewer than the {} of the shorter side: the matrix's permanent is 0",
          counted(instance.free->matching_size, "edge"), counted(shorter, "line")));
  }
  if (input.drawn_on) notes.push_back(surface_note(*input.drawn_on));
  if (input.ground_states) notes.push_back(ground_states_note(*input.ground_states, instance));
  if (input.degrees && input.degrees->named > 0)
    notes.push_back(fmt::format("vertices with a number of edges of their own: {}; the others have {}",
                                input.degrees->named, input.degrees->degree));
  if (!input.degrees && !input.vertex_degrees.empty())
    notes.push_back(
        fmt::format("vertices that the input gives a number of edges: {}; without --degree it is not used",
                    input.vertex_degrees.size()));
  if (instance.copies != 1) {
    const std::string copies = instance.copies.get_str();
    constexpr std::size_t most_digits = 30;
    notes.push_back(fmt::format(
        "counted as perfect matchings of a larger graph, each set of edges as {} of them",
        copies.size() <= most_digits ? copies : fmt::format("a number of {} digits", copies.size())));
  }
  if (input.zeros_dropped > 0)
    notes.push_back(fmt::format("explicit values of 0 are no edges: {} dropped", input.zeros_dropped));
  if (input.loops_dropped > 0)
    notes.push_back(fmt::format("a loop is in no perfect matching: {} dropped", input.loops_dropped));
  if (input.vertices_removed > 0)
    notes.push_back(fmt::format("vertices removed with their edges: {}", input.vertices_removed));
  if (input.lines_repeated)
    notes.push_back(
        instance.kind == GraphKind::undirected
            ? fmt::format("the graph with its vertices repeated has {} vertices", instance.left_labels.size())
            : fmt::format("the matrix with its lines repeated has {} rows and columns",
                          instance.left_labels.size()));
  if (input.parallel_summed > 0)
    notes.push_back(fmt::format("parallel edges added to their first: {}", input.parallel_summed));
  if (input.repeats_merged > 0)
    notes.push_back(fmt::format("edges listed again, taken once: {}", input.repeats_merged));
  return notes;
}

namespace {

/// Whether all entries are above the diagonal, or all below.
bool is_strictly_triangular(const Graph& graph) {
  const auto all = [&](const auto& test) {
    return std::all_of(graph.edges.begin(), graph.edges.end(), test);
  };
  return !graph.edges.empty() && (all([](const Edge& e) { return e.from < e.to; }) ||
                                  all([](const Edge& e) { return e.from > e.to; }));
}

std::string shape_warning(const ReadResult& read, const ReadOptions& read_options) {
  const Graph& graph = read.graph;
  const std::string name = quoted(read.info.path, 400);
  const Index rows = graph.left_labels.size();
  const Index columns = graph.right_labels.size();
  if (graph.kind == GraphKind::bipartite && rows != columns) {
    const bool sets = read.info.format == Format::dense && graph.weight_kind == WeightKind::none;
    return fmt::format(
        "{}: a matrix of {} rows and {} columns has no perfect matching: the count is 0 whatever its "
        "entries. "
        "{}--maximum counts its permanent",
        name, rows, columns,
        sets ? "--kind hyper counts the exact covers (rows that have each column's 1 once), " : "");
  }
  if (graph.kind == GraphKind::undirected || read_options.kind || !is_strictly_triangular(graph)) return "";
  return fmt::format(
      "{}: all entries are on one side of the diagonal, and the permanent of such a matrix is 0; --kind "
      "undirected "
      "takes it for half of the symmetric matrix of a graph (--kind bipartite for what it is)",
      name);
}

}  // namespace

void warn_of_shape(ReadResult& read, const ReadOptions& read_options, MatchingSize matchings) {
  const Graph& graph = read.graph;
  InputInfo& info = read.info;
  const bool matrix = !info.lattice && !info.memory &&
                      (info.format == Format::dense || info.format == Format::matrix_market ||
                       info.format == Format::npy || info.format == Format::npz);
  const bool other_question = matchings != MatchingSize::perfect || graph.monomers || graph.covers ||
                              info.degrees || info.ground_states;
  if (!matrix || other_question) return;
  std::string warning = shape_warning(read, read_options);
  if (warning.empty()) return;
  if (read_options.strict)
    throw InputError(info.path, 0, "an input that has one reading, as --strict says", warning);
  if (read_options.warn) read_options.warn(warning);
  info.warnings.push_back(std::move(warning));
}

void summarise_input(const Graph& graph, const InputInfo& input, InputSummary& summary) {
  summary.input = input;
  summary.kind = graph.kind;
  summary.vertices = graph.left_labels.size();
  if (graph.kind == GraphKind::bipartite) summary.vertices += graph.right_labels.size();
  summary.vertices -= graph.tiles;
  summary.sets = graph.tiles;
  summary.edges = graph.edges.size();
  summary.weighted = graph.weight_kind != WeightKind::none && !graph.digit;
  if (graph.monomers)
    summary.edges -= static_cast<std::uint64_t>(
        std::count_if(graph.edges.begin(), graph.edges.end(), [&](const Edge& edge) {
          return edge.from == edge.to || std::max(edge.from, edge.to) >= summary.vertices;
        }));
  if (input.ground_states) summary.edges += input.ground_states->edges_dropped;
  if (input.degrees) {
    summary.vertices = input.degrees->vertices;
    summary.edges = input.degrees->edges;
  }
}

void report_problem(const Instance& instance, MatchingSize matchings, InputSummary& summary) {
  summary.problem = instance.problem;
  if (instance.free)
    summary.matched = MatchedVertices{matchings, instance.free->matching_size, instance.free->number};
}

ReadResult in_memory(Graph graph) {
  ReadResult read;
  read.graph = std::move(graph);
  read.info.path = "<graph>";
  read.info.memory = true;
  return read;
}

namespace {

void check_modulo(const CountOptions& options) {
  const mpz_class most = mpz_class(1) << 64U;
  for (const mpz_class& modulus : options.modulo) {
    if (modulus < 2 || modulus > most)
      throw UsageError(fmt::format("modulo {}: expected a number from 2 to 2^64{}", modulus.get_str(),
                                   modulus == 1 ? ", since modulo 1 every count is 0" : ""));
  }
}

}  // namespace

void check_settings(const CountOptions& options, bool takes_settings) {
  if (takes_settings) {
    check_modulo(options);
    options.settings.check(options.method, options.device);
    const bool grid = options.settings.number(Setting::grid).has_value();
    if (grid && options.double_check)
      throw UsageError("the double-check is by another method: the setting grid and it exclude each other");
    return;
  }
  if (!options.modulo.empty())
    throw UsageError("residues modulo a number exist only for counts, and explain");
  if (!options.settings.empty()) throw UsageError("settings apply only to counts, and explain");
}

void check_options(const CountOptions& options, bool takes_settings) {
  check_numbers(options);
  if (options.assumed.any())
    throw UsageError(
        "a machine is assumed: only explain() forecasts for one, and nothing can be counted on it");
  if (options.method != "auto") method_named(options.method);
  check_settings(options, takes_settings);
  if (options.device != "auto" && options.device != "cpu" && options.device != "gpu") {
    throw UsageError(
        fmt::format("unknown device '{}'; the devices are: auto, cpu, gpu", quoted(options.device)));
  }
  if (options.gpus < 0) throw UsageError(fmt::format("{} GPUs: expected 0 or more", options.gpus));
  if (options.gpus > 0 && options.device == "cpu")
    throw UsageError(fmt::format("--gpus {} and --device cpu exclude each other", options.gpus));
  // Before the input is read: a GPU that is not there is told at once.
  if (options.device == "gpu" || options.gpus > 0) choose_gpus(options);
  // The error bounds of kernels/arithmetic/running_error.hpp are kept in doubles, whose range ends there.
  constexpr unsigned most_bits = 900;
  const FloatArithmetic& arithmetic = options.arithmetic;
  if (arithmetic.choice == FloatChoice::mpfr && (arithmetic.bits < 24 || arithmetic.bits > most_bits))
    throw UsageError(fmt::format("an arithmetic of {} bits: expected 24 to {}", arithmetic.bits, most_bits));
  if (arithmetic.choice != FloatChoice::mpfr && arithmetic.bits != 0)
    throw UsageError(
        fmt::format("an arithmetic of doubles with {} bits: only MPFR takes them", arithmetic.bits));
}

}  // namespace countpm
