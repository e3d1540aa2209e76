#include "src/text/format_quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace countpm {

std::string format_seconds(double seconds) {
  constexpr double minute = 60;
  constexpr double hour = 60 * minute;
  constexpr double day = 24 * hour;
  constexpr double year = 365.25 * day;
  if (std::isinf(seconds)) return "no limit";
  if (seconds < 0.001) return "under 1 ms";
  if (seconds < 1) return fmt::format("{:.3g} s", seconds);
  if (seconds < 2 * minute) return fmt::format("{:.3g} s", seconds);
  if (seconds < 2 * hour) return fmt::format("{:.3g} min", seconds / minute);
  if (seconds < 2 * day) return fmt::format("{:.3g} h", seconds / hour);
  if (seconds < 2 * year) return fmt::format("{:.0f} days", seconds / day);
  if (seconds < 10000 * year) return fmt::format("{:.0f} years", seconds / year);
  return fmt::format("10^{:.0f} years", std::log10(seconds / year));
}

std::string format_log10_seconds(double log10_seconds) {
  constexpr double log10_year = 7.4991;
  if (log10_seconds < 300) return format_seconds(std::pow(10, log10_seconds));
  return fmt::format("10^{:.0f} years", log10_seconds - log10_year);
}

std::string format_bytes(std::uint64_t bytes) {
  static constexpr std::array<const char*, 7> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.3g} {}", value, units[unit]);
}

}  // namespace countpm
