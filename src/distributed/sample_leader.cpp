#include "src/distributed/sample_leader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "src/api/version.hpp"
#include "src/distributed/dispatcher.hpp"
#include "src/distributed/leader.hpp"
#include "src/distributed/local_samplers.hpp"
#include "src/distributed/protocol.hpp"
#include "src/journal/checkpoint.hpp"
#include "src/journal/journal_fields.hpp"

namespace countpm {
namespace {

using Json = nlohmann::json;

constexpr double look_for_stuck_every = 0.25;
// A rank's speed in a round that it drew for so long is what it starts the next one with.
constexpr double telling_seconds = 0.2;

}  // namespace

/// One round, on all ranks.
class SampleLeader::Phase {
 public:
  Phase(SampleLeader& leader, const SampleRound& round, Monitor& monitor)
      : leader_(leader),
        channel_(leader.channel_),
        round_(round),
        monitor_(monitor),
        grid_(SampleGrid::of(round.series, round.samples, round.seconds_a_sample, channel_.worth_seconds())),
        piece_seconds_(std::max(round.seconds_a_sample * static_cast<double>(grid_.size), 1e-12)),
        dispatcher_({{grid_.pieces(), piece_seconds_, {}}}),
        samplers_(*round.drawer, grid_, round.seconds_a_sample, {round.threads, round.cpu}, stop_),
        workers_(leader.ranks_.size(), no_worker),
        drawn_seconds_(leader.ranks_.size(), 0) {}

  double run() {
    Rank& own = leader_.ranks_[0];
    const WorkerTraits traits = samplers_.traits();
    own.ready = true;
    own.slots = traits.slots;
    own.lead_seconds = traits.lead_seconds;
    try {
      loop();
    } catch (...) {
      end();
      throw;
    }
    end();
    samplers_.rethrow();
    keep_speeds();
    if (const double own_seconds = samplers_.seconds_a_sample(); own_seconds > 0) return own_seconds;
    return others_samples_ > 0 ? others_seconds_ / others_samples_ : 0;
  }

 private:
  void loop() {
    PatientNap nap;
    double looked_at = seconds_now();
    while (!dispatcher_.done() && !monitor_.stop_signal().requested()) {
      samplers_.rethrow();
      bool busy = take_own();
      while (const std::optional<Message> message = channel_.receive()) {
        hear_rank(*message, [this](const Message& heard) { take(heard); });
        busy = true;
      }
      drop_lost_ranks(channel_, dispatcher_, workers_, noted_losses_);
      join_ranks();
      const bool over = handed_out_ && round_.ended();
      if (over && (!round_.rest_counts || nothing_held())) return;
      busy = (!over && hand_out()) || busy;
      if (busy) {
        nap.reset();
        continue;
      }
      const double now = seconds_now();
      if (now - looked_at > look_for_stuck_every) {
        looked_at = now;
        if (dispatcher_.reclaim(now) > 0) continue;
      }
      nap.sleep();
    }
  }

  void end() {
    stop_.request();
    tell_others(channel_, protocol::message("flush"));
  }

  void join_ranks() {
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
      const Rank& one = leader_.ranks_[rank];
      if (!one.ready || workers_[rank] != no_worker || channel_.lost(static_cast<int>(rank))) continue;
      const auto seen = one.samples_a_second.find(round_.series);
      const double rate =
          seen == one.samples_a_second.end() ? one.slots : seen->second * round_.seconds_a_sample;
      workers_[rank] =
          dispatcher_.add_worker({static_cast<unsigned>(one.slots), one.lead_seconds, rate}, seconds_now());
    }
  }

  bool nothing_held() const {
    return std::all_of(workers_.begin(), workers_.end(), [this](std::size_t worker) {
      return worker == no_worker || dispatcher_.units_held(worker) == 0;
    });
  }

  bool take_own() {
    std::vector<LocalSamplers::Drawn> all = samplers_.take_results();
    for (LocalSamplers::Drawn& drawn : all) accept(0, std::move(drawn.batch), drawn.by_gpu);
    return !all.empty();
  }

  bool hand_out() {
    bool any = false;
    const double now = seconds_now();
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
      if (workers_[rank] == no_worker) continue;
      while (const std::optional<Assignment> next = dispatcher_.next(workers_[rank], now)) {
        any = handed_out_ = true;
        if (rank == 0) {
          samplers_.give(next->range, dispatcher_.seconds_left());
          continue;
        }
        Json draw = {{"series", grid_.series},
                     {"samples", {grid_.samples.first, grid_.samples.last}},
                     {"size", grid_.size},
                     {"first", next->range.first},
                     {"last", next->range.last},
                     {"seconds_a_sample", round_.seconds_a_sample},
                     {"seconds_left", dispatcher_.seconds_left()}};
        if (round_.share_bits) draw["share_bits"] = *round_.share_bits;
        channel_.send(static_cast<int>(rank), protocol::message("draw", draw.dump()));
      }
    }
    return any;
  }

  void take(const Message& message) {
    const auto [word, text] = protocol::parts(message.text);
    const auto rank = static_cast<std::size_t>(message.from);
    if (word == "results") {
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) take_batch(message.from, line);
    } else if (word == "ready") {
      const fields::Json ready = fields::parse(text);
      constexpr std::uint64_t most_slots = std::uint64_t{1} << 20;
      if (leader_.ranks_[rank].ready) fields::refuse("ready twice");
      leader_.ranks_[rank].slots = static_cast<double>(fields::whole_at(ready, "slots", 1, most_slots));
      leader_.ranks_[rank].lead_seconds = fields::seconds_at(ready, "lead");
      leader_.ranks_[rank].ready = true;
    } else if (word == "failed") {
      throw_rank_failure(message.from, text);
    } else {
      throw CheckError(fmt::format("rank {} says '{}'", message.from, countpm::quoted(word)));
    }
  }

  void take_batch(int from, const std::string& line) {
    std::optional<SampleBatch> batch = parse_batch_line(leader_.header_, line);
    if (!batch) throw CheckError(fmt::format("rank {} sent samples whose checksum is wrong", from));
    // What comes in from a round before was drawn by somebody else, too.
    if (batch->series != grid_.series || grid_.pieces_of(batch->range).empty()) return;
    if (!round_.can_have(*batch))
      throw CheckError(fmt::format("rank {} sent samples that the block cannot have", from));
    others_seconds_ += batch->seconds;
    others_samples_ += static_cast<double>(batch->range.size());
    accept(static_cast<std::size_t>(from), *std::move(batch), false);
  }

  void accept(std::size_t rank, SampleBatch&& batch, bool by_gpu) {
    if (workers_[rank] == no_worker ||
        !dispatcher_.finish(workers_[rank], {0, grid_.pieces_of(batch.range)}, seconds_now()))
      return;
    drawn_seconds_[rank] += batch.seconds;
    if (rank != 0) leader_.keep_some(batch);
    round_.give(std::move(batch), by_gpu);
  }

  void keep_speeds() {
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
      Rank& one = leader_.ranks_[rank];
      if (workers_[rank] == no_worker || drawn_seconds_[rank] < telling_seconds * one.slots) continue;
      one.samples_a_second[round_.series] =
          dispatcher_.rate(workers_[rank]) * static_cast<double>(grid_.size) / piece_seconds_;
    }
  }

  SampleLeader& leader_;
  Channel& channel_;
  const SampleRound& round_;
  Monitor& monitor_;
  StopSignal stop_;  // of what is drawn here
  SampleGrid grid_;
  double piece_seconds_;
  Dispatcher dispatcher_;
  LocalSamplers samplers_;
  std::vector<std::size_t> workers_;   // of each rank: its number for the dispatcher
  std::vector<double> drawn_seconds_;  // of each, threads together
  double others_seconds_ = 0;
  double others_samples_ = 0;
  int noted_losses_ = 0;
  bool handed_out_ = false;
};

SampleLeader::SampleLeader(Channel& channel)
    : channel_(channel), ranks_(static_cast<std::size_t>(channel.ranks())) {}

void SampleLeader::share_blocks(const JournalHeader& header) {
  JournalHeader plan = header;
  plan.version = version();
  tell_others(channel_, protocol::message("plan", header_lines(plan)));
}

void SampleLeader::share_samplers(JournalHeader header) {
  header_ = std::move(header);
  header_.version = version();
  header_.id = random_journal_id();
  tell_others(channel_, protocol::message("samplers", header_lines(header_)));
}

double SampleLeader::least_seconds() const {
  return channel_.worth_seconds();
}

double SampleLeader::draw(const SampleRound& round, Monitor& monitor) {
  return Phase(*this, round, monitor).run();
}

}  // namespace countpm
