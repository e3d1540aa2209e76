// DOT (Graphviz) through Boost.Graph's read_graphviz, with what it leaves open added around it.
//
// Boost's parser recurses on subgraphs, multiplies "{a b} -- {c d}" out without a bound, and searches for the
// end of HTML-like strings by regular expressions. So one scan over the tokens comes first: it bounds the
// depth and the number of edges that groups stand for, and makes strings of HTML-like ones. Vertices are in
// the order of their names (Boost keeps them so); weights are the attribute `weight`. O(bytes log bytes)
// time; memory about 100 times the bytes. The language: https://graphviz.org/doc/info/lang.html
#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <cctype>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/formats/exchange_graph.hpp"
#include "graph/formats/reader.hpp"
#include "graph/formats/word_table.hpp"
#include "graph/graph_builder.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr std::size_t most_groups_deep = 200;
constexpr std::uint64_t most_edges = 2'000'000;  // that groups may stand for
constexpr std::size_t longest_token =
    16384;  // the regular expressions give up at some ten thousand characters

// Walks over the tokens as Boost's parser will see them, and writes them down again with single blanks
// between them: without comments and long runs of blanks its regular expressions have little to go wrong on.
class TokenScanner {
 public:
  TokenScanner(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  /// Whether the graph is directed.
  bool scan() {
    if (bytes_.find('\0') != std::string_view::npos) fail("text", "a NUL byte");
    std::string_view token = next();
    if (lower(token) == "strict") {
      strict_ = true;
      text_.clear();  // Boost would drop loops too, and keep "b -- a" after "a -- b"
      token = next();
    }
    const std::string kind = lower(token);
    if (kind != "graph" && kind != "digraph") fail("'graph' or 'digraph'", found(token));
    for (token = next(); !token.empty(); token = next()) {
      if (closed_) fail("one graph a file", found(token));
      visit(token);
    }
    if (!closed_) fail("'}'", "the end of the file");
    return kind == "digraph";
  }

  bool strict() const { return strict_; }
  std::string take_text() { return std::move(text_); }

 private:
  // What comes next inside [...].
  enum class Attribute { outside, name, equals, value, after };

  // A group {...}.
  struct Group {
    std::string name;         // of a named subgraph
    std::uint64_t nodes = 0;  // that it may stand for
    std::uint64_t left = 0;   // nodes to the left of the edge operator before it; 0: none
  };

  void visit(std::string_view token) {
    if (attributes_ != Attribute::outside) {
      visit_attribute(token);
    } else if (token == "[") {
      attributes_ = Attribute::name;
    } else if (token == "--" || token == "->") {
      left_ = operand_;
    } else if (token == ";") {
      left_ = operand_ = 0;
    } else if (token == "{") {
      if (groups_.size() == most_groups_deep)
        fail(fmt::format("groups at most {} deep", most_groups_deep), "deeper ones");
      // Boost 1.74 knows "subgraph {" and not the "{" alone that means the same.
      if (!groups_.empty() && !after_subgraph_ && !named_) text_.replace(text_.size() - 2, 2, "subgraph { ");
      groups_.push_back({std::move(subgraph_), 0, left_});
      subgraph_.clear();
      left_ = 0;
      after_subgraph_ = named_ = false;
    } else if (token == "}") {
      close_group();
    } else if (lower(token) == "subgraph") {
      after_subgraph_ = true;
    } else if (is_name(token)) {
      visit_name(token);
    }
  }

  // Inside [...]: name = value, parted by ',' or ';' or nothing. Boost takes a name without a value for one
  // with an empty value, so that weight=1,5 would be 1.
  void visit_attribute(std::string_view token) {
    switch (attributes_) {
      case Attribute::name:
        if (token == "]") {
          attributes_ = Attribute::outside;
        } else if (is_name(token)) {
          attributes_ = Attribute::equals;
        } else {
          fail("an attribute's name or ']'", found(token));
        }
        return;
      case Attribute::equals:
        if (token != "=") fail("'=' after an attribute's name", found(token));
        attributes_ = Attribute::value;
        return;
      case Attribute::value:
        if (!is_name(token)) fail("an attribute's value", found(token));
        attributes_ = Attribute::after;
        return;
      case Attribute::after:
        if (token == "+") {
          attributes_ = Attribute::value;
        } else if (token == "," || token == ";") {
          attributes_ = Attribute::name;
        } else {
          attributes_ = Attribute::name;
          visit_attribute(token);
        }
        return;
      case Attribute::outside:
        return;
    }
  }

  void visit_name(std::string_view token) {
    ++words_;
    if (!std::exchange(after_subgraph_, false)) return add_operand(1);
    const std::string name(token[0] == '"' ? token.substr(1, token.size() - 2) : token);
    skip_blanks();
    if (bytes_.substr(at_, 1) == "{") {
      subgraph_ = name;
      named_ = true;
    } else {  // all that has been put into the subgraph of that name
      add_operand(sizes_[name]);
    }
  }

  void close_group() {
    if (groups_.empty()) fail("'{' first", "'}'");
    Group group = std::move(groups_.back());
    groups_.pop_back();
    closed_ = groups_.empty();
    if (!group.name.empty()) group.nodes = sizes_[group.name] += group.nodes;
    left_ = group.left;
    add_operand(group.nodes);
  }

  void add_operand(std::uint64_t nodes) {
    nodes = std::min(nodes, words_);  // so that the product stays below 2^64: words_ < 2^26
    edges_ += left_ * nodes;
    left_ = 0;
    operand_ = nodes;
    if (!groups_.empty()) groups_.back().nodes = std::min(groups_.back().nodes + nodes, words_);
    if (edges_ > most_edges + bytes_.size()) {
      fail(fmt::format("groups that stand for at most {} edges", most_edges), "more");
    }
  }

  static bool is_name(std::string_view token) {
    return is_word(token[0]) || token[0] == '"' || token[0] == '-';
  }
  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  }

  void skip_to(std::string_view end, std::size_t from, bool needed) {
    std::size_t to = bytes_.find(end, at_ + from);
    if (to == std::string_view::npos) {
      if (needed) fail(shown(end), "the end of the file");
      to = bytes_.size();
    } else {
      to += end.size();
    }
    advance(to);
  }

  void advance(std::size_t to) {
    for (; at_ < to; ++at_) line_ += bytes_[at_] == '\n' ? 1 : 0;
  }

  void skip_blanks() {
    while (at_ < bytes_.size()) {
      const std::string_view rest = bytes_.substr(at_, 2);
      if (std::isspace(static_cast<unsigned char>(rest[0])) != 0) {
        advance(at_ + 1);
      } else if (rest == "//" || rest[0] == '#') {
        skip_to("\n", 0, false);
      } else if (rest == "/*") {
        skip_to("*/", 2, true);
      } else if (rest == "\\\n") {
        advance(at_ + 2);
      } else {
        return;
      }
    }
  }

  // The next token, empty at the end. Strings keep their quotes.
  std::string_view next() {
    poll_.step();
    skip_blanks();
    if (at_ == bytes_.size()) return {};
    const std::size_t start = at_;
    const char c = bytes_[start];
    std::size_t end = start + 1;
    if (c == '"') {
      while (end < bytes_.size() && bytes_[end] != '"') end += bytes_[end] == '\\' ? 2 : 1;
      if (end >= bytes_.size()) fail("a closing '\"'", "the end of the file");
      ++end;
    } else if (c == '<') {
      return html_value();
    } else if (c == '-' && end < bytes_.size() && (bytes_[end] == '-' || bytes_[end] == '>')) {
      ++end;
    } else if (is_word(c) || c == '-') {
      while (end < bytes_.size() && is_word(bytes_[end])) ++end;
      expect_whole(start, end);
    } else if (std::string_view("[]{};=,:+()@").find(c) == std::string_view::npos) {
      fail("a name, a number, a string or punctuation (names beyond ASCII need quotes)",
           found(bytes_.substr(start, 1)));
    }
    if (end - start > longest_token)
      fail(fmt::format("names of at most {} bytes", longest_token), "a longer one");
    advance(end);
    text_ += bytes_.substr(start, end - start);
    text_ += ' ';
    after_equals_ = c == '=';
    return bytes_.substr(start, end - start);
  }

  // <...> with others within, the value of an attribute: for Boost a string of the same text, but for
  // quotation marks. A vertex of such a name is refused.
  std::string_view html_value() {
    if (!after_equals_)
      fail("names and strings",
           "'<', an HTML-like string that is no value of an attribute, which is not read");
    std::size_t end = at_ + 1;
    for (std::size_t depth = 1; depth > 0; ++end) {
      if (end >= bytes_.size()) fail("a closing '>' of an HTML-like string", "the end of the file");
      if (bytes_[end] == '<') ++depth;
      if (bytes_[end] == '>') --depth;
    }
    text_ += '"';
    for (const char c : bytes_.substr(at_ + 1, end - at_ - 2)) text_ += c == '"' || c == '\\' ? ' ' : c;
    text_ += "\" ";
    after_equals_ = false;
    advance(end);
    return "\"\"";
  }

  // Boost ends a name or a number at the first character that cannot go on in it, and begins the next one
  // there: 1e5 would be 1 and e5, 1-2 would be 1 and -2. All of the bytes from start to end must be one.
  void expect_whole(std::size_t start, std::size_t end) const {
    const auto at = [&](std::size_t i) { return i < bytes_.size() ? bytes_[i] : '\0'; };
    const auto is_dash = [&](std::size_t i) { return at(i) == '-' && at(i + 1) != '-' && at(i + 1) != '>'; };
    if (!is_dash(end) && is_name_or_numeral(bytes_.substr(start, end - start))) return;
    while (is_word(at(end)) || is_dash(end)) ++end;
    const std::string text = shown(bytes_.substr(start, end - start));
    fail("a name or a number such as -12 or 3.4 (anything else in quotes)", text);
  }

  // [A-Za-z_][A-Za-z_0-9]* or -?([.][0-9]+|[0-9]+([.][0-9]*)?), of a text of word characters after the '-'.
  static bool is_name_or_numeral(std::string_view text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    if (text.empty()) return false;
    const auto dots = std::count(text.begin(), text.end(), '.');
    if (!is_digit(text[0]) && text[0] != '.') return !negative && dots == 0;
    const auto digits = std::count_if(text.begin(), text.end(), is_digit);
    return digits > 0 && dots <= 1 && static_cast<std::size_t>(digits + dots) == text.size();
  }

  static std::string lower(std::string_view text) {
    std::string result(text.substr(0, 16));
    for (char& c : result) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return result;
  }

  static std::string found(std::string_view token) {
    return token.empty() ? "the end of the file" : shown(token);
  }

  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw InputError(name_, line_, expected, found);
  }

  std::string_view bytes_;
  bool after_equals_ = false;
  const std::string& name_;
  std::size_t at_ = 0;
  StopPoll poll_;
  std::uint64_t line_ = 1;
  std::string text_;
  std::vector<Group> groups_;
  std::map<std::string, std::uint64_t> sizes_;  // nodes of the named subgraphs
  std::string subgraph_;                        // the name of the group that is about to open
  std::uint64_t left_ = 0;     // nodes to the left of an edge operator that waits for its right
  std::uint64_t operand_ = 0;  // nodes of the last name or group
  std::uint64_t words_ = 0;
  std::uint64_t edges_ = 0;
  bool strict_ = false;
  bool after_subgraph_ = false;
  bool named_ = false;  // the group that is about to open has a name
  Attribute attributes_ = Attribute::outside;
  bool closed_ = false;  // after the last '}'
};

struct Vertex {
  std::string id;
};
// A NUL, which no file here has: the attribute is not there.
constexpr std::string_view no_weight("\0", 1);

struct Arc {
  std::string weight{no_weight};
};

struct NamedEdge {
  Index from;
  Index to;
  std::string weight;
};

// In a strict graph a repeated edge is the first one again; a weight given later replaces the one before.
void merge_repeated(std::vector<NamedEdge>& edges, bool directed) {
  std::map<std::pair<Index, Index>, std::size_t> first;
  std::size_t kept = 0;
  for (NamedEdge& edge : edges) {
    auto ends = std::pair(edge.from, edge.to);
    if (!directed && ends.first > ends.second) std::swap(ends.first, ends.second);
    const auto [known, fresh] = first.emplace(ends, kept);
    if (fresh) {
      if (&edges[kept] != &edge) edges[kept] = std::move(edge);
      ++kept;
    } else if (edge.weight != no_weight) {
      edges[known->second].weight = std::move(edge.weight);
    }
  }
  edges.resize(kept);
}

// Boost numbers the edges of all files by one counter without a lock: of two that are parsed at a time some
// edges got the same number, and with it one another's weights.
std::mutex& one_parse() {
  static std::mutex lock;
  return lock;
}

struct ParsedDot {
  std::vector<std::string> vertices;
  std::vector<NamedEdge> edges;
  std::map<std::string, bool> numbers;  // of edges' attributes: whether all values of each are numbers
};

/// weight: the attribute that the edges' weights are taken from.
template <class Direction>
ParsedDot parse_dot(const std::string& text, const std::string& weight, const std::string& name) {
  using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, Direction, Vertex, Arc>;
  using EdgeKey = typename boost::graph_traits<BoostGraph>::edge_descriptor;
  BoostGraph parsed;
  ParsedDot result;
  boost::dynamic_properties properties(
      [&result](const std::string& attribute, const boost::any& key, const boost::any& value) {
        if (key.type() == typeid(EdgeKey)) {
          const auto* const word = boost::any_cast<std::string>(&value);
          bool& numbers = result.numbers.emplace(attribute, true).first->second;
          numbers = numbers && word != nullptr && is_number_literal(*word);
        }
        return boost::shared_ptr<boost::dynamic_property_map>();
      });
  properties.property("node_id", boost::get(&Vertex::id, parsed));
  properties.property(weight, boost::get(&Arc::weight, parsed));
  try {
    const std::lock_guard<std::mutex> alone(one_parse());
    boost::read_graphviz(text, parsed, properties, "node_id");
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&
               error) {  // bad_graphviz_syntax, graph_exception, and what the regular expressions throw
    throw InputError(name, 0, "a graph in DOT", quoted(error.what(), 120));
  }
  for (const auto vertex : boost::make_iterator_range(boost::vertices(parsed)))
    result.vertices.push_back(std::move(parsed[vertex].id));
  for (const auto edge : boost::make_iterator_range(boost::edges(parsed))) {
    result.edges.push_back({static_cast<Index>(boost::source(edge, parsed)),
                            static_cast<Index>(boost::target(edge, parsed)), std::move(parsed[edge].weight)});
    if (result.edges.back().weight != no_weight) result.numbers[weight] = true;
  }
  return result;
}

template <class Direction>
Graph read_dot_as(const std::string& text, bool strict, const std::string& name, const ReadOptions& options,
                  InputInfo& info) {
  const bool directed = std::is_same_v<Direction, boost::directedS>;
  const std::string plain = options.weight_column.empty() ? "weight" : options.weight_column;
  ParsedDot parsed = parse_dot<Direction>(text, plain, name);
  const std::string weight = choose_weight_attribute(parsed.numbers, name, options, info);
  if (!weight.empty() && weight != plain) parsed = parse_dot<Direction>(text, weight, name);
  GraphBuilder builder(name, directed ? GraphKind::directed : GraphKind::undirected, options, info);
  for (const std::string& vertex : parsed.vertices) builder.left(vertex);
  if (strict) merge_repeated(parsed.edges, directed);
  for (const NamedEdge& edge : parsed.edges) {
    if (edge.weight == no_weight) {
      builder.add(edge.from, edge.to, 0);
    } else {
      builder.add(edge.from, edge.to, 0, edge.weight);
    }
  }
  return builder.finish();
}

}  // namespace

Graph read_dot(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info) {
  if (bytes.size() > largest_dot) {
    throw InputError(name, 0, "at most 64 MiB of DOT (an edge list may be larger)", "more");
  }
  TokenScanner scanner(bytes, name);
  const bool directed = scanner.scan();
  const std::string text = scanner.take_text();
  return directed ? read_dot_as<boost::directedS>(text, scanner.strict(), name, options, info)
                  : read_dot_as<boost::undirectedS>(text, scanner.strict(), name, options, info);
}

}  // namespace countpm
