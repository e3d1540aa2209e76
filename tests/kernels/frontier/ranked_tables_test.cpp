// Tables without keys: the residues that those with keys have.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <set>

#include "graph/errors.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/ranked/run_ranked.hpp"
#include "kernels/frontier/tables/run_program.hpp"
#include "kernels/support/plan_text.hpp"
#include "tests/kernels/frontier/banded_matrix.hpp"
#include "tests/kernels/frontier/frontier_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::ranked_tables_test {
namespace {

using namespace countpm::testing;

Residues with_keys(const AnyBlock& block, const ClassGraph& graph, const Elimination& elimination,
                   const Arithmetic& arithmetic) {
  const auto columns = make_value_columns(block, arithmetic);
  const StopSignal never;
  return std::get<Residues>(run_program(make_program(graph, elimination), *columns, never, {}));
}

Residues residues_of(const mpz_class& value, const IntegerWeights& weights, const Arithmetic& arithmetic) {
  mpq_class number(value, weights.scale);
  number.canonicalize();
  return std::get<Residues>(from_factor(number, arithmetic));
}

/// In every code, by one thread and by two, in a line or a tree; the words of the values in the end, or 0
/// where there are no such tables.
std::uint32_t expect_the_same(const AnyBlock& block, const Arithmetic& arithmetic, Random& random) {
  const ClassGraph graph = class_graph(block, below(random, 4) != 0);
  const Elimination elimination =
      below(random, 2) == 0 ? linear_elimination(graph, random) : random_elimination(graph, random);
  const IntegerWeights weights = integer_weights(block);
  const auto program = make_ranked_program(graph, weights, elimination);
  if (!program) return 0;
  const Residues expected = with_keys(block, graph, elimination, arithmetic);
  const auto merged =
      make_ranked_program(graph, weights, elimination, ~std::uint32_t{0}, AlikeRule::together);
  const StopSignal never;
  for (const RunCode code : {RunCode::best, RunCode::avx2, RunCode::portable}) {
    RankedOptions options;
    options.code = code;
    options.threads = static_cast<int>(1 + below(random, 2));
    for (const auto& form : {program, merged}) {
      options.memory_bytes = form->bytes.all();
      EXPECT_EQ(residues_of(run_ranked(*form, never, options), weights, arithmetic), expected)
          << text_of(elimination) << static_cast<int>(code) << '\n'
          << std::visit([](const auto& one) { return text_of(one); }, block);
    }
  }
  return program->steps.empty() ? 1 : program->steps.back().to_words;
}

const Arithmetic& four_primes() {
  static const Arithmetic primes =
      residues_modulo({first_prime, second_prime, 4611686018427387847ULL, 10007});
  return primes;
}

TEST(RankedTables, AreThoseWithKeys) {
  Random random(71);
  std::set<std::uint32_t> words;
  for (int round = 0; round < repeats(150) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto n = static_cast<Index>(below(random, 11));
    words.insert(
        expect_the_same(random_integers(random, n, below(random, 2) == 0), some_residues(random()), random));
    words.insert(expect_the_same(random_graph(random, static_cast<Index>(2 * below(random, 9)), 0.4),
                                 some_residues(random()), random));
    const auto twins = block_of_twins(random, static_cast<Index>(1 + below(random, 4)),
                                      static_cast<Index>(1 + below(random, 8)));
    words.insert(expect_the_same(twins, some_residues(random()), random));
    const auto rationals = random_block<mpq_class>(random, n, 0.6, below(random, 2) == 0,
                                                   [&] { return random_rational(random); });
    words.insert(expect_the_same(rationals, four_primes(), random));
  }
  EXPECT_GT(words.size(), 1U);
}

/// Weights of up to `bits` bits, negative ones too where asked for.
Block<mpq_class> heavy_block(Random& random, Index n, unsigned bits, bool negative) {
  return random_block<mpq_class>(random, n, 0.5, false, [&] {
    const auto size = static_cast<long>(1 + (random() >> (64 - bits)));
    return mpq_class(negative && below(random, 2) == 0 ? -size : size);
  });
}

// Every number of words that the loops are unrolled for, and more, of either sign.
TEST(RankedTables, OfManyWords) {
  Random random(72);
  std::set<std::uint32_t> words;
  for (const unsigned bits : {3U, 20U, 45U, 62U}) {
    for (Index n = 2; n < 10 && !HasFailure(); ++n) {
      SCOPED_TRACE(n);
      for (const bool negative : {false, true})
        words.insert(expect_the_same(heavy_block(random, n, bits, negative), four_primes(), random));
    }
  }
  for (const std::uint32_t count : {1, 2, 3, 4, 5}) EXPECT_TRUE(words.count(count) == 1) << count;
}

// After two rows values of 60 bits have one word, and those of the third row may need three: the table of one
// word gets another, of the sign.
TEST(RankedTables, OfTwoMoreWordsAtOnce) {
  constexpr Index n = 10;
  std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n, 1));
  std::fill(rows[0].begin(), rows[0].end(), (std::int64_t{1} << 30U) - 1);
  std::fill(rows[1].begin(), rows[1].end(), -429496729);
  std::fill(rows[2].begin(), rows[2].end(), std::numeric_limits<std::int64_t>::max());
  const auto block = dense_block(rows, n);
  const ClassGraph graph = class_graph(block, false);
  const IntegerWeights weights = integer_weights(block);
  const Elimination elimination = rows_in_order(graph);
  const auto program = make_ranked_program(graph, weights, elimination);
  ASSERT_TRUE(program);
  ASSERT_GE(program->steps.size(), 3U);
  EXPECT_GE(program->steps[2].to_words, 3U);
  EXPECT_EQ(residues_of(run_ranked(*program, StopSignal(), {}), weights, four_primes()),
            with_keys(block, graph, elimination, four_primes()));
}

TEST(RankedTables, CountByDefinition) {
  Random random(73);
  for (int round = 0; round < repeats(60) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto block = random_graph(random, static_cast<Index>(2 * below(random, 7)), 0.5);
    const ClassGraph graph = class_graph(block);
    const IntegerWeights weights = integer_weights(block);
    for (const Elimination& elimination :
         {linear_elimination(graph, random), random_elimination(graph, random)}) {
      const auto program = make_ranked_program(graph, weights, elimination);
      ASSERT_TRUE(program);
      EXPECT_EQ(run_ranked(*program, StopSignal(), {}) / weights.scale, hafnian_by_definition(block));
    }
  }
}

// Tables of several chunks and blocks of every class, by threads; and the bound on their values.
TEST(RankedTables, OfManyBlocks) {
  for (const bool general : {false, true}) {
    const Band band = make_band(general ? 32 : 28, general ? 16 : 8, general);
    const IntegerWeights weights = integer_weights(band.block);
    const auto program = make_ranked_program(band.graph, weights, band.elimination);
    ASSERT_TRUE(program);
    EXPECT_GT(program->peak_states, 10000U);
    const Residues expected =
        with_keys(band.block, band.graph, band.elimination, residues_modulo({first_prime, second_prime}));
    for (const int threads : {1, 3}) {
      RankedOptions options;
      options.threads = threads;
      double last_share = 0;
      std::size_t reports = 0;
      options.progress = [&](double share) {
        EXPECT_GE(share, last_share);
        last_share = share;
        ++reports;
      };
      EXPECT_EQ(residues_of(run_ranked(*program, StopSignal(), options), weights,
                            residues_modulo({first_prime, second_prime})),
                expected);
      EXPECT_DOUBLE_EQ(last_share, 1);
      // Within steps of several chunks, too, where this thread takes part in them for certain.
      const bool within = general && threads == 1;
      EXPECT_GT(reports, within ? program->steps.size() : 0);
    }
  }
}

/// The first and the last `count` vertices in tables of their own, which are joined before the others.
Elimination from_both_ends(const ClassGraph& graph, Index ends, Index count) {
  using Kind = EliminationStep::Kind;
  Elimination result;
  result.steps.push_back({Kind::push, no_index});
  for (Index v = 0; v < count; ++v) result.steps.push_back({Kind::eliminate, v});
  result.steps.push_back({Kind::push, no_index});
  for (Index v = ends; v-- > ends - count;) result.steps.push_back({Kind::eliminate, v});
  result.steps.push_back({Kind::join, no_index});
  for (Index v = count; v < graph.classes(); ++v) {
    if (v < ends - count || v >= ends) result.steps.push_back({Kind::eliminate, v});
  }
  return result;
}

// Joined tables of several pieces, by threads, of one word and of several, with what the two share in either
// place.
TEST(RankedTables, JoinLargeTables) {
  Random random(75);
  for (const bool heavy : {false, true}) {
    Band band = make_band(heavy ? 20 : 22, heavy ? 6 : 7, false);
    if (heavy) {
      for (std::int64_t& value : band.block.matrix.value)
        value = static_cast<std::int64_t>(random() >> 8U) - (std::int64_t{1} << 54U);
    }
    const Elimination tree = from_both_ends(band.graph, band.block.matrix.rows, 7);
    const IntegerWeights weights = integer_weights(band.block);
    const auto program = make_ranked_program(band.graph, weights, tree);
    ASSERT_TRUE(program);
    ASSERT_EQ(program->joins.size(), 1U);
    EXPECT_GT(program->joins.front().result.states, 18000U);
    const Residues expected = with_keys(band.block, band.graph, tree, four_primes());
    for (const int threads : {1, 3}) {
      RankedOptions options;
      options.threads = threads;
      options.memory_bytes = program->bytes.all();
      EXPECT_EQ(residues_of(run_ranked(*program, StopSignal(), options), weights, four_primes()), expected);
    }
  }
}

TEST(RankedTables, TakeNoMoreThanTheyMay) {
  const Band band = make_band(28, 8, false);
  const auto program = make_ranked_program(band.graph, integer_weights(band.block), band.elimination);
  ASSERT_TRUE(program);
  RankedOptions options;
  options.memory_bytes = program->bytes.all() - 1;
  EXPECT_THROW(run_ranked(*program, StopSignal(), options), UnableError);
  StopSignal stopped;
  stopped.request();
  EXPECT_THROW(run_ranked(*program, stopped, {}), Stopped);
}

// The method takes them where they are quicker, in the memory that it says, and follows its own plan; where
// they alone fit, its other code are they, too.
TEST(RankedTables, AreChosenWhereTheyPay) {
  const AnyBlock block = make_band(24, 11, false).block;
  const Arithmetic primes = residues_modulo({first_prime, second_prime});
  const StopSignal never;
  MethodOptions options;
  options.threads = 2;
  const auto job = frontier_method().make_job(block, primes, options);
  EXPECT_NE(job->describe().find("times as fast as with keys"), std::string::npos) << job->describe();
  EXPECT_EQ(job->units(), 1U);
  EXPECT_EQ(job->other_code(), "sorted tables with keys");
  const Residues value = std::get<Residues>(job->run(0, never));
  const Arithmetic second = residues_modulo({second_prime});
  EXPECT_EQ(std::get<Residues>(job->with_moduli_subset(second)->run(0, never)).residue.front(),
            value.residue.back());

  options.memory_bytes = job->bytes_shared() + job->bytes_shared() / 20;
  options.plan = job->plan();
  const auto tight = frontier_method().make_job(block, primes, options);
  EXPECT_EQ(tight->plan(), job->plan());
  EXPECT_LE(tight->bytes_shared(), options.memory_bytes);
  EXPECT_NE(tight->describe().find("with keys they do not fit"), std::string::npos) << tight->describe();
  EXPECT_EQ(tight->other_code(), "the portable code");
  EXPECT_EQ(std::get<Residues>(tight->run(0, never)), value);
  EXPECT_EQ(std::get<Residues>(tight->with_moduli_subset(second)->run(0, never)).residue.front(),
            value.residue.back());
}

// A plan with joins goes without keys where that pays, and where keys do not fit.
TEST(RankedTables, AreChosenInTrees) {
  const Band band = make_band(22, 7, false);
  const AnyBlock block = band.block;
  const Elimination tree = from_both_ends(band.graph, 22, 7);
  std::vector<std::uint64_t> steps;
  for (const EliminationStep& step : tree.steps) {
    const bool push = step.kind == EliminationStep::Kind::push;
    steps.push_back(step.kind == EliminationStep::Kind::eliminate ? std::uint64_t{step.vertex}
                                                                  : std::uint64_t{no_index} + (push ? 0 : 1));
  }
  PlanWriter writer;
  writer.put_all("steps", steps);
  writer.put_all("branches", std::vector<Index>());
  const Residues expected = with_keys(block, band.graph, tree, four_primes());
  const StopSignal never;
  MethodOptions options;
  options.threads = 2;
  options.plan = writer.text();
  const auto job = frontier_method().make_job(block, four_primes(), options);
  EXPECT_NE(job->describe().find("a tree with 1 join"), std::string::npos) << job->describe();
  EXPECT_NE(job->describe().find("times as fast as with keys"), std::string::npos) << job->describe();
  EXPECT_EQ(job->plan(), *options.plan);
  EXPECT_EQ(std::get<Residues>(job->run(0, never)), expected);
  const Arithmetic last = residues_modulo({10007});
  EXPECT_EQ(std::get<Residues>(job->with_moduli_subset(last)->run(0, never)).residue.front(),
            expected.residue.back());

  options.memory_bytes = job->bytes_shared() + job->bytes_shared() / 20;
  const auto tight = frontier_method().make_job(block, four_primes(), options);
  EXPECT_LE(tight->bytes_shared(), options.memory_bytes);
  EXPECT_NE(tight->describe().find("with keys they do not fit"), std::string::npos) << tight->describe();
  EXPECT_EQ(std::get<Residues>(tight->run(0, never)), expected);
}

TEST(RankedTables, AreNotForEverything) {
  Random random(74);
  const auto none = [](const ClassGraph& graph, const IntegerWeights& weights, const Elimination& order) {
    EXPECT_FALSE(make_ranked_program(graph, weights, order));
  };
  // Joins over many vertices.
  const Band dense = make_band(most_shared + 1, most_shared, false);
  const ClassGraph vertices = class_graph(dense.block, false);
  none(vertices, integer_weights(dense.block), from_both_ends(vertices, most_shared + 1, 1));
  const Band band = make_band(12, 2, false);
  // Weights of more than 63 bits.
  IntegerWeights heavy = integer_weights(band.block);
  heavy.value[3] = mpz_class(1) << 63U;
  none(band.graph, heavy, band.elimination);
  // Vertices that may stay alone.
  auto monomers = random_graph(random, 8, 0.9);
  monomers.monomers = true;
  const ClassGraph graph = class_graph(monomers);
  none(graph, integer_weights(monomers), linear_elimination(graph, random));
}

// Ranks and high parts are each other's inverse, in either kind of family.
TEST(RankedTables, RankSets) {
  for (const SetRule rule : {SetRule::ones, SetRule::parity}) {
    const SetCounts& counts = set_counts(rule);
    for (std::uint32_t width = 0; width < 9; ++width) {
      for (std::uint32_t number = 0; number <= (rule == SetRule::ones ? width : 1); ++number) {
        const SetFamily family{rule, width, number, {}};
        std::uint64_t rank = 0;
        for (std::uint64_t set = 0; set < std::uint64_t{1} << width; ++set) {
          const auto ones = static_cast<std::uint32_t>(std::popcount(set));
          if ((rule == SetRule::ones ? ones : ones & 1U) != number) continue;
          EXPECT_EQ(counts.rank(set, 0, number), rank);
          EXPECT_EQ(counts.high_part(family, 0, rank), set);
          EXPECT_EQ(counts.high_part(family, width / 2, rank), set >> (width / 2));
          ++rank;
        }
        EXPECT_EQ(counts(width, number), rank);
      }
    }
  }
}

}  // namespace
}  // namespace countpm::ranked_tables_test
