// Counts killed at random moments, resumed with other threads and devices: the same number in the end.
#include <csignal>
#include <cstdlib>
#include <iostream>

#include "tests/kill-resume/resuming.hpp"
#include "tests/repeats.hpp"

namespace countpm::test {
namespace {

/// Another machine for every session: its threads, and for one in eight a GPU, emulated.
void move_to_another_machine(Random& random, bool gpus, std::vector<std::string>& arguments, Wiring& wiring) {
  arguments.insert(arguments.end(), {"--threads", std::to_string(1 + random() % 3)});
  const bool gpu = gpus && random() % 8 == 0;
  wiring.environment["COUNTPM_EMULATED_GPUS"] = gpu ? std::to_string(1 + random() % 2) : "0";
  arguments.insert(arguments.end(), {"--device", gpu ? "gpu" : "cpu"});
}

/// Counts again and again, until that many sessions were killed.
void kill_and_resume(const Job& job, bool gpus, int kills_wanted, std::uint64_t seed) {
  Resuming resuming(job);
  const Outcome whole = run(resuming.uninterrupted());
  ASSERT_EQ(whole.code, 0) << whole.err;
  // scripts/attack asks for other moments.
  const char* const attack_seed = std::getenv("COUNTPM_ATTACK_SEED");
  Random random(attack_seed == nullptr ? seed : seed + std::strtoull(attack_seed, nullptr, 10));
  int kills = 0;
  int interrupted_with_units = 0;
  int sessions_of_this_count = 0;
  // Three or more kills a count, however fast the machine; later, where it has become too slow for that.
  double longest = whole.seconds / 2;
  while (kills < kills_wanted || sessions_of_this_count > 0) {
    Wiring wiring;
    std::vector<std::string> arguments = resuming.session();
    // Emulated GPUs are slow: no count is left to them.
    move_to_another_machine(random, gpus && kills < kills_wanted, arguments, wiring);
    const bool terminate = random() % 2 == 0;
    // When enough have been killed, the last count is let through.
    if (kills < kills_wanted) {
      const double at = longest * static_cast<double>(random() % 1000) / 1000;
      wiring.signals = {{at, terminate ? SIGTERM : SIGKILL}};
    }
    const Outcome outcome = run(arguments, wiring);
    SCOPED_TRACE("session " + std::to_string(sessions_of_this_count) + ": " + outcome.err);
    ++sessions_of_this_count;
    resuming.expect_nothing_lost();
    if (outcome.code == 0) {
      ASSERT_EQ(outcome.out, whole.out);
      sessions_of_this_count = 0;
      resuming.start_again();
      continue;
    }
    ++kills;
    // SIGTERM before the program watches for it kills like SIGKILL.
    ASSERT_TRUE(outcome.code == 130 || outcome.code == 128 + SIGKILL || outcome.code == 128 + SIGTERM)
        << outcome.code;
    if (resuming.units_done() > 0) {
      ++interrupted_with_units;
    } else {
      longest *= 1.5;
      // Else the kills that were wanted would all be before anything was done.
      if (kills == kills_wanted && interrupted_with_units < kills_wanted / 4 && longest < 60) --kills;
    }
  }
  EXPECT_GE(interrupted_with_units, kills_wanted / 4);
  if (attack_seed != nullptr) std::cerr << "kills: " << kills << "\n";
}

TEST(KillResume, AFewKills) {
  const int kills = testing::sanitized ? 2 : 4;
  kill_and_resume({"sparyser", 26, 40}, false, kills, 1);
  kill_and_resume({"pruned", 32, 40}, true, kills, 2);
}

// scripts/attack kills as often as can be.
int many(int kills) {
  return std::getenv("COUNTPM_ATTACK_SEED") == nullptr ? testing::repeats(kills) : kills;
}

TEST(LongKillResume, Ryser) {
  kill_and_resume({"ryser", 31, 70}, true, many(40), 11);
}
TEST(LongKillResume, Sparyser) {
  kill_and_resume({"sparyser", 28, 30}, false, many(40), 12);
}
TEST(LongKillResume, Skipper) {
  kill_and_resume({"skipper", 29, 30}, false, many(40), 13);
}
TEST(LongKillResume, RyserForm) {
  kill_and_resume({"pruned", 34, 35}, true, many(40), 14);
}
TEST(LongKillResume, Merged) {
  kill_and_resume({"grouped", 32, 70}, false, many(40), 15);
}
TEST(LongKillResume, FrontierInBranches) {
  kill_and_resume({"frontier", 28, 25, {"--memory-limit", "16M"}}, false, many(10), 16);
}
TEST(LongKillResume, DoubleCheck) {
  kill_and_resume({"sparyser", 26, 40, {"--double-check"}}, false, many(20), 17);
}

TEST(Resume, RefusesAnotherInput) {
  Resuming resuming({"sparyser", 20, 40});
  ASSERT_EQ(run(resuming.session()).code, 0);
  std::ofstream(resuming.input()) << random_matrix(20, 40, 8);
  const Outcome outcome = run({"resume", resuming.file()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("another input"), std::string::npos) << outcome.err;
}

TEST(Resume, TakesTheSameInputUnderAnotherName) {
  Resuming resuming({"sparyser", 20, 40});
  const Outcome first = run(resuming.session());
  ASSERT_EQ(first.code, 0);
  const std::string moved = resuming.input() + ".moved.dense";
  std::filesystem::rename(resuming.input(), moved);
  EXPECT_EQ(run({"resume", resuming.file()}).code, 2);
  const Outcome outcome = run({"resume", resuming.file(), moved});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, first.out);
}

TEST(Resume, AFileThatIsThereIsNeverOverwritten) {
  Resuming resuming({"sparyser", 20, 40});
  std::ofstream(resuming.file()) << "dear diary\n";
  std::vector<std::string> arguments = resuming.uninterrupted();
  arguments.insert(arguments.end(), {"--checkpoint", resuming.file()});
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("exists already"), std::string::npos) << outcome.err;
  EXPECT_EQ(run({"resume", resuming.file()}).code, 2);
  EXPECT_EQ(run({"status", resuming.file()}).code, 2);
  std::string text;
  std::getline(std::ifstream(resuming.file()), text);
  EXPECT_EQ(text, "dear diary");
}

TEST(Resume, StandardInputHasNoCheckpoint) {
  Resuming resuming({"sparyser", 20, 40});
  const Outcome outcome = run({"-", "--checkpoint", resuming.file()}, feeding("1 1\n1 1\n"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("read again"), std::string::npos) << outcome.err;
}

TEST(Resume, ALatticeIsItsOwnInput) {
  Resuming resuming({"planar", 2, 100});
  const std::string spec = "lattice:square:30x30";
  const Outcome first = run({spec, "--checkpoint", resuming.file(), "--method", "planar"});
  ASSERT_EQ(first.code, 0) << first.err;
  const Outcome second = run({"resume", resuming.file()});
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(second.out, first.out);
}

/// A record of the journal whose residue is another, with the checksum that belongs to it.
TEST(Resume, AResidueThatChecksumsDoNotCatchIsCaughtByRunningItAgain) {
  Resuming resuming({"sparyser", 25, 40});
  ASSERT_EQ(run(resuming.session()).code, 0);
  const Journal journal = read_journal(resuming.file());
  std::string text = header_lines(journal.header);
  for (JournalRecord record : journal.records) {
    uint128& residue = std::get<Residues>(record.finished.value).residue[0];
    residue = residue == 0 ? 1 : residue - 1;
    text += record_line(journal.header, record);
  }
  std::ofstream(resuming.file(), std::ios::binary) << text;
  const Outcome outcome = run({"resume", resuming.file()});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("do not add up"), std::string::npos) << outcome.err;
}

/// A checkpoint from elsewhere must not name files that are written then.
TEST(Resume, OptionsThatNoCheckpointKeepsAreRefused) {
  Resuming resuming({"sparyser", 20, 40});
  ASSERT_EQ(run(resuming.session()).code, 0);
  Journal journal = read_journal(resuming.file());
  const std::string victim = (resuming.folder() / "victim").string();
  const auto options = journal.header.options;
  for (const char* name : {"checkpoint", "svg", "output", "nothing"}) {
    journal.header.options = options;
    journal.header.options.emplace_back(name, victim);
    std::ofstream(resuming.file(), std::ios::binary) << header_lines(journal.header);
    const Outcome outcome = run({"resume", resuming.file()});
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("options that a checkpoint keeps"), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(victim));
  }
}

TEST(Resume, StatusTellsHowFarItIs) {
  Resuming resuming({"sparyser", 27, 40});
  Wiring wiring;
  std::vector<std::string> arguments = resuming.session();
  arguments.insert(arguments.end(), {"--threads", "1"});
  Outcome outcome;
  for (double seconds = 0.5; seconds < 60 && !std::filesystem::exists(resuming.file()); seconds *= 2) {
    wiring.signals = {{seconds, SIGTERM}};  // before the first unit there is no file
    outcome = run(arguments, wiring);
  }
  const Outcome status = run({"status", resuming.file(), "--json"});
  ASSERT_EQ(status.code, 0) << status.err;
  EXPECT_NE(status.out.find("\"method\": \"sparyser\""), std::string::npos) << status.out;
  if (outcome.code == 128 + SIGTERM) {
    EXPECT_NE(outcome.err.find("countpm resume"), std::string::npos) << outcome.err;
    EXPECT_NE(status.out.find("\"count\": null"), std::string::npos) << status.out;
  }
  const Outcome rest = run({"resume", resuming.file()});
  EXPECT_EQ(rest.code, 0) << rest.err;
  const std::string number = rest.out.substr(0, rest.out.size() - 1);
  const Outcome done = run({"status", resuming.file()});
  EXPECT_NE(done.out.find("count      " + number), std::string::npos) << done.out;
}

TEST(Resume, TheTimeLimitKeepsWhatIsDone) {
  Resuming resuming({"sparyser", 26, 40, {"--threads", "1"}});
  std::string out;
  int sessions = 0;
  double limit = 0.25;
  while (out.empty() && sessions < 100) {
    std::vector<std::string> arguments = resuming.session();
    if (arguments[0] == "resume") {
      arguments.insert(arguments.end(), {"--time-limit", std::to_string(limit)});
    } else {
      arguments.at(4) = std::to_string(limit);
    }
    const Outcome outcome = run(arguments);
    ++sessions;
    resuming.expect_nothing_lost();
    if (outcome.code != 3) {
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      out = outcome.out;
    } else if (outcome.err.find("it would never be done") != std::string::npos ||
               outcome.err.find("is over while") != std::string::npos ||
               outcome.err.find("is over before anything was counted") != std::string::npos) {
      limit *= 2;  // a unit, or the planning, takes longer than that, on this machine today
    } else {
      EXPECT_NE(outcome.err.find("countpm resume"), std::string::npos) << outcome.err;
    }
  }
  EXPECT_EQ(out, run(resuming.uninterrupted()).out);
}

}  // namespace
}  // namespace countpm::test
