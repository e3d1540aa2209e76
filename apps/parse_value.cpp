#include "apps/parse_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <system_error>

#include "graph/errors.hpp"
#include "graph/parse_weight.hpp"
#include "graph/text.hpp"
#include "src/text/format_duration.hpp"

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

void drop_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

}  // namespace

std::optional<std::uint64_t> parse_integer(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<double> parse_duration(std::string_view text) {
  if (text == "none") return std::numeric_limits<double>::infinity();
  if (text.ends_with(' ')) return std::nullopt;
  constexpr std::array<std::pair<std::string_view, double>, 6> units{
      {{"ms", 1e-3}, {"s", 1}, {"min", 60}, {"m", 60}, {"h", 3600}, {"d", 86400}}};
  double seconds = 0;
  double last = std::numeric_limits<double>::infinity();
  while (!text.empty()) {
    // "1e-3s" is a number, and its unit is not the e.
    std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
    const std::optional<double> number = parse_decimal(text.substr(0, end));
    if (!number) return std::nullopt;
    text.remove_prefix(end);
    drop_blanks(text);
    end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), text.size());
    const std::string_view name = text.substr(0, end);
    text.remove_prefix(end);
    drop_blanks(text);
    // Seconds need no unit where nothing stands before them.
    double unit = name.empty() && std::isinf(last) ? 1 : 0;
    for (const auto& [word, value] : units) {
      if (word == name) unit = value;
    }
    if (!(unit > 0) || !(unit < last) || (name.empty() && !text.empty())) return std::nullopt;
    seconds += *number * unit;
    last = unit;
  }
  if (!(seconds > 0) || seconds > most_time_limit_seconds) return std::nullopt;
  return seconds;
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

bool is_weight_or_letter(std::string_view text, std::string_view letter) {
  if (text == letter) return true;
  try {
    parse_weight(text, "", 0);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

bool is_meant_as_weight(std::string_view text, std::string_view letter) {
  if (is_weight_or_letter(text, letter)) return true;
  const std::string_view digits = "0123456789";
  if (text.find_first_of(digits) != std::string_view::npos)
    return text.find_first_not_of("0123456789+-./,()eEij ") == std::string_view::npos;
  const std::string_view word = text.substr(std::min(text.find_first_not_of("+-"), text.size()));
  const std::initializer_list<std::string_view> no_numbers{"nan", "NaN", "NAN",     "inf",
                                                           "Inf", "INF", "infinity"};
  return std::find(no_numbers.begin(), no_numbers.end(), word) != no_numbers.end();
}

void add_moduli(std::string_view text, std::vector<mpz_class>& moduli) {
  constexpr std::size_t most_digits = 20;  // 2^64 has so many, and anything longer is refused as it is
  constexpr std::uint64_t most_exponent = 64;
  for (const std::string_view one : countpm::split(text, ',')) {
    const std::size_t sign = one.find('^');
    const std::string_view base = one.substr(0, sign);
    const std::optional<std::uint64_t> exponent =
        sign == std::string_view::npos ? 1 : parse_integer(one.substr(sign + 1));
    const bool digits = !base.empty() && base.size() <= most_digits &&
                        base.find_first_not_of("0123456789") == std::string_view::npos;
    if (!digits || !exponent || *exponent > most_exponent)
      throw UsageError(fmt::format(
          "--modulo: expected a number from 2 to 2^64, or several with commas between them, found {}",
          quoted(std::string(text))));
    mpz_class& power = moduli.emplace_back();
    mpz_pow_ui(power.get_mpz_t(), mpz_class(std::string(base), 10).get_mpz_t(), *exponent);
  }
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  constexpr std::string_view letters = "KMGTP";
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view number = text.substr(0, end);
  const std::string_view unit = text.substr(end);
  // As GNU's tools have it: 4G and 4GiB by powers of 1024, 4GB of 1000.
  double factor = 1;
  if (!unit.empty() && unit != "B") {
    const bool binary = unit.size() == 1 || unit.substr(1) == "iB";
    if (!binary && unit.substr(1) != "B") return std::nullopt;
    const char letter = unit.front() >= 'a' ? static_cast<char>(unit.front() - 'a' + 'A') : unit.front();
    const std::size_t power = letters.find(letter);
    if (power == std::string_view::npos) return std::nullopt;
    factor = std::pow(binary ? 1024.0 : 1000.0, static_cast<double>(power + 1));
  }
  if (factor == 1) {
    const auto bytes = parse_integer(number);
    return bytes && *bytes > 0 ? bytes : std::nullopt;
  }
  const std::optional<double> value = parse_decimal(number);
  constexpr double most = 18446744073709551615.0;  // 2^64
  if (!value || !(*value * factor >= 1) || !(*value * factor < most)) return std::nullopt;
  return static_cast<std::uint64_t>(*value * factor);
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

std::vector<std::uint32_t> parse_copies(std::string_view text) {
  std::vector<std::uint32_t> copies;
  for (const std::string_view part : split(text, ','))
    copies.push_back(static_cast<std::uint32_t>(parse_integer(part).value()));
  return copies;
}

}  // namespace countpm::app
