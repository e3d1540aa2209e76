#pragma once
// A plot of a series: ln Z per vertex as lattices grow, beside the known limits.
#include <vector>

#include "src/draw/page.hpp"
#include "src/series/series_items.hpp"

namespace countpm::app {

/// How many groups a plot tells apart by colour.
inline constexpr std::size_t most_plotted_groups = draw::kinds.size();

/// A curve for each group, over 1/L, L the size that grows in its range; over the number of vertices where
/// the series has single inputs. Rows without ln Z have no point. Dashed lines: the limits. Precondition: at
/// most most_plotted_groups groups.
draw::Picture series_plot(const Series& series, const std::vector<SeriesRow>& rows,
                          const draw::PageStyle& style = {});

}  // namespace countpm::app
