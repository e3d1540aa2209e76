#pragma once
// Strict parsing of option values: all of the text, nothing but the text, and never past the type's range.
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace countpm::app {

/// Decimal digits only. Empty where the text is anything else or the number does not fit 64 bits.
std::optional<std::uint64_t> parse_integer(std::string_view text);

/// What stands between the commas: at least one part, which may be empty.
std::vector<std::string_view> split_at_commas(std::string_view text);

/// Seconds: "90", "1.5", "10s", "5m", "2h", "3d"; "none" is infinity. Above zero, at most 10^9 seconds.
std::optional<double> parse_duration(std::string_view text);

/// "0.01" or "1%": above 0 and below 1.
std::optional<double> parse_share(std::string_view text);

/// "0.1,0.05" or "10%,5%": EPS,DELTA, each as parse_share has it.
std::optional<std::pair<double, double>> parse_guarantee(std::string_view text);

/// Bytes: "1000", or with K, M, G or T for powers of 1024 ("512M", "4G", "4GiB"). Above zero.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// "A..B" with 1 <= A <= B, or "A.." without an end.
struct NumberRange {
  std::uint64_t first = 1;
  std::optional<std::uint64_t> last;
};
std::optional<NumberRange> parse_range(std::string_view text);

}  // namespace countpm::app
