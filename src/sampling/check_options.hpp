#pragma once
// What may be asked of an estimate.
#include <vector>

#include "src/api/entries.hpp"
#include "src/api/estimate_result.hpp"

namespace countpm {

class Checkpoint;  // src/journal/checkpoint.hpp

/// Throws UsageError for values beyond their ranges and options that exclude each other or that the sampler
/// does not know; UnableError for what no GPU does.
void check_estimate_options(const EstimateOptions& options);
/// The same for what is drawn as whole matchings; `one` ("a ratio") and `many` ("ratios"): what that is.
void check_matching_estimate(const EstimateOptions& options, const char* one, const char* many);
/// Throws UsageError where a checkpoint is asked for together with what none keeps: replicates, and weights
/// of samples.
void refuse_unkept(const EstimateOptions& options, const CheckpointOptions& checkpoint);
/// Throws UsageError where the checkpoint is a part of an estimate.
void refuse_part(const Checkpoint& checkpoint, const CheckpointOptions& options);
/// For what is done around the samples, by a CPU. What the time limit ends before every block has a sample is
/// refused; then it ends the sampling, not the program. A guarantee cannot be had by halves.
CountOptions monitored(const CountOptions& options, const EstimateOptions& estimate_options);
/// Throws UnableError, before anything is read, for GPUs that are not there.
void check_device(CountOptions options, const EstimateOptions& estimate_options);
/// Those that the sampler knows; the others as if they had not been given.
SamplerOptions known_options(SamplerKind kind, SamplerOptions options);
/// Throws UsageError for an option that none of these samplers knows.
void check_compared_samplers(const std::vector<SamplerKind>& kinds, const SamplerOptions& options);

}  // namespace countpm
