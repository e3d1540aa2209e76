#pragma once
// The graphs of a text in planar_code (graph/formats/read_planar_code.cpp says how it is made), one after
// another.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// How many bytes at the start of `text` are a graph, with a header where there is one, of numbers of two
/// bytes in the order that is given; nothing where more of the text is needed to say it. O(the graph).
std::optional<std::size_t> length_of_planar_code(std::string_view text, bool big_endian);

class PlanarCode {
 public:
  /// With or without a header. Throws InputError for another one. The arguments must outlive this.
  PlanarCode(std::string_view bytes, const std::string& name);

  /// Reads the next graph; false at the end. Throws InputError where it is cut or names a vertex beyond.
  bool next();
  Index vertices() const { return static_cast<Index>(vertices_); }
  /// Of a vertex, from 0, in clockwise order.
  std::span<const Index> neighbours(Index v) const {
    return {neighbours_.data() + start_[v], start_[v + std::size_t{1}] - start_[v]};
  }
  /// What has not been read.
  std::string_view rest() const { return left_; }

 private:
  std::uint64_t number();

  const std::string& name_;
  std::string_view left_;
  bool big_endian_ = false;
  bool wide_ = false;
  std::uint64_t vertices_ = 0;
  std::vector<Index> neighbours_;
  std::vector<std::size_t> start_{0};
};

}  // namespace countpm
