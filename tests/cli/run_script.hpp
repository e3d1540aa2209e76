#pragma once
// Scripts of a shell that call countpm.
#include <string>
#include <vector>

#include "tests/cli/run_binary.hpp"

namespace countpm::test {

/// `shell` with its options; the script's first argument is the path of the program. Runs in `folder`, the
/// test's own where empty.
Outcome run_script(const std::vector<std::string>& shell, const std::string& script,
                   const std::string& folder = "", bool one_core = false);
/// A script of sh, to which the program is known as countpm.
Outcome run_sh(const std::string& script);
/// Whether the PATH has a program of that name.
bool has_program(const std::string& name);

}  // namespace countpm::test
