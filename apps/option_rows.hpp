#pragma once
// Makers of the rows of the table of options.
#include <initializer_list>
#include <string_view>
#include <vector>

#include "apps/options.hpp"

namespace countpm::app {

using Names = std::vector<std::string_view>;
using ApplyOption = void (*)(Request& request, std::string_view value);

/// An option without a value.
OptionInfo flag_row(std::string_view name, std::string_view help, Names commands, ApplyOption apply);

/// An option whose value is of a type without further bounds. default_value as a user would write it; empty:
/// none.
OptionInfo value_row(std::string_view name, ValueType type, std::string_view value_name,
                     std::string_view default_value, std::string_view help, Names commands,
                     ApplyOption apply);

/// An option whose value is one of the choices.
OptionInfo choice_row(std::string_view name, std::string_view value_name, std::string_view default_value,
                      Names choices, std::string_view help, Names commands, ApplyOption apply);

/// An option whose value is an integer of [least, most].
OptionInfo number_row(std::string_view name, std::string_view value_name, std::string_view default_value,
                      std::uint64_t least, std::uint64_t most, std::string_view help, Names commands,
                      ApplyOption apply);

OptionInfo bounded(OptionInfo row, std::uint64_t least, std::uint64_t most);
OptionInfo repeatable(OptionInfo row);
OptionInfo with_letter(char letter, OptionInfo row);
/// For these commands it is something else.
OptionInfo with_uses(std::vector<OptionUse> uses, OptionInfo row);
/// Without a value it is this one.
OptionInfo bare(std::string_view value, OptionInfo row);

/// Says of the options with these names that the command takes them, too.
void share_options(std::vector<OptionInfo>& table, std::initializer_list<std::string_view> names,
                   std::string_view command);

}  // namespace countpm::app
