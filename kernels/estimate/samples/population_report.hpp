#pragma once
// What is told of a sampler by populations, and of the guess that was fitted for it.
#include <cstdint>
#include <optional>

namespace countpm {

/// A guess that was fitted to what states of a population are worth (population/fit_guess.hpp).
struct FittedGuess {
  std::uint32_t states = 0;   // of each step that it was fitted to
  std::uint64_t factors = 0;  // by which steps multiply priorities
  double seconds = 0;         // that the fit took
  /// The relative variance of a sample, by a few pilots of so many states each, with the guess by columns and
  /// with this one; infinity where pilots met nothing but dead ends.
  std::uint32_t pilot_states = 0;
  double variance_before = 0;
  double variance_after = 0;
  bool kept = false;  // whether samples are drawn with it: where they take less time to the goal then
};

struct PopulationReport {
  std::uint32_t states = 0;          // that stay alive, at most
  std::optional<FittedGuess> guess;  // empty: none was fitted
};

}  // namespace countpm
