#pragma once
// A join with a small table as a merge of streams (frontier/tables/eliminate_round.hpp): a state of the small
// table goes together with those of the large one that leave room for it, and adds the same to the key of
// each. So it keeps their order, as the streams of a round do, and a join needs neither pairs nor sorting,
// and goes to threads like a round. polbooks' last join (20 265 209 x 33 states, 2.1e8 pairs, 5.2e7 states
// made) took 18.0 s to make and sort the pairs and 5.1 s for the values before this (AMD EPYC, Zen 4,
// virtual, CPU seconds, 2026-11-21).
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/frontier/tables/key.hpp"
#include "kernels/frontier/tables/state_set.hpp"

namespace countpm {

/// More streams than this are not merged: every block made looks at each of them.
inline constexpr std::uint64_t most_join_streams = 256;
/// A pair that is sorted takes as long as that many state transitions: of fs_183_3, gre_115 and arc130, whose
/// work was mostly such pairs, the counts took 9, 5 and 3 times as long as transitions alone would have (2
/// threads, AMD EPYC, 2026-11-21).
inline constexpr double price_of_a_sorted_pair = 6;
/// As many are merged whatever the other table's size; more, where it has `least_states_for_streams`.
inline constexpr std::uint64_t always_join_streams = 32;
inline constexpr std::uint64_t least_states_for_streams = 4096;

/// The streams of one state of the small table: one, but for shared classes of several members of which it
/// has some and the other table may have any number up to what is left: one stream for each number. They are
/// added to `streams`; false where there are more than `most` then.
template <unsigned Words>
bool add_join_streams(const WideKey<Words>& key, std::uint32_t number, const JoinPlan& plan,
                      std::uint64_t most, std::vector<Stream<Words>>& streams) {
  StreamPlan first;
  first.weight = number;
  WideKey<Words> own = key;  // without the shared fields
  std::vector<FieldChange> open;
  for (const SharedField& shared : plan.shared) {
    std::uint64_t& word = own.word[shared.field.offset / 64];
    const auto used =
        static_cast<std::uint32_t>((word & field_mask(shared.field)) >> (shared.field.offset % 64));
    word &= ~field_mask(shared.field);
    if (shared.full) {
      first.changes.push_back({shared.field, shared.limit - used, 0});
    } else if (used == shared.limit) {
      first.changes.push_back({shared.field, 0, used});
    } else if (used > 0) {
      open.push_back({shared.field, shared.limit - used, used});  // any number up to `from`, and `to` more
    }
  }
  for (std::uint32_t k = 0; k < Words; ++k) {
    for (std::uint64_t left = own.word[k]; left != 0; left &= left - 1) {
      const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(left));
      first.changes.push_back({{64 * k + bit, 1}, 0, 1});
    }
  }
  // All combinations of the open fields, counted up like digits.
  std::vector<std::uint32_t> there(open.size(), 0);
  while (true) {
    if (streams.size() >= most) return false;
    StreamPlan stream = first;
    for (std::size_t k = 0; k < open.size(); ++k) {
      stream.changes.push_back({open[k].field, there[k], there[k] + open[k].to});
    }
    streams.push_back(make_stream<Words>(stream));
    std::size_t digit = 0;
    while (digit < open.size() && there[digit] == open[digit].from) there[digit++] = 0;
    if (digit == open.size()) return true;
    ++there[digit];
  }
}

/// The streams of all states of `small` towards a table of so many states; empty where merging them would be
/// slower than sorting pairs, or where there are more than most_join_streams.
template <unsigned Words>
std::optional<std::vector<Stream<Words>>> join_streams(const StateSet<Words>& small,
                                                       std::uint64_t large_states, const JoinPlan& plan) {
  const std::uint64_t most =
      large_states < least_states_for_streams ? always_join_streams : most_join_streams;
  if (small.states > most) return std::nullopt;
  std::vector<Stream<Words>> streams;
  for (std::uint64_t b = 0; b < small.blocks; ++b) {
    std::uint32_t number = small.first[b];
    for (std::uint64_t left = small.places[b]; left != 0; left &= left - 1) {
      WideKey<Words> key = small.heads[b];
      key.word[0] |= static_cast<std::uint64_t>(__builtin_ctzll(left));
      if (!add_join_streams(key, number++, plan, most, streams)) return std::nullopt;
    }
  }
  return streams;
}

}  // namespace countpm
