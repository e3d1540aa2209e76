#include "src/distributed/unit_board.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>
#include <utility>

#include "graph/clock.hpp"
#include "src/api/version.hpp"
#include "src/journal/checkpoint.hpp"

namespace countpm {
namespace {

constexpr auto look_at_stop_every = std::chrono::milliseconds(20);

}  // namespace

UnitBoard::Posted::Posted(const Task& posted) : task(&posted), sum(posted) {
  for (const UnitRange& range : posted.settled()) done.add(range);
  for (const UnitRange& range : posted.left()) free.add(range);
  left = free.size();
}

void UnitBoard::post(JournalHeader header) {
  const std::lock_guard lock(mutex_);
  header_ = std::move(header);
  header_.version = version();
  header_.id = random_journal_id();
  plan_ = header_lines(header_);
}

std::vector<TaskResult> UnitBoard::run(const std::vector<Task>& tasks, std::size_t first, int threads,
                                       Monitor& monitor) {
  double predicted = 0;
  for (const Task& task : tasks) predicted += task.predicted_seconds;
  if (predicted < least_seconds_) return run_tasks(tasks, threads, monitor);
  const double start = seconds_now();
  std::unique_lock lock(mutex_);
  first_ = first;
  monitor_ = &monitor;
  for (const Task& task : tasks) {
    posted_.push_back(std::make_unique<Posted>(task));
    posted_.back()->size.unit_seconds =
        std::max(task.predicted_of({0, 1}) * std::max(task.job->speed_up(threads), 1.0), 1e-12);
  }
  changed_.notify_all();
  while (!all_done() && !monitor.stop_signal().requested()) changed_.wait_for(lock, look_at_stop_every);
  const std::vector<std::unique_ptr<Posted>> own = std::exchange(posted_, {});
  monitor_ = nullptr;
  lock.unlock();
  monitor.throw_if_stopped();
  double all_seconds = 1e-9;
  for (const std::unique_ptr<Posted>& one : own) all_seconds += one->sum.new_seconds();
  std::vector<TaskResult> results;
  for (const std::unique_ptr<Posted>& one : own) {
    const double share = one->sum.new_seconds() / all_seconds;
    results.push_back(one->sum.result());
    results.back().seconds = (seconds_now() - start) * share;
  }
  return results;
}

std::string UnitBoard::plan() const {
  const std::lock_guard lock(mutex_);
  return plan_;
}

/// Null: it is none of those that are run now.
UnitBoard::Posted* UnitBoard::posted(std::size_t task) {
  return task >= first_ && task - first_ < posted_.size() ? posted_[task - first_].get() : nullptr;
}

bool UnitBoard::has_free() const {
  return std::any_of(posted_.begin(), posted_.end(), [](const auto& one) { return !one->free.empty(); });
}

bool UnitBoard::all_done() const {
  return std::all_of(posted_.begin(), posted_.end(), [](const auto& one) { return one->left == 0; });
}

std::optional<UnitOrder> UnitBoard::take(double seconds, std::uint64_t workers) {
  const std::lock_guard lock(mutex_);
  // Those that are long come first.
  Posted* longest = nullptr;
  for (const std::unique_ptr<Posted>& one : posted_) {
    if (!one->free.empty() && (longest == nullptr || one->size.unit_seconds > longest->size.unit_seconds))
      longest = one.get();
  }
  if (longest == nullptr) return std::nullopt;
  Posted& own = *longest;
  own.size.free = own.free.size();
  UnitOrder order;
  order.range = own.free.front();
  order.range.last = order.range.first + std::min(order.range.size(), own.size.units(seconds, workers));
  // The unit that a check runs again is a record by itself.
  if (const std::optional<std::uint64_t> alone = own.sum.sampled_unit()) {
    if (order.range.first < *alone) order.range.last = std::min(order.range.last, *alone);
    if (order.range.first == *alone) order.range.last = *alone + 1;
  }
  own.free.remove(order.range);
  for (std::size_t k = 0; k < posted_.size(); ++k) {
    if (posted_[k].get() == longest) order.task = first_ + k;
  }
  order.seconds = own.size.unit_seconds * static_cast<double>(order.range.size());
  return order;
}

bool UnitBoard::accept(Posted& own, std::size_t task, FinishedRange finished) {
  const UnitRange range = finished.range;
  if (own.done.meets(range)) return false;
  // The unit that a check runs again is to be known by itself: take() hands it out so.
  const std::optional<std::uint64_t> alone = own.sum.sampled_unit();
  if (alone && range.size() > 1 && range.first <= *alone && *alone < range.last) return false;
  own.done.add(range);
  own.free.remove(range);
  own.left -= range.size();
  own.size.see(finished.seconds / static_cast<double>(range.size()));
  own.sum.add(std::move(finished));
  monitor_->describe(own.task->method, task + 1, first_ + posted_.size());
  monitor_->finish(own.task->predicted_of(range));
  return true;
}

UnitDelivery UnitBoard::deliver(const UnitOrder& order, const std::string& records) {
  const std::lock_guard lock(mutex_);
  UnitDelivery delivery;
  Posted* own = posted(order.task);
  std::istringstream lines(records);
  for (std::string line; std::getline(lines, line);) {
    std::optional<JournalRecord> record = parse_record(header_, line);
    const bool asked_for = record && record->task == order.task && !record->finished.range.empty() &&
                           record->finished.range.first >= order.range.first &&
                           record->finished.range.last <= order.range.last;
    if (!asked_for) {
      ++delivery.refused;
      continue;
    }
    const std::uint64_t units = record->finished.range.size();
    const double seconds = record->finished.seconds;
    // What comes when a run is over was done by somebody else, too.
    if (own == nullptr || !accept(*own, order.task, std::move(record->finished))) {
      ++delivery.repeated;
      continue;
    }
    delivery.units += units;
    delivery.seconds += seconds;
  }
  if (own != nullptr) free_again(*own, order.range);
  changed_.notify_all();
  return delivery;
}

void UnitBoard::free_again(Posted& own, const UnitRange& range) {
  for (const UnitRange& lacking : own.done.lacks(range)) own.free.add(lacking);
}

void UnitBoard::give_back(const UnitOrder& order) {
  const std::lock_guard lock(mutex_);
  if (Posted* own = posted(order.task)) free_again(*own, order.range);
  changed_.notify_all();
}

void UnitBoard::wait(double seconds) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return closed_ || has_free(); });
}

void UnitBoard::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

}  // namespace countpm
