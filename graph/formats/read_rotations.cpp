#include "graph/formats/read_rotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/formats/input_bytes.hpp"
#include "graph/formats/planar_code.hpp"
#include "graph/rotations.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr std::string_view left_prefix = "left:";
constexpr std::string_view right_prefix = "right:";

/// Labels to vertices of the drawing: left ones, then right ones.
class Vertices {
 public:
  explicit Vertices(const Graph& graph) : graph_(graph), bipartite_(graph.kind == GraphKind::bipartite) {
    const Index lefts = graph.left_labels.size();
    for (Index v = 0; v < lefts; ++v) left_.emplace(graph.left_labels.label(v), v);
    for (Index v = 0; v < graph.right_labels.size(); ++v)
      right_.emplace(graph.right_labels.label(v), lefts + v);
  }

  Index size() const { return graph_.left_labels.size() + graph_.right_labels.size(); }
  std::string label(Index v) const {
    const Index lefts = graph_.left_labels.size();
    return v < lefts ? graph_.left_labels.label(v) : graph_.right_labels.label(v - lefts);
  }
  /// no_index: there is none; `twice`: on both sides.
  Index find(std::string_view text, bool& twice) const {
    const Index left = find_in(left_, text);
    if (!bipartite_) return left;
    const Index right = find_in(right_, text);
    twice = left != no_index && right != no_index;
    if (left != no_index || right != no_index) return left != no_index ? left : right;
    if (text.starts_with(left_prefix)) return find_in(left_, text.substr(left_prefix.size()));
    if (text.starts_with(right_prefix)) return find_in(right_, text.substr(right_prefix.size()));
    return no_index;
  }
  /// A neighbour of v: of a bipartite graph one of the other side.
  Index find_beside(Index v, std::string_view text) const {
    if (!bipartite_) return find_in(left_, text);
    const bool of_left = v < graph_.left_labels.size();
    const auto& side = of_left ? right_ : left_;
    const Index bare = find_in(side, text);
    const std::string_view prefix = of_left ? right_prefix : left_prefix;
    return bare != no_index || !text.starts_with(prefix) ? bare : find_in(side, text.substr(prefix.size()));
  }

 private:
  using Numbers = std::unordered_map<std::string, Index>;
  static Index find_in(const Numbers& numbers, std::string_view label) {
    const auto at = numbers.find(std::string(label));
    return at == numbers.end() ? no_index : at->second;
  }

  const Graph& graph_;
  bool bipartite_;
  Numbers left_;
  Numbers right_;
};

class RotationReader {
 public:
  RotationReader(const std::string& file, const Graph& graph, const std::string& input)
      : file_(file),
        input_(input),
        vertices_(graph),
        line_of_(vertices_.size(), 0),
        has_list_(vertices_.size(), false),
        lists_(vertices_.size()),
        adjacent_(vertices_.size()) {
    const Index right = graph.kind == GraphKind::bipartite ? graph.left_labels.size() : 0;
    for (const Edge& edge : graph.edges) {
      adjacent_[edge.from].push_back(right + edge.to);
      adjacent_[right + edge.to].push_back(edge.from);
    }
    for (std::vector<Index>& one : adjacent_) std::sort(one.begin(), one.end());
  }

  Rotations read(std::string_view bytes) {
    if (bytes.starts_with(">>planar_code")) {
      read_code(bytes);
    } else {
      read_lines(bytes);
    }
    return checked();
  }

 private:
  struct Neighbour {
    Index vertex;
    std::uint8_t twisted;
  };

  [[noreturn]] void refuse(std::uint64_t line, std::string expected, std::string found) const {
    throw InputError(file_, line, std::move(expected), std::move(found));
  }
  std::string named(Index v) const { return shown(vertices_.label(v)); }

  void read_lines(std::string_view bytes) {
    TextLines lines(bytes);
    StopPoll poll;
    while (lines.next()) {
      poll.step();
      std::string_view first = lines.word();
      if (first.empty() || first.starts_with('#')) continue;
      bool twice = false;
      Index v = vertices_.find(first, twice);
      if (v == no_index && first.ends_with(':')) {
        first.remove_suffix(1);
        v = vertices_.find(first, twice);
      }
      if (v == no_index)
        refuse(lines.number(), fmt::format("a vertex of {}, then its neighbours", quoted(input_, 200)),
               shown(first));
      if (twice)
        refuse(lines.number(), fmt::format("left:{0} or right:{0}", quoted(std::string(first))),
               "a label of both sides");
      begin(v, lines.number());
      for (std::string_view word = lines.word(); !word.empty(); word = lines.word()) {
        if (word.starts_with('#')) break;
        const bool twisted = word.starts_with('~');
        if (twisted) word.remove_prefix(1);
        add(v, word, twisted ? 1 : 0);
      }
    }
  }

  void read_code(std::string_view bytes) {
    PlanarCode code(bytes, file_);
    if (!code.next()) refuse(0, "a graph in planar_code", "a header alone");
    for (Index k = 0; k < code.vertices(); ++k) {
      bool twice = false;
      const std::string label = std::to_string(k + std::uint64_t{1});
      const Index v = vertices_.find(label, twice);
      if (v == no_index)
        refuse(0, fmt::format("as many vertices as {} has, called 1, 2, 3, ...", quoted(input_, 200)),
               shown(label));
      begin(v, 0);
      for (const Index w : code.neighbours(k)) add(v, std::to_string(w + std::uint64_t{1}), 0);
    }
    if (!code.rest().empty()) refuse(0, "one graph", "more bytes behind the first one");
  }

  void begin(Index v, std::uint64_t line) {
    if (has_list_[v])
      refuse(line, "each vertex once", fmt::format("{}, as in line {}", named(v), line_of_[v]));
    has_list_[v] = true;
    line_of_[v] = line;
  }

  void add(Index v, std::string_view label, std::uint8_t twisted) {
    const Index w = vertices_.find_beside(v, label);
    if (w == no_index || !std::binary_search(adjacent_[v].begin(), adjacent_[v].end(), w))
      refuse(line_of_[v], fmt::format("neighbours of {} in {}", named(v), quoted(input_, 200)), shown(label));
    lists_[v].push_back({w, twisted});
  }

  /// All lists, each edge in those of both its ends.
  Rotations checked() const {
    Rotations result;
    std::vector<std::pair<Index, std::uint8_t>> sorted;
    for (Index v = 0; v < vertices_.size(); ++v) {
      if (!has_list_[v] && !adjacent_[v].empty())
        refuse(0, "a line for every vertex that has edges", fmt::format("none for {}", named(v)));
      sorted.clear();
      for (const auto& [w, twisted] : lists_[v]) {
        sorted.emplace_back(w, twisted);
        result.neighbour.push_back(w);
        result.twisted.push_back(twisted);
      }
      result.start.push_back(result.neighbour.size());
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t k = 0; k + 1 < sorted.size(); ++k) {
        if (sorted[k].first == sorted[k + 1].first)
          refuse(line_of_[v], fmt::format("each neighbour of {} once", named(v)),
                 fmt::format("{} twice", named(sorted[k].first)));
      }
      for (std::size_t k = 0; k < adjacent_[v].size(); ++k) {
        if (k == sorted.size() || sorted[k].first != adjacent_[v][k])
          refuse(line_of_[v], fmt::format("all {} neighbours of {}", adjacent_[v].size(), named(v)),
                 fmt::format("{} without {}", sorted.size(), named(adjacent_[v][k])));
      }
    }
    check_twists(result);
    return result;
  }

  void check_twists(const Rotations& rotations) const {
    for (Index v = 0; v < rotations.vertices(); ++v) {
      for (std::uint64_t k = rotations.start[v]; k < rotations.start[v + std::uint64_t{1}]; ++k) {
        if (rotations.twisted[k] == 0) continue;
        const Index w = rotations.neighbour[k];
        const auto back = std::find_if(lists_[w].begin(), lists_[w].end(),
                                       [v](const Neighbour& one) { return one.vertex == v; });
        if (back->twisted != 0) continue;
        refuse(line_of_[w],
               fmt::format("~ before {}, as line {} has it before {}", named(v), line_of_[v], named(w)),
               "none");
      }
    }
  }

  const std::string& file_;
  const std::string& input_;
  Vertices vertices_;
  std::vector<std::uint64_t> line_of_;
  std::vector<bool> has_list_;
  std::vector<std::vector<Neighbour>> lists_;
  std::vector<std::vector<Index>> adjacent_;  // ascending
};

}  // namespace

void read_rotations(const std::string& file, Graph& graph, InputInfo& info) {
  if (graph.kind == GraphKind::directed)
    throw UsageError("--embedding is of vertices and edges, and this graph is directed (--kind bipartite?)");
  const bool loops = std::any_of(graph.edges.begin(), graph.edges.end(),
                                 [](const Edge& edge) { return edge.from == edge.to; });
  if (loops && graph.kind == GraphKind::undirected)
    throw UsageError("--embedding is about perfect matchings, and this graph has loops for monomers");
  const Source source = Source::from_argument(file);
  if (source.kind != Source::Kind::file)
    throw UsageError("--embedding needs a file, which checkpoints and ranks can read again");
  InputBytes input(source, false);
  draw_graph(graph, RotationReader(source.name, graph, info.path).read(input.all(0)), source.name, info);
}

void draw_graph(Graph& graph, Rotations rotations, const std::string& file, InputInfo& info) {
  const RotationSurface surface = surface_of(rotations);
  info.drawn_on = DrawnOn{file, surface.orientable, surface.genus(), surface.faces};
  graph.rotations = std::make_shared<const Rotations>(std::move(rotations));
}

}  // namespace countpm
