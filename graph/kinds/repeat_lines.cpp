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

void refuse_many_entries(const char* what) {
  throw UnableError(fmt::format("{} repeated has more than {} entries", what, most_repeated_entries),
                    "repeat fewer lines");
}

/// The values of the edges that edge origin[k] was made of.
void repeat_values(Values& all, const std::vector<std::size_t>& origin) {
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
      all);
}

/// How many edges the copies of this one are, at most 2^63 and some.
std::uint64_t copied_edges(const RepeatedSide& side, const Edge& edge, bool loops_stay) {
  const std::uint64_t copies = side.copies(edge.from);
  if (edge.from != edge.to) return copies * side.copies(edge.to);
  const std::uint64_t pairs = copies == 0 ? 0 : copies * (copies - 1) / 2;
  return pairs + (loops_stay ? copies : 0);
}

}  // namespace

void repeat_lines(Graph& graph, const std::optional<std::vector<Index>>& rows,
                  const std::optional<std::vector<Index>>& columns, const std::string& input,
                  bool may_differ) {
  if (graph.kind == GraphKind::undirected) {
    throw UsageError(fmt::format(
        "{}: rows and columns are repeated of a matrix, and this is an undirected graph (--copies "
        "repeats its vertices, --kind bipartite takes a file as a matrix)",
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
    if (entries > most_repeated_entries) refuse_many_entries("the matrix with its lines");
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
  repeat_values(graph.values, origin);
  graph.kind = GraphKind::bipartite;
  graph.edges = std::move(edges);
  graph.left_labels = std::move(left.labels);
  graph.right_labels = std::move(right.labels);
  graph.positions.clear();
}

void repeat_vertices(Graph& graph, const std::vector<Index>& copies, bool loops_stay,
                     const std::string& input) {
  if (copies.size() != graph.left_labels.size())
    throw UsageError(fmt::format("{}: copies has {} numbers, and the graph has {} vertices",
                                 quoted(input, 200), copies.size(), graph.left_labels.size()));
  RepeatedSide side = repeated_side(graph.left_labels, copies, "copies", "vertices", input);
  std::uint64_t entries = side.size();
  for (const Edge& edge : graph.edges) {
    const std::uint64_t more = copied_edges(side, edge, loops_stay);
    entries = more > most_repeated_entries ? more : entries + more;
    if (entries > most_repeated_entries) refuse_many_entries("the graph with its vertices");
  }
  if (entries > most_repeated_entries) refuse_many_entries("the graph with its vertices");
  write_labels(graph.left_labels, side);

  std::vector<Edge> edges;
  std::vector<std::size_t> origin;
  StopPoll poll;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const Edge edge = graph.edges[e];
    const bool loop = edge.from == edge.to;
    const std::uint64_t last = side.first[edge.to + std::size_t{1}];
    for (std::uint64_t i = side.first[edge.from]; i < side.first[edge.from + std::size_t{1}]; ++i) {
      const std::uint64_t first = !loop ? side.first[edge.to] : loops_stay ? i : i + 1;
      poll.steps(last - first);
      for (std::uint64_t j = first; j < last; ++j) {
        edges.push_back({static_cast<Index>(i), static_cast<Index>(j)});
        origin.push_back(e);
      }
    }
  }
  repeat_values(graph.values, origin);
  graph.edges = std::move(edges);
  graph.left_labels = std::move(side.labels);
  graph.positions.clear();
}

void repeat_rows_and_columns(Graph& graph, const std::optional<std::vector<Index>>& rows,
                             const std::optional<std::vector<Index>>& columns, bool loops_stay,
                             const std::string& input) {
  graph.rotations = nullptr;
  if (graph.kind == GraphKind::undirected && rows && rows == columns)
    return repeat_vertices(graph, *rows, loops_stay, input);
  repeat_lines(graph, rows, columns, input);
}

}  // namespace countpm
