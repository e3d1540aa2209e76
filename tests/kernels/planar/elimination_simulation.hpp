#pragma once
// Eliminations done by the definition in kernels/frontier/order/elimination.hpp: maps of states, class by
// class and member by member. An oracle for orders and their forecasts.
#include <gmpxx.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

#include "kernels/frontier/order/elimination.hpp"
#include "kernels/orders/class_graph.hpp"

namespace countpm::testing {

/// What a run of the program met: the value, and tables after what closes with them has left.
struct Simulated {
  mpq_class value;
  std::vector<std::size_t> table_states;  // of every eliminate (that did something) and join, in order
  std::size_t pairs = 0;                  // compatible ones of joins; made or handed on by eliminations
};

/// Edges weigh 1. Throws std::invalid_argument where the program is none of this graph.
class EliminationSimulation {
 public:
  explicit EliminationSimulation(const ClassGraph& graph) : graph_(graph) {}

  Simulated run(const Elimination& elimination) {
    for (const EliminationStep& step : elimination.steps) {
      switch (step.kind) {
        case EliminationStep::Kind::push:
          stack_.push_back({{}, {{State(graph_.classes(), 0), 1}}});
          break;
        case EliminationStep::Kind::eliminate:
          eliminate(step.vertex);
          break;
        case EliminationStep::Kind::join:
          join();
          break;
      }
    }
    if (stack_.size() != 1) throw std::invalid_argument("not one table left");
    if (seen_.size() != graph_.classes()) throw std::invalid_argument("a class is missing");
    for (const auto& [state, value] : stack_[0].states) result_.value += value;
    return result_;
  }

 private:
  using State = std::vector<Index>;  // members matched; 0 for those outside the frontier
  using States = std::map<State, mpq_class>;
  struct Table {
    std::set<Index> gone;
    States states;
  };

  template <class Visit>
  void for_neighbours(Index v, const Visit& visit) const {
    for (std::uint64_t k = graph_.start[v]; k < graph_.start[v + std::uint64_t{1}]; ++k) {
      visit(graph_.neighbour[k]);
    }
  }
  /// Only states whose closed classes are full live on; their counts are forgotten.
  void close(Table& table) {
    States kept;
    for (auto& [state, value] : table.states) {
      State next = state;
      bool lives = true;
      for (Index u = 0; u < graph_.classes() && lives; ++u) {
        bool closed = graph_.degree(u) > 0;
        for_neighbours(u, [&](Index w) { closed = closed && table.gone.count(w) != 0; });
        if (!closed || table.gone.count(u) != 0 || closed_.count(u) != 0) continue;
        lives = next[u] == graph_.multiplicity[u];
        next[u] = 0;
      }
      if (lives) kept[next] += value;
    }
    for (Index u = 0; u < graph_.classes(); ++u) {
      bool closed = graph_.degree(u) > 0;
      for_neighbours(u, [&](Index w) { closed = closed && table.gone.count(w) != 0; });
      if (closed) closed_.insert(u);
    }
    table.states = std::move(kept);
  }

  void eliminate(Index v) {
    if (stack_.empty() || v >= graph_.classes() || !seen_.insert(v).second) {
      throw std::invalid_argument("bad elimination");
    }
    Table& table = stack_.back();
    table.gone.insert(v);
    for_neighbours(v, [&](Index u) {
      if (seen_.count(u) != 0 && table.gone.count(u) == 0) throw std::invalid_argument("edge between tables");
    });
    if (closed_.count(v) != 0) {
      for_neighbours(v, [&](Index u) {
        if (table.gone.count(u) == 0) throw std::invalid_argument("closed elsewhere");
      });
      return;
    }
    std::vector<Index> closing;
    for (Index u = 0; u < graph_.classes(); ++u) {
      bool closed = graph_.degree(u) > 0 && u != v && closed_.count(u) == 0 && table.gone.count(u) == 0;
      for_neighbours(u, [&](Index w) { closed = closed && table.gone.count(w) != 0; });
      if (closed) closing.push_back(u);
    }
    for (Index round = 0; round < graph_.multiplicity[v]; ++round) {
      const auto counts = [&](const State& after) {
        return round + 1 < graph_.multiplicity[v] ||
               std::all_of(closing.begin(), closing.end(),
                           [&](Index u) { return after[u] == graph_.multiplicity[u]; });
      };
      States next;
      for (const auto& entry : table.states) {  // not bindings: clang 14 does not capture them
        const State& state = entry.first;
        const auto& value = entry.second;
        if (state[v] > round) {
          next[state] += value;
          if (counts(state)) ++result_.pairs;
          continue;
        }
        for_neighbours(v, [&](Index u) {
          if (table.gone.count(u) != 0 || state[u] == graph_.multiplicity[u]) return;
          State after = state;
          ++after[v];
          ++after[u];
          next[after] += value * (graph_.multiplicity[u] - state[u]);
          if (counts(after)) ++result_.pairs;
        });
      }
      table.states = std::move(next);
    }
    States left;
    for (const auto& [state, value] : table.states) {
      State after = state;
      after[v] = 0;
      left[after] += value;
    }
    table.states = std::move(left);
    close(table);
    result_.table_states.push_back(table.states.size());
  }

  void join() {
    if (stack_.size() < 2) throw std::invalid_argument("nothing to join");
    Table second = std::move(stack_.back());
    stack_.pop_back();
    Table& first = stack_.back();
    for (const Index v : second.gone) {
      for_neighbours(v, [&](Index u) {
        if (first.gone.count(u) != 0) throw std::invalid_argument("edge between tables to be joined");
      });
    }
    first.gone.insert(second.gone.begin(), second.gone.end());
    States joined;
    for (const auto& [a, value_a] : first.states) {
      for (const auto& [b, value_b] : second.states) {
        State sum = a;
        bool fits = true;
        mpq_class value = value_a * value_b;
        for (Index u = 0; u < graph_.classes(); ++u) {
          sum[u] += b[u];
          fits = fits && sum[u] <= graph_.multiplicity[u];
          if (fits && a[u] > 0 && b[u] > 0) value *= ways(graph_.multiplicity[u], a[u], b[u]);
        }
        if (!fits) continue;
        joined[sum] += value;
        ++result_.pairs;
      }
    }
    first.states = std::move(joined);
    close(first);
    result_.table_states.push_back(first.states.size());
  }

  /// Values count the ways to choose among m members; of a and b members chosen apart this many agree:
  /// m!/(m-a-b)! / (m!/(m-a)! * m!/(m-b)!) of the product of the ways.
  static mpq_class ways(Index m, Index a, Index b) {
    mpq_class factor = 1;
    for (Index i = 0; i < b; ++i) factor *= mpq_class(m - a - i, m - i);
    return factor;
  }

  const ClassGraph& graph_;
  std::vector<Table> stack_;
  std::set<Index> seen_;
  std::set<Index> closed_;
  Simulated result_;
};

}  // namespace countpm::testing
