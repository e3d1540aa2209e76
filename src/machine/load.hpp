#pragma once
// How busy the machine is with other programs: rates that are measured meanwhile are lower by as much.
#include <optional>
#include <string>

#include "src/api/results.hpp"

namespace countpm {

/// Reads /proc/stat and this process's own CPU time when it is made, and again. O(1).
class LoadMeter {
 public:
  explicit LoadMeter(std::string root = "");
  /// Since then; empty where less than a tenth of a second has passed, or /proc/stat cannot be read.
  std::optional<MachineLoad> since() const;

 private:
  struct Reading {
    double wall_seconds = 0;
    double own_seconds = 0;  // of all threads
    double busy = 0;         // of all cores, in the kernel's ticks
    double all = 0;
  };
  std::optional<Reading> read() const;

  std::string root_;
  std::optional<Reading> start_;
};

}  // namespace countpm
