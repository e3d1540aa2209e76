#pragma once
// Random perfect matchings of an oriented planar graph with integer weights, exactly in proportion
// to their weights, by nested dissection.
//
// The vertices of a separator are matched one after the other, each edge with its exact integer weight given
// what has been decided (region.hpp); what is left falls apart, and every part goes on by itself, with half
// as many bits and so primes. In all about 1.6 times the top separator: O(n^2.5) for a sample, as for a
// count. D. B. Wilson, Determinant algorithms for random planar structures, SODA (1997) 258.
//
// On a torus the first separators are decided together, all those below which some part still has a cycle
// around the torus; the weights are then half the sums of four (torus_kasteleyn.hpp). The matchings of the
// other parts have the same sign in each of the four, so that one is enough: two matchings of such a part
// differ by cycles that do not go around. On another surface likewise with its 2^b matrices; the one for a
// part is made real (surface_kasteleyn.hpp).
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/method.hpp"
#include "kernels/passes/layer_limits.hpp"
#include "kernels/planar/elimination/front_tree.hpp"
#include "kernels/planar/preparation.hpp"

namespace countpm::planar {

class RegionDraw {
 public:
  /// Preconditions: connected or not, with a perfect matching; values positive integers; a plane graph's term
  /// or all of a surface's. The arguments outlive it. Parts of at most `small_region` vertices are matched in
  /// one dense matrix: 96, 2-core AMD EPYC (Zen 4), 2026-11-21.
  RegionDraw(const Terms& terms, const FrontTree& tree, LayerLimits limits, std::size_t small_region = 96);

  /// One perfect matching: the column vertex of every row vertex, of a general graph the partner of every
  /// vertex. progress(share): how much is decided.
  /// Throws Stopped, UnableError (memory), CheckError (weights that do not add up).
  std::vector<Index> draw(CounterRandom& random, const StopSignal& stop,
                          const std::function<void(double)>& progress = {});

  /// The most memory that a draw so far needed at a time; 0 before the first.
  std::uint64_t bytes_needed() const { return bytes_needed_; }
  /// Draws the same matchings, on one thread, within so much memory.
  RegionDraw on_one_thread(std::uint64_t memory_bytes) const;

 private:
  class Region;
  struct Task;      // vertices that are to be matched
  struct Siblings;  // parts that are

  bool goes_around(Index front) const;
  void find_top();
  std::vector<Index> unmatched_of(Index front) const;
  Task task_of(Index front, const std::shared_ptr<Siblings>& siblings) const;
  Task task_of_top(const std::shared_ptr<Siblings>& siblings) const;
  std::optional<mpz_class> solve(const Task& task, CounterRandom& random, const StopSignal& stop);
  void match(Region& region, const Task& task, double bits, mpz_class& rest, CounterRandom& random,
             const StopSignal& stop);
  void build(Region& region, const Task& task, Index border);
  void rebuild(Region& region, const Task& task, Index border);
  void build_border(Region& region, Index border) const;
  void invert(Region& region, double bits, std::size_t& next_prime, const StopSignal& stop);
  void add_up(Region& region) const;
  mpz_class decide(Region& region, CounterRandom& random, const StopSignal& stop);
  std::size_t choose(Region& region, Index v, mpz_class& total, CounterRandom& random) const;
  std::vector<std::uint64_t> primes_from(bool wide, std::size_t first, std::size_t count);

  const Terms& terms_;
  const SignedMatrix& matrix_;  // of the first term
  const FrontTree& tree_;
  std::optional<mpz_class> total_;  // once a draw has found it
  LayerLimits limits_;
  std::uint64_t bytes_needed_ = 0;
  std::size_t small_region_;
  Adjacency adjacent_;
  std::vector<Index> sequence_;           // vertices in postorder of the fronts
  std::vector<std::size_t> front_start_;  // where each front's own begin in it
  std::vector<Index> first_front_;        // of each front's subtree
  std::vector<std::vector<Index>> children_;
  std::vector<Index> roots_;
  std::vector<Index> top_;                // fronts that are matched first, together, by all terms
  Index border_ = 0;                      // that was enough for the top of the last draw
  std::vector<Index> below_;              // the roots of the subtrees that one term is enough for
  std::vector<std::uint64_t> primes_[2];  // prefixes of the lists of 61-bit and of 50-bit ones
  std::vector<Index> mate_;               // of every vertex, while one is drawn
  std::vector<Index> local_;              // a vertex's number in the region; no_index outside
};

}  // namespace countpm::planar
