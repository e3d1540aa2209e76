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

  void keep(const Graph& graph);
  /// Every edge of the graph, in its order.
  void take(const EdgeProbability& edge);
  /// For --svg, the page, or both: draws where there is something to draw.
  void draw(const ListStart& start);
  const std::optional<draw::Picture>& picture() const { return picture_; }
  /// Why there is no picture; empty where there is one.
  std::string why_not() const { return refusal_ ? refusal_->what() : ""; }
  /// Writes the file of --svg. Throws UnableError where there was nothing to draw.
  void write();

 private:
  draw::Picture drawn(const ListStart& start) const;

  const Request& request_;
  DrawingTime time_;
  std::optional<PictureFile> file_;
  std::optional<draw::Picture> picture_;
  std::optional<UnableError> refusal_;
  std::optional<Graph> graph_;
  bool monomers_ = false;
  std::vector<draw::EdgeValue> values_;
};

}  // namespace countpm::app
