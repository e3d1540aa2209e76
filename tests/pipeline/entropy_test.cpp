// ln Z by vertex, and the known limits: published values, and counts that go there.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <cmath>
#include <numbers>

#include "src/api/entries.hpp"
#include "src/estimate/estimate.hpp"

namespace countpm {
namespace {

CountResult count_of(const std::string& spec, bool weights = false) {
  ReadOptions read;
  read.weights = weights;
  return count(Source::from_argument("lattice:" + spec), read, {});
}

double per_vertex(const std::string& spec) {
  return count_of(spec).entropy.value().per_vertex;
}

TEST(Entropy, OfABoard) {
  const CountResult result = count_of("square:8x8");
  const Entropy entropy = result.entropy.value();
  EXPECT_NEAR(entropy.ln_z, std::log(12988816.0), 1e-12);
  EXPECT_NEAR(entropy.per_vertex, std::log(12988816.0) / 64, 1e-14);
  EXPECT_NEAR(entropy.per_dimer, std::log(12988816.0) / 32, 1e-14);
  EXPECT_NEAR(entropy.limit.value().per_vertex, 0.2915609040308, 1e-12);
}

TEST(Entropy, OnlyOfPositiveSumsOfPerfectMatchings) {
  EXPECT_FALSE(count_of("square:3x3").entropy);
  EXPECT_TRUE(count_of("triangular:4x4").entropy);  // a graph with odd cycles
  EXPECT_FALSE(count_of("square:1x2:weights=-1,1", true).entropy);
  EXPECT_FALSE(count_of("square:2x1:weights=1,(0,1)", true).entropy);
  ReadOptions directed;
  directed.kind = GraphKind::directed;
  directed.symmetric = true;
  EXPECT_FALSE(count(Source::from_argument("lattice:square:2x2"), directed, {}).entropy);
  const Entropy weighted = count_of("square:1x2:weights=1/2,1", true).entropy.value();
  EXPECT_NEAR(weighted.ln_z, -std::numbers::ln2, 1e-15);
}

TEST(Entropy, LimitsOnlyOfWholeUnweightedLattices) {
  EXPECT_TRUE(count_of("square:4x4").entropy->limit);
  EXPECT_FALSE(count_of("square:4x4:weights=1,2").entropy->limit);
  EXPECT_FALSE(count_of("square:4x4:remove=r0c0+r0c1").entropy->limit);
  EXPECT_FALSE(count_of("cubic:2x2x2").entropy->limit);
}

TEST(KnownLimits, AsPublished) {
  const auto limit = [](const std::string& spec) { return known_limit(spec).value().per_vertex; };
  // Kasteleyn 1961: exp(2 G / pi) = 1.7916 dimers' freedom; Wu 2006: 0.323065947 a dimer for the honeycomb;
  // Fendley, Moessner, Sondhi 2002: 0.4286 a site.
  EXPECT_NEAR(std::exp(2 * limit("square:8x8")), 1.7916, 1e-4);
  EXPECT_EQ(limit("torus:4x4"), limit("cylinder:4x4"));
  EXPECT_NEAR(2 * limit("honeycomb-torus:4x4"), 0.323065947, 1e-9);
  EXPECT_NEAR(limit("triangular:4x4"), 0.4286, 5e-5);
  EXPECT_NEAR(limit("hexagon:5x5x5"), (4.5 * std::log(3.0) - 6 * std::log(2.0)) / 6, 1e-14);
  EXPECT_EQ(limit("honeycomb:3x3"), 0);
}

TEST(KnownLimits, CountsGoThere) {
  // a + b / L + c / L^2 through three sizes.
  const auto extrapolated = [](const std::string& shape) {
    const auto at = [&](int n) { return per_vertex(fmt::format("{}:{}x{}", shape, n, n)); };
    const double first = 2 * at(20) - at(10);
    const double second = 2 * at(40) - at(20);
    return (4 * second - first) / 3;
  };
  EXPECT_NEAR(extrapolated("square"), known_limit("square:8x8")->per_vertex, 1e-4);
  EXPECT_NEAR(extrapolated("triangular"), known_limit("triangular:8x8")->per_vertex, 1e-4);
  // Periodic lattices have no 1 / L.
  EXPECT_NEAR((4 * per_vertex("honeycomb-torus:6x6") - per_vertex("honeycomb-torus:3x3")) / 3,
              known_limit("honeycomb-torus:6x6")->per_vertex, 1e-3);
  EXPECT_NEAR(per_vertex("triangular-torus:16x16"), known_limit("triangular-torus:16x16")->per_vertex, 0.01);
  for (const int n : {1, 5, 20})
    EXPECT_NEAR(per_vertex(fmt::format("aztec:{}", n)), known_limit("aztec:1")->per_vertex, 1e-14);
  const double sides = 12;
  const double box = per_vertex("hexagon:12x24x6");
  EXPECT_NEAR(box, known_limit("hexagon:2x4x1")->per_vertex, std::log(sides) / sides / sides);
}

// The limit of the cubic lattice is not known: A. Schrijver's bound of 1998 (per site, (5 ln 5 - 4 ln 6) / 2
// = 0.44008), and what cubes of 2, 4 and 6 a side extrapolate to, the last one estimated.
TEST(LongKnownLimits, CubesGoAboveSchrijversBound) {
  EstimateOptions options;
  options.all_sampled = true;
  options.ln_error = 0.02;
  const EstimateResult cube = estimate(Source::from_argument("lattice:cubic:6x6x6"), {}, {}, options);
  const double six = cube.estimate.value().log() / 216;
  const double two = per_vertex("cubic:2x2x2");
  const double four = per_vertex("cubic:4x4x4");
  // a of a + b / L + c / L^2.
  const double limit = (36 * six - 2 * 16 * four + 4 * two) / 8;
  EXPECT_GT(limit, (5 * std::log(5.0) - 4 * std::log(6.0)) / 2);
  EXPECT_NEAR(limit, 0.4497, 0.001);
}

TEST(KnownLimits, StripsGrowByAFactorForEachColumn) {
  for (const int width : {1, 2, 3, 4, 5, 8}) {
    const auto ln_z = [&](int length) {
      return count_of(fmt::format("square:{}x{}", width, length)).entropy.value().ln_z;
    };
    const double growth = (ln_z(80) - ln_z(60)) / 20 / width;
    const std::string first = fmt::format("square:{}x60", width);
    EXPECT_NEAR(growth, known_limit(first, fmt::format("square:{}x80", width)).value().per_vertex, 1e-9);
    EXPECT_NEAR(
        growth,
        known_limit(fmt::format("square:60x{}", width), fmt::format("square:80x{}", width))->per_vertex,
        1e-9);
  }
  EXPECT_FALSE(known_limit("torus:4x4", "torus:4x8"));
  EXPECT_FALSE(known_limit("hexagon:1x1x1", "hexagon:1x2x2"));
}

}  // namespace
}  // namespace countpm
