#pragma once
// What marginals draws: a heat map of the edges' probabilities.
#include <optional>
#include <string>
#include <vector>

#include "apps/picture_file.hpp"
#include "src/draw/network.hpp"

namespace countpm::app {

class MarginalPicture {
 public:
  /// Opens the file that the request names; throws as that does. Without one nothing happens here.
  explicit MarginalPicture(const Request& request);

  void keep(const Graph& graph) { graph_ = graph; }
  /// Every edge of the graph, in its order.
  void take(const EdgeProbability& edge);
  /// Throws UnableError where there are no probabilities, or edges, to draw.
  void finish(const ListStart& start);

 private:
  const Request& request_;
  std::optional<PictureFile> file_;
  std::optional<Graph> graph_;
  std::vector<draw::EdgeValue> values_;
};

}  // namespace countpm::app
