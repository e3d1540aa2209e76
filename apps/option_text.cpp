// Options in words: how they are written, and what values they take.
#include <fmt/format.h>

#include <limits>

#include "apps/options.hpp"

namespace countpm::app {

std::string spelling(const OptionInfo& option) {
  const std::string letter = option.letter == 0 ? "" : fmt::format("-{}, ", option.letter);
  return fmt::format("{}--{}{}{}", letter, option.name, option.value_name.empty() ? "" : " ",
                     option.value_name);
}

std::string value_help(const OptionInfo& option) {
  switch (option.type) {
    case ValueType::flag:
      return "no value";
    case ValueType::choice:
      return fmt::format("{}", fmt::join(option.choices, ", "));
    case ValueType::integer:
      if (option.most == std::numeric_limits<std::uint64_t>::max())
        return fmt::format("a whole number from {} to 2^64-1", option.least);
      return fmt::format("a whole number from {} to {}", option.least, option.most);
    case ValueType::choices:
      return fmt::format("some of {}, with commas between", fmt::join(option.choices, ", "));
    case ValueType::integers:
      return fmt::format("whole numbers from {} to {}, with commas between", option.least, option.most);
    case ValueType::duration:
      return "seconds above 0, or 10s, 5m, 2h, 3d, none";
    case ValueType::bytes:
      return "bytes above 0, or 512K, 512M, 4G, 1T";
    case ValueType::range:
      return "A..B with 1 <= A <= B, or A..";
    case ValueType::guarantee:
      return "two shares, each above 0 and below 1 or a percentage: 0.1,0.05 or 10%,1e-3";
    case ValueType::share:
      return option.most == 1
                 ? "a share above 0 and up to 1 such as 0.01 or 1e-2, or a percentage such as 1%"
                 : "a share above 0 and below 1 such as 0.01 or 1e-2, or a percentage such as 1%";
    case ValueType::file:
      return "a file's name";
    case ValueType::text:
      return "any text that is not empty";
  }
  return "";
}

}  // namespace countpm::app
