// Options that change the graph that was read.
#include <limits>
#include <utility>

#include "apps/option_rows.hpp"
#include "apps/parse_value.hpp"
#include "graph/monomers.hpp"
#include "graph/rings.hpp"
#include "graph/text.hpp"
#include "graph/tiles.hpp"

namespace countpm::app {

namespace {

/// A weight, or the letter of a polynomial.
OptionInfo weight_row(std::string_view name, std::string_view letter, std::string_view value_name,
                      std::string_view default_value, std::string_view help, Names commands,
                      ApplyOption apply) {
  OptionInfo row =
      value_row(name, ValueType::weight, value_name, default_value, help, std::move(commands), apply);
  row.unknown = letter;
  return row;
}

OptionInfo rings_row() {
  OptionInfo row = value_row(
      "rings", ValueType::integers, "LENGTHS", "",
      "count the covers by edges and by rings: the graph's chordless cycles of these lengths. Of a molecule, "
      "--rings 6: the Clar covering polynomial (docs/covers.md)",
      {"count", "explain", "series"}, [](Request& request, std::string_view value) {
        for (const std::string_view one : split(value, ','))
          request.read.rings.push_back(static_cast<std::uint32_t>(*parse_integer(one)));
      });
  row.least = least_ring;
  row.most = largest_ring;
  return row;
}

}  // namespace

std::vector<OptionInfo> input_options() {
  const Names readers = {"count",  "explain", "estimate", "list",   "marginals",  "sample",
                         "series", "compare", "chem",     "minors", "probability"};
  return {
      choice_row("first-line", "WHAT", "", {"edge", "header"},
                 "of a table of words: whether its first line is an edge, or a header (names of columns, or "
                 "numbers of vertices and edges). Without it the other lines tell, or it is asked for",
                 readers,
                 [](Request& request, std::string_view value) {
                   request.read.first_line = value == "edge" ? FirstLine::edge : FirstLine::header;
                 }),
      value_row("ends", ValueType::text, "A,B", "",
                "of a table: the columns that hold the ends of edges, by name or by number from 1; 1: both "
                "in the first word",
                readers, [](Request& request, std::string_view value) { request.read.end_columns = value; }),
      value_row("weight-column", ValueType::text, "NAME", "",
                "of a table: the column that holds the weights, by name or by number from 1; of GraphML, "
                "DOT, GML, GEXF, Pajek "
                "and JSON: the attribute of edges (--weights needs not be given then)",
                readers,
                [](Request& request, std::string_view value) {
                  request.read.weight_column = value;
                  request.read.weights = true;
                }),
      flag_row("strict",
               "a warning is an error: nothing is counted where the input may be read in another way, too",
               readers, [](Request& request, std::string_view) { request.read.strict = true; }),
      repeatable(value_row(
          "remove", ValueType::text, "LABEL,...", "",
          "remove these vertices and their edges (monomers); may be given several times. Where both sides of "
          "a bipartite graph have the label: left:LABEL or right:LABEL",
          {"count", "explain", "estimate", "list", "marginals", "sample", "series", "compare"},
          [](Request& request, std::string_view value) { request.read.remove.emplace_back(value); })),
      bare("1",
           weight_row("monomers", monomer_letter, "[WEIGHT]", "",
                      "count all matchings, not only perfect ones: a vertex that stays alone counts by "
                      "this weight. t: the matching polynomial, a line per number of edges "
                      "(docs/monomers.md)",
                      {"count", "explain", "estimate", "list", "marginals", "sample", "series", "compare"},
                      [](Request& request, std::string_view value) { request.read.monomers = value; })),
      choice_row("ground-state", "WHICH", "", {"min", "max"},
                 "only the perfect matchings of least (or largest) weight, the sum of their edges' weights: "
                 "this weight, and "
                 "how many there are (docs/ground-states.md)",
                 {"count", "explain", "estimate", "list", "marginals", "sample"},
                 [](Request& request, std::string_view value) {
                   request.read.ground_state = value == "min" ? Extremum::minimum : Extremum::maximum;
                 }),
      number_row("degree", "F", "", 0, 1'000'000,
                 "count sets of edges of which every vertex has F, and not one: F-factors (docs/degrees.md)",
                 {"count", "explain", "estimate"},
                 [](Request& request, std::string_view value) {
                   request.read.degree = static_cast<Index>(*parse_integer(value));
                 }),
      rings_row(),
      weight_row("ring-weight", ring_letter, "WEIGHT", "x",
                 "the weight of a ring of --rings. x: a polynomial, a line per number of rings",
                 {"count", "explain", "series"},
                 [](Request& request, std::string_view value) { request.read.ring_weight = value; }),
      bounded(value_row(
                  "rows", ValueType::integers, "N,N,...", "",
                  "how often each row of the matrix stands in it, 0 for not at all, in the order of the "
                  "file: permanents of boson sampling (docs/guides/boson-sampling.md)",
                  {"count", "explain", "estimate"},
                  [](Request& request, std::string_view value) { request.read.rows = parse_copies(value); }),
              0, most_copies),
      bounded(value_row("cols", ValueType::integers, "N,N,...", "", "the same of its columns",
                        {"count", "explain", "estimate"},
                        [](Request& request, std::string_view value) {
                          request.read.columns = parse_copies(value);
                        }),
              0, most_copies),
      number_row("power", "K", "", 0, std::numeric_limits<std::uint32_t>::max(),
                 "of a polynomial (--monomers t, --rings) only the coefficient of K edges, or K rings",
                 {"count"},
                 [](Request& request, std::string_view value) { request.power = *parse_integer(value); }),
      repeatable(value_row(
          "at", ValueType::text, "LETTER=VALUE,...", "",
          "put numbers in the place of letters in weights; letters that stay give a polynomial, a line per "
          "term (docs/polynomial-weights.md)",
          {"count", "explain", "estimate", "marginals", "sample", "series", "compare"},
          [](Request& request, std::string_view value) { request.read.at.emplace_back(value); }))};
}

}  // namespace countpm::app
