#pragma once
// The children of a population's states on a device, those with the same used columns together.
//
// Child number i << entry_bits | e: state i takes the column of the row's entry e. A slot of the hash table
// has one of the children of a set of used columns, from which the others hang in a list; what a child's set
// is follows from its number, so that threads need not wait for what others write.
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/estimate/population/plan.hpp"
#include "kernels/estimate/walks/bit_walk.hpp"
#include "kernels/gpu/atomic.hpp"

namespace countpm {

/// A row of a PopulationPlan.
template <unsigned Words>
struct PopulationRow {
  const PopulationPlan::Entry* entries = nullptr;
  std::uint32_t count = 0;
  BitSet<Words> closing;  // columns that have no row after it

  static COUNTPM_HD bool has(const BitSet<Words>& set, std::uint32_t bit) {
    std::uint64_t word = set.word[0];
    // A word that is not known to the compiler would put all of them into memory.
    COUNTPM_UNROLL
    for (unsigned w = 1; w < Words; ++w) word = bit / 64 == w ? set.word[w] : word;
    return (word >> bit % 64 & 1) != 0;
  }
  /// The used columns after entry e was taken.
  COUNTPM_HD BitSet<Words> child(BitSet<Words> set, std::uint32_t e) const {
    const std::uint32_t bit = entries[e].bit;
    COUNTPM_UNROLL
    for (unsigned w = 0; w < Words; ++w) {
      set.word[w] |= bit / 64 == w ? std::uint64_t{1} << bit % 64 : 0;
      set.word[w] &= ~closing.word[w];
    }
    return set;
  }
};

template <unsigned Words>
struct PopulationChildren {
  using Set = BitSet<Words>;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  PopulationRow<Words> row;
  std::uint32_t entry_bits = 0;
  const Set* used = nullptr;       // of the states
  std::uint32_t* table = nullptr;  // mask + 1 slots, none where empty
  std::uint32_t mask = 0;
  std::uint32_t* next = nullptr;  // in a list, of every child; none for its last

  /// Any power of two at least as large as `children`, some slots more than that.
  static COUNTPM_HD std::uint32_t slots(std::uint32_t children) {
    std::uint32_t slots = 64;
    while (slots < children + children / 8) slots *= 2;
    return slots;
  }

  COUNTPM_HD std::uint32_t number(std::uint32_t state, std::uint32_t e) const {
    return state << entry_bits | e;
  }
  COUNTPM_HD Set set_of(std::uint32_t child) const {
    return row.child(used[child >> entry_bits], child & ((1U << entry_bits) - 1));
  }

  /// From any thread; a sync() before anything is looked at. O(1) expected.
  COUNTPM_HD void add(std::uint32_t child) const {
    const Set set = set_of(child);
    for (std::uint32_t at = hash(set) & mask;; at = (at + 1) & mask) {
      std::uint32_t head = compare_and_swap(table + at, none, child);
      if (head == none) {
        next[child] = none;
        return;
      }
      if (!same(set_of(head), set)) continue;
      for (;;) {
        next[child] = head;
        const std::uint32_t seen = compare_and_swap(table + at, head, child);
        if (seen == head) return;
        head = seen;
      }
    }
  }

  /// The least number of a list.
  COUNTPM_HD std::uint32_t first_of(std::uint32_t head) const {
    std::uint32_t first = head;
    for (std::uint32_t child = next[head]; child != none; child = next[child])
      first = child < first ? child : first;
    return first;
  }

  /// The priorities of a list's children, of all children by number, added up in the order of their numbers.
  /// A list has at most one child of each entry.
  COUNTPM_HD double sum_of(std::uint32_t head, const double* priority) const {
    constexpr unsigned at_a_time = 8;
    double sum = 0;
    std::uint32_t added = 0;  // up to the number before this one
    for (bool more = true; more;) {
      more = false;
      std::uint32_t least[at_a_time];
      COUNTPM_UNROLL
      for (std::uint32_t& one : least) one = none;
      for (std::uint32_t child = head; child != none; child = next[child]) {
        if (child < added) continue;
        std::uint32_t other = child;
        COUNTPM_UNROLL
        for (std::uint32_t& one : least) {
          const std::uint32_t lower = one < other ? one : other;
          other = one < other ? other : one;
          one = lower;
        }
        more = more || other != none;
      }
      COUNTPM_UNROLL
      for (const std::uint32_t one : least) {
        if (one == none) continue;
        sum += priority[one];
        added = one + 1;
      }
    }
    return sum;
  }

 private:
  static COUNTPM_HD std::uint32_t hash(const Set& set) {
    std::uint64_t h = 0;
    COUNTPM_UNROLL
    for (unsigned w = 0; w < Words; ++w) {
      h = (h ^ set.word[w]) * 0x9e3779b97f4a7c15U;
      h ^= h >> 32;
    }
    return static_cast<std::uint32_t>(h);
  }
  static COUNTPM_HD bool same(const Set& a, const Set& b) {
    std::uint64_t differ = 0;
    COUNTPM_UNROLL
    for (unsigned w = 0; w < Words; ++w) differ |= a.word[w] ^ b.word[w];
    return differ == 0;
  }
};

}  // namespace countpm
