#pragma once
// Trials that succeed with probability permanent / bound, or have hits in proportion to it: what estimates
// with a guarantee toss.
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/guarantee/gpu/form.hpp"
#include "kernels/method.hpp"
#include "matching/block.hpp"

namespace countpm {

/// A trial that was not rejected.
struct TrialHits {
  std::uint64_t trial = 0;
  std::uint64_t hits = 0;  // at least 1
  bool operator==(const TrialHits&) const = default;
};

/// What trials with hits of 2^-share_bits are like, by walks that are never rejected; without any guarantee.
struct TrialForecast {
  unsigned share_bits = 0;
  double mean = 0;           // of hits 2^-share_bits; the same for all shares
  double second_moment = 0;  // of these
  double steps = 0;          // that a trial takes
};

/// A trial eliminates the columns in the order of a HuberBound. With R the rows left, step k goes on with
/// probability sum over i in R of x_ij U(R - i, k+1) / U(R, k), at most 1 since the bound nests, and then row
/// i is taken in proportion to its term: every permutation survives with probability (product of its x) /
/// U(all, 0), and all together with permanent / bound, exactly. Doubles follow another law: bias() says how
/// far off.
///
/// Such a coin tells little of what a trial has seen. With a share c = 2^-share_bits < 1 a trial goes on as
/// long as the product W of its steps' probabilities is above c u, u its uniform number, and has ceil(W / c -
/// u) hits: W / c on average, so that c times its hits has the mean permanent / bound again, and varies far
/// less, at the price of longer trials. c = 1 is the coin.
class RejectionTrials {
 public:
  /// Throws UnableError for blocks that cannot be sampled (sample_matrix.hpp) or have too many rows. Where
  /// few trials would succeed the bound is fitted to the block, the same by any number of threads: some
  /// seconds at most. Throws Stopped.
  RejectionTrials(const AnyBlock& block, std::uint64_t seed, std::uint64_t stream,
                  const StopSignal& stop = StopSignal(), int threads = 1);
  ~RejectionTrials();
  RejectionTrials(RejectionTrials&&) noexcept;
  RejectionTrials& operator=(RejectionTrials&&) noexcept;

  /// The permanent of the block is success probability times this, to within a factor 1 +- factor_error().
  double log2_bound() const;
  double factor_error() const;
  /// Where permanent / bound is at least `rate`, the probability of success, and the mean of a share times
  /// its hits, is 1 +- bias(rate) times that. Let u = 2^-53, and c_k >= m_k be the sum of a step's m_k
  /// weights over the least of them. A step's probability is off by at most 3 m_k + 4 roundings of a factor 1
  /// +- u. A row's interval, cut from running sums by a uniform number of 53 bits, is off by 5 u of the sum,
  /// and so by 5 c_k u of itself, and by m_k + 2 roundings of sum and weight: in all at most the sum over
  /// steps of (9 c_k + 8) u, below that of (c_k + 1) 2^-49. The same errors move, whatever the weights are,
  /// at most (3 m_k + 4 + m_k (m_k + 7)) u of a step's probability to other rows or to rejection; over the
  /// rate that is the other bound, n (n + 4)^2 2^-52, and the lesser holds. The number of 64 bits that
  /// decides on rejection adds 2^-64 over the rate; in W / c - u it is rounded to 53, which moves the mean by
  /// 2 u at most: both bounds have room for that.
  double bias(double rate) const;

  /// The numbers, of first .. first + count - 1, of the trials that succeed, rising. Trial t depends on the
  /// block, the seed, the stream and t alone. Thread-safe. Throws Stopped. O(entries) a trial at most.
  std::vector<std::uint64_t> successes(std::uint64_t first, std::uint64_t count,
                                       const StopSignal& stop) const;

  /// The same for trials with hits, at most 2^share_bits each: those that have any. successes() are those of
  /// share_bits 0. Precondition: share_bits <= most_share_bits.
  std::vector<TrialHits> hits(std::uint64_t first, std::uint64_t count, unsigned share_bits,
                              const StopSignal& stop) const;
  /// The hits of trials that are known to have some, by threads. Throws Stopped.
  std::vector<TrialHits> hits_of(const std::vector<std::uint64_t>& trials, unsigned share_bits, int threads,
                                 const StopSignal& stop) const;
  static constexpr unsigned most_share_bits = 16;

  /// The numbers of the trials that have hits, found on a GPU. Throws CudaError, or UnableError where its
  /// memory does not suffice.
  std::unique_ptr<DeviceTrials> on_device(const GpuInfo& gpu, unsigned share_bits = 0) const;

  /// An estimate of the probability of success without any guarantee: the mean over `walks` of the product of
  /// their steps' probabilities, none rejected. Other random numbers than the trials'. 0 where every walk
  /// ended nowhere. Throws Stopped.
  double expected_rate(std::uint64_t walks, const StopSignal& stop) const;
  /// By the same walks, for share_bits 0 to most_share_bits.
  std::vector<TrialForecast> forecast(std::uint64_t walks, const StopSignal& stop) const;

  std::uint64_t rows() const;

 private:
  class Core;
  std::unique_ptr<const Core> core_;
};

}  // namespace countpm
