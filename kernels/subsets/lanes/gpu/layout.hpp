#pragma once
// How GPUs go through the states of a sum over classes of equal columns: the unit decides some classes, an
// item some others, and over the rest every item walks alike.
#include <gmpxx.h>

#include <cstdint>
#include <vector>

#include "kernels/subsets/subset_plan.hpp"

namespace countpm::class_sums {

inline constexpr unsigned device_threads = 128;

/// A copy of a column goes in or out.
struct WalkStep {
  std::uint32_t column;
  std::uint32_t out;
};

struct ClassLayout {
  /// Of which item k has k % (copies + 1) of the first column, the quotient's remainder of the second ...:
  /// those that an item decides, and after them those of its unit, in the order of PrefixCounter.
  std::vector<Digit> given;
  std::uint64_t units = 1;
  std::uint64_t items_a_unit = 1;
  std::vector<Digit> walked;
  /// The first changes nothing: it has the column after the last.
  std::vector<WalkStep> steps;
  /// Of each step, how many copies of walked[k] are in after it: walked.size() numbers a step.
  std::vector<Index> chosen;
};

/// (-1)^k binomial(copies, k) for k = 0 .. copies, of one class after the other.
std::vector<mpz_class> weights_of(const std::vector<Digit>& classes);
/// Of each step, the product over the walked classes.
std::vector<mpz_class> step_weights_of(const ClassLayout& layout);

/// Few steps where there are few terms, so that there are items for all threads.
ClassLayout class_layout(const SubsetPlan& plan, Index columns);

}  // namespace countpm::class_sums
