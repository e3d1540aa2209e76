#pragma once
// Which programs the tests run: those of this build or, where scripts/test says so, sanitized ones.
#include <cstdlib>
#include <string>

#include "test_paths.hpp"
#include "tests/repeats.hpp"

namespace countpm::test {

/// countpm as it is shipped, or with the emulated GPU.
inline const char* tested_program(bool emulated = false) {
  static const char* const folder = std::getenv("COUNTPM_SANITIZED_PROGRAMS");
  static const std::string shipped = folder == nullptr ? COUNTPM_BINARY : folder + std::string("/countpm");
  static const std::string with_gpu = folder == nullptr ? COUNTPM_EMULATED_BINARY : shipped + "_emulated";
  return (emulated ? with_gpu : shipped).c_str();
}

}  // namespace countpm::test

/// For tests of what sanitizers change: their allocator knows no limits, and they start threads and slow
/// down.
#define COUNTPM_NOT_SANITIZED(why) \
  if (countpm::testing::sanitized) GTEST_SKIP() << "a sanitized program " << (why)
