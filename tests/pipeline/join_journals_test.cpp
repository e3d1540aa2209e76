// Journals joined: what is known of a task's units from overlapping records, and what contradicts itself.
#include "src/journal/join_journals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "graph/errors.hpp"
#include "src/count/parts.hpp"
#include "tests/repeats.hpp"

namespace countpm::join_journals_test {
namespace {

using Random = std::mt19937_64;

constexpr std::uint64_t prime = 1000003;

JournalTask task_of(std::uint64_t units, double seconds = 10) {
  JournalTask task;
  task.fingerprint = "f";
  task.method = "fake";
  task.arithmetic.moduli = {{prime, 0}, {0, 64}};
  task.units = units;
  task.predicted_seconds = seconds;
  return task;
}

NamedJournal journal_of(std::uint64_t units, const std::string& file = "j") {
  NamedJournal result{file, {}};
  result.journal.header.version = "1";
  result.journal.header.blocks = {{true, false, {task_of(units)}}};
  return result;
}

/// The sum of units first .. last - 1, of which unit u is worth u * u.
FinishedRange truth(std::uint64_t first, std::uint64_t last) {
  FinishedRange finished;
  finished.range = {first, last};
  finished.seconds = static_cast<double>(last - first);
  std::uint64_t sum = 0;
  for (std::uint64_t unit = first; unit < last; ++unit) sum += unit * unit;
  finished.value = Residues{{sum % prime, sum}};
  return finished;
}

/// Disjoint true ranges over some of the units.
std::vector<FinishedRange> random_ranges(std::uint64_t units, Random& random) {
  std::vector<FinishedRange> ranges;
  for (std::uint64_t unit = random() % 4; unit < units;) {
    const std::uint64_t last = std::min(units, unit + 1 + random() % 9);
    ranges.push_back(truth(unit, last));
    unit = last + random() % 3;
  }
  return ranges;
}

void expect_true_and_disjoint(const Journal& joined) {
  std::uint64_t next = 0;
  for (const JournalRecord& record : joined.records) {
    EXPECT_GE(record.finished.range.first, next);
    next = record.finished.range.last;
    EXPECT_EQ(std::get<Residues>(record.finished.value),
              std::get<Residues>(truth(record.finished.range.first, next).value));
  }
}

TEST(JoinJournals, OverlappingRangesGiveWhatFollowsFromThem) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t units = 1 + random() % 60;
    std::vector<NamedJournal> journals(1 + random() % 4, journal_of(units));
    std::uint64_t most = 0;
    for (NamedJournal& journal : journals) {
      for (FinishedRange& finished : random_ranges(units, random))
        journal.journal.records.push_back({0, std::move(finished)});
      std::shuffle(journal.journal.records.begin(), journal.journal.records.end(), random);
      most = std::max(most, journal.journal.units_done());
    }
    const Journal joined = join_journals(journals, {});
    expect_true_and_disjoint(joined);
    EXPECT_GE(joined.units_done(), most);
    EXPECT_EQ(missing_units(joined, journals).empty(), joined.units_done() == units);
  }
}

TEST(JoinJournals, DifferencesTellPartsOfRanges) {
  NamedJournal a = journal_of(8);
  NamedJournal b = journal_of(8);
  a.journal.records = {{0, truth(0, 6)}};
  b.journal.records = {{0, truth(2, 8)}, {0, truth(0, 2)}};
  EXPECT_EQ(join_journals({a, b}, {}).units_done(), 8U);
  // 0 .. 6 and 4 .. 8 alone leave a choice: the longer one.
  b.journal.records = {{0, truth(4, 8)}};
  const Journal joined = join_journals({a, b}, {});
  expect_true_and_disjoint(joined);
  EXPECT_EQ(joined.units_done(), 6U);
  EXPECT_EQ(missing_units(joined, {a, b}), "2 of 8 units are missing: units 7 to 8 of block 1");
}

TEST(JoinJournals, AnyWrongSumThatFollowsFromOthersIsFound) {
  Random random(2);
  for (int round = 0; round < testing::repeats(400); ++round) {
    const std::uint64_t units = 20;
    NamedJournal whole = journal_of(units, "whole");
    whole.journal.records = {{0, truth(0, units)}};
    NamedJournal pieces = journal_of(units, "pieces");
    for (std::uint64_t unit = 0; unit < units;) {
      const std::uint64_t last = std::min(units, unit + 1 + random() % 5);
      pieces.journal.records.push_back({0, truth(unit, last)});
      unit = last;
    }
    EXPECT_EQ(join_journals({whole, pieces}, {}).units_done(), units);
    FinishedRange& wrong = pieces.journal.records[random() % pieces.journal.records.size()].finished;
    auto& residue = std::get<Residues>(wrong.value).residue[random() % 2];
    residue = residue == 0 ? 1 : residue - 1;
    EXPECT_THROW(join_journals({whole, pieces}, {}), CheckError);
    EXPECT_THROW(join_journals({pieces, whole}, {}), CheckError);
  }
}

TEST(JoinJournals, OtherCountsAreRefused) {
  const NamedJournal mine = journal_of(8, "mine");
  const auto refused = [&](const auto& change) {
    NamedJournal other = journal_of(8, "other");
    change(other.journal.header);
    try {
      join_journals({mine, other}, {"threads"});
    } catch (const InputError& error) {
      EXPECT_EQ(error.file(), "other");
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused([](JournalHeader& header) { header.sha256 = "x"; }));
  EXPECT_TRUE(refused([](JournalHeader& header) { header.version = "2"; }));
  EXPECT_TRUE(refused([](JournalHeader& header) { header.rules = {"single"}; }));
  EXPECT_TRUE(refused([](JournalHeader& header) { header.options = {{"method", "x"}}; }));
  EXPECT_TRUE(refused([](JournalHeader& header) { header.blocks[0].tasks[0].plan = "p"; }));
  EXPECT_TRUE(refused([](JournalHeader& header) { header.blocks[0].tasks[0].units = 9; }));
  EXPECT_TRUE(refused([](JournalHeader& header) { header.blocks[0].tasks[0].arithmetic.moduli.pop_back(); }));
  EXPECT_FALSE(refused([](JournalHeader& header) { header.options = {{"threads", "3"}}; }));
  EXPECT_FALSE(refused([](JournalHeader& header) { header.blocks[0].tasks[0].predicted_seconds = 1; }));
  EXPECT_FALSE(refused([](JournalHeader& header) { header.input = "/elsewhere/mine"; }));
}

TEST(DealOut, EveryUnitOnceAndEvenly) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    std::vector<JournalTask> tasks;
    for (std::size_t k = random() % 6; k-- > 0;)
      tasks.push_back(task_of(1 + random() % 5000, static_cast<double>(random() % 100)));
    std::vector<const JournalTask*> pointers;
    double all = 0;
    double longest_unit = 0;
    for (const JournalTask& task : tasks) {
      pointers.push_back(&task);
      all += task.predicted_seconds;
      longest_unit = std::max(longest_unit, task.predicted_seconds / static_cast<double>(task.units));
    }
    const std::uint64_t parts = 1 + random() % 40;
    const std::vector<JournalPart> dealt = deal_out(pointers, parts);
    ASSERT_EQ(dealt.size(), parts);
    std::vector<std::vector<int>> times;
    times.reserve(tasks.size());
    for (const JournalTask& task : tasks) times.emplace_back(task.units);
    for (const JournalPart& part : dealt) {
      double seconds = 0;
      for (std::size_t k = 0; k < tasks.size(); ++k) {
        for (const UnitRange& range : part.share[k]) {
          seconds += tasks[k].predicted_seconds * static_cast<double>(range.size()) /
                     static_cast<double>(tasks[k].units);
          for (std::uint64_t unit = range.first; unit < range.last; ++unit) ++times[k][unit];
        }
      }
      EXPECT_LE(seconds, all / static_cast<double>(parts) * (1 + 1.0 / 16) + longest_unit + 1e-9);
    }
    for (const std::vector<int>& of_task : times)
      EXPECT_TRUE(std::all_of(of_task.begin(), of_task.end(), [](int count) { return count == 1; }));
  }
}

TEST(Ledger, KeepsToItsShare) {
  Arithmetic arithmetic;
  arithmetic.moduli = {{prime, 0}};
  Ledger ledger(20, arithmetic, {{2, 5}, {9, 20}});
  EXPECT_EQ(ledger.share_units(), 14U);
  EXPECT_FALSE(ledger.add({{1, 3}, Residues{{1}}, 0}));
  EXPECT_FALSE(ledger.add({{4, 6}, Residues{{1}}, 0}));
  EXPECT_FALSE(ledger.add({{5, 9}, Residues{{1}}, 0}));
  EXPECT_TRUE(ledger.add({{3, 5}, Residues{{1}}, 0}));
  EXPECT_TRUE(ledger.add({{19, 20}, Residues{{1}}, 0}));
  std::vector<bool> settled(20);
  std::uint64_t next = 0;
  for (const UnitRange& range : ledger.settled()) {
    EXPECT_GE(range.first, next);
    next = range.last;
    for (std::uint64_t unit = range.first; unit < range.last; ++unit) settled[unit] = true;
  }
  EXPECT_EQ(settled,
            (std::vector<bool>{true,  true,  false, true,  true,  true,  true,  true,  true,  false,
                               false, false, false, false, false, false, false, false, false, true}));
}

}  // namespace
}  // namespace countpm::join_journals_test
