#include "kernels/planar/elimination/front_tree.hpp"

#include <algorithm>
#include <utility>

#include "graph/stop_poll.hpp"

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

/// A front while the tree grows; vertices are numbers in the elimination order.
struct Node {
  std::vector<Index> own;
  std::vector<Index> border;
  std::vector<Index> children;
  std::size_t zeros = 0;
  bool merged = false;
};

struct Growth {
  std::vector<std::vector<Index>> later;  // neighbours that are eliminated later
  std::vector<Node> nodes;                // by the last vertex owned
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

// Vertex v's border is what is left of its children's borders and its own later neighbours; the elimination
// tree's parent of v is the first of the border.
void grow(Growth& growth, std::vector<Index>& mark, std::vector<std::vector<Index>>& waiting, Index v) {
  Node& node = growth.nodes[v];
  node.own.push_back(v);
  std::vector<Index> children = std::move(waiting[v]);
  mark[v] = v;
  const auto add = [&](Index w) {
    if (mark[w] == v) return;
    mark[w] = v;
    node.border.push_back(w);
  };
  for (const Index child : children)
    for (const Index w : growth.nodes[child].border) add(w);
  for (const Index w : growth.later[v]) add(w);
  std::sort(node.border.begin(), node.border.end());
  const auto larger_border = [&](Index a, Index b) {
    return growth.nodes[a].border.size() > growth.nodes[b].border.size();
  };
  std::stable_sort(children.begin(), children.end(), larger_border);
  for (const Index child : children) {
    if (worth_merging(growth.nodes[child], node)) {
      merge(growth.nodes[child], node);
    } else {
      node.children.push_back(child);
    }
  }
  std::sort(node.own.begin(), node.own.end());
  if (!node.border.empty()) waiting[node.border.front()].push_back(v);
}

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

FrontTree front_tree(const BlockGraph& graph, const std::vector<Index>& order, Index together) {
  const Index n = graph.vertices;
  std::vector<Index> number(n);
  for (Index k = 0; k < n; ++k) number[order[k]] = k;

  Growth growth{std::vector<std::vector<Index>>(n), std::vector<Node>(n)};
  std::vector<std::vector<Index>> edges(n);
  StopPoll sorting;
  for (Index e = 0; e < graph.edges.size(); ++e) {
    sorting.step();
    const auto [first, last] = std::minmax(number[graph.edges[e].a], number[graph.edges[e].b]);
    growth.later[first].push_back(last);
    edges[first].push_back(e);
  }
  std::vector<Index> mark(n, no_index);
  std::vector<std::vector<Index>> waiting(n);
  const Index first_together = n - together;
  StopPoll poll;
  for (Index v = 0; v < first_together; ++v) {
    grow(growth, mark, waiting, v);
    poll.steps(growth.nodes[v].border.size());
  }
  for (Index v = first_together; v < n; ++v) {
    Node& root = growth.nodes[n - 1];
    root.own.push_back(v);
    root.children.insert(root.children.end(), waiting[v].begin(), waiting[v].end());
    if (v + 1 < n) growth.nodes[v].merged = true;
  }

  const Forecaster forecaster(graph, order);
  std::vector<Index> roots;
  std::vector<std::uint64_t> peak(n, 0);
  std::vector<std::uint64_t> rest(n, 0);
  std::vector<FrontWork> work(n);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> late(n);
  FrontTree tree;
  for (Index v = 0; v < n; ++v) {
    Node& node = growth.nodes[v];
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

  for (const Index v : postorder(growth.nodes, roots, peak, rest)) {
    Node& node = growth.nodes[v];
    poll.steps(node.border.size());
    Front front;
    front.children = static_cast<Index>(node.children.size());
    front.own.reserve(node.own.size());
    for (const Index w : node.own) {
      front.own.push_back(order[w]);
      front.edges.insert(front.edges.end(), edges[w].begin(), edges[w].end());
    }
    front.border.reserve(node.border.size());
    for (const Index w : node.border) front.border.push_back(order[w]);
    tree.fronts.push_back(std::move(front));
    tree.work.push_back(work[v]);
    node = Node();
  }
  return tree;
}

}  // namespace countpm::planar
