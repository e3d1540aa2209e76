#include "tests/cli/run_script.hpp"

namespace countpm::test {

Outcome run_script(const std::vector<std::string>& shell, const std::string& script,
                   const std::string& folder, bool one_core) {
  Wiring wiring;
  wiring.launcher = shell;
  wiring.launcher.push_back(file_with(script, "script"));
  wiring.folder = folder;
  wiring.one_core = one_core;
  return run({}, wiring);
}

Outcome run_sh(const std::string& script) {
  return run_script({"sh"}, "countpm=$1\ncountpm() { \"$countpm\" \"$@\"; }\n" + script + "\n");
}

bool has_program(const std::string& name) {
  return run_sh("command -v " + name).code == 0;
}

}  // namespace countpm::test
