#pragma once
// What has been drawn of a sampled block: for journals and whoever goes on with one.
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kernels/estimate/guarantee/betting_rule.hpp"
#include "kernels/estimate/guarantee/rejection_trials.hpp"
#include "kernels/estimate/samples/sample_moments.hpp"
#include "src/units/unit_queue.hpp"

namespace countpm {

/// Samples number 0 to moments.samples - 1, none missing. Of trials (--guarantee) only their number, that of
/// those with hits (coins: successes), moments.nonzero, and how many hits these had are there; then no trial
/// after the last that was asked for is in.
struct DrawnSamples {
  /// So many samples are to be drawn before the interval is looked at again. With it, an interrupted estimate
  /// looks at its interval where an uninterrupted one does. Of trials: the successes that are asked for, or
  /// with share_bits the trials that were expected.
  std::uint64_t goal = 0;
  SampleMoments moments;
  unsigned share_bits = 0;  // of trials: RejectionTrials::hits; 0: coins, whose hits are not kept
  HitCounts hits;
  double seconds = 0;  // of all threads together
  /// Of trials in parts, which no rule has seen yet: those that have hits, in order. All are in, and hits are
  /// not counted.
  std::optional<std::vector<TrialHits>> trials = {};
};

/// The latest of one block. Thread-safe.
class SampleLedger {
 public:
  /// Later than all before: as many samples or more.
  void put(DrawnSamples drawn);
  DrawnSamples get() const;
  bool has_new() const { return has_new_.load(std::memory_order_relaxed); }
  /// The latest, which is not new any more.
  DrawnSamples take();

 private:
  mutable std::mutex mutex_;
  DrawnSamples drawn_;
  std::atomic<bool> has_new_{false};
};

/// As a journal has it: block number `sampling` of those that are sampled.
struct SampleRecord {
  std::size_t sampling = 0;
  DrawnSamples drawn;
};
/// What two records one after the other say of a block: samples before.samples to after.samples - 1 are what
/// tells them apart.
struct SampleStretch {
  SampleMoments before;
  SampleMoments after;
  double seconds = 0;  // that drawing these took, of all threads together
};

/// Some samples of a series, from whoever drew them: series 2 b is of block number b of those that are
/// sampled, series 2 b + 1 of its second sampler.
struct SampleBatch {
  std::size_t series = 0;
  UnitRange range;  // of their numbers
  SampleMoments moments;
  double seconds = 0;  // of a thread, or of a GPU
  /// Of trials: those that have some, in order. Their moments are how many there are of both, and no more.
  std::vector<TrialHits> hits = {};
  /// Of samples, where it is asked for: ln of each, in order; -inf for 0.
  std::vector<double> ln_weights = {};
};
inline constexpr std::size_t series_a_block = 2;
inline constexpr std::uint64_t most_samples_of_a_series = std::uint64_t{1} << 52;

/// As JSON on one line, every figure exact, and back. The parsers throw std::exception for what
/// is none, moments that no set of samples has among it.
std::string samples_text(const SampleRecord& record);
SampleRecord parse_samples(const std::string& text);
std::string batch_text(const SampleBatch& batch);
SampleBatch parse_batch(const std::string& text);

/// Whether samples are at most 2^log2_most, and those that are not 0 at least 2^-log2_most.
bool possible(const SampleMoments& moments, double log2_most);
/// Throws InputError, naming the file, where samples are above 2^log2_most or, not being 0, below
/// 2^-log2_most: sums take as much memory as samples are apart, and these are read from a file.
void check_possible(const DrawnSamples& drawn, double log2_most, const std::string& file);

}  // namespace countpm
