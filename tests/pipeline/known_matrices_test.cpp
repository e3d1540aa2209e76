// Real matrices (SuiteSparse patterns of ../shared) against counts verified elsewhere, by at least two
// methods each.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "src/api/entries.hpp"
#include "tests/repeats.hpp"
#include "tests/shared_files.hpp"

namespace countpm {
namespace {

using shared_files::Known;

constexpr std::uint64_t prime_1 = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t prime_2 = 2305843009213693921U;

// What differs from the known value; "" where nothing does.
std::string difference(const Known& known, const CountResult& result) {
  if (known.count != "-" && known.count != result.count)
    return fmt::format("expected {}, found {}", known.count, result.count);
  const mpz_class count(result.count);
  const std::uint64_t residue_1 = mpz_fdiv_ui(count.get_mpz_t(), prime_1);
  const std::uint64_t residue_2 = mpz_fdiv_ui(count.get_mpz_t(), prime_2);
  if (residue_1 != known.residue || residue_2 != known.second_residue) {
    return fmt::format("expected the residues {} and {}, found {} and {}", known.residue,
                       known.second_residue, residue_1, residue_2);
  }
  return "";
}

Source source_of(const std::string& name) {
  return Source::from_argument(shared_files::path_of("matrices/" + name + ".mtx").string());
}

class KnownMatrices : public ::testing::Test {
 protected:
  void SetUp() override {
    if (shared_files::known_matrices().empty()) GTEST_SKIP() << "../shared/matrices is not there";
  }
};
class LongKnownMatrices : public KnownMatrices {};

TEST_F(KnownMatrices, TheIssuesFiveAreCountedByAuto) {
  for (const Known& known : shared_files::known_matrices()) {
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
  int number = 0;
  for (const Known& known : shared_files::known_matrices()) {
    // In turn, so many as random tests have repetitions: the file's place in the list decides.
    if (number++ % 6 >= testing::repeats(6)) continue;
    const Explanation explanation = explain(source_of(known.name), {}, {});
    if (!explanation.blocks.empty() && explanation.blocks.front().rows > most_rows) continue;
    ++files;
    int methods = 0;
    for (const std::string method : {"forbert-marx", "skipper", "sparyser", "ryser"}) {
      CountOptions options;
      options.method = method;
      options.time_limit_seconds = methods < 2 ? 60 : 2;  // the others where they are quick
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
  EXPECT_GE(files, testing::repeats(15));
  std::cout << files << " files counted\n";
}

// What is predicted to take half a minute at most is counted, and right.
TEST_F(LongKnownMatrices, EveryFileIsCountedRightOrRefused) {
  int counted = 0;
  int refused = 0;
  for (const Known& known : shared_files::known_matrices()) {
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
  const auto table = shared_files::table("random/known.tsv");
  if (table.empty()) GTEST_SKIP() << "../shared/random is not there";
  int counted = 0;
  for (std::size_t k = 1; k < table.size(); ++k) {
    const std::string& name = table[k].at(0);
    const std::string& expected = table[k].at(1);
    if (expected == "-") continue;
    CountOptions options;
    options.time_limit_seconds = 30;
    try {
      const CountResult result = count(
          Source::from_argument(shared_files::path_of("random/" + name + ".mtx").string()), {}, options);
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
