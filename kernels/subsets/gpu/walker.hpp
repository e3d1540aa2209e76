#pragma once
// Gray-code walks on one GPU: what device jobs ask for, whatever the method, the numbers and the device.
#include <gmpxx.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/method.hpp"
#include "kernels/subsets/gpu/tuning.hpp"

namespace countpm::gray {

/// The columns that are walked over, the one to flip most often first.
template <class Value>
struct Walk {
  unsigned rows = 0;
  unsigned columns = 0;
  std::vector<Value> deltas;  // [column][row]: what a row's sum changes by where the column comes in
  double log2_subsets = 0;    // that it will be asked for in all: whether compiling a kernel pays
  bool exact_sums =
      false;  // of floating walks: no addition rounds (row_units.hpp), so that no term has a slope
};

/// Row sums without any column of the walk; a prefix's terms count negatively where `minuses` is not 0.
template <class Value>
struct Prefixes {
  std::vector<Value> starts;  // [prefix][row]
  std::vector<std::uint8_t> minuses;
  std::uint64_t size() const { return minuses.size(); }
};

/// Sums over a GPU's threads and blocks; what RunningSum::add_sum takes. But for real double-doubles and
/// triple-doubles `wides` is made from slopes (slope_bound.hpp).
template <class Value>
struct FloatingParts {
  std::vector<Value> parts;
  double products = 0;  // of complex numbers up to 1.0824 times as much
  double wides = 0;
  std::uint64_t terms = 0;
  std::uint64_t longest = 0;  // additions that a term passed, at most
};

/// sum over prefixes and subsets of the walk's columns of (-1)^(minus + size of the subset) prod_i (row sum
/// i).
template <class Value, class Total>
class Walker {
 public:
  virtual ~Walker() = default;
  virtual Total sum(const Prefixes<Value>& prefixes, const StopSignal& stop) = 0;
  virtual std::uint64_t bytes() const = 0;
  /// DeviceJob::kernel().
  virtual std::string kernel() const { return {}; }
};
using IntegerWalker = Walker<std::int64_t, mpz_class>;
template <class Value>
using FloatingWalker = Walker<Value, FloatingParts<Value>>;

/// More rows are not for GPUs in floating point: the slopes need delta <= 2^-42, some 1150 additions.
inline constexpr unsigned most_floating_rows = 1000;

/// Roundings, each of 2^-53 of the terms' magnitudes at most, by which terms of doubles are joined
/// before they are added to the compensated sum: they count like so many factors more.
inline constexpr unsigned additions_before_sum = 3;

/// The flips between two fresh starts of a floating row sum.
inline constexpr std::uint64_t floating_flips = std::uint64_t{1} << most_walked_floating;

}  // namespace countpm::gray
