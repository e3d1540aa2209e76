// ryser's kernels for exactly a block's rows: the source that NVRTC compiles (without a GPU), the same kernel
// on the CPU executor against those that are built in, and the compiled one on the GPUs of this machine.
#include "kernels/exact/ryser_exact_walker.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/cuda/cpu_executor.hpp"
#include "kernels/cuda/runtime_compiler.hpp"
#include "tests/kernels/codegen_testing.hpp"
#include "tests/kernels/gpu_testing.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm::gray {
namespace {

using countpm::testing::below;
using countpm::testing::Random;

const StopSignal never;

struct Example {
  Walk<std::int64_t> walk;
  Prefixes<std::int64_t> prefixes;
  IntegerLimits limits;
};

/// Row sums within +-bound wherever the walk goes. Fewer than 2^9 subsets, or a sum that is far from its
/// bound.
Example random_example(Random& random, unsigned rows, unsigned columns, unsigned prefixes,
                       std::int64_t bound) {
  Example example{{rows, columns, {}}, {}, {bound, rows * std::log2(bound) + 9, 0}};
  const auto entry = [&](std::int64_t most) {
    return static_cast<std::int64_t>(below(random, static_cast<std::uint64_t>(2 * most + 1))) - most;
  };
  const std::int64_t most = bound / (static_cast<std::int64_t>(columns) + 1);
  for (unsigned k = 0; k < rows * columns; ++k) example.walk.deltas.push_back(entry(most));
  for (unsigned k = 0; k < rows * prefixes; ++k)
    example.prefixes.starts.push_back(entry(bound - most * columns));
  for (unsigned p = 0; p < prefixes; ++p)
    example.prefixes.minuses.push_back(static_cast<std::uint8_t>(below(random, 2)));
  return example;
}

/// The kernel for N rows and W words by the CPU executor: what is compiled at run time elsewhere.
template <unsigned N, unsigned W, ColumnsIn columns_in>
class EmulatedLaunch {
 public:
  using Device = CpuDevice;
  using Kernel = RyserKernel<RegisterIntegers<N, W>, SumsIn::registers, columns_in>;

  EmulatedLaunch(const GpuInfo& gpu, const ExactSize& size, unsigned columns)
      : device_(gpu), shared_bytes_(exact_shared_bytes(size, columns)) {
    EXPECT_EQ(size.rows, N);
    EXPECT_EQ(size.words, W);
    EXPECT_EQ(shared_bytes_, Kernel::shared_bytes(N, columns));
    EXPECT_EQ(exact_threads(), Kernel::threads);
  }
  const Device& device() const { return device_; }
  unsigned blocks() const { return 2; }
  void launch(const RyserArguments<std::int32_t>& arguments, std::uint64_t* totals) const {
    Kernel kernel{};
    static_cast<RyserArguments<std::int32_t>&>(kernel) = arguments;
    kernel.totals = reinterpret_cast<Words<W>*>(totals);
    device_.launch(kernel, blocks(), shared_bytes_);
  }

 private:
  Device device_;
  std::size_t shared_bytes_;
};

template <unsigned N, unsigned W, ColumnsIn columns_in = ColumnsIn::shared>
void expect_as_built_in(std::int64_t bound) {
  Random random(N);
  const GpuInfo gpu = emulated_gpu(0);
  for (const unsigned columns : {1U, 6U}) {
    for (const unsigned prefixes : {1U, 5U}) {
      const Example example = random_example(random, N, columns, prefixes, bound);
      const ExactSize size = exact_size(N, example.limits, columns_in);
      ASSERT_EQ(size.words, W) << N << " rows, " << example.limits.log2_sum;
      ExactWalkerOn<EmulatedLaunch<N, W, columns_in>> walker(gpu, example.walk, size);
      const mpz_class expected =
          make_integer_walker(gpu, example.walk, example.limits)->sum(example.prefixes, never);
      EXPECT_EQ(walker.sum(example.prefixes, never), expected) << N << " rows, " << columns << " columns";
      EXPECT_EQ(walker.sum(example.prefixes, never), expected) << "again";
      EXPECT_GT(walker.bytes(), 0U);
    }
  }
}

TEST(RyserExactWalker, AnyNumberOfRowsAsBuiltIn) {
  expect_as_built_in<1, 1>(64);
  expect_as_built_in<5, 1>(64);
  expect_as_built_in<31, 2>(10);
  expect_as_built_in<33, 2>(9);
  expect_as_built_in<37, 3>(20);
  expect_as_built_in<37, 3, ColumnsIn::global>(20);
  expect_as_built_in<63, 6>(40);
}

// A Stop is heard between launches.
TEST(RyserExactWalker, Stops) {
  Random random(3);
  const Example example = random_example(random, 5, 4, 2, 20);
  const ExactSize size = exact_size(5, example.limits, ColumnsIn::shared);
  ExactWalkerOn<EmulatedLaunch<5, 1, ColumnsIn::shared>> walker(emulated_gpu(0), example.walk, size);
  StopSignal stop;
  stop.request();
  EXPECT_THROW(walker.sum(example.prefixes, stop), Stopped);
}

GpuInfo nominal_gpu() {
  GpuInfo gpu = emulated_gpu(0);
  gpu.emulated = false;
  gpu.multiprocessors = 132;
  gpu.clock_ghz = 1.98;
  return gpu;
}

TEST(RyserExactWalker, CompilingPaysWherePaddingCosts) {
  const GpuInfo gpu = nominal_gpu();
  const auto limits = [](unsigned rows, double log2_subsets) {
    return IntegerLimits{20, rows * std::log2(20.0) + log2_subsets, log2_subsets};
  };
  EXPECT_EQ(built_in_size(41).rows, 48U);
  EXPECT_EQ(built_in_size(41).words, 5U);
  EXPECT_EQ(built_in_size(16).rows, 16U);
  EXPECT_TRUE(compiling_pays(gpu, 41, 20, limits(41, 40)));
  EXPECT_TRUE(compiling_pays(gpu, 49, 20, limits(49, 48)));
  EXPECT_FALSE(compiling_pays(gpu, 33, 20, limits(33, 32)));  // 0.1 s in all
  EXPECT_FALSE(compiling_pays(gpu, 40, 20, limits(40, 39)));  // built in
  EXPECT_FALSE(compiling_pays(gpu, 41, 20, limits(41, 20)));  // a small share of it
  EXPECT_FALSE(compiling_pays(gpu, 65, 20, limits(65, 64)));  // no room in registers
  EXPECT_FALSE(compiling_pays(gpu, 41, 20, {65, 300, 40}));
  EXPECT_NEAR(seconds_saved(gpu, built_in_size(48), 47), 0, 1e-9);
}

TEST(RyserExactWalker, NvrtcCompilesIt) {
  if (const auto obstacle = runtime_compiler_obstacle()) GTEST_SKIP() << *obstacle;
  for (const ExactSize& size :
       {ExactSize{1, 1, ColumnsIn::shared}, {37, 4, ColumnsIn::shared}, {41, 5, ColumnsIn::global}}) {
    const CompiledKernel kernel = compile_kernel(exact_source(size), 9, 0, {}, exact_headers());
    EXPECT_EQ(kernel.cubin.substr(1, 3), "ELF");
    EXPECT_NE(kernel.cubin.find(exact_kernel_name), std::string::npos);
  }
}

// Another header is another kernel.
TEST(RyserExactWalker, TheCacheKnowsTheHeaders) {
  if (const auto obstacle = runtime_compiler_obstacle()) GTEST_SKIP() << *obstacle;
  const countpm::testing::ScratchFolder folder;
  const KernelCache cache{folder.path()};
  const std::string source = "#include \"a.hpp\"\nextern \"C\" __global__ void f(int* x) { *x = number; }\n";
  const auto compile = [&](const char* text) {
    return compile_kernel(source, 9, 0, cache, {{"a.hpp", text}});
  };
  EXPECT_FALSE(compile("constexpr int number = 1;").from_cache);
  EXPECT_FALSE(compile("constexpr int number = 2;").from_cache);
  EXPECT_TRUE(compile("constexpr int number = 1;").from_cache);
}

TEST(RyserExactWalker, OnGpusAsOnTheCpu) {
  const Places at_run_time{SumsIn::registers, ColumnsIn::shared, true};
  Random random(7);
  const Example example = random_example(random, 37, 8, 100, 20);
  EXPECT_THROW(make_integer_walker(emulated_gpu(0), example.walk, example.limits, at_run_time), UnableError);
  if (gpus().empty()) GTEST_SKIP() << "no GPU here";
  if (const auto obstacle = runtime_compiler_obstacle()) GTEST_SKIP() << *obstacle;
  for (const unsigned rows : {1U, 31U, 32U, 33U, 37U, 41U, 63U, 64U}) {
    const Example own = random_example(random, rows, 8, 100, 20);
    const mpz_class expected =
        make_integer_walker(emulated_gpu(0), own.walk, own.limits)->sum(own.prefixes, never);
    for (const ColumnsIn columns : {ColumnsIn::shared, ColumnsIn::global}) {
      const Places places{SumsIn::registers, columns, true};
      for (const GpuInfo& gpu : gpus()) {
        EXPECT_EQ(make_integer_walker(gpu, own.walk, own.limits, places)->sum(own.prefixes, never), expected)
            << gpu.name << ", " << rows << " rows";
      }
    }
  }
}

}  // namespace
}  // namespace countpm::gray
