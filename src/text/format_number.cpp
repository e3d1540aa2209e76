#include "src/text/format_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace countpm {

std::string format_power(double log10_value) {
  if (std::isnan(log10_value)) return "?";
  if (log10_value < 6) return fmt::format("{:.0f}", std::pow(10.0, log10_value));
  if (log10_value < 100) return fmt::format("{:.1e}", std::pow(10.0, log10_value));
  return fmt::format("10^{:.0f}", log10_value);
}

std::string counted(std::uint64_t number, std::string_view singular, std::string_view plural) {
  if (number == 1) return fmt::format("1 {}", singular);
  return plural.empty() ? fmt::format("{} {}s", number, singular) : fmt::format("{} {}", number, plural);
}

std::string format_log10(double log10, int digits, Rounding rounding) {
  if (std::isinf(log10)) return log10 < 0 ? "0" : "infinity";
  double exponent = std::floor(log10);
  double value = std::pow(10, log10 - exponent);
  if (rounding != Rounding::nearest) {
    // In units of the last digit; what is whole but for the rounding of the power stays.
    const double units = value * std::pow(10, digits - 1);
    const double whole = std::round(units);
    const bool is_whole = std::abs(units - whole) < 1e-10 * whole;
    value = (is_whole                     ? whole
             : rounding == Rounding::down ? std::floor(units)
                                          : std::ceil(units)) /
            std::pow(10, digits - 1);
  }
  std::string mantissa = fmt::format("{:.{}f}", value, std::max(digits - 1, 0));
  if (mantissa.starts_with("10")) {
    mantissa = fmt::format("{:.{}f}", 1.0, std::max(digits - 1, 0));
    exponent += 1;
  }
  return fmt::format("{}e{}{:02.0f}", mantissa, exponent < 0 ? '-' : '+', std::abs(exponent));
}

namespace {

/// Two digits; hundreds and thousands without a power of ten.
std::string percents(double value) {
  std::string text = fmt::format("{:.2g}", value);
  if (value >= 99 && value < 1e5) text = fmt::format("{:.0f}", std::stod(text));
  return text + "%";
}

}  // namespace

std::string format_percent(double share, Rounding rounding) {
  if (rounding == Rounding::nearest || !(share > 0) || std::isinf(share)) return percents(100 * share);
  const double unit = std::pow(10, std::floor(std::log10(100 * share)) - 1);
  const double units = 100 * share / unit;
  // What is whole but for the rounding of the power stays.
  const bool is_whole = std::abs(units - std::round(units)) < 1e-9;
  const double whole = is_whole                     ? std::round(units)
                       : rounding == Rounding::down ? std::floor(units)
                                                    : std::ceil(units);
  return percents(whole * unit);
}

}  // namespace countpm
