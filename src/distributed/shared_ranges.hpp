#pragma once
// Ranges of numbered pieces of work of any kind, draws or chunks of samples, on all ranks: what a piece
// brings is bytes. Rank 0 takes part; the numbers decide what they bring, not who did them.
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "src/machine/channel.hpp"
#include "src/units/unit_queue.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// What has to be the same on all ranks.
struct RangePlan {
  std::string question;  // all that fixes what pieces bring beside the input, in words
  std::string sha256;    // of the input
  std::uint64_t seed = 1;
};

/// Rank 0.
class SharedRanges {
 public:
  /// Tells the others. The channel outlives this.
  SharedRanges(Channel& channel, RangePlan plan);

  /// A task is about to begin: the others can get ready for it.
  void prepare(std::size_t task);

  struct Work {
    std::size_t task = 0;
    UnitRange numbers;
    std::uint64_t grain = 1;  // so many are done together: where a beginning costs much by itself
    /// Does some of them here, or takes what they brought elsewhere; each comes once, in whatever order.
    std::function<void(const UnitRange& numbers)> own;
    /// Throws CheckError, or std::exception, for bytes that they cannot have brought.
    std::function<void(const UnitRange& numbers, const std::string& bytes)> take;
    /// Whether no more is to be begun; empty: never.
    std::function<bool()> ended = {};
  };
  /// Returns when all are done, or the work has ended and nothing is under way. Throws what the monitor says
  /// where it is stopped, and what stopped another rank.
  void run(const Work& work, Monitor& monitor);

 private:
  class Phase;
  struct Rank {
    bool ready = false;
    std::map<std::size_t, double> numbers_a_second;  // by task, as seen
  };
  void hear(const Message& message, Phase* phase);

  Channel& channel_;
  RangePlan plan_;
  std::string id_;
  std::vector<Rank> ranks_;
  std::map<std::size_t, double> seconds_each_;  // of rank 0, by task, as seen
};

/// What another rank does with ranges.
struct RangeWorker {
  std::function<void(std::size_t task)> prepare;
  std::function<std::string(std::size_t task, const UnitRange& numbers)> run;
};
/// Follows rank 0, which is to have the same plan, until EndOfCount (follower.hpp) is thrown. own.question:
/// what this rank would ask.
[[noreturn]] void follow_ranges(Channel& channel, const RangePlan& own, const RangeWorker& worker,
                                Monitor& monitor);

}  // namespace countpm
