// hafnian's jobs on GPUs against the same jobs on the CPU: modulo primes bit for bit, in floating point
// within the error.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/hafnian/gpu/layout.hpp"
#include "kernels/hafnian/hafnian.hpp"
#include "kernels/oracle/definition.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/hafnian/repeated_vertices.hpp"
#include "tests/kernels/run_units.hpp"
#include "tests/matching/general_support.hpp"
#include "tests/repeats.hpp"

namespace countpm::hafnian_device_test {
namespace {

using namespace testing_support;
using testing::repeats;
using testing_support::Random;

const StopSignal never;

Arithmetic primes(unsigned count, unsigned bits) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(count, {}, bits);
  return arithmetic;
}

Arithmetic floating(Precision precision, unsigned bits = 128) {
  return {Arithmetic::Kind::floating, {}, precision, bits};
}

/// A dense graph whose edges, and loops where it has them, have values of their own.
template <class Value>
Block<Value> random_values(Index n, bool loops, Random& random) {
  const auto plain = with_symmetric_values<Value>(random_graph(n, 0.8, random), ValueKind::large, random);
  Block<Value> block = general_block(plain);
  if (!loops) return block;
  const auto of_loops = with_random_values<Value>(complete(n + 2), ValueKind::large, random);
  block.monomers = true;
  block.matrix = {};
  block.matrix.rows = block.matrix.columns = n;
  for (Index v = 0; v < n; ++v) {
    const auto add = [&](Index column, const Value& value) {
      block.matrix.column.push_back(column);
      block.matrix.value.push_back(value);
    };
    std::uint64_t k = plain.row_start[v];
    for (; k < plain.row_start[v + 1] && plain.column[k] < v; ++k) add(plain.column[k], plain.value[k]);
    if (random.below(3) != 0) add(v, of_loops.value[v]);
    for (; k < plain.row_start[v + 1]; ++k) add(plain.column[k], plain.value[k]);
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

TEST(HafnianDevice, SameResiduesAsOnTheCpu) {
  const auto rounds = repeats<std::uint64_t>(15);
  for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
    Random random(seed);
    const bool loops = seed % 2 == 0;
    const Index n = loops ? 1 + random.below(26) : 2 + 2 * random.below(14);
    const AnyBlock block(random_values<std::int64_t>(n, loops, random));
    const Arithmetic arithmetic = primes(2, 29);
    const auto job = make_hafnian_job(block, arithmetic, LaneChoice::automatic);
    const Partial truth = testing::sum_of_units(*job, arithmetic);
    for (const GpuInfo& gpu : testing::all_gpus()) {
      const auto& form = dynamic_cast<const GpuForm&>(*job);
      ASSERT_FALSE(form.device_obstacle(gpu)) << n;
      const auto device = form.on_device(gpu);
      ASSERT_NE(device, nullptr);
      const std::uint64_t units = job->units();
      EXPECT_EQ(std::get<Residues>(device->run(0, units, never)), std::get<Residues>(truth))
          << gpu.name << ", seed " << seed << ", " << n << " vertices";
      // Parts, the last one first.
      const std::uint64_t middle = random.below(static_cast<Index>(units) + 1);
      Partial parts = device->run(middle, units, never);
      add(parts, device->run(0, middle, never), arithmetic);
      EXPECT_EQ(std::get<Residues>(parts), std::get<Residues>(truth)) << gpu.name << ", seed " << seed;
    }
  }
}

const Ball& ball_of(const Partial& partial) {
  return std::get<Ball>(partial);
}

/// The device's units within their error of the truth, which is computed in `many`; the error is hardly above
/// the CPU's, where that has lanes (of few pairs it sums one set after another, with a closer bound).
void expect_same_ball(const AnyBlock& block, Precision precision, std::uint64_t middle_of,
                      const Arithmetic& many = floating(Precision::mpfr, 400)) {
  constexpr Index few = 10;
  const bool alone = std::visit([](const auto& given) { return given.matrix.rows < few; }, block);
  const double wider = alone ? 4 : 1.01;
  const auto job = make_hafnian_job(block, floating(precision), LaneChoice::automatic);
  const Ball truth =
      ball_of(testing::sum_of_units(*make_hafnian_job(block, many, LaneChoice::automatic), many));
  const Ball ours = ball_of(testing::sum_of_units(*job, floating(precision)));
  const auto& form = dynamic_cast<const GpuForm&>(*job);
  for (const GpuInfo& gpu : testing::all_gpus()) {
    ASSERT_FALSE(form.device_obstacle(gpu));
    EXPECT_GT(form.nominal_device_rate(gpu), 0);
    const auto device = form.on_device(gpu);
    const std::uint64_t units = job->units();
    const Partial all = device->run(0, units, never);
    EXPECT_TRUE(balls_meet(ball_of(all), truth)) << gpu.name;
    EXPECT_LE(ball_of(all).error.to_double(MPFR_RNDU), ours.error.to_double(MPFR_RNDD) * wider) << gpu.name;
    const std::uint64_t middle = middle_of % (units + 1);
    Partial parts = device->run(middle, units, never);
    add(parts, device->run(0, middle, never), floating(precision));
    EXPECT_TRUE(balls_meet(ball_of(parts), truth)) << gpu.name;
  }
}

TEST(HafnianDevice, FloatingSumsWithinTheirError) {
  const auto rounds = repeats<std::uint64_t>(12);
  for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
    Random random(seed);
    const bool loops = seed % 2 == 0;
    const Index n = loops ? 1 + random.below(16) : 2 + 2 * random.below(9);
    const AnyBlock real(random_values<mpq_class>(n, loops, random));
    const AnyBlock complex(random_values<ComplexRational>(n, loops, random));
    for (const Precision precision : {Precision::plain, Precision::kahan}) {
      SCOPED_TRACE(::testing::Message()
                   << "seed " << seed << ", " << n << " vertices, " << floating(precision).name());
      expect_same_ball(real, precision, seed);
      expect_same_ball(complex, precision, seed);
    }
  }
}

TEST(HafnianDevice, FloatingUnitsOfManySets) {
  Random random(7);
  const AnyBlock block(random_values<ComplexRational>(26, true, random));
  EXPECT_GT(make_hafnian_job(block, floating(Precision::plain), LaneChoice::automatic)->units(), 1U);
  expect_same_ball(block, Precision::plain, 1, floating(Precision::kahan));
}

TEST(HafnianDevice, EntriesThatVanishAreWithinTheError) {
  // Vertex 3 has all that is large; in its units the other entries are no doubles.
  Random random(1);
  auto matrix = with_symmetric_values<mpq_class>(complete(4), ValueKind::large, random);
  for (Index v = 0; v < matrix.rows; ++v) {
    for (std::uint64_t k = matrix.row_start[v]; k < matrix.row_start[v + 1]; ++k) {
      if (v != 3 && matrix.column[k] != 3) matrix.value[k] /= mpz_class(1) << 2000;
    }
  }
  for (const Precision precision : {Precision::plain, Precision::kahan})
    expect_same_ball(AnyBlock(general_block(matrix)), precision, 0, floating(Precision::mpfr, 5000));
}

TEST(HafnianDevice, StopsWhenAsked) {
  Random random(4);
  const AnyBlock block(random_values<ComplexRational>(12, false, random));
  const auto job = make_hafnian_job(block, floating(Precision::kahan), LaneChoice::automatic);
  StopSignal stop;
  stop.request();
  EXPECT_THROW(dynamic_cast<const GpuForm&>(*job).on_device(emulated_gpu(0))->run(0, job->units(), stop),
               Stopped);
}

TEST(HafnianDevice, LittleSharedMemoryHasFewerPairs) {
  Random random(5);
  for (const bool loops : {false, true}) {
    const AnyBlock block(random_values<std::int64_t>(18, loops, random));
    const Arithmetic arithmetic = primes(1, 29);
    const auto job = make_hafnian_job(block, arithmetic, LaneChoice::automatic);
    const Partial truth = testing::sum_of_units(*job, arithmetic);
    struct Room {
      std::uint64_t bytes;
      unsigned pairs;
      unsigned with_loops;
    };
    for (const auto& [bytes, pairs, with_loops] :
         {Room{100'000, 6, 6}, Room{30'000, 6, 5}, Room{10'000, 4, 4}, Room{1'000, 2, 1}, Room{10, 1, 1}}) {
      GpuInfo gpu = emulated_gpu(0);
      gpu.shared_bytes = bytes;
      const pair_sets::DeviceLayout layout = pair_sets::device_layout(pair_sets::pairing_of(block), bytes, 4);
      EXPECT_EQ(layout.lower(), loops ? with_loops : pairs) << bytes;
      const auto device = dynamic_cast<const GpuForm&>(*job).on_device(gpu);
      EXPECT_EQ(std::get<Residues>(device->run(0, job->units(), never)), std::get<Residues>(truth)) << bytes;
    }
  }
}

/// How often vertices are there: all equally often, one alone many times, or none, once or often by chance.
std::vector<Index> random_copies(Index vertices, Index most, Random& random) {
  std::vector<Index> copies(vertices, 0);
  const Index kind = random.below(5);
  if (kind == 0) {
    copies.assign(vertices, std::max<Index>(most / vertices, 1));
  } else if (kind == 1) {
    copies[random.below(vertices)] = 1 + random.below(most);
  } else {
    Index left = most;
    for (Index& one : copies) {
      one = std::min(left, random.below(kind == 2 ? 4 : 8));
      left -= one;
    }
  }
  return copies;
}

/// With edges between the copies of most vertices.
template <class Value>
Block<Value> with_copies(const std::vector<Index>& copies, bool loops, Random& random) {
  Block<Value> block = random_values<Value>(static_cast<Index>(copies.size()), true, random);
  block.monomers = loops;
  return repeated(block, copies);
}

template <class Value>
AnyBlock random_repeated(Index most, bool loops, Random& random) {
  while (true) {
    const Block<Value> block =
        with_copies<Value>(random_copies(1 + random.below(8), most, random), loops, random);
    const Index n = block.matrix.rows;
    if (n > 0 && (loops || n % 2 == 0)) return block;
  }
}

TEST(HafnianDevice, RepeatedVerticesUnitByUnit) {
  const auto rounds = repeats<std::uint64_t>(90);
  for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
    Random random(seed);
    const AnyBlock block = random_repeated<std::int64_t>(26, seed % 2 == 0, random);
    const Arithmetic arithmetic = primes(2, 29);
    const auto job = make_hafnian_job(block, arithmetic, LaneChoice::automatic);
    for (const GpuInfo& gpu : testing::all_gpus()) {
      const auto device = dynamic_cast<const GpuForm&>(*job).on_device(gpu);
      ASSERT_NE(device, nullptr);
      for (std::uint64_t unit = 0; unit < job->units(); ++unit) {
        ASSERT_EQ(std::get<Residues>(device->run(unit, unit + 1, never)),
                  std::get<Residues>(job->run(unit, never)))
            << gpu.name << ", seed " << seed << ", unit " << unit;
      }
    }
  }
}

TEST(HafnianDevice, SomeOfManyUnitsOfRepeatedVertices) {
  struct Case {
    std::vector<Index> copies;
    Index alone;
    bool loops;
  };
  for (const Case& one : {Case{std::vector<Index>(14, 3), 0, false}, Case{{6, 6, 4, 4, 3, 3}, 17, true}}) {
    std::vector<Index> copies = one.copies;
    copies.insert(copies.end(), one.alone, 1);
    Random random(copies.size() + copies.front());
    const AnyBlock block(with_copies<std::int64_t>(copies, one.loops, random));
    const Arithmetic arithmetic = primes(1, 29);
    const auto job = make_hafnian_job(block, arithmetic, LaneChoice::automatic);
    const std::uint64_t units = job->units();
    ASSERT_GT(units, 3U) << copies.front();
    const std::uint64_t some = 1 + random.below(static_cast<Index>(units) - 2);
    Partial two = job->run(some, never);
    add(two, job->run(some - 1, never), arithmetic);
    const Partial last = job->run(units - 1, never);
    for (const GpuInfo& gpu : testing::all_gpus()) {
      const auto device = dynamic_cast<const GpuForm&>(*job).on_device(gpu);
      EXPECT_EQ(std::get<Residues>(device->run(some - 1, some + 1, never)), std::get<Residues>(two));
      EXPECT_EQ(std::get<Residues>(device->run(units - 1, units, never)), std::get<Residues>(last));
    }
  }
}

TEST(HafnianDevice, RepeatedVerticesWithinTheErrorOfTheDefinition) {
  const auto rounds = repeats<std::uint64_t>(18);
  const Arithmetic many = floating(Precision::mpfr, 500);
  for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
    Random random(seed);
    const bool loops = seed % 2 == 0;
    for (const AnyBlock& block : {random_repeated<mpq_class>(12, loops, random),
                                  random_repeated<ComplexRational>(12, loops, random)}) {
      const Partial truth = testing::sum_of_units(*definition_method().make_job(block, many, {}), many);
      for (const Precision precision : {Precision::plain, Precision::kahan}) {
        const auto job = make_hafnian_job(block, floating(precision), LaneChoice::automatic);
        for (const GpuInfo& gpu : testing::all_gpus()) {
          const Partial ours = dynamic_cast<const GpuForm&>(*job).on_device(gpu)->run(0, job->units(), never);
          EXPECT_TRUE(balls_meet(ball_of(ours), ball_of(truth)))
              << gpu.name << ", seed " << seed << ", " << floating(precision).name();
        }
        expect_same_ball(block, precision, seed);
      }
    }
  }
}

// Sets of very unequal weights: of 5 pairs alike, k are taken in C(5, k) ways.
TEST(HafnianDevice, ManyCopiesInFloatingPoint) {
  Random random(3);
  const AnyBlock block(with_copies<ComplexRational>({8, 5, 3, 1, 1}, true, random));
  for (const Precision precision : {Precision::plain, Precision::kahan})
    expect_same_ball(block, precision, 1, floating(Precision::mpfr, 300));
}

TEST(HafnianDevice, WholeGroupsInSharedMemory) {
  const auto rounds = repeats<std::uint64_t>(90);
  for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
    Random random(seed);
    const AnyBlock block = random_repeated<std::int64_t>(40, seed % 2 == 0, random);
    const pair_sets::Pairing pairing = pair_sets::pairing_of(block);
    const pair_sets::PairShape& shape = pairing.shape;
    const std::uint64_t bytes = 1000 + random.below(200'000);
    const pair_sets::DeviceLayout layout = pair_sets::device_layout(pairing, bytes, 4);
    ASSERT_GE(layout.upper, pairing.decided);
    EXPECT_TRUE(layout.upper == 0 || shape.group_end[layout.upper - 1] == layout.upper) << seed;
    EXPECT_TRUE(layout.lower() == 1 || layout.shared_bytes() <= bytes) << seed;
    EXPECT_LE(layout.totals(), pair_sets::most_together);
    EXPECT_EQ(layout.items_from(pairing.decided) * layout.totals(), pairing.sets) << seed;
    EXPECT_EQ(layout.items_from(0) * layout.totals(), pairing.sets * pairing.units) << seed;
    // All sets of the pairs in shared memory, as if none were alike.
    std::uint64_t sets = 0;
    for (unsigned set = 0; set < layout.totals(); ++set) sets += layout.together_weight[set];
    EXPECT_EQ(sets, std::uint64_t{1} << (layout.lower() - 1)) << seed;
  }
}

TEST(HafnianDevice, SaysWhatItDoesNotTake) {
  Random random(2);
  const GpuInfo gpu = emulated_gpu(0);
  const auto obstacle = [&](const AnyBlock& block, const Arithmetic& arithmetic) -> std::string {
    const auto job = make_hafnian_job(block, arithmetic, LaneChoice::automatic);
    const auto& form = dynamic_cast<const GpuForm&>(*job);
    const auto refusal = form.device_obstacle(gpu);
    if (!refusal) return {};
    EXPECT_EQ(refusal->kind, RefusalKind::no_gpu_form_here);
    EXPECT_EQ(form.on_device(gpu), nullptr);
    EXPECT_EQ(form.nominal_device_rate(gpu), 0);
    return refusal->text;
  };
  const AnyBlock block(random_values<std::int64_t>(10, false, random));
  EXPECT_EQ(obstacle(block, primes(1, 29)), "");
  EXPECT_NE(obstacle(block, primes(1, 61)).find("primes beyond"), std::string::npos);
  EXPECT_NE(obstacle(block, floating(Precision::mpfr)).find("MPFR"), std::string::npos);
  for (const Precision precision : {Precision::plain, Precision::kahan, Precision::double_double})
    EXPECT_EQ(obstacle(block, floating(precision)), "");
  EXPECT_EQ(obstacle(general_block(with_ones(complete(10))), primes(1, 29)), "");
}

}  // namespace
}  // namespace countpm::hafnian_device_test
