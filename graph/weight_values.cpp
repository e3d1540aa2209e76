#include "graph/weight_values.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace countpm {
namespace {

std::vector<mpq_class> to_rationals(const std::vector<std::int64_t>& integers) {
  std::vector<mpq_class> result;
  result.reserve(integers.size());
  for (const std::int64_t value : integers) result.emplace_back(value);
  return result;
}

std::vector<ComplexRational> to_complex(std::vector<mpq_class>& rationals) {
  std::vector<ComplexRational> result;
  result.reserve(rationals.size());
  for (mpq_class& value : rationals) result.push_back(ComplexRational{std::move(value), mpq_class(0)});
  return result;
}

}  // namespace

mpq_class rational_of(const Weight& weight) {
  if (const auto* integer = std::get_if<std::int64_t>(&weight.value)) return mpq_class(*integer);
  return std::get<mpq_class>(weight.value);
}

ComplexRational complex_of(const Weight& weight) {
  if (const auto* complex = std::get_if<ComplexRational>(&weight.value)) return *complex;
  return ComplexRational{rational_of(weight), mpq_class(0)};
}

void set_value(Weight& weight, mpq_class value) {
  if (value.get_den() != 1) weight.kind = std::max(weight.kind, WeightKind::rational);
  if (value.get_den() == 1 && value.get_num().fits_slong_p()) {
    weight.value = static_cast<std::int64_t>(value.get_num().get_si());
  } else {
    weight.value = std::move(value);
  }
}

bool may_hold(WeightKind kind, const Values& values) {
  if (std::holds_alternative<std::vector<ComplexRational>>(values)) return kind == WeightKind::complex;
  const auto* const rationals = std::get_if<std::vector<mpq_class>>(&values);
  return kind >= WeightKind::rational || rationals == nullptr ||
         std::all_of(rationals->begin(), rationals->end(),
                     [](const mpq_class& value) { return value.get_den() == 1; });
}

mpq_class exact_value(const Values& values, std::size_t edge) {
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values))
    return mpq_class((*integers)[edge]);
  if (const auto* rationals = std::get_if<std::vector<mpq_class>>(&values)) return (*rationals)[edge];
  return 1;
}

void widen(Values& values, std::size_t index, std::size_t edges) {
  if (values.index() == 0 && index > 0) values = std::vector<std::int64_t>(edges, 1);
  if (values.index() == 1 && index > 1) values = to_rationals(std::get<1>(values));
  if (values.index() == 2 && index > 2) values = to_complex(std::get<2>(values));
}

void push_value(Values& values, std::size_t edges, const Weight& weight) {
  widen(values, weight.value.index() + 1, edges);
  switch (values.index()) {
    case 1:
      std::get<1>(values).push_back(std::get<std::int64_t>(weight.value));
      break;
    case 2:
      std::get<2>(values).push_back(rational_of(weight));
      break;
    default:
      std::get<3>(values).push_back(complex_of(weight));
  }
}

void append_value(Values& values, std::size_t edges, const Weight& weight) {
  // Beside other values a 1 is of its own type, (1,0) too.
  if (values.index() > 0 || !weight.is_one()) push_value(values, edges, weight);
}

}  // namespace countpm
