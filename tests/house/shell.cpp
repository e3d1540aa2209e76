#include "tests/house/shell.hpp"

#include <sys/wait.h>

#include <array>
#include <cstdio>

#include "test_paths.hpp"

namespace countpm::house {

Outcome run(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen(("cd '" COUNTPM_SOURCE_DIR "' && { " + command + "; } 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> part{};
  for (std::size_t got = 0; (got = fread(part.data(), 1, part.size(), pipe)) > 0;)
    outcome.output.append(part.data(), got);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

bool has(const Outcome& outcome, const std::string& text) {
  return outcome.output.find(text) != std::string::npos;
}

}  // namespace countpm::house
