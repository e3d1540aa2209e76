// Frontier where the values modulo all moduli do not fit the memory: the same tables several times, with some
// of the moduli each time, on CPU and GPU. Bit for bit what one pass yields.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "kernels/competitor.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/modulus_groups.hpp"
#include "kernels/frontier/tables/narrow_prime_ring.hpp"
#include "kernels/support/plan_text.hpp"
#include "tests/kernels/frontier/frontier_device_testing.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::frontier_short_memory_test {
namespace {

using namespace countpm::testing;

constexpr std::uint64_t fixed_bytes = std::uint64_t{1} << 20;

using Sizes = std::vector<std::uint32_t>;

TEST(FrontierShortMemory, GroupsOfModuli) {
  const ValueBytes six{8, 8, 8, 8, 8, 8};
  EXPECT_EQ(group_moduli(six, 48), Sizes{6});
  EXPECT_EQ(group_moduli(six, 47), (Sizes{3, 3}));
  EXPECT_EQ(group_moduli(six, 23), (Sizes{2, 2, 2}));
  EXPECT_EQ(group_moduli(six, 8), (Sizes{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(group_moduli(six, 7), Sizes{});
  EXPECT_EQ(group_moduli({16, 8, 8, 8}, 16), (Sizes{1, 2, 1}));
  EXPECT_EQ(group_moduli({16, 8, 8, 8}, 39), (Sizes{2, 2}));
  EXPECT_EQ(group_moduli({16, 8, 8, 8}, 15), Sizes{});
  EXPECT_EQ(group_moduli({}, 15), Sizes{});
  EXPECT_EQ(largest_group({16, 8, 8, 8}, {1, 3}), 24U);
}

TEST(FrontierShortMemory, NarrowResidues) {
  Random random(310);
  for (const std::uint64_t p :
       {std::uint64_t{3}, std::uint64_t{65537}, std::uint64_t{2147483629}, narrow_prime}) {
    const NarrowPrimeRing ring(static_cast<std::uint32_t>(p));
    EXPECT_EQ(ring.to_residue(ring.one()), uint128{1});
    for (int round = 0; round < 200; ++round) {
      const auto a = static_cast<std::int64_t>(random());
      const auto b = static_cast<std::int64_t>(random());
      const mpz_class modulus = static_cast<unsigned long>(p);
      const auto expect = [&](std::uint32_t value, const mpz_class& exact) {
        mpz_class least;
        mpz_fdiv_r(least.get_mpz_t(), exact.get_mpz_t(), modulus.get_mpz_t());
        EXPECT_EQ(ring.to_residue(value), uint128{least.get_ui()}) << a << ' ' << b << " modulo " << p;
      };
      const std::uint32_t x = ring.from_int64(a);
      const std::uint32_t y = ring.from_int64(b);
      const mpz_class exact_a = static_cast<long>(a);
      const mpz_class exact_b = static_cast<long>(b);
      expect(x, exact_a);
      expect(ring.add(x, y), exact_a + exact_b);
      expect(ring.sub(x, y), exact_a - exact_b);
      expect(ring.mul(x, y), exact_a * exact_b);
      expect(ring.neg(x), -exact_a);
      if (!ring.is_zero(x)) {
        EXPECT_EQ(ring.mul(x, ring.inverse(x)), ring.one());
        mpq_class fraction(exact_b, exact_a);
        fraction.canonicalize();
        EXPECT_EQ(ring.mul(ring.from_mpq(fraction), x), y);
      }
    }
  }
  EXPECT_EQ(
      value_bytes_of({Modulus{narrow_prime, 0}, Modulus{2147483659, 0}, Modulus{0, 64}, Modulus{0, 128}}),
      (ValueBytes{4, 8, 8, 16}));
}

/// More moduli than the count needs, of every size.
Arithmetic many_moduli(bool only_primes) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(4);
  arithmetic.moduli.push_back(Modulus{only_primes ? choose_primes(5).back().prime : narrow_prime, 0});
  if (!only_primes) arithmetic.moduli.insert(arithmetic.moduli.begin(), Modulus{0, 128});
  return arithmetic;
}

/// The vertices of a cycle with its edges, and one set of three.
Block<std::int64_t> ring_with_a_set(Index vertices) {
  std::vector<std::vector<std::int64_t>> cells(vertices + std::size_t{1},
                                               std::vector<std::int64_t>(vertices + std::size_t{1}, 0));
  for (Index u = 0; u < vertices; ++u) {
    cells[u][(u + 1) % vertices] = cells[(u + 1) % vertices][u] = 2;
    cells[u][(u + 5) % vertices] = cells[(u + 5) % vertices][u] = 1;
  }
  for (const Index u : {0U, 3U, 4U}) cells[u][vertices] = cells[vertices][u] = 3;
  Block<std::int64_t> block = dense_block(cells, vertices + 1);
  block.general = block.monomers = true;
  block.tiles = 1;
  return block;
}

AnyBlock random_case(Random& random, int kind) {
  switch (kind) {
    case 0:
      return random_pattern(random, static_cast<Index>(9 + below(random, 5)), 0.45);
    case 1:
      return block_of_twins(random, 6, static_cast<Index>(10 + below(random, 4)));
    case 2:
      return random_graph(random, static_cast<Index>(12 + 2 * below(random, 2)), 0.6);
    case 3:
      return random_integers(random, 9, false);
    case 4:
      return random_block<mpq_class>(random, 9, 0.6, true, [&] { return random_rational(random); });
    case 5:
      return with_monomers(random_graph(random, static_cast<Index>(10 + below(random, 3)), 0.5), random);
    default:
      return ring_with_a_set(static_cast<Index>(14 + below(random, 4)));
  }
}
constexpr int kinds = 7;

bool in_passes(const Job& job) {
  return job.describe().find(" passes to fit the memory") != std::string::npos;
}

/// Each unit modulo each modulus by itself, by the other code, and from the plan alone.
void expect_units_alike(const Job& job, const AnyBlock& block, const Arithmetic& arithmetic) {
  const StopSignal never;
  MethodOptions elsewhere;
  elsewhere.plan = job.plan();
  const auto planned = make_planned_job(frontier_method(), block, arithmetic, elsewhere);
  ASSERT_EQ(planned->units(), job.units());
  const auto last = static_cast<std::size_t>(job.units()) % arithmetic.moduli.size();
  Arithmetic alone = arithmetic;
  alone.moduli = {arithmetic.moduli[last]};
  const auto subset = job.with_moduli_subset(alone);
  ASSERT_EQ(subset->units(), job.units());
  for (std::uint64_t unit = job.units(); unit-- > 0;) {
    const auto expected = std::get<Residues>(job.run(unit, never));
    ASSERT_EQ(std::get<Residues>(planned->run(unit, never)), expected) << "unit " << unit;
    ASSERT_EQ(std::get<Residues>(subset->run(unit, never)).residue[0], expected.residue[last]);
  }
}

TEST(FrontierShortMemory, EveryKindOfBlock) {
  Random random(311);
  int passes = 0;
  int both = 0;
  for (int round = 0; round < testing::repeats(15 * kinds) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const int kind = round % kinds;
    const AnyBlock block = random_case(random, kind);
    const Arithmetic arithmetic = many_moduli(kind == 4 || below(random, 2) == 0);
    const auto whole = frontier_method().make_job(block, arithmetic, {});
    ASSERT_FALSE(in_passes(*whole));
    const Residues expected = run_residues(*whole, arithmetic);
    MethodOptions options;
    const std::uint64_t needed = whole->bytes_shared() + whole->bytes_per_thread() - fixed_bytes;
    options.memory_bytes = fixed_bytes + needed * (10 + below(random, 90)) / 100;
    const auto job = frontier_method().make_job(block, arithmetic, options);
    ASSERT_EQ(run_residues(*job, arithmetic), expected) << job->describe();
    if (job->units() > 1) expect_units_alike(*job, block, arithmetic);
    if (!in_passes(*job)) continue;
    ++passes;
    if (job->describe().find("branches") != std::string::npos) ++both;
    EXPECT_LE(job->bytes_shared(), options.memory_bytes) << job->describe();
    EXPECT_GT(job->log2_work(), whole->log2_work());
  }
  EXPECT_GE(passes, testing::fewest(6 * kinds));
  EXPECT_GE(both, testing::fewest(3));
}

// As few passes as fit, and branches only where one modulus at a time does not.
TEST(FrontierShortMemory, PassesBeforeBranches) {
  Random random(312);
  const auto block = random_pattern(random, 20, 0.4);
  const Arithmetic arithmetic = many_moduli(true);
  const auto whole = frontier_method().make_job(block, arithmetic, {});
  const double needed = static_cast<double>(whole->bytes_per_thread() + whole->bytes_shared() - fixed_bytes);
  // Five values of 8 bytes and the key's 5: of 45 bytes three values leave 29, two 21, one 13.
  for (const auto& [bytes, passes] : {std::pair{46, 1U}, {30, 2U}, {22, 3U}, {14, 5U}}) {
    MethodOptions options;
    options.memory_bytes = fixed_bytes + 64 + static_cast<std::uint64_t>(needed * bytes / 45);
    const auto job = frontier_method().make_job(block, arithmetic, options);
    EXPECT_EQ(job->units(), passes) << job->describe();
    EXPECT_EQ(job->describe().find("branches"), std::string::npos) << job->describe();
    EXPECT_LE(job->bytes_shared(), options.memory_bytes);
  }
  // What no order fits is not searched for.
  MethodOptions none;
  none.memory_bytes = fixed_bytes;
  EXPECT_FALSE(frontier_method().make_job(block, arithmetic, none)->improvable());
  EXPECT_TRUE(whole->improvable());
  MethodOptions little;
  little.memory_bytes = fixed_bytes + static_cast<std::uint64_t>(needed * 8 / 45);
  const auto job = frontier_method().make_job(block, arithmetic, little);
  EXPECT_NE(job->describe().find("branches"), std::string::npos) << job->describe();
  EXPECT_NE(job->describe().find("in 5 passes to fit the memory, one modulus at a time"), std::string::npos)
      << job->describe();
  EXPECT_EQ(job->units() % 5, 0U);
}

// Branches are not looked for where the whole would be too slow beside another method, and are as ever where
// that turns out to be slow.
TEST(FrontierShortMemory, NoBranchesBesideAFasterMethod) {
  Random random(313);
  int cuts = 0;
  for (int round = 0; round < testing::repeats(6) && !HasFailure(); ++round) {
    const AnyBlock block = random_pattern(random, 18, 0.4);
    const Arithmetic arithmetic = many_moduli(false);
    const auto whole = frontier_method().make_job(block, arithmetic, {});
    const Residues expected = run_residues(*whole, arithmetic);
    MethodOptions options;
    const std::uint64_t needed = whole->bytes_shared() + whole->bytes_per_thread() - fixed_bytes;
    options.memory_bytes = fixed_bytes + needed / 8;
    const auto cut = frontier_method().make_job(block, arithmetic, options);
    if (cut->describe().find("branches") == std::string::npos) continue;
    ++cuts;
    const auto* const method = dynamic_cast<const CompetingMethod*>(&frontier_method());
    ASSERT_NE(method, nullptr);
    const auto beside = method->make_job_beside(1e-9, block, arithmetic, options);
    EXPECT_EQ(beside->describe().find("branches"), std::string::npos) << beside->describe();
    EXPECT_GT(beside->bytes_shared() + beside->bytes_per_thread(), options.memory_bytes);
    auto* const competitor = dynamic_cast<Competitor*>(beside.get());
    ASSERT_NE(competitor, nullptr);
    competitor->compete_with(1e-8, 2);
    EXPECT_EQ(beside->describe().find("branches"), std::string::npos) << beside->describe();
    competitor->compete_with(1e6, 2);
    EXPECT_EQ(beside->plan(), cut->plan());
    EXPECT_LE(beside->bytes_shared(), options.memory_bytes);
    EXPECT_EQ(run_residues(*beside, arithmetic), expected);
  }
  EXPECT_GT(cuts, 0);
}

// A tree of tables: joins, one modulus at a time.
TEST(FrontierShortMemory, Joins) {
  Random random(313);
  const Arithmetic arithmetic = many_moduli(false);
  int joined = 0;
  for (int round = 0; round < 10; ++round) {
    // Two blocks that share a row's neighbours only.
    const auto block = random_pattern(random, 26, 0.1);
    MethodOptions options;
    options.order = OrderKind::tree;
    const auto whole = frontier_method().make_job(block, arithmetic, options);
    if (whole->describe().find("join") == std::string::npos) continue;
    const std::uint64_t needed = whole->bytes_shared() + whole->bytes_per_thread() - fixed_bytes;
    options.memory_bytes = fixed_bytes + needed * 5 / 8;
    const auto job = frontier_method().make_job(block, arithmetic, options);
    if (job->units() == 1) continue;
    EXPECT_EQ(run_residues(*job, arithmetic), run_residues(*whole, arithmetic)) << job->describe();
    if (in_passes(*job) && job->describe().find("join") != std::string::npos) ++joined;
  }
  EXPECT_GT(joined, 0);
}

TEST(FrontierShortMemory, PlansThatAreNone) {
  Random random(314);
  const auto block = random_pattern(random, 12, 0.5);
  const Arithmetic arithmetic = many_moduli(true);
  const std::string plan = frontier_method().make_job(block, arithmetic, {})->plan();
  ASSERT_EQ(plan.find("passes"), std::string::npos) << plan;
  const auto made = [&](const std::string& passes) {
    MethodOptions options;
    options.plan = plan + "; passes" + passes;
    return make_planned_job(frontier_method(), block, arithmetic, options)->units();
  };
  EXPECT_EQ(made(" 2 3"), 2U);
  EXPECT_EQ(made(" 1 1 1 1 1"), 5U);
  for (const char* passes : {" 5", " 2 2", " 3 3", " 0 5", " 2 3 0", " 4294967295 6"})
    EXPECT_THROW(made(passes), PlanError) << passes;
}

// Small GPUs, in the form that fits and in either that is asked for.
TEST(FrontierShortMemory, Devices) {
  Random random(315);
  const StopSignal never;
  std::uint64_t most_passes = 0;
  std::uint64_t dense_in_passes = 0;
  for (int round = 0; round < testing::repeats(10 * kinds) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const int kind = round % kinds;
    const AnyBlock block = random_case(random, kind);
    const Arithmetic arithmetic = many_moduli(kind == 4 || below(random, 2) == 0);
    MethodOptions options;
    options.order = OrderKind::rows;
    if (round % 3 == 0) options.memory_bytes = fixed_bytes + 3000;
    const auto job = frontier_method().make_job(block, arithmetic, options);
    const Residues expected = run_residues(*job, arithmetic);
    GpuInfo gpu = emulated_gpu(0);
    for (gpu.memory_bytes = 6000; job->device_obstacle(gpu); gpu.memory_bytes *= 2) {
    }
    const auto device = job->on_device(gpu);
    auto& tables = dynamic_cast<FrontierDeviceJob&>(*device);
    ASSERT_EQ(std::get<Residues>(device->run(0, job->units(), never)), expected) << job->describe();
    const FrontierDeviceStatistics statistics = tables.statistics();
    most_passes = std::max(most_passes, statistics.passes);
    if (statistics.dense_programs > 1 && job->units() == 1) ++dense_in_passes;
    if (statistics.passes > 1 && job->units() == 1) {
      EXPECT_NE(job->describe().find(fmt::format("in {} passes", statistics.passes)), std::string::npos)
          << job->describe();
    }
  }
  EXPECT_GT(most_passes, 2U);
  EXPECT_GE(dense_in_passes, testing::fewest(3U));
}

}  // namespace
}  // namespace countpm::frontier_short_memory_test
