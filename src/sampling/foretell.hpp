#pragma once
// From trial samples to what a goal takes: errors fall as one over the root of the samples, and time grows
// with them.
#include <cstdint>

#include "src/api/entries.hpp"
#include "src/api/sampling_forecast.hpp"
#include "src/sampling/sample_chunks.hpp"

namespace countpm {

/// How long trials may take, of all pieces together. One chunk of each is drawn whatever it takes.
constexpr double trial_seconds = 2;

/// The trials of a piece: the first of the samples that would be drawn, until the goal or until their time.
struct TrialSamples {
  std::uint64_t drawn = 0;
  double seconds = 0;
  bool reached = false;  // the goal
  ChunkGoal goal;        // how far they are from it
};

/// Of the question, with the input's summary, and nothing foretold yet.
SamplingForecast begin_forecast(SampledQuestion question, const InputSummary& input,
                                double time_limit_seconds, const CountOptions& options);
/// Fills in samples and seconds. exactly: so many are asked for; 0: the goal decides. O(1).
void foretell(const TrialSamples& trials, std::uint64_t exactly, PieceForecast& piece);
/// Adds up the pieces' times, with what stands in `seconds` before, and compares them with the time limit.
void add_up(SamplingForecast& forecast);

}  // namespace countpm
