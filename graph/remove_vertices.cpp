#include "graph/remove_vertices.hpp"

#include <fmt/format.h>

#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

constexpr std::string_view left_prefix = "left:";
constexpr std::string_view right_prefix = "right:";

std::vector<std::string> pieces_of(const std::string& text) {
  std::vector<std::string> pieces;
  for (std::size_t start = 0;;) {
    const std::size_t comma = text.find(',', start);
    pieces.push_back(text.substr(start, comma == std::string::npos ? comma : comma - start));
    if (comma == std::string::npos) return pieces;
    start = comma + 1;
  }
}

/// One side's vertices: where the labels that somebody asks for are, and which vertices go.
class Side {
 public:
  explicit Side(LabelTable& labels) : labels_(labels), gone_(labels.size(), false) {}

  void ask(const std::string& label) { id_.try_emplace(label, no_index); }
  void look() {
    for (Index v = 0; v < labels_.size() && !id_.empty(); ++v) {
      const auto at = id_.find(labels_.label(v));
      if (at != id_.end()) at->second = v;
    }
  }
  Index find(const std::string& label) const {
    const auto at = id_.find(label);
    return at == id_.end() ? no_index : at->second;
  }
  /// False: it is gone already.
  bool remove(Index v) {
    if (gone_[v]) return false;
    gone_[v] = true;
    return true;
  }

  /// New numbers, no_index for those that went; the labels follow.
  std::vector<Index> renumber() {
    LabelTable kept;
    std::vector<Index> number(gone_.size(), no_index);
    for (Index v = 0; v < gone_.size(); ++v) {
      if (!gone_[v]) number[v] = kept.append(labels_.label(v));
    }
    labels_ = std::move(kept);
    return number;
  }

 private:
  LabelTable& labels_;
  std::vector<bool> gone_;
  std::unordered_map<std::string, Index> id_;
};

class Removal {
 public:
  Removal(Graph& graph, const std::string& input)
      : graph_(graph),
        input_(input),
        bipartite_(graph.kind == GraphKind::bipartite),
        left_(graph.left_labels),
        right_(graph.right_labels) {}

  std::uint64_t run(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      ask(name);
      for (const std::string& piece : pieces_of(name)) ask(piece);
    }
    left_.look();
    right_.look();
    std::uint64_t removed = 0;
    for (const std::string& name : names) {
      const bool whole = find(name).second != no_index;
      for (const std::string& label : whole ? std::vector{name} : pieces_of(name)) {
        remove(label);
        ++removed;
      }
    }
    drop_edges();
    return removed;
  }

 private:
  void ask(const std::string& name) {
    left_.ask(name);
    right_.ask(name);
    if (bipartite_ && name.starts_with(left_prefix)) left_.ask(name.substr(left_prefix.size()));
    if (bipartite_ && name.starts_with(right_prefix)) right_.ask(name.substr(right_prefix.size()));
  }

  /// The side and the vertex; no_index where there is none.
  std::pair<Side*, Index> find(const std::string& name) {
    const Index left = left_.find(name);
    if (!bipartite_) return {&left_, left};
    const Index right = right_.find(name);
    if (left != no_index && right != no_index) {
      throw UsageError(fmt::format("remove: \"{}\" is a vertex of both sides; left:{} or right:{}",
                                   quoted(name), quoted(name), quoted(name)));
    }
    if (left != no_index) return {&left_, left};
    if (right != no_index) return {&right_, right};
    if (name.starts_with(left_prefix)) return {&left_, left_.find(name.substr(left_prefix.size()))};
    if (name.starts_with(right_prefix)) return {&right_, right_.find(name.substr(right_prefix.size()))};
    return {&left_, no_index};
  }

  void remove(const std::string& label) {
    const auto [side, vertex] = find(label);
    if (vertex == no_index)
      throw UsageError(fmt::format("remove: {} has no vertex \"{}\"", quoted(input_, 200), quoted(label)));
    if (!side->remove(vertex)) throw UsageError(fmt::format("remove: \"{}\" is given twice", quoted(label)));
  }

  void drop_edges() {
    const std::vector<Index> from = left_.renumber();
    const std::vector<Index> to = bipartite_ ? right_.renumber() : from;
    std::vector<std::size_t> kept;
    StopPoll poll;
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
      poll.step();
      const Edge edge{from[graph_.edges[e].from], to[graph_.edges[e].to]};
      if (edge.from == no_index || edge.to == no_index) continue;
      graph_.edges[kept.size()] = edge;
      kept.push_back(e);
    }
    graph_.edges.resize(kept.size());
    std::visit(
        [&](auto& values) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) {
            for (std::size_t k = 0; k < kept.size(); ++k) {
              if (kept[k] != k) values[k] = std::move(values[kept[k]]);
            }
            values.resize(kept.size());
          }
        },
        graph_.values);
  }

  Graph& graph_;
  const std::string& input_;
  bool bipartite_;
  Side left_;
  Side right_;
};

}  // namespace

std::uint64_t remove_vertices(Graph& graph, const std::vector<std::string>& names, const std::string& input) {
  return names.empty() ? 0 : Removal(graph, input).run(names);
}

}  // namespace countpm
