// Every file of tests/regress and every fuzzing seed, read in every format: a graph that keeps its promises,
// or a refusal.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "graph/errors.hpp"
#include "graph/lattices/lattice.hpp"
#include "test_paths.hpp"
#include "tests/file_text.hpp"
#include "tests/fuzz/check_reading.hpp"

namespace countpm {
namespace {

namespace fs = std::filesystem;

void check_every_format(const std::string& bytes) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  for (const FormatInfo& info : formats())
    EXPECT_NO_THROW(fuzz::check_reading(info.format, data, bytes.size(), "file")) << info.name;
  EXPECT_NO_THROW(fuzz::check_reading(std::nullopt, data, bytes.size(), "file")) << "by content";
  try {
    if (lattice_sites(bytes) < 20000) fuzz::check_graph(lattice_graph(bytes));
  } catch (const UsageError&) {  // no lattice spec
  }
}

TEST(Regress, EveryFileInEveryFormat) {
  std::size_t files = 0;
  for (const std::string folder : {"tests/regress", "tests/fuzz/corpus"}) {
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(COUNTPM_SOURCE_DIR) / folder)) {
      if (!entry.is_regular_file()) continue;
      SCOPED_TRACE(entry.path());
      check_every_format(testing::file_text(entry.path()));
      ++files;
    }
  }
  EXPECT_GT(files, 50U);
}

}  // namespace
}  // namespace countpm
