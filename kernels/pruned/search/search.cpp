#include "kernels/pruned/search/search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>

#include "kernels/arithmetic/uniform.hpp"
#include "kernels/pruned/search/census.hpp"
#include "kernels/pruned/search/forecast.hpp"
#include "kernels/subsets/visits_forecast.hpp"
#include "kernels/support/parallel_ranges.hpp"

namespace countpm {
namespace {

/// About half of the sum, rounded down; and by how much to go off it for a standard deviation of `spread`.
std::int64_t shift_of(std::int64_t sum, double offset) {
  return -(sum / 2) + static_cast<std::int64_t>(std::llround(offset));
}
mpz_class shift_of(const mpz_class& sum, double) {
  return -(sum / 2);
}

constexpr std::int64_t widest_row = 4096;

/// P(sum of a random half of the row = least + k), or nothing where the sums spread too wide. Classes count
/// their copies as the tree does: each number of copies once.
std::vector<std::vector<double>> sum_chances(const IntegerColumns<std::int64_t>& columns) {
  std::vector<std::vector<double>> chances(columns.rows);
  std::vector<std::int64_t> least(columns.rows, 0);
  for (Index i = 0; i < columns.rows; ++i) {
    if (columns.row_bound[i] <= widest_row) chances[i] = {1};
  }
  for (Index j = 0; j < columns.columns(); ++j) {
    const auto copies = static_cast<std::int64_t>(columns.multiplicity[j]);
    for (std::uint64_t k = columns.start[j]; k < columns.start[j + std::uint64_t{1}]; ++k) {
      auto& before = chances[columns.row[k]];
      if (before.empty()) continue;
      const std::int64_t size = std::abs(columns.value[k]);
      std::vector<double> after(before.size() + static_cast<std::size_t>(size * copies), 0.0);
      // a negative entry only moves the least sum: by symmetry the chances are those of its magnitude
      for (std::int64_t t = 0; t <= copies; ++t) {
        for (std::size_t s = 0; s < before.size(); ++s)
          after[s + static_cast<std::size_t>(t * size)] += before[s] / static_cast<double>(copies + 1);
      }
      before = std::move(after);
    }
  }
  return chances;
}

std::int64_t least_sum(const IntegerColumns<std::int64_t>& columns, Index row) {
  return -(columns.row_bound[row] - columns.row_sum[row]) / 2;
}

/// log2 P(row i is not zero) by itself.
std::vector<double> lone_survival(const IntegerColumns<std::int64_t>& columns,
                                  const std::vector<std::int64_t>& shift) {
  const auto chances = sum_chances(columns);
  std::vector<double> result(columns.rows, 0);
  for (Index i = 0; i < columns.rows; ++i) {
    const std::int64_t at = -shift[i] - least_sum(columns, i);
    if (at < 0 || at >= static_cast<std::int64_t>(chances[i].size())) continue;
    result[i] = std::log2(std::max(1 - chances[i][static_cast<std::size_t>(at)], 1e-3));
  }
  return result;
}

/// Moves that a round may make, so that it stays cheap for large blocks.
std::uint64_t affordable_moves(const IntegerColumns<std::int64_t>& columns, double operations) {
  const double each = static_cast<double>(columns.row.size()) + 2.0 * columns.columns() + columns.rows;
  return static_cast<std::uint64_t>(operations / std::max(each, 1.0));
}

std::size_t affordable_population(const IntegerColumns<std::int64_t>& columns, double operations) {
  const double each = std::max(1.0, static_cast<double>(columns.rows) * columns.columns() * 8);
  return static_cast<std::size_t>(std::clamp(operations / each, 16.0, 4000.0));
}

/// log2 of what a plan costs, from a sample of its tree.
double sampled_cost(const IntegerColumns<std::int64_t>& columns, const PrunedPlan<std::int64_t>& plan,
                    std::size_t population, std::uint64_t seed) {
  const TreeForecast forecast = forecast_tree(make_prune_tree(columns, plan), population, seed);
  constexpr WalkCosts costs;
  const double high = std::max(forecast.log2_visits, forecast.log2_leaves);
  return high + std::log2(costs.visit * std::exp2(forecast.log2_visits - high) +
                          costs.product * std::exp2(forecast.log2_leaves - high));
}

}  // namespace

template <class Int>
PrunedPlan<Int> first_plan(const IntegerColumns<Int>& columns, unsigned most_tail, std::uint64_t seed) {
  PrunedPlan<Int> plan;
  plan.order = skip_order(columns);
  std::reverse(plan.order.begin(), plan.order.end());
  std::stable_sort(plan.order.begin(), plan.order.end(), [&](Index a, Index b) {
    return std::max<Index>(columns.multiplicity[a], 1) > std::max<Index>(columns.multiplicity[b], 1);
  });
  for (const Index m : columns.multiplicity) plan.tail += m == 1 ? 1 : 0;
  plan.tail = std::min(plan.tail, most_tail);
  std::vector<double> squares(columns.rows);
  for (Index j = 0; j < columns.columns(); ++j) {
    for (std::uint64_t k = columns.start[j]; k < columns.start[j + std::uint64_t{1}]; ++k) {
      if constexpr (std::is_same_v<Int, std::int64_t>) {
        const auto value = static_cast<double>(columns.value[k]);
        squares[columns.row[k]] += value * value * static_cast<double>(columns.multiplicity[j]);
      }
    }
  }
  std::mt19937_64 random(seed);
  for (Index i = 0; i < columns.rows; ++i) {
    const double sign = random() % 2 == 0 ? 0.6 : -0.6;
    plan.shift.push_back(shift_of(columns.row_sum[i], sign * std::sqrt(squares[i]) / 2));
  }
  return plan;
}

// Operations of the first round, on annealing and on a census; each round doubles them up to 64 times as
// many.
constexpr double first_annealing = 2e6;
constexpr double first_census = 4e6;
constexpr double first_forecast = 4e6;
constexpr unsigned last_doubling = 5;
constexpr unsigned censuses_a_round = 4;
// Members of a sample of a tree: from so many on, its cost is known as well as is needed.
constexpr double most_sampled = 2e4;

PrunedChain::PrunedChain(const IntegerColumns<std::int64_t>& columns, unsigned most_tail, std::uint64_t seed)
    : columns_(columns),
      random_(seed),
      now_(first_plan(columns, most_tail, seed)),
      model_(columns, now_.tail, lone_survival(columns, now_.shift)),
      log2_cost_(std::numeric_limits<double>::infinity()) {
  start_shifts();
}

/// Half of each row sum, or a little off it: a sum that the row can make.
void PrunedChain::start_shifts() {
  const auto chances = sum_chances(columns_);
  for (Index i = 0; i < columns_.rows; ++i) {
    if (chances[i].empty()) continue;
    double square = 0;
    double mean = 0;
    for (std::size_t s = 0; s < chances[i].size(); ++s) mean += chances[i][s] * static_cast<double>(s);
    for (std::size_t s = 0; s < chances[i].size(); ++s)
      square += chances[i][s] * (static_cast<double>(s) - mean) * (static_cast<double>(s) - mean);
    const double uniform = unit_interval(random_());
    // a row of one or two entries is best where its sum most often is
    const auto mode = std::max_element(chances[i].begin(), chances[i].end());
    const double wanted = *mode > 0.45 ? static_cast<double>(mode - chances[i].begin())
                                       : mean + 1.2 * (2 * uniform - 1) * std::sqrt(square);
    std::size_t nearest = 0;
    double distance = std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s < chances[i].size(); ++s) {
      const double away = std::abs(static_cast<double>(s) - wanted);
      if (chances[i][s] > 0 && away < distance) {
        distance = away;
        nearest = s;
      }
    }
    now_.shift[i] = -(static_cast<std::int64_t>(nearest) + least_sum(columns_, i));
  }
  model_.set_log2_survival(lone_survival(columns_, now_.shift));
}

void PrunedChain::round(double effort, double hot) {
  model_.anneal(now_.order, affordable_moves(columns_, first_annealing * effort), hot, random_);
  for (unsigned k = 0; k < censuses_a_round; ++k)
    move_shifts(affordable_population(columns_, first_census * effort));
  model_.anneal(now_.order, affordable_moves(columns_, first_annealing * effort), 0.1, random_);
}

void PrunedChain::sample(std::size_t population) {
  log2_cost_ = sampled_cost(columns_, now_, population, random_());
}

void PrunedChain::go_on_from(const PrunedChain& other) {
  now_ = other.now_;
  model_ = other.model_;
  log2_cost_ = other.log2_cost_;
}

PrunedSearch::PrunedSearch(const IntegerColumns<std::int64_t>& columns, unsigned most_tail,
                           std::uint64_t seed, unsigned chains)
    : columns_(columns), random_(seed), log2_best_(std::numeric_limits<double>::infinity()) {
  chains_.reserve(std::max(chains, 1U));
  chains_.emplace_back(columns, most_tail, seed);
  while (chains_.size() < chains) chains_.emplace_back(columns, most_tail, random_());
  best_ = chains_.front().plan();
}

void PrunedSearch::round() {
  const double effort = std::exp2(std::min(rounds_, last_doubling));
  const double hot = rounds_ == 0 ? 2 : 0.3;
  const std::size_t population = affordable_population(columns_, first_forecast * effort);
  const bool choice = chains_.size() > 1;
  parallel_ranges(static_cast<int>(chains_.size()), chains_.size(), 1, [&](std::uint64_t k, std::uint64_t) {
    chains_[k].round(effort, hot);
    if (choice) chains_[k].sample(population);
  });
  keep_best(population);
  restart_worse_half();
  ++rounds_;
}

/// The least of several samples is too small: those that seem best are sampled again, one to a thread, and so
/// is the best so far, whose sample was the least of earlier ones.
void PrunedSearch::keep_best(std::size_t population) {
  constexpr std::size_t chains_an_entrant = 4;
  const std::size_t entrants = (chains_.size() + chains_an_entrant - 1) / chains_an_entrant;
  const std::vector<std::size_t> by_cost = chains_by_cost();
  const std::size_t members = population * std::min(chains_an_entrant, chains_.size());
  const bool best_again = best_sampled_ > 0 && best_sampled_ < most_sampled;
  std::vector<std::uint64_t> seeds(entrants + 1);
  for (std::uint64_t& seed : seeds) seed = random_();
  std::vector<double> again(entrants + 1);
  parallel_ranges(static_cast<int>(chains_.size()), entrants + (best_again ? 1 : 0), 1,
                  [&](std::uint64_t k, std::uint64_t) {
                    const auto& plan = k < entrants ? chains_[by_cost[k]].plan() : best_;
                    again[k] = sampled_cost(columns_, plan, members, seeds[k]);
                  });
  const auto sampled = static_cast<double>(members);
  if (best_again) {
    log2_best_ = (log2_best_ * best_sampled_ + again[entrants] * sampled) / (best_sampled_ + sampled);
    best_sampled_ += sampled;
  }
  for (std::size_t k = 0; k < entrants; ++k) {
    if (!(again[k] < log2_best_)) continue;
    log2_best_ = again[k];
    best_ = chains_[by_cost[k]].plan();
    best_sampled_ = sampled;
  }
}

std::vector<std::size_t> PrunedSearch::chains_by_cost() const {
  std::vector<std::size_t> by_cost(chains_.size());
  std::iota(by_cost.begin(), by_cost.end(), std::size_t{0});
  std::stable_sort(by_cost.begin(), by_cost.end(), [&](std::size_t a, std::size_t b) {
    return chains_[a].log2_cost() < chains_[b].log2_cost();
  });
  return by_cost;
}

void PrunedSearch::restart_worse_half() {
  const std::vector<std::size_t> by_cost = chains_by_cost();
  const std::size_t better = (chains_.size() + 1) / 2;
  for (std::size_t k = better; k < chains_.size(); ++k)
    chains_[by_cost[k]].go_on_from(chains_[by_cost[k - better]]);
}

/// Takes a census and moves the shifts that gain most.
void PrunedChain::move_shifts(std::size_t population) {
  const LevelCosts costs = model_.level_costs(now_.order);
  const PrunedCensus census = take_census(columns_, now_, costs, population, random_);
  // Half of it from each row alone: where the other rows leave a row no choice, the census has nothing to say
  // of it.
  std::vector<double> survival = lone_survival(columns_, now_.shift);
  for (std::size_t i = 0; i < survival.size(); ++i) survival[i] = (survival[i] + census.log2_survival[i]) / 2;
  model_.set_log2_survival(std::move(survival));
  struct Move {
    double gain;
    Index row;
    std::int64_t shift;
  };
  std::vector<Move> moves;
  for (Index i = 0; i < columns_.rows; ++i) {
    const auto& gain = census.gain[i];
    const auto most = std::max_element(gain.begin(), gain.end());
    if (most == gain.end() || *most <= 0.01) continue;
    moves.push_back({*most, i, -((most - gain.begin()) + census.least_sum[i])});
  }
  std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.gain > b.gain; });
  // Rows that move at once take away the same prefixes: a few of the best, not all of them.
  const std::size_t most_moves = std::max<std::size_t>(columns_.rows / 8, 1);
  for (std::size_t k = 0; k < std::min(moves.size(), most_moves); ++k) {
    if (k == 0 || random_() % 2 == 0) now_.shift[moves[k].row] = moves[k].shift;
  }
}

template PrunedPlan<std::int64_t> first_plan(const IntegerColumns<std::int64_t>&, unsigned, std::uint64_t);
template PrunedPlan<mpz_class> first_plan(const IntegerColumns<mpz_class>&, unsigned, std::uint64_t);

}  // namespace countpm
