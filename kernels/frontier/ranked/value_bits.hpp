#pragma once
// How large the values of a table are at most: a bound for every set of eliminated vertices.
//
// A state's value is a sum over matchings that cover all eliminated rows and columns, and of the frontier
// what the state says: the permanent of the square matrix of these lines without the entries between two
// frontier lines. By Bregman and Minc (kernels/arithmetic/bound.hpp) it is at most the product of
// m_i (d_i!)^(1/d_i) over its rows, m_i the largest value and d_i the entries of row i: all of an eliminated
// row, of one in the frontier those in eliminated columns. No more rows of the frontier can be used than
// columns of it and eliminated ones leave. The same by columns. Of a general graph the square root of the
// product over all vertices, as |haf(A)|^2 <= per(|A|).
#include <cstdint>
#include <vector>

namespace countpm {

/// Vertices, and edges with log2 of their absolute values.
struct MemberGraph {
  bool general = false;
  std::vector<std::uint8_t> row;  // of every vertex, whether it is one
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> neighbour;
  std::vector<std::uint64_t> entry;  // beside the neighbours: the matrix's entry

  std::uint32_t vertices() const { return static_cast<std::uint32_t>(row.size()); }
  std::uint64_t degree(std::uint32_t v) const { return start[v + std::size_t{1}] - start[v]; }
};

/// Follows an elimination.
class ValueBits {
 public:
  /// log2_most[v]: of the largest absolute value at the vertex, 0 or more.
  ValueBits(const MemberGraph& graph, std::vector<double> log2_most);

  /// Every vertex once; also those that have left the frontier before.
  void eliminate(std::uint32_t v);
  /// Bounds log2 of all values of the table with that frontier. `gone`: vertices that are neither in it nor
  /// untouched, though not all of them need to have been eliminated.
  double log2_bound(const std::vector<std::uint32_t>& frontier) const;
  /// v left the frontier, or was never in it and is used: it counts as eliminated from here on.
  void leave(std::uint32_t v);

 private:
  double root(std::uint64_t degree) const { return roots_[degree]; }
  double bound_by(bool rows, const std::vector<std::uint32_t>& frontier) const;

  const MemberGraph& graph_;
  std::vector<double> log2_most_;
  std::vector<double> roots_;             // log2 of (d!)^(1/d)
  std::vector<std::uint64_t> gone_near_;  // eliminated neighbours
  std::vector<std::uint8_t> gone_;
  double sum_[2]{};  // over columns, rows that are gone
  std::uint64_t count_[2]{};
};

}  // namespace countpm
