#include "tests/fuzz/check_reading.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/formats/graph_entries.hpp"

namespace countpm::fuzz {
namespace {

// An exception that no reader throws: a find for libFuzzer, a failure for GoogleTest.
void require(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(std::string("broken promise: ") + promise);
}

std::size_t size_of(const Values& values) {
  return std::visit(
      [](const auto& list) -> std::size_t {
        if constexpr (requires { list.size(); }) return list.size();
        return 0;
      },
      values);
}

bool has_zero(const Values& values) {
  if (const auto* integers = std::get_if<1>(&values))
    return std::count(integers->begin(), integers->end(), 0) > 0;
  if (const auto* rationals = std::get_if<2>(&values))
    return std::count(rationals->begin(), rationals->end(), 0) > 0;
  if (const auto* complex = std::get_if<3>(&values))
    return std::count(complex->begin(), complex->end(), ComplexRational{}) > 0;
  return false;
}

void check_labels(const LabelTable& labels) {
  if (labels.size() > 10000) return;
  std::vector<std::string> all;
  for (Index v = 0; v < labels.size(); ++v) all.push_back(labels.label(v));
  std::sort(all.begin(), all.end());
  require(std::adjacent_find(all.begin(), all.end()) == all.end(), "labels are distinct");
}

void read_once(const Source& source, const ReadOptions& options) {
  std::string message;
  try {
    const ReadResult result = read_graph(source, options);
    check_graph(result.graph);
    if (options.kind) require(result.graph.kind == *options.kind, "the kind is the one asked for");
    if (!options.weights && options.multi == MultiPolicy::reject) {
      require(result.graph.values.index() == 0 && result.graph.weight_kind == WeightKind::none,
              "values are ignored");
    }
    return;
  } catch (const InputError& error) {
    message = error.what();
  } catch (const UsageError& error) {
    message = error.what();
  }
  require(!message.empty() && message.find('\n') == std::string::npos, "a message is one line");
}

}  // namespace

void check_graph(const Graph& graph) {
  const Index left = graph.left_labels.size();
  const Index right = graph.kind == GraphKind::bipartite ? graph.right_labels.size() : left;
  std::vector<std::pair<Index, Index>> pairs;
  pairs.reserve(graph.edges.size());
  for (const Edge& edge : graph.edges) {
    require(edge.from < left && edge.to < right, "ids are in range");
    require(graph.kind != GraphKind::undirected || edge.from != edge.to || graph.covers,
            "no undirected loop");
    pairs.emplace_back(edge.from, edge.to);
    if (graph.kind == GraphKind::undirected && edge.from > edge.to) pairs.back() = {edge.to, edge.from};
  }
  std::sort(pairs.begin(), pairs.end());
  require(std::adjacent_find(pairs.begin(), pairs.end()) == pairs.end(), "edges are distinct");
  require(graph.values.index() == 0 || size_of(graph.values) == graph.edges.size(),
          "values run beside the edges");
  require(!has_zero(graph.values), "no value is zero");
  require(graph.positions.empty() ||
              (graph.kind != GraphKind::bipartite && graph.positions.size() == graph.left_labels.size()),
          "a position for each vertex, or none");
  check_labels(graph.left_labels);
  check_labels(graph.right_labels);
}

void check_reading(std::optional<Format> format, const std::uint8_t* data, std::size_t size,
                   const std::string& name) {
  const Source source = Source::from_bytes(std::string(reinterpret_cast<const char*>(data), size), name);
  ReadOptions options;
  options.format = format;
  read_once(source, options);
  options.weights = true;
  options.kind = GraphKind::directed;
  read_once(source, options);
  options.multi = MultiPolicy::sum;
  options.loops = LoopPolicy::drop;
  options.kind = GraphKind::undirected;
  read_once(source, options);
  options.kind = GraphKind::bipartite;
  read_once(source, options);
}

void check_entries(Format format, const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    GraphEntries entries(Source::from_bytes(bytes, "fuzz"), format);
    while (const std::optional<GraphEntry> entry = entries.next()) {
      const std::string& own = entry->source.bytes;
      check_reading(format, reinterpret_cast<const std::uint8_t*>(own.data()), own.size(), "entry");
    }
  } catch (const InputError&) {
  }
}

}  // namespace countpm::fuzz
