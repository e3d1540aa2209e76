#include "kernels/estimate/local_trials.hpp"

#include <algorithm>
#include <limits>

namespace countpm {
namespace {

constexpr unsigned longest_column = 8;
constexpr std::size_t most_lines = std::size_t{1} << 16;

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
  for (std::uint32_t step = 0; step < tables.size; ++step) {
    present.push_back(rows_of(tables, step));
    all_.push_back(static_cast<std::uint8_t>((1U << present.back().size()) - 1));
  }
  for (std::uint32_t step = tables.size; step-- > 0;) {
    for (std::size_t b = 0; b < present[step].size(); ++b)
      of_row[present[step][b]].push_back({step, static_cast<std::uint8_t>(~(1U << b))});
  }
  all_.push_back(0);
  for (const std::vector<Later>& steps : of_row)
    later_each_ = std::max<std::size_t>(later_each_, steps.empty() ? 0 : steps.size() - 1);
  std::size_t entries = 0;
  for (std::uint32_t step = 0; step < tables.size; ++step) {
    lay_out(tables, step, present[step], entries);
    for (const std::uint32_t row : present[step]) {
      of_row[row].pop_back();
      later_.insert(later_.end(), of_row[row].begin(), of_row[row].end());
      later_.resize(++entries * later_each_, {tables.size, 0});
    }
  }
}

// The very operations of trial_step(), in its order.
void LocalTrials::lay_out(const TrialTables& tables, std::uint32_t step,
                          const std::vector<std::uint32_t>& present, std::size_t entries_before) {
  const auto count = static_cast<unsigned>(present.size());
  Step own;
  own.first_line = lines_.size();
  own.first_entry = entries_before;
  own.rows = count;
  own.length = static_cast<unsigned>(running_at) + (count > 0 ? count - 1 : 0);
  steps_.push_back(own);
  for (std::uint32_t set = 0; set < 1U << count; ++set) {
    double sum = 0;
    double ratio = 1;
    unsigned needy = 0;
    unsigned forced = 0;
    std::vector<double> running(own.length - running_at, std::numeric_limits<double>::infinity());
    unsigned previous = count;
    for (unsigned b = 0; b < count; ++b) {
      if ((set >> b & 1) == 0) continue;
      const TrialMove& move = tables.move[std::size_t{step} * tables.size + present[b]];
      if (is_last(tables, step, present[b])) ++needy, forced = b;
      // Up to here it is a row before this one, which is the last so far.
      for (unsigned r = previous == count ? 0 : previous; r < b; ++r)
        running[r] = previous == count ? -std::numeric_limits<double>::infinity() : sum;
      sum += move.weight;
      ratio *= move.ratio;
      previous = b;
    }
    lines_.push_back(needy > 1 ? 0 : needy == 1 ? ratio : ratio * sum);
    lines_.push_back(needy == 1 ? -1.0 - forced : sum);
    lines_.insert(lines_.end(), running.begin(), running.end());
  }
}

}  // namespace countpm
