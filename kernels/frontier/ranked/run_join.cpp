#include "kernels/frontier/ranked/run_join.hpp"
#include "graph/first_failure.hpp"

#include <gmp.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace countpm {
namespace {

__extension__ using DoubleWord = unsigned __int128;

constexpr std::uint64_t states_a_piece = std::uint64_t{1} << 14;
constexpr std::uint64_t most_pieces = 1024;
constexpr std::uint64_t pairs_for_threads = std::uint64_t{1} << 15;
// The signal is asked every so many values made or multiplied.
constexpr std::uint64_t values_between_polls = std::uint64_t{1} << 18;

/// Calls run(first high part, end of them) for pieces of a family, whose high parts begin at bit `low`, on so
/// many threads.
template <class Run>
void for_pieces(const SetFamily& family, std::uint32_t low, std::uint64_t states, int threads,
                const StopSignal& stop, const Run& run) {
  const SetCounts& counts = set_counts(family.rule);
  const std::uint64_t pieces = std::clamp<std::uint64_t>(states / states_a_piece, 1, most_pieces);
  const auto border = [&](std::uint64_t piece) {
    if (piece == pieces) return std::uint64_t{1} << (family.width - low);
    return counts.high_part(family, low, states / pieces * piece);
  };
  const auto last = static_cast<std::int64_t>(pieces);
  FirstFailure failure;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::int64_t p = 0; p < last; ++p) {
    failure.guard([&] {
      if (!stop.requested())
        run(border(static_cast<std::uint64_t>(p)), border(static_cast<std::uint64_t>(p) + 1));
    });
  }
  failure.rethrow();
  stop.check();
}

/// A new set's place in the old table, from its bytes.
class OldPlaces {
 public:
  explicit OldPlaces(const RankedRelayout& relayout)
      : counts_(set_counts(relayout.family.rule)),
        number_(relayout.family.number),
        bytes_((relayout.family.width + 7) / 8) {
    const std::uint32_t width = relayout.family.width;
    numbers_ = relayout.family.rule == SetRule::parity ? 2 : width + 1;
    moved_.resize(bytes_);
    ranks_.resize(std::size_t{bytes_} * numbers_);
    for (std::uint32_t b = 0; b < bytes_; ++b) {
      for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint64_t old = 0;
        for (std::uint32_t k = 0; k < 8 && 8 * b + k < width; ++k)
          old |= std::uint64_t{byte >> k & 1U} << relayout.old_bit[8 * b + k];
        moved_[b][byte] = old;
        const bool in_width = 8 * b + static_cast<std::uint32_t>(std::bit_width(byte)) <= width;
        for (std::uint32_t number = 0; number < numbers_; ++number)
          ranks_[std::size_t{b} * numbers_ + number][byte] = in_width ? counts_.rank(byte, 8 * b, number) : 0;
      }
    }
  }

  std::uint64_t of(std::uint64_t set) const {
    std::uint64_t old = 0;
    for (std::uint32_t b = 0; b < bytes_; ++b) old |= moved_[b][set >> (8 * b) & 255U];
    std::uint64_t place = 0;
    std::int64_t number = number_;
    for (std::uint32_t b = bytes_; b-- > 0;) {
      const std::uint64_t byte = old >> (8 * b) & 255U;
      place += ranks_[b * std::size_t{numbers_} + static_cast<std::size_t>(number)][byte];
      number = counts_.rest(number, std::popcount(byte));
    }
    return place;
  }

 private:
  using Bytes = std::array<std::uint64_t, 256>;
  const SetCounts& counts_;
  std::int64_t number_;
  std::uint32_t bytes_;
  std::uint32_t numbers_ = 1;
  std::vector<Bytes> moved_;  // of the old set, what each byte of the new one stands for
  std::vector<Bytes> ranks_;  // by byte of the old set, and the number of ones from there down
};

/// The set after this one. Precondition: there is one.
std::uint64_t next_set(std::uint64_t set, const SetFamily& family) {
  if (family.rule == SetRule::parity) {
    const auto number = static_cast<int>(family.number);
    do ++set;
    while ((std::popcount(set) & 1) != number);
    return set;
  }
  const std::uint64_t filled = set | (set - 1);
  const std::uint64_t lowest_zero = ~filled & (filled + 1);
  return (filled + 1) | ((lowest_zero - 1) >> (std::countr_zero(set) + 1));
}

/// Adds a value times the values of a run to a block.
class AddProducts {
 public:
  AddProducts(std::uint32_t scalar_words, std::uint32_t run_words, std::uint32_t to_words, bool is_signed)
      : run_words_(run_words),
        to_words_(to_words),
        signed_(is_signed),
        scalar_(scalar_words),
        value_(std::max(run_words, to_words)),
        product_(to_words + std::size_t{1}) {}

  /// The value that is multiplied by next; false where it is 0.
  bool take(const std::uint64_t* value, std::uint64_t stride) {
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < scalar_.size(); ++w) any |= scalar_[w] = value[w * stride];
    if (any == 0) return false;
    negative_ = signed_ && (scalar_.back() >> 63U) != 0;
    if (negative_) mpn_neg(scalar_.data(), scalar_.data(), static_cast<mp_size_t>(scalar_.size()));
    used_ = static_cast<std::uint32_t>(scalar_.size());
    while (used_ > 1 && scalar_[used_ - 1] == 0) --used_;
    used_ = std::min(used_, to_words_);
    return true;
  }

  void add(std::uint64_t* to, std::uint64_t to_stride, const std::uint64_t* run, std::uint64_t run_stride,
           std::uint64_t length) {
    if (to_words_ == 1) {
      const std::uint64_t factor = negative_ ? 0 - scalar_[0] : scalar_[0];
      for (std::uint64_t k = 0; k < length; ++k) to[k] += run[k] * factor;
    } else if (to_words_ == 2) {
      add_two_words(to, to_stride, run, run_stride, length);
    } else {
      for (std::uint64_t k = 0; k < length; ++k) add_one(to + k, to_stride, run + k, run_stride);
    }
  }

 private:
  void add_two_words(std::uint64_t* to, std::uint64_t to_stride, const std::uint64_t* run,
                     std::uint64_t run_stride, std::uint64_t length) const {
    DoubleWord factor = scalar_[0];
    if (used_ > 1) factor |= DoubleWord{scalar_[1]} << 64U;
    if (negative_) factor = 0 - factor;
    for (std::uint64_t k = 0; k < length; ++k) {
      const std::uint64_t high = run_words_ > 1 ? run[k + run_stride] : filling(run[k]);
      const DoubleWord sum =
          (DoubleWord{to[k + to_stride]} << 64U | to[k]) + (DoubleWord{high} << 64U | run[k]) * factor;
      to[k] = static_cast<std::uint64_t>(sum);
      to[k + to_stride] = static_cast<std::uint64_t>(sum >> 64U);
    }
  }

  void add_one(std::uint64_t* to, std::uint64_t to_stride, const std::uint64_t* run,
               std::uint64_t run_stride) {
    // Of an unsigned value its words; of a signed one as many as the sum has.
    std::uint32_t words = std::min(run_words_, to_words_);
    for (std::uint32_t w = 0; w < words; ++w) value_[w] = run[w * run_stride];
    if (signed_) {
      std::fill(value_.begin() + words, value_.begin() + to_words_, filling(value_[words - 1]));
      words = to_words_;
    }
    std::fill(product_.begin(), product_.end(), std::uint64_t{0});
    for (std::uint32_t i = 0; i < used_; ++i) {
      const std::uint32_t count = std::min(words, to_words_ - i);
      product_[i + count] = mpn_addmul_1(product_.data() + i, value_.data(), count, scalar_[i]);
    }
    std::uint64_t carry = 0;  // or what is borrowed
    for (std::uint32_t w = 0; w < to_words_; ++w) {
      std::uint64_t& sum = to[w * to_stride];
      const DoubleWord next =
          negative_ ? DoubleWord{sum} - product_[w] - carry : DoubleWord{sum} + product_[w] + carry;
      sum = static_cast<std::uint64_t>(next);
      carry = static_cast<std::uint64_t>(next >> 64U) & 1U;
    }
  }

  std::uint64_t filling(std::uint64_t top) const { return signed_ ? 0 - (top >> 63U) : 0; }

  std::uint32_t run_words_;
  std::uint32_t to_words_;
  bool signed_;
  bool negative_ = false;
  std::uint32_t used_ = 1;             // words of it that are not all zero
  std::vector<std::uint64_t> scalar_;  // its absolute value
  std::vector<std::uint64_t> value_;
  std::vector<std::uint64_t> product_;
};

class JoinRunner {
 public:
  JoinRunner(const RankedJoin& join, bool negative, const RankedTable& scalars, const RankedTable& runs,
             RankedTable& to, const StopSignal& stop)
      : counts_(set_counts(join.result.family.rule)),
        join_(join),
        negative_(negative),
        scalars_(scalars),
        runs_(runs),
        to_(to),
        stop_(stop),
        kept_((std::uint64_t{1} << join.kept) - 1),
        closing_((std::uint64_t{1} << join.shared()) - 1 - kept_) {
    const std::uint64_t patterns = std::uint64_t{1} << join.shared();
    run_start_.resize(patterns);
    place_.resize(patterns);
    std::vector<std::uint32_t> before(join.shared() + std::size_t{1}, 0);
    const std::int64_t number = join.runs_table().family.number;
    std::uint64_t start = 0;
    for (std::uint64_t pattern = 0; pattern < patterns; ++pattern) {
      const int ones = std::popcount(pattern);
      run_start_[pattern] = start;
      start += counts_(join.own_of_runs, counts_.rest(number, ones));
      place_[pattern] =
          before[static_cast<std::size_t>(counts_.rule() == SetRule::parity ? ones & 1 : ones)]++;
    }
  }

  void run(int threads) {
    if (join_.pairs < static_cast<double>(pairs_for_threads)) threads = 1;
    for_pieces(join_.result.family, join_.own_of_runs, join_.result.states, threads, stop_,
               [this](std::uint64_t first, std::uint64_t end) { make(first, end); });
  }

 private:
  void make(std::uint64_t first, std::uint64_t end) const {
    const SetFamily& family = join_.result.family;
    AddProducts products(scalars_.words, runs_.words, to_.words, negative_);
    int least = 0;
    int most = 64;
    if (family.rule == SetRule::ones) {
      most = static_cast<int>(family.number);
      least = std::max(0, most - static_cast<int>(join_.own_of_runs));
    }
    std::uint64_t high = next_with_ones(first, least, std::max(most, 1));
    if (high >= end) return;
    std::uint64_t at = counts_.rank(high, join_.own_of_runs, family.number);
    std::uint64_t done = 0;
    for (; high < end; high = next_with_ones(high + 1, least, std::max(most, 1))) {
      if (std::popcount(high) > most) break;
      const std::uint64_t size = counts_(join_.own_of_runs, counts_.rest(family.number, std::popcount(high)));
      if (size == 0) continue;
      done += fill(high, size, at, products);
      at += size;
      if (done >= values_between_polls) {
        done = 0;
        if (stop_.requested()) return;
      }
    }
  }

  /// The block of a high part; returns how many values were multiplied, or looked at.
  std::uint64_t fill(std::uint64_t high, std::uint64_t size, std::uint64_t at, AddProducts& products) const {
    std::uint64_t* const to = to_.values.data() + at;
    for (std::uint32_t w = 0; w < to_.words; ++w) std::fill_n(to + w * to_.stride, size, std::uint64_t{0});
    const std::uint64_t own = high >> join_.kept;
    const std::int64_t shared_ones = counts_.rest(join_.scalars_table().family.number, std::popcount(own));
    const std::uint64_t first = counts_.rank(own, join_.shared(), join_.scalars_table().family.number);
    // Each of these is used in just one of the two.
    const std::uint64_t used = ((high ^ join_.shared_rows) & kept_) | closing_;
    std::uint64_t done = size;
    for (std::uint64_t by_scalars = used;; by_scalars = (by_scalars - 1) & used) {
      ++done;
      const std::uint64_t pattern = by_scalars ^ join_.shared_rows;
      if (counts_.rest(shared_ones, std::popcount(pattern)) == 0 &&
          products.take(scalars_.values.data() + first + place_[pattern], scalars_.stride)) {
        products.add(to, to_.stride,
                     runs_.values.data() + run_start_[(used & ~by_scalars) ^ join_.shared_rows], runs_.stride,
                     size);
        done += size;
      }
      if (by_scalars == 0) return done;
    }
  }

  const SetCounts& counts_;
  const RankedJoin& join_;
  bool negative_;
  const RankedTable& scalars_;
  const RankedTable& runs_;
  RankedTable& to_;
  const StopSignal& stop_;
  std::uint64_t kept_;                    // shared bits that stay
  std::uint64_t closing_;                 // and that leave
  std::vector<std::uint64_t> run_start_;  // where the runs of a pattern of shared bits begin
  std::vector<std::uint32_t> place_;      // of the scalars', among those with as many ones
};

}  // namespace

void run_relayout(const RankedRelayout& relayout, const RankedTable& from, RankedTable& to, int threads,
                  const StopSignal& stop) {
  to.stride = relayout.states;
  to.words = from.words;
  to.bits = from.bits;
  const SetFamily& family = relayout.family;
  const OldPlaces places(relayout);
  if (relayout.states < pairs_for_threads) threads = 1;
  for_pieces(family, 0, relayout.states, threads, stop, [&](std::uint64_t set, std::uint64_t end) {
    const std::uint64_t first = set_counts(family.rule).rank(set, 0, family.number);
    const std::uint64_t last = end == std::uint64_t{1} << family.width
                                   ? relayout.states
                                   : set_counts(family.rule).rank(end, 0, family.number);
    for (std::uint64_t at = first;;) {
      const std::uint64_t* const value = from.values.data() + places.of(set);
      std::uint64_t* const moved = to.values.data() + at;
      for (std::uint32_t w = 0; w < to.words; ++w) moved[w * to.stride] = value[w * from.stride];
      if (++at >= last) return;
      if (at % values_between_polls == 0 && stop.requested()) return;
      set = next_set(set, family);
    }
  });
}

void run_join(const RankedJoin& join, bool negative, const RankedTable& waiting, const RankedTable& top,
              RankedTable& to, int threads, const StopSignal& stop) {
  to.stride = join.result.states;
  const RankedTable& scalars = join.waiting_gives_runs ? top : waiting;
  const RankedTable& runs = join.waiting_gives_runs ? waiting : top;
  JoinRunner(join, negative, scalars, runs, to, stop).run(threads);
}

}  // namespace countpm
