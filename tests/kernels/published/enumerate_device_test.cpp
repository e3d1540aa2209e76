// enumerate on GPUs against the same job on the CPU, any range of units, bit for bit in every ring.
#include "kernels/gpu/device_job.hpp"
#include "kernels/published/enumerate/enumerate.hpp"
#include "tests/kernels/best_rate.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm::enumerate_device_test {
namespace {

using namespace countpm::testing;

const StopSignal never;

void expect_same(const AnyBlock& block, const Arithmetic& arithmetic, const std::string& what) {
  const auto job = enumerate_method().make_job(block, arithmetic, {});
  for (const GpuInfo& gpu : all_gpus()) {
    EXPECT_GT(job->nominal_device_rate(gpu), 0);
    const auto device = job->on_device(gpu);
    ASSERT_NE(device, nullptr);
    const std::vector<std::uint64_t> starts = {0, job->units() / 3, 0};
    for (const std::uint64_t first : starts) {
      ASSERT_EQ(std::get<Residues>(device->run(first, job->units(), never)),
                cpu_sum(*job, first, job->units(), arithmetic))
          << gpu.name << ", " << arithmetic.name() << ", from unit " << first << ", " << what;
    }
  }
}

TEST(EnumerateDevice, RangesAreTheCpusBitForBit) {
  Random random(91);
  for (int round = 0; round < testing::repeats(120); ++round) {
    const auto block = random_integers(random, static_cast<Index>(below(random, 9)), below(random, 2) == 0);
    expect_same(block, some_residues(random()), "round " + std::to_string(round) + "\n" + text_of(block));
    if (HasFatalFailure()) return;
  }
}

TEST(EnumerateDevice, Rationals) {
  Random random(92);
  for (int round = 0; round < 20; ++round) {
    const auto block = random_block<mpq_class>(random, static_cast<Index>(1 + below(random, 7)), 0.7, true,
                                               [&] { return random_rational(random); });
    expect_same(block, residues_modulo({first_prime, second_prime}), text_of(block));
    if (HasFatalFailure()) return;
  }
}

/// Single units of many: ranges of ranks that begin anywhere.
TEST(EnumerateDevice, SingleUnits) {
  Random random(93);
  for (const Index n : {8U, 9U, 10U, 11U, 14U, 20U}) {
    // No zeros: a permutation too many or too few shows.
    const auto block = random_block<std::int64_t>(random, n, 1, true, [&] {
      return (below(random, 2) == 0 ? 1 : -1) * static_cast<std::int64_t>(1 + below(random, 9));
    });
    const Arithmetic arithmetic = n % 2 == 0 ? residues_modulo({first_prime}) : wrap_around(128);
    const auto job = enumerate_method().make_job(block, arithmetic, {});
    ASSERT_GT(job->units(), 30U);
    for (const GpuInfo& gpu : all_gpus()) {
      const auto device = job->on_device(gpu);
      ASSERT_NE(device, nullptr) << n;
      if (n > 11) continue;  // 14! / 4096 ranks are too many for an emulated GPU
      for (int time = 0; time < 4; ++time) {
        const std::uint64_t first = below(random, job->units() - 3);
        const std::uint64_t last = first + below(random, 3);
        ASSERT_EQ(std::get<Residues>(device->run(first, last, never)), cpu_sum(*job, first, last, arithmetic))
            << gpu.name << ", n = " << n << ", units " << first << " to " << last;
      }
    }
  }
}

TEST(EnumerateDevice, CountsPermutations) {
  for (const GpuInfo& gpu : all_gpus()) {
    const Index n = gpu.emulated ? 9 : 13;
    const auto block =
        dense_block(std::vector<std::vector<std::int64_t>>(n, std::vector<std::int64_t>(n, 1)), n);
    const auto job = enumerate_method().make_job(block, wrap_around(64), {});
    const auto device = job->on_device(gpu);
    EXPECT_EQ(std::get<Residues>(device->run(0, job->units(), never)).residue[0],
              gpu.emulated ? 362880U : 6227020800U);
    EXPECT_GT(best_rate(*device, 1e3), 1e3);
    EXPECT_GT(device->device_bytes(), 0U);
    StopSignal stop;
    stop.request();
    EXPECT_THROW(device->run(0, job->units(), stop), Stopped);
  }
}

TEST(EnumerateDevice, WhatHasNoGpuForm) {
  Random random(94);
  const GpuInfo gpu = emulated_gpu(0);
  const auto has_form = [&](const AnyBlock& block, const Arithmetic& arithmetic) {
    const auto job = enumerate_method().make_job(block, arithmetic, {});
    EXPECT_EQ(job->on_device(gpu) != nullptr, job->nominal_device_rate(gpu) > 0);
    return job->on_device(gpu) != nullptr;
  };
  const Arithmetic prime = residues_modulo({first_prime});
  EXPECT_TRUE(has_form(random_pattern(random, 20, 0.5), prime));
  EXPECT_FALSE(has_form(random_pattern(random, 21, 0.5), prime));
  Arithmetic floating;
  floating.kind = Arithmetic::Kind::floating;
  floating.precision = Precision::kahan;
  EXPECT_FALSE(has_form(random_pattern(random, 5, 0.5), floating));
}

}  // namespace
}  // namespace countpm::enumerate_device_test
