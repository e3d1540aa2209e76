#pragma once
// Fields of JSON that others wrote: journals, parts, results, messages of other ranks. Every one is read by
// these, which say what is wrong by std::invalid_argument, and believe no size before it is there.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace countpm::fields {

using Json = nlohmann::ordered_json;

// So many units a task has at most, samples a block: sums of them are exact, in 64 bits and in doubles.
constexpr std::uint64_t most_units = std::uint64_t{1} << 32;
constexpr std::uint64_t most_samples = std::uint64_t{1} << 52;
constexpr double most_seconds = 1e15;

[[noreturn]] void refuse(const std::string& what);

/// The text as JSON; refused where it is none, or nested more deeply than anything that is written here:
/// programs go down nests by recursion. O(bytes).
Json parse(const std::string& text);
/// And back, on one line. A path need not be UTF-8; then it is to be given again.
std::string dumped(const Json& content);

/// The value of a key; a list.
const Json& at(const Json& object, std::string_view key);
const Json& list_at(const Json& object, std::string_view key);
/// The k-th of a list.
const Json& nth(const Json& list, std::size_t k);

/// An integer as JSON has them, without sign, point or exponent.
std::uint64_t whole(const Json& value, std::string_view name, std::uint64_t least, std::uint64_t most);
std::int64_t integer(const Json& value, std::string_view name, std::int64_t least, std::int64_t most);
/// A finite number.
double number(const Json& value, std::string_view name, double least, double most);
bool flag(const Json& value, std::string_view name);
const std::string& text(const Json& value, std::string_view name);

inline std::uint64_t whole_at(const Json& object, std::string_view key, std::uint64_t least,
                              std::uint64_t most) {
  return whole(at(object, key), key, least, most);
}
/// From 0 to most_seconds.
inline double seconds_at(const Json& object, std::string_view key) {
  return number(at(object, key), key, 0, most_seconds);
}
inline double number_at(const Json& object, std::string_view key, double least, double most) {
  return number(at(object, key), key, least, most);
}
inline bool flag_at(const Json& object, std::string_view key) {
  return flag(at(object, key), key);
}
inline const std::string& text_at(const Json& object, std::string_view key) {
  return text(at(object, key), key);
}

/// Whether it is a number as std::to_string writes it: no sign, no zero before others.
bool is_decimal(std::string_view text);
/// The same in hexadecimal, in small letters.
bool is_hexadecimal(std::string_view text);

}  // namespace countpm::fields
