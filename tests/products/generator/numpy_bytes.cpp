// NumPy's format: NEP 1; zip archives: PKWARE's APPNOTE 6.3. Members are stored, not packed.
#include "tests/products/generator/numpy_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace countpm::products {
namespace {

/// A type of numbers: "i4".
struct Type {
  char kind = 'i';  // b, i, u, f, c
  std::size_t size = 8;
  bool big = false;  // the most significant byte first

  std::string text() const {
    return std::string(1, size == 1 ? '|' : big ? '>' : '<') + kind + std::to_string(size);
  }
};

std::string bytes_of(std::uint64_t value, std::size_t size, bool big = false) {
  std::string text;
  for (std::size_t k = 0; k < size; ++k) text += static_cast<char>(value >> 8 * k & 255);
  if (big) std::reverse(text.begin(), text.end());
  return text;
}

/// The bits of an IEEE number of 2, 4 or 8 bytes; of two bytes for normal numbers and 0.
std::uint64_t float_bits(double value, std::size_t size) {
  if (size == 8) return std::bit_cast<std::uint64_t>(value);
  if (size == 4) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  return (value < 0 ? 1U << 15U : 0U) + (static_cast<unsigned>(exponent + 14) << 10U) +
         static_cast<unsigned>((2 * fraction - 1) * 1024);
}

bool is_exact(double value, std::size_t size) {
  if (size == 8) return true;
  if (size == 4) return static_cast<double>(static_cast<float>(value)) == value;
  return std::fabs(value) < 1000 && (value == 0 || std::fabs(value) >= 0.125) &&
         std::trunc(value * 8) == value * 8 && std::fabs(value * 8) < 2048;
}

std::string number_bytes(const Complex& value, const Type& type) {
  switch (type.kind) {
    case 'f':
      return bytes_of(float_bits(value.re.get_d(), type.size), type.size, type.big);
    case 'c': {
      const std::size_t part = type.size / 2;
      return bytes_of(float_bits(value.re.get_d(), part), part, type.big) +
             bytes_of(float_bits(value.im.get_d(), part), part, type.big);
    }
    default: {
      const mpz_class number = value.re.get_num();
      const auto bits = static_cast<std::uint64_t>(mpz_class(abs(number)).get_ui());
      return bytes_of(number < 0 ? ~bits + 1 : bits, type.size, type.big);
    }
  }
}

bool holds(const Type& type, const Complex& value) {
  switch (type.kind) {
    case 'f':
      return is_exact(value.re.get_d(), type.size);
    case 'c':
      return is_exact(value.re.get_d(), type.size / 2) && is_exact(value.im.get_d(), type.size / 2);
    case 'b':
      return value.re == 0 || value.re == 1;
    default: {
      const unsigned bits = static_cast<unsigned>(8 * type.size) - (type.kind == 'i' ? 1 : 0);
      const mpz_class number = value.re.get_num();
      const mpz_class end = mpz_class(1) << bits;
      return number < end && (type.kind == 'i' ? number >= -end : number >= 0);
    }
  }
}

/// One of those that hold every number.
Type draw_type(const StoredMatrix& matrix, Random& random) {
  std::string kinds = matrix.complex ? "c" : matrix.integers ? "biu" : "f";
  if (matrix.only_ones) kinds = "biufc";
  std::vector<Type> fit;
  for (const char kind : kinds) {
    for (const std::size_t size : {1, 2, 4, 8, 16}) {
      const bool there = kind == 'b'   ? size == 1
                         : kind == 'c' ? size >= 8
                         : kind == 'f' ? size > 1 && size < 16
                                       : size < 16;
      const Type type{kind, size, random.once_in(2)};
      if (there && std::all_of(matrix.entries.begin(), matrix.entries.end(),
                               [&](const Tie& tie) { return holds(type, tie.weight.value.at_one()); }))
        fit.push_back(type);
    }
  }
  return fit.at(static_cast<std::size_t>(random.between(0, static_cast<int>(fit.size()) - 1)));
}

/// A .npy file. shape: "(2, 3)".
std::string array_bytes(const std::string& type, bool by_columns, const std::string& shape,
                        const std::string& data, int version = 1) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + (by_columns ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
  const std::size_t start = version == 1 ? 10 : 12;
  while ((start + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  return "\x93NUMPY" + bytes_of(static_cast<std::uint64_t>(version), 1) + bytes_of(0, 1) +
         bytes_of(header.size(), version == 1 ? 2 : 4) + header + data;
}

std::string list_bytes(const std::vector<int>& list, const Type& type) {
  std::string data;
  for (const int number : list) data += bytes_of(static_cast<std::uint64_t>(number), type.size, type.big);
  return array_bytes(type.text(), false, "(" + std::to_string(list.size()) + ",)", data);
}

std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t sum = ~0U;
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1U ^ ((sum & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~sum;
}

/// large: sizes of 64 bits, as NumPy writes them beside those of 32.
std::string zip_bytes(const std::vector<std::pair<std::string, std::string>>& members, bool large) {
  std::string text, directory;
  for (const auto& [name, data] : members) {
    const std::string size = bytes_of(large ? 0xffffffff : data.size(), 4);
    const std::string extra =
        large ? bytes_of(1, 2) + bytes_of(16, 2) + bytes_of(data.size(), 8) + bytes_of(data.size(), 8) : "";
    // Version, flags, method, time and date; checksum, sizes, length of the name and of the extra field.
    const std::string both = bytes_of(large ? 45 : 20, 2) + bytes_of(0, 4) + bytes_of(0x210000, 4) +
                             bytes_of(crc32(data), 4) + size + size + bytes_of(name.size(), 2) +
                             bytes_of(extra.size(), 2);
    directory += "PK\x01\x02" + bytes_of(20, 2) + both + bytes_of(0, 6) + bytes_of(0, 4) +
                 bytes_of(text.size(), 4) + name + extra;
    text += "PK\x03\x04" + both + name + extra + data;
  }
  const std::string count = bytes_of(members.size(), 2);
  return text + directory + "PK\x05\x06" + bytes_of(0, 4) + count + count + bytes_of(directory.size(), 4) +
         bytes_of(text.size(), 4) + bytes_of(0, 2);
}

std::string dense_bytes(const StoredMatrix& matrix, Random& random) {
  const Type type = draw_type(matrix, random);
  const bool by_columns = random.once_in(2);
  std::vector<std::string> places(static_cast<std::size_t>(matrix.rows * matrix.columns),
                                  number_bytes({}, type));
  for (const Tie& tie : matrix.entries) {
    const int place = by_columns ? tie.to * matrix.rows + tie.from : tie.from * matrix.columns + tie.to;
    places[static_cast<std::size_t>(place)] = number_bytes(tie.weight.value.at_one(), type);
  }
  std::string data;
  for (const std::string& place : places) data += place;
  return array_bytes(type.text(), by_columns,
                     "(" + std::to_string(matrix.rows) + ", " + std::to_string(matrix.columns) + ")", data,
                     random.between(1, 3));
}

std::string sparse_bytes(StoredMatrix matrix, Random& random) {
  const Type type = draw_type(matrix, random);
  const Type index{'i', random.once_in(2) ? std::size_t{4} : std::size_t{8}, false};
  const int format = random.between(0, 2);
  const std::string name = format == 0 ? "coo" : format == 1 ? "csr" : "csc";
  const auto line = [&](const Tie& tie) { return format == 2 ? tie.to : tie.from; };
  if (format != 0)
    std::stable_sort(matrix.entries.begin(), matrix.entries.end(),
                     [&](const Tie& a, const Tie& b) { return line(a) < line(b); });
  std::string data;
  std::vector<int> rows, columns, starts{0};
  for (const Tie& tie : matrix.entries) {
    rows.push_back(tie.from);
    columns.push_back(tie.to);
    data += number_bytes(tie.weight.value.at_one(), type);
  }
  for (int k = 0; k < (format == 2 ? matrix.columns : matrix.rows); ++k)
    starts.push_back(static_cast<int>(std::count_if(matrix.entries.begin(), matrix.entries.end(),
                                                    [&](const Tie& tie) { return line(tie) <= k; })));
  std::vector<std::pair<std::string, std::string>> members;
  if (format == 0) {
    members.emplace_back("row.npy", list_bytes(rows, index));
    members.emplace_back("col.npy", list_bytes(columns, index));
  } else {
    members.emplace_back("indices.npy", list_bytes(format == 1 ? columns : rows, index));
    members.emplace_back("indptr.npy", list_bytes(starts, index));
  }
  members.emplace_back("format.npy", array_bytes("|S3", false, "()", name));
  members.emplace_back("shape.npy", list_bytes({matrix.rows, matrix.columns}, Type{}));
  members.emplace_back(
      "data.npy", array_bytes(type.text(), false, "(" + std::to_string(matrix.entries.size()) + ",)", data));
  return zip_bytes(members, random.once_in(2));
}

}  // namespace

std::string npy_bytes(const StoredMatrix& matrix) {
  Random random(matrix.seed);
  return dense_bytes(matrix, random);
}

std::string npz_bytes(const StoredMatrix& matrix, bool sparse) {
  Random random(matrix.seed);
  if (sparse) return sparse_bytes(matrix, random);
  const std::string array = dense_bytes(matrix, random);
  return zip_bytes({{"arr_0.npy", array}}, random.once_in(2));
}

}  // namespace countpm::products
