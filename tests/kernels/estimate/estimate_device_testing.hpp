#pragma once
// Samples on GPUs against the CPU's, bit for bit.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "kernels/estimate/samples/sampler.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/oracle.hpp"

namespace countpm::testing {

inline void expect_equal(const SampleMoments& found, const SampleMoments& expected) {
  EXPECT_EQ(found.samples, expected.samples);
  EXPECT_EQ(found.nonzero, expected.nonzero);
  EXPECT_TRUE(found.sum == expected.sum);
  EXPECT_TRUE(found.squares == expected.squares);
  EXPECT_TRUE(found.cubes == expected.cubes);
  EXPECT_EQ(found.largest.mantissa, expected.largest.mantissa);
  EXPECT_EQ(found.largest.exponent, expected.largest.exponent);
  EXPECT_EQ(found.histogram, expected.histogram);
}

/// On every one of `gpus`, in one batch and in two.
inline void expect_same(const AnyBlock& block, const SamplerOptions& options, std::uint64_t samples,
                        const std::vector<GpuInfo>& gpus = all_gpus()) {
  const StopSignal never;
  const BlockSampler sampler(block, options, 7, 1);
  const Index rows = std::visit([](const auto& one) { return one.matrix.rows; }, block);
  ASSERT_EQ(sampler.device_obstacle(), "");
  const SampleMoments expected = sampler.run(3, samples, never);
  for (const GpuInfo& gpu : gpus) {
    SCOPED_TRACE(gpu.name + ", " + std::string(sampler_info(*options.kind).name) + ", " +
                 std::to_string(rows) + " rows");
    expect_equal(sampler.on_device(gpu, true)->run(3, samples, never), expected);
    const auto device = sampler.on_device(gpu);
    expect_equal(device->run(3, samples, never), expected);
    SampleMoments parts = device->run(3 + samples / 3, samples - samples / 3, never);
    parts.join(device->run(3, samples / 3, never));
    expect_equal(parts, expected);
  }
}

/// A diagonal, so that the count is not zero, and about `degree` entries more a row.
template <class Value>
AnyBlock diagonal_and_more(std::uint64_t seed, Index n, double degree, std::int64_t most) {
  oracle::Random random(seed);
  return oracle::make_block<Value>(n, n, [&](Index i, Index j) {
    const bool entry = i == j || static_cast<double>(oracle::uniform(random, 0, 999)) < 1000 * degree / n;
    return Value(entry ? oracle::uniform(random, 1, most) : 0);
  });
}

}  // namespace countpm::testing
