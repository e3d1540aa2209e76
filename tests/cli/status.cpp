// countpm status of a count that is done.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "src/journal/journal.hpp"
#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

using Json = nlohmann::ordered_json;

// The sum over predicted seconds used to miss 1 by a rounding.
TEST(Status, OfAFinishedCountIsAllOfIt) {
  for (const char* rows : {"9", "10", "11"}) {
    const std::string journal = file_with("") + ".journal";
    ASSERT_EQ(run({file_with(complete_bipartite(std::stoi(rows))), "--method", "ryser", "--no-rule", "twins",
                   "--checkpoint", journal})
                  .code,
              0);
    // Thirds and the like of a second, over which the sum is not exact.
    Journal finished = read_journal(journal);
    finished.header.blocks.at(0).tasks.at(0).predicted_seconds = 1.0 / 3;
    std::string text = header_lines(finished.header);
    const JournalRecord all = finished.records.at(0);
    for (std::uint64_t unit = 0; unit < finished.header.blocks[0].tasks[0].units; ++unit) {
      JournalRecord record = all;
      record.finished.range = {unit, unit + 1};
      text += record_line(finished.header, record);
    }
    text += progress_line(finished.header, finished.progress);
    const Outcome outcome = run({"status", file_with(text)});
    EXPECT_NE(outcome.out.find("work       100 % done"), std::string::npos) << outcome.out;
    EXPECT_EQ(Json::parse(run({"status", file_with(text), "--json"}).out)["done"], 1);
  }
  const std::string reduced = file_with("") + ".journal";
  ASSERT_EQ(run({file_with("a x\nb y\n"), "--checkpoint", reduced}).code, 0);
  EXPECT_NE(run({"status", reduced}).out.find("work       100 % done"), std::string::npos);
}

}  // namespace
}  // namespace countpm::test
