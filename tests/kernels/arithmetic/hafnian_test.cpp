// General blocks: definition in every arithmetic, the bound, the denominator, and symmetric scaling.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/hafnian_bound.hpp"
#include "kernels/arithmetic/ring_values.hpp"
#include "kernels/oracle/definition.hpp"
#include "tests/kernels/run_units.hpp"
#include "tests/matching/general_support.hpp"
#include "tests/repeats.hpp"

namespace countpm::hafnian_test {
namespace {

using testing::repeats;

using namespace testing_support;

std::vector<const Method*> general_methods() {
  std::vector<const Method*> methods;
  for (const Method* method : exact_methods()) {
    if (method->counts_general_graphs()) methods.push_back(method);
  }
  return methods;
}

Arithmetic primes(unsigned count) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(count);
  return arithmetic;
}
Arithmetic wrap(unsigned bits) {
  Arithmetic arithmetic;
  arithmetic.moduli = {{0, bits}};
  return arithmetic;
}
Arithmetic floating(Precision precision, unsigned bits = 128) {
  return {Arithmetic::Kind::floating, {}, precision, bits};
}

Partial run_all(const Method& method, const AnyBlock& block, const Arithmetic& arithmetic) {
  const std::unique_ptr<Job> job = method.make_job(block, arithmetic, {});
  EXPECT_TRUE(std::isfinite(job->log2_work()));
  return testing::sum_of_units(*job, arithmetic);
}

// The count times the block's denominator, from residues.
mpz_class integer(const Method& method, const AnyBlock& block) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(4, {denominator(block)});
  Partial total = run_all(method, block, arithmetic);
  multiply(total, from_factor(mpq_class(denominator(block)), arithmetic), arithmetic);
  return join_residues(std::get<Residues>(total), arithmetic.moduli, true);
}

mpq_class exact_value(const BigFloat& number) {
  mpq_class result;
  mpfr_get_q(result.get_mpq_t(), number.get());
  return result;
}

ComplexRational as_complex(const mpq_class& value) {
  return {value, 0};
}
ComplexRational as_complex(const ComplexRational& value) {
  return value;
}

template <class Value>
void expect_inside(const SparseMatrix<Value>& matrix, const Arithmetic& arithmetic, double relative,
                   const std::string& what) {
  const ComplexRational truth = as_complex(hafnian(matrix));
  const AnyBlock block = general_block(matrix);
  for (const Method* method : general_methods()) {
    if (method->obstacle(block, arithmetic)) continue;
    const Ball ball = std::get<Ball>(run_all(*method, block, arithmetic));
    const mpq_class re = exact_value(ball.re) - truth.re;
    const mpq_class im = exact_value(ball.im) - truth.im;
    const mpq_class error = exact_value(ball.error);
    EXPECT_TRUE(re * re + im * im <= error * error)
        << what << method->name() << " is off by " << std::hypot(re.get_d(), im.get_d()) << ", said "
        << error.get_d();
    // Against the sum of the terms' magnitudes.
    SparseMatrix<mpq_class> magnitudes;
    static_cast<SparsePattern&>(magnitudes) = static_cast<const SparsePattern&>(matrix);
    for (const Value& value : matrix.value) {
      const ComplexRational one = as_complex(exact(value));
      magnitudes.value.emplace_back(abs(one.re) + abs(one.im));
    }
    EXPECT_LE(error.get_d(), relative * hafnian(magnitudes).get_d()) << what << method->name();
  }
}

TEST(Hafnian, EveryMethodInResiduesAgainstSets) {
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(150); ++seed) {
    Random random(seed);
    const Index n = random.below(15);
    const SparsePattern graph = random_graph(n, (1 + random.below(10)) / 10.0, random);
    const auto integers = with_symmetric_values<std::int64_t>(graph, ValueKind::small_signed, random);
    const auto rationals = with_symmetric_values<mpq_class>(graph, ValueKind::small_signed, random);
    for (const Method* method : general_methods()) {
      const std::string what = "seed " + std::to_string(seed) + " " + std::string(method->name()) + "\n";
      if (method->obstacle(general_block(integers), primes(1))) continue;  // planar, of graphs that are not
      ASSERT_EQ(mpq_class(integer(*method, general_block(integers))), hafnian(integers))
          << what << show(integers);
      const AnyBlock fractions = general_block(rationals);
      ASSERT_EQ(mpq_class(integer(*method, fractions)), hafnian(rationals) * denominator(fractions))
          << what << show(rationals);
      for (const unsigned bits : {64U, 128U}) {
        const Arithmetic arithmetic = wrap(bits);
        if (method->obstacle(general_block(integers), arithmetic)) continue;
        const Partial total = run_all(*method, general_block(integers), arithmetic);
        ASSERT_EQ(mpq_class(join_residues(std::get<Residues>(total), arithmetic.moduli, true)),
                  hafnian(integers))
            << what;
      }
    }
  }
}

TEST(Hafnian, EveryMethodInFloatingPointWithinItsError) {
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(40); ++seed) {
    Random random(seed);
    const SparsePattern graph = random_graph(2 * (1 + random.below(6)), (3 + random.below(8)) / 10.0, random);
    auto reals = with_symmetric_values<mpq_class>(graph, ValueKind::small_signed, random);
    auto complexes = with_symmetric_values<ComplexRational>(graph, ValueKind::small_signed, random);
    if (seed % 4 == 0) {  // magnitudes far apart, the same for both directions of an edge
      for (Index v = 0; v < graph.rows; ++v) {
        for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + 1]; ++k) {
          const mpq_class factor = mpq_class(mpz_class(1) << (40 * (v % 3 + graph.column[k] % 3)));
          reals.value[k] *= factor;
          complexes.value[k] = {complexes.value[k].re / factor, complexes.value[k].im / factor};
        }
      }
    }
    const std::string what = "seed " + std::to_string(seed) + "\n";
    for (const auto& [arithmetic, relative] : {std::pair{floating(Precision::plain), 1e-12},
                                               {floating(Precision::kahan), 1e-12},
                                               {floating(Precision::double_double), 1e-27},
                                               {floating(Precision::mpfr, 53), 1e-12},
                                               {floating(Precision::mpfr, 200), 1e-55}}) {
      expect_inside(reals, arithmetic, relative, what + show(reals));
      expect_inside(complexes, arithmetic, relative, what + show(complexes));
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(Hafnian, CompleteGraphsAreDoubleFactorials) {
  mpq_class expected = 1;
  for (Index n = 2; n <= 14; n += 2) {
    expected *= n - 1;
    EXPECT_EQ(mpq_class(integer(definition_method(), general_block(with_ones(complete(n))))), expected);
  }
}

TEST(Hafnian, UnitsAddUpAndOddGraphsCountZero) {
  const AnyBlock block = general_block(with_ones(complete(14)));
  const auto job = definition_method().make_job(block, primes(1), {});
  EXPECT_GT(job->units(), 100U);
  EXPECT_EQ(integer(definition_method(), general_block(with_ones(complete(13)))), 0);
  EXPECT_EQ(integer(definition_method(), general_block(with_ones(graph_of(0, {})))), 1);
  EXPECT_EQ(integer(definition_method(), general_block(with_ones(graph_of(4, {{0, 1}, {1, 2}})))), 0);
}

TEST(Hafnian, TheBoundHoldsAndTheDenominatorClears) {
  double slack = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const SparsePattern graph = random_graph(2 * (1 + random.below(6)), (2 + random.below(9)) / 10.0, random);
    const auto rationals = with_symmetric_values<mpq_class>(
        graph, seed % 2 == 0 ? ValueKind::small_positive : ValueKind::small_signed, random);
    const AnyBlock block = general_block(rationals);
    const mpq_class scaled = hafnian(rationals) * denominator(block);
    ASSERT_EQ(scaled.get_den(), 1) << "seed " << seed << "\n" << show(rationals);
    const double bound = log2_upper_bound(block);
    ASSERT_LE(std::log2(std::abs(scaled.get_d()) + 1e-300), bound) << "seed " << seed << "\n"
                                                                   << show(rationals);
    const auto ones = with_ones(graph);
    const double of_ones = log2_upper_bound(general_block(ones));
    const double truth = hafnian(ones).get_d();
    if (truth > 0) {
      ASSERT_LE(std::log2(truth), of_ones) << "seed " << seed;
      slack += of_ones - std::log2(truth);
    }
  }
  EXPECT_LT(slack / 400, 5);
}

TEST(Hafnian, TheBoundOfCompleteBipartiteGraphsIsTight) {
  // K(n, n) attains Alon and Friedland's bound.
  Edges edges;
  for (Index a = 0; a < 6; ++a) {
    for (Index b = 6; b < 12; ++b) edges.emplace_back(a, b);
  }
  EXPECT_NEAR(log2_upper_bound(general_block(with_ones(graph_of(12, edges)))), std::log2(720), 1e-9);
}

TEST(Hafnian, TheDenominatorIsAboutTheSquareRoot) {
  const auto thirds = [](Index n) {
    Random random(1);
    auto matrix = with_symmetric_values<mpq_class>(complete(n), ValueKind::ones, random);
    for (mpq_class& value : matrix.value) value /= 3;
    return denominator(general_block(matrix));
  };
  EXPECT_EQ(thirds(10), 243);  // every term is 3^-5
  // Also for primes that are not looked for, and for products of them.
  EXPECT_EQ(hafnian_denominator(std::vector<mpz_class>(4, mpz_class("1000003"))), mpz_class("1000006000009"));
  EXPECT_EQ(hafnian_denominator({2, 2, 4, 53, 53, 53}), 4 * 53 * 53);
}

TEST(Hafnian, VertexScalingIsSymmetricAndBounded) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    const SparsePattern graph = random_graph(2 + random.below(12), 0.6, random);
    auto matrix = with_symmetric_values<mpq_class>(graph, ValueKind::small_signed, random);
    for (Index v = 0; v < graph.rows; ++v) {
      for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + 1]; ++k)
        matrix.value[k] *= mpz_class(1) << (30 * (v % 4) + 30 * (graph.column[k] % 4));
    }
    const AnyBlock block = general_block(matrix);
    const MpfrRing ring(300);
    const auto scaled = ring_values(ring, block);
    for (Index v = 0; v < graph.rows; ++v) {
      double sum = 0;
      for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + 1]; ++k) {
        sum += ring.magnitude(scaled.value[k]);
        std::uint64_t mirror = graph.row_start[graph.column[k]];
        while (graph.column[mirror] != v) ++mirror;
        ASSERT_EQ(ring.magnitude(scaled.value[k]), ring.magnitude(scaled.value[mirror]));
      }
      ASSERT_LE(sum, 1) << "seed " << seed;
      if (graph.row_degree(v) > 0) {
        EXPECT_GT(sum, 0x1p-12) << "seed " << seed;
      }
    }
    std::int64_t total = 0;
    for (const std::int64_t e : row_exponents(block)) total += e;
    EXPECT_EQ(scaled.exponent, total);
  }
}

}  // namespace
}  // namespace countpm::hafnian_test
