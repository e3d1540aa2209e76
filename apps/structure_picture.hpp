#pragma once
// The picture on the page of a count or an estimate: the graph with what its edges are to the perfect
// matchings.
#include <optional>
#include <string>

#include "apps/picture_file.hpp"
#include "apps/report_page.hpp"

namespace countpm::app {

class StructurePicture {
 public:
  explicit StructurePicture(const Request& request) : request_(request) {}

  /// Before the work: has the graph kept, where there is to be a page and the graph is not too large for one.
  void watch(CountOptions& options);
  /// When there is a result: what stands beside it. Draws, in a few seconds more; what hinders that, Ctrl-C
  /// too, the page says.
  html::Beside beside(const ReportPage& page);
  /// When the page is written: throws InterruptedError where Ctrl-C kept it from having its picture.
  void finish() const;

 private:
  void draw();

  const Request& request_;
  std::optional<Graph> graph_;
  std::optional<draw::Picture> picture_;
  std::string why_not_;
  bool interrupted_ = false;
};

}  // namespace countpm::app
