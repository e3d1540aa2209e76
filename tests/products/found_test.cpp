// Products that were wrong once, as small inputs.
#include <gtest/gtest.h>

#include <complex>
#include <vector>

#include "src/library/countpm.hpp"

namespace countpm {
namespace {

/// A path of four vertices whose weights are these.
template <class Weight>
EdgeView path(const std::vector<std::uint32_t>& from, const std::vector<std::uint32_t>& to,
              const std::vector<Weight>& weights) {
  EdgeView view;
  view.left = 4;
  view.from = std::span<const std::uint32_t>(from);
  view.to = std::span<const std::uint32_t>(to);
  view.weights = std::span<const Weight>(weights);
  return view;
}

const std::vector<std::uint32_t> path_from{0, 1, 2};
const std::vector<std::uint32_t> path_to{1, 2, 3};

// It added up the places of the weights in the table of letters.
TEST(FoundProducts, EstimatesOfArraysRefuseLetters) {
  const std::vector<std::string> weights{"3*x", "2", "5*x^2"};
  const Input input(path(path_from, path_to, weights));
  EXPECT_EQ(polynomial(input).terms.size(), 1U);
  EXPECT_THROW(estimate(input), UsageError);
}

// It asked for an exact complex sum of a graph that has no weights any more.
TEST(FoundProducts, KekuleStructuresOfExactComplexWeights) {
  const std::vector<std::complex<double>> weights{{1, 2}, {0, 1}, {3, -1}};
  const KekuleResult result = kekule(exactly(Input(path(path_from, path_to, weights))));
  EXPECT_EQ(result.structures, 1);
  EXPECT_EQ(result.order, (std::vector<mpq_class>{1, 0, 1}));
}

TEST(FoundProducts, KekuleStructuresOfLetters) {
  const std::vector<std::string> weights{"3*x", "2", "5*x^2"};
  EXPECT_EQ(kekule(Input(path(path_from, path_to, weights))).structures, 1);
}

// The square of a magnitude was beyond the doubles, so that no error bound was known, and a double-check
// failed.
TEST(FoundProducts, ComplexCoversWhoseSquaresAreBeyondDoubles) {
  ReadOptions reading;
  reading.format = Format::edge_list;
  reading.weights = true;
  reading.rings = {3};
  reading.ring_weight = "(1e200,1e200)";
  CountOptions options;
  options.double_check = true;
  const CountResult result = count(Source::from_bytes("a b 1\nb c (0,1)\nc a 2\n"), reading, options);
  const auto& ball = std::get<ComplexBall>(result.value);
  EXPECT_NEAR(ball.middle.real(), 1e200, 1e187);
  EXPECT_NEAR(ball.middle.imag(), 1e200, 1e187);
  EXPECT_LT(ball.radius, 1e187);
}

}  // namespace
}  // namespace countpm
