#include "kernels/factors/plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "graph/stop_poll.hpp"

namespace countpm::factors {
namespace {

constexpr Index no_edge = no_index;
// More fit no memory.
constexpr double most_states = 1e12;

double log2_of(const mpz_class& value) {
  long exponent = 0;
  const double mantissa = mpz_get_d_2exp(&exponent, value.get_mpz_t());
  return mantissa == 0 ? 0 : std::log2(std::abs(mantissa)) + static_cast<double>(exponent);
}

double log2_binomial(double n, double k) {
  return (std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)) / std::log(2.0);
}

/// How many states of classes have each sum of needs, the needs of one side of a bipartite graph taken as
/// negative.
class StatesBySum {
 public:
  explicit StatesBySum(std::int64_t most)
      : most_(most), number_(static_cast<std::size_t>(2 * most + 1), 0.0) {
    at(0) = 1;
  }

  /// Multisets of `size` numbers 0 .. most.
  void add_class(Index size, Index most, std::int64_t sign) {
    // [taken][sum of what they need]
    std::vector<std::vector<double>> ways(size + std::size_t{1},
                                          std::vector<double>(std::size_t{size} * most + 1, 0.0));
    for (auto& row : ways) row[0] = 1;  // of number 0 as many as is liked
    for (Index need = 1; need <= most; ++need) {
      for (Index taken = 1; taken <= size; ++taken) {
        for (std::size_t sum = need; sum < ways[taken].size(); ++sum)
          ways[taken][sum] += ways[taken - 1][sum - need];
      }
    }
    std::vector<double> next(number_.size(), 0.0);
    for (std::int64_t sum = -most_; sum <= most_; ++sum) {
      if (at(sum) == 0) continue;
      for (std::size_t own = 0; own < ways[size].size(); ++own) {
        const std::int64_t to = sum + sign * static_cast<std::int64_t>(own);
        if (to >= -most_ && to <= most_)
          next[static_cast<std::size_t>(to + most_)] += at(sum) * ways[size][own];
      }
    }
    number_ = std::move(next);
  }
  double with(std::int64_t sum) { return sum < -most_ || sum > most_ ? 0 : at(sum); }
  double with_parity(std::int64_t sum) {
    double result = 0;
    for (std::int64_t s = -most_; s <= most_; ++s) {
      if ((s - sum) % 2 == 0) result += at(s);
    }
    return result;
  }

 private:
  double& at(std::int64_t sum) { return number_[static_cast<std::size_t>(sum + most_)]; }
  std::int64_t most_;
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
      plan.log2_bound += std::max({0.0, log2_of(weight.in), log2_of(weight.out)});
    }
    std::vector<TwinClass> classes = twin_classes();
    plan.transitions = 0;
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
      step.states = states_of(classes);
      step.choices = choices_of(classes, step);
      plan.transitions += step.states * step.choices;
      plan.most_states = std::max(plan.most_states, step.states);
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

  double states_of(const std::vector<TwinClass>& classes) {
    std::int64_t needs = 0;
    for (const Index need : graph_.needs) needs += need;
    StatesBySum states(needs);
    std::int64_t untouched = 0;
    for (const TwinClass& c : classes) {
      const std::int64_t sign = side_.empty() ? 1 : side_[c.vertices.front()];
      if (c.untouched) {
        for (const Index v : c.vertices) untouched += sign * graph_.needs[v];
      } else if (!side_.empty() && are_on_both_sides(c)) {
        // no edges, or one: what they need is known from one of them
        states.add_class(static_cast<Index>(c.vertices.size()), 0, 1);
      } else {
        states.add_class(static_cast<Index>(c.vertices.size()), c.most, sign);
      }
    }
    return std::max(1.0, side_.empty() ? states.with_parity(-untouched) : states.with(-untouched));
  }
  bool are_on_both_sides(const TwinClass& c) const {
    return std::any_of(c.vertices.begin(), c.vertices.end(),
                       [&](Index v) { return side_[v] != side_[c.vertices.front()]; });
  }

  /// Ways to give a vertex its edges: of k vertices of a class what they need is chosen too.
  double choices_of(const std::vector<TwinClass>& classes, const FactorStep& step) {
    const TwinClass& own = classes[step.of_class];
    const Index need = own.untouched ? graph_.needs[step.vertex] : (own.most + 1) / 2;
    std::vector<double> ways(need + std::size_t{1}, 0.0);
    ways[0] = 1;
    for (Index c = 0; c < classes.size(); ++c) {
      const TwinClass& other = classes[c];
      const Index size = static_cast<Index>(other.vertices.size()) - (c == step.of_class ? 1 : 0);
      if (size == 0 || other.most == 0) continue;
      const Index member =
          other.vertices.front() == step.vertex ? other.vertices.back() : other.vertices.front();
      if (weight(step.vertex, member) == no_edge) continue;
      const double share = other.untouched ? 1 : other.most / (other.most + 1.0);
      const double levels = other.untouched ? 1 : other.most;
      std::vector<double> next(ways.size(), 0.0);
      for (std::size_t taken = 0; taken < ways.size(); ++taken) {
        for (std::size_t k = 0; k <= size && taken + k < ways.size(); ++k) {
          const auto number = static_cast<double>(k);
          const double own_ways = k == 0      ? 1
                                  : size == 1 ? share
                                              : std::exp2(log2_binomial(number + levels - 1, levels - 1));
          next[taken + k] += ways[taken] * own_ways;
        }
      }
      ways = std::move(next);
    }
    return std::max(1.0, ways.back());
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
