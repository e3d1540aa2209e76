#pragma once
// What estimates and comparisons would draw, and how long that is predicted to take: by trial samples. The
// numbers themselves are not told.
#include "src/api/sampling_forecast.hpp"
#include "src/estimate/compare.hpp"

namespace countpm {

/// An entry for each block that estimate() would sample; blocks that it would count are counted, as that is
/// quick. Throws as estimate() does; UsageError with a guarantee, which is refused with its own prediction,
/// and with replicates.
SamplingForecast explain_estimate(const Source& source, const ReadOptions& read_options,
                                  const CountOptions& count_options, const EstimateOptions& options);
SamplingForecast explain_estimate(const ReadResult& read, const CountOptions& count_options,
                                  const EstimateOptions& options);

/// Whether compare() would count, as explain() says, and an entry for each of its estimates. Those that it
/// would leave out have an obstacle. Throws as compare() does, but where all are left out.
SamplingForecast explain_comparison(const Source& source, const ReadOptions& read_options,
                                    const CountOptions& count_options,
                                    const EstimateOptions& estimate_options, const CompareOptions& options);

}  // namespace countpm
