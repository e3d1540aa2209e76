#include "kernels/low_rank/decomposition.hpp"

#include <algorithm>

#include "graph/stop_poll.hpp"

namespace countpm::low_rank {
namespace {

/// into[j] -= factor from[j].
void subtract(const PrimeRing& ring, std::uint64_t* into, std::uint64_t factor, const std::uint64_t* from,
              std::uint64_t size) {
  if (factor == 0) return;
  for (std::uint64_t j = 0; j < size; ++j) into[j] = ring.sub(into[j], ring.mul(factor, from[j]));
}

/// What the rows of a symmetric matrix leave beside its diagonal when some of them are eliminated: the k-th
/// pivot stands in row rows[k], column columns[k], and no vertex is in both lists. `forbidden` is in neither.
class OffDiagonal {
 public:
  OffDiagonal(const PrimeRing& ring, const DenseMatrix& matrix, Index forbidden)
      : ring_(ring), matrix_(matrix), forbidden_(forbidden), used_(matrix.rows, 0) {}

  /// Pivots until there are no more, or `most` of them. False where there would be more than `limit`.
  bool eliminate(std::uint64_t most, std::uint64_t limit) {
    StopPoll poll;
    const std::uint64_t n = matrix_.rows;
    for (std::uint64_t u = 0; u < n && pivots_ < most; ++u) {
      if (u == forbidden_ || used_[u] != 0) continue;
      std::vector<std::uint64_t> row = rest_of(u);
      poll.steps(n * (pivots_ + 1));
      std::uint64_t v = 0;
      while (v < n && (row[v] == 0 || v == u || v == forbidden_ || used_[v] != 0)) ++v;
      if (v == n) continue;
      if (pivots_ == limit) return false;
      const std::uint64_t inverse = ring_.inverse(row[v]);
      for (std::uint64_t& entry : row) entry = ring_.mul(entry, inverse);
      rows_.push_back(std::move(row));
      columns_.push_back(static_cast<Index>(v));
      used_[u] = used_[v] = 1;
      ++pivots_;
    }
    return true;
  }

  std::uint64_t pivots() const { return pivots_; }
  bool uses(std::uint64_t v) const { return used_[v] != 0; }
  /// What makes v's row a combination of the pivots' rows at v, too.
  std::uint64_t entry_at(std::uint64_t v) const { return ring_.neg(rest_of(v)[v]); }

 private:
  /// Row u less the pivots' rows, its entry on the diagonal taken for 0. Right beside the diagonal, but in
  /// columns of vertices whose rows are pivots.
  std::vector<std::uint64_t> rest_of(std::uint64_t u) const {
    std::vector<std::uint64_t> row(matrix_.row(u), matrix_.row(u) + matrix_.columns);
    row[u] = 0;
    for (std::size_t k = 0; k < rows_.size(); ++k)
      subtract(ring_, row.data(), row[columns_[k]], rows_[k].data(), row.size());
    return row;
  }

  const PrimeRing& ring_;
  const DenseMatrix& matrix_;
  Index forbidden_;
  std::vector<char> used_;
  std::uint64_t pivots_ = 0;
  std::vector<std::vector<std::uint64_t>> rows_;  // of pivots, divided by them
  std::vector<Index> columns_;
};

}  // namespace

std::optional<Decomposition> decompose(const PrimeRing& ring, const DenseMatrix& matrix,
                                       std::uint64_t most_rank) {
  Decomposition found;
  std::vector<std::vector<std::uint64_t>> basis;  // rows with 1 in their pivot's column
  std::vector<std::vector<std::uint64_t>>
      combination;  // of the pivots' rows of the matrix, for each of the basis
  std::vector<std::uint64_t> column;
  std::vector<std::vector<std::uint64_t>> left(matrix.rows);
  StopPoll poll;
  for (std::uint64_t i = 0; i < matrix.rows; ++i) {
    std::vector<std::uint64_t> row(matrix.row(i), matrix.row(i) + matrix.columns);
    std::vector<std::uint64_t> taken(basis.size(), 0);
    for (std::size_t k = 0; k < basis.size(); ++k) {
      const std::uint64_t factor = row[column[k]];
      subtract(ring, row.data(), factor, basis[k].data(), row.size());
      for (std::size_t a = 0; factor != 0 && a < combination[k].size(); ++a)
        taken[a] = ring.add(taken[a], ring.mul(factor, combination[k][a]));
    }
    poll.steps(matrix.columns * (basis.size() + 1));
    const auto pivot = std::find_if(row.begin(), row.end(), [](std::uint64_t entry) { return entry != 0; });
    if (pivot == row.end()) {
      left[i] = std::move(taken);
      continue;
    }
    if (basis.size() == most_rank) return std::nullopt;
    const std::uint64_t inverse = ring.inverse(*pivot);
    column.push_back(static_cast<std::uint64_t>(pivot - row.begin()));
    for (std::uint64_t& entry : row) entry = ring.mul(entry, inverse);
    basis.push_back(std::move(row));
    // (row i - the combination taken) / pivot.
    for (std::uint64_t& entry : taken) entry = ring.mul(ring.neg(entry), inverse);
    taken.push_back(inverse);
    combination.push_back(std::move(taken));
    left[i].assign(basis.size(), 0);
    left[i].back() = ring.one();
    found.pivot_rows.push_back(static_cast<Index>(i));
  }
  found.rank = basis.size();
  found.left = DenseMatrix(matrix.rows, found.rank);
  for (std::uint64_t i = 0; i < matrix.rows; ++i)
    std::copy(left[i].begin(), left[i].end(),
              found.left.value.begin() + static_cast<std::ptrdiff_t>(i * found.rank));
  found.right = DenseMatrix(found.rank, matrix.columns);
  for (std::uint64_t a = 0; a < found.rank; ++a)
    std::copy(matrix.row(found.pivot_rows[a]), matrix.row(found.pivot_rows[a]) + matrix.columns,
              found.right.value.begin() + static_cast<std::ptrdiff_t>(a * matrix.columns));
  return found;
}

std::vector<Index> own_rows(const Decomposition& decomposition) {
  // A pivot's row that no other row needs.
  std::vector<std::uint64_t> uses(decomposition.rank, 0);
  for (std::uint64_t i = 0; i < decomposition.left.rows; ++i) {
    for (std::uint64_t a = 0; a < decomposition.rank; ++a) {
      if (decomposition.left.at(i, a) != 0) ++uses[a];
    }
  }
  std::vector<Index> own;
  for (std::uint64_t a = 0; a < decomposition.rank; ++a) {
    if (uses[a] == 1) own.push_back(decomposition.pivot_rows[a]);
  }
  return own;
}

std::optional<std::vector<std::uint64_t>> small_rank_diagonal(const PrimeRing& ring,
                                                              const DenseMatrix& matrix,
                                                              std::uint64_t most_rank) {
  OffDiagonal all(ring, matrix, no_index);
  if (!all.eliminate(~std::uint64_t{0}, most_rank)) return std::nullopt;
  std::vector<std::uint64_t> diagonal(matrix.rows, 0);
  for (std::uint64_t v = 0; v < matrix.rows; ++v) {
    if (!all.uses(v)) {
      diagonal[v] = all.entry_at(v);
      continue;
    }
    OffDiagonal others(ring, matrix, static_cast<Index>(v));
    others.eliminate(all.pivots(), most_rank);
    if (others.pivots() == all.pivots()) diagonal[v] = others.entry_at(v);
  }
  return diagonal;
}

std::optional<SymmetricDecomposition> decompose_symmetric(const PrimeRing& ring, DenseMatrix matrix,
                                                          std::uint64_t most_rank) {
  const std::uint64_t n = matrix.rows;
  std::vector<std::vector<std::uint64_t>> letters;
  SymmetricDecomposition found;
  StopPoll poll;
  std::uint64_t from = 0;  // rows before it are 0
  for (;;) {
    // c = e_u with an entry on the diagonal, or e_u + e_v with one beside it: g = A c, A -= g g^T / c^T A c.
    std::uint64_t u = from;
    while (u < n && matrix.at(u, u) == 0) ++u;
    std::vector<std::uint64_t> g;
    std::uint64_t square = 0;
    if (u < n) {
      g.assign(matrix.row(u), matrix.row(u) + n);
      square = matrix.at(u, u);
    } else {
      std::uint64_t v = n;
      for (u = from; u < n; ++u) {
        const std::uint64_t* const row = matrix.row(u);
        v = static_cast<std::uint64_t>(std::find_if(row, row + n, [](std::uint64_t e) { return e != 0; }) -
                                       row);
        if (v < n) break;
        from = u + 1;
      }
      if (u >= n) break;
      g.assign(matrix.row(u), matrix.row(u) + n);
      for (std::uint64_t j = 0; j < n; ++j) g[j] = ring.add(g[j], matrix.at(v, j));
      square = ring.add(matrix.at(u, v), matrix.at(u, v));
    }
    if (letters.size() == most_rank) return std::nullopt;
    const std::uint64_t inverse = ring.inverse(square);
    for (std::uint64_t i = 0; i < n; ++i) {
      poll.steps(n);
      subtract(ring, matrix.value.data() + i * n, ring.mul(g[i], inverse), g.data(), n);
    }
    letters.push_back(std::move(g));
    found.diagonal.push_back(inverse);
  }
  found.rank = letters.size();
  found.factor = DenseMatrix(n, found.rank);
  for (std::uint64_t a = 0; a < found.rank; ++a) {
    for (std::uint64_t i = 0; i < n; ++i) found.factor.at(i, a) = letters[a][i];
  }
  return found;
}

}  // namespace countpm::low_rank
