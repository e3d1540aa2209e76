// The dense form of frontier on GPUs, its very steps run on the CPU, and on GPUs where there are any: bit for
// bit what the CPU's tables yield.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/gpu/dense_kernel.hpp"
#include "kernels/frontier/order/order_search.hpp"
#include "kernels/frontier/tables/run_program.hpp"
#include "tests/kernels/frontier/frontier_device_testing.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::frontier_dense_test {
namespace {

using namespace countpm::testing;

constexpr auto dense = TableForm::dense;

// All sets of a width and a number of ones, in the order of their values.
TEST(FrontierDense, RanksOfSets) {
  const std::vector<std::uint64_t> binomials = dense_binomials();
  EXPECT_EQ(binomials[64 * 65 + 32], 1832624140942590534U);
  for (unsigned width = 0; width <= 10; ++width) {
    for (unsigned ones = 0; ones <= width; ++ones) {
      std::uint64_t rank = 0;
      std::uint64_t stepped = 0;
      for (std::uint64_t set = 0; set < std::uint64_t{1} << width; ++set) {
        if (std::popcount(set) != static_cast<int>(ones)) continue;
        stepped = rank == 0 ? set : dense_step::next_set(stepped);
        ASSERT_EQ(stepped, set);
        ASSERT_EQ(dense_step::set_of_rank(binomials.data(), width, ones, rank), set);
        ASSERT_EQ(dense_step::first_rank(binomials.data(), set, 0, 0), rank);
        // The last bits by themselves: the first set with these high bits, and the way from it.
        const unsigned low = width / 2;
        const std::uint64_t below = set & ((std::uint64_t{1} << low) - 1);
        const auto low_ones = static_cast<unsigned>(std::popcount(below));
        ASSERT_EQ(dense_step::first_rank(binomials.data(), set >> low, low, low_ones) +
                      dense_low_sets(low).rank[below],
                  rank);
        ++rank;
      }
      ASSERT_EQ(rank, binomials[width * 65 + ones]);
    }
  }
  Random random(100);
  for (int round = 0; round < repeats(2000); ++round) {
    const auto ones = static_cast<unsigned>(below(random, 65));
    const std::uint64_t rank = below(random, binomials[64 * 65 + ones]);
    const std::uint64_t set = dense_step::set_of_rank(binomials.data(), 64, ones, rank);
    ASSERT_EQ(std::popcount(set), static_cast<int>(ones));
    ASSERT_EQ(dense_step::first_rank(binomials.data(), set, 0, 0), rank);
    if (rank + 1 < binomials[64 * 65 + ones]) {
      ASSERT_EQ(dense_step::next_set(set), dense_step::set_of_rank(binomials.data(), 64, ones, rank + 1));
    }
  }
}

template <class Value>
void expect_same(const Block<Value>& block, const Elimination& elimination, const ClassGraph& graph,
                 const Arithmetic& arithmetic, std::uint32_t low_bits) {
  const StopSignal never;
  const auto columns = make_value_columns(block, arithmetic);
  const auto expected =
      std::get<Residues>(run_program(make_program(graph, elimination), *columns, never, {}));
  for (const GpuInfo& gpu : all_gpus()) {
    DeviceRun how;
    how.form = dense;
    how.low_bits = low_bits;
    ASSERT_EQ(run_on_device(gpu, block, graph, elimination, arithmetic, how), expected)
        << gpu.name << ", " << arithmetic.name() << ", " << low_bits << " low bits\n"
        << text_of(block) << "\n"
        << text_of(elimination);
  }
}

/// In any order, rows and columns mixed.
template <class Value>
void expect_same(const Block<Value>& block, Random& random, const Arithmetic& arithmetic) {
  const ClassGraph graph = class_graph(block, below(random, 4) != 0);
  expect_same(block, linear_elimination(graph, random), graph, arithmetic,
              static_cast<std::uint32_t>(below(random, most_dense_low_bits + 1)));
}

TEST(FrontierDense, AnyEliminationOfIntegers) {
  Random random(101);
  for (int round = 0; round < repeats(300) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto block = random_integers(random, static_cast<Index>(below(random, 10)), below(random, 2) == 0);
    expect_same(block, random, frontier_arithmetics()[static_cast<std::size_t>(round % 5)]);
  }
}

TEST(FrontierDense, AnyEliminationOfRationals) {
  Random random(102);
  const Arithmetic primes = residues_modulo({first_prime, second_prime});
  for (int round = 0; round < repeats(60) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto block =
        random_block<mpq_class>(random, static_cast<Index>(below(random, 8)), 0.5, below(random, 2) == 0,
                                [&] { return random_rational(random); });
    expect_same(block, random, primes);
  }
}

// Members of a class are vertices of their own here, and what they share is not counted twice.
TEST(FrontierDense, Twins) {
  Random random(103);
  for (int round = 0; round < repeats(100) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto distinct = static_cast<Index>(1 + below(random, 4));
    const auto n = static_cast<Index>(1 + below(random, 8));
    expect_same(block_of_twins(random, distinct, n), random,
                frontier_arithmetics()[static_cast<std::size_t>(round % 5)]);
  }
}

// Few entries, so that any elimination does at 65 rows; runs of more places than a warp works on at a time.
TEST(FrontierDense, BandsOfEverySize) {
  Random random(104);
  for (const Index n : {0U, 1U, 2U, 31U, 32U, 33U, 63U, 64U, 65U}) {
    for (const Index width : {1U, 2U, 4U, 8U}) {
      std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 0));
      for (Index i = 0; i < n; ++i) {
        for (Index j = i; j < std::min(i + width, n); ++j)
          cells[i][j] = cells[j][i] = i == j ? 1 : static_cast<std::int64_t>(below(random, 5)) - 2;
      }
      if (width > 4 && (n > 33 || sanitized)) continue;
      const auto block = dense_block(cells, n);
      const ClassGraph graph = class_graph(block, false);
      for (const Arithmetic& arithmetic : {wrap_around(64), frontier_arithmetics()[2]})
        expect_same(block, rows_in_order(graph), graph, arithmetic, n == 33 ? 12 : 5);
    }
  }
}

/// A path of rows, and one row with all columns.
Block<std::int64_t> path_and_row(Index n) {
  std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 0));
  for (Index i = 0; i + 1 < n; ++i) {
    cells[i][i] = 3;
    cells[i][i + 1] = -5;
  }
  for (Index j = 0; j < n; ++j) cells[n - 1][j] = 1 + j % 7;
  return dense_block(cells, n);
}

// The row with all columns last: one set for each column left free, and in the end all leave at once. First:
// as many kinds of predecessors as columns. Columns first: the same with rows, which count as free.
TEST(FrontierDense, FrontiersOfEveryWidth) {
  for (const Index n : {20U, 31U, 32U, 33U, 62U, 63U, 64U, 65U}) {
    if (sanitized && n != 20 && n != 33 && n < 64) continue;
    const auto block = path_and_row(n);
    const ClassGraph graph = class_graph(block, false);
    std::vector<Index> order;
    for (Index v = 0; v < 2 * n; ++v) order.push_back(v);
    for (unsigned kind = 0; kind < 2; ++kind) {
      SCOPED_TRACE(kind);
      if (kind == 1) std::rotate(order.begin(), order.begin() + n - 1, order.begin() + n);
      const Elimination rows = in_order(order);
      for (const Arithmetic& arithmetic : {wrap_around(64), frontier_arithmetics()[4]}) {
        if (n > 64) {
          DeviceRun how;
          how.form = dense;
          EXPECT_THROW(run_on_device(emulated_gpu(0), block, graph, rows, arithmetic, how), UnableError);
        } else {
          EXPECT_EQ(make_dense_program(graph, rows)->figures.width, n);
          for (const std::uint32_t low_bits : {0U, 1U, 6U, 12U}) {
            if (sanitized && low_bits != 6) continue;
            expect_same(block, rows, graph, arithmetic, low_bits);
          }
        }
      }
    }
    if (n > 33) continue;
    // The path's columns, one by one, each with its rows.
    std::vector<Index> columns;
    for (Index v = 0; v < n; ++v) columns.push_back(n + v);
    for (Index v = 0; v < n; ++v) columns.push_back(v);
    expect_same(block, in_order(columns), graph, wrap_around(64), 3);
  }
}

TEST(FrontierDense, NothingToCount) {
  const auto expect_zero = [](const std::vector<std::vector<std::int64_t>>& cells) {
    const auto block = dense_block(cells, static_cast<Index>(cells.size()));
    const ClassGraph graph = class_graph(block, false);
    Random random(105);
    for (int round = 0; round < repeats(20); ++round) {
      DeviceRun how;
      how.form = dense;
      how.low_bits = static_cast<std::uint32_t>(below(random, 4));
      ASSERT_EQ(run_on_device(emulated_gpu(0), block, graph, linear_elimination(graph, random),
                              wrap_around(64), how)
                    .residue[0],
                uint128{0});
    }
  };
  expect_zero({{0}});
  expect_zero({{1, 1, 0}, {1, 1, 0}, {1, 1, 0}});
  expect_zero({{1, 0, 0}, {1, 0, 0}, {1, 1, 1}});
  expect_zero({{1, 1, 1}, {0, 0, 0}, {1, 1, 1}});
  expect_zero({{1, -1}, {1, 1}});
}

// Exactly the bound of the CPU's forecast, where only columns are in the frontier.
TEST(FrontierDense, FiguresAreTheForecasts) {
  Random random(106);
  for (int round = 0; round < repeats(40); ++round) {
    const auto block = random_pattern(random, 14, 0.3);
    const ClassGraph graph = class_graph(block, false);
    const Elimination rows = random_linear_rows(graph, random);
    const auto program = make_dense_program(graph, rows);
    ASSERT_TRUE(program);
    if (program->zero) continue;
    const EliminationForecast forecast = forecast_elimination(graph, rows);
    EXPECT_NEAR(program->figures.log2_peak, forecast.log2_peak_states, 1e-9);
    EXPECT_NEAR(program->figures.log2_states, forecast.log2_peak_bytes_states, 1e-9);
    EXPECT_NEAR(program->figures.log2_moves, forecast.log2_transitions, 1e-9);
    EXPECT_EQ(program->figures.width, forecast.peak_width);
  }
}

/// What a job makes on a GPU in a form, and whether that was the dense one.
std::pair<Residues, bool> run_job(const Job& job, const GpuInfo& gpu, TableForm form) {
  const StopSignal never;
  const auto device = job.on_device(gpu);
  auto& tables = dynamic_cast<FrontierDeviceJob&>(*device);
  tables.take_form(form);
  auto result = std::get<Residues>(device->run(0, job.units(), never));
  return {result, tables.statistics().dense_programs != 0};
}

Block<std::int64_t> all_ones_but_diagonal(Index n, std::int64_t diagonal) {
  std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 1));
  for (Index i = 0; i < n; ++i) cells[i][i] = diagonal;
  return dense_block(cells, n);
}

// Tables of 48,620 sets: more than are launched at once on an emulated GPU.
TEST(FrontierDense, SeveralLaunchesAStep) {
  const auto block = all_ones_but_diagonal(18, 0);
  const ClassGraph graph = class_graph(block, false);
  FrontierDeviceStatistics statistics;
  DeviceRun how;
  how.form = dense;
  const Residues count =
      run_on_device(emulated_gpu(0), block, graph, rows_in_order(graph), wrap_around(64), how, &statistics);
  EXPECT_EQ(count.residue[0], uint128{2355301661033953});  // derangements, OEIS A000166
  EXPECT_EQ(statistics.peak_states, 48620U);
  EXPECT_GT(statistics.slices, 2 * 18U + 10);  // run twice
  EXPECT_EQ(statistics.key_bits, 0U);
  EXPECT_EQ(statistics.dense_programs, 2U);
}

// Full tables are kept whole; of twins there are few states among many sets.
TEST(FrontierDense, IsTakenWhereItIsFaster) {
  Random random(107);
  const StopSignal never;
  const auto full = frontier_method().make_job(random_pattern(random, 14, 0.5), wrap_around(64), {});
  const auto twins = frontier_method().make_job(all_ones_but_diagonal(18, 1), wrap_around(64), {});
  for (const auto& [job, expected] : {std::pair{full.get(), true}, {twins.get(), false}}) {
    const auto count = std::get<Residues>(job->run(0, never));
    for (const GpuInfo& gpu : all_gpus()) {
      const auto taken = run_job(*job, gpu, TableForm::automatic);
      if (gpu.emulated) {  // another has other figures
        EXPECT_EQ(taken.second, expected);
        EXPECT_EQ(job->describe().find("as whole tables") != std::string::npos, expected) << job->describe();
      }
      EXPECT_EQ(taken.first, count);
      for (const TableForm form : {TableForm::sorted, dense}) {
        const auto forced = run_job(*job, gpu, form);
        EXPECT_EQ(forced.second, form == dense);
        EXPECT_EQ(forced.first, count);
      }
    }
  }
}

TEST(FrontierDense, ChoosesByFigures) {
  const GpuInfo gpu = emulated_gpu(0);  // 1 GiB
  const SortedFigures fits{40, 20, 20, 10};
  const SortedFigures large{40, 40, 20, 10};
  const SortedFigures long_keys{200, 20, 20, 10};
  DenseFigures slow;
  slow.log2_states = 20;
  slow.log2_moves = 30;
  DenseFigures fast = slow;
  fast.log2_moves = 20;
  DenseFigures larger = fast;
  larger.log2_states = 40;
  EXPECT_EQ(choose_form(fits, &slow, gpu, {8}).form, TableForm::sorted);
  EXPECT_EQ(choose_form(fits, &fast, gpu, {8}).form, dense);
  EXPECT_EQ(choose_form(fits, &larger, gpu, {8}).form, TableForm::sorted);
  EXPECT_EQ(choose_form(fits, nullptr, gpu, {8}).form, TableForm::sorted);
  EXPECT_EQ(choose_form(large, &slow, gpu, {8}).form, dense);
  EXPECT_EQ(choose_form(long_keys, &slow, gpu, {8}).form, dense);
  EXPECT_EQ(choose_form(large, &larger, gpu, {8}).form, TableForm::sorted);
}

// 924 and 792 states at once: with keys twice the bytes.
TEST(FrontierDense, TakesOverWhereKeysDoNotFit) {
  const auto block = all_ones_but_diagonal(12, 0);
  MethodOptions options;
  options.order = OrderKind::rows;
  const auto job = frontier_method().make_job(block, wrap_around(64), options);
  GpuInfo gpu = emulated_gpu(0);
  constexpr double values = (924 + 792) * 8;
  gpu.memory_bytes = static_cast<std::uint64_t>(1.1 * values / frontier_tuning::memory_share);
  const auto taken = run_job(*job, gpu, TableForm::automatic);
  EXPECT_TRUE(taken.second);
  EXPECT_EQ(taken.first.residue[0], uint128{176214841});
  EXPECT_GT(job->nominal_device_rate(gpu), 0);
  EXPECT_THROW(run_job(*job, gpu, TableForm::sorted), UnableError);
  gpu.memory_bytes = static_cast<std::uint64_t>(0.9 * values / frontier_tuning::memory_share);
  EXPECT_EQ(job->nominal_device_rate(gpu), 0);
  EXPECT_THROW(job->on_device(gpu), UnableError);
}

// ... and the other way round, before anything is allocated.
TEST(FrontierDense, RefusesWhatDoesNotFit) {
  const auto twins = frontier_method().make_job(all_ones_but_diagonal(34, 1), wrap_around(64), {});
  EXPECT_FALSE(run_job(*twins, emulated_gpu(0), TableForm::automatic).second);
  EXPECT_THROW(run_job(*twins, emulated_gpu(0), dense), UnableError);
  Random random(108);
  const auto graph = random_graph(random, 12, 0.6);
  const auto odd = frontier_method().make_job(graph, wrap_around(64), {});
  EXPECT_FALSE(run_job(*odd, emulated_gpu(0), TableForm::automatic).second);
  EXPECT_THROW(run_job(*odd, emulated_gpu(0), dense), UnableError);
}

// Units of branches, all of them and the last ones, as after a checkpoint.
TEST(FrontierDense, Branches) {
  Random random(109);
  const StopSignal never;
  MethodOptions options;
  options.memory_bytes = (std::uint64_t{1} << 20) + 2500;  // for 50 to 200 states
  std::uint64_t most_units = 0;
  const std::vector<Arithmetic> all = frontier_arithmetics();
  for (std::size_t k = 0; k < all.size(); k += sanitized ? 2 : 1) {
    const Arithmetic& arithmetic = all[k];
    const auto job = frontier_method().make_job(random_pattern(random, 11, 0.6), arithmetic, options);
    const std::uint64_t units = job->units();
    most_units = std::max(most_units, units);
    Partial expected = zero(arithmetic);
    for (std::uint64_t unit = units / 3; unit < units; ++unit)
      add(expected, job->run(unit, never), arithmetic);
    for (const GpuInfo& gpu : all_gpus()) {
      const auto device = job->on_device(gpu);
      auto& tables = dynamic_cast<FrontierDeviceJob&>(*device);
      tables.take_form(dense);
      EXPECT_EQ(std::get<Residues>(device->run(units / 3, units, never)), std::get<Residues>(expected));
      EXPECT_GT(tables.statistics().dense_programs, 0U);
      // The forms in turn, in one job.
      tables.take_form(TableForm::sorted);
      EXPECT_EQ(std::get<Residues>(device->run(units / 3, units, never)), std::get<Residues>(expected));
    }
  }
  EXPECT_GT(most_units, 10U);
}

TEST(FrontierDense, StopsWhenTold) {
  const auto block = all_ones_but_diagonal(14, 0);
  const auto job = frontier_method().make_job(block, wrap_around(64), {});
  const auto device = job->on_device(emulated_gpu(0));
  dynamic_cast<FrontierDeviceJob&>(*device).take_form(dense);
  StopSignal stop;
  stop.request();
  EXPECT_THROW(device->run(0, 1, stop), Stopped);
}

}  // namespace
}  // namespace countpm::frontier_dense_test
