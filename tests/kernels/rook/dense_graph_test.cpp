// rook on graphs with odd cycles: matchings of what a dense graph lacks.
#include <gtest/gtest.h>

#include <optional>

#include "graph/errors.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/rook/rook.hpp"
#include "tests/kernels/run_units.hpp"
#include "tests/matching/general_support.hpp"
#include "tests/repeats.hpp"

namespace countpm::dense_graph_test {
namespace {

using namespace testing_support;

/// Empty where the method cannot.
std::optional<mpq_class> by_rook(const AnyBlock& block, unsigned primes, const MethodOptions& options = {}) {
  const mpz_class scale = denominator(block);
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(primes, {scale});
  if (rook_method().obstacle(block, arithmetic)) return std::nullopt;
  const std::unique_ptr<Job> job = rook_method().make_job(block, arithmetic, options);
  Partial total = testing::sum_of_units(*job, arithmetic);
  multiply(total, from_factor(mpq_class(scale), arithmetic), arithmetic);
  mpq_class result(join_residues(std::get<Residues>(total), arithmetic.moduli, true), scale);
  result.canonicalize();
  return result;
}

/// All edges between n vertices but those of `lacks`.
SparsePattern complement_of(Index n, const Edges& lacks) {
  std::vector<bool> missing(std::size_t{n} * n);
  for (const auto& [a, b] : lacks) missing[std::size_t{a} * n + b] = missing[std::size_t{b} * n + a] = true;
  Edges edges;
  for (Index a = 0; a < n; ++a) {
    for (Index b = a + 1; b < n; ++b) {
      if (!missing[std::size_t{a} * n + b]) edges.emplace_back(a, b);
    }
  }
  return graph_of(n, edges);
}

/// Symmetric: `usual` but for one edge of `rare`, which has a value of its own.
template <class Value>
SparseMatrix<Value> mostly(const SparsePattern& graph, const Value& usual, std::uint64_t rare,
                           testing_support::Random& random) {
  auto matrix = with_symmetric_values<Value>(graph, ValueKind::small_signed, random);
  for (Index v = 0; v < graph.rows; ++v) {
    for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + 1]; ++k) {
      const Index low = std::min(v, graph.column[k]);
      const Index high = std::max(v, graph.column[k]);
      if ((low * 31U + high * 17U) % rare != 0) matrix.value[k] = usual;
    }
  }
  return matrix;
}

TEST(RookOfDenseGraphs, AgreesWithSets) {
  int counted = 0;
  for (std::uint64_t seed = 1; seed <= testing::repeats<std::uint64_t>(300); ++seed) {
    testing_support::Random random(seed);
    const Index n = random.below(13);
    const SparsePattern graph = random_graph(n, 0.5 + 0.05 * random.below(11), random);
    const std::int64_t usual = seed % 3 == 0 ? 1 : seed % 3 == 1 ? -6 : 10;
    const auto integers = mostly<std::int64_t>(graph, usual, 7, random);
    const auto fractions = mostly<mpq_class>(graph, mpq_class(usual, 7), 5, random);
    MethodOptions options;
    options.seed = seed;
    options.threads = 1 + static_cast<int>(seed % 2);
    if (seed % 5 == 0) options.memory_bytes = 2048;  // branches
    const auto expect = [&](const auto& matrix) {
      try {
        const auto count = by_rook(general_block(matrix), 4, options);
        if (!count) return;
        ASSERT_EQ(*count, hafnian(matrix)) << "seed " << seed << "\n" << show(matrix);
        ++counted;
      } catch (const UnableError&) {
        ASSERT_EQ(seed % 5, 0U);
      }
    };
    expect(with_ones(graph));
    expect(integers);
    expect(fractions);
  }
  EXPECT_GT(counted, testing::repeats(300));
}

TEST(RookOfDenseGraphs, CompleteGraphsWithoutAPerfectMatching) {
  // OEIS A053871: a(m) = 2 (m - 1) (a(m - 1) + a(m - 2)).
  mpz_class last = 1;
  mpz_class value = 0;
  for (Index m = 2; m <= 60; ++m) {
    const mpz_class next = 2 * (m - 1) * (value + last);
    last = value;
    value = next;
    if (m > 6 && m % 18 != 6) continue;
    Edges lacks;
    for (Index v = 0; v < 2 * m; v += 2) lacks.emplace_back(v, v + 1);
    EXPECT_EQ(by_rook(general_block(with_ones(complement_of(2 * m, lacks))), 12), mpq_class(value)) << m;
  }
}

TEST(RookOfDenseGraphs, Obstacles) {
  Arithmetic primes;
  primes.moduli = choose_primes(1);
  const auto kind = [&](const AnyBlock& block, const Arithmetic& arithmetic) {
    return rook_method().obstacle(block, arithmetic)->kind;
  };
  EXPECT_EQ(kind(general_block(with_ones(cycle(9))), primes), RefusalKind::structure);
  Block<std::int64_t> loops = general_block(with_ones(complete(6)));
  EXPECT_FALSE(rook_method().obstacle(loops, primes));
  Arithmetic floating;
  floating.kind = Arithmetic::Kind::floating;
  EXPECT_EQ(kind(loops, floating), RefusalKind::arithmetic);
  loops.monomers = true;
  EXPECT_EQ(kind(loops, primes), RefusalKind::structure);
}

}  // namespace
}  // namespace countpm::dense_graph_test
