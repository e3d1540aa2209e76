// Sets of pairs: one at a time and in the lanes of every instruction set, in every arithmetic, with and
// without loops, in one unit and in many.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/hafnian/hafnian.hpp"
#include "kernels/hafnian/pairs.hpp"
#include "kernels/hafnian/rounding.hpp"
#include "kernels/oracle/definition.hpp"
#include "tests/kernels/hafnian/repeated_vertices.hpp"
#include "tests/kernels/run_units.hpp"
#include "tests/matching/general_support.hpp"
#include "tests/repeats.hpp"

namespace countpm::hafnian_method_test {
namespace {

using namespace testing_support;
using testing::repeats;
using testing_support::Random;

std::vector<LaneChoice> choices() {
  std::vector<LaneChoice> result;
  for (const LaneChoice choice :
       {LaneChoice::scalar, LaneChoice::baseline, LaneChoice::avx2, LaneChoice::avx512}) {
    if (lanes_supported(choice)) result.push_back(choice);
  }
  return result;
}
std::string name_of(LaneChoice choice) {
  const char* const names[] = {"automatic ", "scalar ", "baseline ", "avx2 ", "avx512 "};
  return names[static_cast<std::size_t>(choice)];
}

/// The graph with a loop at each of the vertices that `random` chooses, and values.
template <class Value>
Block<Value> with_loops(Index n, double density, ValueKind kind, Random& random) {
  const Block<Value> plain =
      general_block(with_symmetric_values<Value>(random_graph(n, density, random), kind, random));
  const auto loops = with_random_values<Value>(complete(n + 2), kind, random);
  Block<Value> block = general_block(SparseMatrix<Value>());
  block.monomers = true;
  block.matrix.rows = block.matrix.columns = n;
  for (Index v = 0; v < n; ++v) {
    bool looped = random.below(4) == 0;
    const auto loop = [&] {
      block.matrix.column.push_back(v);
      block.matrix.value.push_back(loops.value[v]);
      looped = true;
    };
    for (std::uint64_t k = plain.matrix.row_start[v]; k < plain.matrix.row_start[v + 1]; ++k) {
      if (!looped && plain.matrix.column[k] > v) loop();
      block.matrix.column.push_back(plain.matrix.column[k]);
      block.matrix.value.push_back(plain.matrix.value[k]);
    }
    if (!looped) loop();
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

Arithmetic primes(unsigned count, unsigned bits) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(count, {}, bits);
  return arithmetic;
}
Arithmetic floating(Precision precision, unsigned bits = 128) {
  return {Arithmetic::Kind::floating, {}, precision, bits};
}

Partial by_sets(const AnyBlock& block, const Arithmetic& arithmetic, LaneChoice choice) {
  return testing::sum_of_units(*make_hafnian_job(block, arithmetic, choice), arithmetic);
}
Partial by_definition(const AnyBlock& block, const Arithmetic& arithmetic) {
  return testing::sum_of_units(*definition_method().make_job(block, arithmetic, {}), arithmetic);
}
mpz_class count(const AnyBlock& block, LaneChoice choice, unsigned moduli) {
  const Arithmetic arithmetic = primes(moduli, 29);
  return join_residues(std::get<Residues>(by_sets(block, arithmetic, choice)), arithmetic.moduli, true);
}
mpz_class count(const SparsePattern& graph, LaneChoice choice = LaneChoice::automatic, unsigned moduli = 5) {
  return count(general_block(with_ones(graph)), choice, moduli);
}

/// Of 30 and 31 bits sums are folded on the way, from 16 products on: of so many pairs.
TEST(HafnianMethod, FoldedLanesModuloNumbersOf31Bits) {
  for (const std::uint64_t modulus :
       {998244353ULL, 1000000007ULL, 2147483647ULL, 2147483645ULL, 536870913ULL, 1073741823ULL, 3ULL, 9ULL}) {
    for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(6); ++seed) {
      Random random(seed);
      const Index n = 20 + 2 * random.below(5);
      const bool loops = seed % 2 == 0;
      const auto plain = general_block(
          with_symmetric_values<std::int64_t>(random_graph(n, 0.9, random), ValueKind::large, random));
      const AnyBlock block =
          loops ? AnyBlock(with_loops<std::int64_t>(n, 0.9, ValueKind::large, random)) : AnyBlock(plain);
      Arithmetic arithmetic;
      arithmetic.moduli = {{modulus, 0}, {0, 64}};
      const Partial truth = by_sets(block, arithmetic, LaneChoice::scalar);
      for (const LaneChoice choice : choices())
        ASSERT_EQ(std::get<Residues>(by_sets(block, arithmetic, choice)), std::get<Residues>(truth))
            << name_of(choice) << modulus << " seed " << seed << ", " << n << " vertices";
    }
  }
}

TEST(HafnianMethod, EveryLaneInResidues) {
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(60); ++seed) {
    Random random(seed);
    const Index n = random.below(13);
    const double density = (3 + random.below(8)) / 10.0;
    const auto integers = general_block(
        with_symmetric_values<std::int64_t>(random_graph(n, density, random), ValueKind::large, random));
    const auto fractions = general_block(
        with_symmetric_values<mpq_class>(random_graph(n, density, random), ValueKind::small_signed, random));
    for (const AnyBlock& block :
         {AnyBlock(integers), AnyBlock(fractions),
          AnyBlock(with_loops<std::int64_t>(n, density, ValueKind::small_signed, random)),
          AnyBlock(with_loops<mpq_class>(n, density, ValueKind::small_signed, random))}) {
      for (const Arithmetic& arithmetic : {primes(2, 29), primes(1, 61)}) {
        const Partial truth = by_definition(block, arithmetic);
        for (const LaneChoice choice : choices()) {
          ASSERT_EQ(std::get<Residues>(by_sets(block, arithmetic, choice)), std::get<Residues>(truth))
              << name_of(choice) << arithmetic.name() << " seed " << seed << ", " << n << " vertices"
              << (has_monomers(block) ? ", loops" : "");
        }
      }
    }
  }
}

bool meet(const Partial& a, const Partial& b) {
  return balls_meet(std::get<Ball>(a), std::get<Ball>(b));
}

TEST(HafnianMethod, EveryLaneInFloatingPoint) {
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(30); ++seed) {
    Random random(seed);
    const Index n = 2 + random.below(11);
    const auto real = with_loops<mpq_class>(n, 0.7, ValueKind::small_signed, random);
    const auto complex = with_loops<ComplexRational>(n, 0.7, ValueKind::small_signed, random);
    const auto plain = general_block(with_symmetric_values<ComplexRational>(random_graph(n, 0.9, random),
                                                                            ValueKind::small_signed, random));
    for (const AnyBlock& block : {AnyBlock(real), AnyBlock(complex), AnyBlock(plain)}) {
      const Partial truth = by_definition(block, floating(Precision::mpfr, 500));
      for (const Arithmetic& arithmetic :
           {floating(Precision::plain), floating(Precision::kahan), floating(Precision::double_double),
            floating(Precision::mpfr, 90)}) {
        for (const LaneChoice choice : choices()) {
          const Partial ours = by_sets(block, arithmetic, choice);
          ASSERT_TRUE(meet(ours, truth)) << name_of(choice) << arithmetic.name() << " seed " << seed;
          // far below what single numbers of the sum lose
          const double error = std::get<Ball>(ours).error.to_double();
          ASSERT_LE(error,
                    (arithmetic.precision == Precision::plain ? 1e-9 : 1e-20) * std::pow(40.0, n / 2.0))
              << name_of(choice) << arithmetic.name() << " seed " << seed;
        }
      }
    }
  }
}

TEST(HafnianMethod, MagnitudesFarApartStayWithinTheError) {
  Random random(5);
  auto matrix = with_symmetric_values<mpq_class>(complete(10), ValueKind::small_signed, random);
  for (Index v = 0; v < matrix.rows; ++v) {
    for (std::uint64_t k = matrix.row_start[v]; k < matrix.row_start[v + 1]; ++k) {
      if (v % 5 == matrix.column[k] % 5) matrix.value[k] /= mpz_class(1) << 900;
    }
  }
  const AnyBlock block = general_block(matrix);
  const Partial truth = by_definition(block, floating(Precision::mpfr, 4000));
  for (const LaneChoice choice : choices())
    EXPECT_TRUE(meet(by_sets(block, floating(Precision::plain), choice), truth)) << name_of(choice);
}

TEST(HafnianMethod, EntriesThatVanishAreWithinTheError) {
  // Vertex 3 has all that is large; in its units the other entries are no doubles.
  Random random(1);
  auto matrix = with_symmetric_values<mpq_class>(complete(4), ValueKind::ones, random);
  const mpq_class far(mpz_class(1) << 1000);
  for (Index v = 0; v < matrix.rows; ++v) {
    for (std::uint64_t k = matrix.row_start[v]; k < matrix.row_start[v + 1]; ++k)
      matrix.value[k] = v == 3 || matrix.column[k] == 3 ? far : 1 / far;
  }
  const AnyBlock block = general_block(matrix);
  const Partial truth = from_factor(mpq_class(3), floating(Precision::mpfr, 200));
  for (const Precision precision : {Precision::plain, Precision::kahan, Precision::mpfr}) {
    for (const LaneChoice choice : choices())
      EXPECT_TRUE(meet(by_sets(block, floating(precision, 60), choice), truth)) << name_of(choice);
  }
}

TEST(HafnianMethod, KnownCounts) {
  mpz_class odd_factorial = 1;  // (n - 1)!!
  for (Index n = 2; n <= 32; n += 2) {
    odd_factorial *= n - 1;
    EXPECT_EQ(count(complete(n)), odd_factorial) << n;
  }
  // OEIS A053871: complete graphs without a perfect matching.
  const long cocktail_party[] = {1, 0, 2, 8, 60, 544, 6040, 79008};
  for (Index m = 1; m <= 7; ++m) {
    Edges edges;
    for (Index a = 0; a < 2 * m; ++a) {
      for (Index b = a + 1; b < 2 * m; ++b) {
        if (a / 2 != b / 2) edges.emplace_back(a, b);
      }
    }
    EXPECT_EQ(count(graph_of(2 * m, edges)), cocktail_party[m]) << m;
  }
  // OEIS A005271: hypercubes.
  const long cubes[] = {1, 1, 2, 9, 272, 589185};
  for (unsigned dimension = 1; dimension <= 5; ++dimension) {
    Edges edges;
    for (Index v = 0; v < Index{1} << dimension; ++v) {
      for (unsigned bit = 0; bit < dimension; ++bit) {
        if ((v >> bit & 1) == 0) edges.emplace_back(v, v | Index{1} << bit);
      }
    }
    EXPECT_EQ(count(graph_of(Index{1} << dimension, edges)), cubes[dimension]) << dimension;
  }
  mpz_class factorial = 1;  // complete bipartite graphs
  for (Index n = 1; n <= 12; ++n) {
    factorial *= n;
    Edges edges;
    for (Index a = 0; a < n; ++a) {
      for (Index b = n; b < 2 * n; ++b) edges.emplace_back(a, b);
    }
    EXPECT_EQ(count(graph_of(2 * n, edges)), factorial) << n;
  }
  // github.com/XanaduAI/thewalrus issue 369: K_8 with one weight of a million.
  auto heavy = with_ones(complete(8));
  heavy.value.front() = heavy.value[heavy.row_start[1]] = 1000000;
  EXPECT_EQ(count(general_block(heavy), LaneChoice::automatic, 3), 15000090);
  EXPECT_EQ(count(petersen()), 6);
  EXPECT_EQ(count(complete(9)), 0);
}

TEST(HafnianMethod, UnitsAddUp) {
  Random random(3);
  const auto graph = random_graph(34, 0.6, random);
  const AnyBlock block = general_block(with_ones(graph));
  ASSERT_EQ(make_hafnian_job(block, primes(1, 29), LaneChoice::automatic)->units(), 8U);
  // 8 vertices of degree 1 leave 18 for the definition's sets.
  Edges edges = edges_of(random_graph(18, 0.6, random));
  for (Index v = 18; v < 34; v += 2) edges.emplace_back(v, v + 1);
  const mpz_class truth = hafnian(with_ones(graph_of(34, edges))).get_num();
  for (const LaneChoice choice : choices()) {
    if (choice != LaneChoice::scalar) {
      EXPECT_EQ(count(graph_of(34, edges), choice, 2), truth) << name_of(choice);
    }
  }
}

TEST(HafnianMethod, LoopsOfOneCountAllMatchings) {
  // OEIS A000085: involutions.
  const long involutions[] = {1, 1, 2, 4, 10, 26, 76, 232, 764, 2620, 9496};
  for (Index n = 1; n <= 10; ++n) {
    Block<std::int64_t> block = general_block(SparseMatrix<std::int64_t>());
    block.monomers = true;
    block.matrix.rows = block.matrix.columns = n;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        block.matrix.column.push_back(j);
        block.matrix.value.push_back(1);
      }
      block.matrix.row_start.push_back(block.matrix.column.size());
    }
    EXPECT_EQ(count(block, LaneChoice::automatic, 2), involutions[n]) << n;
  }
}

TEST(HafnianMethod, StopsWhenAsked) {
  Random random(4);
  const AnyBlock block = general_block(with_ones(random_graph(60, 0.8, random)));
  for (const Arithmetic& arithmetic : {primes(1, 29), primes(1, 61), floating(Precision::kahan)}) {
    const auto job = make_hafnian_job(block, arithmetic, LaneChoice::automatic);
    StopSignal stop;
    std::thread asker([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      stop.request();
    });
    EXPECT_THROW(for (std::uint64_t unit = 0; unit < job->units(); ++unit) job->run(unit, stop), Stopped)
        << arithmetic.name();
    asker.join();
  }
}

TEST(HafnianMethod, RefusesWhatItCannot) {
  const Method& method = hafnian_method();
  Block<std::int64_t> matrix;
  matrix.matrix.rows = matrix.matrix.columns = 1;
  matrix.matrix.column = {0};
  matrix.matrix.value = {1};
  matrix.matrix.row_start = {0, 1};
  EXPECT_EQ(method.obstacle(matrix, primes(1, 29))->kind, RefusalKind::structure);
  EXPECT_FALSE(method.obstacle(general_block(with_ones(complete(64))), primes(1, 29)));
  EXPECT_EQ(method.obstacle(general_block(with_ones(complete(66))), primes(1, 29))->kind,
            RefusalKind::too_large);
}

TEST(HafnianMethod, LanesAgreeOnAUnitOfManyPairs) {
  Random random(9);
  const AnyBlock block =
      general_block(with_symmetric_values<std::int64_t>(complete(48), ValueKind::large, random));
  const Arithmetic arithmetic = primes(1, 29);
  const StopSignal never;
  std::optional<Partial> first;
  for (const LaneChoice choice : choices()) {
    if (choice == LaneChoice::scalar) continue;
    const Partial share = make_hafnian_job(block, arithmetic, choice)->run(777, never);
    if (!first) first = share;
    EXPECT_EQ(std::get<Residues>(share), std::get<Residues>(*first)) << name_of(choice);
  }
}

pair_sets::PairShape shape_of(unsigned pairs, unsigned monomers) {
  pair_sets::PairShape shape;
  shape.pairs = pairs;
  shape.monomers = monomers;
  for (unsigned pair = 0; pair < pairs; ++pair) shape.group_end[pair] = static_cast<unsigned char>(pair + 1);
  return shape;
}

TEST(HafnianMethod, RoundingsGrowAsTheSquareOfThePairs) {
  EXPECT_LE(pair_sets::roundings_of(shape_of(1, 0)), 6);
  for (const unsigned pairs : {2U, 8U, 32U}) {
    EXPECT_GE(pair_sets::roundings_of(shape_of(pairs, 0)), 2 * pairs);
    EXPECT_LE(pair_sets::roundings_of(shape_of(pairs, 1)), 5.0 * pairs * pairs + 10);
  }
}

Partial by_frontier(const AnyBlock& block, const Arithmetic& arithmetic) {
  return testing::sum_of_units(*method_named("frontier").make_job(block, arithmetic, {}), arithmetic);
}

TEST(HafnianMethod, RepeatedVerticesAreGroups) {
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(40); ++seed) {
    Random random(seed);
    const Index n = 2 + random.below(4);
    std::vector<Index> copies;
    Index total = 0;
    for (Index v = 0; v < n; ++v) {
      copies.push_back(std::min<Index>(1 + random.below(7), 16 - total - (n - 1 - v)));
      total += copies.back();
    }
    const auto integers = with_loops<std::int64_t>(n, 0.8, ValueKind::small_signed, random);
    auto loopless = integers;
    loopless.monomers = false;
    const auto complex = with_loops<ComplexRational>(n, 0.8, ValueKind::small_signed, random);
    const Arithmetic residues = primes(2, 29);
    for (const AnyBlock& block :
         {AnyBlock(repeated(integers, copies)), AnyBlock(repeated(loopless, copies))}) {
      const Partial truth = by_frontier(block, residues);
      for (const LaneChoice choice : choices()) {
        ASSERT_EQ(std::get<Residues>(by_sets(block, residues, choice)), std::get<Residues>(truth))
            << name_of(choice) << "seed " << seed;
      }
    }
    const AnyBlock block = repeated(complex, copies);
    const Partial truth = by_frontier(block, floating(Precision::mpfr, 500));
    for (const Precision precision : {Precision::plain, Precision::kahan}) {
      for (const LaneChoice choice : choices())
        ASSERT_TRUE(meet(by_sets(block, floating(precision), choice), truth))
            << name_of(choice) << "seed " << seed;
    }
  }
}

// Vertices are brought to sums of about 1 one after the other, which left these twins with different units,
// and groups of pairs that were not alike with sums far beyond the error.
TEST(HafnianMethod, TwinsHaveTheSameUnits) {
  const double weight[5][5] = {{0, -9.37974e7, -92011.4, 1.64895e10, 100049},
                               {-9.37974e7, 0, -0.00165602, 27.5561, 0.000397521},
                               {-92011.4, -0.00165602, 6.9333e-8, -1.15753, -8.13435e-7},
                               {1.64895e10, 27.5561, -1.15753, -1.27224e6, 0.0164031},
                               {100049, 0.000397521, -8.13435e-7, 0.0164031, 4.00286e-7}};
  const Index copied[] = {0, 1, 2, 2, 2, 2, 2, 3, 3, 4, 4, 4};
  Random random(1);
  auto matrix = with_symmetric_values<mpq_class>(complete(12), ValueKind::ones, random);
  for (Index v = 0; v < matrix.rows; ++v) {
    for (std::uint64_t k = matrix.row_start[v]; k < matrix.row_start[v + 1]; ++k)
      matrix.value[k] = mpq_class(weight[copied[v]][copied[matrix.column[k]]]);
  }
  const AnyBlock block = general_block(matrix);
  const Partial truth = by_definition(block, floating(Precision::mpfr, 500));
  for (const Precision precision : {Precision::plain, Precision::kahan}) {
    for (const LaneChoice choice : choices())
      EXPECT_TRUE(meet(by_sets(block, floating(precision), choice), truth)) << name_of(choice);
  }
}

TEST(HafnianMethod, ComplexityIsThatOfTheChoices) {
  // K_40: 20 pairs alike, one of them last and three of the lanes.
  const auto job =
      make_hafnian_job(general_block(with_ones(complete(40))), primes(5, 29), LaneChoice::automatic);
  EXPECT_NEAR(job->log2_work(), std::log2(17.0 * 8), 1e-9);
  mpz_class odd_factorial = 1;
  for (Index n = 40; n > 1; n -= 2) odd_factorial *= n - 1;
  EXPECT_EQ(count(complete(40)), odd_factorial);
  // Ten vertices, six times each.
  Random random(2);
  Block<std::int64_t> ten =
      general_block(with_symmetric_values<std::int64_t>(complete(10), ValueKind::large, random));
  const AnyBlock sixty = repeated(ten, std::vector<Index>(10, 6));
  EXPECT_LE(make_hafnian_job(sixty, primes(1, 29), LaneChoice::automatic)->log2_work(), 17);
}

}  // namespace
}  // namespace countpm::hafnian_method_test
