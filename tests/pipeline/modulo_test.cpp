// Counts modulo given numbers, against sums over all matchings that share no code with the library, and at
// sizes of many residues against the count itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/method.hpp"
#include "src/api/entries.hpp"
#include "src/number/factor_word.hpp"
#include "src/plan/plan_modulo.hpp"
#include "tests/repeats.hpp"

namespace countpm::modulo_test {
namespace {

using testing::repeats;

mpz_class word(const char* digits) {
  return mpz_class(digits);
}

/// Small and large, prime and not, even and odd, near the limits of the arithmetic.
const std::vector<mpz_class>& numbers() {
  static const std::vector<mpz_class> all{2,
                                          3,
                                          4,
                                          6,
                                          7,
                                          9,
                                          10,
                                          97,
                                          1000,
                                          1024,
                                          65537,
                                          998244353,
                                          1000000007,
                                          1000000006,
                                          word("2147483647"),
                                          word("4294967296"),
                                          word("4294967295"),
                                          word("2305843009213693951"),
                                          word("4611686018427387847"),
                                          word("4611686018427387903"),
                                          word("4611686018427387904"),
                                          word("9223372036854775783"),
                                          word("18446744073709551557"),
                                          word("18446744073709551615"),
                                          word("18446744073709551616")};
  return all;
}

struct Weighted {
  Graph graph;
  std::string text;
  mpq_class sum;  // over all perfect matchings
};

/// Of the matrix's rows from the first that is left on.
mpq_class permanent(const std::vector<std::vector<mpq_class>>& a, std::size_t row, std::uint64_t used) {
  if (row == a.size()) return 1;
  mpq_class sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j)
    if ((used >> j & 1) == 0 && a[row][j] != 0) sum += a[row][j] * permanent(a, row + 1, used | 1ULL << j);
  return sum;
}

mpq_class hafnian(const std::vector<std::vector<mpq_class>>& a, std::uint64_t used) {
  std::size_t v = 0;
  while (v < a.size() && (used >> v & 1) != 0) ++v;
  if (v == a.size()) return 1;
  mpq_class sum = 0;
  for (std::size_t w = v + 1; w < a.size(); ++w)
    if ((used >> w & 1) == 0 && a[v][w] != 0) sum += a[v][w] * hafnian(a, used | 1ULL << v | 1ULL << w);
  return sum;
}

Weighted random_graph(std::uint64_t seed, std::size_t size, bool general, bool fractions) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  std::vector<std::vector<mpq_class>> a(size, std::vector<mpq_class>(size));
  const std::uint64_t largest = below(3) == 0 ? 3 : below(2) == 0 ? 1U << 30U : 1ULL << 62U;
  const std::uint64_t density = 4 + below(7);
  Weighted result;
  Graph& graph = result.graph;
  graph.kind = general ? GraphKind::undirected : GraphKind::bipartite;
  graph.left_labels = LabelTable::numbered(static_cast<Index>(size));
  if (!general) graph.right_labels = LabelTable::numbered(static_cast<Index>(size));
  std::vector<mpq_class> values;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = general ? i + 1 : 0; j < size; ++j) {
      if (below(10) >= density) continue;
      mpq_class value(mpz_class(static_cast<unsigned long>(1 + below(largest))));
      if (below(3) == 0) value = -value;
      // Denominators that every number of the list inverts.
      if (fractions && below(3) == 0) value /= 11 + 2 * (below(2) == 0);
      a[i][j] = value;
      if (general) a[j][i] = value;
      graph.edges.push_back({static_cast<Index>(i), static_cast<Index>(j)});
      values.push_back(value);
      result.text += std::to_string(i) + " " + std::to_string(j) + " " + value.get_str() + "\n";
    }
  }
  graph.weight_kind = fractions ? WeightKind::rational : WeightKind::integer;
  graph.values = values;
  result.sum = general ? hafnian(a, 0) : permanent(a, 0, 0);
  return result;
}

mpz_class residue(const mpq_class& number, const mpz_class& modulus) {
  mpz_class inverse;
  EXPECT_NE(mpz_invert(inverse.get_mpz_t(), number.get_den_mpz_t(), modulus.get_mpz_t()), 0);
  mpz_class result = number.get_num() * inverse;
  mpz_fdiv_r(result.get_mpz_t(), result.get_mpz_t(), modulus.get_mpz_t());
  return result;
}

void expect_residues(const CountResult& result, const mpq_class& sum, const std::vector<mpz_class>& moduli,
                     const std::string& what) {
  ASSERT_EQ(result.residues.size(), moduli.size()) << what;
  EXPECT_TRUE(result.count.empty()) << what;
  for (std::size_t k = 0; k < moduli.size(); ++k) {
    EXPECT_EQ(result.residues[k].modulus, moduli[k]) << what;
    ASSERT_EQ(result.residues[k].residue, residue(sum, moduli[k])) << what << "\nmodulo " << moduli[k];
  }
}

/// Without those that some denominator has no inverse modulo.
std::vector<mpz_class> some_numbers(std::mt19937_64& random, bool fractions) {
  std::vector<mpz_class> chosen;
  for (const mpz_class& number : numbers()) {
    if (fractions && gcd(number, 11 * 13) != 1) continue;
    if (random() % 4 == 0) chosen.push_back(number);
  }
  if (chosen.empty()) chosen.emplace_back(998244353);
  return chosen;
}

TEST(CountModulo, AgreesWithSumsOverAllMatchings) {
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(120); ++seed) {
    std::mt19937_64 random(seed);
    const bool general = seed % 2 == 0;
    const bool fractions = seed % 3 == 0;
    const std::size_t size = general ? 2 * (1 + random() % 6) : 1 + random() % 8;
    const Weighted input = random_graph(seed, size, general, fractions);
    CountOptions options;
    options.device = "cpu";
    options.modulo = some_numbers(random, fractions);
    options.double_check = seed % 5 == 0;
    if (seed % 4 == 0) options.rules.enabled.fill(false);
    expect_residues(count(Graph(input.graph), options), input.sum, options.modulo,
                    "seed " + std::to_string(seed) + "\n" + input.text);
    for (const mpz_class& one : options.modulo) {
      CountOptions alone = options;
      alone.modulo = {one};
      expect_residues(count(Graph(input.graph), alone), input.sum, alone.modulo,
                      "alone, seed " + std::to_string(seed) + "\n" + input.text);
    }
  }
}

/// Many residues: the count is the oracle, which other tests compare with what shares no code with it.
TEST(CountModulo, AgreesWithTheCountOfManyResidues) {
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(12); ++seed) {
    std::mt19937_64 random(seed);
    const bool general = seed % 2 == 0;
    const Weighted input = random_graph(seed + 1000, general ? 14 : 9, general, seed % 3 == 0);
    for (const Method* method : exact_methods()) {
      CountOptions options;
      options.device = "cpu";
      options.rules.enabled.fill(false);
      options.method = method->name();
      mpq_class sum;
      try {
        const Value value = count(Graph(input.graph), options).value;
        sum = std::holds_alternative<mpz_class>(value) ? mpq_class(std::get<mpz_class>(value))
                                                       : std::get<mpq_class>(value);
      } catch (const UnableError&) {
        continue;
      }
      ASSERT_EQ(sum, input.sum) << method->name();
      options.modulo = some_numbers(random, seed % 3 == 0);
      expect_residues(count(Graph(input.graph), options), sum, options.modulo,
                      std::string(method->name()) + ", seed " + std::to_string(seed));
      options.modulo = {998244353};
      expect_residues(count(Graph(input.graph), options), sum, options.modulo,
                      std::string(method->name()) + " modulo one prime, seed " + std::to_string(seed));
    }
  }
}

TEST(CountModulo, LatticesAndOtherKinds) {
  const std::vector<const char*> specs{
      "lattice:square:20x20", "lattice:cubic:4x4x4", "lattice:triangular:8x8", "lattice:torus:12x12",
      "lattice:complete:20",  "lattice:aztec:12",    "lattice:square:9x9"};
  for (const char* spec : specs) {
    for (const MatchingSize size : {MatchingSize::perfect, MatchingSize::maximum}) {
      CountOptions options;
      options.device = "cpu";
      options.matchings = size;
      if (size == MatchingSize::maximum && std::string(spec) != "lattice:square:9x9") continue;
      const mpz_class exact = std::get<mpz_class>(count(Source::from_argument(spec), {}, options).value);
      options.modulo = numbers();
      expect_residues(count(Source::from_argument(spec), {}, options), exact, options.modulo, spec);
      for (const mpz_class& number : {mpz_class(998244353), mpz_class(1000), word("18446744073709551616")}) {
        options.modulo = {number};
        expect_residues(count(Source::from_argument(spec), {}, options), exact, options.modulo, spec);
      }
    }
  }
}

TEST(CountModulo, SaysHowAndWhatItChecked) {
  CountOptions options;
  options.device = "cpu";
  options.modulo = {998244353};
  const CountResult result = count(Source::from_argument("lattice:square:30x30"), {}, options);
  ASSERT_EQ(result.blocks.size(), 1);
  EXPECT_EQ(result.blocks.front().arithmetic, "modulo 998244353");
  EXPECT_TRUE(result.blocks.front().count.empty());
  EXPECT_TRUE(result.recheck.empty());
  EXPECT_TRUE(std::any_of(result.checks.begin(), result.checks.end(),
                          [](const Check& check) { return check.name == "counted again"; }));
  Explanation forecast = explain(Source::from_argument("lattice:square:30x30"), {}, options);
  EXPECT_EQ(forecast.blocks.front().modulo, "directly");
  options.modulo = {1000};
  forecast = explain(Source::from_argument("lattice:square:30x30"), {}, options);
  EXPECT_TRUE(forecast.blocks.front().modulo.starts_with("exactly")) << forecast.blocks.front().modulo;
}

TEST(CountModulo, RefusesWhatHasNoResidue) {
  const auto refused = [](Graph graph, const mpz_class& modulus) {
    CountOptions options;
    options.modulo = {modulus};
    EXPECT_THROW(count(Graph(graph), options), UsageError);
    EXPECT_THROW(explain(ReadResult{std::move(graph), {}}, options), UsageError);
  };
  Graph graph;
  graph.kind = GraphKind::bipartite;
  graph.left_labels = LabelTable::numbered(1);
  graph.right_labels = LabelTable::numbered(1);
  graph.edges = {{0, 0}};
  graph.weight_kind = WeightKind::rational;
  graph.values = std::vector<mpq_class>{mpq_class(1, 6)};
  refused(graph, 4);
  refused(graph, 9);
  refused(graph, 1);
  refused(graph, 0);
  refused(graph, (mpz_class(1) << 64U) + 1);
  graph.weight_kind = WeightKind::real;
  refused(graph, 7);
  graph.weight_kind = WeightKind::complex;
  graph.values = std::vector<ComplexRational>{ComplexRational{1, 1}};
  refused(graph, 7);
}

TEST(ModuloGoal, HasModuliWhoseProductEachNumberDivides) {
  std::vector<std::vector<mpz_class>> lists;
  for (const mpz_class& number : numbers()) lists.push_back({number});
  lists.push_back({12, 18, 35});
  lists.push_back({998244353, 1000000007, 2});
  for (const std::vector<mpz_class>& list : lists) {
    const ModuloGoal goal(list);
    for (const mpz_class& number : list) EXPECT_EQ(goal.product() % number, 0) << number;
    mpz_class product = 1;
    for (const Modulus& modulus : goal.moduli()) {
      const mpz_class one = modulus.prime != 0 ? mpz_class(static_cast<unsigned long>(modulus.prime))
                                               : mpz_class(1) << modulus.power_of_two;
      EXPECT_TRUE(modulus.prime == 0 || (modulus.prime % 2 == 1 && modulus.prime >> 62U == 0));
      EXPECT_EQ(gcd(one, product), 1);
      product *= one;
    }
    EXPECT_EQ(goal.moduli().empty(), !goal.why_not().empty());
    if (!goal.moduli().empty()) {
      EXPECT_EQ(product, goal.product());
    }
  }
}

TEST(FactorWord, MultipliesBack) {
  std::mt19937_64 random(5);
  std::vector<std::uint64_t> list{1,
                                  2,
                                  3,
                                  211,
                                  44521,
                                  223 * 227,
                                  ~std::uint64_t{0},
                                  18446744073709551557ULL,
                                  4294967291ULL * 4294967279ULL,
                                  4294967291ULL * 4294967291ULL,
                                  std::uint64_t{1} << 63U,
                                  6700417ULL * 641};
  for (int k = 0; k < repeats(60); ++k) list.push_back(random() >> random() % 64);
  for (const std::uint64_t number : list) {
    if (number == 0) continue;
    mpz_class product = 1;
    std::uint64_t last = 1;
    for (const PrimePower& power : factor_word(number)) {
      EXPECT_GT(power.prime, last);
      last = power.prime;
      const mpz_class prime = static_cast<unsigned long>(power.prime);
      EXPECT_NE(mpz_probab_prime_p(prime.get_mpz_t(), 25), 0) << number;
      for (unsigned k = 0; k < power.exponent; ++k) product *= prime;
    }
    EXPECT_EQ(product, mpz_class(static_cast<unsigned long>(number)));
  }
}

}  // namespace
}  // namespace countpm::modulo_test
