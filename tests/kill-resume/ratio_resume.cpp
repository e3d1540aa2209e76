// Ratios killed at random moments and resumed: in the end the same figures as if nothing had happened.
#include <cmath>

#include "tests/kill-resume/estimate_resuming.hpp"
#include "tests/repeats.hpp"

namespace countpm::test::ratio_resume {
namespace {

Arguments ratio_of(const std::string& weights, const std::string& error) {
  return {"estimate",   "lattice:triangular:6x6:weights=" + weights,
          "--ratio-to", "lattice:triangular:6x6",
          "--weights",  "--all-sampled",
          "--sampler",  "bethe",
          "--second",   "none",
          "--ln-error", error,
          "--threads",  "1",
          "--seed",     "3"};
}

TEST(RatioResume, OfBothSumsAtATime) {
  kill_and_resume(ratio_of("1.05,1,1", testing::sanitized ? "0.008" : "0.004"), 3, 1);
}

TEST(RatioResume, OfEachSumByItself) {
  kill_and_resume(ratio_of("3,1,1", testing::sanitized ? "0.06" : "0.035"), 3, 2);
}

Arguments integral_of(const std::string& range, const std::string& error) {
  return {"estimate",
          "lattice:triangular:6x6:weights=x,1,1",
          "--integrate",
          range,
          "--all-sampled",
          "--sampler",
          "bethe",
          "--second",
          "none",
          "--ln-error",
          error,
          "--threads",
          "1",
          "--seed",
          "3"};
}

// Each end by itself; samples of both are a ratio's, above.
TEST(RatioResume, OfAnIntegral) {
  kill_and_resume(integral_of("x=1:3", testing::sanitized ? "0.06" : "0.035"), 3, 4);
}

TEST(RatioResume, AnIntegralsStatusAndRefusals) {
  const Place place;
  const std::string board = place.with("board.edgelist", "a b x\nb c 3\nc d 5\nd a 1\n");
  const Arguments asked{"estimate",    board,     "--weights",    "--kind",    "undirected",
                        "--integrate", "x=1/2:7", "--checkpoint", place.file()};
  const std::string counted = run(asked + Arguments{"--exact-below", "1m"}).out;
  EXPECT_NE(counted.find("both counted"), std::string::npos) << counted;
  EXPECT_EQ(run({"resume", place.file()}).out, counted);
  std::filesystem::remove(place.file());
  const Outcome whole = run(asked + Arguments{"--all-sampled", "--samples", "200"});
  EXPECT_EQ(whole.code, 0) << whole.err;
  const Json status = status_of(place.file());
  EXPECT_TRUE(status["ratio_to"].is_null());
  EXPECT_EQ(status["options"]["integrate"], "x=1/2:7");
  EXPECT_EQ(status["estimated"], true);
  EXPECT_NE(run({"status", place.file()}).out.find("integral   x=1/2:7\n"), std::string::npos);
  EXPECT_EQ(run({"resume", place.file()}).out, whole.out);
  // The input may be elsewhere by now, but not another one, and neither question is the other.
  const std::string moved = place.with("moved.edgelist", "a b x\nb c 3\nc d 5\nd a 1\n");
  EXPECT_EQ(run({"resume", place.file(), moved}).out, whole.out);
  const Outcome other = run({"resume", place.file(), "--ratio-to", moved});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("no ratio's checkpoint"), std::string::npos) << other.err;
  place.with("board.edgelist", "a b x\nb c 3\nc d 5\nd a 2\n");
  const Outcome changed = run({"resume", place.file()});
  EXPECT_EQ(changed.code, 2);
  EXPECT_NE(changed.err.find("one of another input"), std::string::npos) << changed.err;
}

TEST(LongRatioResume, OfBothWays) {
  for (int k = 0; k < testing::repeats(2); ++k) {
    const std::uint64_t seed = 10 + 2 * static_cast<std::uint64_t>(k);
    kill_and_resume(ratio_of("1.05,1,1", "0.0015"), testing::repeats(9), seed);
    kill_and_resume(ratio_of("3,1,1", "0.015"), testing::repeats(9), seed + 1);
  }
}

TEST(RatioResume, StatusAndRefusals) {
  const Place place;
  const std::string hot = place.with("hot.edgelist", "a b 2\nb c 3\nc d 5\nd a 7\n");
  const std::string cold = place.with("cold.edgelist", "a b 2\nb c 3\nc d 5\nd a 1\n");
  const Arguments ratio{"estimate", hot, "--ratio-to", cold, "--weights"};
  const Arguments kept = ratio + Arguments{"--checkpoint", place.file()};
  const Arguments sampled = kept + Arguments{"--all-sampled", "--samples", "200"};
  EXPECT_EQ(run(kept + Arguments{"--exact-below", "1m"}).out, "31/13 exactly\n");
  EXPECT_EQ(status_of(place.file())["count"], "31/13");
  EXPECT_EQ(run({"resume", place.file()}).out, "31/13 exactly\n");
  std::filesystem::remove(place.file());
  const Outcome whole = run(sampled);
  EXPECT_EQ(whole.code, 0) << whole.err;
  const Json status = status_of(place.file());
  EXPECT_EQ(status["ratio_to"], cold);
  EXPECT_EQ(status["estimated"], true);
  ASSERT_EQ(status["sampled"].size(), 1U);
  EXPECT_EQ(status["sampled"][0]["samples"], 200);
  EXPECT_NEAR(status["sampled"][0]["log10"].get<double>(), std::log10(31.0 / 13), 0.1);
  EXPECT_EQ(run({"resume", place.file()}).out, whole.out);
  const auto refused = [](const Arguments& arguments, const std::string& why) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments[0];
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  refused(sampled, "exists");
  refused({"merge", place.file()}, "checkpoint of an estimate");
  refused({"verify", place.file(), hot}, "that of an estimate");
  refused({"resume", place.file(), "--ln-error", "0.1"}, "not an option of resume");
  // Elsewhere by now, and changed.
  const std::string moved = place.with("moved.edgelist", "a b 2\nb c 3\nc d 5\nd a 1\n");
  std::filesystem::remove(cold);
  EXPECT_EQ(run({"resume", place.file(), "--ratio-to", moved}).out, whole.out);
  place.with("cold.edgelist", "a b 2\nb c 3\nc d 5\nd a 4\n");
  refused({"resume", place.file()}, "one of another input");
}

}  // namespace
}  // namespace countpm::test::ratio_resume
