// One definition: no two files define types of the same name in the same namespace. In two units of the
// program that is no error of a compiler's, but the linker keeps one destructor, or one std::vector of them,
// for both.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "tests/house/project.hpp"
#include "tests/house/source_text.hpp"

namespace countpm::house {
namespace {

using Definitions = std::map<std::string, std::set<std::string>>;

// Adds what the file defines outside of classes and of namespaces without a name, "namespace::Name". Such
// lines begin in the first column.
void add_definitions(const std::string& path, const std::string& text, Definitions& all) {
  static const std::regex opens(R"re(^(inline )?namespace ?([A-Za-z_0-9:]*) ?\{.*)re");
  static const std::regex defines(
      R"re(^(template <.*> ?)?(class|struct|union|enum|enum class) (alignas\([^)]*\) )?(\[\[[a-z_]+\]\] )?([A-Za-z_0-9]+)( final)?( :(?!:).*)?( ?\{.*)?$)re");
  const std::vector<std::string> code = lines_of(code_of(text));
  const std::vector<std::string> whole = lines_of(text);
  std::vector<std::string> open;
  for (std::size_t k = 0; k < code.size(); ++k) {
    std::smatch match;
    if (std::regex_match(code[k], match, opens)) {
      open.push_back(match[2].str());
    } else if (whole[k].starts_with("}  // namespace")) {  // as clang-format and clang-tidy want it
      if (!open.empty()) open.pop_back();
    } else if (std::regex_match(code[k], match, defines) &&
               (code[k].find('{') != std::string::npos || !code[k].ends_with(';'))) {
      std::string name;
      bool hidden = false;
      for (const std::string& one : open) {
        hidden = hidden || one.empty();
        name += one + "::";
      }
      if (!hidden) all[name + match[5].str()].insert(path);
    }
  }
}

TEST(OneDefinition, IsKnownWhereItIsSeen) {
  Definitions all;
  add_definitions(
      "a.hpp", "namespace countpm {\nstruct Part {\n  int a;\n};\nvoid f() {\n}\n}  // namespace countpm\n",
      all);
  add_definitions(
      "b.hpp",
      "namespace countpm {\nnamespace {\nclass Part {\n};\n}  // namespace\nvoid f(int a,\n       int b) "
      "{\n}\n"
      "template <class T>\nclass Part final : public Whole<T> {\n};\nclass Other;\n}  // namespace countpm\n",
      all);
  add_definitions("c.cpp",
                  "namespace countpm {\nnamespace planar {\nenum class Part { one };\n}  // namespace "
                  "planar\nstruct Part::Inner {\n};\n}  // namespace countpm\n",
                  all);
  const Definitions expected{{"countpm::Part", {"a.hpp", "b.hpp"}}, {"countpm::planar::Part", {"c.cpp"}}};
  EXPECT_EQ(all, expected);
}

TEST(OneDefinition, OfEachNameInEachNamespace) {
  Definitions all;
  for (const std::string& path : project_files()) {
    static const std::set<std::string> layers{"graph", "matching", "kernels", "src", "apps", "python"};
    if (layers.contains(top_folder(path)) && ends_with_any(path, {".cpp", ".hpp", ".cu", ".cuh"}))
      add_definitions(path, contents(path), all);
  }
  EXPECT_GT(all.size(), 1000U);
  std::string twice;
  for (const auto& [name, files] : all) {
    if (files.size() > 1) twice += fmt::format("  {}: {}\n", name, fmt::join(files, ", "));
  }
  EXPECT_EQ(twice, "");
}

}  // namespace
}  // namespace countpm::house
