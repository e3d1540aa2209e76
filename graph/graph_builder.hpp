#pragma once
// Where all readers put their edges: one place for loops, zeros, parallel edges, weights and labels.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/label_index.hpp"
#include "graph/letters.hpp"
#include "graph/parse_weight.hpp"
#include "graph/read_options.hpp"

namespace countpm {

/// The line of every edge, as runs in which each edge stands one line below the one before: a file without
/// comments needs one run.
class EdgeLines {
 public:
  void append(std::uint64_t line) {
    if (line != next_line_ || runs_.empty()) runs_.emplace_back(count_, line);
    next_line_ = line == 0 ? 0 : line + 1;  // line 0 stands for no line, for every edge of its run
    ++count_;
  }
  std::uint64_t line_of(std::uint64_t edge) const;

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> runs_;  // first edge of the run, its line
  std::uint64_t next_line_ = 0;
  std::uint64_t count_ = 0;
};

/// Collects a graph. Use: vertices by label (left, right) or all at once (number_vertices); add edges;
/// finish. `kind` is what the file holds; finish() turns it into options.kind where that is set (see finish).
class GraphBuilder {
 public:
  GraphBuilder(std::string name, GraphKind kind, const ReadOptions& options, InputInfo& info);

  /// Vertices 0 .. left - 1 (and right, for bipartite graphs), labelled first, first + 1, ... Instead of
  /// left() and right().
  void number_vertices(Index left, Index right = 0, std::uint64_t first = 1);
  /// The id of a label, new or known. right() is the same as left() unless the kind is bipartite.
  Index left(std::string_view label) { return left_.id_of(label); }
  Index right(std::string_view label) {
    return (kind_ == GraphKind::bipartite ? right_ : left_).id_of(label);
  }
  /// Where the left vertices are drawn, once all of them are there (Graph::positions).
  void place(std::vector<Point> positions) { positions_ = std::move(positions); }
  /// Of matrices: a weight of 0 is no edge, of ground states neither.
  void zeros_are_no_edges() { options_.ground_state.reset(); }
  /// Of a directed graph that is a matrix: undirected, it must be symmetric.
  void must_be_symmetric() { from_matrix_ = true; }
  /// Of multigraphs: "a b" and "b a" are parallel edges, even if every edge is listed in both directions.
  void keep_mirror_images() { multigraph_ = true; }
  void reserve(std::uint64_t edges) { edges_.reserve(edges); }

  /// An edge of weight 1. Bipartite: from a left id to a right id. The ids must exist.
  /// `line` is the line it came from (0: none), for messages about loops and parallel edges.
  void add(Index from, Index to, std::uint64_t line);
  /// An edge with the text of its weight: checked always, zero drops the edge (unless its weight is to be
  /// compared: ReadOptions::ground_state), kept where options.weights asks for it.
  void add(Index from, Index to, std::uint64_t line, std::string_view weight);
  /// The same with a weight parsed before.
  void add(Index from, Index to, std::uint64_t line, const Weight& weight);

  /// Finds parallel edges (counting sort, O(vertices + edges)), rejects or sums them, and converts to
  /// options.kind:
  ///   bipartite -> directed: needs as many rows as columns · bipartite, directed -> undirected: needs a
  ///   symmetric matrix directed -> bipartite: the adjacency matrix as a biadjacency matrix · undirected ->
  ///   directed: an arc each way undirected -> bipartite: UsageError (an undirected graph is two-coloured by
  ///   to_instance)
  /// Leaves the builder empty.
  Graph finish();

 private:
  friend Graph convert_graph(Graph graph, const std::string& name, const ReadOptions& options,
                             InputInfo& info);
  // What add() does with an edge before it is stored; false: it is dropped.
  bool keep(Index from, Index to, std::uint64_t line);
  void store(Index from, Index to, std::uint64_t line);
  void store_value(const Weight& weight);
  void store_term(const Weight& weight);
  void add_term(std::uint64_t to, std::uint64_t from);
  std::string label_of(bool right, Index id) const;
  std::string edge_text(std::uint64_t edge) const;
  Index left_size() const { return numbered_ ? numbered_left_ : left_.size(); }
  Index right_size() const;

  bool has_parallel_edges() const;
  std::vector<std::uint64_t> edges_by_ends() const;  // edge numbers, sorted by (from, to, number)
  void settle_parallel_edges();
  struct Repeats {
    bool same_weights = true;    // wherever an edge is listed
    bool each_both_ways = true;  // every edge twice, a b and b a
    bool only_reversed = true;   // no edge twice in one direction
  };
  Repeats repeats_in(const std::vector<std::uint64_t>& order) const;
  [[noreturn]] void reject_parallel(const std::vector<std::uint64_t>& order, const Repeats& repeats) const;
  void merge_parallel(const std::vector<std::uint64_t>& order);
  void sum_parallel(const std::vector<std::uint64_t>& order);
  void remove_edges(const std::vector<char>& removed);
  void convert(GraphKind to);
  void convert_to_undirected();
  bool is_one_way() const;
  /// Whether all entries are above the diagonal, or all below it: half of a symmetric matrix.
  bool is_half_matrix() const;
  void add_reverse_arcs();
  Graph assemble();

  std::string name_;
  GraphKind kind_;
  ReadOptions options_;
  InputInfo& info_;
  LabelIndex left_;
  LabelIndex right_;
  bool numbered_ = false;
  bool multigraph_ = false;
  bool from_matrix_ = false;    // whose mirror images must be there
  bool right_is_left_ = false;  // a directed graph read as bipartite: one set of labels for both sides
  Index numbered_left_ = 0;
  Index numbered_right_ = 0;
  std::uint64_t first_number_ = 1;
  std::vector<Edge> edges_;
  EdgeLines lines_;
  Values values_;  // monostate as long as all are 1
  WeightKind weight_kind_ = WeightKind::none;
  LetterValues at_;                   // of ReadOptions::at
  std::optional<LetterTable> terms_;  // where weights have letters: values_ are numbers of its terms then
  std::vector<Point> positions_;
};

/// A graph that is there already (a lattice), turned into options.kind as GraphBuilder::finish does.
Graph convert_graph(Graph graph, const std::string& name, const ReadOptions& options, InputInfo& info);

}  // namespace countpm
