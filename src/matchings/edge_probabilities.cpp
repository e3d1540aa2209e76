#include "src/matchings/edge_probabilities.hpp"

#include <fmt/format.h>

#include "src/input/sound_options.hpp"
#include "src/machine/resources.hpp"

namespace countpm {

void throw_no_probabilities(const Instance& instance) {
  if (instance.problem == Problem::matchings) {
    throw UnableError("the weights of all matchings add up to 0, which leaves no probabilities",
                      "--monomers WEIGHT gives the vertices that no loop lets stay alone a weight, too; "
                      "without --weights every "
                      "weight is 1");
  }
  throw UnableError("the weights of all perfect matchings add up to 0, which leaves no probabilities",
                    "without --weights every perfect matching is equally likely");
}

std::uint64_t memory_for_trees(const CountOptions& options) {
  return static_cast<std::uint64_t>(static_cast<double>(resources_for(options).memory_bytes) *
                                    marginal_layers_share);
}

void check_marginal_digits(const MarginalOptions& options) {
  if (options.digits < 1 || options.digits > most_digits)
    throw UsageError(fmt::format("{} digits: expected 1 to {}", options.digits, most_digits));
}

mpq_class probability_fraction(const mpz_class& numerator, const mpz_class& denominator) {
  mpq_class fraction(numerator, denominator);
  fraction.canonicalize();
  return fraction;
}

}  // namespace countpm
