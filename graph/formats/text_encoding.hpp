#pragma once
// Texts of other encodings than UTF-8 with line feeds: UTF-16 and UTF-32 with their byte order marks, as
// spreadsheets export them, and lines that end in a carriage return alone, all or some of them.
#include <cstdint>
#include <string>
#include <string_view>

namespace countpm {

/// Longer texts of these are refused: 256 MiB.
inline constexpr std::uint64_t largest_recoded = std::uint64_t{256} << 20U;

/// Whether the text that begins so is of one of these encodings. Of UTF-16 and UTF-32 without a byte order
/// mark too, which recoded() refuses.
bool needs_recoding(std::string_view head);
/// The text in UTF-8, lines ended by line feeds, without a byte order mark. Throws InputError where the bytes
/// are no such text. mixed_ends: set where some lines end in a carriage return and others in a line feed.
/// O(bytes).
std::string recoded(std::string_view bytes, const std::string& name, bool& mixed_ends);

}  // namespace countpm
