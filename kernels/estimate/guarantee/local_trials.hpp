#pragma once
// The steps of trial_step.hpp by looking them up, where columns are short: for the CPU, the same doubles.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/arithmetic/philox.hpp"
#include "kernels/estimate/guarantee/trial_step.hpp"
#include "kernels/estimate/walks/strata.hpp"

namespace countpm {

/// A step of a column with d rows needs to know which of these are left: a number of d bits, of which 2^d
/// times all that a step computes is laid out beforehand. A trial keeps that number for every step, and takes
/// a row out of the steps that are to come.
class LocalTrials {
 public:
  /// Precondition: fit(tables). O(columns 2^d d).
  explicit LocalTrials(const TrialTables& tables);

  /// Whether columns are short enough: of at most 8 rows, and the tables within a few megabytes.
  static bool fit(const TrialTables& tables);

  /// What a trial keeps.
  using Left = std::vector<std::uint8_t>;

  /// As trial_step() for all steps: the product of their probabilities, 0 once it is at most `least`.
  template <class Random>
  double pass(Left& left, double least, Random& random) const {
    left.assign(all_.begin(), all_.end());
    double product = 1;
    for (const Step& own : steps_) {
      const double* const line = line_of(own, own.rows, left[own.number]);
      product *= line[factor_at];
      if (!(product > least)) return 0;
      const double wanted = line[sum_at] > 0 ? uniform(random) * line[sum_at] : 0;
      take(own, chosen_row(line, own.rows, wanted), left.data(),
           [](const Later& later) { return later.step; });
    }
    return product;
  }

  /// The trials of (seed, stream).
  struct Numbers {
    std::uint64_t seed = 0;
    std::uint64_t stream = 0;
  };

  /// Trials first .. first + count - 1: found(t, product, least) for each that is not rejected, in no
  /// particular order. Trial t draws from WalkRandom(seed, stream, t): its rejection_threshold(), u, and what
  /// pass() draws, with least = share * u. Share: a power of two, at most 1. Some 2 kilobytes a step, and 130
  /// more: a call for a single trial takes 0.1 ms.
  template <class Found>
  void run(const Numbers& numbers, std::uint64_t first, std::uint64_t count, double share,
           const Found& found) const {
    const auto place = std::make_unique<Batch>(all_.size());
    Batch& batch = *place;
    while (count > 0) {
      const auto own = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, batch_trials));
      walk(numbers, first, own, share, batch);
      for (std::size_t i = 0; i < batch.alive; ++i) {
        const std::uint32_t t = batch.trial[i];
        found(first + t, batch.product[t], batch.least[t]);
      }
      first += own;
      count -= own;
    }
  }

 private:
  // A line: the step's factor; the sum of weights, 0 where a row has its last entry; the running sums, each
  // from its row on up to the next row that is left, infinite from the last of them on. Where a row has its
  // last entry they lead to it.
  static constexpr std::size_t factor_at = 0;
  static constexpr std::size_t sum_at = 1;
  static constexpr std::size_t running_at = 2;

  struct Step {
    std::size_t first_line = 0;
    std::size_t first_later = 0;
    std::uint32_t number = 0;
    std::uint32_t rows = 0;
    std::uint32_t later_each = 0;  // of a row
  };
  static constexpr unsigned later_together = 2;  // as many as a loop's iteration takes
  struct Later {
    std::uint32_t in_batch = 0;  // step * stride
    std::uint16_t step = 0;
    std::uint8_t others = 0;  // all bits but the row's
  };

  // An AMD EPYC, 2026-11-23: 256 take a quarter more time a trial, 4096 no less.
  static constexpr std::uint32_t batch_trials = 2048;
  // Not a power of two: the same trial's bytes at several steps would be in the same set of a cache.
  static constexpr std::uint32_t stride = batch_trials + 64;

  /// Trials that take each step together: what one waits for hides behind the others, and no branch depends
  /// on which are rejected.
  struct Batch {
    explicit Batch(std::size_t steps) : left(steps * stride) {}

    std::vector<std::uint8_t> left;              // [step][stride]
    std::array<double, batch_trials> product{};  // by trial, as those below
    std::array<double, batch_trials> least{};
    std::array<PhiloxBlock, batch_trials> ready{};  // with the number to be drawn next
    std::array<std::uint32_t, batch_trials> drawn{};
    std::array<std::uint32_t, batch_trials> trial{};  // those that are alive, of which there are `alive`
    std::array<std::uint32_t, batch_trials> row{};    // which each of these takes
    std::array<std::uint32_t, batch_trials> empty{};  // those that need a block
    std::size_t alive = 0;
    std::size_t empties = 0;
  };

  static constexpr std::size_t length(unsigned rows) { return running_at + (rows > 0 ? rows - 1 : 0); }
  const double* line_of(const Step& own, unsigned rows, std::uint8_t left) const {
    return lines_.data() + own.first_line + left * length(rows);
  }
  static unsigned chosen_row(const double* line, unsigned rows, double wanted) {
    unsigned row = 0;
    for (unsigned r = 0; r + 1 < rows; ++r) row += line[running_at + r] <= wanted ? 1 : 0;
    return row;
  }
  /// place(later): of its step in `left`.
  template <class Place>
  void take(const Step& own, unsigned row, std::uint8_t* left, const Place& place) const {
    const Later* later = later_.data() + own.first_later + std::size_t{row} * own.later_each;
    const Later* const end = later + own.later_each;
    for (; later != end; later += later_together) {
      for (unsigned k = 0; k < later_together; ++k) left[place(later[k])] &= later[k].others;
    }
  }

  /// The steps of those trials; batch.alive of them are left.
  void walk(const Numbers& numbers, std::uint64_t first, std::uint32_t count, double share,
            Batch& batch) const;
  using StepOfBatch = void (LocalTrials::*)(const Step&, Batch&) const;
  static StepOfBatch step_of(unsigned rows);
  template <unsigned Rows>
  void step_of_batch(const Step& step, Batch& batch) const;
  void lay_out(const TrialTables& tables, std::uint32_t step, const std::vector<std::uint32_t>& present);

  Left all_;  // and 0 for steps after the last, which nobody reads
  std::vector<Step> steps_;
  std::vector<Later> later_;  // [step][row][later_each], filled up with steps after the last, different ones
  std::vector<double> lines_;
};

}  // namespace countpm
