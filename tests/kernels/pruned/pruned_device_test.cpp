// The GPU form of pruned, its very steps run on the CPU: bit for bit what the CPU's lanes find, unit by unit.
#include <algorithm>
#include <numeric>

#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/pruned/gpu/job.hpp"
#include "kernels/pruned/pruned.hpp"
#include "tests/kernels/pruned/pruned_testing.hpp"

namespace countpm::pruned_device_test {
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
void expect_same(const Value& block, const Arithmetic& arithmetic, const PrunedChoice& choice = {}) {
  const StopSignal never;
  const auto job = make_pruned_job(block, arithmetic, 1, choice);
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

TEST(PrunedDevice, EverySizeAndWidth) {
  Random random(61);
  for (const Index n : {1U, 2U, 5U, 9U, 10U, 11U, 16U, 31U, 32U, 33U, 40U, 48U, 63U, 64U}) {
    const double entries = n <= 16 ? 0.5 * n : n <= 33 ? 2.5 : 1.5;
    const auto block = diagonal_and_more(random, n, entries);
    for (const Arithmetic& arithmetic : arithmetics()) expect_same(block, arithmetic);
  }
}

TEST(PrunedDevice, WeightsOfEitherSign) {
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

TEST(PrunedDevice, AnyShiftOrderAndTail) {
  Random random(63);
  for (int round = 0; round < 120; ++round) {
    const auto n = static_cast<Index>(1 + below(random, 15));
    const auto block = random_pattern(random, n, 0.2 + 0.1 * static_cast<double>(below(random, 8)));
    const std::uint64_t reach = std::vector<std::uint64_t>{2, 10, 200}[below(random, 3)];
    PrunedChoice choice;
    choice.most_tail_columns = static_cast<unsigned>(below(random, 10));
    choice.most_device_tail_columns = static_cast<unsigned>(below(random, 12));
    draw_order_and_shift(choice, random, n, reach);
    expect_same(block, arithmetics()[static_cast<std::size_t>(round % 3)], choice);
  }
}

/// n rows, a plan in the order of the columns.
DeviceLayout layout_of(const Block<std::int64_t>& block, std::int64_t shift, unsigned tail,
                       std::size_t bytes) {
  const auto columns = std::get<IntegerColumns<std::int64_t>>(integer_columns(block));
  PrunedPlan<std::int64_t> plan;
  plan.order.resize(columns.rows);
  std::iota(plan.order.begin(), plan.order.end(), Index{0});
  plan.shift.assign(columns.rows, shift);
  return lay_out_for_device(columns, plan, tail, 1, bytes, 28);
}

// Two rows a look where their tables fit, then one, then fewer rows, and the widest go without.
TEST(PrunedDevice, LooksFitIntoSharedMemory) {
  Random random(69);
  const auto block = diagonal_and_more(random, 40, 20);
  DeviceLayout before = layout_of(block, -10, 11, 227 * 1024);
  EXPECT_EQ(before.masked_rows, 40U);
  EXPECT_LT(before.shape.looks, 40U);
  for (std::size_t kib = 227; kib >= 60; --kib) {
    const DeviceLayout layout = layout_of(block, -10, 11, kib * 1024);
    ASSERT_EQ(layout.shape.head, 29U);
    ASSERT_LE(block_shared_bytes(layout.shape, 28), kib * 1024);
    // fewer slots leave more room
    if (layout.shape.slots == before.shape.slots) {
      ASSERT_LE(layout.masked_rows, before.masked_rows);
      if (layout.masked_rows == 40) {
        EXPECT_GE(layout.shape.looks, before.shape.looks);
      }
    }
    before = layout;
  }
  EXPECT_LT(before.masked_rows, 40U);
  EXPECT_GT(before.masked_rows, 0U);
}

// Rows whose sums spread too wide for masks have none; what warps keep must fit all the same.
TEST(PrunedDevice, WideRowsHaveNoMasks) {
  const auto block =
      dense_block(std::vector<std::vector<std::int64_t>>(12, std::vector<std::int64_t>(12, 10)), 12);
  const DeviceLayout layout = layout_of(block, -60, 11, 227 * 1024);
  EXPECT_EQ(layout.shape.looks, 0U);
  EXPECT_EQ(layout.shape.mask_words, 0U);
}

// Little shared memory: fewer slots, and rows without masks.
TEST(PrunedDevice, SmallSharedMemory) {
  Random random(71);
  const StopSignal never;
  for (const Index n : {14U, 40U, 64U}) {
    const auto block = diagonal_and_more(random, n, n == 14 ? 7 : 1.5);
    const auto job = make_pruned_job(block, two_primes, 1, {});
    Partial expected = zero(two_primes);
    for (std::uint64_t unit = 0; unit < job->units(); ++unit)
      add(expected, job->run(unit, never), two_primes);
    for (const std::uint64_t kib : {64, 96, 163}) {
      GpuInfo gpu = emulated_gpu(0);
      gpu.shared_bytes = kib * 1024;
      ASSERT_EQ(job->device_obstacle(gpu), std::nullopt);
      EXPECT_EQ(std::get<Residues>(job->on_device(gpu)->run(0, job->units(), never)),
                std::get<Residues>(expected))
          << n << " rows, " << kib << " KiB";
    }
    GpuInfo gpu = emulated_gpu(0);
    gpu.shared_bytes = 16 * 1024;
    EXPECT_EQ(job->device_obstacle(gpu).value().text,
              "its tables are larger than a multiprocessor's shared memory");
    EXPECT_EQ(job->on_device(gpu), nullptr);
  }
}

// What is said to fit does, whatever the tail: the emulated GPU refuses larger blocks, as a GPU does.
TEST(PrunedDevice, LeastSharedMemoryOfEveryTail) {
  const StopSignal never;
  const Index n = 56;
  std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 0));
  for (Index i = 0; i < n; ++i) cells[i][i] = cells[i][(i + 1) % n] = 200;
  const auto block = dense_block(cells, n);
  for (const unsigned tail : {0U, 4U, 8U, 11U}) {
    PrunedChoice choice;
    choice.most_device_tail_columns = tail;
    const Arithmetic arithmetic = modulo_two_to(256);  // as wide as a GPU's sums get
    const auto job = make_pruned_job(block, arithmetic, 1, choice);
    Partial expected = zero(arithmetic);
    for (std::uint64_t unit = 0; unit < job->units(); ++unit)
      add(expected, job->run(unit, never), arithmetic);
    GpuInfo gpu = emulated_gpu(0);
    gpu.shared_bytes = 48 * 1024;
    while (job->device_obstacle(gpu)) gpu.shared_bytes += 16;
    ASSERT_GT(gpu.shared_bytes, 48U * 1024);
    EXPECT_EQ(std::get<Residues>(job->on_device(gpu)->run(0, job->units(), never)),
              std::get<Residues>(expected))
        << "tails of " << tail << ", " << gpu.shared_bytes << " bytes";
  }
}

// Every number once, and what is beyond the end.
TEST(PrunedDevice, SpreadRangesHaveAllNumbers) {
  for (const std::uint64_t size : {0U, 1U, 31U, 1023U, 1024U, 1025U, 5000U}) {
    const SpreadRange range(size);
    std::vector<unsigned> times(range.asked(), 0);
    for (std::uint64_t i = 0; i < range.asked(); ++i) {
      ASSERT_LT(range.at(i), times.size());
      ++times[range.at(i)];
    }
    ASSERT_GE(range.asked(), size);
    ASSERT_EQ(times, std::vector<unsigned>(range.asked(), 1));
  }
}

/// A walk that prunes nothing: every subset is a leaf.
TEST(PrunedDevice, NothingPruned) {
  for (const Index n : {4U, 10U, 13U}) {
    const auto block =
        dense_block(std::vector<std::vector<std::int64_t>>(n, std::vector<std::int64_t>(n, 1)), n);
    PrunedChoice choice;
    choice.order.resize(n);
    std::iota(choice.order.begin(), choice.order.end(), Index{0});
    choice.shift.assign(n, 1);
    for (const Arithmetic& arithmetic : arithmetics()) expect_same(block, arithmetic, choice);
  }
}

TEST(PrunedDevice, RowsOfOneEntryAndEmptyBlocks) {
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
TEST(PrunedDevice, ClassesOfEqualColumns) {
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
    PrunedChoice choice;
    choice.either_side = false;
    choice.most_tail_columns = static_cast<unsigned>(below(random, 10));
    for (const Arithmetic& arithmetic : arithmetics()) expect_same(dense_block(cells, n), arithmetic, choice);
  }
}

TEST(PrunedDevice, ImprovedPlansAndManyUnits) {
  Random random(66);
  const StopSignal never;
  const auto block = random_pattern(random, 30, 0.3);
  for (const Arithmetic& arithmetic : {two_primes}) {
    const auto job = make_pruned_job(block, arithmetic, 1, {});
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

/// A warp that has done enough leaves the nodes that wait to the next launch, until there is no more room
/// for them.
TEST(PrunedDevice, WhatIsLeftToOthers) {
  Random random(70);
  for (const std::uint32_t budget : {1U, 20U, 300U}) {
    for (const double share : {0.15, 0.25, 0.5}) {
      PrunedChoice choice;
      choice.device_budget = budget;
      expect_same(random_pattern(random, 24, share), two_primes, choice);
    }
  }
}

TEST(PrunedDevice, StopsWhenTold) {
  Random random(67);
  const auto job = make_pruned_job(random_pattern(random, 24, 0.4), two_primes, 1, {});
  const auto device = job->on_device(emulated_gpu(0));
  StopSignal stop;
  stop.request();
  EXPECT_THROW(device->run(0, job->units(), stop), Stopped);
}

TEST(PrunedDevice, WhatHasNoGpuForm) {
  Random random(68);
  // more than 64 rows; sums wider than 16 bits; sums of more than four words
  EXPECT_EQ(make_pruned_job(random_pattern(random, 65, 0.05), two_primes, 1, {})->on_device(emulated_gpu(0)),
            nullptr);
  const Index n = 9;
  const auto heavy =
      dense_block(std::vector<std::vector<std::int64_t>>(n, std::vector<std::int64_t>(n, 50000)), n);
  const auto job = make_pruned_job(heavy, two_primes, 1, {});
  EXPECT_EQ(job->on_device(emulated_gpu(0)), nullptr);
  EXPECT_EQ(job->nominal_device_rate(emulated_gpu(0)), 0);
  const auto wide =
      dense_block(std::vector<std::vector<std::int64_t>>(30, std::vector<std::int64_t>(30, 900)), 30);
  EXPECT_EQ(make_pruned_job(wide, two_primes, 1, {})->on_device(emulated_gpu(0)), nullptr);
  EXPECT_NE(make_pruned_job(wide, modulo_two_to(128), 1, {})->on_device(emulated_gpu(0)), nullptr);
}

// Products of packed rows, and which of them are zero, against rows one by one.
TEST(PrunedDevice, PackedRows) {
  Random random(72);
  const auto expect = [&](auto pack, std::int64_t most) {
    using Pack = decltype(pack);
    for (int round = 0; round < 2000; ++round) {
      const std::uint64_t reach = round % 2 == 0 ? 1 : static_cast<std::uint64_t>(most);
      std::uint32_t words[2] = {Pack::bias, Pack::bias};
      std::uint32_t zeros[2] = {0, 0};
      std::int64_t product = 1;
      for (unsigned row = 0; row < 2 * Pack::rows; ++row) {
        const auto sum =
            static_cast<std::int64_t>(below(random, 2 * reach + 1)) - static_cast<std::int64_t>(reach);
        const unsigned up = row % Pack::rows * (32 / Pack::rows);
        words[row / Pack::rows] += static_cast<std::uint32_t>(sum) << up;
        if (sum == 0) zeros[row / Pack::rows] |= (Pack::bias & -Pack::bias) << up;
        product *= sum;
        ASSERT_EQ(Pack::sum_at(reinterpret_cast<const unsigned char*>(words) + row * 4 / Pack::rows),
                  static_cast<std::uint32_t>(sum + most + 1));
      }
      ASSERT_EQ(Pack::product(words[0], words[1]), product);
      ASSERT_EQ(Pack::zero_rows(words[0]), zeros[0]);
      ASSERT_EQ(Pack::zero_rows(words[1]), zeros[1]);
    }
  };
  expect(pruned_lane::Packed<1>{}, 127);
  expect(pruned_lane::Packed<2>{}, 32767);
}

}  // namespace
}  // namespace countpm::pruned_device_test
