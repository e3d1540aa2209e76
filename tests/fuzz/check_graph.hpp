#pragma once
// What a program may hand to the library: graphs and options made of bytes, sound or not, to every public
// entry. Nothing is compared: whatever comes out is a result or one of countpm's exceptions.
#include <cstddef>
#include <cstdint>

#include "graph/graph.hpp"

namespace countpm::fuzz {

/// The bytes one after the other; 0 once they are all used.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint8_t byte() { return used_ < size_ ? data_[used_++] : std::uint8_t{0}; }
  std::uint64_t word() {
    std::uint64_t value = 0;
    for (int k = 0; k < 8; ++k) value = value << 8 | byte();
    return value;
  }
  /// 0 .. bound - 1.
  unsigned below(unsigned bound) { return byte() % bound; }
  std::size_t left() const { return size_ - used_; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t used_ = 0;
};

/// Up to eight vertices a side and edges that may break every promise of graph/graph.hpp.
Graph graph_of_bytes(Bytes& bytes);

/// The graph to count(), estimate(), marginals(), sample_matchings() and, as text, to those that read, with
/// options of the bytes that are left. Throws what no entry may: anything but countpm::Error.
void check_entries(const std::uint8_t* data, std::size_t size);

}  // namespace countpm::fuzz
