// --ln-z of lattices on a torus: the error that it tells holds, and so do the signs of the four terms,
// against exact rational elimination, sums over perfect matchings where there are few vertices, and exact
// counts of larger ones.
#include "kernels/planar/log/log_torus.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <map>

#include "graph/errors.hpp"
#include "kernels/arithmetic/big_float.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/planar/orientation/short_cycle_embedding.hpp"
#include "kernels/planar/orientation/torus_kasteleyn.hpp"
#include "kernels/planar/planar.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"
#include "tests/kernels/run_units.hpp"
#include "tests/repeats.hpp"

namespace countpm::log_torus_test {
namespace {

using namespace testing_support;

planar::Terms terms_of(const AnyBlock& block) {
  const planar::BlockGraph graph = planar::block_graph(block);
  const auto embedding = planar::short_cycle_embedding(graph, planar::Surface::torus);
  planar::Terms terms;
  if (!embedding) return terms;
  for (planar::TorusTerm& term : planar::torus_terms(graph, *embedding, planar::one_perfect_matching(graph)))
    terms.push_back({planar::signed_matrix(block, graph, std::move(term.orientation)), term.sign});
  return terms;
}

/// |ln |value| - ln|, rounded up: 512 bits hold all but 10^-150 of both.
double distance(const mpq_class& value, double ln) {
  BigFloat exact(abs(value), 512);
  mpfr_log(exact.get(), exact.get(), MPFR_RNDN);
  mpfr_sub_d(exact.get(), exact.get(), ln, MPFR_RNDN);
  return std::abs(exact.to_double(MPFR_RNDA));
}

using Dense = std::vector<std::vector<mpq_class>>;

mpq_class exact_determinant(Dense dense) {
  mpq_class product = 1;
  for (std::size_t k = 0; k < dense.size(); ++k) {
    std::size_t pivot = k;
    while (pivot < dense.size() && dense[pivot][k] == 0) ++pivot;
    if (pivot == dense.size()) return 0;
    if (pivot != k) product = -product;
    std::swap(dense[k], dense[pivot]);
    product *= dense[k][k];
    for (std::size_t i = k + 1; i < dense.size(); ++i) {
      if (dense[i][k] == 0) continue;
      const mpq_class factor = dense[i][k] / dense[k][k];
      for (std::size_t j = k + 1; j < dense.size(); ++j) {
        if (dense[k][j] != 0) dense[i][j] -= factor * dense[k][j];
      }
    }
  }
  return product;
}

mpq_class exact_pfaffian(Dense dense) {
  mpq_class product = 1;
  const std::size_t size = dense.size();
  for (std::size_t i = 0; i < size; i += 2) {
    const std::size_t j = i + 1;
    std::size_t partner = j;
    while (partner < size && dense[i][partner] == 0) ++partner;
    if (partner == size) return 0;
    if (partner != j) {
      product = -product;
      std::swap(dense[j], dense[partner]);
      for (auto& row : dense) std::swap(row[j], row[partner]);
    }
    product *= dense[i][j];
    for (std::size_t k = j + 1; k < size; ++k) {
      for (std::size_t l = k + 1; l < size; ++l) {
        dense[k][l] -= (dense[i][k] * dense[j][l] - dense[j][k] * dense[i][l]) / dense[i][j];
        dense[l][k] = -dense[k][l];
      }
    }
  }
  return product;
}

mpq_class exact_value(const planar::SignedMatrix& matrix) {
  const planar::BlockGraph& graph = matrix.graph;
  const Index size = graph.bipartite ? graph.rows : graph.vertices;
  Dense dense(size, std::vector<mpq_class>(size, 0));
  for (Index e = 0; e < graph.edges.size(); ++e) {
    const auto [a, b, entry] = graph.edges[e];
    mpq_class value = matrix.values[matrix.value_of[e]];
    if (matrix.orientation[e] == 0) value = -value;
    dense[a][graph.bipartite ? b - graph.rows : b] = value;
    if (!graph.bipartite) dense[b][a] = -value;
  }
  return graph.bipartite ? exact_determinant(std::move(dense)) : exact_pfaffian(std::move(dense));
}

/// Half of the four, and their signs.
mpq_class exact_sum(const planar::Terms& terms, std::array<int, 4>& sign) {
  mpq_class sum = 0;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const mpq_class value = terms[k].sign * exact_value(terms[k].matrix);
    sign[k] = sgn(value);
    sum += value;
  }
  return sum / 2;
}

mpq_class random_weight(unsigned decades, bool of_both_signs, Random& random) {
  mpz_class power;
  const unsigned tens = random.below(decades + 1);
  const bool up = tens >= decades / 2;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, up ? tens - decades / 2 : decades / 2 - tens);
  mpq_class weight(1 + random.below(999));
  weight = up ? mpq_class(weight * power) : mpq_class(weight / power);
  return of_both_signs && random.below(2) == 0 ? mpq_class(-weight) : weight;
}

/// The lattice with a weight for every edge: weight(a, b) of the vertices' or the row's and column's numbers.
template <class Weight>
Block<mpq_class> weighted(const std::string& spec, Weight weight) {
  return std::visit(
      [&](const auto& block) {
        Block<mpq_class> again;
        static_cast<SparsePattern&>(again.matrix) = static_cast<const SparsePattern&>(block.matrix);
        again.general = block.general;
        std::map<std::pair<Index, Index>, mpq_class> known;
        for (Index i = 0; i < block.matrix.rows; ++i) {
          for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + 1]; ++k) {
            const Index j = block.matrix.column[k];
            const auto ends = block.general ? std::pair<Index, Index>(std::minmax(i, j)) : std::pair(i, j);
            const auto [at, fresh] = known.try_emplace(ends, 0);
            if (fresh) at->second = weight(ends.first, ends.second);
            again.matrix.value.push_back(at->second);
          }
        }
        return again;
      },
      lattice_block(spec));
}

struct Tally {
  int checked = 0;
  int certain = 0;      // an error below 1 %
  int signs_known = 0;  // of terms that are not 0
  int signs = 0;
  double widest = 0;  // of the errors told
};

void check(const AnyBlock& block, const std::string& what, Tally& tally, bool by_hand = false) {
  const planar::Terms terms = terms_of(block);
  ASSERT_EQ(terms.size(), 4U) << what;
  std::array<int, 4> signs{};
  const mpq_class value = exact_sum(terms, signs);
  if (by_hand) {
    ASSERT_EQ(value, hafnian(std::get<Block<mpq_class>>(block).matrix)) << what;
  }
  const StopSignal stop;
  const planar::LogTorus torus = planar::log_torus(terms, {}, stop);
  if (value == 0) {
    ASSERT_TRUE(std::isinf(torus.log.error)) << what;
    return;
  }
  for (std::size_t k = 0; k < 4; ++k) {
    if (torus.sign[k] != 0) {
      ASSERT_EQ(torus.sign[k], signs[k]) << what << ", term " << k;
    }
    tally.signs += signs[k] != 0 ? 1 : 0;
    tally.signs_known += torus.sign[k] != 0 ? 1 : 0;
  }
  for (const bool dense : {false, true}) {
    const planar::LogDeterminant log = dense ? planar::log_of_terms(terms, true, {}, stop) : torus.log;
    ++tally.checked;
    if (!(log.error < 0.01)) continue;
    ++tally.certain;
    tally.widest = std::max(tally.widest, log.error);
    ASSERT_LE(distance(value, log.ln), log.error) << what << (dense ? ", dense" : "");
  }
}

const char* const lattices[] = {"torus:3x6",
                                "torus:5x6",
                                "torus:6x6",
                                "honeycomb-torus:4x5",
                                "honeycomb-torus:4x4",
                                "triangular-torus:4x4",
                                "torus:8x3",
                                "honeycomb-torus:5x5",
                                "torus:6x5:remove=r0c0+r3c2",
                                "torus:6x7"};

Tally check_many(int graphs, std::uint64_t first_seed) {
  Tally tally;
  for (int g = 0; g < graphs; ++g) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(g);
    Random random(seed);
    const unsigned decades = random.below(3) == 0 ? random.below(4) : random.below(201);
    const bool of_both_signs = random.below(3) == 0;
    // The larger ones take exact numbers of thousands of digits.
    const bool large = random.below(5) == 0;
    const std::string spec = lattices[random.below(large ? std::size(lattices) : 6)];
    const Block<mpq_class> block =
        weighted(spec, [&](Index, Index) { return random_weight(decades, of_both_signs, random); });
    check(AnyBlock(block),
          "seed " + std::to_string(seed) + ", decades " + std::to_string(decades) + ", " + spec, tally,
          spec == "torus:3x6");
    if (::testing::Test::HasFatalFailure()) break;
  }
  return tally;
}

void expect_all_certain(const Tally& tally) {
  EXPECT_EQ(tally.certain, tally.checked);
  EXPECT_LT(tally.widest, 1e-7);
  EXPECT_GT(tally.signs_known, tally.signs / 2);
}

TEST(LogTorus, ErrorHoldsOnRandomWeights) {
  expect_all_certain(check_many(countpm::testing::repeats(240), 1));
}

TEST(LongLogTorus, ErrorHoldsOnThousandsOfRandomWeights) {
  expect_all_certain(check_many(countpm::testing::repeats(1500), 100'000));
}

// Even sides make one of the four singular, sides of the honeycomb that 3 divides one or more; a weight that
// is off by little makes it almost so.
TEST(LogTorus, SingularAndNearlySingularTerms) {
  Tally tally;
  for (const std::string spec :
       {"torus:6x6", "torus:6x8", "honeycomb-torus:6x6", "triangular-torus:4x5", "torus:5x6"}) {
    for (const char* const off : {"0", "1e-3", "1e-9", "1e-30", "1e-150"}) {
      const int tens = off[0] == '0' ? -1 : std::stoi(off + 3);
      mpz_class power;
      mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::max(tens, 0)));
      const mpq_class one = tens < 0 ? mpq_class(1) : mpq_class(1 + mpq_class(1, power));
      bool first = true;
      const Block<mpq_class> block = weighted(spec, [&](Index, Index) {
        mpq_class weight = first ? one : mpq_class(1);
        first = false;
        return weight;
      });
      check(AnyBlock(block), spec + " off by " + off, tally);
    }
  }
  EXPECT_EQ(tally.certain, tally.checked);
}

// Z = A + w B of one edge's weight w: so near to -A / B that all digits of the four terms cancel but the
// last.
TEST(LogTorus, SumsThatCancel) {
  Tally tally;
  for (const std::string spec : {"torus:6x6", "torus:5x6", "honeycomb-torus:4x4", "triangular-torus:4x4"}) {
    for (const unsigned long digits : {5UL, 20UL, 60UL, 400UL}) {
      const auto with = [&](const mpq_class& weight) {
        Random random(digits);
        bool first = true;
        return weighted(spec, [&](Index, Index) {
          const mpq_class other = random_weight(4, false, random);
          mpq_class own = first ? weight : other;
          first = false;
          return own;
        });
      };
      std::array<int, 4> signs{};
      // Weights of 0 are no edges: the line through two others.
      const mpq_class at_one = exact_sum(terms_of(AnyBlock(with(1))), signs);
      const mpq_class slope = exact_sum(terms_of(AnyBlock(with(2))), signs) - at_one;
      const mpq_class root = 1 - at_one / slope;
      mpz_class power;
      mpz_ui_pow_ui(power.get_mpz_t(), 10, digits);
      const std::string what = spec + ", " + std::to_string(digits) + " digits";
      check(AnyBlock(with(root * (1 + mpq_class(1, power)))), what, tally);
      check(AnyBlock(with(root)), what + ", 0", tally);
    }
  }
  EXPECT_EQ(tally.checked, 32);
  EXPECT_EQ(tally.certain, tally.checked);
}

double ln_of_count(const AnyBlock& block) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(static_cast<unsigned>((log2_upper_bound(block) + 2) / 49) + 1, {}, 50);
  const std::unique_ptr<Job> job = planar_method().make_job(block, arithmetic, {});
  const Partial total = testing::sum_of_units(*job, arithmetic);
  return distance(join_residues(std::get<Residues>(total), arithmetic.moduli, true), 0);
}

// Thousands of digits, and G / pi a vertex at last.
TEST(LogTorus, LargeLatticesAgainstExactCounts) {
  const StopSignal stop;
  for (const std::string spec :
       {"torus:40x40", "torus:31x40", "honeycomb-torus:24x24", "triangular-torus:20x21"}) {
    const AnyBlock block = lattice_block(spec);
    const planar::LogDeterminant log = planar::log_of_terms(terms_of(block), false, {}, stop);
    EXPECT_LE(std::abs(log.ln - ln_of_count(block)), log.error) << spec;
    EXPECT_LT(log.error, 1e-7) << spec;
  }
  const planar::LogDeterminant log =
      planar::log_of_terms(terms_of(lattice_block("torus:100x100")), false, {}, stop);
  EXPECT_NEAR(log.ln / 10000, 0.2915609040, 1e-4);  // P. W. Kasteleyn, Physica 27 (1961) 1209
  EXPECT_LT(log.error, 1e-6);
}

TEST(LogTorus, MemoryThatDoesNotSuffice) {
  const StopSignal stop;
  EXPECT_THROW(planar::log_torus(terms_of(lattice_block("torus:20x20")), {1, 10000}, stop), UnableError);
}

TEST(LogTorus, Stops) {
  StopSignal stop;
  stop.request();
  EXPECT_THROW(planar::log_torus(terms_of(lattice_block("torus:20x20")), {}, stop), Stopped);
}

}  // namespace
}  // namespace countpm::log_torus_test
