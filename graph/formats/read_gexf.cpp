// GEXF, which Gephi and networkx write, through Boost's parser of XML: <nodes> and <edges> of one <graph>.
//
// Boost tells no lines, so that a scan over the tags goes before it: the n-th element of one is that of the
// other. O(bytes) time; memory about 50 times the bytes. S. Heymann and others, GEXF 1.3 primer, 2022.
#include <fmt/format.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/formats/exchange_graph.hpp"
#include "graph/formats/reader.hpp"
#include "graph/formats/xml_tags.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

using XmlTree = boost::property_tree::ptree;

class GexfReader {
 public:
  GexfReader(const std::string& name, const ReadOptions& options, InputInfo& info)
      : name_(name), info_(info), result_(name, options, info) {}

  Graph read(std::string_view bytes) {
    scan(bytes);
    XmlTree document;
    try {
      std::istringstream in{std::string(bytes)};
      boost::property_tree::read_xml(in, document, boost::property_tree::xml_parser::no_comments);
    } catch (const boost::property_tree::xml_parser_error& error) {
      throw InputError(name_, error.line(), "XML", shown(error.message()));
    }
    number_lines(document);
    const XmlTree& graph = document.get_child("gexf").get_child("graph");
    default_direction_ = direction(graph, "defaultedgetype", EdgeDirection::undirected);
    result_.set_directed(default_direction_ != EdgeDirection::undirected);
    dynamic_ = attribute(graph, "mode") == "dynamic";
    read_columns_of_edges(graph);
    for (const auto& [tag, part] : graph) {
      if (tag == "nodes") add_nodes(part);
    }
    for (const auto& [tag, part] : graph) {
      if (tag == "edges") add_edges(part);
    }
    if (dynamic_)
      info_.warnings.push_back(fmt::format(
          "{}: a graph that changes with time, of which all edges were taken", quoted(name_, 400)));
    return result_.finish();
  }

 private:
  void scan(std::string_view bytes) {
    XmlTags tags(bytes, name_);
    int roots = 0;
    int graphs = 0;
    tags.for_each_element([&](const XmlTag& tag, const std::vector<std::string_view>& open) {
      lines_.push_back(tag.line);
      if (open.empty() && (tag.name != "gexf" || ++roots > 1))
        tags.fail("<gexf> as the one root", shown(tag.name));
      if (tag.name == "graph" && open.size() == 1 && ++graphs > 1)
        tags.fail("one graph a file", "a second <graph>");
      if (open.empty() || open.back() != "node") return;
      if (tag.name == "nodes" || tag.name == "edges" || tag.name == "graph")
        tags.fail("a graph without graphs inside", fmt::format("<{}> in a <node>", tag.name));
    });
    if (graphs == 0) throw InputError(name_, 0, "a <graph> in <gexf>", "none");
  }

  static bool is_element(const std::string& tag) { return !tag.starts_with('<'); }

  void number_lines(const XmlTree& document) {
    std::size_t count = 0;
    number_lines(document, count);
    if (count != lines_.size())
      throw InputError(name_, 0, fmt::format("{} elements", lines_.size()), fmt::format("{}", count));
  }
  void number_lines(const XmlTree& tree, std::size_t& count) {
    for (const auto& [tag, part] : tree) {
      if (!is_element(tag)) continue;
      if (count < lines_.size()) line_of_.emplace(&part, lines_[count]);
      ++count;
      number_lines(part, count);
    }
  }

  std::uint64_t line_of(const XmlTree& element) const {
    const auto found = line_of_.find(&element);
    return found == line_of_.end() ? 0 : found->second;
  }

  static std::optional<std::string> attribute(const XmlTree& element, const char* key) {
    const auto attributes = element.find("<xmlattr>");
    if (attributes == element.not_found()) return std::nullopt;
    const auto value = attributes->second.find(key);
    if (value == attributes->second.not_found()) return std::nullopt;
    return value->second.data();
  }

  std::string required(const XmlTree& element, const char* tag, const char* key) const {
    if (std::optional<std::string> value = attribute(element, key)) return *std::move(value);
    throw InputError(name_, line_of(element), fmt::format("{}=\"...\" in <{}>", key, tag), "none");
  }

  EdgeDirection direction(const XmlTree& element, const char* key, EdgeDirection otherwise) const {
    const std::optional<std::string> value = attribute(element, key);
    if (!value) return otherwise;
    if (*value == "directed") return EdgeDirection::directed;
    if (*value == "undirected") return EdgeDirection::undirected;
    if (*value == "mutual") return EdgeDirection::mutual;
    throw InputError(name_, line_of(element), fmt::format("{} directed, undirected or mutual", key),
                     shown(*value));
  }

  // <attributes class="edge"> with <attribute id="0" title="capacity">, and perhaps a <default>.
  void read_columns_of_edges(const XmlTree& graph) {
    for (const auto& [tag, part] : graph) {
      if (tag != "attributes" || attribute(part, "class") != "edge") continue;
      for (const auto& [inner, column] : part) {
        if (inner != "attribute") continue;
        const std::string id = required(column, "attribute", "id");
        Column entry{attribute(column, "title").value_or(id), std::nullopt};
        const auto value = column.find("default");
        if (value != column.not_found()) entry.otherwise = value->second.data();
        if (!columns_.emplace(id, std::move(entry)).second)
          throw InputError(name_, line_of(column), "a new id of an attribute", shown(id));
      }
    }
  }

  void add_nodes(const XmlTree& nodes) {
    for (const auto& [tag, node] : nodes) {
      if (tag != "node") continue;
      poll_.step();
      result_.add_node(required(node, "node", "id"), line_of(node));
      if (const auto parent = attribute(node, "pid"); parent && parents_.insert(*parent).second)
        result_.note_group();
      result_.set_label(result_.node_count() - 1, attribute(node, "label").value_or(""), line_of(node));
    }
  }

  void add_edges(const XmlTree& edges) {
    for (const auto& [tag, edge] : edges) {
      if (tag != "edge") continue;
      poll_.step();
      const std::uint64_t line = line_of(edge);
      const Index from = result_.node_of(required(edge, "edge", "source"), line);
      const Index to = result_.node_of(required(edge, "edge", "target"), line);
      result_.add_edge(from, to, direction(edge, "type", default_direction_), line);
      if (const auto weight = attribute(edge, "weight")) result_.set_attribute("weight", *weight);
      dynamic_ = dynamic_ || attribute(edge, "start") || attribute(edge, "end") || edge.count("spells") > 0;
      add_values(edge);
    }
  }

  void add_values(const XmlTree& edge) {
    std::map<std::string, std::string> values;  // by the column's id
    for (const auto& [tag, part] : edge) {
      if (tag != "attvalues") continue;
      for (const auto& [inner, value] : part) {
        if (inner != "attvalue") continue;
        std::optional<std::string> id = attribute(value, "for");
        if (!id) id = required(value, "attvalue", "id");  // as of GEXF 1.0
        if (!columns_.contains(*id))
          throw InputError(name_, line_of(value), "an attribute of edges that is declared", shown(*id));
        if (!values.emplace(*id, required(value, "attvalue", "value")).second && !dynamic_)
          throw InputError(name_, line_of(value), "one value of an attribute in an edge",
                           "a second one of " + shown(*id));
      }
    }
    for (const auto& [id, column] : columns_) {
      if (column.title == "networkx_key") continue;  // which of parallel edges it is
      const auto found = values.find(id);
      if (found != values.end()) {
        result_.set_attribute(column.title, found->second);
      } else if (column.otherwise) {
        result_.set_attribute(column.title, *column.otherwise);
      }
    }
  }

  struct Column {
    std::string title;
    std::optional<std::string> otherwise;  // where an edge has no value
  };

  const std::string& name_;
  InputInfo& info_;
  ExchangeGraph result_;
  std::vector<std::uint64_t> lines_;  // of all elements as they open
  std::map<const XmlTree*, std::uint64_t> line_of_;
  std::map<std::string, Column> columns_;
  EdgeDirection default_direction_ = EdgeDirection::undirected;
  std::set<std::string> parents_;  // nodes that others are within
  bool dynamic_ = false;
  StopPoll poll_;
};

}  // namespace

Graph read_gexf(std::string_view bytes, const std::string& name, const ReadOptions& options,
                InputInfo& info) {
  require_exchange_size(bytes, name);
  return GexfReader(name, options, info).read(bytes);
}

}  // namespace countpm
