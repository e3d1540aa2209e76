#pragma once
// Whether a block is sampled by populations, and of how many states.
#include <cstdint>
#include <optional>

#include "kernels/estimate/population/population.hpp"
#include "kernels/estimate/samples/sampler.hpp"

namespace countpm {

struct ChosenPopulation {
  PopulationPlan plan;
  std::uint32_t members = 0;
  double spread = 0;  // of pilot samples, in ln, where they chose the members
};

/// As SamplerOptions say, whose kind is empty or population; nothing where populations are not chosen. Where
/// members are left open, pilot samples of random numbers of their own (substreams that no sample has) choose
/// them. Throws UnableError where a population is asked for and more than most_population_width columns are
/// live at a time; unasked, nothing where more than `most_width` are. `row_factor`: as of plan_population.
std::optional<ChosenPopulation> choose_population(const AnyBlock& block, const SampleMatrix& matrix,
                                                  const std::vector<double>& row_factor,
                                                  const SamplerOptions& options, std::uint32_t most_width,
                                                  std::uint64_t seed, std::uint64_t stream);

}  // namespace countpm
