#pragma once
// Times and sizes as people read them, for messages.
#include <cstdint>
#include <string>

namespace countpm {

/// "0.3 s", "42 s", "5 min", "3.4 h", "12 days", "10^9 years"; infinity: "no limit".
std::string format_seconds(double seconds);
/// The same from log10(seconds), which may be beyond any double.
std::string format_log10_seconds(double log10_seconds);
/// "512 B", "1.5 MiB", "24 GiB".
std::string format_bytes(std::uint64_t bytes);

}  // namespace countpm
