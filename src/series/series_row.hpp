#pragma once
// A line of a series: what was counted, and what was found.
#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/errors.hpp"
#include "src/api/results.hpp"
#include "src/count/ln_z_result.hpp"

namespace countpm {

/// Why there is no count.
struct SeriesFailure {
  enum class Kind { usage, input, unable, check };
  Kind kind = Kind::input;
  std::string message;
  std::optional<InputError> input;  // where it is one
};

/// What the exception that is being handled means for one graph; throws it again where it is none that the
/// other graphs go on after.
SeriesFailure current_failure();

/// One input of a series: all of a source, which may hold many graphs.
struct SeriesItem {
  std::string input;                  // a file, "-" or a lattice spec; of a row also "FILE:LINE"
  std::size_t group = 0;              // the argument that it stands for; single inputs share one group
  std::optional<std::uint64_t> size;  // in a range: the first of the sizes that grow
  std::optional<KnownLimit> limit;    // of the range, or of the lattice; without regard to --weights
  std::optional<SeriesFailure> failure = {};
};

/// What a line tells of one graph.
struct SeriesRow {
  std::string input;
  std::size_t group = 0;
  std::optional<std::uint64_t> size;
  std::optional<std::uint64_t> vertices;  // empty where it could not be read
  std::optional<std::uint64_t> edges;
  std::string count;                    // empty without one
  bool polynomial = false;              // the count is the sum of a polynomial's coefficients
  std::optional<std::uint64_t> digits;  // of an integer
  std::optional<double> log10;
  bool exact = true;
  std::string error_bound;
  std::optional<Entropy> entropy;
  std::optional<double> ln_z_error;  // of --ln-z
  std::string method;
  double seconds = 0;
  std::string ratio;  // of the count to the first row's; empty where it was not asked for or is not exact
  std::string graph;  // of formats with a graph a line: that line
  std::vector<std::string> warnings;  // InputInfo::warnings
  std::optional<SeriesFailure> failure;
};

SeriesRow series_row(const SeriesItem& item, const CountResult& result);
/// Of --ln-z: ln Z without a count.
SeriesRow series_row(const SeriesItem& item, const LnZResult& result);
SeriesRow series_row(const SeriesItem& item, SeriesFailure failure);

/// The count as a fraction; nothing where there is none or it is not exact, nor of complex numbers and
/// polynomials.
std::optional<mpq_class> exact_count(const SeriesRow& row);

/// count / first to 12 digits, where both are exact and the first is not 0; of logarithms the quotient of
/// what they are of, to 9 digits; else empty.
std::string count_ratio(const SeriesRow& row, const SeriesRow& first);

}  // namespace countpm
