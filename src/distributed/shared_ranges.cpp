#include "src/distributed/shared_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "graph/sha256.hpp"
#include "src/api/version.hpp"
#include "src/distributed/dispatcher.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/leader.hpp"
#include "src/distributed/local_samplers.hpp"
#include "src/distributed/protocol.hpp"
#include "src/journal/checkpoint.hpp"
#include "src/journal/journal_fields.hpp"

namespace countpm {
namespace {

using Json = nlohmann::json;

// Between two looks for messages a rank works about so long, and has as much waiting.
constexpr double ranges_piece_seconds = 0.05;
constexpr double ranges_lead_seconds = 0.1;
// What a piece takes where none has been seen.
constexpr double unseen_piece_seconds = 1e-3;
constexpr double look_for_stuck_ranges_every = 0.25;
constexpr std::uint64_t most_tasks = std::uint64_t{1} << 32;

std::string checksum_of(const std::string& id, std::size_t task, const UnitRange& range,
                        const std::string& bytes) {
  Sha256 sum;
  sum.update(id);
  sum.update_number(task);
  sum.update_number(range.first);
  sum.update_number(range.last);
  sum.update(bytes);
  return sum.digest();
}

/// From the front of what waits, about as many as take ranges_piece_seconds, in whole grains.
UnitRange next_piece(std::deque<UnitRange>& waiting, std::uint64_t grain, double seconds_each) {
  const double fit = ranges_piece_seconds / std::max(seconds_each, 1e-12) / static_cast<double>(grain);
  const auto grains = static_cast<std::uint64_t>(std::clamp(std::floor(fit), 1.0, 1e9));
  UnitRange& front = waiting.front();
  UnitRange piece = front;
  piece.last = piece.first + std::min(front.size(), grains * grain);
  front.first = piece.last;
  if (front.empty()) waiting.pop_front();
  return piece;
}

/// Runs a piece, and sees how long it takes.
template <class Run>
auto timed_piece(const UnitRange& piece, double& seconds_each, const Run& run) {
  const double start = seconds_now();
  auto result = run();
  seconds_each = (seconds_now() - start) / static_cast<double>(piece.size());
  return result;
}

}  // namespace

/// One task's numbers on all ranks.
class SharedRanges::Phase {
 public:
  Phase(SharedRanges& leader, const Work& work, Monitor& monitor)
      : leader_(leader),
        channel_(leader.channel_),
        work_(work),
        monitor_(monitor),
        seconds_each_(leader.seconds_each_.try_emplace(work.task, unseen_piece_seconds).first->second),
        grid_{work.task, work.numbers, work.grain},
        unit_seconds_(seconds_each_ * static_cast<double>(work.grain)),
        dispatcher_({{grid_.pieces(), unit_seconds_, {}}}),
        workers_(leader.ranks_.size(), no_worker) {}

  void run() {
    leader_.ranks_[0].ready = true;
    PatientNap nap;
    double looked_at = seconds_now();
    while (!dispatcher_.done()) {
      // Where it may end before all is done, the time limit is an end like another.
      if (work_.ended && monitor_.stop_signal().requested() && monitor_.limit_is_over()) break;
      monitor_.throw_if_stopped();
      bool busy = false;
      while (const std::optional<Message> message = channel_.receive()) {
        hear_rank(*message, [this](const Message& heard) { leader_.hear(heard, this); });
        busy = true;
      }
      drop_lost_ranks(channel_, dispatcher_, workers_, noted_losses_);
      const bool over = begun_ && work_.ended && work_.ended();
      if (over && nothing_under_way()) break;
      join_ranks();
      if (!over) busy = hand_out() || busy;
      if (!waiting_.empty() && !over) {
        do_own();
        busy = true;
      }
      if (busy) {
        nap.reset();
        continue;
      }
      if (const double now = seconds_now(); now - looked_at > look_for_stuck_ranges_every) {
        looked_at = now;
        if (dispatcher_.reclaim(now) > 0) continue;
      }
      nap.sleep();
    }
    tell_others(channel_, protocol::message("flush"));
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
      if (workers_[rank] != no_worker)
        leader_.ranks_[rank].numbers_a_second[work_.task] =
            dispatcher_.rate(workers_[rank]) * static_cast<double>(grid_.size) / unit_seconds_;
    }
  }

  void take(int from, std::size_t task, const UnitRange& range, const std::string& bytes) {
    const auto rank = static_cast<std::size_t>(from);
    // What comes of a round before was done by somebody else, too.
    const UnitRange units = task == work_.task ? grid_.pieces_of(range) : UnitRange{};
    if (units.empty() || workers_[rank] == no_worker ||
        !dispatcher_.finish(workers_[rank], {0, units}, seconds_now()))
      return;
    work_.take(range, bytes);
  }

 private:
  void join_ranks() {
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
      const Rank& one = leader_.ranks_[rank];
      if (!one.ready || workers_[rank] != no_worker || channel_.lost(static_cast<int>(rank))) continue;
      const auto seen = one.numbers_a_second.find(work_.task);
      const double rate = seen == one.numbers_a_second.end()
                              ? 1
                              : seen->second * unit_seconds_ / static_cast<double>(grid_.size);
      // Rank 0 answers once it is through with its own: others have a second unit meanwhile.
      const unsigned slots = rank == 0 ? 1 : 2;
      workers_[rank] = dispatcher_.add_worker({slots, ranges_lead_seconds, rate}, seconds_now());
    }
  }

  bool hand_out() {
    bool any = false;
    const double now = seconds_now();
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
      if (workers_[rank] == no_worker) continue;
      while (const std::optional<Assignment> next = dispatcher_.next(workers_[rank], now)) {
        any = begun_ = true;
        const UnitRange range = grid_.samples_of(next->range);
        if (rank == 0) {
          waiting_.push_back(range);
          continue;
        }
        const Json take = {
            {"task", work_.task}, {"first", range.first}, {"last", range.last}, {"grain", grid_.size}};
        channel_.send(static_cast<int>(rank), protocol::message("take", take.dump()));
      }
    }
    return any;
  }

  void do_own() {
    const UnitRange piece = next_piece(waiting_, grid_.size, seconds_each_);
    // Where somebody was faster it is not done again.
    if (!dispatcher_.finish(workers_[0], {0, grid_.pieces_of(piece)}, seconds_now())) return;
    timed_piece(piece, seconds_each_, [&] {
      work_.own(piece);
      return true;
    });
  }

  /// But for what waits here, which nobody has begun.
  bool nothing_under_way() const {
    for (std::size_t rank = 1; rank < workers_.size(); ++rank) {
      if (workers_[rank] != no_worker && dispatcher_.units_held(workers_[rank]) > 0) return false;
    }
    return true;
  }

  SharedRanges& leader_;
  Channel& channel_;
  const Work& work_;
  Monitor& monitor_;
  double& seconds_each_;
  SampleGrid grid_;
  double unit_seconds_;
  Dispatcher dispatcher_;
  std::vector<std::size_t> workers_;  // of each rank: its number for the dispatcher
  std::deque<UnitRange> waiting_;     // rank 0's own
  int noted_losses_ = 0;
  bool begun_ = false;
};

SharedRanges::SharedRanges(Channel& channel, RangePlan plan)
    : channel_(channel), plan_(std::move(plan)), id_(random_journal_id()) {
  ranks_.resize(static_cast<std::size_t>(channel.ranks()));
  const Json told = {{"version", version()},
                     {"question", plan_.question},
                     {"sha256", plan_.sha256},
                     {"seed", plan_.seed},
                     {"id", id_}};
  tell_others(channel_, protocol::message("plan", told.dump()));
}

void SharedRanges::prepare(std::size_t task) {
  tell_others(channel_, protocol::message("prepare", Json{{"task", task}}.dump()));
}

void SharedRanges::run(const Work& work, Monitor& monitor) {
  if (work.numbers.empty()) return;
  Phase(*this, work, monitor).run();
}

void SharedRanges::hear(const Message& message, Phase* phase) {
  const auto [word, text] = protocol::parts(message.text);
  if (word == "ready") {
    Rank& rank = ranks_[static_cast<std::size_t>(message.from)];
    if (std::exchange(rank.ready, true)) fields::refuse("ready twice");
  } else if (word == "brought") {
    const auto [head, bytes] = protocol::parts(text);
    const fields::Json json = fields::parse(head);
    const std::size_t task = fields::whole_at(json, "task", 0, most_tasks);
    const UnitRange range{fields::whole_at(json, "first", 0, fields::most_samples),
                          fields::whole_at(json, "last", 1, fields::most_samples)};
    if (range.first >= range.last) fields::refuse("nothing brought");
    if (fields::text_at(json, "checksum") != checksum_of(id_, task, range, bytes))
      throw CheckError(fmt::format("rank {} sent draws whose checksum is wrong", message.from));
    phase->take(message.from, task, range, bytes);
  } else if (word == "failed") {
    throw_rank_failure(message.from, text);
  } else {
    throw CheckError(fmt::format("rank {} says '{}'", message.from, countpm::quoted(word)));
  }
}

namespace {

/// Another rank's ranges.
class FollowedRanges {
 public:
  FollowedRanges(Channel& channel, const RangeWorker& worker, Monitor& monitor)
      : channel_(channel), worker_(worker), monitor_(monitor) {}

  void agree(const RangePlan& own) {
    const fields::Json plan = fields::parse(await_word(channel_, "plan", monitor_));
    if (fields::text_at(plan, "version") != version())
      throw UsageError(fmt::format("this is countpm {}, and rank 0 is {}", version(),
                                   countpm::quoted(fields::text_at(plan, "version"))));
    if (fields::text_at(plan, "sha256") != own.sha256)
      throw UsageError("the input here is another than rank 0's");
    const std::string& question = fields::text_at(plan, "question");
    const std::uint64_t seed = fields::whole_at(plan, "seed", 0, ~std::uint64_t{0});
    if (question != own.question || seed != own.seed)
      throw UsageError(fmt::format("this rank would draw {} with seed {}, and rank 0 {} with seed {}",
                                   own.question, own.seed, countpm::quoted(question, 400), seed));
    id_ = fields::text_at(plan, "id");
    channel_.send(0, protocol::message("ready"));
  }

  [[noreturn]] void run() {
    PatientNap nap;
    while (true) {
      monitor_.throw_if_stopped();
      bool busy = false;
      while (const std::optional<Message> message = channel_.receive()) {
        hear(*message);
        busy = true;
      }
      if (!waiting_.empty()) {
        do_piece();
        busy = true;
      }
      if (busy) {
        nap.reset();
      } else {
        nap.sleep();
      }
    }
  }

 private:
  void hear(const Message& message) {
    const auto [word, text] = protocol::parts(message.text);
    if (word == "end") throw EndOfCount();
    if (word == "flush") {
      waiting_.clear();
    } else if (word == "prepare") {
      worker_.prepare(fields::whole_at(fields::parse(text), "task", 0, most_tasks));
    } else if (word == "take") {
      const fields::Json take = fields::parse(text);
      task_ = fields::whole_at(take, "task", 0, most_tasks);
      grain_ = fields::whole_at(take, "grain", 1, fields::most_samples);
      const UnitRange range{fields::whole_at(take, "first", 0, fields::most_samples),
                            fields::whole_at(take, "last", 1, fields::most_samples)};
      if (range.first >= range.last) fields::refuse("nothing to do");
      waiting_.push_back(range);
    } else {
      throw CheckError("rank 0 says '" + countpm::quoted(word) + "' to a rank that draws");
    }
  }

  void do_piece() {
    double& seconds_each = seconds_each_.try_emplace(task_, unseen_piece_seconds).first->second;
    const UnitRange piece = next_piece(waiting_, grain_, seconds_each);
    const std::string bytes = timed_piece(piece, seconds_each, [&] { return worker_.run(task_, piece); });
    const Json head = {{"task", task_},
                       {"first", piece.first},
                       {"last", piece.last},
                       {"checksum", checksum_of(id_, task_, piece, bytes)}};
    channel_.send(0, protocol::message("brought", head.dump() + '\n' + bytes));
  }

  Channel& channel_;
  const RangeWorker& worker_;
  Monitor& monitor_;
  std::string id_;
  std::size_t task_ = 0;
  std::uint64_t grain_ = 1;
  std::deque<UnitRange> waiting_;  // of the task: rank 0 begins none before all of one are done
  std::map<std::size_t, double> seconds_each_;
};

}  // namespace

void follow_ranges(Channel& channel, const RangePlan& own, const RangeWorker& worker, Monitor& monitor) {
  FollowedRanges ranges(channel, worker, monitor);
  ranges.agree(own);
  ranges.run();
}

}  // namespace countpm
