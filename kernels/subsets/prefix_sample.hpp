#pragma once
// How large a tree of prefixes is, without going through it: population sampling. A node is a prefix, the
// choice of how many copies of each of the first columns a subset takes; level by level the children of a
// sample of the nodes are looked at, and of those that survive at most a given number goes on, each standing
// for as many as there were. Estimates of sums over the nodes of a level are unbiased.
// D. E. Knuth, Estimating the efficiency of backtrack programs, Math. Comp. 29 (1975): one node a level.
// P.-C. Chen, Heuristic sampling: a method for predicting the performance of tree searching programs, SIAM J.
// Comput. 21 (1992).
// The expansion of forbert-marx, whose nodes are matrices that cost more than their place in a list, makes
// Knuth's descents (kernels/expansion/forecast.hpp).
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/uniform.hpp"

namespace countpm {

/// What a column adds to the row sums where one copy of it is chosen.
template <class Sum>
struct ColumnEntry {
  Index row;
  Sum value;
};

/// Nodes of one level: their row sums one after another, what each of them stands for, and what else its
/// user keeps of a node (Mark).
template <class Sum, class Mark>
class PrefixSample {
 public:
  /// A child that may go on. Its row sums are made when it does.
  struct Child {
    const PrefixSample* of;
    std::size_t parent;
    Index digit;  // how many copies of the level's column it takes
    double weight;
    Mark mark;
  };

  explicit PrefixSample(std::size_t rows) : rows_(rows) {}

  void add(const std::vector<Sum>& sums, Mark mark) {
    sums_.insert(sums_.end(), sums.begin(), sums.end());
    weight_.push_back(1);
    mark_.push_back(std::move(mark));
  }

  std::size_t rows() const { return rows_; }
  std::size_t size() const { return weight_.size(); }
  const Sum* sums(std::size_t member) const { return sums_.data() + member * rows_; }
  double weight(std::size_t member) const { return weight_[member]; }
  const Mark& mark(std::size_t member) const { return mark_[member]; }
  double total_weight() const {
    double sum = 0;
    for (const double weight : weight_) sum += weight;
    return sum;
  }
  /// Divides all weights.
  void scale_down(double by) {
    for (double& weight : weight_) weight /= by;
  }

  /// Calls visit(child, sum_of) for every child of every member, where sum_of(row) is the child's sum of the
  /// row. Entries: of one copy of the column, with `row` and `value`; 0 .. copies of them may be chosen.
  /// O(members copies) calls. Throws Stopped.
  template <class Entries, class Visit>
  void visit_children(const Entries& entries, Index copies, const Visit& visit) const {
    std::vector<Sum> column(rows_, Sum(0));
    for (const auto& entry : entries) column[entry.row] = entry.value;
    StopPoll poll;
    for (std::size_t member = 0; member < size(); ++member) {
      poll.steps(entries.size());
      const Sum* const now = sums(member);
      for (Index digit = 0; digit <= copies; ++digit) {
        const auto sum_of = [&](Index row) -> Sum { return now[row] + column[row] * Factor(digit); };
        visit(Child{this, member, digit, weight_[member], mark_[member]}, sum_of);
      }
    }
  }

  /// Becomes these children, of other samples. O(children rows).
  template <class Entries>
  void become(const std::vector<Child>& children, const Entries& entries) {
    sums_.resize(children.size() * rows_);
    weight_.resize(children.size());
    mark_.resize(children.size());
    for (std::size_t m = 0; m < children.size(); ++m) {
      const Child& child = children[m];
      Sum* const into = sums_.data() + m * rows_;
      std::copy_n(child.of->sums(child.parent), rows_, into);
      if (child.digit != 0) {
        for (const auto& entry : entries) into[entry.row] += entry.value * Factor(child.digit);
      }
      weight_[m] = child.weight;
      mark_[m] = child.mark;
    }
  }

 private:
  using Factor = std::conditional_t<std::is_unsigned_v<Sum>, Sum, std::int64_t>;

  std::size_t rows_;
  std::vector<Sum> sums_;
  std::vector<double> weight_;
  std::vector<Mark> mark_;
};

/// Stratified resampling: one child of each stretch of equal weight, so that `capacity` of equal weight go
/// on, each about as often as its weight says, and no two siblings while others are left out. (Equidistant
/// ones would fall into step with the digits.) The total of their weights stays. O(children).
template <class Child>
void thin_out(std::vector<Child>& children, std::size_t capacity, std::mt19937_64& random) {
  if (children.size() <= capacity) return;
  double total = 0;
  for (const Child& child : children) total += child.weight;
  const double step = total / static_cast<double>(capacity);
  std::vector<Child> kept;
  kept.reserve(capacity);
  std::size_t m = 0;
  double passed = children[0].weight;
  for (std::size_t k = 0; k < capacity; ++k) {
    const double wanted = step * (static_cast<double>(k) + unit_interval(random()));
    while (passed <= wanted && m + 1 < children.size()) passed += children[++m].weight;
    kept.push_back(children[m]);
    kept.back().weight = step;
  }
  children = std::move(kept);
}

/// The next level of a sample whose members weigh 1: it becomes its children, at most `capacity` of them,
/// each of weight 1 again. Returns log2 of how many of the children each of them stands for.
template <class Sum, class Mark, class Entries>
double descend(PrefixSample<Sum, Mark>& sample,
               std::vector<typename PrefixSample<Sum, Mark>::Child>& children, const Entries& entries,
               std::size_t capacity, std::mt19937_64& random) {
  thin_out(children, capacity, random);
  PrefixSample<Sum, Mark> next(sample.rows());
  next.become(children, entries);
  sample = std::move(next);
  if (sample.size() == 0) return 0;
  const double weight = sample.weight(0);
  sample.scale_down(weight);
  return std::log2(weight);
}

}  // namespace countpm
