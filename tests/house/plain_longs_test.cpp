// A `long` has 64 bits on the machines that we build on and 32 in WebAssembly (scripts/build-wasm), where
// what is put into one is cut without a word: numbers have std::int64_t or std::uint64_t.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <regex>

#include "tests/house/project.hpp"
#include "tests/house/source_text.hpp"

namespace countpm::house::plain_longs_test {
namespace {

/// The lines of code with a `long`, a literal of one, or a function that returns one.
std::vector<std::string> plain_longs(const std::string& text) {
  static const std::regex plain(
      R"re(\blong\b(?! (long|double))|\b[0-9][0-9a-fA-FxX']*[uU]?[lL]\b|\bstd::(stoul|stol|lround|lrint|labs)\()re");
  static const std::regex twice(R"re(\blong long\b)re");
  // What the system takes and gives.
  static const std::regex of_the_system(R"re(\b(strtol|strtoul|sysconf)\()re");
  std::vector<std::string> found;
  for (const std::string& line : lines_of(code_of(text))) {
    const std::string rest = std::regex_replace(line, twice, "");
    if (std::regex_search(rest, plain) && !std::regex_search(rest, of_the_system)) found.push_back(line);
  }
  return found;
}

TEST(PlainLongs, AreFoundInCode) {
  for (const char* line : {"unsigned long x = 0;", "static_cast<long>(y)", "long int z;",
                           "auto k = 1UL << n;", "std::lround(x)", "f(2L);"})
    EXPECT_EQ(plain_longs(line).size(), 1U) << line;
  for (const char* line :
       {"long long x; unsigned long long y;", "long double z;", "// a long way", "f(\"long\")",
        "const long n = sysconf(_SC_PAGESIZE);", "1ULL << n", "std::llround(x)", "belong(0xfL1)"})
    EXPECT_TRUE(plain_longs(line).empty()) << line;
}

TEST(PlainLongs, AreNowhere) {
  for (const std::string& path : project_files()) {
    const std::string top = top_folder(path);
    if (top != "graph" && top != "matching" && top != "kernels" && top != "src" && top != "apps") continue;
    if (!ends_with_any(path, {".cpp", ".hpp", ".inc", ".cu", ".cuh"})) continue;
    for (const std::string& line : plain_longs(contents(path)))
      ADD_FAILURE() << path << ": std::int64_t or std::uint64_t in place of a long: " << line;
  }
}

}  // namespace
}  // namespace countpm::house::plain_longs_test
