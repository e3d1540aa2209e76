// The options of pictures.
#include "apps/options.hpp"

namespace countpm::app {
namespace {

OptionInfo row(std::string_view name, ValueType type, std::string_view value_name, std::string_view help,
               std::vector<std::string_view> commands, void (*apply)(Request&, std::string_view)) {
  OptionInfo option;
  option.name = name;
  option.type = type;
  option.value_name = value_name;
  option.help = help;
  option.commands = std::move(commands);
  option.apply = apply;
  return option;
}

}  // namespace

std::vector<OptionInfo> picture_options() {
  std::vector<OptionInfo> table{
      row("svg", ValueType::file, "FILE",
          "draw: the first sample, the edges' probabilities, the matrix and its blocks, or a series' growth; "
          "FILE.png is made "
          "by "
          "librsvg's rsvg-convert (docs/pictures.md)",
          {"explain", "marginals", "sample"}, [](Request& r, std::string_view v) { r.svg = v; }),
      row("draw", ValueType::choice, "KIND",
          "what --svg draws: dominoes or lozenges, the height function, the graph's edges, or the matrix; "
          "auto: "
          "the first of tiles, edges and matrix that there is",
          {"marginals", "sample"},
          [](Request& r, std::string_view v) {
            r.draw = v == "tiles"    ? DrawKind::tiles
                     : v == "height" ? DrawKind::height
                     : v == "edges"  ? DrawKind::edges
                     : v == "matrix" ? DrawKind::matrix
                                     : DrawKind::automatic;
          }),
      row("heights", ValueType::file, "FILE",
          "the samples' height functions as CSV: sample, row, column, height (lattices of dominoes and "
          "lozenges)",
          {"sample"}, [](Request& r, std::string_view v) { r.heights = v; }),
  };
  table[1].choices = {"auto", "tiles", "height", "edges", "matrix"};
  table[1].default_value = "auto";
  return table;
}

}  // namespace countpm::app
