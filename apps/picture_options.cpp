// The options of pictures and pages.
#include "apps/option_rows.hpp"
#include "apps/parse_value.hpp"

namespace countpm::app {

std::vector<OptionInfo> picture_options() {
  using R = Request&;
  using V = std::string_view;
  return {
      with_uses(
          {{"explain", "draw the matrix, its blocks and its elimination order; FILE.png as well as FILE.svg"},
           {"marginals", "draw every edge with its probability; FILE.png as well as FILE.svg"},
           {"chem", "draw the molecule with its bond orders; FILE.png as well as FILE.svg"},
           {"sample", "draw the first matching; FILE.png as well as FILE.svg"},
           {"series", "plot ln Z per vertex as the lattices grow; FILE.png as well as FILE.svg"},
           {"compare", "plot how the estimates approach the count; FILE.png as well as FILE.svg"}},
          value_row(
              "svg", ValueType::file, "FILE", "",
              "write a picture of the result; a FILE that ends in .png is made by librsvg's rsvg-convert "
              "(docs/pictures.md)",
              {"explain", "marginals", "sample"}, [](R r, V v) { r.svg = v; })),
      choice_row(
          "draw", "KIND", "auto", {"auto", "tiles", "height", "edges", "matrix"},
          "what --svg draws: tiles (dominoes or lozenges), the height function, the edges, or the matrix; "
          "auto: the first of tiles, edges and matrix that the input has",
          {"marginals", "sample"},
          [](R r, V v) {
            r.draw = v == "tiles"    ? DrawKind::tiles
                     : v == "height" ? DrawKind::height
                     : v == "edges"  ? DrawKind::edges
                     : v == "matrix" ? DrawKind::matrix
                                     : DrawKind::automatic;
          }),
      choice_row(
          "scale", "KIND", "linear", {"linear", "clip", "log"},
          "how probabilities become colours: evenly, evenly between the 2nd and 98th percentile, or by "
          "their logarithms",
          {"marginals"},
          [](R r, V v) {
            r.map_scale = v == "log"    ? draw::MapScale::log
                          : v == "clip" ? draw::MapScale::clip
                                        : draw::MapScale::linear;
          }),
      value_row("title", ValueType::text, "TEXT", "", "the picture's title, instead of the input's name",
                {"explain", "marginals", "sample"}, [](R r, V v) { r.page.title = v; }),
      number_row("width", "PIXELS", "", 100, 100'000,
                 "how wide the picture is shown; everything else is in proportion",
                 {"explain", "marginals", "sample"},
                 [](R r, V v) { r.page.width = static_cast<double>(*parse_integer(v)); }),
      flag_row("no-legend", "leave the explanation of the colours out of the picture",
               {"explain", "marginals", "sample"}, [](R r, V) { r.page.legend = false; }),
      value_row("heights", ValueType::file, "FILE", "",
                "write the height functions of the samples as CSV: sample, row, column, height (dominoes and "
                "lozenges)",
                {"sample"}, [](R r, V v) { r.heights = v; }),
      value_row("html", ValueType::file, "FILE", "",
                "write an HTML page about the result: one file, with numbers, tables and pictures, that "
                "loads nothing "
                "(docs/html.md)",
                {"count", "explain", "estimate", "compare", "marginals", "series"},
                [](R r, V v) { r.html = v; }),
      flag_row("overwrite",
               "replace files that exist: those of --output, --svg, --heights, --log-weights and --html. An "
               "input is never replaced",
               {"count", "explain", "estimate", "list", "marginals", "sample", "lattice"},
               [](R r, V) { r.overwrite = true; }),
  };
}

}  // namespace countpm::app
