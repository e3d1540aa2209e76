#include "graph/kinds/repeat_lines.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t most_repeated_entries = 50'000'000;

/// One side of the matrix, written out: copies first[v] .. first[v + 1] - 1 are of line v.
struct RepeatedSide {
  std::vector<std::uint64_t> first{0};
  LabelTable labels;

  std::uint64_t size() const { return first.back(); }
  std::uint64_t copies(Index line) const { return first[line + std::size_t{1}] - first[line]; }
};

RepeatedSide repeated_side(const LabelTable& labels, const std::optional<std::vector<Index>>& copies,
                           const char* name, const char* what, const std::string& input) {
  if (copies && copies->size() != labels.size()) {
    throw UsageError(fmt::format("{}: {} has {} numbers, and the matrix has {} {}", quoted(input, 200), name,
                                 copies->size(), labels.size(), what));
  }
  RepeatedSide side;
  for (Index v = 0; v < labels.size(); ++v) side.first.push_back(side.size() + (copies ? (*copies)[v] : 1));
  return side;
}

void write_labels(const LabelTable& labels, RepeatedSide& side) {
  for (Index v = 0; v < labels.size(); ++v) {
    const std::string label = labels.label(v);
    for (std::uint64_t copy = side.copies(v); copy > 0; --copy) side.labels.append(label);
  }
}

}  // namespace

void repeat_lines(Graph& graph, const std::optional<std::vector<Index>>& rows,
                  const std::optional<std::vector<Index>>& columns, const std::string& input,
                  bool may_differ) {
  if (graph.kind == GraphKind::undirected) {
    throw UsageError(
        fmt::format("{}: rows and columns are repeated of a matrix, and this is an undirected graph (--kind "
                    "bipartite takes "
                    "a file as a matrix)",
                    quoted(input, 200)));
  }
  const LabelTable& column_labels =
      graph.kind == GraphKind::bipartite ? graph.right_labels : graph.left_labels;
  RepeatedSide left = repeated_side(graph.left_labels, rows, "rows", "rows", input);
  RepeatedSide right = repeated_side(column_labels, columns, "cols", "columns", input);
  if (left.size() != right.size() && !may_differ) {
    throw UsageError(fmt::format(
        "{}: the rows add up to {} and the columns to {}; a permanent has as many of the one as of the other",
        quoted(input, 200), left.size(), right.size()));
  }
  std::uint64_t entries = left.size() + right.size();
  for (const Edge& edge : graph.edges) {
    const std::uint64_t more = left.copies(edge.from) * right.copies(edge.to);  // below 2^64
    entries = more > most_repeated_entries ? more : entries + more;
    if (entries > most_repeated_entries) {
      throw UnableError(
          fmt::format("the matrix with its lines repeated has more than {} entries", most_repeated_entries),
          "repeat fewer lines");
    }
  }
  write_labels(graph.left_labels, left);
  write_labels(column_labels, right);

  std::vector<Edge> edges;
  std::vector<std::size_t> origin;
  StopPoll poll;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const Edge edge = graph.edges[e];
    for (std::uint64_t i = left.first[edge.from]; i < left.first[edge.from + std::size_t{1}]; ++i) {
      poll.steps(right.copies(edge.to));
      for (std::uint64_t j = right.first[edge.to]; j < right.first[edge.to + std::size_t{1}]; ++j) {
        edges.push_back({static_cast<Index>(i), static_cast<Index>(j)});
        origin.push_back(e);
      }
    }
  }
  std::visit(
      [&](auto& values) {
        using List = std::decay_t<decltype(values)>;
        if constexpr (!std::is_same_v<List, std::monostate>) {
          List repeated;
          repeated.reserve(origin.size());
          for (const std::size_t e : origin) repeated.push_back(values[e]);
          values = std::move(repeated);
        }
      },
      graph.values);
  graph.kind = GraphKind::bipartite;
  graph.edges = std::move(edges);
  graph.left_labels = std::move(left.labels);
  graph.right_labels = std::move(right.labels);
  graph.positions.clear();
}

}  // namespace countpm
