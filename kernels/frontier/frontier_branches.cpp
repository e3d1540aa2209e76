// FrontierJob: tables too wide for the memory, cut into branches.
#include "kernels/frontier/frontier_job.hpp"

#include <iterator>
#include <utility>

namespace countpm {
namespace {

constexpr double seconds_to_order_a_unit = 0.02;
// The list of branches may take this share of the memory; the tables get the rest.
constexpr std::uint64_t share_of_branches = 8;
constexpr std::uint64_t fixed_list_bytes = std::uint64_t{1} << 18;  // of fixed_bytes

}  // namespace

double FrontierJob::log2_states_in_a_branch() const {
  const auto bytes = static_cast<double>(options_.memory_bytes - bytes_of_branches());
  return std::min(log2_states_in(bytes, pass_bytes()), log2_most_states);
}

std::uint64_t FrontierJob::bytes_of_branches() const {
  const std::uint64_t share = options_.memory_bytes / share_of_branches;
  return share > fixed_list_bytes ? share - fixed_list_bytes : 0;
}

void FrontierJob::branch() {
  // Every class taken out lowers the peak by a bit or two: hopeless where it would take too many.
  constexpr double most_bits_too_many = 16;
  if (forecast_.log2_peak_bytes_states > log2_states_in_a_branch() + most_bits_too_many) return;
  const std::uint64_t list_bytes = bytes_of_branches() + fixed_list_bytes;
  auto branches =
      plan_branches(*graph_, *elimination_, log2_states_in_a_branch(), most_units / passes(), list_bytes);
  if (branches) take_branches(std::move(*branches));
}

void FrontierJob::take_branches(BranchPlan&& branches) {
  integers_ = false;
  both_ends_ = nullptr;
  branched_ = std::move(branches.classes);
  paths_ = std::move(branches.paths);
  log2_bytes_ = log2_sum(log2_bytes_for(log2_states_in_a_branch()),
                         std::log2(static_cast<double>(bytes_of_branches() + 1)));
  // Some of the units, spread evenly, stand for all.
  constexpr std::size_t looked_at = 32;
  double work = -std::numeric_limits<double>::infinity();
  std::size_t count = 0;
  for (std::size_t k = 0; k < paths_.size(); k += paths_.size() / looked_at + 1, ++count) {
    const BranchGraph branch = branch_graph(*graph_, *elimination_, paths_[k]);
    work = log2_sum(work, forecast_elimination(branch.graph, branch.elimination).log2_transitions);
  }
  work += std::log2(static_cast<double>(paths_.size()) / static_cast<double>(count));
  log2_work_ = std::max(work, 0.0) + std::log2(static_cast<double>(passes()));
}

Partial FrontierJob::run_branches(const BranchPath& path, const BranchRules& rules, const StopSignal& stop,
                                  const RunBranch& run) const {
  Partial total = zero(arithmetic_);
  std::vector<BranchPath> open{path};
  while (!open.empty()) {
    const BranchPath at = std::move(open.back());
    open.pop_back();
    BranchGraph branch = branch_graph(*graph_, *rules.elimination, at);
    const double log2_states = better_order(branch, rules, stop);
    if (log2_states > rules.log2_states) {
      std::vector<BranchPath> further = branch_further(*graph_, *rules.elimination, at, 16);
      std::move(further.begin(), further.end(), std::back_inserter(open));
      continue;
    }
    Partial term = run(branch, log2_states);
    for (const BranchChoice& choice : at) {
      multiply(term, columns().factor(block_, choice.entry, choice.ways), arithmetic_);
    }
    add(total, term, arithmetic_);
  }
  return total;
}

double FrontierJob::better_order(BranchGraph& branch, const BranchRules& rules,
                                 const StopSignal& stop) const {
  EliminationForecast forecast = forecast_elimination(branch.graph, branch.elimination);
  const double seconds = std::exp2(forecast.log2_transitions) / nominal_rate() / 10;
  // Searching is for units that take long.
  if (seconds > seconds_to_order_a_unit) {
    OrderSearch search(branch.graph, options_.seed, options_.order, {rules.log2_states, rules.log2_states});
    search.improve(seconds_to_order_a_unit, stop);
    const EliminationForecast& own = rules.linear ? search.linear_forecast() : search.forecast();
    if (own.log2_transitions < forecast.log2_transitions &&
        own.log2_peak_bytes_states <= std::max(rules.log2_states, forecast.log2_peak_bytes_states)) {
      forecast = own;
      branch.elimination = rules.linear ? search.best_linear() : search.best();
    }
  }
  return forecast.log2_peak_bytes_states;
}

}  // namespace countpm
