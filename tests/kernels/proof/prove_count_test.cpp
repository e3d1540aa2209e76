// Proofs of random sums over covers: the sum against all covers one by one, the rounds against a checker of
// their own, the same bytes on any number of threads and in any memory.
#include "kernels/proof/prove_count.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <set>
#include <utility>

#include "graph/errors.hpp"
#include "graph/stop_signal.hpp"
#include "tests/kernels/proof/check_rounds.hpp"
#include "tests/repeats.hpp"

namespace countpm::proof_test {
namespace {

using countpm::testing::repeats;

struct RandomCover {
  CoverShape shape;
  std::vector<int> weight;
  std::vector<int> monomer;
  std::vector<Index> order;
};

enum class Sort { bipartite, general, monomers, sets };

RandomCover random_cover(std::mt19937_64& random, Sort sort, Index most_vertices) {
  const auto below = [&random](std::uint64_t n) { return random() % n; };
  RandomCover cover;
  const auto n = static_cast<Index>(below(most_vertices + std::uint64_t{1}));
  cover.shape.vertices = n;
  const std::uint64_t percent = 10 + below(91);
  const bool weighted = below(2) == 0;
  // Weights of 0 are no part of a statement.
  const auto weight = [&] {
    return !weighted ? 1 : static_cast<int>(1 + below(4)) * (below(2) == 0 ? 1 : -1);
  };
  for (Index u = 0; u < n; ++u) {
    for (Index v = u + 1; v < n; ++v) {
      if (sort == Sort::bipartite && (u < n / 2) == (v < n / 2)) continue;
      if (below(100) >= percent) continue;
      cover.shape.member.insert(cover.shape.member.end(), {u, v});
      cover.shape.start.push_back(cover.shape.member.size());
      cover.weight.push_back(weight());
    }
  }
  if (sort == Sort::sets && n >= 3) {
    std::set<std::vector<Index>> sets;
    for (std::uint64_t i = below(n + std::uint64_t{4}); i > 0; --i) {
      std::vector<Index> vertices(n);
      std::iota(vertices.begin(), vertices.end(), 0);
      std::shuffle(vertices.begin(), vertices.end(), random);
      vertices.resize(std::min<std::size_t>(n, 3 + below(4)));
      std::sort(vertices.begin(), vertices.end());
      sets.insert(vertices);
    }
    for (const std::vector<Index>& set : sets) {
      cover.shape.member.insert(cover.shape.member.end(), set.begin(), set.end());
      cover.shape.start.push_back(cover.shape.member.size());
      cover.weight.push_back(weight());
    }
  }
  cover.monomer.assign(n, 0);
  if (sort == Sort::monomers || (sort == Sort::sets && below(2) == 0)) {
    for (int& own : cover.monomer) own = below(3) == 0 ? 0 : weight();
    for (const int own : cover.monomer) cover.shape.monomer.push_back(own != 0 ? 1 : 0);
  }
  cover.order.resize(n);
  std::iota(cover.order.begin(), cover.order.end(), 0);
  std::shuffle(cover.order.begin(), cover.order.end(), random);
  return cover;
}

/// The sum over all covers of what is left, by the first vertex that is not covered; known sums are kept.
class SumOfCovers {
 public:
  explicit SumOfCovers(const RandomCover& cover) : cover_(cover) {
    for (std::uint64_t set = 0; set < cover.shape.sets(); ++set) {
      std::uint64_t mask = 0;
      for (std::uint64_t k = cover.shape.start[set]; k < cover.shape.start[set + 1]; ++k)
        mask |= std::uint64_t{1} << cover.shape.member[k];
      masks_.push_back(mask);
    }
  }
  const mpz_class& of(std::uint64_t covered = 0) {
    const auto [found, is_new] = known_.try_emplace(covered, 0);
    if (!is_new) return found->second;
    Index v = 0;
    while (v < cover_.shape.vertices && (covered >> v & 1) != 0) ++v;
    mpz_class sum = v == cover_.shape.vertices ? 1 : 0;
    if (v < cover_.shape.vertices) {
      if (cover_.monomer[v] != 0) sum += cover_.monomer[v] * of(covered | std::uint64_t{1} << v);
      for (std::size_t set = 0; set < masks_.size(); ++set)
        if ((masks_[set] >> v & 1) != 0 && (masks_[set] & covered) == 0 && cover_.weight[set] != 0)
          sum += cover_.weight[set] * of(covered | masks_[set]);
    }
    return known_[covered] = sum;
  }

 private:
  const RandomCover& cover_;
  std::vector<std::uint64_t> masks_;
  std::map<std::uint64_t, mpz_class> known_;
};

mpz_class sum_of_covers(const RandomCover& cover) {
  return SumOfCovers(cover).of();
}

struct Made {
  HashBytes statement;
  mpz_class prime;
  mpz_class sum;
  std::vector<std::string> rounds;
};

struct Making {
  int threads = 1;
  std::uint64_t memory_bytes = ~std::uint64_t{0};
  ProofHooks hooks = {};
};

Made made_proof(const RandomCover& cover, const mpz_class& claim, const Making& how = {}) {
  const EliminationPlan plan = plan_eliminations(cover.shape, cover.order);
  const ProofSizes sizes = measure_tables(plan, ~std::uint64_t{0}, how.threads);
  const ProofMemory memory = plan_memory(plan, sizes, how.memory_bytes);
  Made made;
  made.statement = hash_of(fmt::format("{} {}", cover.shape.vertices, claim.get_str()));
  const PrimeField field = field_of(made.statement);
  made.prime = field.prime();
  ProofWeights weights;
  for (const int weight : cover.weight) weights.set.push_back(field.element(mpz_class(weight)));
  for (const int monomer : cover.monomer) weights.monomer.push_back(field.element(mpz_class(monomer)));
  const ProofRounds rounds = prove_count(plan, sizes, memory, field, weights, field.element(claim),
                                         made.statement, how.threads, how.hooks);
  made.sum = field.number(rounds.sum);
  for (const ProofRound& round : rounds.rounds) made.rounds.push_back(text_of(field, round));
  EXPECT_TRUE(rounds.rounds.empty() || rounds.rounds.size() == plan.steps.size());
  return made;
}

bool accepted(const RandomCover& cover, const mpz_class& claim, const Made& made) {
  CheckedCount count{cover.shape, {}, {}, cover.order};
  for (const int weight : cover.weight) count.weight.emplace_back(weight);
  for (const int monomer : cover.monomer) count.monomer.emplace_back(monomer);
  return rounds_are_right(count, made.prime, made.statement, claim, made.rounds);
}

class RandomCovers : public ::testing::TestWithParam<Sort> {};

TEST_P(RandomCovers, AreProved) {
  const int all = repeats(1500);
  for (int seed = 0; seed < all; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const RandomCover cover = random_cover(random, GetParam(), 11);
    const mpz_class sum = sum_of_covers(cover);
    const Made made = made_proof(cover, sum);
    ASSERT_EQ(made.sum, (sum % made.prime + made.prime) % made.prime) << "seed " << seed;
    ASSERT_TRUE(accepted(cover, sum, made)) << "seed " << seed;
    // Of another number there are no rounds, and these do not prove one.
    const Made other = made_proof(cover, sum + 1);
    EXPECT_TRUE(other.rounds.empty()) << "seed " << seed;
    EXPECT_NE(other.sum, (sum + 1) % other.prime) << "seed " << seed;
    EXPECT_FALSE(accepted(cover, sum + 1, made)) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(OfAllSorts, RandomCovers,
                         ::testing::Values(Sort::bipartite, Sort::general, Sort::monomers, Sort::sets));

unsigned levels_of(const ProofMemory::Segment& segment) {
  unsigned levels = 0;
  for (const ProofMemory::Segment& part : segment.parts) levels = std::max(levels, 1 + levels_of(part));
  return levels;
}

RandomCover wide_cover(Sort sort, std::uint64_t seed, Index vertices) {
  std::mt19937_64 random(seed);
  RandomCover cover;
  do cover = random_cover(random, sort, vertices);
  while (cover.shape.vertices < vertices || cover.shape.sets() < 2 * vertices);
  return cover;
}

TEST(ProveCount, MakesTheSameOnThreadsAndInLittleMemory) {
  for (const Sort sort : {Sort::bipartite, Sort::general, Sort::monomers, Sort::sets}) {
    const RandomCover cover = wide_cover(sort, 7, 17);
    const mpz_class sum = sum_of_covers(cover);
    const Made made = made_proof(cover, sum);
    ASSERT_TRUE(accepted(cover, sum, made));
    for (const int threads : {2, 3, 8})
      EXPECT_EQ(made_proof(cover, sum, {.threads = threads}).rounds, made.rounds);
    const EliminationPlan plan = plan_eliminations(cover.shape, cover.order);
    const ProofSizes sizes = measure_tables(plan, ~std::uint64_t{0}, 1);
    const ProofMemory least = plan_memory(plan, sizes, 1);
    const ProofMemory most = plan_memory(plan, sizes, ~std::uint64_t{0});
    EXPECT_LE(least.bytes, most.bytes);
    EXPECT_EQ(levels_of(most.whole), 0U);
    EXPECT_EQ(most.again, 0);
    std::set<std::size_t> levels;
    for (std::uint64_t bytes = most.bytes; bytes > 0; bytes = bytes * 9 / 10) {
      const ProofMemory memory = plan_memory(plan, sizes, bytes);
      EXPECT_EQ(memory.bytes <= bytes, least.bytes <= bytes) << bytes;
      EXPECT_EQ(memory.again > 0, levels_of(memory.whole) > 0) << bytes;
      levels.insert(levels_of(memory.whole));
      EXPECT_EQ(made_proof(cover, sum, {.memory_bytes = bytes}).rounds, made.rounds) << bytes;
    }
    EXPECT_GT(levels.size(), 1U);
  }
}

/// What is planned is what is at work: every table that is held, at every moment.
TEST(ProveCount, KeepsFewTablesOfMany) {
  // A long ladder: tables of a few sizes, again and again.
  constexpr Index rungs = 400;
  RandomCover cover;
  cover.shape.vertices = 2 * rungs;
  const auto edge = [&cover](Index u, Index v) {
    cover.shape.member.insert(cover.shape.member.end(), {u, v});
    cover.shape.start.push_back(cover.shape.member.size());
    cover.weight.push_back(1);
  };
  for (Index i = 0; i < rungs; ++i) {
    edge(2 * i, 2 * i + 1);
    if (i + 1 < rungs) {
      edge(2 * i, 2 * i + 2);
      edge(2 * i + 1, 2 * i + 3);
    }
  }
  cover.monomer.assign(cover.shape.vertices, 0);
  cover.order.resize(cover.shape.vertices);
  std::iota(cover.order.begin(), cover.order.end(), 0);
  mpz_class sum = 1, before = 1;  // Fibonacci numbers
  for (Index i = 1; i < rungs; ++i) std::swap(before += sum, sum);
  const Made made = made_proof(cover, sum);
  ASSERT_EQ(made.sum, sum % made.prime);
  ASSERT_TRUE(accepted(cover, sum, made));
  const EliminationPlan plan = plan_eliminations(cover.shape, cover.order);
  const ProofSizes sizes = measure_tables(plan, ~std::uint64_t{0}, 1);
  const ProofMemory most = plan_memory(plan, sizes, ~std::uint64_t{0});
  // Of N tables about 2 N^(1/2), 3 N^(1/3) and 4 N^(1/4) are held, for one more forward pass each.
  const std::vector<std::pair<std::uint64_t, double>> shares{{10, 1}, {20, 2}, {30, 3}};
  for (const auto& [share, again] : shares) {
    const ProofMemory memory = plan_memory(plan, sizes, most.bytes / share);
    EXPECT_LE(memory.bytes, most.bytes / share);
    EXPECT_LE(memory.again, again);
    EXPECT_EQ(made_proof(cover, sum, {.memory_bytes = most.bytes / share}).rounds, made.rounds);
  }
  EXPECT_GT(levels_of(plan_memory(plan, sizes, most.bytes / 30).whole), 1U);
}

/// Tables of more values than one thread's share: all code for threads runs.
TEST(ProveCount, MakesTheSameOfLargeTables) {
  // The complete bipartite graph on 2 x 17 vertices, rows first, and a complete one on 18 with monomers.
  for (const bool bipartite : {true, false}) {
    RandomCover cover;
    const Index n = bipartite ? 34 : 18;
    cover.shape.vertices = n;
    for (Index u = 0; u < n; ++u) {
      for (Index v = u + 1; v < n; ++v) {
        if (bipartite && (u < n / 2) == (v < n / 2)) continue;
        cover.shape.member.insert(cover.shape.member.end(), {u, v});
        cover.shape.start.push_back(cover.shape.member.size());
        cover.weight.push_back(1);
      }
    }
    cover.monomer.assign(n, bipartite ? 0 : 1);
    cover.shape.monomer.assign(n, bipartite ? 0 : 1);
    cover.order.resize(n);
    std::iota(cover.order.begin(), cover.order.end(), 0);
    mpz_class sum;
    if (bipartite) {
      mpz_fac_ui(sum.get_mpz_t(), 17);
    } else {
      sum = 997313824;  // involutions of 18 things, OEIS A000085
    }
    const Made made = made_proof(cover, sum);
    ASSERT_EQ(made.sum, sum);
    ASSERT_TRUE(accepted(cover, sum, made));
    EXPECT_EQ(made_proof(cover, sum, {.threads = 3}).rounds, made.rounds);
    // Columns in another order than their bits.
    std::mt19937_64 random(5);
    std::shuffle(cover.order.begin() + n / 2, cover.order.end(), random);
    std::shuffle(cover.order.begin(), cover.order.begin() + n / 2, random);
    const Made shuffled = made_proof(cover, sum, {.threads = 2});
    EXPECT_TRUE(accepted(cover, sum, shuffled));
  }
}

/// More coordinates than words of 64 bits hold: rungs of ladders, all of whose left ends come first.
TEST(ProveCount, TakesKeysOfSeveralWords) {
  for (const Index rungs : {70U, 71U, 100U, 134U, 135U, 200U, 262U}) {
    RandomCover cover;
    cover.shape.vertices = 2 * rungs;
    const auto add = [&cover](Index u, Index v, int weight) {
      cover.shape.member.insert(cover.shape.member.end(), {u, v});
      cover.shape.start.push_back(cover.shape.member.size());
      cover.weight.push_back(weight);
    };
    // Five rungs somewhere are a ladder, the others are by themselves.
    const Index ladder = rungs / 2;
    mpz_class sum = 1;
    for (Index v = 0; v < rungs; ++v) {
      add(v, rungs + v, 2);
      if (v < ladder || v >= ladder + 5) sum *= 2;
    }
    for (Index v = ladder; v + 1 < ladder + 5; ++v) {
      add(v, v + 1, 1);
      add(rungs + v, rungs + v + 1, 1);
    }
    // a(n) = 2 a(n - 1) + a(n - 2), for rungs of weight 2: 1, 2, 5, 12, 29, 70.
    sum *= 70;
    cover.monomer.assign(2 * rungs, 0);
    cover.order.resize(2 * rungs);
    std::iota(cover.order.begin(), cover.order.end(), 0);
    std::mt19937_64 random(rungs);
    std::shuffle(cover.order.begin(), cover.order.begin() + rungs, random);
    EXPECT_EQ(plan_eliminations(cover.shape, cover.order).bits, rungs);
    const Made made = made_proof(cover, sum);
    EXPECT_EQ(made.sum, sum % made.prime);
    EXPECT_TRUE(accepted(cover, sum, made)) << rungs;
    EXPECT_EQ(made_proof(cover, sum, {.threads = 3}).rounds, made.rounds);
  }
}

/// Whatever table is changed, it no longer agrees with the one after it, and that is said.
TEST(ProveCount, NoticesATableThatIsChanged) {
  int noticed = 0;
  for (const Sort sort : {Sort::bipartite, Sort::general, Sort::monomers, Sort::sets}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const RandomCover cover = wide_cover(sort, seed, 12);
      const mpz_class sum = sum_of_covers(cover);
      const std::size_t steps = plan_eliminations(cover.shape, cover.order).steps.size();
      for (std::size_t changed = 1; changed < steps; ++changed) {
        bool is_changed = false;
        Making how;
        how.hooks.table = [&](std::size_t step, FieldElement* value, std::uint64_t states) {
          if (step != changed || states == 0) return;
          value[states / 2].low ^= 1;
          is_changed = true;
        };
        try {
          made_proof(cover, sum, how);
          EXPECT_FALSE(is_changed) << changed;
        } catch (const CheckError&) {
          EXPECT_TRUE(is_changed);
          ++noticed;
        }
      }
    }
  }
  EXPECT_GT(noticed, 100);
}

/// Sums of words, as large as they may be, against GMP.
TEST(ProveCount, AddsElementsBeforeItReduces) {
  std::mt19937_64 random(1);
  mpz_class least, most;
  mpz_ui_pow_ui(least.get_mpz_t(), 2, 126);
  mpz_nextprime(least.get_mpz_t(), least.get_mpz_t());
  mpz_ui_pow_ui(most.get_mpz_t(), 2, 127);
  most -= 1;  // a prime
  for (const mpz_class& prime : {least, mpz_class((least + most) / 2), most}) {
    mpz_class p = prime;
    if (p != most && p != least) mpz_nextprime(p.get_mpz_t(), p.get_mpz_t());
    const PrimeField field(p);
    const FieldElement largest = field.negate(field.one());
    const mpz_class words = p - 1;  // an element of the largest words
    const FieldElement full{mpz_class(words & mpz_class("18446744073709551615")).get_ui(),
                            mpz_class(words >> 64).get_ui()};
    for (const int count : {0, 1, 2, 3, 4, 100, 70000}) {
      ElementSum sum;
      mpz_class expected = 0;
      for (int i = 0; i < count; ++i) {
        const std::uint64_t own = random();
        const FieldElement element = own % 4 == 0   ? largest
                                     : own % 4 == 1 ? full
                                                    : field.multiply(field.element(own), full);
        sum.add(element);
        expected += field.number(element);
      }
      EXPECT_EQ(field.number(field.reduce(sum)), mpz_class(expected % p)) << p << " " << count;
      ElementSum fulls;
      for (int i = 0; i < count; ++i) fulls.add(full);
      EXPECT_EQ(field.number(field.reduce(fulls)), mpz_class(field.number(full) * count % p)) << p;
    }
  }
}

TEST(ProveCount, IsStopped) {
  const RandomCover cover = wide_cover(Sort::general, 3, 17);
  StopSignal stop;
  stop.request();
  const StopScope scope(&stop);
  EXPECT_THROW(made_proof(cover, 0), Stopped);
}

}  // namespace
}  // namespace countpm::proof_test
