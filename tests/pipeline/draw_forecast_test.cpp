// What random matchings would take: the forecast is that of what is drawn, and does not change it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "src/matchings/explain_draws.hpp"
#include "tests/pipeline/sampled_inputs.hpp"

namespace countpm::draw_forecast_test {
namespace {

using testing::read;

/// Two pieces, and an edge that all matchings have: a cycle of eight, a complete graph of six, a path of two.
std::string two_pieces() {
  std::string text;
  for (int k = 0; k < 8; ++k) text += fmt::format("c{} c{}\n", k, (k + 1) % 8);
  for (int a = 0; a < 6; ++a) {
    for (int b = a + 1; b < 6; ++b) text += fmt::format("k{} k{}\n", a, b);
  }
  return text + "x y\n";
}

SampleOptions draws(std::uint64_t count) {
  SampleOptions options;
  options.count = count;
  return options;
}

TEST(DrawForecast, IsToldBeforeTheDrawsAndNamesTheirMethods) {
  std::vector<std::string> order;
  DrawForecast told;
  SampleOptions options = draws(3);
  options.foretold = [&](const DrawForecast& forecast) {
    told = forecast;
    order.emplace_back("forecast");
  };
  std::string methods;
  options.started = [&](const ListStart& start) {
    order.emplace_back("start");
    methods = start.method;
  };
  sample_matchings(read(two_pieces()), {}, options, [&](const std::vector<Edge>&) {
    order.emplace_back("draw");
    return true;
  });
  EXPECT_EQ(order, (std::vector<std::string>{"forecast", "start", "draw", "draw", "draw"}));
  EXPECT_EQ(told.draws, 3U);
  ASSERT_EQ(told.pieces.size(), 2U);
  double seconds = 0;
  for (const DrawPiece& piece : told.pieces) {
    ASSERT_EQ(piece.methods.size(), 1U);
    EXPECT_TRUE(piece.methods[0].chosen);
    EXPECT_NE(methods.find(piece.methods[0].method), std::string::npos) << methods;
    seconds += piece.methods[0].seconds;
  }
  EXPECT_DOUBLE_EQ(told.seconds, seconds);
  EXPECT_TRUE(told.feasible);
}

TEST(DrawForecast, ExplainsWhatWouldBeChosen) {
  const DrawForecast forecast = explain_draws(read(two_pieces()), {}, draws(5));
  ASSERT_EQ(forecast.pieces.size(), 2U);
  for (const DrawPiece& piece : forecast.pieces) {
    EXPECT_EQ(piece.methods.size(), 2U);
    int chosen = 0;
    for (const DrawMethod& method : piece.methods) chosen += method.chosen ? 1 : 0;
    EXPECT_EQ(chosen, 1);
  }
  EXPECT_FALSE(forecast.approximate) << "quick draws need no other way";
}

TEST(DrawForecast, MoreDrawsTakeLongerAndTheLimitsDecide) {
  const ReadResult input = read(two_pieces());
  const double one = explain_draws(input, {}, draws(1)).seconds;
  const double many = explain_draws(input, {}, draws(1'000'000)).seconds;
  EXPECT_GT(one, 0);
  EXPECT_GT(many, 1000 * one);
  CountOptions short_of_time;
  short_of_time.time_limit_seconds = many / 2;
  EXPECT_FALSE(explain_draws(input, short_of_time, draws(1'000'000'000)).feasible);
  EXPECT_THROW(sample_matchings(ReadResult(input), short_of_time, draws(1'000'000'000),
                                [](const std::vector<Edge>&) -> bool { throw CheckError("drawn"); }),
               UnableError);
}

TEST(LayerShares, GoByWork) {
  LayerShares shares({1, 8, 1});
  EXPECT_DOUBLE_EQ(shares.of(0), 0);
  EXPECT_DOUBLE_EQ(shares.of(1.0 / 3), 0.1);
  EXPECT_DOUBLE_EQ(shares.of(2.0 / 3), 0.9);
  EXPECT_DOUBLE_EQ(shares.of(1), 1);
  shares.way = LayerShares::Way::back_through_made_again;
  EXPECT_DOUBLE_EQ(shares.of(1.0 / 3), 0.1);
  EXPECT_DOUBLE_EQ(shares.of(1), 1);
  shares.way = LayerShares::Way::back_through_kept;
  EXPECT_DOUBLE_EQ(shares.of(1.0 / 3), 1.0 / 3);
  EXPECT_DOUBLE_EQ(LayerShares().of(0.25), 0.25);
}

}  // namespace
}  // namespace countpm::draw_forecast_test
