#include "src/structure/not_planar.hpp"

#include <fmt/format.h>

#include <functional>
#include <vector>

#include "kernels/planar/orientation/embedding.hpp"
#include "kernels/planar/orientation/kuratowski.hpp"
#include "kernels/planar/orientation/short_cycle_embedding.hpp"
#include "src/input/report.hpp"
#include "src/structure/pieces.hpp"

namespace countpm {
namespace {

using LabelOf = std::function<std::string(Index)>;

// Beyond that many edges a planarity test takes so long that some hundred are too many.
constexpr std::uint64_t most_edges = 20000;
// Of a longer path the inner vertices are only counted.
constexpr std::size_t longest_path_shown = 40;

std::string join_labels(const std::vector<Index>& vertices, std::size_t first, std::size_t last,
                        const LabelOf& label) {
  std::vector<std::string> labels;
  labels.reserve(last - first);
  for (std::size_t k = first; k < last; ++k) labels.push_back(label(vertices[k]));
  return fmt::format("{}", fmt::join(labels, ", "));
}

std::string path_text(const std::vector<Index>& path, const LabelOf& label) {
  if (path.size() > longest_path_shown)
    return fmt::format("{} - ({} vertices) - {}", label(path.front()), path.size() - 2, label(path.back()));
  std::vector<std::string> labels;
  labels.reserve(path.size());
  for (const Index v : path) labels.push_back(label(v));
  return fmt::format("{}", fmt::join(labels, " - "));
}

/// `graph`: what it is in.
std::string text_of(const planar::KuratowskiPaths& found, const char* graph, const LabelOf& label) {
  std::vector<std::string> paths;
  paths.reserve(found.paths.size());
  for (const std::vector<Index>& path : found.paths) paths.push_back(path_text(path, label));
  const std::string ends = found.five() ? join_labels(found.ends, 0, 5, label)
                                        : fmt::format("{} and {}", join_labels(found.ends, 0, 3, label),
                                                      join_labels(found.ends, 3, 6, label));
  return fmt::format("{} has a subdivision of {} with the ends {}, joined by the paths {}", graph,
                     found.five() ? "K5" : "K3,3", ends, fmt::join(paths, "; "));
}

/// Labels are told apart by their sides where two vertices may have the same.
LabelOf labels_of(const Instance& instance, const InputInfo& input, const Piece& piece,
                  const planar::BlockGraph& graph) {
  const bool sides = instance.kind != GraphKind::undirected;
  const auto shown = [&instance, &input, sides](bool row, const std::string& label) {
    if (!sides) return quoted(label);
    std::string side = side_name(instance, input, row);
    if (side.ends_with('s')) side.pop_back();
    return fmt::format("{} {}", side, quoted(label));
  };
  return [&instance, &piece, &graph, shown](Index v) {
    if (graph.is_row(v)) return shown(true, instance.row_label(piece.rows[v]));
    return shown(false, instance.column_label(piece.columns[v - graph.rows]));
  };
}

}  // namespace

std::string kuratowski_text(const Instance& instance, const InputInfo& input, const Analysis& analysis) {
  const Pieces cut = cut_pieces(instance, analysis);
  for (const Piece& piece : cut.pieces) {
    if (planar::edges_of(piece.block) > most_edges) continue;
    const planar::BlockGraph graph = planar::block_graph(piece.block);
    // What planar counts was refused for another reason.
    if (rotations_of(piece.block) != nullptr || planar::test_planarity(graph).planar ||
        planar::short_cycle_embedding(graph, planar::Surface::torus) ||
        planar::short_cycle_embedding(graph, planar::Surface::other))
      continue;
    const std::vector<Index> edges = planar::kuratowski_subgraph(graph);
    if (edges.empty()) continue;
    return text_of(planar::kuratowski_paths(graph, edges),
                   instance.free ? "with the vertices added for those left free it" : "the input",
                   labels_of(instance, input, piece, graph));
  }
  return {};
}

void refuse_not_planar(const UnableError& refusal, const Instance& instance, const InputInfo& input,
                       const Analysis& analysis) {
  const std::string shown = kuratowski_text(instance, input, analysis);
  std::string reason = refusal.what();
  const std::string end = "; " + refusal.remedy();
  if (reason.ends_with(end)) reason.resize(reason.size() - end.size());
  throw UnableError(shown.empty() ? reason : fmt::format("{}; {}", reason, shown), refusal.remedy());
}

}  // namespace countpm
