// One count by several ranks: the same number, or a clean stop that can be gone on from.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "tests/file_text.hpp"
#include "tests/kill-resume/resuming.hpp"

namespace countpm::test {
namespace {

namespace fs = std::filesystem;

Wiring on_ranks(int ranks, std::vector<std::string> more = {}) {
  Wiring wiring;
  wiring.launcher = {"mpirun", "--oversubscribe", "--bind-to", "none", "-np", std::to_string(ranks)};
  wiring.launcher.insert(wiring.launcher.end(), more.begin(), more.end());
  for (const char* const allowed : {"OMPI_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT"}) {
    wiring.environment[allowed] = "1";
    wiring.environment[std::string(allowed) + "_CONFIRM"] = "1";
  }
  return wiring;
}

class Mpi : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("mpirun --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no mpirun here";
  }
};
using LongMpi = Mpi;  // in the long set

/// The process of that rank which works on the file; 0: none.
pid_t process_of_rank(int rank, const std::string& file) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string command = testing::file_text(entry.path() / "cmdline");
    if (command.find(file) == std::string::npos || command.find("mpirun") != std::string::npos) continue;
    if (testing::file_text(entry.path() / "environ").find(fmt::format("OMPI_COMM_WORLD_RANK={}", rank)) !=
        std::string::npos)
      return static_cast<pid_t>(std::stoi(name));
  }
  return 0;
}

/// Waits until the journal has units, or a minute.
void await_units(const std::string& journal) {
  for (int k = 0; k < 3000; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (!fs::exists(journal)) continue;
    try {
      if (read_journal(journal).units_done() > 0) return;
    } catch (const std::exception&) {
      // It is just being made.
    }
  }
}

TEST_F(Mpi, TheSameNumberOnAnyNumberOfRanks) {
  const Resuming resuming({"sparyser", 25, 40});
  const Outcome alone = run(resuming.uninterrupted());
  ASSERT_EQ(alone.code, 0) << alone.err;
  for (const int ranks : {1, 2, 4}) {
    std::vector<std::string> arguments = resuming.uninterrupted();
    arguments.insert(arguments.end(), {"--threads", "1", "--json"});
    const Outcome outcome = run(arguments, on_ranks(ranks));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("\"count\": \"" + alone.out.substr(0, alone.out.size() - 1) + '"'),
              std::string::npos)
        << outcome.out;
    EXPECT_NE(outcome.out.find(fmt::format("\"ranks\": {}", ranks)), std::string::npos) << outcome.out;
  }
}

TEST_F(Mpi, TheProofIsThatOfOneProcess) {
  const std::string of_one = ::testing::TempDir() + "proof_of_one.json";
  const std::string of_two = ::testing::TempDir() + "proof_of_two.json";
  const auto proved = [](const std::string& file, const Wiring& wiring) {
    return run({"lattice:cubic:3x4x4", "--method", "frontier", "--overwrite", "--proof", file}, wiring);
  };
  const Outcome alone = proved(of_one, {});
  ASSERT_EQ(alone.code, 0) << alone.err;
  const Outcome outcome = proved(of_two, on_ranks(2));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, alone.out);
  EXPECT_EQ(testing::file_text(of_two), testing::file_text(of_one));
  fs::remove(of_one);
  fs::remove(of_two);
}

TEST_F(Mpi, StandardInputIsForAllRanks) {
  const std::string text = random_matrix(24, 40, 3);
  const Outcome alone = run({"-", "--method", "sparyser"}, feeding(text));
  Wiring wiring = on_ranks(2);
  wiring.input = text;
  const Outcome outcome = run({"-", "--method", "sparyser"}, wiring);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, alone.out);
}

TEST_F(Mpi, ARankPerGpu) {
  const Resuming resuming({"pruned", 24, 35});
  const Outcome alone = run(resuming.uninterrupted());
  Wiring wiring = on_ranks(2);
  wiring.environment["COUNTPM_EMULATED_GPUS"] = "2";
  std::vector<std::string> arguments = resuming.uninterrupted();
  arguments.insert(arguments.end(), {"--device", "gpu"});
  const Outcome outcome = run(arguments, wiring);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, alone.out);
  // A third rank has none.
  wiring = on_ranks(3);
  wiring.environment["COUNTPM_EMULATED_GPUS"] = "2";
  arguments.insert(arguments.end(), {"--gpus", "1"});
  const Outcome refused = run(arguments, wiring);
  EXPECT_EQ(refused.out, "");
  EXPECT_NE(refused.err.find("none of this host's 2 GPUs is left"), std::string::npos) << refused.err;
}

TEST_F(Mpi, ASlowRankIsWaitedForOrDoneWithout) {
  const Resuming resuming({"sparyser", 27, 40});
  const std::string expected = run(resuming.uninterrupted()).out;
  std::thread slowing([&] {
    pid_t slow = 0;
    for (int k = 0; k < 3000 && slow == 0; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      slow = process_of_rank(1, resuming.input());
    }
    if (slow == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    kill(slow, SIGSTOP);
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    kill(slow, SIGCONT);
  });
  const Outcome outcome = run(resuming.uninterrupted(), on_ranks(2));
  slowing.join();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, expected);
}

TEST_F(LongMpi, AKilledRankEndsTheJobAndItsCheckpointIsWhole) {
  Resuming resuming({"sparyser", 28, 40});
  std::thread killing([&] {
    await_units(resuming.file());
    if (const pid_t rank = process_of_rank(1, resuming.input()); rank != 0) kill(rank, SIGKILL);
  });
  const Outcome killed = run(resuming.session(), on_ranks(2));
  killing.join();
  EXPECT_NE(killed.code, 0);
  EXPECT_EQ(killed.out, "");
  resuming.expect_nothing_lost();
  EXPECT_GT(resuming.units_done(), 0U);
  const Outcome resumed = run({"resume", resuming.file(), "--threads", "1"}, on_ranks(2));
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  resuming.expect_nothing_lost();
  EXPECT_EQ(resumed.out, run(resuming.uninterrupted()).out);
}

/// Where ranks may die and the others go on.
Wiring on_ranks_that_go_on(int ranks) {
  Wiring wiring = on_ranks(ranks);
  wiring.launcher.insert(wiring.launcher.begin() + 1, {"--with-ft", "ulfm"});
  return wiring;
}

class LostRanks : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* const try_it =
        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 "
        "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --with-ft ulfm -np 1 true >/dev/null 2>&1";
    if (std::system(try_it) != 0)
      GTEST_SKIP() << "this mpirun has no user-level failure mitigation (Open MPI 5: --with-ft ulfm)";
  }
};
using LongLostRanks = LostRanks;

TEST_F(LongLostRanks, TheOthersGoOn) {
  const Resuming resuming({"sparyser", 28, 40});
  const std::string expected = run(resuming.uninterrupted()).out;
  std::vector<std::string> arguments = resuming.session();
  arguments.insert(arguments.end(), {"--threads", "1", "--json"});
  std::thread killing([&] {
    await_units(resuming.file());
    for (const int rank : {2, 1}) {
      if (const pid_t process = process_of_rank(rank, resuming.input()); process != 0) kill(process, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  });
  const Outcome outcome = run(arguments, on_ranks_that_go_on(4));
  killing.join();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const nlohmann::json result = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(result["count"].get<std::string>() + "\n", expected);
  EXPECT_EQ(result["ranks"], 4);
  const int lost = result["lost_ranks"].get<int>();
  EXPECT_GE(lost, 1);
  EXPECT_LE(lost, 2);
  EXPECT_NE(outcome.err.find(lost == 1 ? "1 of 4 ranks was lost" : "2 of 4 ranks were lost"),
            std::string::npos)
      << outcome.err;
  const std::string status = run({"status", resuming.file()}).out;
  EXPECT_NE(status.find("lost       "), std::string::npos) << status;
}

TEST_F(LongLostRanks, WithoutRankZeroTheJobEndsAndItsCheckpointIsWhole) {
  Resuming resuming({"sparyser", 28, 40});
  std::thread killing([&] {
    await_units(resuming.file());
    if (const pid_t rank = process_of_rank(0, resuming.input()); rank != 0) kill(rank, SIGKILL);
  });
  const Outcome killed = run(resuming.session(), on_ranks_that_go_on(3));
  killing.join();
  EXPECT_NE(killed.code, 0);
  EXPECT_EQ(killed.out, "");
  EXPECT_NE(killed.err.find("rank 0 is gone"), std::string::npos) << killed.err;
  resuming.expect_nothing_lost();
  const Outcome resumed = run({"resume", resuming.file()}, on_ranks_that_go_on(2));
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(resumed.out, run(resuming.uninterrupted()).out);
}

TEST_F(Mpi, SigtermAndTheTimeLimitKeepWhatIsDone) {
  Resuming resuming({"sparyser", 40, 40});
  Wiring wiring = on_ranks(2);
  wiring.signals = {{1.5, SIGTERM}};
  const Outcome terminated = run(resuming.session(), wiring);
  EXPECT_NE(terminated.code, 0);
  EXPECT_EQ(terminated.out, "");
  if (fs::exists(resuming.file())) {
    // mpirun may end before its ranks have, and then what they say goes nowhere.
    if (terminated.err.find("countpm: ") != std::string::npos) {
      EXPECT_NE(terminated.err.find("countpm resume"), std::string::npos) << terminated.err;
    }
    resuming.expect_nothing_lost();
  }
  std::vector<std::string> again = resuming.session();
  const bool resumes = again[0] == "resume";
  if (resumes) {
    again.insert(again.end(), {"--time-limit", "0.5"});
    // mpirun may end before its ranks have, and the journal is theirs until then.
    Outcome late = run(again, on_ranks(2));
    for (int k = 0; k < 100 && late.err.find("another countpm is writing") != std::string::npos; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      late = run(again, on_ranks(2));
    }
    EXPECT_TRUE(late.code == 3 || late.code == 0) << late.err;
    resuming.expect_nothing_lost();
  }
}

TEST_F(LongMpi, TheMemoryLimitIsOfEachRank) {
  const Resuming resuming({"frontier", 30, 60, {"--memory-limit", "1M"}});
  const Outcome outcome = run(resuming.uninterrupted(), on_ranks(2));
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("memory"), std::string::npos) << outcome.err;
}

// Which none of them has the memory for by itself.
TEST_F(Mpi, OneTableIsOnAllRanks) {
  const Resuming resuming(
      {"frontier", 19, 80, {"--order", "greedy", "--memory-limit", "2200000", "--threads", "1", "--json"}});
  const Outcome alone = run({resuming.input(), "--method", "ryser"});
  ASSERT_EQ(alone.code, 0) << alone.err;
  for (const int ranks : {3, 4}) {
    const Outcome outcome = run(resuming.uninterrupted(), on_ranks(ranks));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("\"count\": \"" + alone.out.substr(0, alone.out.size() - 1) + '"'),
              std::string::npos)
        << outcome.out;
    EXPECT_NE(outcome.out.find(fmt::format("the table is spread over {} ranks", ranks)), std::string::npos)
        << outcome.out;
  }
}

using Json = nlohmann::json;

Json estimate_of(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.code == 0 ? Json::parse(outcome.out)["estimate"] : Json();
}

const std::vector<std::string> square{
    "estimate", "lattice:square:12x12", "--all-sampled", "--seed", "5", "--threads", "1", "--json"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_F(Mpi, TheSameEstimateOnAnyNumberOfRanks) {
  const std::vector<std::string> arguments = with(square, {"--error", "3%"});
  const Json expected = estimate_of(run(arguments));
  for (const int ranks : {2, 3}) {
    const Outcome outcome = run(arguments, on_ranks(ranks));
    EXPECT_EQ(estimate_of(outcome), expected) << ranks;
    EXPECT_NE(outcome.out.find(fmt::format("\"ranks\": {}", ranks)), std::string::npos) << outcome.out;
  }
  const std::string text = random_matrix(40, 30, 3);
  const std::vector<std::string> piped{"estimate", "-", "--all-sampled", "--samples", "300", "--json"};
  Wiring wiring = on_ranks(2);
  wiring.input = text;
  EXPECT_EQ(estimate_of(run(piped, wiring)), estimate_of(run(piped, feeding(text))));
}

TEST_F(Mpi, TheWeightsOfAllRanksAreInOneFile) {
  const std::string folder = ::testing::TempDir();
  const std::string of_one = folder + "weights_of_one.csv";
  const std::string of_two = folder + "weights_of_two.csv";
  const auto ask = [](const std::string& file) {
    return with(square, {"--samples", "3000", "--overwrite", "--ln-weights", file});
  };
  EXPECT_EQ(estimate_of(run(ask(of_two), on_ranks(2))), estimate_of(run(ask(of_one))));
  EXPECT_EQ(testing::file_text(of_two), testing::file_text(of_one));
  EXPECT_GT(fs::file_size(of_two), 3000U);
  fs::remove(of_one);
  fs::remove(of_two);
}

TEST_F(LongMpi, AnEstimateGoesOnAfterAKilledRank) {
  const Resuming place({"sparyser", 10, 40});
  std::ofstream(place.input()) << random_matrix(60, 30, 3);
  const std::vector<std::string> arguments{"estimate", place.input(),  "--all-sampled", "--sampler",
                                           "scaling+", "--samples",    "20000",         "--threads",
                                           "1",        "--time-limit", "none"};
  const Json expected = estimate_of(run(with(arguments, {"--json"})));
  std::thread killing([&] {
    for (int k = 0; k < 500 && !fs::exists(place.file()); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    if (const pid_t rank = process_of_rank(1, place.input()); rank != 0) kill(rank, SIGKILL);
  });
  run(with(arguments, {"--checkpoint", place.file()}), on_ranks(2));
  killing.join();
  ASSERT_TRUE(fs::exists(place.file()));
  EXPECT_EQ(estimate_of(run({"resume", place.file(), "--time-limit", "none", "--json"}, on_ranks(3))),
            expected);
  EXPECT_EQ(estimate_of(run({"resume", place.file(), "--json"})), expected);
}

TEST_F(LongMpi, AnEstimateWaitsForAStoppedRankOrDoesWithoutIt) {
  const Resuming place({"sparyser", 10, 40});
  std::ofstream(place.input()) << random_matrix(60, 30, 3);
  const std::vector<std::string> arguments{"estimate", place.input(),  "--all-sampled", "--sampler",
                                           "scaling+", "--samples",    "20000",         "--threads",
                                           "1",        "--time-limit", "none",          "--json"};
  const Json expected = estimate_of(run(arguments));
  std::thread slowing([&] {
    pid_t slow = 0;
    for (int k = 0; k < 250 && slow == 0; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      slow = process_of_rank(1, place.input());
    }
    if (slow == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    kill(slow, SIGSTOP);
    std::this_thread::sleep_for(std::chrono::seconds(8));
    kill(slow, SIGCONT);
  });
  const Outcome outcome = run(arguments, on_ranks(2));
  slowing.join();
  EXPECT_EQ(estimate_of(outcome), expected);
}

/// The lines of a table in JSON, without times.
std::vector<Json> rows_of(const Outcome& outcome) {
  std::vector<Json> rows;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    Json row = Json::parse(line);
    for (const char* const name : {"seconds", "seconds_for_percent"}) row.erase(name);
    if (row.contains("true_count") && row["true_count"].is_object()) row["true_count"].erase("seconds");
    rows.push_back(std::move(row));
  }
  return rows;
}

TEST_F(Mpi, TheCommandsOfRanksSayWhatOneProcessSays) {
  const Resuming place({"sparyser", 24, 40});
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"sample", "lattice:square:12x12", "--number", "300"},
           {"marginals", "lattice:square:12x12", "--exact"},
           {"estimate", "lattice:cubic:4x4x4:weights=1.01,1,1", "--ratio-to", "lattice:cubic:4x4x4",
            "--all-sampled", "--samples", "1000"},
           {"estimate", "lattice:cubic:4x4x4:weights=x,1,1", "--integrate", "x=1:1.01", "--all-sampled",
            "--samples", "1000"},
           {"marginals", "lattice:square:4x4", "--given", "r0c0,r0c1"},
           {"marginals", "lattice:square:8x8", "--sampled", "--samples", "6000", "--time-limit", "none"},
           {"estimate", place.input(), "--all-sampled", "--guarantee", "0.05,0.05"},
           {"estimate", "lattice:square:8x8", "--all-sampled", "--replicates", "2", "--samples", "1000"}}) {
    const Outcome alone = run(arguments);
    const Outcome outcome = run(arguments, on_ranks(2));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, alone.out) << arguments.front();
  }
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"many", place.input(), "lattice:square:2x2..6x6", "--json"},
        {"compare", "lattice:square:8x8", "--sizes", "1000", "--samplers", "rasmussen,scaling", "--json"}}) {
    const std::vector<Json> alone = rows_of(run(arguments));
    const Outcome outcome = run(arguments, on_ranks(2));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(rows_of(outcome), alone) << arguments.front();
  }
}

TEST_F(Mpi, OtherCommandsAreRefusedOnce) {
  const Outcome outcome = run({"list", "lattice:square:4x4"}, on_ranks(2));
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  const Outcome approximately = run({"sample", "lattice:square:4x4", "--sampler", "bethe"}, on_ranks(2));
  EXPECT_EQ(approximately.code, 2) << approximately.err;
  EXPECT_NE(approximately.err.find("sample with --sampler"), std::string::npos) << approximately.err;
  const std::size_t first = outcome.err.find("is done by one process");
  ASSERT_NE(first, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("is done by one process", first + 1), std::string::npos) << outcome.err;
  EXPECT_EQ(run({"version"}, on_ranks(2)).out, run({"version"}).out);
}

/// Whether a module for that MPI was built.
bool has_module(const char* mpi) {
  return run({"version"}).out.find(mpi) != std::string::npos;
}

TEST_F(Mpi, RanksOfMpichFindEachOtherBesideOpenMpi) {
  if (std::system("mpiexec.hydra --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no MPICH here";
  if (!has_module("MPICH")) GTEST_SKIP() << "this build has no module for MPICH";
  Wiring wiring;
  wiring.launcher = {"mpiexec.hydra", "-np", "3"};
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"lattice:square:12x12"},
           {"marginals", "lattice:square:12x12", "--exact"},
           {"estimate", "lattice:square:8x8", "--all-sampled", "--samples", "2000"}}) {
    const Outcome outcome = run(arguments, wiring);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, run(arguments).out) << arguments.front();
  }
  const Outcome json = run({"lattice:square:12x12", "--json"}, wiring);
  EXPECT_NE(json.out.find("\"ranks\": 3"), std::string::npos) << json.out << json.err;
}

/// As MPICH's mpiexec starts a rank, but without anybody to talk to.
TEST_F(Mpi, RanksThatDoNotFindEachOtherSayHowToStartThem) {
  Wiring wiring;
  wiring.environment = {{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}};
  const Outcome outcome = run({"lattice:square:4x4"}, wiring);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("2 ranks were started, and 1 find each other"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.err.find("none of MPICH") == std::string::npos, has_module("MPICH")) << outcome.err;
}

}  // namespace
}  // namespace countpm::test
