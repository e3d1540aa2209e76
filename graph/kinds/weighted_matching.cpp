#include "graph/kinds/weighted_matching.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

// Potentials are sums of as many costs as there are vertices, and all is counted twice.
constexpr std::size_t most_bits_of_potentials = 60;

/// An edge by its two vertices, in the direction in which it is gone along.
struct Link {
  Index from = no_index;
  Index to = no_index;
};

enum class TreeLabel : std::uint8_t { none, even, odd };

/// A vertex, or a blossom: an odd cycle of nodes. Child 0 holds the base; link k leads from child k to the
/// next one, the last to child 0. Children 1 and 2, 3 and 4, ... are matched by their links.
template <class Value>
struct BlossomNode {
  Index parent = no_index;
  std::vector<Index> children;
  std::vector<Link> links;
  Index base = no_index;  // the vertex that is not matched within
  Value z{};              // of blossoms
  TreeLabel label = TreeLabel::none;
  Link entry;  // of an odd node: from the vertex of an even one by which it was reached
};

/// Costs are doubled, so that all potentials stay integers: free vertices keep the parity that they began
/// with, and so do the even ones of their trees.
template <class Value>
class BlossomSearch {
 public:
  BlossomSearch(Index vertices, const std::vector<Edge>& edges, std::vector<Value> doubled_cost)
      : edges_(edges),
        cost_(std::move(doubled_cost)),
        vertices_(vertices),
        node_(vertices),
        top_(vertices),
        mate_(vertices, no_index),
        potential_(vertices),
        incident_(vertices) {
    for (Index v = 0; v < vertices; ++v) {
      node_[v].base = v;
      top_[v] = v;
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
      incident_[edges[e].from].push_back(e);
      incident_[edges[e].to].push_back(e);
    }
  }

  bool run() {
    for (const std::vector<std::size_t>& list : incident_) {
      if (list.empty()) return false;
    }
    take_half_of_least_costs();
    while (std::find(mate_.begin(), mate_.end(), no_index) != mate_.end()) {
      if (!grow()) return false;
      expand_blossoms_of_weight_0();
    }
    return true;
  }

  /// Throws CheckError unless potentials and odd sets prove the matching to be one of least weight.
  WeightedMatching proved() {
    WeightedMatching result;
    result.tight.resize(edges_.size());
    std::vector<Index> crossed(node_.size(), 0);
    Index matched = 0;
    StopPoll poll;
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const auto [u, v] = edges_[e];
      const std::vector<Index> of_u = sets_of(u);
      const std::vector<Index> of_v = sets_of(v);
      poll.steps(of_u.size() + of_v.size());
      // From the outermost one on: those that hold both vertices come first.
      std::size_t both = 0;
      while (both < of_u.size() && both < of_v.size() && of_u[both] == of_v[both]) ++both;
      Value slack = Value(cost_[e] - potential_[u] - potential_[v]);
      for (std::size_t k = 0; k < both; ++k) slack += 2 * node_[of_u[k]].z;
      if (slack < 0)
        throw CheckError("ground states: the potentials leave an edge a negative reduced weight");
      result.tight[e] = slack == 0;
      if (mate_[u] != v) continue;
      if (mate_[v] != u) throw CheckError("ground states: the matching is none");
      ++matched;
      if (slack != 0) throw CheckError("ground states: an edge of the matching is not tight");
      result.weight += long_integer(cost_[e]);
      for (std::size_t k = both; k < of_u.size(); ++k) ++crossed[of_u[k]];
      for (std::size_t k = both; k < of_v.size(); ++k) ++crossed[of_v[k]];
    }
    if (2 * std::uint64_t{matched} != vertices_)
      throw CheckError("ground states: the matching is not perfect");
    result.weight /= 2;
    for (Index b = vertices_; b < node_.size(); ++b) {
      if (node_[b].children.empty() || node_[b].z == 0) continue;
      result.odd_sets.push_back(vertices_in(b));
      if (node_[b].z < 0 || crossed[b] != 1 || result.odd_sets.back().size() % 2 == 0)
        throw CheckError("ground states: a set of vertices is none that proves the weight to be least");
      std::sort(result.odd_sets.back().begin(), result.odd_sets.back().end());
    }
    return result;
  }

 private:
  using Node = BlossomNode<Value>;

  static mpz_class long_integer(const Value& value) {
    if constexpr (std::is_same_v<Value, mpz_class>) {
      return value;
    } else {
      return mpz_class(static_cast<std::int64_t>(value));
    }
  }

  bool is_blossom(Index b) const { return b >= vertices_; }
  Index other_end(std::size_t edge, Index v) const {
    return edges_[edge].from == v ? edges_[edge].to : edges_[edge].from;
  }

  /// Of an edge between two nodes that are in no blossom together.
  Value slack(std::size_t edge) const {
    return Value(cost_[edge] - potential_[edges_[edge].from] - potential_[edges_[edge].to]);
  }

  /// The blossoms around a vertex, the outermost first.
  std::vector<Index> sets_of(Index v) const {
    std::vector<Index> sets;
    for (Index b = node_[v].parent; b != no_index; b = node_[b].parent) sets.push_back(b);
    std::reverse(sets.begin(), sets.end());
    return sets;
  }

  std::vector<Index> vertices_in(Index b) const {
    std::vector<Index> found;
    std::vector<Index> left{b};
    while (!left.empty()) {
      const Index one = left.back();
      left.pop_back();
      if (!is_blossom(one)) found.push_back(one);
      left.insert(left.end(), node_[one].children.begin(), node_[one].children.end());
    }
    return found;
  }

  /// Even ones, so that the parity is the same everywhere; then vertices are matched where that is tight.
  void take_half_of_least_costs() {
    for (Index v = 0; v < vertices_; ++v) {
      Value least = cost_[incident_[v].front()];
      for (const std::size_t e : incident_[v]) least = std::min(least, cost_[e]);
      // Costs are even: half of them is rounded down to an even number.
      const Value half = Value(least / 2);
      potential_[v] = Value(half % 2 == 0 ? half : Value(half - 1));
    }
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const auto [u, v] = edges_[e];
      if (mate_[u] != no_index || mate_[v] != no_index || slack(e) != 0) continue;
      mate_[u] = v;
      mate_[v] = u;
    }
  }

  void label_even(Index b) {
    node_[b].label = TreeLabel::even;
    for (const Index v : vertices_in(b)) queue_.push_back(v);
  }

  /// Grows the forest until two free vertices are matched along a path; false: there is no such path.
  bool grow() {
    queue_.clear();
    for (Node& node : node_) node.label = TreeLabel::none;
    for (Index v = 0; v < vertices_; ++v) {
      if (mate_[v] == no_index) label_even(top_[v]);
    }
    while (true) {
      while (!queue_.empty()) {
        const Index v = queue_.back();
        queue_.pop_back();
        if (scan(v)) return true;
      }
      if (!change_potentials()) return false;
      for (Index v = 0; v < vertices_; ++v) {
        if (node_[top_[v]].label == TreeLabel::even) queue_.push_back(v);
      }
    }
  }

  /// Goes along the tight edges of an even vertex; true: the matching has grown.
  bool scan(Index v) {
    for (const std::size_t e : incident_[v]) {
      poll_.step();
      const Index w = other_end(e, v);
      if (top_[v] == top_[w] || slack(e) != 0) continue;
      const Index b = top_[w];
      if (node_[b].label == TreeLabel::none) {
        node_[b].label = TreeLabel::odd;
        node_[b].entry = {v, w};
        label_even(top_[mate_[node_[b].base]]);
      } else if (node_[b].label == TreeLabel::even) {
        const Index meeting = common_ancestor(top_[v], b);
        if (meeting == no_index) {
          match_to_root(v, w);
          match_to_root(w, v);
          return true;
        }
        shrink(meeting, {v, w});
      }
    }
    return false;
  }

  /// The odd node above an even one, and the even one above that; no_index at a root.
  Index odd_above(Index b) const {
    const Index mate = mate_[node_[b].base];
    return mate == no_index ? no_index : top_[mate];
  }
  Index even_above(Index b) const {
    const Index odd = odd_above(b);
    return odd == no_index ? no_index : top_[node_[odd].entry.from];
  }

  Index common_ancestor(Index a, Index b) const {
    std::vector<Index> seen;
    for (; a != no_index; a = even_above(a)) seen.push_back(a);
    std::sort(seen.begin(), seen.end());
    for (; b != no_index; b = even_above(b)) {
      if (std::binary_search(seen.begin(), seen.end(), b)) return b;
    }
    return no_index;
  }

  /// The nodes from an even one up to `ancestor`, without it, and the links from each to the next.
  void path_up(Index b, Index ancestor, std::vector<Index>& nodes, std::vector<Link>& links) const {
    while (b != ancestor) {
      const Index odd = odd_above(b);
      nodes.push_back(b);
      links.push_back({node_[b].base, mate_[node_[b].base]});
      nodes.push_back(odd);
      links.push_back({node_[odd].entry.to, node_[odd].entry.from});
      b = top_[node_[odd].entry.from];
    }
  }

  /// The edge closes an odd cycle through the even node `meeting`: a new blossom, even too.
  void shrink(Index meeting, Link closing) {
    std::vector<Index> down;
    std::vector<Link> down_links;
    path_up(top_[closing.from], meeting, down, down_links);
    Node blossom;
    blossom.children.push_back(meeting);
    for (std::size_t k = down.size(); k-- > 0;) {
      blossom.children.push_back(down[k]);
      blossom.links.push_back({down_links[k].to, down_links[k].from});
    }
    blossom.links.push_back(closing);
    path_up(top_[closing.to], meeting, blossom.children, blossom.links);
    blossom.base = node_[meeting].base;
    blossom.label = TreeLabel::even;
    const Index b = new_node();
    for (const Index child : blossom.children) {
      node_[child].parent = b;
      const bool was_odd = node_[child].label == TreeLabel::odd;
      for (const Index v : vertices_in(child)) {
        top_[v] = b;
        if (was_odd) queue_.push_back(v);
      }
    }
    node_[b] = std::move(blossom);
  }

  Index new_node() {
    if (unused_.empty()) {
      node_.emplace_back();
      return static_cast<Index>(node_.size() - 1);
    }
    const Index b = unused_.back();
    unused_.pop_back();
    return b;
  }

  /// Makes v the base of its node, which is matched to w outside, and so on along the tree to its root.
  void match_to_root(Index v, Index w) {
    while (true) {
      const Index even = top_[v];
      const Index odd = odd_above(even);
      move_base(even, v);
      mate_[v] = w;
      if (odd == no_index) return;
      const Link entry = node_[odd].entry;
      move_base(odd, entry.to);
      mate_[entry.to] = entry.from;
      v = entry.from;
      w = entry.to;
    }
  }

  /// The child of a blossom that a vertex is in, as its place.
  std::size_t place_in(Index b, Index v) const {
    Index child = v;
    while (node_[child].parent != b) child = node_[child].parent;
    const std::vector<Index>& children = node_[b].children;
    return static_cast<std::size_t>(std::find(children.begin(), children.end(), child) - children.begin());
  }

  /// Matches a blossom within but for the vertex.
  void move_base(Index outer, Index vertex) {
    std::vector<std::pair<Index, Index>> left{{outer, vertex}};
    while (!left.empty()) {
      const auto [b, v] = left.back();
      left.pop_back();
      if (!is_blossom(b)) continue;
      Node& node = node_[b];
      const std::size_t size = node.children.size();
      const std::size_t place = place_in(b, v);
      left.emplace_back(node.children[place], v);
      // The children between the new base's and the old one's, on the side where they are even in number.
      const std::size_t first = place % 2 == 0 ? 0 : place + 1;
      const std::size_t end = place % 2 == 0 ? place : size;
      for (std::size_t k = first; k < end; k += 2) {
        const Link link = node.links[k];
        left.emplace_back(node.children[k], link.from);
        left.emplace_back(node.children[(k + 1) % size], link.to);
        mate_[link.from] = link.to;
        mate_[link.to] = link.from;
      }
      const auto shift = static_cast<std::ptrdiff_t>(place);
      std::rotate(node.children.begin(), node.children.begin() + shift, node.children.end());
      std::rotate(node.links.begin(), node.links.begin() + shift, node.links.end());
      node.base = v;
    }
  }

  /// By as much as a further edge becomes tight, or an odd blossom weighs 0; false: there is no bound.
  bool change_potentials() {
    std::optional<Value> step;
    const auto bound = [&](Value value) {
      if (!step || value < *step) step = std::move(value);
    };
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      poll_.step();
      const Index a = top_[edges_[e].from];
      const Index b = top_[edges_[e].to];
      if (a == b) continue;
      const int evens = static_cast<int>(node_[a].label == TreeLabel::even) +
                        static_cast<int>(node_[b].label == TreeLabel::even);
      const bool has_odd = node_[a].label == TreeLabel::odd || node_[b].label == TreeLabel::odd;
      if (evens == 2) bound(Value(slack(e) / 2));
      if (evens == 1 && !has_odd) bound(slack(e));
    }
    for (Index b = vertices_; b < node_.size(); ++b) {
      if (is_top(b) && node_[b].label == TreeLabel::odd) bound(node_[b].z);
    }
    if (!step) return false;
    for (Index v = 0; v < vertices_; ++v) {
      const TreeLabel label = node_[top_[v]].label;
      if (label == TreeLabel::even) potential_[v] += *step;
      if (label == TreeLabel::odd) potential_[v] -= *step;
    }
    for (Index b = vertices_; b < node_.size(); ++b) {
      if (!is_top(b)) continue;
      if (node_[b].label == TreeLabel::even) node_[b].z += *step;
      if (node_[b].label == TreeLabel::odd) node_[b].z -= *step;
    }
    for (Index b = vertices_; b < node_.size(); ++b) {
      if (is_top(b) && node_[b].label == TreeLabel::odd && node_[b].z == 0) expand_odd(b);
    }
    return true;
  }

  bool is_top(Index b) const { return !node_[b].children.empty() && node_[b].parent == no_index; }

  /// The children stand for themselves again, without labels. Returns what the node was.
  Node dissolve(Index b) {
    Node node = std::exchange(node_[b], Node{});
    unused_.push_back(b);
    for (const Index child : node.children) {
      node_[child].parent = no_index;
      node_[child].label = TreeLabel::none;
      for (const Index v : vertices_in(child)) top_[v] = child;
    }
    return node;
  }

  /// Of an odd blossom, those children stay in the tree that lead from where it was reached to its base.
  void expand_odd(Index b) {
    std::size_t place = place_in(b, node_[b].entry.to);
    const Node node = dissolve(b);
    const std::size_t size = node.children.size();
    const bool down = place % 2 == 0;
    Link entry = node.entry;
    while (true) {
      const Index odd = node.children[place];
      node_[odd].label = TreeLabel::odd;
      node_[odd].entry = entry;
      if (place == 0) return;
      const std::size_t even = down ? place - 1 : place + 1;
      label_even(node.children[even]);
      if (down) {
        const Link link = node.links[place - 2];
        entry = {link.to, link.from};
        place -= 2;
      } else {
        entry = node.links[even];
        place = (even + 1) % size;
      }
    }
  }

  void expand_blossoms_of_weight_0() {
    for (bool again = true; again;) {
      again = false;
      for (Index b = vertices_; b < node_.size(); ++b) {
        if (!is_top(b) || node_[b].z != 0) continue;
        dissolve(b);
        again = true;
      }
    }
  }

  const std::vector<Edge>& edges_;
  std::vector<Value> cost_;
  Index vertices_;
  std::vector<Node> node_;     // the vertices, then blossoms
  std::vector<Index> unused_;  // numbers of blossoms that are no more
  std::vector<Index> top_;     // the outermost node around a vertex
  std::vector<Index> mate_;
  std::vector<Value> potential_;  // y, and z of all blossoms around the vertex
  std::vector<std::vector<std::size_t>> incident_;
  std::vector<Index> queue_;
  StopPoll poll_;
};

template <class Value>
std::optional<WeightedMatching> search_blossoms(Index vertices, const std::vector<Edge>& edges,
                                                std::vector<Value> doubled_cost) {
  BlossomSearch<Value> search(vertices, edges, std::move(doubled_cost));
  if (!search.run()) return std::nullopt;
  return search.proved();
}

}  // namespace

std::optional<WeightedMatching> least_perfect_matching(Index vertices, const std::vector<Edge>& edges,
                                                       const std::vector<mpz_class>& cost) {
  mpz_class largest = 0;
  for (const mpz_class& one : cost) largest = std::max(largest, mpz_class(abs(one)));
  largest *= 8 * (mpz_class(static_cast<std::uint64_t>(vertices)) + 1);
  if (mpz_sizeinbase(largest.get_mpz_t(), 2) <= most_bits_of_potentials) {
    std::vector<std::int64_t> doubled;
    doubled.reserve(cost.size());
    for (const mpz_class& one : cost) doubled.push_back(2 * one.get_si());
    return search_blossoms(vertices, edges, std::move(doubled));
  }
  std::vector<mpz_class> doubled;
  doubled.reserve(cost.size());
  for (const mpz_class& one : cost) doubled.emplace_back(2 * one);
  return search_blossoms(vertices, edges, std::move(doubled));
}

}  // namespace countpm
