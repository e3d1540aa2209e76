#include "kernels/planar/orientation/twisted_faces.hpp"

#include "graph/stop_poll.hpp"
#include "kernels/planar/orientation/faces.hpp"

namespace countpm::planar {

TwistedFaces trace_twisted_faces(const BlockGraph& graph, const Embedding& embedding) {
  const std::uint64_t half_edges = 2 * graph.edges.size();
  std::vector<std::uint64_t> leaving(half_edges);  // the half-edge that leaves by a slot
  std::vector<std::uint64_t> slot(half_edges);
  for (Index v = 0; v < graph.vertices; ++v) {
    for (std::uint64_t k = embedding.start[v]; k < embedding.start[v + std::size_t{1}]; ++k) {
      const std::uint64_t e = embedding.around[k];
      leaving[k] = 2 * e + (graph.edges[e].a == v ? 0 : 1);
      slot[leaving[k]] = k;
    }
  }
  const auto twist = [&embedding](std::uint64_t half_edge) -> std::uint64_t {
    return embedding.twisted.empty() ? 0 : embedding.twisted[half_edge / 2];
  };
  TwistedFaces faces;
  faces.of.assign(2 * half_edges, no_index);
  StopPoll poll;
  for (std::uint64_t first = 0; first < 2 * half_edges; ++first) {
    poll.step();
    if (faces.of[first] != no_index) continue;
    for (std::uint64_t at = first; faces.of[at] == no_index;) {
      const std::uint64_t half_edge = at / 2;
      const std::uint64_t sense = at % 2 ^ twist(half_edge);
      faces.of[at] = faces.count;
      faces.of[2 * (half_edge ^ 1) + (sense ^ 1)] = faces.count;  // back along the same side
      faces.walk.push_back(at);
      const Index head = tail(graph, half_edge ^ 1);
      const std::uint64_t begin = embedding.start[head];
      const std::uint64_t end = embedding.start[head + std::size_t{1}];
      const std::uint64_t here = slot[half_edge ^ 1];
      std::uint64_t next = 0;
      if (sense == 0) {
        next = here + 1 == end ? begin : here + 1;
      } else {
        next = here == begin ? end - 1 : here - 1;
      }
      at = 2 * leaving[next] + sense;
    }
    faces.start.push_back(faces.walk.size());
    ++faces.count;
  }
  return faces;
}

}  // namespace countpm::planar
