#include "src/structure/analysis.hpp"

#include <utility>

#include "src/input/report.hpp"

namespace countpm {

Analysis analyse(const Instance& instance, const InputInfo& input, const Poll& poll,
                 std::vector<std::string>& notes) {
  Analysis analysis;
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
    return analysis;
  }
  Structure structure = analyse(instance.pattern);
  analysis.matching_size = structure.matching.size;
  if (structure.violator) analysis.violator = report_violator(instance, input, *structure.violator);
  analysis.blocks = structure.decomposition.blocks;
  analysis.entries_dropped = structure.decomposition.entries_dropped;
  analysis.structure = std::move(structure);
  return analysis;
}

}  // namespace countpm
