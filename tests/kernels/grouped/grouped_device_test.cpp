// grouped's jobs on GPUs against the same jobs on the CPU, bit for bit; its kernel in every shape against the
// sum over subsets by its definition.
#include "kernels/grouped/gpu/form.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "graph/errors.hpp"
#include "kernels/grouped/columns.hpp"
#include "kernels/grouped/gpu/lane.hpp"
#include "kernels/grouped/grouped.hpp"
#include "kernels/subsets/prefixes.hpp"
#include "tests/kernels/best_rate.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::grouped_device_test {
namespace {

using namespace countpm::testing;
using gray::Prefixes;
using Columns = IntegerColumns<std::int64_t>;

const StopSignal never;

/// 0/1 times a row scale within +-most, with other entries in a few columns.
Block<std::int64_t> random_scaled_rows(Random& random, Index n, double density, std::int64_t most) {
  auto block = random_block<std::int64_t>(random, n, density, true, [] { return std::int64_t{1}; });
  const auto odd_ones = static_cast<Index>(below(random, 3));
  for (Index i = 0; i < n; ++i) {
    const auto scale = static_cast<std::int64_t>(1 + below(random, static_cast<std::uint64_t>(most)));
    const std::int64_t sign = below(random, 2) == 0 ? 1 : -1;
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}]; ++k) {
      block.matrix.value[k] =
          block.matrix.column[k] < odd_ones ? 1 + static_cast<std::int64_t>(below(random, 5)) : sign * scale;
    }
  }
  return block;
}

Block<std::int64_t> all_ones(Index n, bool without_diagonal) {
  std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n, 1));
  for (Index i = 0; i < n && without_diagonal; ++i) rows[i][i] = 0;
  return dense_block(rows, n);
}

Columns columns_of(const Block<std::int64_t>& block) {
  return std::get<Columns>(integer_columns(block));
}

/// `inner` columns are walked, or all that there are but the pinned one.
SubsetPlan plan_of(const Columns& columns, unsigned inner, RyserForm form) {
  std::vector<Index> order(columns.columns());
  for (Index j = 0; j < columns.columns(); ++j) order[j] = j;
  return plan_subsets(order, columns.multiplicity, form, inner, inner);
}

/// Of the plan's columns outside: subsets as they come.
Prefixes<std::int64_t> some_prefixes(Random& random, const Columns& columns, const SubsetPlan& plan,
                                     int count) {
  Prefixes<std::int64_t> prefixes;
  for (int k = 0; k < count; ++k) {
    std::vector<std::int64_t> sums = shifted_sums(columns, plan);
    for (const auto* digits : {&plan.middle, &plan.outer}) {
      for (const Digit& digit : *digits) {
        if (below(random, 2) == 0) add_column(sums, columns, plan.form, digit.column, 1);
      }
    }
    prefixes.starts.insert(prefixes.starts.end(), sums.begin(), sums.end());
    prefixes.minuses.push_back(static_cast<std::uint8_t>(below(random, 2)));
  }
  return prefixes;
}

/// By definition; rows divided.
mpz_class plain_sum(const Columns& columns, const SubsetPlan& plan, const std::vector<std::int64_t>& divisors,
                    const Prefixes<std::int64_t>& prefixes) {
  mpz_class total = 0;
  for (std::uint64_t p = 0; p < prefixes.size(); ++p) {
    for (std::uint64_t subset = 0; subset < std::uint64_t{1} << plan.inner.size(); ++subset) {
      const std::int64_t* const start = prefixes.starts.data() + p * columns.rows;
      std::vector<std::int64_t> sums(start, start + columns.rows);
      bool minus = prefixes.minuses[p] != 0;
      for (std::size_t c = 0; c < plan.inner.size(); ++c) {
        if ((subset >> c & 1) == 0) continue;
        add_column(sums, columns, plan.form, plan.inner[c], 1);
        minus = !minus;
      }
      mpz_class product = minus ? -1 : 1;
      for (std::size_t i = 0; i < sums.size(); ++i) product *= static_cast<long>(sums[i] / divisors[i]);
      total += product;
    }
  }
  return total;
}

/// In every shape that has room for the rows, on every device, twice. Adds the shapes to `seen`.
void expect_sums(Random& random, const Block<std::int64_t>& block, unsigned inner, RyserForm form,
                 int prefixes, std::set<unsigned>& seen) {
  const Columns columns = columns_of(block);
  const SubsetPlan plan = plan_of(columns, inner, form);
  const std::vector<std::int64_t> divisors = row_divisors(columns, plan.form);
  const Prefixes<std::int64_t> starts = some_prefixes(random, columns, plan, prefixes);
  const mpz_class expected = plain_sum(columns, plan, divisors, starts);
  for (unsigned number = 0; number < grouped::shape_count; ++number) {
    const auto layout = grouped::choose_device_layout(columns, plan, divisors, grouped::shapes[number]);
    if (!layout) continue;
    seen.insert(number);
    ASSERT_TRUE(layout->shape == grouped::shapes[number]);
    ASSERT_EQ(layout->decided.size() + layout->walked.size(), plan.inner.size());
    for (const GpuInfo& gpu : all_gpus()) {
      const auto walker = grouped::make_walker(gpu, grouped::walk_of(*layout, columns, plan, divisors));
      for (int time = 0; time < 2; ++time) {
        ASSERT_EQ(walker->sum(starts, never), expected)
            << gpu.name << ", shape " << number << ", " << inner << " columns\n"
            << text_of(block);
      }
      EXPECT_GT(walker->bytes(), 0U);
    }
  }
}

TEST(GroupedDevice, EveryShapeIsTheSumOverSubsets) {
  Random random(53);
  std::set<unsigned> seen;
  for (int round = 0; round < repeats(36); ++round) {
    const auto n = static_cast<Index>(1 + below(random, 16));
    const double density = 0.1 * static_cast<double>(1 + below(random, 10));
    const auto most = std::int64_t{1} << (below(random, 3) * 6);
    expect_sums(random, random_scaled_rows(random, n, density, most),
                3 + static_cast<unsigned>(below(random, 6)),
                round % 3 == 0 ? RyserForm::classic : RyserForm::halved,
                1 + static_cast<int>(below(random, 4)), seen);
  }
  EXPECT_EQ(seen.size(), grouped::shape_count);
}

TEST(GroupedDevice, WideSums) {
  Random random(54);
  std::set<unsigned> seen;
  for (const Index n : {31, 32, 33, 40}) {
    for (const double density : {0.3, 0.5, 0.8, 0.9})
      expect_sums(random, random_pattern(random, n, density), 7, RyserForm::halved, 2, seen);
    expect_sums(random, all_ones(n, false), 6, RyserForm::halved, 2, seen);
    expect_sums(random, all_ones(n, true), 6, RyserForm::classic, 2, seen);
  }
  EXPECT_EQ(seen.size(), grouped::shape_count);
}

// More prefixes than threads, so that a thread walks several times; and more columns than are walked over.
TEST(GroupedDevice, ManyPrefixesAndManyColumns) {
  Random random(55);
  std::set<unsigned> seen;
  expect_sums(random, random_pattern(random, 20, 0.5), 5, RyserForm::halved, sanitized ? 300 : 700, seen);
  expect_sums(random, random_pattern(random, 14, 0.6), 12, RyserForm::halved, 1, seen);
  EXPECT_EQ(seen.size(), grouped::shape_count);
}

TEST(GroupedDevice, RangesAreTheCpusBitForBit) {
  Random random(51);
  int counted = 0;
  for (int round = 0; round < repeats(90); ++round) {
    const auto n = static_cast<Index>(round < 3 ? round : 1 + below(random, 13));
    const double density = 0.1 * static_cast<double>(1 + below(random, 10));
    const auto block = round % 3 == 0 ? random_integers(random, n, true)
                                      : random_scaled_rows(random, n, density,
                                                           1 + static_cast<std::int64_t>(below(random, 40)));
    const Arithmetic arithmetic = some_residues(random());
    if (grouped_method().obstacle(block, arithmetic)) continue;
    const auto job = grouped_method().make_job(block, arithmetic, {});
    for (const GpuInfo& gpu : all_gpus()) {
      if (job->nominal_device_rate(gpu) == 0) {  // weights too large
        const auto why = job->device_obstacle(gpu);
        ASSERT_TRUE(why);
        EXPECT_EQ(why->kind, RefusalKind::no_gpu_form_here) << why->text;
        EXPECT_EQ(job->on_device(gpu), nullptr);
        continue;
      }
      ++counted;
      const auto device = job->on_device(gpu);
      for (int time = 0; time < 2; ++time) {
        ASSERT_EQ(std::get<Residues>(device->run(0, job->units(), never)),
                  cpu_sum(*job, 0, job->units(), arithmetic))
            << gpu.name << ", round " << round << "\n"
            << text_of(block);
      }
    }
  }
  EXPECT_GT(counted, repeats(90) / 2);
}

// So many nodes that a walk carries on its way.
TEST(GroupedDevice, LongWalks) {
  Random random(61);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  std::set<unsigned> seen;
  for (const double density : {0.5, 1.0}) {
    const auto block = random_pattern(random, 20, density);
    const auto job = grouped_method().make_job(block, arithmetic, {});
    const Residues expected = cpu_sum(*job, 0, job->units(), arithmetic);
    const Columns columns = columns_of(block);
    const SubsetPlan plan = plan_of(columns, 19, RyserForm::halved);
    const std::vector<std::int64_t> divisors = row_divisors(columns, plan.form);
    mpz_class scale = 1;
    for (const std::int64_t divisor : divisors) scale *= static_cast<long>(divisor);
    const Prefixes<std::int64_t> start{shifted_sums(columns, plan), {0}};
    for (unsigned number = 0; number < grouped::shape_count; number += sanitized ? 7 : 1) {
      const auto layout = grouped::choose_device_layout(columns, plan, divisors, grouped::shapes[number]);
      if (!layout) continue;
      seen.insert(number);
      const auto walk = grouped::walk_of(*layout, columns, plan, divisors);
      for (const GpuInfo& gpu : all_gpus()) {
        const mpz_class sum = grouped::make_walker(gpu, walk)->sum(start, never);
        EXPECT_EQ(std::get<Residues>(
                      share_of_permanent(mpz_class(sum * scale), columns.rows, plan.form, 1, arithmetic)),
                  expected)
            << gpu.name << ", shape " << number;
      }
    }
  }
  EXPECT_EQ(seen.size(), sanitized ? 2U : grouped::shape_count);
}

// 2^23 subsets and more: several units.
TEST(GroupedDevice, RangesOfUnits) {
  Random random(56);
  const auto block = random_pattern(random, 25, 0.6);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  const auto job = grouped_method().make_job(block, arithmetic, {});
  ASSERT_GE(job->units(), 2U);
  for (const GpuInfo& gpu : all_gpus()) {
    if (gpu.emulated && sanitized) continue;
    const auto device = job->on_device(gpu);
    const std::uint64_t last = job->units();
    const std::uint64_t first = gpu.emulated ? last - 1 : 0;
    EXPECT_EQ(std::get<Residues>(device->run(first, last, never)), cpu_sum(*job, first, last, arithmetic));
    EXPECT_EQ(std::get<Residues>(device->run(last - 1, last, never)),
              cpu_sum(*job, last - 1, last, arithmetic));
    EXPECT_GT(device->device_bytes(), 0U);
  }
}

TEST(GroupedDevice, ClosedForms) {
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  for (const Index n : {Index{2}, Index{16}}) {
    mpz_class factorial = 1;
    mpz_class derangements = 1;
    for (Index k = 1; k <= n; ++k) {
      factorial *= k;
      derangements = derangements * k + (k % 2 == 0 ? 1 : -1);
    }
    for (const bool without_diagonal : {false, true}) {
      const auto job = grouped_method().make_job(all_ones(n, without_diagonal), arithmetic, {});
      const mpq_class expected(without_diagonal ? derangements : factorial);
      for (const GpuInfo& gpu : all_gpus()) {
        EXPECT_EQ(std::get<Residues>(job->on_device(gpu)->run(0, job->units(), never)),
                  residues_of(expected, arithmetic));
      }
    }
  }
  // three rows that share two columns: no perfect matching
  auto none = std::vector<std::vector<std::int64_t>>(12, std::vector<std::int64_t>(12, 1));
  for (Index i = 0; i < 3; ++i) std::fill(none[i].begin() + 2, none[i].end(), 0);
  const auto job = grouped_method().make_job(dense_block(none, 12), arithmetic, {});
  for (const GpuInfo& gpu : all_gpus()) {
    EXPECT_EQ(std::get<Residues>(job->on_device(gpu)->run(0, job->units(), never)),
              residues_of(mpq_class(0), arithmetic));
  }
}

TEST(GroupedDevice, WhatItHasNoRoomFor) {
  Random random(57);
  const Arithmetic arithmetic = residues_modulo({first_prime});
  const GpuInfo gpu = emulated_gpu(0);
  auto twins = random_pattern(random, 6, 0.9);
  twins.multiplicity = {1, 1, 1, 1, 1, 1};
  EXPECT_NE(grouped_method().make_job(twins, arithmetic, {})->on_device(gpu), nullptr);
  auto with_twins = dense_block(std::vector<std::vector<std::int64_t>>(3, {1, 1}), 2);
  with_twins.multiplicity = {1, 2};
  const auto twin_job = grouped_method().make_job(with_twins, arithmetic, {});
  EXPECT_EQ(twin_job->nominal_device_rate(gpu), 0);
  EXPECT_EQ(twin_job->on_device(gpu), nullptr);
  EXPECT_EQ(twin_job->device_obstacle(gpu).value().text, no_gpu_form_for_twins);
  const auto large = random_block<std::int64_t>(
      random, 6, 1, true, [&] { return static_cast<std::int64_t>(1000000000 + below(random, 1000)); });
  const auto large_job = grouped_method().make_job(large, arithmetic, {});
  EXPECT_EQ(large_job->nominal_device_rate(gpu), 0);
  EXPECT_EQ(large_job->on_device(gpu), nullptr);
  EXPECT_NE(large_job->device_obstacle(gpu).value().text.find("products of rows"), std::string::npos);
  GpuInfo small = gpu;
  small.shared_bytes = 4096;
  const auto job = grouped_method().make_job(random_pattern(random, 20, 0.5), arithmetic, {});
  EXPECT_THROW(job->on_device(small), UnableError);
}

TEST(GroupedDevice, TheRateIsMeasuredAndAStopIsSeen) {
  Random random(58);
  const auto job =
      grouped_method().make_job(random_pattern(random, 16, 0.6), residues_modulo({first_prime}), {});
  StopSignal stop;
  stop.request();
  for (const GpuInfo& gpu : all_gpus()) {
    const auto device = job->on_device(gpu);
    EXPECT_GT(best_rate(*device, 1e3), 1e3);
    EXPECT_THROW(device->run(0, job->units(), stop), Stopped);
  }
}

TEST(GroupedDevice, TheRateFollowsTheGpu) {
  Random random(59);
  const auto job =
      grouped_method().make_job(random_pattern(random, 30, 0.8), residues_modulo({first_prime}), {});
  GpuInfo gpu;
  gpu.major = 9;
  gpu.multiprocessors = 132;
  gpu.clock_ghz = 1.98;
  const double fast = job->nominal_device_rate(gpu);
  EXPECT_GT(fast, 1e11);
  gpu.major = 8;
  gpu.minor = 6;  // few FP64 units
  EXPECT_LT(job->nominal_device_rate(gpu), fast / 10);
}

mpz_class exact(double value) {
  return mpz_class(value);
}
template <unsigned count>
mpz_class exact(const grouped::Number<count>& number) {
  mpz_class sum = 0;
  for (const double digit : number.digit) sum += exact(digit);
  return sum;
}

TEST(GroupedDevice, DigitsAreExact) {
  Random random(60);
  constexpr double largest = 0x1p49;
  const auto factor = [&]() -> double {
    if (below(random, 4) == 0) return below(random, 2) == 0 ? largest : -largest;
    return static_cast<double>(static_cast<std::int64_t>(random() >> (14 + below(random, 40)))) -
           (below(random, 2) == 0 ? largest : 0);
  };
  for (int round = 0; round < 200; ++round) {
    double x[8];
    for (double& value : x) value = factor();
    const auto a = grouped::scaled(x[0], grouped::Number<1>{{x[1]}});
    const auto b = grouped::scaled(x[2], grouped::Number<1>{{x[3]}});
    ASSERT_EQ(exact(a), exact(x[0]) * exact(x[1]));
    const auto c = grouped::difference(x[4], a, x[5], b);
    const mpz_class difference = exact(x[4]) * exact(a) - exact(x[5]) * exact(b);
    ASSERT_EQ(exact(c), difference);
    grouped::DigitSum<3> sum;
    for (unsigned k = 0; k < grouped::DigitSum<3>::most_additions; ++k) sum.add(k % 3 == 0 ? -x[6] : x[6], c);
    sum.settle(grouped::DigitSum<3>::most_additions);
    sum.add(x[7], c);
    sum.settle(1);
    mpz_class total = 0;
    for (unsigned j = grouped::DigitSum<3>::places; j-- > 0;) {
      total <<= grouped::digit_bits;
      total += static_cast<long>(sum.place[j]);
    }
    constexpr int more =
        grouped::DigitSum<3>::most_additions - 2 * ((grouped::DigitSum<3>::most_additions + 2) / 3);
    ASSERT_EQ(total, difference * (exact(x[6]) * more + exact(x[7])));
  }
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(grouped::product_of(most, 1 << 18), static_cast<double>(most) * 0x1p18);
  EXPECT_EQ(grouped::product_of(-most, 1 << 18), -static_cast<double>(most) * 0x1p18);
}

}  // namespace
}  // namespace countpm::grouped_device_test
