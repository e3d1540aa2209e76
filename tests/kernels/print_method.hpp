#pragma once
// Methods as parameters of tests: googletest shows the name, which ctest makes part of the test's, not an
// address.
#include <ostream>

#include "kernels/method.hpp"

namespace countpm {

// NOLINTNEXTLINE(readability-identifier-naming): the name that GoogleTest looks for
inline void PrintTo(const Method* method, std::ostream* out) {
  *out << method->name();
}

}  // namespace countpm
