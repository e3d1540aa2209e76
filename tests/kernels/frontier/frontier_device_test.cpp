// The sorted form of frontier on GPUs, its very steps run on the CPU, and on GPUs where there are any: bit
// for bit what the CPU's tables yield, unit by unit.
#include <algorithm>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/gpu/sorted_job.hpp"
#include "kernels/frontier/tables/run_program.hpp"
#include "kernels/oracle/definition.hpp"
#include "tests/kernels/frontier/frontier_device_testing.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::frontier_device_test {
namespace {

using namespace countpm::testing;

std::vector<Arithmetic> arithmetics() {
  return frontier_arithmetics();
}

/// In the sorted form.
Residues on_device(const GpuInfo& gpu, const AnyBlock& block, const ClassGraph& graph,
                   const Elimination& elimination, const Arithmetic& arithmetic, double log2_states,
                   std::uint64_t slice_records = frontier_tuning::slice_records,
                   FrontierDeviceStatistics* statistics = nullptr) {
  return run_on_device(gpu, block, graph, elimination, arithmetic, {log2_states, slice_records}, statistics);
}

template <class Value>
void expect_same(const Block<Value>& block, const Elimination& elimination, const ClassGraph& graph,
                 const Arithmetic& arithmetic, std::uint64_t slice_records = frontier_tuning::slice_records) {
  const StopSignal never;
  const auto columns = make_value_columns(block, arithmetic);
  const auto expected =
      std::get<Residues>(run_program(make_program(graph, elimination), *columns, never, {}));
  for (const GpuInfo& gpu : all_gpus()) {
    ASSERT_EQ(on_device(gpu, block, graph, elimination, arithmetic, 4, slice_records), expected)
        << gpu.name << ", " << arithmetic.name() << "\n"
        << text_of(block) << "\n"
        << text_of(elimination);
  }
}

template <class Value>
void expect_same(const Block<Value>& block, Random& random, const Arithmetic& arithmetic,
                 std::uint64_t slice_records = frontier_tuning::slice_records) {
  const ClassGraph graph = class_graph(block, below(random, 4) != 0);
  expect_same(block, linear_elimination(graph, random), graph, arithmetic, slice_records);
}

TEST(FrontierDevice, AnyEliminationOfIntegers) {
  Random random(81);
  for (int round = 0; round < 300 && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto block = random_integers(random, static_cast<Index>(below(random, 10)), below(random, 2) == 0);
    expect_same(block, random, arithmetics()[static_cast<std::size_t>(round % 5)]);
  }
}

TEST(FrontierDevice, AnyEliminationOfRationals) {
  Random random(82);
  const Arithmetic primes = residues_modulo({first_prime, second_prime});
  for (int round = 0; round < 60 && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto block =
        random_block<mpq_class>(random, static_cast<Index>(below(random, 8)), 0.5, below(random, 2) == 0,
                                [&] { return random_rational(random); });
    expect_same(block, random, primes);
  }
}

TEST(FrontierDevice, TwinsAndGeneralGraphs) {
  Random random(83);
  for (int round = 0; round < repeats(150) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const Arithmetic arithmetic = arithmetics()[static_cast<std::size_t>(round % 5)];
    expect_same(block_of_twins(random, static_cast<Index>(1 + below(random, 4)),
                               static_cast<Index>(1 + below(random, 9))),
                random, arithmetic);
    if (round % 10 == 0) expect_same(block_of_twins(random, 7, 14), random, arithmetic);
    expect_same(random_graph(random, static_cast<Index>(below(random, 15)),
                             0.15 + 0.1 * static_cast<double>(below(random, 7))),
                random, arithmetic);
  }
}

/// A random graph whose vertices may stay alone, most of them.
Block<std::int64_t> random_monomers(Random& random, Index vertices, double density) {
  std::vector<std::vector<std::int64_t>> cells(vertices, std::vector<std::int64_t>(vertices, 0));
  const auto share = static_cast<std::uint64_t>(1000 * density);
  for (Index u = 0; u < vertices; ++u) {
    if (below(random, 5) != 0) cells[u][u] = static_cast<std::int64_t>(1 + below(random, 3));
    for (Index v = 0; v < u; ++v) {
      if (below(random, 1000) < share)
        cells[u][v] = cells[v][u] = static_cast<std::int64_t>(1 + below(random, 2));
    }
  }
  Block<std::int64_t> block = dense_block(cells, vertices);
  block.general = block.monomers = true;
  return block;
}

/// The same, and sets of them behind it that are covered together.
Block<std::int64_t> random_tiles(Random& random, Index vertices, double density, Index tiles) {
  const Block<std::int64_t> plain = random_monomers(random, vertices, density);
  const Index rows = vertices + tiles;
  std::vector<std::vector<std::int64_t>> cells(rows, std::vector<std::int64_t>(rows, 0));
  for (Index v = 0; v < vertices; ++v) {
    for (std::uint64_t k = plain.matrix.row_start[v]; k < plain.matrix.row_start[v + std::uint64_t{1}]; ++k)
      cells[v][plain.matrix.column[k]] = plain.matrix.value[k];
    if (below(random, 2) == 0) cells[v][v] = 0;
  }
  for (Index tile = vertices; tile < rows; ++tile) {
    const auto weight = static_cast<std::int64_t>(1 + below(random, 4));
    const auto first = static_cast<Index>(below(random, vertices));
    const auto step = static_cast<Index>(1 + below(random, 2));
    const std::uint64_t members = 2 + below(random, std::min<std::uint64_t>(4, vertices / step - 1));
    for (std::uint64_t member = 0; member < members; ++member) {
      const auto v = static_cast<Index>((first + member * step) % vertices);
      cells[v][tile] = cells[tile][v] = weight;
    }
  }
  Block<std::int64_t> block = dense_block(cells, rows);
  block.general = block.monomers = true;
  block.tiles = tiles;
  return block;
}

/// On devices, by the definition, and in the memory of 50 to 200 states. Returns the units that takes.
std::uint64_t expect_same_everywhere(const Block<std::int64_t>& block, Random& random,
                                     const Arithmetic& arithmetic) {
  expect_same(block, random, arithmetic);
  const Residues expected = run_residues(*definition_method().make_job(block, arithmetic, {}), arithmetic);
  EXPECT_EQ(run_residues(*frontier_method().make_job(block, arithmetic, {}), arithmetic), expected);
  MethodOptions little;
  little.memory_bytes = (std::uint64_t{1} << 20) + 2500;
  const auto branches = frontier_method().make_job(block, arithmetic, little);
  EXPECT_EQ(run_residues(*branches, arithmetic), expected) << branches->units() << " units";
  return branches->units();
}

TEST(FrontierDevice, SetsThatAreCoveredTogether) {
  Random random(241);
  std::uint64_t most_units = 0;
  for (int round = 0; round < std::max(repeats(60), 5) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const bool wide = round % 5 == 4;
    const auto vertices = static_cast<Index>(wide ? 12 : 4 + below(random, 8));
    const double density = wide ? 0.6 : 0.1 + 0.1 * static_cast<double>(below(random, 5));
    const auto block = random_tiles(random, vertices, density, static_cast<Index>(1 + below(random, 9)));
    const Arithmetic arithmetic = arithmetics()[static_cast<std::size_t>(round % 5)];
    most_units = std::max(most_units, expect_same_everywhere(block, random, arithmetic));
  }
  EXPECT_GT(most_units, 1U);
}

TEST(FrontierDevice, VerticesThatMayStayAlone) {
  Random random(240);
  std::uint64_t most_units = 0;
  for (int round = 0; round < std::max(repeats(60), 5) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const Arithmetic arithmetic = arithmetics()[static_cast<std::size_t>(round % 5)];
    // Every fifth has more states than fit.
    const auto block = round % 5 == 4 ? random_monomers(random, 11, 0.8)
                                      : random_monomers(random, static_cast<Index>(1 + below(random, 11)),
                                                        0.1 + 0.1 * static_cast<double>(below(random, 7)));
    most_units = std::max(most_units, expect_same_everywhere(block, random, arithmetic));
  }
  EXPECT_GT(most_units, 1U);
}

// Few entries, so that any elimination does at 65 rows.
TEST(FrontierDevice, EverySize) {
  Random random(84);
  for (const Index n : {0U, 1U, 2U, 31U, 32U, 33U, 63U, 64U, 65U}) {
    const auto band = [&](Index width) {
      std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 0));
      for (Index i = 0; i < n; ++i) {
        for (Index j = i; j < std::min(i + width, n); ++j)
          cells[i][j] = cells[j][i] = i == j ? 1 : static_cast<std::int64_t>(below(random, 2));
      }
      return dense_block(cells, n);
    };
    for (const Index width : {1U, 2U, 4U}) {
      const auto block = band(width);
      const ClassGraph graph = class_graph(block, false);
      for (const Arithmetic& arithmetic : arithmetics())
        expect_same(block, rows_in_order(graph), graph, arithmetic);
    }
  }
}

// Slices of few records: every cut, the largest keys and those of one word or two to the last bit.
TEST(FrontierDevice, SlicesOfFewRecords) {
  Random random(85);
  for (int round = 0; round < repeats(60) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const Arithmetic arithmetic = arithmetics()[static_cast<std::size_t>(round % 5)];
    const std::uint64_t records = 40 + below(random, 200);
    expect_same(random_pattern(random, 12, 0.4), random, arithmetic, records);
    expect_same(block_of_twins(random, 4, 8), random, arithmetic, records);
  }
}

// A path of rows, and one row that keeps all its columns open: one state for every column left free.
TEST(FrontierDevice, KeysOfEveryWidth) {
  for (const Index n : {20U, 62U, 63U, 64U, 65U, 66U, 100U, 126U, 127U, 128U, 129U}) {
    std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 0));
    for (Index i = 0; i + 1 < n; ++i) {
      cells[i][i] = 3;
      cells[i][i + 1] = -5;
    }
    for (Index j = 0; j < n; ++j) cells[n - 1][j] = 1 + j % 7;
    const auto block = dense_block(cells, n);
    const ClassGraph graph = class_graph(block, false);
    const Elimination rows = rows_in_order(graph);
    EXPECT_EQ(make_program(graph, rows).key_bits, n);
    for (const Arithmetic& arithmetic : {wrap_around(64), wrap_around(128)}) {
      if (n > 128) {
        EXPECT_THROW(on_device(emulated_gpu(0), block, graph, rows, arithmetic, 10), UnableError);
      } else {
        for (const std::uint64_t records : {300U, 1000U})
          expect_same(block, rows, graph, arithmetic, records);
      }
    }
  }
}

/// Streams against all keys: those that arrive in a slice are found by its stretch, and no others.
template <class Key>
void expect_stretches(unsigned bits) {
  Random random(86);
  for (int round = 0; round < repeats(400); ++round) {
    StreamPlan plan;
    std::vector<Field> fields;
    for (std::uint32_t offset = bits - 8; offset < bits; offset += 2) fields.push_back({offset, 2});
    const bool counted = below(random, 2) == 0;
    for (std::size_t k = counted ? 1 : 0; k < fields.size(); ++k) {
      if (below(random, 2) == 0)
        plan.changes.push_back({fields[k], static_cast<std::uint32_t>(below(random, 4)),
                                static_cast<std::uint32_t>(below(random, 4))});
    }
    if (counted) {
      plan.counted = fields[0];
      plan.limit = 3;
    }
    const DeviceStream<Key> stream = device_stream<Key>(plan, 0);
    std::vector<Key> keys;
    for (unsigned k = 0; k < 256; ++k) {
      if (below(random, 3) != 0) keys.push_back(Key{k} << (bits - 8));
    }
    const Key last = bits == 8 * sizeof(Key) ? ~Key{0} : (Key{1} << bits) - 1;
    const std::uint64_t count = keys.size();
    const std::uint64_t end = frontier_step::first_above(stream, keys.data(), count, last);
    for (unsigned b = 0; b < 256; ++b) {
      const Key bound = Key{b} << (bits - 8);
      const std::uint64_t first = frontier_step::first_arriving(stream, keys.data(), count, bound);
      for (std::uint64_t k = 0; k < count; ++k) {
        if (!stream.takes(keys[k])) continue;
        ASSERT_LT(k, end);
        ASSERT_EQ(k >= first, stream.target(keys[k]) >= bound) << "round " << round;
      }
    }
  }
}
TEST(FrontierDevice, StretchesOfStreams) {
  expect_stretches<std::uint64_t>(20);
  expect_stretches<std::uint64_t>(64);
  expect_stretches<uint128>(64);
  expect_stretches<uint128>(101);
  expect_stretches<uint128>(128);
}

/// What the job's own units are on every GPU, in the form that is taken by figures and in the sorted one: all
/// of them, and a range.
void expect_job(const AnyBlock& block, const Arithmetic& arithmetic, const MethodOptions& options,
                const mpz_class* known = nullptr) {
  const StopSignal never;
  const auto job = frontier_method().make_job(block, arithmetic, options);
  const std::uint64_t units = job->units();
  for (const auto& [first, last] : {std::pair<std::uint64_t, std::uint64_t>{0, units}, {units / 3, units}}) {
    Partial expected = zero(arithmetic);
    for (std::uint64_t unit = first; unit < last; ++unit) add(expected, job->run(unit, never), arithmetic);
    for (const GpuInfo& gpu : all_gpus()) {
      ASSERT_GT(job->nominal_device_rate(gpu), 0);
      const auto device = job->on_device(gpu);
      for (const TableForm form : {TableForm::automatic, TableForm::sorted}) {
        dynamic_cast<FrontierDeviceJob&>(*device).take_form(form);
        ASSERT_EQ(std::get<Residues>(device->run(first, last, never)), std::get<Residues>(expected))
            << gpu.name << ", units " << first << " to " << last << " of " << units;
      }
    }
    if (known != nullptr && first == 0) {
      ASSERT_EQ(std::get<Residues>(expected), residues_of(mpq_class(*known), arithmetic));
    }
  }
}

Block<std::int64_t> all_ones(Index n, std::int64_t on_diagonal = 1) {
  std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 1));
  for (Index i = 0; i < n; ++i) cells[i][i] = on_diagonal;
  return dense_block(cells, n);
}

TEST(FrontierDevice, ClosedForms) {
  for (const Arithmetic& arithmetic : arithmetics()) {
    mpz_class factorial = 1;
    for (Index n = 1; n <= 12; ++n) {
      factorial *= n;
      expect_job(all_ones(n), arithmetic, {}, &factorial);
    }
    // No two rows alike, so that all sets of columns come up: derangements.
    const mpz_class derangements = 14684570;
    expect_job(all_ones(11, 0), arithmetic, {}, &derangements);
  }
}

/// For 50 to 200 states.
MethodOptions little_memory() {
  MethodOptions options;
  options.memory_bytes = (std::uint64_t{1} << 20) + 2500;
  return options;
}

TEST(FrontierDevice, BranchesOnSeveralGpus) {
  Random random(87);
  const auto block = random_pattern(random, 11, 0.5);
  std::uint64_t most_units = 0;
  const std::vector<Arithmetic> all = arithmetics();
  for (std::size_t k = 0; k < all.size(); k += sanitized ? 2 : 1) {
    const Arithmetic& arithmetic = all[k];
    MethodOptions options = little_memory();
    options.memory_bytes -= 1300;
    const auto job = frontier_method().make_job(block, arithmetic, options);
    most_units = std::max(most_units, job->units());
    expect_job(block, arithmetic, options);
    // Units in turn on two of them.
    const StopSignal never;
    const auto one = job->on_device(emulated_gpu(0));
    const auto two = job->on_device(emulated_gpu(1));
    Partial sum = zero(arithmetic);
    Partial expected = zero(arithmetic);
    for (std::uint64_t unit = 0; unit < job->units(); ++unit) {
      add(sum, (unit % 2 == 0 ? *one : *two).run(unit, unit + 1, never), arithmetic);
      add(expected, job->run(unit, never), arithmetic);
    }
    EXPECT_EQ(std::get<Residues>(sum), std::get<Residues>(expected));
  }
  EXPECT_GT(most_units, 10U);
}

// Where the best elimination has joins: in a line with keys, as whole tables in a line or the tree.
TEST(FrontierDevice, TreesInALine) {
  Random random(88);
  const StopSignal never;
  bool joined = false;
  for (int round = 0; round < repeats(10); ++round) {
    const auto block = tree_like(random, 40, 20);
    const Arithmetic arithmetic = arithmetics()[static_cast<std::size_t>(round % 5)];
    const auto job = frontier_method().make_job(block, arithmetic, {});
    job->improve(0.05, never);
    const Partial expected = job->run(0, never);
    const auto device = job->on_device(emulated_gpu(0));
    for (const TableForm form : {TableForm::automatic, TableForm::sorted}) {
      dynamic_cast<FrontierDeviceJob&>(*device).take_form(form);
      EXPECT_EQ(std::get<Residues>(device->run(0, 1, never)), std::get<Residues>(expected));
    }
    // ... also where only the plan is known.
    MethodOptions planned;
    planned.plan = job->plan();
    const auto follower = make_planned_job(frontier_method(), block, arithmetic, planned);
    if (follower->nominal_device_rate(emulated_gpu(0)) > 0) {
      EXPECT_EQ(std::get<Residues>(follower->on_device(emulated_gpu(0))->run(0, 1, never)),
                std::get<Residues>(expected));
    }
    joined = joined || (job->describe().find(" join") != std::string::npos &&
                        job->describe().find("; on a GPU in a line") != std::string::npos);
  }
  EXPECT_TRUE(joined);
}

/// What on_device says where it refuses.
std::string refusal(const Job& job, const GpuInfo& gpu) {
  EXPECT_EQ(job.nominal_device_rate(gpu), 0);
  try {
    job.on_device(gpu);
  } catch (const UnableError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(FrontierDevice, SaysWhatItCannotDo) {
  Random random(89);
  const auto block = random_pattern(random, 40, 0.1);
  Arithmetic floating;
  floating.kind = Arithmetic::Kind::floating;
  EXPECT_NE(refusal(*frontier_method().make_job(block, floating, {}), emulated_gpu(0)).find("floating"),
            std::string::npos);
  GpuInfo small = emulated_gpu(0);
  small.memory_bytes = 4000;
  const auto job = frontier_method().make_job(block, wrap_around(64), {});
  const std::string text = refusal(*job, small);
  EXPECT_NE(text.find("has memory for 2^"), std::string::npos) << text;
  // Of the two forms the one that is nearer to fitting.
  EXPECT_NE(text.find("states of 16 bytes"), std::string::npos) << text;
  const auto full = frontier_method().make_job(random_pattern(random, 16, 0.8), wrap_around(64), {});
  const std::string whole = refusal(*full, small);
  EXPECT_NE(whole.find("whole tables of 2^"), std::string::npos) << whole;
  EXPECT_NE(whole.find("values of 8 bytes"), std::string::npos) << whole;
  MethodOptions tree;
  tree.order = OrderKind::nested_dissection;
  const auto joined = frontier_method().make_job(random_graph(random, 40, 0.08), wrap_around(64), tree);
  ASSERT_NE(joined->describe().find("join"), std::string::npos) << joined->describe();
  EXPECT_NE(refusal(*joined, emulated_gpu(0)).find("tables are joined"), std::string::npos);
}

// The units are the first arithmetic's, the memory is this one's.
TEST(FrontierDevice, RunsAgainInAnotherArithmetic) {
  Random random(92);
  const StopSignal never;
  const auto block = random_pattern(random, 24, 0.15);
  const auto narrow = frontier_method().make_job(block, wrap_around(64), {});
  for (const Arithmetic& arithmetic : arithmetics()) {
    const auto job = narrow->with_moduli_subset(arithmetic);
    for (const GpuInfo& gpu : all_gpus()) {
      EXPECT_EQ(std::get<Residues>(job->on_device(gpu)->run(0, 1, never)),
                std::get<Residues>(job->run(0, never)));
    }
  }
  GpuInfo small = emulated_gpu(0);
  small.memory_bytes = 400;
  EXPECT_NE(refusal(*narrow, small).find("values of 8 bytes"), std::string::npos);
  EXPECT_NE(refusal(*narrow->with_moduli_subset(wrap_around(128)), small).find("values of 16 bytes"),
            std::string::npos);
}

// More states than were forecast: the tables grow, up to the memory.
TEST(FrontierDevice, TablesGrowUpToTheMemory) {
  const auto block = all_ones(12, 0);
  const ClassGraph graph = class_graph(block, false);
  const Arithmetic arithmetic = wrap_around(64);
  FrontierDeviceStatistics statistics;
  GpuInfo gpu = emulated_gpu(0);
  const Residues all = on_device(gpu, block, graph, rows_in_order(graph), arithmetic, 0, 512, &statistics);
  EXPECT_GT(statistics.slices, 40U);
  EXPECT_EQ(all.residue[0], uint128{176214841});
  EXPECT_EQ(statistics.peak_states, 924U);  // C(12, 6)
  // Rows 6 and 7 have 924 and 792 states.
  constexpr std::uint64_t needed = (924 + 792) * 16;
  for (const auto& [states, fits] : {std::pair{1.0, false}, {1.3, true}}) {
    gpu.memory_bytes =
        static_cast<std::uint64_t>(static_cast<double>(needed) * states / frontier_tuning::memory_share);
    if (fits) {
      EXPECT_EQ(on_device(gpu, block, graph, rows_in_order(graph), arithmetic, 0), all);
    } else {
      EXPECT_THROW(on_device(gpu, block, graph, rows_in_order(graph), arithmetic, 0), UnableError);
    }
  }
}

TEST(FrontierDevice, StopsWhenTold) {
  Random random(90);
  const auto job = frontier_method().make_job(random_pattern(random, 30, 0.2), wrap_around(64), {});
  const auto device = job->on_device(emulated_gpu(0));
  StopSignal stop;
  stop.request();
  EXPECT_THROW(device->run(0, 1, stop), Stopped);
}

TEST(FrontierDevice, MeasuresItsRate) {
  Random random(91);
  const auto block = random_pattern(random, 11, 0.5);
  for (const MethodOptions& options : {MethodOptions{}, little_memory()}) {
    const auto job = frontier_method().make_job(block, wrap_around(64), options);
    for (const GpuInfo& gpu : all_gpus()) {
      const auto device = job->on_device(gpu);
      EXPECT_GT(device->measured_rate(0.01), 0);
    }
  }
}

}  // namespace
}  // namespace countpm::frontier_device_test
