// forecast_elimination: goes through the program with the frontiers only, no states.
//
// Every step closes the classes whose last neighbour goes with it: they must be full, so that states that
// leave one open are never made, and their own step later does nothing. A class of multiplicity m takes m
// rounds; round t lets the states with just t members matched choose, and hands on the others.
#include "kernels/frontier/order/elimination_cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/log2_sum.hpp"

#include "kernels/frontier/tables/join_streams.hpp"

namespace countpm {
namespace {

constexpr double none = -std::numeric_limits<double>::infinity();
// Rounds of one step, and counts within a round, that are looked at one by one; of more, as many spread
// evenly.
constexpr Index most_looked_at = 16;

/// first .. last (inclusive) or an even choice of them, each with the number it stands for.
template <class Visit>
void for_some(Index first, Index last, const Visit& visit) {
  if (first > last) return;
  const Index count = last - first + 1;
  const Index looked_at = std::min(count, most_looked_at);
  const double stands_for = static_cast<double>(count) / looked_at;
  for (Index i = 0; i < looked_at; ++i) {
    const double at = looked_at == 1 ? 0 : static_cast<double>(i) * (count - 1) / (looked_at - 1);
    visit(first + static_cast<Index>(at), std::log2(stands_for));
  }
}

class Forecaster {
 public:
  explicit Forecaster(const ClassGraph& graph)
      : graph_(graph), open_(graph.classes()), owner_(graph.classes(), no_index), place_(graph.classes(), 0) {
    for (Index v = 0; v < graph.classes(); ++v) open_[v] = graph.degree(v);
  }

  /// Calls after(step's place) when each step is done; ends early where that says false, and says so.
  template <class After>
  bool go_through(const Elimination& elimination, const After& after) {
    for (std::size_t i = 0; i < elimination.steps.size(); ++i) {
      const EliminationStep& step = elimination.steps[i];
      constexpr std::size_t steps_a_look = 16;
      if (i % steps_a_look == 0) check_stop();
      step_ = {none, none, none};
      switch (step.kind) {
        case EliminationStep::Kind::push:
          push();
          break;
        case EliminationStep::Kind::eliminate:
          eliminate(step.vertex);
          break;
        case EliminationStep::Kind::join:
          join();
          break;
      }
      if (!after(i)) return false;
    }
    if (stack_.size() != 1) fail("it leaves not one table");
    if (eliminated_ != graph_.classes()) fail("a class is missing");
    return true;
  }

  /// Empty as soon as the transitions exceed the limit.
  std::optional<EliminationForecast> forecast(const Elimination& elimination, double log2_limit) {
    EliminationForecast result;
    result.log2_transitions = none;
    const bool whole = go_through(elimination, [&](std::size_t) {
      result.log2_peak_states = std::max(result.log2_peak_states, step_.log2_states);
      result.log2_transitions = log2_sum(result.log2_transitions, step_.log2_transitions);
      result.log2_peak_bytes_states = std::max(result.log2_peak_bytes_states, step_.log2_alive);
      return result.log2_transitions <= log2_limit;
    });
    if (!whole) return std::nullopt;
    result.log2_states = std::max(0.0, round_states_);
    result.log2_transitions = std::max(0.0, result.log2_transitions);
    result.log2_likely_peak = result.log2_peak_bytes_states;
    result.peak_width = peak_width_;
    return result;
  }

  const StepForecast& step() const { return step_; }
  TableView top() {
    const Table& table = stack_.back();
    TableView view{table.frontier, table.profile, {}};
    for (Index v = 0; v < graph_.classes(); ++v) {
      const bool inside = gone(v) ? root(owner_[v]) == table.number : closed(v, table.number);
      if (inside) view.eliminated.push_back(v);
    }
    return view;
  }

 private:
  struct Table {
    Index number;                 // of the union-find forest of tables
    std::vector<Index> frontier;  // no order
    FrontierProfile profile;
    double log2_states = 0;
  };

  [[noreturn]] static void fail(const char* why) {
    throw std::invalid_argument(std::string("no elimination of this graph: ") + why);
  }

  Index root(Index number) {
    while (tables_[number] != number) number = tables_[number] = tables_[tables_[number]];
    return number;
  }
  bool gone(Index v) const { return owner_[v] != no_index; }
  bool row(Index v) const { return graph_.is_row(v); }
  // Where a class stood in the frontier last asked for: found at once, except where tables of a stack share
  // it.
  std::vector<Index>::iterator place(Table& table, Index v) {
    if (known_at(table, v)) return table.frontier.begin() + place_[v];
    return stack_.size() == 1 ? table.frontier.end()
                              : std::find(table.frontier.begin(), table.frontier.end(), v);
  }
  bool in(const Table& table, Index v) const {
    if (known_at(table, v)) return true;
    return stack_.size() > 1 &&
           std::find(table.frontier.begin(), table.frontier.end(), v) != table.frontier.end();
  }
  bool known_at(const Table& table, Index v) const {
    return place_[v] < table.frontier.size() && table.frontier[place_[v]] == v;
  }
  void append(Table& table, Index v) {
    place_[v] = static_cast<Index>(table.frontier.size());
    table.frontier.push_back(v);
  }

  /// The classes with just `matched` members matched: one coordinate less, and the rule for the sum moves.
  void fix(FrontierProfile& profile, Index v, Index matched) const {
    profile.erase(graph_.multiplicity[v], row(v));
    profile.eliminated(matched, row(v));
  }
  void fix_outside(FrontierProfile& profile, Index v, Index matched) const {
    profile.eliminated(matched, row(v));
  }

  void push() {
    const Index number = static_cast<Index>(tables_.size());
    tables_.push_back(number);
    Table table{number, {}, {}, 0};
    table.profile.general = graph_.general;
    table.profile.monomers = graph_.monomers;
    table.profile.most_taken = graph_.most_taken;
    stack_.push_back(std::move(table));
  }

  /// Takes u out of the frontier into P.
  void close(Table& table, Index u) {
    const auto at = place(table, u);
    if (at != table.frontier.end()) {
      table.profile.erase(graph_.multiplicity[u], row(u));
      *at = table.frontier.back();
      place_[*at] = static_cast<Index>(at - table.frontier.begin());
      table.frontier.pop_back();
    }
    table.profile.eliminated(graph_.multiplicity[u], row(u));
  }

  /// Whether all neighbours of u are eliminated, and in this table; never where u has inner edges or
  /// loops.
  bool closed(Index u, Index number) {
    if (open_[u] != 0 || graph_.degree(u) == 0 || graph_.has_own(u)) return false;
    for (std::uint64_t k = graph_.start[u]; k < graph_.start[u + std::uint64_t{1}]; ++k) {
      if (root(owner_[graph_.neighbour[k]]) != number) return false;
    }
    return true;
  }

  void eliminate(Index v) {
    if (stack_.empty()) fail("it has no table to eliminate in");
    if (v >= graph_.classes()) fail("it names a class that is not there");
    if (gone(v)) fail("it eliminates a class twice");
    Table& table = stack_.back();
    ++eliminated_;
    eliminating_ = v;
    owner_[v] = table.number;
    const bool done = closed(v, table.number);
    for (std::uint64_t k = graph_.start[v]; k < graph_.start[v + std::uint64_t{1}]; ++k) {
      --open_[graph_.neighbour[k]];
    }
    if (done) return;

    choices_.clear();
    partners_.clear();
    closing_.clear();
    for (std::uint64_t k = graph_.start[v]; k < graph_.start[v + std::uint64_t{1}]; ++k) {
      const Index u = graph_.neighbour[k];
      if (gone(u)) {
        if (root(owner_[u]) != table.number) fail("an edge joins two tables");
        continue;
      }
      choices_.push_back(u);
      if (graph_.entry[k] != ClassGraph::no_entry) partners_.push_back(u);
      if (closed(u, table.number)) closing_.push_back(u);
    }

    const bool known = in(table, v);
    FrontierProfile before = table.profile;
    if (known) before.erase(graph_.multiplicity[v], row(v));
    FrontierProfile during = before;
    for (const Index u : choices_) {
      if (!in(table, u)) during.insert(graph_.multiplicity[u], row(u));
    }
    const double input = table.log2_states;
    const Index last = graph_.multiplicity[v] - 1;
    double reads = input;
    double widest_round = none;
    for_some(0, last, [&](Index t, double log2_times) {
      work(table, t == 0 ? before : during, t != 0, v, t, known, log2_times);
      if (t == last) return;
      const double between = log2_between(during, v, t + 1, most_matched(v, t + 1, known));
      round_states_ = log2_sum(round_states_, between + log2_times);
      step_.log2_states = std::max(step_.log2_states, between);
      alive(log2_sum(std::max(reads, widest_round), between));
      widest_round = std::max(widest_round, between);
    });
    reads = std::max(reads, widest_round);

    for (const Index u : choices_) {
      if (in(table, u)) continue;
      append(table, u);
      table.profile.insert(graph_.multiplicity[u], row(u));
    }
    close(table, v);
    for (const Index u : closing_) close(table, u);
    made(table, reads);
  }

  /// Of v, in states before round t: just t members, or more where it was known. Two that took each other in
  /// the round before are one more.
  Index most_matched(Index v, Index t, bool known) const {
    const Index m = graph_.multiplicity[v];
    if (known) return m;
    return graph_.has_inner(v) && t > 0 ? std::min(m, t + 1) : t;
  }

  /// States between rounds of v: `least` to `most` of its members are matched.
  double log2_between(const FrontierProfile& during, Index v, Index least, Index most) const {
    double sum = none;
    for_some(least, most, [&](Index matched, double log2_times) {
      FrontierProfile profile = during;
      fix_outside(profile, v, matched);
      sum = log2_sum(sum, log2_admitted(profile) + log2_times);
    });
    return sum;
  }

  /// Adds the transitions of round t. `profile` is without v; all choices are in it where `all_in`, else
  /// those that are in the table's frontier.
  void work(const Table& table, const FrontierProfile& profile, bool all_in, Index v, Index t, bool known,
            double log2_times) {
    const Index m = graph_.multiplicity[v];
    const bool last = t + 1 == m;
    const auto inside = [&](Index u) { return all_in || in(table, u); };
    const auto add = [&](double log2_pairs) {
      step_.log2_transitions = log2_sum(step_.log2_transitions, log2_pairs + log2_times);
    };
    // All closing classes but u are full; false where one of them is not even touched.
    const auto fill_others = [&](FrontierProfile& filled, Index u) {
      for (const Index c : closing_) {
        if (c == u) continue;
        if (!inside(c)) return false;
        fix(filled, c, graph_.multiplicity[c]);
      }
      return true;
    };
    if (const Index most = most_matched(v, t, known); most > t) {
      FrontierProfile filled = profile;
      if (!last || fill_others(filled, no_index)) {
        for_some(t + 1, most, [&](Index matched, double log2_stands_for) {
          FrontierProfile handed_on = filled;
          fix_outside(handed_on, v, matched);
          add(log2_admitted(handed_on) + log2_stands_for);
        });
      }
    }
    const bool pairs = graph_.has_inner(v) && t + 2 <= m;
    if (pairs || graph_.has_loop(v)) {
      FrontierProfile start = profile;
      fix_outside(start, v, t);
      if (!last || fill_others(start, no_index))
        add(log2_admitted(start) + (pairs && graph_.has_loop(v) ? 1 : 0));
    }
    for (const Index tile : graph_.tiles_at(v)) {
      FrontierProfile start = profile;
      fix_outside(start, v, t);
      if (start_with_tile(start, tile, inside)) add(log2_admitted(start));
    }
    for (const Index u : partners_) {
      FrontierProfile start = profile;
      fix_outside(start, v, t);
      if (last && !fill_others(start, u)) continue;
      const Index room = graph_.multiplicity[u];
      const bool closes = last && std::find(closing_.begin(), closing_.end(), u) != closing_.end();
      if (!inside(u)) {
        if (!closes || room == 1) add(log2_admitted(start));
      } else if (closes || room == 1) {
        fix(start, u, room - 1);
        add(log2_admitted(start));
      } else {
        const double any = log2_admitted(start);
        fix(start, u, room);
        const double full = log2_admitted(start);
        add(any + std::log2(std::max(0.0, 1 - std::exp2(full - any))));
      }
    }
  }

  /// The states in which the class being eliminated can take the tile: its members are open, and the closing
  /// classes that are not among them full. False where there are none.
  template <class Inside>
  bool start_with_tile(FrontierProfile& start, Index tile, const Inside& inside) const {
    const std::span<const Index> members = graph_.members_of(tile);
    for (const Index u : members) {
      const bool open = std::find(choices_.begin(), choices_.end(), u) != choices_.end();
      if (!open) {
        // One of them is the class itself; any other is eliminated, and the tile was for it to take.
        if (u != eliminating_) return false;
      } else if (inside(u)) {
        fix(start, u, 0);
      }
    }
    for (const Index c : closing_) {
      if (std::find(members.begin(), members.end(), c) != members.end()) continue;
      if (!inside(c)) return false;
      fix(start, c, graph_.multiplicity[c]);
    }
    return true;
  }

  void join() {
    if (stack_.size() < 2) fail("it joins without two tables");
    Table second = std::move(stack_.back());
    stack_.pop_back();
    Table& first = stack_.back();
    tables_[root(second.number)] = first.number;
    const double tilt_first = admitted_tilt(first.profile);
    const double tilt_second = admitted_tilt(second.profile);
    double pairs = first.log2_states + second.log2_states;
    double streams = std::min(first.log2_states, second.log2_states);
    closing_.clear();
    for (const Index u : second.frontier) {
      // A class that the other table has eliminated would be an edge between the two.
      if (gone(u)) fail("an edge joins two tables");
    }
    for (const Index u : first.frontier) {
      if (gone(u)) fail("an edge joins two tables");
    }
    for (Index i = 0; i < first.frontier.size(); ++i) place_[first.frontier[i]] = i;
    for (const Index u : second.frontier) {
      if (!in(first, u)) {
        append(first, u);
        continue;
      }
      second.profile.erase(graph_.multiplicity[u], row(u));
      const bool closes = closed(u, first.number);
      if (closes) closing_.push_back(u);
      pairs += std::log2(share_compatible(tilt_first, tilt_second, u, closes));
      if (!closes) streams += std::log2(graph_.multiplicity[u]);
    }
    first.profile += second.profile;
    double input = log2_sum(first.log2_states, second.log2_states);
    // Where no side is small, the pairs are held and sorted, a little smaller each than a state with its
    // value.
    const bool sorted = streams > std::log2(most_join_streams);
    if (sorted) input = log2_sum(input, pairs);
    for (const Index u : closing_) close(first, u);
    step_.log2_transitions = pairs + (sorted ? std::log2(price_of_a_sorted_pair) : 0);
    made(first, input);
  }

  /// The chance that counts drawn apart add up to at most the multiplicity, or to just that.
  double share_compatible(double tilt_first, double tilt_second, Index u, bool just) const {
    const Index m = graph_.multiplicity[u];
    // Of a row the tilt weighs the members left free.
    const double a = row(u) ? 1 / tilt_first : tilt_first;
    const double b = row(u) ? 1 / tilt_second : tilt_second;
    double together = 0;
    double weight_a = 1;
    double total_a = 0;
    std::vector<double> up_to(m + std::size_t{1});
    std::vector<double> single(m + std::size_t{1});
    double weight_b = 1;
    double total_b = 0;
    // Weights are taken relative to the heavier end.
    for (Index s = 0; s <= m; ++s) {
      const Index from_heavy = b > 1 ? m - s : s;
      weight_b = std::pow(b > 1 ? 1 / b : b, from_heavy);
      total_b += weight_b;
      single[s] = weight_b;
      up_to[s] = total_b;
    }
    for (Index s = 0; s <= m; ++s) {
      const Index from_heavy = a > 1 ? m - s : s;
      weight_a = std::pow(a > 1 ? 1 / a : a, from_heavy);
      total_a += weight_a;
      together += weight_a * (just ? single[m - s] : up_to[m - s]);
    }
    return std::max(together / (total_a * total_b), 1e-300);
  }

  /// So many states alive beside the rest of the stack (all but its top).
  void alive(double log2_states) {
    for (std::size_t i = 0; i + 1 < stack_.size(); ++i) {
      log2_states = log2_sum(log2_states, stack_[i].log2_states);
    }
    step_.log2_alive = std::max(step_.log2_alive, log2_states);
  }

  void made(Table& table, double log2_input) {
    table.log2_states = std::max(0.0, log2_admitted(table.profile));
    round_states_ = log2_sum(round_states_, table.log2_states);
    step_.log2_states = std::max(step_.log2_states, table.log2_states);
    peak_width_ = std::max(peak_width_, static_cast<unsigned>(table.frontier.size()));
    alive(log2_sum(log2_input, table.log2_states));
  }

  const ClassGraph& graph_;
  std::vector<Index> open_;   // neighbours that are not eliminated
  std::vector<Index> owner_;  // the table that eliminated it
  std::vector<Index> place_;  // in the frontier that it entered last
  std::vector<Index> tables_;
  std::vector<Table> stack_;
  std::vector<Index> choices_;
  std::vector<Index> partners_;  // of these, those at an edge
  std::vector<Index> closing_;
  Index eliminating_ = no_index;
  Index eliminated_ = 0;
  StepForecast step_;
  double round_states_ = none;  // of all tables of all steps so far
  unsigned peak_width_ = 0;
};

}  // namespace

std::vector<StepForecast> forecast_steps(const ClassGraph& graph, const Elimination& elimination) {
  std::vector<StepForecast> steps;
  Forecaster forecaster(graph);
  forecaster.go_through(elimination, [&](std::size_t) {
    steps.push_back(forecaster.step());
    return true;
  });
  return steps;
}

void visit_tables(const ClassGraph& graph, const Elimination& elimination,
                  const std::vector<std::size_t>& steps,
                  const std::function<void(std::size_t step, const TableView& table)>& visit) {
  Forecaster forecaster(graph);
  auto next = steps.begin();
  forecaster.go_through(elimination, [&](std::size_t step) {
    if (next == steps.end() || *next != step) return true;
    ++next;
    visit(step, forecaster.top());
    return true;
  });
}

std::optional<EliminationForecast> forecast_within(const ClassGraph& graph, const Elimination& elimination,
                                                   double log2_limit) {
  return Forecaster(graph).forecast(elimination, log2_limit);
}

EliminationForecast forecast_elimination(const ClassGraph& graph, const Elimination& elimination) {
  return *Forecaster(graph).forecast(elimination, std::numeric_limits<double>::infinity());
}

}  // namespace countpm
