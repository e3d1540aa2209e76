#pragma once
// The headers that kernels are made of, as text: what NVRTC is given for a source that includes them.
#include <vector>

#include "kernels/gpu/kernel_header.hpp"

namespace countpm::gray {

/// All of them, and what they name of the standard library.
const std::vector<KernelHeader>& exact_headers();
/// Of those, the project's own (written by cmake/embed_headers.cmake).
const std::vector<KernelHeader>& embedded_headers();

}  // namespace countpm::gray
