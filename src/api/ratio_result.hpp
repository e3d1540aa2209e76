#pragma once
// What a ratio of two sums over matchings says.
#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/api/results.hpp"

namespace countpm {

/// A letter in weights, and the positive numbers that it goes from and to.
struct LetterRange {
  char letter = 'x';
  mpq_class from = 1;
  mpq_class to = 1;
};

/// Z(A) / Z(B), of A as the summary says and of `other`.
struct RatioResult : InputSummary {
  InputInfo other;
  /// Where both were counted: the quotient in lowest terms. Then no figure below is of samples.
  std::optional<mpq_class> exact;
  double ln = 0;        // ln of it; -infinity for 0
  double ln_error = 0;  // its standard error, with what walks may not have met; 0 where both were counted
  double low = 0;       // ln of the interval's ends
  double high = 0;
  double confidence = 0;
  std::string doubt;   // why the error cannot be trusted; empty: it can
  bool apart = false;  // each sum has samples of its own; else every sample is one of both
  std::string sampler;
  std::uint64_t samples = 0;     // of the piece that has the fewest
  double effective_samples = 0;  // of the piece and the graph that has the fewest
  double pareto_k = 0;           // the largest; NaN: no tail
  std::string second;            // a sampler, or samplers, whose samples checked these; empty: none did
  std::uint64_t second_samples = 0;
  std::uint64_t seed = 0;
  std::string goal_missed;  // why the error that was asked for was not reached
  int threads = 1;
  double seconds = 0;
  std::vector<std::string> notes;
};

}  // namespace countpm
