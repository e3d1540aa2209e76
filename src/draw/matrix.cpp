#include "src/draw/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "graph/stop_poll.hpp"
#include "src/draw/entry_colours.hpp"

namespace countpm::draw {
namespace {

// Pixels.
constexpr double panel_side = 300;
constexpr double single_side = 560;
constexpr double most_unit = 22;      // of an entry
constexpr double least_gap_unit = 5;  // below which entries touch
constexpr double panel_gap = 28;
constexpr double panel_head = 24;  // a panel's title
constexpr double least_frame = 3;

/// Entries or squares of entries as dots: at each place the highest rank, 0 for nothing.
class DotGrid {
 public:
  DotGrid(Index rows, Index columns, double side) : rows_(rows), columns_(columns) {
    const Index longest = std::max({rows, columns, Index{1}});
    bin_ = static_cast<Index>(std::ceil(longest / side));
    unit_ = std::min(most_unit, side / longest);
    dot_rows_ = (rows + bin_ - 1) / bin_;
    dot_columns_ = (columns + bin_ - 1) / bin_;
    rank_.assign(std::size_t{dot_rows_} * dot_columns_, 0);
  }

  void put(Index row, Index column, std::uint8_t rank) {
    poll_.step();
    std::uint8_t& slot = rank_[std::size_t{row / bin_} * dot_columns_ + column / bin_];
    slot = std::max(slot, rank);
  }
  Index bin() const { return bin_; }
  double unit() const { return unit_; }  // pixels an entry
  double width() const { return unit_ * columns_; }
  double height() const { return unit_ * rows_; }

  // One path a rank, coloured by `colour`.
  template <class ColourOf>
  void draw(SvgWriter& svg, const ColourOf& colour) const {
    svg.rectangle(
        0, 0, width(), height(),
        {{"class", "matrix"}, {"fill", matrix_ground}, {"stroke", grey.code}, {"stroke-width", 0.6}});
    const double dot = unit_ * bin_;
    const bool gaps = dot >= least_gap_unit;
    const double size = gaps ? 0.86 : 1;
    svg.open_group({{"class", "entries"},
                    {"transform", fmt::format("scale({:.6g})", dot)},
                    {"fill", "none"},
                    {"stroke-width", size}});
    for (const auto& [rank, path] : paths(gaps, size))
      svg.path(path, {{"class", "kind"}, {"stroke", colour(rank)}});
    svg.close_group();
  }

 private:
  std::map<std::uint8_t, std::string> paths(bool gaps, double size) const {
    std::map<std::uint8_t, std::string> result;
    for (Index row = 0; row < dot_rows_; ++row) {
      check_stop();
      for (Index column = 0; column < dot_columns_;) {
        const std::uint8_t rank = at(row, column);
        Index end = column + 1;
        while (!gaps && end < dot_columns_ && at(row, end) == rank) ++end;
        if (rank != 0) {
          const double margin = (1 - size) / 2;
          result[rank] += fmt::format("M{} {}h{}", number(column + margin), number(row + 0.5),
                                      number(end - column - 2 * margin));
        }
        column = end;
      }
    }
    return result;
  }
  std::uint8_t at(Index row, Index column) const { return rank_[std::size_t{row} * dot_columns_ + column]; }

  Index rows_;
  Index columns_;
  Index bin_ = 1;
  double unit_ = 1;
  Index dot_rows_ = 0;
  Index dot_columns_ = 0;
  std::vector<std::uint8_t> rank_;
  StopPoll poll_;
};

void note_bins(Legend& legend, Index bin) {
  if (bin > 1) legend.remarks.push_back(fmt::format("Each dot stands for {0} x {0} entries.", bin));
}

std::uint8_t rank_of(EntryKind kind) {
  const auto found = std::find_if(entry_colours.begin(), entry_colours.end(),
                                  [&](const EntryColour& info) { return info.kind == kind; });
  return static_cast<std::uint8_t>(found - entry_colours.begin() + 1);
}

std::vector<Index> places_of(const std::vector<Index>& lines) {
  std::vector<Index> place(lines.size());
  for (Index at = 0; at < lines.size(); ++at) place[lines[at]] = at;
  return place;
}

DotGrid grid_of(const PatternStages& stages, const PatternView& view) {
  DotGrid grid(stages.pattern.rows, stages.pattern.columns, panel_side);
  const std::vector<Index> row_place = places_of(view.rows);
  const std::vector<Index> column_place = places_of(view.columns);
  for (Index i = 0; i < stages.pattern.rows; ++i) {
    for (std::uint64_t k = stages.pattern.row_start[i]; k < stages.pattern.row_start[i + std::uint64_t{1}];
         ++k)
      grid.put(row_place[i], column_place[stages.pattern.column[k]], rank_of(stages.kind[k]));
  }
  return grid;
}

void draw_frames(SvgWriter& svg, const PatternView& view, double unit) {
  svg.open_group({{"class", "frames"}, {"fill", "none"}, {"stroke", ink.code}, {"stroke-width", 1.1}});
  for (const PatternFrame& frame : view.frames) {
    if (std::max(frame.rows, frame.columns) < 2 || std::max(frame.rows, frame.columns) * unit < least_frame)
      continue;
    svg.rectangle(frame.column * unit, frame.row * unit, frame.columns * unit, frame.rows * unit,
                  {{"class", "frame"}});
  }
  svg.close_group();
}

Legend pattern_legend(const PatternStages& stages, const std::string& title) {
  Legend legend{title,
                fmt::format("{} x {} matrix, {} entries", stages.pattern.rows, stages.pattern.columns,
                            stages.pattern.entries()),
                {},
                {},
                {}};
  for (const EntryColour& info : entry_colours) {
    check_stop();
    const auto count = std::count(stages.kind.begin(), stages.kind.end(), info.kind);
    if (count != 0) legend.swatches.push_back({info.colour, fmt::format("{} ({})", info.of_entry, count)});
  }
  const std::vector<PatternFrame>& frames = stages.views.back().frames;
  const auto outlined = std::count_if(frames.begin(), frames.end(), [](const PatternFrame& frame) {
    return std::max(frame.rows, frame.columns) >= 2;
  });
  legend.remarks.push_back(
      fmt::format("Outlined: {} block{} of two or more lines.", outlined, outlined == 1 ? "" : "s"));
  return legend;
}

/// The matrix of a graph and what stands at the entries of edge e.
struct GraphMatrix {
  explicit GraphMatrix(const Graph& of) : graph(of) {}
  Index rows() const { return graph.left_labels.size(); }
  Index columns() const {
    return graph.kind == GraphKind::bipartite ? graph.right_labels.size() : graph.left_labels.size();
  }
  template <class RankOf>
  DotGrid grid(const RankOf& rank) const {
    DotGrid grid(rows(), columns(), single_side);
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const Edge& edge = graph.edges[e];
      grid.put(edge.from, edge.to, rank(e));
      if (graph.kind == GraphKind::undirected) grid.put(edge.to, edge.from, rank(e));
    }
    return grid;
  }
  std::string words() const {
    return graph.kind == GraphKind::bipartite  ? "Rows: left vertices; columns: right vertices."
           : graph.kind == GraphKind::directed ? "Rows: tails; columns: heads."
                                               : "Rows and columns: vertices; every edge is two entries.";
  }
  const Graph& graph;
};

}  // namespace

Picture draw_patterns(const PatternStages& stages, const std::string& title, const PageStyle& style) {
  std::vector<DotGrid> grids;
  for (const PatternView& view : stages.views) grids.push_back(grid_of(stages, view));
  const auto panels = static_cast<double>(grids.size());
  // Small matrices have narrow panels, but not narrower than their titles.
  const double pitch = std::max(grids[0].width(), 190.0) + panel_gap;
  Legend legend = pattern_legend(stages, title);
  note_bins(legend, grids[0].bin());
  Page page(panels * pitch - panel_gap, panel_head + grids[0].height(), std::move(legend), style);
  SvgWriter& svg = page.svg();
  for (std::size_t k = 0; k < grids.size(); ++k) {
    svg.open_group({{"class", "panel"},
                    {"transform", fmt::format("translate({} 0)", number(static_cast<double>(k) * pitch))}});
    svg.text(0, panel_head - 9, 12, stages.views[k].title, {{"class", "view"}, {"fill", ink.code}});
    svg.open_group({{"transform", fmt::format("translate(0 {})", number(panel_head))}});
    grids[k].draw(svg, [](std::uint8_t rank) { return entry_colours[rank - 1].colour.code; });
    draw_frames(svg, stages.views[k], grids[k].unit());
    svg.close_group();
    svg.close_group();
  }
  return page.finish();
}

Picture draw_matching_matrix(const Graph& graph, const std::vector<bool>& chosen, const std::string& title,
                             const std::string& caption, const PageStyle& style) {
  const GraphMatrix matrix(graph);
  const DotGrid grid =
      matrix.grid([&](std::size_t e) { return static_cast<std::uint8_t>(chosen[e] ? 2 : 1); });
  const auto size = std::count(chosen.begin(), chosen.end(), true);
  Legend legend{
      title,
      caption,
      {{blue, fmt::format("edges of the matching ({})", size)},
       {pale, fmt::format("the other edges ({})", static_cast<std::ptrdiff_t>(chosen.size()) - size)}},
      {},
      {matrix.words()}};
  note_bins(legend, grid.bin());
  Page page(grid.width(), grid.height(), std::move(legend), style);
  grid.draw(page.svg(), [](std::uint8_t rank) { return rank == 2 ? blue.code : pale.code; });
  return page.finish();
}

Picture draw_probability_matrix(const Graph& graph, const std::vector<EdgeValue>& values,
                                const std::string& title, const std::string& caption, MapScale scale,
                                const PageStyle& style) {
  constexpr int levels = 200;
  const ValueRange range = range_of(values, scale);
  const GraphMatrix matrix(graph);
  const DotGrid grid = matrix.grid([&](std::size_t e) {
    return static_cast<std::uint8_t>(1 + std::llround(range.share(values[e].value) * (levels - 1)));
  });
  Legend legend{title, caption, {}, Scale{quantity_of(range), range.lowest, range.highest}, {matrix.words()}};
  note_bins(legend, grid.bin());
  Page page(grid.width(), grid.height(), std::move(legend), style);
  grid.draw(page.svg(), [](std::uint8_t rank) { return map_colour((rank - 1.0) / (levels - 1)); });
  return page.finish();
}

}  // namespace countpm::draw
