// The GPU form of planar, its very steps run on the CPU: bit for bit the residues that the CPU's lanes find.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "graph/errors.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/planar/elimination/determinant.hpp"
#include "kernels/planar/elimination/dissection.hpp"
#include "kernels/planar/elimination/threaded_elimination.hpp"
#include "kernels/planar/gpu/lane.hpp"
#include "kernels/planar/gpu/layout.hpp"
#include "kernels/planar/gpu/pivot_order.hpp"
#include "kernels/planar/planar.hpp"
#include "kernels/planar/preparation.hpp"
#include "kernels/polynomial_method.hpp"
#include "kernels/support/instruction_sets.hpp"
#include "kernels/support/spare_threads.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using namespace testing;
using namespace testing_support;

Arithmetic primes_for_gpus(unsigned count, const mpz_class& skip = 1) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(count, {skip}, planar_step::prime_bits);
  return arithmetic;
}

/// Whether there was anything for a GPU to do.
bool expect_same(const AnyBlock& block, const Arithmetic& arithmetic, const std::string& what) {
  const StopSignal never;
  const std::unique_ptr<Job> job = planar_method().make_job(block, arithmetic, {});
  const std::uint64_t units = job->units();
  bool any = false;
  for (const auto& [first, last] : {std::pair<std::uint64_t, std::uint64_t>{0, units}, {units / 3, units}}) {
    Partial expected = zero(arithmetic);
    for (std::uint64_t unit = first; unit < last; ++unit) add(expected, job->run(unit, never), arithmetic);
    for (const GpuInfo& gpu : all_gpus()) {
      const std::unique_ptr<DeviceJob> device = job->on_device(gpu);
      EXPECT_EQ(device != nullptr, job->nominal_device_rate(gpu) > 0);
      if (device == nullptr) continue;
      any = true;
      EXPECT_EQ(std::get<Residues>(device->run(first, last, never)), std::get<Residues>(expected))
          << gpu.name << ", units " << first << " to " << last << ", " << what;
    }
  }
  return any;
}

template <class Value>
std::string text(std::uint64_t seed, const SparseMatrix<Value>& matrix) {
  return "seed " + std::to_string(seed) + "\n" + show(matrix);
}

constexpr ValueKind kinds[] = {ValueKind::ones, ValueKind::small_positive, ValueKind::small_signed,
                               ValueKind::large};

/// Powers of the primes' roots, in no order.
Arithmetic random_points(unsigned bits, LetterRoots& roots, Random& random) {
  Arithmetic arithmetic;
  for (const Modulus& prime : choose_primes(3, {}, bits)) {
    roots.emplace(prime.prime, 2 + random.below(1000));
    for (int k = 0; k < 17; ++k)
      arithmetic.moduli.push_back({prime.prime, static_cast<unsigned>(random.below(100))});
  }
  return arithmetic;
}

// At points a weight is another number modulo each of the moduli: as counts with these numbers have it.
TEST(PlanarDevice, AtPointsIsTheCountWithTheirNumbers) {
  constexpr std::uint64_t bits = 40;
  const StopSignal never;
  const auto& method = dynamic_cast<const PolynomialMethod&>(planar_method());
  int counted = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    const EdgeList graph = random_planar(4 + 2 * random.below(12), random);
    const SparseMatrix<std::int64_t> exponents = with_symmetric_values<std::int64_t>(
        graph_of(graph.vertices, graph.edges), ValueKind::small_positive, random);
    Block<mpq_class> block;
    block.general = true;
    static_cast<SparsePattern&>(block.matrix) = static_cast<const SparsePattern&>(exponents);
    for (const std::int64_t exponent : exponents.value)
      block.matrix.value.emplace_back(
          mpz_class(mpz_class(exponent) << (bits * static_cast<std::uint64_t>(exponent))),
          1 + static_cast<int>(seed % 3));
    for (mpq_class& value : block.matrix.value) value.canonicalize();
    const AnyBlock any = block;
    const auto points = method.at_points(any, bits, {});
    if (!points) continue;
    auto roots = std::make_shared<LetterRoots>();
    const Arithmetic arithmetic = random_points(planar_step::prime_bits, *roots, random);
    const auto job = points->make_job(arithmetic, roots);
    const auto sum = [&](const Job& some, const Arithmetic& own) {
      Partial all = zero(own);
      for (std::uint64_t unit = 0; unit < some.units(); ++unit) add(all, some.run(unit, never), own);
      return std::get<Residues>(all).residue;
    };
    const std::vector<uint128> found = sum(*job, arithmetic);
    for (std::size_t k = 0; k < found.size(); k += 5) {
      const Modulus& modulus = arithmetic.moduli[k];
      mpz_class letter;
      const mpz_class root = static_cast<unsigned long>(roots->at(modulus.prime));
      mpz_powm_ui(letter.get_mpz_t(), root.get_mpz_t(), modulus.power_of_two,
                  mpz_class(static_cast<unsigned long>(modulus.prime)).get_mpz_t());
      Block<mpq_class> at_number = block;
      for (std::size_t e = 0; e < exponents.value.size(); ++e) {
        mpz_class power;
        mpz_pow_ui(power.get_mpz_t(), letter.get_mpz_t(), static_cast<unsigned long>(exponents.value[e]));
        at_number.matrix.value[e] = mpq_class(mpz_class(power * static_cast<long>(exponents.value[e])),
                                              1 + static_cast<int>(seed % 3));
        at_number.matrix.value[e].canonicalize();
      }
      Arithmetic alone;
      alone.moduli = {{modulus.prime, 0}};
      const auto direct = planar_method().make_job(at_number, alone, {});
      ASSERT_EQ(found[k], sum(*direct, alone)[0]) << seed;
      // By other fronts, one modulus by itself.
      Arithmetic again;
      again.moduli = {modulus};
      const auto other = job->with_moduli_subset(again);
      ASSERT_EQ(other->units(), job->units());
      EXPECT_EQ(sum(*other, again)[0], found[k]) << seed;
    }
    for (const GpuInfo& gpu : all_gpus()) {
      const std::unique_ptr<DeviceJob> device = job->on_device(gpu);
      if (device == nullptr) continue;
      ++counted;
      EXPECT_EQ(std::get<Residues>(device->run(0, job->units(), never)).residue, found) << seed;
    }
  }
  EXPECT_GT(counted, 10);
}

TEST(PlanarDevice, RandomGraphsAndMatrices) {
  int counted = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const EdgeList graph = random_planar(random.below(40), random);
    const auto general =
        with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges), kinds[seed % 4], random);
    counted += expect_same(general_block(general), primes_for_gpus(3), text(seed, general)) ? 1 : 0;
    const EdgeList halves = between_halves(random_planar(2 * random.below(20), random));
    const SparsePattern pattern = graph_of(halves.vertices, halves.edges);
    const auto integers = with_symmetric_values<std::int64_t>(pattern, kinds[seed % 4], random);
    counted += expect_same(bipartite_block_of(integers), primes_for_gpus(3), text(seed, integers)) ? 1 : 0;
    const auto rationals = with_symmetric_values<mpq_class>(pattern, ValueKind::small_signed, random);
    const AnyBlock fractions = bipartite_block_of(rationals);
    expect_same(fractions, primes_for_gpus(3, denominator(fractions)), text(seed, rationals));
  }
  EXPECT_GT(counted, 50);
}

/// Modulo 3 a third of all pivots vanish, in some lanes and not in others; these primes the CPU does.
TEST(PlanarDevice, PivotsThatAreZeroModuloSomePrimes) {
  Arithmetic arithmetic;
  for (const std::uint64_t prime : {3, 5, 7, 11, 13, 101, 257, 10007, 65537, 3, 3, 3, 5, 5, 536870909})
    arithmetic.moduli.push_back({prime, 0});
  int counted = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    const EdgeList graph = random_planar(2 * random.below(15), random);
    const auto general = with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges),
                                                             ValueKind::small_signed, random);
    counted += expect_same(general_block(general), arithmetic, text(seed, general)) ? 1 : 0;
    const EdgeList halves = between_halves(graph);
    const auto bipartite = with_symmetric_values<std::int64_t>(graph_of(halves.vertices, halves.edges),
                                                               ValueKind::small_signed, random);
    counted += expect_same(bipartite_block_of(bipartite), arithmetic, text(seed, bipartite)) ? 1 : 0;
  }
  EXPECT_GT(counted, 30);
}

TEST(PlanarDevice, Lattices) {
  for (const char* spec : {"square:1x2", "square:2x2", "square:8x8", "square:20x30", "honeycomb:9x9",
                           "aztec:10", "triangular:6x6", "triangular:14x15"}) {
    EXPECT_TRUE(expect_same(lattice_block(spec), primes_for_gpus(5), spec));
  }
}

/// Fronts of several panels and of many blocks, with weights so that nothing is one by accident.
TEST(PlanarDevice, LargeFronts) {
  for (const char* spec : {"square:110x110", "triangular:44x44"}) {
    Random random(5);
    AnyBlock block = lattice_block(spec);
    auto& values = std::get<Block<std::int64_t>>(block).matrix.value;
    if (!is_general(block)) {
      for (std::int64_t& value : values) value = 1 + static_cast<std::int64_t>(random.below(1000));
    }
    EXPECT_TRUE(expect_same(block, primes_for_gpus(3), spec));
  }
}

/// More primes than are side by side, batches that are not whole.
TEST(PlanarDevice, ManyPrimes) {
  for (const unsigned primes : {1U, 31U, 32U, 33U, 100U, 2100U}) {
    EXPECT_TRUE(expect_same(lattice_block("square:6x7"), primes_for_gpus(primes),
                            std::to_string(primes) + " primes"));
  }
}

TEST(PlanarDevice, LittleMemory) {
  const AnyBlock block = lattice_block("square:20x20");
  const Arithmetic arithmetic = primes_for_gpus(200);
  const std::unique_ptr<Job> job = planar_method().make_job(block, arithmetic, {});
  const StopSignal never;
  GpuInfo gpu = emulated_gpu(0);
  const Partial expected = job->on_device(gpu)->run(0, job->units(), never);
  const std::uint64_t all = job->on_device(gpu)->device_bytes();
  gpu.memory_bytes = all / 2;
  const std::unique_ptr<DeviceJob> halved = job->on_device(gpu);
  EXPECT_LT(halved->device_bytes(), all);
  EXPECT_LE(halved->device_bytes(), gpu.memory_bytes);
  EXPECT_EQ(std::get<Residues>(halved->run(0, job->units(), never)), std::get<Residues>(expected));
  gpu.memory_bytes = 1000;
  EXPECT_THROW(job->on_device(gpu), UnableError);
}

TEST(PlanarDevice, RatesAndStops) {
  const std::unique_ptr<Job> job =
      planar_method().make_job(lattice_block("square:20x20"), primes_for_gpus(70), {});
  const std::unique_ptr<DeviceJob> device = job->on_device(emulated_gpu(0));
  EXPECT_GT(device->measured_rate(0.01), 0);
  StopSignal stop;
  stop.request();
  EXPECT_THROW(device->run(0, job->units(), stop), Stopped);
}

TEST(PlanarDevice, WhatHasNoGpuForm) {
  const GpuInfo gpu = emulated_gpu(0);
  const auto device_of = [&](const AnyBlock& block, const Arithmetic& arithmetic) {
    const std::unique_ptr<Job> job = planar_method().make_job(block, arithmetic, {});
    EXPECT_EQ(job->on_device(gpu) != nullptr, job->nominal_device_rate(gpu) > 0);
    EXPECT_EQ(job->on_device(gpu) != nullptr, !job->device_obstacle(gpu));
    return job->on_device(gpu);
  };
  Arithmetic large;
  large.moduli = choose_primes(2, {}, planar_step::prime_bits + 1);
  EXPECT_EQ(device_of(lattice_block("square:4x4"), large), nullptr);
  // no vertex, no perfect matching, a count that cancels
  EXPECT_EQ(device_of(Block<std::int64_t>(), primes_for_gpus(2)), nullptr);
  EXPECT_EQ(device_of(lattice_block("triangular:3x3"), primes_for_gpus(2)), nullptr);
  AnyBlock square = lattice_block("square:2x2");
  std::get<Block<std::int64_t>>(square).matrix.value[0] = -1;
  EXPECT_EQ(device_of(square, primes_for_gpus(2)), nullptr);
}

/// Matrices of random graphs with general weights, and of lattices.
std::vector<planar::SignedMatrix> some_matrices() {
  std::vector<AnyBlock> blocks{lattice_block("square:40x40"), lattice_block("triangular:20x20"),
                               lattice_block("honeycomb:12x14")};
  for (std::uint64_t seed = 1; seed <= repeats(std::uint64_t{90}); ++seed) {
    Random random(seed);
    const EdgeList graph = random_planar(2 * random.below(100), random);
    blocks.emplace_back(general_block(
        with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges), kinds[seed % 4], random)));
    const EdgeList halves = between_halves(graph);
    blocks.emplace_back(bipartite_block_of(with_symmetric_values<std::int64_t>(
        graph_of(halves.vertices, halves.edges), kinds[seed % 4], random)));
  }
  std::vector<planar::SignedMatrix> matrices;
  for (const AnyBlock& block : blocks) {
    auto terms = planar::oriented_terms(block);
    matrices.push_back(std::move(std::get<planar::Terms>(terms)[0].matrix));
  }
  return matrices;
}

/// Every front is in one part, parts come after their children, and what they leave goes to their parents.
TEST(TreeParts, CoverTheTree) {
  for (const planar::SignedMatrix& matrix : some_matrices()) {
    const planar::FrontTree tree = planar::dissection_tree(matrix.graph);
    const std::vector<planar::TreePart> parts = planar::tree_parts(tree);
    std::vector<int> taken(tree.fronts.size(), 0);
    std::vector<std::size_t> left(parts.size(), 0);  // that a part passes on
    for (std::size_t p = 0; p < parts.size(); ++p) {
      std::size_t waiting = 0;
      for (const std::size_t child : parts[p].children) {
        ASSERT_LT(child, p);
        EXPECT_EQ(parts[child].parent, p);
        waiting += left[child];
      }
      for (std::size_t k = parts[p].first; k < parts[p].last; ++k) {
        ++taken[k];
        ASSERT_GE(waiting, tree.fronts[k].children);
        waiting -= tree.fronts[k].children;
        waiting += tree.fronts[k].border.empty() ? 0 : 1;
      }
      left[p] = waiting;
      EXPECT_EQ(waiting == 0, parts[p].parent == planar::TreePart::none);
    }
    EXPECT_TRUE(std::all_of(taken.begin(), taken.end(), [](int times) { return times == 1; }));
  }
}

/// The same pivots as on one thread, modulo primes by which many of them vanish, too.
TEST(ThreadedElimination, FindsThePivotsOfOneThread) {
  const StopSignal never;
  int singular = 0;
  int regular = 0;
  for (const planar::SignedMatrix& matrix : some_matrices()) {
    const planar::FrontTree tree = planar::dissection_tree(matrix.graph);
    for (const std::uint64_t prime :
         {std::uint64_t{3}, std::uint64_t{7}, std::uint64_t{2305843009213693951}}) {
      const planar::LaneArithmetic lanes(planar::portable_lanes(), {prime});
      planar::FrontElimination alone(matrix, tree, lanes, never);
      std::vector<std::vector<Index>> rows(tree.fronts.size());
      const bool full = alone.run(nullptr, [&](std::size_t front, const planar::FrontMatrix& found,
                                               std::size_t) { rows[front] = found.row_vertex; });
      (full ? regular : singular) += 1;
      auto expected = alone.pivots().vertices;
      std::sort(expected.begin(), expected.end());
      for (const int threads : {1, 3}) {
        std::vector<std::vector<Index>> seen(tree.fronts.size());
        auto found =
            planar::eliminate_on_threads(matrix, tree, lanes, threads, never,
                                         [&](std::size_t front, const planar::FrontMatrix& matrix_there,
                                             std::size_t) { seen[front] = matrix_there.row_vertex; });
        ASSERT_EQ(found.has_value(), full) << prime;
        if (!full) continue;
        std::sort(found->vertices.begin(), found->vertices.end());
        EXPECT_EQ(found->vertices, expected) << prime;
        EXPECT_EQ(found->product, alone.pivots().product) << prime;
        EXPECT_EQ(seen, rows) << prime;
      }
    }
  }
  EXPECT_GT(regular, fewest(30));
  EXPECT_GT(singular, fewest(30));
}

/// Stopped at some front: each thread looks again before its next.
TEST(ThreadedElimination, StopsBeforeTheNextFront) {
  const AnyBlock block = lattice_block("square:60x60");
  auto terms = planar::oriented_terms(block);
  const planar::SignedMatrix& matrix = std::get<planar::Terms>(terms)[0].matrix;
  const planar::FrontTree tree = planar::dissection_tree(matrix.graph);
  const planar::LaneArithmetic lanes(planar::portable_lanes(), {2305843009213693951});
  Random random(3);
  for (int turn = 0; turn < repeats(30); ++turn) {
    const int threads = 1 + static_cast<int>(random.below(4));
    const int last = 1 + static_cast<int>(random.below(static_cast<Index>(tree.fronts.size()) - 10));
    StopSignal stop;
    std::atomic<int> seen{0};
    const auto note = [&](std::size_t, const planar::FrontMatrix&, std::size_t) {
      if (++seen == last) stop.request();
    };
    EXPECT_THROW(planar::eliminate_on_threads(matrix, tree, lanes, threads, stop, note), Stopped);
    EXPECT_LT(seen, last + threads);
  }
}

/// As a check does, which runs by itself.
TEST(ThreadedElimination, DeterminantsOnSpareThreads) {
  const StopSignal never;
  for (const char* const spec : {"square:80x80", "triangular:50x50"}) {
    const AnyBlock block = lattice_block(spec);
    auto terms = planar::oriented_terms(block);
    const planar::SignedMatrix& matrix = std::get<planar::Terms>(terms)[0].matrix;
    const planar::FrontTree tree = planar::dissection_tree(matrix.graph);
    const auto determinant_by = [&](const planar::LaneCode& code, int threads) {
      std::vector<std::uint64_t> primes;
      for (const Modulus& modulus : choose_primes(code.width, {}, 50)) primes.push_back(modulus.prime);
      const SpareThreads spare(threads);
      return planar::determinant(matrix, tree, code, primes, never);
    };
    EXPECT_EQ(determinant_by(planar::portable_lanes(), 3), determinant_by(planar::portable_lanes(), 1));
    if (processor_has(InstructionSet::avx512)) {
      EXPECT_EQ(determinant_by(planar::avx512_lanes(), 3), determinant_by(planar::avx512_lanes(), 1));
    }
    EXPECT_EQ(SpareThreads::here(), 1);
  }
}

TEST(PlanarLayout, IsTheSameOnAnyNumberOfThreads) {
  for (const char* const spec : {"square:90x90", "triangular:50x50"}) {
    const AnyBlock block = lattice_block(spec);
    auto terms = planar::oriented_terms(block);
    const planar::SignedMatrix& matrix = std::get<planar::Terms>(terms)[0].matrix;
    const planar::FrontTree tree = planar::dissection_tree(matrix.graph);
    const StopSignal never;
    const auto order = planar::reference_pivots(matrix, tree, 3, never);
    ASSERT_TRUE(order);
    const PlanarLayout one = planar_layout(matrix, tree, *order, 1);
    const PlanarLayout many = planar_layout(matrix, tree, *order, 3);
    const auto pairs_of = [](const auto& list, auto first, auto second) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
      pairs.reserve(list.size());
      for (const auto& one_of_them : list) pairs.emplace_back(one_of_them.*first, one_of_them.*second);
      return pairs;
    };
    EXPECT_EQ(one.edge_start, many.edge_start) << spec;
    EXPECT_EQ(one.source_start, many.source_start) << spec;
    EXPECT_EQ(one.column_map, many.column_map) << spec;
    EXPECT_EQ(pairs_of(one.edges, &DeviceEntry::column, &DeviceEntry::signed_value),
              pairs_of(many.edges, &DeviceEntry::column, &DeviceEntry::signed_value))
        << spec;
    EXPECT_EQ(pairs_of(one.sources, &DeviceSource::front, &DeviceSource::row),
              pairs_of(many.sources, &DeviceSource::front, &DeviceSource::row))
        << spec;
  }
}

}  // namespace
}  // namespace countpm
