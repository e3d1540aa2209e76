// The planner knows no method by its name: src/ has none as a string, and nobody in the library compares with
// one. Methods say what they are by their traits (kernels/method.hpp).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "tests/house/project.hpp"
#include "tests/house/source_text.hpp"

namespace countpm::house::method_names_test {
namespace {

const std::vector<std::string> code_endings{".cpp", ".hpp", ".cu", ".cuh", ".inc"};

/// What the Method objects of kernels/ answer to name().
std::set<std::string> names_in(const std::string& text) {
  static const std::regex declared(
      R"re(string_view\s+name\(\)\s*const\s*override\s*\{\s*return\s*"([^"]+)";\s*\})re");
  std::set<std::string> names;
  for (std::sregex_iterator match(text.begin(), text.end(), declared), end; match != end; ++match)
    names.insert((*match)[1].str());
  return names;
}

std::set<std::string> method_names() {
  std::set<std::string> names;
  for (const std::string& path : project_files()) {
    if (top_folder(path) == "kernels" && ends_with_any(path, {".cpp"})) names.merge(names_in(contents(path)));
  }
  return names;
}

/// "FILE:LINE: NAME" for every method's name that a library file has as a string: in src/ any, elsewhere one
/// that is compared or looked up.
std::vector<std::string> names_used(const std::string& path, const std::string& text,
                                    const std::set<std::string>& names) {
  static const std::regex any(R"re("([a-z-]+)")re");
  static const std::regex compared(R"re((?:[!=]=\s*|method_named\()"([a-z-]+)")re");
  const std::string folder = top_folder(path);
  std::vector<std::string> found;
  if (folder != "src" && folder != "kernels" && folder != "apps") return found;
  if (path.starts_with("src/proof")) return found;  // a key of the format of proofs is called like a method
  const std::regex& wanted = folder == "src" ? any : compared;
  const std::vector<std::string> lines = lines_of(text);
  const std::vector<std::string> code = lines_of(code_of(text));  // literals emptied, comments gone
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (k >= code.size() || code[k].find("\"\"") == std::string::npos) continue;
    for (std::sregex_iterator match(lines[k].begin(), lines[k].end(), wanted), end; match != end; ++match) {
      if (names.contains((*match)[1].str()))
        found.push_back(fmt::format("{}:{}: {}", path, k + 1, (*match)[1].str()));
    }
  }
  return found;
}

TEST(MethodNames, NoneIsAStringInTheLibrary) {
  const std::set<std::string> names = method_names();
  for (const std::string& path : project_files()) {
    if (!ends_with_any(path, code_endings)) continue;
    for (const std::string& use : names_used(path, contents(path), names)) ADD_FAILURE() << use;
  }
}

TEST(MethodNames, SeesTheMethods) {
  const std::set<std::string> names = method_names();
  EXPECT_GE(names.size(), 13U);
  for (const char* name : {"definition", "ryser", "frontier", "planar", "forbert-marx"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(MethodNames, FindsThem) {
  const std::set<std::string> names{"ryser", "forbert-marx"};
  const auto count = [&](const std::string& path, const std::string& text) {
    return names_used(path, text, names).size();
  };
  EXPECT_EQ(names_used("src/plan/a.cpp", "int a;\nif (name == \"ryser\") b();\n", names),
            std::vector<std::string>{"src/plan/a.cpp:2: ryser"});
  EXPECT_EQ(count("src/a.cpp", "return planar ? \"forbert-marx\" : \"ryser\";"), 2U);
  EXPECT_EQ(count("kernels/a.cpp", "if (method.name() != \"ryser\") return;"), 1U);
  EXPECT_EQ(count("apps/a.cpp", "f(method_named(\"ryser\"));"), 1U);
  EXPECT_EQ(count("kernels/a.cpp", "std::string_view name() const override { return \"ryser\"; }"), 0U);
  EXPECT_EQ(count("src/a.cpp", "// as \"ryser\" does\nf(\"ryser counts\");"), 0U);
  EXPECT_EQ(count("tests/a.cpp", "method_named(\"ryser\")"), 0U);
}

}  // namespace
}  // namespace countpm::house::method_names_test
