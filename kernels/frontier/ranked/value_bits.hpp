#pragma once
// How large the values of a table are at most: a bound for every set of eliminated vertices.
//
// A state's value is a sum over matchings that cover all eliminated rows and columns, and of the frontier
// what the state says: the permanent of the square matrix of these lines without the entries between two
// frontier lines. By Bregman and Minc (kernels/arithmetic/bound.hpp) it is at most the product of
// m_i (d_i!)^(1/d_i) over its rows, m_i the largest value and d_i the entries of row i: all of an eliminated
// row, of one in the frontier those in eliminated columns. No more rows of the frontier can be used than
// columns of it and eliminated ones leave. The same by columns. Of a general graph the square root of the
// product over all vertices, as |haf(A)|^2 <= per(|A|). Of a table that waits for a join, and of the joined
// one, the eliminated lines are those of that table.
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "kernels/frontier/ranked/member_graph.hpp"

namespace countpm {

/// Follows an elimination; what it says of a table is of the one on top of the stack.
class ValueBits {
 public:
  /// log2_most[v]: of the largest absolute value at the vertex, 0 or more.
  ValueBits(const MemberGraph& graph, std::vector<double> log2_most);

  /// A table in which nothing is eliminated, onto the stack.
  void push();
  /// The two on top become one.
  void join();
  /// Every vertex once; also those that have left the frontier before.
  void eliminate(std::uint32_t v);
  /// Bounds log2 of all values of the table with that frontier. `gone`: vertices that are neither in it nor
  /// untouched, though not all of them need to have been eliminated.
  double log2_bound(const std::vector<std::uint32_t>& frontier) const;
  /// v left the frontier, or was never in it and is used: it counts as eliminated from here on.
  void leave(std::uint32_t v);

 private:
  struct Table {
    std::unordered_map<std::uint32_t, std::uint64_t> gone_near;  // eliminated neighbours
    double sum[2]{};                                             // over columns, rows that are gone
    std::uint64_t count[2]{};
  };
  double root(std::uint64_t degree) const { return roots_[degree]; }
  double bound_by(bool rows, const std::vector<std::uint32_t>& frontier) const;

  const MemberGraph& graph_;
  std::vector<double> log2_most_;
  std::vector<double> roots_;  // log2 of (d!)^(1/d)
  std::vector<std::uint8_t> gone_;
  std::vector<Table> stack_;
};

}  // namespace countpm
