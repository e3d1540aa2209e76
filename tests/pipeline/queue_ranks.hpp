#pragma once
// Ranks that are threads here, and their messages queues.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/distributed/follower.hpp"
#include "src/distributed/leader.hpp"
#include "src/distributed/protocol.hpp"
#include "src/machine/channel.hpp"

namespace countpm::testing {

/// What a rank throws that dies.
struct Died {};

/// The queues of all ranks.
struct Post {
  explicit Post(int ranks) : queues(static_cast<std::size_t>(ranks)) {}
  /// Of ranks that are to die: with which piece of work, 1 the first that they are given; of rank 0, that it
  /// gives to whom it may be. Rank 0 waits for the others' deaths, so that no work ends before.
  std::map<int, int> doomed;
  std::map<int, int> touched;  // pieces, by those
  std::set<int> lost;

  static bool is_work(const std::string& text) {
    const std::string word = protocol::parts(text).first;
    return word == "run" || word == "draw" || word == "take";
  }
  /// The rank has been given, or gives, a piece of work; under the mutex.
  void touch_work(int rank) {
    const auto doom = doomed.find(rank);
    if (doom == doomed.end() || ++touched[rank] < doom->second) return;
    lost.insert(rank);
    spoke.notify_all();
    throw Died();
  }

  /// The channels'. All work is shared, or on a machine that is fast enough none would be.
  double worth_seconds = 0;

  std::mutex mutex;
  std::condition_variable spoke;
  std::vector<std::deque<Message>> queues;
  std::set<int> heard;              // the ranks but 0 that have sent something
  std::map<std::string, int> sent;  // by rank 0: how often each word
  /// Looks at a message before it is posted, and may change it; empty: nobody does.
  std::function<void(int from, std::string& text)> change;
};

class QueueChannel : public Channel {
 public:
  QueueChannel(Post& post, int rank) : post_(post), rank_(rank) {}
  int rank() const override { return rank_; }
  int ranks() const override { return static_cast<int>(post_.queues.size()); }
  int local_rank() const override { return rank_; }
  int local_ranks() const override { return ranks(); }
  int local_cores() const override { return 1; }
  void send(int to, std::string text) override {
    const std::lock_guard lock(post_.mutex);
    if (rank_ == 0) ++post_.sent[protocol::parts(text).first];
    if (post_.lost.count(to) != 0) return;
    if (rank_ == 0 && Post::is_work(text)) {
      post_.touch_work(0);
      ++given_[to];
    }
    if (post_.change) post_.change(rank_, text);
    post_.queues[static_cast<std::size_t>(to)].push_back({rank_, std::move(text)});
    if (rank_ != 0 && post_.heard.insert(rank_).second) post_.spoke.notify_all();
  }
  std::optional<Message> receive() override {
    const std::lock_guard lock(post_.mutex);
    std::deque<Message>& queue = post_.queues[static_cast<std::size_t>(rank_)];
    if (post_.lost.count(0) != 0) return Message{0, protocol::message("end")};
    while (!queue.empty() && post_.lost.count(queue.front().from) != 0) queue.pop_front();
    if (queue.empty()) return std::nullopt;
    Message message = std::move(queue.front());
    queue.pop_front();
    if (rank_ != 0 && Post::is_work(message.text)) post_.touch_work(rank_);
    return message;
  }
  double worth_seconds() const override { return post_.worth_seconds; }
  bool lost(int rank) const override {
    const std::lock_guard lock(post_.mutex);
    return post_.lost.count(rank) != 0;
  }
  int lost_ranks() const override {
    const std::lock_guard lock(post_.mutex);
    return static_cast<int>(post_.lost.size());
  }

 protected:
  static constexpr std::chrono::seconds longest_wait{60};

  /// Until those are dead that are given the work that they die with.
  void await_deaths() {
    std::unique_lock lock(post_.mutex);
    const bool all = post_.spoke.wait_for(lock, longest_wait, [this] {
      return std::all_of(given_.begin(), given_.end(), [this](const std::pair<const int, int>& one) {
        const auto doom = post_.doomed.find(one.first);
        return doom == post_.doomed.end() || post_.lost.count(one.first) != 0 || doom->second > one.second;
      });
    });
    EXPECT_TRUE(all) << "a rank does not die";
  }

 private:
  Post& post_;
  int rank_;
  std::map<int, int> given_;  // by rank 0: pieces of work, to each
};

/// Rank 0's: it waits with its first look for messages until all others have sent one. Else rank 0 could be
/// done before they begin, on a busy machine, and a test of what they do would see nothing.
class MeetingChannel : public QueueChannel {
 public:
  explicit MeetingChannel(Post& post) : QueueChannel(post, 0), post_(post) {}
  std::optional<Message> receive() override {
    if (!std::exchange(met_, true)) {
      std::unique_lock lock(post_.mutex);
      const bool all = post_.spoke.wait_for(lock, longest_wait,
                                            [this] { return post_.heard.size() + 1 == post_.queues.size(); });
      EXPECT_TRUE(all) << "a rank says nothing";
    }
    await_deaths();
    return QueueChannel::receive();
  }

 private:
  Post& post_;
  bool met_ = false;
};

/// lead(channel) on rank 0, and on each of the others follow(channel), on a thread of its own until rank 0
/// says that all is over. Returns, or throws, what `lead` does.
template <class Lead, class Follow>
auto on_all_ranks(Post& post, const Lead& lead, const Follow& follow) {
  std::vector<std::thread> others;
  for (int rank = 1; rank < static_cast<int>(post.queues.size()); ++rank) {
    others.emplace_back([&post, &follow, rank] {
      QueueChannel channel(post, rank);
      try {
        follow_to_end(channel, [&] { follow(channel); });
      } catch (const Died&) {
        return;
      }
    });
  }
  MeetingChannel channel(post);
  decltype(lead(channel)) result{};
  std::exception_ptr failure;
  try {
    result = lead(channel);
  } catch (...) {
    failure = std::current_exception();
  }
  if (!channel.lost(0)) end_ranks(channel);
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
  return result;
}

}  // namespace countpm::testing
