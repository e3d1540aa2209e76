#pragma once
// Many products, on several threads, and what came of them.
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/products/generator/ask.hpp"

namespace countpm::products {

struct Tally {
  std::uint64_t asked = 0, right = 0, refused = 0, unjudged = 0, wrong = 0;
  std::map<int, std::uint64_t> by_reason;          // place in refusals()
  std::map<int, std::uint64_t> by_residues;        // how many moduli
  std::map<std::string, std::uint64_t> by_method;  // of those that were counted
  double seconds = 0, oracle_seconds = 0;          // on all threads together
  std::vector<std::string> differences;            // the first hundred, each with how it is repeated

  void add(const Product& product, const Outcome& outcome);
};

/// The k-th product of a seed: every value drawn at random, those that come first in the table more often for
/// what mostly leads to a refusal.
Product random_product(std::uint64_t seed, std::uint64_t k);

/// Asks product(k) for k from first to before end on so many threads. each is called by one thread at a time.
Tally run_products(std::uint64_t first, std::uint64_t end, int jobs,
                   const std::function<Product(std::uint64_t)>& product,
                   const std::function<void(std::uint64_t, const Product&, const Outcome&)>& each = {});

std::string report(const Tally& tally);

}  // namespace countpm::products
