// Every picture looks at the stop signal while it is drawn: beyond some thousand shapes a time limit ends it.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "graph/lattices/lattice.hpp"
#include "graph/stop_signal.hpp"
#include "src/draw/heights.hpp"
#include "src/draw/layout.hpp"
#include "src/draw/matrix.hpp"
#include "src/draw/network.hpp"
#include "src/draw/tiling.hpp"
#include "tests/draw/lattice_samples.hpp"

namespace countpm::test {
namespace {

// A path of so many vertices, each with the next, twice over: 2 columns.
Graph ladder(Index vertices) {
  return lattice_graph("square:2x" + std::to_string(vertices / 2));
}

PatternStages square_pattern(Index lines) {
  PatternStages stages;
  stages.pattern.rows = stages.pattern.columns = lines;
  stages.pattern.row_start = {0};
  PatternView view;
  for (Index i = 0; i < lines; ++i) {
    stages.pattern.column.push_back(i);
    stages.pattern.row_start.push_back(i + 1);
    stages.kind.push_back(EntryKind::shared);
    view.rows.push_back(i);
    view.columns.push_back(i);
  }
  stages.views.push_back(view);
  return stages;
}

TEST(StopsOfPictures, EveryKindStops) {
  const Graph graph = ladder(6000);
  const draw::Layout layout = draw::lattice_layout(lattice_info("square:2x3000"), graph.left_labels);
  const std::vector<bool> chosen(graph.edges.size(), true);
  const std::vector<draw::EdgeValue> values(graph.edges.size(), {0.5, "1/2"});
  const PatternStages stages = square_pattern(5000);
  LatticeMatching dominoes{"lattice:square:2x5000", lattice_info("square:2x5000"), {}};
  for (std::int64_t k = 0; k < 5000; ++k) dominoes.pairs.push_back({{0, k, 0}, {1, k, 0}});
  LatticeMatching lozenges{"lattice:honeycomb:1x5000", lattice_info("honeycomb:1x5000"), {}};
  for (std::int64_t k = 0; k < 5000; ++k) lozenges.pairs.push_back({{0, k, 0}, {0, k, 1}});
  HeightFunction heights;
  heights.lowest = 0;
  heights.highest = 1;
  for (std::int64_t k = 0; k < 10000; ++k) heights.points.push_back({0, k, k % 2});
  const std::map<std::string, std::function<void()>> works{
      {"dominoes", [&] { draw::draw_tiling(dominoes, ""); }},
      {"lozenges", [&] { draw::draw_tiling(lozenges, ""); }},
      {"heights of dominoes", [&] { draw::draw_heights(dominoes, heights, ""); }},
      {"heights of lozenges", [&] { draw::draw_heights(lozenges, heights, ""); }},
      {"height function of dominoes", [&] { height_function(dominoes); }},
      {"height function of lozenges", [&] { height_function(lozenges); }},
      {"layout of a lattice",
       [&] { draw::lattice_layout(lattice_info("square:2x3000"), graph.left_labels); }},
      {"planar layout", [&] { draw::planar_layout(graph); }},
      {"matching", [&] { draw::draw_matching(graph, layout, chosen, "", ""); }},
      {"probabilities", [&] { draw::draw_probabilities(graph, layout, values, "", ""); }},
      {"matrix of a matching", [&] { draw::draw_matching_matrix(graph, chosen, "", ""); }},
      {"matrix of probabilities", [&] { draw::draw_probability_matrix(graph, values, "", ""); }},
      {"patterns", [&] { draw::draw_patterns(stages, ""); }},
  };
  StopSignal signal;
  const StopScope scope(&signal);
  for (const auto& [name, work] : works) EXPECT_NO_THROW(work()) << name;
  signal.request();
  for (const auto& [name, work] : works) EXPECT_THROW(work(), Stopped) << name;
}

}  // namespace
}  // namespace countpm::test
