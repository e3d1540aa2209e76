#include "kernels/frontier/tables/program.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "kernels/frontier/tables/key_slots.hpp"

namespace countpm {
namespace {

class Compiler {
 public:
  explicit Compiler(const ClassGraph& graph)
      : graph_(graph),
        field_(graph.classes()),
        most_used_(graph.classes(), 0),
        open_(graph.classes()),
        eliminated_(graph.classes(), 0),
        owner_(graph.classes(), none),
        mark_(graph.classes(), 0) {
    for (Index v = 0; v < graph.classes(); ++v) open_[v] = graph.degree(v);
  }

  Program compile(const Elimination& elimination) {
    find_leaving(elimination);
    for (const EliminationStep& step : elimination.steps) {
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
    }
    if (stack_.size() != 1) fail("it leaves not one table");
    if (std::find(eliminated_.begin(), eliminated_.end(), 0) != eliminated_.end()) fail("a class is missing");
    return finish();
  }

  /// The first `count` steps of a linear elimination, and more until no frontier class has twins; whether
  /// there is such a place.
  bool compile_front(const std::vector<Index>& sequence, std::size_t count, const Elimination& elimination) {
    find_leaving(elimination);
    push();
    const auto alone = [&](Index u) { return graph_.multiplicity[u] == 1; };
    for (std::size_t k = 0; k + 1 < sequence.size(); ++k) {
      eliminate(sequence[k]);
      const std::vector<Index>& frontier = stack_.back().frontier;
      if (k + 1 >= count && std::all_of(frontier.begin(), frontier.end(), alone)) return true;
    }
    return false;
  }

  /// What the front has left, from the last of the sequence on.
  void compile_back(const std::vector<Index>& sequence, const Elimination& backwards, const Compiler& front) {
    find_leaving(backwards);
    const std::vector<Index>& meeting = front.stack_.back().frontier;
    ++marks_;
    for (const Index u : meeting) {
      mark_[u] = marks_;
      slots_.reserve(front.field_[u]);
    }
    push();
    for (auto v = sequence.rbegin(); v != sequence.rend() && front.eliminated_[*v] == 0; ++v) {
      if (mark_[*v] != marks_ && !front.was_closed(*v)) eliminate(*v);
    }
    for (const Index u : meeting) meet(u, front.field_[u]);
  }

  Program finish() {
    program_.key_bits = slots_.highest();
    return std::move(program_);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// A table of the stack. Its number stands for it and for what was joined into it (a union-find forest).
  struct Table {
    std::uint32_t number;
    std::vector<Index> frontier;  // classes with a field, matched or to be matched by this table; no order
  };

  [[noreturn]] static void fail(const char* why) {
    throw std::invalid_argument(std::string("make_program: no elimination of this graph: ") + why);
  }

  /// leaves_: the step in which a class leaves, its own or, without inner edges and loops, that of its last
  /// neighbour.
  void find_leaving(const Elimination& elimination) {
    std::vector<std::size_t> own(graph_.classes(), 0);
    for (std::size_t i = 0; i < elimination.steps.size(); ++i) {
      const EliminationStep& step = elimination.steps[i];
      if (step.kind == EliminationStep::Kind::eliminate && step.vertex < graph_.classes())
        own[step.vertex] = i;
    }
    leaves_ = own;
    for (Index u = 0; u < graph_.classes(); ++u) {
      if (graph_.degree(u) == 0 || graph_.has_own(u)) continue;
      std::size_t last = 0;
      for (std::uint64_t k = graph_.start[u]; k < graph_.start[u + std::uint64_t{1}]; ++k)
        last = std::max(last, own[graph_.neighbour[k]]);
      leaves_[u] = std::min(own[u], last);
    }
  }

  std::uint32_t root(std::uint32_t number) {
    while (parent_[number] != number) number = parent_[number] = parent_[parent_[number]];
    return number;
  }

  void push() {
    const auto number = static_cast<std::uint32_t>(parent_.size());
    parent_.push_back(number);
    stack_.push_back({number, {}});
    program_.steps.push_back({ProgramStep::Kind::push, 0});
  }

  /// Whether all neighbours of u are eliminated, and in the table of this number; never where u has inner
  /// edges or loops.
  bool closed(Index u, std::uint32_t number) {
    if (open_[u] != 0 || graph_.has_own(u)) return false;
    for (std::uint64_t k = graph_.start[u]; k < graph_.start[u + std::uint64_t{1}]; ++k) {
      if (root(owner_[graph_.neighbour[k]]) != number) return false;
    }
    return true;
  }

  void release(Index u) {
    if (field_[u].width != 0) slots_.release(field_[u]);
    field_[u] = {};
  }

  void eliminate(Index v) {
    if (stack_.empty()) fail("it has no table to eliminate in");
    if (v >= graph_.classes()) fail("it names a class that is not there");
    if (eliminated_[v] != 0) fail("it eliminates a class twice");
    Table& table = stack_.back();
    eliminated_[v] = 1;
    owner_[v] = table.number;
    // Full already: it left with its last neighbour. (A class without neighbours must go through its round.)
    if (done(v, table.number)) return;

    choices_.clear();
    closing_.clear();
    for (std::uint64_t k = graph_.start[v]; k < graph_.start[v + std::uint64_t{1}]; ++k) {
      const Index u = graph_.neighbour[k];
      --open_[u];
      if (eliminated_[u] != 0) {
        if (root(owner_[u]) != table.number) fail("an edge joins two tables");
        continue;
      }
      choices_.push_back({u, graph_.entry[k]});
      if (closed(u, table.number)) closing_.push_back(u);
    }
    take_fields();
    const bool known = field_[v].width != 0 && in(table, v);
    if (graph_.has_own(v) && !known) {
      take_field(v);
      table.frontier.push_back(v);
    }
    const bool has_field = known || graph_.has_own(v);
    for (std::uint32_t t = 0; t < graph_.multiplicity[v]; ++t) round(v, t, has_field);
    for (const Choice& choice : choices_) {
      if (!in(table, choice.u)) table.frontier.push_back(choice.u);
    }
    if (has_field) {
      // Pairs within the class are no more than its orders.
      program_.log2_other_factors += std::lgamma(graph_.multiplicity[v] + 1.0) / std::log(2.0) + 0x1p-20;
      drop(table, v);
    }
    for (const Index u : closing_) leave_full(table, u);
  }

  /// Full, and gone, before its own step: not eliminated, but a neighbour is. (Where it is in no frontier.)
  bool was_closed(Index u) const {
    for (std::uint64_t k = graph_.start[u]; k < graph_.start[u + std::uint64_t{1}]; ++k) {
      if (eliminated_[graph_.neighbour[k]] != 0) return true;
    }
    return false;
  }

  /// A class of the marked ones, of multiplicity 1: taken by the other end, which `taken` says from now on,
  /// or matched here, if it was not before.
  void meet(Index v, Field taken) {
    Table& table = stack_.back();
    eliminated_[v] = 1;
    owner_[v] = table.number;
    choices_.clear();
    closing_.clear();
    for (std::uint64_t k = graph_.start[v]; k < graph_.start[v + std::uint64_t{1}]; ++k) {
      const Index u = graph_.neighbour[k];
      if (mark_[u] == marks_ && eliminated_[u] == 0) choices_.push_back({u, graph_.entry[k]});
    }
    take_fields();
    const bool known = field_[v].width != 0;
    StreamPlan free;
    if (known) free.changes.push_back({field_[v], 0, 0});
    RoundPlan plan;
    plan.weights.push_back({});
    if (known) {
      StreamPlan matched;
      matched.changes.push_back({field_[v], 1, 0});
      plan.streams.push_back(std::move(matched));
    }
    StreamPlan other = free;
    other.changes.push_back({taken, 0, 1});
    plan.streams.push_back(std::move(other));
    if (graph_.has_loop(v)) {
      StreamPlan alone = free;
      alone.weight = static_cast<std::uint32_t>(plan.weights.size());
      plan.weights.push_back({graph_.loop[v], 1, 0});
      plan.streams.push_back(std::move(alone));
    }
    for (const Choice& choice : choices_) {
      StreamPlan pair = free;
      pair.changes.push_back({field_[choice.u], 0, 1});
      pair.weight = static_cast<std::uint32_t>(plan.weights.size());
      plan.weights.push_back({choice.entry, 1, 0});
      plan.streams.push_back(std::move(pair));
    }
    program_.steps.push_back({ProgramStep::Kind::round, static_cast<std::uint32_t>(program_.rounds.size())});
    program_.rounds.push_back(std::move(plan));
    for (const Choice& choice : choices_) {
      if (!in(table, choice.u)) table.frontier.push_back(choice.u);
    }
    if (known) drop(table, v);
  }

  void take_field(Index u) {
    field_[u] = slots_.take(static_cast<std::uint32_t>(std::bit_width(graph_.multiplicity[u])));
    most_used_[u] = 0;
  }
  /// Those of the choices that have none: the ones that stay longest first.
  void take_fields() {
    fresh_.clear();
    for (const Choice& choice : choices_) {
      if (field_[choice.u].width == 0) fresh_.push_back(choice.u);
    }
    std::stable_sort(fresh_.begin(), fresh_.end(), [&](Index a, Index b) { return leaves_[a] > leaves_[b]; });
    for (const Index u : fresh_) take_field(u);
  }

  /// v was closed, and so matched in full, by an earlier step of this table.
  bool done(Index v, std::uint32_t number) {
    if (graph_.degree(v) == 0 || !closed(v, number)) return false;
    for (std::uint64_t k = graph_.start[v]; k < graph_.start[v + std::uint64_t{1}]; ++k) {
      --open_[graph_.neighbour[k]];
    }
    return true;
  }

  static bool in(const Table& table, Index u) {
    return std::find(table.frontier.begin(), table.frontier.end(), u) != table.frontier.end();
  }
  void drop(Table& table, Index u) {
    const auto at = std::find(table.frontier.begin(), table.frontier.end(), u);
    *at = table.frontier.back();
    table.frontier.pop_back();
    release(u);
  }

  void leave_full(Table& table, Index u) {
    mpz_class factorial;
    mpz_fac_ui(factorial.get_mpz_t(), graph_.multiplicity[u]);
    program_.factor *= factorial;
    drop(table, u);
  }

  /// Members of v number t and up are free still in the states that take part.
  void round(Index v, std::uint32_t t, bool has_field) {
    const std::uint32_t m = graph_.multiplicity[v];
    const bool last = t + 1 == m;
    RoundPlan plan;
    plan.weights.push_back({});
    // Matched further than this already.
    for (std::uint32_t used = t + 1; has_field && used <= std::min(m, most_used_[v]); ++used) {
      StreamPlan stream;
      stream.changes.push_back({field_[v], used, last ? 0 : used});
      if (last && !close_all_but(no_index, stream)) continue;
      if (t == 0 && m > 1) {
        stream.weight = static_cast<std::uint32_t>(plan.weights.size());
        plan.weights.push_back({StepWeight::no_entry, m, used});
      }
      plan.streams.push_back(std::move(stream));
    }
    for (const Choice& choice : choices_) {
      if (choice.entry != StepWeight::no_entry) take(choice, v, t, has_field, last, plan);
    }
    for (const Index tile : graph_.tiles_at(v)) take_tile(tile, v, has_field, plan);
    if (graph_.has_inner(v) && t + 2 <= m) take_inner(v, t, plan);
    if (graph_.has_loop(v)) take_loop(v, t, last, plan);
    for (const Choice& choice : choices_) {
      const Index u = choice.u;
      most_used_[u] = std::min(most_used_[u] + 1, graph_.multiplicity[u]);
    }
    program_.steps.push_back({ProgramStep::Kind::round, static_cast<std::uint32_t>(program_.rounds.size())});
    program_.rounds.push_back(std::move(plan));
  }

  struct Choice {
    Index u;
    std::uint64_t entry;
  };

  /// The streams of the states in which the next member of v takes one of u.
  void take(const Choice& choice, Index v, std::uint32_t t, bool has_field, bool last, RoundPlan& plan) {
    const Index u = choice.u;
    const std::uint32_t m = graph_.multiplicity[u];
    const bool closes = last && std::find(closing_.begin(), closing_.end(), u) != closing_.end();
    StreamPlan base;
    if (has_field) base.changes.push_back({field_[v], t, last ? 0 : t + 1});
    if (last && !close_all_but(u, base)) return;
    const std::uint32_t most = std::min(m - 1, most_used_[u]);
    base.weight = static_cast<std::uint32_t>(plan.weights.size());
    plan.weights.push_back({choice.entry, 1, 0});
    if (closes) {
      if (most < m - 1) return;
      base.changes.push_back({field_[u], m - 1, 0});
      plan.streams.push_back(std::move(base));
    } else if (most > 0 && field_[u].offset >= low_bits) {
      base.counted = field_[u];
      base.limit = most + 1;
      plan.streams.push_back(std::move(base));
    } else {
      for (std::uint32_t used = 0; used <= most; ++used) {
        StreamPlan stream = base;
        stream.changes.push_back({field_[u], used, used + 1});
        plan.streams.push_back(std::move(stream));
      }
    }
  }

  /// The stream of the states in which the next member of v takes another one of v. Never in the last round,
  /// so that the closing classes are none of its business.
  void take_inner(Index v, std::uint32_t t, RoundPlan& plan) {
    const std::uint32_t ways = graph_.multiplicity[v] - 1 - t;
    StreamPlan stream;
    stream.changes.push_back({field_[v], t, t + 2});
    stream.weight = static_cast<std::uint32_t>(plan.weights.size());
    plan.weights.push_back({graph_.inner[v], ways, ways == 1 ? 0U : 1U});
    plan.streams.push_back(std::move(stream));
    most_used_[v] = std::max(most_used_[v], t + 2);
  }

  /// The stream of the states in which the next member of v takes itself.
  void take_loop(Index v, std::uint32_t t, bool last, RoundPlan& plan) const {
    StreamPlan stream;
    stream.changes.push_back({field_[v], t, last ? 0 : t + 1});
    if (last && !close_all_but(no_index, stream)) return;
    stream.weight = static_cast<std::uint32_t>(plan.weights.size());
    plan.weights.push_back({graph_.loop[v], 1, 0});
    plan.streams.push_back(std::move(stream));
  }

  /// The stream of the states in which v takes the tile. One of its classes that is eliminated was matched
  /// then: the tile was for it to take.
  void take_tile(Index tile, Index v, bool has_field, RoundPlan& plan) const {
    const std::span<const Index> members = graph_.members_of(tile);
    const auto covers = [&](Index u) {
      return std::find(members.begin(), members.end(), u) != members.end();
    };
    StreamPlan stream;
    if (has_field) stream.changes.push_back({field_[v], 0, 0});
    for (const Index u : members) {
      if (u == v) continue;
      if (eliminated_[u] != 0) return;
      const bool closes = std::find(closing_.begin(), closing_.end(), u) != closing_.end();
      stream.changes.push_back({field_[u], 0, closes ? 0U : 1U});
    }
    for (const Index c : closing_) {
      if (covers(c)) continue;
      if (most_used_[c] == 0) return;
      stream.changes.push_back({field_[c], 1, 0});
    }
    stream.weight = static_cast<std::uint32_t>(plan.weights.size());
    plan.weights.push_back({graph_.tile_entry[tile], 1, 0});
    plan.streams.push_back(std::move(stream));
  }

  /// All closing classes but u must be full, and are dropped. False where one cannot be.
  bool close_all_but(Index u, StreamPlan& stream) const {
    for (const Index c : closing_) {
      if (c == u) continue;
      if (most_used_[c] < graph_.multiplicity[c]) return false;
      stream.changes.push_back({field_[c], graph_.multiplicity[c], 0});
    }
    return true;
  }

  void join() {
    if (stack_.size() < 2) fail("it joins what is not there");
    Table right = std::move(stack_.back());
    stack_.pop_back();
    Table& left = stack_.back();
    parent_[right.number] = left.number;
    JoinPlan plan;
    ++marks_;
    for (const Index u : left.frontier) mark_[u] = marks_;
    std::vector<Index> shared;
    for (const Index u : right.frontier) {
      if (mark_[u] == marks_) {
        shared.push_back(u);
      } else {
        left.frontier.push_back(u);
      }
    }
    // Keys are grouped by these fields from the highest bits down.
    std::sort(shared.begin(), shared.end(),
              [&](Index a, Index b) { return field_[a].offset > field_[b].offset; });
    std::vector<Index> closing;
    for (const Index u : shared) {
      const bool full = closed(u, left.number);
      plan.shared.push_back({field_[u], graph_.multiplicity[u], full});
      if (full) closing.push_back(u);
    }
    for (const Index u : closing) leave_full(left, u);
    program_.steps.push_back({ProgramStep::Kind::join, static_cast<std::uint32_t>(program_.joins.size())});
    program_.joins.push_back(std::move(plan));
  }

  const ClassGraph& graph_;
  Program program_;
  KeySlots slots_;
  std::vector<Field> field_;
  std::vector<std::uint32_t> most_used_;  // no state of any table has more members of the class matched
  std::vector<Index> open_;               // neighbours that are not eliminated
  std::vector<std::uint8_t> eliminated_;
  std::vector<std::uint32_t> owner_;  // number of the table that eliminated the class
  std::vector<std::uint32_t> parent_;
  std::vector<Table> stack_;
  std::vector<std::size_t> leaves_;
  std::vector<Choice> choices_;
  std::vector<Index> fresh_;
  std::vector<Index> closing_;
  std::vector<std::uint64_t> mark_;
  std::uint64_t marks_ = 0;
};

constexpr std::size_t least_steps_of_both_ends = 16;

std::vector<Index> sequence_of(const Elimination& elimination) {
  std::vector<Index> sequence;
  for (const EliminationStep& step : elimination.steps) {
    if (step.kind == EliminationStep::Kind::eliminate) sequence.push_back(step.vertex);
  }
  return sequence;
}

}  // namespace

Elimination reversed(const Elimination& elimination) {
  Elimination result;
  result.steps.push_back({EliminationStep::Kind::push, no_index});
  std::vector<Index> sequence = sequence_of(elimination);
  std::reverse(sequence.begin(), sequence.end());
  for (const Index v : sequence) result.steps.push_back({EliminationStep::Kind::eliminate, v});
  return result;
}

std::optional<BothEnds> make_both_ends(const ClassGraph& graph, const Elimination& elimination) {
  const std::vector<Index> sequence = sequence_of(elimination);
  const bool linear = sequence.size() + 1 == elimination.steps.size();
  if (!linear || sequence.size() < least_steps_of_both_ends) return std::nullopt;
  Compiler front(graph);
  if (!front.compile_front(sequence, sequence.size() / 2, elimination)) return std::nullopt;
  Compiler back(graph);
  back.compile_back(sequence, reversed(elimination), front);
  BothEnds ends;
  ends.front = front.finish();
  ends.back = back.finish();
  return ends;
}

Program make_program(const ClassGraph& graph, const Elimination& elimination) {
  return Compiler(graph).compile(elimination);
}

}  // namespace countpm
