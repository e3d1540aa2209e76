#pragma once
// Estimates beside exact counts, in words.
#include <string>

#include "src/estimate/compare.hpp"

namespace countpm::words {

/// "12988816 exactly, by METHOD in 12 ms"; "no exact count: WHY"
std::string exact_text(const ComparisonStart& start);
/// Why no estimate follows.
std::string nothing_sampled_text(const ComparisonStart& start);
/// What intervals are shown as: "interval / exact"; "interval" where there is no exact count.
std::string interval_head(const ComparisonStart& start);

/// An estimate's cells of the table.
struct ComparedWords {
  std::string estimate;  // "1.2989e+07"
  std::string ratio;     // to the exact count: "0.99812"; far off "3.1e+04"; "-" without one
  std::string claimed;   // "+-0.84%", or "doubt"
  std::string interval;  // over the exact count, where there is one: "0.99 .. 1.01"
  std::string covered;   // "yes", "NO" or "-"
  std::string seconds;
  std::string seconds_for_percent;  // "-" with a doubt
  std::string moved;                // empty, or what the samples say in place of what is shown
};
/// "scaling+, 1000 samples: of 20 seeds 19 intervals are shown, and 18 covered: so few of 95% by chance with
/// probability 0.25"
std::string coverage_text(const ComparedCoverage& coverage);
ComparedWords compared_words(const ComparisonStart& start, const ComparedEstimate& row);

}  // namespace countpm::words
