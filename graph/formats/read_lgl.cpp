// LGL (Large Graph Layout, igraph): "# vertex", and a neighbour a line below it, perhaps with a weight.
// O(bytes).
#include <fmt/format.h>

#include "graph/formats/formats.hpp"
#include "graph/formats/table_reading.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

struct LglText {
  std::vector<TableEdge> edges;
  std::vector<std::string_view> vertices;
  bool all_words = true;  // no neighbour has a weight
  bool all_whole = true;  // all weights are whole numbers
  std::uint64_t odd = 0;  // a line that is none of LGL's
};

LglText parse(std::string_view bytes) {
  LglText text;
  TextLines lines(bytes);
  while (lines.next() && text.odd == 0) {
    const std::string_view first = lines.word();
    if (first.empty()) continue;
    const std::string_view second = lines.word();
    const bool whole = lines.line_done();
    if (whole && first == "#") {
      if (second.empty()) text.odd = lines.number();
      text.vertices.push_back(second);
    } else if (!whole || text.vertices.empty() || first.front() == '#' ||
               (!second.empty() && !is_number_literal(second))) {
      text.odd = lines.number();
    } else {
      text.all_words = text.all_words && second.empty();
      text.all_whole = text.all_whole && (second.empty() || is_whole(second));
      text.edges.push_back({lines.number(), text.vertices.back(), first, second});
    }
  }
  return text;
}

}  // namespace

std::optional<Graph> read_if_lgl(const TableSource& source) {
  const bool named = ending_of(source.name) == ".lgl" && !source.options.format;
  if (!named && (source.options.format || !source.bytes.starts_with("# "))) return std::nullopt;
  LglText text = parse(source.bytes);
  if (named && text.odd != 0)
    source.fail(text.odd, "'# vertex', or a neighbour and perhaps a weight", "another line");
  if (!named) {
    // Comments of one word, and edges below.
    if (text.odd != 0 || text.vertices.size() < 2 || text.edges.empty()) return std::nullopt;
    if (!text.all_words && text.all_whole)
      source.ask(1, "lines '# word' above others of one or two words",
                 "a name that ends in .lgl (a vertex above its neighbours and their weights)",
                 "--format edgelist (comments above edges)");
    source.warn(1, "read as LGL: lines '# vertex' above its neighbours");
  }
  if (source.edge_kind() == GraphKind::bipartite) text.vertices.clear();
  return source.edges(text.edges, std::nullopt, text.vertices);
}

}  // namespace countpm
