#include "graph/text_encoding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/errors.hpp"

namespace countpm {
namespace {

bool is_utf16(std::string_view head) {
  return head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff");
}

/// Calls each(position) for the carriage returns that may end lines: those outside quotes, where quotes come
/// in pairs. Within them they are a part of a label.
template <class Each>
void for_each_return(std::string_view text, const Each& each) {
  const bool paired = std::count(text.begin(), text.end(), '"') % 2 == 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') quoted = paired && !quoted;
    if (text[at] == '\r' && !quoted) each(at);
  }
}

/// Carriage returns that end lines and no line feed, in what is text otherwise.
bool has_lone_returns(std::string_view head) {
  if (head.find('\n') != std::string_view::npos) return false;
  bool found = false;
  for_each_return(head, [&found](std::size_t) { found = true; });
  if (!found) return false;
  return std::none_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t' && c != '\r') || byte == 0x7f;
  });
}

void append_utf8(std::string& text, std::uint32_t point) {
  const auto put = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xc0 | (point >> 6U));
    put(0x80 | (point & 0x3fU));
  } else if (point < 0x10000) {
    put(0xe0 | (point >> 12U));
    put(0x80 | ((point >> 6U) & 0x3fU));
    put(0x80 | (point & 0x3fU));
  } else {
    put(0xf0 | (point >> 18U));
    put(0x80 | ((point >> 12U) & 0x3fU));
    put(0x80 | ((point >> 6U) & 0x3fU));
    put(0x80 | (point & 0x3fU));
  }
}

std::string from_utf16(std::string_view bytes, const std::string& name) {
  const bool big = bytes.starts_with("\xfe\xff");
  const auto fail = [&](const std::string& found) { throw InputError(name, 0, "UTF-16 text", found); };
  if (bytes.size() % 2 != 0) fail("half a character at its end");
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<std::uint32_t>(big ? first << 8U | second : second << 8U | first);
  };
  std::string text;
  text.reserve(bytes.size() / 2);
  for (std::size_t at = 2; at < bytes.size(); at += 2) {
    std::uint32_t point = unit(at);
    if (point == 0) fail("the character 0");
    if (point >= 0xd800 && point < 0xe000) {
      const std::uint32_t low = point < 0xdc00 && at + 2 < bytes.size() ? unit(at + 2) : 0;
      if (low < 0xdc00 || low >= 0xe000) fail(fmt::format("half a pair, 0x{:04x}", point));
      point = 0x10000 + ((point - 0xd800) << 10U) + (low - 0xdc00);
      at += 2;
    }
    append_utf8(text, point);
  }
  return text;
}

}  // namespace

bool needs_recoding(std::string_view head) {
  return is_utf16(head) || has_lone_returns(head);
}

std::string recoded(std::string_view bytes, const std::string& name) {
  if (bytes.size() > largest_recoded)
    throw InputError(name, 0, "UTF-8 text with line feeds, or at most 256 MiB of another", "more");
  std::string text = is_utf16(bytes) ? from_utf16(bytes, name) : std::string(bytes);
  if (text.find('\n') == std::string::npos)
    for_each_return(text, [&text](std::size_t at) { text[at] = '\n'; });
  if (text.empty()) text = "\n";
  return text;
}

}  // namespace countpm
