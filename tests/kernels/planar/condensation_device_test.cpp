// The GPU form of condensation, its very steps run on the CPU: bit for bit the CPU's residues and doubles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "graph/errors.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/planar/condensation/condensation.hpp"
#include "kernels/planar/condensation/gpu/form.hpp"
#include "kernels/planar/condensation/gpu/layout.hpp"
#include "kernels/planar/condensation/gpu/tuning.hpp"
#include "kernels/planar/condensation/method.hpp"
#include "kernels/planar/gpu/lane.hpp"
#include "kernels/planar/orientation/embedding.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"

namespace countpm::condensation_device_test {
namespace {

using namespace testing;
using namespace testing_support;

Arithmetic primes_for_gpus(unsigned count, const mpz_class& skip = 1) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(count, {skip}, planar_step::prime_bits);
  return arithmetic;
}
Arithmetic small_primes() {
  Arithmetic arithmetic;
  for (const std::uint64_t prime : {3, 5, 7, 11, 13, 101, 257, 10007, 65537, 3, 3, 5, 536870909})
    arithmetic.moduli.push_back({prime, 0});
  return arithmetic;
}

/// value(i, j) for the entries of a matrix, or for those above the diagonal of a skew-symmetric one.
template <class Value>
planar::SignedMatrix dense_matrix(Index size, bool skew, const Value& value) {
  planar::SignedMatrix matrix;
  matrix.graph.bipartite = !skew;
  matrix.graph.rows = size;
  matrix.graph.vertices = skew ? size : 2 * size;
  for (Index i = 0; i < size; ++i) {
    for (Index j = skew ? i + 1 : 0; j < size; ++j) {
      const std::int64_t entry = value(i, j);
      if (entry == 0) continue;
      const mpq_class magnitude(static_cast<long>(std::abs(entry)));
      const auto known = std::find(matrix.values.begin(), matrix.values.end(), magnitude);
      matrix.value_of.push_back(static_cast<Index>(known - matrix.values.begin()));
      if (known == matrix.values.end()) matrix.values.push_back(magnitude);
      matrix.graph.edges.push_back({i, skew ? j : size + j, 0});
      matrix.orientation.push_back(entry > 0 ? 1 : 0);
    }
  }
  return matrix;
}

/// The determinant (Pfaffian) by the GPU's steps.
std::vector<std::uint64_t> on_device(const planar::SignedMatrix& matrix, const Arithmetic& arithmetic,
                                     const GpuInfo& gpu) {
  CondensationTask task;
  task.form = planar::dense_form(matrix.graph);
  task.entries = {planar::dense_entries(matrix)};
  task.values = &matrix.values;
  task.arithmetic = &arithmetic;
  task.sum = [](const auto& determinants, const auto& /*primes*/) { return determinants[0]; };
  const StopSignal never;
  const std::unique_ptr<DeviceJob> device = on_gpu<CondensationForm>(gpu, task);
  const Partial found = device->run(0, arithmetic.moduli.size(), never);
  EXPECT_EQ(std::get<Residues>(device->run(0, arithmetic.moduli.size(), never)), std::get<Residues>(found));
  const std::vector<uint128>& residues = std::get<Residues>(found).residue;
  return {residues.begin(), residues.end()};
}

void expect_cpus_residues(const planar::SignedMatrix& matrix, const Arithmetic& arithmetic,
                          const std::string& what) {
  const StopSignal never;
  std::vector<std::uint64_t> expected;
  for (const Modulus& modulus : arithmetic.moduli)
    expected.push_back(planar::condensation(matrix, planar::portable_lanes(), {modulus.prime}, never)[0]);
  for (const GpuInfo& gpu : all_gpus())
    EXPECT_EQ(on_device(matrix, arithmetic, gpu), expected) << gpu.name << ", " << what;
}

TEST(CondensationDevice, SizesAroundPanelsAndTiles) {
  for (const Index size : {0U, 1U, 2U, 3U, 15U, 16U, 17U, 31U, 32U, 33U, 63U, 64U, 65U, 100U}) {
    for (const bool skew : {false, true}) {
      Random random(size);
      // Half of the entries are zero, so that a row's first entry often is no pivot.
      const planar::SignedMatrix matrix = dense_matrix(size, skew, [&](Index, Index) {
        return random.below(2) == 0 ? 0 : static_cast<std::int64_t>(random.below(9)) - 4;
      });
      const std::string what = std::to_string(size) + (skew ? " vertices" : " rows");
      expect_cpus_residues(matrix, primes_for_gpus(3), what);
      expect_cpus_residues(matrix, small_primes(), what + ", small primes");
    }
  }
}

/// The value modulo each prime, with its sign.
void expect_value(const planar::SignedMatrix& matrix, const mpz_class& value, const std::string& what) {
  const Arithmetic arithmetic = primes_for_gpus(2);
  std::vector<std::uint64_t> expected;
  for (const Modulus& modulus : arithmetic.moduli)
    expected.push_back(mpz_fdiv_ui(value.get_mpz_t(), modulus.prime));
  for (const GpuInfo& gpu : all_gpus())
    EXPECT_EQ(on_device(matrix, arithmetic, gpu), expected) << gpu.name << ", " << what;
}

TEST(CondensationDevice, ClosedForms) {
  for (const Index n : {2U, 5U, 32U, 33U, 70U, 120U}) {
    const std::string what = std::to_string(n);
    const auto sign = [](Index k) { return k % 2 == 0 ? 1 : -1; };
    // J - I: eigenvalues n - 1 and -1. Its first pivot is zero.
    expect_value(dense_matrix(n, false, [](Index i, Index j) { return i == j ? 0 : 1; }),
                 sign(n - 1) * static_cast<int>(n - 1), "J - I, n = " + what);
    expect_value(dense_matrix(n, false, [](Index, Index) { return 1; }), 0, "J, n = " + what);
    // Every step takes the last column.
    expect_value(dense_matrix(n, false, [&](Index i, Index j) { return i + j == n - 1 ? 1 : 0; }),
                 sign(n * (n - 1) / 2), "reversed, n = " + what);
    // min(i, j) is L L^T with L of ones.
    expect_value(dense_matrix(n, false, [](Index i, Index j) { return std::min(i, j) + 1; }), 1,
                 "min, n = " + what);
    if (n % 2 != 0) continue;
    expect_value(dense_matrix(n, true, [](Index, Index) { return 1; }), 1, "Pf, n = " + what);
    // Nested pairs cross no other: no sign.
    expect_value(dense_matrix(n, true, [&](Index i, Index j) { return i + j == n - 1 ? 1 : 0; }), 1,
                 "nested pairs, n = " + what);
    // {i, i + n / 2}: all of them cross.
    expect_value(dense_matrix(n, true, [&](Index i, Index j) { return i + n / 2 == j ? 1 : 0; }),
                 sign(n / 2 * (n / 2 - 1) / 2), "crossing pairs, n = " + what);
  }
}

TEST(CondensationDevice, ManyPrimesInBatches) {
  const planar::SignedMatrix matrix = dense_matrix(
      9, false, [](Index i, Index j) { return static_cast<std::int64_t>((i + 1) * (j + 2) % 7); });
  for (const unsigned primes : {1U, 31U, 32U, 33U}) {
    expect_cpus_residues(matrix, primes_for_gpus(primes), std::to_string(primes) + " primes");
  }
  // Memory for some of them only.
  const Arithmetic arithmetic = primes_for_gpus(33);
  GpuInfo gpu = emulated_gpu(0);
  const std::vector<std::uint64_t> expected = on_device(matrix, arithmetic, gpu);
  const DenseForm form = planar::dense_form(matrix.graph);
  gpu.memory_bytes = 64;
  while (!fits_device(form, matrix.values.size(), gpu)) gpu.memory_bytes += 64;
  EXPECT_EQ(on_device(matrix, arithmetic, gpu), expected);
  gpu.memory_bytes = 64;
  EXPECT_THROW(on_device(matrix, arithmetic, gpu), UnableError);
}

/// As a method: units of eight primes, planes and tori, odd cycles and none.
TEST(CondensationDevice, JobsOfLattices) {
  const StopSignal never;
  for (const char* const spec : {"square:1x2", "square:8x8", "square:9x10:weights=2,-1/3", "triangular:6x6",
                                 "aztec:5", "hexagon:3x3x3", "torus:6x6", "triangular-torus:4x5"}) {
    const AnyBlock block = lattice_block(spec);
    const Arithmetic arithmetic = primes_for_gpus(19, denominator(block));
    const std::unique_ptr<Job> job = condensation_method().make_job(block, arithmetic, {});
    ASSERT_EQ(job->units(), 3U);
    for (const GpuInfo& gpu : all_gpus()) {
      EXPECT_GT(job->nominal_device_rate(gpu), 0) << spec;
      const std::unique_ptr<DeviceJob> device = job->on_device(gpu);
      ASSERT_NE(device, nullptr) << spec;
      EXPECT_GT(device->device_bytes(), 0U);
      for (const auto& [first, last] :
           {std::pair<std::uint64_t, std::uint64_t>{0, 3}, {1, 2}, {2, 3}, {1, 3}, {1, 2}}) {
        Partial expected = zero(arithmetic);
        for (std::uint64_t unit = first; unit < last; ++unit)
          add(expected, job->run(unit, never), arithmetic);
        EXPECT_EQ(std::get<Residues>(device->run(first, last, never)), std::get<Residues>(expected))
            << gpu.name << ", units " << first << " to " << last << ", " << spec;
      }
    }
  }
}

TEST(CondensationDevice, RatesAndStops) {
  const std::unique_ptr<Job> job =
      condensation_method().make_job(lattice_block("square:10x10"), primes_for_gpus(70), {});
  const std::unique_ptr<DeviceJob> device = job->on_device(emulated_gpu(0));
  EXPECT_GT(device->measured_rate(0.01), 1);
  StopSignal stop;
  stop.request();
  EXPECT_THROW(device->run(0, job->units(), stop), Stopped);
}

TEST(CondensationDevice, WhatHasNoGpuForm) {
  GpuInfo gpu = emulated_gpu(0);
  const auto has_form = [&](const AnyBlock& block, const Arithmetic& arithmetic) {
    const std::unique_ptr<Job> job = condensation_method().make_job(block, arithmetic, {});
    EXPECT_EQ(job->on_device(gpu) != nullptr, job->nominal_device_rate(gpu) > 0);
    EXPECT_EQ(job->on_device(gpu) != nullptr, !job->device_obstacle(gpu));
    return job->nominal_device_rate(gpu) > 0;
  };
  EXPECT_TRUE(has_form(lattice_block("square:4x4"), primes_for_gpus(2)));
  Arithmetic large;
  large.moduli = choose_primes(2, {}, planar_step::prime_bits + 1);
  EXPECT_FALSE(has_form(lattice_block("square:4x4"), large));
  EXPECT_FALSE(has_form(lattice_block("triangular:3x3"), primes_for_gpus(2)));  // no perfect matching
  const std::unique_ptr<Job> job =
      condensation_method().make_job(lattice_block("square:4x4"), primes_for_gpus(2), {});
  gpu.memory_bytes = 100;
  EXPECT_EQ(job->nominal_device_rate(gpu), 0);
  EXPECT_EQ(job->on_device(gpu), nullptr);
  const Refusal refusal = job->device_obstacle(gpu).value();
  EXPECT_EQ(refusal.kind, RefusalKind::gpu_memory);
  EXPECT_EQ(refusal.text, "the GPU has too little memory for this block's dense matrix modulo one prime");
}

TEST(CondensationDevice, LogarithmsBitForBit) {
  const StopSignal never;
  int seen = 0;
  const auto expect_same = [&](const planar::SignedMatrix& matrix, const std::string& what) {
    const planar::LogDeterminant expected = planar::log_condensation(matrix, {}, never);
    for (const GpuInfo& gpu : all_gpus()) {
      const planar::LogDeterminant found = planar::log_condensation(matrix, {}, never, &gpu);
      EXPECT_EQ(found.error, expected.error) << gpu.name << ", " << what;
      if (std::isinf(expected.error)) continue;
      EXPECT_EQ(found.ln, expected.ln) << gpu.name << ", " << what;
      ++seen;
    }
  };
  for (const Index size : {0U, 1U, 2U, 3U, 16U, 31U, 32U, 33U, 63U, 64U, 65U, 100U}) {
    for (const bool skew : {false, true}) {
      Random random(size);
      const planar::SignedMatrix matrix = dense_matrix(size, skew, [&](Index, Index) {
        return random.below(3) == 0 ? 0 : static_cast<std::int64_t>(random.below(201)) - 100;
      });
      expect_same(matrix, std::to_string(size) + (skew ? " vertices" : " rows"));
    }
  }
  EXPECT_GT(seen, 10);
  // No pivot.
  expect_same(dense_matrix(5, false, [](Index, Index) { return 1; }), "J");
  GpuInfo gpu = emulated_gpu(0);
  gpu.memory_bytes = 100;
  EXPECT_THROW(
      planar::log_condensation(dense_matrix(5, false, [](Index, Index) { return 1; }), {}, never, &gpu),
      UnableError);
}

}  // namespace
}  // namespace countpm::condensation_device_test
