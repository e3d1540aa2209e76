#pragma once
// A header as text, for compile_kernel() (runtime_compiler.hpp).
#include <string>

namespace countpm {

struct KernelHeader {
  std::string name;  // as it is included
  std::string text;
};

}  // namespace countpm
