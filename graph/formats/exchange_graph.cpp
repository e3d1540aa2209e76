#include "graph/formats/exchange_graph.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "graph/errors.hpp"
#include "graph/formats/word_table.hpp"
#include "graph/graph_builder.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr std::string_view weight_name = "weight";

void require_utf8(std::string_view text, const std::string& name, std::uint64_t line) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0)
      throw InputError(
          name, line, "UTF-8 text",
          fmt::format("the byte 0x{:02x}, which is not UTF-8", static_cast<unsigned char>(text[at])));
    at += length;
  }
}

}  // namespace

ExchangeGraph::ExchangeGraph(const std::string& name, const ReadOptions& options, InputInfo& info)
    : name_(name), options_(options), info_(info) {
  if (!options.end_columns.empty() || options.first_line != FirstLine::automatic)
    throw UsageError(fmt::format("{}: --ends and --first-line are about tables, and {} is none",
                                 quoted(name, 400), countpm::name_of(info.format)));
}

void ExchangeGraph::add_node(std::string_view id, std::uint64_t line) {
  require_utf8(id, name_, line);
  if (ids_.id_of(id) != node_count_) throw InputError(name_, line, "a new id", shown(id));
  ++node_count_;
}

void ExchangeGraph::number_nodes(Index count, std::uint64_t first) {
  numbered_ = true;
  numbered_count_ = count;
  first_number_ = first;
}

void ExchangeGraph::set_label(Index node, std::string label, std::uint64_t line) {
  require_utf8(label, name_, line);
  if (!label.empty()) labels_.emplace_back(node, std::move(label));
}

Index ExchangeGraph::node_of(std::string_view id, std::uint64_t line) {
  const Index place = ids_.id_of(id);
  if (place < node_count_) return place;
  throw InputError(name_, line, "ends that are nodes of the graph",
                   fmt::format("an unknown node {}", shown(id)));
}

void ExchangeGraph::add_edge(Index from, Index to, EdgeDirection direction, std::uint64_t line) {
  edges_.push_back({from, to, direction, line, values_.size()});
}

void ExchangeGraph::set_attribute(std::string_view attribute, std::string_view value) {
  const auto known = attribute_place_.find(attribute);
  const auto place =
      known != attribute_place_.end() ? known->second : static_cast<std::uint32_t>(attributes_.size());
  if (known == attribute_place_.end()) {
    attribute_place_.emplace(attribute, place);
    attributes_.push_back({true, attribute == weight_name || attribute == options_.weight_column, false});
  }
  Attribute& entry = attributes_[place];
  const bool number = is_number_literal(value);
  entry.numbers = entry.numbers && number;
  entry.not_one = entry.not_one || (value != "1" && value != "1.0");
  const AnyEdge& edge = edges_.back();
  for (std::size_t k = edge.first_value; k < values_.size(); ++k) {
    if (values_[k].attribute == place)
      throw InputError(name_, edge.line, fmt::format("one {} of an edge", shown(attribute)), "a second one");
  }
  // Of others only numbers may become weights.
  if (entry.kept || number) values_.push_back({place, std::string(value)});
}

void ExchangeGraph::warn(std::string text) const {
  info_.warnings.push_back(fmt::format("{}: {}", quoted(name_, 400), std::move(text)));
}

std::optional<std::uint32_t> ExchangeGraph::weight_attribute() const {
  std::map<std::string, bool> numbers;
  std::vector<std::string> unused;
  for (const auto& [attribute, place] : attribute_place_) {
    const Attribute& entry = attributes_[place];
    numbers.emplace(attribute, entry.numbers);
    if (entry.numbers && entry.not_one) unused.push_back(shown(attribute));
  }
  const std::string chosen = choose_weight_attribute(numbers, name_, options_, info_);
  if (!chosen.empty()) return attribute_place_.find(chosen)->second;
  if (!options_.weights && !unused.empty())
    warn(
        fmt::format("numbers of edges that are not used: {} (--weight-column NAME takes them for weights; "
                    "without, every edge counts 1)",
                    fmt::join(unused, ", ")));
  return std::nullopt;
}

bool ExchangeGraph::has_labels() {
  if (labels_.empty()) return false;
  std::vector<std::string_view> distinct;
  distinct.reserve(labels_.size());
  for (const auto& [node, label] : labels_) distinct.push_back(label);
  std::sort(distinct.begin(), distinct.end());
  const bool repeated = std::adjacent_find(distinct.begin(), distinct.end()) != distinct.end();
  if (!repeated && labels_.size() == node_count()) {
    std::sort(labels_.begin(), labels_.end());
    return true;
  }
  info_.assumptions.emplace_back(repeated ? "nodes are named by their ids: some of their labels are the same"
                                          : "nodes are named by their ids: not all have labels");
  return false;
}

std::string ExchangeGraph::label_of(Index node) const {
  if (use_labels_) return labels_[node].second;
  if (numbered_) return std::to_string(first_number_ + node);
  return ids_.table().label(node);
}

// Of edges beside arcs, an edge is an arc each way, where that is said: as an undirected graph they are one
// edge again.
void ExchangeGraph::settle_direction() {
  const auto is_edge = [](const AnyEdge& edge) { return edge.direction == EdgeDirection::undirected; };
  const auto edges = std::count_if(edges_.begin(), edges_.end(), is_edge);
  if (!edges_.empty()) directed_ = edges == 0;
  if (edges == 0 || static_cast<std::size_t>(edges) == edges_.size()) return;
  if (!options_.kind) {
    const bool first = is_edge(edges_.front());
    const auto other = std::find_if(edges_.begin(), edges_.end(),
                                    [&](const AnyEdge& edge) { return is_edge(edge) != first; });
    throw InputError(
        name_, other->line,
        "one reading: --kind undirected (arcs are edges), or --kind directed (an edge is an arc each way)",
        fmt::format("edges ({}) beside arcs ({})", edges, edges_.size() - static_cast<std::size_t>(edges)));
  }
  directed_ = true;
  for (AnyEdge& edge : edges_) {
    if (is_edge(edge)) edge.direction = EdgeDirection::mutual;
  }
}

GraphKind ExchangeGraph::kind() const {
  const bool one_set = options_.symmetric || options_.kind == GraphKind::undirected;
  if (left_side_ && one_set) return GraphKind::undirected;
  if (left_side_) return GraphKind::bipartite;
  return directed_ ? GraphKind::directed : GraphKind::undirected;
}

std::pair<Index, Index> ExchangeGraph::ends_between_sides(const AnyEdge& edge) const {
  const bool left = edge.from < *left_side_;
  if (left == (edge.to < *left_side_))
    throw InputError(
        name_, edge.line,
        fmt::format("an edge between the first {} nodes and the others (--kind undirected takes any)",
                    *left_side_),
        fmt::format("one between {} and {}", shown(label_of(edge.from)), shown(label_of(edge.to))));
  return left ? std::pair(edge.from, edge.to) : std::pair(edge.to, edge.from);
}

Graph ExchangeGraph::finish() {
  const std::optional<std::uint32_t> weight = weight_attribute();
  if (!left_side_) settle_direction();
  if (groups_ > 0) warn(fmt::format("nodes that stand for groups of nodes are vertices, too: {}", groups_));
  GraphBuilder builder(name_, kind(), options_, info_);
  const bool two_sides = kind() == GraphKind::bipartite;
  if (multigraph_) builder.keep_mirror_images();
  if (matrix_ && kind() == GraphKind::directed) builder.must_be_symmetric();
  use_labels_ = has_labels();
  if (numbered_ && !use_labels_ && !two_sides) {
    builder.number_vertices(numbered_count_, 0, first_number_);
  } else {
    StopPoll poll;
    for (Index node = 0; node < node_count(); ++node) {
      poll.step();
      const std::string label = label_of(node);
      if (two_sides && node >= *left_side_) {
        builder.right(label);
      } else {
        builder.left(label);
      }
    }
  }
  builder.reserve(edges_.size());
  for (std::size_t k = 0; k < edges_.size(); ++k) {
    const AnyEdge& edge = edges_[k];
    const std::size_t end = k + 1 < edges_.size() ? edges_[k + 1].first_value : values_.size();
    const std::string* value = nullptr;
    for (std::size_t v = edge.first_value; v < end; ++v) {
      if (weight == values_[v].attribute) value = &values_[v].text;
    }
    const auto add = [&](Index from, Index to) {
      if (value != nullptr) return builder.add(from, to, edge.line, *value);
      builder.add(from, to, edge.line);
    };
    if (two_sides) {
      const auto [left, right] = ends_between_sides(edge);
      add(left, right - *left_side_);
      continue;
    }
    add(edge.from, edge.to);
    if (edge.direction == EdgeDirection::mutual && edge.from != edge.to && !left_side_)
      add(edge.to, edge.from);
  }
  return builder.finish();
}

std::string choose_weight_attribute(const std::map<std::string, bool>& numbers, const std::string& name,
                                    const ReadOptions& options, InputInfo& info) {
  std::vector<std::string> all;
  std::vector<std::string> of_numbers;
  for (const auto& [attribute, are_numbers] : numbers) {
    all.push_back(shown(attribute));
    if (are_numbers) of_numbers.push_back(attribute);
  }
  const std::string list = fmt::format("{}", fmt::join(all, ", "));
  if (!options.weight_column.empty()) {
    if (numbers.contains(options.weight_column)) return options.weight_column;
    throw InputError(name, 0, fmt::format("edges with {} (--weight-column)", shown(options.weight_column)),
                     all.empty() ? "none with a value" : list);
  }
  if (numbers.contains(std::string(weight_name))) return std::string(weight_name);
  if (!options.weights || all.empty()) return "";
  if (of_numbers.size() > 1) {
    std::transform(of_numbers.begin(), of_numbers.end(), of_numbers.begin(),
                   [](const std::string& attribute) { return shown(attribute); });
    throw InputError(name, 0, "one attribute with the weights (--weight-column NAME chooses it)",
                     fmt::format("{} of numbers: {}", of_numbers.size(), fmt::join(of_numbers, ", ")));
  }
  info.warnings.push_back(fmt::format(
      "{}: {}", quoted(name, 400),
      of_numbers.empty() ? fmt::format("no edge has a weight, and each counts 1: edges have {} "
                                       "(--weight-column NAME takes one)",
                                       list)
                         : fmt::format("{} was taken for the weights", shown(of_numbers.front()))));
  return of_numbers.empty() ? "" : of_numbers.front();
}

}  // namespace countpm
