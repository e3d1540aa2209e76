#include "kernels/frontier/order/tree_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <queue>
#include <random>
#include <tuple>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/frontier/order/state_count.hpp"
#include "kernels/support/popcount_clones.hpp"

namespace countpm {
namespace {

/// A node of the elimination tree, with what its subtree's table is predicted to hold.
struct Node {
  Index parent = no_index;
  Index size = 1;          // of the subtree
  double log2_states = 0;  // of its table
  double log2_peak = 0;    // alive at once while it is made
  std::vector<Index> children;
};

class TreeBuilder {
 public:
  TreeBuilder(const ClassGraph& graph, const std::vector<Index>& order)
      : graph_(graph), order_(order), place_(graph.classes()), nodes_(graph.classes()) {
    for (Index i = 0; i < order.size(); ++i) place_[order[i]] = i;
  }

  /// The tree, the frontiers' sizes in states. False where there is too much fill.
  bool grow(std::uint64_t most_fill) {
    const Index classes = graph_.classes();
    std::vector<std::vector<Index>> later(classes);  // places of the frontier's members, ascending
    std::vector<FrontierProfile> gone(classes);      // the members eliminated
    std::vector<Index> merged;
    std::uint64_t fill = 0;
    StopPoll poll;
    for (Index i = 0; i < classes; ++i) {
      const Index v = order_[i];
      Node& node = nodes_[v];
      std::vector<Index>& frontier = later[v];
      for (std::uint64_t k = graph_.start[v]; k < graph_.start[v + std::uint64_t{1}]; ++k) {
        const Index at = place_[graph_.neighbour[k]];
        if (at > i) frontier.push_back(at);
      }
      std::sort(frontier.begin(), frontier.end());
      gone[v].general = graph_.general;
      gone[v].monomers = graph_.monomers;
      gone[v].most_taken = graph_.most_taken;
      gone[v].eliminated(graph_.multiplicity[v], graph_.is_row(v));
      for (const Index child : node.children) {
        merged.clear();
        // The child's first member is v itself.
        std::set_union(frontier.begin(), frontier.end(), later[child].begin() + 1, later[child].end(),
                       std::back_inserter(merged));
        frontier = merged;
        std::vector<Index>().swap(later[child]);
        gone[v].rows_gone += gone[child].rows_gone;
        gone[v].columns_gone += gone[child].columns_gone;
        node.size += nodes_[child].size;
      }
      fill += frontier.size();
      poll.steps(frontier.size());
      if (fill > most_fill) return false;
      FrontierProfile profile = gone[v];
      for (const Index at : frontier) {
        profile.insert(graph_.multiplicity[order_[at]], graph_.is_row(order_[at]));
      }
      node.log2_states = std::max(0.0, log2_admitted(profile));
      arrange(node);
      if (frontier.empty()) continue;
      node.parent = order_[frontier.front()];
      nodes_[node.parent].children.push_back(v);
    }
    return true;
  }

  Elimination program(Index inlined) const {
    Elimination result;
    std::vector<Index> roots;
    for (const Index v : order_) {
      if (nodes_[v].parent == no_index) roots.push_back(v);
    }
    for (const Index root : roots) {
      emit(root, inlined, result.steps);
      if (root != roots.front()) result.steps.push_back({Kind::join, no_index});
    }
    if (roots.empty()) result.steps.push_back({Kind::push, no_index});
    return result;
  }

 private:
  using Kind = EliminationStep::Kind;

  /// Sorts the children, those first that need much room and leave little, and predicts the peak.
  void arrange(Node& node) {
    const auto shrinks = [&](Index child) {
      const Node& c = nodes_[child];
      return c.log2_peak + std::log2(std::max(1e-12, 1 - std::exp2(c.log2_states - c.log2_peak)));
    };
    std::vector<std::pair<double, Index>> keyed;
    for (const Index child : node.children) keyed.emplace_back(-shrinks(child), child);
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    double kept = -1e300;
    double peak = node.log2_states;
    for (std::size_t i = 0; i < keyed.size(); ++i) {
      const Node& child = nodes_[keyed[i].second];
      node.children[i] = keyed[i].second;
      peak = std::max(peak, log2_sum(kept, child.log2_peak));
      kept = log2_sum(kept, child.log2_states);
    }
    node.log2_peak = std::max(peak, log2_sum(kept, node.log2_states));
  }

  /// A subtree's steps: a table of its own.
  void emit(Index root, Index inlined, std::vector<EliminationStep>& steps) const {
    struct Visit {
      Index v;
      bool own;          // else it goes on in the table that was on top
      std::size_t next;  // child
      bool table;        // there is a table on top to go on in
      bool small;        // on to the second pass, over the inlined ones
      bool joins;        // the child just done has a table of its own, to be joined
    };
    std::vector<Visit> stack{{root, true, 0, false, false, false}};
    while (!stack.empty()) {
      Visit& visit = stack.back();
      const Node& node = nodes_[visit.v];
      if (visit.joins) {
        steps.push_back({Kind::join, no_index});
        visit.joins = false;
      }
      if (visit.next < node.children.size()) {
        const Index child = node.children[visit.next++];
        if ((nodes_[child].size <= inlined) != visit.small) continue;
        // Where the subtree goes on in a given table, its children do so, too: one line.
        const bool child_own = !visit.table || (visit.own && !visit.small);
        visit.joins = visit.table && child_own;
        visit.table = true;
        stack.push_back({child, child_own, 0, !child_own, false, false});
        continue;
      }
      if (!visit.small) {
        visit.small = true;
        visit.next = 0;
        continue;
      }
      if (!visit.table) steps.push_back({Kind::push, no_index});
      steps.push_back({Kind::eliminate, visit.v});
      stack.pop_back();
    }
  }

  const ClassGraph& graph_;
  const std::vector<Index>& order_;
  std::vector<Index> place_;
  std::vector<Node> nodes_;
};

}  // namespace

std::optional<Elimination> tree_elimination(const ClassGraph& graph, const std::vector<Index>& order,
                                            Index inlined, std::uint64_t most_fill) {
  TreeBuilder builder(graph, order);
  if (!builder.grow(most_fill)) return std::nullopt;
  return builder.program(inlined);
}

std::vector<Index> minimum_degree_order(const ClassGraph& graph, std::uint64_t seed, Index most_degree) {
  const Index classes = graph.classes();
  std::mt19937_64 random(seed);
  std::vector<std::vector<Index>> around(classes);
  using Entry = std::tuple<Index, std::uint64_t, Index>;  // degree, tie, class; out of date ones are skipped
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (Index v = 0; v < classes; ++v) {
    around[v].assign(
        graph.neighbour.begin() + static_cast<std::ptrdiff_t>(graph.start[v]),
        graph.neighbour.begin() + static_cast<std::ptrdiff_t>(graph.start[v + std::uint64_t{1}]));
    queue.emplace(graph.degree(v), random(), v);
  }
  std::vector<Index> order;
  std::vector<char> gone(classes, 0);
  std::vector<Index> merged;
  StopPoll poll;
  while (!queue.empty()) {
    const auto [degree, tie, v] = queue.top();
    queue.pop();
    if (gone[v] != 0 || degree != around[v].size()) continue;
    if (degree > most_degree) return {};
    gone[v] = 1;
    order.push_back(v);
    const std::vector<Index> clique = std::move(around[v]);
    for (const Index u : clique) {
      poll.steps(clique.size() + around[u].size());
      merged.clear();
      std::set_union(around[u].begin(), around[u].end(), clique.begin(), clique.end(),
                     std::back_inserter(merged));
      merged.erase(
          std::remove_if(merged.begin(), merged.end(), [&, v = v](Index w) { return w == u || w == v; }),
          merged.end());
      around[u] = merged;
      queue.emplace(static_cast<Index>(around[u].size()), random(), u);
    }
  }
  return order;
}

namespace {

using Word = std::uint64_t;

template <class Visit>
void for_members(const Word* set, std::size_t words, const Visit& visit) {
  for (std::size_t w = 0; w < words; ++w) {
    for (Word rest = set[w]; rest != 0; rest &= rest - 1) {
      visit(static_cast<Index>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
    }
  }
}

/// Ordered pairs of neighbours of v that are not adjacent; around + words * v are the neighbours of v.
COUNTPM_POPCOUNT_CLONES
std::uint64_t pairs_to_fill(const Word* around, std::size_t words, Index v) noexcept {
  const Word* mine = around + words * v;
  std::uint64_t missing = 0;
  for (std::size_t at = 0; at < words; ++at) {
    for (Word rest = mine[at]; rest != 0; rest &= rest - 1) {
      const Word* other = around + words * (at * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      for (std::size_t w = 0; w < words; ++w)
        missing += static_cast<std::uint64_t>(std::popcount(mine[w] & ~other[w]));
      --missing;  // the neighbour itself
    }
  }
  return missing;
}

}  // namespace

std::vector<Index> minimum_fill_order(const ClassGraph& graph, std::uint64_t seed, std::uint64_t most_work) {
  const Index classes = graph.classes();
  const std::size_t words = (classes + 63) / 64;
  std::mt19937_64 random(seed);
  std::vector<Word> around(words * classes, 0);
  const auto flip = [&](Index v, Index u) { around[words * v + u / 64] ^= Word{1} << (u % 64); };
  for (Index v = 0; v < classes; ++v) {
    for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::uint64_t{1}]; ++k)
      flip(v, graph.neighbour[k]);
  }
  StopPoll poll;
  std::uint64_t work = 0;
  const auto fill_of = [&](Index v) {
    std::uint64_t neighbours = 0;
    for (std::size_t w = 0; w < words; ++w)
      neighbours += static_cast<std::uint64_t>(std::popcount(around[words * v + w]));
    poll.steps(neighbours * words);
    work += neighbours * words;
    return pairs_to_fill(around.data(), words, v);
  };
  std::vector<std::uint64_t> fill(classes);
  for (Index v = 0; v < classes; ++v) fill[v] = fill_of(v);
  std::vector<char> gone(classes, 0);
  std::vector<Index> order;
  std::vector<Word> clique(words);
  std::vector<Word> changed(words);
  for (Index step = 0; step < classes; ++step) {
    if (work > most_work) return {};
    Index best = no_index;
    Index ties = 0;
    for (Index v = 0; v < classes; ++v) {
      if (gone[v] != 0 || (best != no_index && fill[v] > fill[best])) continue;
      ties = best == no_index || fill[v] < fill[best] ? 1 : ties + 1;
      if (random() % ties == 0) best = v;
    }
    gone[best] = 1;
    order.push_back(best);
    std::copy_n(&around[words * best], words, clique.begin());
    changed = clique;
    for_members(clique.data(), words, [&](Index u) {
      Word* other = &around[words * u];
      for (std::size_t w = 0; w < words; ++w) other[w] |= clique[w];
      flip(u, u);
      flip(u, best);
    });
    if (fill[best] == 0) {
      // No new edge: only the neighbours see one member less.
      for_members(clique.data(), words, [&](Index u) { fill[u] = fill_of(u); });
      continue;
    }
    for_members(clique.data(), words, [&](Index u) {
      for (std::size_t w = 0; w < words; ++w) changed[w] |= around[words * u + w];
    });
    for_members(changed.data(), words, [&](Index u) { fill[u] = fill_of(u); });
  }
  return order;
}

}  // namespace countpm
