#pragma once
// Whether a block is sampled by populations, and of how many states.
#include <cstdint>
#include <optional>

#include "kernels/estimate/population/population.hpp"
#include "kernels/estimate/samples/population_report.hpp"
#include "kernels/estimate/samples/sampler.hpp"

namespace countpm {

struct ChosenPopulation {
  PopulationPlan plan;
  std::uint32_t members = 0;
  std::uint32_t affordable = 0;  // the most members that steady pilot samples may choose; 0: these are given
  double spread = 0;             // of pilot samples, in ln, where they choose the members
  double work = 0;               // about how many nanoseconds a sample takes
  std::optional<FittedGuess> guess;
};

/// As SamplerOptions say, whose kind is empty or population. Where members are left open these are the
/// fewest, with pilot samples of random numbers of their own (substreams that no sample has):
/// grow_population() goes on. Throws UnableError where a population is asked for and more than
/// most_population_width columns are live at a time; unasked, nothing where more than `most_width` are.
/// `row_factor`: as of plan_population.
/// Pilots and fits are on SpareThreads::here() threads, here and below: they say the same on any number.
std::optional<ChosenPopulation> begin_population(const AnyBlock& block, const SampleMatrix& matrix,
                                                 const std::vector<double>& row_factor,
                                                 const SamplerOptions& options, std::uint32_t most_width,
                                                 std::uint64_t seed, std::uint64_t stream);
/// Four times as many members, again and again, until samples are steady or a sample would take too long
/// (some 50 ms, a second where fewer are spread far);
/// where `most_work` is finite until pilots would take more nanoseconds, or more members make it worse.
void grow_population(ChosenPopulation& chosen, double most_work, std::uint64_t seed, std::uint64_t stream);

/// Fits the guess to a population (fit_guess.hpp), where that takes at most `most_work` nanoseconds and a
/// quarter of the samples' time, and keeps it where pilots say that samples take less then. To fewer states
/// than it may have where all of them would take more than a small part of that time.
/// Part of grow_population().
void fit_guess(ChosenPopulation& chosen, double most_work, std::uint64_t seed, std::uint64_t stream);

/// About how many nanoseconds that takes; infinity where no guess is fitted.
double work_of_fit(const ChosenPopulation& chosen);

/// The spread by more pilots.
void look_closer(ChosenPopulation& chosen, std::uint64_t seed, std::uint64_t stream);

/// How long samples take until their mean is known (pilot_spread.hpp).
double work_to_goal(const ChosenPopulation& population);

/// Whether samples spread so far can be drawn from.
bool steady_population(const ChosenPopulation& chosen);

}  // namespace countpm
