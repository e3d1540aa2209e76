// The GPU form of shift, its very steps run on the CPU: bit for bit what the CPU's lanes find, unit by unit.
#include <algorithm>
#include <numeric>

#include "kernels/cuda/device_info.hpp"
#include "kernels/cuda/device_job.hpp"
#include "kernels/shift/shift.hpp"
#include "kernels/shift/shift_device.hpp"
#include "tests/kernels/shift_testing.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;

Arithmetic modulo_two_to(unsigned bits) {
  Arithmetic arithmetic;
  arithmetic.moduli = {Modulus{0, bits}};
  return arithmetic;
}
// exact sums on a GPU, of as many words as they need
const Arithmetic two_primes = residues_modulo({first_prime, second_prime});

std::vector<Arithmetic> arithmetics() {
  return {modulo_two_to(64), modulo_two_to(128), two_primes};
}

std::vector<GpuInfo> every_gpu() {
  std::vector<GpuInfo> result = gpus();
  result.push_back(emulated_gpu(0));
  return result;
}

/// All units, and a range of them, on the emulated GPU, on the GPUs of this machine, and on the CPU.
template <class Value>
void expect_same(const Value& block, const Arithmetic& arithmetic, const ShiftChoice& choice = {}) {
  const StopSignal never;
  const auto job = make_shift_job(block, arithmetic, 1, choice);
  const std::uint64_t units = job->units();
  for (const auto& [first, last] : {std::pair<std::uint64_t, std::uint64_t>{0, units}, {units / 3, units}}) {
    Partial expected = zero(arithmetic);
    for (std::uint64_t unit = first; unit < last; ++unit) add(expected, job->run(unit, never), arithmetic);
    for (const GpuInfo& gpu : every_gpu()) {
      const auto device = job->on_device(gpu);
      ASSERT_NE(device, nullptr) << text_of(block);
      ASSERT_EQ(std::get<Residues>(device->run(first, last, never)), std::get<Residues>(expected))
          << gpu.name << ", " << arithmetic.name() << ", units " << first << " to " << last << "\n"
          << text_of(block);
    }
  }
}

/// Ones on the diagonal, so that the count is not zero, and about `entries` more a row, for n that start at
/// 32 few enough to be walked at once.
Block<std::int64_t> diagonal_and_more(Random& random, Index n, double entries) {
  std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 0));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      cells[i][j] = i == j || static_cast<double>(below(random, 1000)) < 1000 * entries / n ? 1 : 0;
    }
  }
  return dense_block(cells, n);
}

TEST(ShiftDevice, EverySizeAndWidth) {
  Random random(61);
  for (const Index n : {1U, 2U, 5U, 9U, 10U, 11U, 16U, 31U, 32U, 33U, 40U, 48U, 63U, 64U}) {
    const double entries = n <= 16 ? 0.5 * n : n <= 33 ? 2.5 : 1.5;
    const auto block = diagonal_and_more(random, n, entries);
    for (const Arithmetic& arithmetic : arithmetics()) expect_same(block, arithmetic);
  }
}

TEST(ShiftDevice, WeightsOfEitherSign) {
  Random random(62);
  for (int round = 0; round < 60; ++round) {
    const auto n = static_cast<Index>(1 + below(random, 15));
    const std::uint64_t size = round % 2 == 0 ? 3 : 300;
    const auto block = random_block<std::int64_t>(random, n, 0.5, true, [&] {
      return static_cast<std::int64_t>(below(random, 2 * size + 1)) - static_cast<std::int64_t>(size);
    });
    for (const Arithmetic& arithmetic : arithmetics()) expect_same(block, arithmetic);
  }
}

TEST(ShiftDevice, AnyShiftOrderAndTail) {
  Random random(63);
  for (int round = 0; round < 120; ++round) {
    const auto n = static_cast<Index>(1 + below(random, 15));
    const auto block = random_pattern(random, n, 0.2 + 0.1 * static_cast<double>(below(random, 8)));
    const std::uint64_t reach = std::vector<std::uint64_t>{2, 10, 200}[below(random, 3)];
    ShiftChoice choice;
    choice.most_tail_columns = static_cast<unsigned>(below(random, 10));
    choice.most_device_tail_columns = static_cast<unsigned>(below(random, 12));
    draw_order_and_shift(choice, random, n, reach);
    expect_same(block, arithmetics()[static_cast<std::size_t>(round % 3)], choice);
  }
}

// Eleven columns, and words of 64 bits, where all masks fit; ten where they do not, and where there are no
// more.
TEST(ShiftDevice, LongTailsWhereTheirMasksFit) {
  Random random(69);
  const auto block = diagonal_and_more(random, 24, 3);
  const auto columns = std::get<IntegerColumns<std::int64_t>>(integer_columns(block));
  ShiftPlan<std::int64_t> plan;
  plan.order.resize(24);
  std::iota(plan.order.begin(), plan.order.end(), Index{0});
  plan.shift.assign(24, -2);
  const auto set_bits = [&](unsigned tail, std::size_t bytes) {
    return lay_out_for_device(columns, plan, tail, bytes, 28).shape.set_bits;
  };
  EXPECT_EQ(set_bits(11, 227 * 1024), 64U);
  EXPECT_EQ(lay_out_for_device(columns, plan, 11, 227 * 1024, 28).shape.head, 13U);
  EXPECT_EQ(set_bits(10, 227 * 1024), 32U);
  const std::size_t narrow =
      block_shared_bytes(lay_out_for_device(columns, plan, 10, 227 * 1024, 28).shape, 28);
  EXPECT_EQ(set_bits(11, narrow), 32U);
  EXPECT_EQ(lay_out_for_device(columns, plan, 11, narrow, 28).shape.head, 14U);
}

// Rows whose sums spread too wide for masks have none to go without; what warps keep must fit all the same.
TEST(ShiftDevice, LongTailsWithoutMasksFitToo) {
  const auto block =
      dense_block(std::vector<std::vector<std::int64_t>>(12, std::vector<std::int64_t>(12, 10)), 12);
  const auto columns = std::get<IntegerColumns<std::int64_t>>(integer_columns(block));
  ShiftPlan<std::int64_t> plan;
  plan.order.resize(12);
  std::iota(plan.order.begin(), plan.order.end(), Index{0});
  plan.shift.assign(12, -60);
  const auto layout = [&](std::size_t bytes) { return lay_out_for_device(columns, plan, 11, bytes, 28); };
  const std::size_t broad = block_shared_bytes(layout(227 * 1024).shape, 28);
  EXPECT_EQ(layout(broad).shape.set_bits, 64U);
  EXPECT_EQ(layout(broad - 1).shape.set_bits, 32U);
}

/// A walk that prunes nothing: every subset is a leaf.
TEST(ShiftDevice, NothingPruned) {
  for (const Index n : {4U, 10U, 13U}) {
    const auto block =
        dense_block(std::vector<std::vector<std::int64_t>>(n, std::vector<std::int64_t>(n, 1)), n);
    ShiftChoice choice;
    choice.order.resize(n);
    std::iota(choice.order.begin(), choice.order.end(), Index{0});
    choice.shift.assign(n, 1);
    for (const Arithmetic& arithmetic : arithmetics()) expect_same(block, arithmetic, choice);
  }
}

TEST(ShiftDevice, RowsOfOneEntryAndEmptyBlocks) {
  Random random(64);
  for (int round = 0; round < 20; ++round) {
    const auto n = static_cast<Index>(6 + below(random, 30));
    // permutation matrices with a few entries more, some with an empty row in the end
    std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 0));
    for (Index i = 0; i < n; ++i) cells[i][(i + 7) % n] = round % 4 == 3 && i == n / 2 ? 0 : 1;
    for (Index k = 0; k < n / 2; ++k) cells[below(random, n / 2)][below(random, n)] = 1;
    for (const Arithmetic& arithmetic : arithmetics()) expect_same(dense_block(cells, n), arithmetic);
  }
}

/// Equal columns are a class: so many of its copies at once, binomially weighted.
TEST(ShiftDevice, ClassesOfEqualColumns) {
  Random random(65);
  for (int round = 0; round < 40; ++round) {
    const auto n = static_cast<Index>(4 + below(random, 16));
    const auto kinds = static_cast<Index>(2 + below(random, n - 2));
    std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 0));
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) {
        cells[i][j] = j < kinds ? static_cast<std::int64_t>(below(random, 2)) : cells[i][j % kinds];
      }
    }
    ShiftChoice choice;
    choice.either_side = false;
    choice.most_tail_columns = static_cast<unsigned>(below(random, 10));
    for (const Arithmetic& arithmetic : arithmetics()) expect_same(dense_block(cells, n), arithmetic, choice);
  }
}

TEST(ShiftDevice, ImprovedPlansAndManyUnits) {
  Random random(66);
  const StopSignal never;
  const auto block = random_pattern(random, 30, 0.3);
  for (const Arithmetic& arithmetic : {two_primes}) {
    const auto job = make_shift_job(block, arithmetic, 1, {});
    job->improve(0.05, never);
    ASSERT_GT(job->units(), 1U);
    const auto device = job->on_device(emulated_gpu(0));
    Partial expected = zero(arithmetic);
    for (std::uint64_t unit = 0; unit < job->units(); ++unit)
      add(expected, job->run(unit, never), arithmetic);
    Partial found = device->run(0, 1, never);
    add(found, device->run(1, job->units(), never), arithmetic);
    EXPECT_EQ(std::get<Residues>(found), std::get<Residues>(expected));
    EXPECT_GT(device->measured_rate(0.01), 0);
    EXPECT_GT(device->device_bytes(), 0U);
    EXPECT_GT(job->nominal_device_rate(emulated_gpu(0)), 0);
  }
}

/// A warp that has looked at enough nodes leaves the others to the next launch, until there is no more room
/// for them.
TEST(ShiftDevice, WhatIsLeftToOthers) {
  Random random(70);
  for (const std::uint32_t budget : {1U, 20U, 300U}) {
    for (const double share : {0.15, 0.25, 0.5}) {
      ShiftChoice choice;
      choice.device_budget = budget;
      expect_same(random_pattern(random, 24, share), two_primes, choice);
    }
  }
}

TEST(ShiftDevice, StopsWhenTold) {
  Random random(67);
  const auto job = make_shift_job(random_pattern(random, 24, 0.4), two_primes, 1, {});
  const auto device = job->on_device(emulated_gpu(0));
  StopSignal stop;
  stop.request();
  EXPECT_THROW(device->run(0, job->units(), stop), Stopped);
}

TEST(ShiftDevice, WhatHasNoGpuForm) {
  Random random(68);
  // more rows than two a lane; sums wider than 16 bits; sums of more than four words
  EXPECT_EQ(make_shift_job(random_pattern(random, 65, 0.05), two_primes, 1, {})->on_device(emulated_gpu(0)),
            nullptr);
  const Index n = 9;
  const auto heavy =
      dense_block(std::vector<std::vector<std::int64_t>>(n, std::vector<std::int64_t>(n, 50000)), n);
  const auto job = make_shift_job(heavy, two_primes, 1, {});
  EXPECT_EQ(job->on_device(emulated_gpu(0)), nullptr);
  EXPECT_EQ(job->nominal_device_rate(emulated_gpu(0)), 0);
  const auto wide =
      dense_block(std::vector<std::vector<std::int64_t>>(30, std::vector<std::int64_t>(30, 900)), 30);
  EXPECT_EQ(make_shift_job(wide, two_primes, 1, {})->on_device(emulated_gpu(0)), nullptr);
  EXPECT_NE(make_shift_job(wide, modulo_two_to(128), 1, {})->on_device(emulated_gpu(0)), nullptr);
}

/// Words of every number, against GMP.
template <unsigned limbs>
void expect_products() {
  Random random(69);
  mpz_class modulus;
  mpz_ui_pow_ui(modulus.get_mpz_t(), 2, 64 * limbs);
  for (int round = 0; round < 200; ++round) {
    shift_step::Wide<limbs> product = shift_step::widened<limbs>(1);
    shift_step::Wide<limbs> sum = shift_step::widened<limbs>(-5);
    mpz_class expected = 1;
    mpz_class expected_sum = -5;
    for (int k = 0; k < 6; ++k) {
      const auto factor = static_cast<std::int64_t>(random()) >> below(random, 64);
      shift_step::multiply(product, factor);
      shift_step::add_to(sum, product);
      expected *= static_cast<long>(factor);
      expected_sum += expected;
    }
    for (auto [wide, whole] : {std::pair{product, expected}, std::pair{sum, expected_sum}}) {
      mpz_class found;
      mpz_import(found.get_mpz_t(), limbs, -1, sizeof(std::uint64_t), 0, 0, wide.limb);
      mpz_fdiv_r(whole.get_mpz_t(), whole.get_mpz_t(), modulus.get_mpz_t());
      ASSERT_EQ(found, whole) << "round " << round;
    }
  }
}
TEST(ShiftDevice, NumbersOfEveryWidth) {
  expect_products<1>();
  expect_products<2>();
  expect_products<3>();
  expect_products<4>();
}

}  // namespace
}  // namespace countpm
