#pragma once
// Keys of states, any number of words wide, and the streams of a round as masks over them.
#include <cstdint>
#include <vector>

#include "kernels/frontier/tables/program.hpp"

namespace countpm {

/// Words from the least significant up. States that differ in the lowest 6 bits only make up a block.
template <unsigned Words>
struct WideKey {
  std::uint64_t word[Words];

  friend bool operator==(const WideKey& a, const WideKey& b) {
    std::uint64_t difference = 0;
    for (unsigned k = 0; k < Words; ++k) difference |= a.word[k] ^ b.word[k];
    return difference == 0;
  }
  friend bool operator<(const WideKey& a, const WideKey& b) {
    for (unsigned k = Words; k-- > 1;) {
      if (a.word[k] != b.word[k]) return a.word[k] < b.word[k];
    }
    return a.word[0] < b.word[0];
  }
  bool matches(const WideKey& mask, const WideKey& value) const {
    std::uint64_t difference = 0;
    for (unsigned k = 0; k < Words; ++k) difference |= (word[k] & mask.word[k]) ^ value.word[k];
    return difference == 0;
  }
  /// Word by word, no carry between words: fields do not cross them.
  WideKey plus(const WideKey& other) const {
    WideKey sum = zero();
    for (unsigned k = 0; k < Words; ++k) sum.word[k] = word[k] + other.word[k];
    return sum;
  }
  static WideKey zero() { return WideKey{}; }
};

inline constexpr std::uint64_t block_bits = 63;  // of the lowest word: the place within a block

inline std::uint64_t field_mask(Field field) {
  return ((std::uint64_t{1} << field.width) - 1) << (field.offset % 64);
}

/// A StreamPlan over heads of blocks (keys with the lowest 6 bits zero) and the 64 places within them.
template <unsigned Words>
struct Stream {
  WideKey<Words> mask = WideKey<Words>::zero();
  WideKey<Words> value = WideKey<Words>::zero();
  WideKey<Words> delta = WideKey<Words>::zero();  // from the head taken to the head made
  std::uint64_t places = ~std::uint64_t{0};       // that are taken
  int shift = 0;                                  // of the places; negative: down
  std::uint32_t weight = 0;
  // The field of StreamPlan::counted; count_mask = 0: none.
  std::uint32_t count_word = 0;
  std::uint32_t count_pruned = 0;
  std::uint64_t count_mask = 0;
  std::uint64_t count_limit = 1;

  bool takes(const WideKey<Words>& head) const {
    return head.matches(mask, value) && count(head) < count_limit;
  }
  std::uint64_t count(const WideKey<Words>& head) const {
    return (head.word[count_word] >> count_pruned) & count_mask;
  }
};

template <unsigned Words>
Stream<Words> make_stream(const StreamPlan& plan) {
  Stream<Words> stream;
  stream.weight = plan.weight;
  for (const FieldChange& change : plan.changes) {
    const unsigned word = change.field.offset / 64;
    const unsigned shift = change.field.offset % 64;
    const std::uint64_t from = std::uint64_t{change.from} << shift;
    const std::uint64_t to = std::uint64_t{change.to} << shift;
    if (change.field.offset < 6) {
      for (std::uint64_t place = 0; place < 64; ++place) {
        if ((place & field_mask(change.field)) != from) stream.places &= ~(std::uint64_t{1} << place);
      }
      stream.shift += static_cast<int>(to) - static_cast<int>(from);
    } else {
      stream.mask.word[word] |= field_mask(change.field);
      stream.value.word[word] |= from;
      stream.delta.word[word] += to - from;
    }
  }
  if (plan.counted.width != 0) {
    stream.count_word = plan.counted.offset / 64;
    stream.count_pruned = plan.counted.offset % 64;
    stream.count_mask = (std::uint64_t{1} << plan.counted.width) - 1;
    stream.count_limit = plan.limit;
    stream.delta.word[stream.count_word] += std::uint64_t{1} << stream.count_pruned;
  }
  return stream;
}

/// The least key with `value` under `mask` that is not below `key`; false where there is none.
template <unsigned Words>
bool next_match(WideKey<Words>& key, const WideKey<Words>& mask, const WideKey<Words>& value) {
  // The highest bit where key differs from value under the mask decides.
  for (unsigned k = Words; k-- > 0;) {
    const std::uint64_t difference = (key.word[k] & mask.word[k]) ^ value.word[k];
    if (difference == 0) continue;
    std::uint64_t bit = std::uint64_t{1} << (63 - __builtin_clzll(difference));
    unsigned at = k;
    if ((value.word[k] & bit) == 0) {
      // Too large already: the next higher free bit that is 0 becomes 1.
      std::uint64_t candidates = ~(key.word[k] | mask.word[k]) & ~(bit | (bit - 1));
      while (candidates == 0) {
        if (++at == Words) return false;
        candidates = ~(key.word[at] | mask.word[at]);
      }
      bit = candidates & (0 - candidates);
    }
    key.word[at] = (key.word[at] & ~(bit | (bit - 1))) | bit | (value.word[at] & (bit - 1));
    for (unsigned below = 0; below < at; ++below) key.word[below] = value.word[below];
    return true;
  }
  return true;
}

/// Where the stream's states whose new heads are not below `bound` begin: an index into the sorted heads.
template <unsigned Words>
std::uint64_t first_not_below(const Stream<Words>& stream, const WideKey<Words>* heads, std::uint64_t blocks,
                              const WideKey<Words>& bound) {
  std::uint64_t first = blocks;
  // One count at a time: over all states with one count the stream adds a constant to constant fields.
  for (std::uint64_t count = 0; count < stream.count_limit; ++count) {
    WideKey<Words> mask = stream.mask;
    WideKey<Words> value = stream.value;
    mask.word[stream.count_word] |= stream.count_mask << stream.count_pruned;
    value.word[stream.count_word] |= count << stream.count_pruned;
    const WideKey<Words> made = value.plus(stream.delta);
    WideKey<Words> key = bound;
    if (!next_match(key, mask, made)) continue;
    for (unsigned k = 0; k < Words; ++k) key.word[k] -= stream.delta.word[k];
    std::uint64_t low = 0;
    std::uint64_t high = first;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (heads[middle] < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    first = low;
  }
  return first;
}

}  // namespace countpm
