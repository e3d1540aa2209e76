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
#include <map>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/formats/exchange_graph.hpp"
#include "graph/formats/reader.hpp"
#include "graph/formats/xml_tags.hpp"
#include "graph/graph_builder.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

// What the scan over the tags finds.
struct Outline {
  bool directed = false;
  std::vector<std::string> node_id;
  std::vector<std::uint64_t> node_line;
  std::vector<XmlTag> edge;
};

class TagScanner {
 public:
  TagScanner(std::string_view bytes, const std::string& name) : tags_(bytes, name), name_(name) {}

  Outline scan() {
    Outline outline;
    tags_.for_each_element(
        [&](const XmlTag& tag, const std::vector<std::string_view>& open) { visit(tag, open, outline); });
    if (graphs_ == 0) fail("a <graph> in <graphml>", "none");
    check_keys();
    return outline;
  }

  std::string required(const XmlTag& tag, std::string_view attribute) const {
    return tags_.required(tag, attribute);
  }

  /// The names of those that some edge has, and whether they are declared to be numbers.
  std::map<std::string, bool> edge_attributes() const {
    std::map<std::string, bool> numbers;
    for (const auto& [use, line] : first_data_) {
      const auto key = edge_key_.find(use.first);
      if (use.second && key != edge_key_.end()) numbers.insert(key->second);
    }
    if (weight_keys_ > 0) numbers.emplace("weight", true);  // its default may be all there is
    return numbers;
  }

 private:
  void visit(const XmlTag& tag, const std::vector<std::string_view>& open, Outline& outline) {
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
  void visit_key(const XmlTag& tag) {
    const std::string id = required(tag, "id");
    const std::string domain = tags_.optional(tag, "for").value_or("all");
    const bool for_edges = domain == "edge" || domain == "all";
    if (!key_for_edges_.emplace(id, for_edges).second)
      throw InputError(name_, tag.line, "a new key id", shown(id));
    if (for_edges) {
      const std::string type = tags_.optional(tag, "attr.type").value_or("");
      const bool number = type == "int" || type == "long" || type == "float" || type == "double";
      edge_key_.emplace(id, std::pair(tags_.optional(tag, "attr.name").value_or(id), number));
    }
    if (for_edges && tags_.optional(tag, "attr.name") == "weight" && ++weight_keys_ > 1)
      throw InputError(name_, tag.line, "one weight key for edges", "a second one, " + shown(id));
  }

  void visit_data(const XmlTag& tag, std::string_view parent) {
    const std::string key = required(tag, "key");
    const bool in_edge = parent == "edge";
    first_data_.emplace(std::pair(key, in_edge), tag.line);
    if (!in_edge) return;
    if (std::find(edge_keys_.begin(), edge_keys_.end(), key) != edge_keys_.end())
      throw InputError(name_, tag.line, "one <data> of a key in an edge", "a second one of " + shown(key));
    edge_keys_.push_back(key);
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

  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    tags_.fail(expected, found);
  }

  XmlTags tags_;
  const std::string& name_;
  int graphs_ = 0;
  int roots_ = 0;
  int weight_keys_ = 0;                                               // keys for edges with the name "weight"
  std::map<std::string, bool> key_for_edges_;                         // of every key id
  std::map<std::string, std::pair<std::string, bool>> edge_key_;      // name, and whether a number
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
        weight_name_(choose_weight_attribute(scanner.edge_attributes(), name, options, info)),
        builder_(name, outline.directed ? GraphKind::directed : GraphKind::undirected, options, info) {
    if (weight_name_.empty()) weight_name_ = "weight";
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
    if (key == weight_name_) weight_ = value;
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
  std::string weight_name_;
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
