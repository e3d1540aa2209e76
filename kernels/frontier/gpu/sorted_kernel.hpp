#pragma once
// A round of an elimination on a GPU (kernels/gpu/cpu_executor.hpp says how a kernel is written).
//
// A table is an array of keys, ascending, and one of values for every modulus. A round moves states along its
// streams (frontier/tables/program.hpp), each of which adds a constant to the keys that it takes and so keeps
// their order. A slice of the round is what arrives at keys from .. to - 1: a stretch of the table for every
// stream. The places of these stretches, one after the other, are the slice's candidates. Those that a stream
// takes become records (new key, number of the candidate), the records are sorted by key, and the values of
// equal keys, fetched through the candidates' numbers, are added up. At most one record of a stream has a
// given key, so that a key has few records, and one lane adds them.
#include <cstdint>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/arithmetic/host_device.hpp"
#include "kernels/frontier/gpu/tuning.hpp"
#include "kernels/gpu/atomic.hpp"

namespace countpm {

/// A StreamPlan over whole keys. Key: std::uint64_t or uint128.
template <class Key>
struct DeviceStream {
  Key mask = 0;
  Key value = 0;
  Key delta = 0;  // modulo the keys' size
  std::uint64_t count_mask = 0;
  std::uint64_t count_limit = 1;
  std::uint32_t count_pruned = 0;
  std::uint32_t weight = 0;  // its number in the program
  bool down = false;         // whether delta is negative

  COUNTPM_HD bool takes(Key key) const {
    return (key & mask) == value &&
           (static_cast<std::uint64_t>(key >> count_pruned) & count_mask) < count_limit;
  }
  COUNTPM_HD Key target(Key key) const { return key + delta; }
};

namespace frontier_step {

/// The first place whose key is not below `bound`.
template <class Key>
COUNTPM_HD std::uint64_t lower_bound(const Key* keys, std::uint64_t count, Key bound) {
  std::uint64_t low = 0;
  std::uint64_t high = count;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (keys[middle] < bound) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The first place from which on all keys that the stream takes arrive at `bound` or above.
template <class Key>
COUNTPM_HD std::uint64_t first_arriving(const DeviceStream<Key>& stream, const Key* keys, std::uint64_t count,
                                        Key bound) {
  const Key source = bound - stream.delta;
  if (stream.down) return source < bound ? count : lower_bound(keys, count, source);
  return source > bound ? 0 : lower_bound(keys, count, source);
}

/// The first place from which on no key that the stream takes arrives at `last` or below.
template <class Key>
COUNTPM_HD std::uint64_t first_above(const DeviceStream<Key>& stream, const Key* keys, std::uint64_t count,
                                     Key last) {
  const Key bound = last + 1;
  if (bound != 0) return first_arriving(stream, keys, count, bound);
  // Past the largest key that there is.
  return stream.down || stream.delta == 0 ? count : lower_bound(keys, count, Key{0} - stream.delta);
}

/// The last k with start[k] <= place: start ascends from 0, and place < start[count].
COUNTPM_HD inline std::uint32_t stretch_of(const std::uint64_t* start, std::uint32_t count,
                                           std::uint64_t place) {
  std::uint32_t low = 0;
  std::uint32_t high = count;
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (start[middle] <= place) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace frontier_step

/// The table that a round reads, and its streams.
template <class Key>
struct DeviceRound {
  const Key* keys = nullptr;
  std::uint64_t states = 0;
  const DeviceStream<Key>* streams = nullptr;
  std::uint32_t stream_count = 0;
};

/// A slice's stretches: stream s has the places begin[s] .. of the table, and the candidates start[s] ..
/// start[s + 1] - 1.
struct DeviceSlice {
  const std::uint64_t* begin = nullptr;
  const std::uint64_t* start = nullptr;  // [stream_count + 1]
  std::uint64_t candidates = 0;          // < 2^32
};

inline constexpr unsigned frontier_chunk = 32 * frontier_tuning::rows_a_chunk;

/// Keys that cut the round into `count` slices of about `size` candidates: cut k is the largest key below
/// which at most k * size of them arrive, from all streams together, so that a slice has at most size +
/// stream_count. Cut 0 is key 0, and the last slice ends with last_key. Candidates that arrive at no key are
/// in no slice. A warp a cut.
template <class Key>
struct CutKernel {
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = 4;
  DeviceRound<Key> round;
  std::uint32_t key_bits;
  Key last_key;  // that has key_bits bits
  std::uint64_t size;
  std::uint64_t count;
  Key* cuts;             // [count]
  std::uint64_t* begin;  // [count + 1][stream_count]

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      for (std::uint64_t k = warp.index(); k <= count; k += warp.count()) {
        if (k < count) {
          cut(warp, k);
        } else {
          end(warp);
        }
      }
    });
  }

 private:
  template <class Warp>
  COUNTPM_HD void end(const Warp& warp) const {
    warp.each([&](unsigned lane) {
      for (std::uint32_t s = lane; s < round.stream_count; s += 32) {
        begin[count * round.stream_count + s] =
            frontier_step::first_above(round.streams[s], round.keys, round.states, last_key);
      }
    });
  }
  template <class Warp>
  COUNTPM_HD void cut(const Warp& warp, std::uint64_t k) const {
    Key bound = 0;
    for (std::uint32_t bit = k == 0 ? 0 : key_bits; bit-- > 0;) {
      const Key higher = bound | Key{1} << bit;
      if (arriving_below(warp, higher) <= k * size) bound = higher;
    }
    warp.each([&](unsigned lane) {
      for (std::uint32_t s = lane; s < round.stream_count; s += 32) {
        begin[k * round.stream_count + s] =
            frontier_step::first_arriving(round.streams[s], round.keys, round.states, bound);
      }
    });
    warp.once([&] { cuts[k] = bound; });
  }
  template <class Warp>
  COUNTPM_HD std::uint64_t arriving_below(const Warp& warp, Key bound) const {
    typename Warp::template PerLane<std::uint64_t> sum;
    warp.each([&](unsigned lane) {
      sum[lane] = 0;
      for (std::uint32_t s = lane; s < round.stream_count; s += 32)
        sum[lane] += frontier_step::first_arriving(round.streams[s], round.keys, round.states, bound);
    });
    return warp.reduce(sum, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  }
};

/// The records of a slice, in any order.
template <class Key>
struct ExpandKernel {
  static constexpr unsigned threads = frontier_tuning::threads;
  static constexpr unsigned blocks_per_multiprocessor = 4;
  DeviceRound<Key> round;
  DeviceSlice slice;
  Key base;  // is taken off all new keys
  Key* keys;
  std::uint32_t* numbers;
  std::uint64_t* count;  // of the records; 0 before

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      const std::uint64_t chunks = (slice.candidates + frontier_chunk - 1) / frontier_chunk;
      for (std::uint64_t chunk = warp.index(); chunk < chunks; chunk += warp.count())
        expand(warp, chunk * frontier_chunk);
    });
  }

 private:
  template <class Warp>
  COUNTPM_HD void expand(const Warp& warp, std::uint64_t first) const {
    constexpr unsigned rows = frontier_tuning::rows_a_chunk;
    typename Warp::template PerLane<Key> made[rows];
    typename Warp::template PerLane<std::uint32_t> stream;
    std::uint32_t taken[rows];
    std::uint32_t all = 0;
    warp.each([&](unsigned lane) {
      if (first + lane < slice.candidates)
        stream[lane] = frontier_step::stretch_of(slice.start, round.stream_count, first + lane);
    });
    COUNTPM_UNROLL
    for (unsigned row = 0; row < rows; ++row) {
      taken[row] = warp.ballot([&](unsigned lane) {
        const std::uint64_t candidate = first + row * 32 + lane;
        if (candidate >= slice.candidates) return false;
        std::uint32_t& s = stream[lane];
        while (candidate >= slice.start[s + 1]) ++s;
        const Key key = round.keys[slice.begin[s] + (candidate - slice.start[s])];
        made[row][lane] = round.streams[s].target(key) - base;
        return round.streams[s].takes(key);
      });
      all += bit_count(taken[row]);
    }
    if (all == 0) return;
    typename Warp::template PerLane<std::uint64_t> place;
    warp.once([&] { place[0] = add_atomically(count, std::uint64_t{all}); });
    std::uint64_t at = warp.broadcast(place, 0);
    COUNTPM_UNROLL
    for (unsigned row = 0; row < rows; ++row) {
      warp.each([&](unsigned lane) {
        if ((taken[row] >> lane & 1) == 0) return;
        const std::uint64_t to = at + bit_count(taken[row] & ((std::uint32_t{1} << lane) - 1));
        keys[to] = made[row][lane];
        numbers[to] = static_cast<std::uint32_t>(first + row * 32 + lane);
      });
      at += bit_count(taken[row]);
    }
  }
};

/// A slice's records, sorted.
template <class Key>
struct SortedRecords {
  const Key* keys = nullptr;
  const std::uint32_t* numbers = nullptr;
  std::uint64_t count = 0;

  /// Whether a new key begins here.
  COUNTPM_HD bool head(std::uint64_t place) const {
    return place < count && (place == 0 || keys[place] != keys[place - 1]);
  }
  COUNTPM_HD std::uint64_t chunks() const { return (count + frontier_chunk - 1) / frontier_chunk; }
};

/// The different keys of every chunk of records: of those that begin there.
template <class Key>
struct HeadsKernel {
  static constexpr unsigned threads = frontier_tuning::threads;
  static constexpr unsigned blocks_per_multiprocessor = 4;
  SortedRecords<Key> records;
  std::uint32_t* heads;  // a chunk

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      for (std::uint64_t chunk = warp.index(); chunk < records.chunks(); chunk += warp.count()) {
        std::uint32_t all = 0;
        COUNTPM_UNROLL
        for (unsigned row = 0; row < frontier_tuning::rows_a_chunk; ++row) {
          all += bit_count(warp.ballot(
              [&](unsigned lane) { return records.head(chunk * frontier_chunk + row * 32 + lane); }));
        }
        warp.once([&] { heads[chunk] = all; });
      }
    });
  }
};

/// Every number becomes the sum of those before it. One block.
struct ScanKernel {
  static constexpr unsigned threads = 1024;
  static constexpr unsigned blocks_per_multiprocessor = 1;
  static constexpr std::size_t shared_bytes = threads * sizeof(std::uint32_t);
  std::uint32_t* numbers;
  std::uint64_t count;
  std::uint64_t* total;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    std::uint32_t* sums = block.template shared<std::uint32_t>();
    const std::uint64_t part = (count + threads - 1) / threads;
    block.each([&](unsigned thread) {
      std::uint32_t sum = 0;
      for (std::uint64_t k = thread * part; k < (thread + 1) * part && k < count; ++k) sum += numbers[k];
      sums[thread] = sum;
    });
    block.sync();
    block.each([&](unsigned thread) {
      if (thread != 0) return;
      std::uint32_t before = 0;
      for (unsigned k = 0; k < threads; ++k) {
        const std::uint32_t own = sums[k];
        sums[k] = before;
        before += own;
      }
      *total = before;
    });
    block.sync();
    block.each([&](unsigned thread) {
      std::uint32_t before = sums[thread];
      for (std::uint64_t k = thread * part; k < (thread + 1) * part && k < count; ++k) {
        const std::uint32_t own = numbers[k];
        numbers[k] = before;
        before += own;
      }
    });
  }
};

/// What all columns of values share: which records go to which state of the new table.
template <class Key>
struct SumTask {
  DeviceRound<Key> round;
  DeviceSlice slice;
  SortedRecords<Key> records;
  const std::uint32_t* heads_before;  // of every chunk
  Key base;
  Key* keys;  // of the new states; null: written already
};

/// The new states' values modulo one modulus, and their keys.
template <class Key, class R>
struct SumKernel {
  static constexpr unsigned threads = frontier_tuning::threads;
  static constexpr unsigned blocks_per_multiprocessor = 4;
  using Element = typename R::Element;
  SumTask<Key> task;
  R ring;
  const Element* weights;
  const Element* from;
  Element* to;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      for (std::uint64_t chunk = warp.index(); chunk < task.records.chunks(); chunk += warp.count()) {
        std::uint64_t state = task.heads_before[chunk];
        COUNTPM_UNROLL
        for (unsigned row = 0; row < frontier_tuning::rows_a_chunk; ++row) {
          const std::uint64_t first = chunk * frontier_chunk + row * 32;
          const std::uint32_t heads =
              warp.ballot([&](unsigned lane) { return task.records.head(first + lane); });
          warp.each([&](unsigned lane) {
            if ((heads >> lane & 1) == 0) return;
            const std::uint64_t at = state + bit_count(heads & ((std::uint32_t{1} << lane) - 1));
            if (task.keys != nullptr) task.keys[at] = task.records.keys[first + lane] + task.base;
            to[at] = sum(first + lane);
          });
          state += bit_count(heads);
        }
      }
    });
  }

 private:
  COUNTPM_HD Element sum(std::uint64_t place) const {
    const Key key = task.records.keys[place];
    Element result = ring.zero();
    do {
      const std::uint64_t candidate = task.records.numbers[place];
      const std::uint32_t s = frontier_step::stretch_of(task.slice.start, task.round.stream_count, candidate);
      const Element value = from[task.slice.begin[s] + (candidate - task.slice.start[s])];
      ring.add_to(result, ring.mul(value, weights[task.round.streams[s].weight]));
      ++place;
    } while (place < task.records.count && task.records.keys[place] == key);
    return result;
  }
};

}  // namespace countpm
