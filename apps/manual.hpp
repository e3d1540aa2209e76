#pragma once
// The man page, made from the tables of commands, options, formats, lattices and methods.
#include <string>
#include <string_view>
#include <vector>

namespace countpm::app {

/// countpm(1), for man: `countpm help --man`.
std::string manual_page();

/// A command of the section EXAMPLES and what it prints.
struct ManualExample {
  std::string_view about;
  std::string_view command;  // of the shell
  std::string_view output;   // "...": something
};
const std::vector<ManualExample>& manual_examples();

}  // namespace countpm::app
