// ryser's jobs on GPUs against the same jobs on the CPU: any range of units, bit for bit in residues; balls
// that hold the number in floating point.
#include "kernels/ryser/gpu/form.hpp"

#include "kernels/arithmetic/ball.hpp"
#include "kernels/ryser/ryser.hpp"
#include "tests/kernels/best_rate.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm::ryser_device_test {
namespace {

using namespace countpm::testing;

const StopSignal never;

TEST(RyserDevice, RangesAreTheCpusBitForBit) {
  Random random(31);
  for (int round = 0; round < 120; ++round) {
    const auto block = random_integers(random, static_cast<Index>(below(random, 15)), true);
    const Arithmetic arithmetic = some_residues(random());
    const auto job = ryser_method().make_job(block, arithmetic, {});
    for (const GpuInfo& gpu : all_gpus()) {
      const auto device = job->on_device(gpu);
      EXPECT_EQ(device != nullptr, job->nominal_device_rate(gpu) > 0);
      if (!device) continue;  // entries beyond 64 bits, modulo a power of two
      for (int time = 0; time < 2; ++time) {
        ASSERT_EQ(std::get<Residues>(device->run(0, job->units(), never)),
                  cpu_sum(*job, 0, job->units(), arithmetic))
            << gpu.name << ", round " << round << "\n"
            << text_of(block);
      }
    }
  }
}

TEST(RyserDevice, MostBlocksHaveAForm) {
  Random random(32);
  const Arithmetic arithmetic = residues_modulo({first_prime});
  const GpuInfo gpu = emulated_gpu(0);
  EXPECT_NE(ryser_method().make_job(random_pattern(random, 20, 0.5), arithmetic, {})->on_device(gpu),
            nullptr);
  auto twins = random_pattern(random, 3, 1);
  twins.multiplicity = {1, 1, 2};
  EXPECT_NE(ryser_method().make_job(twins, arithmetic, {})->on_device(gpu), nullptr);
  EXPECT_EQ(ryser_method().make_job(twins, wrap_around(64), {})->on_device(gpu), nullptr);
  // Sums of more than 512 bits: modulo a prime or a power of two, but not both.
  const auto large = dense_block(
      std::vector<std::vector<std::int64_t>>(38, std::vector<std::int64_t>(38, std::int64_t{1} << 30)), 38);
  Arithmetic moduli = arithmetic;
  EXPECT_EQ(ryser_method().make_job(large, moduli, {})->device_obstacle(gpu), std::nullopt);
  moduli.moduli.push_back(Modulus{0, 64});
  const auto mixed = ryser_method().make_job(large, moduli, {});
  EXPECT_EQ(mixed->on_device(gpu), nullptr);
  EXPECT_NE(mixed->device_obstacle(gpu).value().text.find("modulo primes and a power of two"),
            std::string::npos);
}

// 2^23 subsets and more: several units.
TEST(RyserDevice, RangesOfUnits) {
  Random random(33);
  const auto block = random_pattern(random, 25, 0.4);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  const auto job = ryser_method().make_job(block, arithmetic, {});
  ASSERT_GE(job->units(), 4U);
  for (const GpuInfo& gpu : gpus().empty() ? all_gpus() : gpus()) {
    const auto device = job->on_device(gpu);
    const std::uint64_t last = gpu.emulated ? 1 : job->units();
    EXPECT_EQ(std::get<Residues>(device->run(0, last, never)), cpu_sum(*job, 0, last, arithmetic));
    EXPECT_EQ(std::get<Residues>(device->run(last - 1, last, never)),
              cpu_sum(*job, last - 1, last, arithmetic));
    EXPECT_GT(device->device_bytes(), 0U);
  }
}

TEST(RyserDevice, TheRateIsMeasured) {
  Random random(34);
  const auto job =
      ryser_method().make_job(random_pattern(random, 14, 0.6), residues_modulo({first_prime}), {});
  for (const GpuInfo& gpu : all_gpus()) EXPECT_GT(best_rate(*job->on_device(gpu), 1e3), 1e3);
}

// A unit of 2^43 subsets.
TEST(RyserDevice, WhatTakesTooLongIsNotMeasured) {
  Random random(35);
  const auto job = ryser_method().make_job(random_pattern(random, 60, 0.5), wrap_around(64), {});
  EXPECT_EQ(job->on_device(emulated_gpu(0))->measured_rate(0.01), 0);
}

Arithmetic floating(Precision precision) {
  Arithmetic arithmetic;
  arithmetic.kind = Arithmetic::Kind::floating;
  arithmetic.precision = precision;
  return arithmetic;
}

/// |ball - truth| <= error, and the error is a small share of the value.
void expect_inside(const Ball& ball, const mpq_class& truth, double allowed, const std::string& what) {
  BigFloat exact(mpfr_prec_t{2048});
  mpfr_set_q(exact.get(), truth.get_mpq_t(), MPFR_RNDN);
  BigFloat difference(mpfr_prec_t{2048});
  mpfr_sub(difference.get(), exact.get(), ball.re.get(), MPFR_RNDA);
  mpfr_abs(difference.get(), difference.get(), MPFR_RNDU);
  EXPECT_TRUE(mpfr_lessequal_p(difference.get(), ball.error.get())) << what;
  mpfr_abs(exact.get(), exact.get(), MPFR_RNDU);
  mpfr_mul_d(exact.get(), exact.get(), allowed, MPFR_RNDU);
  EXPECT_TRUE(mpfr_lessequal_p(ball.error.get(), exact.get()))
      << what << ": error " << mpfr_get_d(ball.error.get(), MPFR_RNDN);
}

TEST(RyserDevice, FloatingBallsHoldTheNumber) {
  Random random(35);
  for (int round = 0; round < 40; ++round) {
    const auto n = static_cast<Index>(1 + below(random, 10));
    const auto block = random_block<mpq_class>(random, n, 1, true, [&] {
      mpq_class value(static_cast<long>(1 + below(random, 1000)), 997);
      value.canonicalize();
      return value;
    });
    const mpq_class truth = permanent_by_states(block);
    for (const GpuInfo& gpu : all_gpus()) {
      for (const auto& [precision, allowed] :
           {std::pair{Precision::plain, 1e-7}, std::pair{Precision::kahan, 1e-7},
            std::pair{Precision::double_double, 1e-22}, std::pair{Precision::mpfr, 1e-37}}) {
        const auto job = ryser_method().make_job(block, floating(precision), {});
        const auto device = job->on_device(gpu);
        ASSERT_NE(device, nullptr);
        const Ball ball = std::get<Ball>(device->run(0, job->units(), never));
        expect_inside(ball, truth, allowed,
                      gpu.name + ", round " + std::to_string(round) + "\n" + text_of(block));
      }
    }
  }
}

TEST(RyserDevice, FloatingFormsThatAreNotThere) {
  Random random(36);
  const GpuInfo gpu = emulated_gpu(0);
  const auto real = random_pattern(random, 4, 0.8);
  const auto complex = random_block<ComplexRational>(random, 4, 1, true, [] {
    return ComplexRational{1, 2};
  });
  Arithmetic arithmetic = floating(Precision::mpfr);
  arithmetic.bits = 150;
  const auto triples = ryser_method().make_job(real, arithmetic, {})->on_device(gpu);
  ASSERT_NE(triples, nullptr);
  EXPECT_EQ(triples->kernel(), "built in, for 16 rows, in triple-doubles");
  EXPECT_NE(ryser_method().make_job(complex, arithmetic, {})->on_device(gpu), nullptr);
  arithmetic.bits = 151;
  EXPECT_EQ(ryser_method().make_job(real, arithmetic, {})->on_device(gpu), nullptr);
  const auto job = ryser_method().make_job(complex, arithmetic, {});
  EXPECT_EQ(job->on_device(gpu), nullptr);
  EXPECT_EQ(job->nominal_device_rate(gpu), 0);
}

TEST(RyserDevice, ComplexFormsAreSlower) {
  Random random(37);
  GpuInfo gpu = emulated_gpu(0);
  const auto real = random_block<mpq_class>(random, 6, 1, true, [] { return mpq_class(1, 3); });
  const auto complex = random_block<ComplexRational>(random, 6, 1, true, [] {
    return ComplexRational{1, mpq_class(1, 3)};
  });
  for (const Precision precision :
       {Precision::plain, Precision::kahan, Precision::double_double, Precision::mpfr}) {
    const auto rate = [&](const AnyBlock& block) {
      return ryser_method().make_job(block, floating(precision), {})->nominal_device_rate(gpu);
    };
    gpu.emulated = false;
    gpu.multiprocessors = 132;
    gpu.clock_ghz = 2;
    EXPECT_GT(rate(complex), 0);
    EXPECT_LT(rate(complex), rate(real) / 2);
    const auto job = ryser_method().make_job(complex, floating(precision), {});
    EXPECT_GT(job->on_device(emulated_gpu(0))->device_bytes(), 0U);
  }
}

}  // namespace
}  // namespace countpm::ryser_device_test
