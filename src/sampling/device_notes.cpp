#include "src/sampling/device_notes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace countpm {

void note_counted_on_cpu(const std::vector<EstimatedBlock>& blocks, std::vector<std::string>& notes) {
  const bool counted = std::any_of(blocks.begin(), blocks.end(), [](const EstimatedBlock& block) {
    return block.exact && block.method != "reductions";
  });
  if (counted)
    notes.emplace_back(
        "what is counted exactly is counted on the CPU: --device and --gpus are for samples, which "
        "--all-sampled draws of every block");
}

void note_drawn_without_gpus(const std::vector<SampledBlock>& sampled, int gpus,
                             std::vector<std::string>& notes) {
  for (const SampledBlock& block : sampled) {
    const std::string obstacle = block.sampler.device_obstacle();
    if (obstacle.empty()) continue;
    const std::string note = fmt::format("--gpus {}: samples by {} are drawn on the CPU all the same: {}",
                                         gpus, sampler_info(block.sampler.kind()).name, obstacle);
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }
}

}  // namespace countpm
