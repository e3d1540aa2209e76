#pragma once
// How many successes of a coin tell its bias to a factor, with a known probability: the Gamma-Bernoulli rule.
#include <cstdint>

#include "kernels/method.hpp"

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
/// tails. Preconditions: 1e-7 <= epsilon < 1, 1e-7 <= delta < 1. M. Huber, A Bernoulli mean estimate with
/// known relative error distribution, Random Structures Algorithms 50 (2017), whose factor is k - 1.
GammaBernoulliRule gamma_bernoulli(double epsilon, double delta);

/// The probability that the rule fails, as Boost has it.
double failure_probability(const GammaBernoulliRule& rule, double epsilon);

/// R for N = `tosses`, the same for a seed and a stream everywhere. Uniform numbers of 64 bits stand for real
/// ones: but for a probability of 2^-30, R is within 2^-29 of itself of the sum of exponential variables that
/// are exact. O(tosses). Throws Stopped.
double exponential_sum(std::uint64_t seed, std::uint64_t stream, std::uint64_t tosses,
                       const StopSignal& stop);

}  // namespace countpm
