#pragma once
// Items that come one after another, worked on by several threads, and answered in their order.
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/first_failure.hpp"
#include "graph/look_out.hpp"
#include "graph/stop_signal.hpp"
#include "src/machine/startable_threads.hpp"

namespace countpm {

/// `next` is called by one thread at a time, and may wait for more to come in; `work` by any number of them.
/// No item is fetched that would be too far ahead of the answers that were taken: memory stays bounded
/// however long the list is. What both throw ends it, but Stopped.
template <class Item, class Answer>
class OrderedWork {
 public:
  OrderedWork(std::size_t threads, std::function<std::optional<Item>()> next,
              std::function<Answer(Item)> work)
      : wanted_threads_(threads),
        next_(std::move(next)),
        work_(std::move(work)),
        slot_(ahead_each * threads) {}
  ~OrderedWork() { end(); }
  OrderedWork(const OrderedWork&) = delete;
  OrderedWork& operator=(const OrderedWork&) = delete;

  /// Requested where the rest is not to be done: what `work` waits for should look at it.
  const StopSignal& stop_signal() const { return stop_; }

  /// Once. Starts up to that many threads (fewer where the system has no more, and UnableError where it has
  /// none), and calls deliver(answer) in the order of the items, from this thread, until it returns false or
  /// there are no more; and, while it waits, idle() every 50 ms at least. Throws what all of them throw.
  template <class Deliver, class Idle>
  void run(const Deliver& deliver, const Idle& idle) {
    if constexpr (one_thread) return run_here(deliver, idle);
    start();
    std::unique_lock lock(mutex_);
    for (;;) {
      std::optional<Answer>& slot = slot_[delivered_ % slot_.size()];
      if (!slot) {
        if (over()) break;
        lock.unlock();
        idle();
        lock.lock();
        if (!slot && !over()) changed_.wait_for(lock, patience);
        continue;
      }
      Answer answer = std::move(*slot);
      slot.reset();
      ++delivered_;
      room_.notify_all();
      lock.unlock();
      if (!deliver(std::move(answer))) return;
      lock.lock();
    }
    lock.unlock();
    failure_.rethrow();
  }

  /// Stops what is under way, and waits for it.
  void end() {
    stop_.request();
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    room_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  static constexpr std::size_t ahead_each = 128;
  static constexpr auto patience = std::chrono::milliseconds(50);

  /// Where there is no other thread: one item after the other.
  template <class Deliver, class Idle>
  void run_here(const Deliver& deliver, const Idle& idle) {
    const StopScope scope(&stop_);
    for (std::optional<Item> item = next_(); item; item = next_()) {
      idle();
      if (!deliver(work_(*std::move(item)))) return;
    }
  }

  void start() {
    threads_.reserve(wanted_threads_);
    try {
      while (threads_.size() < wanted_threads_) threads_.push_back(start_thread([this] { serve(); }));
    } catch (const UnableError&) {
      if (threads_.empty()) throw;
    }
  }

  /// With the lock: nothing more comes.
  bool over() const { return failed_ || (ended_ && delivered_ == fetched_); }

  void serve() {
    const StopScope scope(&stop_);
    if (failure_.guard([&] { answer_all(); })) return;
    stop_.request();
    const std::lock_guard lock(mutex_);
    failed_ = true;
    changed_.notify_all();
    room_.notify_all();
  }

  void answer_all() {
    while (std::optional<std::pair<std::uint64_t, Item>> item = fetch()) {
      Answer answer = work_(std::move(item->second));
      const std::lock_guard lock(mutex_);
      slot_[item->first % slot_.size()] = std::move(answer);
      if (item->first == delivered_) changed_.notify_all();
    }
  }

  std::optional<std::pair<std::uint64_t, Item>> fetch() {
    const std::lock_guard one_at_a_time(next_mutex_);
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return ended_ || failed_ || fetched_ - delivered_ < slot_.size(); });
    if (ended_ || failed_) return std::nullopt;
    lock.unlock();
    std::optional<Item> item = next_();
    lock.lock();
    if (!item) {
      ended_ = true;
      changed_.notify_all();
      return std::nullopt;
    }
    return std::pair(fetched_++, std::move(*item));
  }

  std::size_t wanted_threads_;
  std::function<std::optional<Item>()> next_;
  std::function<Answer(Item)> work_;
  StopSignal stop_;
  std::mutex next_mutex_;  // before the other
  std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable room_;
  std::vector<std::optional<Answer>> slot_;  // by the item's number
  std::uint64_t fetched_ = 0;
  std::uint64_t delivered_ = 0;
  bool ended_ = false;   // there are no more items
  bool failed_ = false;  // something was thrown
  FirstFailure failure_;
  std::vector<std::thread> threads_;
};

}  // namespace countpm
