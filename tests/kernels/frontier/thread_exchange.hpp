#pragma once
// The parts of one piece of work as threads here, and what they send each other queues.
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/support/exchange.hpp"

namespace countpm::testing {

/// The queues of all parts.
class ThreadPost {
 public:
  explicit ThreadPost(int parts)
      : queues_(static_cast<std::size_t>(parts),
                std::vector<std::deque<std::string>>(static_cast<std::size_t>(parts))) {}

  std::size_t parts() const { return queues_.size(); }
  void put(std::size_t from, std::vector<std::string> bytes) {
    const std::lock_guard lock(mutex_);
    for (std::size_t to = 0; to < parts(); ++to) queues_[to][from].push_back(std::move(bytes[to]));
    came_.notify_all();
  }
  std::vector<std::string> take(std::size_t to) {
    std::unique_lock lock(mutex_);
    const auto there = [&] {
      for (const auto& queue : queues_[to]) {
        if (queue.empty()) return false;
      }
      return true;
    };
    came_.wait(lock, [&] { return given_up_ || there(); });
    if (given_up_) throw Stopped();
    std::vector<std::string> bytes;
    for (auto& queue : queues_[to]) {
      most_waiting_ = std::max(most_waiting_, queue.size());
      bytes.push_back(std::move(queue.front()));
      queue.pop_front();
    }
    return bytes;
  }
  /// Nobody waits any more.
  void give_up() {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
    came_.notify_all();
  }
  /// The most that one part had waiting from another when it took something.
  std::size_t most_waiting() const { return most_waiting_; }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<std::vector<std::deque<std::string>>> queues_;  // [to][from]
  std::size_t most_waiting_ = 0;
  bool given_up_ = false;
};

class ThreadExchange : public Exchange {
 public:
  ThreadExchange(ThreadPost& post, int part) : post_(post), part_(part) {}
  int part() const override { return part_; }
  int parts() const override { return static_cast<int>(post_.parts()); }
  void give(std::vector<std::string> bytes) override {
    post_.put(static_cast<std::size_t>(part_), std::move(bytes));
  }
  std::vector<std::string> take(const StopSignal& stop) override {
    stop.check();
    return post_.take(static_cast<std::size_t>(part_));
  }

 private:
  ThreadPost& post_;
  int part_;
};

/// run(exchange) of each part on a thread of its own, and what they return. Where one throws the others stop,
/// and it is thrown here.
template <class Run>
auto on_all_parts(int parts, const Run& run, std::size_t* most_waiting = nullptr) {
  ThreadPost post(parts);
  std::vector<decltype(run(std::declval<Exchange&>()))> results(static_cast<std::size_t>(parts));
  std::mutex mutex;
  std::exception_ptr failure;
  std::vector<std::thread> threads;
  threads.reserve(results.size());
  for (int part = 0; part < parts; ++part) {
    threads.emplace_back([&, part] {
      ThreadExchange exchange(post, part);
      try {
        results[static_cast<std::size_t>(part)] = run(exchange);
      } catch (const Stopped&) {
        post.give_up();
      } catch (...) {
        {
          const std::lock_guard lock(mutex);
          if (!failure) failure = std::current_exception();
        }
        post.give_up();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  if (most_waiting != nullptr) *most_waiting = post.most_waiting();
  return results;
}

}  // namespace countpm::testing
