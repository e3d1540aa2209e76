#include <cmath>
#include <variant>

#include "src/count/bounds.hpp"
#include "src/count/count_or_bounds.hpp"
#include "src/count/ln_z.hpp"
#include "src/estimate/estimate.hpp"
#include "src/matchings/integration.hpp"
#include "src/matchings/ratio.hpp"
#include "src/matchings/signed_sum.hpp"
#include "tests/products/generator/asking.hpp"

namespace countpm::products {
namespace {

EstimateOptions few_samples() {
  EstimateOptions sampling;
  sampling.samples = 50;
  sampling.time_limit_seconds = 1;
  sampling.second = SecondOpinion::none;
  return sampling;
}

Fault within(const Complex& right, double log10_lower, double log10_upper) {
  if (right.zero()) return std::isinf(log10_lower) ? Fault() : "the sum is 0, and said to be above it";
  const double log10 = natural_log(right.re) / std::log(10.0);
  const double slack = 1e-12 * (1 + std::fabs(log10));
  return log10_lower <= log10 + slack && log10 - slack <= log10_upper
             ? Fault()
             : "10^" + std::to_string(log10) + " is not between 10^" + std::to_string(log10_lower) +
                   " and 10^" + std::to_string(log10_upper);
}

Fault between(const Complex& right, const std::string& lower, const std::string& upper) {
  const bool within = parse_number(lower).re <= right.re && right.re <= parse_number(upper).re;
  return within ? Fault() : "it is " + text_of(right) + ", not within " + lower + " .. " + upper;
}

}  // namespace

Asking::Judge Asking::ratio() {
  RatioResult result = countpm::ratio(read(), read(true), options_, few_samples());
  return [this, result = std::move(result)]() -> Fault {
    if (!result.exact) throw Unjudged{"a ratio by samples"};
    Instance second = instance_;
    for (std::size_t t = 0; t < second.ties.size(); ++t) second.ties[t].weight = instance_.other[t];
    if (instance_.other_lacks_last) second.ties.pop_back();
    if (product_.form() == Form::lattice)
      for (Tie& tie : second.ties) tie.weight.value = mpq_class(2, 3);
    if (product_.form() == Form::lattice) second.weighted = true;
    const Complex below = Truth(second, product_).sum().at_one();
    if (below.zero()) return "the second sum is 0";
    return judge_value(truth().sum().at_one() / below, Value(*result.exact), false);
  };
}

Asking::Judge Asking::integral() {
  LetterRange range;
  range.from = instance_.range.first;
  range.to = instance_.range.second;
  RatioResult result = countpm::integrate(read(), range, options_, few_samples());
  return [this, result = std::move(result)]() -> Fault {
    if (!result.exact) throw Unjudged{"an integral by samples"};
    return judge_value(truth().at(instance_.range.second) / truth().at(instance_.range.first),
                       Value(*result.exact), false);
  };
}

Asking::Judge Asking::signed_sum() {
  SignedSum result = countpm::signed_sum(read(), options_, few_samples());
  return [this, result = std::move(result)]() -> Fault {
    if (result.exact.empty()) throw Unjudged{"a signed sum by samples"};
    const Complex right = truth().sum().at_one();
    if (!floating()) return judge_text(right, result.exact, "", false);
    const std::size_t beside = result.exact.find(" +- ");
    if (beside == std::string::npos) return judge_text(right, result.exact, "", true);
    return judge_text(right, result.exact.substr(0, beside), result.exact.substr(beside + 4), true);
  };
}

Asking::Judge Asking::estimate() {
  EstimateResult result = countpm::estimate(read(), options_, few_samples());
  return [this, result = std::move(result)]() -> Fault {
    if (!result.exact_value) throw Unjudged{"an estimate by samples"};
    return judge_value(truth().sum().at_one(), *result.exact_value, floating() || instance_.exact);
  };
}

Asking::Judge Asking::ln_z() {
  LnZResult result = countpm::ln_z(read(), options_);
  return [this, result = std::move(result)] {
    return judge_log(truth().sum().at_one(), result.ln_z, result.ln_z_error);
  };
}

Asking::Judge Asking::bounds() {
  const CertainBounds result = countpm::bounds(read(), options_);
  return [this, result]() -> Fault {
    const Complex right = truth().sum().at_one();
    const Fault fault = within(right, result.log10_lower, result.log10_upper);
    return fault.empty() ? between(right, result.lower, result.upper) : fault;
  };
}

Asking::Judge Asking::count_or_bounds(Outcome& outcome) {
  CountOptions hurried = options_;
  hurried.time_limit_seconds = product_.seed % 2 == 0 ? 1e-6 : 1e-3;
  std::variant<CountResult, BoundedCount> result = countpm::count_or_bounds(read(), hurried);
  if (auto* whole = std::get_if<CountResult>(&result)) return judge_result(std::move(*whole), outcome);
  return [this, bounded = std::get<BoundedCount>(std::move(result))]() -> Fault {
    return between(truth().sum().at_one(), bounded.lower, bounded.upper);
  };
}

}  // namespace countpm::products
