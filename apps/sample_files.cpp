#include "apps/sample_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "apps/choose_layout.hpp"
#include "graph/kinds/monomers.hpp"
#include "graph/lattices/lattice.hpp"
#include "graph/stop_poll.hpp"
#include "src/draw/heights.hpp"
#include "src/draw/matrix.hpp"
#include "src/draw/network.hpp"
#include "src/draw/tiling.hpp"
#include "src/matchings/height_function.hpp"
#include "src/words/result_words.hpp"

namespace countpm::app {
namespace {

using Ids = std::unordered_map<std::string, Index>;

Ids ids_of(const LabelTable& labels) {
  Ids ids;
  ids.reserve(labels.size());
  StopPoll poll;
  for (Index v = 0; v < labels.size(); ++v) {
    poll.step();
    ids.emplace(labels.label(v), v);
  }
  return ids;
}

// Which edges are in the matching.
std::vector<bool> chosen_edges(const Graph& graph, const Pairs& pairs) {
  const Ids left = ids_of(graph.left_labels);
  const Ids right = graph.kind == GraphKind::bipartite ? ids_of(graph.right_labels) : Ids{};
  std::vector<std::pair<Index, Index>> matched;
  StopPoll poll;
  for (const auto& [from, to] : pairs) {
    poll.step();
    const Index other = graph.kind == GraphKind::bipartite ? right.at(to) : left.at(to);
    matched.emplace_back(left.at(from), other);
    if (graph.kind == GraphKind::undirected) matched.emplace_back(other, left.at(from));
  }
  std::sort(matched.begin(), matched.end());
  std::vector<bool> chosen;
  chosen.reserve(graph.edges.size());
  for (const Edge& edge : graph.edges) {
    poll.step();
    chosen.push_back(std::binary_search(matched.begin(), matched.end(), std::pair(edge.from, edge.to)));
  }
  return chosen;
}

std::string caption_of(const Request& request, const ListStart& start, std::string_view before) {
  return fmt::format("{}a random {}, {}{}seed {}", before, words::matching_text(start),
                     request.read.weights || start.input.weighted ? "by weight, " : "",
                     request.estimate.sampler.kind ? "drawn approximately, " : "", request.count.seed);
}

// A board drawn as text has the labels of a square lattice: the smallest that it fits into.
std::optional<std::string> lattice_of_board(const Pairs& pairs, const ListStart& start) {
  if (start.input.lattice || start.input.memory || start.input.format != Format::board ||
      start.kind != GraphKind::undirected)
    return std::nullopt;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  for (const auto& [first, second] : pairs) {
    for (const std::string& label : {first, second}) {
      const std::optional<LatticeSite> site = site_of_label(label);
      if (!site) return std::nullopt;
      rows = std::max(rows, (*site)[0] + 1);
      columns = std::max(columns, (*site)[1] + 1);
    }
  }
  return fmt::format("lattice:square:{}x{}", rows, columns);
}

}  // namespace

SampleFiles::SampleFiles(const Request& request) : request_(request), lattice_(lattice_spec(request)) {
  if (request.heights && !lattice_) {
    throw UnableError("height functions are those of lattices' matchings",
                      "the lattices square, aztec, honeycomb and hexagon have one (lattice:square:8x8)");
  }
  if (request.heights) require_heights(lattice_info(*lattice_));
  if (request.svg) picture_.emplace(*request.svg, request.overwrite);
  if (request.heights) {
    heights_.emplace(*request.heights, request.overwrite);
    heights_->write("sample,row,column,height\r\n");
  }
}

void SampleFiles::keep(const Graph& graph) {
  if (picture_) graph_ = without_monomers(graph);
}

void SampleFiles::check(const ListStart& start) const {
  if (heights_ && (start.problem == Problem::matchings || (start.matched && start.matched->free > 0)))
    throw UnableError("height functions are of perfect matchings, and here vertices may stay alone",
                      "--svg FILE draws a matching with its gaps");
}

void SampleFiles::take(const Pairs& pairs, const ListStart& start) {
  ++taken_;
  if (heights_) write_heights(pairs);
  if (!picture_ || taken_ > 1) return;
  if (pairs.empty()) throw UnableError("a graph without vertices has no picture", "leave --svg out");
  picture_->limited(request_, [&] {
    if (!graph_ && (request_.draw == DrawKind::edges || request_.draw == DrawKind::matrix))
      graph_ = lattice_graph(*lattice_);
    picture_->write(request_, picture(pairs, start));
  });
  graph_.reset();
}

void SampleFiles::finish() {
  if (taken_ == 0 && (picture_ || heights_)) {
    throw UnableError("there is no perfect matching to draw, nor a height function",
                      "'countpm explain INPUT --svg FILE' draws why");
  }
  if (heights_) heights_->close();
}

void SampleFiles::write_heights(const Pairs& pairs) {
  std::string text;
  for (const HeightPoint& point : height_function(lattice_matching(*lattice_, pairs)).points) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{}\r\n", taken_, point.row, point.column,
                   point.height);
  }
  heights_->write(text);
}

draw::Picture SampleFiles::picture(const Pairs& pairs, const ListStart& start) const {
  const std::string title = quoted(request_.arguments.front(), 100);
  const std::string caption = caption_of(request_, start, "");
  DrawKind kind = request_.draw;
  const std::optional<std::string> cells = lattice_ ? lattice_ : lattice_of_board(pairs, start);
  const bool tiles = cells && (has_dominoes(lattice_info(*cells)) || has_lozenges(lattice_info(*cells)));
  if (kind == DrawKind::automatic && tiles) kind = DrawKind::tiles;
  if (kind == DrawKind::tiles || kind == DrawKind::height) {
    if (!tiles) {
      throw UnableError("matchings of this input are no tilings by dominoes or lozenges",
                        "--draw edges draws lattices and planar graphs, --draw matrix any graph");
    }
    LatticeMatching matching = lattice_matching(*cells, pairs);
    if (!lattice_) matching.spec = title;
    if (kind == DrawKind::tiles) return draw::draw_tiling(matching, caption, request_.page);
    return draw::draw_heights(matching, height_function(matching),
                              caption_of(request_, start, "height function of "), request_.page);
  }
  const std::vector<bool> chosen = chosen_edges(*graph_, pairs);
  if (const auto layout = choose_layout(*graph_, lattice_, kind))
    return draw::draw_matching(*graph_, *layout, chosen, title, caption, request_.page);
  return draw::draw_matching_matrix(*graph_, chosen, title, caption, request_.page);
}

}  // namespace countpm::app
