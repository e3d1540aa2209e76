#pragma once
// Several ranks of one count: whether mpirun or srun started them, and what each does then.
#include <memory>
#include <string>

#include "apps/options.hpp"
#include "src/machine/channel.hpp"

namespace countpm::app {

/// As long as it lives the ranks can talk. Alone, it does nothing.
class Ranks {
 public:
  Ranks();
  /// Where the environment says that mpirun or srun started several of us, begins MPI, in this thread, which
  /// is to be the one that counts. Throws UnableError where this program has no MPI, UsageError where the
  /// ranks do not find each other.
  void begin();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  bool several() const { return channel_ != nullptr; }
  /// Rank 0, or alone: who speaks to the user.
  bool leads() const { return channel_ == nullptr || channel_->rank() == 0; }
  Channel* channel() const { return channel_.get(); }

  /// On rank 0: says how many of the others are gone, where that are some.
  void tell_losses() const;
  /// Whether this is the first of the ranks that are not lost.
  bool is_first_left() const;

  /// Throws UsageError for commands that several ranks do not do together.
  void check(const Request& request) const;
  /// Rank 0 tells the others that it is over. Called once, in any case.
  void end();

 private:
  std::unique_ptr<Channel> channel_;
};

/// An input, on rank 0 or alone: mpirun gives standard input to rank 0, which has its bytes then.
Source source_on_ranks(const Request& request, const std::string& argument);
/// That of a count or an estimate: rank 0 gives standard input to all.
Source source_for_all(const Request& request);
/// Whether the request is for a rank that follows.
bool follows(const Request& request);
/// What such a rank counts, or draws, with: Ctrl-C ends that, and it has the time to hear of it.
CountOptions options_to_follow(const Request& request);

/// What such a rank does in a series or a comparison.
[[noreturn]] void follow_with_others(const Request& request);

/// Whether the environment says so.
bool several_ranks_started();

/// For `version`: with which MPI, or that there is none.
std::string mpi_status();

}  // namespace countpm::app
