#pragma once
// An estimate in parts: each draws samples of its own numbers, and all together are those of one estimate.
#include <cstdint>
#include <string>
#include <vector>

#include "src/estimate/estimate.hpp"

namespace countpm {

struct EstimateSplit {
  std::uint64_t samples = 0;     // of every block that is sampled; of a guarantee trials, of all blocks
  double predicted_seconds = 0;  // of all parts together, by one thread
};
/// Writes as many journals as there are files, none of which may be there yet: each with a range of the
/// numbers of the samples, about equally many, to be resumed by itself on any machine (resume_estimate_part).
/// EstimateOptions::samples says how many there are in all; of a guarantee parts draw as many trials as are
/// expected to do, and an eighth more, and whoever merges them what is missing still. Blocks that are easy to
/// count, and second samplers, are of whoever merges the parts: CheckpointOptions::merge of an estimate()
/// with the same options, which then is the one that draws all by itself. The source is a file or a lattice.
/// Throws as estimate() does; UsageError without a number of samples, and for replicates and weights of
/// samples; UnableError where nothing is left to sample.
EstimateSplit split_estimate(const Source& source, const ReadOptions& read_options,
                             const CountOptions& count_options, const EstimateOptions& options,
                             const std::vector<std::string>& files);
/// Draws what is left of a part, count_options.checkpoint, which is whole when this returns. Throws as
/// estimate() with a checkpoint, and UnableError where the time limit ends it before.
void resume_estimate_part(const Source& source, const ReadOptions& read_options,
                          const CountOptions& count_options, const EstimateOptions& options);

}  // namespace countpm
