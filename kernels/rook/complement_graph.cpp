#include "kernels/rook/complement_graph.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "graph/stop_signal.hpp"
#include "kernels/subsets/integer_columns.hpp"

namespace countpm {
namespace {

mpz_class to_integer(std::int64_t value) {
  return mpz_class(static_cast<std::int64_t>(value));
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

struct Edge {
  Index a;
  Index b;
  mpz_class weight;
};

/// By ascending neighbour: the edges come with a <= b, those of an a by ascending b, and ascending a.
void put_edges(ComplementGraph& graph, const std::vector<Edge>& edges) {
  graph.start.assign(graph.vertices() + std::uint64_t{1}, 0);
  for (const Edge& edge : edges) {
    ++graph.start[edge.a + std::uint64_t{1}];
    ++graph.start[edge.b + std::uint64_t{1}];
  }
  for (Index v = 0; v < graph.vertices(); ++v) graph.start[v + std::uint64_t{1}] += graph.start[v];
  std::vector<std::uint64_t> next(graph.start.begin(), graph.start.end() - 1);
  graph.neighbour.resize(2 * edges.size());
  graph.weight.resize(2 * edges.size());
  const auto put = [&](Index v, Index neighbour, const mpz_class& weight) {
    graph.neighbour[next[v]] = neighbour;
    graph.weight[next[v]++] = weight;
  };
  // first what comes before a vertex, then what comes after it
  for (const Edge& edge : edges) put(edge.b, edge.a, edge.weight);
  for (const Edge& edge : edges) put(edge.a, edge.b, edge.weight);
}

template <class Int>
ComplementGraph graph_of(const IntegerColumns<Int>& columns) {
  ComplementGraph graph;
  graph.size = columns.rows;
  graph.factor = mpq_class(1, columns.scale);
  graph.row_base.resize(graph.size);
  std::vector<Index> first(columns.columns());
  for (Index j = 0, at = 0; j < columns.columns(); at += columns.multiplicity[j++]) first[j] = at;

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
        edges.push_back({i, graph.size + first[j] + copy, remainder[j]});
    }
  }
  graph.factor.canonicalize();
  put_edges(graph, edges);
  return graph;
}

mpq_class to_fraction(std::int64_t value) {
  return to_integer(value);
}
const mpq_class& to_fraction(const mpq_class& value) {
  return value;
}

/// The nonzero value that most edges have, and whether most pairs of vertices have it.
template <class Value>
std::pair<mpq_class, bool> most_frequent_edge(const Block<Value>& block) {
  std::map<Value, std::uint64_t> times;
  for (Index i = 0; i < block.matrix.rows; ++i) {
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}]; ++k) {
      if (block.matrix.column[k] > i) ++times[block.matrix.value[k]];
    }
  }
  std::pair<mpq_class, bool> best{0, false};
  std::uint64_t most = 0;
  for (const auto& [value, count] : times) {
    if (count <= most || value == 0) continue;
    most = count;
    best.first = to_fraction(value);
  }
  const std::uint64_t n = block.matrix.rows;
  best.second = 4 * most > n * (n - std::min<std::uint64_t>(n, 1));
  return best;
}

template <class Value>
ComplementGraph graph_of_general(const Block<Value>& block) {
  ComplementGraph graph;
  graph.general = true;
  graph.size = block.matrix.rows;
  const mpq_class base = most_frequent_edge(block).first;
  // base and all values as multiples of one number
  mpz_class denominators = base.get_den();
  for (const Value& value : block.matrix.value) {
    mpz_lcm(denominators.get_mpz_t(), denominators.get_mpz_t(), to_fraction(value).get_den_mpz_t());
  }
  const auto whole = [&](const mpq_class& value) {
    return mpz_class(value.get_num() * (denominators / value.get_den()));
  };
  mpz_class divisor = whole(base);
  for (const Value& value : block.matrix.value)
    mpz_gcd(divisor.get_mpz_t(), divisor.get_mpz_t(), whole(to_fraction(value)).get_mpz_t());
  if (base < 0) divisor = -divisor;
  if (divisor == 0) divisor = 1;
  graph.base = whole(base) / divisor;
  mpq_class unit(divisor, denominators);
  unit.canonicalize();
  // an odd number of vertices has no perfect matching
  if (graph.size % 2 != 0) graph.factor = 0;
  for (Index pair = 0; pair < graph.size / 2; ++pair) graph.factor *= unit;

  std::vector<Edge> edges;
  for (Index i = 0; i < graph.size; ++i) {
    check_stop();
    std::uint64_t k = block.matrix.row_start[i];
    const std::uint64_t end = block.matrix.row_start[i + std::uint64_t{1}];
    while (k < end && block.matrix.column[k] <= i) ++k;
    for (Index j = i + 1; j < graph.size; ++j) {
      mpz_class remainder = graph.base;
      if (k < end && block.matrix.column[k] == j)
        remainder -= whole(to_fraction(block.matrix.value[k++])) / divisor;
      if (remainder == 0) continue;
      graph.plain = graph.plain && remainder == 1;
      edges.push_back({i, j, std::move(remainder)});
    }
  }
  put_edges(graph, edges);
  return graph;
}

}  // namespace

ComplementGraph complement_graph(const AnyBlock& block) {
  if (is_general(block)) {
    if (const auto* fractions = std::get_if<Block<mpq_class>>(&block)) return graph_of_general(*fractions);
    return graph_of_general(std::get<Block<std::int64_t>>(block));
  }
  return std::visit([](const auto& columns) { return graph_of(columns); }, integer_columns(block));
}

bool is_dense_graph(const AnyBlock& block) {
  if (const auto* fractions = std::get_if<Block<mpq_class>>(&block))
    return most_frequent_edge(*fractions).second;
  return most_frequent_edge(std::get<Block<std::int64_t>>(block)).second;
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
