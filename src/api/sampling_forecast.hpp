#pragma once
// What samples would be drawn for a question, by which sampler, and how long that is predicted to take.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "kernels/estimate/samples/population_report.hpp"
#include "src/api/results.hpp"

namespace countpm {

/// One piece of the graph, or block; of a comparison one of its estimates.
struct PieceForecast {
  std::uint64_t rows = 0;     // where it is general, vertices; 0 of a comparison, which is of all blocks
  std::uint64_t entries = 0;  // ... and edges
  bool general = false;       // a graph with odd cycles, or with vertices that may stay alone
  std::string of;             // which graph's, where a ratio draws each sum for itself; else empty
  std::string sampler;
  std::uint64_t samples = 0;  // predicted to reach the goal; 0: trial samples do not tell how many
  double seconds = 0;         // of these and of those that check them; infinity: not known
  /// Another sampler that would check them, and how many it is predicted to draw; empty: none.
  std::string second;
  std::uint64_t second_samples = 0;
  std::uint64_t trials = 0;  // samples that this rests on: the first of those that would be drawn
  double effective_trials = 0;
  double pareto_k = std::numeric_limits<double>::quiet_NaN();  // of the trials; NaN: no tail
  std::optional<PopulationReport> population;                  // of that sampler alone
  std::string doubt;     // that the trials alone would leave; empty: none
  std::string obstacle;  // why it would not be drawn; empty: it would
};

/// Which question a forecast is of.
enum class SampledQuestion { count, ratio, edge_probabilities, comparison };

/// Nothing is said of the number itself: trial samples serve the prediction alone.
struct SamplingForecast : InputSummary {
  SampledQuestion question = SampledQuestion::count;
  std::optional<InputInfo> other;  // of a ratio
  std::string goal;                // "a standard error of 0.01 in ln of the ratio"
  /// Whether all is counted, so that nothing is drawn. A comparison: whether there is an exact count.
  bool counted = false;
  double count_seconds = 0;  // predicted for what is counted
  std::vector<PieceForecast> pieces;
  double seconds = 0;  // all together; infinity: not known
  double time_limit_seconds = 0;
  bool feasible = true;  // within the time limit; of a comparison each estimate is
  std::uint64_t seed = 0;
  int threads = 1;
  std::optional<ViolatorReport> violator;  // why there is nothing to draw
  std::vector<std::string> notes;
};

}  // namespace countpm
