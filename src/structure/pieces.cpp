#include "src/structure/pieces.hpp"

#include <span>
#include <type_traits>

#include "matching/line_groups.hpp"
#include "src/structure/analysis.hpp"
#include "src/structure/block_rotations.hpp"

namespace countpm {
namespace {

// Where every row and column goes, and which entries are left out although both their ends go to one piece.
struct Cuts {
  const std::vector<Index>& row_piece;
  const std::vector<Index>& column_piece;
  Index pieces;
  const std::vector<bool>& left_out;  // may be empty
};

template <class Value>
class Cutter {
 public:
  Cutter(const Instance& instance, const Cuts& cuts)
      : instance_(instance),
        cuts_(cuts),
        rows_(group_lines(cuts.row_piece, cuts.pieces)),
        columns_(group_lines(cuts.column_piece, cuts.pieces)),
        number_(columns_.numbers()),
        rotations_(instance) {}

  // The piece's rows by the columns of the same piece.
  Piece cut(Index piece, bool general) {
    Block<Value> block;
    block.general = general;
    block.monomers = instance_.problem == Problem::matchings;
    const std::span<const Index> rows = rows_[piece];
    const std::span<const Index> columns = columns_[piece];
    block.matrix.rows = static_cast<Index>(rows.size());
    block.matrix.columns = static_cast<Index>(columns.size());
    Piece result;
    const SparsePattern& pattern = instance_.pattern;
    for (const Index i : rows) {
      for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k) {
        const Index j = pattern.column[k];
        if (cuts_.column_piece[j] != piece || (!cuts_.left_out.empty() && cuts_.left_out[k])) continue;
        block.matrix.column.push_back(number_[j]);
        block.matrix.value.push_back(value(k));
        result.entries.push_back(k);
      }
      block.matrix.row_start.push_back(block.matrix.column.size());
    }
    if (instance_.rotations && !block.monomers) {
      std::vector<Index> vertices(rows.begin(), rows.end());
      for (const Index j : columns) {
        if (!general) vertices.push_back(pattern.rows + j);
      }
      block.rotations = rotations_.of(block.matrix, general, vertices);
    }
    result.block = std::move(block);
    result.rows.assign(rows.begin(), rows.end());
    if (!general) result.columns.assign(columns.begin(), columns.end());
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
  const Cuts& cuts_;
  LineGroups rows_;
  LineGroups columns_;
  std::vector<Index> number_;  // of every column, inside its piece
  BlockRotations rotations_;
};

template <class Value>
Pieces cut_as(const Instance& instance, const Cuts& cuts) {
  const bool monomers = instance.problem == Problem::matchings;
  const bool general = instance.problem == Problem::general_perfect_matchings || monomers;
  Cutter<Value> cutter(instance, cuts);
  Pieces result;
  for (Index p = 0; p < cuts.pieces; ++p) {
    Piece piece = cutter.cut(p, general);
    if (!monomers && piece.rows.size() == (general ? 2 : 1)) {
      result.forced.insert(result.forced.end(), piece.entries.begin(), piece.entries.end());
    } else {
      result.pieces.push_back(std::move(piece));
    }
  }
  return result;
}

Pieces cut(const Instance& instance, const Cuts& cuts) {
  if (std::holds_alternative<std::vector<mpq_class>>(instance.values))
    return cut_as<mpq_class>(instance, cuts);
  if (std::holds_alternative<std::vector<ComplexRational>>(instance.values))
    return cut_as<ComplexRational>(instance, cuts);
  return cut_as<std::int64_t>(instance, cuts);
}

}  // namespace

Pieces cut_pieces(const Instance& instance, const BlockDecomposition& decomposition) {
  return cut(instance, {decomposition.row_block, decomposition.column_block, decomposition.blocks, {}});
}

Pieces cut_pieces(const Instance& instance, const GeneralStructure& structure) {
  return cut(instance, {structure.component, structure.component, structure.components, structure.forbidden});
}

Pieces cut_pieces(const Instance& instance, const Analysis& analysis) {
  if (const auto* general = std::get_if<GeneralStructure>(&analysis.structure))
    return cut_pieces(instance, *general);
  return cut_pieces(instance, std::get<Structure>(analysis.structure).decomposition);
}

}  // namespace countpm
