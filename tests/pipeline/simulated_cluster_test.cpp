// The simulation behind bench/results/checkpoints-and-ranks.md: small cases whose answer is known, and
// nothing lost whatever fails.
#include "bench/simulated_cluster.hpp"
#include "tests/repeats.hpp"

#include <gtest/gtest.h>

namespace countpm::simulation {
namespace {

Cluster cluster_of(std::uint64_t units, std::uint64_t workers) {
  Cluster cluster;
  cluster.units = units;
  cluster.workers = workers;
  return cluster;
}

TEST(SimulatedCluster, EvenWorkOnEvenGpusTakesWhatItMust) {
  // 12 units of a second on 3 GPUs, with no latency: 4 seconds, nobody idle.
  const Report report = simulate(cluster_of(12, 3));
  EXPECT_NEAR(report.seconds, 4, 1e-9);
  EXPECT_NEAR(report.efficiency(), 1, 1e-9);
  EXPECT_NEAR(report.end_idle_seconds, 0, 1e-9);
  EXPECT_TRUE(report.every_unit_once);
  EXPECT_EQ(report.failures, 0U);
}

TEST(SimulatedCluster, OneUnitTooManyTakesOneMoreRound) {
  const Report report = simulate(cluster_of(13, 3));
  EXPECT_NEAR(report.seconds, 5, 1e-9);
  EXPECT_NEAR(report.end_idle_seconds, 2.0 / 3, 1e-9);
}

TEST(SimulatedCluster, LatencyIsHiddenBehindTheUnitInHand) {
  Cluster cluster = cluster_of(400, 2);
  cluster.latency_seconds = 0.01;
  // The first units arrive after a latency, the last are reported after one.
  EXPECT_NEAR(simulate(cluster).seconds, 200.02, 0.001);
}

TEST(SimulatedCluster, AFailureThatEndsTheJobCostsTheRestartAndWhatWasInHand) {
  Cluster cluster = cluster_of(100, 1);
  cluster.failure_seconds = 40;
  cluster.restart_seconds = 10;
  const Report report = simulate(cluster);
  EXPECT_GT(report.failures, 0U);
  EXPECT_TRUE(report.every_unit_once);
  const double restarts = 10 * static_cast<double>(report.failures);
  EXPECT_NEAR(report.seconds, 100 + restarts + report.lost_gpu_seconds, 1e-6);
}

TEST(SimulatedCluster, EveryUnitOnceWhateverFails) {
  for (std::uint64_t seed = 1; seed <= (testing::sanitized ? 3 : 12); ++seed) {
    for (const bool ends_job : {false, true}) {
      Cluster cluster = cluster_of(500, 9);
      cluster.speed_spread = 0.7;
      cluster.unit_spread = 0.5;
      cluster.latency_seconds = 0.05;
      cluster.failure_seconds = 120;
      cluster.failure_ends_job = ends_job;
      cluster.restart_seconds = 5;
      cluster.seed = seed;
      const Report report = simulate(cluster);
      EXPECT_TRUE(report.every_unit_once) << seed;
      EXPECT_GT(report.failures, 0U);
    }
  }
}

}  // namespace
}  // namespace countpm::simulation
