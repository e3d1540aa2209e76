#pragma once
// The join of two tables, both large: all pairs of states that do not match a shared class twice.
//
// Both tables are grouped by their shared fields. Pairs of groups are found field by field, like a walk down
// two tries at once: only values that fit together are followed, so that no pair of groups that does not fit
// is ever looked at. The pairs of states go by their new keys into buckets, whose borders are drawn from a
// sample; the buckets are sorted and made part of the new table independently, on several threads. The result
// is the same for any number of them. O(pairs log pairs) time; 8 (words + 1) bytes a pair beside the tables.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/frontier/tables/merge_chunk.hpp"
#include "kernels/frontier/tables/table.hpp"
#include "kernels/method.hpp"
#include "kernels/support/for_parts.hpp"
#include "kernels/support/growing_buffer.hpp"

namespace countpm {

template <unsigned Words>
class JoinStep {
 public:
  JoinStep(const Table<Words>& left, const Table<Words>& right, const JoinPlan& plan, int threads,
           const StopSignal& stop)
      : left_(left), right_(right), plan_(plan), threads_(threads), stop_(stop) {}

  /// Finds the groups and counts the pairs. Throws Stopped.
  std::uint64_t count_pairs();
  /// What holding the pairs takes, and what the groups do.
  static constexpr std::uint64_t bytes_per_pair = sizeof(WideKey<Words>) + 8;
  std::uint64_t bytes_of_sides() const { return bytes_of(left_side_) + bytes_of(right_side_); }
  /// Makes and sorts the pairs: blocks and states of the new table.
  MergeCount plan();
  /// Precondition: room for that in `to`.
  void run(const ValueColumns& columns, Table<Words>& to);
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
    std::uint64_t size(std::uint64_t group) const { return start[group + 1] - start[group]; }
    const WideKey<Words>& key(std::uint64_t group) const { return states[start[group]].key; }
  };
  /// Left groups that a thread takes at once, and where their pairs stand among all.
  struct Part {
    std::uint64_t first, last;
    std::uint64_t pairs_before = 0;
  };
  static constexpr std::uint64_t most_parts = 64;
  static constexpr std::uint64_t pairs_a_bucket = 1 << 14;
  static constexpr std::uint64_t most_buckets = 1 << 10;
  static constexpr std::uint64_t samples_a_bucket = 16;

  static std::uint64_t bytes_of(const Side& side) {
    return side.states.capacity() * sizeof(State) + side.start.capacity() * sizeof(std::uint64_t);
  }
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
  /// Calls f(left group, right group) for all pairs of groups that fit, with the left one in the part.
  template <class F>
  void for_each_pair_of_groups(const Part& part, const F& f) const;
  /// Calls f(pair) for all pairs of states of the part.
  template <class F>
  void for_each_pair(const Part& part, const F& f) const;
  WideKey<Words> joined_key(const WideKey<Words>& left, const WideKey<Words>& right) const {
    WideKey<Words> key = left.plus(right);
    for (unsigned k = 0; k < Words; ++k) key.word[k] &= kept_.word[k];
    return key;
  }
  static WideKey<Words> head_of(WideKey<Words> key) {
    key.word[0] &= ~block_bits;
    return key;
  }
  void draw_borders();
  std::size_t bucket_of(const WideKey<Words>& key) const {
    return static_cast<std::size_t>(std::upper_bound(borders_.begin(), borders_.end(), key) -
                                    borders_.begin());
  }
  MergeCount sort_bucket(std::size_t bucket, std::uint64_t& additions);
  void run_bucket(std::size_t bucket, const ValueColumns& columns, Table<Words>& to) const;

  const Table<Words>& left_;
  const Table<Words>& right_;
  const JoinPlan& plan_;
  int threads_;
  const StopSignal& stop_;
  WideKey<Words> kept_ = WideKey<Words>::zero();  // all but the fields that are full
  Side left_side_;
  Side right_side_;
  std::vector<Part> parts_;
  std::uint64_t pair_count_ = 0;
  std::vector<WideKey<Words>> borders_;  // bucket b: keys from borders_[b - 1] on, below borders_[b]
  std::vector<std::uint64_t> start_;     // of every bucket in pairs_
  Buffer<Pair> pairs_;
  std::vector<MergeCount> before_;  // every bucket, and in all
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
  stop_.check();
  std::sort(side.states.begin(), side.states.end(), [&](const State& a, const State& b) {
    const WideKey<Words> x = part(a.key);
    const WideKey<Words> y = part(b.key);
    return x == y ? a.number < b.number : x < y;
  });
  stop_.check();
  for (std::uint64_t k = 0; k < side.states.size(); ++k) {
    if (k == 0 || !(part(side.states[k - 1].key) == part(side.states[k].key))) side.start.push_back(k);
  }
  side.start.push_back(side.states.size());
  return side;
}

template <unsigned Words>
template <class F>
void JoinStep<Words>::for_each_pair_of_groups(const Part& part, const F& f) const {
  struct Node {
    std::size_t field;
    std::uint64_t left_first, left_last, right_first, right_last;
  };
  std::vector<Node> open;
  if (part.first < part.last && right_side_.groups() > 0) {
    open.push_back({0, part.first, part.last, 0, right_side_.groups()});
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
template <class F>
void JoinStep<Words>::for_each_pair(const Part& part, const F& f) const {
  std::uint64_t lines = 0;
  for_each_pair_of_groups(part, [&](std::uint64_t a, std::uint64_t b) {
    for (std::uint64_t i = left_side_.start[a]; i < left_side_.start[a + 1]; ++i) {
      if ((++lines & 0xff) == 0) stop_.check();
      const State& left = left_side_.states[i];
      for (std::uint64_t j = right_side_.start[b]; j < right_side_.start[b + 1]; ++j) {
        const State& right = right_side_.states[j];
        f(Pair{joined_key(left.key, right.key), left.number, right.number});
      }
    }
  });
}

template <unsigned Words>
std::uint64_t JoinStep<Words>::count_pairs() {
  for (unsigned k = 0; k < Words; ++k) kept_.word[k] = ~std::uint64_t{0};
  for (const SharedField& shared : plan_.shared) {
    if (shared.full) kept_.word[shared.field.offset / 64] &= ~field_mask(shared.field);
  }
  for_parts(2, threads_, stop_, [&](std::size_t side) {
    (side == 0 ? left_side_ : right_side_) = grouped(side == 0 ? left_.set : right_.set);
  });
  const std::uint64_t groups = left_side_.groups();
  const std::uint64_t parts = std::clamp<std::uint64_t>(groups, 1, most_parts);
  parts_.clear();
  for (std::uint64_t p = 0; p < parts; ++p) parts_.push_back({groups * p / parts, groups * (p + 1) / parts});
  std::vector<std::uint64_t> pairs(parts, 0);
  for_parts(parts, threads_, stop_, [&](std::size_t p) {
    for_each_pair_of_groups(parts_[p], [&](std::uint64_t a, std::uint64_t b) {
      pairs[p] += left_side_.size(a) * right_side_.size(b);
    });
  });
  pair_count_ = 0;
  for (std::uint64_t p = 0; p < parts; ++p) {
    parts_[p].pairs_before = pair_count_;
    pair_count_ += pairs[p];
  }
  return pair_count_;
}

/// Every so many-th pair gives a sample.
template <unsigned Words>
void JoinStep<Words>::draw_borders() {
  borders_.clear();
  const std::uint64_t buckets = std::clamp<std::uint64_t>(pair_count_ / pairs_a_bucket, 1, most_buckets);
  if (buckets == 1) return;
  const std::uint64_t stride = pair_count_ / (buckets * samples_a_bucket) + 1;
  std::vector<std::vector<WideKey<Words>>> sampled(parts_.size());
  for_parts(parts_.size(), threads_, stop_, [&](std::size_t p) {
    std::uint64_t at = parts_[p].pairs_before;
    std::uint64_t next = (at + stride - 1) / stride * stride;
    for_each_pair_of_groups(parts_[p], [&](std::uint64_t a, std::uint64_t b) {
      const std::uint64_t width = right_side_.size(b);
      const std::uint64_t end = at + left_side_.size(a) * width;
      for (; next < end; next += stride) {
        const std::uint64_t k = next - at;
        sampled[p].push_back(head_of(joined_key(left_side_.states[left_side_.start[a] + k / width].key,
                                                right_side_.states[right_side_.start[b] + k % width].key)));
      }
      at = end;
    });
  });
  std::vector<WideKey<Words>> samples;
  for (const auto& some : sampled) samples.insert(samples.end(), some.begin(), some.end());
  std::sort(samples.begin(), samples.end());
  for (std::uint64_t b = 1; b < buckets; ++b) borders_.push_back(samples[samples.size() * b / buckets]);
  borders_.erase(std::unique(borders_.begin(), borders_.end()), borders_.end());
}

template <unsigned Words>
MergeCount JoinStep<Words>::plan() {
  draw_borders();
  const std::size_t buckets = borders_.size() + 1;
  // at[p][b]: how many pairs of part p are in bucket b, then where the next of them goes.
  std::vector<std::vector<std::uint64_t>> at(parts_.size(), std::vector<std::uint64_t>(buckets, 0));
  for_parts(parts_.size(), threads_, stop_, [&](std::size_t p) {
    for_each_pair(parts_[p], [&](const Pair& pair) { ++at[p][bucket_of(pair.key)]; });
  });
  start_.assign(1, 0);
  for (std::size_t b = 0; b < buckets; ++b) {
    std::uint64_t next = start_.back();
    for (auto& of_part : at) next += std::exchange(of_part[b], next);
    start_.push_back(next);
  }
  pairs_.ensure(pair_count_);
  for_parts(parts_.size(), threads_, stop_, [&](std::size_t p) {
    for_each_pair(parts_[p], [&](const Pair& pair) { pairs_[at[p][bucket_of(pair.key)]++] = pair; });
  });
  std::vector<MergeCount> counts(buckets);
  std::vector<std::uint64_t> additions(buckets, 0);
  for_parts(buckets, threads_, stop_, [&](std::size_t b) { counts[b] = sort_bucket(b, additions[b]); });
  additions_ = *std::max_element(additions.begin(), additions.end());
  before_.assign(1, {});
  for (const MergeCount& count : counts) {
    const MergeCount& last = before_.back();
    before_.push_back({last.blocks + count.blocks, last.states + count.states, last.moves + count.moves});
  }
  return before_.back();
}

template <unsigned Words>
MergeCount JoinStep<Words>::sort_bucket(std::size_t bucket, std::uint64_t& additions) {
  Pair* const first = pairs_.data() + start_[bucket];
  Pair* const last = pairs_.data() + start_[bucket + 1];
  // The order of equal keys decides how floating sums round: it is made definite.
  std::sort(first, last, [](const Pair& a, const Pair& b) {
    if (!(a.key == b.key)) return a.key < b.key;
    return a.left != b.left ? a.left < b.left : a.right < b.right;
  });
  MergeCount count;
  count.moves = static_cast<std::uint64_t>(last - first);
  std::uint64_t run = 0;
  for (const Pair* pair = first; pair != last; ++pair) {
    const bool same_state = pair != first && pair->key == pair[-1].key;
    run = same_state ? run + 1 : 1;
    additions = std::max(additions, run);
    if (same_state) continue;
    ++count.states;
    if (pair == first || !(head_of(pair->key) == head_of(pair[-1].key))) ++count.blocks;
  }
  return count;
}

template <unsigned Words>
void JoinStep<Words>::run(const ValueColumns& columns, Table<Words>& to) {
  for_parts(before_.size() - 1, threads_, stop_, [&](std::size_t b) { run_bucket(b, columns, to); });
  to.set.blocks = before_.back().blocks;
  to.set.states = before_.back().states;
}

template <unsigned Words>
void JoinStep<Words>::run_bucket(std::size_t bucket, const ValueColumns& columns, Table<Words>& to) const {
  StateSet<Words>& set = to.set;
  std::uint64_t block = before_[bucket].blocks;  // the next ones
  std::uint64_t state = before_[bucket].states;
  for (std::size_t c = 0; c < to.values.size(); ++c) {
    columns.columns()[c]->clear(*to.values[c], state, before_[bucket + 1].states);
  }
  const auto batch = std::make_unique<MoveBatch>();
  const auto flush = [&] {
    for (std::size_t c = 0; c < columns.columns().size(); ++c) {
      columns.columns()[c]->move_products(*left_.values[c], *right_.values[c], *to.values[c], *batch);
    }
    batch->size = 0;
  };
  const Pair* const first = pairs_.data() + start_[bucket];
  const Pair* const last = pairs_.data() + start_[bucket + 1];
  for (const Pair* pair = first; pair != last; ++pair) {
    const WideKey<Words> head = head_of(pair->key);
    if (pair == first || !(head_of(pair[-1].key) == head)) {
      set.heads[block] = head;
      set.places[block] = 0;
      set.first[block] = static_cast<std::uint32_t>(state);
      ++block;
    }
    if (pair == first || !(pair[-1].key == pair->key)) {
      set.places[block - 1] |= std::uint64_t{1} << (pair->key.word[0] & block_bits);
      ++state;
    }
    batch->from[batch->size] = pair->left;
    batch->with[batch->size] = pair->right;
    batch->to[batch->size] = static_cast<std::uint32_t>(state - 1);
    if (++batch->size == MoveBatch::capacity) flush();
  }
  flush();
}

}  // namespace countpm
