#include "apps/parse_value.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <system_error>

namespace countpm::app {
namespace {

/// A decimal number without a sign, perhaps with an exponent ("0.01", "1e-2"), all of the text; from_chars
/// would take "inf", "nan" and "-1", too.
std::optional<double> parse_decimal(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string_view::npos)
    return std::nullopt;
  if (text.front() == '-') return std::nullopt;
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::uint64_t> parse_integer(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t comma = text.find(',', at);
    parts.push_back(text.substr(at, comma - at));
    if (comma == std::string_view::npos) return parts;
    at = comma + 1;
  }
}

std::optional<double> parse_duration(std::string_view text) {
  if (text == "none") return std::numeric_limits<double>::infinity();
  double unit = 1;
  if (!text.empty()) {
    const char last = text.back();
    unit = last == 'm' ? 60 : last == 'h' ? 3600 : last == 'd' ? 86400 : 1;
    if (unit != 1 || last == 's') text.remove_suffix(1);
  }
  const std::optional<double> number = parse_decimal(text);
  if (!number) return std::nullopt;
  const double value = *number * unit;
  if (!(value > 0) || value > 1e9) return std::nullopt;
  return value;
}

std::optional<double> parse_share(std::string_view text) {
  double unit = 1;
  if (!text.empty() && text.back() == '%') {
    unit = 0.01;
    text.remove_suffix(1);
  }
  const std::optional<double> number = parse_decimal(text);
  if (!number || !(*number * unit > 0) || !(*number * unit < 1)) return std::nullopt;
  return *number * unit;
}

std::optional<std::pair<double, double>> parse_guarantee(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const std::optional<double> epsilon = parse_share(text.substr(0, comma));
  const std::optional<double> delta = parse_share(text.substr(comma + 1));
  if (!epsilon || !delta) return std::nullopt;
  return std::pair{*epsilon, *delta};
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  constexpr std::array<std::pair<char, unsigned>, 4> units{{{'K', 10}, {'M', 20}, {'G', 30}, {'T', 40}}};
  unsigned shift = 0;
  if (text.size() > 2 && text.ends_with("iB")) text.remove_suffix(2);
  for (const auto& [letter, bits] : units) {
    if (!text.empty() && text.back() == letter) {
      shift = bits;
      text.remove_suffix(1);
      break;
    }
  }
  const auto value = parse_integer(text);
  if (!value || *value == 0 || *value > (std::numeric_limits<std::uint64_t>::max() >> shift))
    return std::nullopt;
  return *value << shift;
}

std::optional<NumberRange> parse_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto first = parse_integer(text.substr(0, dots));
  if (!first || *first == 0) return std::nullopt;
  NumberRange range{*first, std::nullopt};
  const std::string_view rest = text.substr(dots + 2);
  if (!rest.empty()) {
    range.last = parse_integer(rest);
    if (!range.last || *range.last < range.first) return std::nullopt;
  }
  return range;
}

}  // namespace countpm::app
