#include "kernels/subsets/subset_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/support/plan_text.hpp"

namespace countpm {

double log2_choices(const std::vector<Digit>& digits) {
  double sum = 0;
  for (const Digit& digit : digits) sum += std::log2(static_cast<double>(digit.copies) + 1);
  return sum;
}

std::vector<Index> given_order(Index columns) {
  std::vector<Index> order(columns);
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

SubsetPlan plan_subsets(const std::vector<Index>& order, const std::vector<Index>& multiplicity,
                        RyserForm form, unsigned inner_limit, double log2_unit_terms,
                        std::uint64_t max_units) {
  SubsetPlan plan;
  std::vector<Digit> classes;
  std::vector<Index> binary;
  for (const Index column : order) {
    if (multiplicity[column] > 1) {
      classes.push_back({column, multiplicity[column]});
    } else {
      binary.push_back(column);
    }
  }
  plan.form = order.empty() ? RyserForm::classic : form;
  if (plan.form == RyserForm::halved) {
    // Pinning a binary column halves the terms; pinning a copy of a class of m saves a factor (m + 1) / m
    // only.
    if (!binary.empty()) {
      plan.pinned = binary.back();
      binary.pop_back();
    } else {
      Digit& smallest = *std::min_element(classes.begin(), classes.end(),
                                          [](const Digit& a, const Digit& b) { return a.copies < b.copies; });
      plan.pinned = smallest.column;
      if (--smallest.copies == 1) {
        binary.push_back(smallest.column);
        classes.erase(classes.begin() + (&smallest - classes.data()));
      }
    }
  }
  plan.log2_terms = log2_choices(classes) + static_cast<double>(binary.size());

  constexpr double log2_large_unit = 39;
  const std::uint64_t usual = std::min(max_units, usual_units);
  double left = plan.log2_terms;
  for (const Digit& digit : classes) {
    const std::uint64_t choices = std::uint64_t{digit.copies} + 1;
    if (left > log2_unit_terms && choices <= usual / plan.units) {
      plan.units *= choices;
      left -= std::log2(static_cast<double>(choices));
      plan.outer.push_back(digit);
    } else {
      plan.middle.push_back(digit);
    }
  }
  while (!binary.empty() && ((left > log2_unit_terms && plan.units <= usual / 2) ||
                             (left > log2_large_unit && plan.units <= max_units / 2))) {
    plan.units *= 2;
    left -= 1;
    plan.outer.push_back({binary.back(), 1});
    binary.pop_back();
  }
  while (binary.size() > inner_limit) {
    plan.middle.push_back({binary.back(), 1});
    binary.pop_back();
  }
  plan.inner = std::move(binary);
  return plan;
}

namespace {

std::vector<std::uint64_t> flat(const std::vector<Digit>& digits) {
  std::vector<std::uint64_t> numbers;
  for (const Digit& digit : digits) numbers.insert(numbers.end(), {digit.column, digit.copies});
  return numbers;
}

std::vector<Digit> digits_of(const std::vector<Index>& numbers) {
  if (numbers.size() % 2 != 0) throw PlanError("the digits of a plan are not pairs");
  std::vector<Digit> digits;
  for (std::size_t k = 0; k < numbers.size(); k += 2) digits.push_back({numbers[k], numbers[k + 1]});
  return digits;
}

}  // namespace

std::string to_text(const SubsetPlan& plan) {
  PlanWriter writer;
  writer.put("form", static_cast<std::uint64_t>(plan.form));
  writer.put_all("pinned", plan.pinned == no_index ? std::vector<Index>{} : std::vector<Index>{plan.pinned});
  writer.put_all("inner", plan.inner);
  writer.put_all("middle", flat(plan.middle));
  writer.put_all("outer", flat(plan.outer));
  return writer.text();
}

SubsetPlan subset_plan_from(std::string_view text, const std::vector<Index>& multiplicity) {
  const PlanReader reader(text);
  SubsetPlan plan;
  plan.form =
      static_cast<RyserForm>(reader.number("form", 0, static_cast<std::uint64_t>(RyserForm::centred)));
  plan.inner = reader.indices("inner");
  plan.middle = digits_of(reader.indices("middle"));
  plan.outer = digits_of(reader.indices("outer"));
  const std::vector<Index> pinned = reader.indices("pinned");
  if (pinned.size() != (plan.form == RyserForm::halved ? 1U : 0U))
    throw PlanError("a plan pins what it should not");
  // Every copy of every column in one place.
  std::vector<Index> copies(multiplicity.size(), 0);
  std::vector<bool> seen(multiplicity.size());
  const auto place = [&](Index column, Index number) {
    if (column >= copies.size() || seen[column] || number == 0)
      throw PlanError("a plan has a column twice, or one that is not there");
    seen[column] = true;
    copies[column] = number;
  };
  for (const Index column : plan.inner) place(column, 1);
  for (const auto* digits : {&plan.middle, &plan.outer}) {
    for (const Digit& digit : *digits) place(digit.column, digit.copies);
  }
  if (!pinned.empty()) {
    plan.pinned = pinned[0];
    if (plan.pinned >= copies.size()) throw PlanError("a plan pins a column that is not there");
    ++copies[plan.pinned];
  }
  if (copies != multiplicity) throw PlanError("a plan is for other columns");
  for (const Digit& digit : plan.outer) {
    if (std::uint64_t{digit.copies} + 1 > usual_units / plan.units)
      throw PlanError("a plan has too many units");
    plan.units *= std::uint64_t{digit.copies} + 1;
  }
  plan.log2_terms =
      log2_choices(plan.middle) + log2_choices(plan.outer) + static_cast<double>(plan.inner.size());
  return plan;
}

PrefixCounter::PrefixCounter(const SubsetPlan& plan, std::uint64_t unit)
    : digits_(plan.middle), middle_(plan.middle.size()) {
  digits_.insert(digits_.end(), plan.outer.begin(), plan.outer.end());
  fixed_.assign(digits_.size(), 0);
  for (std::size_t k = middle_; k < digits_.size(); ++k) {
    const std::uint64_t choices = std::uint64_t{digits_[k].copies} + 1;
    fixed_[k] = static_cast<Index>(unit % choices);
    unit /= choices;
  }
}

mpz_class PrefixCounter::weight() const {
  mpz_class product = 1;
  mpz_class binomial;
  std::uint64_t chosen = 0;
  for (std::size_t k = 0; k < digits_.size(); ++k) {
    chosen += fixed_[k];
    if (fixed_[k] == 0 || fixed_[k] == digits_[k].copies) continue;
    mpz_bin_uiui(binomial.get_mpz_t(), digits_[k].copies, fixed_[k]);
    product *= binomial;
  }
  if (chosen % 2 != 0) product = -product;
  return product;
}

}  // namespace countpm
