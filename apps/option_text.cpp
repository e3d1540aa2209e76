// Options in words: how they are written, and what values they take.
#include <fmt/format.h>

#include <limits>

#include "apps/commands.hpp"
#include "apps/options.hpp"

namespace countpm::app {

std::string spelling(const OptionInfo& option) {
  const std::string letter = option.letter == 0 ? "" : fmt::format("-{}, ", option.letter);
  return fmt::format("{}--{}{}{}", letter, option.name, option.value_name.empty() ? "" : " ",
                     option.value_name);
}

std::string_view help_of(const OptionInfo& option, std::string_view command) {
  for (const OptionUse& use : option.uses) {
    if (use.questions.has(question_of(command))) return use.help;
  }
  return option.help;
}

std::string help_of_all(const OptionInfo& option) {
  std::string text(option.help);
  for (const OptionUse& use : option.uses) {
    const std::string commands = fmt::format("{}", fmt::join(commands_of(use.questions), ", "));
    if (!use.choices.empty() && option.help.starts_with(use.help)) {
      text += fmt::format(". For {}: only {}", commands, fmt::join(use.choices, ", "));
      continue;
    }
    const std::string choices = use.choices.empty() ? "" : fmt::format(" ({})", fmt::join(use.choices, ", "));
    const std::string value =
        use.default_value.empty() ? "" : fmt::format(" (default {})", use.default_value);
    text += fmt::format(". For {}: {}{}{}", commands, use.help, choices, value);
  }
  return text;
}

std::string_view default_of(const OptionInfo& option, std::string_view command) {
  for (const OptionUse& use : option.uses) {
    if (use.questions.has(question_of(command)) && (use.only_integers || !use.default_value.empty()))
      return use.default_value;
  }
  return option.default_value;
}

OptionInfo for_command(const OptionInfo& option, std::string_view command) {
  OptionInfo own = option;
  for (const OptionUse& use : option.uses) {
    if (!use.questions.has(question_of(command))) continue;
    if (!use.choices.empty()) own.choices = use.choices;
    if (use.only_integers) {
      own.type = ValueType::integer;
      own.choices.clear();
    }
  }
  return own;
}

std::string value_help(const OptionInfo& option) {
  switch (option.type) {
    case ValueType::flag:
      return "no value";
    case ValueType::choice:
      return fmt::format("{}", fmt::join(option.choices, ", "));
    case ValueType::choice_or_integer:
      return fmt::format("{}, or {} to {}", fmt::join(option.choices, ", "), option.least, option.most);
    case ValueType::integer:
      if (option.most == std::numeric_limits<std::uint64_t>::max())
        return fmt::format("a whole number from {} to 2^64-1", option.least);
      return fmt::format("a whole number from {} to {}", option.least, option.most);
    case ValueType::choices:
      return fmt::format("some of {}, with commas between", fmt::join(option.choices, ", "));
    case ValueType::integers:
      return fmt::format("whole numbers from {} to {}, with commas between", option.least, option.most);
    case ValueType::duration:
      return "seconds above 0, or 90s, 5m, 8h30m, 3d, none";
    case ValueType::bytes:
      return "bytes above 0, or 512M, 4G, 1.5T (powers of 1024), 4GB (of 1000)";
    case ValueType::range:
      return "A..B with 1 <= A <= B, or A..";
    case ValueType::guarantee:
      return "two shares, each above 0 and below 1 or a percentage: 0.1,0.05 or 10%,1e-3";
    case ValueType::share:
      return option.most == 1
                 ? "a share above 0 and up to 1 such as 0.01 or 1e-2, or a percentage such as 1%"
                 : "a share above 0 and below 1 such as 0.01 or 1e-2, or a percentage such as 1%";
    case ValueType::weight:
      return fmt::format("a weight such as 1, 2/3, 0.25 or 1+2i, or the letter {}", option.unknown);
    case ValueType::file:
      return "a file's name";
    case ValueType::text:
      return "any text that is not empty";
  }
  return "";
}

std::string short_value_help(const OptionInfo& option) {
  switch (option.type) {
    case ValueType::flag:
    case ValueType::file:
    case ValueType::text:
    case ValueType::range:
      return "";
    case ValueType::integer:
    case ValueType::integers:
      if (option.most == std::numeric_limits<std::uint64_t>::max())
        return fmt::format("{} to 2^64-1", option.least);
      return fmt::format("{} to {}", option.least, option.most);
    case ValueType::weight:
      return fmt::format("1, 2/3, 0.25 or {}", option.unknown);
    case ValueType::share:
      return "0.01, 1e-2 or 1%";
    case ValueType::guarantee:
      return "0.1,0.05 or 10%,5%";
    default:
      return value_help(option);
  }
}

}  // namespace countpm::app
