// GML as networkx, igraph and Gephi write it: graph [ node [ id 1 label "a" ] edge [ source 1 target 2 ] ].
// Labels are those of nodes, or igraph's names. O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/errors.hpp"
#include "graph/formats/exchange_graph.hpp"
#include "graph/formats/reader.hpp"
#include "graph/formats/text_tree.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

class GmlReader {
 public:
  GmlReader(const std::string& name, const ReadOptions& options, InputInfo& info)
      : name_(name), result_(name, options, info) {}

  Graph read(std::string_view bytes) {
    const TextTree root = parse_gml(bytes, name_);
    const TextTree* const graph = root.part("graph", name_);
    if (graph == nullptr || graph->kind != TextTree::Kind::record)
      throw InputError(name_, graph == nullptr ? 0 : graph->line, "a graph [ ... ]",
                       graph == nullptr ? "none" : graph->kind_text());
    const bool directed = flag(*graph, "directed");
    result_.set_directed(directed);
    if (flag(*graph, "multigraph")) result_.set_multigraph();
    for (const TextTree& part : graph->parts) {
      if (part.name == "node") add_node(part);
    }
    for (const TextTree& part : graph->parts) {
      if (part.name == "edge") add_edge(part, directed ? EdgeDirection::directed : EdgeDirection::undirected);
      if (part.name == "graph")
        throw InputError(name_, part.line, "a graph without graphs inside", "a nested graph");
    }
    return result_.finish();
  }

 private:
  bool flag(const TextTree& graph, std::string_view key) const {
    const TextTree* const value = graph.part(key, name_);
    if (value == nullptr) return false;
    if (value->text != "0" && value->text != "1")
      throw InputError(name_, value->line, fmt::format("{} 0 or {} 1", key, key), value->kind_text());
    return value->text == "1";
  }

  void require_record(const TextTree& part) const {
    if (part.kind == TextTree::Kind::record) return;
    throw InputError(name_, part.line, fmt::format("{} [ ... ]", part.name), part.kind_text());
  }

  // Ids are whole numbers, and those that are texts are taken as they are.
  std::string id_in(const TextTree& part, std::string_view key) const {
    const TextTree* const value = part.part(key, name_);
    if (value == nullptr)
      throw InputError(name_, part.line, fmt::format("{} in a {}", shown(key), part.name), "none");
    if (value->kind == TextTree::Kind::text) return value->text;
    std::string_view digits = value->text;
    const bool negative = digits.starts_with('-');
    if (negative || digits.starts_with('+')) digits.remove_prefix(1);
    if (value->kind != TextTree::Kind::number || digits.empty() ||
        digits.find_first_not_of("0123456789") != std::string_view::npos)
      throw InputError(name_, value->line, fmt::format("a whole number as {}", shown(key)),
                       value->kind_text());
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
    return (negative && digits != "0" ? "-" : "") + std::string(digits);
  }

  void add_node(const TextTree& node) {
    require_record(node);
    result_.add_node(id_in(node, "id"), node.line);
    if (node.part("graph", name_) != nullptr)
      throw InputError(name_, node.line, "a graph without graphs inside", "a nested graph");
    const TextTree* const group = node.part("isGroup", name_);  // as yEd has them
    if (group != nullptr && group->text == "1") result_.note_group();
    const TextTree* label = node.part("label", name_);
    if (label == nullptr) label = node.part("name", name_);
    if (label == nullptr || !label->is_scalar()) return;
    result_.set_label(result_.node_count() - 1, label->text, label->line);
  }

  void add_edge(const TextTree& edge, EdgeDirection direction) {
    require_record(edge);
    const Index from = result_.node_of(id_in(edge, "source"), edge.line);
    const Index to = result_.node_of(id_in(edge, "target"), edge.line);
    result_.add_edge(from, to, direction, edge.line);
    constexpr std::array<std::string_view, 5> others = {"source", "target", "id", "key", "label"};
    for (const TextTree& part : edge.parts) {
      if (!part.is_scalar() || std::find(others.begin(), others.end(), part.name) != others.end()) continue;
      result_.set_attribute(part.name, part.text);
    }
  }

  const std::string& name_;
  ExchangeGraph result_;
};

}  // namespace

Graph read_gml(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info) {
  require_exchange_size(bytes, name);
  return GmlReader(name, options, info).read(bytes);
}

}  // namespace countpm
