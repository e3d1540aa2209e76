#pragma once
// Which states of a population stay (population.hpp says by what rule), for the CPU and the device alike.
//
// Sums are of integers, so that they are the same in whatever order, and by however many threads, they are
// made: of priorities to find the threshold c, and of shares, the probabilities with which states stay. A
// share is rounded up, and a state that stays has its priority divided by its share: no rounding of theirs
// bears on a mean. Precondition throughout: priorities are at most 1.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// 2^exponent as a product of two, as one of them might not be a double.
class PowerOfTwo {
 public:
  /// Precondition: |exponent| <= 1100.
  explicit COUNTPM_HD PowerOfTwo(int exponent)
      : first_(power(exponent / 2)), second_(power(exponent - exponent / 2)) {}
  COUNTPM_HD double times(double value) const { return value * first_ * second_; }

 private:
  static COUNTPM_HD double power(int exponent) {
    const std::uint64_t bits = static_cast<std::uint64_t>(exponent + 1023) << 52;
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  double first_;
  double second_;
};

/// e with 1/2 <= value * 2^-e < 1. Precondition: 0 < value < infinity.
COUNTPM_HD inline int exponent_of(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return exponent;
}

/// Looks for c with sum min(1, g / c) = members, from the mean down: those of g >= c are set aside, c is the
/// mean of the others, until none is set aside any more.
class ThresholdSearch {
 public:
  /// Of so many states.
  COUNTPM_HD ThresholdSearch(std::uint64_t states, std::uint32_t members) : members_(members) {
    int bits = 62;
    for (; states > 0; states /= 2) --bits;
    unit_ = PowerOfTwo(bits).times(1.0);
  }
  /// A priority as an integer: the parts of all states have a sum below 2^63.
  COUNTPM_HD std::uint64_t part(double priority) const {
    return static_cast<std::uint64_t>(priority * unit_) + 1;
  }
  COUNTPM_HD void begin(std::uint64_t all_parts) { set(all_parts, members_); }
  COUNTPM_HD double threshold() const { return threshold_; }
  /// Told how many have a priority of at least threshold(), and the parts of the others: whether it has
  /// changed.
  COUNTPM_HD bool go_on(std::uint64_t large, std::uint64_t other_parts) {
    if (large == large_ || large >= members_ || other_parts == 0 || ++rounds_ == most_rounds) return false;
    large_ = large;
    set(other_parts, members_ - large);
    return true;
  }

 private:
  static constexpr int most_rounds = 64;

  COUNTPM_HD void set(std::uint64_t parts, std::uint64_t wanted) {
    threshold_ = static_cast<double>(parts) / unit_ / static_cast<double>(wanted);
  }

  std::uint32_t members_;
  double unit_ = 1;
  double threshold_ = 0;
  std::uint64_t large_ = 0;
  int rounds_ = 0;
};

/// Systematic sampling over states in their order.
class KeepByShares {
 public:
  /// number: random.
  COUNTPM_HD KeepByShares(double threshold, std::uint32_t members, std::uint64_t number)
      : threshold_(threshold) {
    bits_ = 62;
    for (; members > 0; members /= 2) --bits_;
    if (bits_ > most_bits) bits_ = most_bits;
    whole_ = std::uint64_t{1} << bits_;
    shares_a_unit_ = static_cast<double>(whole_) / threshold;
    first_ = number >> (64 - bits_);
  }

  /// The probability with which a state stays, in units of 1 / share(infinity), rounded up.
  COUNTPM_HD std::uint64_t share(double priority) const {
    if (priority >= threshold_) return whole_;
    const std::uint64_t below = static_cast<std::uint64_t>(priority * shares_a_unit_) + 1;
    return below < whole_ ? below : whole_;
  }
  /// How many stay of the states whose shares have the sum `below`: the state after them stays where its
  /// share adds one. Of all states together at most one more than the members.
  COUNTPM_HD std::uint64_t kept(std::uint64_t below) const {
    return (below + (whole_ - 1) - first_) >> bits_;
  }
  /// What a state has that stays.
  COUNTPM_HD double kept_priority(double priority, std::uint64_t share) const {
    return share == whole_ ? priority : priority * static_cast<double>(whole_) / static_cast<double>(share);
  }

 private:
  static constexpr unsigned most_bits = 52;

  double threshold_;
  double shares_a_unit_;
  std::uint64_t whole_;  // the share of what stays for certain: 2^bits_
  std::uint64_t first_;
  unsigned bits_;
};

}  // namespace countpm
