#pragma once
// Which sampler draws, and how: what a user may ask of it.
#include <cstdint>
#include <optional>

namespace countpm {

enum class SamplerKind {
  rasmussen,
  rasmussen_plus,
  scaling,
  scaling_plus,
  bethe,
  population,
  godsil_gutman,
  godsil_gutman_complex,
  godsil_gutman_quaternion,
  boundary,
  annealed
};

constexpr std::uint32_t default_scale_steps = 4;

struct SamplerOptions {
  /// Of a graph with odd cycles or monomers: bethe, boundary or annealed, and empty whichever of the first
  /// two does better in pilot samples (graph_sampler.hpp). Of others, empty: whichever of bethe, population
  /// and boundary is predicted to take the least time until the mean is known, by pilot samples and fixed
  /// prices of what samples are made of (sampler.cpp, pilot_spread.hpp). What only one of them knows settles
  /// it:
  /// `population`; `prune` and the `scale_...` (scaling_plus); `tail_rows` or `strata` (bethe).
  std::optional<SamplerKind> kind;
  /// Where nothing is asked for: bethe or population, which GPUs can draw.
  bool for_gpu = false;
  /// Drop the entries in no perfect matching at every step. Empty: scaling+ does, up to 1024 rows. Not for
  /// bethe, which does so as far as it pays.
  std::optional<bool> prune;
  /// scaling: every so many rows (0: one for every 512 rows of the block) ...
  std::uint32_t scale_interval = 0;
  std::optional<std::uint32_t> scale_steps;  // ... so many sweeps of Sinkhorn's scaling; empty: 4
  /// At most so many last rows are counted exactly (at most 64); 0: none. Empty: as many as take some hundred
  /// states, found by three samples that are thrown away.
  std::optional<std::uint32_t> tail_rows;
  /// A sample is the mean of so many walks, 1 .. most_strata, whose first choices are stratified
  /// (strata.hpp). Empty: 1.
  std::optional<std::uint32_t> strata;
  /// population: at most so many states stay alive, 1 .. most_population (population.hpp). Empty: from 128 on
  /// four times as many until samples are spread by at most 6 %, or until a sample takes some 50 ms.
  std::optional<std::uint32_t> population;
};
constexpr std::uint32_t most_strata = 1 << 16;

}  // namespace countpm
