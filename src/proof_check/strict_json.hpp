#pragma once
// JSON (RFC 8259) as proofs have it, read without leniency: no key twice in an object, no byte order mark,
// valid UTF-8.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace countpm::proof_check {

struct StrictJson {
  /// number: one that is no integer of at most eight characters, or -0.
  enum class Kind { null, boolean, integer, number, text, array, object };
  Kind kind = Kind::null;
  bool truth = false;
  std::int64_t integer = 0;
  std::string text;  // in UTF-8; surrogates without their partner as if they were characters
  std::vector<StrictJson> items;
  std::vector<std::string> keys;  // of an object, beside items

  /// nullptr where it has none of that name, or is no object.
  const StrictJson* find(std::string_view key) const;
};

/// Throws Refused. O(bytes), but for the search for equal keys: O(keys log keys).
StrictJson read_strict_json(std::string_view bytes);

}  // namespace countpm::proof_check
