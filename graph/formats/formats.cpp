#include "graph/formats/formats.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/errors.hpp"
#include "graph/formats/arrow_words.hpp"
#include "graph/formats/exchange_graph.hpp"
#include "graph/formats/foreign_formats.hpp"
#include "graph/formats/picture_text.hpp"
#include "graph/formats/word_table.hpp"
#include "graph/molecules/molecule.hpp"
#include "graph/text.hpp"

namespace countpm {

const std::vector<FormatInfo>& formats() {
  static const std::vector<FormatInfo> table = {
      {Format::edge_list,
       "edgelist",
       {".edgelist", ".edges", ".el", ".ncol", ".lgl"},
       "one edge per line: u v [weight]; # and % start comments (.ncol too; .lgl: neighbours below '# "
       "vertex')"},
      {Format::csv,
       "csv",
       {".csv", ".tsv", ".gdf"},
       "one edge per line: u,v[,weight], or columns named by a header, GDF's too (source,target,weight)"},
      {Format::matrix_market, "mtx", {".mtx", ".mm"}, "Matrix Market, coordinate or array: rows x columns"},
      {Format::dimacs, "dimacs", {".dimacs", ".col", ".gr", ".max"}, "DIMACS: p line, then e, a or n lines"},
      {Format::dense,
       "dense",
       {".dense", ".01"},
       "rows of 0 and 1, with or without blanks; numbers with --weights"},
      {Format::graph6, "graph6", {".g6", ".graph6"}, "nauty's graph6 (undirected)"},
      {Format::digraph6, "digraph6", {".d6", ".digraph6"}, "nauty's digraph6 (directed)"},
      {Format::sparse6, "sparse6", {".s6", ".sparse6"}, "nauty's sparse6 (undirected)"},
      {Format::graphml, "graphml", {".graphml"}, "GraphML"},
      {Format::dot, "dot", {".dot", ".gv"}, "Graphviz DOT"},
      {Format::mol, "mol", {".mol"}, "MDL molfile, V2000 or V3000: the molecule's pi system"},
      {Format::sdf, "sdf", {".sdf", ".sd"}, "molfiles with $$$$ behind each"},
      {Format::xyz, "xyz", {".xyz"}, "atoms by coordinates, bonds by lengths: the pi system"},
      {Format::planar_code,
       "planar_code",
       {".planar_code", ".plc", ".pc"},
       "planar_code of plantri, buckygen and CaGe (undirected)"},
      {Format::vax, "vax", {".vax"}, "pictures of X V A < >, a vertex each (undirected)"},
      {Format::board,
       "board",
       {".board", ".pbm"},
       "pictures of # and ., each # a cell (or of PBM's plain 1 and 0): dominoes (undirected)"},
      {Format::hyper, "hyper", {".hyper"}, "one set of vertices per line: a b c [; weight]: exact covers"},
      {Format::metis,
       "metis",
       {".graph", ".metis"},
       "METIS: a line N M [FMT], then a line of neighbours per vertex (undirected)"},
      {Format::adjacency_list,
       "adjlist",
       {".adjlist", ".adj"},
       "a vertex and its neighbours per line: u v w ... or u: v w ..."},
      {Format::tgf, "tgf", {".tgf"}, "Trivial Graph Format: vertices with labels, #, edges"},
      {Format::npy, "npy", {".npy"}, "NumPy's array of two dimensions: rows x columns"},
      {Format::npz, "npz", {".npz"}, "one such array, or a sparse matrix of SciPy: rows x columns"},
      {Format::gml, "gml", {".gml"}, "GML of networkx, igraph and Gephi"},
      {Format::gexf, "gexf", {".gexf"}, "GEXF of Gephi and networkx"},
      {Format::pajek, "pajek", {".net", ".paj"}, "Pajek: *Vertices N, then *Edges, *Arcs or *Matrix"},
      {Format::json,
       "json",
       {".json", ".cyjs"},
       "node-link JSON of networkx, d3 and Cytoscape: nodes, and links or edges"},
  };
  return table;
}

const char* name_of(Format format) {
  for (const FormatInfo& info : formats()) {
    if (info.format == format) return info.name.data();  // a literal: ends in NUL
  }
  return "unknown";
}

Format format_named(std::string_view name) {
  std::string valid;
  for (const FormatInfo& info : formats()) {
    if (info.name == name) return info.format;
    valid += valid.empty() ? "" : ", ";
    valid += info.name;
  }
  throw UsageError(fmt::format("unknown format {} (valid: {})", shown(name), valid));
}

std::string ending_of(std::string_view name) {
  std::string lower = ascii_lower(name.substr(name.find_last_of('/') + 1));
  if (lower.ends_with(".gz")) lower.resize(lower.size() - 3);
  const std::size_t point = lower.find_last_of('.');
  if (point == std::string::npos || point == 0) return "";
  std::string ending = lower.substr(point);
  if (format_by_ending(lower)) return ending;
  if (point == 3 && lower.starts_with("out")) return "";  // KONECT's: out.dolphins
  constexpr std::size_t longest = 9;
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool plain =
      std::all_of(ending.begin() + 1, ending.end(), [&](char c) { return letter(c) || digit(c); });
  const bool any_letter = std::any_of(ending.begin(), ending.end(), letter);
  if (!plain || !any_letter || ending.size() > longest) return "";
  return ending == ".txt" || ending == ".dat" || ending == ".data" ? "" : ending;
}

std::optional<Format> format_by_ending(std::string_view name) {
  std::string lower = ascii_lower(name);
  if (lower.ends_with(".gz")) lower.resize(lower.size() - 3);
  for (const FormatInfo& info : formats()) {
    for (const std::string_view ending : info.endings) {
      if (lower.ends_with(ending)) return info.format;
    }
  }
  return std::nullopt;
}

namespace {

bool is_blank_byte(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::string_view after_blanks(std::string_view text) {
  while (!text.empty() && is_blank_byte(text.front())) text.remove_prefix(1);
  return text;
}

bool is_comment(std::string_view line) {
  line = after_blanks(line);
  return line.starts_with('#') || line.starts_with('%');
}

bool starts_with_word(std::string_view lower, std::string_view word) {
  return lower.starts_with(word) && (lower.size() == word.size() || is_blank_byte(lower[word.size()]) ||
                                     lower[word.size()] == '{' || lower[word.size()] == '"');
}

// graph, digraph or strict, after C comments, with a brace later on.
bool looks_like_dot(std::string_view text) {
  for (;;) {
    text = after_blanks(text);
    std::size_t end = std::string_view::npos;
    if (text.starts_with("/*")) {
      end = text.find("*/");
      if (end != std::string_view::npos) end += 2;
    } else if (text.starts_with("//") || text.starts_with("#")) {
      end = text.find('\n');
    } else {
      break;
    }
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end);
  }
  const std::string lower = ascii_lower(text.substr(0, 4096));
  const bool keyword = starts_with_word(lower, "graph") || starts_with_word(lower, "digraph") ||
                       starts_with_word(lower, "strict");
  return keyword && text.find('{') != std::string_view::npos;
}

// c lines, then "p WORD NUMBER NUMBER".
bool looks_like_dimacs(std::string_view text) {
  TextLines lines(text);
  while (lines.next()) {
    if (lines.line_done()) continue;
    const std::string_view first = lines.word();
    if (first == "c") continue;
    if (first != "p") return false;
    const std::string_view problem = lines.word();
    return !problem.empty() && !parse_number(problem) && parse_number(lines.word()) &&
           parse_number(lines.word());
  }
  return false;
}

bool all_of_range(std::string_view text, char low, char high) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [&](char c) { return c >= low && c <= high; });
}

// One word of graph6 whose length is what its vertex count asks for.
bool looks_like_graph6(std::string_view word) {
  if (!all_of_range(word, 63, 126)) return false;
  std::uint64_t vertices = 0;
  std::size_t digits = 1;
  std::size_t at = 0;
  if (word[0] == 126) {
    at = word.size() > 1 && word[1] == 126 ? 2 : 1;
    digits = at == 2 ? 6 : 3;
  }
  if (word.size() < at + digits) return false;
  for (std::size_t i = 0; i < digits; ++i)
    vertices = vertices * 64 + static_cast<std::uint64_t>(word[at + i] - 63);
  if (vertices > (std::uint64_t{1} << 24U)) return false;
  const std::uint64_t bits = vertices == 0 ? 0 : vertices * (vertices - 1) / 2;
  return word.size() - at - digits == (bits + 5) / 6;
}

bool is_number_like(std::string_view word) {
  return word.find_first_not_of("0123456789+-./eE") == std::string_view::npos &&
         word.find_first_of("0123456789") != std::string_view::npos;  // "--" is none
}

enum class Commas { no_parting, parting, unclear };

// What the commas of a line do. "a,b", "a, b, 2" and "\"New York\",Boston" are fields. In "0,0 0,1" they are
// within labels, and in "a b (1,2)" within a weight. "New York,Boston" may be fields or two labels.
Commas commas_of(std::string_view line) {
  line = after_blanks(line);
  if (line.starts_with("\"") && line.find(',') != std::string_view::npos) return Commas::parting;
  const std::size_t comma = line.find(',');
  if (comma == std::string_view::npos || line.find('(') < comma) return Commas::no_parting;
  bool blank_in_field = false;
  bool comma_in_all_words = true;
  TextLines words(line);
  words.next();
  char before = ',';
  for (std::string_view word = words.word(); !word.empty(); word = words.word()) {
    const std::size_t at = word.find(',');
    comma_in_all_words = comma_in_all_words && at != std::string_view::npos && at > 0 && at + 1 < word.size();
    blank_in_field = blank_in_field || (before != ',' && word.front() != ',');
    before = word.back();
  }
  if (!blank_in_field) return Commas::parting;
  return comma_in_all_words ? Commas::no_parting : Commas::unclear;
}

// Whether no later line has blanks inside: names such as Dee are graph6 as well.
bool all_of_one_word(TextLines lines) {
  while (lines.next()) {
    if (lines.line_done()) continue;
    lines.word();
    if (!lines.line_done()) return false;
  }
  return true;
}

// "0 [2" of "0 [2,3]".
bool has_half_a_list(std::string_view field) {
  const auto count = [&](char c) { return std::count(field.begin(), field.end(), c); };
  return count('[') != count(']') || count('{') != count('}') || count('(') != count(')');
}

bool is_quoted(std::string_view field) {
  return field.size() > 2 && field.front() == '"' && field.find('"', 1) == field.size() - 1;
}

// "a -- b", "a = b 2": its ends may have commas, too.
bool is_edge_with_sign(std::string_view line) {
  const std::vector<std::string_view> words = words_in(line);
  if (words.size() < 3 || words.size() > 4 || (words.size() == 4 && !is_number_literal(words[3])))
    return false;
  const std::string_view sign = words[1];
  return is_arrow(sign) || sign == "=" || sign == ":" || sign == "|" || sign == "~";
}

enum class Parting { no_fields, fields, unclear };

// Whether tabs, semicolons or commas part the fields of every line, as many in each, and blanks (or decimal
// commas) are within these: "Ann Lee<TAB>Bob", "Node A,Node B" above "Ann,Bob". Of tabs it is unclear where
// blanks may part words as well: "A<TAB>Team 2".
Parting parting_of(std::string_view head, char delimiter) {
  constexpr int most_rows = 64;
  std::size_t width = 0;
  std::size_t width_in_words = 0;
  bool inner = false;
  bool inner_behind = false;  // in another field than the first
  bool even = true;           // as many words between blanks in each line
  bool edges = true;          // two words, and perhaps a number behind
  bool weights = true;        // the last field is a number
  bool glued = true;          // no blank is beside a delimiter
  bool letters = false;       // a word is no number
  bool quoted = false;        // a line has quotation marks around all fields, and blanks within
  bool signs = true;          // a sign between two words in every line
  TextLines lines(head);
  for (int rows = 0; rows < most_rows && lines.next();) {
    if (lines.line_done() || is_comment(lines.line())) continue;
    const std::vector<std::string_view> fields = split(lines.line(), delimiter);
    if (fields.size() < 2 || (rows > 0 && fields.size() != width)) return Parting::no_fields;
    // "Ann Lee";"Bob Ray"
    if (delimiter != '\t' && std::all_of(fields.begin(), fields.end(), is_quoted)) {
      quoted = quoted || lines.line().find(' ') != std::string_view::npos;
      width = fields.size();
      ++rows;
      continue;
    }
    std::size_t words = 0;
    for (std::size_t at = 0; at < fields.size(); ++at) {
      if (has_half_a_list(fields[at])) return Parting::no_fields;
      glued = glued && !fields[at].empty() && (at == 0 || !is_blank_byte(fields[at].front())) &&
              (at + 1 == fields.size() || !is_blank_byte(fields[at].back()));
      TextLines parts(fields[at]);
      const bool any = parts.next();
      for (std::size_t k = 0; any && !parts.line_done(); ++k) {
        const std::string_view word = parts.word();
        // Comments, quotation marks, and attributes as networkx writes them.
        if (word.find('#') != std::string_view::npos || word[0] == '%' || word[0] == '"' || word[0] == '{')
          return Parting::no_fields;
        const bool decimal = delimiter != ',' && with_decimal_point(word);
        inner = inner || k > 0 || decimal;
        inner_behind = inner_behind || (k > 0 && at > 0) || decimal;
        edges = edges && (words < 2 || (words == 2 && is_number_literal(word)));
        if (at + 1 == fields.size()) weights = weights && k == 0 && is_number_literal(word);
        letters = letters || !is_number_like(word);
        ++words;
      }
    }
    std::size_t between_blanks = 0;
    TextLines parts(lines.line());
    for (parts.next(); !parts.line_done(); ++between_blanks) {
      const std::string_view word = parts.word();
      if (word.size() == 1 && word[0] == delimiter) return Parting::no_fields;  // "a ; b": an arrow
    }
    if (rows == 0) {
      width = fields.size();
      width_in_words = between_blanks;
    }
    even = even && between_blanks == width_in_words;
    edges = edges && words > 1;
    signs = signs && is_edge_with_sign(lines.line());
    ++rows;
  }
  if (quoted) return Parting::fields;
  if (!inner || signs) return Parting::no_fields;
  if (delimiter != '\t') {
    // "Ann Lee;Bob Ray" has too many words for an edge, "a b;c" and "a b;c 2" have not.
    const bool no_edges = glued && letters && width == 2 && width_in_words > 2 && !weights;
    return even && !no_edges ? Parting::no_fields : Parting::fields;
  }
  if (!edges) return Parting::fields;
  // "a b<TAB>2" in all lines is an edge and its weight.
  return weights && even && !inner_behind ? Parting::no_fields : Parting::unclear;
}

ContentGuess guess_table(std::string_view head) {
  if (said_delimiter(head.substr(0, head.find_first_of("\r\n")))) return {Format::csv, false, false};
  for (const char delimiter : {'\t', ';', ','}) {
    const Parting parting = parting_of(head, delimiter);
    if (parting == Parting::fields) return {Format::csv, false, false};
    if (parting == Parting::unclear) return {std::nullopt, false, false, false, false, true};
  }
  // Bars, as databases print them, where nothing else may part fields.
  if (head.find_first_of(",;\t") == std::string_view::npos && parting_of(head, '|') == Parting::fields)
    return {Format::csv, false, false};
  std::uint64_t rows = 0;
  std::uint64_t width = 0;
  bool only_bits = true;
  bool equal_width = true;
  bool only_numbers = true;
  bool whole_labels = true;  // the first two words of every line are whole numbers, if they are numbers
  TextLines lines(head);
  while (lines.next() && rows < 4) {
    if (lines.line().starts_with("#!")) return {Format::edge_list, false, false};  // a directive
    if (lines.line_done() || is_comment(lines.line())) continue;
    std::uint64_t words = 0;
    std::uint64_t numbers = 0;
    std::string_view first;
    for (std::string_view word = lines.word(); !word.empty(); word = lines.word()) {
      if (words > 0 && (word[0] == '#' || word[0] == '%')) break;  // a comment
      if (words == 0) first = word;
      word = without_quotes(word);
      ++words;
      only_numbers = only_numbers && is_number_literal(word);
      whole_labels = whole_labels && (words > 2 || parse_number(word).has_value());
      numbers += is_number_like(word) ? 1 : 0;
      only_bits = only_bits && (word == "0" || word == "1");
    }
    if (rows == 0) {
      if (words == 1 && first[0] == ':') return {Format::sparse6, false, false};
      if (words == 1 && first[0] == '&') return {Format::digraph6, false, false};
      if (words == 1 && first.find_first_not_of("01") == std::string_view::npos)
        return {Format::dense, false, false};
      if (words == 1 && looks_like_graph6(first) && all_of_one_word(lines))
        return {Format::graph6, false, false};
      if (words > 3 && numbers == words) return {Format::dense, false, false};
      // "a;b;2", "a|b|2": a line of one word is no edge.
      if (words == 1 && std::min(first.find(';', 1), first.find('|', 1)) < first.size() - 1)
        return {Format::csv, false, false};
      const Commas commas = commas_of(lines.line());
      if (commas == Commas::parting) return {Format::csv, false, false};
      if (commas == Commas::unclear) return {std::nullopt, false, false, false, true};
      width = words;
    }
    equal_width = equal_width && words == width;
    ++rows;
  }
  // A dense matrix, or edges between vertices that are numbers: two rows of two, three rows of three, or
  // "labels" such as 1/2 and -1.
  const bool table = equal_width && only_numbers && (width == 2 || width == 3);
  return {std::nullopt, false, table && (rows == width || !whole_labels), !only_bits};
}

}  // namespace

ContentGuess guess_format(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  if (ascii_lower(head.substr(0, 14)) == "%%matrixmarket") return {Format::matrix_market, true, false};
  // One % for two, and a complete header: not a comment of an edge list, but for its ending.
  if (const std::string first = ascii_lower(head.substr(0, std::min<std::size_t>(head.find('\n'), 100)));
      first.starts_with("%matrixmarket matrix ") &&
      (first.find("general") != std::string::npos || first.find("symmetric") != std::string::npos ||
       first.find("hermitian") != std::string::npos))
    return {Format::matrix_market, false, false};
  if (head.starts_with("\x93NUMPY")) return {Format::npy, true, false};
  if (head.starts_with("PK\x03\x04") && head.substr(0, 256).find(".npy") != std::string_view::npos)
    return {Format::npz, true, false};
  if (head.starts_with(">>graph6<<")) return {Format::graph6, true, false};
  if (head.starts_with(">>digraph6<<")) return {Format::digraph6, true, false};
  if (head.starts_with(">>sparse6<<")) return {Format::sparse6, true, false};
  if (const std::optional<Format> exchange = guess_exchange(head)) return {exchange, true, false};
  const std::string lower = ascii_lower(after_blanks(head.substr(0, 4096)));
  if (lower.starts_with("<?xml") || lower.starts_with("<graphml") || lower.starts_with("<!--") ||
      lower.starts_with("<!doctype")) {
    return {Format::graphml, true, false};
  }
  if (head.starts_with(">>planar_code")) return {Format::planar_code, true, false};
  if (const std::optional<Format> molecule = guess_molecule(head)) return {molecule, true, false};
  if (const std::optional<Format> picture = guess_picture(head)) return {picture, true, false};
  if (looks_like_dot(head)) return {Format::dot, true, false};
  if (looks_like_dimacs(head)) return {Format::dimacs, true, false};
  return guess_table(head);
}

namespace {

// A comment that was to be the header of Matrix Market: %MatrixMarket, %%MatrixMarkt matrix coordinate ...
void refuse_damaged_header(const std::string& name, std::string_view head) {
  TextLines lines(head);
  while (lines.next()) {
    if (lines.line_done()) continue;
    const std::string line = ascii_lower(after_blanks(lines.line()));
    if (line[0] != '%' && line[0] != '#') return;
    const auto has = [&](const char* word) { return line.find(word) != std::string::npos; };
    if (has("matrixmarket") || (has("matrix") && (has("coordinate") || has("array")))) {
      throw InputError(
          name, lines.number(),
          "%%MatrixMarket at the very start, or --format edgelist, which takes this for a comment",
          shown(lines.line()));
    }
  }
}

// An ending that stands for no format that is read. What is known about it is said; a header that no other
// format has outweighs an ending that nothing is known of.
void refuse_other_ending(const std::string& name, const ContentGuess& guess) {
  const std::string ending = ending_of(name);
  if (ending.empty()) return;
  if (const ForeignFormat* foreign = foreign_format(ending)) {
    throw InputError(
        name, 0, "a format that countpm reads ('countpm formats' lists them)",
        fmt::format("the ending {} of {}{}{}; --format edgelist reads it as an edge list all the same, and "
                    "--format NAME as another format",
                    ending, foreign->name, foreign->remedy.empty() ? "" : ": ", remedy_for(*foreign, name)));
  }
  if (guess.certain) return;
  std::string names;
  for (const FormatInfo& info : formats()) names += (names.empty() ? "" : ", ") + std::string(info.name);
  throw InputError(
      name, 0,
      fmt::format("an ending that identifies the format (.edgelist, .csv, .mtx, ...), --format NAME "
                  "({}), or by standard input ('countpm - < FILE') a text whose content identifies it",
                  names),
      fmt::format("the unknown ending {}", ending));
}

}  // namespace

SettledFormat settle_format(const std::string& name, std::string_view head, std::optional<Format> forced) {
  if (forced) return {*forced, FormatBy::option};
  const ContentGuess guess = guess_format(head);
  const std::optional<Format> ending = format_by_ending(name);
  // Of X alone, or with blanks, the two are the same.
  const bool same_picture = ending == Format::board && guess.format == Format::vax &&
                            head.find_first_not_of("X \r\n") == std::string_view::npos;
  if (ending) {
    if (guess.certain && guess.format != ending && !same_picture) {
      throw InputError(name, 0,
                       fmt::format("{} as its ending says (--format {} forces the other)", name_of(*ending),
                                   name_of(*guess.format)),
                       fmt::format("{}", name_of(*guess.format)));
    }
    return {*ending, FormatBy::ending};
  }
  refuse_other_ending(name, guess);
  if (!guess.format) refuse_damaged_header(name, head);
  if (guess.commas) {
    throw InputError(name, 0, "one format (--format csv or --format edgelist chooses)",
                     "commas and blanks, either of which may part labels");
  }
  if (guess.tabs) {
    throw InputError(name, 0, "one format (--format csv or --format edgelist chooses)",
                     "tabs and blanks, either of which may part labels");
  }
  if (guess.ambiguous) {
    throw InputError(name, 0, "one format (--format edgelist or --format dense chooses)",
                     guess.of_weights ? "lines of numbers that may be edges or a dense matrix of weights"
                                      : "a square of 0 and 1 that may be edges or a dense matrix");
  }
  return {guess.format.value_or(Format::edge_list), FormatBy::content};
}

namespace {

std::string reading_text(const SettledFormat& settled, const std::string& file) {
  const std::string name =
      file.substr(0, file.rfind(", graph "));  // of one of several: graph/formats/graph_entries.cpp
  const char* const format = name_of(settled.format);
  switch (settled.by) {
    case FormatBy::option:
      return fmt::format("read as {}, as --format says", format);
    case FormatBy::ending:
      return fmt::format("read as {}, as the ending {} says", format, ending_of(name));
    case FormatBy::content:
      break;
  }
  return fmt::format("read as {}, by its content; --format NAME forces another format", format);
}

}  // namespace

FormatError::FormatError(const InputError& error, const SettledFormat& settled)
    : InputError(error), text_(fmt::format("{} ({})", error.what(), reading_text(settled, error.file()))) {}

}  // namespace countpm
