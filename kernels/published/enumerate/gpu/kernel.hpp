#pragma once
// enumerate on a GPU: an item is all k! permutations that begin alike, so that all threads of a launch
// exchange the same positions at the same time; the first comes from its rank in the factorial number system,
// the others in lexicographic order. (An item of other sizes is for study: threads then exchange different
// positions.) Of the products of the first rows only those from the exchange on are
// made again. Compiles without nvcc, for the CPU executor.
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// R: a ring of one word (prime_ring.hpp) or two (wrap_ring.hpp).
template <class R>
struct EnumerateKernel {
  using Element = typename R::Element;
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = 4;
  /// 20! < 2^63.
  static constexpr unsigned most_rows = 20;

  R ring;
  unsigned rows = 0;
  const Element* entries = nullptr;  // [row][column]
  std::uint64_t ranks_an_item = 1;   // k!, k <= rows, unless so many are asked for
  std::uint64_t begin = 0;           // ranks begin .. end - 1
  std::uint64_t end = 0;
  std::uint64_t first = 0;  // items first .. last - 1: ranks item * ranks_an_item on, of those
  std::uint64_t last = 0;
  Element* totals = nullptr;  // [block], added to

  /// Shared memory: the products of the first rows, which the totals take in the end, the entries, and the
  /// permutations.
  static std::size_t shared_bytes(unsigned rows) {
    return ((rows + std::size_t{1}) * threads + std::size_t{rows} * rows) * sizeof(Element) +
           std::size_t{rows} * threads;
  }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    auto* const products = block.template shared<Element>();
    Element* const table = products + (rows + 1) * threads;
    auto* const permutations = reinterpret_cast<std::uint8_t*>(table + rows * rows);
    block.each([&](unsigned thread) {
      for (unsigned k = thread; k < rows * rows; k += threads) table[k] = entries[k];
    });
    block.sync();
    auto own = block.template per_thread<Element>();
    block.each([&](unsigned thread) {
      own[thread] = ring.zero();
      const std::uint64_t number = std::uint64_t{block.index()} * threads + thread;
      const std::uint64_t step = std::uint64_t{block.count()} * threads;
      for (std::uint64_t item = first + number; item < last; item += step)
        walk(item, table, products + thread, permutations + thread, own[thread]);
    });
    block.sync();
    block.each([&](unsigned thread) { products[thread] = own[thread]; });
    for (unsigned half = threads / 2; half > 0; half /= 2) {
      block.sync();
      block.each([&](unsigned thread) {
        if (thread < half) ring.add_to(products[thread], products[thread + half]);
      });
    }
    block.each([&](unsigned thread) {
      if (thread == 0) ring.add_to(totals[block.index()], products[0]);
    });
  }

 private:
  /// product[i * threads]: of the rows before i; column[i * threads]: row i's.
  COUNTPM_HD void walk(std::uint64_t item, const Element* table, Element* product, std::uint8_t* column,
                       Element& total) const {
    const std::uint64_t first_rank = item * ranks_an_item;
    std::uint64_t rank = first_rank > begin ? first_rank : begin;
    const std::uint64_t stop = first_rank + ranks_an_item < end ? first_rank + ranks_an_item : end;
    unrank(rank, column);
    product[0] = ring.one();
    unsigned changed = 0;
    for (;;) {
      for (unsigned i = changed; i < rows; ++i)
        product[(i + 1) * threads] = ring.mul(product[i * threads], table[i * rows + column[i * threads]]);
      ring.add_to(total, product[rows * threads]);
      if (++rank >= stop) return;
      changed = advance(column);
    }
  }

  /// rank = sum_k digit_k k!, 0 <= digit_k <= k: which of the k + 1 columns left comes next.
  COUNTPM_HD void unrank(std::uint64_t rank, std::uint8_t* column) const {
    for (unsigned k = 0; k < rows; ++k) {
      column[(rows - 1 - k) * threads] = static_cast<std::uint8_t>(rank % (k + 1));
      rank /= k + 1;
    }
    std::uint64_t left = (std::uint64_t{1} << rows) - 1;
    for (unsigned i = 0; i < rows; ++i) {
      const unsigned next = nth_bit(left, column[i * threads]);
      column[i * threads] = static_cast<std::uint8_t>(next);
      left &= ~(std::uint64_t{1} << next);
    }
  }

  /// The next permutation in lexicographic order; the first row whose column is another. Precondition: there
  /// is one.
  COUNTPM_HD unsigned advance(std::uint8_t* column) const {
    unsigned at = rows - 2;
    while (column[at * threads] > column[(at + 1) * threads]) --at;
    unsigned with = rows - 1;
    while (column[with * threads] < column[at * threads]) --with;
    exchange(column[at * threads], column[with * threads]);
    for (unsigned low = at + 1, high = rows - 1; low < high; ++low, --high)
      exchange(column[low * threads], column[high * threads]);
    return at;
  }
  COUNTPM_HD static void exchange(std::uint8_t& a, std::uint8_t& b) {
    const std::uint8_t before = a;
    a = b;
    b = before;
  }
};

}  // namespace countpm
