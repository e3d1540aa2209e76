#pragma once
// ryser on a GPU: every thread walks over 2^walked subsets in Gray-code order, all threads of a launch flip
// the same column at the same time, and differ in the columns that their number's bits stand for
// (power-of-two chunks: K. Kaya, Turk. J. Elec. Eng. & Comp. Sci. 27 (2019)).
//
// Compiles without nvcc, for the CPU executor, and by NVRTC (subsets/gpu/embedded_headers.hpp).
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/arithmetic/host_device.hpp"
#include "kernels/subsets/gpu/eight_terms.hpp"
#include "kernels/subsets/gpu/tuning.hpp"

namespace countpm::gray {

/// Where a thread's row sums live. registers: their number is known at compile time, and the columns are in
/// shared memory. shared, as far as there is room, and global, for any number of rows, are 3 to 7 and 16 to
/// 22 times slower (docs/internals/performance.md); the columns stay in global memory then, about as fast as
/// shared. For study: shared_matrix has the columns beside the sums, shared_apart each thread's sums together
/// and not interleaved with those of others.
enum class SumsIn { registers, shared, global, shared_matrix, shared_apart };
COUNTPM_HD constexpr bool in_shared(SumsIn sums_in) {
  return sums_in == SumsIn::shared || sums_in == SumsIn::shared_matrix || sums_in == SumsIn::shared_apart;
}

/// x_i of one thread among the interleaved ones of others.
template <class Value>
struct Strided {
  Value* base;
  std::size_t stride;
  COUNTPM_HD Value& operator[](unsigned i) const { return base[i * stride]; }
};

/// What a launch is given, whatever the number of rows.
template <class Value>
struct RyserArguments {
  unsigned rows = 0;                      // row sums a thread; Numbers::rows where that is known
  unsigned walked = 0;                    // columns 0 .. walked - 1
  unsigned chosen = 0;                    // by the bits of the item: columns walked .. walked + chosen - 1
  const Value* columns = nullptr;         // [column][stride]
  const Value* starts = nullptr;          // [prefix][stride]: the row sums without any of these columns
  const std::uint8_t* minuses = nullptr;  // [prefix]: whether its terms count negatively
  Value* global_sums = nullptr;           // SumsIn::global: [row][thread of the grid]
  std::uint64_t first = 0;                // items first .. last - 1: prefix << chosen | chosen columns
  std::uint64_t last = 0;
};

/// plain: an item is no set of chosen columns, but the chunk-th range of `length` subsets of a prefix,
/// wherever it begins: threads flip different columns at a time. For study.
template <class Numbers, SumsIn sums_in, bool plain = false>
struct RyserKernel : RyserArguments<typename Numbers::Value> {
  using Value = typename Numbers::Value;
  using Total = typename Numbers::Total;
  static constexpr unsigned threads = Numbers::threads;
  static constexpr unsigned blocks_per_multiprocessor = Numbers::blocks_per_multiprocessor;
  static_assert(sums_in != SumsIn::registers || Numbers::rows > 0);
  static_assert((threads & (threads - 1)) == 0, "the totals are joined by halves");

  using Arguments = RyserArguments<Value>;
  using Arguments::chosen;
  using Arguments::columns;
  using Arguments::first;
  using Arguments::global_sums;
  using Arguments::last;
  using Arguments::minuses;
  using Arguments::rows;
  using Arguments::starts;
  using Arguments::walked;
  Numbers numbers;
  Total* totals = nullptr;  // one a block, added to
  // plain: items first .. last - 1 are prefix * chunks + chunk; all columns are walked over.
  std::uint64_t length = 1;
  std::uint64_t chunks = 1;

  /// From one column, or start, to the next: whole loads of 16 bytes where the rows' number is known.
  COUNTPM_HD static unsigned stride(unsigned rows) {
    return Numbers::rows > 0 ? (Numbers::rows + part - 1) / part * part : rows;
  }
  /// Shared memory: the columns, or the row sums, or neither; afterwards the totals.
  static std::size_t shared_bytes(unsigned rows, unsigned columns) {
    constexpr bool table = sums_in == SumsIn::registers || sums_in == SumsIn::shared_matrix;
    const std::size_t lines = (table ? columns : 0) + (in_shared(sums_in) ? threads : 0);
    const std::size_t all = (stride(rows) * lines * sizeof(Value) + 15) / 16 * 16;
    const std::size_t totals = threads * sizeof(Total);
    return all > totals ? all : totals;
  }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    [[maybe_unused]] const unsigned table = stride(rows) * (walked + chosen);
    [[maybe_unused]] Value* const shared = block.template shared<Value>();
    [[maybe_unused]] const Value* matrix = columns;
    if constexpr (sums_in == SumsIn::registers || sums_in == SumsIn::shared_matrix) {
      Value* const copy = shared + (sums_in == SumsIn::shared_matrix ? stride(rows) * threads : 0);
      block.each([&](unsigned thread) {
        for (unsigned k = thread; k < table; k += threads) copy[k] = columns[k];
      });
      block.sync();
      matrix = copy;
    }
    auto own = block.template per_thread<Total>();
    block.each([&](unsigned thread) {
      own[thread] = Total{};
      const std::uint64_t number = std::uint64_t{block.index()} * threads + thread;
      const std::uint64_t step = std::uint64_t{block.count()} * threads;
      if constexpr (sums_in == SumsIn::registers) {
        Value sums[Numbers::rows];
        for (std::uint64_t item = first + number; item < last; item += step)
          count_item(sums, matrix, item, own[thread]);
      } else if constexpr (in_shared(sums_in)) {
        constexpr bool apart = sums_in == SumsIn::shared_apart;
        const Strided<Value> sums{shared + (apart ? thread * stride(rows) : thread), apart ? 1 : threads};
        for (std::uint64_t item = first + number; item < last; item += step)
          count_item(sums, matrix, item, own[thread]);
      } else {
        const Strided<Value> sums{global_sums + number, static_cast<std::size_t>(step)};
        for (std::uint64_t item = first + number; item < last; item += step)
          count_item(sums, matrix, item, own[thread]);
      }
    });
    join(block, own);
  }

 private:
  static constexpr unsigned part = sizeof(Value) < 16 ? 16 / sizeof(Value) : 1;  // entries a load

  COUNTPM_HD unsigned rows_now() const { return Numbers::rows > 0 ? Numbers::rows : rows; }

  template <class Sums>
  COUNTPM_HD void count_item(Sums& sums, const Value* table, std::uint64_t item, Total& total) const {
    if constexpr (plain) {
      walk_chunk(sums, table, item, total);
    } else {
      walk(sums, table, item, total);
    }
  }

  template <class Sums>
  COUNTPM_HD void walk(Sums& sums, const Value* table, std::uint64_t item, Total& total) const {
    const std::uint64_t prefix = item >> chosen;
    const std::uint64_t choice = item & ((std::uint64_t{1} << chosen) - 1);
    const unsigned count = rows_now();
    const unsigned step_between = stride(rows);
    const Value* const start = starts + prefix * step_between;
    COUNTPM_UNROLL
    for (unsigned i = 0; i < count; ++i) sums[i] = start[i];
    for (unsigned c = 0; c < chosen; ++c) {
      if ((choice >> c & 1) == 0) continue;
      flip(sums, table + std::size_t{walked + c} * step_between, true);
    }
    const bool minus = (minuses[prefix] != 0) != (bit_count(choice) % 2 != 0);
    if constexpr (sums_in == SumsIn::registers && has_eight_terms<Numbers>) {
      if (walked >= 3) {
        walk_by_eight(sums, table, minus, total);
        return;
      }
    }
    numbers.term(total, sums, count, minus);
    const std::uint32_t steps = std::uint32_t{1} << walked;  // at most 2^10
    for (std::uint32_t step = 1; step < steps; ++step) {
      const unsigned column = lowest_bit(step);
      flip(sums, table + std::size_t{column} * step_between, (step >> column & 2) == 0);
      numbers.term(total, sums, count, minus != ((step & 1) != 0));
    }
  }

  template <class Sums>
  COUNTPM_HD void walk_chunk(Sums& sums, const Value* table, std::uint64_t item, Total& total) const {
    const std::uint64_t prefix = item / chunks;
    std::uint64_t step = item % chunks * length;
    const std::uint64_t subsets = std::uint64_t{1} << walked;
    const std::uint64_t end = step + length < subsets ? step + length : subsets;
    const unsigned count = rows_now();
    const unsigned step_between = stride(rows);
    const Value* const start = starts + prefix * step_between;
    for (unsigned i = 0; i < count; ++i) sums[i] = start[i];
    for (std::uint64_t in = step ^ step >> 1; in != 0; in &= in - 1)
      flip(sums, table + std::size_t{lowest_bit(in)} * step_between, true);
    const bool minus = minuses[prefix] != 0;
    for (;;) {
      numbers.term(total, sums, count, minus != ((step & 1) != 0));
      if (++step >= end) return;
      const unsigned column = lowest_bit(step);
      flip(sums, table + std::size_t{column} * step_between, (step >> column & 2) == 0);
    }
  }

  /// Over columns 3 .. walked - 1, each time with all eight subsets of the first three.
  template <class Sums>
  COUNTPM_HD void walk_by_eight(Sums& sums, const Value* table, bool minus, Total& total) const {
    const unsigned between = stride(rows);
    add_eight_terms(numbers, total, sums, table, between, minus);
    const std::uint32_t steps = std::uint32_t{1} << (walked - 3);
    COUNTPM_NO_UNROLL
    for (std::uint32_t step = 1; step < steps; ++step) {
      const unsigned column = lowest_bit(step);
      flip(sums, table + std::size_t{column + 3} * between, (step >> column & 2) == 0);
      add_eight_terms(numbers, total, sums, unmoved(table), between, minus != ((step & 1) != 0));
    }
  }

  template <class Sums>
  COUNTPM_HD void flip(Sums& sums, const Value* column, bool in) const {
    // The same branch for all threads of a launch.
    if (in) {
      for_each_entry(column, [&](unsigned i, const Value& entry) { numbers.add(sums[i], entry); });
    } else {
      for_each_entry(column, [&](unsigned i, const Value& entry) { numbers.subtract(sums[i], entry); });
    }
  }

  template <class F>
  COUNTPM_HD void for_each_entry(const Value* column, const F& f) const {
    if constexpr (Numbers::rows > 0) {
      // 16 bytes a load, as all tables are aligned; entries of 24 bytes have 8.
      constexpr unsigned aligned = sizeof(Value) * part % 16 == 0 ? 16 : 8;
      COUNTPM_UNROLL
      for (unsigned i = 0; i < Numbers::rows; i += part) {
        Value entries[part];
        memcpy(entries, __builtin_assume_aligned(column + i, aligned), sizeof(entries));
        COUNTPM_UNROLL
        for (unsigned k = 0; k < part; ++k) {
          if (i + k < Numbers::rows) f(i + k, entries[k]);
        }
      }
    } else {
      for (unsigned i = 0; i < rows; ++i) f(i, column[i]);
    }
  }

  /// totals[block] += all threads' own.
  template <class Block, class Own>
  COUNTPM_HD void join(Block& block, Own& own) const {
    Total* const shared = block.template shared<Total>();
    block.sync();
    block.each([&](unsigned thread) { shared[thread] = own[thread]; });
    for (unsigned half = threads / 2; half > 0; half /= 2) {
      block.sync();
      block.each([&](unsigned thread) {
        if (thread < half) numbers.join(shared[thread], shared[thread + half]);
      });
    }
    block.each([&](unsigned thread) {
      if (thread == 0) numbers.join(totals[block.index()], shared[0]);
    });
  }
};

}  // namespace countpm::gray
