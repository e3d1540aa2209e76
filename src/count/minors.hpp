#pragma once
// All permanents of a matrix without one of its lines, in one pass.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/read.hpp"
#include "src/api/entries.hpp"

namespace countpm {

/// Of a matrix with one line more on one side than on the other, as a bipartite graph whose values count: in
/// place k the permanent without line k of the longer side. Exact weights, and complex ones with
/// ReadOptions::exact, give exact values, real and complex ones values with an error bound. One walk over the
/// classes of the shorter side's lines, on one thread (subsets/lanes/lane_sums.hpp,
/// subsets/lanes/exact_minors.hpp). Throws UsageError for other sizes, UnableError where it is predicted to
/// take longer than the time limit.
std::vector<Value> minors(ReadResult matrix, const CountOptions& options);

/// What minors() would do, and how long that would take.
struct MinorsWork {
  std::uint64_t minors = 0;   // as many as lines of the longer side
  bool doubles = false;       // sums of doubles with a bound on the error; else modulo primes
  bool exact = true;          // the values will be
  double log2_states = 0;     // of the shorter side's lines, that the sum goes through
  std::uint64_t factors = 0;  // of the products at each state: different lines of the longer side
  double log10_seconds = 0;   // of one thread, which is all that they take
  bool feasible = true;       // within the time limit
};
/// Counts nothing. Throws as minors(), but for the time limit.
MinorsWork work_of_minors(ReadResult matrix, const CountOptions& options);

/// The permanent without a line of the matrix.
struct Minor {
  std::string label;  // of the line
  Value value;
  std::string digits;  // as CountResult::count has them
  std::string error;   // the bound on theirs; empty where they are exact
};

struct Minors : InputSummary {        // NOLINT(bugprone-exception-escape): numbers are moved by swapping
  bool rows = true;                   // the lines are rows, not columns
  std::optional<std::string> column;  // that all of them lack, too
  bool exact = true;
  std::vector<Minor> minors;
  std::vector<std::string> notes;
  double seconds = 0;
};

struct MinorsForecast : InputSummary {  // NOLINT(bugprone-exception-escape): numbers are moved by swapping
  bool rows = true;                     // as in Minors
  std::optional<std::string> column;
  MinorsWork work;
  std::vector<std::string> notes;
};

/// The same of the matrix that is read, with labels: of a square one without the column with that label, and
/// without each row in turn; without a column of a matrix with one line more on one side. ReadOptions::rows
/// and columns say how often each line stands in it, of the column one copy goes; a line that does not stand
/// in it has 0. Throws UsageError for other sizes, undirected graphs and columns that there are not.
Minors minors(const Source& source, const ReadOptions& read_options, const std::optional<std::string>& column,
              const CountOptions& options);
/// What minors() would do; throws as it does, but for the time limit.
MinorsForecast forecast_minors(const Source& source, const ReadOptions& read_options,
                               const std::optional<std::string>& column, const CountOptions& options);

}  // namespace countpm
