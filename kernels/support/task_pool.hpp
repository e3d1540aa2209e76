#pragma once
// Tasks that make others, on several threads: a tree's subtrees from the root down, or from the leaves up.
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "graph/stop_signal.hpp"
#include "kernels/support/run_on_threads.hpp"

namespace countpm {

/// Tasks that wait, the last one added first, and how many are under way.
template <class Task>
class TaskPool {
 public:
  explicit TaskPool(std::vector<Task> tasks) : waiting_(std::move(tasks)) {}

  void add(Task task) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(task));
    }
    changed_.notify_one();
  }
  /// Waits for a task; none where all are done, or one has failed. done() or fail() follows.
  std::optional<Task> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || !waiting_.empty() || under_way_ == 0; });
    if (failure_ || waiting_.empty()) return std::nullopt;
    std::optional<Task> task(std::move(waiting_.back()));
    waiting_.pop_back();
    ++under_way_;
    return task;
  }
  void done() {
    bool last = false;
    {
      const std::lock_guard lock(mutex_);
      last = --under_way_ == 0 && waiting_.empty();
    }
    if (last) changed_.notify_all();
  }
  void fail(std::exception_ptr why) {
    {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::move(why);
    }
    changed_.notify_all();
  }
  /// Of the first that failed; when no thread works any more.
  const std::exception_ptr& failure() const { return failure_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Task> waiting_;
  std::size_t under_way_ = 0;
  std::exception_ptr failure_;
};

/// Each thread calls make_worker() once, and what that returns as worker(task, add) for one task after
/// another, until none waits and none is under way. add(task): one that may be done from now on. What a task
/// throws is thrown here, and the others are left; check_stop() looks at the caller's signal in all threads,
/// before every task too. What no thread can be started for is done by those that there are.
template <class Task, class MakeWorker>
void work_through(int threads, std::vector<Task> tasks, const MakeWorker& make_worker) {
  TaskPool<Task> pool(std::move(tasks));
  const auto work = [&] {
    try {
      auto worker = make_worker();
      const auto add = [&pool](Task task) { pool.add(std::move(task)); };
      while (std::optional<Task> task = pool.next()) {
        check_stop();
        worker(std::move(*task), add);
        pool.done();
      }
    } catch (...) {
      pool.fail(std::current_exception());
    }
  };
  run_on_threads(static_cast<std::uint64_t>(std::max(threads, 1)), work);
  if (pool.failure()) std::rethrow_exception(pool.failure());
}

}  // namespace countpm
