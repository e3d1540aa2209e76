#pragma once
// Random square matrices as graphs, an independent oracle for their permanents, and shrinking of failing
// cases.
#include <gmpxx.h>

#include <cstdint>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "src/api/entries.hpp"
#include "tests/repeats.hpp"

namespace countpm::testing {

/// An entry with its exact complex value.
struct Entry {
  Index row;
  Index column;
  ComplexRational value;
};

/// A small n x n matrix as a list of entries; the form that is easy to generate, permute, shrink and print.
struct TestMatrix {
  Index n = 0;
  WeightKind kind = WeightKind::none;
  std::vector<Entry> entries;

  std::string to_text() const {
    std::ostringstream out;
    out << "n = " << n << '\n';
    for (const Entry& e : entries) {
      out << e.row << ' ' << e.column << ' ' << e.value.re
          << (e.value.im == 0 ? "" : " + i * " + e.value.im.get_str()) << '\n';
    }
    return out.str();
  }
};

/// Sum over permutations by dynamic programming over the sets of columns used: O(2^n n) operations on exact
/// complex rationals. Shares no code with the library.
inline ComplexRational permanent(const TestMatrix& matrix) {
  const std::size_t sets = std::size_t{1} << matrix.n;
  std::vector<std::vector<const Entry*>> rows(matrix.n);
  for (const Entry& e : matrix.entries) rows[e.row].push_back(&e);
  std::vector<ComplexRational> value(sets, ComplexRational{0, 0});
  value[0] = {1, 0};
  for (std::size_t set = 0; set < sets; ++set) {
    if (value[set].re == 0 && value[set].im == 0) continue;
    const auto row = static_cast<std::size_t>(__builtin_popcountll(set));
    if (row == matrix.n) continue;
    for (const Entry* e : rows[row]) {
      const std::size_t bit = std::size_t{1} << e->column;
      if ((set & bit) != 0) continue;
      ComplexRational& into = value[set | bit];
      into.re += value[set].re * e->value.re - value[set].im * e->value.im;
      into.im += value[set].re * e->value.im + value[set].im * e->value.re;
    }
  }
  return value[sets - 1];
}

/// The matrix as a bipartite graph, as a reader would give it.
inline Graph to_graph(const TestMatrix& matrix) {
  Graph graph;
  graph.kind = GraphKind::bipartite;
  graph.left_labels = LabelTable::numbered(matrix.n);
  graph.right_labels = LabelTable::numbered(matrix.n);
  graph.weight_kind = matrix.kind;
  std::vector<std::int64_t> integers;
  std::vector<mpq_class> rationals;
  std::vector<ComplexRational> complexes;
  for (const Entry& e : matrix.entries) {
    graph.edges.push_back({e.row, e.column});
    if (matrix.kind == WeightKind::integer) integers.push_back(e.value.re.get_num().get_si());
    if (matrix.kind == WeightKind::rational || matrix.kind == WeightKind::real)
      rationals.push_back(e.value.re);
    if (matrix.kind == WeightKind::complex) complexes.push_back(e.value);
  }
  if (matrix.kind == WeightKind::integer) graph.values = std::move(integers);
  if (matrix.kind == WeightKind::rational || matrix.kind == WeightKind::real)
    graph.values = std::move(rationals);
  if (matrix.kind == WeightKind::complex) graph.values = std::move(complexes);
  return graph;
}

struct MatrixShape {
  Index n = 5;
  double density = 0.5;
  WeightKind kind = WeightKind::none;
  bool negative = false;
  long largest = 9;  // of numerators
};

template <class Random>
TestMatrix random_matrix(const MatrixShape& shape, Random& random) {
  std::bernoulli_distribution present(shape.density);
  std::bernoulli_distribution minus(shape.negative ? 0.5 : 0.0);
  std::uniform_int_distribution<long> numerator(1, shape.largest);
  std::uniform_int_distribution<long> denominator(1, 7);
  const auto part = [&] {
    mpq_class value = 1;
    if (shape.kind != WeightKind::none) value = numerator(random);
    if (shape.kind == WeightKind::rational) value /= denominator(random);
    if (shape.kind >= WeightKind::real) value /= 1L << denominator(random);
    return minus(random) ? mpq_class(-value) : value;
  };
  TestMatrix matrix;
  matrix.n = shape.n;
  matrix.kind = shape.kind;
  for (Index i = 0; i < shape.n; ++i) {
    for (Index j = 0; j < shape.n; ++j) {
      if (!present(random)) continue;
      const mpq_class re = part();
      matrix.entries.push_back({i, j, {re, shape.kind == WeightKind::complex ? part() : mpq_class(0)}});
    }
  }
  return matrix;
}

/// Drops entries one by one as long as the matrix still fails, so that what is printed is small.
inline TestMatrix shrunk(TestMatrix matrix, const std::function<bool(const TestMatrix&)>& fails) {
  bool smaller = true;
  while (smaller) {
    smaller = false;
    for (std::size_t i = 0; i < matrix.entries.size() && !smaller; ++i) {
      TestMatrix without = matrix;
      without.entries.erase(without.entries.begin() + static_cast<std::ptrdiff_t>(i));
      if (fails(without)) {
        matrix = std::move(without);
        smaller = true;
      }
    }
  }
  return matrix;
}

}  // namespace countpm::testing
