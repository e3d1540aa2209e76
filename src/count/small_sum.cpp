#include "src/count/small_sum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <variant>

#include "graph/errors.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/to_mpz.hpp"

namespace countpm {
namespace {

constexpr std::size_t most_rows = 10;
constexpr std::size_t most_vertices = 12;
constexpr int most_bits = 126;

/// Row-major, of most_vertices lines at most.
struct SmallMatrix {
  std::size_t size = 0;
  std::array<std::int64_t, most_vertices * most_vertices> entry{};
  std::int64_t& at(std::size_t row, std::size_t column) { return entry[row * most_vertices + column]; }
  std::int64_t at(std::size_t row, std::size_t column) const { return entry[row * most_vertices + column]; }
};

/// Whether the product of the sums of the rows' absolute values is below 2^126.
bool fits(const SmallMatrix& matrix) {
  int bits = 0;
  for (std::size_t i = 0; i < matrix.size; ++i) {
    uint128 sum = 1;
    for (std::size_t j = 0; j < matrix.size; ++j) {
      const std::int64_t value = matrix.at(i, j);
      sum += value < 0 ? uint128{0} - static_cast<uint128>(static_cast<int128>(value))
                       : static_cast<uint128>(value);
    }
    const auto high = static_cast<std::uint64_t>(sum >> 64U);
    bits += static_cast<int>(high != 0 ? 64 + std::bit_width(high)
                                       : std::bit_width(static_cast<std::uint64_t>(sum)));
  }
  return bits <= most_bits;
}

int128 permanent_of(const SmallMatrix& matrix) {
  std::array<int128, std::size_t{1} << most_rows> sum;  // by the set of columns used
  sum[0] = 1;
  for (std::size_t set = 1; set < std::size_t{1} << matrix.size; ++set) {
    const auto row = static_cast<std::size_t>(std::popcount(set)) - 1;
    sum[set] = 0;
    for (std::size_t left = set; left != 0; left &= left - 1) {
      const auto column = static_cast<std::size_t>(std::countr_zero(left));
      sum[set] += matrix.at(row, column) * sum[set ^ (std::size_t{1} << column)];
    }
  }
  return sum[(std::size_t{1} << matrix.size) - 1];
}

/// By the partner of the first vertex of each set; of an odd number of vertices 0.
int128 hafnian_of(const SmallMatrix& matrix) {
  std::array<int128, std::size_t{1} << most_vertices> sum;
  sum[0] = 1;
  for (std::size_t set = 1; set < std::size_t{1} << matrix.size; ++set) {
    const auto first = static_cast<std::size_t>(std::countr_zero(set));
    const std::size_t others = set & (set - 1);
    sum[set] = 0;
    for (std::size_t left = others; left != 0; left &= left - 1) {
      const auto partner = static_cast<std::size_t>(std::countr_zero(left));
      sum[set] += matrix.at(first, partner) * sum[others ^ (std::size_t{1} << partner)];
    }
  }
  return sum[(std::size_t{1} << matrix.size) - 1];
}

/// Rows for columns; of a symmetric matrix the lines backwards.
SmallMatrix other_way(const SmallMatrix& matrix, bool symmetric) {
  SmallMatrix other;
  other.size = matrix.size;
  for (std::size_t i = 0; i < matrix.size; ++i) {
    for (std::size_t j = 0; j < matrix.size; ++j)
      other.at(i, j) = symmetric ? matrix.at(matrix.size - 1 - i, matrix.size - 1 - j) : matrix.at(j, i);
  }
  return other;
}

std::optional<SmallMatrix> matrix_of(const Graph& graph) {
  const bool symmetric = graph.kind == GraphKind::undirected;
  SmallMatrix matrix;
  matrix.size = graph.left_labels.size();
  if (matrix.size > (symmetric ? most_vertices : most_rows)) return std::nullopt;
  if (graph.kind == GraphKind::bipartite && graph.right_labels.size() != matrix.size) return std::nullopt;
  const auto* weights = std::get_if<std::vector<std::int64_t>>(&graph.values);
  if (weights == nullptr && !std::holds_alternative<std::monostate>(graph.values)) return std::nullopt;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const Edge& edge = graph.edges[k];
    const std::int64_t value = weights == nullptr ? 1 : (*weights)[k];
    matrix.at(edge.from, edge.to) = value;
    if (symmetric) matrix.at(edge.to, edge.from) = value;
  }
  if (!fits(matrix)) return std::nullopt;
  return matrix;
}

}  // namespace

std::optional<mpz_class> small_sum(const Graph& graph, const Options& options) {
  // What is asked beside a number, or of how it comes about, is for count().
  if (options.method != "auto" || options.device == "gpu" || options.gpus > 0 || options.double_check ||
      options.audit_share > 0)
    return std::nullopt;
  if (graph.weight_kind > WeightKind::integer) return std::nullopt;
  const std::optional<SmallMatrix> matrix = matrix_of(graph);
  if (!matrix) return std::nullopt;
  const bool symmetric = graph.kind == GraphKind::undirected;
  const SmallMatrix other = other_way(*matrix, symmetric);
  const int128 sum = symmetric ? hafnian_of(*matrix) : permanent_of(*matrix);
  const int128 again = symmetric ? hafnian_of(other) : permanent_of(other);
  if (sum != again)
    throw CheckError("counted twice, by rows and by columns: " + to_mpz(sum).get_str() + " and " +
                     to_mpz(again).get_str());
  return to_mpz(sum);
}

}  // namespace countpm
