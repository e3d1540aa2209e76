#include "graph/errors.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "graph/text.hpp"

namespace countpm {
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
    const std::size_t length = visible_length(std::string_view(text).substr(at));
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
