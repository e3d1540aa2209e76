#pragma once
// A part of an oriented planar graph, with K^-1 where perfect matchings of it are to be decided.
//
// With Z the sum over the perfect matchings, those with an edge (r, c) add up to Z K_rc (K^-1)_cr. All of it
// is modulo as many primes as give the integers back, so that a choice between the edges of a vertex is one
// between exact integers. Taking an edge removes its row and column: K^-1 loses a matrix of rank one,
//   G_ij -= G_ir G_cj / G_cr.
// Up to 32 of these wait in two panels. The signs of K stay right: a perfect matching of what is left is one
// of the whole with the edge, and all of those have one sign. D. B. Wilson, Determinant algorithms for random
// planar structures, SODA (1997) 258. In a graph with odd cycles an edge takes the rows and the columns of
// both its ends, one after the other; the second pivot is the first one's negative, since K^-1 is skew.
//
// On a torus there are four such matrices, some of which may be singular, or become so by what is taken, and
// be regular again later on. So K gets a border of k rows and k columns of random numbers,
//   B = (K U; V Y),   det K = det B det W,   W = the border's part of B^-1,
// and with the rows r and the columns c of K taken out, det K = +-det B det B^-1[(c, border), (r, border)]
// (Jacobi). B is regular where K lacks no more than k of its rank. A skew B has a skew border, and Pfaffians.
#include <vector>

#include "kernels/planar/elimination/front_elimination.hpp"
#include "kernels/planar/passes/front_inverse.hpp"

namespace countpm::planar {

/// A pivot or the determinant is zero modulo one of the primes: others are to be taken.
class UnluckyPrimes : public std::exception {};

/// One group of primes: K^-1, or B^-1, between the vertices of the region's root front.
class RegionInverse {
 public:
  /// Eliminates. Throws UnluckyPrimes, Stopped. `matrix` has integer values and, as `tree`, outlives it. Of
  /// its rows and of its columns (of a general graph's vertices) the last `border` ones are the border.
  RegionInverse(const SignedMatrix& matrix, const FrontTree& tree, const LaneCode& code,
                const std::vector<std::uint64_t>& primes, Index border, const StopSignal& stop);

  std::size_t primes() const { return primes_; }
  /// det K (Pf K), modulo each prime.
  const std::vector<std::uint64_t>& determinant() const { return determinant_; }
  /// What the weights are multiplied by from now on: a residue for each prime.
  void multiply(const std::vector<std::uint64_t>& times);
  /// weights[k] += what the terms of det K (Pf K) with the edge add up to, those with what has been taken
  /// before, less the values of that, modulo prime k. `edge` counts the edges of the root front, and its ends
  /// are still there.
  void weigh(std::size_t edge, std::uint64_t* weights);
  /// Removes the edge's row and column, or those of both its ends. Throws UnluckyPrimes.
  void take(std::size_t edge);
  /// Of the elements, for a root front of so many rows and columns.
  static std::uint64_t bytes(std::size_t rows, std::size_t columns, unsigned width);

 private:
  const BlockGraph::Edge& edge_at(std::size_t edge) const { return matrix_.graph.edges[root_edges_[edge]]; }
  std::size_t row_of(Index v) const { return place_[v]; }
  std::size_t column_of(Index v) const { return place_[v + offset_]; }
  void remove(std::size_t row, std::size_t column);
  void minor_with_border(const std::vector<Index>& columns, const std::vector<Index>& rows,
                         std::uint64_t* residues) const;
  std::uint64_t* left(std::size_t column, std::size_t depth) const;
  std::uint64_t* right(std::size_t depth, std::size_t row) const;
  void entry(std::size_t column, std::size_t row, std::uint64_t* element) const;
  void flush();

  const SignedMatrix& matrix_;
  LaneArithmetic lanes_;
  std::size_t primes_;
  Index border_;
  std::vector<std::uint64_t> determinant_;
  std::vector<std::uint64_t> factor_;  // of the weights, not in Montgomery form: det B among others
  const std::vector<Index>& root_edges_;
  std::vector<std::uint64_t> entries_;  // of the root's edges: elements
  Index offset_;                        // from a vertex of a general graph to its column
  std::vector<Index> place_;            // of the root front's rows and columns
  InverseFront inverse_;
  LaneWords left_;   // columns x most_depth
  LaneWords right_;  // most_depth x rows
  std::size_t depth_ = 0;
  std::vector<std::uint64_t> element_;
};

}  // namespace countpm::planar
