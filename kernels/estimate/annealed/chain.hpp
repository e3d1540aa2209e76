#pragma once
// A Markov chain on all matchings of a graph, perfect or not, in equilibrium with
//   f(M) = product of the weights of M's edges * product of a[v] over the vertices v that M leaves alone:
// the holes. A move is one of
//   slide:     a hole v takes a neighbour u from its partner w, which becomes the hole,
//   join:      two holes that are neighbours are matched,
//   separate:  an edge is taken out, its ends become holes,
// accepted by Metropolis and Hastings. Holes that move about are what worm algorithms call a worm: where one
// comes back to the other the matching is another one, changed along a cycle of any length.
//
// M. Jerrum, A. Sinclair, Approximating the permanent, SIAM J. Comput. 18 (1989); M. Jerrum, A. Sinclair, E.
// Vigoda, A polynomial-time approximation algorithm for the permanent of a matrix with nonnegative entries,
// J. ACM 51 (2004); N. Prokof'ev, B. Svistunov, Worm algorithms for classical statistical models, Phys. Rev.
// Lett. 87 (2001).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/uniform.hpp"
#include "kernels/estimate/annealed/bulk_random.hpp"
#include "kernels/estimate/samples/sample_graph.hpp"

namespace countpm {

/// Not thread-safe: one for each thread. Precondition: below 2^32 entries in lists.
class MatchingChain {
 public:
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};

  /// The empty matching; O(edges).
  explicit MatchingChain(const SampleGraph& graph);

  void clear();
  /// Precondition: both are holes, and neighbours.
  void match(std::uint32_t u, std::uint32_t v);

  const std::vector<std::uint32_t>& holes() const { return holes_; }
  std::uint32_t partner(std::uint32_t v) const { return partner_[v]; }

  /// From here on a[v] = exp(-log_activity[v]), and holes choose neighbours by these; about that share of the
  /// vertices are holes, which decides how often edges are separated, no more. O(edges).
  void settle(const std::vector<double>& log_activity, double share);
  /// Multiplies every a[v] by factor[v]: a little, since holes go on choosing as settle() says.
  void shrink(const std::vector<double>& factor) {
    for (std::size_t v = 0; v < factor.size(); ++v) share_[v] *= factor[v];
  }

  void run(std::uint64_t moves, BulkRandom& random) {
    for (; moves > 0; --moves) move(random);
  }

 private:
  struct List {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
  };

  // From hole v to u costs x_uv / s_v, x_uv = w_uv y_u y_v and s_v their sum, y and s as of settle(). With
  // a[v] = c[v] / y_v and g[v] = c[v] / s_v, chances to be accepted are
  //   slide v to w:             g[w] / g[v],
  //   separate u, v, h holes:   g_u g_v (s_u + s_v) (1 - p) / p_h * n / (2 (h + 2)),
  // and of a join one over that of its reverse; p_h = 1 without holes and p else. Every move takes two
  // numbers, whether it needs the second or not: so the processor begins the next one before this one ends.
  void move(BulkRandom& random) {
    const std::uint64_t word = random.next();
    const double chance = unit_interval(random.next());
    const std::size_t h = holes_.size();
    if (h == 0 || word >> (64 - separating_bits_) == 0) {
      separate(h, word << separating_bits_, chance);
      return;
    }
    const auto place = static_cast<uint128>(word << separating_bits_) * h;
    const auto number = static_cast<std::uint32_t>(place >> 64);
    const std::uint32_t v = holes_[number];
    if (list_[v].size == 0) return;
    const std::uint32_t u = chosen(list_[v], unit_interval(static_cast<std::uint64_t>(place)));
    const std::uint32_t w = partner_[u];
    if (w == nobody) {
      if (separated(u, v, h - 2) * chance >= 1) return;
      join(u, v);
      return;
    }
    if (share_[v] * chance >= share_[w]) return;
    partner_[u] = v;
    partner_[v] = u;
    partner_[w] = nobody;
    place_[w] = number;
    holes_[number] = w;
  }

  /// f times chance of separating over f times chance of the join, from h holes.
  double separated(std::uint32_t u, std::uint32_t v, std::size_t h) const {
    return share_[u] * share_[v] * (sum_[u] + sum_[v]) * (h == 0 ? without_holes_ : with_holes_) /
           (static_cast<double>(h) + 2);
  }

  void separate(std::size_t h, std::uint64_t word, double chance) {
    const auto v = static_cast<std::uint32_t>(static_cast<uint128>(word) * partner_.size() >> 64);
    const std::uint32_t u = partner_[v];
    if (u == nobody) return;
    if (chance >= separated(u, v, h)) return;
    open(u);
    open(v);
  }

  std::uint32_t chosen(const List& list, double place) const {
    const double* const begin = until_.data() + list.first;
    // The last takes what rounding leaves.
    const std::uint32_t last = list.size - 1;
    std::size_t at = 0;
    if (last > few_neighbours) {
      at = static_cast<std::size_t>(std::upper_bound(begin, begin + last, place) - begin);
    } else {
      // All of them, without a branch that could not be foretold.
      for (std::uint32_t k = 0; k < last; ++k) at += begin[k] <= place ? 1 : 0;
    }
    return neighbour_[list.first + at];
  }

  void open(std::uint32_t v) {
    partner_[v] = nobody;
    place_[v] = static_cast<std::uint32_t>(holes_.size());
    holes_.push_back(v);
  }
  void close(std::uint32_t v) {
    const std::uint32_t last = holes_.back();
    holes_[place_[v]] = last;
    place_[last] = place_[v];
    holes_.pop_back();
  }
  void join(std::uint32_t u, std::uint32_t v) {
    close(u);
    close(v);
    partner_[u] = v;
    partner_[v] = u;
  }

  static constexpr std::uint32_t few_neighbours = 12;

  const SampleGraph& graph_;
  unsigned separating_bits_ = 1;  // where there are holes, one move in 2^bits separates an edge
  double without_holes_ = 1;      // (1 - p) / p_h * n / 2
  double with_holes_ = 1;
  std::vector<List> list_;                // of every vertex
  std::vector<std::uint32_t> neighbour_;  // in lists
  std::vector<double> log_weight_;        // of every edge in a list
  std::vector<double> until_;             // chances of a hole's neighbours, added up
  std::vector<double> share_;             // g
  std::vector<double> sum_;               // s
  std::vector<std::uint32_t> partner_;
  std::vector<std::uint32_t> holes_;
  std::vector<std::uint32_t> place_;  // of a hole in holes_
};

}  // namespace countpm
