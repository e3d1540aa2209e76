#pragma once
// ryser's kernel for exactly a block's rows and words, as source text that NVRTC compiles: the very headers
// that the built-in sizes are made of, which the program carries as text.
#include <string>
#include <vector>

#include "kernels/cuda/device_info.hpp"
#include "kernels/cuda/kernel_header.hpp"
#include "kernels/exact/ryser_walker.hpp"

namespace countpm::gray {

/// Row sums within +-64 in registers, products modulo 2^(64 words).
struct ExactSize {
  unsigned rows = 1;   // 1 .. 64
  unsigned words = 1;  // 1 .. 8
  ColumnsIn columns = ColumnsIn::shared;
};
/// With as many words as the sum takes, its sign included. Preconditions: rows <= 64, fits_words().
ExactSize exact_size(unsigned rows, const IntegerLimits& limits, ColumnsIn columns);
/// The smallest built-in size with room for so many rows, up to 64: rows and words.
ExactSize built_in_size(unsigned rows);

inline constexpr const char* exact_kernel_name = "countpm_ryser";
/// Threads of its blocks, and their shared memory for so many columns.
unsigned exact_threads();
std::size_t exact_shared_bytes(const ExactSize& size, unsigned columns);

/// The kernel `exact_kernel_name`, with parameters RyserArguments<std::int32_t> and the totals, `words` words
/// a block.
std::string exact_source(const ExactSize& size);
/// What it includes.
const std::vector<KernelHeader>& exact_headers();
/// Of those, the project's own (written by cmake/embed_headers.cmake).
const std::vector<KernelHeader>& embedded_headers();

/// Seconds that a kernel of this size is predicted to save against the built-in one, in 2^log2_subsets
/// subsets.
double seconds_saved(const GpuInfo& gpu, const ExactSize& size, double log2_subsets);
/// Whether a walk may have a kernel of its own, and that is predicted to save more than compiling it takes.
bool compiling_pays(const GpuInfo& gpu, unsigned rows, unsigned columns, const IntegerLimits& limits);

}  // namespace countpm::gray
