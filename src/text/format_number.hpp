#pragma once
// Numbers of any size as people read them. Nothing here looks at the locale.
#include <cstdint>
#include <string>
#include <string_view>

namespace countpm {

/// 10^log10 as "1234", "5.1e+07" or "10^123".
std::string format_power(double log10_value);
/// "1 edge", "2 edges".
std::string counted(std::uint64_t number, std::string_view singular, std::string_view plural = "");

enum class Rounding { nearest, down, up };
/// 10^log10 with that many significant digits, whatever its size: "1.25e+07", "3e+100000"; "0" for -infinity.
/// Down and up: for the ends of intervals, which are not to lose what they hold.
std::string format_log10(double log10, int digits, Rounding rounding = Rounding::nearest);

/// A share as "12%" or "0.84%", two digits; up: of an error that is claimed.
std::string format_percent(double share, Rounding rounding = Rounding::nearest);

}  // namespace countpm
