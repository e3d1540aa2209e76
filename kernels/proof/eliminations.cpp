#include "kernels/proof/eliminations.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

/// The lowest number that nobody has.
class FreeBits {
 public:
  unsigned take() {
    if (free_.empty()) return next_++;
    const unsigned bit = free_.top();
    free_.pop();
    return bit;
  }
  void give_back(unsigned bit) { free_.push(bit); }
  unsigned most() const { return next_; }

 private:
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> free_;
  unsigned next_ = 0;
};

/// The sets by the place of their first vertex in the order.
std::vector<std::vector<std::uint64_t>> sets_by_step(const CoverShape& shape,
                                                     const std::vector<Index>& place) {
  std::vector<std::vector<std::uint64_t>> result(shape.vertices);
  for (std::uint64_t set = 0; set < shape.sets(); ++set) {
    Index first = no_index;
    for (std::uint64_t k = shape.start[set]; k < shape.start[set + 1]; ++k)
      first = std::min(first, place[shape.member[k]]);
    result[first].push_back(set);
  }
  return result;
}

class Planner {
 public:
  Planner(const CoverShape& shape, const std::vector<Index>& order)
      : shape_(shape), order_(order), place_(shape.vertices), bit_(shape.vertices), touched_(shape.vertices) {
    for (Index k = 0; k < shape.vertices; ++k) place_[order[k]] = k;
  }

  EliminationPlan plan() {
    const std::vector<std::vector<std::uint64_t>> sets = sets_by_step(shape_, place_);
    plan_.steps.reserve(shape_.vertices);
    StopPoll poll;
    for (Index k = 0; k < shape_.vertices; ++k) {
      poll.steps(sets[k].size());
      std::vector<std::uint64_t> edges;
      for (const std::uint64_t set : sets[k]) {
        if (size_of(set) == 2) {
          edges.push_back(set);
        } else {
          add(step_of_set(set));
        }
      }
      add(step_of_vertex(order_[k], edges));
    }
    plan_.bits = bits_.most();
    return std::move(plan_);
  }

 private:
  std::uint64_t size_of(std::uint64_t set) const { return shape_.start[set + 1] - shape_.start[set]; }

  void add(EliminationStepPlan step) {
    plan_.most_open = std::max(plan_.most_open, open_);
    plan_.numbers += std::max(step.degree(), 1U);
    plan_.steps.push_back(std::move(step));
  }

  StepVariable variable(Index w) {
    const bool entering = touched_[w] == 0;
    if (entering) {
      touched_[w] = 1;
      bit_[w] = bits_.take();
      ++open_;
    }
    return {w, bit_[w], entering};
  }

  EliminationStepPlan step_of_set(std::uint64_t set) {
    EliminationStepPlan step;
    step.of_set = true;
    step.open = open_;
    StepTerm term{set, {}};
    for (std::uint64_t k = shape_.start[set]; k < shape_.start[set + 1]; ++k) {
      term.others.push_back(static_cast<unsigned>(step.variables.size()));
      step.variables.push_back(variable(shape_.member[k]));
    }
    step.terms.push_back(std::move(term));
    return step;
  }

  EliminationStepPlan step_of_vertex(Index v, const std::vector<std::uint64_t>& edges) {
    EliminationStepPlan step;
    step.vertex = v;
    step.live = touched_[v] != 0;
    step.bit = bit_[v];
    step.monomer = !shape_.monomer.empty() && shape_.monomer[v] != 0;
    step.open = open_;
    if (step.live) {
      bits_.give_back(bit_[v]);
      --open_;
    }
    std::vector<std::pair<Index, std::uint64_t>> later;  // place of the other end, edge
    for (const std::uint64_t edge : edges) {
      const std::uint64_t first = shape_.start[edge];
      later.emplace_back(place_[shape_.member[first] == v ? shape_.member[first + 1] : shape_.member[first]],
                         edge);
    }
    std::sort(later.begin(), later.end());
    for (const auto& [place, edge] : later) {
      step.terms.push_back({edge, {static_cast<unsigned>(step.variables.size())}});
      step.variables.push_back(variable(order_[place]));
    }
    return step;
  }

  const CoverShape& shape_;
  const std::vector<Index>& order_;
  std::vector<Index> place_;
  std::vector<unsigned> bit_;
  std::vector<char> touched_;
  FreeBits bits_;
  unsigned open_ = 0;
  EliminationPlan plan_;
};

}  // namespace

unsigned EliminationStepPlan::degree() const {
  unsigned degree = live ? 1 : 0;
  for (const StepVariable& variable : variables) degree += variable.entering ? 0 : 1;
  return degree;
}

EliminationPlan plan_eliminations(const CoverShape& shape, const std::vector<Index>& order) {
  return Planner(shape, order).plan();
}

}  // namespace countpm
