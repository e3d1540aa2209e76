#include "src/text/format_duration.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string_view>

namespace countpm {
namespace {

constexpr double minute = 60;
constexpr double hour = 60 * minute;
constexpr double day = 24 * hour;
constexpr double year = 365.25 * day;

/// "4" for 4.0, "4.8" for 4.8.
std::string tenths(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

/// So many of the smaller unit as "5 h 31 min"; "5 h" where nothing is left.
std::string two_units(std::uint64_t small, std::uint64_t in_large, std::string_view large_name,
                      std::string_view small_name) {
  const std::string large = fmt::format("{} {}", small / in_large, large_name);
  return small % in_large == 0 ? large : fmt::format("{} {} {}", large, small % in_large, small_name);
}

std::uint64_t rounded(double seconds, double unit) {
  return static_cast<std::uint64_t>(std::llround(seconds / unit));
}

/// A duration rounded up to a multiple of `step`, in two units.
std::string typed(double seconds, double step, double large, std::string_view large_letter, double small,
                  std::string_view small_letter) {
  const auto units = static_cast<std::uint64_t>(std::llround(std::ceil(seconds / step) * step / small));
  const auto in_large = static_cast<std::uint64_t>(large / small);
  std::string text;
  if (units >= in_large) text = fmt::format("{}{}", units / in_large, large_letter);
  if (units % in_large != 0 || text.empty()) text += fmt::format("{}{}", units % in_large, small_letter);
  return text;
}

}  // namespace

std::string format_duration(double seconds) {
  if (!(seconds >= 0)) return "?";
  if (std::isinf(seconds)) return "no limit";
  if (seconds < 0.9995e-5) return "under 0.01 ms";
  if (seconds < 0.9995e-3) return fmt::format("{:.2g} ms", seconds * 1e3);
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 59.95) return tenths(seconds) + " s";
  if (seconds < hour - 0.5) return two_units(rounded(seconds, 1), 60, "min", "s");
  if (seconds < day - minute / 2) return two_units(rounded(seconds, minute), 60, "h", "min");
  constexpr double days_and_hours = 100 * day;
  if (seconds < days_and_hours - hour / 2) return two_units(rounded(seconds, hour), 24, "d", "h");
  if (seconds < year) return fmt::format("{} d", rounded(seconds, day));
  const double years = seconds / year;
  if (years < 9.95) {
    const std::string text = tenths(years);
    return text + (text == "1" ? " year" : " years");
  }
  if (years < 9999.5) return fmt::format("{:.0f} years", years);
  return fmt::format("10^{:.0f} years", std::log10(years));
}

std::string format_log10_duration(double log10_seconds) {
  constexpr double log10_year = 7.4991;
  if (log10_seconds < 300) return format_duration(std::pow(10, log10_seconds));
  return std::isinf(log10_seconds) ? "for ever" : fmt::format("10^{:.0f} years", log10_seconds - log10_year);
}

std::string time_limit_text(double seconds) {
  if (!(seconds <= most_time_limit_seconds)) return "none";
  if (seconds <= 1) return "1s";
  if (seconds <= 2 * minute) return fmt::format("{:.0f}s", std::ceil(seconds));
  if (seconds <= 10 * minute) return typed(seconds, 5, minute, "m", 1, "s");
  if (seconds <= hour) return typed(seconds, minute, minute, "m", 1, "s");
  if (seconds <= 10 * hour) return typed(seconds, 10 * minute, hour, "h", minute, "m");
  if (seconds <= day) return typed(seconds, hour, hour, "h", minute, "m");
  return typed(seconds, hour, day, "d", hour, "h");
}

std::string advised_time_limit(double elapsed, double predicted) {
  return fmt::format("try --time-limit {}, half as much again as is predicted",
                     time_limit_text((elapsed + predicted) * time_limit_margin));
}

}  // namespace countpm
