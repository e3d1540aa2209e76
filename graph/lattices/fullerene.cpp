// The faces are wound around each other: each new one touches the one before it, and the earliest that still
// has an open side. Those with open sides are a ring, in order; a new face joins its last and its first, and
// goes on along either end as long as these are full. Wherever it touches two neighbours of the ring, three
// faces meet: a vertex. The last face must fill the ring.
#include "graph/lattices/fullerene.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>

#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

class Winding {
 public:
  explicit Winding(const std::vector<std::uint8_t>& sizes) : open_(sizes.begin(), sizes.end()) {}

  WoundSpiral run() {
    const std::size_t faces = open_.size();
    if (faces < 4 || !join(0, 1)) return {{}, 1};
    ring_ = {0, 1};
    StopPoll poll;
    for (Index k = 2; k + 1 < faces; ++k) {
      poll.step();
      if (!wind(k)) return {{}, k + std::size_t{1}};
    }
    if (!close(static_cast<Index>(faces - 1)) || vertices_ != 2 * faces - 4) return {{}, faces};
    WoundSpiral result;
    for (const auto& [sides, corners] : corners_of_) {
      if (corners[1] == no_index) return {{}, faces};
      result.edges.push_back({corners[0], corners[1]});
    }
    std::sort(result.edges.begin(), result.edges.end(),
              [](const Edge& a, const Edge& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
    return result;
  }

 private:
  // One side of each; false where one of them has none left.
  bool join(Index a, Index b) {
    if (open_[a] == 0 || open_[b] == 0) return false;
    --open_[a];
    --open_[b];
    return true;
  }

  // A vertex between three faces, and the two edges or fewer that lead to it from there.
  bool meet(Index a, Index b, Index c) {
    const auto vertex = static_cast<Index>(vertices_++);
    for (const auto& [first, second] : {std::minmax(a, b), std::minmax(b, c), std::minmax(a, c)}) {
      auto& corners = corners_of_.try_emplace({first, second}, std::array{no_index, no_index}).first->second;
      if (corners[1] != no_index) return false;
      (corners[0] == no_index ? corners[0] : corners[1]) = vertex;
    }
    return true;
  }

  bool wind(Index k) {
    if (ring_.size() < 2) return false;
    if (!join(k, ring_.back()) || !join(k, ring_.front()) || !meet(k, ring_.back(), ring_.front()))
      return false;
    while (open_[ring_.back()] == 0) {
      const Index full = ring_.back();
      ring_.pop_back();
      if (ring_.size() < 2 || !join(k, ring_.back()) || !meet(k, full, ring_.back())) return false;
    }
    while (open_[ring_.front()] == 0) {
      const Index full = ring_.front();
      ring_.pop_front();
      if (ring_.size() < 2 || !join(k, ring_.front()) || !meet(k, full, ring_.front())) return false;
    }
    if (open_[k] == 0) return false;
    ring_.push_back(k);
    return true;
  }

  bool close(Index last) {
    if (ring_.size() < 3 || ring_.size() != open_[last]) return false;
    for (std::size_t k = 0; k < ring_.size(); ++k) {
      if (open_[ring_[k]] != 1) return false;
      if (!meet(last, ring_[k], ring_[(k + 1) % ring_.size()])) return false;
    }
    return true;
  }

  std::vector<std::uint8_t> open_;  // sides that touch no face yet
  std::deque<Index> ring_;
  std::uint64_t vertices_ = 0;
  std::map<std::pair<Index, Index>, std::array<Index, 2>> corners_of_;  // of the edge between two faces
};

}  // namespace

WoundSpiral wind_spiral(const std::vector<std::uint8_t>& face_sizes) {
  return Winding(face_sizes).run();
}

}  // namespace countpm
