#include "matching/cactus_sums.hpp"

#include <algorithm>
#include <utility>

#include "graph/stop_poll.hpp"
#include "matching/line_groups.hpp"

namespace countpm {
namespace {

template <class Number>
class CactusSums {
 public:
  using Sums = VertexSums<Number>;

  CactusSums(NearTree<Number> graph, std::uint64_t most_steps)
      : graph_(std::move(graph)), steps_left_(most_steps) {
    const std::size_t vertices = graph_.vertices.size();
    std::vector<Index> ends;
    for (const auto& edge : graph_.edges) {
      ends.push_back(edge.from);
      ends.push_back(edge.to);
    }
    at_ = group_lines(ends, static_cast<Index>(vertices));
    number_.assign(vertices, 0);
    low_.assign(vertices, 0);
    next_.resize(vertices);
    for (Index v = 0; v < vertices; ++v) next_[v] = at_.start[v];
    seen_.assign(graph_.edges.size(), false);
    place_.assign(vertices, no_index);
  }

  std::optional<Sums> run(Index root) {
    std::vector<Index> path{root};
    std::vector<Index> open;  // edges of blocks that are not complete
    Index numbered = 0;
    number_[root] = low_[root] = ++numbered;
    StopPoll poll;
    while (true) {
      poll.step();
      const Index v = path.back();
      if (next_[v] < at_.start[v + std::uint64_t{1}]) {
        const Index edge = at_.members[next_[v]++] / 2;
        if (seen_[edge]) continue;
        seen_[edge] = true;
        open.push_back(edge);
        const Index w = other(edge, v);
        if (number_[w] != 0) {
          low_[v] = std::min(low_[v], number_[w]);
          continue;
        }
        number_[w] = low_[w] = ++numbered;
        path.push_back(w);
        continue;
      }
      path.pop_back();
      if (path.empty()) break;
      const Index parent = path.back();
      low_[parent] = std::min(low_[parent], low_[v]);
      if (low_[v] < number_[parent]) continue;
      // The block that ends in `parent`: all from the edge to v on.
      std::vector<Index> block;
      do {
        block.push_back(open.back());
        open.pop_back();
      } while (!is_edge(block.back(), parent, v));
      std::reverse(block.begin(), block.end());
      if (!add_block(parent, block)) return std::nullopt;
    }
    return std::move(graph_.vertices[root]);
  }

 private:
  /// An edge to the parent in the tree that spans a block, by places in the block.
  struct TreeEdge {
    Index parent = no_index;
    Index edge = no_index;
  };

  Index other(Index edge, Index vertex) const {
    return graph_.edges[edge].from == vertex ? graph_.edges[edge].to : graph_.edges[edge].from;
  }
  bool is_edge(Index edge, Index a, Index b) const {
    const auto& e = graph_.edges[edge];
    return (e.from == a && e.to == b) || (e.from == b && e.to == a);
  }
  Leading<Number> taken(Index edge) const { return {1, graph_.edges[edge].weight.numerator}; }
  Leading<Number> passed(Index edge) const { return {0, graph_.edges[edge].weight.denominator}; }

  /// Adds what the block makes of the vertex that it ends in. False where that takes too many steps.
  bool add_block(Index root, const std::vector<Index>& block) {
    std::vector<Index> vertices{root};
    std::vector<TreeEdge> tree{{}};
    const std::vector<Index> rest = span(block, vertices, tree);
    for (const Index v : vertices) place_[v] = no_index;
    constexpr std::size_t most_rest = 30;
    if (rest.size() > most_rest) return false;
    const std::uint64_t ways = std::uint64_t{1} << rest.size();
    const std::uint64_t steps = ways * vertices.size();
    if (!rest.empty() && steps > steps_left_) return false;
    if (!rest.empty()) steps_left_ -= steps;
    Leading<Number> left;
    Leading<Number> settled;
    for (std::uint64_t way = 0; way < ways; ++way) add_way(vertices, tree, rest, way, left, settled);
    Sums& sums = graph_.vertices[root];
    sums.settled = sums.settled * left + sums.left * settled;
    sums.left = sums.left * left;
    for (std::size_t k = 1; k < vertices.size(); ++k)
      sums.denominator = sums.denominator * graph_.vertices[vertices[k]].denominator;
    for (const Index edge : block)
      sums.denominator = sums.denominator * graph_.edges[edge].weight.denominator;
    return true;
  }

  /// A tree that spans the block, every vertex behind its parent; returns the edges left over, by ends that
  /// are places.
  std::vector<Index> span(const std::vector<Index>& block, std::vector<Index>& vertices,
                          std::vector<TreeEdge>& tree) {
    std::vector<Index> ends;
    std::vector<Index> local;
    place_[vertices.front()] = 0;
    for (const Index edge : block) {
      for (const Index v : {graph_.edges[edge].from, graph_.edges[edge].to}) {
        if (place_[v] == no_index) {
          place_[v] = static_cast<Index>(local.size()) + 1;
          local.push_back(v);
        }
        ends.push_back(place_[v]);
      }
    }
    const auto size = static_cast<Index>(local.size()) + 1;
    const LineGroups at = group_lines(ends, size);
    std::vector<bool> met(size, false);
    std::vector<bool> used(block.size(), false);
    std::vector<Index> queue{0};
    std::vector<Index> where(size, 0);  // of places by number: in `vertices`
    met[0] = true;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const Index end : at[queue[head]]) {
        const Index w = ends[end ^ 1U];
        if (met[w]) continue;
        met[w] = used[end / 2] = true;
        where[w] = static_cast<Index>(vertices.size());
        queue.push_back(w);
        vertices.push_back(local[w - 1]);
        tree.push_back({static_cast<Index>(head), block[end / 2]});
      }
    }
    std::vector<Index> rest;
    rest_ends_.clear();
    for (Index k = 0; k < block.size(); ++k) {
      if (used[k]) continue;
      rest.push_back(block[k]);
      rest_ends_.emplace_back(where[ends[2 * std::size_t{k}]], where[ends[2 * std::size_t{k} + 1]]);
    }
    return rest;
  }

  /// The spanning tree's sums where those edges of the rest are taken that `way` has.
  void add_way(const std::vector<Index>& vertices, const std::vector<TreeEdge>& tree,
               const std::vector<Index>& rest, std::uint64_t way, Leading<Number>& left,
               Leading<Number>& settled) {
    std::vector<bool> covered(vertices.size(), false);
    Leading<Number> factor;
    bool first = true;
    for (std::size_t k = 0; k < rest.size(); ++k) {
      const bool take = (way >> k & 1U) != 0;
      if (take) {
        const auto [a, b] = rest_ends_[k];
        if (covered[a] || covered[b]) return;
        covered[a] = covered[b] = true;
      }
      const Leading<Number> own = take ? taken(rest[k]) : passed(rest[k]);
      factor = std::exchange(first, false) ? own : factor * own;
    }
    // Of every vertex: its children settled, and one of them matched to it.
    std::vector<Leading<Number>> all(vertices.size());
    std::vector<Leading<Number>> matched(vertices.size());
    std::vector<bool> has_child(vertices.size(), false);
    StopPoll poll;
    for (std::size_t v = vertices.size(); v-- > 1;) {
      poll.step();
      const Sums& own = graph_.vertices[vertices[v]];
      Leading<Number> v_left;
      Leading<Number> v_settled;
      if (!has_child[v]) {
        v_left = own.left;
        v_settled = covered[v] ? own.left : own.settled;
      } else {
        v_left = own.left * all[v];
        v_settled = covered[v] ? v_left : own.settled * all[v] + own.left * matched[v];
      }
      const Index parent = tree[v].parent;
      v_settled = passed(tree[v].edge) * v_settled;
      v_left = covered[v] ? Leading<Number>{} : taken(tree[v].edge) * v_left;
      if (!has_child[parent]) {
        has_child[parent] = true;
        all[parent] = std::move(v_settled);
        matched[parent] = std::move(v_left);
      } else {
        matched[parent] = matched[parent] * v_settled + all[parent] * v_left;
        all[parent] = all[parent] * v_settled;
      }
    }
    Leading<Number>& of_root = covered[0] ? all[0] : matched[0];
    if (!rest.empty()) of_root = factor * of_root;
    settled = settled + of_root;
    if (covered[0]) return;
    if (!rest.empty()) all[0] = factor * all[0];
    left = left + all[0];
  }

  NearTree<Number> graph_;
  std::uint64_t steps_left_;
  LineGroups at_;  // of every vertex: 2 k or 2 k + 1 of its edges k
  std::vector<Index> number_;
  std::vector<Index> low_;
  std::vector<std::uint64_t> next_;
  std::vector<bool> seen_;
  std::vector<Index> place_;
  std::vector<std::pair<Index, Index>> rest_ends_;
};

}  // namespace

template <class Number>
std::optional<VertexSums<Number>> cactus_sums(NearTree<Number> graph, Index root, std::uint64_t most_steps) {
  return CactusSums<Number>(std::move(graph), most_steps).run(root);
}

template std::optional<VertexSums<mpz_class>> cactus_sums(NearTree<mpz_class>, Index, std::uint64_t);
template std::optional<VertexSums<Gaussian<mpz_class>>> cactus_sums(NearTree<Gaussian<mpz_class>>, Index,
                                                                    std::uint64_t);
template std::optional<VertexSums<Residue>> cactus_sums(NearTree<Residue>, Index, std::uint64_t);
template std::optional<VertexSums<Gaussian<Residue>>> cactus_sums(NearTree<Gaussian<Residue>>, Index,
                                                                  std::uint64_t);

}  // namespace countpm
