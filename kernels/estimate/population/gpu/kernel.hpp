#pragma once
// population.hpp by a GPU's blocks of threads, a sample each: the same states in the same order, the same
// sums and random numbers (kernels/gpu/cpu_executor.hpp says how a kernel is written). A block's states are
// in global memory, and so is where it stands: a launch lasts for some time, and the next one goes on.
//
// A step: every state adds its children to the table of children.hpp; each list there becomes a state, whose
// place is that of its first child among all first children, as if states had come one after the other;
// where there are too many, resample.hpp says which stay.
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/arithmetic/philox.hpp"
#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/population/gpu/block_sums.hpp"
#include "kernels/estimate/population/gpu/children.hpp"
#include "kernels/estimate/population/resample.hpp"
#include "kernels/estimate/samples/sample_numbers.hpp"
#include "kernels/gpu/atomic.hpp"
#include "kernels/gpu/device_clock.hpp"

namespace countpm {

/// Where a block's arrays are in its part of the global memory.
struct PopulationLayout {
  std::uint32_t members = 1;
  std::uint32_t entry_bits = 0;    // of a child's number
  std::uint32_t slots = 64;        // of the table, at most
  std::uint64_t used[2] = {0, 0};  // sets of states before and after a step
  std::uint64_t priority[2] = {0, 0};
  std::uint64_t next = 0;   // of every child, in its list
  std::uint64_t worth = 0;  // of every child, its priority
  std::uint64_t head = 0;   // of every list
  std::uint64_t first = 0;  // its first child
  std::uint64_t flags = 0;  // a bit a child: it is a list's first
  std::uint64_t ranks = 0;  // how many flags come before a word of them
  std::uint64_t child = 0;  // the first child of every state to be
  std::uint64_t value = 0;  // and its priority
  std::uint64_t table = 0;  // where shared memory has no room
  std::uint64_t bytes = 0;
};

/// A GuessFactorList in the device's memory.
struct GuessFactorView {
  const std::uint32_t* low = nullptr;
  const std::uint32_t* high = nullptr;
  const std::int32_t* exponent = nullptr;
  const std::uint64_t* first = nullptr;

  COUNTPM_HD std::int32_t sum(std::uint64_t at, std::uint64_t used) const {
    return guess_sum(low + first[at], high + first[at], exponent + first[at], first[at + 1] - first[at],
                     used);
  }
};

/// The plan in the device's memory.
struct PopulationPlanView {
  const PopulationPlan::Entry* entries = nullptr;
  const std::uint64_t* first_entry = nullptr;
  const std::uint64_t* closing = nullptr;  // of every step, so many words
  std::uint32_t steps = 0;
  // GuessFactors, where there are any
  const std::uint32_t* near = nullptr;
  const std::uint64_t* first_near = nullptr;
  GuessFactorView of_steps;
  GuessFactorView of_entries;
  const double* powers = nullptr;  // GuessPowers::table()
};

/// Where a block's sample stands between launches; cleared memory: nowhere.
struct PopulationPlace {
  std::uint64_t sample;  // its number within the launch
  Scaled value;
  std::uint32_t step;
  std::uint32_t states;
  std::uint32_t drawn;  // random numbers
  std::uint32_t from;   // which of the arrays has the states
  std::uint32_t walking;
  std::uint32_t unused;
};

template <unsigned Words, unsigned Threads>
struct PopulationKernel {
  static constexpr unsigned threads = Threads;
  static constexpr unsigned blocks_per_multiprocessor = 1024 / Threads;
  static constexpr unsigned words = Words;
  static constexpr unsigned warps = Threads / 32;
  using Set = BitSet<Words>;
  using Children = PopulationChildren<Words>;

  PopulationLayout layout;
  PopulationPlanView plan;
  bool table_is_shared = false;
  std::byte* memory = nullptr;        // [block][layout.bytes]
  PopulationPlace* places = nullptr;  // [block]
  std::uint64_t* counters = nullptr;  // samples begun, samples done, samples whose weights are no doubles
  std::uint32_t steps = 0;            // of a block and launch, at most
  std::uint64_t nanoseconds = 0;      // of a launch; on the CPU executor they do not pass
  SampleNumbers numbers{};
  Scaled* samples = nullptr;

  /// Of a block, for so many slots; 0: the table is elsewhere.
  static std::size_t shared_bytes(std::uint32_t slots) { return table_at + slots * sizeof(std::uint32_t); }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    std::byte* const own = memory + block.index() * layout.bytes;
    Walk<Block> walk{*this, block, own,
                     table_is_shared ? block.template shared<std::uint32_t>(table_at)
                                     : reinterpret_cast<std::uint32_t*>(own + layout.table)};
    walk.run();
  }

 private:
  /// The same on every GPU and the executor, whatever Block is.
  struct Shared {
    std::uint64_t room[2 * warps * 2];  // BlockSums::Room
    std::uint64_t sample;
    std::uint32_t lists;
    std::uint32_t late;
  };
  static constexpr std::size_t table_at = (sizeof(Shared) + 15) / 16 * 16;

  template <class Block>
  struct Walk {
    using Sums = BlockSums<Block, Threads>;
    static_assert(sizeof(typename Sums::Room) == sizeof(Shared::room));

    const PopulationKernel& kernel;
    Block& block;
    std::byte* own;
    std::uint32_t* table;
    Shared* shared = block.template shared<Shared>();
    Sums sums{block, reinterpret_cast<typename Sums::Room*>(shared->room)};
    PopulationPlace place{};
    std::uint64_t start = 0;
    bool late = false;

    template <class T>
    COUNTPM_HD T* array(std::uint64_t at) const {
      return reinterpret_cast<T*>(own + at);
    }

    COUNTPM_HD void run() {
      start = device_nanoseconds();
      place = kernel.places[block.index()];
      block.each([&](unsigned t) {
        for (std::uint32_t s = t; s < kernel.layout.slots; s += Threads) table[s] = Children::none;
      });
      block.sync();
      std::uint32_t left = kernel.steps;
      while (place.walking != 0 || begin()) {
        if (left-- == 0) break;
        if (!step()) finish();
        if (late) left = 0;
      }
      block.each([&](unsigned t) {
        if (t == 0) kernel.places[block.index()] = place;
      });
    }

    /// The next sample; false: there is none.
    COUNTPM_HD bool begin() {
      block.each([&](unsigned t) {
        if (t != 0) return;
        shared->sample = add_atomically(kernel.counters, std::uint64_t{1});
        *array<Set>(kernel.layout.used[0]) = Set{};
        *array<double>(kernel.layout.priority[0]) = 1;
      });
      block.sync();
      place = {};
      place.sample = shared->sample;
      place.states = 1;
      place.walking = place.sample < kernel.numbers.count ? 1 : 0;
      return place.walking != 0;
    }

    /// With place.value as the sample.
    COUNTPM_HD void finish() {
      place.walking = 0;
      place.value.exponent += kernel.numbers.exponent;
      block.each([&](unsigned t) {
        if (t != 0) return;
        kernel.samples[place.sample] = place.value;
        add_atomically(kernel.counters + 1, std::uint64_t{1});
      });
    }

    /// False: the sample is done. A sync() is at its end.
    COUNTPM_HD bool step() {
      const Children children = children_of_step();
      expand(children);
      const std::uint32_t lists = gather(children);
      if (lists == 0) {
        place.value = {0, 0};
        return false;
      }
      const double largest = order(children, lists);
      if (!(largest > 0) || !(largest <= 0x1.fffffffffffffp+1023)) {
        block.each([&](unsigned t) {
          if (t == 0) add_atomically(kernel.counters + 2, std::uint64_t{1});
        });
        place.value = {0, 0};
        return false;
      }
      const int shift = exponent_of(largest);
      const PowerOfTwo scale(-shift);
      place.value.exponent += shift;
      if (lists > kernel.layout.members) {
        resample(children, lists, scale);
      } else {
        keep_all(children, lists, scale);
      }
      block.sync();
      place.from ^= 1U;
      if (++place.step < kernel.plan.steps) return true;
      place.value.multiply(*array<double>(kernel.layout.priority[place.from]));
      block.sync();
      return false;
    }

    COUNTPM_HD Children children_of_step() const {
      const std::uint64_t begin_of_row = kernel.plan.first_entry[place.step];
      Children children;
      children.row.entries = kernel.plan.entries + begin_of_row;
      children.row.count =
          static_cast<std::uint32_t>(kernel.plan.first_entry[place.step + std::uint64_t{1}] - begin_of_row);
      COUNTPM_UNROLL
      for (unsigned w = 0; w < Words; ++w)
        children.row.closing.word[w] = kernel.plan.closing[std::uint64_t{place.step} * Words + w];
      children.entry_bits = kernel.layout.entry_bits;
      children.used = array<Set>(kernel.layout.used[place.from]);
      children.table = table;
      children.mask = Children::slots(place.states * children.row.count) - 1;
      children.next = array<std::uint32_t>(kernel.layout.next);
      return children;
    }

    /// All children into the table.
    COUNTPM_HD void expand(const Children& children) {
      auto* const flags = array<std::uint32_t>(kernel.layout.flags);
      block.each([&](unsigned t) {
        if (t == 0) {
          shared->lists = 0;
          shared->late = device_nanoseconds() - start > kernel.nanoseconds ? 1 : 0;
        }
        for (std::uint32_t w = t; w < flag_words(); w += Threads) flags[w] = 0;
        for (std::uint32_t i = t; i < place.states; i += Threads) expand(children, i);
      });
      block.sync();
    }

    COUNTPM_HD void expand(const Children& children, std::uint32_t i) const {
      const auto& row = children.row;
      const Set used = children.used[i];
      double product = array<double>(kernel.layout.priority[place.from])[i];
      std::uint32_t open_closing = 0;  // columns that this row alone can still use
      std::uint32_t forced = 0;
      for (std::uint32_t e = 0; e < row.count; ++e) {
        const PopulationPlan::Entry& entry = row.entries[e];
        if (row.has(used, entry.bit)) {
          product *= entry.kept;
        } else if (entry.last) {
          ++open_closing;
          forced = e;
        }
      }
      if (open_closing > 1) return;
      std::uint64_t near_used = 0;
      std::int32_t exponent = 0;
      if (kernel.plan.near != nullptr) {
        const std::uint64_t first = kernel.plan.first_near[place.step];
        const auto count =
            static_cast<unsigned>(kernel.plan.first_near[place.step + std::uint64_t{1}] - first);
        for (unsigned k = 0; k < count; ++k)
          near_used |= static_cast<std::uint64_t>(row.has(used, kernel.plan.near[first + k]) ? 1 : 0) << k;
        exponent = kernel.plan.of_steps.sum(place.step, near_used);
      }
      auto* const worth = array<double>(kernel.layout.worth);
      const std::uint32_t begin_of = open_closing == 1 ? forced : 0;
      const std::uint32_t end_of = open_closing == 1 ? forced + 1 : row.count;
      for (std::uint32_t e = begin_of; e < end_of; ++e) {
        if (row.has(used, row.entries[e].bit)) continue;
        double taken = row.entries[e].taken;
        if (kernel.plan.near != nullptr) {
          const std::uint64_t entry = kernel.plan.first_entry[place.step] + e;
          taken *=
              GuessPowers::power(kernel.plan.powers, exponent + kernel.plan.of_entries.sum(entry, near_used));
        }
        worth[children.number(i, e)] = product * taken;
        children.add(children.number(i, e));
      }
    }

    COUNTPM_HD std::uint32_t flag_words() const {
      return ((place.states << kernel.layout.entry_bits) + 31) / 32;
    }

    /// The lists of the table, which is empty then, in any order, and flags for their first children.
    COUNTPM_HD std::uint32_t gather(const Children& children) {
      auto* const head = array<std::uint32_t>(kernel.layout.head);
      block.each_warp([&](auto& warp) {
        for (std::uint32_t base = 32 * static_cast<std::uint32_t>(warp.index() % warps);
             base <= children.mask; base += Threads) {
          typename Block::Warp::template PerLane<std::uint32_t> slot;
          warp.each([&](unsigned lane) {
            slot[lane] = table[base + lane];
            if (slot[lane] != Children::none) table[base + lane] = Children::none;
          });
          const std::uint32_t taken =
              warp.ballot([&](unsigned lane) { return slot[lane] != Children::none; });
          if (taken == 0) continue;
          typename Block::Warp::template PerLane<std::uint32_t> before;
          warp.each([&](unsigned lane) {
            before[lane] = lane == 0 ? add_atomically(&shared->lists, bit_count(taken)) : 0;
          });
          const std::uint32_t from = warp.broadcast(before, 0);
          warp.each([&](unsigned lane) {
            if (slot[lane] != Children::none)
              head[from + bit_count(taken & ((std::uint32_t{1} << lane) - 1))] = slot[lane];
          });
        }
      });
      block.sync();
      late = shared->late != 0;
      const std::uint32_t lists = shared->lists;
      auto* const flags = array<std::uint32_t>(kernel.layout.flags);
      auto* const first = array<std::uint32_t>(kernel.layout.first);
      block.each([&](unsigned t) {
        for (std::uint32_t list = t; list < lists; list += Threads) {
          const std::uint32_t child = children.first_of(head[list]);
          first[list] = child;
          // Every bit is added once.
          add_atomically(flags + child / 32, std::uint32_t{1} << child % 32);
        }
      });
      block.sync();
      return lists;
    }

    /// The states to be, in the order of their first children; the largest of their priorities.
    COUNTPM_HD double order(const Children& children, std::uint32_t lists) {
      const auto* const flags = array<std::uint32_t>(kernel.layout.flags);
      auto* const ranks = array<std::uint32_t>(kernel.layout.ranks);
      sums.running(
          flag_words(), [&](std::uint32_t w) { return std::uint64_t{bit_count(flags[w])}; },
          [&](std::uint32_t w, std::uint64_t before) { ranks[w] = static_cast<std::uint32_t>(before); });
      block.sync();
      const auto* const head = array<std::uint32_t>(kernel.layout.head);
      const auto* const first = array<std::uint32_t>(kernel.layout.first);
      auto* const child = array<std::uint32_t>(kernel.layout.child);
      auto* const value = array<double>(kernel.layout.value);
      return sums.largest([&](unsigned t) {
        double largest = 0;
        for (std::uint32_t list = t; list < lists; list += Threads) {
          const std::uint32_t number = first[list];
          const std::uint32_t lower = flags[number / 32] & ((std::uint32_t{1} << number % 32) - 1);
          const std::uint32_t at = ranks[number / 32] + bit_count(lower);
          const double sum = children.sum_of(head[list], array<double>(kernel.layout.worth));
          child[at] = number;
          value[at] = sum;
          largest = Sums::larger(largest, sum);
        }
        return largest;
      });
    }

    COUNTPM_HD void keep_all(const Children& children, std::uint32_t lists, const PowerOfTwo& scale) {
      auto* const used = array<Set>(kernel.layout.used[place.from ^ 1U]);
      auto* const priority = array<double>(kernel.layout.priority[place.from ^ 1U]);
      const auto* const child = array<std::uint32_t>(kernel.layout.child);
      const auto* const value = array<double>(kernel.layout.value);
      block.each([&](unsigned t) {
        for (std::uint32_t i = t; i < lists; i += Threads) {
          used[i] = children.set_of(child[i]);
          priority[i] = scale.times(value[i]);
        }
      });
      place.states = lists;
    }

    COUNTPM_HD void resample(const Children& children, std::uint32_t lists, const PowerOfTwo& scale) {
      using Pair = typename Sums::Pair;
      auto* const used = array<Set>(kernel.layout.used[place.from ^ 1U]);
      auto* const priority = array<double>(kernel.layout.priority[place.from ^ 1U]);
      const auto* const child = array<std::uint32_t>(kernel.layout.child);
      auto* const value = array<double>(kernel.layout.value);
      ThresholdSearch search(lists, kernel.layout.members);
      const Pair all = sums.sum([&](unsigned t) {
        Pair parts;
        for (std::uint32_t i = t; i < lists; i += Threads) {
          value[i] = scale.times(value[i]);
          parts.first += search.part(value[i]);
        }
        return parts;
      });
      search.begin(all.first);
      Pair large_and_parts;
      do {
        large_and_parts = sums.sum([&](unsigned t) {
          Pair found;
          for (std::uint32_t i = t; i < lists; i += Threads) {
            const bool is_large = value[i] >= search.threshold();
            found.first += is_large ? 1 : 0;
            found.second += is_large ? 0 : search.part(value[i]);
          }
          return found;
        });
      } while (search.go_on(large_and_parts.first, large_and_parts.second));
      const KeepByShares keep(search.threshold(), kernel.layout.members, next_random());
      const std::uint64_t shares = sums.running(
          lists, [&](std::uint32_t i) { return keep.share(value[i]); },
          [&](std::uint32_t i, std::uint64_t below) {
            const std::uint64_t share = keep.share(value[i]);
            const std::uint64_t at = keep.kept(below);
            if (keep.kept(below + share) == at) return;
            used[at] = children.set_of(child[i]);
            priority[at] = keep.kept_priority(value[i], share);
          });
      place.states = static_cast<std::uint32_t>(keep.kept(shares));
    }

    /// As CounterRandom's.
    COUNTPM_HD std::uint64_t next_random() {
      const PhiloxBlock four = philox_block(kernel.numbers.seed, kernel.numbers.stream,
                                            kernel.numbers.first + place.sample, place.drawn / 4);
      const std::uint32_t which = place.drawn++ % 4;
      const std::uint64_t low = which == 0 ? four.number[0] : four.number[1];
      const std::uint64_t high = which == 2 ? four.number[2] : four.number[3];
      return which < 2 ? low : high;
    }
  };
};

}  // namespace countpm
