#include "kernels/estimate/gamma_bernoulli.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "kernels/arithmetic/counter_random.hpp"

namespace countpm {
namespace {

constexpr double margin = 1e-4;  // of delta
// Products of so many uniform numbers, at least 2^-65 each, stay above 2^-520: one logarithm for all.
constexpr std::uint64_t numbers_a_logarithm = 8;
constexpr std::uint64_t logarithms_a_sum = 4096;

GammaBernoulliRule rule_of(std::uint64_t successes, double epsilon) {
  const double middle = (1 - epsilon * epsilon) * std::atanh(epsilon) / epsilon;
  return {successes, static_cast<double>(successes) * middle};
}

}  // namespace

double failure_probability(const GammaBernoulliRule& rule, double epsilon) {
  const auto shape = static_cast<double>(rule.successes);
  return boost::math::gamma_p(shape, rule.factor / (1 + epsilon)) +
         boost::math::gamma_q(shape, rule.factor / (1 - epsilon));
}

GammaBernoulliRule gamma_bernoulli(double epsilon, double delta) {
  const auto holds = [&](std::uint64_t k) {
    return failure_probability(rule_of(k, epsilon), epsilon) <= delta * (1 - margin);
  };
  std::uint64_t too_few = 0;
  std::uint64_t enough = 1;
  while (!holds(enough)) too_few = enough, enough *= 2;
  while (enough - too_few > 1) {
    const std::uint64_t middle = too_few + (enough - too_few) / 2;
    (holds(middle) ? enough : too_few) = middle;
  }
  return rule_of(enough, epsilon);
}

double exponential_sum(std::uint64_t seed, std::uint64_t stream, std::uint64_t tosses,
                       const StopSignal& stop) {
  CounterRandom random(seed, stream, 0);
  double sum = 0;
  for (std::uint64_t left = tosses; left > 0;) {
    stop.check();
    double part = 0;
    for (std::uint64_t k = 0; k < logarithms_a_sum && left > 0; ++k) {
      double product = 1;
      const std::uint64_t numbers = std::min(left, numbers_a_logarithm);
      for (std::uint64_t i = 0; i < numbers; ++i)
        product *= (static_cast<double>(random.next()) + 0.5) * 0x1p-64;
      part -= std::log(product);
      left -= numbers;
    }
    sum += part;
  }
  return sum;
}

}  // namespace countpm
