#pragma once
// The join of two tables: all pairs of states that do not match a shared class twice.
//
// Both tables are grouped by their shared fields. Pairs of groups are found field by field, like a walk down
// two tries at once: only values that fit together are followed, so that no pair of groups that does not fit
// is ever looked at. The pairs of states, with their new keys, are sorted by key in runs of bounded size.
// O(pairs log pairs) time; 8 (words + 1) bytes a pair beside the tables.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/frontier/table.hpp"
#include "kernels/method.hpp"

namespace countpm {

template <unsigned Words>
class JoinStep {
 public:
  JoinStep(const Table<Words>& left, const Table<Words>& right, const JoinPlan& plan, const StopSignal& stop)
      : left_(left), right_(right), plan_(plan), stop_(stop) {}

  /// Finds the groups and counts the pairs. Throws Stopped.
  std::uint64_t count_pairs();
  /// What holding the pairs takes.
  static constexpr std::uint64_t bytes_per_pair = sizeof(WideKey<Words>) + 8;
  /// Makes and sorts the pairs: blocks and states of the new table.
  MergeCount plan();
  /// Precondition: room for that in `to`.
  void run(const ValueColumns& columns, Table<Words>& to, MoveBatch& batch);
  /// The most pairs for one state.
  std::uint64_t additions() const { return additions_; }

 private:
  struct State {
    WideKey<Words> key;
    std::uint32_t number;
  };
  struct Pair {
    WideKey<Words> key;
    std::uint32_t left;
    std::uint32_t right;
  };
  /// A side: its states sorted by the shared fields; group g is states[start[g]] .. states[start[g + 1] - 1].
  struct Side {
    std::vector<State> states;
    std::vector<std::uint64_t> start;
    std::uint64_t groups() const { return start.size() - 1; }
    const WideKey<Words>& key(std::uint64_t group) const { return states[start[group]].key; }
  };

  Side grouped(const StateSet<Words>& set) const;
  static std::uint64_t value(const WideKey<Words>& key, Field field) {
    return (key.word[field.offset / 64] & field_mask(field)) >> (field.offset % 64);
  }
  /// The end of the run of groups from `first` on with the same value in the field.
  static std::uint64_t run_end(const Side& side, std::uint64_t first, std::uint64_t last, Field field) {
    const std::uint64_t here = value(side.key(first), field);
    std::uint64_t low = first;
    std::uint64_t high = last;
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (value(side.key(middle), field) == here ? low : high) = middle;
    }
    return high;
  }
  /// Calls f(left group, right group) for all pairs that fit.
  template <class F>
  void for_each_pair_of_groups(const F& f) const;

  const Table<Words>& left_;
  const Table<Words>& right_;
  const JoinPlan& plan_;
  const StopSignal& stop_;
  Side left_side_;
  Side right_side_;
  std::vector<Pair> pairs_;
  std::uint64_t pair_count_ = 0;
  std::uint64_t additions_ = 0;
};

template <unsigned Words>
auto JoinStep<Words>::grouped(const StateSet<Words>& set) const -> Side {
  WideKey<Words> mask = WideKey<Words>::zero();
  for (const SharedField& shared : plan_.shared) {
    mask.word[shared.field.offset / 64] |= field_mask(shared.field);
  }
  const auto part = [&](WideKey<Words> key) {
    for (unsigned k = 0; k < Words; ++k) key.word[k] &= mask.word[k];
    return key;
  };
  Side side;
  side.states.reserve(set.states);
  for (std::uint64_t b = 0; b < set.blocks; ++b) {
    std::uint32_t number = set.first[b];
    for (std::uint64_t left = set.places[b]; left != 0; left &= left - 1) {
      WideKey<Words> key = set.heads[b];
      key.word[0] |= static_cast<std::uint64_t>(__builtin_ctzll(left));
      side.states.push_back({key, number++});
    }
  }
  std::stable_sort(side.states.begin(), side.states.end(),
                   [&](const State& a, const State& b) { return part(a.key) < part(b.key); });
  stop_.check();
  for (std::uint64_t k = 0; k < side.states.size(); ++k) {
    if (k == 0 || !(part(side.states[k - 1].key) == part(side.states[k].key))) side.start.push_back(k);
  }
  side.start.push_back(side.states.size());
  return side;
}

template <unsigned Words>
template <class F>
void JoinStep<Words>::for_each_pair_of_groups(const F& f) const {
  struct Node {
    std::size_t field;
    std::uint64_t left_first, left_last, right_first, right_last;
  };
  std::vector<Node> open;
  if (left_side_.groups() > 0 && right_side_.groups() > 0) {
    open.push_back({0, 0, left_side_.groups(), 0, right_side_.groups()});
  }
  std::uint64_t steps = 0;
  while (!open.empty()) {
    if ((++steps & 0xfff) == 0) stop_.check();
    const Node node = open.back();
    open.pop_back();
    if (node.field == plan_.shared.size()) {
      f(node.left_first, node.right_first);
      continue;
    }
    const SharedField& shared = plan_.shared[node.field];
    for (std::uint64_t a = node.left_first; a < node.left_last;) {
      const std::uint64_t a_end = run_end(left_side_, a, node.left_last, shared.field);
      const std::uint64_t x = value(left_side_.key(a), shared.field);
      for (std::uint64_t b = node.right_first; b < node.right_last;) {
        const std::uint64_t b_end = run_end(right_side_, b, node.right_last, shared.field);
        const std::uint64_t sum = x + value(right_side_.key(b), shared.field);
        if (shared.full ? sum == shared.limit : sum <= shared.limit) {
          open.push_back({node.field + 1, a, a_end, b, b_end});
        }
        b = b_end;
      }
      a = a_end;
    }
  }
}

template <unsigned Words>
std::uint64_t JoinStep<Words>::count_pairs() {
  left_side_ = grouped(left_.set);
  right_side_ = grouped(right_.set);
  pair_count_ = 0;
  for_each_pair_of_groups([&](std::uint64_t a, std::uint64_t b) {
    pair_count_ +=
        (left_side_.start[a + 1] - left_side_.start[a]) * (right_side_.start[b + 1] - right_side_.start[b]);
  });
  return pair_count_;
}

template <unsigned Words>
MergeCount JoinStep<Words>::plan() {
  WideKey<Words> kept;
  for (unsigned k = 0; k < Words; ++k) kept.word[k] = ~std::uint64_t{0};
  for (const SharedField& shared : plan_.shared) {
    if (shared.full) kept.word[shared.field.offset / 64] &= ~field_mask(shared.field);
  }
  pairs_.reserve(pair_count_);
  for_each_pair_of_groups([&](std::uint64_t a, std::uint64_t b) {
    for (std::uint64_t i = left_side_.start[a]; i < left_side_.start[a + 1]; ++i) {
      if ((pairs_.size() & 0xfffff) == 0) stop_.check();
      for (std::uint64_t j = right_side_.start[b]; j < right_side_.start[b + 1]; ++j) {
        WideKey<Words> key = left_side_.states[i].key.plus(right_side_.states[j].key);
        for (unsigned k = 0; k < Words; ++k) key.word[k] &= kept.word[k];
        pairs_.push_back({key, left_side_.states[i].number, right_side_.states[j].number});
      }
    }
  });
  // The order of equal keys decides how floating sums round: it is made definite.
  std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) {
    if (!(a.key == b.key)) return a.key < b.key;
    return a.left != b.left ? a.left < b.left : a.right < b.right;
  });
  stop_.check();
  MergeCount count;
  count.moves = pairs_.size();
  std::uint64_t run = 0;
  for (std::uint64_t k = 0; k < pairs_.size(); ++k) {
    const bool same_state = k > 0 && pairs_[k].key == pairs_[k - 1].key;
    run = same_state ? run + 1 : 1;
    additions_ = std::max(additions_, run);
    if (same_state) continue;
    ++count.states;
    WideKey<Words> head = pairs_[k].key;
    head.word[0] &= ~block_bits;
    if (k == 0) {
      ++count.blocks;
    } else {
      WideKey<Words> last = pairs_[k - 1].key;
      last.word[0] &= ~block_bits;
      count.blocks += last == head ? 0 : 1;
    }
  }
  return count;
}

template <unsigned Words>
void JoinStep<Words>::run(const ValueColumns& columns, Table<Words>& to, MoveBatch& batch) {
  StateSet<Words>& set = to.set;
  set.blocks = set.states = 0;
  batch.size = 0;
  const auto flush = [&] {
    stop_.check();
    for (std::size_t c = 0; c < columns.columns().size(); ++c) {
      columns.columns()[c]->move_products(*left_.values[c], *right_.values[c], *to.values[c], batch);
    }
    batch.size = 0;
  };
  for (std::uint64_t k = 0; k < pairs_.size(); ++k) {
    const Pair& pair = pairs_[k];
    WideKey<Words> head = pair.key;
    head.word[0] &= ~block_bits;
    const std::uint64_t place = std::uint64_t{1} << (pair.key.word[0] & block_bits);
    if (set.blocks == 0 || !(set.heads[set.blocks - 1] == head)) {
      set.heads[set.blocks] = head;
      set.places[set.blocks] = 0;
      set.first[set.blocks] = static_cast<std::uint32_t>(set.states);
      ++set.blocks;
    }
    if ((set.places[set.blocks - 1] & place) == 0) {
      set.places[set.blocks - 1] |= place;
      for (std::size_t c = 0; c < to.values.size(); ++c) {
        columns.columns()[c]->clear(*to.values[c], set.states, set.states + 1);
      }
      ++set.states;
    }
    batch.from[batch.size] = pair.left;
    batch.with[batch.size] = pair.right;
    batch.to[batch.size] = static_cast<std::uint32_t>(set.states - 1);
    if (++batch.size == MoveBatch::capacity) flush();
  }
  flush();
}

}  // namespace countpm
