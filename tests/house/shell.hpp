#pragma once
// Commands of the shell, as the tests of scripts run them.
#include <string>

namespace countpm::house {

struct Outcome {
  int status = -1;
  std::string output;
};

/// Standard output and standard error of a command, in the project's folder; its standard input is empty.
Outcome run(const std::string& command);

bool has(const Outcome& outcome, const std::string& text);

}  // namespace countpm::house
