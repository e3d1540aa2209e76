// Rooms are what a reader takes as one thing: a folder of graph/ or src/, a method of kernels/ with what lies
// below it, a folder that several methods share, a file directly in graph/ or kernels/. They include one
// another without a circle, and no method's room needs another's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "tests/house/project.hpp"
#include "tests/house/source_text.hpp"

namespace countpm::house {
namespace {

const std::set<std::string>& methods() {
  static const std::set<std::string> table{"kernels/planar",
                                           "kernels/frontier",
                                           "kernels/pruned",
                                           "kernels/grouped",
                                           "kernels/hafnian",
                                           "kernels/ryser",
                                           "kernels/rook",
                                           "kernels/low_rank",
                                           "kernels/factors",
                                           "kernels/expansion",
                                           "kernels/oracle",
                                           "kernels/published/enumerate",
                                           "kernels/published/sparse",
                                           "kernels/published/codegen",
                                           "kernels/estimate"};
  return table;
}
const std::set<std::string>& shared_rooms() {
  static const std::set<std::string> table{"kernels/arithmetic", "kernels/doubles", "kernels/gpu",
                                           "kernels/orders",     "kernels/passes",  "kernels/subsets",
                                           "kernels/proof",      "kernels/support"};
  return table;
}
// The only file outside the methods that knows them: the list of all.
const std::string table_of_methods = "kernels/methods.cpp";

struct SourceFile {
  std::string path;
  std::string text;
};

/// The room of a file of graph/, src/ or kernels/; empty for any other.
std::string room_of(const std::string& path) {
  const std::string top = top_folder(path);
  if (top != "graph" && top != "src" && top != "kernels") return {};
  std::size_t slash = path.find('/', top.size() + 1);
  if (slash == std::string::npos) return path;
  if (path.starts_with("kernels/published/")) slash = path.find('/', slash + 1);
  return path.substr(0, slash);
}

/// From a room to another: the includes that need it, "FILE:LINE: INCLUDED" each.
using Needs = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

Needs needs_of(const std::vector<SourceFile>& files) {
  Needs needs;
  for (const SourceFile& file : files) {
    const std::string own = room_of(file.path);
    if (own.empty()) continue;
    for (const Include& include : includes_of(file.text)) {
      const std::string other = room_of(include.path);
      if (other.empty() || other == own || top_folder(other) != top_folder(own)) continue;
      needs[own][other].push_back(fmt::format("{}:{}: {}", file.path, include.line, include.path));
    }
  }
  return needs;
}

std::string listed(const std::string& head, const std::vector<std::string>& includes) {
  std::string text = head;
  for (const std::string& include : includes) text += "\n    " + include;
  return text;
}

/// The shortest way from a room back to itself, the room at both ends; empty where there is none.
std::vector<std::string> way_back(const Needs& needs, const std::string& room) {
  std::map<std::string, std::string> from;
  std::deque<std::string> next{room};
  for (; !next.empty(); next.pop_front()) {
    const auto found = needs.find(next.front());
    if (found == needs.end()) continue;
    for (const auto& [other, includes] : found->second) {
      if (!from.emplace(other, next.front()).second) continue;
      if (other != room) {
        next.push_back(other);
        continue;
      }
      std::vector<std::string> way{room};
      do way.push_back(from.at(way.back()));
      while (way.back() != room);
      std::reverse(way.begin(), way.end());
      return way;
    }
  }
  return {};
}

/// A circle for every room that is in one, but no room twice: "A -> B -> A", and below it the includes that
/// make it.
std::vector<std::string> circles(const Needs& needs) {
  std::vector<std::string> result;
  std::set<std::string> seen;
  for (const auto& [room, others] : needs) {
    if (seen.contains(room)) continue;
    const std::vector<std::string> way = way_back(needs, room);
    if (way.empty()) continue;
    seen.insert(way.begin(), way.end());
    std::vector<std::string> includes;
    for (std::size_t i = 1; i < way.size(); ++i) {
      const std::vector<std::string>& step = needs.at(way[i - 1]).at(way[i]);
      includes.insert(includes.end(), step.begin(), step.end());
    }
    result.push_back(listed(fmt::format("{}", fmt::join(way, " -> ")), includes));
  }
  return result;
}

/// "ROOM -> ROOM", and the includes, wherever a method is needed by what must not know it.
std::map<std::string, std::vector<std::string>> methods_that_are_needed(const Needs& needs) {
  std::map<std::string, std::vector<std::string>> wrong;
  for (const auto& [room, others] : needs) {
    if (room == table_of_methods) continue;
    for (const auto& [other, includes] : others)
      if (methods().contains(other)) wrong[fmt::format("{} -> {}", room, other)] = includes;
  }
  return wrong;
}

std::vector<SourceFile> sources() {
  std::vector<SourceFile> files;
  for (const std::string& path : project_files())
    if (!room_of(path).empty() && ends_with_any(path, {".cpp", ".hpp", ".cu", ".cuh", ".inc"}))
      files.push_back({path, contents(path)});
  return files;
}

TEST(Rooms, NeedOneAnotherWithoutACircle) {
  const std::vector<std::string> found = circles(needs_of(sources()));
  EXPECT_TRUE(found.empty()) << fmt::format("{}", fmt::join(found, "\n"));
}

TEST(Rooms, NoMethodIsNeededByWhatMustNotKnowIt) {
  for (const auto& [arrow, includes] : methods_that_are_needed(needs_of(sources())))
    ADD_FAILURE() << listed(arrow, includes);
}

TEST(Rooms, EachFolderOfKernelsIsAMethodOrShared) {
  std::set<std::string> folders;
  for (const SourceFile& file : sources()) {
    const std::string room = room_of(file.path);
    if (top_folder(room) == "kernels" && room != file.path) folders.insert(room);
  }
  std::set<std::string> known = methods();
  known.insert(shared_rooms().begin(), shared_rooms().end());
  EXPECT_EQ(folders, known);
}

TEST(Rooms, AreKnownByTheirPaths) {
  EXPECT_EQ(room_of("src/plan/plan.cpp"), "src/plan");
  EXPECT_EQ(room_of("kernels/method.hpp"), "kernels/method.hpp");
  EXPECT_EQ(room_of("kernels/planar/condensation/gpu/job.hpp"), "kernels/planar");
  EXPECT_EQ(room_of("kernels/published/sparse/gpu/job.hpp"), "kernels/published/sparse");
  EXPECT_EQ(room_of("graph/graph.hpp"), "graph/graph.hpp");
  EXPECT_EQ(room_of("graph/formats/reader.hpp"), "graph/formats");
  EXPECT_EQ(room_of("matching/reduce.hpp"), "");
}

// The checks find what they are for.
TEST(Rooms, FindsCircles) {
  const std::vector<SourceFile> files{
      {"src/a/one.hpp", "#include \"src/b/two.hpp\"\n#include \"src/a/one.hpp\"\n"},
      {"src/b/two.cpp", "// its own\n#include \"src/b/two.hpp\"\n#include \"src/c/three.hpp\"\n"},
      {"src/c/three.hpp", "#include \"src/a/one.hpp\"\n#include \"src/d/four.hpp\"\n"},
      {"src/d/four.hpp", "#include \"graph/graph.hpp\"\n"}};
  EXPECT_EQ(
      circles(needs_of(files)),
      std::vector<std::string>{"src/a -> src/b -> src/c -> src/a\n    src/a/one.hpp:1: src/b/two.hpp\n"
                               "    src/b/two.cpp:3: src/c/three.hpp\n    src/c/three.hpp:1: src/a/one.hpp"});
  // A circle that does not go through where the search begins, and files that are rooms.
  const std::vector<SourceFile> kernels{{"kernels/arithmetic/a.hpp", "#include \"kernels/method.hpp\"\n"},
                                        {"kernels/method.hpp", "#include \"kernels/support/s.hpp\"\n"},
                                        {"kernels/support/s.hpp", "#include \"kernels/method.hpp\"\n"}};
  ASSERT_EQ(circles(needs_of(kernels)).size(), 1U);
  EXPECT_EQ(circles(needs_of(kernels))
                .front()
                .find("kernels/method.hpp -> kernels/support -> kernels/method.hpp\n"),
            0U);
}

TEST(Rooms, LetsLayersPass) {
  EXPECT_TRUE(
      circles(needs_of({{"src/a/one.hpp", "#include \"src/b/two.hpp\"\n#include \"src/c/three.hpp\"\n"},
                        {"src/b/two.hpp", "#include \"src/c/three.hpp\"\n// #include \"src/a/one.hpp\"\n"},
                        {"kernels/planar/log/a.hpp", "#include \"kernels/planar/gpu/b.hpp\"\n"},
                        {"kernels/planar/gpu/b.hpp", "#include \"kernels/planar/log/a.hpp\"\n"}}))
          .empty());
}

TEST(Rooms, FindsMethodsThatAreNeeded) {
  const auto wrong = [](const std::string& path, const std::string& included) {
    return methods_that_are_needed(needs_of({{path, fmt::format("#include \"{}\"\n", included)}}));
  };
  const std::map<std::string, std::vector<std::string>> expected{
      {"kernels/planar -> kernels/frontier", {"kernels/planar/a.hpp:1: kernels/frontier/tables/key.hpp"}}};
  EXPECT_EQ(wrong("kernels/planar/a.hpp", "kernels/frontier/tables/key.hpp"), expected);
  EXPECT_EQ(wrong("kernels/support/a.hpp", "kernels/rook/rook.hpp").size(), 1U);
  EXPECT_EQ(wrong("kernels/method.hpp", "kernels/oracle/definition.hpp").size(), 1U);
  EXPECT_EQ(wrong("kernels/published/sparse/a.hpp", "kernels/published/codegen/b.hpp").size(), 1U);
  EXPECT_TRUE(wrong("kernels/methods.cpp", "kernels/rook/rook.hpp").empty());
  EXPECT_TRUE(wrong("kernels/planar/a.hpp", "kernels/planar/log/cholesky.hpp").empty());
  EXPECT_TRUE(wrong("kernels/planar/a.hpp", "kernels/support/for_parts.hpp").empty());
}

}  // namespace
}  // namespace countpm::house
