// The rate of a job on a GPU by ranges of its units, by a clock that ranges move.
#include <gtest/gtest.h>

#include <functional>

#include "kernels/gpu/device_rounds.hpp"

namespace countpm {
namespace {

double claimed_seconds = 0;

/// Ranges of so many units take so long.
class ClaimedJob : public DeviceJob {
 public:
  explicit ClaimedJob(std::function<double(std::uint64_t count)> seconds) : seconds_(std::move(seconds)) {}
  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal&) override {
    ++ranges;
    claimed_seconds += seconds_(last - first);
    return {};
  }
  double measured_rate(double) override { return 0; }
  std::uint64_t device_bytes() const override { return 0; }
  int ranges = 0;

 private:
  std::function<double(std::uint64_t count)> seconds_;
};

double rate(ClaimedJob& job, std::uint64_t units, double seconds) {
  const auto work = [](std::uint64_t count) { return 1000.0 * static_cast<double>(count); };
  return rate_of_ranges(job, units, seconds, work, [] { return claimed_seconds; });
}

TEST(RateOfRanges, GoesOnWhileMoreUnitsAreFaster) {
  // One unit alone takes 0.0625 s, longer than a slice, and as long as 16 beside one another.
  ClaimedJob job([](std::uint64_t count) {
    const std::uint64_t rounds = (count + 15) / 16;
    return 0.0625 * static_cast<double>(rounds);
  });
  EXPECT_EQ(rate(job, 4096, 0.04), 1000 * 16 / 0.0625);
  EXPECT_EQ(job.ranges, 1 + 6);  // the first, and 1, 2, 4, 8, 16, 32 units
}

TEST(RateOfRanges, EndsWhereOneRangeIsLongEnoughAndNoFaster) {
  ClaimedJob job([](std::uint64_t count) { return static_cast<double>(count) / 128; });
  EXPECT_EQ(rate(job, 4096, 0.04), 1000 * 128);
  EXPECT_EQ(job.ranges, 1 + 4);  // 8 units take 0.0625 s
  ClaimedJob few([](std::uint64_t) { return 1.0 / 1024; });
  EXPECT_EQ(rate(few, 3, 0.04), 1000 * 3 * 1024);  // all there are
}

TEST(RateOfRanges, NothingIsSaidOfWhatTakesTooLong) {
  ClaimedJob job([](std::uint64_t count) -> double {
    if (count > 4) throw Stopped();
    return 0.5;
  });
  EXPECT_EQ(rate(job, 4096, 0.04), 0);
}

}  // namespace
}  // namespace countpm
