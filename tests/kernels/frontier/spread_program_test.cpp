// Tables that several parts share, which are threads here: bit for bit what one program gives by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "graph/errors.hpp"
#include "kernels/frontier/tables/spread_program.hpp"
#include "tests/kernels/frontier/frontier_testing.hpp"
#include "tests/kernels/frontier/thread_exchange.hpp"
#include "tests/repeats.hpp"

namespace countpm::spread_program_test {
namespace {

using namespace countpm::testing;

constexpr int kinds = 6;
AnyBlock block_of(int kind, Random& random) {
  switch (kind) {
    case 0:
      return random_pattern(random, static_cast<Index>(12 + below(random, 4)), 0.4);
    case 1:
      return block_of_twins(random, 6, static_cast<Index>(10 + below(random, 4)));
    case 2:
      return random_graph(random, static_cast<Index>(12 + 2 * below(random, 2)), 0.6);
    case 3:
      return random_integers(random, 10, false);
    case 4:
      return random_block<mpq_class>(random, 10, 0.6, true, [&] { return random_rational(random); });
    default:
      return with_monomers(random_graph(random, static_cast<Index>(10 + below(random, 3)), 0.5), random);
  }
}

/// Residues of every width: 32, 64 and 128 bits.
Arithmetic some_moduli(bool only_primes, Random& random) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(static_cast<unsigned>(1 + below(random, 2)));
  if (only_primes) return arithmetic;
  if (below(random, 2) == 0) arithmetic.moduli.push_back(Modulus{2147483629, 0});
  if (below(random, 2) == 0) arithmetic.moduli.push_back(Modulus{0, 64});
  if (below(random, 2) == 0) arithmetic.moduli.insert(arithmetic.moduli.begin(), Modulus{0, 128});
  return arithmetic;
}

struct Shared {
  Residues value;
  std::vector<SpreadStatistics> statistics;
  std::size_t most_waiting = 0;
};

Shared run_on(int parts, const Program& program, const AnyBlock& block, const Arithmetic& arithmetic,
              const SpreadOptions& options) {
  const StopSignal never;
  const auto columns = [&] { return make_value_columns(block, arithmetic); };
  Shared shared;
  const auto results = on_all_parts(
      parts,
      [&](Exchange& exchange) {
        SpreadStatistics statistics;
        Partial value = run_spread(program, columns, exchange, never, options, &statistics);
        return std::pair{std::get<Residues>(std::move(value)), statistics};
      },
      &shared.most_waiting);
  shared.value = results.front().first;
  for (const auto& [value, statistics] : results) {
    EXPECT_EQ(value, shared.value) << "the parts do not agree";
    shared.statistics.push_back(statistics);
  }
  return shared;
}

// From the second table on, or once they are larger; in stretches of a few blocks.
TEST(SpreadProgram, AnyLineOfAnyBlock) {
  Random random(461);
  std::uint64_t spread_steps = 0;
  std::uint64_t waves = 0;
  for (int round = 0; round < repeats(10 * kinds) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const int kind = round % kinds;
    const AnyBlock block = block_of(kind, random);
    const Arithmetic arithmetic = some_moduli(kind == 4, random);
    const ClassGraph graph =
        std::visit([&](const auto& one) { return class_graph(one, below(random, 4) != 0); }, block);
    const Program program = make_program(graph, linear_elimination(graph, random));
    const StopSignal never;
    const auto columns = make_value_columns(block, arithmetic);
    const Residues expected = std::get<Residues>(run_program(program, *columns, never, {}));
    SpreadOptions options;
    options.memory_bytes = std::uint64_t{64} << 20U;
    for (const int parts : {1, 2, 3, 5}) {
      options.whole_states = below(random, 3) == 0 ? 0 : 1 + below(random, 200);
      options.threads = static_cast<int>(1 + below(random, 2));
      options.code = below(random, 2) == 0 ? MergeCode::best : MergeCode::portable;
      const Shared shared = run_on(parts, program, block, arithmetic, options);
      ASSERT_EQ(shared.value, expected) << parts << " parts";
      for (const SpreadStatistics& statistics : shared.statistics) {
        spread_steps += statistics.spread_steps;
        waves += statistics.waves;
      }
    }
  }
  EXPECT_GT(spread_steps, 0U);
  EXPECT_GE(waves, spread_steps);
}

/// Large enough for several waves of stretches, a whole beginning and a whole end.
struct LargeCase {
  AnyBlock block;
  Arithmetic arithmetic;
  Program program;
  Residues expected;
  std::uint64_t peak_bytes = 0;
  std::uint64_t moves = 0;
};
LargeCase large_case(unsigned seed) {
  Random random(seed);
  LargeCase large;
  large.block = random_pattern(random, 22, 0.32);
  large.arithmetic.moduli = choose_primes(2);
  const ClassGraph graph = class_graph(large.block);
  large.program = make_program(graph, random_linear_rows(graph, random));
  const auto columns = make_value_columns(large.block, large.arithmetic);
  const StopSignal never;
  RunStatistics statistics;
  large.expected = std::get<Residues>(run_program(large.program, *columns, never, {}, &statistics));
  large.peak_bytes = statistics.peak_bytes;
  large.moves = statistics.moves;
  return large;
}

// Each part has its share of the states, and of the memory.
TEST(SpreadProgram, MemoryIsShared) {
  const LargeCase large = large_case(462);
  SpreadOptions options;
  options.whole_states = 1000;
  for (const int parts : {2, 4}) {
    if (testing::sanitized && parts == 2) continue;
    options.memory_bytes = std::uint64_t{64} << 20U;
    const Shared shared = run_on(parts, large.program, large.block, large.arithmetic, options);
    EXPECT_EQ(shared.value, large.expected);
    const double share = static_cast<double>(large.peak_bytes) / parts;
    std::uint64_t most_bytes = 0;
    for (const SpreadStatistics& statistics : shared.statistics) {
      EXPECT_NEAR(static_cast<double>(statistics.peak_bytes) / share, 1, 0.1);
      EXPECT_LE(statistics.made_bytes, spread_buffer_bytes(options.memory_bytes, 1));
      EXPECT_GT(statistics.waves, statistics.spread_steps);
      EXPECT_GT(statistics.sent_bytes, 0U);
      most_bytes = std::max(most_bytes, statistics.peak_bytes);
    }
    // What is under way is bounded: the next wave beside the one that is waited for.
    EXPECT_LE(shared.most_waiting, 4U);
    // With that much, and room for what is under way, it goes; with less it does not.
    options.memory_bytes = most_bytes + spread_buffer_bytes(most_bytes, 1) * 5 / 4;
    EXPECT_EQ(run_on(parts, large.program, large.block, large.arithmetic, options).value, large.expected);
    options.memory_bytes = most_bytes * 9 / 10;
    EXPECT_THROW(run_on(parts, large.program, large.block, large.arithmetic, options), UnableError);
  }
}

TEST(SpreadProgram, StopsOnAllParts) {
  const LargeCase large = large_case(463);
  StopSignal stop;
  SpreadOptions options;
  options.whole_states = 100;
  std::atomic<std::uint64_t> seen{0};
  options.progress = [&](std::uint64_t moves) {
    seen = std::max(seen.load(), moves);
    if (moves > large.moves / 8) stop.request();
  };
  const auto columns = [&] { return make_value_columns(large.block, large.arithmetic); };
  const auto ended = on_all_parts(3, [&](Exchange& exchange) {
    run_spread(large.program, columns, exchange, stop, options);
    return true;
  });
  EXPECT_EQ(std::count(ended.begin(), ended.end(), true), 0);
  EXPECT_GT(seen, large.moves / 8);
  EXPECT_LT(seen, large.moves / 4 * 3);
}

}  // namespace
}  // namespace countpm::spread_program_test
