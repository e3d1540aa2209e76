#pragma once
// All terms of a graph on a closed surface (surface_kasteleyn.hpp) by one elimination.
//
// The *open* vertices cover the edges whose loops are not 0. Without them no cycle goes around, so that every
// vertex v has a sum of loops s(v) with g_e = s(u) + s(v) along each edge, and rows and columns of v times
// i^-q(s(v)) make all terms the same real matrix there: q(x + y) = q(x) + q(y) + 2 x.y leaves signs
// (-1)^s(u).s(v) that do not depend on q. An edge from an open vertex o to v has the sign (-1)^c.s(v) and a
// factor i^q(c), c = g_e + s(v), which is the same for all edges of o of one class c. So o is taken apart
// into a copy for every class; all else is eliminated once, and what is left, a dense matrix T of the copies,
// is put together for each q with its factors, with the edges between open vertices, and eliminated there.
//
// Where the rest can be two-coloured, T is the Schur complement of a bipartite matrix, rows of one colour and
// columns of the other, and T - T^t what is left of the skew-symmetric one; else T is what is above the
// diagonal of that of a skew one. Rows and columns that had no pivot go along. Lattices of squares on a
// Moebius strip or a Klein bottle of even sides have odd cycles, but only around. One plane graph's
// elimination, and 2^b m^3 / 3 for m open vertices.
#include <memory>
#include <vector>

#include "kernels/planar/elimination/front_elimination.hpp"
#include "kernels/planar/elimination/front_tree.hpp"
#include "kernels/planar/preparation.hpp"

namespace countpm::planar {

class SeamElimination {
 public:
  /// Null where the terms are no surface's, or that costs no less than `separately`, the multiplications of
  /// all terms one by one.
  static std::shared_ptr<const SeamElimination> of(const Terms& terms, double separately);

  /// Of all terms together, modulo one prime.
  double multiplications() const { return multiplications_; }
  std::uint64_t words() const;
  std::size_t open_vertices() const { return open_.size(); }
  /// [terms][primes]: the determinants (Pfaffians) of the terms' matrices. At most code.width primes. Throws
  /// PivotsDiffer (code.width > 1 only), Stopped.
  std::vector<std::vector<std::uint64_t>> determinants(const LaneCode& code,
                                                       const std::vector<std::uint64_t>& primes,
                                                       const StopSignal& stop) const;
  /// A part of that, for its rate.
  void measure(const LaneCode& code, const std::vector<std::uint64_t>& primes, const StopSignal& stop,
               TimeLimit& limit) const;

 private:
  /// An edge between open vertices.
  struct OpenEdge {
    Index from = 0;  // places in open_, rising
    Index to = 0;
    Index value = 0;  // as an edge of matrix_
    bool positive = false;
    unsigned loop = 0;
  };
  class Build;
  class Run;

  SeamElimination() = default;

  bool bipartite_ = false;
  Index rows_ = 0;                                // of the graph
  std::vector<std::vector<std::uint8_t>> forms_;  // of each term
  std::vector<unsigned> turns_;                   // of each term: the rest's rows were divided by i^this
  SignedMatrix matrix_;                           // the rest and the copies, rows and columns
  FrontTree tree_;
  std::vector<Index> vertex_of_;     // of the matrix' vertices: that of the graph
  std::vector<std::uint8_t> class_;  // of copies
  std::vector<Index> open_;
  std::vector<Index> place_;  // of the graph's vertices, in open_
  std::vector<OpenEdge> open_edges_;
  double multiplications_ = 0;
};

}  // namespace countpm::planar
