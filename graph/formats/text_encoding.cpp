#include "graph/formats/text_encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "graph/errors.hpp"

namespace countpm {
namespace {

// In std::string_view literals a NUL needs its length: "..."sv.
using namespace std::string_view_literals;

bool is_utf32(std::string_view head) {
  return head.starts_with("\xff\xfe\0\0"sv) || head.starts_with("\0\0\xfe\xff"sv);
}

bool is_utf16(std::string_view head) {
  return head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff");
}

/// The name of an encoding without its byte order mark: of ASCII characters, all but one byte of two or of
/// four are NUL. Null where it is none.
const char* unmarked_code(std::string_view head) {
  const auto has_units = [head](std::size_t size, std::size_t at) {
    constexpr std::size_t most = 64;
    const std::size_t end = std::min(head.size(), most) / size * size;
    if (end < 2 * size) return false;
    for (std::size_t k = 0; k < end; ++k) {
      const auto byte = static_cast<unsigned char>(head[k]);
      const bool text = (byte >= 0x20 && byte < 0x7f) || byte == '\t' || byte == '\n' || byte == '\r';
      if (k % size == at ? !text : byte != 0) return false;
    }
    return true;
  };
  if (has_units(2, 0)) return "UTF-16LE";
  if (has_units(2, 1)) return "UTF-16BE";
  if (has_units(4, 0)) return "UTF-32LE";
  return has_units(4, 3) ? "UTF-32BE" : nullptr;
}

/// Calls each(position) for the carriage returns that may end lines and have no line feed behind them: those
/// outside quotes, where quotes come in pairs. Within them they are a part of a label.
template <class Each>
void for_each_return(std::string_view text, const Each& each) {
  if (text.find('\r') == std::string_view::npos) return;
  const bool paired = std::count(text.begin(), text.end(), '"') % 2 == 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') quoted = paired && !quoted;
    if (text[at] == '\r' && !quoted && !text.substr(at + 1).starts_with('\n')) each(at);
  }
}

/// Carriage returns that end lines, in what is text otherwise.
bool has_lone_returns(std::string_view head) {
  bool found = false;
  for_each_return(head, [&](std::size_t at) { found = found || at + 1 < head.size(); });
  if (!found) return false;
  return std::none_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t' && c != '\r' && c != '\n') || byte == 0x7f;
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

std::string from_utf32(std::string_view bytes, const std::string& name) {
  const bool big = bytes.front() == '\0';
  const auto fail = [&](const std::string& found) { throw InputError(name, 0, "UTF-32 text", found); };
  if (bytes.size() % 4 != 0) fail("a part of a character at its end");
  std::string text;
  text.reserve(bytes.size() / 4);
  for (std::size_t at = 4; at < bytes.size(); at += 4) {
    std::uint32_t point = 0;
    for (std::size_t k = 0; k < 4; ++k)
      point = point << 8U | static_cast<unsigned char>(bytes[at + (big ? k : 3 - k)]);
    if (point == 0) fail("the character 0");
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
      fail(fmt::format("0x{:x}, no character", point));
    append_utf8(text, point);
  }
  return text;
}

}  // namespace

bool needs_recoding(std::string_view head) {
  return is_utf32(head) || is_utf16(head) || unmarked_code(head) != nullptr || has_lone_returns(head);
}

std::string recoded(std::string_view bytes, const std::string& name, bool& mixed_ends) {
  if (bytes.size() > largest_recoded)
    throw InputError(name, 0, "UTF-8 text with line feeds, or at most 256 MiB of another", "more");
  if (const char* const code = unmarked_code(bytes); code != nullptr && !is_utf16(bytes))
    throw InputError(
        name, 0, "UTF-8 text, or UTF-16 or UTF-32 with a byte order mark",
        fmt::format("{} without one (iconv -f {} -t UTF-8 FILE | countpm - reads it)", code, code));
  std::string text = is_utf32(bytes)   ? from_utf32(bytes, name)
                     : is_utf16(bytes) ? from_utf16(bytes, name)
                                       : std::string(bytes);
  const bool feeds = text.find('\n') != std::string::npos;
  for_each_return(text, [&](std::size_t at) {
    // Before a return and a line feed it is one of a doubled end of a line.
    const std::size_t next = text.find_first_not_of('\r', at);
    const bool doubled = next != std::string::npos && text[next] == '\n';
    mixed_ends = mixed_ends || (feeds && !doubled);
    text[at] = doubled ? ' ' : '\n';
  });
  if (text.empty()) text = "\n";
  return text;
}

}  // namespace countpm
