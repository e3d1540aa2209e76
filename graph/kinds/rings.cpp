#include "graph/kinds/rings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

constexpr std::size_t most_rings = std::size_t{1} << 22;

class RingSearch {
 public:
  RingSearch(const Graph& graph, std::uint32_t length)
      : length_(length), start_(graph.left_labels.size() + std::size_t{1}, 0) {
    for (const Edge& edge : graph.edges) {
      if (edge.from == edge.to) continue;
      ++start_[edge.from + std::size_t{1}];
      ++start_[edge.to + std::size_t{1}];
    }
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    neighbour_.resize(start_.back());
    std::vector<std::uint64_t> next(start_.begin(), start_.end() - 1);
    for (const Edge& edge : graph.edges) {
      if (edge.from == edge.to) continue;
      neighbour_[next[edge.from]++] = edge.to;
      neighbour_[next[edge.to]++] = edge.from;
    }
    near_.assign(graph.left_labels.size(), 0);
    at_start_.assign(graph.left_labels.size(), 0);
  }

  /// Appends every ring, from its least vertex towards the smaller of that one's two neighbours.
  void find(std::vector<std::vector<Index>>& rings) {
    for (Index v = 0; v < near_.size(); ++v) {
      for (const Index u : around(v)) at_start_[u] = 1;
      extend(v);
      walk(rings);
      for (const Index u : around(v)) at_start_[u] = 0;
    }
  }

 private:
  std::vector<Index>::const_iterator begin(Index v) const {
    return neighbour_.begin() + static_cast<std::ptrdiff_t>(start_[v]);
  }
  std::vector<Index> around(Index v) const { return {begin(v), begin(v + 1)}; }

  void extend(Index v) {
    path_.push_back(v);
    next_.push_back(start_[v]);
    for (std::uint64_t k = start_[v]; k < start_[v + std::size_t{1}]; ++k) ++near_[neighbour_[k]];
  }
  void give_back() {
    const Index v = path_.back();
    path_.pop_back();
    next_.pop_back();
    for (std::uint64_t k = start_[v]; k < start_[v + std::size_t{1}]; ++k) --near_[neighbour_[k]];
  }

  /// near_[u]: how many vertices of the path are neighbours of u. A vertex within the ring has one, the last
  /// of the path; the one that closes it a second, the first.
  void walk(std::vector<std::vector<Index>>& rings) {
    const Index first = path_.front();
    while (!path_.empty()) {
      poll_.step();
      const Index at = path_.back();
      if (next_.back() == start_[at + std::size_t{1}]) {
        give_back();
        continue;
      }
      const Index u = neighbour_[next_.back()++];
      if (u <= first) continue;
      const bool closes = path_.size() + 1 == length_;
      if (!closes) {
        if (near_[u] == 1) extend(u);
      } else if (near_[u] == 2 && at_start_[u] != 0 && u > path_[1]) {
        if (rings.size() == most_rings)
          throw UnableError(fmt::format("there are more than {} rings", most_rings), "shorter --rings");
        rings.push_back(path_);
        rings.back().push_back(u);
        std::sort(rings.back().begin(), rings.back().end());
      }
    }
  }

  std::uint32_t length_;
  std::vector<std::uint64_t> start_;
  std::vector<Index> neighbour_;
  std::vector<std::uint32_t> near_;
  std::vector<char> at_start_;  // neighbours of the path's first vertex
  std::vector<Index> path_;
  std::vector<std::uint64_t> next_;  // of each, the neighbour to try next
  StopPoll poll_;
};

}  // namespace

std::vector<std::vector<Index>> rings_of(const Graph& graph, const std::vector<std::uint32_t>& lengths) {
  std::vector<std::vector<Index>> rings;
  for (const std::uint32_t length : std::set<std::uint32_t>(lengths.begin(), lengths.end()))
    RingSearch(graph, length).find(rings);
  return rings;
}

}  // namespace countpm
