#pragma once
// Samples in chunks of a fixed size, on threads: what is added up in floating point is the same for any
// number of them.
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

#include "src/run/scheduler.hpp"
#include "src/units/in_order.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

constexpr std::uint64_t samples_a_chunk = 32;

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

}  // namespace countpm
