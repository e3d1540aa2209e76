#pragma once
// A table of states that are reached, with their values: sorted by keys, 64 states to a key.
//
// A state is a set of bits. Its six lowest ones are its place in a block, the others the block's key. A block
// has a bit for each of its 64 places that is reached, and values for these alone. A balanced frontier
// reaches 20 of 64 places, so that a key with what belongs to it takes a byte or two a state.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/proof/prime_field.hpp"
#include "kernels/support/large_buffer.hpp"
#include "kernels/support/popcount_clones.hpp"

namespace countpm {

inline constexpr unsigned place_bits = 6;

/// So many elements as they come.
template <class Element>
class PlainArray {
 public:
  PlainArray() = default;
  explicit PlainArray(std::uint64_t size)
      : buffer_(std::max<std::uint64_t>(size, 1) * sizeof(Element)), size_(size) {}

  Element* data() { return buffer_.as<Element>(); }
  const Element* data() const { return buffer_.as<Element>(); }
  Element& operator[](std::uint64_t i) { return data()[i]; }
  const Element& operator[](std::uint64_t i) const { return data()[i]; }
  std::uint64_t size() const { return size_; }

 private:
  LargeBuffer buffer_{sizeof(Element)};
  std::uint64_t size_ = 0;
};

/// Which states there are.
template <class Key>
struct StateBlocks {
  PlainArray<Key> key;                // ascending
  PlainArray<std::uint64_t> reached;  // not 0
  std::uint64_t states = 0;

  std::uint64_t blocks() const { return key.size(); }
};

template <class Key>
struct StateTable : StateBlocks<Key> {
  PlainArray<std::uint64_t> first;  // place of each block's first value
  PlainArray<FieldElement> value;
};

/// Memory of a table.
template <class Key>
constexpr std::uint64_t table_bytes(std::uint64_t blocks, std::uint64_t states) {
  return blocks * (sizeof(Key) + 2 * sizeof(std::uint64_t)) + states * sizeof(FieldElement);
}

/// The places that have the bit.
constexpr std::uint64_t places_with[place_bits] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc,
                                                   0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00,
                                                   0xffff0000ffff0000, 0xffffffff00000000};

}  // namespace countpm
