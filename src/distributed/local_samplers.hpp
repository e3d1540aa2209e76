#pragma once
// One rank's processors, for samples: its threads and GPUs, which take samples from a stock that is filled up
// while they work.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "src/distributed/dispatcher.hpp"
#include "src/distributed/sample_drawer.hpp"
#include "src/journal/sample_ledger.hpp"
#include "src/run/scheduler.hpp"

namespace countpm {

/// A round's samples in pieces of one size, the last one aside, as the dispatcher deals them.
struct SampleGrid {
  std::size_t series = 0;
  UnitRange samples;
  std::uint64_t size = 1;  // of a piece

  /// Of a round whose samples take so long each: pieces long enough for a message, and not too many.
  /// worth_seconds: the channel's.
  static SampleGrid of(std::size_t series, const UnitRange& samples, double seconds_a_sample,
                       double worth_seconds);
  std::uint64_t pieces() const { return (samples.size() + size - 1) / size; }
  UnitRange samples_of(const UnitRange& pieces) const;
  /// Empty where they are not exactly some pieces.
  UnitRange pieces_of(const UnitRange& some) const;
  bool operator==(const SampleGrid& other) const {
    return series == other.series && samples.first == other.samples.first &&
           samples.last == other.samples.last && size == other.size;
  }
};

/// What draws a round's samples on one rank, beside GPUs.
struct SampleMeans {
  int threads = 1;
  bool cpu = true;
};

/// Between two looks for messages, while samples are drawn: soon again where something has just come, later
/// and later where nothing does, but always sooner than a batch takes. A look is work of MPI's.
class PatientNap {
 public:
  void reset() { nap_ = shortest; }
  void sleep() {
    std::this_thread::sleep_for(nap_);
    nap_ = std::min(2 * nap_, longest);
  }

 private:
  static constexpr std::chrono::microseconds shortest{100};
  static constexpr std::chrono::microseconds longest{2000};
  std::chrono::microseconds nap_ = shortest;
};

/// Threads that draw beside so many GPUs.
int drawing_threads(int threads, bool cpu, std::size_t gpus);

class LocalSamplers : private Work {
 public:
  /// seconds_a_sample: of a thread, until it is seen. The drawer outlives the samplers, as does `stop`, which
  /// stops samples. Throws UnableError where the system starts too few threads.
  LocalSamplers(SampleDrawer& drawer, const SampleGrid& grid, double seconds_a_sample,
                const SampleMeans& means, const StopSignal& stop);

  /// A rank with so many threads that draw, and GPUs, as the dispatcher wants to know it; the rate is that of
  /// threads.
  static WorkerTraits traits_of(int cpu_threads, std::size_t gpus);
  WorkerTraits traits() const { return traits_of(scheduler_.cpu_threads(), drawer_.gpus()); }
  /// More to do: pieces. seconds_left: until all ranks together are done.
  void give(const UnitRange& pieces, double seconds_left);
  struct Drawn {
    SampleBatch batch;
    bool by_gpu = false;
  };
  /// What has been drawn since the last call.
  std::vector<Drawn> take_results();
  /// Throws what drawing threw, other than Stopped.
  void rethrow() { scheduler_.rethrow(); }
  /// That a sample took one thread; 0: none did.
  double seconds_a_sample() const { return scheduler_.cpu_seconds_each(0) / static_cast<double>(grid_.size); }

 private:
  Pace on_cpu(std::size_t task) const override;
  GpuRunner on_gpu(std::size_t task, std::size_t gpu) override;
  void run(std::size_t task, const UnitRange& pieces) override;
  void stop_others() override {}  // whoever looks for results hears of it
  template <class Draw>
  void timed(const UnitRange& pieces, bool by_gpu, const Draw& draw);

  SampleDrawer& drawer_;
  const SampleGrid grid_;
  double expected_seconds_;  // a piece, of a thread
  const StopSignal& stop_;
  std::mutex mutex_;
  std::vector<Drawn> results_;
  Scheduler scheduler_;
};

}  // namespace countpm
