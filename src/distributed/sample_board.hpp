#pragma once
// An estimate whose samples others draw, whoever they are: the estimate posts the samples of a round here,
// and somebody takes them away and brings back batches.
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>

#include "src/distributed/sample_crew.hpp"
#include "src/distributed/work_board.hpp"
#include "src/units/range_set.hpp"

namespace countpm {

/// Thread-safe: the estimate is on one thread, whoever hands out its samples on others.
class SampleBoard : public SampleCrew, public WorkBoard {
 public:
  /// What is predicted to take less time than that is not posted: whoever estimates draws it.
  explicit SampleBoard(double least_seconds) : least_seconds_(least_seconds) {}

  void share_blocks(const JournalHeader&) override {}
  /// Those of a replicate take the place of the one's before: orders of that are not wanted any more.
  void share_samplers(JournalHeader header) override;
  double least_seconds() const override { return least_seconds_; }
  /// Batches that are damaged, of other samples than were asked for, or that the block cannot have, are
  /// refused, and what they were to bring is there for others again.
  double draw(const SampleRound& round, Monitor& monitor) override;

  std::string plan() const override;
  std::string plan_of(const UnitOrder& order) const override;
  std::optional<UnitOrder> take(double seconds, std::uint64_t workers) override;
  UnitDelivery deliver(const UnitOrder& order, const std::string& records) override;
  void give_back(const UnitOrder& order) override;
  void wait(double seconds) override;
  void close() override;

 private:
  bool is_current(const UnitOrder& order) const;
  void free_again(const UnitOrder& order);

  double least_seconds_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  JournalHeader header_;
  std::string plan_;
  std::uint64_t plan_number_ = 0;
  const SampleRound* round_ = nullptr;  // that is drawn now
  RangeSet free_;
  RangeSet done_;
  std::uint64_t left_ = 0;
  std::uint64_t under_way_ = 0;  // orders
  bool ended_ = false;           // nothing more is to be taken
  OrderSize size_;
  std::map<std::size_t, double> seconds_a_sample_;  // by series, as seen
  bool closed_ = false;
};

}  // namespace countpm
