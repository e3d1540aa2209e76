#include "src/matchings/entry_kinds.hpp"

namespace countpm {
namespace {

// From the unmatched lines of one side over all their entries to the other side, and back by the matching.
void spread_part(const SparsePattern& pattern, const std::vector<Index>& mate,
                 const std::vector<Index>& other_mate, CoarseParts::Part part, std::vector<Index>& own,
                 std::vector<Index>& other) {
  std::vector<Index> waiting;
  for (Index line = 0; line < mate.size(); ++line) {
    if (mate[line] != no_index) continue;
    own[line] = part;
    waiting.push_back(line);
  }
  while (!waiting.empty()) {
    const Index line = waiting.back();
    waiting.pop_back();
    for (std::uint64_t k = pattern.row_start[line]; k < pattern.row_start[line + std::uint64_t{1}]; ++k) {
      const Index next = pattern.column[k];
      if (other[next] == part) continue;
      other[next] = part;
      // Every line here is matched: the matching is maximum.
      own[other_mate[next]] = part;
      waiting.push_back(other_mate[next]);
    }
  }
}

// kind(row, column, entry) of every entry.
template <class Kind>
std::vector<EntryKind> kinds_by(const SparsePattern& pattern, const Kind& kind) {
  std::vector<EntryKind> kinds;
  kinds.reserve(pattern.entries());
  for (Index i = 0; i < pattern.rows; ++i) {
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k)
      kinds.push_back(kind(i, pattern.column[k], k));
  }
  return kinds;
}

std::vector<EntryKind> coarse_kinds(const SparsePattern& pattern, const Matching& matching) {
  const CoarseParts parts(pattern, matching);
  return kinds_by(pattern, [&](Index row, Index column, std::uint64_t) {
    if (parts.row[row] != parts.column[column]) return EntryKind::dropped;
    return parts.row[row] == CoarseParts::square ? EntryKind::square : EntryKind::surplus;
  });
}

std::vector<EntryKind> fine_kinds(const SparsePattern& pattern, const BlockDecomposition& blocks) {
  std::vector<Index> rows(blocks.blocks, 0);
  for (const Index block : blocks.row_block) ++rows[block];
  return kinds_by(pattern, [&](Index row, Index column, std::uint64_t) {
    if (blocks.row_block[row] != blocks.column_block[column]) return EntryKind::dropped;
    return rows[blocks.row_block[row]] == 1 ? EntryKind::forced : EntryKind::shared;
  });
}

std::vector<EntryKind> general_kinds(const SparsePattern& pattern, const GeneralStructure& structure) {
  std::vector<Index> vertices(structure.components, 0);
  for (const Index component : structure.component) ++vertices[component];
  return kinds_by(pattern, [&](Index row, Index, std::uint64_t entry) {
    if (structure.forbidden[entry]) return EntryKind::dropped;
    return vertices[structure.component[row]] == 2 ? EntryKind::forced : EntryKind::shared;
  });
}

}  // namespace

CoarseParts::CoarseParts(const SparsePattern& pattern, const Matching& matching)
    : row(pattern.rows, square), column(pattern.columns, square) {
  const SparsePattern by_column = transpose(pattern);
  spread_part(by_column, matching.column_mate, matching.row_mate, wide, column, row);
  spread_part(pattern, matching.row_mate, matching.column_mate, tall, row, column);
}

std::vector<EntryKind> entry_kinds(const Instance& instance, const Analysis& analysis) {
  const SparsePattern& pattern = instance.pattern;
  if (const auto* structure = std::get_if<Structure>(&analysis.structure)) {
    return structure->violator ? coarse_kinds(pattern, structure->matching)
                               : fine_kinds(pattern, structure->decomposition);
  }
  const auto& structure = std::get<GeneralStructure>(analysis.structure);
  if (structure.violator) return std::vector<EntryKind>(pattern.entries(), EntryKind::unknown);
  return general_kinds(pattern, structure);
}

}  // namespace countpm
