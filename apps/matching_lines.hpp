#pragma once
// Matchings as lines of standard output, for list and sample (docs/list.md), and the report that goes with
// them.
#include <string>
#include <utility>
#include <vector>

#include "apps/long_answer.hpp"
#include "apps/options.hpp"

namespace countpm::app {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Flushes at once on a terminal, else when a tenth of a second has passed: a reader need not wait, and a
/// million short lines do not take a million system calls.
class MatchingLines {
 public:
  /// first: the number of the first matching, for CSV.
  explicit MatchingLines(const Request& request, std::uint64_t first = 1);
  /// Pairs, or cycles where the problem is cycle covers; as CSV a line for each pair.
  void write(const Pairs& pairs, Problem problem);
  /// The head line of CSV, which stands there without a matching, too.
  void begin();
  /// After the last.
  void finish() { answer_.finish("edges"); }

 private:
  LongAnswer answer_;
  bool json_;
  bool csv_;
  bool terminal_;
  bool begun_ = false;
  std::uint64_t number_;
  double last_ = 0;
};

/// What a listing did, for its report.
struct MatchingReport {
  std::string verb;  // at most 10 letters: "drawn"
  std::uint64_t number = 0;
  std::string of;  // what there are so many of; empty: of what the problem is about
  double seconds = 0;
};
/// The report on standard error, where it is wanted: "input ...", "drawn   12 perfect matchings", the method,
/// why there are none, the time, notes. Where it is not, and there are none, a line that says why.
void report_matchings(const Request& request, const ListStart& start, const MatchingReport& report);

}  // namespace countpm::app
