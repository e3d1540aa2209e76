#pragma once
// What the library refuses, and why that is right. A product that is refused in other words is a fault
// (docs/internals/products.md).
#include <string>
#include <string_view>
#include <vector>

namespace countpm::products {

/// What a refusal says of the numbers, which the oracle then looks at.
enum class Claim {
  none,
  sum_is_zero,  // of the weights
  edge_is_zero  // of the weights of the matchings with one edge of a pair
};

struct RefusalReason {
  std::string_view words;   // a part of the message
  std::string_view reason;  // of these, in a few words
  bool always =
      true;  // every covering array of triples has one; false: it depends on the machine, or is rare
  Claim claim = Claim::none;
};
const std::vector<RefusalReason>& refusals();
/// The place of the first whose words are in the message; -1: none.
int refusal_of(const std::string& message);

}  // namespace countpm::products
