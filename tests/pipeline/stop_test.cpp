// A stop signal that is requested already ends every stage after the reading at once; what the user is told
// depends on the stage that the time limit found.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <thread>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/estimate/bounds/certified_bounds.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "kernels/support/parallel_ranges.hpp"
#include "src/api/entries.hpp"
#include "src/count/ln_z.hpp"
#include "src/estimate/estimate.hpp"
#include "src/number/choose_arithmetic.hpp"
#include "src/plan/planned_block.hpp"
#include "src/structure/analysis.hpp"
#include "src/structure/balance.hpp"
#include "src/structure/blocks.hpp"
#include "src/verify/verify_result.hpp"
#include "src/watch/monitor.hpp"
#include "tests/kernels/oracle.hpp"

namespace countpm {
namespace {

/// What a stage needs that the stages before it make, unhindered.
struct Prepared {
  InputInfo info;
  Instance instance;
  Analysis analysis;
  ReducedInstance reduced;

  explicit Prepared(const std::string& lattice, const RuleSet& rules = {}) {
    ReadResult read = read_graph(Source::from_argument(lattice));
    info = read.info;
    instance = to_instance(std::move(read.graph));
    std::vector<std::string> notes;
    analysis = analyse(instance, info, {}, notes);
    reduced = reduce_blocks(instance, analysis, rules);
  }
};

const Prepared& bipartite() {
  static const Prepared prepared("lattice:square:100x100");
  return prepared;
}
const Prepared& general() {
  static const Prepared prepared("lattice:triangular:70x70");
  return prepared;
}

AnyBlock dense(Index rows) {
  oracle::Random random(5);
  return oracle::make_block<std::int64_t>(rows, rows, [&](Index i, Index j) {
    return std::int64_t{i == j || oracle::uniform(random, 0, 9) < 8 ? 1 : 0};
  });
}

AnyBlock rationals(Index rows) {
  oracle::Random random(6);
  return oracle::make_block<mpq_class>(
      rows, rows, [&](Index, Index) { return mpq_class(oracle::uniform(random, 1, 99), 101); });
}

void analyse_again(const Prepared& prepared) {
  std::vector<std::string> notes;
  analyse(prepared.instance, prepared.info, {}, notes);
}

struct Stage {
  const char* name;
  std::function<void()> work;
};
void PrintTo(const Stage& stage, std::ostream* out) {
  *out << stage.name;
}

class StopStages : public ::testing::TestWithParam<Stage> {};

TEST_P(StopStages, ThrowsStopped) {
  bipartite();
  general();
  StopSignal stop;
  stop.request();
  const StopScope scope(&stop);
  EXPECT_THROW(GetParam().work(), Stopped);
}

INSTANTIATE_TEST_SUITE_P(
    All, StopStages,
    ::testing::Values(Stage{"structure", [] { analyse_again(bipartite()); }},
                      Stage{"general_structure", [] { analyse_again(general()); }},
                      Stage{"maximum_matching", [] { maximum_matching(bipartite().instance.pattern); }},
                      Stage{"dulmage_mendelsohn",
                            [] {
                              fine_decomposition(
                                  bipartite().instance.pattern,
                                  std::get<Structure>(bipartite().analysis.structure).matching);
                            }},
                      Stage{"reduce", [] { reduce_blocks(bipartite().instance, bipartite().analysis, {}); }},
                      Stage{"reduce_general",
                            [] { reduce_blocks(general().instance, general().analysis, {}); }},
                      Stage{"upper_bound", [] { log2_upper_bound(dense(20)); }},
                      Stage{"certified_bounds", [] { certified_bounds(dense(20)); }},
                      Stage{"ranges", [] { parallel_ranges(2, 10, 1, [](std::uint64_t, std::uint64_t) {}); }},
                      Stage{"sampler", [] { BlockSampler(dense(70), {}, 1, 0); }},
                      Stage{"balance",
                            [] {
                              ReducedBlock block;
                              block.reduced.push_back(rationals(70));
                              balance(block);
                            }}),
    [](const auto& stage) { return stage.param.name; });

// The methods' forecasts: each makes a job for a block.
class StopForecasts : public ::testing::TestWithParam<const char*> {};

TEST_P(StopForecasts, ThrowStopped) {
  const Method& method = method_named(GetParam());
  const bool planar = method.name() == "planar" || method.name() == "condensation";
  const AnyBlock block = planar ? bipartite().reduced.blocks.at(0).original : dense(60);
  const Arithmetic arithmetic =
      choose_arithmetic(block, bound_of(block), method, WeightKind::none, {}, 0).arithmetic;
  StopSignal stop;
  stop.request();
  const StopScope scope(&stop);
  EXPECT_THROW(static_cast<void>(method.make_job(block, arithmetic, {})->log2_work()), Stopped);
}

INSTANTIATE_TEST_SUITE_P(Methods, StopForecasts,
                         ::testing::Values("pruned", "frontier", "rook", "planar", "condensation",
                                           "forbert-marx"));

/// Throws within a second or two, whatever it would take: a limit that is over as soon as it is looked at.
std::string refusal(const std::function<void(const CountOptions&)>& work) {
  CountOptions options;
  options.time_limit_seconds = 1e-9;
  try {
    work(options);
  } catch (const UnableError& error) {
    return error.what();
  }
  return "no refusal";
}

const std::string large = "lattice:square:1500x1500";

TEST(StopWords, SayWhatTheLimitFoundUnderWay) {
  const Source source = Source::from_argument(large);
  const std::vector<std::function<void(const CountOptions&)>> entries{
      [&](const CountOptions& options) { count(source, {}, options); },
      [&](const CountOptions& options) { explain(source, {}, options); },
      [&](const CountOptions& options) { ln_z(source, {}, options); },
      [&](const CountOptions& options) {
        marginals(source, {}, options, {}, [](const EdgeProbability&) { return true; });
      },
      [&](const CountOptions& options) {
        sample_matchings(source, {}, options, {}, [](const auto&) { return true; });
      },
      [&](const CountOptions& options) {
        EstimateOptions estimate_options;
        estimate_options.time_limit_seconds = options.time_limit_seconds;
        estimate(source, {}, options, estimate_options);
      }};
  for (const auto& entry : entries) {
    const std::string words = refusal(entry);
    EXPECT_NE(words.find("is over while reading the input; a longer --time-limit gets further"),
              std::string::npos)
        << words;
  }
}

TEST(StopWords, AnInterruptionIsNoRefusal) {
  ListOptions options;
  options.interrupted = [] { return true; };
  EXPECT_THROW(list_matchings(Source::from_argument(large), {}, options, [](const auto&) { return true; }),
               InterruptedError);
}

TEST(StopWords, PlanningNamesTheLargestBlock) {
  CountOptions options;
  options.time_limit_seconds = 1e-9;
  Monitor monitor(options);
  ReducedBlock block;
  block.reduced.push_back(dense(50));
  block.reduced.push_back(dense(60));
  enter_planning({block}, monitor);
  while (!monitor.stop_signal().requested()) std::this_thread::yield();
  try {
    monitor.explained([] { check_stop(); });
    FAIL();
  } catch (const UnableError& error) {
    const std::string words = error.what();
    EXPECT_NE(words.find("while planning (the largest irreducible block has 60 rows and "), std::string::npos)
        << words;
    EXPECT_NE(words.find("not known yet"), std::string::npos) << words;
  }
  // What is predicted has another hint.
  monitor.begin_stage("count", 1);
  try {
    monitor.throw_if_stopped();
    FAIL();
  } catch (const UnableError& error) {
    EXPECT_NE(std::string(error.what()).find("before the count was done"), std::string::npos);
  }
}

TEST(StopWords, AliftedLimitStopsNothing) {
  CountOptions options;
  options.time_limit_seconds = 1e-9;
  Monitor monitor(options);
  while (!monitor.stop_signal().requested()) std::this_thread::yield();
  EXPECT_TRUE(monitor.limit_is_over());  // the reason is there before the signal
  EXPECT_THROW(check_stop(), Stopped);
  monitor.lift_limit();
  EXPECT_NO_THROW(monitor.throw_if_stopped());
  const StopScope ending(&monitor.interrupt_signal());
  EXPECT_NO_THROW(check_stop());
}

/// One sample of a dense block, which by these options nobody waits for, is left when it is told to stop.
void expect_stops_inside_a_sample(const SamplerOptions& options) {
  const BlockSampler sampler(dense(70), options, 1, 0);
  StopSignal stop;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request();
  });
  EXPECT_THROW(sampler.run(0, 1, stop), Stopped);
  later.join();
}

TEST(StopSampling, ASampleIsLeftHalfWay) {
  // 2^32 walks a sample: nobody waits for one.
  SamplerOptions options;
  options.kind = SamplerKind::rasmussen;
  options.strata = std::numeric_limits<std::uint32_t>::max();
  options.tail_rows = 0;
  expect_stops_inside_a_sample(options);
}

TEST(StopSampling, AndSoIsAScalingOfAMillionSteps) {
  SamplerOptions options;
  options.kind = SamplerKind::scaling_plus;
  options.scale_interval = 1;
  options.scale_steps = 1'000'000'000;
  options.tail_rows = 0;
  expect_stops_inside_a_sample(options);
}

// A dense 0/1 matrix is searched for long where the limit is: its forecast is told meanwhile.
TEST(Monitor, TellsTheForecastWhileExplainSearches) {
  std::string text;
  std::mt19937_64 random(57);
  for (int i = 0; i < 57; ++i) {
    for (int j = 0; j < 57; ++j) text += random() % 3 == 0 ? "1 " : "0 ";
    text += '\n';
  }
  ReadOptions read;
  read.format = Format::dense;
  CountOptions options;
  options.time_limit_seconds = 30.0 * 86400;
  std::atomic<bool> told{false};
  options.progress = [&told](const Progress& progress) {
    if (progress.stage == "plan" && progress.method.find("as far as is known") != std::string::npos)
      told = true;
  };
  options.interrupted = [&told] { return told.load(); };
  EXPECT_THROW(explain(Source::from_bytes(text), read, options), InterruptedError);
  EXPECT_TRUE(told);
}

// The thread that tells progress needs some memory for it; where there is none it goes on without.
TEST(Monitor, GoesOnWhereThereIsNoMemoryForProgress) {
#ifndef COUNTPM_SANITIZED
  const auto run_out = [] {
    CountOptions options;
    std::atomic<int> told{0};
    options.progress = [&told](const Progress&) { ++told; };
    Monitor monitor(options);
    // More than the heap ever keeps of what earlier tests freed: what is larger than 32 MiB is mapped.
    monitor.begin_stage(std::string(std::size_t{1} << 26U, 'x'), 1);
    rlimit before{};
    getrlimit(RLIMIT_DATA, &before);
    rlimit none = before;
    none.rlim_cur = 1;              // a limit of 0 is none to Linux, for Valgrind's sake
    setrlimit(RLIMIT_DATA, &none);  // what is there stays, and nothing more comes
    std::this_thread::sleep_for(std::chrono::seconds(1));
    setrlimit(RLIMIT_DATA, &before);
    const int without = told;
    for (int k = 0; k < 600 && told == without; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    _exit(without == 0 && told > 0 ? 0 : 1);
  };
  EXPECT_EXIT(run_out(), ::testing::ExitedWithCode(0), "");
#else
  GTEST_SKIP() << "a sanitizer knows no limit of memory";
#endif
}

}  // namespace
}  // namespace countpm
