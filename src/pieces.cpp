#include "src/pieces.hpp"

#include <numeric>
#include <type_traits>

namespace countpm {
namespace {

struct Lines {
  std::vector<std::vector<Index>> members;  // of every piece, ascending
  std::vector<Index> number;                // of every line, inside its piece
};

Lines lines_of(const std::vector<Index>& piece_of, Index pieces) {
  Lines lines{std::vector<std::vector<Index>>(pieces), std::vector<Index>(piece_of.size())};
  for (Index i = 0; i < piece_of.size(); ++i) {
    std::vector<Index>& members = lines.members[piece_of[i]];
    lines.number[i] = static_cast<Index>(members.size());
    members.push_back(i);
  }
  return lines;
}

template <class Value>
class Cutter {
 public:
  Cutter(const Instance& instance, const std::vector<Index>& column_piece, const Lines& columns)
      : instance_(instance), column_piece_(column_piece), columns_(columns) {}

  // The piece's rows by the columns of the same piece.
  Piece cut(Index piece, const std::vector<Index>& rows, bool general) const {
    Block<Value> block;
    block.general = general;
    block.matrix.rows = static_cast<Index>(rows.size());
    block.matrix.columns = static_cast<Index>(columns_.members[piece].size());
    Piece result;
    const SparsePattern& pattern = instance_.pattern;
    for (const Index i : rows) {
      for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k) {
        const Index j = pattern.column[k];
        if (column_piece_[j] != piece) continue;
        block.matrix.column.push_back(columns_.number[j]);
        block.matrix.value.push_back(value(k));
        result.entries.push_back(k);
      }
      block.matrix.row_start.push_back(block.matrix.column.size());
    }
    result.block = std::move(block);
    result.rows = rows;
    if (!general) result.columns = columns_.members[piece];
    return result;
  }

 private:
  Value value(std::uint64_t entry) const {
    if constexpr (std::is_same_v<Value, std::int64_t>) {
      if (std::holds_alternative<std::monostate>(instance_.values)) return 1;
    }
    return std::get<std::vector<Value>>(instance_.values)[entry];
  }

  const Instance& instance_;
  const std::vector<Index>& column_piece_;
  const Lines& columns_;
};

template <class Value>
Pieces cut_as(const Instance& instance, const std::vector<Index>& row_piece,
              const std::vector<Index>& column_piece, Index pieces, bool general) {
  const Lines rows = lines_of(row_piece, pieces);
  const Lines columns = general ? rows : lines_of(column_piece, pieces);
  const Cutter<Value> cutter(instance, column_piece, columns);
  Pieces result;
  for (Index p = 0; p < pieces; ++p) {
    Piece piece = cutter.cut(p, rows.members[p], general);
    const bool one_edge = general ? piece.rows.size() == 2 : piece.rows.size() == 1;
    if (one_edge) {
      result.forced.push_back(piece.entries.front());
    } else {
      result.pieces.push_back(std::move(piece));
    }
  }
  return result;
}

Pieces cut(const Instance& instance, const std::vector<Index>& row_piece,
           const std::vector<Index>& column_piece, Index pieces, bool general) {
  if (std::holds_alternative<std::vector<mpq_class>>(instance.values))
    return cut_as<mpq_class>(instance, row_piece, column_piece, pieces, general);
  if (std::holds_alternative<std::vector<ComplexRational>>(instance.values))
    return cut_as<ComplexRational>(instance, row_piece, column_piece, pieces, general);
  return cut_as<std::int64_t>(instance, row_piece, column_piece, pieces, general);
}

}  // namespace

Pieces cut_pieces(const Instance& instance, const BlockDecomposition& decomposition) {
  return cut(instance, decomposition.row_block, decomposition.column_block, decomposition.blocks, false);
}

Pieces cut_components(const Instance& instance) {
  const SparsePattern& pattern = instance.pattern;
  std::vector<Index> component(pattern.rows, no_index);
  std::vector<Index> queue;
  Index components = 0;
  for (Index root = 0; root < pattern.rows; ++root) {
    if (component[root] != no_index) continue;
    component[root] = components;
    queue.assign(1, root);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Index v = queue[head];
      for (std::uint64_t k = pattern.row_start[v]; k < pattern.row_start[v + std::uint64_t{1}]; ++k) {
        const Index u = pattern.column[k];
        if (component[u] != no_index) continue;
        component[u] = components;
        queue.push_back(u);
      }
    }
    ++components;
  }
  return cut(instance, component, component, components, true);
}

}  // namespace countpm
