#pragma once
// Machines that are not here: what --assume may name, and what is known of its GPUs.
#include <string>
#include <string_view>
#include <vector>

#include "kernels/gpu/device_info.hpp"
#include "src/api/assumed_machine.hpp"

namespace countpm {

/// "gpu=h200,gpus=4,machines=8,threads=64": some of these, in any order. Throws UsageError.
AssumedMachine parse_assumed(std::string_view text);

/// Throws UsageError where there is no such GPU, or a number is none that there may be.
void check_assumed(const AssumedMachine& assumed);

/// As many GPUs as one of the machines has; none where it names none.
std::vector<GpuInfo> assumed_gpus(const AssumedMachine& assumed);

/// "8 machines, each with 1 NVIDIA H200 and 64 threads": what is assumed, in words.
std::string assumed_text(const AssumedMachine& assumed);

}  // namespace countpm
