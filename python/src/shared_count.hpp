#pragma once
// A count or an estimate whose units workers of Python's run (python/countpm/elsewhere.py): what the caller's
// side and a worker have of it.
#include <nanobind/nanobind.h>

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "python/src/graph.hpp"
#include "python/src/kept_file.hpp"
#include "python/src/sampling.hpp"
#include "src/api/entries.hpp"
#include "src/api/estimate_result.hpp"
#include "src/distributed/sample_board.hpp"
#include "src/distributed/unit_board.hpp"

namespace countpm::python {

/// The caller's side. The count, or estimate, is on a thread of its own; nothing here waits but wait(),
/// without Python's lock.
class SharedWork {
 public:
  /// checkpoint: a file that is gone on with where it is there; empty: none.
  SharedWork(const PyGraph& graph, const nanobind::dict& given, const std::string& checkpoint);
  virtual ~SharedWork() = default;
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;

  virtual WorkBoard& board() = 0;
  /// Until there are units to be taken, or all is over, which it returns.
  bool wait(double seconds);
  nanobind::object progress();
  std::vector<std::string> notices() { return notices_.take(); }
  /// Ends it, and writes the checkpoint.
  void stop();

 protected:
  /// On the thread of its own; `work` keeps what it finds.
  void begin(std::function<void(ReadResult)> work);
  /// Once it is over: throws what it threw.
  void end();

  const PyGraph graph_;
  CountOptions options_;

 private:
  ReadResult read_;
  std::mutex mutex_;
  bool stopping_ = false;
  bool over_ = false;
  std::optional<Progress> latest_;
  Notices notices_;
  std::exception_ptr failure_;
  std::thread thread_;
};

class SharedCount : public SharedWork {
 public:
  /// least_seconds: as of UnitBoard.
  SharedCount(const PyGraph& graph, const nanobind::dict& given, const std::string& checkpoint,
              double least_seconds);
  ~SharedCount() override { stop(); }
  WorkBoard& board() override { return board_; }
  /// Once it is over: as count() of the module; throws what it threw.
  nanobind::dict answer();

 private:
  UnitBoard board_;
  std::optional<CountResult> result_;
};

class SharedEstimate : public SharedWork {
 public:
  /// least_seconds: as of SampleBoard. ln_weights: they are kept.
  SharedEstimate(const PyGraph& graph, const nanobind::dict& given, const nanobind::dict& sampling,
                 const std::string& checkpoint, double least_seconds, bool ln_weights);
  ~SharedEstimate() override { stop(); }
  WorkBoard& board() override { return board_; }
  /// Once it is over: as estimate() of the module; throws what it threw.
  nanobind::dict answer();

 private:
  EstimateOptions asked_;
  SampleBoard board_;
  LogWeights weights_;
  std::optional<EstimateResult> result_;
};

void bind_shared_count(nanobind::module_& module);

}  // namespace countpm::python
