// Ratios killed at random moments and resumed: in the end the same figures as if nothing had happened.
#include <cmath>

#include "tests/kill-resume/estimate_resuming.hpp"
#include "tests/repeats.hpp"

namespace countpm::test::ratio_resume {
namespace {

Arguments ratio_of(const std::string& weights, const std::string& error) {
  return {"estimate",    "lattice:triangular:6x6:weights=" + weights,
          "--ratio-to",  "lattice:triangular:6x6",
          "--weights",   "--all-sampled",
          "--sampler",   "bethe",
          "--second",    "none",
          "--log-error", error,
          "--threads",   "1",
          "--seed",      "3"};
}

TEST(RatioResume, OfBothSumsAtATime) {
  kill_and_resume(ratio_of("1.05,1,1", testing::sanitized ? "0.008" : "0.004"), 3, 1);
}

TEST(RatioResume, OfEachSumByItself) {
  kill_and_resume(ratio_of("3,1,1", testing::sanitized ? "0.06" : "0.035"), 3, 2);
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
  refused({"resume", place.file(), "--log-error", "0.1"}, "not an option of resume");
  refused({"estimate", "lattice:square:4x4:weights=x,1", "--integrate", "x=1:2", "--checkpoint", "x"},
          "exclude each other");
  // Elsewhere by now, and changed.
  const std::string moved = place.with("moved.edgelist", "a b 2\nb c 3\nc d 5\nd a 1\n");
  std::filesystem::remove(cold);
  EXPECT_EQ(run({"resume", place.file(), "--ratio-to", moved}).out, whole.out);
  place.with("cold.edgelist", "a b 2\nb c 3\nc d 5\nd a 4\n");
  refused({"resume", place.file()}, "one of another input");
}

}  // namespace
}  // namespace countpm::test::ratio_resume
