#include "kernels/low_rank/block_shape.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "graph/errors.hpp"
#include "kernels/arithmetic/ring_values.hpp"
#include "matching/pattern_of.hpp"

namespace countpm::low_rank {
namespace {

/// The matrix as ring elements, every column once; of a graph with an empty diagonal, and the weights of
/// vertices that stay alone.
struct Values {
  DenseMatrix matrix;
  std::vector<std::uint64_t> alone;
};

Values values_of(const PrimeRing& ring, const AnyBlock& block) {
  const SparsePattern& pattern = pattern_of(block);
  const RingValues<PrimeRing> given = ring_values(ring, block);
  const bool general = is_general(block);
  Values values{DenseMatrix(pattern.rows, pattern.columns), {}};
  if (general) values.alone.assign(pattern.rows, 0);
  for (Index i = 0; i < pattern.rows; ++i) {
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k) {
      const Index j = pattern.column[k];
      (general && i == j ? values.alone[i] : values.matrix.at(i, j)) = given.value[k];
    }
  }
  return values;
}

std::uint64_t multiplicity_of(const AnyBlock& block, Index column) {
  return std::visit([&](const auto& given) { return std::uint64_t{given.multiplicity_of(column)}; }, block);
}

std::vector<Index> all_but(std::uint64_t size, const std::vector<Index>& left_out) {
  std::vector<bool> out(size, false);
  for (const Index v : left_out) out[v] = true;
  std::vector<Index> others;
  for (std::uint64_t v = 0; v < size; ++v) {
    if (!out[v]) others.push_back(static_cast<Index>(v));
  }
  return others;
}

DenseMatrix part_of(const DenseMatrix& matrix, const std::vector<Index>& rows,
                    const std::vector<Index>& columns) {
  DenseMatrix part(rows.size(), columns.size());
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    for (std::uint64_t j = 0; j < columns.size(); ++j) part.at(i, j) = matrix.at(rows[i], columns[j]);
  }
  return part;
}

DenseMatrix transposed(const DenseMatrix& matrix) {
  DenseMatrix turned(matrix.columns, matrix.rows);
  for (std::uint64_t i = 0; i < matrix.rows; ++i) {
    for (std::uint64_t j = 0; j < matrix.columns; ++j) turned.at(j, i) = matrix.at(i, j);
  }
  return turned;
}

/// Takes rows of their own from `body` to `beside`, at most so many there; whether there was one.
bool take_own(const Decomposition& found, const std::vector<Index>& body, std::vector<Index>& beside,
              const std::vector<bool>& may) {
  bool taken = false;
  for (const Index i : own_rows(found)) {
    if (beside.size() == most_beside || !may[body[i]]) continue;
    beside.push_back(body[i]);
    taken = true;
  }
  return taken;
}

void set_diagonal(const PrimeRing& ring, DenseMatrix& body, bool own_diagonal) {
  if (!own_diagonal) return;
  const auto diagonal = small_rank_diagonal(ring, body, most_rank);
  for (std::uint64_t v = 0; diagonal && v < body.rows; ++v) body.at(v, v) = (*diagonal)[v];
}

std::optional<BlockShape> shape_of_graph(const PrimeRing& ring, const DenseMatrix& matrix, bool monomers,
                                         bool own_diagonal) {
  BlockShape shape;
  shape.general = true;
  shape.monomers = monomers;
  shape.own_diagonal = own_diagonal;
  const std::vector<bool> all(matrix.rows, true);
  for (;;) {
    const std::vector<Index> body = all_but(matrix.rows, shape.rows_beside);
    DenseMatrix part = part_of(matrix, body, body);
    set_diagonal(ring, part, own_diagonal);
    const auto found = decompose(ring, part, most_rank);
    if (!found) return std::nullopt;
    shape.rank = found->rank;
    shape.rows = body.size();
    if (!take_own(*found, body, shape.rows_beside, all)) return shape;
  }
}

std::optional<BlockShape> shape_of_matrix(const PrimeRing& ring, const AnyBlock& block,
                                          const DenseMatrix& matrix) {
  BlockShape shape;
  std::vector<bool> single(matrix.columns, false);
  for (std::uint64_t j = 0; j < matrix.columns; ++j)
    single[j] = multiplicity_of(block, static_cast<Index>(j)) == 1;
  const std::vector<bool> all(matrix.rows, true);
  for (;;) {
    const std::vector<Index> rows = all_but(matrix.rows, shape.rows_beside);
    const std::vector<Index> columns = all_but(matrix.columns, shape.columns_beside);
    const DenseMatrix body = part_of(matrix, rows, columns);
    const auto by_rows = decompose(ring, body, most_rank);
    if (!by_rows) return std::nullopt;
    shape.rank = by_rows->rank;
    shape.rows = rows.size();
    shape.columns = 0;
    for (const Index j : columns) shape.columns += multiplicity_of(block, j);
    if (take_own(*by_rows, rows, shape.rows_beside, all)) continue;
    const auto by_columns = decompose(ring, transposed(body), most_rank);
    if (!by_columns || !take_own(*by_columns, columns, shape.columns_beside, single)) return shape;
  }
}

/// For every set of rows U and of columns V of the matrix, as many: the permanent of what they meet in, at
/// [U][V].
std::vector<std::uint64_t> corner_permanents(const PrimeRing& ring, const DenseMatrix& corner) {
  const std::uint64_t columns_sets = std::uint64_t{1} << corner.columns;
  std::vector<std::uint64_t> permanent(columns_sets << corner.rows, 0);
  permanent[0] = ring.one();
  for (std::uint64_t u = 1; u < std::uint64_t{1} << corner.rows; ++u) {
    const auto row = static_cast<std::uint64_t>(std::countr_zero(u));
    for (std::uint64_t v = 0; v < columns_sets; ++v) {
      if (std::popcount(u) != std::popcount(v)) continue;
      std::uint64_t sum = 0;
      for (std::uint64_t j = 0; j < corner.columns; ++j) {
        if ((v >> j & 1) == 0) continue;
        const std::uint64_t rest = permanent[(u & (u - 1)) * columns_sets + (v & ~(std::uint64_t{1} << j))];
        sum = ring.add(sum, ring.mul(corner.at(row, j), rest));
      }
      permanent[u * columns_sets + v] = sum;
    }
  }
  return permanent;
}

/// For every set of the graph's vertices its loop hafnian.
std::vector<std::uint64_t> corner_hafnians(const PrimeRing& ring, const DenseMatrix& corner,
                                           const std::vector<std::uint64_t>& alone) {
  std::vector<std::uint64_t> hafnian(std::uint64_t{1} << corner.rows, 0);
  hafnian[0] = ring.one();
  for (std::uint64_t u = 1; u < hafnian.size(); ++u) {
    const auto v = static_cast<std::uint64_t>(std::countr_zero(u));
    const std::uint64_t others = u & (u - 1);
    std::uint64_t sum = ring.mul(alone[v], hafnian[others]);
    for (std::uint64_t w = v + 1; w < corner.rows; ++w) {
      if ((others >> w & 1) != 0)
        sum = ring.add(sum, ring.mul(corner.at(v, w), hafnian[others & ~(std::uint64_t{1} << w)]));
    }
    hafnian[u] = sum;
  }
  return hafnian;
}

/// The shape with the rank modulo the prime at hand. It is hardly ever larger (by chance, where the diagonal
/// that is chosen depends on the prime); what takes little memory is counted all the same.
BlockShape with_rank(const BlockShape& shape, std::optional<std::uint64_t> rank, bool lanes) {
  constexpr std::uint64_t little = std::uint64_t{1} << 26;
  BlockShape own = shape;
  own.rank = rank.value_or(most_rank);
  if (!rank || (own.rank > shape.rank && own.bytes(lanes) > std::max(shape.bytes(lanes), little)))
    throw UnableError("low-rank found a smaller rank modulo one prime than modulo another",
                      "--method with another ('countpm explain' shows every method)");
  return own;
}

std::optional<std::uint64_t> permanent_modulo(const PrimeRing& ring, const AnyBlock& block,
                                              const DenseMatrix& matrix, const BlockShape& shape, bool lanes,
                                              WorkMeter& meter) {
  const std::vector<Index> rows = all_but(matrix.rows, shape.rows_beside);
  const std::vector<Index> columns = all_but(matrix.columns, shape.columns_beside);
  const auto found = decompose(ring, part_of(matrix, rows, columns), most_rank);
  const BlockShape own = with_rank(shape, found ? std::optional(found->rank) : std::nullopt, lanes);
  if (meter.spend(rows.size() * columns.size() * (found->rank + 1)) && !meter.look()) return std::nullopt;
  const std::uint64_t letters = own.row_product().letters;

  FormProduct by_rows(own.row_product(), ring, lanes);
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    std::vector<std::uint64_t> form(letters, 0);
    for (std::uint64_t a = 0; a < found->rank; ++a) form[a] = found->left.at(i, a);
    std::vector<std::uint64_t> squares;
    for (const Index c : shape.columns_beside) squares.push_back(matrix.at(rows[i], c));
    if (!by_rows.multiply(form, squares, meter)) return std::nullopt;
  }
  FormProduct by_columns(own.column_product(), ring, lanes);
  for (std::uint64_t j = 0; j < columns.size(); ++j) {
    std::vector<std::uint64_t> form(letters, 0);
    for (std::uint64_t a = 0; a < found->rank; ++a) form[a] = found->right.at(a, j);
    std::vector<std::uint64_t> squares;
    for (const Index s : shape.rows_beside) squares.push_back(matrix.at(s, columns[j]));
    for (std::uint64_t copy = multiplicity_of(block, columns[j]); copy > 0; --copy) {
      if (!by_columns.multiply(form, squares, meter)) return std::nullopt;
    }
  }

  std::vector<std::uint64_t> factorial{ring.one()};
  for (std::uint64_t k = 1; k <= std::max(shape.rows, shape.columns); ++k)
    factorial.push_back(ring.mul(factorial.back(), ring.from_residue(k)));
  const std::vector<std::uint64_t> corner =
      corner_permanents(ring, part_of(matrix, shape.rows_beside, shape.columns_beside));
  const std::uint64_t row_sets = std::uint64_t{1} << shape.rows_beside.size();
  const std::uint64_t column_sets = std::uint64_t{1} << shape.columns_beside.size();
  std::uint64_t total = 0;
  for (std::uint64_t set = 0; set < row_sets; ++set) {
    for (std::uint64_t other = 0; other < column_sets; ++other) {
      // The columns of the body take `set`, its rows `other`.
      const std::uint64_t factor = corner[(row_sets - 1 - set) * column_sets + (column_sets - 1 - other)];
      const auto taken = static_cast<std::uint64_t>(std::popcount(set));
      const auto others = static_cast<std::uint64_t>(std::popcount(other));
      if (factor == 0 || taken > shape.columns || others > shape.rows) continue;
      if (shape.columns - taken != shape.rows - others) continue;
      std::uint64_t sum = 0;
      bool stopped = false;
      for_each_exponents(letters, shape.columns - taken,
                         [&](std::uint64_t place, const std::vector<std::uint64_t>& exponents) {
                           if (stopped || (meter.spend(letters) && !meter.look())) {
                             stopped = true;
                             return;
                           }
                           std::uint64_t term = ring.mul(by_rows.coefficient(other, place),
                                                         by_columns.coefficient(set, place));
                           if (term == 0) return;
                           for (const std::uint64_t k : exponents) term = ring.mul(term, factorial[k]);
                           sum = ring.add(sum, term);
                         });
      if (stopped) return std::nullopt;
      total = ring.add(total, ring.mul(factor, sum));
    }
  }
  return total;
}

std::optional<std::uint64_t> hafnian_modulo(const PrimeRing& ring, const Values& values,
                                            const BlockShape& shape, bool lanes, WorkMeter& meter) {
  const DenseMatrix& matrix = values.matrix;
  const std::vector<Index> body = all_but(matrix.rows, shape.rows_beside);
  DenseMatrix part = part_of(matrix, body, body);
  set_diagonal(ring, part, shape.own_diagonal);
  const auto found = decompose_symmetric(ring, std::move(part), most_rank);
  const BlockShape own = with_rank(shape, found ? std::optional(found->rank) : std::nullopt, lanes);
  if (meter.spend(2 * body.size() * body.size() * (found->rank + 1)) && !meter.look()) return std::nullopt;
  const ProductShape product = own.row_product();

  FormProduct forms(product, ring, lanes);
  for (std::uint64_t i = 0; i < body.size(); ++i) {
    std::vector<std::uint64_t> form(product.letters, 0);
    for (std::uint64_t a = 0; a < found->rank; ++a) form[a] = found->factor.at(i, a);
    if (shape.monomers) form.back() = values.alone[body[i]];
    std::vector<std::uint64_t> squares;
    for (const Index s : shape.rows_beside) squares.push_back(matrix.at(body[i], s));
    if (!forms.multiply(form, squares, meter)) return std::nullopt;
  }

  // moment[a][k]: of x_a^k.
  std::vector<std::vector<std::uint64_t>> moment(product.letters,
                                                 std::vector<std::uint64_t>(body.size() + 1, 0));
  for (std::uint64_t a = 0; a < product.letters; ++a) {
    const bool constant = shape.monomers && a + 1 == product.letters;
    moment[a][0] = ring.one();
    for (std::uint64_t k = 1; k <= body.size(); ++k) {
      if (constant) moment[a][k] = ring.one();
      if (!constant && k % 2 == 0 && a < found->rank)
        moment[a][k] = ring.mul(moment[a][k - 2], ring.mul(ring.from_residue(k - 1), found->diagonal[a]));
    }
  }
  std::vector<std::uint64_t> alone;
  for (const Index s : shape.rows_beside) alone.push_back(values.alone[s]);
  const std::vector<std::uint64_t> corner =
      corner_hafnians(ring, part_of(matrix, shape.rows_beside, shape.rows_beside), alone);
  const std::uint64_t sets = std::uint64_t{1} << shape.rows_beside.size();
  std::uint64_t total = 0;
  for (std::uint64_t set = 0; set < sets; ++set) {
    const std::uint64_t factor = corner[sets - 1 - set];
    const auto taken = static_cast<std::uint64_t>(std::popcount(set));
    if (factor == 0 || taken > body.size()) continue;
    std::uint64_t sum = 0;
    bool stopped = false;
    for_each_exponents(product.letters, body.size() - taken,
                       [&](std::uint64_t place, const std::vector<std::uint64_t>& exponents) {
                         if (stopped || (meter.spend(product.letters) && !meter.look())) {
                           stopped = true;
                           return;
                         }
                         std::uint64_t term = factor;
                         for (std::uint64_t a = 0; a < product.letters && term != 0; ++a)
                           term = ring.mul(term, moment[a][exponents[a]]);
                         if (term != 0) sum = ring.add(sum, ring.mul(term, forms.coefficient(set, place)));
                       });
    if (stopped) return std::nullopt;
    total = ring.add(total, sum);
  }
  return total;
}

}  // namespace

ProductShape BlockShape::row_product() const {
  return {std::max<std::uint64_t>(rank + (monomers ? 1 : 0), 1),
          general ? rows_beside.size() : columns_beside.size(), rows};
}

ProductShape BlockShape::column_product() const {
  return {std::max<std::uint64_t>(rank, 1), rows_beside.size(), columns};
}

double BlockShape::log2_terms() const {
  return general ? row_product().log2_terms()
                 : std::max(row_product().log2_terms(), column_product().log2_terms());
}

double BlockShape::multiplications() const {
  const auto r = static_cast<double>(std::max<std::uint64_t>(rank, 1));
  const double decomposition =
      static_cast<double>(rows) * static_cast<double>(general ? 2 * rows : columns) * (r + 1);
  if (general) return decomposition + row_product().multiplications() + r * std::exp2(log2_terms());
  // Pairs of sets that the corner leaves.
  double pairs = 0;
  double ways = 1;
  const auto s = static_cast<double>(rows_beside.size());
  const auto c = static_cast<double>(columns_beside.size());
  for (double k = 0; k <= std::min(s, c); ++k) {
    pairs += ways;
    ways *= (s - k) * (c - k) / ((k + 1) * (k + 1));
  }
  ProductShape bare = row_product();
  bare.square_letters = 0;
  return decomposition + row_product().multiplications() + column_product().multiplications() +
         pairs * r * std::exp2(bare.log2_terms());
}

std::uint64_t BlockShape::bytes(bool lanes) const {
  const std::uint64_t dense = (rows + rows_beside.size()) * (std::max(columns, rows) + most_beside) * 3 * 8;
  const std::uint64_t corner = std::uint64_t{8} << (rows_beside.size() + columns_beside.size());
  return dense + corner + FormProduct::bytes(row_product(), lanes) +
         (general ? 0 : FormProduct::bytes(column_product(), lanes));
}

std::optional<BlockShape> shape_of(const PrimeRing& ring, const AnyBlock& block) {
  const Values values = values_of(ring, block);
  if (!is_general(block)) return shape_of_matrix(ring, block, values.matrix);
  const bool monomers = has_monomers(block);
  const auto zeros = shape_of_graph(ring, values.matrix, monomers, false);
  const auto chosen = shape_of_graph(ring, values.matrix, monomers, true);
  if (!zeros || !chosen) return zeros ? zeros : chosen;
  return chosen->multiplications() < zeros->multiplications() ? chosen : zeros;
}

std::optional<std::uint64_t> count_modulo(const PrimeRing& ring, const AnyBlock& block,
                                          const BlockShape& shape, bool lanes, WorkMeter& meter) {
  const Values values = values_of(ring, block);
  return shape.general ? hafnian_modulo(ring, values, shape, lanes, meter)
                       : permanent_modulo(ring, block, values.matrix, shape, lanes, meter);
}

}  // namespace countpm::low_rank
