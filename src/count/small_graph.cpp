#include "src/count/small_graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace countpm {
namespace {

// Of counts in words, and in pairs of these.
constexpr double bits_of_a_word = 62.9;
constexpr double most_bits = 126;

std::uint64_t bit_of(std::size_t vertex) {
  return std::uint64_t{1} << vertex;
}

template <class Count>
struct MatchedState {
  std::uint64_t matched = 0;  // by place in the order
  Count count{};
};

/// States by what is matched: open addressing over a power of two of slots, which hold places of the list.
template <class Count>
class MatchedStates {
 public:
  MatchedStates() : slot_(least_slots, 0) {}

  void add(std::uint64_t matched, Count count) {
    if (2 * (states_.size() + 1) > slot_.size()) grow();
    std::size_t at = place(matched);
    while (slot_[at] != 0) {
      MatchedState<Count>& state = states_[slot_[at] - 1];
      if (state.matched == matched) {
        state.count += count;
        return;
      }
      at = (at + 1) & (slot_.size() - 1);
    }
    states_.push_back({matched, count});
    slot_[at] = static_cast<std::uint32_t>(states_.size());
  }

  const std::vector<MatchedState<Count>>& states() const { return states_; }

  void clear() {
    states_.clear();
    std::fill(slot_.begin(), slot_.end(), 0);
  }

 private:
  static constexpr std::size_t least_slots = 64;

  std::size_t place(std::uint64_t matched) const {
    // By the golden ratio (D. E. Knuth, The Art of Computer Programming 3, 6.4).
    const std::uint64_t mixed = (matched ^ matched >> 32U) * 0x9e3779b97f4a7c15U;
    return static_cast<std::size_t>(mixed >> 32U) & (slot_.size() - 1);
  }

  void grow() {
    slot_.assign(2 * slot_.size(), 0);
    for (std::size_t k = 0; k < states_.size(); ++k) {
      std::size_t at = place(states_[k].matched);
      while (slot_[at] != 0) at = (at + 1) & (slot_.size() - 1);
      slot_[at] = static_cast<std::uint32_t>(k + 1);
    }
  }

  std::vector<MatchedState<Count>> states_;
  std::vector<std::uint32_t> slot_;
};

/// An order's edges by places.
struct PlacedEdges {
  std::size_t places = 0;
  std::array<std::uint64_t, SmallGraph::most_vertices> later{};  // neighbours at later places, or the own one
  std::vector<std::int64_t> weight;                              // [places * places]; empty: all 1

  std::int64_t weight_of(std::size_t at, std::size_t other) const { return weight[at * places + other]; }
};

PlacedEdges place_edges(const SmallGraph& graph, const std::vector<std::uint8_t>& order) {
  std::array<std::uint8_t, SmallGraph::most_vertices> place{};
  for (std::size_t at = 0; at < order.size(); ++at) place[order[at]] = static_cast<std::uint8_t>(at);
  PlacedEdges edges;
  edges.places = order.size();
  if (!graph.weight.empty()) edges.weight.resize(order.size() * order.size());
  for (std::size_t at = 0; at < order.size(); ++at) {
    for (std::uint64_t left = graph.neighbours[order[at]]; left != 0; left &= left - 1) {
      const auto vertex = static_cast<std::size_t>(std::countr_zero(left));
      const std::size_t other = place[vertex];
      if (other < at) continue;
      edges.later[at] |= bit_of(other);
      if (!edges.weight.empty()) edges.weight[at * edges.places + other] = graph.weight_of(order[at], vertex);
    }
  }
  return edges;
}

/// Numbers fit Count.
template <class Count, bool weighted>
std::optional<int128> eliminate_in(const PlacedEdges& edges, std::uint64_t most_steps) {
  MatchedStates<Count> now;
  MatchedStates<Count> next;
  now.add(0, 1);
  std::uint64_t steps = 0;
  for (std::size_t at = 0; at < edges.places; ++at) {
    next.clear();
    for (const MatchedState<Count>& state : now.states()) {
      if (steps > most_steps) return std::nullopt;
      if ((state.matched & bit_of(at)) != 0) {
        next.add(state.matched & ~bit_of(at), state.count);
        ++steps;
        continue;
      }
      for (std::uint64_t free = edges.later[at] & ~state.matched; free != 0; free &= free - 1) {
        Count count = state.count;
        if constexpr (weighted)
          count *= edges.weight_of(at, static_cast<std::size_t>(std::countr_zero(free)));
        next.add((state.matched | (free & ~(free - 1))) & ~bit_of(at), count);
        ++steps;
      }
    }
    std::swap(now, next);
  }
  return now.states().empty() ? int128{0} : int128{now.states().front().count};
}

/// Of the matchings that lead to one state those with the most edges.
template <class Count>
struct LargestSum {
  Count sum = 0;
  std::size_t edges = 0;

  LargestSum& operator+=(const LargestSum& other) {
    if (other.edges > edges) {
      *this = other;
    } else if (other.edges == edges) {
      sum += other.sum;
    }
    return *this;
  }
};

template <class Count>
std::optional<LargestMatchings> eliminate_largest_in(const PlacedEdges& edges, std::uint64_t most_steps) {
  using Sum = LargestSum<Count>;
  MatchedStates<Sum> now;
  MatchedStates<Sum> next;
  now.add(0, Sum{1, 0});
  std::uint64_t steps = 0;
  for (std::size_t at = 0; at < edges.places; ++at) {
    next.clear();
    for (const MatchedState<Sum>& state : now.states()) {
      if (steps > most_steps) return std::nullopt;
      // Matched before, or free for good.
      next.add(state.matched & ~bit_of(at), state.count);
      ++steps;
      if ((state.matched & bit_of(at)) != 0) continue;
      for (std::uint64_t free = edges.later[at] & ~state.matched; free != 0; free &= free - 1) {
        Sum sum{state.count.sum, state.count.edges + 1};
        if (!edges.weight.empty())
          sum.sum *= edges.weight_of(at, static_cast<std::size_t>(std::countr_zero(free)));
        next.add(state.matched | (free & ~(free - 1)), sum);
        ++steps;
      }
    }
    std::swap(now, next);
  }
  const Sum& last = now.states().front().count;
  return LargestMatchings{last.edges, int128{last.sum}};
}

double magnitude(std::int64_t value) {
  return std::abs(static_cast<double>(value));
}

/// log2 of a number that no state's count exceeds: the earlier end of each edge of a matching chooses among
/// its later neighbours; and haf(A)^2 <= per(A) <= the product of A's row sums, because two perfect matchings
/// are a cycle cover. A vertex that stays alone chooses itself, in both matchings: its weight comes in by its
/// square. any_free: all vertices may stay alone, by a weight of 1.
double log2_bound(const SmallGraph& graph, const PlacedEdges& edges, bool any_free) {
  double by_choices = 0;
  double by_squares = 0;
  const double itself = any_free ? 1 : 0;
  for (std::size_t at = 0; at < edges.places; ++at) {
    double sum = itself;
    for (std::uint64_t left = edges.later[at]; left != 0; left &= left - 1)
      sum += edges.weight.empty()
                 ? 1
                 : magnitude(edges.weight_of(at, static_cast<std::size_t>(std::countr_zero(left))));
    by_choices += std::log2(std::max(sum, 1.0));
    sum = itself;
    for (std::uint64_t left = graph.neighbours[at]; left != 0; left &= left - 1) {
      const auto other = static_cast<std::size_t>(std::countr_zero(left));
      const double size = magnitude(graph.weight_of(at, other));
      sum += other == at ? size * size : size;
    }
    by_squares += std::log2(std::max(sum, 1.0)) / 2;
  }
  return std::min(by_choices, by_squares);
}

}  // namespace

std::optional<SmallGraph> small_graph(const Graph& graph) {
  const auto* const weights = std::get_if<std::vector<std::int64_t>>(&graph.values);
  const bool whole = graph.weight_kind <= WeightKind::integer &&
                     (weights != nullptr || std::holds_alternative<std::monostate>(graph.values));
  if (graph.covers || graph.digit || graph.copies || graph.letters || graph.letter_bits != 0 || !whole)
    return std::nullopt;
  const std::size_t left = graph.left_labels.size();
  const std::size_t right = graph.kind == GraphKind::undirected ? 0
                            : graph.kind == GraphKind::directed ? left
                                                                : graph.right_labels.size();
  if (left > SmallGraph::most_vertices || right > SmallGraph::most_vertices - left) return std::nullopt;
  SmallGraph small;
  small.vertices = left + right;
  small.two_sides = graph.kind != GraphKind::undirected;
  small.left = small.two_sides ? left : 0;
  if (weights != nullptr) small.weight.resize(small.vertices * small.vertices);
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const std::size_t from = graph.edges[k].from;
    const std::size_t to = graph.edges[k].to + small.left;
    small.neighbours[from] |= bit_of(to);
    small.neighbours[to] |= bit_of(from);
    if (weights != nullptr)
      small.weight[from * small.vertices + to] = small.weight[to * small.vertices + from] = (*weights)[k];
  }
  return small;
}

std::optional<SmallGraph> on_two_sides(const SmallGraph& graph) {
  if (graph.two_sides || graph.vertices == 0 || graph.vertices % 2 != 0) return std::nullopt;
  std::array<std::uint64_t, 2> side{};
  for (std::size_t root = 0; root < graph.vertices; ++root) {
    if (((side[0] | side[1]) & bit_of(root)) != 0) continue;
    std::array<std::uint64_t, 2> found{};
    std::uint64_t now = bit_of(root);
    for (std::size_t colour = 0; now != 0; colour = 1 - colour) {
      found[colour] |= now;
      std::uint64_t next = 0;
      for (; now != 0; now &= now - 1)
        next |= graph.neighbours[static_cast<std::size_t>(std::countr_zero(now))];
      if ((next & found[colour]) != 0) return std::nullopt;
      now = next & ~found[1 - colour];
    }
    if (std::popcount(found[0]) != std::popcount(found[1])) return std::nullopt;
    for (std::size_t colour = 0; colour < 2; ++colour) side[colour] |= found[colour];
  }
  SmallGraph sided;
  sided.vertices = graph.vertices;
  sided.left = graph.vertices / 2;
  sided.two_sides = true;
  std::array<std::size_t, SmallGraph::most_vertices> place{};
  std::array<std::size_t, 2> next_place{0, sided.left};
  for (std::size_t v = 0; v < graph.vertices; ++v)
    place[v] = next_place[(side[1] & bit_of(v)) != 0 ? 1 : 0]++;
  if (!graph.weight.empty()) sided.weight.resize(graph.vertices * graph.vertices);
  for (std::size_t v = 0; v < graph.vertices; ++v) {
    for (std::uint64_t left = graph.neighbours[v]; left != 0; left &= left - 1) {
      const auto other = static_cast<std::size_t>(std::countr_zero(left));
      sided.neighbours[place[v]] |= bit_of(place[other]);
      if (!graph.weight.empty())
        sided.weight[place[v] * graph.vertices + place[other]] = graph.weight_of(v, other);
    }
  }
  return sided;
}

std::vector<std::uint8_t> greedy_order(const SmallGraph& graph) {
  std::vector<std::uint8_t> order;
  order.reserve(graph.vertices);
  std::uint64_t left =
      graph.vertices == SmallGraph::most_vertices ? ~std::uint64_t{0} : bit_of(graph.vertices) - 1;
  std::uint64_t border = 0;  // neighbours of what is eliminated, among what is left
  while (left != 0) {
    std::size_t best = 0;
    int least = static_cast<int>(SmallGraph::most_vertices) + 1;
    for (std::uint64_t rest = left; rest != 0; rest &= rest - 1) {
      const auto vertex = static_cast<std::size_t>(std::countr_zero(rest));
      const int size = std::popcount((border | graph.neighbours[vertex]) & left & ~bit_of(vertex));
      if (size < least) least = size, best = vertex;
    }
    left &= ~bit_of(best);
    border = (border | graph.neighbours[best]) & left;
    order.push_back(static_cast<std::uint8_t>(best));
  }
  return order;
}

std::optional<int128> eliminate(const SmallGraph& graph, const std::vector<std::uint8_t>& order,
                                std::uint64_t most_steps) {
  const PlacedEdges edges = place_edges(graph, order);
  const double bits = log2_bound(graph, edges, false);
  const bool weighted = !edges.weight.empty();
  if (bits <= bits_of_a_word)
    return weighted ? eliminate_in<std::int64_t, true>(edges, most_steps)
                    : eliminate_in<std::int64_t, false>(edges, most_steps);
  if (bits <= most_bits)
    return weighted ? eliminate_in<int128, true>(edges, most_steps)
                    : eliminate_in<int128, false>(edges, most_steps);
  return std::nullopt;
}

std::optional<LargestMatchings> eliminate_largest(const SmallGraph& graph,
                                                  const std::vector<std::uint8_t>& order,
                                                  std::uint64_t most_steps) {
  const PlacedEdges edges = place_edges(graph, order);
  const double bits = log2_bound(graph, edges, true);
  if (bits <= bits_of_a_word) return eliminate_largest_in<std::int64_t>(edges, most_steps);
  if (bits <= most_bits) return eliminate_largest_in<int128>(edges, most_steps);
  return std::nullopt;
}

bool is_odd(const SmallGraph& graph) {
  if (graph.two_sides && graph.vertices != 2 * graph.left) return false;
  const std::size_t rows = graph.two_sides ? graph.left : graph.vertices;
  std::array<std::uint64_t, SmallGraph::most_vertices> row{};
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::uint64_t left = graph.neighbours[i]; left != 0; left &= left - 1) {
      const auto other = static_cast<std::size_t>(std::countr_zero(left));
      if (graph.weight_of(i, other) % 2 != 0) row[i] |= bit_of(other - graph.left);
    }
  }
  for (std::size_t column = 0; column < rows; ++column) {
    std::size_t pivot = column;
    while (pivot < rows && (row[pivot] & bit_of(column)) == 0) ++pivot;
    if (pivot == rows) return false;
    std::swap(row[pivot], row[column]);
    for (std::size_t i = column + 1; i < rows; ++i) {
      if ((row[i] & bit_of(column)) != 0) row[i] ^= row[column];
    }
  }
  return true;
}

}  // namespace countpm
