#pragma once
// Z(A) / Z(B) of two graphs, or of one with two sets of weights, on the same vertices.
//
// Where both can be counted within EstimateOptions::exact_below_seconds the quotient is exact. Otherwise the
// matchings are drawn from the graph C that has the edges of both, each of the mean of its two weights, and
// every one of them is a sample of both sums: with the chance q of a matching M, A(M) / q has the mean Z(A)
// and B(M) / q the mean Z(B). What both sums have in common cancels: the error is that of their difference,
// far below that of two estimates where A and B are alike. ln of the quotient of the means has the variance
// of A / mean(A) - B / mean(B), over the number of samples (the delta method). Importance sampling of ratios:
// X.-L. Meng, W. H. Wong, Statistica Sinica 6 (1996); mixtures as proposals: T. Hesterberg, Technometrics 37
// (1995). Where A and B are so far apart that two estimates say more, as trial samples tell, they are made
// (ratio_apart.hpp).
#include <functional>
#include <string>
#include <utility>

#include "src/api/entries.hpp"
#include "src/api/estimate_result.hpp"
#include "src/api/ratio_result.hpp"
#include "src/api/sampling_forecast.hpp"

namespace countpm {

/// Of EstimateOptions the sampler (boundary, bethe or annealed), its second opinion, errors, confidence,
/// samples, time limit and what is to be exact are used. What is drawn does not depend on the threads. Throws
/// as count() does; InputError where the vertices are others; UnableError where B has no perfect matching,
/// for negative and complex weights, and where samples say nothing.
RatioResult ratio(const Source& a, const Source& b, const ReadOptions& read_options,
                  const CountOptions& count_options, const EstimateOptions& options);
/// Of graphs in memory a checkpoint is kept where InputInfo::sha256 says which ones they are.
RatioResult ratio(const ReadResult& a, const ReadResult& b, const CountOptions& count_options,
                  const EstimateOptions& options);

/// Of two graphs that are made of one input, first over second; integral: as JournalRatio has it.
struct RatioEnds {
  std::string integral;
  std::function<std::pair<ReadResult, ReadResult>(const ReadResult& read)> make;
};
RatioResult ratio_of_ends(const Source& source, const RatioEnds& ends, const ReadOptions& read_options,
                          const CountOptions& count_options, const EstimateOptions& options);
RatioResult ratio_of_ends(const ReadResult& read, const RatioEnds& ends, const CountOptions& count_options,
                          const EstimateOptions& options);

/// What ratio() would draw, and how long that is predicted to take: by trial samples, the first of those that
/// it would draw, for about two seconds. The ratio itself is not told. Throws as ratio() does.
SamplingForecast explain_ratio(const Source& a, const Source& b, const ReadOptions& read_options,
                               const CountOptions& count_options, const EstimateOptions& options);
SamplingForecast explain_ratio(const ReadResult& a, const ReadResult& b, const CountOptions& count_options,
                               const EstimateOptions& options);

/// What another rank does while rank 0 draws for ratio() of two sources, or ratio_of_ends() of one; as those
/// of follow_matchings.hpp.
void follow_ratio(const Source& a, const Source& b, const ReadOptions& read_options,
                  const CountOptions& count_options, const EstimateOptions& options);
void follow_ratio_of_ends(const Source& source, const RatioEnds& ends, const ReadOptions& read_options,
                          const CountOptions& count_options, const EstimateOptions& options);

}  // namespace countpm
