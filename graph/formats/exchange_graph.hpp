#pragma once
// Graphs as programs exchange them (GML, GEXF, Pajek, node-link JSON): nodes with ids and labels, edges with
// attributes, each perhaps with a direction of its own. What these formats leave open is settled here, once.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/label_index.hpp"
#include "graph/read_options.hpp"

namespace countpm {

/// mutual: an arc each way.
enum class EdgeDirection { undirected, directed, mutual };

/// Collects a graph: nodes first, then edges, each followed by its attributes; then finish().
///   Labels: those of the nodes, where each has one and no two are the same; else their ids.
///   Weights: the attribute of edges that ReadOptions::weight_column names; else "weight"; else, with
///   ReadOptions::weights, the only one that is numbers, with a warning. Several are refused.
///   Kind: that of the edges. Of edges beside arcs ReadOptions::kind says what they are.
class ExchangeGraph {
 public:
  /// The references must outlive this. UsageError for options about columns of tables.
  ExchangeGraph(const std::string& name, const ReadOptions& options, InputInfo& info);

  /// A node of this id: each once.
  void add_node(std::string_view id, std::uint64_t line);
  /// Instead: nodes of the ids first, first + 1, ...
  void number_nodes(Index count, std::uint64_t first);
  /// Of a node by its place, at most once; an empty one is none.
  void set_label(Index node, std::string label, std::uint64_t line);
  /// The place of the node of this id, which must be there.
  Index node_of(std::string_view id, std::uint64_t line);
  Index node_count() const { return numbered_ ? numbered_count_ : node_count_; }

  void add_edge(Index from, Index to, EdgeDirection direction, std::uint64_t line);
  /// Of the last edge. number: a number, or a text that is one.
  void set_attribute(std::string_view attribute, std::string_view value);

  /// What it is where it has no edges.
  void set_directed(bool directed) { directed_ = directed; }
  /// "a b" and "b a" are two parallel edges, and not one that is listed from both ends.
  void set_multigraph() { multigraph_ = true; }
  /// The first `left` nodes are one side, the others the other one, and edges are between them.
  void set_left_side(Index left) { left_side_ = left; }
  /// A node stands for a group of nodes, and is a vertex beside them.
  void note_group() { ++groups_; }
  /// The arcs are those of a matrix: as an undirected graph it must be symmetric.
  void set_matrix() { matrix_ = true; }

  Graph finish();

 private:
  struct AnyEdge {
    Index from;
    Index to;
    EdgeDirection direction;
    std::uint64_t line;
    std::uint64_t first_value;  // in values_
  };
  struct Attribute {
    bool numbers = true;   // all values are
    bool kept = false;     // in values_
    bool not_one = false;  // some value is not 1
  };
  struct AttributeValue {
    std::uint32_t attribute;  // its place
    std::string text;
  };

  std::optional<std::uint32_t> weight_attribute() const;
  void warn(std::string text) const;
  void settle_direction();
  GraphKind kind() const;
  bool has_labels();
  std::string label_of(Index node) const;
  std::pair<Index, Index> ends_between_sides(const AnyEdge& edge) const;

  const std::string& name_;
  const ReadOptions& options_;
  InputInfo& info_;
  LabelIndex ids_;
  Index node_count_ = 0;
  bool numbered_ = false;
  Index numbered_count_ = 0;
  std::uint64_t first_number_ = 0;
  std::vector<std::pair<Index, std::string>> labels_;
  bool use_labels_ = false;
  std::vector<AnyEdge> edges_;
  std::vector<AttributeValue> values_;
  std::map<std::string, std::uint32_t, std::less<>> attribute_place_;
  std::vector<Attribute> attributes_;
  std::optional<Index> left_side_;
  std::uint64_t groups_ = 0;
  bool directed_ = false;
  bool multigraph_ = false;
  bool matrix_ = false;
};

/// Of edges' attributes (their names, and whether all values of each are numbers) the one with the weights,
/// by the rules above: empty where there is none, which is said where weights are asked for.
std::string choose_weight_attribute(const std::map<std::string, bool>& numbers, const std::string& name,
                                    const ReadOptions& options, InputInfo& info);

/// Throws InputError for a text of more than reader.hpp's largest_exchange bytes.
void require_exchange_size(std::string_view bytes, const std::string& name);

/// GML, GEXF, Pajek and JSON by their first bytes, which no other format has.
std::optional<Format> guess_exchange(std::string_view head);

}  // namespace countpm
