#include "matching/free_vertices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "matching/alternating_forest.hpp"
#include "matching/general_matching.hpp"
#include "matching/maximum_matching.hpp"

namespace countpm {
namespace {

// Some 16 bytes each, and the reductions look at all of them.
constexpr std::uint64_t most_added_entries = 20'000'000;

/// The adjacency matrix of a bipartite graph: the rows, then the columns.
SparsePattern both_sides(const SparsePattern& pattern) {
  SparsePattern graph;
  graph.rows = graph.columns = pattern.rows + pattern.columns;
  graph.row_start.reserve(graph.rows + std::uint64_t{1});
  graph.column.reserve(2 * pattern.entries());
  StopPoll poll;
  for (Index i = 0; i < pattern.rows; ++i) {
    poll.steps(pattern.row_degree(i));
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k)
      graph.column.push_back(pattern.rows + pattern.column[k]);
    graph.row_start.push_back(graph.column.size());
  }
  const SparsePattern columns = transpose(pattern);
  graph.column.insert(graph.column.end(), columns.column.begin(), columns.column.end());
  for (Index j = 0; j < columns.rows; ++j)
    graph.row_start.push_back(pattern.entries() + columns.row_start[j + std::uint64_t{1}]);
  return graph;
}

/// Mates in both_sides().
std::vector<Index> mates(const SparsePattern& pattern, const Matching& matching) {
  std::vector<Index> mate = matching.row_mate;
  for (Index& j : mate) j = j == no_index ? no_index : pattern.rows + j;
  mate.insert(mate.end(), matching.column_mate.begin(), matching.column_mate.end());
  return mate;
}

/// The vertices of D in a component of the graph between A and D, ascending, and how many of them each
/// maximum matching leaves free.
struct DeficientPart {
  std::vector<Index> vertices;
  Index free = 0;
};

std::vector<DeficientPart> deficient_parts(const SparsePattern& graph, std::vector<Index> mate) {
  std::vector<Index> roots;
  for (Index v = 0; v < graph.rows; ++v) {
    if (mate[v] == no_index) roots.push_back(v);
  }
  AlternatingForest forest(graph);
  forest.augment(roots, mate);  // grows to its end: outer vertices are D, inner ones A
  std::vector<DeficientPart> parts;
  std::vector<bool> met(graph.rows, false);
  std::vector<Index> queue;
  StopPoll poll;
  for (const Index root : roots) {
    if (met[root]) continue;
    DeficientPart& part = parts.emplace_back();
    met[root] = true;
    queue.assign(1, root);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Index v = queue[head];
      const bool outer = forest.is_outer(v);
      if (outer) part.vertices.push_back(v);
      if (outer && mate[v] == no_index) ++part.free;
      poll.steps(graph.row_degree(v));
      for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + std::uint64_t{1}]; ++k) {
        const Index w = graph.column[k];
        // Of a vertex of A only edges to D count: no maximum matching has another.
        if (met[w] || (!outer && !forest.is_outer(w))) continue;
        met[w] = true;
        queue.push_back(w);
      }
    }
    std::sort(part.vertices.begin(), part.vertices.end());
  }
  return parts;
}

/// The instance's matrix with lines added behind its own.
class Extension {
 public:
  Extension(Instance& instance, std::vector<DeficientPart> parts)
      : instance_(instance),
        general_(instance.problem == Problem::general_perfect_matchings),
        rows_(instance.pattern.rows),
        columns_(instance.pattern.columns),
        parts_(std::move(parts)) {}

  void apply() {
    refuse_too_many();
    number_lines();
    SparsePattern& pattern = instance_.pattern;
    SparsePattern extended;
    extended.rows = rows_ + added_rows_;
    extended.columns = columns_ + added_columns_;
    extended.row_start.reserve(extended.rows + std::uint64_t{1});
    StopPoll poll;
    for (Index i = 0; i < rows_; ++i) {
      poll.steps(pattern.row_degree(i));
      for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k) {
        extended.column.push_back(pattern.column[k]);
        source_.push_back(k);
      }
      if (part_of_row_[i] != none) {
        for (Index f = 0; f < parts_[part_of_row_[i]].free; ++f)
          add(first_line_[part_of_row_[i]] + f, extended);
      }
      extended.row_start.push_back(extended.column.size());
    }
    for (const DeficientPart& part : parts_) {
      if (!has_rows(part)) continue;
      for (Index f = 0; f < part.free; ++f) {
        poll.steps(part.vertices.size());
        for (const Index v : part.vertices) add(general_ ? v : v - rows_, extended);
        extended.row_start.push_back(extended.column.size());
      }
    }
    pattern = std::move(extended);
    std::visit([this](auto& values) { extend(values); }, instance_.values);
    extend_vertices(instance_.row_vertex, rows_, pattern.rows);
    extend_vertices(instance_.column_vertex, columns_, pattern.columns);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr std::uint64_t of_one = static_cast<std::uint64_t>(-1);

  /// What is added to a part's columns are rows; of a general graph both.
  bool has_rows(const DeficientPart& part) const { return general_ || part.vertices.front() >= rows_; }
  bool has_columns(const DeficientPart& part) const { return general_ || part.vertices.front() < rows_; }

  void refuse_too_many() const {
    std::uint64_t entries = 0;
    std::uint64_t free = 0;
    for (const DeficientPart& part : parts_) {
      entries += std::uint64_t{part.free} * part.vertices.size();
      free += part.free;
    }
    if (entries <= most_added_entries) return;
    throw UnableError(
        fmt::format(
            "a maximum matching leaves {} vertices free, and of so many others in turn that the matrix which "
            "says so has {} entries more",
            free, entries),
        fmt::format("at most {} can be taken: count the graph in parts", most_added_entries));
  }

  void number_lines() {
    part_of_row_.assign(rows_, none);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const DeficientPart& part = parts_[p];
      first_line_.push_back(columns_ + added_columns_);
      if (has_rows(part)) added_rows_ += part.free;
      if (!has_columns(part)) continue;
      added_columns_ += part.free;
      for (const Index v : part.vertices) part_of_row_[v] = p;
    }
  }

  void add(Index column, SparsePattern& extended) {
    extended.column.push_back(column);
    source_.push_back(of_one);
  }

  void extend(std::monostate) const {}
  template <class Value>
  void extend(std::vector<Value>& values) const {
    std::vector<Value> result;
    result.reserve(source_.size());
    StopPoll poll;
    for (const std::uint64_t k : source_) {
      poll.step();
      result.push_back(k == of_one ? one(Value{}) : std::move(values[k]));
    }
    values = std::move(result);
  }
  static std::int64_t one(std::int64_t) { return 1; }
  static mpq_class one(const mpq_class&) { return 1; }
  static ComplexRational one(const ComplexRational&) { return {1, 0}; }

  static void extend_vertices(std::vector<Index>& vertex, Index before, Index now) {
    if (now == before) return;
    if (vertex.empty()) {
      vertex.resize(before);
      std::iota(vertex.begin(), vertex.end(), Index{0});
    }
    vertex.resize(now, no_index);
  }

  Instance& instance_;
  const bool general_;
  const Index rows_;
  const Index columns_;
  std::vector<DeficientPart> parts_;
  std::vector<std::size_t> part_of_row_;
  std::vector<Index> first_line_;  // of every part: its first added column
  Index added_rows_ = 0;
  Index added_columns_ = 0;
  std::vector<std::uint64_t> source_;  // of every entry: the instance's
};

}  // namespace

Instance with_free_vertices(Instance instance, MatchingSize size) {
  if (size == MatchingSize::perfect) return instance;
  const bool general = instance.problem == Problem::general_perfect_matchings;
  if (size == MatchingSize::maximum && !general && instance.problem != Problem::perfect_matchings)
    throw UsageError(
        "maximum matchings are of undirected and bipartite graphs without monomers (--as bipartite reads a "
        "matrix as one): of a directed graph cycle covers are counted");
  if (size == MatchingSize::smaller_side && instance.kind == GraphKind::undirected)
    throw UsageError("only of a bipartite graph is there a smaller side: this one is undirected");
  const SparsePattern& pattern = instance.pattern;
  if (size == MatchingSize::smaller_side && pattern.rows == pattern.columns) return instance;
  FreeVertices free;
  std::vector<DeficientPart> parts;
  if (general) {
    GeneralMatching matching = general_maximum_matching(pattern);
    free.matching_size = matching.size;
    free.number = pattern.rows - 2 * matching.size;
    if (free.number > 0) parts = deficient_parts(pattern, std::move(matching.mate));
  } else {
    const Matching matching = maximum_matching(pattern);
    if (size == MatchingSize::smaller_side && matching.size < std::min(pattern.rows, pattern.columns))
      return instance;
    free.matching_size = matching.size;
    free.number = pattern.rows + pattern.columns - 2 * matching.size;
    if (free.number > 0) parts = deficient_parts(both_sides(pattern), mates(pattern, matching));
  }
  for (const DeficientPart& part : parts) {
    mpz_class orders;
    mpz_fac_ui(orders.get_mpz_t(), part.free);
    free.orders *= orders;
  }
  if (!parts.empty()) Extension(instance, std::move(parts)).apply();
  instance.free = std::move(free);
  return instance;
}

}  // namespace countpm
