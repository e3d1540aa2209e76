#pragma once
// How many successes of a coin tell its bias to a factor, with a known probability: the Gamma-Bernoulli rule.
#include <cstdint>

namespace countpm {

/// Toss until `successes` heads have come, at toss N; draw R, the sum of N exponential variables of mean 1:
/// p R has the Gamma(successes) law whatever p is, so that factor / R has a relative error of known law.
struct GammaBernoulliRule {
  std::uint64_t successes = 0;
  double factor = 0;
};

/// The fewest successes k with |factor / (R p) - 1| <= epsilon but for a probability of at most delta, from
/// the tails of the Gamma law itself: G < factor / (1 + epsilon) or G > factor / (1 - epsilon). Boost's
/// incomplete Gamma functions, with a margin of 10^-4 of delta above their error (a test compares with MPFR);
/// factor = k (1 - epsilon^2) log((1 + epsilon) / (1 - epsilon)) / (2 epsilon) leaves the most between the
/// tails. Preconditions: 1e-4 <= epsilon < 1 (Boost's series do not converge much
/// below: 3e-5), 1e-7 <= delta < 1. M. Huber, A Bernoulli mean estimate with
/// known relative error distribution, Random Structures Algorithms 50 (2017), whose factor is k - 1.
GammaBernoulliRule gamma_bernoulli(double epsilon, double delta);

/// The probability that the rule fails, as Boost has it.
double failure_probability(const GammaBernoulliRule& rule, double epsilon);

/// R for N = `tosses`, the same for a seed and a stream everywhere: the Gamma(N) law, which is that of the
/// sum, by rejection from normal numbers (G. Marsaglia, W. W. Tsang, A simple method for generating gamma
/// variables, ACM Trans. Math. Softw. 26 (2000)), in MPFR. But for a probability of 2^-50, R is within 2^-50
/// of itself of what real uniform numbers in place of those of 128 bits would have led to. 0 for N = 0. O(1).
double exponential_sum(std::uint64_t seed, std::uint64_t stream, std::uint64_t tosses);

}  // namespace countpm
