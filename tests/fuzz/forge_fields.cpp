#include "tests/fuzz/forge_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

namespace countpm::forge {
namespace {

using Json = nlohmann::ordered_json;

/// All values in it, it included.
void collect(Json& json, const std::string& path, std::vector<std::pair<std::string, Json*>>& into) {
  into.emplace_back(path, &json);
  if (json.is_object()) {
    for (auto& [key, value] : json.items()) collect(value, path + "/" + key, into);
  } else if (json.is_array()) {
    for (std::size_t k = 0; k < json.size(); ++k) collect(json[k], fmt::format("{}/{}", path, k), into);
  }
}

template <class Choices>
auto one_of(const Choices& choices, Random& random) {
  return choices[random() % std::size(choices)];
}

const std::vector<std::string>& words() {
  static const std::vector<std::string> list{
      "0", "1", "2", "3", "7", "63", "64", "65", "65535", "65536", "2147483647", "-1", "-0", "00", "18",
      "018", "1e400", "1.5", "4294967294", "4294967295", "4294967296", "", " ", "x", "f", "2^64", "2^128",
      "4294967297", "9223372036854775807", "9223372036854775808", "18446744073709551615",
      "18446744073709551616", std::string(500, 'f'), std::string(500, '9'), "0x1p+99999999", "0x1p-1",
      "@inf@", "nan", "ryser", "pruned", "frontier", "auto", "planar", "2305843009213693951",
      "1152921504606846975",
      // composite, and primes that are small
      "1000000016000000063", "4611686018427387847"};
  return list;
}

std::string forged_plan(const std::string& plan, Random& random) {
  std::vector<std::string> parts;
  std::istringstream stream(plan);
  for (std::string part; std::getline(stream, part, ';');)
    parts.push_back(part.starts_with(' ') ? part.substr(1) : part);
  if (parts.empty()) return one_of(words(), random) + " " + one_of(words(), random);
  std::string& part = parts[random() % parts.size()];
  std::vector<std::string> tokens;
  std::istringstream split(part);
  for (std::string token; split >> token;) tokens.push_back(token);
  if (tokens.empty()) tokens.push_back(one_of(words(), random));  // what was forged before
  const auto any = [&] { return 1 + random() % std::max<std::size_t>(tokens.size() - 1, 1); };
  switch (random() % 8) {
    case 0:
      tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(std::min(any(), tokens.size())),
                    one_of(words(), random));
      break;
    case 1:
      if (tokens.size() > 1) tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(any()));
      break;
    case 2:
      if (tokens.size() > 1) tokens.push_back(tokens[any()]);
      break;
    case 3:
      if (tokens.size() > 2) std::swap(tokens[any()], tokens[any()]);
      break;
    case 4:
      tokens[0] = one_of(words(), random);
      break;
    case 5:
      for (std::uint64_t k = random() % 3000; k > 0; --k) tokens.push_back(one_of(words(), random));
      break;
    default:
      if (tokens.size() > 1) tokens[any()] = one_of(words(), random);
  }
  part = fmt::format("{}", fmt::join(tokens, " "));
  return fmt::format("{}", fmt::join(parts, "; "));
}

Json forged_number(const Json& value, Random& random) {
  switch (random() % 8) {
    case 0:
      return 0;
    case 1:
      return -1;
    case 2:
      return std::uint64_t{1} << random() % 64;
    case 3:
      return (std::uint64_t{1} << random() % 64) - 1;
    case 4:
      return std::ldexp(1.0, static_cast<int>(random() % 2000) - 1000);
    case 5:
      return random();
    case 6:
      return value.is_number_integer() ? Json(value.get<std::int64_t>() + 1) : Json(-value.get<double>());
    default:
      return value.is_number_integer() ? Json(value.get<std::int64_t>() - 1) : Json(1e300);
  }
}

/// Another value in its place.
void forge_value(const std::string& path, Json& value, Random& random) {
  if (random() % 12 == 0) {
    const std::vector<Json> others{
        nullptr, true, "x", 0, -1, Json::array(), Json::object(), Json::array({1, Json::array()})};
    value = one_of(others, random);
  } else if (value.is_string()) {
    const auto text = value.get<std::string>();
    if (path.ends_with("/plan")) {
      value = forged_plan(text, random);
    } else if (random() % 3 == 0 && !text.empty()) {
      std::string other = text;
      other[random() % other.size()] = one_of(std::string("0123456789abcdefx-."), random);
      value = other;
    } else {
      value = one_of(words(), random);
    }
  } else if (value.is_number()) {
    value = forged_number(value, random);
  } else if (value.is_boolean()) {
    value = !value.get<bool>();
  } else if (value.is_array() && !value.empty()) {
    const std::size_t at = random() % value.size();
    const std::size_t other = random() % value.size();
    switch (random() % 5) {
      case 0:
        value.erase(at);
        break;
      case 1:
        value.push_back(Json(value[at]));
        break;
      case 2:
        std::swap(value[at], value[other]);
        break;
      case 3:
        for (std::uint64_t k = random() % 2000; k > 0; --k) value.push_back(Json(value[at]));
        break;
      default:
        value = Json::array();
    }
  } else if (value.is_object() && !value.empty()) {
    auto at = value.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(random() % value.size()));
    const std::string key = at.key();
    const Json copy = at.value();
    value.erase(key);
    if (random() % 2 == 0) value[key + "s"] = copy;
  }
}

}  // namespace

std::string change_fields(Json& json, Random& random) {
  std::string what;
  for (std::uint64_t k = 1 + (random() % 4 == 0 ? random() % 4 : 0); k > 0; --k) {
    std::vector<std::pair<std::string, Json*>> values;
    collect(json, "", values);
    // Plans are what methods read: every other time.
    std::vector<std::pair<std::string, Json*>> plans;
    std::copy_if(values.begin(), values.end(), std::back_inserter(plans),
                 [](const auto& value) { return value.first.ends_with("/plan"); });
    const bool plan = !plans.empty() && random() % 2 == 0;
    const auto& [path, value] = plan ? one_of(plans, random) : one_of(values, random);
    what += " " + path;
    forge_value(path, *value, random);
  }
  return what;
}

}  // namespace countpm::forge
