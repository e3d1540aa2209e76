#pragma once
// Stratification over the first rows: the walks of a group take their first choices systematically.
//
// Walk m of M has the place (m + u) / M, 0 <= m < M, with one u uniform in [0, 1) for all. A choice of
// probability p whose places are [low, low + p) is taken where the place lies there, and (place - low) / p is
// the place that remains: uniform again, so that each walk has the law that it would have alone, and the
// group's mean the same expectation. A partial matching of probability p (a stratum) is met by floor(p M) or
// ceil(p M) walks: about in proportion, and where p M falls below 1 the walks go on with random numbers of
// their own. W. G. Cochran, Sampling Techniques, chapter 8 (systematic sampling).
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/arithmetic/uniform.hpp"

namespace countpm {

/// In place of the random numbers of a walk. Precondition: 0 <= place < 1; at most 2^16 walks, which leaves
/// 37 bits of the place to the last choice that it decides.
template <class Random>
class StratifiedRandom {
 public:
  COUNTPM_HD StratifiedRandom(Random& random, double place, double walks)
      : random_(random), place_(place), walks_(walks) {}

  /// Whether other walks of the group are expected where this one is.
  COUNTPM_HD bool in_strata() const { return walks_ > 1; }
  COUNTPM_HD double place() const { return place_; }
  /// What was chosen has the places [low, low + share).
  COUNTPM_HD void chosen(double low, double share) {
    if (!in_strata()) return;
    place_ = (place_ - low) / share;
    if (!(place_ > 0)) place_ = 0;
    if (!(place_ < 1)) place_ = 1 - 0x1p-53;
    walks_ *= share;
  }

  COUNTPM_HD std::uint64_t next() { return random_.next(); }
  /// By 32 random bits, where the place does not decide.
  COUNTPM_HD std::uint32_t below(std::uint32_t bits, std::uint32_t bound) {
    if (!in_strata()) return random_.below(bits, bound);
    const auto whole = static_cast<double>(bound);
    auto pick = static_cast<std::uint32_t>(place_ * whole);
    if (pick >= bound) pick = bound - 1;
    chosen(static_cast<double>(pick) / whole, 1 / whole);
    return pick;
  }

 private:
  Random& random_;
  double place_;
  double walks_;
};

/// In [0, 1), multiples of 2^-53; in strata the place.
template <class Random>
COUNTPM_HD double uniform(Random& random) {
  return unit_interval(random.next());
}
template <class Random>
COUNTPM_HD double uniform(StratifiedRandom<Random>& random) {
  return random.in_strata() ? random.place() : unit_interval(random.next());
}

/// After uniform() has led to a choice.
template <class Random>
COUNTPM_HD void chosen(Random&, double, double) {}
template <class Random>
COUNTPM_HD void chosen(StratifiedRandom<Random>& random, double low, double share) {
  random.chosen(low, share);
}

/// One of `ties` rows at random, by 32 random bits; in strata the first, so that walks with the same choices
/// have the same rows.
template <class Random>
COUNTPM_HD std::uint32_t one_of(Random& random, std::uint32_t bits, std::uint32_t ties) {
  return random.below(bits, ties);
}
template <class Random>
COUNTPM_HD std::uint32_t one_of(StratifiedRandom<Random>& random, std::uint32_t bits, std::uint32_t ties) {
  return random.in_strata() ? 0 : random.below(bits, ties);
}
/// The same by the next number's high bits, where there is a choice.
template <class Random>
COUNTPM_HD std::uint32_t next_of(Random& random, std::uint32_t ties) {
  return ties > 1 ? one_of(random, static_cast<std::uint32_t>(random.next() >> 32), ties) : 0;
}

}  // namespace countpm
