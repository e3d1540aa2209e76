#include "kernels/estimate/population/plan_columns.hpp"

#include <algorithm>

namespace countpm {
namespace {

// More would take longer to look at than populations do to draw.
constexpr std::uint64_t most_neighbours_of_all = std::uint64_t{1} << 23;
constexpr std::size_t most_columns_reached = 512;

}  // namespace

PlanColumns::PlanColumns(const PopulationPlan& plan) {
  std::vector<std::uint32_t> column_of_bit(plan.width, 0);
  std::vector<char> taken(plan.width, 0);
  of_step_.resize(plan.steps());
  for (std::size_t t = 0; t < plan.steps(); ++t) {
    for (std::uint64_t e = plan.first_entry[t]; e < plan.first_entry[t + 1]; ++e) {
      const std::uint32_t bit = plan.entries[e].bit;
      if (taken[bit] == 0) {
        taken[bit] = 1;
        column_of_bit[bit] = static_cast<std::uint32_t>(bit_.size());
        bit_.push_back(bit);
        steps_.emplace_back();
      }
      of_step_[t].push_back(column_of_bit[bit]);
      steps_[column_of_bit[bit]].push_back(static_cast<std::uint32_t>(t));
    }
    for (std::uint64_t e = plan.first_entry[t]; e < plan.first_entry[t + 1]; ++e) {
      if (plan.entries[e].last) taken[plan.entries[e].bit] = 0;
    }
  }
  std::uint64_t all = 0;
  for (const auto& columns : of_step_) all += columns.size() * columns.size();
  if (all > most_neighbours_of_all) return;
  neighbours_.resize(steps_.size());
  for (const auto& columns : of_step_) {
    for (const std::uint32_t j : columns) {
      for (const std::uint32_t k : columns) {
        if (k != j) neighbours_[j].push_back(k);
      }
    }
  }
  for (auto& list : neighbours_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

std::vector<std::uint32_t> PlanColumns::near(std::size_t step, unsigned rows, std::size_t most) const {
  std::vector<std::uint32_t> reached = of_step_[step];
  std::vector<std::uint32_t> sorted = reached;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint32_t> result;
  const auto add_live = [&](std::size_t from) {
    std::vector<std::uint32_t> wider = result;
    for (std::size_t k = from; k < reached.size(); ++k) {
      if (live(reached[k], step)) wider.push_back(reached[k]);
    }
    if (wider.size() > most) return false;
    result = std::move(wider);
    return true;
  };
  if (!add_live(0)) return {};
  std::size_t from = 0;
  for (unsigned round = 0; round < rows; ++round) {
    const std::size_t until = reached.size();
    std::vector<std::uint32_t> next;
    for (std::size_t k = from; k < until; ++k) {
      next.insert(next.end(), neighbours_[reached[k]].begin(), neighbours_[reached[k]].end());
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    std::vector<std::uint32_t> fresh;
    std::set_difference(next.begin(), next.end(), sorted.begin(), sorted.end(), std::back_inserter(fresh));
    if (reached.size() + fresh.size() > most_columns_reached) break;
    reached.insert(reached.end(), fresh.begin(), fresh.end());
    if (!add_live(until)) break;
    sorted.insert(sorted.end(), fresh.begin(), fresh.end());
    std::sort(sorted.begin(), sorted.end());
    from = until;
  }
  return result;
}

}  // namespace countpm
