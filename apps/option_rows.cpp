#include "apps/option_rows.hpp"

#include <algorithm>
#include <utility>

namespace countpm::app {

OptionInfo value_row(std::string_view name, ValueType type, std::string_view value_name,
                     std::string_view default_value, std::string_view help, Names commands,
                     ApplyOption apply) {
  OptionInfo option;
  option.name = name;
  option.type = type;
  option.value_name = value_name;
  option.default_value = default_value;
  option.help = help;
  option.commands = std::move(commands);
  option.apply = apply;
  return option;
}

OptionInfo flag_row(std::string_view name, std::string_view help, Names commands, ApplyOption apply) {
  return value_row(name, ValueType::flag, "", "", help, std::move(commands), apply);
}

OptionInfo choice_row(std::string_view name, std::string_view value_name, std::string_view default_value,
                      Names choices, std::string_view help, Names commands, ApplyOption apply) {
  OptionInfo option =
      value_row(name, ValueType::choice, value_name, default_value, help, std::move(commands), apply);
  option.choices = std::move(choices);
  return option;
}

OptionInfo number_row(std::string_view name, std::string_view value_name, std::string_view default_value,
                      std::uint64_t least, std::uint64_t most, std::string_view help, Names commands,
                      ApplyOption apply) {
  return bounded(
      value_row(name, ValueType::integer, value_name, default_value, help, std::move(commands), apply), least,
      most);
}

OptionInfo bounded(OptionInfo row, std::uint64_t least, std::uint64_t most) {
  row.least = least;
  row.most = most;
  return row;
}

OptionInfo repeatable(OptionInfo row) {
  row.repeatable = true;
  return row;
}

OptionInfo with_letter(char letter, OptionInfo row) {
  row.letter = letter;
  return row;
}

OptionInfo with_uses(std::vector<OptionUse> uses, OptionInfo row) {
  row.uses = std::move(uses);
  return row;
}

OptionInfo bare(std::string_view value, OptionInfo row) {
  row.bare_value = value;
  return row;
}

void share_options(std::vector<OptionInfo>& table, std::initializer_list<std::string_view> names,
                   std::string_view command) {
  for (OptionInfo& option : table) {
    if (std::find(names.begin(), names.end(), option.name) != names.end())
      option.commands.emplace_back(command);
  }
}

}  // namespace countpm::app
