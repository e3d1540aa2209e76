// GraphML through Boost.Graph's read_graphml, with what it leaves open added around it.
//
// Boost parses the XML (RapidXML, by recursion on the depth of elements) and the keys; it does not tell a
// vertex's id, makes vertices for ids that no <node> declares, passes over nested graphs, hyperedges and
// second graphs, and stops at a NUL. So one scan over the tags comes first: it bounds the depth, refuses
// those, and takes the ids of the nodes and the lines of nodes and edges, in the order in which Boost will
// add them. O(bytes) time; memory about 50 times the bytes. U. Brandes, M. Eiglsperger, J. Lerner, C. Pich,
// Graph Markup Language (GraphML), 2013.
#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/graphml.hpp>
#include <boost/property_tree/exceptions.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <cctype>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/graph_builder.hpp"
#include "graph/reader.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr std::size_t most_elements_deep = 32;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

struct Tag {
  std::string_view name;
  std::string_view attributes;  // between the name and the closing > or />
  bool closes = false;          // </name>
  bool empty = false;           // <name ... />
  std::uint64_t line = 0;
};

// What the scan over the tags finds.
struct Outline {
  bool directed = false;
  std::vector<std::string> node_id;
  std::vector<std::uint64_t> node_line;
  std::vector<Tag> edge;
};

class TagScanner {
 public:
  TagScanner(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Outline scan() {
    check_characters();
    Outline outline;
    std::vector<std::string_view> open;
    while (const std::optional<Tag> tag = next_tag()) {
      if (tag->closes) {
        if (open.empty() || open.back() != tag->name) {
          fail(open.empty() ? "no more closing tags" : fmt::format("</{}>", quoted(std::string(open.back()))),
               fmt::format("</{}>", quoted(std::string(tag->name))));
        }
        open.pop_back();
        continue;
      }
      visit(*tag, open, outline);
      if (tag->empty) continue;
      if (open.size() == most_elements_deep)
        fail(fmt::format("elements at most {} deep", most_elements_deep), "deeper ones");
      open.push_back(tag->name);
    }
    if (!open.empty()) fail(fmt::format("</{}>", quoted(std::string(open.back()))), "the end of the file");
    if (graphs_ == 0) fail("a <graph> in <graphml>", "none");
    check_keys();
    return outline;
  }

  /// The value of an attribute that must be there.
  std::string required(const Tag& tag, std::string_view attribute) const {
    std::optional<std::string> value = optional(tag, attribute);
    if (value) return *std::move(value);
    throw InputError(name_, tag.line, fmt::format("{}=\"...\" in <{}>", attribute, tag.name), "none");
  }

 private:
  void visit(const Tag& tag, const std::vector<std::string_view>& open, Outline& outline) {
    const std::string_view parent = open.empty() ? std::string_view() : open.back();
    if (open.empty() && (tag.name != "graphml" || ++roots_ > 1))
      fail("<graphml> as the one root", shown(tag.name));
    if (tag.name == "hyperedge") fail("edges between two nodes", "a <hyperedge>");
    if (tag.name == "graph") {
      if (parent != "graphml" || open.size() != 1) fail("a graph without graphs inside", "a nested <graph>");
      if (++graphs_ > 1) fail("one graph a file", "a second <graph>");
      const std::string direction = required(tag, "edgedefault");
      if (direction != "directed" && direction != "undirected") {
        fail("edgedefault=\"directed\" or \"undirected\"", shown(direction));
      }
      outline.directed = direction == "directed";
    }
    if (tag.name == "key" && open.size() == 1) visit_key(tag);
    if (tag.name == "data" &&
        (parent == "edge" || parent == "node" || parent == "graph" || parent == "graphml"))
      visit_data(tag, parent);
    if (parent != "graph") return;
    if (tag.name == "node") {
      outline.node_id.push_back(required(tag, "id"));
      outline.node_line.push_back(tag.line);
    } else if (tag.name == "edge") {
      required(tag, "source");
      required(tag, "target");
      outline.edge.push_back(tag);
      edge_keys_.clear();
    }
  }

  // Of two keys of the name "weight" for edges it would be open which one counts.
  void visit_key(const Tag& tag) {
    const std::string id = required(tag, "id");
    const std::string domain = optional(tag, "for").value_or("all");
    const bool for_edges = domain == "edge" || domain == "all";
    if (!key_for_edges_.emplace(id, for_edges).second)
      throw InputError(name_, tag.line, "a new key id", shown(id));
    if (for_edges && optional(tag, "attr.name") == "weight" && ++weight_keys_ > 1)
      throw InputError(name_, tag.line, "one weight key for edges", "a second one, " + shown(id));
  }

  void visit_data(const Tag& tag, std::string_view parent) {
    const std::string key = required(tag, "key");
    const bool in_edge = parent == "edge";
    first_data_.emplace(std::pair(key, in_edge), tag.line);
    if (!in_edge) return;
    if (std::find(edge_keys_.begin(), edge_keys_.end(), key) != edge_keys_.end())
      throw InputError(name_, tag.line, "one <data> of a key in an edge", "a second one of " + shown(key));
    edge_keys_.push_back(key);
  }

  // What XML 1.0 allows (2.2): no control characters but tab and line ends, no U+FFFE or U+FFFF.
  void check_characters() {
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      const auto byte = static_cast<unsigned char>(bytes_[i]);
      const bool no_character =
          byte == 0xef && (bytes_.substr(i, 3) == "\xef\xbf\xbe" || bytes_.substr(i, 3) == "\xef\xbf\xbf");
      if (!no_character && (byte >= 0x20 || is_space(bytes_[i]))) continue;
      advance(i);
      if (byte == 0) fail("XML text", "a NUL byte");
      fail("characters that XML allows",
           no_character ? "U+FFFE or U+FFFF" : fmt::format("the byte 0x{:02x}", byte));
    }
  }

  // Numeric references in text and attributes that nothing here looks at.
  void check_references(std::string_view text) const {
    for (std::size_t at = text.find("&#"); at != std::string_view::npos; at = text.find("&#", at + 2)) {
      const std::size_t end = std::min(text.find(';', at), text.size());
      std::string character;
      const std::string entity(text.substr(at + 1, std::min<std::size_t>(end - at - 1, 16)));
      if (!append_reference(entity, character))
        fail("a reference to a character that XML allows", shown("&" + entity + ";"));
    }
  }

  // At the end, since Boost takes keys that come after the graph, too.
  void check_keys() const {
    for (const auto& [use, line] : first_data_) {
      const auto key = key_for_edges_.find(use.first);
      if (key == key_for_edges_.end())
        throw InputError(name_, line, "a key that a <key> declares", shown(use.first));
      if (use.second && !key->second) throw InputError(name_, line, "a key for edges", shown(use.first));
    }
  }

  // The next opening, closing or empty tag; comments, CDATA, processing instructions and the DOCTYPE are
  // passed over.
  std::optional<Tag> next_tag() {
    for (;;) {
      poll_.step();
      const std::size_t start = bytes_.find('<', at_);
      if (start == std::string_view::npos) return std::nullopt;
      check_references(bytes_.substr(at_, start - at_));
      advance(start);
      const std::string_view rest = bytes_.substr(start);
      if (rest.starts_with("<!--")) {
        advance_past("-->", 4);
      } else if (rest.starts_with("<![CDATA[")) {
        advance_past("]]>", 9);
      } else if (rest.starts_with("<?")) {
        advance_past("?>", 2);
      } else if (rest.starts_with("<!")) {
        const std::size_t end = rest.find('>');
        // A DOCTYPE with declarations of its own, of entities for example.
        if (rest.substr(0, end).find('[') != std::string_view::npos)
          fail("a DOCTYPE without declarations", "'['");
        advance_past(">", 2);
      } else {
        return read_tag();
      }
    }
  }

  Tag read_tag() {
    Tag tag;
    tag.line = line_;
    std::size_t at = at_ + 1;
    if (at < bytes_.size() && bytes_[at] == '/') {
      tag.closes = true;
      ++at;
    }
    const std::size_t name_start = at;
    while (at < bytes_.size() && !is_space(bytes_[at]) && bytes_[at] != '>' && bytes_[at] != '/' &&
           bytes_[at] != '<')
      ++at;
    tag.name = bytes_.substr(name_start, at - name_start);
    if (tag.name.empty()) fail("the name of an element after '<'", "none");
    const std::size_t attributes_start = at;
    char quote = 0;
    for (; at < bytes_.size(); ++at) {
      const char c = bytes_[at];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '>' || c == '<') {
        break;
      }
    }
    if (at == bytes_.size() || bytes_[at] != '>') {
      fail(fmt::format("the end of the tag <{}", quoted(std::string(tag.name))),
           at == bytes_.size() ? "the end of the file" : "'<'");
    }
    tag.attributes = bytes_.substr(attributes_start, at - attributes_start);
    if (tag.attributes.ends_with('/')) {
      tag.empty = true;
      tag.attributes.remove_suffix(1);
      if (tag.closes) fail("a closing tag", "'/>'");
    }
    check_references(tag.attributes);
    advance(at + 1);
    return tag;
  }

  std::optional<std::string> optional(const Tag& tag, std::string_view attribute) const {
    std::string_view rest = tag.attributes;
    for (;;) {
      while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
      const std::size_t equal = rest.find('=');
      if (equal == std::string_view::npos) break;
      std::string_view key = rest.substr(0, equal);
      while (!key.empty() && is_space(key.back())) key.remove_suffix(1);
      rest.remove_prefix(equal + 1);
      while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
      if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) break;
      const std::size_t end = rest.find(rest.front(), 1);
      if (end == std::string_view::npos) break;
      const std::string_view value = rest.substr(1, end - 1);
      rest.remove_prefix(end + 1);
      if (key == attribute) return decoded(value, tag.line);
    }
    return std::nullopt;
  }

  // &lt; &gt; &amp; &quot; &apos; and the numeric references; as in every attribute of XML (3.3.3) a tab or a
  // line end that is no reference is a blank.
  std::string decoded(std::string_view text, std::uint64_t line) const {
    std::string result;
    while (!text.empty()) {
      const std::size_t ampersand = std::min(text.find('&'), text.size());
      for (const char c : text.substr(0, ampersand)) result += is_space(c) ? ' ' : c;
      text.remove_prefix(ampersand);
      if (text.empty()) break;
      const std::size_t end = std::min(text.find(';'), text.size());
      const std::string entity(text.substr(1, end - 1));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (entity == "lt")
        result += '<';
      else if (entity == "gt")
        result += '>';
      else if (entity == "amp")
        result += '&';
      else if (entity == "quot")
        result += '"';
      else if (entity == "apos")
        result += '\'';
      else if (!append_reference(entity, result)) {
        throw InputError(name_, line, "&lt; &gt; &amp; &quot; &apos; or a numeric reference",
                         shown("&" + entity + ";"));
      }
    }
    return result;
  }

  static bool append_reference(const std::string& entity, std::string& result) {
    if (entity.size() < 2 || entity.size() > 9 || entity[0] != '#') return false;
    const bool hexadecimal = entity[1] == 'x';
    const char* const start = entity.c_str() + (hexadecimal ? 2 : 1);
    char* end = nullptr;
    const unsigned long code = std::strtoul(start, &end, hexadecimal ? 16 : 10);
    if (*start == '\0' || *end != '\0' || !std::isalnum(static_cast<unsigned char>(*start))) return false;
    // The characters of XML 1.0.
    if (code < 0x20 && code != 0x9 && code != 0xa && code != 0xd) return false;
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || code == 0xfffe || code == 0xffff)
      return false;
    const auto put = [&](unsigned long byte) { result += static_cast<char>(byte); };
    if (code < 0x80) {
      put(code);
    } else if (code < 0x800) {
      put(0xc0 | code >> 6);
      put(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
      put(0xe0 | code >> 12);
      put(0x80 | (code >> 6 & 0x3f));
      put(0x80 | (code & 0x3f));
    } else {
      put(0xf0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3f));
      put(0x80 | (code >> 6 & 0x3f));
      put(0x80 | (code & 0x3f));
    }
    return true;
  }

  void advance(std::size_t to) {
    line_ += static_cast<std::uint64_t>(std::count(bytes_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                   bytes_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
  }
  void advance_past(std::string_view end, std::size_t from) {
    const std::size_t found = bytes_.find(end, at_ + from);
    if (found == std::string_view::npos) fail(shown(end), "the end of the file");
    advance(found + end.size());
  }

  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw InputError(name_, line_, expected, found);
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t at_ = 0;
  StopPoll poll_;
  std::uint64_t line_ = 1;
  int graphs_ = 0;
  int roots_ = 0;
  int weight_keys_ = 0;                                               // keys for edges with the name "weight"
  std::map<std::string, bool> key_for_edges_;                         // of every key id
  std::map<std::pair<std::string, bool>, std::uint64_t> first_data_;  // line by key and "in an edge"
  std::vector<std::string> edge_keys_;                                // of the edge that is open
};

// Takes what Boost finds and puts it into a GraphBuilder. A property comes after its edge, so that an edge
// waits for the next one before it goes in.
class GraphSink : public boost::mutate_graph {
 public:
  GraphSink(const TagScanner& scanner, const Outline& outline, const std::string& name,
            const ReadOptions& options, InputInfo& info)
      : scanner_(scanner),
        outline_(outline),
        name_(name),
        builder_(name, outline.directed ? GraphKind::directed : GraphKind::undirected, options, info) {
    for (std::size_t v = 0; v < outline.node_id.size(); ++v) {
      if (builder_.left(outline.node_id[v]) != v) {
        throw InputError(name, outline.node_line[v], "a new id", shown(outline.node_id[v]));
      }
    }
  }

  bool is_directed() const override { return outline_.directed; }

  boost::any do_add_vertex() override {
    if (vertices_ == outline_.node_id.size()) {
      throw InputError(name_, next_edge_line(), "ends that are nodes of the graph",
                       "an unknown node" + unknown_end());
    }
    return static_cast<Index>(vertices_++);
  }

  std::pair<boost::any, bool> do_add_edge(boost::any source, boost::any target) override {
    flush();
    from_ = boost::any_cast<Index>(source);
    to_ = boost::any_cast<Index>(target);
    line_ = next_edge_line();
    ++edges_;
    waiting_ = true;
    weight_.reset();
    return {boost::any(edges_ - 1), true};
  }

  void set_graph_property(const std::string&, const std::string&, const std::string&) override {}
  void set_vertex_property(const std::string&, boost::any, const std::string&, const std::string&) override {}
  void set_edge_property(const std::string& key, boost::any /*edge*/, const std::string& value,
                         const std::string&) override {
    if (key == "weight") weight_ = value;
  }

  Graph finish() {
    flush();
    if (vertices_ != outline_.node_id.size() || edges_ != outline_.edge.size()) {
      throw InputError(
          name_, 0,
          fmt::format("a graph of {} nodes and {} edges", outline_.node_id.size(), outline_.edge.size()),
          fmt::format("{} and {}", vertices_, edges_));
    }
    return builder_.finish();
  }

  /// The line of the edge that Boost is about to add, or of the last one.
  std::uint64_t next_edge_line() const {
    if (outline_.edge.empty()) return 0;
    return outline_.edge[std::min(edges_, outline_.edge.size() - 1)].line;
  }

 private:
  void flush() {
    if (!waiting_) return;
    waiting_ = false;
    if (weight_) {
      builder_.add(from_, to_, line_, *weight_);
    } else {
      builder_.add(from_, to_, line_);
    }
  }

  // " 'id'" of the end of the next edge that is no node.
  std::string unknown_end() const {
    if (edges_ >= outline_.edge.size()) return {};
    for (const char* const attribute : {"source", "target"}) {
      const std::string id = scanner_.required(outline_.edge[edges_], attribute);
      const auto& nodes = outline_.node_id;
      if (std::find(nodes.begin(), nodes.end(), id) == nodes.end()) return " " + shown(id);
    }
    return {};
  }

  const TagScanner& scanner_;
  const Outline& outline_;
  const std::string& name_;
  GraphBuilder builder_;
  std::size_t vertices_ = 0;
  std::size_t edges_ = 0;
  bool waiting_ = false;
  Index from_ = 0;
  Index to_ = 0;
  std::uint64_t line_ = 0;
  std::optional<std::string> weight_;
};

}  // namespace

Graph read_graphml(std::string_view bytes, const std::string& name, const ReadOptions& options,
                   InputInfo& info) {
  if (bytes.size() > largest_graphml) {
    throw InputError(name, 0, "at most 256 MiB of GraphML (an edge list may be larger)", "more");
  }
  TagScanner scanner(bytes, name);
  const Outline outline = scanner.scan();
  GraphSink sink(scanner, outline, name, options, info);
  try {
    std::istringstream in{std::string(bytes)};
    boost::read_graphml(in, sink, 0);
  } catch (const boost::property_tree::xml_parser_error& error) {
    throw InputError(name, error.line(), "XML", shown(error.message()));
  } catch (const boost::directed_graph_error&) {
    throw InputError(name, sink.next_edge_line(), "edges as edgedefault=\"undirected\" says",
                     "a directed one");
  } catch (const boost::undirected_graph_error&) {
    throw InputError(name, sink.next_edge_line(), "edges as edgedefault=\"directed\" says",
                     "an undirected one");
  } catch (const boost::property_tree::ptree_error& error) {
    throw InputError(name, 0, "GraphML", shown(error.what()));
  } catch (const boost::graph_exception& error) {
    throw InputError(name, 0, "GraphML", shown(error.what()));
  }
  return sink.finish();
}

}  // namespace countpm
