#pragma once
// The progress bar and Ctrl-C for as long as a command computes.
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "apps/limit_watch.hpp"
#include "apps/options.hpp"
#include "apps/progress.hpp"
#include "graph/errors.hpp"

namespace countpm::app {

/// Shows what the request asks for; takes the bar away however the command ends.
class ProgressScope {
 public:
  explicit ProgressScope(const Request& request);
  ~ProgressScope() { display_.clear(); }
  ProgressScope(const ProgressScope&) = delete;
  ProgressScope& operator=(const ProgressScope&) = delete;

  /// Sets the progress and interruption of the options; they must not outlive the scope. With a checkpoint,
  /// an interrupted program has time to write it from the first unit on, and not before.
  /// Where the command has one input and one result, `limit` seconds end the program before anything is
  /// counted, whatever it does then.
  void watch(CountOptions& options, double limit);
  void watch(CountOptions& options) { watch(options, options.time_limit_seconds); }
  /// Nothing ends the program any more: the result is there, or there are several, each with its own limit.
  void lift_limit() { limit_.reset(); }
  /// Called, before watch(), with what is to be called then, with the message; it must throw nothing.
  void before_the_end(std::function<void(const std::string&)> last_words) {
    last_words_ = std::move(last_words);
  }
  /// Does the work. Where it is interrupted after units, or samples, had begun, and nothing keeps them, the
  /// error says what would have.
  template <class Work>
  auto advising_checkpoints(const CountOptions& options, const Work& work) {
    try {
      return work();
    } catch (const InterruptedError& error) {
      if (options.checkpoint.used() || !begun_.load()) throw;
      throw InterruptedError(
          std::string(error.what()) +
          "; with --checkpoint FILE what is done is kept, and 'countpm resume FILE' goes on");
    }
  }
  /// Takes the bar away until there is progress again: before a line is written.
  void hide() { display_.clear(); }

 private:
  void watch_limit(const CountOptions& options, double limit);

  const Request& request_;
  ProgressDisplay display_;
  std::function<void(const std::string&)> last_words_;
  std::atomic<bool> begun_{false};   // units or samples, as the monitor's thread has seen
  std::optional<LimitWatch> limit_;  // ends first
};

}  // namespace countpm::app
