#include "graph/text.hpp"

#include <fmt/format.h>

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
