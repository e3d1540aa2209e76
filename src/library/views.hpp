#pragma once
// Graphs and matrices as a program has them already: arrays of its own, looked at and not kept.
#include <gmpxx.h>

#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "graph/graph.hpp"

namespace countpm {

/// Numbers of vertices, rows, columns or entries, counted from 0, in whatever integers they are stored.
using Indices = std::variant<std::span<const std::uint32_t>, std::span<const std::int32_t>,
                             std::span<const std::uint64_t>, std::span<const std::int64_t>>;

/// A weight for each edge; monostate: all 1. Integers and fractions give exact sums. Doubles are taken for
/// the fractions that they are, and the sum has an error bound. Texts are integers, fractions, or these with
/// letters, "3*x*y^-1" (graph/letters.hpp). 0 is no edge.
using Weights =
    std::variant<std::monostate, std::span<const std::int64_t>, std::span<const mpz_class>,
                 std::span<const mpq_class>, std::span<const double>, std::span<const std::complex<double>>,
                 std::span<const std::string>, std::span<const ComplexRational>>;

/// The edges of a graph, each once: an undirected one in whichever direction.
struct EdgeView {
  GraphKind kind = GraphKind::undirected;
  std::uint64_t left = 0;   // vertices; of a bipartite graph those on the left
  std::uint64_t right = 0;  // of a bipartite graph; else 0
  Indices from;
  Indices to;
  Weights weights;
  std::string name = "<graph>";  // for messages
};

/// A matrix in compressed sparse rows: row i has the columns column[row_start[i]] .. column[row_start[i + 1]
/// - 1], in any order, each once.
struct SparseView {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  Indices row_start;  // rows + 1 of them, the first 0, the last the number of entries
  Indices column;
  Weights weights;
  std::string name = "<matrix>";
};

}  // namespace countpm
