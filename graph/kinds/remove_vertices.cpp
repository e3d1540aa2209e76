#include "graph/kinds/remove_vertices.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>
#include <utility>

#include "graph/errors.hpp"
#include "graph/keep_edges.hpp"
#include "graph/rotations.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr std::string_view left_prefix = "left:";
constexpr std::string_view right_prefix = "right:";

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
      for (const std::string_view piece : split(name, ',')) {
        ask(std::string(piece));
        for (const std::string_view label : split(piece, '+')) ask(std::string(label));
      }
    }
    left_.look();
    right_.look();
    std::uint64_t removed = 0;
    for (const std::string& name : names) {
      for (const std::string& label : labels_in(name)) {
        remove(label);
        ++removed;
      }
    }
    drop_edges();
    return removed;
  }

 private:
  /// The text where it is a label, else what stands between its commas, and of that what is no label by what
  /// stands between plus signs.
  std::vector<std::string> labels_in(const std::string& text) {
    if (find(text).second != no_index) return {text};
    std::vector<std::string> labels;
    for (const std::string_view piece : split(text, ',')) {
      if (find(std::string(piece)).second != no_index) {
        labels.emplace_back(piece);
        continue;
      }
      for (const std::string_view label : split(piece, '+')) labels.emplace_back(label);
    }
    return labels;
  }

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
    if (vertex == no_index) {
      const LabelTable& labels = graph_.left_labels;
      throw UsageError(fmt::format("remove: {} has no vertex \"{}\"{}", quoted(input_, 200), quoted(label),
                                   labels.size() == 0
                                       ? std::string()
                                       : fmt::format(" (labels are like {})", quoted(labels.label(0)))));
    }
    if (!side->remove(vertex)) throw UsageError(fmt::format("remove: \"{}\" is given twice", quoted(label)));
  }

  void drop_edges() {
    const std::vector<Index> from = left_.renumber();
    if (!graph_.positions.empty()) {
      std::vector<Point> positions;
      for (Index v = 0; v < from.size(); ++v) {
        if (from[v] != no_index) positions.push_back(graph_.positions[v]);
      }
      graph_.positions = std::move(positions);
    }
    const std::vector<Index> to = bipartite_ ? right_.renumber() : from;
    if (graph_.rotations) {
      std::vector<Index> number = from;
      for (Index v = 0; bipartite_ && v < to.size(); ++v)
        number.push_back(to[v] == no_index ? no_index : graph_.left_labels.size() + to[v]);
      std::vector<Index> left_over;  // ascending, as the new numbers are
      for (Index v = 0; v < number.size(); ++v) {
        if (number[v] != no_index) left_over.push_back(v);
      }
      graph_.rotations = part_of(*graph_.rotations, left_over, number);
    }
    StopPoll poll;
    keep_edges(graph_.edges, graph_.values, [&](std::size_t k) {
      poll.step();
      Edge& edge = graph_.edges[k];
      edge = {from[edge.from], to[edge.to]};
      return edge.from != no_index && edge.to != no_index;
    });
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
