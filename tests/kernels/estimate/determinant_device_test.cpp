// Squared determinants on a GPU, its very steps run on the CPU: bit for bit what the CPU draws.
#include <gtest/gtest.h>

#include "graph/errors.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "tests/kernels/estimate/estimate_device_testing.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::all_gpus;
using testing::diagonal_and_more;
using testing::expect_same;

constexpr SamplerKind determinants[] = {SamplerKind::godsil_gutman, SamplerKind::godsil_gutman_complex,
                                        SamplerKind::godsil_gutman_quaternion};

SamplerOptions of(SamplerKind kind) {
  SamplerOptions options;
  options.kind = kind;
  return options;
}

/// A GPU decides by the shared memory of a block what memory matrices lie in.
std::vector<GpuInfo> gpus_with(std::uint64_t shared_bytes) {
  std::vector<GpuInfo> gpus = all_gpus();
  for (GpuInfo& gpu : gpus) gpu.shared_bytes = std::min(gpu.shared_bytes, shared_bytes);
  return gpus;
}

TEST(DeterminantDevice, SmallOfEverySize) {
  for (const Index n : {0U, 1U, 2U, 7U, 8U, 9U, 31U, 32U, 33U, 40U}) {
    for (const double degree : {2.0, 0.8 * n}) {
      const AnyBlock block = diagonal_and_more<std::int64_t>(n, n, degree, 1);
      for (const SamplerKind kind : determinants) expect_same(block, of(kind), n < 10 ? 40 : 6);
    }
  }
}

TEST(DeterminantDevice, OfEverySize) {
  for (const Index n : {63U, 64U, 65U, 127U, 128U, 129U, 200U}) {
    if (testing::sanitized && (n == 127 || n == 200)) continue;
    const AnyBlock block = diagonal_and_more<std::int64_t>(n, n, n % 2 == 0 ? 4 : 0.8 * n, 1);
    for (const SamplerKind kind : determinants) expect_same(block, of(kind), n < 100 ? 3 : 1);
  }
}

// The same sizes by a warp, by a block in shared memory, and by launches of some columns in global memory.
TEST(DeterminantDevice, SmallInEveryMemory) {
  for (const Index n : {1U, 5U, 24U, 41U, 70U}) {
    const AnyBlock block = diagonal_and_more<std::int64_t>(n + 50, n, 0.5 * n, 3);
    for (const SamplerKind kind : determinants) {
      const auto components = kind == SamplerKind::godsil_gutman           ? 1U
                              : kind == SamplerKind::godsil_gutman_complex ? 2U
                                                                           : 4U;
      const std::uint64_t matrix = std::uint64_t{8} * components * n * (n | 1U);
      for (const std::uint64_t bytes : {std::uint64_t{227 * 1024}, matrix + 10000, matrix - 1})
        expect_same(block, of(kind), 5, gpus_with(bytes));
    }
  }
}

TEST(DeterminantDevice, SmallWeights) {
  for (const Index n : {3U, 20U, 45U}) {
    for (const SamplerKind kind : determinants) {
      expect_same(diagonal_and_more<std::int64_t>(n, n, 3, 1000000), of(kind), 5);
      expect_same(diagonal_and_more<mpq_class>(n + 1, n, 0.6 * n, 7), of(kind), 5);
    }
  }
}

// Ties between pivots in most columns, and columns that vanish.
TEST(DeterminantDevice, SmallSingularAndZero) {
  const AnyBlock ones = oracle::pattern_block(36, [](Index, Index) { return true; });
  const AnyBlock two = oracle::pattern_block(24, [](Index i, Index j) { return i / 4 == j / 4; });
  const AnyBlock none = oracle::pattern_block(60, [](Index i, Index j) { return i > 20 || j < 20; });
  const AnyBlock empty = oracle::pattern_block(5, [](Index, Index) { return false; });
  for (const SamplerKind kind : determinants) {
    for (const AnyBlock& block : {ones, two, none, empty}) {
      for (const std::uint64_t bytes : {227 * 1024, 1024})
        expect_same(block, of(kind), testing::sanitized ? 10 : 40, gpus_with(bytes));
    }
    EXPECT_EQ(BlockSampler(none, of(kind), 7, 1).on_device(emulated_gpu(0))->run(0, 40, StopSignal()).nonzero,
              0U);
  }
}

// The launches of some columns each hear a stop between them.
TEST(DeterminantDevice, AStopIsHeard) {
  const AnyBlock block = oracle::pattern_block(20, [](Index, Index) { return true; });
  const BlockSampler sampler(block, of(SamplerKind::godsil_gutman), 1, 0);
  StopSignal stop;
  stop.request();
  for (const std::uint64_t bytes : {227 * 1024, 1024}) {
    for (const GpuInfo& gpu : gpus_with(bytes))
      EXPECT_THROW(sampler.on_device(gpu)->run(0, 10, stop), Stopped);
  }
}

}  // namespace
}  // namespace countpm
