// Whole tables of frontier that are joined on GPUs, their very steps run on the CPU, and on GPUs where there
// are any: bit for bit what the CPU's tables yield.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "graph/errors.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/gpu/dense_join.hpp"
#include "kernels/frontier/ranked/ranked_program.hpp"
#include "kernels/frontier/tables/run_program.hpp"
#include "kernels/support/plan_text.hpp"
#include "tests/kernels/frontier/banded_matrix.hpp"
#include "tests/kernels/frontier/frontier_device_testing.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::frontier_join_test {
namespace {

using namespace countpm::testing;

constexpr auto whole_tables = TableForm::dense;

// All of some size, each once.
TEST(FrontierDenseJoins, SubsetsOfAWord) {
  for (const std::uint32_t word : {0U, 1U, 0x80000000U, 0xb5U, 0x80100811U, 0xc0000001U, 0x3ffU}) {
    std::uint32_t count = 0;
    for (int size = 0; size <= std::popcount(word); ++size) {
      std::uint32_t subset = dense_step::lowest_ones(word, static_cast<unsigned>(size));
      std::uint32_t last = 0;
      do {
        ASSERT_EQ(subset & ~word, 0U);
        ASSERT_EQ(std::popcount(subset), size);
        ASSERT_TRUE(size == 0 || subset > last);
        last = subset;
        ++count;
        subset = dense_step::next_subset(subset, word);
      } while (subset != 0);
    }
    EXPECT_EQ(count, 1U << std::popcount(word));
  }
}

template <class Value>
void expect_the_same(const Block<Value>& block, const ClassGraph& graph, const Elimination& tree,
                     const Arithmetic& arithmetic, std::uint32_t low_bits,
                     FrontierDeviceStatistics* statistics = nullptr) {
  const auto columns = make_value_columns(block, arithmetic);
  const auto expected =
      std::get<Residues>(run_program(make_program(graph, tree), *columns, StopSignal(), {}));
  for (const GpuInfo& gpu : all_gpus()) {
    DeviceRun how;
    how.form = whole_tables;
    how.low_bits = low_bits;
    ASSERT_EQ(run_on_device(gpu, block, graph, tree, arithmetic, how, statistics), expected)
        << gpu.name << ", " << arithmetic.name() << ", " << low_bits << " low bits\n"
        << text_of(block) << "\n"
        << text_of(tree);
  }
}
template <class Value>
void expect_the_same(const Block<Value>& block, Random& random, const Arithmetic& arithmetic) {
  const ClassGraph graph = class_graph(block, below(random, 4) != 0);
  expect_the_same(block, graph, random_elimination(graph, random), arithmetic,
                  static_cast<std::uint32_t>(below(random, most_dense_low_bits + 1)));
}

const Arithmetic& modulo(int round) {
  static const std::vector<Arithmetic> all = frontier_arithmetics();
  return all[static_cast<std::size_t>(round) % all.size()];
}

TEST(FrontierDenseJoins, AnyTreeOfIntegers) {
  Random random(121);
  for (int round = 0; round < repeats(300) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    expect_the_same(random_integers(random, static_cast<Index>(below(random, 10)), below(random, 2) == 0),
                    random, modulo(round));
  }
}

// Sparse ones, whose separators leave many components: joins of joins.
TEST(FrontierDenseJoins, AnyTreeOfSparseMatrices) {
  Random random(122);
  std::uint32_t most_joins = 0;
  for (int round = 0; round < repeats(150) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto block =
        tree_like(random, static_cast<Index>(8 + below(random, 10)), static_cast<Index>(below(random, 9)));
    const ClassGraph graph = class_graph(block, below(random, 2) == 0);
    const Elimination tree = random_elimination(graph, random);
    expect_the_same(block, graph, tree, modulo(round), static_cast<std::uint32_t>(below(random, 8)));
    most_joins = std::max(most_joins, make_dense_program(graph, tree)->figures.joins);
  }
  EXPECT_GT(most_joins, 3U);
}

TEST(FrontierDenseJoins, AnyTreeOfTwinsAndRationals) {
  Random random(123);
  const Arithmetic primes = residues_modulo({first_prime, second_prime});
  for (int round = 0; round < repeats(80) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    expect_the_same(block_of_twins(random, static_cast<Index>(1 + below(random, 4)),
                                   static_cast<Index>(1 + below(random, 8))),
                    random, modulo(round));
    expect_the_same(random_block<mpq_class>(random, static_cast<Index>(below(random, 8)), 0.5,
                                            below(random, 2) == 0, [&] { return random_rational(random); }),
                    random, primes);
  }
}

/// The first and the last `count` vertices in tables of their own, which are joined before the others.
Elimination from_two_ends(const ClassGraph& graph, Index ends, Index count) {
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

struct Tree {
  Band band;
  Elimination elimination;
};
Tree tree_in_a_band(Index rows, Index reach, Index ends) {
  Tree tree{make_band(rows, reach, false), {}};
  tree.band.graph = class_graph(tree.band.block, false);
  tree.elimination = from_two_ends(tree.band.graph, rows, ends);
  return tree;
}

// More sets than are joined at once on an emulated GPU, few of their vertices shared or all, some of which
// leave with the join.
TEST(FrontierDenseJoins, SeveralLaunches) {
  const Tree apart = tree_in_a_band(20, 6, 6);
  const Tree shared = tree_in_a_band(12, 11, 6);
  for (const Tree* tree : {&apart, &shared}) {
    const auto program = make_dense_program(tree->band.graph, tree->elimination);
    ASSERT_TRUE(program);
    ASSERT_EQ(program->joins.size(), 1U);
    EXPECT_EQ(program->figures.joins, 1U);
    EXPECT_GT(program->figures.pairs, tree == &apart ? 65536 : 900);
    FrontierDeviceStatistics statistics;
    for (int kind = 0; kind < 5; ++kind)
      expect_the_same(tree->band.block, tree->band.graph, tree->elimination, modulo(kind), 12, &statistics);
    EXPECT_EQ(statistics.dense_programs, 2U);  // it is run twice
    EXPECT_EQ(statistics.key_bits, 0U);
  }
}

// As many pairs and as wide tables as the CPU's tables without keys, where those tell all vertices apart.
TEST(FrontierDenseJoins, FiguresAreThoseOfTheCpu) {
  Random random(124);
  int joins = 0;
  for (int round = 0; round < repeats(60); ++round) {
    const auto block = tree_like(random, 16, 4);
    const ClassGraph graph = class_graph(block, false);
    const Elimination tree = random_elimination(graph, random);
    const auto dense = make_dense_program(graph, tree);
    const auto ranked =
        make_ranked_program(graph, integer_weights(block), tree, ~std::uint32_t{0}, AlikeRule::apart);
    ASSERT_TRUE(dense && ranked);
    ASSERT_EQ(dense->zero, ranked->zero);
    if (dense->zero) continue;
    EXPECT_NEAR(dense->figures.log2_moves, std::log2(std::max(ranked->moves, 1.0)), 1e-9);
    EXPECT_NEAR(dense->figures.log2_peak, std::log2(static_cast<double>(ranked->peak_states)), 1e-9);
    EXPECT_EQ(dense->figures.width, ranked->width);
    ASSERT_EQ(dense->joins.size(), ranked->joins.size());
    for (std::size_t k = 0; k < dense->joins.size(); ++k, ++joins)
      EXPECT_EQ(dense->joins[k].pairs, ranked->joins[k].pairs);
  }
  EXPECT_GT(joins, 0);
}

/// No table is made where another is still in use.
bool places_are_kept_apart(const DenseProgram& program) {
  struct Stretch {
    std::uint64_t first;
    std::uint64_t last;
  };
  std::vector<Stretch> stack;
  for (const DenseAction& action : program.actions) {
    const std::uint64_t first = action.at_end ? program.states - action.states : action.below;
    const Stretch made{first, first + action.states};
    if (made.last > program.states) return false;
    for (const Stretch& other : stack) {
      if (made.first < other.last && other.first < made.last) return false;
    }
    if (action.kind == DenseAction::Kind::join) stack.pop_back();
    if (action.kind != DenseAction::Kind::start) stack.pop_back();
    stack.push_back(made);
  }
  return stack.size() == 1;
}

TEST(FrontierDenseJoins, PlacesOfTables) {
  Random random(125);
  for (int round = 0; round < repeats(200); ++round) {
    const auto block = tree_like(random, static_cast<Index>(1 + below(random, 18)), 4);
    const ClassGraph graph = class_graph(block, false);
    const auto program = make_dense_program(graph, random_elimination(graph, random));
    ASSERT_TRUE(program);
    if (!program->zero) {
      EXPECT_TRUE(places_are_kept_apart(*program));
    }
  }
}

MethodOptions that_follow(const Elimination& tree) {
  PlanWriter writer;
  std::vector<std::uint64_t> steps;
  for (const EliminationStep& step : tree.steps) {
    const bool push = step.kind == EliminationStep::Kind::push;
    steps.push_back(step.kind == EliminationStep::Kind::eliminate ? std::uint64_t{step.vertex}
                                                                  : std::uint64_t{no_index} + (push ? 0 : 1));
  }
  writer.put_all("steps", steps);
  writer.put_all("branches", std::vector<Index>());
  MethodOptions options;
  options.order = OrderKind::tree;  // so that no line will do
  options.plan = writer.text();
  return options;
}

// In the least memory that will do for all moduli at once, for one at a time, and in less.
TEST(FrontierDenseJoins, LittleMemory) {
  const Tree tree = tree_in_a_band(16, 5, 5);
  const auto program = make_dense_program(tree.band.graph, tree.elimination);
  ASSERT_TRUE(program);
  const Arithmetic primes = residues_modulo({first_prime, second_prime, 10007});
  const StopSignal never;
  const auto job = frontier_method().make_job(tree.band.block, primes, that_follow(tree.elimination));
  const Partial expected = job->run(0, never);
  const auto with_room_for = [&](double bytes_a_state) {
    GpuInfo gpu = emulated_gpu(0);
    const double bytes = bytes_a_state * static_cast<double>(program->states) +
                         static_cast<double>(program->figures.list_bytes);
    gpu.memory_bytes = static_cast<std::uint64_t>((bytes + 1) / frontier_tuning::memory_share) + 1;
    return gpu;
  };
  for (const auto& [bytes, passes] : {std::pair{20.0, 1U}, {16.0, 2U}, {8.0, 3U}}) {
    const GpuInfo gpu = with_room_for(bytes);
    EXPECT_GT(job->nominal_device_rate(gpu), 0);
    const auto device = job->on_device(gpu);
    EXPECT_EQ(std::get<Residues>(device->run(0, 1, never)), std::get<Residues>(expected));
    EXPECT_EQ(dynamic_cast<FrontierDeviceJob&>(*device).statistics().dense_programs, passes) << bytes;
    EXPECT_EQ(job->describe().find("in 2 passes") != std::string::npos, passes == 2) << job->describe();
  }
  const GpuInfo small = with_room_for(7.9);
  EXPECT_EQ(job->nominal_device_rate(small), 0);
  try {
    job->on_device(small);
    FAIL() << "not refused";
  } catch (const UnableError& error) {
    EXPECT_NE(std::string(error.what()).find("whole tables of 2^"), std::string::npos) << error.what();
  }
}

// The tree where it is less work than any line, and what is asked for in any case.
TEST(FrontierDenseJoins, ChosenByFigures) {
  const GpuInfo gpu = emulated_gpu(0);
  DenseFigures tree;
  tree.log2_states = 20;
  tree.log2_moves = 25;
  tree.joins = 3;
  FormChoice line;
  line.fits = true;
  line.seconds = 1e-9;
  EXPECT_FALSE(or_in_a_tree(&line, &tree, gpu, {8}).tree);
  EXPECT_FALSE(or_in_a_tree(&line, nullptr, gpu, {8}).tree);
  line.seconds = 1e9;
  EXPECT_TRUE(or_in_a_tree(&line, &tree, gpu, {8}).tree);
  EXPECT_TRUE(or_in_a_tree(nullptr, &tree, gpu, {8}).fits);
  DenseFigures dear = tree;
  dear.pairs = std::exp2(24);
  EXPECT_GT(or_in_a_tree(nullptr, &dear, gpu, {8}).seconds, or_in_a_tree(nullptr, &tree, gpu, {8}).seconds);
  tree.list_bytes = std::uint64_t{1} << 40;
  EXPECT_FALSE(or_in_a_tree(&line, &tree, gpu, {8}).tree);
  EXPECT_FALSE(or_in_a_tree(nullptr, &tree, gpu, {8}).fits);
  EXPECT_FALSE(or_in_a_tree(nullptr, nullptr, gpu, {8}).fits);
  tree.list_bytes = 0;
  const GpuInfo team = joined_gpus({emulated_gpu(0), emulated_gpu(1)});
  EXPECT_FALSE(or_in_a_tree(nullptr, &tree, team, {8}).fits);
}

TEST(FrontierDenseJoins, AnOrderThatIsAskedFor) {
  Random random(126);
  const StopSignal never;
  MethodOptions options;
  options.order = OrderKind::tree;
  int trees = 0;
  for (int round = 0; round < repeats(20); ++round) {
    const auto block = tree_like(random, 40, 8);
    const Arithmetic& arithmetic = modulo(round);
    const auto job = frontier_method().make_job(block, arithmetic, options);
    const Partial expected = job->run(0, never);
    if (job->describe().find("join") == std::string::npos) continue;
    ++trees;
    const auto device = job->on_device(emulated_gpu(0));
    EXPECT_EQ(std::get<Residues>(device->run(0, 1, never)), std::get<Residues>(expected));
    EXPECT_GT(dynamic_cast<FrontierDeviceJob&>(*device).statistics().dense_programs, 0U);
    EXPECT_NE(job->describe().find("; on a GPU as whole tables, 2^"), std::string::npos) << job->describe();
    dynamic_cast<FrontierDeviceJob&>(*device).take_form(TableForm::sorted);
    EXPECT_THROW(device->run(0, 1, never), UnableError);
    // Several GPUs together join no tables.
    EXPECT_EQ(job->nominal_device_rate(joined_gpus({emulated_gpu(0), emulated_gpu(1)})), 0);
  }
  EXPECT_GT(trees, 0);
}

TEST(FrontierDenseJoins, AreNotForEverything) {
  Random random(127);
  // Joins over many vertices, and graphs with odd cycles.
  const Tree wide = tree_in_a_band(most_shared_on_gpus + 1, most_shared_on_gpus, 1);
  EXPECT_FALSE(make_dense_program(wide.band.graph, wide.elimination));
  const ClassGraph odd = class_graph(random_graph(random, 12, 0.4));
  EXPECT_FALSE(make_dense_program(odd, random_elimination(odd, random)));
  // A sum of nothing.
  const std::vector<std::vector<std::int64_t>> cells{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}};
  const auto nothing = dense_block(cells, 3);
  const ClassGraph graph = class_graph(nothing, false);
  for (int round = 0; round < 20; ++round)
    expect_the_same(nothing, graph, random_elimination(graph, random), modulo(round), 3);
}

// More than CPUs' tables without keys are joined over: two full rows, and a path.
TEST(FrontierDenseJoins, OverManyVertices) {
  constexpr Index n = most_shared + 1;
  std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 0));
  for (Index j = 0; j < n; ++j) cells[0][j] = cells[n - 1][j] = 1 + j % 3;
  for (Index i = 1; i + 1 < n; ++i) cells[i][i - 1] = cells[i][i] = 1;
  const auto block = dense_block(cells, n);
  const ClassGraph graph = class_graph(block, false);
  const Elimination tree = from_two_ends(graph, n, 1);
  const auto program = make_dense_program(graph, tree);
  ASSERT_TRUE(program);
  ASSERT_EQ(program->joins.size(), 1U);
  EXPECT_EQ(program->joins[0].shape.shared(), n);
  EXPECT_EQ(program->joins[0].pairs, 2 * (n - 1));  // one of the columns is used by one of the two
  expect_the_same(block, graph, tree, wrap_around(64), 12);
}

TEST(FrontierDenseJoins, StopWhenTold) {
  const Tree tree = tree_in_a_band(16, 5, 5);
  const auto job =
      frontier_method().make_job(tree.band.block, wrap_around(64), that_follow(tree.elimination));
  const auto device = job->on_device(emulated_gpu(0));
  StopSignal stop;
  stop.request();
  EXPECT_THROW(device->run(0, 1, stop), Stopped);
}

}  // namespace
}  // namespace countpm::frontier_join_test
