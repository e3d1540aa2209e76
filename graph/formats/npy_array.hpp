#pragma once
// An array in NumPy's format: numpy.lib.format, versions 1.0 to 3.0.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/parse_weight.hpp"

namespace countpm {

class NpyArray {
 public:
  /// Throws InputError where it is damaged, or of a type without numbers (objects, dates, texts). The bytes
  /// must outlive it.
  NpyArray(std::string_view bytes, const std::string& name);

  const std::vector<std::uint64_t>& shape() const { return shape_; }
  std::uint64_t size() const { return size_; }
  /// Number k in the order of rows, exactly; of a float what it is in binary. Throws InputError for NaN and
  /// infinities.
  Weight at(std::uint64_t k) const;
  /// The same of whole numbers from 0 on, as indices are.
  std::uint64_t index_at(std::uint64_t k) const;
  /// Of an array of text or bytes ('csr'): its only element.
  std::string text() const;

 private:
  [[noreturn]] void fail(std::string expected, std::string found) const;
  void read_header(std::string_view header);
  std::string_view element(std::uint64_t k) const;
  std::uint64_t bits(std::string_view bytes) const;
  double real(std::string_view bytes) const;

  std::string name_;
  std::string_view data_;
  char kind_ = 'f';  // b, i, u, f, c; S and U: text
  std::uint64_t item_ = 8;
  bool big_endian_ = false;
  bool by_columns_ = false;
  std::vector<std::uint64_t> shape_;
  std::uint64_t size_ = 1;
};

}  // namespace countpm
