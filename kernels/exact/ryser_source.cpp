#include "kernels/exact/ryser_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/exact/ryser_device.hpp"
#include "kernels/exact/ryser_numbers.hpp"
#include "kernels/exact/ryser_sizes.hpp"

namespace countpm::gray {
namespace {

// What of the standard library the headers name; NVRTC has none of it, but the functions themselves.
std::vector<KernelHeader> standard_headers() {
  return {{"cstddef", "#pragma once\nnamespace std { using size_t = decltype(sizeof(0)); }\n"},
          {"cstdint",
           "#pragma once\n"
           "namespace std {\n"
           "using int8_t = signed char; using uint8_t = unsigned char;\n"
           "using int32_t = int; using uint32_t = unsigned;\n"
           "using int64_t = long long; using uint64_t = unsigned long long;\n"
           "}\n"},
          {"cstring", "#pragma once\n"},
          {"cmath", "#pragma once\nnamespace std { using ::fabs; using ::fma; using ::fmax; }\n"},
          {"limits",
           "#pragma once\n"
           "namespace std {\n"
           "template <class T> struct numeric_limits;\n"
           "template <> struct numeric_limits<float> {\n"
           "  static float infinity() { return __int_as_float(0x7f800000); }\n"
           "};\n"
           "}\n"},
          {"type_traits",
           "#pragma once\n"
           "namespace std {\n"
           "template <class T> inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);\n"
           "template <class T> inline constexpr bool is_arithmetic_v = T(1) / 2 * 0 == 0;\n"
           "}\n"}};
}

const char* name_of(ColumnsIn columns) {
  return columns == ColumnsIn::shared ? "shared" : "global";
}

/// Instructions a subset, counted by hand: half of the flips' additions are loads of four; the product of the
/// rows, five to a limb, and of the limbs; the total.
double instructions(const ExactSize& size) {
  constexpr unsigned rows_a_limb = 5;
  constexpr double others = 10;
  const double rows = size.rows;
  const unsigned limbs = 2 * size.words;
  double sum = rows + rows / 4 + rows + limbs + others;
  for (unsigned group = 1; group * rows_a_limb < size.rows; ++group) sum += 2.0 * std::min(group, limbs);
  return sum;
}

}  // namespace

ExactSize exact_size(unsigned rows, const IntegerLimits& limits, ColumnsIn columns) {
  return {rows, static_cast<unsigned>(std::clamp(std::ceil((limits.log2_sum + 2) / 64), 1.0, 8.0)), columns};
}

ExactSize built_in_size(unsigned rows) {
  return with_size<ExactSize>(
      rows,
      [](auto size) {
        return ExactSize{size, words_for(size), ColumnsIn::shared};
      },
      Sizes());
}

unsigned exact_threads() {
  return RegisterIntegers<64, 8>::threads;
}

std::size_t exact_shared_bytes(const ExactSize& size, unsigned columns) {
  constexpr std::size_t load = 16;
  const std::size_t column = (size.rows * sizeof(std::int32_t) + load - 1) / load * load;
  const std::size_t table = size.columns == ColumnsIn::shared ? column * columns : 0;
  return std::max(table, exact_threads() * size.words * sizeof(std::uint64_t));
}

std::string exact_source(const ExactSize& size) {
  return fmt::format(
      "#include \"kernels/cuda/cuda_block.cuh\"\n"
      "#include \"kernels/exact/ryser_kernel.cuh\"\n"
      "#include \"kernels/exact/ryser_numbers.hpp\"\n"
      "using namespace countpm::gray;\n"
      "using Kernel = RyserKernel<RegisterIntegers<{}, {}>, SumsIn::registers, ColumnsIn::{}>;\n"
      "extern \"C\" __global__ void __launch_bounds__(Kernel::threads, Kernel::blocks_per_multiprocessor)\n"
      "{}(const __grid_constant__ RyserArguments<Kernel::Value> arguments, Kernel::Total* totals) {{\n"
      "  Kernel kernel;\n"
      "  static_cast<RyserArguments<Kernel::Value>&>(kernel) = arguments;\n"
      "  kernel.totals = totals;\n"
      "  countpm::CudaBlock block;\n"
      "  kernel(block);\n"
      "}}\n",
      size.rows, size.words, name_of(size.columns), exact_kernel_name);
}

const std::vector<KernelHeader>& exact_headers() {
  static const std::vector<KernelHeader> headers = [] {
    std::vector<KernelHeader> all = standard_headers();
    all.insert(all.end(), embedded_headers().begin(), embedded_headers().end());
    return all;
  }();
  return headers;
}

double seconds_saved(const GpuInfo& gpu, const ExactSize& size, double log2_subsets) {
  // As nominal_ryser_device_rate(), which was measured at sizes that are built in.
  constexpr double sums_a_clock = 15;
  const ExactSize built_in = built_in_size(size.rows);
  const double seconds = std::exp2(log2_subsets) / rate_by_row_sums(gpu, built_in.rows, sums_a_clock);
  return seconds * (1 - instructions(size) / instructions(built_in));
}

bool compiling_pays(const GpuInfo& gpu, unsigned rows, unsigned columns, const IntegerLimits& limits) {
  constexpr unsigned most_rows = 64;
  constexpr std::int64_t largest_sum = RegisterIntegers<1, 1>::largest_sum;
  if (rows == 0 || rows > most_rows || limits.bound > largest_sum || !fits_words(limits)) return false;
  const ExactSize size = exact_size(rows, limits, ColumnsIn::shared);
  return exact_shared_bytes(size, columns) <= plain_shared_bytes &&
         seconds_saved(gpu, size, limits.log2_subsets) > compile_seconds;
}

}  // namespace countpm::gray
