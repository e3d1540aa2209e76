#include "apps/series_plot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/draw/plot.hpp"

namespace countpm::app {
namespace {

bool has_level(const draw::Panel& panel, const KnownLimit& limit) {
  return std::any_of(panel.levels.begin(), panel.levels.end(),
                     [&](const draw::Level& level) { return level.y == limit.per_vertex; });
}

std::string title_of(const Series& series) {
  std::string title;
  for (const SeriesGroup& group : series.groups) title += (title.empty() ? "" : ", ") + group.name;
  return title;
}

}  // namespace

draw::Picture series_plot(const Series& series, const std::vector<SeriesRow>& rows,
                          const draw::PageStyle& style) {
  const bool sized =
      std::all_of(series.items.begin(), series.items.end(), [](const auto& item) { return item.size; });
  draw::Panel panel;
  panel.title = "ln Z per vertex";
  panel.x.title = sized ? "1 / L, L the size that grows" : "vertices";
  panel.x.logarithmic = !sized;
  if (sized) panel.x.least = 0;
  panel.y.title = "ln Z per vertex";
  draw::Legend legend;
  legend.title = title_of(series);
  legend.caption = "logarithm of the number of perfect matchings, or of the sum of their weights, per vertex";
  for (std::size_t g = 0; g < series.groups.size(); ++g) {
    // Graphs that have nothing to do with each other are no curve.
    const bool grows = std::any_of(series.items.begin(), series.items.end(),
                                   [&](const SeriesItem& item) { return item.group == g && item.size; });
    panel.curves.push_back({series.groups[g].name, draw::curves[g], {}, grows});
    legend.swatches.push_back({draw::curves[g], series.groups[g].name, g});
  }
  for (const SeriesRow& row : rows) {
    if (!row.entropy) continue;
    const double x = sized ? 1 / static_cast<double>(*row.size) : static_cast<double>(*row.vertices);
    const double y = row.entropy->per_vertex;
    panel.curves[row.group].points.push_back({x, y, y, y});
    const std::optional<KnownLimit>& limit = row.entropy->limit;
    if (!limit || has_level(panel, *limit)) continue;
    panel.levels.push_back({limit->per_vertex, fmt::format("{:.7g}", limit->per_vertex)});
    legend.remarks.push_back(
        fmt::format("dashed {:.7g}: limit of the {}; {}", limit->per_vertex, limit->lattice, limit->source));
  }
  for (draw::Curve& curve : panel.curves) {
    std::stable_sort(curve.points.begin(), curve.points.end(),
                     [](const auto& a, const auto& b) { return a.x < b.x; });
  }
  return draw::draw_panels({panel}, std::move(legend), style);
}

}  // namespace countpm::app
