#pragma once
// Durations, in one style wherever they are shown, and time limits as a user types them.
#include <string>

namespace countpm {

/// "0.28 ms", "4.8 s", "12 min 5 s", "5 h 31 min", "4 d 7 h", "212 d", "3.4 years", "10^9 years"; infinity:
/// "no limit". What is 0 in the second unit is left out: "1 h".
std::string format_duration(double seconds);
/// The same from log10(seconds), which may be beyond any double.
std::string format_log10_duration(double log10_seconds);
/// At least so long, rounded up to what one would type after --time-limit: "45s", "8h30m", "4d7h"; "none"
/// beyond what the option takes.
std::string time_limit_text(double seconds);

/// The largest number of seconds that a time limit may be, but for none at all.
inline constexpr double most_time_limit_seconds = 1e9;
/// What is advised is so many times what is predicted: predictions are right within about that.
inline constexpr double time_limit_margin = 1.5;
/// "try --time-limit 8h20m, half as much again as is predicted": for what has taken `elapsed` seconds so far
/// and is predicted to take `predicted` more.
std::string advised_time_limit(double elapsed, double predicted);

}  // namespace countpm
