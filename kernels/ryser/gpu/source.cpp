#include "kernels/ryser/gpu/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "kernels/ryser/gpu/kernel.hpp"
#include "kernels/ryser/gpu/sizes.hpp"
#include "kernels/subsets/gpu/complex_numbers.hpp"
#include "kernels/subsets/gpu/job.hpp"
#include "kernels/subsets/gpu/numbers.hpp"

namespace countpm::gray {
namespace {

std::string numbers_of(const ExactSize& size) {
  switch (size.kind) {
    case ExactKind::integers:
      break;
    case ExactKind::doubles:
      return fmt::format("Doubles<{}>", size.rows);
    case ExactKind::exact_doubles:
      return fmt::format("Doubles<{}, true>", size.rows);
    case ExactKind::pairs:
      return fmt::format("Pairs<{}>", size.rows);
    case ExactKind::triples:
      return fmt::format("Triples<{}>", size.rows);
    case ExactKind::complex_doubles:
      return fmt::format("ComplexDoubles<{}>", size.rows);
    case ExactKind::exact_complex_doubles:
      return fmt::format("ComplexDoubles<{}, true>", size.rows);
    case ExactKind::complex_pairs:
      return fmt::format("ComplexPairs<{}>", size.rows);
    case ExactKind::complex_triples:
      return fmt::format("ComplexTriples<{}>", size.rows);
  }
  return fmt::format("RegisterIntegers<{}, {}>", size.rows, size.words);
}

/// Of a total, and of a row sum.
struct Bytes {
  std::size_t total;
  std::size_t value;
};
template <class Numbers>
constexpr Bytes bytes_in() {
  return {sizeof(typename Numbers::Total), sizeof(typename Numbers::Value)};
}
Bytes bytes_of(const ExactSize& size) {
  switch (size.kind) {
    case ExactKind::integers:
      break;
    case ExactKind::doubles:
    case ExactKind::exact_doubles:
      return bytes_in<Doubles<0>>();
    case ExactKind::pairs:
      return bytes_in<Pairs<0>>();
    case ExactKind::triples:
      return bytes_in<Triples<0>>();
    case ExactKind::complex_doubles:
    case ExactKind::exact_complex_doubles:
      return bytes_in<ComplexDoubles<0>>();
    case ExactKind::complex_pairs:
      return bytes_in<ComplexPairs<0>>();
    case ExactKind::complex_triples:
      return bytes_in<ComplexTriples<0>>();
  }
  return {size.words * sizeof(std::uint64_t), sizeof(std::int32_t)};
}

/// Instructions a subset, counted by hand: a flip's additions and, of integers, loads of four; the product of
/// the rows, five to a limb, and of the limbs; the total. In floating point all grows with the rows.
double instructions(const ExactSize& size) {
  if (size.kind != ExactKind::integers) return size.rows;
  constexpr unsigned rows_a_limb = 5;
  constexpr double others = 10;
  const double rows = size.rows;
  const unsigned limbs = 2 * size.words;
  double sum = rows + rows / 4 + rows + limbs + others;
  for (unsigned group = 1; group * rows_a_limb < size.rows; ++group) sum += 2.0 * std::min(group, limbs);
  return sum;
}

template <class Sizes>
ExactSize size_among(unsigned rows, ExactKind kind, Sizes sizes) {
  const auto found = with_size<std::optional<ExactSize>>(
      rows,
      [&](auto size) {
        return std::optional(ExactSize{size, words_for(size), kind});
      },
      sizes);
  return found.value_or(ExactSize{0, 1, kind});
}

}  // namespace

ExactSize exact_size(unsigned rows, const IntegerLimits& limits) {
  return {rows, static_cast<unsigned>(std::clamp(std::ceil((limits.log2_sum + 2) / 64), 1.0, 8.0))};
}

ExactSize built_in_size(unsigned rows, ExactKind kind) {
  switch (kind) {
    case ExactKind::integers:
    case ExactKind::doubles:
    case ExactKind::exact_doubles:
      break;
    case ExactKind::pairs:
      return size_among(rows, kind, PairSizes());
    case ExactKind::triples:
      return size_among(rows, kind, TripleSizes());
    case ExactKind::complex_doubles:
    case ExactKind::exact_complex_doubles:
      return size_among(rows, kind, ComplexSizes());
    case ExactKind::complex_pairs:
      return size_among(rows, kind, ComplexPairSizes());
    case ExactKind::complex_triples:
      return size_among(rows, kind, ComplexTripleSizes());
  }
  return size_among(rows, kind, Sizes());
}

unsigned exact_threads(const ExactSize& size) {
  switch (size.kind) {
    case ExactKind::integers:
      break;
    case ExactKind::doubles:
    case ExactKind::exact_doubles:
      return Doubles<64>::threads;
    case ExactKind::pairs:
      return Pairs<40>::threads;
    case ExactKind::triples:
      return Triples<24>::threads;
    case ExactKind::complex_doubles:
    case ExactKind::exact_complex_doubles:
      return ComplexDoubles<40>::threads;
    case ExactKind::complex_pairs:
      return ComplexPairs<24>::threads;
    case ExactKind::complex_triples:
      return ComplexTriples<16>::threads;
  }
  return RegisterIntegers<64, 8>::threads;
}

std::size_t exact_shared_bytes(const ExactSize& size, unsigned columns) {
  constexpr std::size_t load = 16;
  const std::size_t column = (size.rows * bytes_of(size).value + load - 1) / load * load;
  return std::max(column * columns, exact_threads(size) * bytes_of(size).total);
}

std::string exact_source(const ExactSize& size) {
  return fmt::format(
      "#include \"kernels/gpu/cuda_block.cuh\"\n"
      "#include \"kernels/subsets/gpu/complex_numbers.hpp\"\n"
      "#include \"kernels/ryser/gpu/kernel.hpp\"\n"
      "#include \"kernels/subsets/gpu/numbers.hpp\"\n"
      "using namespace countpm::gray;\n"
      "using Numbers = {};\n"
      "using Kernel = RyserKernel<Numbers, SumsIn::registers>;\n"
      "extern \"C\" __global__ void __launch_bounds__(Kernel::threads, Kernel::blocks_per_multiprocessor)\n"
      "{}(const __grid_constant__ RyserArguments<Kernel::Value> arguments,\n"
      "   const __grid_constant__ Numbers numbers, Kernel::Total* totals) {{\n"
      "  Kernel kernel;\n"
      "  static_cast<RyserArguments<Kernel::Value>&>(kernel) = arguments;\n"
      "  kernel.numbers = numbers;\n"
      "  kernel.totals = totals;\n"
      "  countpm::CudaBlock block;\n"
      "  kernel(block);\n"
      "}}\n",
      numbers_of(size), exact_kernel_name);
}

// NVIDIA H200, n = 24 to 40, 2026-11-21 and -23, bench/results/counting-gpu.md. Other GPUs have fewer
// FP64 units; their rates are measured before a long count.
double nominal_sums_a_clock(ExactKind kind) {
  switch (kind) {
    case ExactKind::integers:
      break;
    case ExactKind::doubles:
      return 16;
    case ExactKind::exact_doubles:
      return 26;
    case ExactKind::pairs:
      return 1.3;
    // bench/results/counting-gpu.md: 5 to 6, 6.5 to 8.4.
    case ExactKind::complex_doubles:
      return 5.5;
    case ExactKind::exact_complex_doubles:
      return 7.5;
    case ExactKind::complex_pairs:
      return 0.25;
    case ExactKind::triples:
      return 0.35;
    case ExactKind::complex_triples:
      return 0.08;
  }
  return 15;
}

double seconds_saved(const GpuInfo& gpu, const ExactSize& size, double log2_subsets) {
  const ExactSize built_in = built_in_size(size.rows, size.kind);
  const double seconds =
      std::exp2(log2_subsets) / rate_by_row_sums(gpu, built_in.rows, nominal_sums_a_clock(size.kind));
  return seconds * (1 - instructions(size) / instructions(built_in));
}

bool compiling_pays(const GpuInfo& gpu, const ExactSize& size, unsigned columns, double log2_subsets) {
  return size.rows > 0 && built_in_size(size.rows, size.kind).rows > 0 &&
         exact_shared_bytes(size, columns) <= plain_shared_bytes &&
         seconds_saved(gpu, size, log2_subsets) > compile_seconds;
}

bool compiling_pays(const GpuInfo& gpu, const Walk<std::int64_t>& walk, const IntegerLimits& limits) {
  constexpr std::int64_t largest_sum = RegisterIntegers<1, 1>::largest_sum;
  return limits.bound <= largest_sum && fits_words(limits) &&
         compiling_pays(gpu, exact_size(walk.rows, limits), walk.columns, walk.log2_subsets);
}

}  // namespace countpm::gray
