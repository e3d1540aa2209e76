#include "kernels/frontier/gpu/dense_layout.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/frontier/gpu/tuning.hpp"
#include "kernels/frontier/ranked/member_graph.hpp"
#include "kernels/frontier/ranked/ranked_join.hpp"

namespace countpm {
namespace {

constexpr std::uint32_t most_dense_width = 64;
constexpr std::uint64_t most_dense_members = std::uint64_t{1} << 20;
constexpr std::uint32_t row_of_binomials = most_dense_width + 1;

std::uint64_t bits_below(std::uint32_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

const std::vector<std::uint64_t>& binomials() {
  static const std::vector<std::uint64_t> table = dense_binomials();
  return table;
}
/// 0 where k is none of 0 .. n; n <= 64.
std::uint64_t binomial(std::int64_t n, std::int64_t k) {
  if (n < 0 || k < 0 || k > n) return 0;
  return binomials()[static_cast<std::size_t>(n * row_of_binomials + k)];
}

/// Gives every table its place; the actions so far say what is done in turn.
void place_tables(DenseProgram& program) {
  using Kind = DenseAction::Kind;
  struct Place {
    std::uint64_t below;
    std::uint64_t states;
    bool at_end;
  };
  std::vector<Place> stack;
  std::vector<DenseAction> placed;
  const auto make = [&](DenseAction action, std::uint64_t in_use) {
    Place& top = stack.back();
    top.at_end = !top.at_end;
    top.states = action.states;
    action.below = top.below;
    action.at_end = top.at_end;
    program.states = std::max(program.states, top.below + in_use);
    placed.push_back(action);
  };
  for (std::size_t k = 0; k < program.actions.size(); ++k) {
    const DenseAction& action = program.actions[k];
    if (action.kind == Kind::start) {
      // So that the line ends at the end where a reorder follows.
      std::size_t last = k + 1;
      while (last < program.actions.size() && program.actions[last].kind == Kind::step) ++last;
      const bool at_end = last < program.actions.size() && (last - k - 1) % 2 == 0;
      const std::uint64_t below = stack.empty() ? 0 : stack.back().below + stack.back().states;
      stack.push_back({below, 0, !at_end});
      make(action, 1);
    } else if (action.kind == Kind::step) {
      make(action, stack.back().states + action.states);
    } else if (action.kind == Kind::reorder) {
      if (!stack.back().at_end) make({Kind::move, 0, 0, action.states, false}, 2 * action.states);
      make(action, 2 * action.states);
    } else {
      const std::uint64_t in_use = stack.back().below + stack.back().states + action.states;
      stack.pop_back();
      make(action, in_use - stack.back().below);
    }
  }
  program.actions = std::move(placed);
}

class DenseCompiler {
 public:
  DenseCompiler(const MemberElimination& elimination, std::uint32_t low_bits)
      : members_(elimination.graph),
        sequence_(elimination.steps),
        leaves_(elimination.leaves),
        low_bits_(low_bits),
        eliminated_(members_.vertices(), 0) {}

  std::optional<DenseProgram> compile() {
    program_.weights.push_back(DenseProgram::no_entry);
    for (const MemberStep& step : sequence_) {
      if (!take(step)) return std::nullopt;
      if (program_.zero) {
        DenseProgram nothing;
        nothing.zero = true;
        nothing.weights = std::move(program_.weights);
        return nothing;
      }
      ++now_;
    }
    DenseFigures& figures = program_.figures;
    figures.rounds =
        static_cast<double>(program_.steps.size() + program_.reorders.size() + 2 * program_.joins.size());
    place_tables(program_);
    figures.log2_states = std::log2(static_cast<double>(program_.states));
    figures.log2_moves = std::log2(std::max(moves_, 1.0));
    figures.log2_all = std::log2(all_);
    return std::move(program_);
  }

 private:
  struct Table {
    std::vector<std::uint32_t> frontier;  // from the lowest bit up
    std::int64_t rows_gone = 0;           // eliminated or closed
    std::int64_t columns_gone = 0;
    std::uint32_t ones = 0;
    std::uint64_t states = 1;
    std::size_t reorder = 0;  // while it waits: which one puts its bits in order
  };
  Table& top() { return stack_.back(); }
  const Table& top() const { return stack_.back(); }

  /// False where no word has room for the frontier, or none for the table.
  bool take(const MemberStep& step) {
    if (step.kind == EliminationStep::Kind::eliminate) return eliminate(step.vertex);
    if (step.kind == EliminationStep::Kind::join) return join();
    if (!stack_.empty()) put_down();
    stack_.emplace_back();
    act(DenseAction::Kind::start, 0, 1);
    return true;
  }
  void act(DenseAction::Kind kind, std::size_t index, std::uint64_t states) {
    program_.actions.push_back({kind, static_cast<std::uint32_t>(index), 0, states, false});
  }

  /// The table on top is to be joined; in which order of bits is found by join().
  void put_down() {
    top().reorder = program_.reorders.size();
    DenseReorder reorder;
    reorder.width = static_cast<std::uint32_t>(top().frontier.size());
    reorder.ones = top().ones;
    reorder.states = top().states;
    act(DenseAction::Kind::reorder, top().reorder, reorder.states);
    program_.reorders.push_back(reorder);
    all_ += static_cast<double>(reorder.states);
  }
  using Vertices = std::vector<std::uint32_t>;
  void put_in_order(const Table& table, const Vertices& order) {
    for (std::size_t k = 0; k < order.size(); ++k) {
      const auto at = std::find(table.frontier.begin(), table.frontier.end(), order[k]);
      program_.reorders[table.reorder].old_bit[k] = static_cast<std::uint8_t>(at - table.frontier.begin());
    }
  }
  static Vertices together(std::initializer_list<Vertices> parts) {
    Vertices all;
    for (const Vertices& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }
  static bool is_in(const Table& table, std::uint32_t u) {
    return std::find(table.frontier.begin(), table.frontier.end(), u) != table.frontier.end();
  }

  bool join() {
    put_down();
    const Table second = std::move(stack_.back());
    stack_.pop_back();
    const Table first = std::move(stack_.back());
    Table& joined = stack_.back();
    joined = Table();
    joined.rows_gone = first.rows_gone + second.rows_gone;
    joined.columns_gone = first.columns_gone + second.columns_gone;
    Vertices kept;
    Vertices closing;
    Vertices own[2];
    for (const std::uint32_t u : first.frontier)
      (!is_in(second, u) ? own[0] : leaves_[u] == now_ ? closing : kept).push_back(u);
    for (const std::uint32_t u : second.frontier) {
      if (!is_in(first, u)) own[1].push_back(u);
    }
    const std::size_t of_runs = own[0].size() > own[1].size() ? 0 : 1;
    const Vertices& runs = own[of_runs];
    const Vertices& scalars = own[1 - of_runs];
    joined.frontier = together({runs, kept, scalars});
    const Vertices shared = together({kept, closing});
    if (shared.size() > most_shared_on_gpus ||
        std::max(first.frontier.size(), second.frontier.size()) > most_joined_width ||
        joined.frontier.size() > most_joined_width)
      return false;
    put_in_order(of_runs == 0 ? first : second, together({runs, shared}));
    put_in_order(of_runs == 0 ? second : first, together({shared, scalars}));
    for (const std::uint32_t u : closing) (is_row(u) ? joined.rows_gone : joined.columns_gone) += 1;

    DenseJoin made;
    DenseJoinShape& shape = made.shape;
    shape.own_of_runs = static_cast<std::uint32_t>(runs.size());
    shape.own_of_scalars = static_cast<std::uint32_t>(scalars.size());
    shape.kept = static_cast<std::uint32_t>(kept.size());
    shape.closing = static_cast<std::uint32_t>(closing.size());
    for (std::uint32_t k = 0; k < shared.size(); ++k)
      shape.shared_rows |= is_row(shared[k]) ? std::uint32_t{1} << k : 0;
    shape.runs_ones = of_runs == 0 ? first.ones : second.ones;
    shape.scalars_ones = of_runs == 0 ? second.ones : first.ones;
    made.waiting_gives_runs = of_runs == 0;
    made.waiting_states = first.states;
    made.top_states = second.states;
    std::int64_t ones = joined.rows_gone - joined.columns_gone;
    for (const std::uint32_t u : joined.frontier) ones += is_row(u) ? 1 : 0;
    joined.states = binomial(shape.to_width(), ones);
    made.pairs = pairs_of(made, ones);
    if (joined.states == 0 || made.pairs == 0) {
      program_.zero = true;
      return true;
    }
    if (joined.states >= most_dense_states) return false;
    joined.ones = shape.to_ones = static_cast<std::uint32_t>(ones);
    made.to_states = joined.states;
    note_made(joined, made.pairs);
    DenseFigures& figures = program_.figures;
    ++figures.joins;
    figures.pairs += made.pairs;
    figures.list_bytes = std::max(figures.list_bytes, dense_list_bytes * shape.patterns());
    act(DenseAction::Kind::join, program_.joins.size(), made.to_states);
    program_.joins.push_back(made);
    return true;
  }
  static double pairs_of(const DenseJoin& join, std::int64_t ones) {
    RankedJoin ranked;
    ranked.waiting_gives_runs = join.waiting_gives_runs;
    ranked.kept = join.shape.kept;
    ranked.closing = join.shape.closing;
    ranked.shared_rows = join.shape.shared_rows;
    ranked.own_of_runs = join.shape.own_of_runs;
    ranked.own_of_scalars = join.shape.own_of_scalars;
    (join.waiting_gives_runs ? ranked.waiting : ranked.top).family.number = join.shape.runs_ones;
    (join.waiting_gives_runs ? ranked.top : ranked.waiting).family.number = join.shape.scalars_ones;
    if (ones < 0) return 0;
    count_join_pairs(ranked, set_counts(SetRule::ones));
    return ranked.pairs;
  }
  void note_made(const Table& table, double moves) {
    DenseFigures& figures = program_.figures;
    moves_ += moves;
    all_ += static_cast<double>(table.states);
    figures.width = std::max(figures.width, static_cast<std::uint32_t>(table.frontier.size()));
    figures.log2_peak = std::max(figures.log2_peak, std::log2(static_cast<double>(table.states)));
  }

  bool is_row(std::uint32_t v) const { return members_.row[v] != 0; }
  std::optional<std::uint32_t> place(std::uint32_t v) const {
    const auto at = std::find(top().frontier.begin(), top().frontier.end(), v);
    if (at == top().frontier.end()) return std::nullopt;
    return static_cast<std::uint32_t>(at - top().frontier.begin());
  }

  struct Choice {
    std::uint32_t u;
    std::uint64_t entry;
    bool closes;
    std::optional<std::uint32_t> at;  // its bit in an old set; none: untouched so far

    bool new_and_closes() const { return closes && !at; }
  };

  void leave(std::uint32_t v) { (is_row(v) ? top().rows_gone : top().columns_gone) += 1; }

  bool eliminate(std::uint32_t v) {
    eliminated_[v] = 1;
    if (leaves_[v] < now_) return true;  // used, and left, with its last neighbour
    choices_.clear();
    for (std::uint64_t k = members_.start[v]; k < members_.start[v + std::size_t{1}]; ++k) {
      const std::uint32_t u = members_.neighbour[k];
      if (eliminated_[u] == 0) choices_.push_back({u, members_.entry[k], leaves_[u] == now_, place(u)});
    }
    leave(v);

    DenseStep step;
    step.shape.from_width = static_cast<std::uint32_t>(top().frontier.size());
    step.shape.from_ones = top().ones;
    step.from_states = top().states;
    const std::optional<std::uint32_t> own = place(v);
    if (own) step.removed.push_back(static_cast<std::uint8_t>(*own));
    std::vector<std::uint32_t> fresh;
    for (const Choice& choice : choices_) {
      if (choice.closes) leave(choice.u);
      if (choice.at && choice.closes) step.removed.push_back(static_cast<std::uint8_t>(*choice.at));
      if (!choice.at && !choice.closes) fresh.push_back(choice.u);
    }
    std::sort(step.removed.begin(), step.removed.end());
    if (!find_shape(step, fresh)) return false;
    if (!program_.zero) add_pulls(step, v, own, fresh);
    if (step.pulls.empty()) program_.zero = true;
    move_on(step, fresh);
    return true;
  }

  /// Widths, ones and states of the new table.
  bool find_shape(DenseStep& step, const std::vector<std::uint32_t>& fresh) {
    DenseShape& shape = step.shape;
    shape.kept_width = shape.from_width - static_cast<std::uint32_t>(step.removed.size());
    shape.to_width = shape.kept_width + static_cast<std::uint32_t>(fresh.size());
    if (shape.to_width > most_dense_width) return false;
    shape.from_low = std::min(low_bits_, shape.from_width);
    shape.removed_low = static_cast<std::uint32_t>(
        std::lower_bound(step.removed.begin(), step.removed.end(), shape.from_low) - step.removed.begin());
    shape.to_low = shape.from_low - shape.removed_low;
    std::int64_t ones = top().rows_gone - top().columns_gone;
    for (std::uint32_t k = 0; k < shape.from_width; ++k) {
      if (is_row(top().frontier[k]) && !std::binary_search(step.removed.begin(), step.removed.end(), k))
        ++ones;
    }
    for (const std::uint32_t u : fresh) ones += is_row(u) ? 1 : 0;
    if (ones < 0 || ones > static_cast<std::int64_t>(shape.to_width)) {
      program_.zero = true;
      return true;
    }
    shape.to_ones = static_cast<std::uint32_t>(ones);
    step.to_states = binomial(shape.to_width, ones);
    return step.to_states < most_dense_states;
  }

  /// The bit of an old set says of a used vertex ...
  std::uint64_t used_bit(std::uint32_t v, std::uint32_t at) const { return is_row(v) ? 0 : bit(at); }
  std::uint64_t free_bit(std::uint32_t v, std::uint32_t at) const { return is_row(v) ? bit(at) : 0; }
  static std::uint64_t bit(std::uint32_t at) { return std::uint64_t{1} << at; }

  void add_pulls(DenseStep& step, std::uint32_t v, const std::optional<std::uint32_t>& own,
                 const std::vector<std::uint32_t>& fresh) {
    // What only v can use, it must.
    const auto musts = std::count_if(choices_.begin(), choices_.end(),
                                     [](const Choice& choice) { return choice.new_and_closes(); });
    if (own && musts == 0) add_pull(step, nullptr, used_bit(v, *own), fresh);
    for (const Choice& choice : choices_) {
      if (musts == (choice.new_and_closes() ? 1 : 0))
        add_pull(step, &choice, own ? free_bit(v, *own) : 0, fresh);
    }
  }

  /// own_bit: v's in the old set. choice: the neighbour that v takes; null: v was used before.
  void add_pull(DenseStep& step, const Choice* choice, std::uint64_t own_bit,
                const std::vector<std::uint32_t>& fresh) {
    const DenseShape& shape = step.shape;
    // Bits of old sets: what those that leave have, and what turns round.
    std::uint64_t flip = own_bit;
    std::uint64_t old_mask = 0;  // of a neighbour that stays
    std::uint64_t old_value = 0;
    for (const Choice& other : choices_) {
      if (!other.at) continue;
      const bool taken = &other == choice;
      if (other.closes) {
        flip |= taken ? free_bit(other.u, *other.at) : used_bit(other.u, *other.at);
      } else if (taken) {
        old_mask = bit(*other.at);
        old_value = used_bit(other.u, *other.at);
        flip |= old_mask;
      }
    }
    DensePull pull;
    const std::uint64_t low = bits_below(shape.from_low);
    pull.low_flip = static_cast<std::uint32_t>(flip & low);
    pull.high_flip = flip >> shape.from_low;
    pull.low_mask = static_cast<std::uint32_t>(old_mask & low);
    pull.low_value = static_cast<std::uint32_t>(old_value & low);
    if ((old_mask & ~low) != 0) {
      // The bit's place in the new set: those below that leave are gone.
      const auto at = static_cast<std::uint32_t>(std::countr_zero(old_mask));
      const auto below =
          std::lower_bound(step.removed.begin(), step.removed.end(), at) - step.removed.begin();
      pull.high_mask = bit(at - static_cast<std::uint32_t>(below) - shape.to_low);
      pull.high_value = old_value != 0 ? pull.high_mask : 0;
    }
    for (std::uint32_t k = 0; k < fresh.size(); ++k) {
      const std::uint64_t at = bit(shape.kept_width + k - shape.to_low);
      pull.high_mask |= at;
      const bool used = choice != nullptr && choice->u == fresh[k];
      if (used != is_row(fresh[k])) pull.high_value |= at;
    }
    const std::int64_t fixed = std::popcount(pull.high_mask) + std::popcount(pull.low_mask);
    const std::int64_t fixed_ones = std::popcount(pull.high_value) + std::popcount(pull.low_value);
    const std::uint64_t moves = binomial(shape.to_width - fixed, shape.to_ones - fixed_ones);
    if (moves == 0) return;  // it never comes up
    step.moves += static_cast<double>(moves);
    if (choice != nullptr) {
      pull.weight = static_cast<std::uint32_t>(program_.weights.size());
      program_.weights.push_back(choice->entry);
    }
    step.pulls.push_back(pull);
  }

  void move_on(DenseStep& step, const std::vector<std::uint32_t>& fresh) {
    Table& table = top();
    for (std::size_t k = step.removed.size(); k-- > 0;)
      table.frontier.erase(table.frontier.begin() + step.removed[k]);
    table.frontier.insert(table.frontier.end(), fresh.begin(), fresh.end());
    table.ones = step.shape.to_ones;
    table.states = step.to_states;
    note_made(table, step.moves);
    add_runs(step);
    act(DenseAction::Kind::step, program_.steps.size(), step.to_states);
    program_.steps.push_back(std::move(step));
  }

  /// What a kernel has to find: where runs begin, of the new sets and of their predecessors.
  void add_runs(const DenseStep& step) {
    const DenseShape& shape = step.shape;
    const DenseClasses classes = dense_classes(shape);
    const std::int64_t width = shape.to_width - shape.to_low;
    DenseFigures& figures = program_.figures;
    figures.kinds += static_cast<double>(step.pulls.size());
    figures.runs += static_cast<double>(classes.first[classes.count]);
    for (std::uint32_t c = 0; c < classes.count; ++c) {
      const std::uint32_t ones = classes.least + c;
      const std::uint64_t run = dense_run(shape, ones);
      double runs = 0;
      for (const DensePull& pull : step.pulls) {
        runs += static_cast<double>(
            binomial(width - std::popcount(pull.high_mask),
                     std::int64_t{shape.to_ones} - ones - std::popcount(pull.high_value)));
      }
      const auto stretches = [&](std::uint64_t places) {
        const std::uint64_t in_a_run = (run + places - 1) / places;
        return runs * static_cast<double>(in_a_run);
      };
      figures.stretches += stretches(dense_stretch(sizeof(std::uint64_t)));
      figures.short_stretches += stretches(dense_stretch(2 * sizeof(std::uint64_t)));
    }
  }

  const MemberGraph& members_;
  const std::vector<MemberStep>& sequence_;
  const std::vector<std::uint32_t>& leaves_;  // when a vertex leaves the frontier
  std::uint32_t low_bits_;
  DenseProgram program_;
  std::vector<std::uint8_t> eliminated_;
  std::vector<Table> stack_;
  std::vector<Choice> choices_;
  double moves_ = 0;
  double all_ = 1;
  std::uint32_t now_ = 0;
};

}  // namespace

std::optional<DenseProgram> make_dense_program(const ClassGraph& graph, const Elimination& elimination,
                                               std::uint32_t low_bits) {
  if (graph.general) return std::nullopt;
  const std::optional<MemberElimination> members = eliminate_members(graph, elimination, most_dense_members);
  if (!members) return std::nullopt;
  return DenseCompiler(*members, std::min(low_bits, most_dense_low_bits)).compile();
}

DenseClasses dense_classes(const DenseShape& shape) {
  DenseClasses classes;
  const std::uint32_t width = shape.to_width - shape.to_low;
  classes.least = shape.to_ones > width ? shape.to_ones - width : 0;
  for (std::uint32_t ones = classes.least; ones <= std::min(shape.to_low, shape.to_ones); ++ones) {
    classes.first[classes.count + 1] = classes.first[classes.count] + binomial(width, shape.to_ones - ones);
    ++classes.count;
  }
  return classes;
}

std::uint64_t dense_stretch(std::uint64_t value_bytes) {
  return 32 * (frontier_tuning::dense_bytes_a_lane / std::max<std::uint64_t>(value_bytes, 8));
}

std::uint64_t dense_run(const DenseShape& shape, std::uint32_t ones) {
  return binomial(shape.to_low, ones);
}

std::vector<std::uint64_t> dense_binomials() {
  std::vector<std::uint64_t> table(std::size_t{row_of_binomials} * row_of_binomials, 0);
  for (std::size_t n = 0; n <= most_dense_width; ++n) {
    table[n * row_of_binomials] = 1;
    for (std::size_t k = 1; k <= n; ++k) {
      table[n * row_of_binomials + k] =
          table[(n - 1) * row_of_binomials + k - 1] + table[(n - 1) * row_of_binomials + k];
    }
  }
  return table;
}

DenseLowSets dense_low_sets(std::uint32_t low_bits) {
  DenseLowSets low;
  const std::uint32_t count = std::uint32_t{1} << low_bits;
  low.rank.resize(count);
  for (std::uint32_t ones = 0; ones <= low_bits; ++ones) {
    low.first[ones] = static_cast<std::uint32_t>(low.sets.size());
    for (std::uint32_t set = 0; set < count; ++set) {
      if (static_cast<std::uint32_t>(std::popcount(set)) != ones) continue;
      low.rank[set] = static_cast<std::uint16_t>(low.sets.size() - low.first[ones]);
      low.sets.push_back(static_cast<std::uint16_t>(set));
    }
  }
  for (std::size_t ones = low_bits + std::size_t{1}; ones < low.first.size(); ++ones) low.first[ones] = count;
  return low;
}

}  // namespace countpm
