#include "kernels/pruned/search/census.hpp"

#include <cmath>
#include <utility>

#include "kernels/subsets/prefix_sample.hpp"

namespace countpm {
namespace {

constexpr std::int64_t widest_shifted_row = 4096;  // of the rows whose shift is searched
// Prefixes with one zero row are spread over all rows: more of them are kept.
constexpr std::size_t one_zero_factor = 3;
// Levels that matter less than this are not counted through.
constexpr double least_share = 0.01;

/// Row sums modulo 2^32: what is wider is never searched, and mistaken for zero once in 2^32.
using Sum = std::uint32_t;

/// With the row that is zero (no_index: none).
using Members = PrefixSample<Sum, Index>;
using Child = Members::Child;

class Census {
 public:
  Census(const IntegerColumns<std::int64_t>& columns, const PrunedPlan<std::int64_t>& plan,
         std::size_t population, std::mt19937_64& random)
      : columns_(columns),
        plan_(plan),
        population_(population),
        random_(random),
        rows_(columns.rows),
        none_(rows_),
        one_(rows_),
        next_none_(rows_),
        next_one_(rows_) {
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
  }

  PrunedCensus take(const LevelCosts& costs) {
    std::vector<Sum> start;
    for (const std::int64_t x : plan_.shift) start.push_back(static_cast<Sum>(x));
    none_.add(start, no_index);
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
    const double survivors = none_.total_weight();
    if (survivors == 0) {
      if (leaves) result_.log2_survival.assign(rows_, -0.5);
      return;
    }
    if (share > least_share) {
      for (std::size_t m = 0; m < none_.size(); ++m) {
        const double part = share * none_.weight(m) / survivors;
        const Sum* sums = none_.sums(m);
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
        blame_[one_.mark(m)] += share * one_.weight(m) / survivors;
    }
    if (!leaves) return;
    std::vector<double> killed(rows_, 0);
    for (std::size_t m = 0; m < one_.size(); ++m) killed[one_.mark(m)] += one_.weight(m);
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
    entries_.clear();
    for (auto e = columns_.start[column]; e < columns_.start[column + std::uint64_t{1}]; ++e)
      entries_.push_back({columns_.row[e], static_cast<Sum>(columns_.value[e])});
    none_children_.clear();
    one_children_.clear();
    list_children(none_, level);
    list_children(one_, level);
    thin_out(none_children_, population_, random_);
    thin_out(one_children_, population_ * one_zero_factor, random_);
    next_none_.become(none_children_, entries_);
    next_one_.become(one_children_, entries_);
    std::swap(none_, next_none_);
    std::swap(one_, next_one_);
    // weights near 1
    const double mean = none_.size() == 0 ? 1 : none_.total_weight() / static_cast<double>(none_.size());
    none_.scale_down(mean);
    one_.scale_down(mean);
    log2_scale_ += std::log2(mean);
  }

  /// The children of all members without a zero row, and those with one.
  void list_children(const Members& members, std::size_t level) {
    const auto visit = [&](Child&& child, const auto& sum_of) {
      for (const Index i : closed_[level + 1]) {
        if (sum_of(i) != 0) continue;
        if (child.mark != no_index) return;
        child.mark = i;
      }
      (child.mark == no_index ? none_children_ : one_children_).push_back(child);
    };
    members.visit_children(entries_, columns_.multiplicity[plan_.order[level]], visit);
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
  std::vector<ColumnEntry<Sum>> entries_;
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
