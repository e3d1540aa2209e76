#include "apps/command_line.hpp"

namespace countpm::app {
namespace {

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:,=+@%-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

bool is_flag(const std::string& name) {
  const OptionInfo* const option = find_option(name);
  return option != nullptr && option->type == ValueType::flag;
}

}  // namespace

std::string command_line(const std::string& command, const std::vector<std::string>& arguments,
                         const std::vector<std::pair<std::string, std::string>>& options) {
  std::string text = command == "count" ? "countpm" : "countpm " + command;
  for (const std::string& argument : arguments) text += " " + shell_word(argument);
  for (const auto& [name, value] : options) {
    text += " --" + name;
    // Joined, for some may stand alone.
    if (!is_flag(name)) text += "=" + shell_word(value);
  }
  return text;
}

std::string command_line(const Request& request) {
  return command_line(request.command, request.arguments, request.given);
}

}  // namespace countpm::app
