#include "src/report/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "graph/text.hpp"

namespace countpm {
namespace {

// Beyond ASCII all stands in strings, where an escape says the same.
std::string with_invisible_escaped(std::string dumped) {
  const auto beyond = [](char c) { return static_cast<unsigned char>(c) >= 0x7f; };
  if (std::none_of(dumped.begin(), dumped.end(), beyond)) return dumped;
  std::string text;
  text.reserve(dumped.size());
  std::string_view left = dumped;
  while (!left.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_length(left), 1);
    const std::string_view character = left.substr(0, length);
    if (left[0] == '\n' || visible_length(left) != 0) {
      text += character;
    } else {
      const std::string escape = Json(std::string(character)).dump(-1, ' ', true);
      text += length == 1 ? fmt::format("\\u{:04x}", static_cast<unsigned char>(left[0]))
                          : escape.substr(1, escape.size() - 2);
    }
    left.remove_prefix(length);
  }
  return text;
}

}  // namespace

std::string one_line(const Json& value) {
  return with_invisible_escaped(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string indented(const Json& value) {
  return with_invisible_escaped(value.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

std::string indented_around(const Json& value, std::string_view member, std::string_view object) {
  std::string text = value.dump(2, ' ', false, Json::error_handler_t::replace);
  const std::string empty = fmt::format("\n  \"{}\": {{}}", member);
  const std::size_t at = text.find(empty);
  if (at == std::string::npos) throw std::logic_error("no place for an object's text");
  // The object's last line is as far in as its member.
  object = object.substr(0, object.rfind('}'));
  text.replace(at + empty.size() - 2, 2, fmt::format("{}  }}", object));
  return with_invisible_escaped(std::move(text)) + "\n";
}

}  // namespace countpm
