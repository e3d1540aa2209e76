#include "src/count/advise_estimate.hpp"

#include <algorithm>
#include <variant>

namespace countpm {
namespace {

bool has_negative_or_complex(const Values& values) {
  if (std::holds_alternative<std::vector<ComplexRational>>(values)) return true;
  const auto any_below_0 = [](const auto& list) {
    return std::any_of(list.begin(), list.end(), [](const auto& value) { return value < 0; });
  };
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) return any_below_0(*integers);
  if (const auto* rationals = std::get_if<std::vector<mpq_class>>(&values)) return any_below_0(*rationals);
  return false;
}

std::string with_advice(const std::string& remedy) {
  return remedy.empty() ? advised_estimate : remedy + "; " + advised_estimate;
}

}  // namespace

bool can_be_estimated(const Graph& graph) {
  return !graph.covers && !graph.digit && !graph.letters && graph.letter_bits == 0 &&
         !has_negative_or_complex(graph.values);
}

BeyondLimits with_advised_estimate(const BeyondLimits& error) {
  return {error.reason(), with_advice(error.remedy())};
}

UnableError with_advised_estimate(const UnableError& error) {
  std::string reason = error.what();
  if (!error.remedy().empty()) reason.resize(reason.size() - error.remedy().size() - 2);  // "; "
  return {reason, with_advice(error.remedy())};
}

}  // namespace countpm
