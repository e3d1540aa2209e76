#include "kernels/frontier/ranked/ranked_program.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "kernels/frontier/ranked/alike_vertices.hpp"
#include "kernels/frontier/ranked/member_graph.hpp"
#include "kernels/frontier/ranked/ranked_cost.hpp"
#include "kernels/frontier/ranked/ranked_words.hpp"
#include "kernels/frontier/ranked/runs/ranked_runs.hpp"
#include "kernels/frontier/ranked/value_bits.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t most_ranked_states = std::uint64_t{1} << 40;
// Tables with so many times fewer sets are faster, though their runs are shorter.
constexpr double surely_fewer_sets = 1.5;
// Lowest bits that new vertices do not get.
constexpr std::ptrdiff_t stable_bits = 9;

std::uint64_t bit_at(std::uint32_t at) {
  return std::uint64_t{1} << at;
}

/// The values pulled in runs that end at a vertex's bit, for each line between two joins.
using Traffic = std::vector<std::unordered_map<std::uint32_t, double>>;

class RankedCompiler {
 public:
  /// merges: frontier vertices that are alike share a field of bits.
  RankedCompiler(const MemberElimination& elimination, const IntegerWeights& weights, bool merges,
                 Traffic traffic)
      : members_(elimination.graph),
        sequence_(elimination.steps),
        leaves_(elimination.leaves),
        weights_(weights),
        merges_(merges),
        traffic_(std::move(traffic)),
        counts_(set_counts(members_.general ? SetRule::parity : SetRule::ones)),
        bits_(members_, log2_most()),
        eliminated_(members_.vertices()),
        place_(members_.vertices(), nowhere),
        leader_(members_.vertices()) {
    std::iota(leader_.begin(), leader_.end(), 0U);
    if (merges_) alike_.emplace(members_, sequence_, weights_);
    program_.rule = counts_.rule();
    program_.negative = weights.negative;
  }

  /// After compile().
  const Traffic& traffic() const { return own_traffic_; }

  std::optional<RankedProgram> compile(std::uint32_t words_enough) {
    for (const MemberStep& step : sequence_) {
      if (!take(step)) return std::nullopt;
      if (program_.zero) {
        program_.actions.clear();
        program_.steps.clear();
        program_.joins.clear();
        return std::move(program_);
      }
      ++now_;
    }
    find_words_and_bytes(program_, std::min(words_enough, words_for(weights_.log2_bound)));
    return std::move(program_);
  }

 private:
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  struct Table {
    SetFamily family;
    SetCounts counts;
    std::uint64_t states = 1;
    std::vector<std::uint32_t> frontier;  // by bit
    std::int64_t rows_gone = 0;
    std::int64_t others_gone = 0;
  };
  Table& top() { return stack_.back(); }

  /// False where no word has room for the frontier, or none for the table.
  bool take(const MemberStep& step) {
    if (step.kind == EliminationStep::Kind::eliminate) return eliminate(step.vertex);
    if (step.kind == EliminationStep::Kind::join) return join();
    push();
    return true;
  }

  void push() {
    if (!stack_.empty()) forget_places(top());
    stack_.emplace_back();
    top().family.rule = counts_.rule();
    top().counts = counts_;
    bits_.push();
    own_traffic_.emplace_back();
    program_.actions.push_back({EliminationStep::Kind::push, 0, 1});
  }
  void forget_places(const Table& table) {
    for (const std::uint32_t u : table.frontier) place_[u] = nowhere;
  }

  /// Where the vertices in that order have their bits in the table.
  static RankedRelayout ordered(const Table& table, const std::vector<std::uint32_t>& order) {
    RankedRelayout relayout;
    relayout.family = table.family;
    relayout.states = table.states;
    for (const std::uint32_t u : order) {
      const auto at = std::find(table.frontier.begin(), table.frontier.end(), u);
      relayout.old_bit.push_back(static_cast<std::uint32_t>(at - table.frontier.begin()));
    }
    return relayout;
  }

  bool join() {
    forget_places(top());
    const Table second = std::move(stack_.back());
    stack_.pop_back();
    Table& first = top();
    bits_.join();
    first.rows_gone += second.rows_gone;
    first.others_gone += second.others_gone;
    // The bits of the shared vertices, those that stay first; then those of one table alone.
    std::vector<std::uint32_t> shared;
    std::vector<std::uint32_t> closing;
    std::vector<std::uint32_t> own[2];
    const auto is_in = [](const Table& table, std::uint32_t u) {
      return std::find(table.frontier.begin(), table.frontier.end(), u) != table.frontier.end();
    };
    for (const std::uint32_t u : first.frontier) {
      (!is_in(second, u) ? own[0] : leaves_[u] == now_ ? closing : shared).push_back(u);
    }
    for (const std::uint32_t u : second.frontier) {
      if (!is_in(first, u)) own[1].push_back(u);
    }
    RankedJoin join;
    join.kept = static_cast<std::uint32_t>(shared.size());
    join.closing = static_cast<std::uint32_t>(closing.size());
    const std::size_t of_runs = own[0].size() > own[1].size() ? 0 : 1;
    join.waiting_gives_runs = of_runs == 0;
    join.own_of_runs = static_cast<std::uint32_t>(own[of_runs].size());
    join.own_of_scalars = static_cast<std::uint32_t>(own[1 - of_runs].size());
    const std::size_t width = own[0].size() + own[1].size() + shared.size();
    if (join.shared() > most_shared || width > most_ranked_width) return false;
    Table joined = first;
    joined.frontier = together({own[of_runs], shared, own[1 - of_runs]});
    shared = together({shared, closing});
    for (std::uint32_t k = 0; k < shared.size(); ++k) join.shared_rows |= is_row(shared[k]) ? bit_at(k) : 0;
    const std::vector<std::uint32_t> runs_order = together({own[of_runs], shared});
    const std::vector<std::uint32_t> scalars_order = together({shared, own[1 - of_runs]});
    join.waiting = ordered(first, join.waiting_gives_runs ? runs_order : scalars_order);
    join.top = ordered(second, join.waiting_gives_runs ? scalars_order : runs_order);
    first = std::move(joined);
    for (const std::uint32_t u : closing) leave(u);
    find_family(first);
    own_traffic_.emplace_back();
    std::vector<std::uint32_t> order = first.frontier;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return is_lower(a, b); });
    join.result = ordered(first, order);
    first.frontier = std::move(order);
    for (std::uint32_t at = 0; at < first.frontier.size(); ++at) place_[first.frontier[at]] = at;
    if (first.states >= most_ranked_states) return false;
    count_join_pairs(join, counts_);
    if (first.states == 0 || join.pairs == 0) program_.zero = true;
    join.result.from_words = words_for(bits_.log2_bound(first.frontier));
    program_.moves += join.pairs;
    note_size(first);
    program_.actions.push_back(
        {EliminationStep::Kind::join, static_cast<std::uint32_t>(program_.joins.size())});
    program_.joins.push_back(std::move(join));
    return true;
  }
  static std::vector<std::uint32_t> together(std::initializer_list<std::vector<std::uint32_t>> parts) {
    std::vector<std::uint32_t> all;
    for (const std::vector<std::uint32_t>& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }
  void note_size(const Table& table) {
    program_.width = std::max(program_.width, table.family.width);
    program_.peak_states = std::max(program_.peak_states, table.states);
  }

  std::vector<double> log2_most() const {
    std::vector<double> most(members_.vertices(), 0);
    for (std::uint32_t v = 0; v < members_.vertices(); ++v) {
      for (std::uint64_t k = members_.start[v]; k < members_.start[v + std::size_t{1}]; ++k) {
        const mpz_class size = abs(weights_.value[members_.entry[k]]);
        most[v] = std::max(most[v], std::log2(size.get_d()));
      }
    }
    return most;
  }

  /// With half a bit for what logarithms were rounded by, and one for the sign.
  std::uint32_t words_for(double log2_bound) const {
    return static_cast<std::uint32_t>((std::max(log2_bound, 0.0) + (program_.negative ? 1.5 : 0.5)) / 64) + 1;
  }

  bool is_row(std::uint32_t v) const { return members_.row[v] != 0; }
  std::uint64_t used(std::uint32_t v, std::uint32_t at) const { return is_row(v) ? 0 : bit_at(at); }
  std::uint64_t unused(std::uint32_t v, std::uint32_t at) const { return is_row(v) ? bit_at(at) : 0; }

  struct Choice {
    std::uint32_t u;
    std::uint64_t entry;
    std::uint32_t at;  // its bit in an old set; nowhere: untouched so far
    bool closes;

    bool new_and_closes() const { return closes && at == nowhere; }
  };

  void leave(std::uint32_t v) {
    bits_.leave(v);
    (is_row(v) ? top().rows_gone : top().others_gone) += 1;
  }

  bool eliminate(std::uint32_t v) {
    const bool closed = leaves_[v] < now_;
    eliminated_[v] = 1;
    bits_.eliminate(v);
    if (closed) return true;
    choices_.clear();
    for (std::uint64_t k = members_.start[v]; k < members_.start[v + std::size_t{1}]; ++k) {
      const std::uint32_t u = members_.neighbour[k];
      if (eliminated_[u] == 0) choices_.push_back({u, members_.entry[k], place_[u], leaves_[u] == now_});
    }
    leave(v);
    RankedStep step;
    step.from = top().family;
    step.from_states = top().states;
    const std::uint32_t own = place_[v];
    if (own != nowhere) step.removed.push_back(own);
    std::vector<std::uint32_t> fresh;
    for (const Choice& choice : choices_) {
      if (choice.closes) leave(choice.u);
      if (choice.closes && choice.at != nowhere) step.removed.push_back(choice.at);
      if (!choice.closes && choice.at == nowhere) fresh.push_back(choice.u);
      if (!choice.closes && merges_) alike_->touch(choice.u, choice.entry);
    }
    if (merges_) alike_->end_step();
    std::sort(step.removed.begin(), step.removed.end());
    if (top().frontier.size() - step.removed.size() + fresh.size() > most_ranked_width) return false;
    move_frontier(step, fresh);
    find_family(top());
    step.to = top().family;
    step.to_states = top().states;
    if (step.to_states == 0) {
      program_.zero = true;
      return true;
    }
    add_pulls(step, v, own);
    // Whoever comes or leaves cuts the runs of all pulls.
    const auto tell = [&](std::uint32_t u) { own_traffic_.back()[u] += step.moves; };
    if (own != nowhere) tell(v);
    for (const Choice& choice : choices_) {
      if (choice.closes != (choice.at == nowhere)) tell(choice.u);
    }
    if (step.pulls.empty()) program_.zero = true;
    if (step.to_states >= most_ranked_states) return false;
    step.to_words = words_for(bits_.log2_bound(top().frontier));
    note_size(top());
    program_.sets += static_cast<double>(step.to_states);
    program_.sets_apart += static_cast<double>(counts_(step.to.width, step.to.number));
    program_.actions.push_back(
        {EliminationStep::Kind::eliminate, static_cast<std::uint32_t>(program_.steps.size())});
    program_.steps.push_back(std::move(step));
    return true;
  }

  double traffic_of(std::uint32_t u) const {
    const auto& known = traffic_[own_traffic_.size() - 1];
    const auto at = known.find(u);
    return at == known.end() ? 0 : at->second;
  }
  /// Which bit of two is lower in the line after a join: by traffic where that is known; else the last to
  /// leave.
  bool is_lower(std::uint32_t a, std::uint32_t b) const {
    a = leader_[a];
    b = leader_[b];
    const double of_a = traffic_.empty() ? -static_cast<double>(leaves_[a]) : traffic_of(a);
    const double of_b = traffic_.empty() ? -static_cast<double>(leaves_[b]) : traffic_of(b);
    return of_a != of_b ? of_a < of_b : a < b;
  }
  /// By traffic where that is known; else above those that stay for now, the last to leave first.
  std::vector<std::uint32_t>::iterator place_for(std::uint32_t u,
                                                 std::vector<std::uint32_t>& frontier) const {
    if (!traffic_.empty())
      return std::upper_bound(frontier.begin(), frontier.end(), u,
                              [&](std::uint32_t a, std::uint32_t b) { return is_lower(a, b); });
    auto at = frontier.begin() + std::min<std::ptrdiff_t>(stable_bits, std::ssize(frontier));
    while (at != frontier.end() && leaves_[leader_[*at]] >= leaves_[leader_[u]]) ++at;
    return at;
  }

  /// Puts new vertices in. Those that are alike come side by side, where the one of them would come that is
  /// to be highest, in such an order that they stay side by side when some of them are told apart.
  void place_fresh(std::vector<std::uint32_t> fresh, std::vector<std::uint32_t>& frontier) {
    if (!merges_) {
      for (const std::uint32_t u : fresh) frontier.insert(place_for(u, frontier), u);
      return;
    }
    alike_->sort(fresh, now_);
    const auto is_alike = [&](std::uint32_t a, std::uint32_t b) { return alike_->are_alike(a, b); };
    for (auto first = fresh.begin(); first != fresh.end();) {
      const auto last =
          std::find_if(first, fresh.end(), [&](std::uint32_t u) { return !is_alike(*first, u); });
      const std::uint32_t leader =
          *std::max_element(first, last, [&](std::uint32_t a, std::uint32_t b) { return is_lower(a, b); });
      std::for_each(first, last, [&](std::uint32_t u) { leader_[u] = leader; });
      if (last - first > 1) ++program_.groups;
      auto at = place_for(leader, frontier);
      while (at != frontier.begin() && at != frontier.end() && leader_[*at] == leader_[*(at - 1)]) ++at;
      frontier.insert(at, first, last);
      first = last;
    }
  }

  /// The new frontier, and where its bits were.
  void move_frontier(RankedStep& step, const std::vector<std::uint32_t>& fresh) {
    std::vector<std::uint32_t>& frontier = top().frontier;
    std::vector<std::uint32_t> stay;
    for (std::uint32_t at = 0; at < frontier.size(); ++at) {
      if (!std::binary_search(step.removed.begin(), step.removed.end(), at)) {
        stay.push_back(frontier[at]);
      } else {
        place_[frontier[at]] = nowhere;
      }
    }
    std::vector<std::uint32_t> next = stay;
    place_fresh(fresh, next);
    for (std::uint32_t at = 0; at < next.size(); ++at) {
      const std::uint32_t u = next[at];
      if (place_[u] == nowhere) {
        step.fresh.push_back(at);
      } else {
        const int up = static_cast<int>(place_[u]) - static_cast<int>(at);
        const auto same = std::find_if(step.kept.begin(), step.kept.end(),
                                       [&](const BitMove& move) { return move.up == up; });
        if (same == step.kept.end()) {
          step.kept.push_back({bit_at(at), up});
        } else {
          same->mask |= bit_at(at);
        }
      }
      place_[u] = at;
    }
    frontier = std::move(next);
  }

  /// Of a table by its frontier; no states where there is none.
  void find_family(Table& table) {
    table.family.width = static_cast<std::uint32_t>(table.frontier.size());
    std::int64_t number = members_.general ? table.others_gone & 1 : table.rows_gone - table.others_gone;
    for (const std::uint32_t u : table.frontier) number += is_row(u) ? 1 : 0;
    table.family.number = static_cast<std::uint32_t>(number);
    if (!merges_) {
      table.states = counts_(table.family.width, number);
      return;
    }
    table.family.fields = alike_->fields(table.frontier);
    table.counts = SetCounts(table.family);
    table.states = table.counts(table.family.width, number);
  }

  void add_pulls(RankedStep& step, std::uint32_t v, std::uint32_t own) {
    // What only v can use, it must.
    const auto musts = std::count_if(choices_.begin(), choices_.end(),
                                     [](const Choice& choice) { return choice.new_and_closes(); });
    if (own != nowhere && musts == 0) add_pull(step, nullptr, used(v, own));
    for (const Choice& choice : choices_) {
      if (musts == (choice.new_and_closes() ? 1 : 0))
        add_pull(step, &choice, own != nowhere ? unused(v, own) : 0);
    }
  }

  /// own_bit: v's in the old set. choice: the neighbour that v takes; null: v was used before.
  void add_pull(RankedStep& step, const Choice* choice, std::uint64_t own_bit) {
    RankedPull pull;
    pull.flip = own_bit;
    for (const Choice& other : choices_) {
      const bool taken = &other == choice;
      if (other.closes) {
        if (other.at != nowhere) pull.flip |= taken ? unused(other.u, other.at) : used(other.u, other.at);
        continue;
      }
      const std::uint32_t now = place_[other.u];
      if (other.at == nowhere || taken) {
        pull.mask |= bit_at(now);
        pull.value |= taken ? used(other.u, now) : unused(other.u, now);
      }
      if (other.at != nowhere && taken) pull.flip |= bit_at(other.at);
    }
    if (choice != nullptr) {
      const mpz_class& weight = weights_.value[choice->entry];
      pull.weight.negative = weight < 0;
      pull.weight.magnitude = mpz_getlimbn(weight.get_mpz_t(), 0);
    }
    const std::uint64_t moves = moves_of(step, pull);
    if (moves == 0) return;
    step.moves += static_cast<double>(moves);
    if (choice != nullptr && !choice->closes && choice->at != nowhere)
      own_traffic_.back()[choice->u] += static_cast<double>(moves);
    program_.moves += static_cast<double>(moves);
    step.pulls.push_back(pull);
  }

  const MemberGraph& members_;
  const std::vector<MemberStep>& sequence_;
  const std::vector<std::uint32_t>& leaves_;  // when a vertex leaves the frontier
  const IntegerWeights& weights_;
  bool merges_;
  Traffic traffic_;  // decides where vertices have their bits; empty: not known yet
  const SetCounts& counts_;
  ValueBits bits_;
  RankedProgram program_;
  std::vector<std::uint8_t> eliminated_;
  std::optional<AlikeVertices> alike_;
  std::vector<std::uint32_t> place_;   // of frontier vertices of the table on top, their bits
  std::vector<std::uint32_t> leader_;  // of a vertex, by whom its place was chosen
  Traffic own_traffic_;                // counted in this run
  std::vector<Choice> choices_;
  std::vector<Table> stack_;
  std::uint32_t now_ = 0;
};

}  // namespace

std::uint64_t moves_of(const RankedStep& step, const RankedPull& pull) {
  const SetCounts& counts = set_counts(step.to.rule);
  if (step.to.fields.empty()) {
    const auto free_bits = step.to.width - static_cast<std::uint32_t>(std::popcount(pull.mask));
    return counts(free_bits, counts.rest(step.to.number, std::popcount(pull.value)));
  }
  double moves = 0;
  const PartsByOnes words = SetCounts::high_parts(step.to, 0, pull.mask, pull.value);
  for (std::uint32_t k = 0; k <= step.to.width; ++k) {
    if (counts(0, counts.rest(step.to.number, static_cast<int>(k))) != 0) moves += words[k];
  }
  return static_cast<std::uint64_t>(moves);
}

namespace {

/// With bits given to vertices by time or by traffic: what makes fewer runs.
std::optional<RankedProgram> with_fewer_runs(const MemberElimination& members, const IntegerWeights& weights,
                                             bool merges, std::uint32_t words_enough) {
  RankedCompiler first_look(members, weights, merges, {});
  std::optional<RankedProgram> by_time = first_look.compile(words_enough);
  if (!by_time || by_time->zero) return by_time;
  std::optional<RankedProgram> by_traffic =
      RankedCompiler(members, weights, merges, first_look.traffic()).compile(words_enough);
  if (!by_traffic) return by_time;
  return runs_in_program(*by_time) < runs_in_program(*by_traffic) ? std::move(by_time)
                                                                  : std::move(by_traffic);
}

}  // namespace

std::optional<RankedProgram> make_ranked_program(const ClassGraph& graph, const IntegerWeights& weights,
                                                 const Elimination& elimination, std::uint32_t words_enough,
                                                 AlikeRule alike) {
  if (graph.monomers || graph.tiles() != 0) return std::nullopt;
  for (const mpz_class& weight : weights.value) {
    if (mpz_sizeinbase(weight.get_mpz_t(), 2) > 63) return std::nullopt;
  }
  const std::optional<MemberElimination> members = eliminate_members(graph, elimination);
  if (!members) return std::nullopt;
  const bool line = std::none_of(members->steps.begin(), members->steps.end(), [](const MemberStep& step) {
    return step.kind == EliminationStep::Kind::join;
  });
  std::optional<RankedProgram> merged;
  if (line && alike != AlikeRule::apart) merged = with_fewer_runs(*members, weights, true, words_enough);
  // Where that saves much, it is not compared.
  if (merged &&
      (alike == AlikeRule::together || merged->zero || merged->sets * surely_fewer_sets < merged->sets_apart))
    return merged;
  std::optional<RankedProgram> apart = with_fewer_runs(*members, weights, false, words_enough);
  if (!merged || !apart) return merged ? std::move(merged) : std::move(apart);
  return ranked_seconds(*merged) < ranked_seconds(*apart) ? std::move(merged) : std::move(apart);
}

}  // namespace countpm
