#pragma once
// The progress bar and Ctrl-C for as long as a command computes.
#include "apps/options.hpp"
#include "apps/progress.hpp"

namespace countpm::app {

/// Shows what the request asks for; takes the bar away however the command ends.
class ProgressScope {
 public:
  explicit ProgressScope(const Request& request);
  ~ProgressScope() { display_.clear(); }
  ProgressScope(const ProgressScope&) = delete;
  ProgressScope& operator=(const ProgressScope&) = delete;

  /// Sets the progress and interruption of the options; they must not outlive the scope.
  void watch(CountOptions& options);
  /// Takes the bar away until there is progress again: before a line is written.
  void hide() { display_.clear(); }

 private:
  ProgressDisplay display_;
};

}  // namespace countpm::app
