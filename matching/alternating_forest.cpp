#include "matching/alternating_forest.hpp"

#include "graph/stop_poll.hpp"

namespace countpm {

AlternatingForest::AlternatingForest(const SparsePattern& graph)
    : graph_(graph),
      removed_(graph.rows, false),
      label_(graph.rows, Label::none),
      tree_(graph.rows, no_index),
      from_(graph.rows, no_index),
      link_(graph.rows, no_index),
      bridge_(graph.rows),
      spent_(graph.rows, false),
      seen_(graph.rows, 0),
      wanted_(graph.rows, false) {}

void AlternatingForest::forget() {
  for (const Index v : reached_) label_[v] = Label::none;
  reached_.clear();
  queue_.clear();
}

void AlternatingForest::make_outer(Index vertex, Label label) {
  label_[vertex] = label;
  queue_.push_back(vertex);
  if (wanted_left_ != 0 && wanted_[vertex]) --wanted_left_;
}

void AlternatingForest::plant(Index root) {
  make_outer(root, Label::outer);
  tree_[root] = link_[root] = root;
  spent_[root] = false;
  reached_.push_back(root);
}

Index AlternatingForest::base(Index vertex) {
  while (link_[vertex] != vertex) vertex = link_[vertex] = link_[link_[vertex]];
  return vertex;
}

Index AlternatingForest::augment(const std::vector<Index>& roots, std::vector<Index>& mate) {
  forget();
  for (const Index root : roots) plant(root);
  Index augmented = 0;
  StopPoll poll;
  // NOLINTNEXTLINE(modernize-loop-convert): the queue grows on the way
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const Index v = queue_[head];
    poll.steps(graph_.row_degree(v));
    for (std::uint64_t k = graph_.row_start[v]; k < graph_.row_start[v + std::uint64_t{1}]; ++k) {
      if (spent_[tree_[v]]) break;
      const Index w = graph_.column[k];
      if (removed_[w]) continue;
      if (!is_outer(w) || tree_[w] == tree_[v]) {
        look_at(v, w, mate);
      } else if (!spent_[tree_[w]]) {
        collect(v, tree_[v], mate);
        collect(w, tree_[w], mate);
        pairs_.emplace_back(v, w);
        apply(mate);
        spent_[tree_[v]] = spent_[tree_[w]] = true;
        ++augmented;
      }
    }
  }
  return augmented;
}

void AlternatingForest::grow(Index root, const std::vector<Index>& mate, const std::vector<Index>& wanted) {
  forget();
  for (const Index v : wanted) wanted_[v] = true;
  wanted_left_ = wanted.size();
  StopPoll poll;
  plant(root);
  for (std::size_t head = 0; head < queue_.size() && (wanted.empty() || wanted_left_ > 0); ++head) {
    const Index v = queue_[head];
    steps_ += graph_.row_degree(v);
    poll.steps(graph_.row_degree(v));
    for (std::uint64_t k = graph_.row_start[v]; k < graph_.row_start[v + std::uint64_t{1}]; ++k) {
      if (!removed_[graph_.column[k]]) look_at(v, graph_.column[k], mate);
    }
  }
  wanted_left_ = 0;
  for (const Index v : wanted) wanted_[v] = false;
}

// The edge from an outer vertex to one that is not labelled, or that belongs to the same tree, or is inner.
void AlternatingForest::look_at(Index from, Index to, const std::vector<Index>& mate) {
  if (label_[to] == Label::none) {
    const Index next = mate[to];
    label_[to] = Label::inner;
    tree_[to] = tree_[next] = tree_[from];
    from_[to] = from;
    link_[to] = to;
    link_[next] = next;
    reached_.push_back(to);
    reached_.push_back(next);
    make_outer(next, Label::outer);
  } else if (is_outer(to) && base(from) != base(to)) {
    const Index into = common_base(from, to, mate);
    shrink(from, to, into, mate);
    shrink(to, from, into, mate);
  }
}

// Both walk up the tree, base by base and in turns, until one finds the other's trace: as many steps as the
// new blossom has members, or twice that.
Index AlternatingForest::common_base(Index a, Index b, const std::vector<Index>& mate) {
  ++now_;
  a = base(a);
  b = base(b);
  while (true) {
    if (a != no_index) {
      if (seen_[a] == now_) return a;
      seen_[a] = now_;
      a = mate[a] == no_index ? no_index : base(from_[mate[a]]);
    }
    std::swap(a, b);
  }
}

void AlternatingForest::shrink(Index from, Index to, Index into, const std::vector<Index>& mate) {
  Index at = base(from);
  while (at != into) {
    const Index inner = mate[at];
    make_outer(inner, Label::blossom);
    bridge_[inner] = {from, to};
    link_[at] = link_[inner] = into;
    at = base(from_[inner]);
  }
}

// The edges outside the matching of the even path from `from` down to the outer vertex `to` on it. An outer
// vertex goes on through its mate to where that was reached from. One that became outer in a blossom goes
// back up through its mate to the bridge's near end, over the bridge, and on from there: a path within a
// path, that waits in paths_.
void AlternatingForest::collect(Index from, Index to, const std::vector<Index>& mate) {
  paths_.assign(1, {from, to});
  while (!paths_.empty()) {
    auto [v, end] = paths_.back();
    paths_.pop_back();
    while (v != end) {
      if (label_[v] == Label::outer) {
        pairs_.emplace_back(mate[v], from_[mate[v]]);
        v = from_[mate[v]];
      } else {
        pairs_.push_back(bridge_[v]);
        paths_.emplace_back(bridge_[v].first, mate[v]);
        v = bridge_[v].second;
      }
    }
  }
}

void AlternatingForest::apply(std::vector<Index>& mate) {
  for (const auto& [a, b] : pairs_) {
    mate[a] = b;
    mate[b] = a;
  }
  pairs_.clear();
}

void AlternatingForest::exchange(Index root, Index outer, std::vector<Index>& mate) {
  if (root == outer) return;
  collect(outer, root, mate);
  apply(mate);
  mate[outer] = no_index;
}

}  // namespace countpm
