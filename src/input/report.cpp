#include "src/input/report.hpp"

#include <fmt/format.h>

#include <utility>

#include "kernels/method.hpp"
#include "src/input/sound_options.hpp"
#include "src/machine/resources.hpp"

namespace countpm {

std::string side_name(const Instance& instance, const InputInfo& input, bool rows) {
  if (instance.problem == Problem::cycle_covers) return rows ? "tails" : "heads";
  const bool matrix = input.format == Format::matrix_market || input.format == Format::dense;
  if (matrix && !input.lattice && instance.kind == GraphKind::bipartite) return rows ? "rows" : "columns";
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

std::vector<std::string> report_notes(const Instance& instance, const InputInfo& input) {
  std::vector<std::string> notes;
  if (instance.pattern.rows != instance.pattern.columns && instance.problem == Problem::perfect_matchings) {
    notes.push_back(fmt::format("the sides have {} and {} vertices, so that no matching is perfect",
                                instance.pattern.rows, instance.pattern.columns));
  }
  if (input.zeros_dropped > 0)
    notes.push_back(fmt::format("explicit values of 0 are no edges: {} dropped", input.zeros_dropped));
  if (input.loops_dropped > 0)
    notes.push_back(fmt::format("a loop is in no perfect matching: {} dropped", input.loops_dropped));
  if (input.vertices_removed > 0)
    notes.push_back(fmt::format("vertices removed with their edges: {}", input.vertices_removed));
  if (input.parallel_summed > 0)
    notes.push_back(fmt::format("parallel edges added to their first: {}", input.parallel_summed));
  return notes;
}

void summarise_input(const Graph& graph, const InputInfo& input, InputSummary& summary) {
  summary.input = input;
  summary.kind = graph.kind;
  summary.vertices = graph.left_labels.size();
  if (graph.kind == GraphKind::bipartite) summary.vertices += graph.right_labels.size();
  summary.edges = graph.edges.size();
}

ReadResult in_memory(Graph graph) {
  ReadResult read;
  read.graph = std::move(graph);
  read.info.path = "<graph>";
  read.info.memory = true;
  return read;
}

void check_options(const CountOptions& options) {
  check_numbers(options);
  if (options.method != "auto") method_named(options.method);
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
  if (options.precision_bits != 0 && (options.precision_bits < 24 || options.precision_bits > most_bits)) {
    throw UsageError(
        fmt::format("a precision of {} bits: expected 24 to {}", options.precision_bits, most_bits));
  }
}

}  // namespace countpm
