// ryser's kernels for exactly a block's rows: the source that NVRTC compiles (without a GPU), the same kernel
// on the CPU executor against those that are built in, and the compiled one on the GPUs of this machine.
#include "kernels/ryser/gpu/exact_walker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "graph/errors.hpp"
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/runtime_compiler.hpp"
#include "kernels/subsets/gpu/embedded_headers.hpp"
#include "tests/kernels/arithmetic/floating_values.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/kernels/published/codegen_testing.hpp"

namespace countpm::gray::ryser_exact_walker_test {
namespace {

using countpm::testing::all_doubles;
using countpm::testing::below;
using countpm::testing::Random;
using countpm::testing::turned;

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
  Example example{{rows, columns, {}}, {}, {bound, rows * std::log2(bound) + 9}};
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

/// The kernel in these numbers by the CPU executor: what is compiled at run time elsewhere.
template <class KernelNumbers>
class EmulatedLaunch {
 public:
  using Device = CpuDevice;
  using Kernel = RyserKernel<KernelNumbers, SumsIn::registers>;

  EmulatedLaunch(const GpuInfo& gpu, const ExactSize& size, unsigned columns)
      : device_(gpu), shared_bytes_(exact_shared_bytes(size, columns)) {
    EXPECT_EQ(size.rows, KernelNumbers::rows);
    EXPECT_EQ(shared_bytes_, Kernel::shared_bytes(size.rows, columns));
    EXPECT_EQ(exact_threads(size), Kernel::threads);
  }
  const Device& device() const { return device_; }
  unsigned blocks() const { return 2; }
  static std::string kernel() { return "emulated"; }
  template <class Numbers, class Part>
  void launch(const RyserArguments<typename KernelNumbers::Value>& arguments, const Numbers& numbers,
              Part* totals) const {
    // The parameter's bytes, as a GPU's kernel takes them.
    static_assert(sizeof(Numbers) == sizeof(KernelNumbers));
    Kernel kernel{};
    static_cast<RyserArguments<typename KernelNumbers::Value>&>(kernel) = arguments;
    std::memcpy(static_cast<void*>(&kernel.numbers), &numbers, sizeof numbers);
    kernel.totals = reinterpret_cast<typename Kernel::Total*>(totals);
    device_.launch(kernel, blocks(), shared_bytes_);
  }

 private:
  Device device_;
  std::size_t shared_bytes_;
};

template <unsigned N, unsigned W>
using IntegerLaunch = EmulatedLaunch<RegisterIntegers<N, W>>;

template <unsigned N, unsigned W>
void expect_as_built_in(std::int64_t bound) {
  Random random(N);
  const GpuInfo gpu = emulated_gpu(0);
  for (const unsigned columns : {1U, 6U}) {
    for (const unsigned prefixes : {1U, 5U}) {
      const Example example = random_example(random, N, columns, prefixes, bound);
      const ExactSize size = exact_size(N, example.limits);
      ASSERT_EQ(size.words, W) << N << " rows, " << example.limits.log2_sum;
      ExactWalkerOn<IntegerLaunch<N, W>> walker(gpu, example.walk, size);
      const mpz_class expected =
          make_integer_walker(gpu, example.walk, example.limits)->sum(example.prefixes, never);
      EXPECT_EQ(walker.sum(example.prefixes, never), expected) << N << " rows, " << columns << " columns";
      EXPECT_EQ(walker.sum(example.prefixes, never), expected) << "again";
      EXPECT_GT(walker.bytes(), 0U);
      EXPECT_EQ(walker.kernel(), "emulated");
    }
  }
}

TEST(RyserExactWalker, AnyNumberOfRowsAsBuiltIn) {
  expect_as_built_in<1, 1>(64);
  expect_as_built_in<5, 1>(64);
  expect_as_built_in<31, 2>(10);
  expect_as_built_in<33, 2>(9);
  expect_as_built_in<37, 3>(20);
  expect_as_built_in<63, 6>(40);
}

/// The same doubles, for the rows that fill up a built-in size are factors 1.
template <class Form, unsigned rows>
void expect_floating_as_built_in() {
  using KernelNumbers = typename Form::template Numbers<rows>;
  using Value = typename KernelNumbers::Value;
  Random random(rows);
  const GpuInfo gpu = emulated_gpu(0);
  const auto real = [&] {
    return turned<Value>(0.1 + static_cast<double>(below(random, 1000)) / 1000,
                         static_cast<unsigned>(below(random, 4)));
  };
  constexpr bool exact =
      Form::kind == ExactKind::exact_doubles || Form::kind == ExactKind::exact_complex_doubles;
  Walk<Value> walk{rows, 6, {}, 0, exact};
  Prefixes<Value> prefixes;
  for (unsigned k = 0; k < rows * walk.columns; ++k) walk.deltas.push_back(real());
  for (unsigned k = 0; k < rows * 3; ++k) prefixes.starts.push_back(real());
  prefixes.minuses = {0, 1, 0};
  const double spread = 0x1p-40;
  using Launcher = ExactFloatingLauncher<EmulatedLaunch<KernelNumbers>, Form>;
  FloatingWalkerOn<Launcher> walker(gpu, typename Launcher::Numbers(spread, rows), walk);
  const auto found = walker.sum(prefixes, never);
  const auto expected = make_floating_walker(gpu, walk, spread)->sum(prefixes, never);
  ASSERT_EQ(found.parts.size(), expected.parts.size());
  for (std::size_t k = 0; k < found.parts.size(); ++k) {
    EXPECT_EQ(all_doubles(found.parts[k]), all_doubles(expected.parts[k])) << rows << " rows";
  }
  EXPECT_EQ(found.products, expected.products);
  EXPECT_EQ(found.terms, expected.terms);
  EXPECT_NEAR(found.wides / expected.wides, 1, 1e-6);
}

TEST(RyserExactWalker, FloatingSumsAsBuiltIn) {
  expect_floating_as_built_in<DoublesForm, 1>();
  expect_floating_as_built_in<DoublesForm, 37>();
  expect_floating_as_built_in<DoublesForm, 49>();
  expect_floating_as_built_in<ExactDoublesForm, 37>();
  expect_floating_as_built_in<PairsForm, 25>();
  expect_floating_as_built_in<ComplexDoublesForm, 33>();
  expect_floating_as_built_in<ExactComplexDoublesForm, 25>();
  expect_floating_as_built_in<ComplexPairsForm, 17>();
  expect_floating_as_built_in<TriplesForm, 17>();
  expect_floating_as_built_in<ComplexTriplesForm, 9>();
}

// A Stop is heard between launches.
TEST(RyserExactWalker, Stops) {
  Random random(3);
  const Example example = random_example(random, 5, 4, 2, 20);
  const ExactSize size = exact_size(5, example.limits);
  ExactWalkerOn<IntegerLaunch<5, 1>> walker(emulated_gpu(0), example.walk, size);
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
  const auto pays = [&](unsigned rows, double log2_subsets, std::int64_t bound = 20) {
    return compiling_pays(gpu, Walk<std::int64_t>{rows, 20, {}, log2_subsets},
                          IntegerLimits{bound, rows * std::log2(20.0) + log2_subsets});
  };
  EXPECT_EQ(built_in_size(41, ExactKind::integers).rows, 48U);
  EXPECT_EQ(built_in_size(41, ExactKind::integers).words, 5U);
  EXPECT_EQ(built_in_size(16, ExactKind::integers).rows, 16U);
  EXPECT_EQ(built_in_size(65, ExactKind::doubles).rows, 0U);
  EXPECT_EQ(built_in_size(30, ExactKind::pairs).rows, 40U);
  EXPECT_EQ(built_in_size(33, ExactKind::complex_doubles).rows, 40U);
  EXPECT_EQ(built_in_size(41, ExactKind::complex_doubles).rows, 0U);
  EXPECT_EQ(built_in_size(33, ExactKind::exact_complex_doubles).rows, 40U);
  EXPECT_EQ(built_in_size(17, ExactKind::complex_pairs).rows, 24U);
  EXPECT_EQ(built_in_size(17, ExactKind::triples).rows, 24U);
  EXPECT_EQ(built_in_size(9, ExactKind::complex_triples).rows, 16U);
  EXPECT_EQ(built_in_size(17, ExactKind::complex_triples).rows, 0U);
  EXPECT_EQ(exact_threads({33, 1, ExactKind::complex_doubles}), 128U);
  EXPECT_TRUE(pays(41, 40));
  EXPECT_TRUE(pays(49, 48));
  EXPECT_FALSE(pays(33, 32));  // 0.1 s in all
  EXPECT_FALSE(pays(40, 39));  // built in
  EXPECT_FALSE(pays(41, 20));  // a small share of it
  EXPECT_FALSE(pays(65, 64));  // no room in registers
  EXPECT_FALSE(pays(0, 0));
  EXPECT_FALSE(pays(41, 40, 65));
  EXPECT_NEAR(seconds_saved(gpu, built_in_size(48, ExactKind::integers), 47), 0, 1e-9);
  GpuInfo other = gpu;
  const auto floating_pays = [&](unsigned rows, ExactKind kind) {
    return compiling_pays(other, {rows, 1, kind}, 20, rows - 1.0);
  };
  EXPECT_TRUE(floating_pays(41, ExactKind::doubles));
  EXPECT_FALSE(floating_pays(40, ExactKind::doubles));
  EXPECT_FALSE(floating_pays(38, ExactKind::pairs));  // 0.8 s
  other.multiprocessors = 66;
  EXPECT_TRUE(floating_pays(38, ExactKind::pairs));
  EXPECT_FALSE(floating_pays(41, ExactKind::pairs));  // no room in registers
}

void expect_nvrtc_compiles(const std::vector<ExactSize>& sizes) {
  if (const auto obstacle = runtime_compiler_obstacle()) GTEST_SKIP() << *obstacle;
  for (const ExactSize& size : sizes) {
    const CompiledKernel kernel = compile_kernel(exact_source(size), 9, 0, {}, exact_headers());
    EXPECT_EQ(kernel.cubin.substr(1, 3), "ELF");
    EXPECT_NE(kernel.cubin.find(exact_kernel_name), std::string::npos);
  }
}

// A second each.
TEST(RyserExactWalker, NvrtcCompilesIt) {
  expect_nvrtc_compiles({{5, 1}, {5, 1, ExactKind::complex_triples}});
}
TEST(LongRyserExactWalker, NvrtcCompilesEveryForm) {
  expect_nvrtc_compiles({{1, 1},
                         {37, 4},
                         {41, 5},
                         {41, 1, ExactKind::doubles},
                         {41, 1, ExactKind::exact_doubles},
                         {25, 1, ExactKind::pairs},
                         {33, 1, ExactKind::complex_doubles},
                         {33, 1, ExactKind::exact_complex_doubles},
                         {17, 1, ExactKind::complex_pairs},
                         {17, 1, ExactKind::triples},
                         {9, 1, ExactKind::complex_triples}});
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
  const WhichKernel at_run_time = WhichKernel::at_run_time;
  Random random(7);
  const Example example = random_example(random, 37, 8, 100, 20);
  EXPECT_THROW(make_integer_walker(emulated_gpu(0), example.walk, example.limits, at_run_time), UnableError);
  if (gpus().empty()) GTEST_SKIP() << "no GPU here";
  if (const auto obstacle = runtime_compiler_obstacle()) GTEST_SKIP() << *obstacle;
  for (const unsigned rows : {1U, 31U, 32U, 33U, 37U, 41U, 63U, 64U}) {
    const Example own = random_example(random, rows, 8, 100, 20);
    const mpz_class expected =
        make_integer_walker(emulated_gpu(0), own.walk, own.limits)->sum(own.prefixes, never);
    for (const GpuInfo& gpu : gpus()) {
      const auto walker = make_integer_walker(gpu, own.walk, own.limits, at_run_time);
      EXPECT_EQ(walker->sum(own.prefixes, never), expected) << gpu.name << ", " << rows << " rows";
      EXPECT_EQ(walker->kernel().find("compiled for " + std::to_string(rows) + " rows "), 0U)
          << walker->kernel();
    }
    Walk<double> walk{rows, 6, {}};
    Prefixes<double> prefixes{{}, {0, 1, 1}};
    for (unsigned k = 0; k < rows * 6; ++k) walk.deltas.push_back(static_cast<double>(below(random, 7)) / 8);
    for (unsigned k = 0; k < rows * 3; ++k) prefixes.starts.push_back(0.5);
    const auto whole = [](const FloatingParts<double>& parts) {
      double sum = 0;
      for (const double part : parts.parts) sum += part;
      return sum;
    };
    const FloatingParts<double> cpu =
        make_floating_walker(emulated_gpu(0), walk, 0x1p-40)->sum(prefixes, never);
    for (const GpuInfo& gpu : gpus()) {
      const auto found = make_floating_walker(gpu, walk, 0x1p-40, at_run_time)->sum(prefixes, never);
      EXPECT_NEAR(whole(found), whole(cpu), 1e-12 * cpu.products) << gpu.name << ", " << rows << " rows";
      EXPECT_NEAR(found.wides / cpu.wides, 1, 1e-6) << gpu.name << ", " << rows << " rows";
    }
  }
}

}  // namespace
}  // namespace countpm::gray::ryser_exact_walker_test
