// Real matrices (SuiteSparse patterns of ../shared) against counts verified elsewhere, by at least two
// methods each.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "src/countpm.hpp"

namespace countpm {
namespace {

const std::filesystem::path shared = std::filesystem::path(COUNTPM_SOURCE_DIR) / ".." / "shared";

struct Known {
  std::string name;
  std::string count;  // "-" where only the residues are known
  std::uint64_t residue_1 = 0;
  std::uint64_t residue_2 = 0;
};
constexpr std::uint64_t prime_1 = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t prime_2 = 2305843009213693921U;

std::vector<Known> read_known() {
  std::vector<Known> rows;
  std::ifstream file(shared / "matrices" / "known.tsv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream in(line);
    Known row;
    std::string n;
    std::string entries;
    in >> row.name >> n >> entries >> row.count >> row.residue_1 >> row.residue_2;
    rows.push_back(row);
  }
  return rows;
}

// What differs from the known value; "" where nothing does.
std::string difference(const Known& known, const CountResult& result) {
  if (known.count != "-" && known.count != result.count)
    return fmt::format("expected {}, found {}", known.count, result.count);
  const mpz_class count(result.count);
  const std::uint64_t residue_1 = mpz_fdiv_ui(count.get_mpz_t(), prime_1);
  const std::uint64_t residue_2 = mpz_fdiv_ui(count.get_mpz_t(), prime_2);
  if (residue_1 != known.residue_1 || residue_2 != known.residue_2) {
    return fmt::format("expected the residues {} and {}, found {} and {}", known.residue_1, known.residue_2,
                       residue_1, residue_2);
  }
  return "";
}

Source source_of(const std::string& name) {
  return Source::from_argument((shared / "matrices" / (name + ".mtx")).string());
}

class KnownMatrices : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(shared / "matrices" / "known.tsv"))
      GTEST_SKIP() << "../shared/matrices is not there";
  }
};
class LongKnownMatrices : public KnownMatrices {};

TEST_F(KnownMatrices, TheIssuesFiveAreCountedByAuto) {
  for (const Known& known : read_known()) {
    if (known.name != "bcspwr02" && known.name != "d_ss" && known.name != "bcspwr01" &&
        known.name != "ibm32" && known.name != "impcol_b")
      continue;
    const CountResult result = count(source_of(known.name), {}, {});
    EXPECT_EQ(difference(known, result), "") << known.name;
    EXPECT_TRUE(result.proved);
  }
}

TEST_F(LongKnownMatrices, EveryFileOfAtMost34RowsAfterReductionByTwoMethods) {
  constexpr std::uint64_t most_rows = 34;
  int files = 0;
  for (const Known& known : read_known()) {
    const Explanation explanation = explain(source_of(known.name), {}, {});
    if (!explanation.blocks.empty() && explanation.blocks.front().rows > most_rows) continue;
    ++files;
    int methods = 0;
    for (const std::string method : {"forbert-marx", "skipper", "sparyser", "ryser"}) {
      CountOptions options;
      options.method = method;
      options.time_limit_seconds = 60;
      try {
        const CountResult result = count(source_of(known.name), {}, options);
        EXPECT_EQ(difference(known, result), "") << known.name << " by " << method;
        ++methods;
      } catch (const UnableError& error) {
        std::cout << known.name << ": " << method << ": " << error.what() << '\n';
      }
    }
    EXPECT_GE(methods, 2) << known.name;
  }
  EXPECT_GE(files, 20);
  std::cout << files << " files counted\n";
}

// What is predicted to take half a minute at most is counted, and right.
TEST_F(LongKnownMatrices, EveryFileIsCountedRightOrRefused) {
  int counted = 0;
  int refused = 0;
  for (const Known& known : read_known()) {
    CountOptions options;
    options.time_limit_seconds = 30;
    options.memory_limit_bytes = std::uint64_t{4} << 30;
    try {
      const CountResult result = count(source_of(known.name), {}, options);
      EXPECT_EQ(difference(known, result), "") << known.name;
      ++counted;
    } catch (const UnableError& error) {
      std::cout << known.name << ": " << error.what() << '\n';
      ++refused;
    }
  }
  std::cout << counted << " files counted, " << refused << " refused\n";
  EXPECT_GE(counted, 65);
}

TEST_F(LongKnownMatrices, RandomInstances) {
  std::ifstream file(shared / "random" / "known.tsv");
  if (!file) GTEST_SKIP() << "../shared/random is not there";
  std::string line;
  std::getline(file, line);
  int counted = 0;
  while (std::getline(file, line)) {
    std::istringstream in(line);
    std::string name;
    std::string expected;
    in >> name >> expected;
    if (expected == "-") continue;
    CountOptions options;
    options.time_limit_seconds = 30;
    try {
      const CountResult result =
          count(Source::from_argument((shared / "random" / (name + ".mtx")).string()), {}, options);
      EXPECT_EQ(result.count, expected) << name;
      ++counted;
    } catch (const UnableError& error) {
      std::cout << name << ": " << error.what() << '\n';
    }
  }
  EXPECT_GE(counted, 2);
}

}  // namespace
}  // namespace countpm
