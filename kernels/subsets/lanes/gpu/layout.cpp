#include "kernels/subsets/lanes/gpu/layout.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "kernels/subsets/lanes/gray_digits.hpp"

namespace countpm::class_sums {

ClassLayout class_layout(const SubsetPlan& plan, Index columns) {
  // Enough for the threads of the largest GPUs; the start of an item is worth some ten steps.
  constexpr double log2_items = 17;
  constexpr double least_log2_steps = 4;
  constexpr double most_log2_steps = 10;
  const double log2_steps = std::clamp(plan.log2_terms - log2_items, least_log2_steps, most_log2_steps);

  ClassLayout layout;
  layout.units = plan.units;
  std::vector<Digit> free = plan.middle;
  for (const Index column : plan.inner) free.push_back({column, 1});
  std::stable_sort(free.begin(), free.end(),
                   [](const Digit& a, const Digit& b) { return a.copies < b.copies; });
  double steps = 0;
  for (const Digit& digit : free) {
    const double choices = std::log2(static_cast<double>(digit.copies) + 1);
    if (steps + choices <= log2_steps) {
      steps += choices;
      layout.walked.push_back(digit);
    } else {
      layout.given.push_back(digit);
      layout.items_a_unit *= std::uint64_t{digit.copies} + 1;
    }
  }
  layout.given.insert(layout.given.end(), plan.outer.begin(), plan.outer.end());

  GrayDigits gray(layout.walked);
  WalkStep step{columns, 0};
  while (true) {
    layout.steps.push_back(step);
    for (std::size_t k = 0; k < layout.walked.size(); ++k) layout.chosen.push_back(gray.chosen(k));
    const std::optional<GrayDigits::Change> next = gray.next();
    if (!next) return layout;
    step = {layout.walked[next->digit].column, next->out ? 1U : 0U};
  }
}

std::vector<mpz_class> weights_of(const std::vector<Digit>& classes) {
  std::vector<mpz_class> result;
  for (const Digit& digit : classes) {
    mpz_class binomial = 1;
    for (Index k = 0; k <= digit.copies; ++k) {
      result.push_back(k % 2 == 0 ? binomial : mpz_class(-binomial));
      binomial = binomial * (digit.copies - k) / (k + 1);
    }
  }
  return result;
}

std::vector<mpz_class> step_weights_of(const ClassLayout& layout) {
  std::vector<std::vector<mpz_class>> weights;
  for (const Digit& digit : layout.walked) weights.push_back(weights_of({digit}));
  std::vector<mpz_class> result;
  for (std::size_t s = 0; s < layout.steps.size(); ++s) {
    mpz_class weight = 1;
    for (std::size_t k = 0; k < weights.size(); ++k)
      weight *= weights[k][layout.chosen[s * weights.size() + k]];
    result.push_back(std::move(weight));
  }
  return result;
}

}  // namespace countpm::class_sums
