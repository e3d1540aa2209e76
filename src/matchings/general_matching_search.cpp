#include "src/matchings/general_matching_search.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "graph/errors.hpp"

namespace countpm {

GeneralMatchingSearch::GeneralMatchingSearch(const SparsePattern& graph, std::vector<Index> mate,
                                             std::function<bool()> interrupted, Index decided)
    : graph_(graph),
      interrupted_(std::move(interrupted)),
      decided_(std::min(decided, graph.rows)),
      forest_(graph),
      mate_(std::move(mate)) {}

bool GeneralMatchingSearch::next() {
  while (step()) {
    if (to_skip_ == 0) return true;
    --to_skip_;
  }
  return false;
}

bool GeneralMatchingSearch::step() {
  if (!std::exchange(started_, true)) return descend();
  while (!decisions_.empty()) {
    if (advance(decisions_.back())) return descend();
    decisions_.pop_back();
  }
  return false;
}

// To the first matching below the decisions so far. Always true: the matching at hand completes them.
bool GeneralMatchingSearch::descend() {
  for (Index v = decisions_.empty() ? 0 : decisions_.back().vertex + 1; v < decided_; ++v) {
    if (forest_.removed(v)) continue;
    Decision& decision = decisions_.emplace_back(Decision{v, graph_.row_start[v]});
    if (!advance(decision)) throw std::logic_error("list: a vertex without a partner in a perfect matching");
  }
  return true;
}

// To the next partner; false, and the vertex undecided again, where there is none.
bool GeneralMatchingSearch::advance(Decision& decision) {
  if (interrupted_ && interrupted_()) throw InterruptedError("interrupted");
  const Index v = decision.vertex;
  const Index partner = mate_[v];
  forest_.restore(v);
  forest_.restore(partner);
  const std::uint64_t end = graph_.row_start[v + std::uint64_t{1}];
  std::uint64_t candidates = 0;
  std::uint64_t only = 0;
  for (std::uint64_t k = decision.at; k < end; ++k) {
    if (forest_.removed(graph_.column[k])) continue;
    ++candidates;
    only = k;
  }
  if (candidates == 0) return false;
  const auto take = [&](std::uint64_t entry) {
    forest_.remove(v);
    forest_.remove(graph_.column[entry]);
    decision.at = entry + 1;
    return true;
  };
  if (candidates == 1 && graph_.column[only] == partner) return take(only);

  forest_.remove(v);
  mate_[v] = mate_[partner] = no_index;
  forest_.grow(partner, mate_);
  std::uint64_t k = decision.at;
  while (k < end && (forest_.removed(graph_.column[k]) || !forest_.is_outer(graph_.column[k]))) ++k;
  const Index next = k < end ? graph_.column[k] : partner;
  forest_.exchange(partner, next, mate_);
  mate_[v] = next;
  mate_[next] = v;
  forest_.restore(v);
  return k < end && take(k);
}

}  // namespace countpm
