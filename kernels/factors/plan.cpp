#include "kernels/factors/plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/arithmetic/up_float.hpp"

namespace countpm::factors {
namespace {

constexpr Index no_edge = no_index;
// More fit no memory.
constexpr double most_states = 1e12;

/// How many states of classes have each sum of needs, the needs of one side of a bipartite graph taken as
/// negative, and in how many ways so many of their vertices can be chosen that need an edge.
class StatesBySum {
 public:
  StatesBySum(std::int64_t most_sum, Index most_chosen)
      : most_(most_sum),
        chosen_(most_chosen + std::size_t{1}),
        number_(static_cast<std::size_t>(2 * most_sum + 1) * chosen_, 0.0) {
    at(0, 0) = 1;
  }

  /// Multisets of `size` numbers least .. most; where it is joined, with those from 1 on chosen or not.
  void add_class(Index size, Index least, Index most, std::int64_t sign, bool joined) {
    const std::size_t sums = std::size_t{size} * (most - least) + 1;  // beyond size * least
    std::vector<double> ways((size + std::size_t{1}) * sums * chosen_, 0.0);
    const auto way = [&](std::size_t taken, std::size_t sum, std::size_t chosen) -> double& {
      return ways[(taken * sums + sum) * chosen_ + chosen];
    };
    for (std::size_t taken = 0; taken <= size; ++taken)
      way(taken, 0, 0) = 1;  // of the least as many as is liked
    for (std::size_t item = 1; item < 2 * (most - least + std::size_t{1}); ++item) {
      const std::size_t above = item / 2;
      const std::size_t chosen = item % 2;
      if (chosen == 1 && (!joined || least + above == 0)) continue;
      for (std::size_t taken = 1; taken <= size; ++taken) {
        for (std::size_t sum = above; sum < sums; ++sum) {
          for (std::size_t c = chosen_; c-- > chosen;)
            way(taken, sum, c) += way(taken - 1, sum - above, c - chosen);
        }
      }
    }
    std::vector<double> before(number_.size(), 0.0);
    before.swap(number_);
    for (std::int64_t sum = -most_; sum <= most_; ++sum) {
      for (std::size_t c = 0; c < chosen_; ++c) {
        const double number = before[static_cast<std::size_t>(sum + most_) * chosen_ + c];
        if (number == 0) continue;
        for (std::size_t own = 0; own < sums; ++own) {
          const std::int64_t to = sum + sign * static_cast<std::int64_t>(own + std::size_t{size} * least);
          if (to < -most_ || to > most_) continue;
          for (std::size_t more = 0; c + more < chosen_; ++more)
            at(to, c + more) += number * way(size, own, more);
        }
      }
    }
  }

  /// Of the sums least, least + 2, ..., most.
  double with(std::int64_t least, std::int64_t most, std::size_t chosen) {
    double result = 0;
    for (std::int64_t sum = least; sum <= most; sum += 2) {
      if (sum >= -most_ && sum <= most_ && chosen < chosen_) result += at(sum, chosen);
    }
    return result;
  }

 private:
  double& at(std::int64_t sum, std::size_t chosen) {
    return number_[static_cast<std::size_t>(sum + most_) * chosen_ + chosen];
  }
  std::int64_t most_;
  std::size_t chosen_;
  std::vector<double> number_;
};

class Planner {
 public:
  explicit Planner(const FactorGraph& graph) : graph_(graph), size_(static_cast<Index>(graph.needs.size())) {
    weight_.assign(std::size_t{size_} * size_, no_edge);
    for (const FactorEdge& edge : graph.edges) {
      weight(edge.from, edge.to) = edge.weight;
      weight(edge.to, edge.from) = edge.weight;
    }
    decided_.assign(size_, false);
    touched_.assign(size_, false);
    find_sides();
  }

  std::optional<FactorPlan> plan() {
    FactorPlan plan;
    for (const FactorEdge& edge : graph_.edges) {
      const EdgeWeight& weight = graph_.weights[edge.weight];
      plan.log2_bound += std::max({0.0, log2_up(UpFloat::of(weight.in)), log2_up(UpFloat::of(weight.out))});
    }
    std::vector<TwinClass> classes = twin_classes();
    double reached = 1;
    for (Index done = 0; done < size_; ++done) {
      check_stop();
      FactorStep step;
      step.of_class = next_class(classes);
      // As the walk takes it: of twins the one that needs most.
      const auto& twins = classes[step.of_class].vertices;
      step.vertex = *std::max_element(twins.begin(), twins.end(),
                                      [&](Index u, Index v) { return graph_.needs[u] < graph_.needs[v]; });
      lay_out(classes, step);
      if (step.key_bits > 64 * most_key_words) return std::nullopt;
      auto [states, choices] = forecast(classes, step);
      states = std::min(states, reached);
      plan.transitions += states * choices;
      reached = states * (choices + 1);
      plan.most_states = std::max(plan.most_states, states);
      if (plan.most_states > most_states) return std::nullopt;
      plan.log2_bound += most_choices(step.vertex);

      step.steps.resize(classes.size());
      for (Index c = 0; c < classes.size(); ++c) {
        const auto other = std::find_if(classes[c].vertices.begin(), classes[c].vertices.end(),
                                        [&](Index v) { return v != step.vertex; });
        if (other == classes[c].vertices.end()) continue;
        if (weight(step.vertex, *other) != no_edge) step.steps[c].weight = weight(step.vertex, *other);
      }
      decided_[step.vertex] = true;
      for (Index v = 0; v < size_; ++v) {
        if (weight(step.vertex, v) != no_edge) touched_[v] = true;
      }
      std::vector<TwinClass> next = twin_classes();
      std::vector<Index> class_of(size_, 0);
      for (Index c = 0; c < next.size(); ++c) {
        for (const Index v : next[c].vertices) class_of[v] = c;
      }
      for (Index c = 0; c < classes.size(); ++c) {
        for (const Index v : classes[c].vertices) {
          if (v != step.vertex) step.steps[c].next = class_of[v];
        }
      }
      step.classes = std::move(classes);
      classes = std::move(next);
      plan.steps.push_back(std::move(step));
    }
    return plan;
  }

 private:
  Index& weight(Index u, Index v) { return weight_[std::size_t{u} * size_ + v]; }

  /// side_: 1 and -1 where the graph is bipartite, else empty.
  void find_sides() {
    side_.assign(size_, 0);
    std::vector<Index> open;
    for (Index start = 0; start < size_; ++start) {
      if (side_[start] != 0) continue;
      side_[start] = 1;
      open.push_back(start);
      while (!open.empty()) {
        const Index v = open.back();
        open.pop_back();
        for (Index u = 0; u < size_; ++u) {
          if (weight(v, u) == no_edge) continue;
          if (side_[u] == side_[v]) {
            side_.clear();
            return;
          }
          if (side_[u] == 0) {
            side_[u] = -side_[v];
            open.push_back(u);
          }
        }
      }
    }
  }

  bool are_twins(Index u, Index v) {
    for (Index w = 0; w < size_; ++w) {
      if (decided_[w] || w == u || w == v) continue;
      if (weight(u, w) != weight(v, w)) return false;
    }
    return true;
  }

  std::vector<TwinClass> twin_classes() {
    std::vector<TwinClass> classes;
    for (Index v = 0; v < size_; ++v) {
      if (decided_[v]) continue;
      auto found = std::find_if(classes.begin(), classes.end(),
                                [&](const TwinClass& c) { return are_twins(c.vertices.front(), v); });
      if (found == classes.end()) found = classes.insert(classes.end(), TwinClass{});
      found->vertices.push_back(v);
      found->most = std::max(found->most, graph_.needs[v]);
    }
    for (TwinClass& c : classes) {
      c.untouched = std::none_of(c.vertices.begin(), c.vertices.end(), [&](Index v) { return touched_[v]; });
      for (Index u = 0; u < size_; ++u) {
        if (!decided_[u] && weight(c.vertices.front(), u) != no_edge) ++c.edges_left;
      }
      c.most = c.untouched ? c.most : std::min(c.most, c.edges_left);
    }
    return classes;
  }

  /// That whose decision makes the fewest states afterwards, by what is told apart before it.
  Index next_class(const std::vector<TwinClass>& classes) {
    Index best = 0;
    double best_cost = std::numeric_limits<double>::infinity();
    for (Index c = 0; c < classes.size(); ++c) {
      const Index v = classes[c].vertices.back();
      double cost = 0;
      for (Index other = 0; other < classes.size(); ++other) {
        const auto& members = classes[other].vertices;
        const Index left = static_cast<Index>(members.size()) - (other == c ? 1 : 0);
        if (left == 0) continue;
        const Index member = members.front();
        const bool joined = member != v && weight(v, member) != no_edge;
        if (classes[other].untouched && !joined) continue;
        const double edges = classes[other].edges_left - (joined ? 1.0 : 0.0);
        const double most = std::min<double>(classes[other].most, edges);
        cost += log2_binomial(left + most, most);
      }
      if (cost < best_cost) {
        best_cost = cost;
        best = c;
      }
    }
    return best;
  }

  static void lay_out(std::vector<TwinClass>& classes, FactorStep& step) {
    for (TwinClass& c : classes) {
      c.first_count = step.counts;
      step.counts += c.most + 1;
      if (c.untouched) continue;
      const auto size = static_cast<unsigned>(c.vertices.size());
      const unsigned counts = c.most * static_cast<unsigned>(std::bit_width(size));
      const unsigned list = size * static_cast<unsigned>(std::bit_width(c.most));
      c.as_counts = counts < list;
      c.bits = static_cast<unsigned>(c.as_counts ? std::bit_width(size) : std::bit_width(c.most));
      step.key_bits += std::min(counts, list);
    }
  }

  /// States, and choices a state, as if all states whose needs can be added up so were reached.
  std::pair<double, double> forecast(const std::vector<TwinClass>& classes, const FactorStep& step) {
    std::int64_t needs = 0;
    for (const Index need : graph_.needs) needs += need;
    const TwinClass& own = classes[step.of_class];
    const Index most = own.untouched ? graph_.needs[step.vertex] : own.most;
    StatesBySum all(needs, 0);
    StatesBySum chosen(needs, most);  // without the vertex itself
    std::int64_t untouched = 0;
    for (Index c = 0; c < classes.size(); ++c) {
      const TwinClass& other = classes[c];
      const std::int64_t sign = side_.empty() ? 1 : side_[other.vertices.front()];
      const auto size = static_cast<Index>(other.vertices.size());
      const Index others = size - (c == step.of_class ? 1 : 0);
      const Index member =
          other.vertices.front() == step.vertex ? other.vertices.back() : other.vertices.front();
      const bool joined = others > 0 && weight(step.vertex, member) != no_edge;
      if (other.untouched) {
        for (const Index v : other.vertices) untouched += sign * graph_.needs[v];
        // what each needs is known: all but chosen or not
        if (joined) chosen.add_class(others, 1, 1, 0, true);
        continue;
      }
      // of both sides: no edges, or one, and what they need is known from one of them
      const bool both = !side_.empty() && are_on_both_sides(other);
      const Index levels = both ? 0 : other.most;
      const Index least = both ? 0 : least_need(other);
      all.add_class(size, least, levels, sign, false);
      if (others > 0) chosen.add_class(others, least, levels, sign, joined);
    }
    const auto [least, largest] = sums_that_are_left(untouched);
    const double states = std::max(1.0, all.with(least, largest, 0));
    double pairs = 0;
    const std::int64_t sign = side_.empty() ? 1 : side_[step.vertex];
    for (Index need = own.untouched ? most : least_need(own); need <= most; ++need) {
      const std::int64_t own_need = own.untouched ? 0 : sign * static_cast<std::int64_t>(need);
      pairs += chosen.with(least - own_need, largest - own_need, need);
    }
    return {states, std::max(1.0, pairs / states)};
  }

  /// No vertex has been given more edges than it has to decided ones.
  Index least_need(const TwinClass& c) {
    Index least = c.most;
    for (const Index v : c.vertices) {
      Index given = 0;
      for (Index u = 0; u < size_; ++u) given += decided_[u] && weight(u, v) != no_edge ? 1 : 0;
      least = std::min(least, graph_.needs[v] > given ? graph_.needs[v] - given : 0);
    }
    return least;
  }

  /// What the touched vertices may need in all: what the others need, of a bipartite graph; else twice as
  /// much more as there may be edges between decided vertices.
  std::pair<std::int64_t, std::int64_t> sums_that_are_left(std::int64_t untouched) {
    if (!side_.empty()) return {-untouched, -untouched};
    std::int64_t decided = 0;
    std::int64_t left = 0;
    for (Index v = 0; v < size_; ++v) (decided_[v] ? decided : left) += graph_.needs[v];
    std::int64_t between = 0;
    for (const FactorEdge& edge : graph_.edges) between += decided_[edge.from] && decided_[edge.to] ? 1 : 0;
    const std::int64_t least = left - decided - untouched;
    return {least, least + 2 * std::min(between, decided / 2)};
  }
  bool are_on_both_sides(const TwinClass& c) const {
    return std::any_of(c.vertices.begin(), c.vertices.end(),
                       [&](Index v) { return side_[v] != side_[c.vertices.front()]; });
  }

  /// log2 of the ways in which a vertex can be given edges, one of them after another.
  double most_choices(Index v) {
    Index later = 0;
    for (Index u = 0; u < size_; ++u) later += !decided_[u] && weight(v, u) != no_edge ? 1 : 0;
    const Index chosen = std::min({graph_.needs[v], later, (later + 1) / 2});
    return log2_binomial(later, chosen);
  }

  const FactorGraph& graph_;
  Index size_;
  std::vector<Index> weight_;
  std::vector<bool> decided_;
  std::vector<bool> touched_;
  std::vector<int> side_;
};

}  // namespace

unsigned FactorPlan::key_words() const {
  unsigned bits = 1;
  for (const FactorStep& step : steps) bits = std::max(bits, step.key_bits);
  return (bits + 63) / 64;
}

std::optional<FactorPlan> plan_factors(const FactorGraph& graph) {
  return Planner(graph).plan();
}

}  // namespace countpm::factors
