#pragma once
// A count whose units workers of Python's run (python/countpm/distributed.py): what the caller's side and a
// worker have of it.
#include <nanobind/nanobind.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "python/src/graph.hpp"
#include "src/api/entries.hpp"
#include "src/distributed/unit_board.hpp"

namespace countpm::python {

/// The caller's side. The count is on a thread of its own; nothing here waits but wait(), without Python's
/// lock.
class SharedCount {
 public:
  /// checkpoint: a file that is gone on with where it is there; empty: none. least_seconds: as of UnitBoard.
  SharedCount(const PyGraph& graph, const nanobind::dict& given, const std::string& checkpoint,
              double least_seconds);
  ~SharedCount();
  SharedCount(const SharedCount&) = delete;
  SharedCount& operator=(const SharedCount&) = delete;

  /// Until there are units to be taken, or the count is over, which it returns.
  bool wait(double seconds);
  UnitBoard& board() { return board_; }
  nanobind::object progress();
  std::vector<std::string> notices();
  /// Ends it, and writes the checkpoint.
  void stop();
  /// Once it is over: as count() of the module; throws what it threw.
  nanobind::dict answer();

 private:
  void work(ReadResult read);

  const PyGraph graph_;
  CountOptions options_;
  UnitBoard board_;
  std::mutex mutex_;
  bool stopping_ = false;
  bool over_ = false;
  std::optional<Progress> latest_;
  std::vector<std::string> notices_;
  std::optional<CountResult> result_;
  std::exception_ptr failure_;
  std::thread thread_;
};

void bind_shared_count(nanobind::module_& module);

}  // namespace countpm::python
