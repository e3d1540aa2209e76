#include "kernels/orders/linear_order.hpp"

#include <algorithm>
#include <queue>
#include <random>
#include <utility>

#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

/// Classes in buckets by score, lists within an array: constant time for all but the search of the least.
class Buckets {
 public:
  Buckets(Index classes, std::int64_t least, std::int64_t most)
      : least_(least),
        head_(static_cast<std::size_t>(most - least + 1), no_index),
        tail_(head_.size(), no_index),
        next_(classes, no_index),
        previous_(classes, no_index),
        score_(classes, 0),
        inside_(classes, 0) {}

  bool contains(Index v) const { return inside_[v] != 0; }
  std::int64_t score(Index v) const { return score_[v]; }
  /// Of a class that is in no bucket yet.
  void set_score(Index v, std::int64_t score) { score_[v] = score; }

  void insert(Index v, bool in_front) {
    const std::size_t b = bucket(v);
    inside_[v] = 1;
    ++size_;
    lowest_ = std::min(lowest_, b);
    Index& end = in_front ? head_[b] : tail_[b];
    (in_front ? next_ : previous_)[v] = end;
    (in_front ? previous_ : next_)[v] = no_index;
    if (end != no_index) (in_front ? previous_ : next_)[end] = v;
    end = v;
    if (head_[b] == no_index) head_[b] = v;
    if (tail_[b] == no_index) tail_[b] = v;
  }
  void erase(Index v) {
    const std::size_t b = bucket(v);
    inside_[v] = 0;
    --size_;
    (previous_[v] == no_index ? head_[b] : next_[previous_[v]]) = next_[v];
    (next_[v] == no_index ? tail_[b] : previous_[next_[v]]) = previous_[v];
  }
  void change(Index v, std::int64_t by, bool in_front) {
    const bool inside = contains(v);
    if (inside) erase(v);
    score_[v] += by;
    if (inside) insert(v, in_front);
  }
  bool empty() const { return size_ == 0; }
  Index take_least() {
    while (head_[lowest_] == no_index) ++lowest_;
    const Index v = head_[lowest_];
    erase(v);
    return v;
  }

 private:
  std::size_t bucket(Index v) const { return static_cast<std::size_t>(score_[v] - least_); }

  std::int64_t least_;
  std::vector<Index> head_, tail_, next_, previous_;
  std::vector<std::int64_t> score_;
  std::vector<char> inside_;
  std::size_t lowest_ = 0;
  std::size_t size_ = 0;
};

template <class Visit>
void for_neighbours(const ClassGraph& graph, Index v, const Visit& visit) {
  for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::uint64_t{1}]; ++k)
    visit(graph.neighbour[k]);
}

class Greedy {
 public:
  Greedy(const ClassGraph& graph, Drivers drivers, TieRule ties, std::uint64_t seed)
      : graph_(graph),
        drivers_(drivers),
        ties_(ties),
        random_(seed),
        most_degree_(highest_degree(graph)),
        buckets_(graph.classes(), -most_degree_ - 2, most_degree_ + 2),
        gone_(graph.classes(), 0),
        touched_(graph.classes(), 0),
        open_(graph.classes()) {
    for (Index v = 0; v < graph.classes(); ++v) {
      open_[v] = graph.open_ends(v);
      buckets_.set_score(v, graph.degree(v));
    }
    // A neighbour with no other neighbour is closed with it.
    for (Index v = 0; v < graph.classes(); ++v) {
      if (open_[v] == 1 && !graph.has_own(v)) buckets_.change(graph.neighbour[graph.start[v]], -1, false);
    }
  }

  std::vector<Index> run(Index first) {
    const Index classes = graph_.classes();
    for (Index offset = 0; offset < classes; ++offset) {
      const Index v = static_cast<Index>((std::uint64_t{first} + offset) % classes);
      if (gone_[v] != 0 || !drives(graph_, drivers_, v)) continue;
      eliminate(v);
      while (!buckets_.empty()) eliminate(buckets_.take_least());
    }
    return std::move(sequence_);
  }

 private:
  static std::int64_t highest_degree(const ClassGraph& graph) {
    std::int64_t highest = 0;
    for (Index v = 0; v < graph.classes(); ++v) highest = std::max<std::int64_t>(highest, graph.degree(v));
    return highest;
  }

  bool in_front() {
    switch (ties_) {
      case TieRule::oldest:
        return false;
      case TieRule::newest:
        return true;
      case TieRule::random:
        break;
    }
    return (random_() & 1) != 0;
  }

  void make_candidate(Index v) {
    if (gone_[v] != 0 || buckets_.contains(v) || !drives(graph_, drivers_, v)) return;
    buckets_.insert(v, in_front());
  }

  void eliminate(Index v) {
    sequence_.push_back(v);
    leave(v);
    for_neighbours(graph_, v, [&](Index u) {
      if (gone_[u] == 0 && open_[u] == 0) leave(u);
    });
  }

  /// v leaves for the eliminated; its neighbours are touched and have one open neighbour less.
  void leave(Index v) {
    poll_.steps(graph_.degree(v));
    gone_[v] = 1;
    if (buckets_.contains(v)) buckets_.erase(v);
    for_neighbours(graph_, v, [&](Index u) {
      --open_[u];
      if (touched_[u] == 0) {
        touched_[u] = 1;
        // It is in the frontier now: no longer new to its neighbours, and gone itself when it is taken.
        buckets_.change(u, -1, in_front());
        for_neighbours(graph_, u, [&](Index w) {
          if (gone_[w] == 0) buckets_.change(w, -1, in_front());
        });
        if (gone_[u] == 0) {
          make_candidate(u);
          for_neighbours(graph_, u, [&](Index w) { make_candidate(w); });
        }
      }
      if (gone_[u] == 0 && open_[u] == 1) {
        for_neighbours(graph_, u, [&](Index w) {
          if (gone_[w] == 0) buckets_.change(w, -1, in_front());
        });
      }
    });
  }

  const ClassGraph& graph_;
  Drivers drivers_;
  TieRule ties_;
  std::mt19937_64 random_;
  std::int64_t most_degree_;
  Buckets buckets_;
  std::vector<char> gone_, touched_;
  std::vector<Index> open_;
  std::vector<Index> sequence_;
  StopPoll poll_;
};

/// Breadth first from `first`: the classes reached, in order.
std::vector<Index> breadth_first(const ClassGraph& graph, Index first, std::vector<char>& seen) {
  std::vector<Index> order{first};
  seen[first] = 1;
  StopPoll poll;
  for (std::size_t i = 0; i < order.size(); ++i) {
    poll.steps(graph.degree(order[i]));
    for_neighbours(graph, order[i], [&](Index u) {
      if (seen[u] != 0) return;
      seen[u] = 1;
      order.push_back(u);
    });
  }
  return order;
}

/// Classes by priority: what is far from the end, and what opens few. A class is met once a neighbour of it,
/// or a neighbour's neighbour, is in the order; it is open once a neighbour is.
class Sloan {
 public:
  explicit Sloan(const ClassGraph& graph)
      : graph_(graph),
        seen_(graph.classes(), 0),
        state_(graph.classes(), State::unmet),
        priority_(graph.classes(), 0) {}

  bool has(Index v) const { return state_[v] == State::taken; }

  /// The order of the component that `start` is in.
  std::vector<Index> component(Index start) {
    const std::vector<Index> by_level = breadth_first(graph_, start, seen_);
    set_priorities(by_level.back());
    std::vector<Index> order;
    order.reserve(by_level.size());
    meet(start);
    StopPoll poll;
    while (!queue_.empty()) {
      const auto [priority, v] = queue_.top();
      queue_.pop();
      if (has(v) || priority != priority_[v]) continue;  // it is in the queue again
      poll.steps(graph_.degree(v));
      const bool was_open = std::exchange(state_[v], State::taken) == State::open;
      order.push_back(v);
      for_neighbours(graph_, v, [&](Index u) {
        if (!was_open) raise(u);  // v need not be opened any more
        if (has(u) || state_[u] == State::open) return;
        raise(u);
        state_[u] = State::open;
        for_neighbours(graph_, u, [&](Index next) { raise(next); });
      });
    }
    return order;
  }

 private:
  enum class State : std::uint8_t { unmet, met, open, taken };
  // Sloan's own weights.
  static constexpr std::int64_t distance_weight = 1;
  static constexpr std::int64_t degree_weight = 2;

  /// By distance from the end, of its component.
  void set_priorities(Index end) {
    std::vector<char> reached(graph_.classes(), 0);
    std::vector<std::int64_t> distance(graph_.classes(), 0);
    for (const Index v : breadth_first(graph_, end, reached)) {
      priority_[v] =
          distance_weight * distance[v] - degree_weight * (static_cast<std::int64_t>(graph_.degree(v)) + 1);
      for_neighbours(graph_, v, [&](Index u) {
        if (distance[u] == 0 && u != end) distance[u] = distance[v] + 1;
      });
    }
  }

  void meet(Index v) {
    state_[v] = State::met;
    queue_.emplace(priority_[v], v);
  }
  /// A class that it would open is open or taken now.
  void raise(Index v) {
    if (has(v)) return;
    priority_[v] += degree_weight;
    if (state_[v] == State::unmet) state_[v] = State::met;
    queue_.emplace(priority_[v], v);
  }

  const ClassGraph& graph_;
  std::vector<char> seen_;
  std::vector<State> state_;
  std::vector<std::int64_t> priority_;
  std::priority_queue<std::pair<std::int64_t, Index>> queue_;
};

}  // namespace

bool drives(const ClassGraph& graph, Drivers drivers, Index v) {
  return drivers == Drivers::all || (drivers == Drivers::rows) == graph.is_row(v);
}

std::vector<Index> greedy_sequence(const ClassGraph& graph, Drivers drivers, TieRule ties, Index first,
                                   std::uint64_t seed) {
  return Greedy(graph, drivers, ties, seed).run(first);
}

std::vector<Index> level_sequence(const ClassGraph& graph, Drivers drivers, Index first) {
  std::vector<char> seen(graph.classes(), 0);
  std::vector<Index> sequence;
  const auto component = [&](Index start) {
    for (const Index v : breadth_first(graph, start, seen)) {
      if (drives(graph, drivers, v)) sequence.push_back(v);
    }
  };
  if (graph.classes() > 0) component(first);
  for (Index v = 0; v < graph.classes(); ++v) {
    if (seen[v] == 0) component(v);
  }
  return sequence;
}

std::vector<Index> sloan_sequence(const ClassGraph& graph, Drivers drivers, Index first) {
  Sloan sloan(graph);
  std::vector<Index> sequence;
  const auto component = [&](Index start) {
    for (const Index v : sloan.component(start)) {
      if (drives(graph, drivers, v)) sequence.push_back(v);
    }
  };
  if (graph.classes() > 0) component(first);
  for (Index v = 0; v < graph.classes(); ++v) {
    if (!sloan.has(v)) component(v);
  }
  return sequence;
}

Index far_class(const ClassGraph& graph, Index from) {
  for (int sweep = 0; sweep < 2; ++sweep) {
    std::vector<char> seen(graph.classes(), 0);
    from = breadth_first(graph, from, seen).back();
  }
  return from;
}

}  // namespace countpm
