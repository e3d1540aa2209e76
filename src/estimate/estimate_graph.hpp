#pragma once
// An estimate of what has been read, whoever draws its samples and keeps them.
#include "src/distributed/sample_crew.hpp"
#include "src/estimate/estimate.hpp"
#include "src/journal/checkpoint.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// The options have been checked. checkpoint: null: there is none; crew: who draws beside this process; null:
/// nobody. Throws as estimate() does.
EstimateResult estimate_graph(ReadResult read, const CountOptions& count_options,
                              const EstimateOptions& options, Monitor& monitor, Checkpoint* checkpoint,
                              SampleCrew* crew);

/// The same of what has been read, with options that have not been checked, kept in a checkpoint that is part
/// of another's (Checkpoint::sum). Of the checkpoint of `count_options` the file's name is used, in messages.
EstimateResult estimate_kept(ReadResult read, const CountOptions& count_options,
                             const EstimateOptions& options, Checkpoint& checkpoint);

}  // namespace countpm
