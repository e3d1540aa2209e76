#pragma once
// For Boost's planarity test: lists of edges that are joined and turned round in O(1), as its own, which goes
// down them by recursion, one call an edge at worst. A hub of some thousand edges is more than the stack of a
// thread holds.
#include <boost/graph/boyer_myrvold_planar_test.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace countpm::planar {

/// In the place of recursive_lazy_list.
struct DeepLists : boost::graph::detail::store_embedding {};

/// Two lists, the one behind the other, or one edge; turned round with all below where `reversed`.
template <class Edge>
struct EdgeListNode {
  using Pointer = std::shared_ptr<EdgeListNode>;

  explicit EdgeListNode(Edge one) : edge(one), is_edge(true) {}
  EdgeListNode(Pointer first, Pointer second) : left(std::move(first)), right(std::move(second)) {}
  EdgeListNode(const EdgeListNode&) = delete;
  EdgeListNode& operator=(const EdgeListNode&) = delete;
  ~EdgeListNode() {
    std::vector<Pointer> last;  // what nothing else holds is let go of one by one
    const auto let_go = [&last](Pointer& node) {
      if (node && node.use_count() == 1) last.push_back(std::move(node));
      node.reset();
    };
    let_go(left);
    let_go(right);
    while (!last.empty()) {
      const Pointer node = std::move(last.back());
      last.pop_back();
      let_go(node->left);
      let_go(node->right);
    }
  }

  Edge edge{};
  bool is_edge = false;
  bool reversed = false;
  Pointer left;
  Pointer right;
};

}  // namespace countpm::planar

// What face_handle expects of a policy.
template <class Edge>
struct boost::graph::detail::edge_list_storage<countpm::planar::DeepLists, Edge> {
  using Node = countpm::planar::EdgeListNode<Edge>;
  using type = typename Node::Pointer;
  type value;

  void push_back(Edge edge) { value = std::make_shared<Node>(value, std::make_shared<Node>(edge)); }
  void push_front(Edge edge) { value = std::make_shared<Node>(std::make_shared<Node>(edge), value); }
  void reverse() { value->reversed = !value->reversed; }
  void concat_front(edge_list_storage other) { value = std::make_shared<Node>(other.value, value); }
  void concat_back(edge_list_storage other) { value = std::make_shared<Node>(value, other.value); }

  template <class Output>
  void get_list(Output output) const {
    std::vector<std::pair<const Node*, bool>> left{{value.get(), false}};
    while (!left.empty()) {
      const auto [node, flipped] = left.back();
      left.pop_back();
      if (node == nullptr) continue;
      if (node->is_edge) *output = node->edge;
      const bool turned = flipped != node->reversed;
      left.emplace_back((turned ? node->left : node->right).get(), turned);
      left.emplace_back((turned ? node->right : node->left).get(), turned);
    }
  }
};

namespace countpm::planar {

/// Whether the graph is planar; fills in the edges around each vertex where it is. Does not recurse.
template <class Graph, class IndexMap, class Around>
bool embed_in_plane(const Graph& graph, IndexMap vertex_index, Around around) {
  boost::boyer_myrvold_impl<Graph, IndexMap, boost::graph::detail::no_old_handles, DeepLists> test(
      graph, vertex_index);
  if (!test.is_planar()) return false;
  test.make_edge_permutation(around);
  return true;
}

}  // namespace countpm::planar
