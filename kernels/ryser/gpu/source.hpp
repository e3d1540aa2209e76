#pragma once
// ryser's kernels for exactly a block's rows (and words), as source text that NVRTC compiles: the very
// headers that the built-in sizes are made of, which the program carries as text.
#include <cstddef>
#include <string>

#include "kernels/ryser/gpu/form.hpp"

namespace countpm::gray {

/// exact_...: of which sums do not round.
enum class ExactKind {
  integers,
  doubles,
  exact_doubles,
  pairs,
  triples,
  complex_doubles,
  exact_complex_doubles,
  complex_pairs,
  complex_triples
};
/// Row sums a clock that kernels with row sums in registers were measured to draw, at sizes that are built
/// in.
double nominal_sums_a_clock(ExactKind kind);

/// Row sums in registers. integers: within +-64, products modulo 2^(64 words).
struct ExactSize {
  unsigned rows = 1;   // from 1 to the largest size that is built in
  unsigned words = 1;  // 1 .. 8; in floating point nothing
  ExactKind kind = ExactKind::integers;
};
/// With as many words as the sum takes, its sign included. Preconditions: rows <= 64, fits_words().
ExactSize exact_size(unsigned rows, const IntegerLimits& limits);
/// The smallest built-in size with room for so many rows, and its words; 0 rows where there is none.
ExactSize built_in_size(unsigned rows, ExactKind kind);

inline constexpr const char* exact_kernel_name = "countpm_ryser";
/// Threads of its blocks, and their shared memory for so many columns.
unsigned exact_threads(const ExactSize& size);
std::size_t exact_shared_bytes(const ExactSize& size, unsigned columns);

/// The kernel `exact_kernel_name`, with parameters RyserArguments<Value>, the numbers and the totals, one a
/// block: those of RegisterIntegers, Doubles, Pairs, Triples or their complex kin, laid out alike for any
/// number of rows.
/// It includes gray::exact_headers() (subsets/gpu/embedded_headers.hpp).
std::string exact_source(const ExactSize& size);

/// Seconds that a kernel of this size is predicted to save against the built-in one, in 2^log2_subsets
/// subsets.
double seconds_saved(const GpuInfo& gpu, const ExactSize& size, double log2_subsets);
/// Whether a walk over so many columns may have a kernel of this size, and that is predicted to save more
/// than compiling it takes.
bool compiling_pays(const GpuInfo& gpu, const ExactSize& size, unsigned columns, double log2_subsets);
/// The same of exact sums.
bool compiling_pays(const GpuInfo& gpu, const Walk<std::int64_t>& walk, const IntegerLimits& limits);

}  // namespace countpm::gray
