#pragma once
// How often a test does the same thing with other numbers.
#include <cmath>
#include <cstdlib>

namespace countpm::testing {

/// Whether what is tested is: this program, or the one that it runs (tests/cli/programs.hpp).
#ifdef COUNTPM_SANITIZED
constexpr bool sanitized = true;
#else
inline const bool sanitized = std::getenv("COUNTPM_SANITIZED_PROGRAMS") != nullptr;
#endif

/// COUNTPM_TEST_MULTIPLIER, 1 by default; with 3 tests make all their repetitions (scripts/test).
inline double multiplier() {
  static const double given = [] {
    const char* text = std::getenv("COUNTPM_TEST_MULTIPLIER");
    return text == nullptr ? 1.0 : std::atof(text);
  }();
  return given > 0 ? given : 1;
}

/// `all` repetitions with a multiplier of 3, a third of them by default, or a sixth under the sanitizers
/// (scripts/test: an eighteenth): those look for what a path does wrong, which shows at once, and take ten
/// times as long.
template <class Number>
Number repeats(Number all) {
  const double share = multiplier() / (sanitized ? 6 : 3);
  return static_cast<Number>(std::ceil(static_cast<double>(all) * share - 1e-6));
}

/// Of what a test meets more than `all` times in all repetitions, how often it does so at least in these: as
/// often as the share of the repetitions says, and half of that where they are few, as chance decides more.
template <class Number>
Number fewest(Number all) {
  const double share = multiplier() / (sanitized ? 6 : 3);
  return static_cast<Number>(std::floor(static_cast<double>(all) * share * (share < 0.3 ? 0.5 : 1.0)));
}

}  // namespace countpm::testing
