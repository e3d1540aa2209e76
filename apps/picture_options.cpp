// The options of pictures and pages.
#include "apps/option_rows.hpp"

namespace countpm::app {

std::vector<OptionInfo> picture_options() {
  using R = Request&;
  using V = std::string_view;
  return {
      value_row(
          "svg", ValueType::file, "FILE", "",
          "draw: the first sample, the edges' probabilities, the matrix and its blocks, a series' growth, or "
          "how estimates near the count; FILE.png is made by librsvg's rsvg-convert (docs/pictures.md)",
          {"explain", "marginals", "sample"}, [](R r, V v) { r.svg = v; }),
      choice_row("draw", "KIND", "auto", {"auto", "tiles", "height", "edges", "matrix"},
                 "what --svg draws: dominoes or lozenges, the height function, the graph's edges, or the "
                 "matrix; auto: the first of tiles, edges and matrix that there is",
                 {"marginals", "sample"},
                 [](R r, V v) {
                   r.draw = v == "tiles"    ? DrawKind::tiles
                            : v == "height" ? DrawKind::height
                            : v == "edges"  ? DrawKind::edges
                            : v == "matrix" ? DrawKind::matrix
                                            : DrawKind::automatic;
                 }),
      value_row("heights", ValueType::file, "FILE", "",
                "the samples' height functions as CSV: sample, row, column, height (lattices of dominoes and "
                "lozenges)",
                {"sample"}, [](R r, V v) { r.heights = v; }),
      value_row("html", ValueType::file, "FILE", "",
                "write a page about the result: one file for any browser, with numbers, tables and pictures, "
                "that loads nothing (docs/html.md)",
                {"count", "explain", "estimate", "compare", "marginals", "series"},
                [](R r, V v) { r.html = v; }),
      flag_row("overwrite",
               "let --svg, --heights and --html replace a file that is there; without it they refuse to, and "
               "an input is never replaced",
               {"count", "explain", "estimate", "marginals", "sample"}, [](R r, V) { r.overwrite = true; }),
  };
}

}  // namespace countpm::app
