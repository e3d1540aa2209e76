#pragma once
// How parts of one piece of work that run on several machines, or several threads, send each other bytes.
#include <string>
#include <vector>

#include "graph/stop_signal.hpp"

namespace countpm {

/// One part's end. All parts make the same calls in the same order; each end is one thread's. What is under
/// way at a time is as much as was given and not taken: whoever gives bounds it.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual int part() const = 0;  // 0 .. parts() - 1
  virtual int parts() const = 0;
  /// For each part, itself among them, what it is to have. Returns at once.
  virtual void give(std::vector<std::string> bytes) = 0;
  /// What every part gave to this one in that part's k-th give(), where this is the k-th take(); waits for
  /// it. Throws Stopped, and CheckError where bytes did not arrive as they were given.
  virtual std::vector<std::string> take(const StopSignal& stop) = 0;
};

}  // namespace countpm
