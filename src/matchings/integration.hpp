#pragma once
// How much ln Z changes as a weight does: ln Z(x = to) - ln Z(x = from), which is the integral of the mean
// number of edges of weight x over ln x (thermodynamic integration). It is not found by a quadrature, but as
// the ratio that it is (ratio.hpp): an error of quadrature there is none, and the samples are fewer
// (ratio_apart.hpp says why).
#include <string_view>

#include "src/matchings/ratio.hpp"

namespace countpm {

/// "x=1:4": positive numbers, decimals for the fractions that they spell. Throws UsageError.
LetterRange letter_range(std::string_view text);

/// Z(to) / Z(from), as ratio() has it. Throws as that; UsageError where the weights have not this letter, or
/// others beside it.
RatioResult integrate(const Source& source, const ReadOptions& read_options, const LetterRange& range,
                      const CountOptions& count_options, const EstimateOptions& options);
RatioResult integrate(const ReadResult& read, const LetterRange& range, const CountOptions& count_options,
                      const EstimateOptions& options);
/// What another rank does while rank 0 integrates over a source.
void follow_integral(const Source& source, const ReadOptions& read_options, const LetterRange& range,
                     const CountOptions& count_options, const EstimateOptions& options);
/// As explain_ratio().
SamplingForecast explain_integral(const Source& source, const ReadOptions& read_options,
                                  const LetterRange& range, const CountOptions& count_options,
                                  const EstimateOptions& options);
SamplingForecast explain_integral(const ReadResult& read, const LetterRange& range,
                                  const CountOptions& count_options, const EstimateOptions& options);

}  // namespace countpm
