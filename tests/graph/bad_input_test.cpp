// Every file of tests/bad is refused with the line and the words that tests/bad/MANIFEST.tsv promises; what
// cannot lie in a repository (a 2 GB line, a directory, a file without permission) is made here.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "graph/formats/formats.hpp"
#include "test_paths.hpp"
#include "tests/cpu_seconds.hpp"
#include "tests/file_text.hpp"
#include "tests/graph/read_support.hpp"
#include "tests/graph/temporary_folder.hpp"

namespace countpm {
namespace {

using testing::TemporaryFolder;

const std::filesystem::path bad_folder = COUNTPM_SOURCE_DIR "/tests/bad";

struct BadCase {
  std::string file;
  std::string options;
  std::uint64_t line = 0;
  std::string expected;
  std::string found;
};

std::vector<BadCase> bad_cases() {
  std::ifstream manifest(bad_folder / "MANIFEST.tsv");
  std::vector<BadCase> result;
  std::string text;
  std::getline(manifest, text);
  while (std::getline(manifest, text)) {
    std::istringstream fields(text);
    BadCase bad;
    std::string line;
    std::getline(fields, bad.file, '\t');
    std::getline(fields, bad.options, '\t');
    std::getline(fields, line, '\t');
    std::getline(fields, bad.expected, '\t');
    std::getline(fields, bad.found, '\t');
    bad.line = std::stoull(line);
    result.push_back(bad);
  }
  return result;
}

ReadOptions options_of(const std::string& text) {
  ReadOptions options;
  std::istringstream words(text);
  std::string word;
  while (words >> word) {
    std::string value;
    if (word == "--weights") {
      options.weights = true;
      continue;
    }
    words >> value;
    if (word == "--kind") {
      options.kind = value == "directed"    ? GraphKind::directed
                     : value == "bipartite" ? GraphKind::bipartite
                                            : GraphKind::undirected;
    } else if (word == "--format") {
      options.format = format_named(value);
    } else {
      ADD_FAILURE() << "MANIFEST.tsv has the unknown option " << word;
    }
  }
  return options;
}

TEST(BadInput, EveryFileIsRefusedAsPromised) {
  for (const BadCase& bad : bad_cases()) {
    SCOPED_TRACE(bad.file + " " + bad.options);
    const std::string path = bad_folder / bad.file;
    try {
      read_graph(Source::from_argument(path), options_of(bad.options));
      ADD_FAILURE() << "was read";
    } catch (const InputError& error) {
      EXPECT_EQ(error.file(), path);
      EXPECT_EQ(error.line(), bad.line) << error.what();
      EXPECT_NE(error.expected().find(bad.expected), std::string::npos) << error.what();
      EXPECT_NE(error.found().find(bad.found), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

TEST(BadInput, ManifestListsEveryFile) {
  std::set<std::string> listed;
  for (const BadCase& bad : bad_cases()) listed.insert(bad.file);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(bad_folder)) {
    const std::string name = entry.path().filename();
    if (name == "MANIFEST.tsv" || name == "README.md" || entry.is_directory()) continue;
    EXPECT_TRUE(listed.contains(name)) << name;
    ++files;
  }
  EXPECT_EQ(files, listed.size());
  EXPECT_GE(files, 60U);
}

TEST(BadInput, EveryFormatHasBadFilesAndAFuzzTarget) {
  std::set<Format> bad_formats;
  for (const BadCase& bad : bad_cases()) {
    const std::optional<Format> forced = options_of(bad.options).format;
    if (const std::optional<Format> format = forced ? forced : format_by_ending(bad.file))
      bad_formats.insert(*format);
  }
  // The names of the enumerators, which the targets use.
  const std::filesystem::path source = COUNTPM_SOURCE_DIR;
  std::string names = testing::file_text(source / "graph/read_options.hpp");
  names = names.substr(names.find("enum class Format {") + 19);
  std::istringstream words(names.substr(0, names.find('}')));
  std::string targets;
  for (const auto& entry : std::filesystem::directory_iterator(source / "tests/fuzz"))
    if (entry.path().extension() == ".cpp") targets += testing::file_text(entry.path());
  int value = 0;
  for (std::string name; words >> name; ++value) {
    if (name.ends_with(',')) name.pop_back();
    EXPECT_TRUE(bad_formats.contains(static_cast<Format>(value))) << "nothing in tests/bad is a bad " << name;
    const std::size_t at = targets.find("Format::" + name);
    const bool whole =
        at != std::string::npos && !std::isalnum(static_cast<unsigned char>(targets[at + 8 + name.size()]));
    EXPECT_TRUE(whole) << "nothing in tests/fuzz reads " << name;
  }
  EXPECT_EQ(static_cast<std::size_t>(value), formats().size());
}

InputError error_of(const std::string& argument, const ReadOptions& options = {}) {
  try {
    read_graph(Source::from_argument(argument), options);
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << argument << " was read";
  return InputError("", 0, "", "");
}

TEST(BadInput, MissingFileDirectoryAndDevice) {
  const TemporaryFolder folder;
  EXPECT_NE(error_of(folder.path("missing.edgelist")).found().find("No such file"), std::string::npos);
  EXPECT_EQ(error_of(folder.path("")).found(), "Is a directory");
  EXPECT_EQ(error_of("/dev/null").found(), "an empty file");
  EXPECT_EQ(error_of("").line(), 0U);
  EXPECT_EQ(error_of(std::string("a\0b", 3)).found(), "a name with a NUL byte");
}

TEST(BadInput, NoPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  const TemporaryFolder folder;
  const std::string path = folder.write("secret.edgelist", "a b\n");
  chmod(path.c_str(), 0);
  EXPECT_NE(error_of(path).found().find("ermission"), std::string::npos);
}

TEST(BadInput, TwoGigabyteLineInAFileIsRefusedQuickly) {
  const TemporaryFolder folder;
  const std::string path = folder.write("huge.edgelist", "a b\n" + std::string(2 << 20, 'x'));
  // A sparse file: 2 GB of length, 2 MiB of disk.
  std::filesystem::resize_file(path, std::uint64_t{1} << 31U);
  const double start = testing::cpu_seconds();
  const InputError error = error_of(path);
  EXPECT_EQ(error.line(), 2U);
  EXPECT_EQ(error.expected(), "a line of at most 1 MiB");
  EXPECT_LT(testing::cpu_seconds() - start, 20);
}

TEST(BadInput, EndlessLineFromAPipeIsGivenUp) {
  const TemporaryFolder folder;
  const std::string path = folder.path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::size_t written = 0;
  std::thread writer([&] {
    const int pipe = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const std::string block(1 << 16, 'x');
    signal(SIGPIPE, SIG_IGN);
    // Up to 2 GB, if the reader lets us.
    while (written < (std::size_t{1} << 31U)) {
      const ssize_t got = write(pipe, block.data(), block.size());
      if (got <= 0) break;
      written += static_cast<std::size_t>(got);
    }
    close(pipe);
  });
  const InputError error = error_of(path);
  writer.join();
  EXPECT_EQ(error.line(), 1U);
  EXPECT_EQ(error.expected(), "a line of at most 1 MiB");
  EXPECT_LT(written, std::size_t{16} << 20U);
}

// A header may promise any number of rows; nothing is allocated for them before the matrix is built.
TEST(BadInput, HugeDimensionsAreUnableAndNotACrash) {
  ReadResult result =
      testing::read_text("%%MatrixMarket matrix coordinate pattern general\n4294967294 4294967294 1\n1 1\n");
  EXPECT_EQ(result.graph.edges.size(), 1U);
  EXPECT_THROW(to_instance(std::move(result.graph)), UnableError);
}

}  // namespace
}  // namespace countpm
