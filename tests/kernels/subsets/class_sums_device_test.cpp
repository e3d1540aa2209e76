// Sums over classes of equal lines on GPUs: modulo primes the CPU's shares bit for bit, unit by unit; in
// doubles within the error.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/ryser/ryser.hpp"
#include "kernels/subsets/lanes/gpu/form.hpp"
#include "kernels/subsets/prefixes.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm::class_sums_device_test {
namespace {

using namespace countpm::testing;

const StopSignal never;

/// `total` copies in all, in classes of up to `most`.
std::vector<Index> random_classes(Random& random, Index total, Index most) {
  std::vector<Index> copies;
  while (total > 0) {
    copies.push_back(static_cast<Index>(1 + below(random, std::min(most, total))));
    total -= copies.back();
  }
  return copies;
}

/// n rows and n columns with classes of up to `most` equal ones on both sides.
template <class Value, class Entry>
Block<Value> random_classed(Random& random, Index n, Index most, const Entry& entry) {
  const std::vector<Index> power = random_classes(random, n, most);
  const std::vector<Index> copies = random_classes(random, n, most);
  std::vector<std::vector<Value>> rows;
  for (const Index times : power) {
    std::vector<Value> row;
    for (std::size_t j = 0; j < copies.size(); ++j) row.push_back(entry());
    rows.insert(rows.end(), times, row);
  }
  Block<Value> block = dense_block(rows, static_cast<Index>(copies.size()));
  block.multiplicity = copies;
  return block;
}
Block<std::int64_t> random_whole(Random& random, Index n, Index most) {
  return random_classed<std::int64_t>(random, n, most,
                                      [&] { return static_cast<std::int64_t>(below(random, 19)) - 9; });
}

/// All columns, in order, in units of few terms.
SubsetPlan plan_of(const std::vector<Index>& multiplicity, double log2_unit_terms) {
  std::vector<Index> order(multiplicity.size());
  std::iota(order.begin(), order.end(), Index{0});
  return plan_subsets(order, multiplicity, RyserForm::halved, 40, log2_unit_terms);
}

/// A unit's share by the definition of its terms.
template <class Int>
Residues unit_by_terms(const IntegerColumns<Int>& columns, const SubsetPlan& plan, std::uint64_t unit,
                       const Arithmetic& arithmetic) {
  mpz_class sum;
  for_each_prefix(columns, plan, unit, [&](const std::vector<Int>& start, const mpz_class& weight) {
    for (std::uint64_t set = 0; set < std::uint64_t{1} << plan.inner.size(); ++set) {
      std::vector<Int> rows = start;
      mpz_class product = weight;
      for (std::size_t k = 0; k < plan.inner.size(); ++k) {
        if ((set >> k & 1) == 0) continue;
        add_column(rows, columns, plan.form, plan.inner[k], 1);
        product = -product;
      }
      for (const Int& row : rows) product *= mpz_class(row);
      sum += product;
    }
    return true;
  });
  return std::get<Residues>(share_of_permanent(sum, columns.rows, plan.form, columns.scale, arithmetic));
}

TEST(ClassSumsDevice, UnitsAreTheirTermsModuloPrimes) {
  Random random(71);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  for (int round = 0; round < repeats(240); ++round) {
    const auto n = static_cast<Index>(2 + below(random, 10));
    AnyBlock block = random_whole(random, n, static_cast<Index>(1 + below(random, 5)));
    if (round % 3 == 0) {  // rows of their own denominators, and integers of more than 64 bits
      block = random_classed<mpq_class>(random, n, 3, [&] {
        mpq_class value(static_cast<long>(below(random, 19)) - 9, static_cast<long>(1 + below(random, 4)));
        value.canonicalize();
        return round % 2 == 0 ? value : mpq_class(value << 70);
      });
    }
    std::visit(
        [&](const auto& columns) {
          const SubsetPlan plan = plan_of(columns.multiplicity, static_cast<double>(below(random, 8)));
          if (class_sums::prime_class_obstacle(plan, arithmetic)) return;  // one line, alone
          for (const GpuInfo& gpu : all_gpus()) {
            const auto device = class_sums::make_prime_class_job(gpu, columns, plan, arithmetic);
            Partial all = zero(arithmetic);
            for (std::uint64_t unit = 0; unit < plan.units; ++unit) {
              const Residues truth = unit_by_terms(columns, plan, unit, arithmetic);
              ASSERT_EQ(std::get<Residues>(device->run(unit, unit + 1, never)), truth)
                  << gpu.name << ", round " << round << ", unit " << unit;
              add(all, truth, arithmetic);
            }
            EXPECT_EQ(std::get<Residues>(device->run(0, plan.units, never)), std::get<Residues>(all))
                << gpu.name << ", round " << round;
          }
        },
        integer_columns(block));
  }
}

TEST(ClassSumsDevice, RyserHasTheCpusResidues) {
  Random random(72);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime, 1000003});
  for (int round = 0; round < repeats(240); ++round) {
    const AnyBlock block = random_whole(random, 10, 4);
    const auto job = ryser_method().make_job(block, arithmetic, {});
    for (GpuInfo gpu : all_gpus()) {
      EXPECT_EQ(job->device_obstacle(gpu), std::nullopt);
      EXPECT_GT(job->nominal_device_rate(gpu), 0);
      const Residues truth = cpu_sum(*job, 0, job->units(), arithmetic);
      EXPECT_EQ(std::get<Residues>(job->on_device(gpu)->run(0, job->units(), never)), truth);
      gpu.shared_bytes = 100;  // rows in global memory
      EXPECT_EQ(std::get<Residues>(job->on_device(gpu)->run(0, job->units(), never)), truth);
    }
  }
}

mpq_class exact_part(const BigFloat& value) {
  mpq_class result;
  mpfr_get_q(result.get_mpq_t(), value.get());
  return result;
}
/// How far off, as a share of the error.
double share_of(const Ball& ball, const ComplexRational& truth) {
  const double off = std::hypot(mpq_class(exact_part(ball.re) - truth.re).get_d(),
                                mpq_class(exact_part(ball.im) - truth.im).get_d());
  return off == 0 ? 0 : off / ball.error.to_double();
}
ComplexRational truth_of(const AnyBlock& any_block) {
  return std::visit(
      [](const auto& block) -> ComplexRational {
        auto sum = permanent_by_states(block);
        if constexpr (std::is_same_v<std::decay_t<decltype(sum)>, ComplexRational>) {
          return sum;
        } else {
          return {sum, 0};
        }
      },
      any_block);
}

/// kind 0: whole numbers, whose sums are exact; 1: fractions and large ones side by side; 2: doubles.
mpq_class random_part(Random& random, unsigned kind) {
  const auto whole = static_cast<long>(below(random, 19)) - 9;
  if (kind == 0) return whole;
  mpq_class value(whole, 7);
  value.canonicalize();
  if (kind == 1) return below(random, 4) == 0 ? mpq_class(value * 1000000007) : value;
  return mpq_class(static_cast<double>(random() >> 11) * 0x1p-53 - 0.5);
}
AnyBlock random_floating(Random& random, Index n, Index most, bool complex, unsigned kind) {
  if (complex)
    return random_classed<ComplexRational>(random, n, most, [&] {
      return ComplexRational{random_part(random, kind), random_part(random, kind)};
    });
  return random_classed<mpq_class>(random, n, most, [&] { return random_part(random, kind); });
}

const Arithmetic doubles{Arithmetic::Kind::floating, {}, Precision::kahan, 128};

TEST(ClassSumsDevice, RyserInDoublesIsWithinItsError) {
  Random random(73);
  double largest_share = 0;
  for (int round = 0; round < repeats(60); ++round) {
    const auto n = static_cast<Index>(3 + below(random, 8));
    AnyBlock block = random_floating(random, n, 4, round % 2 == 0, static_cast<unsigned>(round) % 3);
    const auto job = ryser_method().make_job(block, doubles, {});
    for (const GpuInfo& gpu : all_gpus()) {
      if (job->device_obstacle(gpu)) continue;  // an empty row
      EXPECT_GT(job->nominal_device_rate(gpu), 0);
      const auto device = job->on_device(gpu);
      const auto ball = std::get<Ball>(device->run(0, job->units(), never));
      const ComplexRational truth = truth_of(block);
      const double share = share_of(ball, truth);
      EXPECT_LE(share, 1) << gpu.name << ", round " << round;
      largest_share = std::max(largest_share, share);
      Partial ours = zero(doubles);
      for (std::uint64_t unit = 0; unit < job->units(); ++unit) add(ours, job->run(unit, never), doubles);
      EXPECT_LE(ball.error.to_double(), 3 * std::get<Ball>(ours).error.to_double() + 1e-40) << round;
    }
  }
  EXPECT_GT(largest_share, 0.001);  // the bound is about what happens
}

TEST(ClassSumsDevice, UnitsInDoublesAddUp) {
  Random random(74);
  for (int round = 0; round < repeats(12); ++round) {
    const AnyBlock block = random_floating(random, 9, 3, round % 2 == 0, 2);
    std::visit(
        [&](const auto& given) {
          const SubsetPlan plan = plan_of(given.multiplicity, 3);
          std::vector<Digit> free = plan.middle;
          for (const Index column : plan.inner) free.push_back({column, 1});
          const auto lanes = LaneSums::make(factor_matrix(block), plan.pinned, free);
          ASSERT_TRUE(lanes);
          for (const GpuInfo& gpu : all_gpus()) {
            const auto device = class_sums::make_floating_class_job(gpu, plan, lanes->factors(), 1, 192);
            Partial sum = zero(doubles);
            for (std::uint64_t unit = plan.units; unit-- > 0;)
              add(sum, device->run(unit, unit + 1, never), doubles);
            EXPECT_LE(share_of(std::get<Ball>(sum), truth_of(block)), 1) << round;  // of an odd order
          }
        },
        block);
  }
}

TEST(ClassSumsDevice, SaysWhatItDoesNotTake) {
  Random random(75);
  const GpuInfo gpu = emulated_gpu(0);
  const AnyBlock complex = random_floating(random, 6, 3, true, 2);
  const auto text = [&](const AnyBlock& block, const Arithmetic& arithmetic) {
    const auto job = ryser_method().make_job(block, arithmetic, {});
    const std::optional<Refusal> refusal = job->device_obstacle(gpu);
    if (!refusal) return std::string();
    EXPECT_EQ(refusal->kind, RefusalKind::no_gpu_form_here);
    EXPECT_EQ(job->on_device(gpu), nullptr);
    EXPECT_EQ(job->nominal_device_rate(gpu), 0);
    return refusal->text;
  };
  auto twins = random_pattern(random, 3, 1);
  twins.multiplicity = {1, 1, 2};
  EXPECT_NE(text(twins, wrap_around(64)).find("power of two"), std::string::npos);
  Arithmetic more = doubles;
  more.precision = Precision::double_double;
  EXPECT_NE(text(complex, more).find("but in doubles"), std::string::npos);
  EXPECT_EQ(text(complex, doubles), "");
}

TEST(ClassSumsDevice, StopsWhenAsked) {
  Random random(76);
  const Arithmetic arithmetic = residues_modulo({first_prime});
  StopSignal stop;
  stop.request();
  const auto job = ryser_method().make_job(random_whole(random, 12, 3), arithmetic, {});
  EXPECT_THROW(job->on_device(emulated_gpu(0))->run(0, job->units(), stop), Stopped);
}

}  // namespace
}  // namespace countpm::class_sums_device_test
