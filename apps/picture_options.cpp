// The options of pictures.
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
      flag_row(
          "overwrite",
          "let --svg and --heights replace a file that is there; without it they refuse to, and an input "
          "is never replaced",
          {"explain", "marginals", "sample"}, [](R r, V) { r.overwrite = true; }),
  };
}

}  // namespace countpm::app
