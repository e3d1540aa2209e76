#include <algorithm>
#include <set>
#include <type_traits>

#include "src/chemistry/kekule.hpp"
#include "src/matchings/edge_pairs.hpp"
#include "src/matchings/list_orbits.hpp"
#include "tests/products/generator/asking.hpp"

namespace countpm::products {
namespace {

constexpr std::size_t most_listed = 300;

/// Ids of the library's graph as places of the oracle's.
class Ids {
 public:
  Ids(const Graph& graph, const Truth& truth) {
    for (Index v = 0; v < graph.left_labels.size(); ++v)
      left_.push_back(truth.place(graph.left_labels.label(v), false));
    const bool bipartite = graph.kind == GraphKind::bipartite;
    for (Index v = 0; v < graph.right_labels.size(); ++v)
      right_.push_back(truth.place(graph.right_labels.label(v), true));
    bipartite_ = bipartite;
    const Clean& clean = truth.clean();
    joined_ = !bipartite && clean.kind == Kind::bipartite;  // made undirected, left vertices first
    left_size_ = static_cast<std::size_t>(clean.left);
    truth_ = &truth;
  }
  /// The place of an edge in Clean::edges, behind those of vertices alone.
  int edge(const Edge& edge) const {
    const std::size_t edges = truth_->clean().edges.size();
    if (joined_) {
      const auto u = static_cast<int>(edge.from);
      const auto v = static_cast<int>(edge.to);
      if (u == v) return static_cast<int>(edges) + u;
      const auto l = static_cast<int>(left_size_);
      return truth_->edge_place(std::min(u, v), std::max(u, v) - l);
    }
    const int from = left_.at(edge.from);
    if (!bipartite_ && edge.from == edge.to && truth_->clean().kind == Kind::undirected)
      return static_cast<int>(edges) + from;
    return truth_->edge_place(from, (bipartite_ ? right_ : left_).at(edge.to));
  }

 private:
  std::vector<int> left_, right_;
  bool bipartite_ = false, joined_ = false;
  std::size_t left_size_ = 0;
  const Truth* truth_ = nullptr;
};

}  // namespace

template <class Probabilities>
Asking::Judge Asking::judge_marginals(Probabilities result) {
  const Graph graph = read().graph;
  return [this, graph, result = std::move(result)]() -> Fault {
    const Ids ids(graph, truth());
    const Complex all = truth().sum().at_one();
    if (result.edge.empty())
      return all.zero() || truth().clean().edges.empty() ? Fault()
                                                         : "there are matchings, and no edge is told";
    std::set<int> told;
    for (std::size_t e = 0; e < result.edge.size(); ++e) {
      const int place = ids.edge(result.edge[e]);
      if (place < 0) return "an edge that there is not";
      told.insert(place);
      if (product_.input() == InputSort::strip && e % 16 != product_.seed % 16) continue;  // it has a hundred
      const Complex right = truth().with_pieces({static_cast<std::size_t>(place)}) / all;
      Fault fault;
      if constexpr (std::is_same_v<std::decay_t<decltype(result.probability[e])>, double>) {
        fault = judge_double(right, result.probability[e]);
      } else {
        fault = judge_value(right, Value(result.probability[e]), false);
      }
      if (!fault.empty()) return "edge " + std::to_string(e) + ": " + fault;
    }
    return told.size() >= truth().clean().edges.size() ? Fault() : "edges are missing";
  };
}

Asking::Judge Asking::marginals() {
  if (product_.question() == Question::marginals)
    return judge_marginals(countpm::marginals(read(), options_));
  return judge_marginals(countpm::exact_marginals(read(), options_));
}

Asking::Judge Asking::pairs() {
  ReadResult from = read();
  const Graph graph = from.graph;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> asked;
  for (const auto& [a, b] : instance_.pairs)
    if (!graph.edges.empty()) asked.emplace_back(a % graph.edges.size(), b % graph.edges.size());
  std::vector<mpq_class> result = countpm::pair_marginals(std::move(from), asked, options_);
  return [this, graph, asked, result = std::move(result)]() -> Fault {
    const Ids ids(graph, truth());
    const Complex all = truth().sum().at_one();
    if (!truth().any()) {
      const bool none = std::all_of(result.begin(), result.end(), [](const mpq_class& p) { return p == 0; });
      return none ? Fault() : "there is no matching, and a pair has a probability";
    }
    for (std::size_t k = 0; k < result.size(); ++k) {
      const int first = ids.edge(graph.edges[asked[k].first]);
      const int second = ids.edge(graph.edges[asked[k].second]);
      if (first < 0 || second < 0) return "an edge that there is not";
      std::vector<std::size_t> both{static_cast<std::size_t>(first)};
      if (second != first) both.push_back(static_cast<std::size_t>(second));
      const Fault fault = judge_value(truth().with_pieces(both) / all, Value(result[k]), false);
      if (!fault.empty()) return "pair " + std::to_string(k) + ": " + fault;
    }
    return {};
  };
}

Fault Asking::judge_claim(Claim claim) {
  if (claim == Claim::none) return {};
  if (claim == Claim::sum_is_zero)
    return truth().sum().at_one().zero() ? Fault() : "they add up to " + text_of(truth().sum().at_one());
  const Graph graph = read().graph;
  const Ids ids(graph, truth());
  for (const auto& [a, b] : instance_.pairs) {
    for (const auto edge : {a, b}) {
      const int place = ids.edge(graph.edges[static_cast<std::size_t>(edge) % graph.edges.size()]);
      if (place >= 0 && truth().with_pieces({static_cast<std::size_t>(place)}).zero()) return {};
    }
  }
  return "there is no such edge";
}

Asking::Judge Asking::list() {
  ListOptions options;
  options.last = most_listed;
  const ReadResult from = read();
  std::vector<std::vector<Edge>> listed;
  countpm::list_matchings(from, options, [&](const std::vector<Edge>& matching) {
    listed.push_back(matching);
    return true;
  });
  return [this, graph = from.graph, listed = std::move(listed)]() -> Fault {
    const Ids ids(graph, truth());
    std::set<std::vector<int>> different;
    std::vector<std::size_t> pieces;
    for (const std::vector<Edge>& matching : listed) {
      std::vector<int> places;
      pieces.clear();
      for (const Edge& edge : matching) {
        places.push_back(ids.edge(edge));
        if (places.back() < 0) return "an edge that there is not";
      }
      std::sort(places.begin(), places.end());
      different.insert(std::move(places));
    }
    if (different.size() != listed.size()) return "a matching is listed twice";
    if (product_.input() == InputSort::strip)  // too many for the oracle to list
      return listed.empty() == !truth().any() ? Fault() : "there is one, or none";
    const auto right = truth().matchings(most_listed);
    if (!right) return listed.size() == most_listed ? Fault() : "some are missing";
    return std::set<std::vector<int>>(right->begin(), right->end()) == different ? Fault()
                                                                                 : "other matchings";
  };
}

Asking::Judge Asking::orbit_list() {
  const ReadResult from = read();
  std::vector<std::vector<Edge>> listed;
  countpm::list_orbits(from, {}, [&](const std::vector<Edge>& matching) {
    listed.push_back(matching);
    return true;
  });
  return [this, graph = from.graph, listed = std::move(listed)]() -> Fault {
    const Ids ids(graph, truth());
    const auto all = truth().matchings(5000);
    if (!all) throw Unjudged{"too many matchings for the oracle"};
    const std::vector<std::size_t> orbit = truth().orbit_of_each();
    if (orbit.empty() && !all->empty()) throw Unjudged{"too many symmetries for the oracle"};
    std::set<std::size_t> met;
    for (const std::vector<Edge>& matching : listed) {
      std::vector<int> places;
      for (const Edge& edge : matching) places.push_back(ids.edge(edge));
      std::sort(places.begin(), places.end());
      const auto found = std::find(all->begin(), all->end(), places);
      if (found == all->end()) return "what is listed is no matching";
      if (!met.insert(orbit[static_cast<std::size_t>(found - all->begin())]).second)
        return "an orbit is listed twice";
    }
    const std::set<std::size_t> right(orbit.begin(), orbit.end());
    return met == right ? Fault()
                        : std::to_string(right.size()) + " orbits, not " + std::to_string(met.size());
  };
}

Asking::Judge Asking::kekule() {
  KekuleResult result = countpm::kekule(read(), options_);
  return [this, result = std::move(result)]() -> Fault {
    const Ids ids(result.graph, truth());
    const Complex all = truth().sum().at_one();
    Fault fault = judge_value(all, Value(result.structures), false);
    for (std::size_t e = 0; e < result.order.size() && fault.empty(); ++e) {
      if (product_.input() == InputSort::strip && e % 16 != product_.seed % 16) continue;  // it has a hundred
      const int place = ids.edge(result.graph.edges[e]);
      if (place < 0) return "an edge that there is not";
      fault = judge_value(truth().with_pieces({static_cast<std::size_t>(place)}) / all,
                          Value(result.order[e]), false);
    }
    return fault;
  };
}

}  // namespace countpm::products
