#include "graph/formats/npy_array.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "graph/errors.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

mpq_class exact(double value) {
  mpq_class result(value);
  result.canonicalize();
  return result;
}

void set_exact(Weight& weight, const mpq_class& value) {
  if (value.get_den() == 1 && value.get_num().fits_slong_p()) {
    weight.value = static_cast<std::int64_t>(value.get_num().get_si());
  } else {
    weight.value = value;
  }
}

// IEEE 754's binary16.
double half(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10U & 31U);
  const auto fraction = static_cast<double>(bits & 1023U);
  const double sign = (bits >> 15U & 1U) != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

// What stands behind 'key': in Python's dict, up to its comma outside of parentheses.
std::string_view value_of(std::string_view header, std::string_view key) {
  std::size_t at = header.find(key);
  if (at == std::string_view::npos) return {};
  at = header.find(':', at + key.size());
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + 1);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const std::size_t end = rest.starts_with('(') ? rest.find(')') : rest.find_first_of(",}");
  return rest.substr(0, end == std::string_view::npos ? rest.size() : end + (rest.starts_with('(') ? 1 : 0));
}

}  // namespace

NpyArray::NpyArray(std::string_view bytes, const std::string& name) : name_(name) {
  constexpr std::string_view mark = "\x93NUMPY";
  if (!bytes.starts_with(mark) || bytes.size() < 10) fail("an array of NumPy", "other bytes");
  const auto byte = [&](std::size_t k) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[k]));
  };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3) fail("version 1, 2 or 3 of NumPy's format", fmt::format("{}", version));
  const std::size_t start = version == 1 ? 10 : 12;
  if (bytes.size() < start) fail("a complete array", "its end");
  std::size_t length = byte(8) | byte(9) << 8U;
  if (version > 1) length |= byte(10) << 16U | byte(11) << 24U;
  if (bytes.size() - start < length) fail("a complete array", "its end");
  read_header(bytes.substr(start, length));
  data_ = bytes.substr(start + length);
  if (size_ > 0 && (data_.size() / size_ < item_ || data_.size() != size_ * item_))
    fail(fmt::format("{} numbers of {} bytes", size_, item_), fmt::format("{} bytes", data_.size()));
}

void NpyArray::fail(std::string expected, std::string found) const {
  throw InputError(name_, 0, std::move(expected), std::move(found));
}

void NpyArray::read_header(std::string_view header) {
  std::string_view type = value_of(header, "'descr'");
  const std::string_view order = value_of(header, "'fortran_order'");
  std::string_view shape = value_of(header, "'shape'");
  if (type.size() < 5 || type.front() != '\'' || type.back() != '\'')
    fail("an array of numbers", shown(type));
  type = type.substr(1, type.size() - 2);
  const auto item = parse_number(type.substr(2));
  if (!item || std::string_view("<>|=").find(type[0]) == std::string_view::npos)
    fail("an array of numbers", shown(type));
  kind_ = type[1];
  item_ = *item;
  big_endian_ = type[0] == '>';
  const bool sound =
      (kind_ == 'b' && item_ == 1) ||
      ((kind_ == 'i' || kind_ == 'u') && (item_ == 1 || item_ == 2 || item_ == 4 || item_ == 8)) ||
      (kind_ == 'f' && (item_ == 2 || item_ == 4 || item_ == 8)) ||
      (kind_ == 'c' && (item_ == 8 || item_ == 16)) || (kind_ == 'S' && item_ <= 64) ||
      (kind_ == 'U' && item_ <= 64);
  if (!sound) fail("bool, int, uint, float or complex of at most 64 bits a part", shown(type));
  if (kind_ == 'U') item_ *= 4;
  if (order != "True" && order != "False") fail("an order of rows or columns", shown(order));
  by_columns_ = order == "True";
  if (shape.size() < 2 || shape.front() != '(' || shape.back() != ')') fail("a shape", shown(shape));
  for (std::string_view one : split(shape.substr(1, shape.size() - 2), ',')) {
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (one.empty()) continue;
    const auto number = parse_number(one);
    if (!number) fail("a shape", shown(shape));
    if (*number != 0 && size_ > std::numeric_limits<std::uint64_t>::max() / *number)
      fail("a shape", shown(shape));
    shape_.push_back(*number);
    size_ *= *number;
  }
}

std::string_view NpyArray::element(std::uint64_t k) const {
  if (by_columns_ && shape_.size() == 2) k = (k % shape_[1]) * shape_[0] + k / shape_[1];
  return data_.substr(static_cast<std::size_t>(k * item_), static_cast<std::size_t>(item_));
}

std::uint64_t NpyArray::bits(std::string_view bytes) const {
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < bytes.size(); ++k)
    value = value << 8U | static_cast<unsigned char>(bytes[big_endian_ ? k : bytes.size() - 1 - k]);
  return value;
}

double NpyArray::real(std::string_view bytes) const {
  const std::uint64_t value = bits(bytes);
  const double number = bytes.size() == 2   ? half(value)
                        : bytes.size() == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(value))
                                            : std::bit_cast<double>(value);
  if (!std::isfinite(number)) fail("a finite weight", fmt::format("{}", number));
  return number;
}

Weight NpyArray::at(std::uint64_t k) const {
  const std::string_view bytes = element(k);
  Weight weight;
  switch (kind_) {
    case 'b':
      weight.value = static_cast<std::int64_t>(bits(bytes) != 0 ? 1 : 0);
      return weight;
    case 'i': {
      const auto unused = static_cast<unsigned>(64 - 8 * item_);
      weight.value = static_cast<std::int64_t>(bits(bytes) << unused) >> unused;
      return weight;
    }
    case 'u': {
      mpz_class number;
      const std::uint64_t value = bits(bytes);
      mpz_import(number.get_mpz_t(), 1, 1, sizeof value, 0, 0, &value);
      set_exact(weight, mpq_class(number));
      return weight;
    }
    case 'f':
      weight.kind = WeightKind::real;
      set_exact(weight, exact(real(bytes)));
      return weight;
    case 'c':
      weight.kind = WeightKind::complex;
      weight.value = ComplexRational{exact(real(bytes.substr(0, bytes.size() / 2))),
                                     exact(real(bytes.substr(bytes.size() / 2)))};
      return weight;
    default:
      fail("numbers", "text");
  }
}

std::uint64_t NpyArray::index_at(std::uint64_t k) const {
  const Weight weight = at(k);
  const auto* const number = std::get_if<std::int64_t>(&weight.value);
  if (number == nullptr || *number < 0) fail("an index from 0 on", "another number");
  return static_cast<std::uint64_t>(*number);
}

std::string NpyArray::text() const {
  std::string result;
  if ((kind_ != 'S' && kind_ != 'U') || size_ != 1) fail("a word", "another array");
  const std::uint64_t step = kind_ == 'U' ? 4 : 1;
  for (std::uint64_t k = 0; k < item_; k += step) {
    const std::uint64_t letter =
        bits(data_.substr(static_cast<std::size_t>(k), static_cast<std::size_t>(step)));
    if (letter == 0) break;
    result += letter < 128 ? static_cast<char>(letter) : '?';
  }
  return result;
}

}  // namespace countpm
