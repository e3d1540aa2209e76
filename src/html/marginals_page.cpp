// The page of edge probabilities.
#include <fmt/format.h>
#include <gmpxx.h>

#include <charconv>

#include "src/html/numbers.hpp"
#include "src/html/sections.hpp"
#include "src/text/format_number.hpp"
#include "src/words/result_words.hpp"

namespace countpm::html {
namespace {

constexpr std::size_t longest_probability = 24;

Cell probability_cell(const std::string& probability) {
  if (probability.size() <= longest_probability) return probability;
  Cell cell(probability.substr(0, longest_probability) + "...");
  cell.folded = probability;
  return cell;
}

/// "5/12", "0.44", "1.25e-07" as a length.
double share_of(const std::string& probability) {
  if (probability.find('/') != std::string::npos) return mpq_class(probability).get_d();
  double value = 0;
  std::from_chars(probability.data(), probability.data() + probability.size(), value);
  return value;
}

void write_edges(HtmlWriter& html, const MarginalTable& table) {
  if (table.edges.empty()) return;
  const Section section(html, "Probabilities", "large");
  const bool arcs = table.start.kind == GraphKind::directed;
  Table rows(html, "", {{"from"}, {"to"}, {""}, {"probability", true}});
  for (const EdgeProbability& edge : table.edges)
    rows.row({edge.from, edge.to, Bar{share_of(edge.probability)}, probability_cell(edge.probability)});
  rows.finish();
  if (table.all > table.edges.size()) {
    html.element("p", {{"class", "soft small"}},
                 fmt::format("the first {} of {} {}s; standard output has all",
                             with_commas(table.edges.size()), with_commas(table.all), arcs ? "arc" : "edge"));
  }
}

}  // namespace

Fragment marginals_fragment(const MarginalTable& table, const Beside& beside) {
  const ListStart& start = table.start;
  const bool arcs = start.kind == GraphKind::directed;
  const std::string what =
      fmt::format("{} probabilities in {}s", arcs ? "arc" : "edge", words::matching_text(start));
  Report report(what + " of", start.input.path, words::graph_text(start));
  HtmlWriter& html = report.html();
  {
    const Section answer(html, "", start.violator ? "answer refused" : "answer");
    const std::string none =
        start.problem == Problem::cycle_covers ? "no cycle cover" : "no perfect matching";
    const std::string number =
        fmt::format("{} {}{}", with_commas(table.all), arcs ? "arc" : "edge", table.all == 1 ? "" : "s");
    html.element("p", {{"class", "number"}}, start.violator ? none : number);
    if (!start.violator) {
      html.element("p", {{"class", "kind"}},
                   fmt::format("probability of each {} in a random {}{}; {}", arcs ? "arc" : "edge",
                               words::matching_text(start), table.weighted ? ", by weight" : "",
                               table.exact ? "fractions in lowest terms" : "rounded from the exact value"));
    }
  }
  write_warnings(html, start.input.warnings);
  write_violator(html, start.violator);
  write_picture(html, beside);
  write_edges(html, table);
  write_notes(html, start.notes);
  write_asked(html, &start, beside);
  return report.finish(fmt::format("{} of {}", what, start.input.path));
}

}  // namespace countpm::html
