// Includes go one way, graph <- matching <- kernels <- src <- apps, and the library neither prints nor exits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <regex>

#include "tests/house/project.hpp"
#include "tests/house/source_text.hpp"

namespace countpm::house {
namespace {

const std::vector<std::string> code_endings{".cpp", ".hpp", ".cu", ".cuh", ".inc"};

// A file may include its own folder and folders of a smaller number.
std::optional<int> layer_of(const std::string& folder) {
  static const std::map<std::string, int> layers{{"graph", 0}, {"matching", 1}, {"kernels", 2},
                                                 {"src", 3},   {"apps", 4},     {"python", 4}};
  const auto found = layers.find(folder);
  return found == layers.end() ? std::nullopt : std::optional<int>(found->second);
}
bool is_library(const std::string& folder) {
  const std::optional<int> layer = layer_of(folder);
  return layer && *layer <= 3;
}

// "FILE:LINE: what is wrong" for every include of a layer's file that runs back up or leads nowhere.
std::vector<std::string> wrong_includes(const std::string& path, const std::string& text) {
  std::vector<std::string> wrong;
  const std::string own_folder = top_folder(path);
  const std::optional<int> own = layer_of(own_folder);
  if (!own) return wrong;
  for (const Include& include : includes_of(text)) {
    const std::string folder = top_folder(include.path);
    const std::optional<int> other = layer_of(folder);
    if (include.quoted && !other) {
      wrong.push_back(fmt::format("{}:{}: \"{}\" is in no known layer", path, include.line, include.path));
    } else if (other && folder != own_folder && *other >= *own) {
      wrong.push_back(fmt::format("{}:{}: {} must not include {} ({})", path, include.line, own_folder,
                                  folder, include.path));
    }
  }
  return wrong;
}

// "FILE:LINE: CALL" for everything in a library file that speaks to people or ends the process.
std::vector<std::string> wrong_calls(const std::string& path, const std::string& text) {
  static const std::regex forbidden(
      R"re(\bstd::(cout|cerr|clog|cin)\b|\b(printf|vprintf|fprintf|puts|fputs|putchar|putc|fputc|perror)\s*\(|\bfmt::print\b)re"
      R"re(|\b(exit|_Exit|_exit|quick_exit|abort|terminate)\s*\(|\bassert\s*\()re");
  std::vector<std::string> wrong;
  if (!is_library(top_folder(path))) return wrong;
  int number = 0;
  for (const std::string& line : lines_of(code_of(text))) {
    ++number;
    std::smatch match;
    if (std::regex_search(line, match, forbidden)) {
      wrong.push_back(path + ":" + std::to_string(number) + ": " + match.str());
    }
  }
  return wrong;
}

std::string listed(const std::vector<std::string>& findings) {
  std::string text;
  for (const std::string& finding : findings) text += "  " + finding + "\n";
  return text;
}

template <class Check>
std::vector<std::string> over_all_files(Check check) {
  std::vector<std::string> wrong;
  for (const std::string& path : project_files()) {
    if (!ends_with_any(path, code_endings)) continue;
    const std::vector<std::string> found = check(path, contents(path));
    wrong.insert(wrong.end(), found.begin(), found.end());
  }
  return wrong;
}

TEST(IncludeDirection, NoIncludeRunsBackUp) {
  const std::vector<std::string> wrong = over_all_files(wrong_includes);
  EXPECT_TRUE(wrong.empty()) << listed(wrong);
}

TEST(IncludeDirection, LibraryNeitherPrintsNorExits) {
  const std::vector<std::string> wrong = over_all_files(wrong_calls);
  EXPECT_TRUE(wrong.empty()) << listed(wrong);
}

TEST(IncludeDirection, EveryFolderOfSourcesIsKnown) {
  for (const std::string& path : project_files()) {
    if (!ends_with_any(path, code_endings)) continue;
    const std::string folder = top_folder(path);
    EXPECT_TRUE(layer_of(folder) || folder == "tests" || folder == "bench")
        << path << " lies in no known layer";
  }
}

TEST(IncludeDirection, SeesTheLayersThatExist) {
  std::map<std::string, int> files;
  for (const std::string& path : project_files())
    files[top_folder(path)] += ends_with_any(path, code_endings) ? 1 : 0;
  for (const char* folder : {"graph", "matching", "kernels", "src", "apps", "tests"})
    EXPECT_GT(files[folder], 0) << folder;
}

// The checks find what they are for.
TEST(IncludeDirection, FindsIncludesThatRunBackUp) {
  EXPECT_EQ(
      wrong_includes("graph/bad.cpp", "#include \"graph/graph.hpp\"\n# include \"matching/block.hpp\"\n"),
      std::vector<std::string>{"graph/bad.cpp:2: graph must not include matching (matching/block.hpp)"});
  EXPECT_EQ(wrong_includes("kernels/rook/bad.cpp", "#include <src/api/entries.hpp>\n").size(), 1U);
  EXPECT_EQ(wrong_includes("src/bad.cpp", "#include \"apps/options.hpp\"\n").size(), 1U);
  EXPECT_EQ(wrong_includes("src/bad.cpp", "#include \"tests/house/project.hpp\"\n").size(), 1U);
  EXPECT_EQ(wrong_includes("src/bad.cpp", "#include \"no_folder.hpp\"\n").size(), 1U);
  EXPECT_EQ(wrong_includes("graph/bad.cpp", "/* a\n */ #include \"apps/main.hpp\"\n").size(), 1U);
}

TEST(IncludeDirection, LetsGoodIncludesPass) {
  const std::string text =
      "#include \"kernels/method.hpp\"\n#include \"graph/graph.hpp\"\n#include <vector>\n"
      "#include <boost/graph/adjacency_list.hpp>\n// #include \"src/api/entries.hpp\"\n/*\n#include "
      "\"apps/main.hpp\"\n*/\n";
  EXPECT_TRUE(wrong_includes("kernels/good.cpp", text).empty())
      << listed(wrong_includes("kernels/good.cpp", text));
  EXPECT_TRUE(wrong_includes("tests/house/good.cpp", "#include \"apps/main.hpp\"\n").empty());
}

TEST(IncludeDirection, FindsPrintingAndExits) {
  for (const char* call :
       {"std::cout << 1;", "printf(\"x\");", "std::printf(\"x\");", "fmt::print(\"x\");", "std::exit(1);",
        "std::abort();", "std::fputs(text, file);", "assert (n > 0);", "const int a = 1'000; abort();"}) {
    EXPECT_EQ(wrong_calls("src/bad.cpp", std::string("int one;\n") + call).size(), 1U) << call;
    EXPECT_TRUE(wrong_calls("apps/good.cpp", call).empty()) << call;
  }
  EXPECT_EQ(wrong_calls("graph/bad.cpp", "// fine\nstd::cerr << 1;"),
            std::vector<std::string>{"graph/bad.cpp:2: std::cerr"});
}

TEST(IncludeDirection, LetsTextAndLookAlikesPass) {
  for (const char* text : {"// printf(1)", "/* exit(1) */", "f(\"std::cout exit(1) \\\" abort()\");",
                           "snprintf(buffer, 3, format);", "on_exit(1);", "f(R\"x(abort() \" )x\");",
                           "char quote = '\"'; int exit_code = 1;", "static_assert(true);"}) {
    EXPECT_TRUE(wrong_calls("src/good.cpp", text).empty()) << text << "\n"
                                                           << listed(wrong_calls("src/good.cpp", text));
  }
}

}  // namespace
}  // namespace countpm::house
