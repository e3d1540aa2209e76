#include "graph/rotations.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

/// Of each place in the lists, where the other end has the edge.
std::vector<std::uint64_t> other_places(const Rotations& rotations) {
  std::vector<std::uint64_t> there(rotations.neighbour.size());  // by (vertex, neighbour)
  std::iota(there.begin(), there.end(), std::uint64_t{0});
  for (Index v = 0; v < rotations.vertices(); ++v) {
    std::sort(
        there.begin() + static_cast<std::ptrdiff_t>(rotations.start[v]),
        there.begin() + static_cast<std::ptrdiff_t>(rotations.start[v + std::uint64_t{1}]),
        [&](std::uint64_t a, std::uint64_t b) { return rotations.neighbour[a] < rotations.neighbour[b]; });
  }
  // Vertices rise, so that the next one of w's that is not taken leads to v.
  std::vector<std::uint64_t> next(rotations.start.begin(), rotations.start.end() - 1);
  std::vector<std::uint64_t> result(there.size());
  StopPoll poll;
  for (Index v = 0; v < rotations.vertices(); ++v) {
    for (std::uint64_t k = rotations.start[v]; k < rotations.start[v + std::uint64_t{1}]; ++k) {
      poll.step();
      result[k] = there[next[rotations.neighbour[k]]++];
    }
  }
  return result;
}

/// Components, and whether the senses of rotation can be made to agree everywhere.
void walk_over(const Rotations& rotations, RotationSurface& surface) {
  constexpr std::uint8_t unseen = 2;
  std::vector<std::uint8_t> turned(rotations.vertices(), unseen);
  std::vector<Index> stack;
  StopPoll poll;
  for (Index root = 0; root < rotations.vertices(); ++root) {
    if (turned[root] != unseen) continue;
    ++surface.components;
    if (rotations.start[root] == rotations.start[root + std::uint64_t{1}]) ++surface.faces;
    turned[root] = 0;
    stack.assign(1, root);
    while (!stack.empty()) {
      const Index v = stack.back();
      stack.pop_back();
      for (std::uint64_t k = rotations.start[v]; k < rotations.start[v + std::uint64_t{1}]; ++k) {
        poll.step();
        const Index w = rotations.neighbour[k];
        const auto sense = static_cast<std::uint8_t>(turned[v] ^ rotations.twisted[k]);
        if (turned[w] == unseen) {
          turned[w] = sense;
          stack.push_back(w);
        } else if (turned[w] != sense) {
          surface.orientable = false;
        }
      }
    }
  }
}

}  // namespace

bool is_sound(const Rotations& rotations, std::uint64_t vertices) {
  const std::vector<std::uint64_t>& start = rotations.start;
  if (start.size() != vertices + 1 || start.front() != 0 || start.back() != rotations.neighbour.size() ||
      !std::is_sorted(start.begin(), start.end()) || rotations.twisted.size() != rotations.neighbour.size())
    return false;
  std::vector<std::array<Index, 3>> there;
  for (Index v = 0; v < vertices; ++v) {
    for (std::uint64_t k = start[v]; k < start[v + std::uint64_t{1}]; ++k) {
      const Index w = rotations.neighbour[k];
      if (w >= vertices || w == v || rotations.twisted[k] > 1) return false;
      there.push_back({v, w, rotations.twisted[k]});
    }
  }
  std::vector<std::array<Index, 3>> back = there;
  for (std::array<Index, 3>& one : back) std::swap(one[0], one[1]);
  std::sort(there.begin(), there.end());
  std::sort(back.begin(), back.end());
  const auto one_edge = [](const auto& a, const auto& b) { return a[0] == b[0] && a[1] == b[1]; };
  return there == back && std::adjacent_find(there.begin(), there.end(), one_edge) == there.end();
}

RotationSurface surface_of(const Rotations& rotations) {
  RotationSurface surface;
  walk_over(rotations, surface);
  const std::vector<std::uint64_t> other = other_places(rotations);
  std::vector<Index> vertex(other.size());
  for (Index v = 0; v < rotations.vertices(); ++v) {
    std::fill(vertex.begin() + static_cast<std::ptrdiff_t>(rotations.start[v]),
              vertex.begin() + static_cast<std::ptrdiff_t>(rotations.start[v + std::uint64_t{1}]), v);
  }
  // Side 2 k + s: along the edge at place k, then on to the one behind (s = 0) or before it (s = 1). Each
  // face has two walks, one in each direction.
  std::vector<std::uint8_t> seen(2 * other.size(), 0);
  std::uint64_t walks = 0;
  StopPoll poll;
  for (std::uint64_t first = 0; first < seen.size(); ++first) {
    if (seen[first] != 0) continue;
    ++walks;
    for (std::uint64_t at = first; seen[at] == 0;) {
      poll.step();
      seen[at] = 1;
      const std::uint64_t sense = at % 2 ^ rotations.twisted[at / 2];
      const std::uint64_t here = other[at / 2];
      const std::uint64_t begin = rotations.start[vertex[here]];
      const std::uint64_t end = rotations.start[vertex[here] + std::uint64_t{1}];
      const std::uint64_t next =
          sense == 0 ? (here + 1 == end ? begin : here + 1) : (here == begin ? end - 1 : here - 1);
      at = 2 * next + sense;
    }
  }
  surface.faces += walks / 2;
  surface.loops = 2 * surface.components + other.size() / 2 - rotations.vertices() - surface.faces;
  return surface;
}

}  // namespace countpm
