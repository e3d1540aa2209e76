#pragma once
// Several counts and estimates one after another on the same ranks: rank 0 says what is next, once it has
// something for others to do, and waits until they are through with it.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "graph/read.hpp"
#include "src/api/entries.hpp"
#include "src/machine/channel.hpp"

namespace countpm {

/// What tells an input from others, where every rank can read it by itself or is told it; empty: they cannot.
inline const std::string& shared_name(const InputInfo& input) {
  return input.lattice ? input.path : input.sha256;
}

/// What the ranks do next. All have the same command line; this is what of it is meant.
struct RankJob {
  std::string what;                   // "count", "estimate"
  Source source;                      // files and lattices are read by every rank, bytes are told
  std::optional<Format> format = {};  // of bytes
  std::uint64_t seed = 1;
  std::string sampler = {};  // of a comparison's estimate
  std::uint64_t samples = 0;
};
std::string job_text(const RankJob& job);
/// Throws std::exception for what is none.
RankJob parse_job(const std::string& text);

/// Rank 0's end of the channel, for as long as a job takes.
class LeadingJob : public Channel {
 public:
  /// The channel outlives the job. text: as follow_jobs() gives it to the others, before the first message
  /// that any of them gets.
  LeadingJob(Channel& channel, std::string text) : channel_(channel), text_(std::move(text)) {}
  int rank() const override { return channel_.rank(); }
  int ranks() const override { return channel_.ranks(); }
  int local_rank() const override { return channel_.local_rank(); }
  int local_ranks() const override { return channel_.local_ranks(); }
  int local_cores() const override { return channel_.local_cores(); }
  void send(int to, std::string text) override;
  std::optional<Message> receive() override { return channel_.receive(); }
  double worth_seconds() const override { return channel_.worth_seconds(); }
  bool lost(int rank) const override { return channel_.lost(rank); }
  int lost_ranks() const override { return channel_.lost_ranks(); }

  /// However the job went: waits until the others are through with it, if they have heard of it. Throws
  /// InterruptedError where `interrupted` says so, or one of them was.
  void finish(const std::function<bool()>& interrupted);

 private:
  Channel& channel_;
  std::string text_;
  bool told_ = false;
};

/// work(options), whose channel is the job's; alone just that.
template <class Work>
auto as_job(const CountOptions& options, const RankJob& job, const Work& work) {
  if (options.channel == nullptr) return work(options);
  LeadingJob leading(*options.channel, job_text(job));
  CountOptions own = options;
  own.channel = &leading;
  try {
    auto result = work(own);
    leading.finish(options.interrupted);
    return result;
  } catch (...) {
    leading.finish(options.interrupted);
    throw;
  }
}

/// Another rank's end of the channel: where the job is over, that is the end of all to whoever works on it.
class FollowedJob : public Channel {
 public:
  explicit FollowedJob(Channel& channel) : channel_(channel) {}
  int rank() const override { return channel_.rank(); }
  int ranks() const override { return channel_.ranks(); }
  int local_rank() const override { return channel_.local_rank(); }
  int local_ranks() const override { return channel_.local_ranks(); }
  int local_cores() const override { return channel_.local_cores(); }
  void send(int to, std::string text) override { channel_.send(to, std::move(text)); }
  std::optional<Message> receive() override;
  double worth_seconds() const override { return channel_.worth_seconds(); }
  bool lost(int rank) const override { return channel_.lost(rank); }
  int lost_ranks() const override { return channel_.lost_ranks(); }
  bool over() const { return over_; }

 private:
  Channel& channel_;
  bool over_ = false;
};

/// The jobs of rank 0, one after another: `work` follows it until a job is over. What it throws is told to
/// rank 0, which may go on with others. Never returns: throws EndOfCount (follower.hpp) once all is over.
[[noreturn]] void follow_jobs(Channel& channel, const std::function<bool()>& interrupted,
                              const std::function<void(Channel& channel, const std::string& text)>& work);

}  // namespace countpm
