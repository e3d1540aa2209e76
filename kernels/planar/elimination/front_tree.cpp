#include "kernels/planar/elimination/front_tree.hpp"

#include <algorithm>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/support/parallel_ranges.hpp"

namespace countpm::planar {
namespace {

// A front that is merged into its parent leaves zeros in the larger one; worth it while the fronts are small,
// where indices cost more than numbers. 2-core AMD EPYC (Zen 4), 2026-11-21: of 2 to 24 vertices and 5 to 30
// % the fastest, by 3 to 30 % (bench/results/planar.md).
constexpr std::size_t small_front = 6;  // vertices owned: always merged
constexpr double zeros_allowed = 0.05;  // of the merged front's own rows

// Work in multiplications that goes with what is no multiplication of the inner loop: with these the rate is
// 9 to 9.7 G a second from 50 x 50 to 200 x 200 (the same machine and day).
constexpr double pivot_cost = 700;  // an inverse, and the calls around it
constexpr double entry_cost = 4;    // an entry of a front: cleared, assembled, passed on
constexpr double front_cost = 300;  // its lists

// A thread's: their lists take a millisecond or less.
constexpr std::uint64_t fronts_at_a_time = 1024;

/// A front while the tree grows; vertices are numbers in the elimination order.
struct Node {
  std::vector<Index> own;
  std::vector<Index> border;
  std::vector<Index> children;
  std::size_t zeros = 0;
  bool merged = false;
};

bool worth_merging(const Node& child, const Node& parent) {
  const std::size_t own = child.own.size() + parent.own.size();
  const std::size_t size = own + parent.border.size();
  const std::size_t zeros =
      child.zeros + parent.zeros +
      child.own.size() * (parent.own.size() + parent.border.size() - child.border.size());
  return own <= small_front || static_cast<double>(zeros) <= zeros_allowed * static_cast<double>(own * size);
}

void merge(Node& child, Node& parent) {
  parent.zeros +=
      child.zeros + child.own.size() * (parent.own.size() + parent.border.size() - child.border.size());
  parent.own.insert(parent.own.end(), child.own.begin(), child.own.end());
  parent.children.insert(parent.children.end(), child.children.begin(), child.children.end());
  child = Node();
  child.merged = true;
}

/// The edges of an elimination order: those of vertex v that lead to later ones are edge[k] to later[k], for
/// start[v] <= k < start[v + 1].
struct LaterEdges {
  std::vector<std::uint64_t> start;
  std::vector<Index> edge;
  std::vector<Index> later;
};

LaterEdges later_edges(const BlockGraph& graph, const std::vector<Index>& number) {
  LaterEdges result;
  StopPoll poll;
  result.start.assign(graph.vertices + std::size_t{1}, 0);
  const auto earlier = [&](const BlockGraph::Edge& edge) { return std::min(number[edge.a], number[edge.b]); };
  for (const BlockGraph::Edge& edge : graph.edges) {
    poll.step();
    ++result.start[earlier(edge) + std::size_t{1}];
  }
  for (Index v = 0; v < graph.vertices; ++v) result.start[v + std::size_t{1}] += result.start[v];
  result.edge.resize(graph.edges.size());
  result.later.resize(graph.edges.size());
  std::vector<std::uint64_t> next(result.start.begin(), result.start.end() - 1);
  for (Index e = 0; e < graph.edges.size(); ++e) {
    poll.step();
    const BlockGraph::Edge& edge = graph.edges[e];
    const std::uint64_t place = next[earlier(edge)]++;
    result.edge[place] = e;
    result.later[place] = std::max(number[edge.a], number[edge.b]);
  }
  return result;
}

/// Of vertices, those that are their children in the elimination tree, in a list each.
class Offspring {
 public:
  explicit Offspring(Index vertices) : last_(vertices, no_index), before_(vertices, no_index) {}

  /// In the order in which they are added.
  void of(Index v, std::vector<Index>& children) const {
    children.clear();
    for (Index child = last_[v]; child != no_index; child = before_[child]) children.push_back(child);
    std::reverse(children.begin(), children.end());
  }
  void add(Index v, Index child) {
    before_[child] = last_[v];
    last_[v] = child;
  }

 private:
  std::vector<Index> last_;
  std::vector<Index> before_;
};

/// Makes the fronts of vertices, each after its children.
class Growth {
 public:
  Growth(const LaterEdges& edges, const Offspring& offspring, std::vector<Node>& nodes)
      : edges_(edges), offspring_(offspring), nodes_(nodes), mark_(nodes.size(), no_index) {}

  /// Vertex v's border is what is left of its children's borders and its own later neighbours; the
  /// elimination tree's parent of v is the first of the border.
  void grow(Index v) {
    Node& node = nodes_[v];
    offspring_.of(v, children_);
    const auto larger_border = [this](Index a, Index b) {
      return nodes_[a].border.size() > nodes_[b].border.size();
    };
    std::stable_sort(children_.begin(), children_.end(), larger_border);
    mark_[v] = v;
    if (!children_.empty()) {
      // It is sorted, and most of what the others have.
      const std::vector<Index>& largest = nodes_[children_.front()].border;
      node.border.assign(largest.begin() + 1, largest.end());
      for (const Index w : node.border) mark_[w] = v;
    }
    const auto sorted = static_cast<std::ptrdiff_t>(node.border.size());
    const auto add = [&](Index w) {
      if (mark_[w] == v) return;
      mark_[w] = v;
      node.border.push_back(w);
    };
    for (std::size_t c = 1; c < children_.size(); ++c) {
      for (const Index w : nodes_[children_[c]].border) add(w);
    }
    for (std::uint64_t k = edges_.start[v]; k < edges_.start[v + std::size_t{1}]; ++k) add(edges_.later[k]);
    std::sort(node.border.begin() + sorted, node.border.end());
    std::inplace_merge(node.border.begin(), node.border.begin() + sorted, node.border.end());
    node.own.push_back(v);
    for (const Index child : children_) {
      if (worth_merging(nodes_[child], node)) {
        merge(nodes_[child], node);
      } else {
        node.children.push_back(child);
      }
    }
  }

 private:
  const LaterEdges& edges_;
  const Offspring& offspring_;
  std::vector<Node>& nodes_;
  std::vector<Index> mark_;      // of a vertex: the last one whose border it is in
  std::vector<Index> children_;  // of the vertex at hand
};

/// How many rows and columns a front has where pivots never vanish by accident.
struct Shape {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t pivots = 0;  // 2 x 2 ones where not bipartite

  std::uint64_t words() const { return rows * columns; }
  std::uint64_t rest_words() const { return (rows - pivots) * (columns - pivots); }
};

class Forecaster {
 public:
  Forecaster(const BlockGraph& graph, const std::vector<Index>& order) : graph_(graph), order_(order) {}

  /// late: rows and columns delayed by the children, and afterwards by this front.
  Shape shape(const Node& node, std::pair<std::uint64_t, std::uint64_t>& late) const {
    const auto [own_rows, own_columns] = sides(node.own);
    const auto [border_rows, border_columns] = sides(node.border);
    const std::uint64_t rows = late.first + own_rows;
    if (!graph_.bipartite) {
      late = {rows % 2, 0};
      return {rows + border_rows, rows + border_rows, rows - rows % 2};
    }
    const std::uint64_t columns = late.second + own_columns;
    const std::uint64_t pivots = std::min(rows, columns);
    late = {rows - pivots, columns - pivots};
    return {rows + border_rows, columns + border_columns, pivots};
  }

  double multiplications(const Shape& shape) const {
    return front_multiplications(static_cast<double>(shape.rows), static_cast<double>(shape.columns),
                                 static_cast<double>(shape.pivots), graph_.bipartite);
  }

 private:
  std::pair<std::uint64_t, std::uint64_t> sides(const std::vector<Index>& vertices) const {
    if (!graph_.bipartite) return {vertices.size(), vertices.size()};
    std::uint64_t rows = 0;
    for (const Index v : vertices) rows += graph_.is_row(order_[v]) ? 1 : 0;
    return {rows, vertices.size() - rows};
  }

  const BlockGraph& graph_;
  const std::vector<Index>& order_;
};

/// The nodes in an order in which each comes after its children, and straight after the last of their
/// subtrees. Among children the one that needs most beyond what it leaves goes first.
std::vector<Index> postorder(std::vector<Node>& nodes, const std::vector<Index>& roots,
                             const std::vector<std::uint64_t>& peak, const std::vector<std::uint64_t>& rest) {
  std::vector<Index> result;
  std::vector<std::pair<Index, std::size_t>> path;
  const auto enter = [&](Index v) {
    std::stable_sort(nodes[v].children.begin(), nodes[v].children.end(),
                     [&](Index a, Index b) { return peak[a] - rest[a] > peak[b] - rest[b]; });
    path.emplace_back(v, 0);
  };
  for (const Index root : roots) {
    enter(root);
    while (!path.empty()) {
      auto& [v, next] = path.back();
      if (next < nodes[v].children.size()) {
        enter(nodes[v].children[next++]);  // invalidates v and next
      } else {
        result.push_back(v);
        path.pop_back();
      }
    }
  }
  return result;
}

}  // namespace

double front_multiplications(double rows, double columns, double pivots, bool bipartite) {
  const double share = bipartite ? 1 : 0.5;
  const double sum = front_cost + entry_cost * rows * columns + pivot_cost * pivots * share;
  // An elimination step multiplies what is left of the rows with what is left of the columns; a skew one
  // half of that, and for two rows at a time.
  const double products =
      pivots * rows * columns - (rows + columns) * pivots * pivots / 2 + pivots * pivots * pivots / 3;
  return sum + products * share;
}

FrontTree front_tree(const BlockGraph& graph, const std::vector<Index>& order, Index together, int threads) {
  const Index n = graph.vertices;
  std::vector<Index> number(n);
  for (Index k = 0; k < n; ++k) number[order[k]] = k;
  const LaterEdges edges = later_edges(graph, number);

  std::vector<Node> nodes(n);  // by the last vertex owned
  Offspring offspring(n);
  Growth growth(edges, offspring, nodes);
  const Index first_together = n - together;
  StopPoll poll;
  for (Index v = 0; v < first_together; ++v) {
    growth.grow(v);
    poll.steps(nodes[v].border.size());
    if (!nodes[v].border.empty()) offspring.add(nodes[v].border.front(), v);
  }
  std::vector<Index> waiting;
  for (Index v = first_together; v < n; ++v) {
    Node& root = nodes[n - 1];
    offspring.of(v, waiting);
    root.own.push_back(v);
    root.children.insert(root.children.end(), waiting.begin(), waiting.end());
    if (v + 1 < n) nodes[v].merged = true;
  }

  const Forecaster forecaster(graph, order);
  std::vector<Index> roots;
  std::vector<std::uint64_t> peak(n, 0);
  std::vector<std::uint64_t> rest(n, 0);
  std::vector<FrontWork> work(n);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> late(n);
  FrontTree tree;
  for (Index v = 0; v < n; ++v) {
    Node& node = nodes[v];
    poll.step();
    if (node.merged) continue;
    if (node.border.empty()) roots.push_back(v);
    for (const Index child : node.children) {
      late[v].first += late[child].first;
      late[v].second += late[child].second;
    }
    const Shape shape = forecaster.shape(node, late[v]);
    work[v].multiplications = forecaster.multiplications(shape);
    work[v].front_words = shape.words();
    // in the order of postorder() below
    std::vector<Index> children = node.children;
    std::stable_sort(children.begin(), children.end(),
                     [&](Index a, Index b) { return peak[a] - rest[a] > peak[b] - rest[b]; });
    std::uint64_t left = 0;
    for (const Index child : children) {
      peak[v] = std::max(peak[v], left + peak[child]);
      left += rest[child];
    }
    rest[v] = shape.rest_words();
    peak[v] = std::max({peak[v], left, rest[v]});
    tree.total.multiplications += work[v].multiplications;
    tree.total.front_words = std::max(tree.total.front_words, work[v].front_words);
    tree.total.stack_words = std::max(tree.total.stack_words, peak[v]);
  }

  const std::vector<Index> fronts = postorder(nodes, roots, peak, rest);
  tree.fronts.resize(fronts.size());
  tree.work.resize(fronts.size());
  const auto build = [&](std::uint64_t k) {
    const Index v = fronts[k];
    Node& node = nodes[v];
    Front& front = tree.fronts[k];
    front.children = static_cast<Index>(node.children.size());
    std::sort(node.own.begin(), node.own.end());
    front.own.reserve(node.own.size());
    const auto edge = edges.edge.begin();
    for (const Index w : node.own) {
      front.own.push_back(order[w]);
      front.edges.insert(front.edges.end(), edge + static_cast<std::ptrdiff_t>(edges.start[w]),
                         edge + static_cast<std::ptrdiff_t>(edges.start[w + std::size_t{1}]));
    }
    front.border.reserve(node.border.size());
    for (const Index w : node.border) front.border.push_back(order[w]);
    tree.work[k] = work[v];
    node = Node();
  };
  parallel_ranges(threads, fronts.size(), fronts_at_a_time, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t k = first; k < last; ++k) build(k);
  });
  return tree;
}

}  // namespace countpm::planar
