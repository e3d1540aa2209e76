#include "apps/structure_picture.hpp"

#include <fmt/format.h>

#include "apps/choose_layout.hpp"
#include "apps/signals.hpp"
#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "src/draw/structure.hpp"
#include "src/html/numbers.hpp"
#include "src/watch/monitor.hpp"

namespace countpm::app {
namespace {

// Beyond the time limit, which an estimate uses up: the largest graphs of a page take a second or two.
constexpr double most_drawing_seconds = 5;

}  // namespace

void StructurePicture::watch(CountOptions& options) {
  if (!request_.html) return;
  options.read = [this](const Graph& graph) {
    graph_.reset();
    why_not_.clear();
    if (graph.edges.empty()) {
      why_not_ = "a graph without edges has none";
    } else if (graph.edges.size() > draw::most_edges_on_page) {
      why_not_ =
          fmt::format("a page has pictures of at most {} edges", html::with_commas(draw::most_edges_on_page));
    } else {
      graph_ = graph;
    }
  };
}

html::Beside StructurePicture::beside(const ReportPage& page) {
  if (page.wanted() && graph_) draw();
  return page.beside(picture_, why_not_);
}

void StructurePicture::draw() {
  CountOptions options;
  options.time_limit_seconds = most_drawing_seconds;
  options.interrupted = stop_requested;
  const Monitor monitor(options);
  try {
    picture_ = draw::draw_structure(*graph_, lattice_spec(request_), quoted(request_.arguments.front(), 100));
  } catch (const Stopped&) {
    interrupted_ = !monitor.limit_is_over();
    why_not_ = interrupted_ ? "interrupted" : fmt::format("it takes longer than {} s", most_drawing_seconds);
  } catch (const UnableError& error) {
    why_not_ = error.what();
  }
}

void StructurePicture::finish() const {
  if (interrupted_) throw InterruptedError(std::string("interrupted: ") + no_picture_on_page);
}

}  // namespace countpm::app
