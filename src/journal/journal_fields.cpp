#include "src/journal/journal_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace countpm::fields {
namespace {

constexpr int deepest = 32;

/// Whether brackets outside of strings are nested that deeply. What is no JSON otherwise the parser finds.
bool too_deep(const std::string& text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (in_string) {
      if (c == '\\') ++k;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

bool is_canonical(std::string_view text, std::string_view digits) {
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos &&
         (text.size() == 1 || text[0] != '0');
}

}  // namespace

void refuse(const std::string& what) {
  throw std::invalid_argument(what);
}

Json parse(const std::string& text) {
  if (too_deep(text)) refuse("lists within lists, more than this program writes");
  return Json::parse(text);
}

std::string dumped(const Json& content) {
  return content.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json& at(const Json& object, std::string_view key) {
  if (!object.is_object()) refuse(fmt::format("no object with '{}'", key));
  const auto found = object.find(key);
  if (found == object.end()) refuse(fmt::format("no '{}'", key));
  return *found;
}

const Json& list_at(const Json& object, std::string_view key) {
  const Json& list = at(object, key);
  if (!list.is_array()) refuse(fmt::format("'{}' is no list", key));
  return list;
}

const Json& nth(const Json& list, std::size_t k) {
  if (!list.is_array() || k >= list.size()) refuse("a list is too short");
  return list[k];
}

std::uint64_t whole(const Json& value, std::string_view name, std::uint64_t least, std::uint64_t most) {
  if (!value.is_number_unsigned()) refuse(fmt::format("'{}' is no whole number of 64 bits", name));
  const auto found = value.get<std::uint64_t>();
  if (found < least || found > most)
    refuse(fmt::format("'{}' is {}, and not from {} to {}", name, found, least, most));
  return found;
}

std::int64_t integer(const Json& value, std::string_view name, std::int64_t least, std::int64_t most) {
  if (value.is_number_unsigned())
    return static_cast<std::int64_t>(whole(value, name,
                                           static_cast<std::uint64_t>(std::max<std::int64_t>(least, 0)),
                                           static_cast<std::uint64_t>(std::max<std::int64_t>(most, 0))));
  if (!value.is_number_integer()) refuse(fmt::format("'{}' is no whole number of 64 bits", name));
  const auto found = value.get<std::int64_t>();
  if (found < least || found > most)
    refuse(fmt::format("'{}' is {}, and not from {} to {}", name, found, least, most));
  return found;
}

double number(const Json& value, std::string_view name, double least, double most) {
  if (!value.is_number()) refuse(fmt::format("'{}' is no number", name));
  const auto found = value.get<double>();
  if (!std::isfinite(found) || found < least || found > most)
    refuse(fmt::format("'{}' is {:g}, and not from {:g} to {:g}", name, found, least, most));
  return found;
}

bool flag(const Json& value, std::string_view name) {
  if (!value.is_boolean()) refuse(fmt::format("'{}' is neither true nor false", name));
  return value.get<bool>();
}

const std::string& text(const Json& value, std::string_view name) {
  if (!value.is_string()) refuse(fmt::format("'{}' is no text", name));
  return value.get_ref<const std::string&>();
}

bool is_decimal(std::string_view text) {
  return is_canonical(text, "0123456789");
}

bool is_hexadecimal(std::string_view text) {
  return is_canonical(text, "0123456789abcdef");
}

}  // namespace countpm::fields
