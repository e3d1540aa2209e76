#pragma once
// Methods as parameters of tests: googletest shows the name, which ctest makes part of the test's, not an
// address.
#include <ostream>

#include "kernels/method.hpp"

namespace countpm {

inline void PrintTo(const Method* method,
                    std::ostream* out) {  // NOLINT(readability-identifier-naming): GoogleTest looks for it
  *out << method->name();
}

}  // namespace countpm
