#include "kernels/estimate/guarantee/rejection_trials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "kernels/estimate/guarantee/gpu/form.hpp"
#include "kernels/estimate/guarantee/huber_bound.hpp"
#include "kernels/estimate/guarantee/local_trials.hpp"
#include "kernels/estimate/guarantee/trial_step.hpp"
#include "kernels/estimate/walks/walk_random.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/support/parallel_ranges.hpp"

namespace countpm {
namespace {

// Streams of trials and of the walks that predict, told from those of other uses of the same seed.
constexpr std::uint64_t trial_stream = std::uint64_t{1} << 62;
constexpr std::uint64_t walk_stream = std::uint64_t{3} << 62;
constexpr std::uint64_t trials_between_checks = 64;
constexpr std::uint64_t trials_a_range = 1024;
// LocalTrials' trials that take their steps together: fewer take longer than one by one.
constexpr std::uint64_t worth_together = 256;
constexpr std::uint64_t most_together = std::uint64_t{1} << 14;
// Fitting potentials to the matrix takes as long as half a million trials: worth it where fewer succeed, as
// so many walks say. A better order once more for each attempt, as long as some 1,000 trials by all threads:
// for an eighth of those that the default guarantee takes.
constexpr double worth_fitting = 1.0 / 2000;
constexpr std::uint64_t worth_walks = 500;
constexpr std::uint64_t improving_walks = 4000;
constexpr double worth_an_attempt = 1.0 / 900;
constexpr double fewest_attempts = 50;
constexpr double most_attempts = 1600;

double in_shares(double product, unsigned share_bits) {
  return product * static_cast<double>(std::uint64_t{1} << share_bits);
}

// A trial whose walk ends with a product of q shares has floor(q) hits or one more, q on average.
void add_walk(TrialForecast& forecast, double product) {
  const double shares = in_shares(product, forecast.share_bits);
  const double sure = std::floor(shares);
  const double squares = sure * sure + (shares - sure) * (2 * sure + 1);
  forecast.mean += product;
  forecast.second_moment += std::ldexp(squares, -2 * static_cast<int>(forecast.share_bits));
}

}  // namespace

class RejectionTrials::Core {
 public:
  Core(const AnyBlock& block, std::uint64_t seed, std::uint64_t stream, const StopSignal& stop, int threads)
      : seed_(seed), stream_(stream) {
    const SampleMatrix matrix = make_sample_matrix(block);
    const HuberBound bound(matrix);
    use(bound, matrix.exponent);
    if (expected_rate(worth_walks, stop) >= worth_fitting) return;
    const std::optional<HuberBound> fitted = HuberBound::fitted(matrix, 0, stop, threads);
    if (!fitted || fitted->log2_upper() >= bound.log2_upper()) return;
    use(*fitted, matrix.exponent);
    const double attempts = worth_an_attempt / std::max(expected_rate(improving_walks, stop), 1e-12);
    if (attempts < fewest_attempts) return;
    const HuberBound improved = fitted->improved(
        matrix, static_cast<std::uint64_t>(std::min(most_attempts, attempts)), stop, threads);
    if (improved.log2_upper() < fitted->log2_upper()) use(improved, matrix.exponent);
  }

  std::uint32_t size() const { return size_; }
  double log2_bound() const { return log2_bound_; }
  // Entries, potentials, scale and their products, each correct to 2^-53, and the logarithm.
  double factor_error() const { return (8.0 * size_ + 4 * std::abs(log2_bound_) + 64) * 0x1p-52; }
  double bias(double rate) const {
    const double moved = size_ * (size_ + 4.0) * (size_ + 4.0) * 0x1p-52;
    return std::min(spread_ * 0x1p-49, moved / rate) + 0x1p-64 / rate;
  }

  std::vector<TrialHits> hits(std::uint64_t first, std::uint64_t count, unsigned share_bits,
                              const StopSignal& stop) const {
    std::vector<TrialHits> result;
    if (local_ && count >= worth_together) {
      for (std::uint64_t done = 0; done < count; done += most_together) {
        stop.check();
        const double share = std::ldexp(1.0, -static_cast<int>(share_bits));
        local_->run({seed_, stream_ | trial_stream}, first + done, std::min(most_together, count - done),
                    share, [&](std::uint64_t t, double product, double least) {
                      result.push_back({t, hits_of(product, least / share, share_bits)});
                    });
      }
      std::sort(result.begin(), result.end(),
                [](const TrialHits& a, const TrialHits& b) { return a.trial < b.trial; });
      return result;
    }
    Rows rows(words_);
    for (std::uint64_t t = first; t < first + count; ++t) {
      if (t % trials_between_checks == 0) stop.check();
      if (const std::uint64_t hits = hits_of(t, share_bits, rows); hits > 0) result.push_back({t, hits});
    }
    return result;
  }

  std::vector<TrialHits> hits_of(const std::vector<std::uint64_t>& trials, unsigned share_bits, int threads,
                                 const StopSignal& stop) const {
    std::vector<TrialHits> result(trials.size());
    parallel_ranges(threads, trials.size(), trials_a_range, [&](std::uint64_t first, std::uint64_t last) {
      stop.check();
      Rows rows(words_);
      for (std::uint64_t k = first; k < last; ++k)
        result[k] = {trials[k], hits_of(trials[k], share_bits, rows)};
    });
    return result;
  }

  // A device compares the product with u alone: the first step's probability is divided by the share instead,
  // which is a power of two and so moves no rounding. Where a row has its only entry there, that row decides.
  std::unique_ptr<DeviceTrials> on_device(const GpuInfo& gpu, unsigned share_bits) const {
    std::vector<TrialMove> move(move_);
    const bool forced = std::any_of(last_.begin(), last_.begin() + words_, [](std::uint64_t w) { return w; });
    for (std::uint32_t i = 0; i < size_; ++i) {
      double& factor = forced ? move[i].ratio : move[i].weight;
      if (!forced || (last_[i / 64] >> i % 64 & 1) != 0)
        factor = std::ldexp(factor, static_cast<int>(share_bits));
    }
    const TrialTask task{&move, &present_, &last_, size_, words_, seed_, stream_ | trial_stream};
    return on_gpu<TrialsForm>(gpu, task);
  }

  std::vector<TrialForecast> forecast(std::uint64_t walks, const StopSignal& stop) const {
    std::vector<TrialForecast> result(most_share_bits + 1);
    for (unsigned bits = 0; bits <= most_share_bits; ++bits) result[bits].share_bits = bits;
    Rows rows(words_);
    for (std::uint64_t t = 0; t < walks; ++t) {
      stop.check();
      WalkRandom random(seed_, stream_ | walk_stream, t);
      const TrialTables all = tables();
      begin_trial<0>(all, rows.set.data());
      double product = 1;
      for (std::uint32_t step = 0; step < size_; ++step) {
        // A trial is still there where its number is below product / share.
        for (TrialForecast& own : result) own.steps += std::min(1.0, in_shares(product, own.share_bits));
        if (!trial_step<0>(all, step, rows.set.data(), 0, random, product)) break;
      }
      for (TrialForecast& own : result) add_walk(own, product);
    }
    for (TrialForecast& own : result) {
      for (double* const sum : {&own.mean, &own.second_moment, &own.steps})
        *sum /= static_cast<double>(walks);
    }
    return result;
  }

  double expected_rate(std::uint64_t walks, const StopSignal& stop) const {
    double sum = 0;
    Rows rows(words_);
    for (std::uint64_t t = 0; t < walks; ++t) {
      stop.check();
      WalkRandom random(seed_, stream_ | walk_stream, t);
      sum += pass(rows, random, 0);
    }
    return sum / static_cast<double>(walks);
  }

 private:
  void use(const HuberBound& bound, std::int64_t exponent) {
    size_ = bound.size();
    words_ = (size_ + 63) / 64;
    log2_bound_ = bound.product().log2() - bound.scale().log2() + static_cast<double>(exponent);
    fill(bound);
  }

  void fill(const HuberBound& bound) {
    spread_ = 0;
    move_.clear();
    move_.resize(std::size_t{size_} * size_);
    present_.assign(std::size_t{size_} * words_, 0);
    last_.assign(std::size_t{size_} * words_, 0);
    for (std::uint32_t step = 0; step < size_; ++step) {
      double sum = 0;
      double least = std::numeric_limits<double>::infinity();
      for (std::uint32_t i = 0; i < size_; ++i) {
        const double x = bound.entry(step, i);
        if (x == 0) continue;
        const std::size_t word = step * words_ + i / 64;
        const std::uint64_t bit = std::uint64_t{1} << i % 64;
        const double before = bound.potential(step, i);
        const double after = bound.potential(step + 1, i);
        present_[word] |= bit;
        if (after == 0) last_[word] |= bit;
        move_[std::size_t{step} * size_ + i] =
            after == 0 ? TrialMove{0, x / before} : TrialMove{x / after, after / before};
        if (after == 0) continue;
        sum += x / after;
        least = std::min(least, x / after);
      }
      // A 2^-20th more, for the roundings of this sum itself.
      spread_ += 1 + sum / least * (1 + 0x1p-20);
    }
    local_.reset();
    if (LocalTrials::fit(tables())) local_.emplace(tables());
  }

  TrialTables tables() const { return {move_.data(), present_.data(), last_.data(), size_, words_}; }

  /// Those that a trial has left.
  struct Rows {
    explicit Rows(std::uint32_t words) : set(words) {}
    std::vector<std::uint64_t> set;
    LocalTrials::Left by_step;
  };

  /// Of a trial that was not rejected, by its number in (0, 1). Roundings could take a product beyond 1, and
  /// its hits beyond what there can be.
  static std::uint64_t hits_of(double product, double number, unsigned share_bits) {
    const double hits = std::ceil(in_shares(product, share_bits) - number);
    return std::min(static_cast<std::uint64_t>(hits), std::uint64_t{1} << share_bits);
  }
  /// 0: rejected.
  std::uint64_t hits_of(std::uint64_t trial, unsigned share_bits, Rows& rows) const {
    WalkRandom random(seed_, stream_ | trial_stream, trial);
    const double number = rejection_threshold(random);
    const double product = pass(rows, random, std::ldexp(number, -static_cast<int>(share_bits)));
    return product > 0 ? hits_of(product, number, share_bits) : 0;
  }

  double pass(Rows& rows, WalkRandom& random, double least) const {
    if (local_) return local_->pass(rows.by_step, least, random);
    switch (words_) {
      case 1:
        return pass<1>(rows.set.data(), random, least);
      case 2:
        return pass<2>(rows.set.data(), random, least);
      default:
        return pass<0>(rows.set.data(), random, least);
    }
  }

  /// The product of the steps' probabilities; 0 once it is at most `least`. Words: 0 for any number.
  template <unsigned Words>
  double pass(std::uint64_t* rows, WalkRandom& random, double least) const {
    const TrialTables all = tables();
    begin_trial<Words>(all, rows);
    double product = 1;
    for (std::uint32_t step = 0; step < size_; ++step) {
      if (!trial_step<Words>(all, step, rows, least, random, product)) break;
    }
    return product;
  }

  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint32_t size_ = 0;
  std::uint32_t words_ = 0;
  double log2_bound_ = 0;
  double spread_ = 0;            // sum over steps of 1 + (sum of weights) / (least weight)
  std::vector<TrialMove> move_;  // see TrialTables
  std::vector<std::uint64_t> present_;
  std::vector<std::uint64_t> last_;
  std::optional<LocalTrials> local_;  // the same, where columns are short
};

RejectionTrials::RejectionTrials(const AnyBlock& block, std::uint64_t seed, std::uint64_t stream,
                                 const StopSignal& stop, int threads)
    : core_(std::make_unique<const Core>(block, seed, stream, stop, threads)) {}
RejectionTrials::~RejectionTrials() = default;
RejectionTrials::RejectionTrials(RejectionTrials&&) noexcept = default;
RejectionTrials& RejectionTrials::operator=(RejectionTrials&&) noexcept = default;

double RejectionTrials::log2_bound() const {
  return core_->log2_bound();
}
double RejectionTrials::factor_error() const {
  return core_->factor_error();
}
double RejectionTrials::bias(double rate) const {
  return core_->bias(rate);
}
std::uint64_t RejectionTrials::rows() const {
  return core_->size();
}
std::vector<std::uint64_t> RejectionTrials::successes(std::uint64_t first, std::uint64_t count,
                                                      const StopSignal& stop) const {
  std::vector<std::uint64_t> result;
  for (const TrialHits& trial : hits(first, count, 0, stop)) result.push_back(trial.trial);
  return result;
}
std::vector<TrialHits> RejectionTrials::hits(std::uint64_t first, std::uint64_t count, unsigned share_bits,
                                             const StopSignal& stop) const {
  return core_->hits(first, count, share_bits, stop);
}
std::vector<TrialHits> RejectionTrials::hits_of(const std::vector<std::uint64_t>& trials, unsigned share_bits,
                                                int threads, const StopSignal& stop) const {
  return core_->hits_of(trials, share_bits, threads, stop);
}
std::unique_ptr<DeviceTrials> RejectionTrials::on_device(const GpuInfo& gpu, unsigned share_bits) const {
  return core_->on_device(gpu, share_bits);
}
std::vector<TrialForecast> RejectionTrials::forecast(std::uint64_t walks, const StopSignal& stop) const {
  return core_->forecast(walks, stop);
}
double RejectionTrials::expected_rate(std::uint64_t walks, const StopSignal& stop) const {
  return core_->expected_rate(walks, stop);
}

}  // namespace countpm
