#pragma once
// The linear recurrence of a family of lattices: counted for growing sizes until one fits.
//
// Counts of strips, cylinders and bands of one width are rational in their length: a transfer matrix
// multiplies them from layer to layer (R. P. Stanley, Enumerative Combinatorics 1, section 4.7).
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "src/number/linear_recurrence.hpp"
#include "src/series/count_series.hpp"

namespace countpm {

/// a(n), the count of the lattice with n in the place of N. Only every step-th term is not 0, or all where
/// step is 1; b(k) = a(first + step k), k = 0, 1, ..., is what the recurrence is of.
struct FamilyRecurrence {
  std::string family;       // "lattice:cubic:3x3xN", or the range that was given
  std::uint64_t first = 1;  // n of b(0)
  std::uint64_t step = 1;
  std::uint64_t counted_from = 1;  // n of the first and of the last count
  std::uint64_t counted_to = 0;
  LinearRecurrence recurrence;
  std::uint64_t terms = 0;    // of b
  std::uint64_t checked = 0;  // of those: beyond the 2 order that determine it
  /// No recurrence of b is longer, by the number of states of the transfer matrix; nothing where none is
  /// known.
  std::optional<std::uint64_t> order_bound;
  bool proved = false;  // it holds for all n: the terms are as many as this bound and the order together
  std::vector<mpq_class> values;  // of b, as many as the order has
  /// The largest root of t^d + denominator[1] t^(d-1) + ... + denominator[d]: b(k) grows like its k-th power,
  /// since no term is negative. Nothing where one is, or the recurrence has order 0.
  std::optional<RootInterval> growth;
  double seconds = 0;

  /// c_1, c_2, ...: b(k) = c_1 b(k-1) + c_2 b(k-2) + ...
  std::vector<mpq_class> coefficients() const;
  /// Of t, by degree: the reversed denominator.
  std::vector<mpq_class> characteristic() const;
};

/// How far to look.
struct RecurrenceOptions {
  std::uint64_t checked = 10;         // further terms that must agree
  std::uint64_t most_terms = 10'000;  // n that are counted
};

/// family: a lattice with N in the place of one of its sizes, which is counted for n = 1, 2, ... (or from the
/// first n that there is such a lattice of) until a recurrence fits; or a range of lattices whose sizes grow
/// by equal steps, which is all that is counted. Counts are exact, several at a time, and every one of them
/// is compared with the recurrence. idle: called while it waits. Throws UsageError for other families and
/// UnableError where the terms do not suffice, with how many more might; and what count() throws.
FamilyRecurrence find_recurrence(const std::string& family, const SeriesOptions& options,
                                 const RecurrenceOptions& wanted, const std::function<void()>& idle);

/// Whether N stands in the place of a size.
bool is_open_family(const std::string& family);

}  // namespace countpm
