#pragma once
// What an instance's answers are, by the oracle.
#include <optional>
#include <string>
#include <vector>

#include "tests/products/generator/instance.hpp"

namespace countpm::products {

class Truth {
 public:
  Truth(const Instance& instance, const Product& product);

  /// The vertices of the cover problem: of a bipartite graph left and right, of a directed graph tails and
  /// heads.
  int vertices() const { return vertices_; }
  const Clean& clean() const { return clean_; }
  /// What is answered as a sum: of all counts, permanents, hafnians. Of polynomials with the marker:
  /// coefficients.
  Sum sum() const;
  std::vector<Sum> coefficients() const;
  /// Whether there is any cover (matching) at all, whatever it weighs.
  bool any() const;
  std::optional<Least> least(bool maximum) const;
  /// The number of orbits, or the sum over them; and of all matchings.
  struct Orbits {
    Complex orbits, matchings;
    std::size_t number = 0;
  };
  /// Nothing where the oracle would take too long.
  std::optional<Orbits> orbits() const;
  /// The place of the orbit of each matching of matchings().
  std::vector<std::size_t> orbit_of_each() const;
  /// All of them, each as the ascending places of edges in clean().edges; nothing where there are more than
  /// `most`.
  std::optional<std::vector<std::vector<int>>> matchings(std::size_t most) const;
  /// The sum over the covers that have all of these pieces, edges of clean().edges, or, behind those, the
  /// vertex alone.
  Complex with_pieces(const std::vector<std::size_t>& pieces) const;
  /// The permanent of the matrix without a row (-1: with all) and without a column.
  /// Of a graph in which vertex i stands rows[i] times; a loop joins the copies of its vertex, and in memory
  /// it is the weight of one that stays alone as well.
  Sum sum_over_copies() const;
  Sum permanent_without(int row, int column) const;
  /// |permanent|^2 over factorials.
  Complex probability() const;
  Complex determinant() const;
  Complex pfaffian() const;
  /// With letter x at a number.
  Complex at(const mpq_class& x) const;
  /// Where the label is in clean().left or, right, .right; -1: nowhere.
  int place(const std::string& label, bool right) const;
  /// The place of the edge in clean().edges; of a vertex alone, behind those; -1: there is none.
  int edge_place(int from, int to) const;

 private:
  Matrix matrix() const;
  std::vector<Piece<Sum>> pieces() const;
  int singles_at_most() const;

  const Instance& instance_;
  const Product& product_;
  Clean clean_;
  int vertices_ = 0;
  mutable int singles_ = -1;            // what singles_at_most() has found
  std::vector<std::vector<int>> ends_;  // of clean_.edges, as vertices of the cover problem
};

}  // namespace countpm::products
