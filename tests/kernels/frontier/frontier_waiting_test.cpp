// Whole tables of frontier that do not fit a GPU, and whose slabs wait in host memory: on an emulated GPU,
// and on those of this machine. Bit for bit what the CPU's tables yield.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/gpu/dense_schedule.hpp"
#include "kernels/frontier/gpu/dense_waiting.hpp"
#include "kernels/frontier/tables/run_program.hpp"
#include "tests/kernels/frontier/frontier_device_testing.hpp"
#include "tests/kernels/frontier/queued_device.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::frontier_waiting_test {
namespace {

using namespace countpm::testing;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

/// With memory for so many values of so many bytes.
GpuInfo small_gpu(GpuInfo gpu, std::uint64_t values, std::uint64_t bytes, std::uint64_t host_bytes = plenty) {
  gpu.memory_bytes =
      static_cast<std::uint64_t>(static_cast<double>(values * bytes + 1) / frontier_tuning::memory_share) + 1;
  return with_host_memory(std::move(gpu), host_bytes, false);
}

/// Follows what is where: a slab that is read or copied is where the schedule says, each slab that is needed
/// is read once, and none is lost.
void expect_sound(const DenseProgram& program, std::uint32_t low_bits, const SlabSchedule& schedule) {
  using Named = std::pair<std::uint32_t, std::uint32_t>;  // table, slab
  std::map<std::uint32_t, Named> slots{{0, {0, 0}}};
  std::map<std::uint32_t, Named> host;
  std::map<Named, std::set<std::uint32_t>> read;  // of a slab that is made
  std::uint32_t table = 0;
  for (const SlabAction& action : schedule.actions) {
    const Named named{action.table, action.slab};
    ASSERT_LT(action.slot, schedule.room.slots);
    if (action.kind == SlabAction::Kind::store) {
      ASSERT_EQ(slots.at(action.slot), named);
      ASSERT_LT(action.place, schedule.figures.host_places);
      host[action.place] = named;
      ASSERT_LE(action.values, schedule.room.places);
    } else if (action.kind == SlabAction::Kind::load) {
      ASSERT_EQ(host.at(action.place), named);
      slots[action.slot] = named;
    } else {
      ASSERT_TRUE(action.table == table || action.table == table + 1);
      table = action.table;
      const DenseStep& step = program.steps[table - 1];
      const DenseSlabs from = old_table_slabs(step.shape, low_bits, schedule.slabs[table - 1]);
      const DenseSlabs to = new_table_slabs(step.shape, low_bits, schedule.slabs[table]);
      ASSERT_LE(to.places(action.slab), schedule.room.places);
      ASSERT_EQ(action.adds, read.count(named) != 0);
      ASSERT_TRUE(!action.adds || slots.at(action.slot) == named);
      slots[action.slot] = named;
      std::set<std::uint32_t> listed;
      for (const SlabAction::Source& source : action.sources) {
        ASSERT_TRUE(listed.insert(source.slab).second);
        if (source.slot == SlabAction::no_slot) continue;
        ASSERT_NE(source.slot, action.slot);
        ASSERT_EQ(slots.at(source.slot), Named(table - 1, source.slab));
        ASSERT_TRUE(read[named].insert(source.slab).second) << "read twice";
      }
      const std::vector<std::uint32_t> needed = needed_slabs(step, from, to, action.slab);
      ASSERT_EQ(listed, std::set<std::uint32_t>(needed.begin(), needed.end()));
      read[named];
    }
  }
  ASSERT_EQ(table, program.steps.size());
  ASSERT_EQ(slots.at(schedule.last_slot), Named(table, 0));
  for (const auto& [named, sources] : read) {
    const DenseStep& step = program.steps[named.first - 1];
    const DenseSlabs from = old_table_slabs(step.shape, low_bits, schedule.slabs[named.first - 1]);
    const DenseSlabs to = new_table_slabs(step.shape, low_bits, schedule.slabs[named.first]);
    ASSERT_EQ(sources.size(), needed_slabs(step, from, to, named.second).size());
  }
}

// In any order, rows and columns mixed, in as little memory as will do or somewhat more.
TEST(FrontierWaiting, AnyElimination) {
  Random random(420);
  const std::vector<GpuInfo> gpus = all_gpus();
  int waited = 0;
  const int rounds = repeats(400);
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const auto block =
        round % 3 == 0 ? block_of_twins(random, static_cast<Index>(1 + below(random, 4)),
                                        static_cast<Index>(4 + below(random, 6)))
                       : random_integers(random, static_cast<Index>(4 + below(random, 7)), round % 2 == 0);
    const ClassGraph graph = class_graph(block, below(random, 4) != 0);
    const Elimination elimination = linear_elimination(graph, random);
    const auto low_bits = static_cast<std::uint32_t>(below(random, 4));
    const Arithmetic arithmetic = frontier_arithmetics()[static_cast<std::size_t>(round % 5)];
    const auto program = make_dense_program(graph, elimination, low_bits);
    ASSERT_TRUE(program);
    if (program->zero) continue;
    const auto columns = make_value_columns(block, arithmetic);
    std::uint64_t bytes = 0;
    for (const auto& column : columns->columns()) bytes = std::max(bytes, column->bytes_per_state());
    // Four slots of eight places, or more.
    const std::uint64_t values = 32 + below(random, std::max<std::uint64_t>(program->states / 2, 1));
    if (values >= program->states) continue;
    const auto room = slab_room(*program, low_bits, values);
    ASSERT_TRUE(room);
    expect_sound(*program, low_bits, make_slab_schedule(*program, low_bits, *room));
    const StopSignal never;
    const auto expected =
        std::get<Residues>(run_program(make_program(graph, elimination), *columns, never, {}));
    DeviceRun how;
    how.form = TableForm::dense;
    how.low_bits = low_bits;
    FrontierDeviceStatistics statistics;
    const GpuInfo gpu = small_gpu(gpus[static_cast<std::size_t>(round) % gpus.size()], values, bytes);
    ASSERT_EQ(run_on_device(gpu, block, graph, elimination, arithmetic, how, &statistics), expected)
        << gpu.name << ", " << values << " values of " << bytes << " bytes, " << arithmetic.name() << ", "
        << low_bits << " low bits\n"
        << text_of(block) << "\n"
        << text_of(elimination);
    ASSERT_LE(statistics.bytes, gpu.memory_bytes);
    ASSERT_EQ(statistics.loaded_bytes > 0, statistics.stored_bytes > 0);
    waited += statistics.host_bytes > 0 ? 1 : 0;
  }
  EXPECT_GT(waited, rounds / 8);
}

// Copies and kernels that are done as late as they may be, and in any other order: none is done too early.
TEST(FrontierWaiting, QueuesWaitForOneAnother) {
  Random random(422);
  const StopSignal never;
  QueuedDevice::random = &random;
  const int rounds = repeats(200);
  int ran = 0;
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    QueuedDevice::eagerness = round % 3 == 0 ? 0 : static_cast<unsigned>(below(random, 257));
    const auto block = random_integers(random, static_cast<Index>(6 + below(random, 5)), round % 2 == 0);
    const ClassGraph graph = class_graph(block, false);
    const Elimination elimination = linear_elimination(graph, random);
    const auto low_bits = static_cast<std::uint32_t>(below(random, 3));
    const Arithmetic arithmetic = wrap_around(64);
    const auto program = make_dense_program(graph, elimination, low_bits);
    ASSERT_TRUE(program);
    const std::uint64_t values = 32 + below(random, std::max<std::uint64_t>(program->states / 2, 1));
    const GpuInfo gpu = small_gpu(emulated_gpu(0), values, 8);
    if (!program->zero && !slab_room(*program, low_bits, dense_memory(gpu) / 8)) continue;  // refused
    ++ran;
    const auto columns = make_value_columns(block, arithmetic);
    const auto expected =
        std::get<Residues>(run_program(make_program(graph, elimination), *columns, never, {}));
    const AnyBlock any = block;
    const QueuedDevice device(gpu);
    WaitingMachine<QueuedDevice> machine(device, any, arithmetic, {8}, low_bits);
    for (int run = 0; run < 2; ++run)
      ASSERT_EQ(std::get<Residues>(machine.run(*program, 0, never, [](std::uint64_t) {})), expected)
          << values << " values, eagerness " << QueuedDevice::eagerness << "\n"
          << text_of(block) << "\n"
          << text_of(elimination);
  }
  QueuedDevice::random = nullptr;
  EXPECT_GT(ran, rounds / 2);
}

Block<std::int64_t> ones_but_diagonal(Index n) {
  std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 1));
  for (Index i = 0; i < n; ++i) cells[i][i] = 0;
  return dense_block(cells, n);
}

// Tables of 48,620 and 43,758 sets at once, with memory for some of them.
TEST(FrontierWaiting, TablesThatDoNotFit) {
  const uint128 derangements = 2355301661033953;  // OEIS A000166
  MethodOptions options;
  options.order = OrderKind::rows;
  const auto block = ones_but_diagonal(18);
  const StopSignal never;
  const Arithmetic primes = residues_modulo({narrow_prime, 2147483629, 2147483587});
  const auto word = frontier_method().make_job(block, wrap_around(64), options);
  const auto residues = frontier_method().make_job(block, primes, options);
  double before = 0;
  for (const std::uint64_t values : {8'000U, 20'000U, 40'000U, 80'000U}) {
    if (sanitized && values != 20'000) continue;
    for (const GpuInfo& kind : all_gpus()) {
      SCOPED_TRACE(kind.name + ", " + std::to_string(values));
      for (const Job* job : {word.get(), residues.get()}) {
        const bool is_word = job == word.get();
        const GpuInfo gpu = small_gpu(kind, values, is_word ? 8 : 4);
        GpuInfo without = gpu;
        without.host_bytes = 0;
        ASSERT_TRUE(job->device_obstacle(without));
        EXPECT_EQ(job->waiting_bytes(without), 0U);
        ASSERT_FALSE(job->device_obstacle(gpu)) << job->device_obstacle(gpu)->text;
        EXPECT_GT(job->nominal_device_rate(gpu), 0);
        EXPECT_NE(job->describe().find("GB wait in host memory"), std::string::npos) << job->describe();
        EXPECT_EQ(job->describe().find("in 3 passes") != std::string::npos, !is_word) << job->describe();
        const auto device = job->on_device(gpu);
        const auto count = std::get<Residues>(device->run(0, job->units(), never));
        if (is_word) {
          EXPECT_EQ(count.residue[0], derangements);
        } else {
          for (std::size_t c = 0; c < 3; ++c)
            EXPECT_EQ(count.residue[c], derangements % primes.moduli[c].prime);
        }
        const auto statistics = dynamic_cast<FrontierDeviceJob&>(*device).statistics();
        EXPECT_EQ(statistics.passes, is_word ? 1U : 3U);
        EXPECT_EQ(statistics.peak_states, 48'620U);
        EXPECT_LE(statistics.bytes, gpu.memory_bytes);
        EXPECT_EQ(statistics.host_bytes, job->waiting_bytes(gpu));
        // A byte less is refused, and says what it would take.
        if (statistics.host_bytes == 0) continue;
        const GpuInfo short_of_it = small_gpu(kind, values, is_word ? 8 : 4, statistics.host_bytes - 1);
        ASSERT_TRUE(job->device_obstacle(short_of_it));
        EXPECT_NE(job->device_obstacle(short_of_it)->text.find("would wait in"), std::string::npos);
        // The more memory, the less is copied.
        if (!is_word || !kind.emulated) continue;
        const auto copied = static_cast<double>(statistics.loaded_bytes + statistics.stored_bytes);
        if (before > 0) {
          EXPECT_LT(copied, before);
        }
        before = copied;
      }
    }
  }
  // Runs are too long for so little.
  EXPECT_TRUE(word->device_obstacle(small_gpu(emulated_gpu(0), 2'000, 8)));
}

TEST(FrontierWaiting, StopsWhenTold) {
  const auto job = frontier_method().make_job(ones_but_diagonal(16), wrap_around(64), {});
  for (const GpuInfo& kind : all_gpus()) {
    const auto device = job->on_device(small_gpu(kind, 10'000, 8));
    dynamic_cast<FrontierDeviceJob&>(*device).take_form(TableForm::dense);
    StopSignal stop;
    stop.request();
    EXPECT_THROW(device->run(0, 1, stop), Stopped) << kind.name;
    const StopSignal never;
    EXPECT_EQ(std::get<Residues>(device->run(0, 1, never)).residue[0], uint128{7697064251745}) << kind.name;
  }
}

// Nothing waits for graphs with odd cycles, nor for several GPUs together.
TEST(FrontierWaiting, OtherFormsStayAsTheyAre) {
  Random random(421);
  const auto block = frontier_method().make_job(ones_but_diagonal(16), wrap_around(64), {});
  const GpuInfo gpu = small_gpu(emulated_gpu(0), 10'000, 8);
  EXPECT_FALSE(block->device_obstacle(gpu));
  GpuInfo two = joined_gpus({gpu, gpu});
  EXPECT_TRUE(block->device_obstacle(two));
  // Where tables fit, they do.
  const GpuInfo large = small_gpu(emulated_gpu(0), 100'000, 8);
  EXPECT_FALSE(block->device_obstacle(large));
  EXPECT_EQ(block->waiting_bytes(large), 0U);
  EXPECT_EQ(block->describe().find("host memory"), std::string::npos);
}

}  // namespace
}  // namespace countpm::frontier_waiting_test
