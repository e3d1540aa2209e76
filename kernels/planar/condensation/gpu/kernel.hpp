#pragma once
// Condensation of many dense matrices side by side, one for each prime, or one in doubles
// (kernels/gpu/cpu_executor.hpp says how a kernel is written; condensation.hpp has the formulas).
//
// Lines are condensed a panel at a time. A block of threads for each matrix first looks for the panel's
// pivots: the row of each, and what stands left of it, a column, is brought up to date when it is its turn.
// Then many blocks take the whole panel's steps for the entries that are left. Nothing changes places but in
// `order`; the pivots are those of the CPU, and every entry goes through the same steps in the same order.
#include <cstddef>
#include <cstdint>

#include "kernels/gpu/elimination_team.hpp"
#include "kernels/planar/condensation/dense_form.hpp"
#include "kernels/planar/condensation/gpu/lane.hpp"
#include "kernels/planar/condensation/gpu/tuning.hpp"

namespace countpm {

/// What is on the device, for each matrix.
template <class Field>
struct CondensationTables {
  using Word = typename Field::Word;
  const typename Field::Parameters* parameters = nullptr;  // [problems]
  Word* matrix = nullptr;          // [problems][size][stride]; of skew ones the entries i < j
  std::uint32_t* order = nullptr;  // [problems][size]: columns; of skew ones vertices
  Word* rights = nullptr;          // [problems][panel][size]: the panel's rows
  Word* lefts = nullptr;           // [problems][size][panel]: what stands left of a row
  Word* scales = nullptr;          // [problems][panel]: of the panel's pivots
  Word* pivots = nullptr;          // [problems][pivot_count]
  std::uint32_t* state = nullptr;  // [problems]: 1 for an odd order; 2 where there is no pivot
  std::uint32_t size = 0;
  std::uint32_t stride = 0;
  std::uint32_t pivot_count = 0;
};

/// One matrix.
template <class Field, unsigned lines>
class CondensationProblem {
 public:
  using Word = typename Field::Word;
  static constexpr unsigned panel = condensation_tuning::panel;
  static constexpr std::uint32_t odd = 1;
  static constexpr std::uint32_t no_pivot = 2;

  COUNTPM_HD_INLINE CondensationProblem(const CondensationTables<Field>& tables, std::uint64_t number)
      : field(tables.parameters[number]),
        matrix(tables.matrix + number * tables.size * tables.stride),
        order(tables.order + number * tables.size),
        rights(tables.rights + number * panel * tables.size),
        lefts(tables.lefts + number * tables.size * panel),
        scales(tables.scales + number * panel),
        pivots(tables.pivots + number * tables.pivot_count),
        state(tables.state + number),
        size(tables.size),
        stride(tables.stride) {}

  /// Rows do not change places; vertices do.
  COUNTPM_HD_INLINE std::uint32_t row(std::uint32_t i) const { return lines == 1 ? i : order[i]; }
  /// Whether the entry of these, as they were numbered at first, is stored as that of (column, row), negated.
  static COUNTPM_HD_INLINE bool turned(std::uint32_t row, std::uint32_t column) {
    return lines == 2 && row > column;
  }
  COUNTPM_HD_INLINE std::size_t place(std::uint32_t row, std::uint32_t column) const {
    return turned(row, column) ? std::size_t{column} * stride + row : std::size_t{row} * stride + column;
  }
  COUNTPM_HD_INLINE Word load(std::uint32_t row, std::uint32_t column) const {
    const Word entry = matrix[place(row, column)];
    return turned(row, column) ? field.negate(entry) : entry;
  }
  COUNTPM_HD_INLINE void store(std::uint32_t row, std::uint32_t column, Word entry) const {
    matrix[place(row, column)] = turned(row, column) ? field.negate(entry) : entry;
  }
  COUNTPM_HD_INLINE Word& right(std::uint32_t line, std::uint32_t column) const {
    return rights[std::size_t{line} * size + column];
  }
  COUNTPM_HD_INLINE Word& left(std::uint32_t row, std::uint32_t line) const {
    return lefts[std::size_t{row} * panel + line];
  }

  /// An entry after the first `depth` lines of the panel.
  COUNTPM_HD_INLINE Word after(std::uint32_t row, std::uint32_t column, std::uint32_t depth) const {
    Word entry = load(row, column);
    for (std::uint32_t s = 0; s < depth; s += lines) {
      Word by_left[lines];
      Word by_right[lines];
      COUNTPM_UNROLL
      for (unsigned t = 0; t < lines; ++t) {
        by_left[t] = left(row, s + t);
        by_right[t] = right(s + t, column);
      }
      entry = field.template condensed<lines>(scales[s / lines], entry, by_left, by_right);
    }
    return entry;
  }

  Field field;
  Word* matrix;
  std::uint32_t* order;
  Word* rights;
  Word* lefts;
  Word* scales;
  Word* pivots;
  std::uint32_t* state;
  std::uint32_t size;
  std::uint32_t stride;
};

/// Puts the entries into matrices of zeros, in their first order.
template <class Field>
struct FillDenseKernel {
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks_per_multiprocessor = 4;
  CondensationTables<Field> tables;
  const CondensationEntry* entries = nullptr;
  const typename Field::Word* values = nullptr;  // [problems][value_count]
  std::uint64_t entry_count = 0;
  std::uint64_t value_count = 0;
  std::uint64_t problems = 0;

  COUNTPM_HD_INLINE std::uint64_t tasks() const {
    return (entry_count > tables.size ? entry_count : tables.size) * problems;
  }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each([&](unsigned thread) {
      const std::uint64_t task = std::uint64_t{block.index()} * threads + thread;
      if (task >= tasks()) return;
      const CondensationProblem<Field, 1> problem(tables, task % problems);
      const std::uint64_t k = task / problems;
      if (k < tables.size) problem.order[k] = static_cast<std::uint32_t>(k);
      if (k >= entry_count) return;
      const CondensationEntry entry = entries[k];
      const auto value = values[task % problems * value_count + entry.signed_value / 2];
      problem.store(entry.row, entry.column,
                    entry.signed_value % 2 != 0 ? problem.field.negate(value) : value);
    });
  }
};

/// Finds the pivots of lines first .. first + panel - 1: a block of threads a matrix.
template <class Field, unsigned lines>
struct CondensationPanelKernel {
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks_per_multiprocessor = 2;
  static constexpr std::size_t shared_bytes = threads / 32 * sizeof(PivotChoice);
  using Problem = CondensationProblem<Field, lines>;
  using Word = typename Field::Word;
  CondensationTables<Field> tables;
  std::uint32_t first = 0;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    const Problem problem(tables, block.index());
    if ((*problem.state & Problem::no_pivot) != 0) return;
    const BlockTeam<Block, threads> team(block, block.template shared<PivotChoice>());
    const std::uint32_t end = first + Problem::panel < problem.size ? first + Problem::panel : problem.size;
    for (std::uint32_t k = first; k < end; k += lines) {
      if (!find_pivot(team, problem, k)) return;
      if constexpr (lines == 2) {
        find_partner(team, problem, k);
      } else {
        find_left(team, problem, k);
      }
      team.sync();
    }
  }

 private:
  template <class Team>
  COUNTPM_HD bool find_pivot(const Team& team, const Problem& problem, std::uint32_t k) const {
    const std::uint32_t row = problem.row(k);
    const std::uint32_t line = k - first;
    const std::uint32_t place = k + lines - 1;
    const PivotChoice pivot = team.best([&](unsigned thread) {
      PivotChoice best;
      for (std::uint32_t j = place + thread; j < problem.size; j += threads) {
        const std::uint32_t column = problem.order[j];
        const Word entry = problem.after(row, column, line);
        problem.right(line, column) = entry;
        best = PivotChoice::better(best, {Field::rank(entry), j, 0});
      }
      return best;
    });
    const bool found = pivot.square > 0;
    team.once([&] {
      if (!found) {
        *problem.state |= Problem::no_pivot;
        return;
      }
      const std::uint32_t column = problem.order[pivot.row];
      problem.order[pivot.row] = problem.order[place];
      problem.order[place] = column;
      if (pivot.row != place) *problem.state ^= Problem::odd;
      const Word value = problem.right(line, column);
      problem.pivots[k / lines] = value;
      problem.scales[line / lines] = Field::scale(value);
    });
    team.sync();
    return found;
  }

  /// The column of pivot k, below it.
  template <class Team>
  COUNTPM_HD void find_left(const Team& team, const Problem& problem, std::uint32_t k) const {
    const std::uint32_t column = problem.order[k];
    const Word pivot = problem.pivots[k];
    team.each([&](unsigned thread) {
      for (std::uint32_t i = k + 1 + thread; i < problem.size; i += threads)
        problem.left(i, k - first) =
            problem.field.template left<lines>(problem.after(i, column, k - first), pivot);
    });
  }

  /// The row of the pivot's other vertex; what stands to the left are these two rows.
  template <class Team>
  COUNTPM_HD void find_partner(const Team& team, const Problem& problem, std::uint32_t k) const {
    const std::uint32_t row = problem.order[k + 1];
    const std::uint32_t line = k - first;
    const Word pivot = problem.pivots[k / 2];
    team.each([&](unsigned thread) {
      for (std::uint32_t j = k + 2 + thread; j < problem.size; j += threads) {
        const std::uint32_t column = problem.order[j];
        const Word upper = problem.right(line, column);
        const Word lower = problem.after(row, column, line);
        problem.right(line + 1, column) = lower;
        problem.left(column, line) = problem.field.template left<lines>(problem.field.negate(lower), pivot);
        problem.left(column, line + 1) = problem.field.template left<lines>(upper, pivot);
      }
    });
  }
};

/// Takes a whole panel's steps for the entries from line `first` on, behind the panel: a tile a block.
template <class Field, unsigned lines>
struct CondenseKernel {
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks_per_multiprocessor = sizeof(typename Field::Word) == 8 ? 2 : 5 - lines;
  using Problem = CondensationProblem<Field, lines>;
  using Word = typename Field::Word;
  static constexpr unsigned panel = Problem::panel;
  static constexpr unsigned tile_rows = condensation_tuning::tile_rows;
  static constexpr unsigned tile_columns = condensation_tuning::tile_columns;
  static constexpr unsigned rows_together = condensation_tuning::rows_together;
  static constexpr unsigned warps = threads / tile_columns;
  static_assert(tile_columns == 32 && tile_rows % (warps * rows_together) == 0 && panel % 2 == 0);
  CondensationTables<Field> tables;
  std::uint32_t first = 0;

  COUNTPM_HD_INLINE std::uint32_t tiles_across() const {
    return (tables.size - first + tile_columns - 1) / tile_columns;
  }
  COUNTPM_HD_INLINE std::uint32_t tiles() const {
    return (tables.size - first + tile_rows - 1) / tile_rows * tiles_across();
  }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    const Problem problem(tables, block.index() / tiles());
    const std::uint32_t tile = block.index() % tiles();
    const std::uint32_t top = first + tile / tiles_across() * tile_rows;
    const std::uint32_t left = first + tile % tiles_across() * tile_columns;
    if ((*problem.state & Problem::no_pivot) != 0) return;
    if (lines == 2 && left + tile_columns <= top + 1) return;  // below the diagonal
    block.each([&](unsigned thread) {
      const std::uint32_t j = left + thread % tile_columns;
      if (j >= problem.size) return;
      const std::uint32_t column = problem.order[j];
      Word right[panel];
      Word scale[panel / lines];
      COUNTPM_UNROLL
      for (unsigned t = 0; t < panel; ++t) right[t] = problem.right(t, column);
      COUNTPM_UNROLL
      for (unsigned t = 0; t < panel / lines; ++t) scale[t] = problem.scales[t];
      const std::uint32_t beyond = lines == 2 ? j : problem.size;
      const std::uint32_t end = top + tile_rows < beyond ? top + tile_rows : beyond;
      for (std::uint32_t i = top + thread / tile_columns * rows_together; i < end; i += warps * rows_together)
        condense(problem, i, end, column, right, scale);
    });
  }

 private:
  /// Rows i .. i + rows_together - 1 of one column, before row `end`.
  static COUNTPM_HD_INLINE void condense(const Problem& problem, std::uint32_t i, std::uint32_t end,
                                         std::uint32_t column, const Word (&right)[panel],
                                         const Word (&scale)[panel / lines]) {
    std::uint32_t row[rows_together];
    Word entry[rows_together];
    COUNTPM_UNROLL
    for (unsigned r = 0; r < rows_together; ++r) {
      row[r] = problem.row(i + r < end ? i + r : i);
      entry[r] = problem.load(row[r], column);
    }
    COUNTPM_UNROLL
    for (unsigned t = 0; t < panel; t += lines) {
      Word by_right[lines];
      COUNTPM_UNROLL
      for (unsigned s = 0; s < lines; ++s) by_right[s] = right[t + s];
      COUNTPM_UNROLL
      for (unsigned r = 0; r < rows_together; ++r) {
        Word by_left[lines];
        COUNTPM_UNROLL
        for (unsigned s = 0; s < lines; ++s) by_left[s] = problem.left(row[r], t + s);
        entry[r] = problem.field.template condensed<lines>(scale[t / lines], entry[r], by_left, by_right);
      }
    }
    COUNTPM_UNROLL
    for (unsigned r = 0; r < rows_together; ++r) {
      if (i + r < end) problem.store(row[r], column, entry[r]);
    }
  }
};

/// The determinants (Pfaffians), out of Montgomery form: the last pivot over the powers of the others, the
/// k-th of P to the power of P - k - 2, which is the product of all products of pivots 0 .. j, j <= P - 3.
struct DivideByPowersKernel {
  static constexpr unsigned threads = 32;
  static constexpr unsigned blocks_per_multiprocessor = 8;
  using Field = condensation_step::ResidueField;
  using Problem = CondensationProblem<Field, 1>;
  CondensationTables<Field> tables;
  std::uint32_t* results = nullptr;  // [problems]
  std::uint32_t problems = 0;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each([&](unsigned thread) {
      const std::uint32_t number = block.index() * threads + thread;
      if (number >= problems) return;
      const Problem problem(tables, number);
      results[number] = 0;
      if ((*problem.state & Problem::no_pivot) != 0) return;
      const planar_step::Ring ring(tables.parameters[number]);
      std::uint32_t first = ring.one();
      std::uint32_t powers = ring.one();
      for (std::uint32_t k = 0; k + 2 < tables.pivot_count; ++k) {
        first = ring.multiply(first, problem.pivots[k]);
        powers = ring.multiply(powers, first);
      }
      std::uint32_t value = ring.invert(powers);
      if (tables.pivot_count > 0) value = ring.multiply(value, problem.pivots[tables.pivot_count - 1]);
      if ((*problem.state & Problem::odd) != 0) value = ring.negate(value);
      results[number] = ring.multiply(value, 1);
    });
  }
};

}  // namespace countpm
