#include "python/src/command.hpp"

#include <string>
#include <vector>

// apps/main.cpp, compiled under this name.
int countpm_program(int argc, char** argv);

namespace countpm::python {

namespace nb = nanobind;

namespace {

/// Bytes, since file names may be any.
int main_of(const nb::list& given) {
  std::vector<std::string> arguments;
  for (const nb::handle argument : given) {
    const nb::bytes bytes = nb::cast<nb::bytes>(argument);
    arguments.emplace_back(bytes.c_str(), bytes.size());
  }
  std::vector<char*> words;
  words.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  const nb::gil_scoped_release released;
  return countpm_program(static_cast<int>(arguments.size()), words.data());
}

}  // namespace

void bind_command(nb::module_& module) {
  module.def("main", main_of, nb::arg("arguments"), nb::sig("def main(arguments: list[bytes]) -> int"),
             "The command, with its name as the first argument; returns its exit code. It takes over the "
             "process' signals and may set its memory limit: for a process that does nothing else.");
}

}  // namespace countpm::python
