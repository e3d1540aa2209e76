#pragma once
// One of a walk's choices, by its share.
#include <cstddef>

#include "kernels/estimate/walks/strata.hpp"

namespace countpm {

struct DrawnChoice {
  std::size_t pick = 0;
  double share = 1;
};

/// One of the choices, with the probability that is its `share`; they add up to 1. A single one takes no
/// random number and is certain, whatever its share says. Precondition: there is one.
template <class Choices, class Random>
DrawnChoice draw_choice(const Choices& choices, Random& random) {
  DrawnChoice drawn;
  if (choices.size() == 1) return drawn;
  const double place = uniform(random);
  double low = 0;
  while (drawn.pick + 1 < choices.size() && place >= low + choices[drawn.pick].share)
    low += choices[drawn.pick++].share;
  drawn.share = choices[drawn.pick].share;
  chosen(random, low, drawn.share);
  return drawn;
}

}  // namespace countpm
