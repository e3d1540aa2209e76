#include "src/structure/analysis.hpp"

#include <utility>

#include "matching/counted_components.hpp"
#include "matching/counted_trees.hpp"
#include "src/input/report.hpp"
#include "src/structure/instance_to_count.hpp"

namespace countpm {
namespace {

/// Precondition: a column is unmatched.
HallViolator violator_of_columns(const SparsePattern& pattern, const Matching& matching) {
  HallViolator violator =
      hall_violator(transpose(pattern), {matching.column_mate, matching.row_mate, matching.size});
  violator.of_rows = false;
  return violator;
}

/// Every edge is in some matching: the components alone.
GeneralStructure components_of(const SparsePattern& graph) {
  Sides sides = two_colour(graph, {});
  GeneralStructure structure;
  structure.components = sides.components;
  structure.component = std::move(sides.component);
  return structure;
}

}  // namespace

Instance instance_of(Graph graph, MatchingSize matchings) {
  return with_free_vertices(to_instance(std::move(graph)), matchings);
}

Instance instance_to_count(Graph graph, const Options& options) {
  const bool whole = reductions_of(options).whole;
  if (graph.letters && whole)
    throw UsageError(
        "structure=off and weights with letters exclude each other: a polynomial is made of blocks");
  if (graph.letters || whole) return instance_of(std::move(graph), options.matchings);
  // Of a graph with monomers; methods take smaller trees in milliseconds.
  constexpr Index least_tree = 1000;
  Instance instance = to_instance(std::move(graph));
  if (instance.problem != Problem::matchings || options.matchings != MatchingSize::perfect)
    return with_trees_counted(std::move(instance), options.matchings);
  return instance.letter_bits == 0 ? with_components_counted(std::move(instance), least_tree) : instance;
}

Analysis analyse(const Instance& instance, const InputInfo& input, const Poll& poll,
                 std::vector<std::string>& notes, MatchingSize matchings) {
  Analysis analysis;
  if (beyond_perfect_matchings(instance.problem)) {
    GeneralStructure structure = components_of(instance.pattern);
    analysis.blocks = structure.components;
    analysis.structure = std::move(structure);
    return analysis;
  }
  if (instance.problem == Problem::general_perfect_matchings) {
    GeneralStructure structure = analyse_general(instance.pattern, poll);
    analysis.matching_size = structure.matching.size;
    if (structure.violator) analysis.violator = report_violator(instance, *structure.violator);
    analysis.blocks = structure.components;
    analysis.entries_dropped = structure.edges_dropped;
    if (!structure.complete)
      notes.emplace_back(
          "the graph is too large to look for all edges that are in no perfect matching: some are kept");
    analysis.structure = std::move(structure);
    if (instance.free) analysis.matching_size = instance.free->matching_size;
    return analysis;
  }
  Structure structure = analyse(instance.pattern);
  analysis.matching_size = structure.matching.size;
  if (structure.violator) {
    const bool columns_alone =
        matchings == MatchingSize::smaller_side && instance.pattern.rows > instance.pattern.columns;
    if (columns_alone) structure.violator = violator_of_columns(instance.pattern, structure.matching);
    analysis.violator = report_violator(instance, input, *structure.violator);
  }
  analysis.blocks = structure.decomposition.blocks;
  analysis.entries_dropped = structure.decomposition.entries_dropped;
  analysis.structure = std::move(structure);
  if (instance.free) analysis.matching_size = instance.free->matching_size;
  return analysis;
}

}  // namespace countpm
