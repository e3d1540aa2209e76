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
#include "kernels/estimate/samples/sample_graph.hpp"
#include "kernels/estimate/walks/walk_random.hpp"

namespace countpm {

/// Not thread-safe: one for each thread.
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
    for (std::size_t v = 0; v < factor.size(); ++v) shrunk_[v] *= factor[v];
  }

  void run(std::uint64_t moves, WalkRandom& random) {
    for (; moves > 0; --moves) move(random);
  }

 private:
  // From hole v to u costs x_uv / s_v, x_uv = w_uv y_u y_v and s_v their sum, y and s as of settle(). With
  // a[v] = c[v] / y_v and g[v] = c[v] / s_v, chances to be accepted are
  //   slide v to w:             g[w] / g[v],
  //   separate u, v, h holes:   (c_u g_v + c_v g_u) * (1 - p) / p_h * n / (2 (h + 2)),
  // and of a join one over that of its reverse; p_h = 1 without holes and p else.
  void move(WalkRandom& random) {
    const std::uint64_t word = random.next();
    const std::size_t h = holes_.size();
    if (h == 0 || word >> (64 - separating_bits_) == 0) {
      separate(h, word << separating_bits_, random);
      return;
    }
    const auto place = static_cast<uint128>(word << separating_bits_) * h;
    const std::uint32_t v = holes_[static_cast<std::size_t>(place >> 64)];
    if (graph_.degree(v) == 0) return;
    const std::uint32_t u = chosen(v, unit_interval(static_cast<std::uint64_t>(place)));
    const std::uint32_t w = partner_[u];
    if (w == nobody) {
      const double back = separated(u, v, h - 2);
      if (back > 1 && back * unit_interval(random.next()) >= 1) return;
      join(u, v);
      return;
    }
    const double from = shrunk_[v] * inverse_sum_[v];
    const double to = shrunk_[w] * inverse_sum_[w];
    if (to < from && from * unit_interval(random.next()) >= to) return;
    partner_[u] = v;
    partner_[v] = u;
    partner_[w] = nobody;
    place_[w] = place_[v];
    holes_[place_[w]] = w;
  }

  /// f times chance of separating over f times chance of the join, from h holes.
  double separated(std::uint32_t u, std::uint32_t v, std::size_t h) const {
    const double chances = (h == 0 ? 1 : 1 / separating_) * (1 - separating_);
    return shrunk_[u] * shrunk_[v] * (inverse_sum_[u] + inverse_sum_[v]) * chances *
           static_cast<double>(partner_.size()) / (2.0 * (static_cast<double>(h) + 2));
  }

  void separate(std::size_t h, std::uint64_t word, WalkRandom& random) {
    const auto v = static_cast<std::uint32_t>(static_cast<uint128>(word) * partner_.size() >> 64);
    const std::uint32_t u = partner_[v];
    if (u == nobody) return;
    const double ratio = separated(u, v, h);
    if (ratio < 1 && unit_interval(random.next()) >= ratio) return;
    open(u);
    open(v);
  }

  std::uint32_t chosen(std::uint32_t v, double place) const {
    const double* const begin = until_.data() + graph_.first[v];
    // The last takes what rounding leaves.
    const double* const last = until_.data() + graph_.first[v + std::size_t{1}] - 1;
    const double* at = begin;
    if (last - begin > few_neighbours) {
      at = std::upper_bound(begin, last, place);
    } else {
      while (at < last && *at <= place) ++at;
    }
    return graph_.neighbours[static_cast<std::size_t>(at - until_.data())].vertex;
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

  static constexpr std::ptrdiff_t few_neighbours = 12;

  const SampleGraph& graph_;
  unsigned separating_bits_ = 1;    // where there are holes, one move in 2^bits separates an edge, ...
  double separating_ = 0.5;         // ... which is p
  std::vector<double> log_weight_;  // of every edge in a list
  std::vector<double> until_;       // chances of a hole's neighbours, added up
  std::vector<double> shrunk_;
  std::vector<double> inverse_sum_;
  std::vector<std::uint32_t> partner_;
  std::vector<std::uint32_t> holes_;
  std::vector<std::uint32_t> place_;  // of a hole in holes_
};

}  // namespace countpm
