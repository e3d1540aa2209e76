#pragma once
// K K^T of an oriented planar graph's matrix K, scaled, in numbers of any field (log_field.hpp).
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/up_float.hpp"
#include "kernels/planar/log/log_field.hpp"
#include "kernels/planar/orientation/signed_matrix.hpp"

namespace countpm::planar {

/// Powers of two that K's rows and columns are divided by, so that the largest entry of every row is between
/// 1/2 and 1. Columns are scaled only where the weights are far apart: on lattices it would leave products of
/// rows that are 0 without. By vertex; bipartite: rows have the first ones, columns the others.
struct GramScales {
  std::vector<std::int64_t> exponent;  // of the matrix's distinct values
  std::vector<std::int64_t> row;
  std::vector<std::int64_t> column;
  std::int64_t total = 0;  // det K is 2^total times that of the scaled matrix
  bool empty_row = false;  // det K = 0
};
GramScales gram_scales(const SignedMatrix& matrix, const Adjacency& adjacent);

/// The matrix's distinct values, scaled.
template <class Field>
std::vector<typename Field::Number> scaled_values(const SignedMatrix& matrix, const GramScales& scales,
                                                  Field& field) {
  std::vector<typename Field::Number> result;
  result.reserve(matrix.values.size());
  for (std::size_t k = 0; k < matrix.values.size(); ++k) {
    mpq_class value = matrix.values[k];
    const std::int64_t exponent = scales.exponent[k];
    if (exponent > 0) {
      mpq_div_2exp(value.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
    } else {
      mpq_mul_2exp(value.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
    }
    result.push_back(field.from_fraction(value));
  }
  return result;
}

/// Its diagonal, and an edge for every pair of lines with another product than 0.
template <class Field>
struct GramMatrix {
  BlockGraph graph;  // entry: in `product`
  std::vector<typename Field::Number> product;
  std::vector<typename Field::Number> diagonal;
  /// By line i: the roundings r_ij in the products of i and j, summed over j, those that are 0 included. The
  /// product that was computed is off by at most r_ij units sqrt(a_ii a_jj).
  std::vector<double> roundings;
};

/// O(sum of the columns' squared degrees).
template <class Field>
GramMatrix<Field> gram_matrix(const SignedMatrix& matrix, const Adjacency& adjacent, const GramScales& scales,
                              Field& field) {
  using Number = typename Field::Number;
  constexpr double roundings_an_entry = 8;  // Field::from_fraction
  const BlockGraph& graph = matrix.graph;
  const Index lines = graph.bipartite ? graph.rows : graph.vertices;

  const std::vector<Number> mantissa = scaled_values(matrix, scales, field);

  // Where the entry of a place in its column's list is in its row's: value[place] is the row's.
  std::vector<Number> value(adjacent.neighbour.size(), field.number(0));
  std::vector<std::uint64_t> mirror(value.size());
  std::vector<std::array<std::uint64_t, 2>> places(graph.edges.size());
  for (Index v = 0; v < graph.vertices; ++v) {
    for (std::uint64_t k = adjacent.start[v]; k < adjacent.start[v + std::size_t{1}]; ++k)
      places[adjacent.edge[k]][graph.edges[adjacent.edge[k]].a == v ? 0 : 1] = k;
  }
  for (const auto& [a, b] : places) {
    mirror[a] = b;
    mirror[b] = a;
  }
  for (Index v = 0; v < lines; ++v) {
    check_stop();
    for (std::uint64_t k = adjacent.start[v]; k < adjacent.start[v + std::size_t{1}]; ++k) {
      constexpr std::int64_t gone = -(std::int64_t{1} << 30);
      const Index e = adjacent.edge[k];
      const Index which = matrix.value_of[e];
      const std::int64_t shift =
          scales.exponent[which] - scales.row[v] - scales.column[adjacent.neighbour[k]];
      value[k] = mantissa[which];
      field.scale(value[k], static_cast<int>(std::max(shift, gone)));
      const bool forward = (matrix.orientation[e] != 0) == (graph.edges[e].a == v);
      if (!forward) field.negate(value[k]);
    }
  }

  GramMatrix<Field> result;
  result.graph.bipartite = false;
  result.graph.rows = result.graph.vertices = lines;
  result.roundings.assign(lines, 0);
  std::vector<Number> sum(lines, field.number(0));
  std::vector<double> terms(lines, 0);
  std::vector<Index> mark(lines, no_index);
  std::vector<Index> touched;
  for (Index v = 0; v < lines; ++v) {
    check_stop();
    touched.clear();
    for (std::uint64_t k = adjacent.start[v]; k < adjacent.start[v + std::size_t{1}]; ++k) {
      const Index cross = adjacent.neighbour[k];
      for (std::uint64_t l = adjacent.start[cross]; l < adjacent.start[cross + std::size_t{1}]; ++l) {
        const Index w = adjacent.neighbour[l];
        if (w < v) continue;
        if (mark[w] != v) {
          mark[w] = v;
          sum[w] = field.number(0);
          terms[w] = 0;
          touched.push_back(w);
        }
        field.add_product(sum[w], value[k], value[mirror[l]]);
        ++terms[w];
      }
    }
    std::sort(touched.begin(), touched.end());
    for (const Index w : touched) {
      const double roundings = terms[w] + 1 + 2 * roundings_an_entry;
      result.roundings[v] += roundings;
      if (w != v) result.roundings[w] += roundings;
      if (w == v || field.is_zero(sum[w])) continue;
      result.graph.edges.push_back({v, w, result.product.size()});
      result.product.push_back(sum[w]);
    }
    result.diagonal.push_back(mark[v] == v ? sum[v] : field.number(0));
  }
  return result;
}

}  // namespace countpm::planar
