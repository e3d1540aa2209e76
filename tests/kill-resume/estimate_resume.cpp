// Estimates killed at random moments and resumed: in the end the same figures as if nothing had happened.
#include <fmt/format.h>

#include "tests/kill-resume/estimate_resuming.hpp"
#include "tests/repeats.hpp"

namespace countpm::test {
namespace {

const Arguments walks{"estimate", "lattice:square:10x10", "--all-sampled", "--sampler", "scaling+", "--seed",
                      "5"};

TEST(EstimateResume, ANumberOfSamplesIsTheSame) {
  kill_and_resume(walks + Arguments{"--samples", "1500", "--threads", "1"}, 3, 1);
}

TEST(EstimateResume, ARelativeErrorIsReachedBySameSteps) {
  kill_and_resume({"estimate", "lattice:square:12x12", "--all-sampled", "--sampler", "scaling+", "--seed",
                   "5", "--error", "3%", "--threads", "1"},
                  3, 2);
}

TEST(EstimateResume, AGuaranteeIsTheSame) {
  const Place place;
  const std::string dense = place.with("matrix.dense", random_matrix(44, 50, 3));
  kill_and_resume({"estimate", dense, "--all-sampled", "--guarantee", "0.012,0.05", "--threads", "1"}, 3, 3);
}

// Five ones a row: bets on hits, where coins would hardly ever succeed.
TEST(EstimateResume, AGuaranteeByBetsIsTheSame) {
  const Place place;
  std::string text;
  for (int i = 0; i < 44; ++i) {
    for (const int offset : {0, 3, 7, 18, 29}) text += fmt::format("r{} c{}\n", i, (i + offset) % 44);
  }
  const std::string sparse = place.with("circulant.edgelist", text);
  const Arguments estimate{"estimate",    sparse,      "--kind",    "bipartite", "--all-sampled",
                           "--guarantee", "0.05,0.05", "--threads", "1"};
  kill_and_resume(estimate, 3, 4);
  EXPECT_EQ(run(estimate + Arguments{"--checkpoint", place.file()}).code, 0);
  const Journal journal = read_journal(place.file());
  DrawnSamples drawn = journal.drawn.at(0);
  EXPECT_GT(drawn.share_bits, 0U);
  // Trials for another rule are not gone on with.
  drawn.goal += 1;
  std::ofstream(place.file(), std::ios::binary)
      << header_lines(journal.header) + samples_line(journal.header, {0, drawn});
  const Outcome refused = run({"resume", place.file()});
  EXPECT_EQ(refused.code, 2) << refused.out;
  EXPECT_NE(refused.err.find("another machine plans the guarantee otherwise"), std::string::npos)
      << refused.err;
}

TEST(LongEstimateResume, EverySamplerAndGoal) {
  std::uint64_t seed = 10;
  for (const char* sampler :
       {"rasmussen", "rasmussen+", "scaling", "scaling+", "population", "godsil-gutman-quaternion"}) {
    const Arguments base{"estimate", "lattice:square:10x10", "--all-sampled", "--sampler", sampler};
    kill_and_resume(base + Arguments{"--samples", "5000"}, testing::repeats(6), ++seed);
    // Of determinants 4 % would take 14 s of CPU.
    const char* const error = std::string(sampler).starts_with("godsil") ? "12%" : "4%";
    kill_and_resume(base + Arguments{"--error", error}, testing::repeats(6), ++seed);
  }
  const Place place;
  const std::string dense = place.with("matrix.dense", random_matrix(48, 40, 4));
  kill_and_resume({"estimate", dense, "--all-sampled", "--guarantee", "0.005,0.05"}, testing::repeats(9),
                  ++seed);
}

TEST(EstimateResume, TheTimeLimitEndsASessionNotTheEstimate) {
  const Place place;
  // Two seconds or so, four times the limit; the first session looks at the interval some times. A machine
  // that is through with it, or takes as long to begin, gets another limit.
  const Arguments estimate{
      "estimate", "lattice:square:12x12", "--all-sampled", "--sampler", "scaling+", "--seed", "7", "--error",
      "1%"};
  Outcome first;
  double limit = 0.5;
  for (int k = 0; k < 20; ++k) {
    std::filesystem::remove(place.file());
    first = run_within(limit, estimate + Arguments{"--checkpoint", place.file(), "--threads", "1"});
    if (first.code != 0 || !status_of(place.file())["estimated"].get<bool>()) break;
    limit *= 0.6;
  }
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.err.find("countpm resume"), std::string::npos) << first.err;
  EXPECT_FALSE(status_of(place.file())["estimated"].get<bool>());
  const Json rest = json_of(run({"resume", place.file(), "--time-limit", "none", "--json"}));
  EXPECT_EQ(rest["estimate"], json_of(run(estimate + Arguments{"--json"}))["estimate"]);
}

TEST(EstimateResume, AGuaranteeBeyondTheLimitGoesOn) {
  const Place place;
  // Planning, and drawing some again, is to leave time for more.
  const std::string limit = testing::sanitized ? "4" : "0.5";
  const std::string dense = place.with("matrix.dense", random_matrix(44, 50, 3));
  const Arguments estimate{
      "estimate",  dense, "--all-sampled", "--guarantee", testing::sanitized ? "0.0003,0.05" : "0.001,0.05",
      "--threads", "1"};
  EXPECT_EQ(run(estimate + Arguments{"--time-limit", limit}).code, 3);
  const Outcome outcome = run(estimate + Arguments{"--time-limit", limit, "--checkpoint", place.file()});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("countpm resume"), std::string::npos) << outcome.err;
  const std::uint64_t before = samples_in(place.file());
  // A busy machine may spend the whole limit on planning.
  std::uint64_t after = before;
  for (double seconds = testing::sanitized ? 4 : 0.5; seconds < 60 && after == before; seconds *= 2) {
    const int code = run({"resume", place.file(), "--time-limit", fmt::format("{}", seconds)}).code;
    EXPECT_TRUE(code == 3 || code == 0) << code;
    after = samples_in(place.file());
  }
  EXPECT_GT(after, before);
}

TEST(EstimateResume, ATornOrForeignLineCostsItsSamplesAlone) {
  const Place place;
  const Arguments estimate = walks + Arguments{"--samples", "300"};
  const Json expected =
      json_of(run(estimate + Arguments{"--checkpoint", place.file(), "--json"}))["estimate"];
  std::string text;
  {
    const Journal journal = read_journal(place.file());
    text = header_lines(journal.header);
    DrawnSamples all = journal.drawn.at(0);
    EXPECT_EQ(all.moments.samples, 300U);
    const std::string line = samples_line(journal.header, {0, all});
    all.moments.samples = 1'000'000;
    JournalHeader other = journal.header;
    other.id = std::string(32, '0');
    text += samples_line(other, {0, all});    // of another journal
    text += line.substr(0, line.size() / 2);  // torn
  }
  std::ofstream(place.file(), std::ios::binary) << text;
  EXPECT_EQ(samples_in(place.file()), 0U);
  const Outcome outcome = run({"resume", place.file(), "--json"});
  EXPECT_NE(outcome.err.find("2 of its lines are left out"), std::string::npos) << outcome.err;
  EXPECT_EQ(json_of(outcome)["estimate"], expected);
}

TEST(EstimateResume, DrawsSomeOfTheSamplesAgain) {
  const std::string samples = testing::sanitized ? "20" : "300";
  for (const Arguments& goal : {Arguments{"--samples", samples},
                                Arguments{"--guarantee", testing::sanitized ? "0.3,0.3" : "0.1,0.1"}}) {
    const Place place;
    const bool guarantee = goal[0] == "--guarantee";
    const std::string dense = place.with("matrix.dense", random_matrix(44, 50, 3));
    const Arguments estimate = (guarantee ? Arguments{"estimate", dense, "--all-sampled"} : walks) + goal;
    const Json expected =
        json_of(run(estimate + Arguments{"--checkpoint", place.file(), "--json"}))["estimate"];
    const Journal journal = read_journal(place.file());
    const auto resumed = [&](const DrawnSamples& drawn) {
      std::ofstream(place.file(), std::ios::binary)
          << header_lines(journal.header) + samples_line(journal.header, {0, drawn});
      return run({"resume", place.file(), "--json"});
    };
    const Json same = json_of(resumed(journal.drawn.at(0)));
    EXPECT_EQ(same["estimate"], expected);
    bool again = false;
    for (const Json& check : same["checks"])
      again = again || (check["name"] == "checkpoint run again" && check["ok"] == true);
    EXPECT_TRUE(again) << same["checks"];
    // What was changed before its checksum was made.
    DrawnSamples wrong = journal.drawn.at(0);
    if (guarantee) {
      wrong.moments.nonzero -= 1;
      if (wrong.share_bits > 0 && --wrong.hits.begin()->second == 0) wrong.hits.erase(wrong.hits.begin());
    } else {
      // By less than what tells that it cannot be the sum of samples in these bins.
      wrong.moments.sum.add(mpz_class(1), static_cast<std::int64_t>(wrong.moments.sum.log2()) - 12);
    }
    const Outcome refused = resumed(wrong);
    EXPECT_EQ(refused.code, 4) << refused.out << refused.err;
    EXPECT_NE(refused.err.find("checkpoint run again"), std::string::npos) << refused.err;
  }
}

// The second sampler's are in no journal, and drawn again.
TEST(EstimateResume, TheSecondSamplerSaysTheSame) {
  const Place place;
  const Arguments estimate{"estimate",
                           "lattice:square:12x12",
                           "--all-sampled",
                           "--exact-tail",
                           "0",
                           "--samples",
                           "2000",
                           "--threads",
                           "1"};
  const auto second_of = [](const Json& value) {
    Json second = value["blocks"][0]["second"];
    EXPECT_TRUE(second.is_object()) << value["blocks"];
    second.erase("seconds");
    return second;
  };
  const Json whole = json_of(run(estimate + Arguments{"--json"}));
  EXPECT_EQ(run_within(0.2, estimate + Arguments{"--checkpoint", place.file()}).code, 0);
  const Json rest =
      json_of(run({"resume", place.file(), "--time-limit", "none", "--threads", "2", "--json"}));
  EXPECT_EQ(rest["estimate"], whole["estimate"]);
  EXPECT_EQ(second_of(rest), second_of(whole));
}

// A device, or GPUs, that are given to resume take the place of both that are kept.
TEST(EstimateResume, GoesOnWithOtherDevices) {
  Wiring two_gpus;
  two_gpus.environment["COUNTPM_EMULATED_GPUS"] = "2";
  const Json whole = json_of(run(walks + Arguments{"--samples", "300", "--json"}));
  for (const auto& [begun, gone_on] : std::vector<std::pair<Arguments, Arguments>>{
           {{"--gpus", "2"}, {"--device", "cpu"}}, {{"--device", "cpu"}, {"--gpus", "1"}}}) {
    const Place place;
    EXPECT_EQ(run(walks + Arguments{"--samples", "300", "--checkpoint", place.file()} + begun, two_gpus).code,
              0);
    const Outcome rest = run(Arguments{"resume", place.file(), "--json"} + gone_on, two_gpus);
    EXPECT_EQ(rest.code, 0) << rest.err;
    EXPECT_EQ(json_of(rest)["estimate"], whole["estimate"]);
  }
}

TEST(EstimateResume, RandomNumbersByAnotherRuleAreRefused) {
  const Place place;
  EXPECT_EQ(run(walks + Arguments{"--samples", "100", "--checkpoint", place.file()}).code, 0);
  const Journal journal = read_journal(place.file());
  JournalHeader older = journal.header;
  older.estimate->rule = 1;
  std::ofstream(place.file(), std::ios::binary)
      << header_lines(older) + samples_line(older, {0, journal.drawn.at(0)});
  const Outcome refused = run({"resume", place.file()});
  EXPECT_EQ(refused.code, 2) << refused.out;
  EXPECT_NE(refused.err.find("random numbers by rule 1, of an older countpm"), std::string::npos)
      << refused.err;
}

TEST(EstimateResume, CountedBlocksStayCounted) {
  const Place place;
  // Two blocks: one that is easy, and a lattice that is sampled.
  const std::string easy = run({"lattice", "square:4x4"}).out;
  std::string both = run({"lattice", "square:8x8"}).out;
  for (const std::string& line : lines_of(easy)) {
    const std::size_t space = line.find(' ');
    if (line.empty() || line[0] == '#' || space == std::string::npos) continue;
    both += "easy" + line.substr(0, space) + " easy" + line.substr(space + 1) + "\n";
  }
  const std::string input = place.with("both.edgelist", both);
  const Arguments estimate{"estimate",       input,       "--no-rule",      "double",   "--no-rule",
                           "forbert-marx-3", "--no-rule", "forbert-marx-4", "--method", "ryser",
                           "--exact-below",  "0.05",      "--samples",      "200"};
  const Json expected = json_of(run(estimate + Arguments{"--json"}));
  const Json first = json_of(run(estimate + Arguments{"--checkpoint", place.file(), "--json"}));
  ASSERT_EQ(first["estimate"], expected["estimate"]);
  const Json status = status_of(place.file());
  ASSERT_EQ(status["blocks"].size(), 1U) << status;
  EXPECT_EQ(status["blocks"][0]["units_done"], status["blocks"][0]["units"]);
  ASSERT_EQ(status["sampled"].size(), 1U);
  EXPECT_EQ(json_of(run({"resume", place.file(), "--json"}))["estimate"], expected["estimate"]);
}

TEST(EstimateResume, RefusesWhatIsNotItsOwn) {
  const Place place;
  const std::string dense = place.with("matrix.dense", random_matrix(30, 50, 3));
  const Arguments estimate{"estimate", dense, "--all-sampled", "--samples", "200", "--sampler", "rasmussen"};
  ASSERT_EQ(run(estimate + Arguments{"--checkpoint", place.file()}).code, 0);
  EXPECT_EQ(run(estimate + Arguments{"--checkpoint", place.file()}).code, 2);
  const auto refused = [](const Arguments& arguments, const std::string& why) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments[0];
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  refused({"resume", place.file(), "--audit", "50%"}, "not an option of estimate");
  refused({"resume", place.file(), "--samples", "300"}, "not an option of resume");
  refused({"merge", place.file()}, "checkpoint of an estimate");
  refused({"verify", place.file(), dense},
          "that of an estimate, of which no number can be verified: 'countpm resume' shows");
  refused({"estimate", "-", "--checkpoint", place.file() + "2"}, "read again");
  place.with("matrix.dense", random_matrix(30, 50, 4));
  refused({"resume", place.file()}, "another input");
}

TEST(EstimateResume, OnLimitKeepsTheCheckpointOfTheCount) {
  const Place place;
  // The estimate needs some tenths of a second as well.
  const std::string dense = place.with("matrix.dense", random_matrix(28, 40, 7));
  const Arguments count{dense, "--method", "sparyser", "--threads", "1"};
  // Half of what it takes: a limit that is predicted to be much too short would not let it begin. A machine
  // that has become faster or slower meanwhile is done, or has not begun.
  const Outcome whole = run(count + Arguments{"--json"});
  double seconds = Json::parse(whole.out)["blocks"][0]["seconds"].get<double>() / 2;
  Outcome begun;
  for (int k = 0; k < 20; ++k) {
    std::filesystem::remove(place.file());
    begun = run(count + Arguments{"--time-limit", std::to_string(seconds), "--on-limit", "estimate",
                                  "--checkpoint", place.file()});
    if (begun.code != 0) {
      seconds *= 1.5;
      continue;
    }
    const Json first = status_of(place.file());
    if (!first["count"].is_null()) {
      seconds *= 0.7;
    } else if (!first["estimate"].is_null()) {
      seconds *= 1.3;
    } else {
      break;
    }
  }
  ASSERT_EQ(begun.code, 0) << begun.err;
  EXPECT_NE(begun.err.find("estimating instead of counting"), std::string::npos) << begun.err;
  const Json status = status_of(place.file());
  EXPECT_TRUE(status["estimate"].is_null());
  EXPECT_TRUE(status["count"].is_null());
  const Outcome rest = run({"resume", place.file(), "--time-limit", "none"});
  EXPECT_EQ(rest.out, Json::parse(whole.out)["count"].get<std::string>() + "\n") << rest.err;
}

TEST(EstimateResume, OnLimitLeavesACheckpointThatWasNotBegunToTheEstimate) {
  const Place place;
  const Outcome outcome = run_within(1, {"lattice:square:10x10", "--method", "ryser", "--no-rule", "double",
                                         "--on-limit", "estimate", "--checkpoint", place.file()});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(status_of(place.file())["estimate"].is_null());
  const Outcome rest = run({"resume", place.file(), "--time-limit", "none"});
  EXPECT_NE(rest.out.find("(95% confidence, seed "), std::string::npos) << rest.out << rest.err;
  EXPECT_TRUE(status_of(place.file())["estimated"].get<bool>());
}

}  // namespace
}  // namespace countpm::test
