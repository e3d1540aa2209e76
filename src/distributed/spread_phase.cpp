#include "src/distributed/spread_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "graph/first_failure.hpp"
#include "kernels/spread_form.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/leader.hpp"
#include "src/distributed/protocol.hpp"
#include "src/distributed/rank_exchange.hpp"
#include "src/journal/journal_fields.hpp"
#include "src/machine/startable_threads.hpp"

namespace countpm {
namespace {

using Json = nlohmann::json;

/// A thread that runs this rank's part of the units, one after another.
class SpreadUnits {
 public:
  /// All of these outlive it. Throws UnableError where the system starts no thread.
  SpreadUnits(const Task& task, std::vector<UnitRange> ranges, Exchange& exchange, StopSignal& stop)
      : task_(task), ranges_(std::move(ranges)), exchange_(exchange), stop_(stop) {
    thread_ = start_thread([this] {
      failure_.guard([this] { work(); });
      over_ = true;
    });
  }
  ~SpreadUnits() {
    stop_.request();
    thread_.join();
  }
  SpreadUnits(const SpreadUnits&) = delete;
  SpreadUnits& operator=(const SpreadUnits&) = delete;

  /// Whether all is done, or has stopped.
  bool over() const { return over_; }
  void rethrow() { failure_.rethrow(); }
  /// The units done since the last call, each by itself.
  std::vector<FinishedRange> take_results() {
    const std::lock_guard lock(mutex_);
    return std::exchange(results_, {});
  }

 private:
  void work() {
    const auto* const form = dynamic_cast<const SpreadForm*>(task_.job);
    if (form == nullptr) throw std::logic_error("a job that is not spread over ranks");
    for (const UnitRange& range : ranges_) {
      for (std::uint64_t unit = range.first; unit < range.last; ++unit) {
        const double start = seconds_now();
        Partial value = form->run_part(unit, exchange_, stop_);
        const std::lock_guard lock(mutex_);
        results_.push_back({{unit, unit + 1}, std::move(value), seconds_now() - start});
      }
    }
  }

  const Task& task_;
  std::vector<UnitRange> ranges_;
  Exchange& exchange_;
  StopSignal& stop_;
  std::atomic<bool> over_{false};
  FirstFailure failure_;
  std::mutex mutex_;
  std::vector<FinishedRange> results_;
  std::thread thread_;
};

/// A rank that ended has taken its part of the table with it.
void refuse_lost_ranks(const Channel& channel) {
  if (channel.lost_ranks() == 0) return;
  for (int rank = 1; rank < channel.ranks(); ++rank) {
    if (channel.lost(rank))
      throw UnableError(
          fmt::format("rank {} was lost, and with it its part of a table that all ranks share", rank),
          "start again on the ranks that are left, or go on with the checkpoint");
  }
}

}  // namespace

std::string SpreadPhase::what() const {
  return fmt::format("{} {}", id, number);
}

TaskResult lead_spread_phase(Channel& channel, const SpreadPhase& phase, const Task& task, Monitor& monitor) {
  const double start = seconds_now();
  TaskSum sum(task);
  const std::vector<UnitRange> ranges = task.left();
  std::uint64_t left = 0;
  Json listed = Json::array();
  for (const UnitRange& range : ranges) {
    left += range.size();
    listed.push_back({{"first", range.first}, {"last", range.last}});
  }
  const Json order = {{"phase", phase.number}, {"task", phase.task}, {"ranges", listed}};
  tell_others(channel, protocol::message("spread", order.dump()));
  const auto take = [](const Message& message, RankExchange& exchange) {
    const std::string word = message.text.substr(0, message.text.find('\n'));
    if (is_part(message)) {
      exchange.hear(message);
      return;
    }
    if (word == "failed") throw_rank_failure(message.from, protocol::parts(message.text).second);
    // What a phase before was asked for may come now.
    if (word != "results" && word != "ready")
      throw CheckError(fmt::format("rank {} says '{}'", message.from, countpm::quoted(word)));
  };
  RankExchange exchange(channel, phase.what());
  StopSignal stop;
  const double unit_seconds = task.predicted_of({0, 1});
  if (left > 0) {
    monitor.describe(task.method, phase.task + 1, phase.task + 1);
    monitor.begin_wide_unit(unit_seconds);
  }
  try {
    SpreadUnits units(task, ranges, exchange, stop);
    while (left > 0 && !monitor.stop_signal().requested()) {
      units.rethrow();
      refuse_lost_ranks(channel);
      bool busy = exchange.send(channel);
      while (const std::optional<Message> message = channel.receive()) {
        hear_rank(*message, [&](const Message& heard) { take(heard, exchange); });
        busy = true;
      }
      for (FinishedRange& finished : units.take_results()) {
        sum.add(std::move(finished));
        stop.report_share(0);
        monitor.finish(unit_seconds);
        if (--left > 0) monitor.begin_wide_unit(unit_seconds);
      }
      monitor.stop_signal().report_share(stop.share_reported());
      if (!busy) std::this_thread::sleep_for(protocol::nap);
    }
    exchange.send(channel);  // what others still wait for
  } catch (...) {
    tell_others(channel, protocol::message("flush"));
    throw;
  }
  if (left > 0) tell_others(channel, protocol::message("flush"));
  monitor.throw_if_stopped();
  TaskResult result = sum.result();
  result.seconds = seconds_now() - start;
  return result;
}

SpreadOrder parse_spread_order(const std::string& text, const std::string& id, std::size_t tasks) {
  const fields::Json json = fields::parse(text);
  constexpr std::uint64_t most_phases = std::uint64_t{1} << 30U;
  constexpr std::uint64_t most_units = std::uint64_t{1} << 24U;
  SpreadOrder order;
  if (tasks == 0) fields::refuse("a phase without tasks");
  order.phase.id = id;
  order.phase.number = static_cast<int>(fields::whole_at(json, "phase", 0, most_phases));
  order.phase.task = fields::whole_at(json, "task", 0, tasks - 1);
  for (const fields::Json& range : fields::list_at(json, "ranges")) {
    order.ranges.push_back(
        {fields::whole_at(range, "first", 0, most_units), fields::whole_at(range, "last", 1, most_units)});
    if (order.ranges.back().first >= order.ranges.back().last) fields::refuse("no units");
  }
  return order;
}

std::vector<Message> follow_spread_phase(Channel& channel, const SpreadOrder& order, const Task& task,
                                         const std::vector<Message>& early, const Monitor& monitor) {
  if (parts_of(*task.job) != channel.ranks()) fields::refuse("a task of one rank for all");
  for (const UnitRange& range : order.ranges) {
    if (range.last > task.job->units()) fields::refuse("units that there are not");
  }
  RankExchange exchange(channel, order.phase.what());
  for (const Message& message : early) exchange.hear(message);
  StopSignal stop;
  SpreadUnits units(task, order.ranges, exchange, stop);
  std::vector<Message> later;
  while (true) {
    // Once nothing is under way here there is nothing more to send, either.
    const bool over = units.over();
    units.rethrow();
    monitor.throw_if_stopped();
    bool busy = exchange.send(channel);
    while (std::optional<Message> message = channel.receive()) {
      busy = true;
      if (is_part(*message) && exchange.hear(*message)) continue;
      const std::string word = message->text.substr(0, message->text.find('\n'));
      if (word == "end") throw EndOfCount();
      if (word == "flush") return later;
      later.push_back(*std::move(message));
    }
    if (over) return later;
    if (!busy) std::this_thread::sleep_for(protocol::nap);
  }
}

}  // namespace countpm
