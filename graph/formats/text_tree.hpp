#pragma once
// Texts of values within values, JSON and GML, as a tree that keeps what the readers of graphs need: numbers
// as they are written, and lines.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace countpm {

struct TextTree {
  enum class Kind { null, boolean, number, text, list, record };
  Kind kind = Kind::null;
  std::uint64_t line = 0;
  std::string name{};  // within a record
  std::string text{};  // of a number as it is written; of a boolean "true" or "false"
  std::vector<TextTree> parts{};

  bool is_scalar() const { return kind == Kind::number || kind == Kind::text || kind == Kind::boolean; }
  /// The part of that name, null where there is none. Throws InputError where there are two.
  const TextTree* part(std::string_view wanted, const std::string& file) const;
  /// "a number", "a text", "a list", ...: for messages.
  std::string kind_text() const;
};

/// Values are at most so deep in one another.
inline constexpr std::size_t deepest_tree = 200;

/// One value of JSON (RFC 8259) by nlohmann's parser, which is not recursive. Throws InputError with the
/// line. O(bytes) time; memory up to 50 times the bytes.
TextTree parse_json(std::string_view bytes, const std::string& name);

/// The pairs of a GML text as one record (M. Himsolt, GML: A portable graph file format, 1997). # begins a
/// comment, entities within strings are their characters, and a number is as it is written.
TextTree parse_gml(std::string_view bytes, const std::string& name);

}  // namespace countpm
