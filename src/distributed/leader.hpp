#pragma once
// Rank 0 of a count on several machines: it hands out units, its own processors among those who get them, and
// keeps what comes back.
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "src/journal/journal.hpp"
#include "src/machine/channel.hpp"
#include "src/run/executor.hpp"

namespace countpm {

class Dispatcher;
class LocalRunners;

class Leader {
 public:
  /// The channel outlives the leader.
  explicit Leader(Channel& channel) : channel_(&channel) {}

  /// The plan, everything that fixes the units: the others are told once there is something for them to do.
  /// They make it again of the input that they read themselves.
  void share(JournalHeader header);

  /// As run_tasks(), on all ranks. The tasks are those of the header from the first-th on. Ranks join when
  /// they have made the plan; nobody waits for them. Throws what a unit threw here, UsageError, UnableError,
  /// InterruptedError or CheckError for what stopped another rank (with its number), or what the monitor
  /// says.
  std::vector<TaskResult> run(const std::vector<Task>& tasks, std::size_t first, int threads,
                              Monitor& monitor);

 private:
  class Phase;

  Channel* channel_;
  JournalHeader header_;
  bool told_ = false;
  int phase_ = 0;
};

/// In a list of the ranks' numbers as workers of a dispatcher: it is none.
inline constexpr std::size_t no_worker = ~std::size_t{0};

/// What lost ranks hold is free again, and they are no workers any more. noted: how many of the channel's
/// lost ranks this has seen.
void drop_lost_ranks(const Channel& channel, Dispatcher& dispatcher, std::vector<std::size_t>& workers,
                     int& noted);

/// Whether every rank but rank 0 has answered, or is lost and never will.
bool all_answered(const Channel& channel, const std::vector<bool>& answered);

/// To every rank but rank 0.
void tell_others(Channel& channel, const std::string& text);

/// Takes what another rank says; where that cannot be read, it is a CheckError with the rank's number.
void hear_rank(const Message& message, const std::function<void(const Message&)>& take);

/// Throws what stopped another rank, of which its message "failed" tells: UsageError, UnableError,
/// InterruptedError or CheckError, or std::runtime_error.
[[noreturn]] void throw_rank_failure(int rank, const std::string& text);

/// How much memory the rank has that has the least, of those that follow() a count and of rank 0, which has
/// own_bytes; they are asked, and answer once they have read and reduced the input. Throws what stopped one
/// of them, or what the monitor says.
std::uint64_t least_room_of_ranks(Channel& channel, std::uint64_t own_bytes, const Monitor& monitor);

/// Tells the others what rank 0 read from standard input; before any count of it.
void share_input(Channel& channel, const std::string& bytes);

/// At the end, whatever it was: the others are told, and those that are not lost heard to the end. Rank 0
/// alone calls it, once.
void end_ranks(Channel& channel);

}  // namespace countpm
