#pragma once
// What a report says where GPUs were asked for and the CPU worked.
#include <string>
#include <vector>

#include "src/api/estimate_result.hpp"
#include "src/sampling/sampling.hpp"

namespace countpm {

/// A note where blocks were counted by a method: --device and --gpus do not reach them.
void note_counted_on_cpu(const std::vector<EstimatedBlock>& blocks, std::vector<std::string>& notes);
/// A note for every reason why samples have no form for the GPUs that are there.
void note_drawn_without_gpus(const std::vector<SampledBlock>& sampled, int gpus,
                             std::vector<std::string>& notes);

}  // namespace countpm
