// Whole tables of frontier that lie on several GPUs together: emulated ones, and those of this machine. Bit
// for bit what the CPU's tables yield.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/gpu/dense_kernel.hpp"
#include "kernels/frontier/gpu/dense_slabs.hpp"
#include "kernels/frontier/tables/run_program.hpp"
#include "tests/kernels/frontier/frontier_device_testing.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::frontier_slabs_test {
namespace {

using namespace countpm::testing;

GpuInfo emulated_team(std::size_t size, bool reads, std::uint64_t memory_bytes = std::uint64_t{1} << 30) {
  std::vector<GpuInfo> gpus;
  for (std::size_t k = 0; k < size; ++k) {
    gpus.push_back(emulated_gpu(static_cast<int>(k)));
    gpus.back().memory_bytes = memory_bytes;
    if (!reads) gpus.back().link_bytes_a_second = 0;
  }
  return joined_gpus(gpus);
}

/// Of GPUs that read one another's memory, and of such as copy it; of this machine's GPUs, too, and of its
/// first one with itself.
std::vector<GpuInfo> all_teams() {
  std::vector<GpuInfo> teams;
  for (const std::size_t size : {2U, 3U, 4U, 7U}) {
    for (const bool reads : {true, false}) teams.push_back(emulated_team(size, reads));
  }
  const std::vector<GpuInfo> here = gpus();
  if (here.empty()) return teams;
  std::vector<std::vector<GpuInfo>> real{{here[0], here[0]}};
  if (here.size() > 1) {
    real.push_back(here);
    real.push_back({here[0], here[1], here[0], here[1]});
  }
  for (std::vector<GpuInfo>& some : real) {
    for (const bool reads : {true, false}) {
      for (GpuInfo& gpu : some) gpu.link_bytes_a_second = reads ? nvlink_bytes_a_second : 0;
      teams.push_back(joined_gpus(some));
    }
  }
  return teams;
}

std::string name_of(const GpuInfo& team) {
  return std::to_string(team.others.size() + 1) + " of " + team.name +
         (team.link_bytes_a_second > 0 ? ", read" : ", copied");
}

// Every place in one slab, borders between runs, shares even, and the classes of all slabs those of the
// table.
TEST(FrontierSlabs, CoverTheTable) {
  Random random(320);
  const std::vector<std::uint64_t> binomials = dense_binomials();
  for (int round = 0; round < repeats(1500); ++round) {
    SCOPED_TRACE(round);
    const auto low_bits = static_cast<std::uint32_t>(below(random, most_dense_low_bits + 1));
    const auto gpus = static_cast<std::size_t>(1 + below(random, most_dense_slabs));
    DenseShape shape;
    shape.to_width = static_cast<std::uint32_t>(below(random, round % 4 == 0 ? 61 : 21));
    shape.to_ones = static_cast<std::uint32_t>(below(random, shape.to_width + std::uint64_t{1}));
    const std::uint32_t border_low = std::min(low_bits, shape.to_width);
    shape.to_low = static_cast<std::uint32_t>(below(random, border_low + std::uint64_t{1}));
    const DenseSlabs slabs = new_table_slabs(shape, low_bits, gpus);
    const std::uint64_t all = binomials[shape.to_width * std::size_t{65} + shape.to_ones];
    ASSERT_EQ(slabs.first.front(), 0U);
    ASSERT_EQ(slabs.first.back(), all);
    ASSERT_GT(slabs.places(0), 0U);
    std::vector<std::uint64_t> high_parts(most_dense_low_bits + 2, 0);
    for (std::size_t slab = 0; slab < gpus; ++slab) {
      ASSERT_LE(slabs.first[slab], slabs.first[slab + 1]);
      ASSERT_LE(slabs.places(slab), all / gpus + most_dense_run + 1);
      if (slabs.first[slab] < all) {
        ASSERT_EQ(run_begin(slabs, slabs.first[slab]), slabs.first[slab]);
      }
      const DenseClasses classes = dense_classes(shape, slabs, slab);
      std::uint64_t places = 0;
      for (std::uint32_t c = 0; c < classes.count; ++c) {
        ASSERT_EQ(classes.start[c], high_parts[c]);
        const std::uint64_t own = classes.first[c + 1] - classes.first[c];
        high_parts[c] += own;
        places += own * dense_run(shape, classes.least + c);
        if (own == 0) continue;
        // The first and the last of its runs lie in the slab.
        const std::uint32_t ones = shape.to_ones - (classes.least + c);
        for (const std::uint64_t number : {classes.start[c], high_parts[c] - 1}) {
          const std::uint64_t high =
              dense_step::set_of_rank(binomials.data(), shape.to_width - shape.to_low, ones, number);
          const std::uint64_t first =
              dense_step::first_rank(binomials.data(), high, shape.to_low, classes.least + c);
          ASSERT_GE(first, slabs.first[slab]);
          ASSERT_LE(first + dense_run(shape, classes.least + c), slabs.first[slab + 1]);
        }
      }
      ASSERT_EQ(places, slabs.places(slab));
    }
    const DenseClasses whole = dense_classes(shape);
    for (std::uint32_t c = 0; c < whole.count; ++c) {
      ASSERT_EQ(high_parts[c], whole.first[c + 1] - whole.first[c]);
    }
  }
}

template <class Value>
void expect_same(const Block<Value>& block, const Elimination& elimination, const ClassGraph& graph,
                 const Arithmetic& arithmetic, std::uint32_t low_bits, const GpuInfo& team) {
  const StopSignal never;
  const auto columns = make_value_columns(block, arithmetic);
  const auto expected =
      std::get<Residues>(run_program(make_program(graph, elimination), *columns, never, {}));
  DeviceRun how;
  how.form = TableForm::dense;
  how.low_bits = low_bits;
  ASSERT_EQ(run_on_device(team, block, graph, elimination, arithmetic, how), expected)
      << name_of(team) << ", " << arithmetic.name() << ", " << low_bits << " low bits\n"
      << text_of(block) << "\n"
      << text_of(elimination);
}

// In any order, rows and columns mixed; few low bits, so that small tables have many runs.
TEST(FrontierSlabs, AnyEliminationOnAnyTeam) {
  Random random(321);
  const std::vector<GpuInfo> teams = all_teams();
  for (int round = 0; round < repeats(450) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto block = round % 3 == 0
                           ? block_of_twins(random, static_cast<Index>(1 + below(random, 4)),
                                            static_cast<Index>(1 + below(random, 8)))
                           : random_integers(random, static_cast<Index>(below(random, 10)), round % 2 == 0);
    const ClassGraph graph = class_graph(block, below(random, 4) != 0);
    const auto low_bits = static_cast<std::uint32_t>(below(random, below(random, 4) == 0 ? 13 : 4));
    expect_same(block, linear_elimination(graph, random), graph,
                frontier_arithmetics()[static_cast<std::size_t>(round % 5)], low_bits,
                teams[static_cast<std::size_t>(round) % teams.size()]);
  }
}

TEST(FrontierSlabs, Rationals) {
  Random random(322);
  const std::vector<GpuInfo> teams = all_teams();
  for (int round = 0; round < repeats(48) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto block =
        random_block<mpq_class>(random, static_cast<Index>(below(random, 8)), 0.5, below(random, 2) == 0,
                                [&] { return random_rational(random); });
    const ClassGraph graph = class_graph(block, false);
    expect_same(block, linear_elimination(graph, random), graph, residues_modulo({first_prime, narrow_prime}),
                static_cast<std::uint32_t>(below(random, 4)),
                teams[static_cast<std::size_t>(round) % teams.size()]);
  }
}

Block<std::int64_t> all_ones_but_diagonal(Index n) {
  std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 1));
  for (Index i = 0; i < n; ++i) cells[i][i] = 0;
  return dense_block(cells, n);
}

// Tables of 48,620 and 43,758 sets at once: more than are launched at once on an emulated GPU, and more than
// fit one GPU of those that are given, or all but one of them.
TEST(FrontierSlabs, TablesThatDoNotFitOneGpu) {
  constexpr double places = 48'620 + 43'758;
  const uint128 derangements = 2355301661033953;  // OEIS A000166
  MethodOptions options;
  options.order = OrderKind::rows;
  const auto block = all_ones_but_diagonal(18);
  const StopSignal never;
  const Arithmetic primes = residues_modulo({narrow_prime, 2147483629, 2147483587});
  const auto word = frontier_method().make_job(block, wrap_around(64), options);
  const auto residues = frontier_method().make_job(block, primes, options);
  for (const std::size_t size : {2U, 3U, 4U}) {
    if (sanitized && size != 3) continue;
    for (const bool reads : {true, false}) {
      SCOPED_TRACE(size);
      const double share = reads ? frontier_tuning::memory_share : frontier_tuning::memory_share * 7 / 8;
      const auto gpus = static_cast<double>(size);
      // Of 8 bytes in one pass, or of three times 4 in two.
      const auto memory = static_cast<std::uint64_t>((places / gpus + 3 * most_dense_run) * 8.1 / share);
      const GpuInfo team = emulated_team(size, reads, memory);
      const GpuInfo fewer = size == 2 ? team.others[0] : emulated_team(size - 1, reads, memory);
      for (const Job* job : {word.get(), residues.get()}) {
        const bool is_word = job == word.get();
        EXPECT_TRUE(!is_word || job->device_obstacle(fewer)) << job->describe();
        ASSERT_FALSE(job->device_obstacle(team)) << job->device_obstacle(team)->text;
        EXPECT_GT(job->nominal_device_rate(team), 0);
        EXPECT_NE(job->describe().find("on " + std::to_string(size) + " GPUs together"), std::string::npos)
            << job->describe();
        const auto device = job->on_device(team);
        const auto count = std::get<Residues>(device->run(0, job->units(), never));
        if (is_word) {
          EXPECT_EQ(count.residue[0], derangements);
        } else {
          for (std::size_t c = 0; c < 3; ++c)
            EXPECT_EQ(count.residue[c], derangements % primes.moduli[c].prime);
        }
        const auto statistics = dynamic_cast<FrontierDeviceJob&>(*device).statistics();
        EXPECT_EQ(statistics.gpus, size);
        EXPECT_EQ(statistics.passes, is_word ? 1U : 2U);
        EXPECT_EQ(statistics.peak_states, 48'620U);
        EXPECT_GT(statistics.slices, 18U * size);
        EXPECT_LE(static_cast<double>(statistics.bytes),
                  gpus * static_cast<double>(memory) * frontier_tuning::memory_share + 1e5);
      }
    }
  }
  // Nor does what a second GPU alone would not change.
  EXPECT_TRUE(word->device_obstacle(emulated_team(2, true, 100'000)));
  EXPECT_NE(word->device_obstacle(emulated_team(2, true, 100'000))->text.find("2 emulated GPU together"),
            std::string::npos);
}

// There are no whole tables of graphs with odd cycles, and more GPUs than slabs there may be.
TEST(FrontierSlabs, RefusesWhatHasNoForm) {
  Random random(323);
  const auto odd = frontier_method().make_job(random_graph(random, 12, 0.6), wrap_around(64), {});
  EXPECT_FALSE(odd->device_obstacle(emulated_gpu(0)));
  EXPECT_TRUE(odd->device_obstacle(emulated_team(2, true)));
  const auto block = frontier_method().make_job(all_ones_but_diagonal(12), wrap_around(64), {});
  EXPECT_FALSE(block->device_obstacle(emulated_team(most_dense_slabs, true)));
  EXPECT_TRUE(block->device_obstacle(emulated_team(most_dense_slabs + 1, true)));
}

TEST(FrontierSlabs, StopsWhenTold) {
  const auto job = frontier_method().make_job(all_ones_but_diagonal(16), wrap_around(64), {});
  for (const GpuInfo& team : all_teams()) {
    const auto device = job->on_device(team);
    dynamic_cast<FrontierDeviceJob&>(*device).take_form(TableForm::dense);
    StopSignal stop;
    stop.request();
    EXPECT_THROW(device->run(0, 1, stop), Stopped) << name_of(team);
    const StopSignal never;
    EXPECT_EQ(std::get<Residues>(device->run(0, 1, never)).residue[0], uint128{7697064251745})
        << name_of(team);
  }
}

}  // namespace
}  // namespace countpm::frontier_slabs_test
