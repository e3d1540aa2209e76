#include "kernels/pruned/search/census.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/uniform.hpp"

namespace countpm {
namespace {

constexpr std::int64_t widest_shifted_row = 4096;  // of the rows whose shift is searched
// Prefixes with one zero row are spread over all rows: more of them are kept.
constexpr std::size_t one_zero_factor = 3;
// Levels that matter less than this are not counted through.
constexpr double least_share = 0.01;

/// Row sums modulo 2^32: what is wider is never searched, and mistaken for zero once in 2^32.
using Sum = std::uint32_t;

struct Members {
  std::vector<Sum> sums;
  std::vector<double> weight;
  std::vector<Index> zero_row;  // no_index: none

  std::size_t size() const { return weight.size(); }
  double total() const {
    double sum = 0;
    for (const double w : weight) sum += w;
    return sum;
  }
};

/// A child that may go on: of its row sums only those that its level completes were looked at.
struct Child {
  const Members* of;
  std::size_t parent;
  Index digit;
  Index zero_row;
  double weight;
};

/// Stratified resampling: one member of each stretch of equal weight, so that `capacity` of equal weight go
/// on, each about as often as its weight says, and no two siblings while others are left out. (Equidistant
/// ones would fall into step with the digits.)
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
    const double uniform = unit_interval(random());
    const double wanted = step * (static_cast<double>(k) + uniform);
    while (passed <= wanted && m + 1 < children.size()) passed += children[++m].weight;
    kept.push_back(children[m]);
    kept.back().weight = step;
  }
  children = std::move(kept);
}

class Census {
 public:
  Census(const IntegerColumns<std::int64_t>& columns, const PrunedPlan<std::int64_t>& plan,
         std::size_t population, std::mt19937_64& random)
      : columns_(columns), plan_(plan), population_(population), random_(random), rows_(columns.rows) {
    std::vector<std::size_t> last(rows_, 0);
    for (std::size_t k = 0; k < plan.order.size(); ++k) {
      for (std::uint64_t e = columns.start[plan.order[k]];
           e < columns.start[plan.order[k] + std::uint64_t{1}]; ++e)
        last[columns.row[e]] = k + 1;
    }
    closed_.resize(plan.order.size() + 1);
    for (Index i = 0; i < rows_; ++i) closed_[last[i]].push_back(i);
    for (Index i = 0; i < rows_; ++i) {
      const std::int64_t negative = (columns.row_bound[i] - columns.row_sum[i]) / 2;
      result_.least_sum.push_back(-negative);
      const bool narrow = columns.row_bound[i] <= widest_shifted_row;
      result_.gain.emplace_back(narrow ? static_cast<std::size_t>(columns.row_bound[i]) + 1 : 0, 0.0);
    }
    blame_.assign(rows_, 0);
    column_.assign(rows_, 0);
  }

  PrunedCensus take(const LevelCosts& costs) {
    Members root;
    for (const std::int64_t x : plan_.shift) root.sums.push_back(static_cast<Sum>(x));
    root.weight = {1};
    root.zero_row = {no_index};
    Members none;
    none_ = std::move(root);
    // rows without a column count in every prefix alike
    const std::size_t levels = plan_.order.size();
    const std::size_t head = costs.cost.size();
    for (std::size_t k = 0; k < levels; ++k) {
      for (const Index i : closed_[k]) complete_.push_back(i);
      if (k < head) look(costs.cost[k] * costs.open[k], false);
      decide(k);
      if (none_.size() == 0) break;
    }
    for (const Index i : closed_[levels]) complete_.push_back(i);
    double at_leaves = costs.products;
    for (std::size_t k = 0; k < head; ++k) at_leaves += costs.cost[k] * (1 - costs.open[k]);
    look(at_leaves, true);
    for (std::size_t i = 0; i < rows_; ++i) {
      auto& gain = result_.gain[i];
      for (double& value : gain) value -= blame_[i];
      if (gain.empty()) continue;
      const std::int64_t now = -plan_.shift[i] - result_.least_sum[i];
      if (now >= 0 && now < static_cast<std::int64_t>(gain.size())) gain[static_cast<std::size_t>(now)] = 0;
    }
    return std::move(result_);
  }

 private:
  /// Takes the counts of this level with the share of the cost that goes with it.
  void look(double share, bool leaves) {
    const double survivors = none_.total();
    if (survivors == 0) {
      if (leaves) result_.log2_survival.assign(rows_, -0.5);
      return;
    }
    if (share > least_share) {
      for (std::size_t m = 0; m < none_.size(); ++m) {
        const double part = share * none_.weight[m] / survivors;
        const Sum* sums = none_.sums.data() + m * rows_;
        for (const Index i : complete_) {
          auto& gain = result_.gain[i];
          if (gain.empty()) continue;
          const std::int64_t chosen =
              static_cast<std::int32_t>(sums[i] - static_cast<Sum>(plan_.shift[i])) - result_.least_sum[i];
          if (chosen >= 0 && chosen < static_cast<std::int64_t>(gain.size()))
            gain[static_cast<std::size_t>(chosen)] += part;
        }
      }
      for (std::size_t m = 0; m < one_.size(); ++m)
        blame_[one_.zero_row[m]] += share * one_.weight[m] / survivors;
    }
    if (!leaves) return;
    std::vector<double> killed(rows_, 0);
    for (std::size_t m = 0; m < one_.size(); ++m) killed[one_.zero_row[m]] += one_.weight[m];
    double sum = 0;
    for (std::size_t i = 0; i < rows_; ++i) {
      result_.log2_survival.push_back(std::log2(survivors / (survivors + killed[i])));
      sum += result_.log2_survival.back();
    }
    double log2_all = 0;
    for (const Index m : columns_.multiplicity) log2_all += std::log2(static_cast<double>(m) + 1);
    result_.log2_leaves = log2_scale_ + std::log2(survivors);
    const double scale = sum < 0 ? (result_.log2_leaves - log2_all) / sum : 1;
    for (double& value : result_.log2_survival) value *= scale;
  }

  void decide(std::size_t level) {
    const Index column = plan_.order[level];
    const auto first = columns_.start[column];
    const auto end = columns_.start[column + std::uint64_t{1}];
    for (auto e = first; e < end; ++e) column_[columns_.row[e]] = static_cast<Sum>(columns_.value[e]);
    none_children_.clear();
    one_children_.clear();
    list_children(none_, level);
    list_children(one_, level);
    for (auto e = first; e < end; ++e) column_[columns_.row[e]] = 0;
    thin_out(none_children_, population_, random_);
    thin_out(one_children_, population_ * one_zero_factor, random_);
    const auto make = [&](const std::vector<Child>& children, Members& into) {
      into.sums.resize(children.size() * rows_);
      into.weight.resize(children.size());
      into.zero_row.resize(children.size());
      for (std::size_t m = 0; m < children.size(); ++m) {
        const Child& child = children[m];
        Sum* const sums = into.sums.data() + m * rows_;
        std::copy_n(child.of->sums.data() + child.parent * rows_, rows_, sums);
        for (auto e = first; e < end && child.digit != 0; ++e)
          sums[columns_.row[e]] += static_cast<Sum>(columns_.value[e]) * child.digit;
        into.weight[m] = child.weight;
        into.zero_row[m] = child.zero_row;
      }
    };
    make(none_children_, next_none_);
    make(one_children_, next_one_);
    std::swap(none_, next_none_);
    std::swap(one_, next_one_);
    // weights near 1
    const double mean = none_.size() == 0 ? 1 : none_.total() / static_cast<double>(none_.size());
    for (double& weight : none_.weight) weight /= mean;
    for (double& weight : one_.weight) weight /= mean;
    log2_scale_ += std::log2(mean);
  }

  /// The children of all members without a zero row, and those with one.
  void list_children(const Members& members, std::size_t level) {
    const Index copies = columns_.multiplicity[plan_.order[level]];
    StopPoll poll;
    for (std::size_t m = 0; m < members.size(); ++m) {
      poll.steps(closed_[level + 1].size());
      const Sum* const sums = members.sums.data() + m * rows_;
      for (Index digit = 0; digit <= copies; ++digit) {
        Index zero = members.zero_row[m];
        bool dead = false;
        for (const Index i : closed_[level + 1]) {
          if (sums[i] + column_[i] * digit != 0) continue;
          dead = zero != no_index;
          zero = i;
          if (dead) break;
        }
        if (!dead)
          (zero == no_index ? none_children_ : one_children_)
              .push_back({&members, m, digit, zero, members.weight[m]});
      }
    }
  }

  const IntegerColumns<std::int64_t>& columns_;
  const PrunedPlan<std::int64_t>& plan_;
  std::size_t population_;
  std::mt19937_64& random_;
  std::size_t rows_;
  std::vector<std::vector<Index>> closed_;  // [levels + 1]: rows complete after so many columns
  std::vector<Index> complete_;
  std::vector<double> blame_;
  Members none_;
  Members one_;
  // of the level at hand
  std::vector<Sum> column_;
  std::vector<Child> none_children_;
  std::vector<Child> one_children_;
  Members next_none_;
  Members next_one_;
  double log2_scale_ = 0;
  PrunedCensus result_;
};

}  // namespace

PrunedCensus take_census(const IntegerColumns<std::int64_t>& columns, const PrunedPlan<std::int64_t>& plan,
                         const LevelCosts& level_costs, std::size_t population, std::mt19937_64& random) {
  return Census(columns, plan, population, random).take(level_costs);
}

}  // namespace countpm
