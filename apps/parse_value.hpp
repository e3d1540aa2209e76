#pragma once
// Strict parsing of option values: all of the text, nothing but the text, and never past the type's range.
#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace countpm::app {

/// Decimal digits only. Empty where the text is anything else or the number does not fit 64 bits.
std::optional<std::uint64_t> parse_integer(std::string_view text);

/// "2,0,1": how often each line stands in a matrix. Precondition: whole numbers up to most_copies.
std::vector<std::uint32_t> parse_copies(std::string_view text);
inline constexpr std::uint64_t most_copies = 1'000'000;

/// Seconds: "90", "1.5", "10s", "5m", "5min", "2h", "3d", "8h30m" or as durations are printed, "8 h 30 min";
/// "none" is infinity. Above zero, at most 10^9 seconds.
std::optional<double> parse_duration(std::string_view text);

/// "0.01" or "1%": above 0 and below 1.
std::optional<double> parse_share(std::string_view text);

/// "0.1,0.05" or "10%,5%": EPS,DELTA, each as parse_share has it.
std::optional<std::pair<double, double>> parse_guarantee(std::string_view text);

/// A weight as the readers take it ("2/3"), or the letter of a polynomial.
bool is_weight_or_letter(std::string_view text, std::string_view letter);
/// The same, or what only somebody writes who means a weight and gets it wrong: "1/0", "nan".
bool is_meant_as_weight(std::string_view text, std::string_view letter);

/// "998244353,2^64": whole numbers, or powers of them. Adds them to those that there are. Throws UsageError.
void add_moduli(std::string_view text, std::vector<mpz_class>& moduli);

/// Bytes: "1000", or with K, M, G, T or P for powers of 1024 ("512M", "1.5G", "4GiB"), and with a B behind it
/// of 1000 ("4GB"). Above zero.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// "A..B" with 1 <= A <= B, or "A.." without an end.
struct NumberRange {
  std::uint64_t first = 1;
  std::optional<std::uint64_t> last;
};
std::optional<NumberRange> parse_range(std::string_view text);

}  // namespace countpm::app
