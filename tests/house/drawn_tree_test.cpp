// The tree of folders is what docs/internals/architecture.md draws, and no folder of kernels/ is a crowd.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/house/project.hpp"

namespace countpm::house {
namespace {

const std::set<std::string>& drawn_tops() {
  static const std::set<std::string> tops{"graph", "matching", "kernels", "src", "apps"};
  return tops;
}

bool is_code(const std::string& path) {
  return drawn_tops().contains(top_folder(path)) &&
         ends_with_any(path, {".cpp", ".hpp", ".cu", ".cuh", ".inc"});
}

struct Drawing {
  std::set<std::string> folders;
  std::vector<std::string> mistakes;
};

/// The first block of code in the text whose first line is a folder's: a line for a folder, two spaces deeper
/// than the folder that it is in, "NAME/ + gpu/   phrase": `+` adds a folder below it.
Drawing drawing_in(const std::string& text) {
  Drawing drawing;
  std::vector<std::string> above;  // the folder of every depth, down to the last line's
  bool inside = false;
  bool fenced = false;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("```")) {
      if (inside) break;
      fenced = !fenced;
      continue;
    }
    if (!fenced) continue;
    inside = inside || drawn_tops().contains(line.substr(0, line.find('/')));
    if (!inside) continue;
    const std::size_t indent = line.find_first_not_of(' ');
    const std::size_t gap = line.find("  ", std::min(indent, line.size()));
    if (indent % 2 != 0 || indent / 2 > above.size() || gap == std::string::npos ||
        line.find_first_not_of(' ', gap) == std::string::npos) {
      drawing.mistakes.push_back("not \"FOLDER/  phrase\", or too deep: " + line);
      continue;
    }
    above.resize(indent / 2);
    std::string names = line.substr(indent, gap - indent);
    for (bool first = true; !names.empty(); first = false) {
      const std::size_t plus = names.find(" + ");
      const std::string name = names.substr(0, plus);
      names = plus == std::string::npos ? "" : names.substr(plus + 3);
      if (name.size() < 2 || !name.ends_with('/')) drawing.mistakes.push_back("not a folder: " + line);
      const std::string folder = (above.empty() ? "" : above.back() + "/") + name.substr(0, name.size() - 1);
      if (!drawing.folders.insert(folder).second) drawing.mistakes.push_back("drawn twice: " + folder);
      if (first) above.push_back(folder);
    }
  }
  return drawing;
}

/// How many code files are in a folder, not counting those of folders below it.
std::map<std::string, std::size_t> code_files(const std::vector<std::string>& paths) {
  std::map<std::string, std::size_t> files;
  for (const std::string& path : paths)
    if (is_code(path)) ++files[path.substr(0, path.rfind('/'))];
  return files;
}

constexpr std::size_t most_files = 30;
struct Crowd {
  std::size_t most;
  std::string reason;
};
const std::map<std::string, Crowd>& crowds() {
  static const std::map<std::string, Crowd> table{
      {"kernels/arithmetic", {49, "a small file for each ring, kind of number and bound"}}};
  return table;
}

/// "FOLDER: so many", for what has more files than it may.
std::vector<std::string> too_crowded(const std::map<std::string, std::size_t>& files) {
  std::vector<std::string> found;
  for (const auto& [folder, count] : files) {
    const auto exempt = crowds().find(folder);
    if (top_folder(folder) == "kernels" &&
        count > (exempt == crowds().end() ? most_files : exempt->second.most))
      found.push_back(folder + ": " + std::to_string(count));
  }
  return found;
}

TEST(DrawnTree, IsTheTree) {
  const Drawing drawing = drawing_in(contents("docs/internals/architecture.md"));
  for (const std::string& mistake : drawing.mistakes) ADD_FAILURE() << mistake;
  std::vector<std::string> code;
  for (const std::string& path : project_files())
    if (is_code(path)) code.push_back(path);
  const std::vector<std::string> folders = folders_of(code);
  EXPECT_GT(folders.size(), 40U);
  for (const std::string& folder : folders)
    EXPECT_TRUE(drawing.folders.contains(folder))
        << folder << " is not drawn in docs/internals/architecture.md";
  for (const std::string& folder : drawing.folders)
    EXPECT_TRUE(std::binary_search(folders.begin(), folders.end(), folder))
        << folder << " is drawn in docs/internals/architecture.md, but there is no code in it";
}

TEST(DrawnTree, NoFolderOfKernelsIsACrowd) {
  for (const std::string& folder : too_crowded(code_files(project_files())))
    ADD_FAILURE() << folder << " code files at one level";
}

TEST(DrawnTree, CrowdsAreNeeded) {
  const std::map<std::string, std::size_t> files = code_files(project_files());
  for (const auto& [folder, crowd] : crowds()) {
    EXPECT_FALSE(crowd.reason.empty()) << folder;
    EXPECT_GT(files.contains(folder) ? files.at(folder) : 0, most_files) << folder << " is small enough now";
  }
}

TEST(DrawnTree, IsRead) {
  const Drawing drawing = drawing_in(
      "# A\n```\nsomething/else\n```\n```text\nkernels/     what counts\n  a/ + gpu/  one\n    b/       "
      "two\n  c/         three\n"
      "apps/        last\n```\n```\nsrc/  not this\n```\n");
  EXPECT_TRUE(drawing.mistakes.empty()) << drawing.mistakes.front();
  EXPECT_EQ(drawing.folders, (std::set<std::string>{"kernels", "kernels/a", "kernels/a/gpu", "kernels/a/b",
                                                    "kernels/c", "apps"}));
  for (const char* wrong : {"```\nsrc/\n```", "```\nsrc/  s\n    a/  a\n```", "```\nsrc/  s\n  a  a\n```",
                            "```\nsrc/  s\nsrc/  s\n```"})
    EXPECT_EQ(drawing_in(wrong).mistakes.size(), 1U) << wrong;
}

TEST(DrawnTree, FindsCrowds) {
  std::vector<std::string> paths;
  for (int i = 0; i < 31; ++i)
    for (const char* folder : {"kernels/rook/", "kernels/arithmetic/", "src/draw/"})
      paths.push_back(folder + std::to_string(i) + ".hpp");
  EXPECT_EQ(too_crowded(code_files(paths)), std::vector<std::string>{"kernels/rook: 31"});
  paths.front() = "kernels/rook/gpu/0.hpp";
  EXPECT_TRUE(too_crowded(code_files(paths)).empty());
}

}  // namespace
}  // namespace countpm::house
