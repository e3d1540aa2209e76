#include "kernels/estimate/rejection_trials.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/estimate/nesting_bound.hpp"
#include "kernels/estimate/walk.hpp"

namespace countpm {
namespace {

// Streams of trials and of the walks that predict, told from those of other uses of the same seed.
constexpr std::uint64_t trial_stream = std::uint64_t{1} << 62;
constexpr std::uint64_t walk_stream = std::uint64_t{3} << 62;
constexpr std::uint64_t trials_between_checks = 64;

/// A row in the column of a step: its share among the rows, and what the bound is multiplied by as the step
/// passes it.
struct Move {
  double weight = 0;  // x / f(k+1); 0 for a row whose last entry this is
  double ratio = 1;   // f(k+1) / f(k); for a row whose last entry this is, x / f(k)
};

}  // namespace

class RejectionTrials::Core {
 public:
  Core(const AnyBlock& block, std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {
    const SampleMatrix matrix = make_sample_matrix(block);
    const NestingBound bound(matrix);
    size_ = bound.size();
    words_ = (size_ + 63) / 64;
    log2_bound_ = bound.product().log2() - bound.scale().log2() + static_cast<double>(matrix.exponent);
    fill(bound);
  }

  std::uint32_t size() const { return size_; }
  double log2_bound() const { return log2_bound_; }
  // Entries, potentials, scale and their products, each correct to 2^-53, and the logarithm.
  double factor_error() const { return (8.0 * size_ + 4 * std::abs(log2_bound_) + 64) * 0x1p-52; }
  double bias(double rate) const {
    const double moved = size_ * (size_ + 4.0) * (size_ + 4.0) * 0x1p-52;
    return std::min(spread_ * 0x1p-49, moved / rate) + 0x1p-64 / rate;
  }

  std::vector<std::uint64_t> successes(std::uint64_t first, std::uint64_t count,
                                       const StopSignal& stop) const {
    std::vector<std::uint64_t> result;
    std::vector<std::uint64_t> rows(words_);
    for (std::uint64_t t = first; t < first + count; ++t) {
      if (t % trials_between_checks == 0) stop.check();
      CounterRandom random(seed_, stream_ | trial_stream, t);
      // A product of the steps' probabilities that is not above this means rejection.
      const double least = (static_cast<double>(random.next()) + 0.5) * 0x1p-64;
      if (pass(rows, random, least) > 0) result.push_back(t);
    }
    return result;
  }

  double expected_rate(std::uint64_t walks, const StopSignal& stop) const {
    double sum = 0;
    std::vector<std::uint64_t> rows(words_);
    for (std::uint64_t t = 0; t < walks; ++t) {
      stop.check();
      CounterRandom random(seed_, stream_ | walk_stream, t);
      sum += pass(rows, random, 0);
    }
    return sum / static_cast<double>(walks);
  }

 private:
  void fill(const NestingBound& bound) {
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
            after == 0 ? Move{0, x / before} : Move{x / after, after / before};
        if (after == 0) continue;
        sum += x / after;
        least = std::min(least, x / after);
      }
      // A 2^-20th more, for the roundings of this sum itself.
      spread_ += 1 + sum / least * (1 + 0x1p-20);
    }
  }

  double pass(std::vector<std::uint64_t>& rows, CounterRandom& random, double least) const {
    for (std::uint32_t w = 0; w < words_; ++w) rows[w] = ~std::uint64_t{0};
    if (size_ % 64 != 0) rows[words_ - 1] = (std::uint64_t{1} << size_ % 64) - 1;
    switch (words_) {
      case 1:
        return pass<1>(rows.data(), random, least);
      case 2:
        return pass<2>(rows.data(), random, least);
      default:
        return pass<0>(rows.data(), random, least);
    }
  }

  /// The product of the steps' probabilities; 0 once it is at most `least`. Words: 0 for any number.
  template <unsigned Words>
  double pass(std::uint64_t* rows, CounterRandom& random, double least) const {
    const std::uint32_t words = Words > 0 ? Words : words_;
    double product = 1;
    for (std::uint32_t step = 0; step < size_; ++step) {
      const Move* const move = move_.data() + std::size_t{step} * size_;
      const std::uint64_t* const present = present_.data() + std::size_t{step} * words;
      std::uint32_t forced = 0;
      const unsigned needy = forced_rows(rows, last_.data() + std::size_t{step} * words, words, forced);
      if (needy > 1) return 0;
      double sum = 0;
      double ratio = 1;
      for_rows(rows, present, words, [&](std::uint32_t i) {
        sum += move[i].weight;
        ratio *= move[i].ratio;
        return true;
      });
      product *= needy == 1 ? ratio : ratio * sum;
      if (!(product > least)) return 0;
      std::uint32_t chosen = forced;
      if (needy == 0) {
        const double wanted = uniform(random) * sum;
        double below = 0;
        for_rows(rows, present, words, [&](std::uint32_t i) {
          chosen = i;  // the last one, should rounding leave `wanted` beyond it
          below += move[i].weight;
          return below <= wanted;
        });
      }
      rows[chosen / 64] ^= std::uint64_t{1} << chosen % 64;
    }
    return product;
  }

  /// How many rows are left whose last entry this is, at most 2, and one of them.
  static unsigned forced_rows(const std::uint64_t* rows, const std::uint64_t* last, std::uint32_t words,
                              std::uint32_t& row) {
    unsigned count = 0;
    for (std::uint32_t w = 0; w < words; ++w) {
      const std::uint64_t both = rows[w] & last[w];
      if (both == 0) continue;
      count += static_cast<unsigned>(std::popcount(both));
      row = w * 64 + static_cast<std::uint32_t>(std::countr_zero(both));
    }
    return count;
  }

  template <class Each>
  static void for_rows(const std::uint64_t* rows, const std::uint64_t* present, std::uint32_t words,
                       const Each& each) {
    for (std::uint32_t w = 0; w < words; ++w) {
      for (std::uint64_t both = rows[w] & present[w]; both != 0; both &= both - 1) {
        if (!each(w * 64 + static_cast<std::uint32_t>(std::countr_zero(both)))) return;
      }
    }
  }

  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint32_t size_ = 0;
  std::uint32_t words_ = 0;
  double log2_bound_ = 0;
  double spread_ = 0;                   // sum over steps of 1 + (sum of weights) / (least weight)
  std::vector<Move> move_;              // step by step, row by row
  std::vector<std::uint64_t> present_;  // step by step: the rows with an entry
  std::vector<std::uint64_t> last_;     // those whose last entry this is
};

RejectionTrials::RejectionTrials(const AnyBlock& block, std::uint64_t seed, std::uint64_t stream)
    : core_(std::make_unique<const Core>(block, seed, stream)) {}
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
  return core_->successes(first, count, stop);
}
double RejectionTrials::expected_rate(std::uint64_t walks, const StopSignal& stop) const {
  return core_->expected_rate(walks, stop);
}

}  // namespace countpm
