#include "kernels/estimate/walks/exact_tail.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace countpm {
namespace {

constexpr std::size_t slots = 4 * std::size_t{ExactTail::most_states};

std::uint32_t limited_rows(const SampleMatrix& matrix, std::uint32_t rows) {
  rows = std::min(rows, ExactTail::most_rows);
  if (matrix.ratio_bits <= 0) return rows;
  return std::min(rows, static_cast<std::uint32_t>(-ExactTail::least_product_log2 / (matrix.ratio_bits + 1)));
}

std::size_t hash(std::uint64_t key) {
  return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> 48) % slots;
}

}  // namespace

ExactTail::ExactTail(const SampleMatrix& matrix, std::uint32_t rows, std::uint32_t states)
    : matrix_(matrix), rows_(limited_rows(matrix, rows)), states_limit_(std::min(states, most_states)) {
  if (rows_ == 0) return;
  number_.resize(matrix.rows.columns);
  marked_.resize(matrix.rows.columns);
  slot_.resize(slots);
  slot_mark_.resize(slots);
}

void ExactTail::begin(std::size_t rows) {
  ++now_;
  columns_ = 0;
  local_.clear();
  local_.reserve(rows + 1);
  local_.emplace_back();
  entries_.clear();
}

void ExactTail::add_entry(std::uint32_t column, double weight) {
  if (marked_[column] != now_) {
    marked_[column] = now_;
    number_[column] = columns_++;
  }
  local_.back().columns |= std::uint64_t{1} << number_[column];
  entries_.push_back({number_[column], weight});
}

void ExactTail::end_row() {
  local_.back().last = static_cast<std::uint32_t>(entries_.size());
  LocalRow next;
  next.first = local_.back().last;
  local_.push_back(next);
}

std::uint32_t ExactTail::cheapest_row(const std::vector<bool>& done, std::uint64_t touched) const {
  std::uint32_t best = 0;
  int fewest = 65;
  for (std::uint32_t i = 0; i < done.size(); ++i) {
    const int fresh = std::popcount(local_[i].columns & ~touched);
    if (done[i] || fresh >= fewest) continue;
    fewest = fresh;
    best = i;
  }
  return best;
}

bool ExactTail::add_state(std::uint64_t used, double ways) {
  for (std::size_t at = hash(used);; at = (at + 1) % slots) {
    if (slot_mark_[at] != slot_now_) {
      if (next_.size() == states_limit_) return false;
      slot_mark_[at] = slot_now_;
      next_.push_back({used, ways});
      slot_[at] = static_cast<std::uint32_t>(next_.size() - 1);
      return true;
    }
    if (next_[slot_[at]].used == used) {
      next_[slot_[at]].ways += ways;
      return true;
    }
  }
}

// A column whose last row this is must be used, and then needs no bit any more.
bool ExactTail::step(const LocalRow& row, std::uint64_t finished) {
  next_.clear();
  ++slot_now_;
  // Entry by entry, so that sums do not depend on the order of the states, which lanes of a GPU make their
  // own.
  for (std::uint32_t e = row.first; e < row.last; ++e) {
    const std::uint64_t bit = std::uint64_t{1} << entries_[e].column;
    for (const State& state : states_) {
      if ((state.used & bit) != 0) continue;
      const std::uint64_t used = state.used | bit;
      if ((used & finished) != finished) continue;
      if (!add_state(used & ~finished, state.ways * entries_[e].weight)) return false;
    }
  }
  std::swap(states_, next_);
  return true;
}

bool ExactTail::finish(Scaled& value) {
  local_.pop_back();
  value = {0, 0};
  if (columns_ != local_.size()) return true;  // a column without a row
  std::vector<std::uint32_t> rows_left(columns_);
  for (const LocalEntry& entry : entries_) ++rows_left[entry.column];
  std::vector<bool> done(local_.size());
  std::uint64_t touched = 0;
  states_.assign(1, {0, 1.0});
  for (std::size_t k = 0; k < local_.size(); ++k) {
    const std::uint32_t i = cheapest_row(done, touched);
    done[i] = true;
    touched |= local_[i].columns;
    std::uint64_t finished = 0;
    for (std::uint32_t e = local_[i].first; e < local_[i].last; ++e) {
      if (--rows_left[entries_[e].column] == 0) finished |= std::uint64_t{1} << entries_[e].column;
    }
    if (!step(local_[i], finished)) return false;
    if (states_.empty()) return true;
  }
  int shift = 0;
  value.mantissa = std::frexp(states_.front().ways, &shift);
  value.exponent = shift;
  return true;
}

}  // namespace countpm
