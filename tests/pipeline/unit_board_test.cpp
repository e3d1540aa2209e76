// Units that others run: every one counts once, whoever brings it, however often.
#include "src/distributed/unit_board.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "src/count/count_on_board.hpp"
#include "src/count/unit_worker.hpp"
#include "tests/pipeline/board_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::unit_board_test {
namespace {

using testing::repeats;

TEST(RangeSet, IsASetOfUnits) {
  for (int round = 0; round < repeats(90); ++round) {
    std::mt19937 random(static_cast<unsigned>(round));
    RangeSet ranges;
    std::set<std::uint64_t> units;
    for (int step = 0; step < 60; ++step) {
      const std::uint64_t first = random() % 40;
      const UnitRange range{first, first + random() % 9};
      const bool meets = units.lower_bound(range.first) != units.lower_bound(range.last);
      ASSERT_EQ(ranges.meets(range), meets) << "seed " << round;
      std::vector<std::uint64_t> lacking;
      for (const UnitRange& part : ranges.lacks(range)) {
        ASSERT_FALSE(part.empty());
        for (std::uint64_t unit = part.first; unit < part.last; ++unit) lacking.push_back(unit);
      }
      std::vector<std::uint64_t> expected;
      for (std::uint64_t unit = range.first; unit < range.last; ++unit) {
        if (units.count(unit) == 0) expected.push_back(unit);
      }
      ASSERT_EQ(lacking, expected) << "seed " << round;
      if (step % 2 == 0) {
        ranges.add(range);
        for (std::uint64_t unit = range.first; unit < range.last; ++unit) units.insert(unit);
      } else {
        ranges.remove(range);
        for (std::uint64_t unit = range.first; unit < range.last; ++unit) units.erase(unit);
      }
      ASSERT_EQ(ranges.size(), units.size()) << "seed " << round;
      ASSERT_EQ(ranges.empty(), units.empty());
      if (!units.empty()) {
        const UnitRange front = ranges.front();
        ASSERT_EQ(front.first, *units.begin());
        std::uint64_t last = front.first;
        while (units.count(last) > 0) ++last;
        ASSERT_EQ(front.last, last) << "seed " << round;  // neighbours have merged
      }
    }
  }
}

ReadResult matrix(unsigned seed, Index rows) {
  std::mt19937 random(seed);
  ReadResult read;
  read.info.path = "<matrix>";
  read.graph.kind = GraphKind::bipartite;
  read.graph.left_labels = LabelTable::numbered(rows);
  read.graph.right_labels = LabelTable::numbered(rows);
  read.graph.weight_kind = WeightKind::integer;
  std::vector<std::int64_t> values;
  for (Index row = 0; row < rows; ++row) {
    for (Index column = 0; column < rows; ++column) {
      read.graph.edges.push_back({row, column});
      values.push_back(static_cast<std::int64_t>(random() % 9) + 1);
    }
  }
  read.graph.values = std::move(values);
  return read;
}

CountOptions ryser() {
  CountOptions options;
  options.method = "ryser";
  return options;
}

/// The count on a thread of its own; `serve` is called until it is over.
template <class Serve>
CountResult counted_on(UnitBoard& board, const ReadResult& read, const Serve& serve) {
  return testing::served(
      board, [&] { return count_on_board(board, ReadResult(read), ryser()); }, serve);
}

TEST(UnitBoard, CountsEveryUnitOnceWhateverBecomesOfOrders) {
  const ReadResult read = matrix(1, 26);
  const CountResult expected = count(ReadResult(read), ryser());
  std::uint64_t all_repeated = 0;
  std::uint64_t all_refused = 0;
  for (int round = 0; round < repeats(6); ++round) {
    std::mt19937 random(static_cast<unsigned>(round));
    UnitBoard board(0);
    std::optional<UnitWorker> worker;
    std::vector<std::pair<UnitOrder, std::string>> late;
    std::uint64_t units = 0;
    std::uint64_t repeated = 0;
    std::uint64_t refused = 0;
    const auto deliver = [&](const UnitOrder& order, const std::string& records) {
      const UnitDelivery delivery = board.deliver(order, records);
      units += delivery.units;
      repeated += delivery.repeated;
      refused += delivery.refused;
    };
    const CountResult result = counted_on(board, read, [&] {
      while (const std::optional<UnitOrder> order = board.take(0.00005, 3)) {
        if (!worker) worker.emplace(ReadResult(read), board.plan(), ryser());
        const std::string records = worker->run(order->task, order->range, ryser());
        switch (random() % 6) {
          case 0:  // lost
            board.give_back(*order);
            break;
          case 1:  // twice
            deliver(*order, records + records);
            break;
          case 2:  // late, and asked for again
            board.give_back(*order);
            late.emplace_back(*order, records);
            break;
          case 3: {  // damaged
            std::string other = records;
            other[random() % (other.size() - 1)] ^= 1;
            deliver(*order, other);
            break;
          }
          case 4: {  // of other units
            UnitOrder other = *order;
            ++other.range.first;
            if (!other.range.empty()) deliver(other, records);
            board.give_back(*order);
            break;
          }
          default:
            deliver(*order, records);
        }
        if (!late.empty() && random() % 3 == 0) {
          deliver(late.back().first, late.back().second);
          late.pop_back();
        }
      }
    });
    EXPECT_EQ(result.count, expected.count) << "seed " << round;
    EXPECT_EQ(units, worker->units(0));
    all_repeated += repeated;
    all_refused += refused;
  }
  EXPECT_GT(all_repeated, 0U);
  EXPECT_GT(all_refused, 0U);
}

TEST(UnitBoard, RefusesRecordsAndWorkersOfAnotherPlan) {
  const ReadResult read = matrix(1, 22);
  const ReadResult other = matrix(2, 22);
  UnitBoard board(0);
  bool looked = false;
  const CountResult result = counted_on(board, read, [&] {
    const std::optional<UnitOrder> order = board.take(1, 1);
    if (!order) return;
    const std::string plan = board.plan();
    const UnitWorker worker(ReadResult(read), plan, ryser());
    if (!looked) {
      looked = true;
      EXPECT_THROW(UnitWorker(ReadResult(other), plan, ryser()), InputError);
      std::string torn = plan;
      torn[plan.size() / 2] ^= 1;
      EXPECT_THROW(UnitWorker(ReadResult(read), torn, ryser()), InputError);
      EXPECT_THROW(worker.run(1, {0, 1}, ryser()), UsageError);
      EXPECT_THROW(worker.run(0, {0, worker.units(0) + 1}, ryser()), UsageError);
      // The same graph and units, posted by another count.
      UnitBoard second(0);
      std::string foreign;
      counted_on(second, read, [&] {
        if (const std::optional<UnitOrder> own = second.take(10, 1)) {
          foreign = UnitWorker(ReadResult(read), second.plan(), ryser()).run(own->task, own->range, ryser());
          second.deliver(*own, foreign);
        }
      });
      ASSERT_FALSE(foreign.empty());
      const UnitDelivery delivery = board.deliver(*order, foreign);
      EXPECT_EQ(delivery.units, 0U);
      EXPECT_GT(delivery.refused, 0U);
      return;
    }
    board.deliver(*order, worker.run(order->task, order->range, ryser()));
  });
  EXPECT_EQ(result.count, count(ReadResult(read), ryser()).count);
}

}  // namespace
}  // namespace countpm::unit_board_test
