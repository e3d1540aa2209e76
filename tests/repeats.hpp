#pragma once
// How often a test does the same thing with other numbers.

namespace countpm::testing {

#ifdef COUNTPM_SANITIZED
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

/// `all` repetitions, or a sixth of them under the sanitizers: those look for what a path does wrong, which
/// shows at once, and take ten times as long.
template <class Number>
constexpr Number repeats(Number all) {
  return sanitized ? (all + 5) / 6 : all;
}

}  // namespace countpm::testing
