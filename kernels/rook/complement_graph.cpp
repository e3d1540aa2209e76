#include "kernels/rook/complement_graph.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "graph/stop_signal.hpp"
#include "kernels/subsets/integer_columns.hpp"

namespace countpm {
namespace {

mpz_class to_integer(std::int64_t value) {
  return mpz_class(static_cast<long>(value));
}
const mpz_class& to_integer(const mpz_class& value) {
  return value;
}

/// Rows of (column, value), columns by class.
template <class Int>
std::vector<std::vector<std::pair<Index, const Int*>>> rows_of(const IntegerColumns<Int>& columns) {
  std::vector<std::vector<std::pair<Index, const Int*>>> rows(columns.rows);
  for (Index j = 0; j < columns.columns(); ++j) {
    for (std::uint64_t k = columns.start[j]; k < columns.start[j + std::uint64_t{1}]; ++k) {
      rows[columns.row[k]].emplace_back(j, &columns.value[k]);
    }
  }
  return rows;
}

/// The most frequent value of a row, and how often it occurs; of several the one met first, zero last.
template <class Int>
std::pair<Int, std::uint64_t> most_frequent(const std::vector<std::pair<Index, const Int*>>& row,
                                            const IntegerColumns<Int>& columns) {
  std::map<Int, std::uint64_t> times;
  std::uint64_t zeros = columns.rows;
  for (const auto& [column, value] : row) {
    times[*value] += columns.multiplicity[column];
    zeros -= columns.multiplicity[column];
  }
  std::pair<Int, std::uint64_t> best{0, 0};
  for (const auto& [value, count] : times) {
    if (count > best.second) best = {value, count};
  }
  if (zeros > best.second) best = {0, zeros};
  return best;
}

template <class Int>
ComplementGraph graph_of(const IntegerColumns<Int>& columns) {
  ComplementGraph graph;
  graph.size = columns.rows;
  graph.factor = mpq_class(1, columns.scale);
  graph.row_base.resize(graph.size);
  std::vector<Index> first(columns.columns());
  for (Index j = 0, at = 0; j < columns.columns(); at += columns.multiplicity[j++]) first[j] = at;

  struct Edge {
    Index row;
    Index column;
    mpz_class weight;
  };
  std::vector<Edge> edges;
  const auto rows = rows_of(columns);
  std::vector<mpz_class> remainder(columns.columns());
  for (Index i = 0; i < graph.size; ++i) {
    check_stop();
    mpz_class base = to_integer(most_frequent(rows[i], columns).first);
    mpz_class divisor = base;
    std::fill(remainder.begin(), remainder.end(), base);
    for (const auto& [column, value] : rows[i]) {
      remainder[column] -= to_integer(*value);
      mpz_gcd(divisor.get_mpz_t(), divisor.get_mpz_t(), to_integer(*value).get_mpz_t());
    }
    if (base <= 0) divisor = -divisor;  // a sparse row of ones is a row of -1: its remainder are ones
    if (divisor == 0) divisor = 1;      // a row of zeros
    graph.factor *= divisor;
    graph.row_base[i] = base / divisor;
    graph.plain = graph.plain && (graph.row_base[i] == 0 || graph.row_base[i] == 1);
    for (Index j = 0; j < columns.columns(); ++j) {
      if (remainder[j] == 0) continue;
      mpz_divexact(remainder[j].get_mpz_t(), remainder[j].get_mpz_t(), divisor.get_mpz_t());
      graph.plain = graph.plain && remainder[j] == 1;
      for (Index copy = 0; copy < columns.multiplicity[j]; ++copy)
        edges.push_back({i, first[j] + copy, remainder[j]});
    }
  }
  graph.factor.canonicalize();

  graph.start.assign(graph.vertices() + std::uint64_t{1}, 0);
  for (const Edge& edge : edges) {
    ++graph.start[edge.row + std::uint64_t{1}];
    ++graph.start[graph.size + edge.column + std::uint64_t{1}];
  }
  for (Index v = 0; v < graph.vertices(); ++v) graph.start[v + std::uint64_t{1}] += graph.start[v];
  std::vector<std::uint64_t> next(graph.start.begin(), graph.start.end() - 1);
  graph.neighbour.resize(2 * edges.size());
  graph.weight.resize(2 * edges.size());
  for (const Edge& edge : edges) {
    const Index column = graph.size + edge.column;
    graph.neighbour[next[edge.row]] = column;
    graph.weight[next[edge.row]++] = edge.weight;
    graph.neighbour[next[column]] = edge.row;
    graph.weight[next[column]++] = edge.weight;
  }
  return graph;
}

}  // namespace

ComplementGraph complement_graph(const AnyBlock& block) {
  return std::visit([](const auto& columns) { return graph_of(columns); }, integer_columns(block));
}

Index dense_rows(const AnyBlock& block) {
  return std::visit(
      [](const auto& columns) {
        const auto rows = rows_of(columns);
        Index count = 0;
        for (const auto& row : rows) {
          const auto [value, times] = most_frequent(row, columns);
          if (value != 0 && 2 * times > columns.rows) ++count;
        }
        return count;
      },
      integer_columns(block));
}

}  // namespace countpm
