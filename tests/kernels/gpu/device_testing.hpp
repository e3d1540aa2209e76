#pragma once
// What kernels may rely on, as tests over any device: on the CPU executor everywhere, on GPUs where there are
// any.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/gpu/cpu_executor.hpp"

namespace countpm::testing {

struct Wide {
  std::uint64_t word[3] = {0, 0, 0};
};

/// Sums by block through shared memory, whatever the grid.
struct SumKernel {
  static constexpr unsigned threads = 96;
  static constexpr unsigned blocks_per_multiprocessor = 2;
  const std::uint32_t* values;
  std::uint32_t count;
  std::uint64_t* sums;  // one a block

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    auto own = block.template per_thread<std::uint64_t>();
    std::uint64_t* shared = block.template shared<std::uint64_t>(64);
    block.each([&](unsigned thread) {
      own[thread] = 0;
      for (std::uint32_t i = block.index() * threads + thread; i < count; i += block.count() * threads)
        own[thread] += values[i];
    });
    block.each([&](unsigned thread) { shared[thread] = own[thread]; });
    block.sync();
    block.each([&](unsigned thread) {
      if (thread != 0) return;
      std::uint64_t sum = 0;
      for (unsigned k = 0; k < block.threads(); ++k) sum += shared[k];
      sums[block.index()] = sum;
    });
  }
};

/// Everything that a warp can do, into `results`: 8 words a warp.
struct WarpKernel {
  static constexpr unsigned threads = 64;
  static constexpr unsigned blocks_per_multiprocessor = 1;
  static constexpr unsigned results_per_warp = 10;
  std::uint64_t* results;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      using Warp = std::remove_reference_t<decltype(warp)>;
      typename Warp::template PerLane<std::uint64_t> square;
      typename Warp::template PerLane<Wide> wide;
      warp.each([&](unsigned lane) {
        square[lane] = std::uint64_t{lane} * lane;
        wide[lane] = {{lane, 100 + lane, 1000 * lane}};
      });
      const std::uint32_t odd = warp.ballot([&](unsigned lane) { return square[lane] % 2 != 0; });
      const std::uint64_t seventh = warp.broadcast(square, 7);
      const Wide third = warp.broadcast(wide, 3);
      const auto swapped = warp.exchange(square, 5);
      const std::uint32_t right =
          warp.ballot([&](unsigned lane) { return swapped[lane] == std::uint64_t{lane ^ 5U} * (lane ^ 5U); });
      const std::uint64_t sum = warp.reduce(square, [](std::uint64_t a, std::uint64_t b) { return a + b; });
      const Wide wide_sum = warp.reduce(wide, [](const Wide& a, const Wide& b) {
        return Wide{{a.word[0] + b.word[0], a.word[1] + b.word[1], a.word[2] + b.word[2]}};
      });
      typename Block::Warp::template PerLane<std::uint32_t> running;
      warp.each([&](unsigned lane) { running[lane] = lane + 1; });
      const std::uint32_t all = warp.running_sum(running);
      const std::uint32_t run =
          warp.ballot([&](unsigned lane) { return running[lane] == (lane + 1) * (lane + 2) / 2; });
      std::uint64_t* out = results + warp.index() * results_per_warp;
      warp.once([&] {
        out[0] = odd;
        out[1] = seventh;
        out[2] = third.word[2];
        out[3] = right;
        out[4] = sum;
        out[5] = wide_sum.word[1];
        out[6] = warp.count();
        out[7] = warp.index();
        out[8] = all;
        out[9] = run;
      });
    });
  }
};

template <class Device>
void expect_sums(const Device& device) {
  for (const std::uint32_t count : {0U, 1U, 95U, 96U, 97U, 100000U}) {
    std::vector<std::uint32_t> values(count);
    std::iota(values.begin(), values.end(), 1U);
    const auto input = device.upload(values);
    const std::size_t shared = 64 + SumKernel::threads * sizeof(std::uint64_t);
    const unsigned blocks = device.template blocks<SumKernel>(shared);
    const auto sums = device.template allocate<std::uint64_t>(blocks);
    device.launch(SumKernel{input.data(), count, sums.data()}, blocks, shared);
    device.wait();
    const std::vector<std::uint64_t> result = device.download(sums, blocks);
    EXPECT_EQ(std::accumulate(result.begin(), result.end(), std::uint64_t{0}),
              std::uint64_t{count} * (std::uint64_t{count} + 1) / 2);
  }
}

template <class Device>
void expect_warps(const Device& device) {
  constexpr unsigned blocks = 3;
  constexpr unsigned warps = blocks * WarpKernel::threads / warp_lanes;
  auto results = device.template allocate<std::uint64_t>(warps * WarpKernel::results_per_warp);
  device.launch(WarpKernel{results.data()}, blocks, 0);
  device.wait();
  const std::vector<std::uint64_t> found = device.download(results, results.size());
  std::vector<std::uint64_t> expected;
  for (std::uint64_t warp = 0; warp < warps; ++warp)
    expected.insert(expected.end(), {0xaaaaaaaaU, 49, 3000, 0xffffffffU, 31 * 32 * 63 / 6, 100 * 32 + 31 * 16,
                                     warps, warp, 32 * 33 / 2, 0xffffffffU});
  EXPECT_EQ(found, expected);
}

template <class Device>
void expect_buffers(const Device& device) {
  auto buffer = device.template allocate<int>(3);
  device.write(buffer, std::vector<int>{1, 2, 3});
  EXPECT_EQ(device.download(buffer, 2), (std::vector<int>{1, 2}));
  auto moved = std::move(buffer);
  EXPECT_EQ(device.download(moved, 3), (std::vector<int>{1, 2, 3}));
  device.clear(moved);
  EXPECT_EQ(device.download(moved, 3), (std::vector<int>{0, 0, 0}));
  moved = device.upload(std::vector<int>{});
  EXPECT_EQ(moved.size(), 0U);
  EXPECT_TRUE(device.download(moved, 0).empty());
}

}  // namespace countpm::testing
