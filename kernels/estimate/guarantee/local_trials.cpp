#include "kernels/estimate/guarantee/local_trials.hpp"

#include <algorithm>
#include <limits>

namespace countpm {
namespace {

constexpr unsigned longest_column = 8;
constexpr std::size_t most_lines = std::size_t{1} << 16;
constexpr double infinite_sum = std::numeric_limits<double>::infinity();

/// A number that has been drawn already.
struct Ready {
  std::uint64_t number;
  std::uint64_t next() const { return number; }
};

std::vector<std::uint32_t> rows_of(const TrialTables& tables, std::uint32_t step) {
  const std::uint64_t* const present = tables.present + std::size_t{step} * tables.words;
  std::vector<std::uint32_t> rows;
  for_rows(present, present, tables.words, [&](std::uint32_t row) {
    rows.push_back(row);
    return true;
  });
  return rows;
}

bool is_last(const TrialTables& tables, std::uint32_t step, std::uint32_t row) {
  return (tables.last[std::size_t{step} * tables.words + row / 64] >> row % 64 & 1) != 0;
}

}  // namespace

bool LocalTrials::fit(const TrialTables& tables) {
  std::size_t lines = 0;
  for (std::uint32_t step = 0; step < tables.size; ++step) {
    const std::size_t rows = rows_of(tables, step).size();
    if (rows > longest_column) return false;
    lines += std::size_t{1} << rows;
  }
  return lines <= most_lines;
}

LocalTrials::LocalTrials(const TrialTables& tables) {
  std::vector<std::vector<Later>> of_row(tables.size);  // by row: where it stands, the last step first
  std::vector<std::vector<std::uint32_t>> present;
  const auto later_at = [](std::uint32_t step, unsigned others) {
    return Later{step * stride, static_cast<std::uint16_t>(step), static_cast<std::uint8_t>(others)};
  };
  for (std::uint32_t step = 0; step < tables.size; ++step) {
    present.push_back(rows_of(tables, step));
    all_.push_back(static_cast<std::uint8_t>((1U << present.back().size()) - 1));
  }
  for (std::uint32_t step = tables.size; step-- > 0;) {
    for (std::size_t b = 0; b < present[step].size(); ++b)
      of_row[present[step][b]].push_back(later_at(step, ~(1U << b)));
  }
  std::size_t most_later = 0;
  for (std::uint32_t step = 0; step < tables.size; ++step) {
    lay_out(tables, step, present[step]);
    Step& own = steps_.back();
    own.first_later = later_.size();
    std::size_t each = 0;
    for (const std::uint32_t row : present[step]) {
      of_row[row].pop_back();
      each = std::max(each, of_row[row].size());
    }
    each += each % later_together;
    own.later_each = static_cast<std::uint32_t>(each);
    most_later = std::max(most_later, each);
    for (const std::uint32_t row : present[step]) {
      later_.insert(later_.end(), of_row[row].begin(), of_row[row].end());
      // Not all the same step: each would wait for the one before.
      for (std::size_t k = of_row[row].size(); k < each; ++k)
        later_.push_back(later_at(tables.size + static_cast<std::uint32_t>(k), 0));
    }
  }
  all_.resize(tables.size + most_later, 0);
}

// The very operations of trial_step(), in its order.
void LocalTrials::lay_out(const TrialTables& tables, std::uint32_t step,
                          const std::vector<std::uint32_t>& present) {
  const auto count = static_cast<unsigned>(present.size());
  Step own;
  own.number = step;
  own.first_line = lines_.size();
  own.rows = count;
  steps_.push_back(own);
  for (std::uint32_t set = 0; set < 1U << count; ++set) {
    double sum = 0;
    double ratio = 1;
    unsigned needy = 0;
    unsigned forced = 0;
    std::vector<double> running(length(count) - running_at, infinite_sum);
    unsigned previous = count;
    for (unsigned b = 0; b < count; ++b) {
      if ((set >> b & 1) == 0) continue;
      const TrialMove& move = tables.move[std::size_t{step} * tables.size + present[b]];
      if (is_last(tables, step, present[b])) ++needy, forced = b;
      // Up to here it is a row before this one, which is the last so far.
      for (unsigned r = previous == count ? 0 : previous; r < b; ++r)
        running[r] = previous == count ? -infinite_sum : sum;
      sum += move.weight;
      ratio *= move.ratio;
      previous = b;
    }
    lines_.push_back(needy > 1 ? 0 : needy == 1 ? ratio : ratio * sum);
    lines_.push_back(needy == 1 ? 0 : sum);
    for (unsigned r = 0; needy == 1 && r < running.size(); ++r)
      running[r] = r < forced ? -infinite_sum : infinite_sum;
    lines_.insert(lines_.end(), running.begin(), running.end());
  }
}

void LocalTrials::walk(const Numbers& numbers, std::uint64_t first, std::uint32_t count, double share,
                       Batch& batch) const {
  for (std::size_t step = 0; step < all_.size(); ++step)
    std::fill_n(batch.left.data() + step * stride, count, all_[step]);
  for (std::uint32_t t = 0; t < count; ++t) {
    batch.ready[t] = philox_block(numbers.seed, numbers.stream, first + t, 0);
    Ready random{batch.ready[t].number[0]};
    batch.least[t] = share * rejection_threshold(random);
    batch.product[t] = 1;
    batch.drawn[t] = 1;
    batch.trial[t] = t;
  }
  batch.alive = count;
  for (std::size_t step = 0; step < steps_.size() && batch.alive > 0; ++step) {
    const Step& own = steps_[step];
    (this->*step_of(own.rows))(own, batch);
    // A block is used up: WalkRandom's next one.
    for (std::size_t i = 0; i < batch.empties; ++i) {
      const std::uint32_t t = batch.empty[i];
      batch.ready[t] = philox_block(numbers.seed, numbers.stream, first + t, batch.drawn[t] / 4);
    }
  }
}

LocalTrials::StepOfBatch LocalTrials::step_of(unsigned rows) {
  static constexpr StepOfBatch of_rows[] = {
      &LocalTrials::step_of_batch<0>, &LocalTrials::step_of_batch<1>, &LocalTrials::step_of_batch<2>,
      &LocalTrials::step_of_batch<3>, &LocalTrials::step_of_batch<4>, &LocalTrials::step_of_batch<5>,
      &LocalTrials::step_of_batch<6>, &LocalTrials::step_of_batch<7>, &LocalTrials::step_of_batch<8>};
  return of_rows[rows];
}

// The steps of pass(), in short loops, several iterations of which a processor has under way; no branch
// depends on what a trial draws.
template <unsigned Rows>
void LocalTrials::step_of_batch(const Step& step, Batch& batch) const {
  const Step own = step;  // unlike `step`, nothing that the stores below could change
  const std::uint8_t* const left = batch.left.data() + std::size_t{own.number} * stride;
  std::size_t alive = 0;
  for (std::size_t i = 0; i < batch.alive; ++i) {
    const std::uint32_t t = batch.trial[i];
    const double product = batch.product[t] * line_of(own, Rows, left[t])[factor_at];
    batch.product[t] = product;
    batch.trial[alive] = t;
    alive += product > batch.least[t] ? 1 : 0;
  }
  std::size_t empties = 0;
  for (std::size_t i = 0; i < alive; ++i) {
    const std::uint32_t t = batch.trial[i];
    const double* const line = line_of(own, Rows, left[t]);
    const std::uint32_t before = batch.drawn[t];
    const std::uint32_t after = before + (line[sum_at] > 0 ? 1 : 0);
    Ready random{batch.ready[t].number[before % 4]};
    batch.row[i] = chosen_row(line, Rows, uniform(random) * line[sum_at]);
    batch.drawn[t] = after;
    batch.empty[empties] = t;
    empties += before / 4 != after / 4 ? 1 : 0;
  }
  for (std::size_t i = 0; i < alive; ++i)
    take(own, batch.row[i], batch.left.data() + batch.trial[i],
         [](const Later& later) { return later.in_batch; });
  batch.alive = alive;
  batch.empties = empties;
}

}  // namespace countpm
