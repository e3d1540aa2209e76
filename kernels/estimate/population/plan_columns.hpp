#pragma once
// The columns of a population's plan: when each is live, and which are near each other.
#include <cstdint>
#include <vector>

#include "kernels/estimate/population/plan.hpp"

namespace countpm {

/// Columns are numbered in the order in which they become live.
class PlanColumns {
 public:
  explicit PlanColumns(const PopulationPlan& plan);

  /// Those of a step's entries, in their order.
  const std::vector<std::uint32_t>& of_step(std::size_t step) const { return of_step_[step]; }
  std::uint32_t bit(std::uint32_t column) const { return bit_[column]; }
  /// Whether a state before the step can have used it: a step before has it, and this one or one after.
  bool live(std::uint32_t column, std::size_t step) const {
    return steps_[column].front() < step && step <= steps_[column].back();
  }
  std::size_t first_step(std::uint32_t column) const { return steps_[column].front(); }
  const std::vector<std::uint32_t>& steps_of(std::uint32_t column) const { return steps_[column]; }

  /// The columns that share a row with it, by number; not itself.
  const std::vector<std::uint32_t>& neighbours(std::uint32_t column) const { return neighbours_[column]; }
  /// Whether the lists of neighbours are there: they are left out where they would be too long.
  bool sparse() const { return !neighbours_.empty(); }

  /// The columns live before the step that can be reached from its row over so many further rows, nearest
  /// first; fewer rows where they would be more than `most`.
  std::vector<std::uint32_t> near(std::size_t step, unsigned rows, std::size_t most) const;

 private:
  std::vector<std::vector<std::uint32_t>> of_step_;
  std::vector<std::vector<std::uint32_t>> steps_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
  std::vector<std::uint32_t> bit_;
};

}  // namespace countpm
