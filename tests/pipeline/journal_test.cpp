// Journals as text: what is written is read again; what is broken is refused or repaired, never believed.
#include "src/journal/journal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "graph/errors.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using Random = std::mt19937_64;

std::string hexadecimal(Random& random) {
  std::string text;
  for (int k = 0; k < 32; ++k) text += "0123456789abcdef"[random() % 16];
  return text;
}

JournalTask task_of(std::uint64_t units, std::vector<Modulus> moduli) {
  JournalTask task;
  task.fingerprint = "0123456789abcdef0123456789abcdef";
  task.rows = 30;
  task.entries = 300;
  task.method = "ryser";
  task.plan = "form 1; pinned 3; inner 0 1 2; middle; outer 4 1";
  task.arithmetic.moduli = std::move(moduli);
  task.units = units;
  task.predicted_seconds = 12.5;
  return task;
}

JournalHeader some_header(Random& random) {
  JournalHeader header;
  header.version = "0.1.0";
  header.id = hexadecimal(random);
  header.input = "/tmp/a \"strange\"\nname";
  header.sha256 = "abc";
  header.options = {{"method", "ryser"}, {"no-rule", "twins"}};
  header.rules = {"single", "double"};
  header.blocks = {
      {true, false, {task_of(64, {{0, 128}}), task_of(16, {{2305843009213693951ULL, 0}, {7, 0}})}}};
  JournalTask floating = task_of(4, {});
  floating.arithmetic.kind = Arithmetic::Kind::floating;
  header.recounts = {{false, true, {floating}}};
  return header;
}

uint128 residue_of(std::uint64_t unit) {
  return uint128{unit * 0x9e3779b97f4a7c15ULL} << 64 | unit;
}

JournalRecord record_of(std::size_t task, std::uint64_t first, std::uint64_t last) {
  JournalRecord record;
  record.task = task;
  record.finished.range = {first, last};
  record.finished.seconds = 0.25;
  if (task == 0) record.finished.value = Residues{{residue_of(first)}};
  if (task == 1) record.finished.value = Residues{{first, first % 7}};
  if (task == 2) {
    record.finished.value = zero_ball(128);
    Ball& ball = std::get<Ball>(record.finished.value);
    mpfr_set_d(ball.re.get(), 0.1 + static_cast<double>(first), MPFR_RNDN);
    mpfr_set_d(ball.im.get(), -1e-300, MPFR_RNDN);
    mpfr_set_d(ball.error.get(), 1e-12, MPFR_RNDU);
  }
  return record;
}

bool same(const JournalRecord& a, const JournalRecord& b) {
  if (a.task != b.task || a.finished.range.first != b.finished.range.first ||
      a.finished.range.last != b.finished.range.last)
    return false;
  if (const auto* residues = std::get_if<Residues>(&a.finished.value))
    return *residues == std::get<Residues>(b.finished.value);
  const Ball& x = std::get<Ball>(a.finished.value);
  const Ball& y = std::get<Ball>(b.finished.value);
  return mpfr_equal_p(x.re.get(), y.re.get()) != 0 && mpfr_equal_p(x.im.get(), y.im.get()) != 0 &&
         mpfr_equal_p(x.error.get(), y.error.get()) != 0;
}

std::vector<JournalRecord> some_records() {
  std::vector<JournalRecord> records;
  for (std::uint64_t unit = 0; unit < 60; unit += 3) records.push_back(record_of(0, unit, unit + 2));
  for (std::uint64_t unit = 1; unit < 16; unit += 2) records.push_back(record_of(1, unit, unit + 1));
  for (std::uint64_t unit = 0; unit < 3; ++unit) records.push_back(record_of(2, unit, unit + 1));
  return records;
}

std::vector<std::string> lines_of(const JournalHeader& header, const std::vector<JournalRecord>& records) {
  std::vector<std::string> lines;
  std::istringstream head(header_lines(header));
  for (std::string line; std::getline(head, line);) lines.push_back(line + "\n");
  for (const JournalRecord& record : records) lines.push_back(record_line(header, record));
  lines.push_back(progress_line(header, {3.5, 10, 8, 13, ""}));
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

/// Everything that was read was written, and no unit is in two records.
void expect_only_truth(const Journal& journal, const std::vector<JournalRecord>& written) {
  std::vector<std::vector<bool>> seen(3, std::vector<bool>(64));
  for (const JournalRecord& record : journal.records) {
    bool found = false;
    for (const JournalRecord& one : written) found = found || same(one, record);
    ASSERT_TRUE(found) << "task " << record.task << " unit " << record.finished.range.first;
    for (std::uint64_t unit = record.finished.range.first; unit < record.finished.range.last; ++unit) {
      ASSERT_FALSE(seen[record.task][unit]);
      seen[record.task][unit] = true;
    }
  }
}

TEST(Journal, ReadsWhatItWrites) {
  Random random(1);
  const JournalHeader header = some_header(random);
  const auto records = some_records();
  const Journal journal = parse_journal(joined(lines_of(header, records)), "j");
  EXPECT_EQ(journal.damaged_lines + journal.repeated_lines, 0U);
  ASSERT_EQ(journal.records.size(), records.size());
  for (std::size_t k = 0; k < records.size(); ++k) EXPECT_TRUE(same(journal.records[k], records[k])) << k;
  EXPECT_EQ(journal.header.input, header.input);
  EXPECT_EQ(journal.header.options, header.options);
  EXPECT_EQ(journal.header.rules, header.rules);
  ASSERT_EQ(journal.header.tasks().size(), 3U);
  EXPECT_EQ(journal.header.tasks()[1]->arithmetic.moduli, header.tasks()[1]->arithmetic.moduli);
  EXPECT_EQ(journal.header.tasks()[0]->plan, header.tasks()[0]->plan);
  EXPECT_FALSE(journal.header.recounts[0].reduced);
  EXPECT_EQ(journal.progress.remaining_high, 13);
  EXPECT_EQ(journal.units(), 84U);
  EXPECT_EQ(journal.units_done(), 40U + 8 + 3);
}

// A unit at points has residues modulo a few of many moduli, and a record has these.
TEST(Journal, RecordsLeaveOutResiduesThatAreZero) {
  Random random(9);
  JournalHeader header = some_header(random);
  JournalTask& task = header.blocks[0].tasks[0];
  task.points = {{1125899906835313, 0, 225, 114}, {1125899906838253, 5, 220, 109}};
  task.arithmetic = arithmetic_of(task.points);
  header.blocks[0].reduced = false;
  header.blocks[0].digit_bits = 368;
  std::vector<JournalRecord> records;
  for (std::uint64_t unit = 0; unit < 3; ++unit) {
    JournalRecord record = record_of(0, unit, unit + 1);
    record.finished.value = zero(task.arithmetic);
    std::vector<uint128>& residues = std::get<Residues>(record.finished.value).residue;
    if (unit > 0) residues[40] = 5;
    if (unit > 1) residues.back() = residues.front() = 7;
    records.push_back(record);
  }
  const std::vector<std::string> lines = lines_of(header, records);
  EXPECT_LT(lines[2].size() + lines[3].size(), 300U);
  EXPECT_GT(lines[4].size(), 223U * 4);
  const Journal journal = parse_journal(joined(lines), "j");
  EXPECT_EQ(journal.damaged_lines, 0U);
  ASSERT_EQ(journal.records.size(), records.size());
  for (std::size_t k = 0; k < records.size(); ++k) EXPECT_TRUE(same(journal.records[k], records[k])) << k;
  EXPECT_EQ(journal.header.tasks()[0]->points, task.points);
  EXPECT_EQ(journal.header.tasks()[0]->arithmetic.moduli, task.arithmetic.moduli);
  EXPECT_EQ(journal.header.blocks[0].digit_bits, 368U);
}

TEST(Journal, FlippedBitsAreNeverBelieved) {
  Random random(2);
  const JournalHeader header = some_header(random);
  const auto records = some_records();
  const std::string text = joined(lines_of(header, records));
  int refused = 0;
  for (int round = 0; round < testing::repeats(3000); ++round) {
    std::string broken = text;
    const int flips = 1 + static_cast<int>(random() % 3);
    for (int k = 0; k < flips; ++k) {
      const std::size_t at = random() % broken.size();
      broken[at] = static_cast<char>(broken[at] ^ (1 << random() % 8));
    }
    if (broken == text) continue;  // flipped twice
    try {
      const Journal journal = parse_journal(broken, "j");
      EXPECT_GT(journal.damaged_lines, 0U);
      EXPECT_GE(journal.records.size() + 2 * static_cast<std::size_t>(flips), records.size());
      expect_only_truth(journal, records);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, testing::repeats(100));  // those that hit the header
}

TEST(Journal, TornTailsAreCutOff) {
  Random random(3);
  const JournalHeader header = some_header(random);
  const auto records = some_records();
  const std::string text = joined(lines_of(header, records));
  const std::size_t head = header_lines(header).size();
  std::size_t before = 0;
  const std::size_t step = testing::sanitized ? 23 : 1;
  for (std::size_t size = text.size() % step; size <= text.size(); size += step) {
    if (size < head) {
      EXPECT_THROW(parse_journal(text.substr(0, size), "j"), InputError) << size;
      continue;
    }
    const Journal journal = parse_journal(text.substr(0, size), "j");
    EXPECT_LE(journal.damaged_lines, 1U);
    EXPECT_GE(journal.records.size(), before);
    before = journal.records.size();
    expect_only_truth(journal, records);
  }
  EXPECT_EQ(before, records.size());
}

TEST(Journal, OrderDoesNotMatterAndRepetitionCountsOnce) {
  Random random(4);
  const JournalHeader header = some_header(random);
  const auto records = some_records();
  for (int round = 0; round < testing::repeats(300); ++round) {
    std::vector<std::string> lines = lines_of(header, records);
    std::shuffle(lines.begin() + 2, lines.end(), random);
    const std::size_t repeated = random() % 10;
    for (std::size_t k = 0; k < repeated; ++k) lines.push_back(lines[2 + random() % (lines.size() - 2)]);
    const Journal journal = parse_journal(joined(lines), "j");
    EXPECT_EQ(journal.damaged_lines, 0U);
    EXPECT_LE(journal.repeated_lines, repeated);
    EXPECT_EQ(journal.records.size(), records.size());
    expect_only_truth(journal, records);
  }
}

TEST(Journal, OverlappingRangesCountOnce) {
  Random random(5);
  const JournalHeader header = some_header(random);
  const std::vector<JournalRecord> records{record_of(0, 0, 8), record_of(0, 7, 9), record_of(0, 9, 64),
                                           record_of(0, 3, 4)};
  const Journal journal = parse_journal(joined(lines_of(header, records)), "j");
  EXPECT_EQ(journal.repeated_lines, 2U);
  EXPECT_EQ(journal.units_done(), 8U + 55);
  expect_only_truth(journal, records);
}

TEST(Journal, RecordsOfAnotherJournalAreNotTaken) {
  Random random(6);
  const JournalHeader mine = some_header(random);
  const JournalHeader other = some_header(random);  // the same input and tasks, another id
  const auto records = some_records();
  for (int round = 0; round < testing::repeats(200); ++round) {
    std::vector<std::string> lines = lines_of(mine, {});
    const std::vector<std::string> own = lines_of(mine, records);
    const std::vector<std::string> foreign = lines_of(other, records);
    std::size_t taken = 0;
    std::size_t foreign_lines = 0;
    for (std::size_t k = 2; k + 1 < own.size(); ++k) {
      const bool is_own = random() % 2 == 0;
      lines.push_back(is_own ? own[k] : foreign[k]);
      (is_own ? taken : foreign_lines) += 1;
    }
    const Journal journal = parse_journal(joined(lines), "j");
    EXPECT_EQ(journal.records.size(), taken);
    EXPECT_EQ(journal.damaged_lines, foreign_lines);
  }
}

TEST(Journal, UnitsThatAreNotThereAndResiduesBeyondTheirModuliAreLeftOut) {
  Random random(7);
  const JournalHeader header = some_header(random);
  std::vector<JournalRecord> records{record_of(0, 60, 65), record_of(1, 5, 5)};
  JournalRecord large = record_of(1, 3, 4);
  std::get<Residues>(large.finished.value).residue[1] = 7;
  records.push_back(large);
  JournalRecord many = record_of(0, 1, 2);
  std::get<Residues>(many.finished.value).residue.push_back(1);
  records.push_back(many);
  JournalRecord nowhere = record_of(0, 1, 2);
  nowhere.task = 3;
  records.push_back(nowhere);
  const Journal journal = parse_journal(joined(lines_of(header, records)), "j");
  EXPECT_TRUE(journal.records.empty());
  EXPECT_EQ(journal.damaged_lines + journal.repeated_lines, 5U);
}

TEST(Journal, RefusesWhatIsNone) {
  Random random(8);
  const std::string good = header_lines(some_header(random));
  for (const std::string& text :
       {std::string(), std::string("a b\n"),
        std::string("countpm journal 2\n") + good.substr(good.find('\n') + 1),
        good.substr(0, good.find('\n') + 1), std::string("countpm journal 1\n{}\n")})
    EXPECT_THROW(parse_journal(text, "j"), InputError) << text;
  EXPECT_THROW(read_journal("/nonexistent/journal"), InputError);
}

// Of very many values in floating point those at the beginning are one in the file; what they add up to, with
// those that come later, is the same.
TEST(Ledger, JoinsTheBeginningOfManyFloatingPointValues) {
  constexpr std::uint64_t units = 40000;
  Arithmetic arithmetic;
  arithmetic.kind = Arithmetic::Kind::floating;
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<Partial> values;
  for (std::uint64_t unit = 0; unit < units; ++unit) {
    Partial& value = values.emplace_back(zero(arithmetic));
    Ball& ball = std::get<Ball>(value);
    mpfr_set_d(ball.re.get(), std::ldexp(normal(random), static_cast<int>(random() % 60)), MPFR_RNDN);
    mpfr_set_d(ball.error.get(), std::ldexp(std::abs(normal(random)), -40), MPFR_RNDU);
  }
  OrderedSum all(arithmetic);
  for (std::uint64_t unit = 0; unit < units; ++unit) all.add({unit, unit + 1}, values[unit]);
  const Partial expected = all.total();
  Ledger ledger(units, arithmetic);
  // All but some of the later ones.
  std::vector<std::uint64_t> late;
  for (std::uint64_t unit = 0; unit < units; ++unit) {
    if (unit > 30000 && random() % 8 == 0) {
      late.push_back(unit);
    } else {
      ledger.add({{unit, unit + 1}, values[unit], 1});
    }
  }
  const std::uint64_t done = ledger.units_done();
  const std::vector<FinishedRange> kept = ledger.take_all();
  EXPECT_LT(kept.size(), 12000U);
  EXPECT_GT(kept.front().range.size(), 28000U);
  EXPECT_EQ(kept.front().seconds, static_cast<double>(kept.front().range.size()));
  EXPECT_EQ(ledger.units_done(), done);
  EXPECT_FALSE(ledger.add({{5, 6}, values[5], 1}));
  // What goes on with it.
  Ledger next(units, arithmetic);
  for (const FinishedRange& finished : kept) EXPECT_TRUE(next.add(finished));
  OrderedSum sum(arithmetic);
  for (const FinishedRange& finished : next.ranges()) sum.add(finished.range, finished.value);
  for (const std::uint64_t unit : late) sum.add({unit, unit + 1}, values[unit]);
  EXPECT_TRUE(same({0, {{0, units}, sum.total()}}, {0, {{0, units}, expected}}));
}

TEST(Ledger, MergesNeighboursAndRefusesWhatItHas) {
  Arithmetic arithmetic;
  arithmetic.moduli = {{1000003, 0}};
  Random random(9);
  for (int round = 0; round < testing::repeats(100); ++round) {
    const std::uint64_t units = 1 + random() % 3000;
    Ledger ledger(units, arithmetic);
    std::vector<bool> done(units);
    std::uint64_t sum = 0;
    std::uint64_t count = 0;
    uint128 told = 0;
    for (int step = 0; step < 2000; ++step) {
      const std::uint64_t first = random() % units;
      const std::uint64_t last = std::min(units, first + 1 + random() % 3);
      bool free = true;
      for (std::uint64_t u = first; u < last; ++u) free = free && !done[u];
      const std::uint64_t value = random() % 1000003;
      ASSERT_EQ(ledger.add({{first, last}, Residues{{value}}, 1}), free);
      if (free) {
        for (std::uint64_t u = first; u < last; ++u) done[u] = true;
        sum = (sum + value) % 1000003;
        count += last - first;
      }
      if (step % 100 == 0) {
        for (const FinishedRange& range : ledger.take_new())
          told += std::get<Residues>(range.value).residue[0];
      }
    }
    for (const FinishedRange& range : ledger.take_new()) told += std::get<Residues>(range.value).residue[0];
    EXPECT_EQ(static_cast<std::uint64_t>(told % 1000003), sum);
    EXPECT_EQ(ledger.units_done(), count);
    OrderedSum total(arithmetic);
    for (const FinishedRange& range : ledger.ranges()) total.add(range.range, range.value);
    EXPECT_EQ(std::get<Residues>(total.total()).residue[0], sum);
    // Where all is done there are at most so many ranges.
    if (count == units) {
      EXPECT_LE(ledger.ranges().size(), 1100U);
    }
  }
  Ledger ledger(65536, arithmetic);
  for (std::uint64_t unit = 65536; unit-- > 0;) ledger.add({{unit, unit + 1}, Residues{{1}}, 0});
  EXPECT_EQ(ledger.ranges().size(), 512U);
}

TEST(UnitQueue, PassesWhatIsDone) {
  Random random(10);
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t units = 1 + random() % 60;
    std::vector<UnitRange> done;
    std::vector<int> times(units);
    for (std::uint64_t u = 0; u < units;) {
      const std::uint64_t last = std::min(units, u + 1 + random() % 5);
      if (random() % 2 == 0) {
        done.push_back({u, last});
        for (std::uint64_t k = u; k < last; ++k) ++times[k];
      }
      u = last;
    }
    const std::uint64_t alone = random() % (units + 1);
    const bool alone_free = alone < units && times[alone] == 0;
    UnitQueue queue;
    for (const UnitRange& rest : rest_of(units, done)) queue.put(3, rest, alone);
    bool was_alone = false;
    for (std::uint64_t left = queue.left(); left > 0;) {
      const UnitRange range = queue.take(3, 1 + random() % 6);
      was_alone = was_alone || (range.first == alone && range.size() == 1);
      for (std::uint64_t k = range.first; k < range.last; ++k) ++times[k];
      left -= range.size();
      ASSERT_EQ(queue.left(), left);
    }
    EXPECT_EQ(was_alone, alone_free);
    for (const int count : times) ASSERT_EQ(count, 1);
  }
}

}  // namespace
}  // namespace countpm
