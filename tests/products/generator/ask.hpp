#pragma once
// A product asked of the library, and its answer judged by the oracle.
#include <string>

#include "tests/products/generator/dimensions.hpp"

namespace countpm::products {

struct Outcome {
  enum class Kind {
    right,
    refused,   // for a reason of refusals()
    unjudged,  // samples were drawn, or the oracle would take too long
    wrong      // another number, a check that failed, or a refusal that has no reason
  };
  Kind kind = Kind::right;
  int reason = -1;     // of a refusal
  int residues = 0;    // the most that a block was counted modulo
  std::string method;  // that counted
  std::string what;    // of a refusal or a fault
  double seconds = 0;  // in the library
  double oracle_seconds = 0;
};

Outcome ask(const Product& product);
/// The command line that asks the same, where there is one.
std::string repeated(const Product& product);

}  // namespace countpm::products
