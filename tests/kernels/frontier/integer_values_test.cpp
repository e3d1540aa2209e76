// Values as integers, and lines from both ends: the residues that the tables have without either.
#include <gtest/gtest.h>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/frontier/tables/integer_column.hpp"
#include "kernels/frontier/tables/integer_weights.hpp"
#include "kernels/frontier/tables/run_program.hpp"
#include "kernels/frontier/tables/signed_words.hpp"
#include "tests/kernels/frontier/frontier_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::integer_values_test {
namespace {

using namespace countpm::testing;

Residues in_residues(const AnyBlock& block, const ClassGraph& graph, const Elimination& elimination,
                     const Arithmetic& arithmetic) {
  const auto columns = make_value_columns(block, arithmetic);
  const StopSignal never;
  return std::get<Residues>(run_program(make_program(graph, elimination), *columns, never, {}));
}

/// By integers, and from both ends where there is a middle; whether there is one.
bool expect_the_same(const AnyBlock& block, Random& random, const Arithmetic& arithmetic) {
  const ClassGraph graph = class_graph(block, below(random, 4) != 0);
  const bool joins = below(random, 3) == 0;
  const Elimination elimination =
      joins ? random_elimination(graph, random) : linear_elimination(graph, random);
  const Residues expected = in_residues(block, graph, elimination, arithmetic);
  const StopSignal never;
  RunOptions options;
  options.join = below(random, 2) == 0 ? JoinCode::best : JoinCode::sorted;
  options.threads = static_cast<int>(1 + below(random, 2));
  const auto make = [&] { return make_integer_columns(block, arithmetic); };
  const auto columns = make();
  EXPECT_EQ(std::get<Residues>(run_program(make_program(graph, elimination), *columns, never, options)),
            expected)
      << text_of(elimination);
  const auto ends = make_both_ends(graph, elimination);
  if (!ends) return false;
  EXPECT_FALSE(joins && elimination.steps.size() != graph.classes() + std::size_t{1});
  EXPECT_EQ(std::get<Residues>(run_both_ends(*ends, make, never, options)), expected) << text_of(elimination);
  return true;
}

/// Vertex i has neighbours up to i + reach.
template <class Value, class Make>
Block<Value> band(Index n, Index reach, bool general, bool loops, const Make& value) {
  std::vector<std::vector<Value>> rows(n, std::vector<Value>(n));
  for (Index i = 0; i < n; ++i) {
    for (Index j = general ? i : i - std::min(i, reach); j < std::min<Index>(n, i + reach + 1); ++j) {
      if (general && (i == j ? !loops : false)) continue;
      rows[i][j] = value();
      if (general) rows[j][i] = rows[i][j];
    }
  }
  Block<Value> block = dense_block(rows, n);
  block.general = general;
  block.monomers = general && loops;
  return block;
}

TEST(IntegerValues, AreTheResidues) {
  Random random(61);
  const Arithmetic primes = residues_modulo({first_prime, second_prime, 4611686018427387847ULL, 10007});
  int both = 0;
  for (int round = 0; round < repeats(120) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto integers =
        random_integers(random, static_cast<Index>(below(random, 12)), below(random, 2) == 0);
    both += expect_the_same(integers, random, some_residues(random()));
    both += expect_the_same(random_graph(random, static_cast<Index>(below(random, 20)), 0.3), random,
                            some_residues(random()));
    const auto rationals =
        random_block<mpq_class>(random, static_cast<Index>(below(random, 10)), 0.5, below(random, 2) == 0,
                                [&] { return random_rational(random); });
    both += expect_the_same(rationals, random, primes);
  }
  EXPECT_GT(both, 0);
}

TEST(IntegerValues, OfBandsFromBothEnds) {
  Random random(62);
  const Arithmetic primes = residues_modulo({first_prime, second_prime, 4611686018427387847ULL, 10007});
  for (int round = 0; round < repeats(45) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto n = static_cast<Index>(16 + below(random, 40));
    const auto reach = static_cast<Index>(1 + below(random, 3));
    const bool general = below(random, 3) != 0;
    const bool loops = general && below(random, 2) == 0;
    const bool fractions = below(random, 2) == 0;
    const auto value = [&]() -> mpq_class {
      if (below(random, 5) == 0) return 0;
      return fractions ? random_rational(random) : mpq_class(static_cast<long>(below(random, 9)) - 3);
    };
    const auto block = band<mpq_class>(n, reach, general, loops, value);
    const ClassGraph graph = class_graph(block);
    std::vector<Index> order;
    for (Index v = 0; v < graph.classes(); ++v) order.push_back(v);
    // Rows and columns of a matrix in turns.
    if (!general)
      std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
        const auto place = [&](Index v) { return graph.is_row(v) ? 2 * v : 2 * (v - graph.row_classes) + 1; };
        return place(a) < place(b);
      });
    const Elimination elimination = in_order(order);
    const auto ends = make_both_ends(graph, elimination);
    ASSERT_TRUE(ends) << text_of(block);
    RunOptions options;
    options.threads = static_cast<int>(1 + below(random, 2));
    const StopSignal never;
    EXPECT_EQ(std::get<Residues>(run_both_ends(
                  *ends, [&] { return make_integer_columns(block, primes); }, never, options)),
              in_residues(block, graph, elimination, primes))
        << text_of(block);
  }
}

/// Vertices in a row, each with edges and a loop to what is near, and sets of three to five of them as tiles.
Block<mpq_class> tiled(Index vertices, Index tiles, Random& random) {
  const Index lines = vertices + tiles;
  std::vector<std::vector<mpq_class>> rows(lines, std::vector<mpq_class>(lines));
  for (Index i = 0; i < vertices; ++i) {
    for (Index j = i; j < std::min<Index>(vertices, i + 4); ++j) {
      if (below(random, 3) != 0) rows[i][j] = rows[j][i] = random_rational(random);
    }
  }
  for (Index tile = vertices; tile < lines; ++tile) {
    mpq_class weight = random_rational(random);
    if (weight == 0) weight = mpq_class(1, 7);
    const auto first = static_cast<Index>(below(random, vertices - 4));
    const auto size = static_cast<Index>(3 + below(random, 3));
    for (Index v = first; v < first + size; ++v) rows[v][tile] = rows[tile][v] = weight;
  }
  Block<mpq_class> block = dense_block(rows, lines);
  block.general = block.monomers = true;
  block.tiles = tiles;
  return block;
}

TEST(IntegerValues, OfTilesWhoseWeightsAreFractions) {
  Random random(65);
  const Arithmetic primes = residues_modulo({first_prime, second_prime, 4611686018427387847ULL, 10007});
  for (int round = 0; round < repeats(60) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const Block<mpq_class> block =
        tiled(static_cast<Index>(5 + below(random, 9)), static_cast<Index>(1 + below(random, 6)), random);
    expect_the_same(block, random, primes);
    // What they are to be the integers of, and within which bound.
    const IntegerWeights weights = integer_weights(block);
    Block<mpq_class> whole = block;
    whole.matrix.value.assign(weights.value.begin(), weights.value.end());
    EXPECT_EQ(weights.log2_bound, log2_upper_bound(whole));
  }
}

TEST(IntegerValues, WordsOfEverySign) {
  Random random(63);
  const auto words_of = [](mpz_class value, unsigned count) {
    if (value < 0) value += mpz_class(1) << (64 * count);
    std::vector<std::uint64_t> words(count);
    for (unsigned k = 0; k < count; ++k) words[k] = mpz_getlimbn(value.get_mpz_t(), k);
    return words;
  };
  const auto some = [&](unsigned bits) {
    mpz_class value = 0;
    for (unsigned k = 0; k < bits; k += 16)
      value = value * 65536 + static_cast<unsigned long>(below(random, 65536));
    value >>= below(random, bits + 1);
    return below(random, 2) == 0 ? value : mpz_class(-value);
  };
  for (int round = 0; round < 500 && !HasFailure(); ++round) {
    const mpz_class a = some(112);
    const mpz_class b = some(176);
    const mpz_class sum = some(240);
    const auto words = words_of(a, 2 + static_cast<unsigned>(below(random, 2)));
    const auto others = words_of(b, 3);
    const SignedWords value{words.data(), static_cast<unsigned>(words.size())};
    auto total = words_of(sum, 6);
    add_product(total.data(), 6, value, WordFactor(b));
    EXPECT_EQ(total, words_of(sum + a * b, 6)) << a << " " << b << " " << sum;
    write_product(total.data(), 6, value, WordFactor(b));
    EXPECT_EQ(total, words_of(a * b, 6)) << a << " " << b;
    write_product(total.data(), 6, value, WordFactor(b / (mpz_class(1) << 128)));
    EXPECT_EQ(total, words_of(a * (b / (mpz_class(1) << 128)), 6));
    total = words_of(sum, 6);
    ProductRoom room;
    add_product(total.data(), 6, value, {others.data(), 3}, room);
    EXPECT_EQ(total, words_of(sum + a * b, 6)) << a << " " << b << " " << sum;
    const std::size_t bits = bits_of(value, 1);
    EXPECT_GE(mpz_class(1) << bits, abs(a)) << a;
    EXPECT_LE(bits, std::max<std::size_t>(1, mpz_sizeinbase(a.get_mpz_t(), 2) + 1)) << a;
  }
}

}  // namespace
}  // namespace countpm::integer_values_test
