#include "kernels/hafnian/pairs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include "graph/clock.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/hafnian/entries.hpp"
#include "kernels/hafnian/residue_lane.hpp"
#include "kernels/hafnian/ring_numbers.hpp"
#include "kernels/hafnian/rounding.hpp"
#include "kernels/hafnian/simd.hpp"
#include "kernels/support/aligned_memory.hpp"
#include "kernels/support/pass_rates.hpp"

namespace countpm::pair_sets {
namespace {

lanes::Variant variant_of([[maybe_unused]] InstructionSet set) {
#ifdef __x86_64__
  if (set == InstructionSet::avx512) return lanes::avx512::variant();
  if (set == InstructionSet::avx2) return lanes::avx2::variant();
#endif
  return lanes::baseline::variant();
}

/// Pairs of doubles unless doubles or MPFR numbers were asked for: sums that are compensated, of products
/// that are rounded, would lose the digits that cancel between sets.
Arithmetic own_arithmetic(const Arithmetic& arithmetic) {
  Arithmetic own = arithmetic;
  if (own.precision == Precision::kahan) own.precision = Precision::double_double;
  return own;
}

/// Residues modulo odd numbers of so many bits at most.
bool all_below(const Arithmetic& arithmetic, unsigned bits) {
  return arithmetic.kind == Arithmetic::Kind::residues &&
         std::all_of(arithmetic.moduli.begin(), arithmetic.moduli.end(), [bits](const Modulus& modulus) {
           return modulus.prime != 0 && modulus.prime >> bits == 0;
         });
}

/// Of one modulus, whatever the others are.
Arithmetic alone(const Modulus& modulus) {
  Arithmetic arithmetic;
  arithmetic.moduli = {modulus};
  return arithmetic;
}

/// Empty where sets go one at a time.
std::optional<lanes::Variant> lanes_for(const Pairing& pairing, const Arithmetic& arithmetic,
                                        LaneChoice choice) {
  const std::optional<InstructionSet> set = instruction_set_for(choice);
  if (!set) return std::nullopt;
  const lanes::Variant variant = variant_of(*set);
  // The lanes' pairs come after those decided, and before the last.
  const unsigned free = pairing.shape.pairs - pairing.decided - 1;
  if (free < static_cast<unsigned>(std::countr_zero(variant.lanes))) return std::nullopt;
  if (arithmetic.kind == Arithmetic::Kind::floating) {
    if (!variant.floating || arithmetic.precision == Precision::mpfr) return std::nullopt;
    return variant;
  }
  if (!all_below(arithmetic, lanes::folded_bits)) return std::nullopt;
  return variant;
}

/// Looks at the stop signal once in a while, and at the clock of a slice.
class Pace {
 public:
  Pace(const StopSignal& stop, double seconds) : stop_(stop), seconds_(seconds) {}

  bool operator()() {
    if (steps_++ == 0) first_ = seconds_now();
    constexpr std::uint64_t look_mask = 15;
    if ((steps_ & look_mask) != 0) return true;
    if (stop_.requested()) {
      stopped_ = true;
      return false;
    }
    if (seconds_ == 0 || seconds_now() - first_ < seconds_) return true;
    cut_ = true;
    return false;
  }
  static bool asked(void* pace) { return (*static_cast<Pace*>(pace))(); }

  /// After the walk, which no exception may leave: the lanes' code knows none.
  void check() const {
    if (stopped_) stop_.check();
  }
  /// What a unit of so many steps takes that began at `start`.
  double unit_seconds(double start, double steps) const {
    const double now = seconds_now();
    if (!cut_) return now - start;
    return (first_ - start) + (now - first_) * steps / static_cast<double>(steps_);
  }

 private:
  const StopSignal& stop_;
  double seconds_;  // 0: any
  std::uint64_t steps_ = 0;
  double first_ = 0;
  bool stopped_ = false;
  bool cut_ = false;
};

/// What lanes walk in, one walk after another.
class LaneRoom {
 public:
  void* of_bytes(std::uint64_t bytes) {
    if (bytes > bytes_) {
      memory_ = allocate_aligned<void>(bytes);
      bytes_ = bytes;
    }
    return memory_.get();
  }

 private:
  AlignedPointer<void> memory_;
  std::uint64_t bytes_ = 0;
};

struct Unit {
  const AnyBlock& block;
  const Pairing& pairing;
  std::uint64_t number;
  Pace& pace;
  LaneRoom& room;

  const PairShape& shape() const { return pairing.shape; }
};

/// One set at a time; false signs: the sum of the sets' results, not of their differences.
template <Ring R>
typename R::Accumulator ring_sum(const R& ring, std::vector<typename R::Element> matrix, const Unit& unit,
                                 bool alternate) {
  std::vector<typename R::Element> storage(unit.shape().values(RingNumbers<R>::block), ring.zero());
  PairWalk<RingNumbers<R>> walk(RingNumbers<R>(ring), unit.shape(), storage.data());
  for (unsigned row = 1; row < unit.shape().vertices(0); ++row) {
    for (unsigned column = 0; column < row; ++column)
      walk.entry(row, column) = std::move(matrix[entry_index(row, column)]);
  }
  typename R::Accumulator sum = ring.empty_sum();
  const SignedWeight before = decide_pairs(walk, unit.shape(), unit.pairing.decided, unit.number);
  walk_sets(walk, unit.shape(), unit.pairing.decided, sum, before, alternate, [&] { return unit.pace(); });
  return sum;
}

/// What all lanes add up to, as `sums` of Task.
template <class Word>
std::vector<Word> lane_sums(const lanes::Variant& variant, lanes::Task task, const std::vector<Word>& entries,
                            const Unit& unit) {
  std::vector<Word> sums(std::size_t{variant.lanes} * lanes::sum_words(task.kind));
  task.shape = unit.shape();
  task.entries = entries.data();
  task.first = unit.pairing.decided;
  task.unit = unit.number;
  task.storage = unit.room.of_bytes(lanes::storage_bytes(unit.shape(), task.kind, variant.lanes));
  task.go_on = &Pace::asked;
  task.caller = &unit.pace;
  task.sums = sums.data();
  variant.run(task);
  return sums;
}
bool lane_is_negative(std::size_t lane) {
  return std::popcount(lane) % 2 != 0;
}

std::uint64_t residue_by_lanes(const lanes::Variant& variant, std::uint64_t prime, const Unit& unit) {
  const ResidueLane constants(static_cast<std::uint32_t>(prime));
  const std::vector<std::uint64_t> entries = word_entries(unit.block, unit.pairing, prime);
  lanes::Task task{};
  task.kind = lanes::Kind::residues;
  task.prime = prime;
  task.word_power = constants.word_power;
  task.one = constants.word_power;
  task.minus_inverse = constants.minus_inverse;
  task.alternate = true;
  const std::vector<std::uint64_t> sums = lane_sums(variant, task, entries, unit);
  std::uint64_t total = 0;
  for (std::size_t lane = 0; lane < sums.size(); ++lane)
    total += lane_is_negative(lane) ? prime - sums[lane] : sums[lane];
  return constants.out_of_words(total);
}

/// Adds the lanes' sums, without rounding beyond the ball's.
void add_lanes(const lanes::Variant& variant, lanes::Kind kind, const std::vector<double>& entries,
               const Unit& unit, bool alternate, Ball& ball) {
  lanes::Task task{};
  task.kind = kind;
  task.alternate = alternate;
  const std::vector<double> sums = lane_sums(variant, task, entries, unit);
  const unsigned words = lanes::sum_words(kind);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const bool negative = alternate && lane_is_negative(k / words);
    add_exactly(k % words < 2 ? ball.re : ball.im, negative ? -sums[k] : sums[k], ball.error);
  }
}

/// The unit's sum of what its sets would give of entries of these sizes, from above.
double magnitudes_of(const std::vector<double>& sizes, const Unit& unit, LaneChoice choice) {
  Arithmetic doubles;
  doubles.kind = Arithmetic::Kind::floating;
  doubles.precision = Precision::plain;
  Ball ball = zero_ball(ball_bits(doubles));
  if (const auto variant = lanes_for(unit.pairing, doubles, choice)) {
    add_lanes(*variant, lanes::Kind::real, sizes, unit, false, ball);
  } else {
    DoubleRing().store(ring_sum(DoubleRing(), sizes, unit, false), ball);
  }
  return ball.re.to_double(MPFR_RNDU) * of_magnitudes;
}

Ball floating_unit(const Unit& unit, const Arithmetic& arithmetic, LaneChoice choice) {
  Ball ball = zero_ball(ball_bits(arithmetic));
  const bool complex = is_complex(unit.block);
  const std::optional<lanes::Variant> variant = lanes_for(unit.pairing, arithmetic, choice);
  const lanes::Kind kind = kind_of(arithmetic, complex);
  with_floating_ring(arithmetic, complex, [&](const auto& ring) {
    using R = std::decay_t<decltype(ring)>;
    const Entries<R> entries = entries_of(ring, unit.block, unit.pairing);
    const Sizes sizes = sizes_of(ring, entries);
    bool in_lanes = false;
    if constexpr (!std::is_same_v<R, MpfrRing> && !std::is_same_v<R, ComplexRing<MpfrRing>>) {
      if (variant) {
        in_lanes = true;
        add_lanes(*variant, kind, in_words(ring, entries.matrix), unit, true, ball);
      }
    }
    if (!in_lanes) ring.store(ring_sum(ring, entries.matrix, unit, true), ball);
    const std::uint64_t sets = unit.pairing.sets;
    const Errors errors = variant
                              ? lane_errors(kind, unit.shape(), static_cast<double>(sets))
                              : Errors{std::max(ring.add_error(), ring.mul_error()), ring.sum_error(sets)};
    const double magnitudes = magnitudes_of(sizes.size, unit, choice);
    add_error(ball, unit.shape(), errors, magnitudes, lost_below(sizes.smallest, unit.shape()));
    scale_by_power_of_two(ball, entries.exponent);
  });
  return ball;
}

uint128 residue_of(const Unit& unit, const Modulus& modulus, const std::optional<lanes::Variant>& variant) {
  if (variant) return residue_by_lanes(*variant, modulus.prime, unit);
  return with_exact_ring(modulus, [&](const auto& ring) {
    return ring.to_residue(ring_sum(ring, entries_of(ring, unit.block, unit.pairing).matrix, unit, true));
  });
}

}  // namespace

lanes::Kind kind_of(const Arithmetic& given, bool complex) {
  if (given.kind == Arithmetic::Kind::residues) return lanes::Kind::residues;
  if (given.precision == Precision::plain) return complex ? lanes::Kind::complex : lanes::Kind::real;
  return complex ? lanes::Kind::complex_pair : lanes::Kind::real_pair;
}

bool has_small_primes(const Arithmetic& arithmetic) {
  return all_below(arithmetic, lanes::prime_bits);
}

FloatingEntries floating_entries(const AnyBlock& block, const Pairing& pairing, const Arithmetic& given) {
  const Arithmetic arithmetic = own_arithmetic(given);
  FloatingEntries result;
  result.kind = kind_of(arithmetic, is_complex(block));
  with_floating_ring(arithmetic, is_complex(block), [&](const auto& ring) {
    using R = std::decay_t<decltype(ring)>;
    if constexpr (!std::is_same_v<R, MpfrRing> && !std::is_same_v<R, ComplexRing<MpfrRing>>) {
      const Entries<R> entries = entries_of(ring, block, pairing);
      result.words = in_words(ring, entries.matrix);
      result.sizes = sizes_of(ring, entries);
      result.exponent = entries.exponent;
    } else {
      throw std::logic_error("floating_entries: MPFR numbers have no words");
    }
  });
  return result;
}

std::vector<std::uint64_t> word_entries(const AnyBlock& block, const Pairing& pairing, std::uint64_t prime) {
  const PrimeRing ring(prime);
  const std::uint64_t word = ResidueLane(static_cast<std::uint32_t>(prime)).word_power;
  std::vector<std::uint64_t> entries;
  for (const std::uint64_t value : entries_of(ring, block, pairing).matrix)
    entries.push_back(static_cast<std::uint64_t>(ring.to_residue(value)) * word % prime);
  return entries;
}

Partial run_unit(const AnyBlock& block, const Pairing& pairing, const Arithmetic& given, LaneChoice choice,
                 std::uint64_t number, const StopSignal& stop) {
  stop.check();
  const Arithmetic arithmetic = own_arithmetic(given);
  Pace pace(stop, 0);
  LaneRoom room;
  const Unit unit{block, pairing, number, pace, room};
  if (arithmetic.kind == Arithmetic::Kind::floating) {
    Ball ball = floating_unit(unit, arithmetic, choice);
    pace.check();
    return ball;
  }
  Residues result;
  for (const Modulus& modulus : arithmetic.moduli) {
    result.residue.push_back(residue_of(unit, modulus, lanes_for(unit.pairing, alone(modulus), choice)));
    pace.check();
  }
  return result;
}

SliceTime time_unit(const AnyBlock& block, const Pairing& pairing, const Arithmetic& given, LaneChoice choice,
                    double seconds, const StopSignal& stop) {
  const Arithmetic arithmetic = own_arithmetic(given);
  // Every other pair left out, as on average.
  const std::uint64_t number = 0x5555 % pairing.units;
  const std::optional<lanes::Variant> variant = lanes_for(pairing, arithmetic, choice);
  const double sets = static_cast<double>(pairing.sets);
  const double steps = variant ? sets / variant->lanes : sets;
  SliceTime time;
  const double start = seconds_now();
  LaneRoom room;
  do {
    const double begin = seconds_now();
    Pace pace(stop, seconds);
    const Unit unit{block, pairing, number, pace, room};
    if (arithmetic.kind == Arithmetic::Kind::floating) {
      floating_unit(unit, arithmetic, choice);
    } else {
      residue_of(unit, arithmetic.moduli.front(), variant);
    }
    pace.check();
    time.seconds += pace.unit_seconds(begin, steps);
    time.sets += sets;
  } while (seconds_now() - start < seconds);
  return time;
}

unsigned lanes_of(const Pairing& pairing, const Arithmetic& given, LaneChoice choice) {
  const std::optional<lanes::Variant> variant = lanes_for(pairing, own_arithmetic(given), choice);
  return variant ? variant->lanes : 1;
}

double log2_products(const PairShape& shape) {
  double total = 0;
  double nodes = 1;
  for (unsigned level = 0; level + 1 < shape.pairs;) {
    const unsigned first = level;
    const unsigned end = shape.group_end[first];
    const double each = end * (end + 1.0) / 2;  // of two polynomials with all their coefficients
    for (; level < end; ++level)
      total += nodes * each * (2.0 * shape.polynomials(level + 1) + 1 + shape.monomers);
    nodes *= end - first + 1.0;
  }
  const double last = shape.pairs * (1 + shape.monomers * (shape.pairs + 1.0) / 2);
  return std::log2(total + nodes * std::max(last, 1.0));
}

std::uint64_t bytes_of(const PairShape& shape, const Arithmetic& arithmetic) {
  const auto of_lanes = [&](lanes::Kind kind) {
    return std::uint64_t{lanes::storage_bytes(shape, kind, lanes::most_lanes)};
  };
  if (arithmetic.kind == Arithmetic::Kind::residues) return of_lanes(lanes::Kind::residues);
  return std::max({of_lanes(lanes::Kind::complex), of_lanes(lanes::Kind::complex_pair),
                   std::uint64_t{shape.values(1)} * element_bytes(arithmetic)});
}

}  // namespace countpm::pair_sets
