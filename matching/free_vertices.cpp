#include "matching/free_vertices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "matching/counted_trees.hpp"
#include "matching/deficient_parts.hpp"
#include "matching/general_matching.hpp"
#include "matching/maximum_matching.hpp"
#include "matching/without_trees.hpp"

namespace countpm {
namespace {

// Some 16 bytes each, and the reductions look at all of them.
constexpr std::uint64_t most_added_entries = 20'000'000;

/// Mates in both_sides().
std::vector<Index> mates(const SparsePattern& pattern, const Matching& matching) {
  std::vector<Index> mate = matching.row_mate;
  for (Index& j : mate) j = j == no_index ? no_index : pattern.rows + j;
  mate.insert(mate.end(), matching.column_mate.begin(), matching.column_mate.end());
  return mate;
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
        const DeficientPart& part = parts_[part_of_row_[i]];
        for (Index f = 0; f < part.free; ++f)
          add(first_line_[part_of_row_[i]] + f, part, place_in_part_[i], extended);
      }
      extended.row_start.push_back(extended.column.size());
    }
    for (const DeficientPart& part : parts_) {
      if (!has_rows(part)) continue;
      for (Index f = 0; f < part.free; ++f) {
        poll.steps(part.vertices.size());
        for (Index k = 0; k < part.vertices.size(); ++k)
          add(general_ ? part.vertices[k] : part.vertices[k] - rows_, part, k, extended);
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
  static constexpr std::uint64_t of_alone = static_cast<std::uint64_t>(-1);

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
    place_in_part_.assign(rows_, 0);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const DeficientPart& part = parts_[p];
      first_line_.push_back(columns_ + added_columns_);
      if (has_rows(part)) added_rows_ += part.free;
      if (!has_columns(part)) continue;
      added_columns_ += part.free;
      for (Index k = 0; k < part.vertices.size(); ++k) {
        part_of_row_[part.vertices[k]] = p;
        place_in_part_[part.vertices[k]] = k;
      }
    }
  }

  /// What vertex `place` of the part counts when it is free.
  void add(Index column, const DeficientPart& part, Index place, SparsePattern& extended) {
    extended.column.push_back(column);
    alone_.push_back(part.alone.empty() ? nullptr : &part.alone[place]);
    source_.push_back(of_alone);
  }

  void extend(std::monostate) const {}
  template <class Value>
  void extend(std::vector<Value>& values) const {
    std::vector<Value> result;
    result.reserve(source_.size());
    StopPoll poll;
    std::size_t added = 0;
    for (const std::uint64_t k : source_) {
      poll.step();
      result.push_back(k == of_alone ? value_of(alone_[added++], Value{}) : std::move(values[k]));
    }
    values = std::move(result);
  }
  static std::int64_t value_of(const ComplexRational* alone, std::int64_t) {
    return alone == nullptr ? 1 : alone->re.get_num().get_si();
  }
  static mpq_class value_of(const ComplexRational* alone, const mpq_class&) {
    return alone == nullptr ? mpq_class(1) : alone->re;
  }
  static ComplexRational value_of(const ComplexRational* alone, const ComplexRational&) {
    return alone == nullptr ? ComplexRational{1, 0} : *alone;
  }

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
  std::vector<Index> place_in_part_;  // of every row in one: in its vertices
  std::vector<Index> first_line_;     // of every part: its first added column
  Index added_rows_ = 0;
  Index added_columns_ = 0;
  std::vector<std::uint64_t> source_;          // of every entry: the instance's
  std::vector<const ComplexRational*> alone_;  // of every added one: null for 1
};

/// Takes those out of the parts.
std::vector<TreeOrder> take_trees(const SparsePattern& graph, Deficiency& deficiency) {
  std::vector<bool> met(graph.rows, false);
  const auto joins = [&](Index v, Index w) {
    return deficiency.part_of[w] == deficiency.part_of[v] && (deficiency.outer[v] || deficiency.outer[w]);
  };
  std::vector<TreeOrder> trees;
  std::vector<DeficientPart> kept;
  for (DeficientPart& part : deficiency.parts) {
    if (auto tree = tree_from(graph, part.vertices.front(), joins, met)) {
      trees.push_back(*std::move(tree));
    } else {
      kept.push_back(std::move(part));
    }
  }
  deficiency.parts = std::move(kept);
  return trees;
}

/// What becomes of the parts that are trees, or nearly: they are extended as the others are, or counted, or
/// put apart.
struct TreesCounted {};
using TreesApart = std::vector<TreeOrder>*;
using TreePlan = std::variant<std::monostate, TreesCounted, TreesApart>;

Instance extended(Instance instance, MatchingSize size, TreePlan plan) {
  if (size == MatchingSize::perfect) return instance;
  instance.rotations = nullptr;  // vertices are added
  const bool general = instance.problem == Problem::general_perfect_matchings;
  if (size == MatchingSize::maximum && !general && instance.problem != Problem::perfect_matchings)
    throw UsageError(
        "maximum matchings are of undirected and bipartite graphs without monomers (--kind bipartite reads a "
        "matrix as one): of a directed graph cycle covers are counted");
  if (size == MatchingSize::smaller_side && instance.kind == GraphKind::undirected)
    throw UsageError("only of a bipartite graph is there a smaller side: this one is undirected");
  const SparsePattern& pattern = instance.pattern;
  if (size == MatchingSize::smaller_side && pattern.rows == pattern.columns) return instance;
  FreeVertices free;
  Deficiency deficiency_found;
  SparsePattern graph;  // of a bipartite one both sides
  if (general) {
    GeneralMatching matching = general_maximum_matching(pattern);
    free.matching_size = matching.size;
    free.number = pattern.rows - 2 * matching.size;
    if (free.number > 0) deficiency_found = deficiency(pattern, std::move(matching.mate));
  } else {
    const Matching matching = maximum_matching(pattern);
    if (size == MatchingSize::smaller_side && matching.size < std::min(pattern.rows, pattern.columns))
      return instance;
    free.matching_size = matching.size;
    free.number = pattern.rows + pattern.columns - 2 * matching.size;
    if (free.number > 0) graph = both_sides(pattern);
    if (free.number > 0) deficiency_found = deficiency(graph, mates(pattern, matching));
  }
  if (!std::holds_alternative<std::monostate>(plan) && free.number > 0) {
    if (general) graph = pattern;
    if (const TreesApart* const apart = std::get_if<TreesApart>(&plan)) {
      **apart = take_trees(graph, deficiency_found);
    } else {
      count_trees(instance, graph, deficiency_found);
    }
  }
  for (const DeficientPart& part : deficiency_found.parts) {
    mpz_class orders;
    mpz_fac_ui(orders.get_mpz_t(), part.free);
    free.orders *= orders;
  }
  if (!deficiency_found.parts.empty()) Extension(instance, std::move(deficiency_found.parts)).apply();
  instance.free = std::move(free);
  return instance;
}

}  // namespace

Instance with_free_vertices(Instance instance, MatchingSize size) {
  return extended(std::move(instance), size, TreePlan{});
}

Instance with_free_vertices_but_of_trees(Instance instance, MatchingSize size,
                                         std::vector<TreeOrder>& trees) {
  return extended(std::move(instance), size, &trees);
}

Instance with_trees_counted(Instance instance, MatchingSize size) {
  return extended(std::move(instance), size, TreesCounted{});
}

}  // namespace countpm
