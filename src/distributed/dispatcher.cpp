#include "src/distributed/dispatcher.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace countpm {
namespace {

constexpr std::int32_t nobody = -1;
constexpr std::int32_t finished_by_somebody = -2;
constexpr double least_rate = 1e-9;
// Near the end a worker leads by this share of the time that is left: the rest evens out who was predicted
// wrongly.
constexpr double share_of_end = 0.5;

}  // namespace

Dispatcher::Dispatcher(std::vector<DispatchTask> tasks, const DispatchSettings& settings)
    : tasks_(std::move(tasks)), settings_(settings) {
  std::uint64_t units = 0;
  for (const DispatchTask& task : tasks_) {
    starts_.push_back(units);
    units += task.units;
  }
  starts_.push_back(units);
  owner_.assign(units, nobody);
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    tasks_[t].unit_seconds = std::max(tasks_[t].unit_seconds, 1e-12);
    for (const UnitRange& range : rest_of(tasks_[t].units, tasks_[t].done)) {
      free_.emplace(starts_[t] + range.first, starts_[t] + range.last);
      units_left_ += range.size();
      work_left_ += static_cast<double>(range.size()) * tasks_[t].unit_seconds;
    }
    for (const UnitRange& range : tasks_[t].done) {
      for (std::uint64_t unit = range.first; unit < range.last; ++unit)
        owner_[starts_[t] + unit] = finished_by_somebody;
    }
  }
}

std::size_t Dispatcher::add_worker(const WorkerTraits& traits, double now) {
  Worker worker;
  worker.traits = traits;
  worker.traits.slots = std::max(traits.slots, 1U);
  worker.rate = std::max(traits.rate, least_rate);
  worker.heard = now;
  workers_.push_back(worker);
  refresh();
  return workers_.size() - 1;
}

std::size_t Dispatcher::task_of(std::uint64_t unit) const {
  return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), unit) - starts_.begin()) -
         1;
}

/// Whether the others would be through with everything before this worker with one unit.
bool Dispatcher::too_slow(const Worker& worker, double unit_seconds) const {
  const double own = unit_seconds * worker.traits.slots / worker.rate;
  const double others = seconds_left() + 2 * unit_seconds / fastest_unit_rate_;
  return own > others;
}

std::optional<Assignment> Dispatcher::next(std::size_t number, double now) {
  Worker& worker = workers_[number];
  if (worker.lost || free_.empty()) return std::nullopt;
  if (until_refresh_ == 0) refresh();
  const auto at = free_.begin();
  const std::uint64_t first = at->first;
  const std::size_t task = task_of(first);
  const double unit_seconds = tasks_[task].unit_seconds;
  // Its slots and its lead, but no more than its share of what is left.
  const double slots_work = worker.traits.slots * unit_seconds;
  const double share = std::ceil(work_left_ * worker.rate / total_rate_ / unit_seconds - 1e-9) * unit_seconds;
  const double lead = std::min(worker.traits.lead_seconds, share_of_end * seconds_left());
  const double most = std::min(slots_work + lead * worker.rate, share) - worker.held_work;
  if (most < 0.5 * unit_seconds && worker.held > 0) return std::nullopt;
  if (too_slow(worker, unit_seconds)) {
    if (!stale_) return std::nullopt;
    refresh();  // the fastest may have become slower
    if (too_slow(worker, unit_seconds)) return std::nullopt;
  }
  const double units = std::clamp(std::floor(most / unit_seconds + 0.5), 1.0, 1e15);
  const std::uint64_t end = std::min(at->second, starts_[task + 1]);
  const std::uint64_t last = first + std::min(end - first, static_cast<std::uint64_t>(units));
  const std::uint64_t rest = at->second;
  free_.erase(at);
  if (last < rest) free_.emplace(last, rest);
  for (std::uint64_t unit = first; unit < last; ++unit) owner_[unit] = static_cast<std::int32_t>(number);
  if (worker.held == 0) worker.heard = now;
  worker.held += last - first;
  worker.held_work += static_cast<double>(last - first) * unit_seconds;
  return Assignment{task, {first - starts_[task], last - starts_[task]}};
}

bool Dispatcher::finish(std::size_t number, const Assignment& finished, double now) {
  if (finished.task >= tasks_.size() || finished.range.first >= finished.range.last ||
      finished.range.last > tasks_[finished.task].units)
    return false;
  Worker& worker = workers_[number];
  if (std::exchange(worker.lost, false)) refresh();
  const std::uint64_t first = starts_[finished.task] + finished.range.first;
  const std::uint64_t last = starts_[finished.task] + finished.range.last;
  const double unit_seconds = tasks_[finished.task].unit_seconds;
  const double work = static_cast<double>(last - first) * unit_seconds;
  see_rate(worker, work, now);
  stale_ = true;
  if (until_refresh_ > 0) --until_refresh_;
  for (std::uint64_t unit = first; unit < last; ++unit) {
    if (owner_[unit] != finished_by_somebody) continue;
    release(number, first, last);
    return false;
  }
  for (std::uint64_t unit = first; unit < last; ++unit) {
    const std::int32_t owner = std::exchange(owner_[unit], finished_by_somebody);
    if (owner >= 0) {
      Worker& holder = workers_[static_cast<std::size_t>(owner)];
      --holder.held;
      holder.held_work = holder.held == 0 ? 0 : std::max(holder.held_work - unit_seconds, 0.0);
      continue;
    }
    // It was free again: its worker had been given up.
    auto range = std::prev(free_.upper_bound(unit));
    const std::uint64_t end = range->second;
    if (range->first == unit) {
      free_.erase(range);
    } else {
      range->second = unit;
    }
    if (unit + 1 < end) free_.emplace(unit + 1, end);
  }
  units_left_ -= last - first;
  work_left_ = units_left_ == 0 ? 0 : std::max(work_left_ - work, unit_seconds);
  return true;
}

void Dispatcher::see_rate(Worker& worker, double work, double now) {
  const double seconds = std::max(now - worker.heard, 0.0);
  const double kept = std::exp(-seconds / settings_.rate_memory_seconds);
  worker.work_seen = worker.work_seen * kept + work;
  worker.seconds_seen = worker.seconds_seen * kept + seconds;
  worker.heard = now;
  // The first results come in a bunch, or after a start that takes its time.
  if (worker.seconds_seen < 1e-6) return;
  const double before = worker.rate;
  worker.rate = std::max(worker.work_seen / worker.seconds_seen, least_rate);
  total_rate_ = std::max(total_rate_ + worker.rate - before, least_rate);
}

void Dispatcher::free_unit(std::uint64_t unit) {
  owner_[unit] = nobody;
  const auto after = free_.upper_bound(unit);
  if (after != free_.begin() && std::prev(after)->second == unit && task_of(unit) == task_of(unit - 1)) {
    std::prev(after)->second = unit + 1;
  } else {
    free_.emplace(unit, unit + 1);
  }
}

void Dispatcher::release(std::size_t number, std::uint64_t first, std::uint64_t last) {
  Worker& worker = workers_[number];
  for (std::uint64_t unit = first; unit < last; ++unit) {
    if (owner_[unit] != static_cast<std::int32_t>(number)) continue;
    free_unit(unit);
    --worker.held;
    worker.held_work = worker.held == 0 ? 0 : std::max(worker.held_work - unit_work(unit), 0.0);
  }
}

void Dispatcher::release_all(std::size_t number) {
  if (workers_[number].held > 0) release(number, 0, owner_.size());
}

void Dispatcher::lose(std::size_t number) {
  release_all(number);
  workers_[number].lost = true;
  refresh();
}

void Dispatcher::find(std::size_t number) {
  workers_[number].lost = false;
  refresh();
}

std::uint64_t Dispatcher::reclaim(double now) {
  const bool somebody_idle = std::any_of(workers_.begin(), workers_.end(), [](const Worker& worker) {
    return !worker.lost && worker.held == 0;
  });
  if (!somebody_idle) return 0;
  std::uint64_t freed = 0;
  for (std::size_t number = 0; number < workers_.size(); ++number) {
    Worker& worker = workers_[number];
    if (worker.held == 0) continue;
    const double expected = worker.held_work / worker.rate;
    if (now - worker.heard < settings_.patience_seconds + settings_.overdue * expected) continue;
    freed += worker.held;
    lose(number);
  }
  return freed;
}

void Dispatcher::refresh() {
  total_rate_ = 0;
  fastest_unit_rate_ = 0;
  for (const Worker& worker : workers_) {
    if (worker.lost) continue;
    total_rate_ += worker.rate;
    fastest_unit_rate_ = std::max(fastest_unit_rate_, worker.rate / worker.traits.slots);
  }
  total_rate_ = std::max(total_rate_, least_rate);
  fastest_unit_rate_ = std::max(fastest_unit_rate_, least_rate);
  until_refresh_ = workers_.size() / 8 + 1;
  stale_ = false;
}

}  // namespace countpm
