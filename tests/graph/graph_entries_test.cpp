// Files of several graphs, taken apart.
#include "graph/formats/graph_entries.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "graph/errors.hpp"

namespace countpm::graph_entries_test {
namespace {

struct Found {
  std::vector<std::string> texts;
  std::vector<std::uint64_t> lines;
  std::vector<std::size_t> edges;
  std::vector<std::string> errors;
};

Found all_of(const Source& source, std::optional<Format> format = {}, const ReadOptions& options = {}) {
  Found found;
  GraphEntries entries(source, format);
  while (const std::optional<GraphEntry> entry = entries.next()) {
    found.texts.push_back(entry->text);
    found.lines.push_back(entry->line);
    try {
      found.edges.push_back(read_entry(*entry, options).graph.edges.size());
    } catch (const InputError& error) {
      found.errors.emplace_back(error.what());
    }
  }
  EXPECT_FALSE(entries.next());
  return found;
}

Found all_in(const std::string& text, const std::string& name = "some.g6") {
  return all_of(Source::from_bytes(text, name));
}

using Lines = std::vector<std::uint64_t>;
using Sizes = std::vector<std::size_t>;
using Strings = std::vector<std::string>;

TEST(GraphEntries, ALineEach) {
  const Found found = all_in("C~\nCr\n\n\nDQc\n");
  EXPECT_EQ(found.texts, (Strings{"C~", "Cr", "DQc"}));
  EXPECT_EQ(found.lines, (Lines{1, 2, 5}));
  EXPECT_EQ(found.edges, (Sizes{6, 4, 4}));
  EXPECT_EQ(all_in("C~\r\nCr").edges, (Sizes{6, 4}));
  EXPECT_EQ(all_in(">>graph6<<C~\nCr\n").edges, (Sizes{6, 4}));
  EXPECT_EQ(all_in(">>graph6<<\nC~\nCr\n").lines, (Lines{2, 3}));
  EXPECT_EQ(all_in("C~\nCr\n", "<stdin>").edges, (Sizes{6, 4})) << "by content";
  EXPECT_EQ(all_in("C~\n").lines, Lines{1});
}

TEST(GraphEntries, TheKindsOfLinesMayBeMixed) {
  // sparse6 and digraph6 of one edge, and of an arc.
  EXPECT_EQ(all_in("C~\n:An\n&AG\n", "<stdin>").edges.size(), 3U);
  EXPECT_EQ(all_in("C~\n:An\n", "<stdin>").edges, (Sizes{6, 1}));
  // But not where a format is named.
  const Found strict = all_of(Source::from_bytes("C~\n:An\n", "x"), Format::graph6);
  EXPECT_EQ(strict.edges, Sizes{6});
  ASSERT_EQ(strict.errors.size(), 1U);
  EXPECT_TRUE(strict.errors[0].starts_with("x:2: ")) << strict.errors[0];
}

TEST(GraphEntries, OneBadLineIsOneErrorWithItsLine) {
  const Found found = all_in("C~\nC~~\nCr\n");
  EXPECT_EQ(found.edges, (Sizes{6, 4}));
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_TRUE(found.errors[0].starts_with("some.g6:2: expected ")) << found.errors[0];
}

TEST(GraphEntries, OtherFormatsAreOneGraph) {
  EXPECT_EQ(all_in("a b\nc d\n", "x.edgelist").edges, Sizes{2});
  EXPECT_EQ(all_in("a b\nc d\n", "<stdin>").edges, Sizes{2});
  EXPECT_EQ(all_in("# C~\na b\n", "<stdin>").edges, Sizes{1});
  EXPECT_EQ(all_of(Source::from_argument("lattice:square:2x2")).edges, Sizes{4});
  // What the ending says is not what is in it: the reader refuses it.
  EXPECT_EQ(all_in("graph { a -- b }\n", "x.g6").errors.size(), 1U);
}

TEST(GraphEntries, WithoutAGraph) {
  EXPECT_THROW(all_in("\n\n"), InputError);
  EXPECT_THROW(all_in(">>graph6<<\n"), InputError);
  EXPECT_EQ(all_in("").errors.size(), 1U) << "an empty file is for the reader to refuse";
  EXPECT_THROW(all_of(Source::from_argument("/no/such/file.g6")), InputError);
}

TEST(GraphEntries, TheOneGraphOfAFileHasItsName) {
  const std::string folder = std::filesystem::temp_directory_path().string();
  const std::string file = folder + "/countpm_entries_" + std::to_string(getpid()) + ".g6";
  std::ofstream(file) << "C~\n\n";
  const Source source = Source::from_argument(file);
  EXPECT_TRUE(GraphEntries(source, {}).next()->alone);
  std::ofstream(file) << "C~\nC~\n";
  EXPECT_FALSE(GraphEntries(source, {}).next()->alone);
  std::filesystem::remove(file);
}

// A graph is handed out as soon as its line is there, whatever else the pipe holds back.
TEST(GraphEntries, OfAPipeAsTheyComeIn) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const Source source = Source::from_argument("/dev/fd/" + std::to_string(ends[0]));
  GraphEntries entries(source, {});
  ASSERT_EQ(write(ends[1], "C~\nC", 4), 4);
  EXPECT_EQ(entries.next()->text, "C~");
  ASSERT_EQ(write(ends[1], "r\n", 2), 2);
  EXPECT_EQ(entries.next()->text, "Cr");
  close(ends[1]);
  EXPECT_FALSE(entries.next());
  close(ends[0]);
}

}  // namespace
}  // namespace countpm::graph_entries_test
