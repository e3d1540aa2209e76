#include "graph/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "graph/errors.hpp"
#include "graph/stop_signal.hpp"

namespace countpm {

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
  }
  // Overlong forms, surrogates and what lies beyond U+10FFFF.
  if (first == 0xe0 && byte(1) < 0xa0) return 0;
  if (first == 0xed && byte(1) > 0x9f) return 0;
  if (first == 0xf0 && byte(1) < 0x90) return 0;
  if (first == 0xf4 && byte(1) > 0x8f) return 0;
  return length;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t value = 0;
  for (const char c : text) {
    const auto digit = static_cast<unsigned char>(c - '0');
    if (digit > 9) return std::nullopt;
    if (value > (most - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  return value;
}

std::vector<std::string_view> words_in(std::string_view line) {
  // A byte order mark within a text is none.
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t", at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string ascii_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string shown(std::string_view text) {
  return fmt::format("'{}'", quoted(std::string(text.substr(0, 200))));
}

namespace {

// The code point of a well-formed sequence.
std::uint32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(character[i]));
  };
  switch (character.size()) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1fU) << 6U | (byte(1) & 0x3fU);
    case 3:
      return (byte(0) & 0x0fU) << 12U | (byte(1) & 0x3fU) << 6U | (byte(2) & 0x3fU);
    default:
      return (byte(0) & 0x07U) << 18U | (byte(1) & 0x3fU) << 12U | (byte(2) & 0x3fU) << 6U |
             (byte(3) & 0x3fU);
  }
}

struct CodeRange {
  std::uint32_t first;
  std::uint32_t last;
};

template <std::size_t size>
bool is_in(std::uint32_t code, const std::array<CodeRange, size>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const CodeRange& range) { return range.first <= code && code <= range.last; });
}

bool is_invisible(std::uint32_t code) {
  static constexpr std::array<CodeRange, 11> ranges{{{0x00, 0x1f},
                                                     {0x7f, 0x9f},
                                                     {0x061c, 0x061c},      // Arabic letter mark
                                                     {0x200b, 0x200b},      // zero width space
                                                     {0x200e, 0x200f},      // marks of direction
                                                     {0x2028, 0x202e},      // separators of lines; embeddings
                                                     {0x2060, 0x206f},      // word joiner, isolates
                                                     {0xfeff, 0xfeff},      // byte order mark
                                                     {0xfff9, 0xfffb},      // annotations
                                                     {0xfffe, 0xffff},      // no characters
                                                     {0xe0000, 0xe007f}}};  // tags
  return is_in(code, ranges);
}

// White space of Unicode 15 that is not invisible above.
bool is_blank(std::uint32_t code) {
  static constexpr std::array<CodeRange, 7> ranges{{{0x20, 0x20},
                                                    {0xa0, 0xa0},
                                                    {0x1680, 0x1680},
                                                    {0x2000, 0x200a},
                                                    {0x202f, 0x202f},
                                                    {0x205f, 0x205f},
                                                    {0x3000, 0x3000}}};
  return is_in(code, ranges);
}

void append_byte(std::string& result, char byte) {
  fmt::format_to(std::back_inserter(result), "\\x{:02x}", static_cast<unsigned char>(byte));
}

enum class Use { sentence, field, word };

std::string written(std::string_view text, Use use) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t named = std::string_view("\t\n\r\\").find(text[0]);
    if (use != Use::sentence && named != std::string_view::npos) {
      result += '\\';
      result += "tnr\\"[named];
      text.remove_prefix(1);
      continue;
    }
    const std::size_t length = visible_length(text);
    if (length == 0) {
      append_byte(result, text[0]);
      text.remove_prefix(1);
      continue;
    }
    const std::string_view character = text.substr(0, length);
    if (use == Use::word && is_blank(code_point(character))) {
      for (const char byte : character) append_byte(result, byte);
    } else {
      result += character;
    }
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace

std::size_t visible_length(std::string_view text) {
  const std::size_t length = utf8_length(text);
  return length != 0 && is_invisible(code_point(text.substr(0, length))) ? 0 : length;
}

std::string printable(std::string_view text) {
  return written(text, Use::sentence);
}

std::string escaped(std::string_view text) {
  return written(text, Use::field);
}

std::string escaped_word(std::string_view text) {
  return text.empty() ? "\\c" : written(text, Use::word);
}

TextLines::TextLines(std::string_view bytes) : left_(bytes) {
  if (left_.starts_with("\xef\xbb\xbf")) left_.remove_prefix(3);
}

bool TextLines::next() {
  if (left_.empty()) return false;
  constexpr std::uint64_t lines_a_look = 4096;
  if (++number_ % lines_a_look == 0) check_stop();
  const std::size_t end = left_.find('\n');
  line_ = left_.substr(0, end);
  left_.remove_prefix(end == std::string_view::npos ? left_.size() : end + 1);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  unread_ = line_;
  return true;
}

std::string_view TextLines::word() {
  std::size_t start = 0;
  while (start < unread_.size() && (unread_[start] == ' ' || unread_[start] == '\t')) ++start;
  std::size_t end = start;
  while (end < unread_.size() && unread_[end] != ' ' && unread_[end] != '\t') ++end;
  const std::string_view result = unread_.substr(start, end - start);
  unread_.remove_prefix(end);
  return result;
}

bool TextLines::line_done() {
  return unread_.find_first_not_of(" \t") == std::string_view::npos;
}

}  // namespace countpm
