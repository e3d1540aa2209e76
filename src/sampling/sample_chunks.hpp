#pragma once
// Samples in chunks of a fixed size, on threads: what is added up in floating point is the same for any
// number of them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

#include "src/run/scheduler.hpp"
#include "src/units/in_order.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

constexpr std::uint64_t samples_a_chunk = 32;
// So many before it is looked how good they are.
constexpr std::uint64_t first_chunks = 8;

/// Draws chunks number first, first + 1, ... up to, not including, `end`, each by `make` on any thread, and
/// has them joined in the order of their numbers. After the deadline no chunk begins but the first, and what
/// comes after one that was not finished is dropped.
template <class Chunk>
class SampleChunks : public Work {
 public:
  using Make = std::function<Chunk(std::uint64_t number)>;
  using Join = std::function<void(Chunk&& chunk)>;
  SampleChunks(Make make, Join join, double deadline, Monitor& monitor)
      : make_(std::move(make)), join_(std::move(join)), deadline_(deadline), monitor_(monitor) {}

  /// Returns how many chunks there are now. Throws what the monitor says where it is stopped, but for the
  /// time limit.
  std::uint64_t draw(std::uint64_t end, int threads) {
    in_order_ = InOrder<Chunk>(next_);
    return draw_some({next_, end}, threads);
  }

  /// Or in parts, from number `first` on: ranges that are drawn here, and chunks that were elsewhere.
  void begin_together(std::uint64_t first) {
    next_ = first;
    in_order_ = InOrder<Chunk>(first);
  }
  std::uint64_t draw_some(const UnitRange& chunks, int threads) {
    Scheduler scheduler(*this, 0, threads, monitor_.stop_signal());
    scheduler.put(0, chunks);
    scheduler.run();
    if (!monitor_.limit_is_over()) monitor_.throw_if_stopped();
    return next_;
  }
  void give(std::uint64_t number, Chunk&& chunk) {
    const std::lock_guard lock(mutex_);
    in_order_.add({number, number + 1}, std::move(chunk), [this](const UnitRange& range_of, Chunk&& next) {
      next_ = range_of.last;
      join_(std::move(next));
    });
  }
  std::uint64_t drawn() const { return next_; }

 private:
  Pace on_cpu(std::size_t) const override {
    Pace pace;
    pace.seconds = chunk_seconds;
    return pace;
  }
  void run(std::size_t, const UnitRange& range) override {
    for (std::uint64_t number = range.first; number < range.last; ++number) {
      give(number, make_(number));
    }
  }
  bool ended() override { return monitor_.elapsed() > deadline_; }
  void stop_others() override { monitor_.request_stop(); }

  static constexpr double chunk_seconds = 0.05;
  Make make_;
  Join join_;
  double deadline_;
  Monitor& monitor_;
  std::mutex mutex_;
  InOrder<Chunk> in_order_;
  std::uint64_t next_ = 0;
};

/// How far what was drawn is from what is wanted.
struct ChunkGoal {
  double excess = 0;     // the error over that which is wanted
  bool trusted = false;  // whether that error can be believed
};

/// Draws more and more chunks until the goal is reached, or `exactly` samples where that is not 0.
/// draw_up_to(number) draws those below that number, and returns how many there are then; look(share) tells,
/// after every round, the goal of what there is; share: what of `exactly` there is, or 0. Returns whether the
/// goal was reached before the deadline.
template <class Draw, class Look>
bool draw_to_goal(const Draw& draw_up_to, std::uint64_t exactly, double deadline, Monitor& monitor,
                  const Look& look) {
  constexpr double least_growth = 1.25;
  constexpr double most_growth = 2;
  constexpr double growth_margin = 1.05;
  const std::uint64_t all = (exactly + samples_a_chunk - 1) / samples_a_chunk;
  std::uint64_t wanted = exactly > 0 ? all : first_chunks;
  while (true) {
    const std::uint64_t drawn = draw_up_to(wanted);
    if (drawn == 0) monitor.throw_if_stopped();
    const ChunkGoal goal = look(exactly > 0 ? static_cast<double>(drawn) / static_cast<double>(all) : 0.0);
    if (drawn < wanted) return false;
    if (exactly > 0 || (goal.trusted && goal.excess <= 1)) return true;
    if (monitor.elapsed() > deadline) return false;
    const double growth =
        goal.trusted && std::isfinite(goal.excess)
            ? std::clamp(growth_margin * goal.excess * goal.excess, least_growth, most_growth)
            : most_growth;
    wanted = static_cast<std::uint64_t>(std::ceil(static_cast<double>(drawn) * growth));
  }
}

/// How many samples a chunk has, of exactly so many or, where that is 0, of any number.
inline std::uint64_t samples_of_chunk(std::uint64_t number, std::uint64_t exactly) {
  const std::uint64_t first = number * samples_a_chunk;
  return exactly > 0 ? std::min(samples_a_chunk, exactly - first) : samples_a_chunk;
}

}  // namespace countpm
