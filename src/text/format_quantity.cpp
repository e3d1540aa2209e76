#include "src/text/format_quantity.hpp"

#include <fmt/format.h>

#include <array>

namespace countpm {

std::string format_bytes(std::uint64_t bytes) {
  static constexpr std::array<const char*, 7> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} B", bytes);
  constexpr double four_digits = 999.5;  // of which three would be a power of ten
  return value < four_digits ? fmt::format("{:.3g} {}", value, units[unit])
                             : fmt::format("{:.0f} {}", value, units[unit]);
}

}  // namespace countpm
