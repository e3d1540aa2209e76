// Tables without keys in which frontier vertices that nothing tells apart share a field of bits.
#include "kernels/frontier/ranked/alike_vertices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "kernels/frontier/order/order_search.hpp"
#include "kernels/frontier/ranked/ranked_program.hpp"
#include "kernels/frontier/ranked/run_ranked.hpp"
#include "tests/kernels/frontier/banded_matrix.hpp"
#include "tests/kernels/frontier/frontier_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::alike_vertices_test {
namespace {

using namespace countpm::testing;

constexpr std::uint32_t all_words = ~std::uint32_t{0};

/// Fields of two to four bits here and there, with limits that are not empty.
std::vector<SetField> random_fields(Random& random, std::uint32_t width) {
  std::vector<SetField> fields;
  for (std::uint32_t low = 0; low + 2 <= width;) {
    const auto bits = static_cast<std::uint32_t>(below(random, 5));
    if (bits < 2 || low + bits > width) {
      ++low;
      continue;
    }
    const auto least = static_cast<std::uint32_t>(below(random, bits));
    const auto most = least + static_cast<std::uint32_t>(below(random, bits - least + 1));
    fields.push_back({low, bits, least, most});
    low += bits;
  }
  return fields;
}

bool in_family(const SetFamily& family, std::uint64_t set) {
  const auto ones = static_cast<std::uint32_t>(std::popcount(set));
  std::uint64_t ordered = set;
  return (family.rule == SetRule::ones ? ones : ones & 1U) == family.number &&
         put_in_order(family.fields, ordered) && ordered == set;
}

// Ranks, high parts and steps to the next one, of families of all kinds, are those of the list of their sets.
TEST(AlikeVertices, RankSetsInOrder) {
  Random random(81);
  for (int round = 0; round < repeats(60) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    SetFamily family;
    family.rule = round % 2 == 0 ? SetRule::ones : SetRule::parity;
    family.width = static_cast<std::uint32_t>(1 + below(random, 11));
    family.fields = random_fields(random, family.width);
    const std::uint32_t most = family.rule == SetRule::ones ? family.width : 1;
    const std::uint64_t mask = random() & ((std::uint64_t{1} << family.width) - 1);
    const std::uint64_t value = mask & random();
    const SetCounts counts(family);
    for (family.number = 0; family.number <= most; ++family.number) {
      for (std::uint32_t low = 0; low <= family.width; ++low) {
        if (cuts_a_field(family.fields, low)) continue;
        std::uint64_t rank = 0;
        std::uint64_t last = ~std::uint64_t{0};
        std::uint64_t at =
            next_in_order(family.fields, 0, low, 0, 64, std::uint64_t{1} << (family.width - low));
        for (std::uint64_t set = 0; set < std::uint64_t{1} << family.width; ++set) {
          if (!in_family(family, set)) continue;
          EXPECT_EQ(counts.high_part(family, low, rank), set >> low);
          if (set >> low != last) {
            last = set >> low;
            EXPECT_EQ(counts.rank(last, low, family.number), rank);
            // All words in order come up, those of this family among them.
            while (at < last)
              at = next_in_order(family.fields, at + 1, low, 0, 64, std::uint64_t{1} << (family.width - low));
            EXPECT_EQ(at, last);
          }
          ++rank;
        }
        EXPECT_EQ(counts(family.width, family.number), rank);
      }
    }
    PartsByOnes words{};
    for (std::uint64_t set = 0; set < std::uint64_t{1} << family.width; ++set) {
      std::uint64_t ordered = set;
      if (put_in_order(family.fields, ordered) && ordered == set && (set & mask) == value)
        words[static_cast<std::size_t>(std::popcount(set))] += 1;
    }
    EXPECT_EQ(SetCounts::high_parts(family, 0, mask, value), words);
  }
}

mpz_class run(const RankedProgram& program, Random& random) {
  const StopSignal never;
  RankedOptions options;
  options.threads = static_cast<int>(1 + below(random, 2));
  options.memory_bytes = program.bytes.all();
  return run_ranked(program, never, options);
}

/// Tables in which vertices are told apart and in which they are not have the same sum; how many times the
/// sets of the others the first ones have.
double expect_the_same_sum(const AnyBlock& block, Random& random) {
  // Twins as classes, and each vertex by itself.
  const ClassGraph graph = class_graph(block, below(random, 2) == 0);
  const Elimination elimination = linear_elimination(graph, random);
  const IntegerWeights weights = integer_weights(block);
  const auto apart = make_ranked_program(graph, weights, elimination, all_words, AlikeRule::apart);
  const auto together = make_ranked_program(graph, weights, elimination, all_words, AlikeRule::together);
  const auto best = make_ranked_program(graph, weights, elimination);
  if (!apart || !together || !best) {
    // Of weights that are too large.
    EXPECT_FALSE(apart || together || best);
    return 1;
  }
  const mpz_class expected = run(*apart, random);
  EXPECT_EQ(run(*together, random), expected) << text_of(elimination);
  EXPECT_EQ(run(*best, random), expected);
  const auto other = from_other_end(graph, elimination);
  const auto from_there = make_ranked_program(graph, weights, *other, all_words, AlikeRule::together);
  EXPECT_TRUE(from_there && run(*from_there, random) == expected);
  if (together->zero) return 1;
  EXPECT_LE(together->sets, together->sets_apart);
  return together->sets_apart / together->sets;
}

// Rows, columns and vertices with equal neighbours, by equal weights or not; matrices and graphs.
TEST(AlikeVertices, CountTheSame) {
  Random random(82);
  double most = 1;
  for (int round = 0; round < repeats(60) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    most = std::max(most, expect_the_same_sum(block_of_twins(random, static_cast<Index>(1 + below(random, 4)),
                                                             static_cast<Index>(2 + below(random, 7))),
                                              random));
    most = std::max(
        most,
        expect_the_same_sum(random_graph(random, static_cast<Index>(2 + 2 * below(random, 6)), 0.4), random));
    const auto n = static_cast<Index>(2 + below(random, 8));
    expect_the_same_sum(random_integers(random, n, below(random, 2) == 0), random);
    expect_the_same_sum(
        random_block<mpq_class>(random, n, 0.5, false, [&] { return random_rational(random); }), random);
  }
  EXPECT_GT(most, 2);
}

/// Each line of the base this often, by the same entries.
Block<std::int64_t> blown_up(const std::vector<std::vector<std::int64_t>>& base, Index copies) {
  const auto n = static_cast<Index>(base.size()) * copies;
  std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) rows[i][j] = base[i / copies][j / copies];
  }
  return dense_block(rows, n);
}

// Tables of many blocks of places, each cut where no field is.
TEST(AlikeVertices, InLargeTables) {
  Random random(83);
  for (const bool general : {false, true}) {
    const Band band = make_band(general ? 20 : 18, general ? 13 : 9, general);
    const IntegerWeights weights = integer_weights(band.block);
    const auto apart =
        make_ranked_program(band.graph, weights, band.elimination, all_words, AlikeRule::apart);
    const auto together =
        make_ranked_program(band.graph, weights, band.elimination, all_words, AlikeRule::together);
    ASSERT_TRUE(apart && together);
    EXPECT_GT(together->groups, 0U);
    EXPECT_LT(together->sets, apart->sets);
    EXPECT_EQ(apart->sets, apart->sets_apart);
    EXPECT_EQ(run(*together, random), run(*apart, random));
  }
}

// A ring of seven rows, each with two columns, or three where one is weighed: four copies of every line have
// five states where they had sixteen.
TEST(AlikeVertices, MergeCopiesOfLines) {
  Random random(84);
  std::vector<std::vector<std::int64_t>> ring(7, std::vector<std::int64_t>(7));
  for (Index i = 0; i < 7; ++i) ring[i][i] = ring[i][(i + 1) % 7] = 1;
  ring[2][5] = 3;
  const auto block = blown_up(ring, 4);
  const ClassGraph graph = class_graph(block, false);
  const Elimination elimination = rows_in_order(graph);
  const IntegerWeights weights = integer_weights(block);
  const auto apart = make_ranked_program(graph, weights, elimination, all_words, AlikeRule::apart);
  const auto together = make_ranked_program(graph, weights, elimination, all_words, AlikeRule::together);
  ASSERT_TRUE(apart && together);
  EXPECT_GT(together->groups, 0U);
  EXPECT_GT(together->sets_apart, 4 * together->sets);
  EXPECT_LT(together->bytes.all() * 4, apart->bytes.all());
  EXPECT_EQ(run(*together, random), run(*apart, random));
}

// From either end a band of rows has about the same frontiers, and what is in them is alike the other way
// round.
TEST(AlikeVertices, FromTheOtherEnd) {
  const Band band = make_band(12, 3, false);
  const auto other = from_other_end(band.graph, band.elimination);
  ASSERT_TRUE(other);
  EXPECT_NEAR(forecast_elimination(band.graph, *other).log2_transitions,
              forecast_elimination(band.graph, band.elimination).log2_transitions, 0.5);
  Elimination tree = band.elimination;
  tree.steps.push_back({EliminationStep::Kind::push, no_index});
  tree.steps.push_back({EliminationStep::Kind::join, no_index});
  EXPECT_FALSE(from_other_end(band.graph, tree));
}

}  // namespace
}  // namespace countpm::alike_vertices_test
