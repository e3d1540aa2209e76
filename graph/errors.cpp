#include "graph/errors.hpp"

#include <fmt/format.h>

#include <utility>

namespace countpm {
namespace {

// Length of the well-formed UTF-8 sequence of printable text at text[at], or 0 where there is none.
std::size_t printable_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length == 0 || first > 0xf4 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, code points past U+10FFFF and the C1 controls.
  if (first == 0xc2 && byte(at + 1) < 0xa0) return 0;
  if (first == 0xe0 && byte(at + 1) < 0xa0) return 0;
  if (first == 0xed && byte(at + 1) > 0x9f) return 0;
  if (first == 0xf0 && byte(at + 1) < 0x90) return 0;
  if (first == 0xf4 && byte(at + 1) > 0x8f) return 0;
  return length;
}

}  // namespace

InputError::InputError(std::string file, std::uint64_t line, std::string expected, std::string found)
    : Error(line == 0
                ? fmt::format("{}: expected {}, found {}", quoted(file, 400), expected, found)
                : fmt::format("{}:{}: expected {}, found {}", quoted(file, 400), line, expected, found)),
      file_(std::move(file)),
      line_(line),
      expected_(std::move(expected)),
      found_(std::move(found)) {}

UnableError::UnableError(const std::string& reason, std::string remedy)
    : Error(remedy.empty() ? reason : fmt::format("{}; {}", reason, remedy)), remedy_(std::move(remedy)) {}

std::string quoted(const std::string& text, std::size_t limit) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size() && result.size() < limit) {
    const std::size_t length = printable_length(text, at);
    if (length == 0) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
      ++at;
    } else {
      result.append(text, at, length);
      at += length;
    }
  }
  if (at < text.size()) result += "...";
  return result;
}

}  // namespace countpm
