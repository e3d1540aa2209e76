// sparyser and skipper on GPUs: their walks against the definition, in every form and width, and their jobs
// against the same jobs on the CPU, any range of units, bit for bit.
#include "kernels/published/sparse/gpu/form.hpp"

#include "kernels/published/sparse/skipper.hpp"
#include "kernels/published/sparse/sparyser.hpp"
#include "kernels/subsets/prefixes.hpp"
#include "tests/kernels/best_rate.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;
using gray::PackedForm;
using gray::Prefixes;
using gray::SkipCut;
using IntegerWalk = gray::Walk<std::int64_t>;

const StopSignal never;

/// By the definition, one subset after another.
mpz_class sum_of_products(const IntegerWalk& walk, const Prefixes<std::int64_t>& prefixes) {
  mpz_class total;
  for (std::uint64_t p = 0; p < prefixes.size(); ++p) {
    for (std::uint64_t subset = 0; subset < std::uint64_t{1} << walk.columns; ++subset) {
      mpz_class product = (__builtin_popcountll(subset) + prefixes.minuses[p]) % 2 != 0 ? -1 : 1;
      for (unsigned i = 0; i < walk.rows && product != 0; ++i) {
        std::int64_t sum = prefixes.starts[p * walk.rows + i];
        for (unsigned c = 0; c < walk.columns; ++c) {
          if ((subset >> c & 1) != 0) sum += walk.deltas[std::size_t{c} * walk.rows + i];
        }
        product *= static_cast<long>(sum);
      }
      total += product;
    }
  }
  return total;
}

/// Reduced to two's complement of that many words.
mpz_class wrapped(const mpz_class& value, unsigned words) {
  mpz_class result;
  mpz_fdiv_r_2exp(result.get_mpz_t(), value.get_mpz_t(), 64 * words);
  if (mpz_tstbit(result.get_mpz_t(), 64 * words - 1) != 0) result -= mpz_class(1) << (64 * words);
  return result;
}

struct WalkCase {
  IntegerWalk walk;
  Prefixes<std::int64_t> prefixes;
};

/// Rows of about `entries` entries whose sums go up to +-bound, if the entries do not reach as far as to
/// `least` from it.
WalkCase random_walk(Random& random, unsigned rows, unsigned columns, std::uint64_t prefixes, double entries,
                     std::int64_t bound, std::int64_t largest_entry) {
  WalkCase result;
  result.walk.rows = rows;
  result.walk.columns = columns;
  result.walk.deltas.assign(std::size_t{rows} * columns, 0);
  std::vector<std::int64_t> up(rows, 0);
  std::vector<std::int64_t> down(rows, 0);
  std::bernoulli_distribution present(std::min(1.0, entries / std::max(columns, 1U)));
  for (std::size_t k = 0; k < result.walk.deltas.size(); ++k) {
    if (!present(random)) continue;
    const std::int64_t value =
        (below(random, 3) == 0 ? -1 : 1) * static_cast<std::int64_t>(1 + below(random, largest_entry));
    std::int64_t& reached = value > 0 ? up[k % rows] : down[k % rows];
    if (reached + std::abs(value) > bound) continue;
    reached += std::abs(value);
    result.walk.deltas[k] = value;
  }
  for (std::uint64_t p = 0; p < prefixes; ++p) {
    result.prefixes.minuses.push_back(static_cast<std::uint8_t>(below(random, 2)));
    for (unsigned i = 0; i < rows; ++i) {
      // start - down >= -bound, start + up <= bound; about half of them within reach of zero
      const std::int64_t low = -bound + down[i];
      const std::int64_t high = bound - up[i];
      std::int64_t start = below(random, 2) == 0   ? -static_cast<std::int64_t>(below(random, 3)) + down[i]
                           : below(random, 2) == 0 ? low
                                                   : high;
      result.prefixes.starts.push_back(std::clamp(start, low, std::max(low, high)));
    }
  }
  return result;
}

void expect_walks(const WalkCase& given, const PackedForm& form, const SkipCut& cut,
                  const std::string& what) {
  const mpz_class expected = wrapped(sum_of_products(given.walk, given.prefixes), form.width);
  for (const GpuInfo& gpu : all_gpus()) {
    const auto sparyser = make_sparyser_walker(gpu, given.walk, form);
    ASSERT_EQ(sparyser->sum(given.prefixes, never), expected) << "sparyser, " << gpu.name << ", " << what;
    const auto skipper = make_skipper_walker(gpu, given.walk, form, cut);
    ASSERT_EQ(skipper->sum(given.prefixes, never), expected) << "skipper, " << gpu.name << ", " << what;
    const std::uint64_t visits = skipper->visits();
    EXPECT_GE(visits, given.prefixes.size());
    EXPECT_LE(visits, given.prefixes.size() << given.walk.columns);
    ASSERT_EQ(skipper->sum(given.prefixes, never), expected) << "again, " << gpu.name << ", " << what;
    EXPECT_EQ(skipper->visits(), 2 * visits);
  }
}

TEST(SparseDevice, WalksOfEveryFormAndWidth) {
  Random random(81);
  for (const unsigned bits : {8U, 16U}) {
    for (const unsigned rows : {1U, 15U, 16U, 17U, 31U, 32U, 33U, 40U, 41U, 48U, 49U, 63U, 64U, 65U, 128U}) {
      if (bits == 16 && rows > 64) continue;
      for (const unsigned width : {2U, 4U, 8U}) {
        const unsigned words = (rows * bits + 31) / 32;
        // Narrow products of many rows are not compiled: wider ones must do.
        const unsigned least = bits == 16 ? (words > 16 ? 8 : 4) : words > 16 ? 4 : 2;
        const unsigned most = bits == 16 ? 8 : words <= 4 ? 2 : words <= 8 ? 4 : 8;
        if (width < least || width > most) continue;
        const std::int64_t bound = bits == 8 ? 63 : 16383;
        const auto columns = static_cast<unsigned>(below(random, 10));
        const WalkCase given =
            random_walk(random, rows, columns, 1 + below(random, 40), 3, bound, bits == 8 ? 2 : 700);
        expect_walks(given, {bits, words, width}, {},
                     std::to_string(rows) + " rows of " + std::to_string(bits) + " bits, width " +
                         std::to_string(width) + ", " + std::to_string(columns) + " columns");
      }
    }
  }
}

/// Whatever a warp gives up, in whatever pieces.
TEST(SparseDevice, RangesThatAreGivenUp) {
  Random random(82);
  for (int round = 0; round < testing::repeats(60); ++round) {
    const auto rows = static_cast<unsigned>(1 + below(random, 20));
    const auto columns = static_cast<unsigned>(below(random, 13));
    SkipCut cut;
    cut.budget = std::vector<unsigned>{1, 2, 5, 40, 512}[below(random, 5)];
    cut.patience = std::vector<unsigned>{1, 3, 600}[below(random, 3)];
    cut.log2_visits = std::vector<double>{0, 8, 40}[below(random, 3)];
    const double entries = 1 + static_cast<double>(below(random, 4));
    const WalkCase given = random_walk(random, rows, columns, 1 + below(random, 5), entries, 63, 2);
    expect_walks(given, {8, (rows + 3) / 4, rows <= 16 ? 2U : 4U}, cut, "round " + std::to_string(round));
  }
}

TEST(SparseDevice, NoRowsNoColumns) {
  const IntegerWalk none;
  const Prefixes<std::int64_t> prefixes{{}, {0, 1, 0}};
  for (const GpuInfo& gpu : all_gpus()) {
    EXPECT_EQ(make_sparyser_walker(gpu, none, {})->sum(prefixes, never), 1);
    EXPECT_EQ(make_skipper_walker(gpu, none, {}, {})->sum(prefixes, never), 1);
  }
}

class SparseDeviceJobs : public ::testing::TestWithParam<const Method*> {
 protected:
  /// All units, and the last two thirds of them. False where there is no form.
  bool expect_same(const AnyBlock& block, const Arithmetic& arithmetic, const std::string& what) {
    const auto job = GetParam()->make_job(block, arithmetic, {});
    bool some = false;
    for (const GpuInfo& gpu : all_gpus()) {
      const auto device = job->on_device(gpu);
      EXPECT_EQ(device != nullptr, job->nominal_device_rate(gpu) > 0);
      if (!device) continue;
      some = true;
      const std::vector<std::uint64_t> starts = {0, job->units() / 3, 0};
      for (const std::uint64_t first : starts) {
        EXPECT_EQ(std::get<Residues>(device->run(first, job->units(), never)),
                  cpu_sum(*job, first, job->units(), arithmetic))
            << gpu.name << ", " << arithmetic.name() << ", from unit " << first << ", " << what;
      }
    }
    return some;
  }
};

TEST_P(SparseDeviceJobs, RangesAreTheCpusBitForBit) {
  Random random(83);
  int forms = 0;
  for (int round = 0; round < testing::repeats(150); ++round) {
    const auto block = random_integers(random, static_cast<Index>(below(random, 15)), true);
    const bool some =
        expect_same(block, some_residues(random()), "round " + std::to_string(round) + "\n" + text_of(block));
    forms += some ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GE(forms, testing::repeats(60));
}

TEST_P(SparseDeviceJobs, Rationals) {
  Random random(84);
  for (int round = 0; round < 20; ++round) {
    const auto block =
        random_block<mpq_class>(random, static_cast<Index>(1 + below(random, 8)), 0.5, true, [&] {
          mpq_class value(static_cast<long>(1 + below(random, 9)), 7);
          value.canonicalize();
          return value;
        });
    EXPECT_TRUE(expect_same(block, residues_modulo({first_prime, second_prime}), text_of(block)));
  }
}

/// Several units; on an emulated GPU the first of them alone.
TEST_P(SparseDeviceJobs, RangesOfUnits) {
  Random random(85);
  const auto block = random_pattern(random, 24, 0.3);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  const auto job = GetParam()->make_job(block, arithmetic, {});
  ASSERT_GE(job->units(), 2U);
  for (const GpuInfo& gpu : gpus().empty() ? all_gpus() : gpus()) {
    const auto device = job->on_device(gpu);
    ASSERT_NE(device, nullptr);
    const std::uint64_t last = gpu.emulated ? 1 : job->units();
    EXPECT_EQ(std::get<Residues>(device->run(0, last, never)), cpu_sum(*job, 0, last, arithmetic));
    EXPECT_EQ(std::get<Residues>(device->run(last - 1, last, never)),
              cpu_sum(*job, last - 1, last, arithmetic));
    EXPECT_GT(device->device_bytes(), 0U);
  }
}

TEST_P(SparseDeviceJobs, RatesAndStops) {
  Random random(86);
  const auto job = GetParam()->make_job(random_pattern(random, 14, 0.4), residues_modulo({first_prime}), {});
  StopSignal stop;
  stop.request();
  for (const GpuInfo& gpu : all_gpus()) {
    const auto device = job->on_device(gpu);
    EXPECT_GT(best_rate(*device, 1e3), 1e3);
    EXPECT_THROW(device->run(0, job->units(), stop), Stopped);
  }
}

TEST_P(SparseDeviceJobs, WhatHasNoGpuForm) {
  Random random(87);
  const GpuInfo gpu = emulated_gpu(0);
  const Arithmetic prime = residues_modulo({first_prime});
  const auto has_form = [&](const AnyBlock& block, const Arithmetic& arithmetic) {
    const auto job = GetParam()->make_job(block, arithmetic, {});
    EXPECT_EQ(job->on_device(gpu) != nullptr, job->nominal_device_rate(gpu) > 0);
    EXPECT_EQ(job->on_device(gpu) != nullptr, !job->device_obstacle(gpu));
    return job->on_device(gpu) != nullptr;
  };
  auto twins = random_pattern(random, 3, 1);
  twins.multiplicity = {1, 1, 2};
  EXPECT_FALSE(has_form(twins, prime));
  EXPECT_FALSE(has_form(random_pattern(random, 129, 0.01), prime));
  const auto full = [](Index n, std::int64_t value) {
    return dense_block(std::vector<std::vector<std::int64_t>>(n, std::vector<std::int64_t>(n, value)), n);
  };
  EXPECT_TRUE(has_form(full(9, 1820), prime));  // row sums of 16380
  EXPECT_FALSE(has_form(full(9, 1821), prime));
  // Sums of more than 512 bits, asked for modulo a prime.
  EXPECT_FALSE(has_form(full(38, 430), prime));
  EXPECT_TRUE(has_form(full(38, 430), wrap_around(128)));
  // A GPU with too little shared memory.
  GpuInfo small = gpu;
  small.shared_bytes = 4 * 1024;
  const auto job = GetParam()->make_job(random_pattern(random, 12, 0.5), prime, {});
  EXPECT_EQ(job->on_device(small), nullptr);
  EXPECT_EQ(job->nominal_device_rate(small), 0);
  EXPECT_EQ(job->device_obstacle(small).value().text,
            "its tables are larger than a multiprocessor's shared memory");
}

INSTANTIATE_TEST_SUITE_P(Methods, SparseDeviceJobs, ::testing::Values(&sparyser_method(), &skipper_method()),
                         [](const auto& given) { return std::string(given.param->name()); });

/// Ones on the diagonal of a shuffled matrix and about `entries` more a row: few subsets are visited, so that
/// the CPU can follow.
Block<std::int64_t> diagonal_and_more(Random& random, Index n, double entries) {
  std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 0));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      cells[i][(j * 7 + 3) % n] =
          i == j || static_cast<double>(below(random, 1000)) < 1000 * entries / n ? 1 : 0;
    }
  }
  return dense_block(cells, n);
}

TEST(SkipperDevice, EverySize) {
  Random random(88);
  for (const Index n : {0U, 1U, 2U, 31U, 32U, 33U, 40U, 48U, 62U, 63U, 64U, 65U, 68U}) {
    if (sanitized && n > 33 && n != 64) continue;  // seconds each
    const auto block = diagonal_and_more(random, n, n <= 33 ? 1.5 : 0.7);
    for (const Arithmetic& arithmetic :
         {residues_modulo({first_prime, second_prime}), wrap_around(64), wrap_around(128)}) {
      const auto job = skipper_method().make_job(block, arithmetic, {});
      for (const GpuInfo& gpu : all_gpus()) {
        const auto device = job->on_device(gpu);
        ASSERT_NE(device, nullptr) << n;
        Partial expected = zero(arithmetic);
        for (std::uint64_t unit = 0; unit < job->units(); ++unit)
          add(expected, job->run(unit, never), arithmetic);
        ASSERT_EQ(std::get<Residues>(device->run(0, job->units(), never)), std::get<Residues>(expected))
            << gpu.name << ", n = " << n << ", " << arithmetic.name();
      }
    }
  }
}

/// per(J_n) = n!, per of a cycle's two permutation matrices: 2.
TEST(SkipperDevice, ClosedForms) {
  for (const GpuInfo& gpu : all_gpus()) {
    const Index n = 13;
    const auto all =
        dense_block(std::vector<std::vector<std::int64_t>>(n, std::vector<std::int64_t>(n, 1)), n);
    for (const Method* method : {&sparyser_method(), &skipper_method()}) {
      const auto job = method->make_job(all, wrap_around(64), {});
      EXPECT_EQ(std::get<Residues>(job->on_device(gpu)->run(0, job->units(), never)).residue[0], 6227020800U);
    }
    const Index cycle = 60;
    std::vector<std::vector<std::int64_t>> cells(cycle, std::vector<std::int64_t>(cycle, 0));
    for (Index i = 0; i < cycle; ++i) cells[i][i] = cells[i][(i + 1) % cycle] = 1;
    const Arithmetic arithmetic = residues_modulo({first_prime});
    const auto job = skipper_method().make_job(dense_block(cells, cycle), arithmetic, {});
    EXPECT_EQ(std::get<Residues>(job->on_device(gpu)->run(0, job->units(), never)).residue[0], 2U);
  }
}

/// A GPU visits what the CPU visits, and a few more where ranges are cut.
TEST(SkipperDevice, VisitsAreTheCpus) {
  Random random(89);
  for (const Index n : {18U, 22U, 24U}) {
    const auto block = random_pattern(random, n, 0.2);
    const Arithmetic arithmetic = residues_modulo({first_prime});
    const auto job = skipper_method().make_job(block, arithmetic, {});
    const auto columns = std::get<IntegerColumns<std::int64_t>>(integer_columns(block));
    const SubsetPlan plan = subset_plan_from(job->plan(), columns.multiplicity);
    ASSERT_EQ(plan.units, 1U);
    IntegerWalk walk;
    walk.rows = n;
    walk.columns = static_cast<unsigned>(plan.inner.size());
    for (const Index column : plan.inner) {
      std::vector<std::int64_t> delta(n, 0);
      add_column(delta, columns, plan.form, column, 1);
      walk.deltas.insert(walk.deltas.end(), delta.begin(), delta.end());
    }
    SkipCut whole;
    whole.budget = ~0U;
    whole.patience = ~0U;
    whole.log2_visits = 0;
    const auto walker =
        make_skipper_walker(emulated_gpu(0), walk, *gray::packed_form(columns, plan, arithmetic).form, whole);
    Prefixes<std::int64_t> prefixes{shifted_sums(columns, plan), {0}};
    walker->sum(prefixes, never);
    EXPECT_EQ(walker->visits(), skipper_visits(block, arithmetic));
  }
}

}  // namespace
}  // namespace countpm
