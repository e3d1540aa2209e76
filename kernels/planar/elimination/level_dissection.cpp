#include "kernels/planar/elimination/level_dissection.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "graph/stop_poll.hpp"
#include "kernels/support/huge_pages.hpp"
#include "kernels/support/parallel_ranges.hpp"
#include "kernels/support/task_pool.hpp"

namespace countpm::planar {
namespace {

// Parts of so many vertices are eliminated as they stand.
constexpr std::size_t small_part = 8;
// A separator that leaves a smaller share than that on one side is none.
constexpr double least_share = 0.125;
// A separator of more vertices than that many times the root of its part's is none of a lattice, and a larger
// part without any neither: what they would cost grows with their square.
constexpr double largest_separator = 3;
constexpr std::size_t largest_uncut = 64;
// What a thread cuts by itself, in about a millisecond.
constexpr std::size_t vertices_a_task = 4096;
// How much larger a separator may be for halves that are equally large.
constexpr double balance_weight = 3;

constexpr std::size_t corners = 4;
constexpr std::size_t functions = corners * corners;
using Levels = std::array<Index, functions>;

class LevelDissection {
 public:
  LevelDissection(const BlockGraph& graph, const Adjacency& adjacent, LevelTies ties)
      : graph_(graph),
        adjacent_(adjacent),
        last_of_equals_(ties == LevelTies::last),
        side_(graph.vertices, 0) {}

  std::vector<Index> run(int threads) {
    const Index n = graph_.vertices;
    order_.resize(n);
    for (Index v = 0; v < n; ++v) order_[v] = v;
    if (n == 0) return order_;
    if (!measure(threads)) return {};
    const int useful = n < vertices_a_task ? 1 : threads;
    work_through(useful, std::vector<Part>{{0, n}}, [this] {
      return [this, scratch = Scratch()](Part part, const auto& add) mutable { dissect(part, add, scratch); };
    });
    return levels_are_large_ ? std::vector<Index>() : std::move(order_);
  }

 private:
  using Distances = std::vector<Index>;

  /// A range of order_; its separator goes to the end of the range. No edge joins two parts that are cut
  /// further: what one thread writes of its part's vertices no other reads.
  struct Part {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  /// A thread's.
  struct Scratch {
    std::vector<Index> sorted;
    std::vector<std::array<std::uint32_t, 2>> count;  // of the two sides' vertices, by level
  };

  /// The part and the small ones that it is cut into; larger ones are left to others.
  template <class Add>
  void dissect(Part whole, const Add& add, Scratch& scratch) {
    std::vector<Part> parts{whole};
    while (!parts.empty() && !levels_are_large_) {
      const Part part = parts.back();
      parts.pop_back();
      const std::size_t size = part.last - part.first;
      if (size <= small_part) continue;
      const auto [middle, separator] = cut(part, scratch);
      check_stop();
      const auto wide = static_cast<double>(part.last - separator);
      if (size > largest_uncut &&
          (separator == part.last || wide > largest_separator * std::sqrt(static_cast<double>(size)))) {
        levels_are_large_ = true;
        return;
      }
      if (separator == part.last) continue;
      for (const Part half : {Part{part.first, middle}, Part{middle, separator}}) {
        if (half.last - half.first < vertices_a_task) {
          parts.push_back(half);
        } else {
          add(half);
        }
      }
    }
  }

  /// From `start`; empty where it does not reach all.
  Distances distances(Index start) const {
    Distances result(graph_.vertices, no_index);
    std::vector<Index> queue{start};
    queue.reserve(graph_.vertices);
    result[start] = 0;
    StopPoll poll;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Index v = queue[head];
      poll.step();
      for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k) {
        const Index w = adjacent_.neighbour[k];
        if (result[w] != no_index) continue;
        result[w] = result[v] + 1;
        queue.push_back(w);
      }
    }
    return queue.size() == graph_.vertices ? result : Distances();
  }

  static Index farthest(const Distances& from) {
    return static_cast<Index>(std::max_element(from.begin(), from.end()) - from.begin());
  }

  /// The functions of every vertex: the distances from four corners, and for every two of them half their sum
  /// and half their difference.
  bool measure(int threads) {
    const Distances any = distances(0);
    if (any.empty()) return false;
    std::array<Distances, corners> from;
    from[0] = distances(farthest(any));
    from[1] = distances(farthest(from[0]));
    // The third is as far from both as can be, and at the end of the line where that are several.
    const auto nearer = [&](Index v) { return std::min(from[0][v], from[1][v]); };
    Index third = 0;
    for (Index v = 0; v < graph_.vertices; ++v) third = nearer(v) > nearer(third) ? v : third;
    const Distances along = distances(third);
    const Index most = nearer(third);
    for (Index v = 0; v < graph_.vertices; ++v) {
      if (nearer(v) + 1 >= most && along[v] > along[third]) third = v;
    }
    from[2] = distances(third);
    from[3] = distances(farthest(from[2]));
    const Index offset = graph_.vertices;  // no difference is below 0 then
    level_.resize(graph_.vertices);
    parallel_ranges(threads, graph_.vertices, vertices_a_task, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t v = first; v < last; ++v) {
        std::size_t next = 0;
        for (std::size_t i = 0; i < corners; ++i) {
          level_[v][next++] = from[i][v];
          for (std::size_t j = 0; j < i; ++j) {
            level_[v][next++] = (from[i][v] + from[j][v]) / 2;
            level_[v][next++] = (from[i][v] + offset - from[j][v]) / 2;
          }
        }
      }
    });
    return true;
  }

  struct Choice {
    double cost = std::numeric_limits<double>::infinity();
    std::size_t function = 0;
    Index level = 0;
  };

  /// The best level of all functions. A level of one that takes few values is large: the functions of many
  /// values come first, and those whose levels are larger on average than the best cost found are not looked
  /// at.
  Choice best_level(std::span<const Index> part, Scratch& scratch) const {
    Levels least = level_[part[0]];
    Levels most = least;
    for (const Index v : part) {
      const Levels& level = level_[v];
      for (std::size_t f = 0; f < functions; ++f) {
        least[f] = std::min(least[f], level[f]);
        most[f] = std::max(most[f], level[f]);
      }
    }
    std::array<std::size_t, functions> by_values{};
    std::iota(by_values.begin(), by_values.end(), std::size_t{0});
    if (last_of_equals_) std::reverse(by_values.begin(), by_values.end());
    std::stable_sort(by_values.begin(), by_values.end(),
                     [&](std::size_t f, std::size_t g) { return most[f] - least[f] > most[g] - least[g]; });
    Choice best;
    for (const std::size_t f : by_values) {
      const std::size_t values = most[f] - least[f] + std::size_t{1};
      if (static_cast<double>(part.size()) > best.cost * static_cast<double>(values)) break;
      check_stop();
      choose(part, f, least[f], values, best, scratch);
    }
    return best;
  }

  /// Counted by sides of a bipartite graph: what is left of the larger one waits for the next separator.
  void choose(std::span<const Index> part, std::size_t function, Index least, std::size_t values,
              Choice& best, Scratch& scratch) const {
    auto& count = scratch.count;
    count.assign(values, {0, 0});
    for (const Index v : part) ++count[level_[v][function] - least][graph_.is_row(v)];
    std::size_t below = 0;
    for (std::size_t k = 0; k < values; ++k) {
      const auto [columns, rows] = count[k];
      const std::size_t here = std::size_t{rows} + columns;
      const std::size_t above = part.size() - below - here;
      const auto smaller = static_cast<double>(std::min(below, above));
      const auto rest = static_cast<double>(below + above);
      if (smaller > 0 && smaller >= least_share * rest) {
        const double wide = graph_.bipartite ? 2.0 * std::max(columns, rows) : static_cast<double>(here);
        const double lean = 1 - 2 * smaller / rest;
        const double cost = wide * (1 + balance_weight * lean * lean);
        if (cost < best.cost || (last_of_equals_ && cost == best.cost))
          best = {cost, function, static_cast<Index>(k) + least};
      }
      below += here;
    }
  }

  /// The range as nearer side, farther side, separator: where the second and the
  /// third begin; both at its end where nothing separates it.
  std::pair<std::size_t, std::size_t> cut(Part range, Scratch& scratch) {
    const std::span<Index> part(order_.data() + range.first, range.last - range.first);
    const Choice best = best_level(part, scratch);
    if (std::isinf(best.cost)) return {range.last, range.last};
    for (const Index v : part) {
      const Index level = level_[v][best.function];
      side_[v] = level < best.level ? near_side : level > best.level ? far_side : separator_side;
    }
    // What touches one side alone belongs to that side.
    for (const std::uint8_t other : {near_side, far_side}) {
      for (const Index v : part) {
        if (side_[v] == separator_side && !touches(v, other)) side_[v] = near_side + far_side - other;
      }
    }
    std::vector<Index>& sorted = scratch.sorted;
    sorted.clear();
    std::array<std::size_t, 2> begin{};
    for (const std::uint8_t side : {near_side, far_side, separator_side}) {
      if (side != near_side) begin[side - far_side] = range.first + sorted.size();
      for (const Index v : part) {
        if (side_[v] == side) sorted.push_back(v);
      }
    }
    std::copy(sorted.begin(), sorted.end(), part.begin());
    for (const Index v : part) side_[v] = elsewhere;
    return {begin[0], begin[1]};
  }

  bool touches(Index v, std::uint8_t side) const {
    for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k) {
      if (side_[adjacent_.neighbour[k]] == side) return true;
    }
    return false;
  }

  static constexpr std::uint8_t elsewhere = 0;
  static constexpr std::uint8_t near_side = 1;
  static constexpr std::uint8_t far_side = 2;
  static constexpr std::uint8_t separator_side = 3;

  const BlockGraph& graph_;
  const Adjacency& adjacent_;
  bool last_of_equals_;
  std::vector<Levels, HugePageAllocator<Levels>> level_;
  std::vector<std::uint8_t> side_;  // of the part at hand; elsewhere outside
  std::vector<Index> order_;
  std::atomic<bool> levels_are_large_{false};
};

}  // namespace

std::vector<Index> level_dissection(const BlockGraph& graph, const Adjacency& adjacent, LevelTies ties,
                                    int threads) {
  return LevelDissection(graph, adjacent, ties).run(threads);
}

}  // namespace countpm::planar
