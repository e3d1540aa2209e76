// Node-link JSON: {"nodes": [{"id": 1}, ...], "links": [{"source": 1, "target": 2}, ...]} of networkx and d3,
// "edges" for "links", "from" and "to" as vis.js has them, and Cytoscape's "elements" with "data". Nodes
// without ids are meant by their places, from 0. Labels are the ids. O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "graph/errors.hpp"
#include "graph/formats/exchange_graph.hpp"
#include "graph/formats/reader.hpp"
#include "graph/formats/text_tree.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

using JsonKind = TextTree::Kind;

class JsonReader {
 public:
  JsonReader(const std::string& name, const ReadOptions& options, InputInfo& info)
      : name_(name), info_(info), result_(name, options, info) {}

  Graph read(std::string_view bytes) {
    const TextTree root = parse_json(bytes, name_);
    if (root.kind != JsonKind::record)
      fail(root,
           "an object with nodes and links (--format dense reads rows of a matrix, --format edgelist pairs)",
           root.kind_text());
    direction_ = flag(root, "directed") ? EdgeDirection::directed : EdgeDirection::undirected;
    result_.set_directed(direction_ == EdgeDirection::directed);
    if (root.part("directed", name_) == nullptr)
      info_.assumptions.emplace_back("\"directed\" is not there: an undirected graph");
    if (flag(root, "multigraph")) result_.set_multigraph();
    if (is_adjacency(root)) return read_adjacency(root);
    const TextTree* const elements = root.part("elements", name_);
    in_data_ = elements != nullptr;
    const TextTree& graph = in_data_ ? *elements : root;
    const TextTree& edges = list(graph, "links", "edges");
    add_nodes(list(graph, "nodes", nullptr), edges);
    add_edges(edges);
    return result_.finish();
  }

 private:
  [[noreturn]] void fail(const TextTree& at, std::string expected, std::string found) const {
    throw InputError(name_, at.line, std::move(expected), std::move(found));
  }

  bool flag(const TextTree& root, std::string_view key) const {
    const TextTree* const value = root.part(key, name_);
    if (value == nullptr) return false;
    if (value->kind != JsonKind::boolean)
      fail(*value, fmt::format("{} true or false", shown(key)), value->kind_text());
    return value->text == "true";
  }

  // The list of that name, or of the other one.
  const TextTree& list(const TextTree& graph, const char* key, const char* other) const {
    const TextTree* found = graph.part(key, name_);
    const std::string expected = other == nullptr ? fmt::format("a list {}", shown(key))
                                                  : fmt::format("a list {} or {}", shown(key), shown(other));
    if (other != nullptr) {
      const TextTree* const second = graph.part(other, name_);
      if (found != nullptr && second != nullptr)
        fail(*second, expected, fmt::format("both, the first on line {}", found->line));
      if (found == nullptr) found = second;
    }
    if (found == nullptr) fail(graph, expected, names_in(graph));
    if (found->kind != JsonKind::list) fail(*found, expected, found->kind_text());
    return *found;
  }

  static std::string names_in(const TextTree& graph) {
    constexpr std::size_t most = 6;
    if (graph.kind != JsonKind::record) return graph.kind_text();
    if (graph.parts.empty()) return "an empty object";
    std::string names;
    for (std::size_t k = 0; k < std::min(most, graph.parts.size()); ++k)
      names += (k == 0 ? "" : ", ") + shown(graph.parts[k].name);
    return names + (graph.parts.size() > most ? ", ..." : "");
  }

  // {"a": ["b", "c"], "b": ["a"], ...}: vertices and their neighbours.
  static bool is_adjacency(const TextTree& root) {
    constexpr std::array<std::string_view, 4> others = {"nodes", "links", "edges", "elements"};
    return !root.parts.empty() &&
           std::all_of(root.parts.begin(), root.parts.end(), [&](const TextTree& part) {
             return std::find(others.begin(), others.end(), part.name) == others.end() &&
                    part.kind == JsonKind::list &&
                    std::all_of(part.parts.begin(), part.parts.end(), [](const TextTree& to) {
                      return to.kind == JsonKind::number || to.kind == JsonKind::text;
                    });
           });
  }

  Graph read_adjacency(const TextTree& root) {
    info_.assumptions.clear();
    info_.warnings.push_back(fmt::format("{}: an object of lists was taken for vertices and their neighbours",
                                         quoted(name_, 400)));
    std::set<std::string_view> known;
    const auto add = [&](const TextTree& at, const std::string& label) {
      if (known.insert(at.name.empty() ? std::string_view(at.text) : std::string_view(at.name)).second)
        result_.add_node(label, at.line);
    };
    for (const TextTree& from : root.parts) add(from, from.name);
    for (const TextTree& from : root.parts) {
      for (const TextTree& to : from.parts) add(to, to.text);
    }
    std::set<std::pair<std::string_view, std::string_view>> seen;
    for (const TextTree& from : root.parts) {
      for (const TextTree& to : from.parts) {
        const bool again = from.name != to.text && seen.contains({to.text, from.name});
        if (again) {
          ++info_.repeats_merged;  // from its other end
          continue;
        }
        seen.emplace(from.name, to.text);
        result_.add_edge(result_.node_of(from.name, from.line), result_.node_of(to.text, to.line), direction_,
                         to.line);
      }
    }
    return result_.finish();
  }

  // What the attributes of a node or an edge are in.
  const TextTree& attributes(const TextTree& element, const char* what) const {
    const TextTree* const inside =
        in_data_ && element.kind == JsonKind::record ? element.part("data", name_) : &element;
    if (inside == nullptr || inside->kind != JsonKind::record)
      fail(element, fmt::format("{} as an object{}", what, in_data_ ? " with \"data\"" : ""),
           inside == nullptr ? "none" : inside->kind_text());
    return *inside;
  }

  // A number or a text; a list of them, as networkx writes tuples.
  std::string id_text(const TextTree& value) const {
    if (value.is_scalar()) return value.text;
    if (value.kind != JsonKind::list || value.parts.empty())
      fail(value, "a number or a text as the id of a node", value.kind_text());
    std::string text;
    for (const TextTree& part : value.parts) {
      const bool is_text = part.kind == JsonKind::text;
      text += text.empty() ? "[" : ",";
      text += is_text ? fmt::format("\"{}\"", escaped(part.text)) : id_text(part);
    }
    return text + "]";
  }

  bool is_record(const TextTree& node) const { return in_data_ || node.kind == JsonKind::record; }

  // Nodes are "id" in any of them; without, those of edges whose ends are texts go by names, others by
  // places.
  const char* id_key(const TextTree& nodes, const TextTree& edges) const {
    const auto has_id = [&](const TextTree& node) {
      return !is_record(node) || attributes(node, "a node").part("id", name_) != nullptr;
    };
    if (std::any_of(nodes.parts.begin(), nodes.parts.end(), has_id)) return "id";
    const auto has_name = [&](const TextTree& edge) {
      return end_in(attributes(edge, "an edge"), "source", "from").kind == JsonKind::text;
    };
    return std::any_of(edges.parts.begin(), edges.parts.end(), has_name) ? "name" : nullptr;
  }

  void add_nodes(const TextTree& nodes, const TextTree& edges) {
    const char* const key = id_key(nodes, edges);
    if (key != nullptr) {
      for (const TextTree& node : nodes.parts) {
        const TextTree* const id = is_record(node) ? attributes(node, "a node").part(key, name_) : &node;
        if (id == nullptr) fail(node, fmt::format("{} in every node", shown(key)), names_in(node));
        result_.add_node(id_text(*id), node.line);
      }
      return;
    }
    by_place_ = true;
    result_.number_nodes(static_cast<Index>(nodes.parts.size()), 0);
    for (std::size_t k = 0; k < nodes.parts.size(); ++k) {
      const TextTree& node = attributes(nodes.parts[k], "a node");
      const TextTree* label = node.part("name", name_);
      if (label == nullptr) label = node.part("label", name_);
      if (label != nullptr && label->is_scalar())
        result_.set_label(static_cast<Index>(k), label->text, label->line);
    }
  }

  const TextTree& end_in(const TextTree& edge, const char* key, const char* other) const {
    const TextTree* end = edge.part(key, name_);
    if (end == nullptr) end = edge.part(other, name_);
    if (end == nullptr) fail(edge, fmt::format("{} in every edge", shown(key)), names_in(edge));
    return *end;
  }

  Index node_of(const TextTree& end) {
    if (!by_place_) return result_.node_of(id_text(end), end.line);
    const auto place = end.kind == JsonKind::number ? parse_number(end.text) : std::nullopt;
    if (!place || *place >= result_.node_count())
      fail(end, fmt::format("the place of a node, below {}, since nodes have no ids", result_.node_count()),
           end.kind_text());
    return static_cast<Index>(*place);
  }

  void add_edges(const TextTree& edges) {
    for (const TextTree& element : edges.parts) {
      const TextTree& edge = attributes(element, "an edge");
      const Index from = node_of(end_in(edge, "source", "from"));
      const Index to = node_of(end_in(edge, "target", "to"));
      result_.add_edge(from, to, direction_, element.line);
      constexpr std::array<std::string_view, 9> others = {"source", "target", "from",  "to",  "id",
                                                          "key",    "label",  "index", "SUID"};
      for (const TextTree& part : edge.parts) {
        if (std::find(others.begin(), others.end(), part.name) != others.end()) continue;
        if (part.is_scalar() || part.kind == JsonKind::null)
          result_.set_attribute(part.name, part.kind == JsonKind::null ? "null" : part.text);
      }
    }
  }

  const std::string& name_;
  InputInfo& info_;
  ExchangeGraph result_;
  EdgeDirection direction_ = EdgeDirection::undirected;
  bool in_data_ = false;   // Cytoscape's elements: attributes stand in "data"
  bool by_place_ = false;  // nodes have no ids
};

}  // namespace

Graph read_json(std::string_view bytes, const std::string& name, const ReadOptions& options,
                InputInfo& info) {
  require_exchange_size(bytes, name);
  return JsonReader(name, options, info).read(bytes);
}

}  // namespace countpm
