// Edges and neighbours as literals of Python, GAP and others: edges = [(0, 1), (1, 2)], (0,1),(1,2),
// [(0, 1, {'weight': 2}), ...], {0: [1, 2], 1: [0], ...}, {0: {1: {'weight': 2}}}, {(0, 1): 2}, and lists of
// neighbours [[2,4],[1,3],...]. O(bytes log bytes).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "graph/formats/printed_matrix.hpp"
#include "graph/formats/table_reading.hpp"
#include "graph/stop_poll.hpp"
#include "graph/without_space.hpp"

namespace countpm {
namespace {

constexpr std::size_t largest_listing = std::size_t{64} << 20U;

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

std::size_t name_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && is_name_char(text[length])) ++length;
  return length;
}

struct Listed {
  char open = '\0';  // of a list; '\0': a word
  std::string_view text;
  std::vector<Listed> keys;  // of a dictionary, as many as parts
  std::vector<Listed> parts;

  bool is_word() const { return open == '\0'; }
  bool is_pairs() const { return !keys.empty(); }
  bool has_only_words() const {
    return keys.empty() &&
           std::all_of(parts.begin(), parts.end(), [](const Listed& p) { return p.is_word(); });
  }
};

class ListingParser {
 public:
  explicit ListingParser(std::string_view text) : text_(text) {}

  std::optional<Listed> parse() {
    Listed value;
    if (!take(value, 0)) return std::nullopt;
    skip();
    return at_ == text_.size() ? std::optional(std::move(value)) : std::nullopt;
  }

 private:
  static constexpr int deepest = 5;

  void skip() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  bool is_at(char c) const { return at_ < text_.size() && text_[at_] == c; }

  bool take(Listed& value, int depth) {
    poll_.step();
    skip();
    if (at_ == text_.size() || depth > deepest) return false;
    const char c = text_[at_];
    const char close = c == '[' ? ']' : c == '{' ? '}' : c == '(' ? ')' : '\0';
    if (close == '\0') return take_word(value);
    value.open = c;
    ++at_;
    for (;;) {
      skip();
      if (is_at(close)) break;
      Listed part;
      if (!take(part, depth + 1)) return false;
      skip();
      if (is_at(':')) {
        if (c != '{' || value.keys.size() != value.parts.size()) return false;
        ++at_;
        value.keys.push_back(std::move(part));
        part = {};
        if (!take(part, depth + 1)) return false;
        skip();
      } else if (!value.keys.empty()) {
        return false;
      }
      value.parts.push_back(std::move(part));
      if (is_at(',')) {
        ++at_;
      } else if (!is_at(close)) {
        return false;
      }
    }
    ++at_;
    return true;
  }

  bool take_word(Listed& value) {
    const char mark = text_[at_];
    if (mark == '"' || mark == '\'') {
      const std::size_t end = text_.find(mark, at_ + 1);
      if (end == std::string_view::npos) return false;
      value.text = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return !value.text.empty();
    }
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:;=[]{}()'\"<>", at_), text_.size());
    value.text = text_.substr(at_, end - at_);
    at_ = end;
    return !value.text.empty();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  StopPoll poll_;
};

struct Opened {
  std::string_view text;  // of the literal
  bool named = false;     // "edges = " in front
  bool below = false;     // below a comment
  bool edges = false;     // the name says so
};

// "edges = ", "adj := ", "nx.Graph(" and what closes it go; nothing where there is no literal.
std::optional<Opened> opened(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text = without_space(text);
  Opened found;
  // Comments of Python above.
  while (text.starts_with('#') && !text.starts_with("#!")) {
    text = without_space(text.substr(std::min(text.find('\n'), text.size())));
    found.below = true;
  }
  const std::size_t name = name_length(text);
  if (name > 0 && name < 64) {
    std::string_view rest = without_space(text.substr(name));
    const std::size_t sign = rest.starts_with(":=") ? 2 : rest.starts_with('=') ? 1 : 0;
    if (sign > 0) {
      rest = without_space(rest.substr(sign));
      found.named = true;
      found.edges = names_edges(text.substr(0, name));
    } else {
      rest = text;
    }
    text = rest;
  }
  while (text.ends_with(';')) text = without_space(text.substr(0, text.size() - 1));
  const std::size_t maker = name_length(text);
  const std::string_view called = text.substr(0, maker);
  constexpr std::array<std::string_view, 8> makers = {"Graph",
                                                      "from_edgelist",
                                                      "from_dict_of_lists",
                                                      "add_edges_from",
                                                      "add_weighted_edges_from",
                                                      "dict",
                                                      "list",
                                                      "set"};
  const bool made = maker > 0 && std::any_of(makers.begin(), makers.end(), [&](std::string_view known) {
                      return called == known ||
                             (called.ends_with(known) && called[called.size() - known.size() - 1] == '.');
                    });
  if (made && text.ends_with(')')) {
    const std::string_view rest = without_space(text.substr(maker));
    if (rest.starts_with('(')) {
      text = without_space(rest.substr(1, rest.size() - 2));
      found.named = true;
      found.edges = true;
    }
  }
  if (text.starts_with("defaultdict(") && text.ends_with("})") && text.find('{') != std::string_view::npos) {
    text = text.substr(text.find('{'));
    text.remove_suffix(1);
  }
  if (text.size() < 2 || std::string_view("[{(").find(text.front()) == std::string_view::npos)
    return std::nullopt;
  found.text = text;
  return found;
}

class ListingReader {
 public:
  ListingReader(const TableSource& source, const Opened& opened) : source_(source), opened_(opened) {}

  std::optional<Graph> read() {
    std::optional<Listed> root = ListingParser(opened_.text).parse();
    if (!root && !opened_.named) root = without_brackets();
    if (!root || root->parts.empty()) return as_literal();
    if (root->is_pairs()) return dictionary(*root);
    if (std::optional<Graph> graph = attributed(*root)) return graph;
    if (std::optional<Graph> graph = neighbours(*root)) return graph;
    if (!bare_.empty()) return pairs(*root);
    return as_literal();
  }

  // Lists of whole numbers in a list.
  std::optional<std::vector<TableRow>> rows() const {
    const std::optional<Listed> root = ListingParser(opened_.text).parse();
    return root ? rows_of(*root) : std::nullopt;
  }

 private:
  std::uint64_t line_of(std::string_view part) const {
    const auto end = source_.bytes.begin() + (part.data() - source_.bytes.data());
    return static_cast<std::uint64_t>(std::count(source_.bytes.begin(), end, '\n')) + 1;
  }

  // What stands behind a name, to the reader of literals.
  std::optional<Graph> as_literal() {
    if ((!opened_.named && !opened_.below) || opened_.text.front() == '(') return std::nullopt;
    if (!opened_.edges) {
      if (std::optional<Graph> graph = read_printed(source_)) return graph;
    }
    // On the lines where it stood.
    std::string alone(line_of(opened_.text) - 1, '\n');
    alone += opened_.text;
    return read_literal(TableSource(alone, source_.name, source_.options, source_.info));
  }

  // (0,1), (1,2): pairs and nothing around them.
  std::optional<Listed> without_brackets() {
    const std::string_view line = opened_.text.substr(0, opened_.text.find('\n'));
    const char close = line.front() == '(' ? ')' : line.front() == '{' ? '}' : ']';
    const std::size_t end = line.find(close);
    if (end == std::string_view::npos || !without_space(line.substr(end + 1)).starts_with(','))
      return std::nullopt;
    std::string_view text = opened_.text;
    if (text.ends_with(',')) text = without_space(text.substr(0, text.size() - 1));
    bare_ = fmt::format("[{}]", text);
    std::optional<Listed> root = ListingParser(bare_).parse();
    const bool fits = root && !root->is_pairs() && root->parts.size() > (close == ')' ? 1U : 2U) &&
                      std::all_of(root->parts.begin(), root->parts.end(), [&](const Listed& part) {
                        return part.open == line.front() && part.parts.size() == 2 && part.has_only_words();
                      });
    if (!fits) {
      bare_.clear();
      return std::nullopt;
    }
    return root;
  }

  Graph pairs(const Listed& root) {
    std::vector<TableEdge> edges;
    for (const Listed& part : root.parts) edges.push_back({1, part.parts[0].text, part.parts[1].text});
    return build(edges, "pairs were taken for edges");
  }

  Graph build(const std::vector<TableEdge>& edges, const char* how,
              const std::vector<std::string_view>& vertices = {}) {
    source_.info.format = Format::edge_list;
    source_.warn(0, how);
    return source_.edges(edges, std::nullopt, vertices);
  }

  // {'weight': 2} or 2; false where it is neither and not {}.
  static bool take_weight(const Listed& data, std::string_view& weight) {
    if (data.is_word() && data.text == "None") return true;
    if (data.is_word()) {
      weight = data.text;
      return is_number_literal(weight);
    }
    if (data.open != '{') return false;
    if (data.parts.empty()) return true;
    if (!data.is_pairs()) return false;
    for (std::size_t k = 0; k < data.keys.size(); ++k) {
      if (data.keys[k].text == "weight" && data.parts[k].is_word()) weight = data.parts[k].text;
    }
    return !weight.empty() && data.parts.size() == 1;
  }

  // [(0, 1, {'weight': 2}), ...]
  std::optional<Graph> attributed(const Listed& root) {
    std::vector<TableEdge> edges;
    for (const Listed& part : root.parts) {
      if (part.is_word() || part.is_pairs() || part.parts.size() != 3) return std::nullopt;
      // SageMath's edges without a label end in None.
      if (part.parts[2].open != '{' && part.parts[2].text != "None") return std::nullopt;
      if (!part.parts[0].is_word() || !part.parts[1].is_word()) return std::nullopt;
      const std::uint64_t line = line_of(part.parts[0].text);
      std::string_view weight;
      if (!take_weight(part.parts[2], weight))
        source_.fail(line, "{} or {'weight': W} behind the ends of an edge", "other data");
      edges.push_back({line, part.parts[0].text, part.parts[1].text, weight});
    }
    return build(edges, "a list in brackets was taken for edges");
  }

  static std::optional<std::vector<TableRow>> rows_of(const Listed& root) {
    if (root.is_word() || root.is_pairs() || root.open == '(') return std::nullopt;
    std::vector<TableRow> rows;
    for (const Listed& part : root.parts) {
      if (part.is_word() || part.open == '(' || !part.has_only_words()) return std::nullopt;
      TableRow& row = rows.emplace_back();
      for (const Listed& word : part.parts) row.fields.push_back(word.text);
    }
    return rows;
  }

  // [[2,4],[1,3],[2,4],[1,3]]
  std::optional<Graph> neighbours(const Listed& root) {
    if (source_.options.kind == GraphKind::bipartite || source_.options.format) return std::nullopt;
    if (source_.info.format == Format::dense && source_.info.format_by != FormatBy::content)
      return std::nullopt;
    const std::optional<std::vector<TableRow>> rows = rows_of(root);
    if (!rows) return std::nullopt;
    const std::optional<NumberedNeighbours> found = numbered_neighbours(*rows, 0);
    if (!found) return std::nullopt;
    std::set<std::pair<std::string_view, std::string_view>> pairs;
    const bool may_be_edges = std::all_of(rows->begin(), rows->end(), [&](const TableRow& row) {
      return row.fields.size() == rows->front().fields.size() &&
             (row.fields.size() == 2 || row.fields.size() == 3) && row.fields[0] != row.fields[1] &&
             pairs.insert(std::minmax(row.fields[0], row.fields[1])).second;
    });
    if (may_be_edges && rows->size() == rows->front().fields.size()) return std::nullopt;
    if (may_be_edges)
      source_.ask(1, "a list of lists of numbers", "--format metis (the neighbours of each vertex in turn)",
                  "--format edgelist (edges)");
    source_.warn(0, fmt::format("each list was taken for the neighbours of the vertex with its place: {} "
                                "vertices, {} edges",
                                rows->size(), found->edges.size()));
    return build_numbered(source_, *found, rows->size());
  }

  // {0: [1, 2], ...}, {0: {1: {'weight': 2}}, ...}, {(0, 1): 2, ...}
  std::optional<Graph> dictionary(const Listed& root) {
    const bool of_edges = std::all_of(root.keys.begin(), root.keys.end(), [](const Listed& key) {
      return key.open == '(' && key.parts.size() == 2 && key.has_only_words();
    });
    std::vector<TableEdge> edges;
    if (of_edges) {
      for (std::size_t k = 0; k < root.keys.size(); ++k) {
        const std::vector<Listed>& ends = root.keys[k].parts;
        const std::uint64_t line = line_of(ends[0].text);
        std::string_view weight;
        if (!take_weight(root.parts[k], weight))
          source_.fail(line, "a number behind an edge", "something else");
        edges.push_back({line, ends[0].text, ends[1].text, weight});
      }
      return build(edges, "pairs were taken for edges, and what is behind them for values");
    }
    std::vector<std::string_view> vertices;
    std::set<std::string_view> known;
    std::set<std::tuple<std::string_view, std::string_view, std::string_view>> seen;
    const bool undirected = source_.edge_kind() == GraphKind::undirected;
    for (std::size_t k = 0; k < root.keys.size(); ++k) {
      const Listed& key = root.keys[k];
      if (!key.is_word()) return std::nullopt;
      const std::uint64_t line = line_of(key.text);
      const Listed& value = root.parts[k];
      if (!known.insert(key.text).second)
        source_.fail(line, "each vertex once", fmt::format("{} again", shown(key.text)));
      if (value.is_word() || (!value.is_pairs() && !value.has_only_words()))
        source_.fail(line, fmt::format("a list of the neighbours of {}", shown(key.text)), "something else");
      if (source_.edge_kind() != GraphKind::bipartite) vertices.push_back(key.text);
      const std::vector<Listed>& names = value.is_pairs() ? value.keys : value.parts;
      for (std::size_t j = 0; j < names.size(); ++j) {
        if (!names[j].is_word()) source_.fail(line, "neighbours", "a list in their place");
        std::string_view weight;
        if (value.is_pairs() && !take_weight(value.parts[j], weight))
          source_.fail(line, "{}, {'weight': W} or a number behind a neighbour", "other data");
        const std::string_view to = names[j].text;
        if (undirected && key.text != to && seen.contains({to, key.text, weight})) {
          ++source_.info.repeats_merged;  // from its other end
          continue;
        }
        seen.emplace(key.text, to, weight);
        edges.push_back({line, key.text, to, weight});
      }
    }
    Graph graph = build(edges, "a dictionary was taken for vertices and their neighbours", vertices);
    source_.info.format = Format::adjacency_list;
    return graph;
  }

  const TableSource& source_;
  const Opened& opened_;
  std::string bare_;  // the text with brackets around it, if it has none
};

}  // namespace

std::optional<Graph> read_listing(const TableSource& source) {
  const std::optional<Opened> literal = opened(source.bytes);
  if (!literal) return std::nullopt;
  if (source.bytes.size() > largest_listing) return std::nullopt;
  return ListingReader(source, *literal).read();
}

std::optional<std::vector<TableRow>> listed_neighbours(const TableSource& source) {
  const std::optional<Opened> literal = opened(source.bytes);
  if (!literal || source.bytes.size() > largest_listing) return std::nullopt;
  return ListingReader(source, *literal).rows();
}

}  // namespace countpm
