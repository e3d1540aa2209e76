#pragma once
// What may be asked of every question: limits, devices, methods, and who listens.
#include <gmpxx.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/order_kind.hpp"
#include "kernels/settings.hpp"
#include "matching/free_vertices.hpp"
#include "matching/rules.hpp"

namespace countpm {

/// What progress reports say.
struct Progress {
  std::string stage;  // "count", "double-check"
  std::string method;
  std::size_t block = 0;  // 1-based
  std::size_t blocks = 0;
  double done = 0;               // share of the predicted work of the whole count, 0 .. 1
  double elapsed_seconds = 0;    // of the whole count
  double remaining_seconds = 0;  // estimated from the measured rate; < 0 where not known yet
  double remaining_low = -1;     // and its likely range, two standard errors of the rate; < 0 where not known
  double remaining_high = -1;
  double share_a_second = 0;  // the measured rate; 0 where not known yet
};

/// Floating point for real and complex weights: doubles, added plainly or by Kahan's sums, pairs of doubles,
/// or MPFR's numbers of so many bits.
enum class FloatChoice { plain, kahan, double_double, mpfr };
struct FloatArithmetic {
  FloatChoice choice = FloatChoice::kahan;
  unsigned bits = 0;  // of mpfr 24 to 900, of the others 0

  static FloatArithmetic of_bits(unsigned bits) { return {FloatChoice::mpfr, bits}; }
  bool operator==(const FloatArithmetic&) const = default;
};

/// The defaults are those of the command line.
struct Options {
  /// Which matchings count(), explain(), estimate() and bounds() are about; other questions take perfect
  /// ones.
  MatchingSize matchings = MatchingSize::perfect;
  std::string method = "auto";  // or a name that `countpm methods` lists
  std::string device = "auto";  // auto, cpu, gpu (nothing but GPUs)
  int gpus = 0;     // 0: all that there are; else that many, and UnableError where there are fewer
  int threads = 0;  // 0: all that OpenMP gives
  double time_limit_seconds = 3600;  // predictions above are refused, runs beyond are stopped; infinity: none
  std::uint64_t memory_limit_bytes = 0;  // 0: the machine's available memory
  std::uint64_t gpu_memory_bytes = 0;    // that counts may use of each GPU; 0: what it has
  RuleSet rules;
  OrderKind order = OrderKind::automatic;  // frontier: which eliminations; never changes a count
  Settings settings;  // of count() and explain(): what papers vary; never changes a count
  /// Of count() and explain(): what is wanted is the count modulo each of these, from 2 to 2^64, and nothing
  /// else of it (CountResult::residues). Empty: the count itself.
  std::vector<mpz_class> modulo;
  bool double_check = false;                      // recount by another method on the transpose
  double audit_share = 0;                         // 0 .. 1: of the units that are run again on another path
  FloatArithmetic arithmetic;                     // of real and complex weights
  std::uint64_t seed = 1;                         // of samples that predict work; never changes a count
  std::function<void(const Progress&)> progress;  // called a few times a second from one thread; may be empty
  std::function<bool()> interrupted;              // polled at least every 100 ms; true: stop
};

/// What is done to a matrix before a method counts it.
inline RuleSet reductions_of(const Options& options) {
  RuleSet rules = options.rules;
  rules.whole = options.settings.is(Setting::structure, "off");
  return rules;
}

}  // namespace countpm
