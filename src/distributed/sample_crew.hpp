#pragma once
// Others who draw samples beside or instead of this process: the ranks of an estimate, or an executor's
// workers.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "src/distributed/sample_drawer.hpp"
#include "src/journal/journal.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// Samples of one sampler, or trials of a block, that are to be drawn now, all of them.
struct SampleRound {
  std::size_t series = 0;  // as SampleBatch::series
  SampleDrawer* drawer = nullptr;
  UnitRange samples;
  double seconds_a_sample = 0;  // of one thread, seen or predicted
  double log2_most = 0;         // as possible() takes it
  /// Whether batches have SampleBatch::ln_weights.
  bool weights = false;
  /// Of trials: RejectionTrials::hits.
  std::optional<unsigned> share_bits = {};

  // What this process may use of its machine beside the drawer's GPUs, where it draws, too.
  int threads = 1;
  bool cpu = true;

  /// Takes a batch, in whatever order they come; every sample comes once. One call at a time. by_gpu: of
  /// this process.
  std::function<void(SampleBatch&& batch, bool by_gpu)> give;
  /// Whether no further samples are to be begun, but the first.
  std::function<bool()> ended;
  /// Whether samples that are under way then are waited for.
  bool rest_counts = true;

  /// Whether somebody may have drawn that.
  bool can_have(const SampleBatch& batch) const;
  double seconds() const { return seconds_a_sample * static_cast<double>(samples.size()); }
};

/// The samples do not depend on who draws them.
class SampleCrew {
 public:
  virtual ~SampleCrew() = default;
  /// The estimate's blocks are known, but not yet how they are sampled: whoever draws can get ready.
  /// header: its samplings name no samplers.
  virtual void share_blocks(const JournalHeader& header) = 0;
  /// Everything that fixes the samples.
  virtual void share_samplers(JournalHeader header) = 0;
  /// What is predicted to take less time than that is not worth the crew's.
  virtual double least_seconds() const = 0;
  /// Returns when all has been given, or the round has ended or the monitor's stop signal is requested, and
  /// nothing is under way. Returns the seconds that a sample takes a thread, as seen; 0: nothing was.
  virtual double draw(const SampleRound& round, Monitor& monitor) = 0;

  /// Of each series a batch that others drew, left to chance, to be drawn again here.
  std::vector<SampleBatch> some_of_others() const;

 protected:
  /// A batch that others drew: every one has the same chance to be the one of its series that is kept.
  void keep_some(const SampleBatch& batch);
  /// What comes now is drawn otherwise.
  void keep_none() { kept_.clear(); }

 private:
  struct Kept {
    SampleBatch batch;
    std::uint64_t of = 0;  // batches
  };
  std::map<std::size_t, Kept> kept_;
  std::mt19937_64 random_{std::random_device{}()};
};

}  // namespace countpm
