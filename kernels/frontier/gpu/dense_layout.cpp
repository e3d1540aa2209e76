#include "kernels/frontier/gpu/dense_layout.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/frontier/gpu/tuning.hpp"

namespace countpm {
namespace {

constexpr std::uint32_t most_dense_width = 64;
constexpr std::uint64_t most_edges = std::uint64_t{1} << 20;
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

class DenseCompiler {
 public:
  DenseCompiler(const ClassGraph& graph, std::uint32_t low_bits) : graph_(graph), low_bits_(low_bits) {}

  std::optional<DenseProgram> compile(const Elimination& elimination) {
    const std::optional<std::vector<Index>> line = classes_in_line(elimination);
    if (!line || graph_.general || !lay_out()) return std::nullopt;
    program_.weights.push_back(DenseProgram::no_entry);
    for (const Index c : *line) {
      for (std::uint32_t v = first_[c]; v < first_[c + std::size_t{1}]; ++v) {
        if (!eliminate(c, v)) return std::nullopt;
        if (program_.zero) {
          program_.steps.clear();
          program_.states = 1;
          program_.figures = {};
          return std::move(program_);
        }
      }
    }
    DenseFigures& figures = program_.figures;
    figures.log2_states = std::log2(static_cast<double>(program_.states));
    figures.log2_moves = std::log2(std::max(moves_, 1.0));
    figures.log2_all = std::log2(all_);
    figures.rounds = static_cast<double>(program_.steps.size());
    return std::move(program_);
  }

 private:
  /// Numbers the members of all classes; false where they have too many edges.
  bool lay_out() {
    first_.assign(1, 0);
    std::uint64_t members = 0;
    std::uint64_t edges = 0;
    for (Index c = 0; c < graph_.classes(); ++c) {
      std::uint64_t neighbours = 0;
      for (std::uint64_t k = graph_.start[c]; k < graph_.start[c + std::uint64_t{1}]; ++k)
        neighbours += graph_.multiplicity[graph_.neighbour[k]];
      edges += neighbours * graph_.multiplicity[c];
      members += graph_.multiplicity[c];
      if (members > most_edges || edges > 2 * most_edges) return false;
      first_.push_back(static_cast<std::uint32_t>(members));
      for (Index m = 0; m < graph_.multiplicity[c]; ++m) {
        open_.push_back(neighbours);
        class_of_.push_back(c);
      }
    }
    degree_ = open_;
    eliminated_.assign(members, 0);
    return true;
  }

  bool is_row(std::uint32_t v) const { return graph_.is_row(class_of_[v]); }
  std::optional<std::uint32_t> place(std::uint32_t v) const {
    const auto at = std::find(frontier_.begin(), frontier_.end(), v);
    if (at == frontier_.end()) return std::nullopt;
    return static_cast<std::uint32_t>(at - frontier_.begin());
  }

  struct Choice {
    std::uint32_t u;
    std::uint64_t entry;
    bool closes;
    std::optional<std::uint32_t> at;  // its bit in an old set; none: untouched so far

    bool new_and_closes() const { return closes && !at; }
  };

  /// Member v of class c. False where no word has room for the frontier, or none for the table.
  bool eliminate(Index c, std::uint32_t v) {
    eliminated_[v] = 1;
    const bool closed = degree_[v] != 0 && open_[v] == 0;
    choices_.clear();
    for (std::uint64_t k = graph_.start[c]; k < graph_.start[c + std::uint64_t{1}]; ++k) {
      const Index other = graph_.neighbour[k];
      for (std::uint32_t u = first_[other]; u < first_[other + std::size_t{1}]; ++u) {
        --open_[u];
        if (eliminated_[u] == 0) choices_.push_back({u, graph_.entry[k], open_[u] == 0, place(u)});
      }
    }
    (is_row(v) ? rows_gone_ : columns_gone_) += closed ? 0 : 1;
    if (closed) return true;  // used, and left, with its last neighbour

    DenseStep step;
    step.shape.from_width = static_cast<std::uint32_t>(frontier_.size());
    step.shape.from_ones = ones_;
    step.from_states = states_;
    const std::optional<std::uint32_t> own = place(v);
    if (own) step.removed.push_back(static_cast<std::uint8_t>(*own));
    std::vector<std::uint32_t> fresh;
    for (const Choice& choice : choices_) {
      if (choice.closes) (is_row(choice.u) ? rows_gone_ : columns_gone_) += 1;
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
    std::int64_t ones = rows_gone_ - columns_gone_;
    for (std::uint32_t k = 0; k < shape.from_width; ++k) {
      if (is_row(frontier_[k]) && !std::binary_search(step.removed.begin(), step.removed.end(), k)) ++ones;
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
    for (std::size_t k = step.removed.size(); k-- > 0;) frontier_.erase(frontier_.begin() + step.removed[k]);
    frontier_.insert(frontier_.end(), fresh.begin(), fresh.end());
    ones_ = step.shape.to_ones;
    states_ = step.to_states;
    moves_ += step.moves;
    all_ += static_cast<double>(step.to_states);
    add_runs(step);
    DenseFigures& figures = program_.figures;
    figures.width = std::max(figures.width, step.shape.to_width);
    figures.log2_peak = std::max(figures.log2_peak, std::log2(static_cast<double>(step.to_states)));
    program_.states = std::max(program_.states, step.from_states + step.to_states);
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

  const ClassGraph& graph_;
  std::uint32_t low_bits_;
  DenseProgram program_;
  std::vector<std::uint32_t> first_;  // member of every class
  std::vector<Index> class_of_;       // of every member
  std::vector<std::uint64_t> open_;   // its neighbours that are not eliminated
  std::vector<std::uint64_t> degree_;
  std::vector<std::uint8_t> eliminated_;
  std::vector<std::uint32_t> frontier_;  // from the lowest bit up
  std::vector<Choice> choices_;
  std::int64_t rows_gone_ = 0;  // eliminated or closed
  std::int64_t columns_gone_ = 0;
  std::uint32_t ones_ = 0;
  std::uint64_t states_ = 1;
  double moves_ = 0;
  double all_ = 1;
};

}  // namespace

std::optional<DenseProgram> make_dense_program(const ClassGraph& graph, const Elimination& elimination,
                                               std::uint32_t low_bits) {
  return DenseCompiler(graph, std::min(low_bits, most_dense_low_bits)).compile(elimination);
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
