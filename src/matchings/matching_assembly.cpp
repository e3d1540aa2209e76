#include "src/matchings/matching_assembly.hpp"

#include <algorithm>

#include "src/matchings/matching_labels.hpp"

namespace countpm {
namespace {

// Of the memory limit.
constexpr std::uint64_t draws_divisor = 4;
constexpr std::uint64_t most_batch = 65536;

}  // namespace

MatchingAssembly::MatchingAssembly(const PassInput& input) : input_(input) {
  const SparsePattern& pattern = input.instance.pattern;
  mate_.assign(pattern.rows, no_index);
  for (const std::uint64_t entry : input.pieces.forced) {
    const auto after = std::upper_bound(pattern.row_start.begin(), pattern.row_start.end(), entry);
    join(static_cast<Index>(after - pattern.row_start.begin()) - 1, pattern.column[entry]);
  }
}

void MatchingAssembly::put(const Piece& piece, const PairList& pairs) {
  const std::vector<Index>& columns = general() ? piece.rows : piece.columns;
  for (const auto& [row, column] : pairs) join(piece.rows[row], columns[column]);
}

void MatchingAssembly::put(const TreePiece& tree, const std::vector<Index>& mates) {
  const Index rows = input_.instance.pattern.rows;
  for (Index v = 0; v < mates.size(); ++v) {
    const Index line = tree.line[v];
    if (general()) {
      mate_[line] = tree.line[mates[v]];
    } else if (line < rows) {
      mate_[line] = mates[v] == v ? no_index : tree.line[mates[v]] - rows;
    }
  }
}

const std::vector<Edge>& MatchingAssembly::matching() {
  const Instance& instance = input_.instance;
  matching_.clear();
  for (Index i = 0; i < mate_.size(); ++i) {
    if (mate_[i] == no_index || (general() && mate_[i] <= i)) continue;
    const Edge edge{vertex_of_row(instance, i),
                    general() ? vertex_of_row(instance, mate_[i]) : vertex_of_column(instance, mate_[i])};
    // With a vertex that was added: the other one is free.
    if (edge.from != no_index && edge.to != no_index) matching_.push_back(edge);
  }
  return matching_;
}

bool MatchingAssembly::general() const {
  const Problem problem = input_.instance.problem;
  return problem == Problem::general_perfect_matchings || problem == Problem::matchings;
}

void MatchingAssembly::join(Index row, Index column) {
  mate_[row] = column;
  if (general()) mate_[column] = row;
}

void refuse_negative(const Instance& instance) {
  if (!has_negative(instance.values)) return;
  throw UnableError(
      "negative weights are no probabilities to draw with",
      instance.problem == Problem::matchings
          ? "'countpm marginals' takes negative weights"
          : "without --weights every perfect matching is equally likely; 'countpm marginals' takes "
            "negative weights");
}

std::uint64_t most_draws_held(const Resources& resources, Index rows) {
  // A row's column, its pair while drawn, its entry on the path, with room to spare.
  const std::uint64_t bytes_a_draw = 64 * (std::uint64_t{rows} + 4);
  return std::clamp<std::uint64_t>(resources.memory_bytes / draws_divisor / bytes_a_draw, 1, most_batch);
}

}  // namespace countpm
