#include "kernels/estimate/bethe/walk.hpp"

#include <bit>

#include "matching/maximum_matching.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t start_passes = 400;

bool set_mates(const SampleMatrix& matrix, const BetheGraph& graph) {
  const Matching matching = maximum_matching(matrix.rows);
  const std::uint32_t n = graph.size();
  if (matching.size != n) return false;
  for (std::uint32_t i = 0; i < n; ++i) {
    graph.mate(i).mate = n + matching.row_mate[i];
    graph.mate(n + i).mate = matching.column_mate[i];
  }
  return true;
}

/// Until little changes anywhere; nothing is due or waits then.
void settle(BetheMemory& memory, const BetheSettings& settings) {
  const BetheGraph graph = memory.graph();
  const std::uint32_t vertices = 2 * graph.size();
  LoneWarp warp;
  const BetheMessages<LoneWarp> messages(warp, graph, settings);
  for (BetheGraph::Vertex v = 0; v < vertices; ++v) messages.changed(v, 1);
  messages.pass(start_passes * vertices);
  for (unsigned list = 0; list < 2 * BetheGraph::levels; ++list)
    graph.head().first[list] = graph.head().end[list] = 0;
  for (BetheGraph::Vertex v = 0; v < vertices; ++v) {
    graph.record(v).due = 0;
    graph.record(v).level = BetheGraph::nowhere;
  }
}

}  // namespace

BetheStart::BetheStart(const SampleMatrix& matrix)
    : settings_(matrix.rows.rows),
      memory_(BetheLayout(matrix, bethe_waiting), matrix),
      matched_(set_mates(matrix, memory_.graph())) {
  if (!matched_) return;
  // All wait at first.
  BetheMemory wide(BetheLayout(matrix, std::bit_ceil(2 * matrix.rows.rows)));
  wide.copy_image(memory_);
  settle(wide, settings_);
  memory_.copy_image(wide);
}

}  // namespace countpm
