#pragma once
// Matchings of a tree: how likely every edge is, and matchings drawn at random, both exactly.
//
// Of what hangs on a vertex v there are two sums: left(v), over the matchings that leave v to others, and
// settled(v), over those in which v is matched or stays alone (matching/leading.hpp). One pass up finds them,
// and one down what of the rest of the tree goes with either; the edge from v to its parent is in matchings
// that weigh left(v) times the latter. A draw walks down and chooses by the sums. O(vertices) steps, on
// integers as long as the total, or on numbers of some bits between which the true ones lie. Where a random
// number is so close to a limit that the latter do not decide, both are taken with more bits, as many as it
// takes: so draws have exactly the weights' probabilities.
#include <gmpxx.h>

#include <cstdint>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "kernels/arithmetic/big_float.hpp"
#include "kernels/arithmetic/counter_random.hpp"
#include "matching/leading.hpp"

namespace countpm {

/// Every vertex behind its parent, and siblings one after the other; vertex 0 is the root.
struct WeightedTree {
  bool maximum = false;          // matchings with the most edges alone; else all
  std::vector<Index> parent;     // no_index of the root
  std::vector<mpq_class> edge;   // to the parent; not looked at of the root
  std::vector<mpq_class> alone;  // of the vertex where it stays alone; 0: it must not
};

/// A number that is not negative, between two others.
struct Enclosed {
  BigFloat low;
  BigFloat high;

  Enclosed() = default;
  Enclosed(const mpz_class& number, mpfr_prec_t bits);
  bool operator==(const Enclosed& other) const;
  friend Enclosed operator+(const Enclosed& a, const Enclosed& b);
  friend Enclosed operator*(const Enclosed& a, const Enclosed& b);
};

/// Sums over the matchings of the tree.
template <class Number>
struct TreeUses {
  Number total{};
  std::vector<Number> edge;   // with the edge from a vertex to its parent
  std::vector<Number> alone;  // in which the vertex stays alone
};

class TreePasses {
 public:
  /// closeness: how many bits of a random number are looked at first, at most 62.
  explicit TreePasses(WeightedTree tree, unsigned closeness = 62);

  Index vertices() const { return static_cast<Index>(tree_.parent.size()); }
  bool has_negative() const { return negative_; }
  /// Whether nothing adds up to more than 0, were the weights without their signs.
  bool is_zero() const { return zero_; }
  /// About how many bits the longest exact sum has.
  std::uint64_t bits() const { return static_cast<std::uint64_t>(bits_); }

  /// In one unit. Look at the stop signal of the thread, as the others do.
  TreeUses<mpz_class> exact_uses() const;
  /// Precondition: no negative weight.
  TreeUses<Enclosed> enclosed_uses(mpfr_prec_t bits) const;

  /// Of each vertex that it is matched with: itself where it stays alone. Draw `number` of a stream.
  /// Preconditions: no negative weight, not is_zero().
  std::vector<Index> draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t number);

 private:
  /// What can become of a vertex that is not matched with its parent.
  struct Choice {
    Index mate = 0;           // a child, or the vertex itself
    std::uint64_t limit = 0;  // the chances up to this one, by their first bits, rounded down
  };

  void prepare_draws();
  Index choose(Index vertex, CounterRandom& random) const;
  std::vector<mpz_class> limits_of(Index vertex, std::uint64_t bits) const;

  WeightedTree tree_;
  unsigned closeness_;
  bool negative_ = false;
  bool zero_ = false;
  std::int64_t bits_ = 1;
  std::vector<Index> first_child_;  // of every vertex; its last is before the next one's first
  std::vector<std::uint64_t> first_choice_;
  std::vector<Choice> choices_;
};

}  // namespace countpm
