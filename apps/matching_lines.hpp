#pragma once
// Matchings as lines of standard output, for list and sample (docs/list.md), and the report that goes with
// them.
#include <string>
#include <utility>
#include <vector>

#include "apps/options.hpp"

namespace countpm::app {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Flushes at once on a terminal, else when a tenth of a second has passed: a reader need not wait, and a
/// million short lines do not take a million system calls.
class MatchingLines {
 public:
  explicit MatchingLines(bool json);
  /// Pairs, or cycles where the problem is cycle covers.
  void write(const Pairs& pairs, Problem problem);

 private:
  bool json_;
  bool terminal_;
  double last_ = 0;
};

/// The report on standard error, where it is wanted: "input ...", "drawn   perfect matchings: 12", why there
/// are none, notes. `verb`: at most 10 letters.
void report_start(const Request& request, const ListStart& start, const std::string& verb,
                  std::uint64_t number);

}  // namespace countpm::app
