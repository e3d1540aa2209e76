#pragma once
// The lines of a comparison: a table for people, CSV, or JSON, each line by itself.
#include <cstdint>
#include <string>

#include "apps/options.hpp"
#include "src/estimate/compare.hpp"

namespace countpm::app {

class CompareLines {
 public:
  explicit CompareLines(const Request& request);

  std::string head() const;  // before the first input; CSV's only
  /// Before an input's estimates: its exact count, and a table's head. Empty for CSV and JSON.
  std::string start(const ComparisonStart& start) const;
  std::string line(const ComparisonStart& start, const ComparedEstimate& row) const;
  /// After the last seed of several; empty for CSV.
  std::string coverage(const ComparisonStart& start, const ComparedCoverage& coverage) const;
  /// What there is to say of an input without estimates; empty for CSV.
  std::string nothing_sampled(const ComparisonStart& start) const;

 private:
  enum class Style { table, csv, json };
  Style style_;
  std::uint64_t seed_;
};

}  // namespace countpm::app
