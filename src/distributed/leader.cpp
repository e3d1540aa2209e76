#include "src/distributed/leader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/spread_form.hpp"
#include "src/api/entries.hpp"
#include "src/distributed/local_runners.hpp"
#include "src/distributed/protocol.hpp"
#include "src/distributed/spread_phase.hpp"
#include "src/journal/checkpoint.hpp"
#include "src/journal/journal_fields.hpp"

namespace countpm {
namespace {

using Json = nlohmann::json;

constexpr double reclaim_period_seconds = 0.25;

}  // namespace

/// Tasks that may run side by side, on all ranks.
class Leader::Phase {
 public:
  Phase(Leader& leader, std::vector<Task> tasks, std::vector<std::size_t> numbers, int threads,
        Monitor& monitor)
      : leader_(leader),
        channel_(*leader.channel_),
        tasks_(std::move(tasks)),
        numbers_(std::move(numbers)),
        monitor_(monitor),
        workers_(static_cast<std::size_t>(channel_.ranks()), no_worker) {
    std::vector<DispatchTask> to_dispatch;
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      at_[numbers_[t]] = t;
      sums_.emplace_back(tasks_[t]);
      to_dispatch.push_back({tasks_[t].job->units(), tasks_[t].predicted_of({0, 1}), tasks_[t].settled()});
    }
    dispatcher_ = std::make_unique<Dispatcher>(std::move(to_dispatch));
    runners_ = std::make_unique<LocalRunners>(tasks_, threads, stop_,
                                              [this](std::size_t task, const UnitRange& range) {
                                                stop_.report_share(0);
                                                monitor_.begin_wide_unit(tasks_[task].predicted_of(range));
                                              });
  }

  std::vector<TaskResult> run() {
    const double start = seconds_now();
    const Json phase = {{"phase", leader_.phase_},
                        {"tasks", numbers_},
                        {"units_a_second", runners_->nominal_units_a_second()}};
    tell_others(channel_, protocol::message("phase", phase.dump()));
    workers_[0] = dispatcher_->add_worker(runners_->traits(), start);
    try {
      loop();
    } catch (...) {
      end();
      throw;
    }
    end();
    monitor_.throw_if_stopped();
    return sum_up(seconds_now() - start);
  }

 private:
  void loop() {
    double reclaimed_at = seconds_now();
    while (!dispatcher_->done() && !monitor_.stop_signal().requested()) {
      runners_->rethrow();
      bool busy = take_own_results();
      while (const std::optional<Message> message = channel_.receive()) {
        hear_rank(*message, [this](const Message& heard) { take(heard); });
        busy = true;
      }
      drop_lost_ranks(channel_, *dispatcher_, workers_, noted_losses_);
      busy = hand_out() || busy;
      monitor_.stop_signal().report_share(stop_.share_reported());
      if (busy) continue;
      const double now = seconds_now();
      if (now - reclaimed_at > reclaim_period_seconds) {
        reclaimed_at = now;
        if (dispatcher_->reclaim(now) > 0) continue;
      }
      std::this_thread::sleep_for(protocol::nap);
    }
  }

  void end() {
    stop_.request();
    tell_others(channel_, protocol::message("flush"));
    runners_.reset();
  }

  bool take_own_results() {
    const std::vector<LocalResult> results = runners_->take_results();
    for (const LocalResult& result : results) accept(0, result.task, result.finished);
    return !results.empty();
  }

  bool hand_out() {
    bool any = false;
    const double now = seconds_now();
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
      if (workers_[rank] == no_worker) continue;
      while (const std::optional<Assignment> next = dispatcher_->next(workers_[rank], now)) {
        any = true;
        const std::optional<std::uint64_t> alone = sums_[next->task].sampled_unit();
        if (rank == 0) {
          runners_->give(*next, alone, dispatcher_->seconds_left());
          continue;
        }
        Json run = {{"task", numbers_[next->task]},
                    {"first", next->range.first},
                    {"last", next->range.last},
                    {"seconds_left", dispatcher_->seconds_left()}};
        if (alone) run["alone"] = *alone;
        channel_.send(static_cast<int>(rank), protocol::message("run", run.dump()));
      }
    }
    return any;
  }

  void take(const Message& message) {
    const auto [word, text] = protocol::parts(message.text);
    if (word == "results") {
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) take_record(message.from, line);
    } else if (word == "ready") {
      const fields::Json ready = fields::parse(text);
      constexpr std::uint64_t most_phases = std::uint64_t{1} << 30;
      if (static_cast<int>(fields::whole_at(ready, "phase", 0, most_phases)) != leader_.phase_) return;
      constexpr std::uint64_t most_slots = std::uint64_t{1} << 20;
      constexpr double most_rate = 1e100;
      const WorkerTraits traits{static_cast<unsigned>(fields::whole_at(ready, "slots", 0, most_slots)),
                                fields::seconds_at(ready, "lead"),
                                fields::number_at(ready, "rate", 0, most_rate)};
      if (workers_[static_cast<std::size_t>(message.from)] != no_worker) fields::refuse("ready twice");
      workers_[static_cast<std::size_t>(message.from)] = dispatcher_->add_worker(traits, seconds_now());
    } else if (word == "failed") {
      throw_rank_failure(message.from, text);
    } else if (word != "part") {  // of a table that was shared before
      throw CheckError(fmt::format("rank {} says '{}'", message.from, countpm::quoted(word)));
    }
  }

  void take_record(int from, const std::string& line) {
    const std::optional<JournalRecord> record = parse_record(leader_.header_, line);
    if (!record) throw CheckError(fmt::format("rank {} sent a record whose checksum is wrong", from));
    const auto task = at_.find(record->task);
    // What comes in from a phase before was done by somebody else, too.
    if (task != at_.end()) accept(static_cast<std::size_t>(from), task->second, record->finished);
  }

  void accept(std::size_t rank, std::size_t task, const FinishedRange& finished) {
    if (workers_[rank] == no_worker ||
        !dispatcher_->finish(workers_[rank], {task, finished.range}, seconds_now()))
      return;
    sums_[task].add(finished);
    if (!described_) monitor_.describe(tasks_[task].method, numbers_[task] + 1, numbers_.back() + 1);
    described_ = true;
    monitor_.finish(tasks_[task].predicted_of(finished.range));
  }

  std::vector<TaskResult> sum_up(double seconds) {
    double all_seconds = 1e-9;
    for (const TaskSum& sum : sums_) all_seconds += sum.new_seconds();
    std::vector<TaskResult> results;
    for (TaskSum& sum : sums_) {
      results.push_back(sum.result());
      results.back().seconds = seconds * sum.new_seconds() / all_seconds;
    }
    return results;
  }

  Leader& leader_;
  Channel& channel_;
  std::vector<Task> tasks_;
  std::vector<std::size_t> numbers_;       // of the tasks, in the header
  std::map<std::size_t, std::size_t> at_;  // and back
  Monitor& monitor_;
  std::vector<TaskSum> sums_;
  StopSignal stop_;  // of the units here
  std::unique_ptr<Dispatcher> dispatcher_;
  std::vector<std::size_t> workers_;  // of each rank: its number for the dispatcher
  std::unique_ptr<LocalRunners> runners_;
  int noted_losses_ = 0;
  bool described_ = false;
};

void Leader::share(JournalHeader header) {
  header_ = std::move(header);
  header_.version = version();
  header_.id = random_journal_id();
  told_ = false;
}

std::vector<TaskResult> Leader::run(const std::vector<Task>& tasks, std::size_t first, int threads,
                                    Monitor& monitor) {
  double seconds = 0;
  for (const Task& task : tasks) seconds += task.predicted_seconds;
  const auto is_spread = [&](const Task& task) { return parts_of(*task.job) > 1; };
  if (seconds < channel_->worth_seconds() && std::none_of(tasks.begin(), tasks.end(), is_spread))
    return run_tasks(tasks, threads, monitor);
  if (!std::exchange(told_, true)) tell_others(*channel_, protocol::message("plan", header_lines(header_)));
  std::vector<TaskResult> results(tasks.size());
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (is_spread(tasks[t]))
      results[t] = lead_spread_phase(*channel_, {header_.id, ++phase_, first + t}, tasks[t], monitor);
  }
  // The wide ones by themselves, as in run_tasks(): each wants all threads of its rank.
  for (const bool wide : {true, false}) {
    std::vector<Task> together;
    std::vector<std::size_t> numbers;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      if (tasks[t].job->runs_on_all_threads() != wide || is_spread(tasks[t])) continue;
      together.push_back(tasks[t]);
      numbers.push_back(first + t);
    }
    if (together.empty()) continue;
    ++phase_;
    std::vector<TaskResult> done = Phase(*this, std::move(together), numbers, threads, monitor).run();
    for (std::size_t k = 0; k < done.size(); ++k) results[numbers[k] - first] = std::move(done[k]);
  }
  return results;
}

namespace {

[[noreturn]] void throw_nonsense(int rank, const std::exception& error) {
  throw CheckError(fmt::format("rank {} says what cannot be: {}", rank, countpm::quoted(error.what(), 200)));
}

}  // namespace

void drop_lost_ranks(const Channel& channel, Dispatcher& dispatcher, std::vector<std::size_t>& workers,
                     int& noted) {
  const int lost = channel.lost_ranks();
  if (std::exchange(noted, lost) == lost) return;
  for (std::size_t rank = 0; rank < workers.size(); ++rank) {
    if (workers[rank] != no_worker && channel.lost(static_cast<int>(rank)))
      dispatcher.lose(std::exchange(workers[rank], no_worker));
  }
}

bool all_answered(const Channel& channel, const std::vector<bool>& answered) {
  for (int rank = 1; rank < channel.ranks(); ++rank) {
    if (!answered[static_cast<std::size_t>(rank)] && !channel.lost(rank)) return false;
  }
  return true;
}

void tell_others(Channel& channel, const std::string& text) {
  for (int rank = 1; rank < channel.ranks(); ++rank) channel.send(rank, text);
}

void hear_rank(const Message& message, const std::function<void(const Message&)>& take) {
  try {
    take(message);
  } catch (const nlohmann::json::exception& error) {
    throw_nonsense(message.from, error);
  } catch (const std::invalid_argument& error) {
    throw_nonsense(message.from, error);
  }
}

void throw_rank_failure(int rank, const std::string& text) {
  const fields::Json failure = fields::parse(text);
  const std::string kind = fields::text_at(failure, "kind");
  const std::string what = fmt::format("rank {} on {}: {}", rank, fields::text_at(failure, "host"),
                                       fields::text_at(failure, "what"));
  if (kind == "usage") throw UsageError(what);
  if (kind == "unable")
    throw UnableError(what, "fewer ranks or threads on that host, or another --memory-limit, may help");
  if (kind == "interrupted") throw InterruptedError(what);
  if (kind == "check") throw CheckError(what);
  throw std::runtime_error(what);
}

void share_input(Channel& channel, const std::string& bytes) {
  tell_others(channel, protocol::message("input", bytes));
}

std::uint64_t least_room_of_ranks(Channel& channel, std::uint64_t own_bytes, const Monitor& monitor) {
  tell_others(channel, protocol::message("room?"));
  std::uint64_t least = own_bytes;
  std::vector<bool> answered(static_cast<std::size_t>(channel.ranks()), false);
  while (!all_answered(channel, answered)) {
    monitor.throw_if_stopped();
    const std::optional<Message> message = channel.receive();
    if (!message) {
      std::this_thread::sleep_for(protocol::nap);
      continue;
    }
    hear_rank(*message, [&](const Message& heard) {
      const auto [word, text] = protocol::parts(heard.text);
      if (word == "failed") throw_rank_failure(heard.from, text);
      if (word != "room") return;
      least = std::min(least, fields::whole_at(fields::parse(text), "bytes", 0, ~std::uint64_t{0} >> 1U));
      answered[static_cast<std::size_t>(heard.from)] = true;
    });
  }
  return least;
}

void end_ranks(Channel& channel) {
  tell_others(channel, protocol::message("end"));
  std::vector<bool> gone(static_cast<std::size_t>(channel.ranks()), false);
  while (!all_answered(channel, gone)) {
    const std::optional<Message> message = channel.receive();
    if (!message) {
      std::this_thread::sleep_for(protocol::nap);
    } else if (protocol::parts(message->text).first == "bye") {
      gone[static_cast<std::size_t>(message->from)] = true;
    }
  }
}

}  // namespace countpm
