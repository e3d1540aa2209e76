#include "kernels/frontier/order/linear_annealing.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "kernels/support/annealing.hpp"
#include "kernels/support/popcount_clones.hpp"

namespace countpm {
namespace {

using Word = std::uint64_t;
constexpr double log2_of_e = 1.4426950408889634;
// Beyond this width C(n, k) would leave double's range; no such table is ever made.
constexpr unsigned most_width = 1000;
constexpr double hopeless = 0x1p1000;
constexpr std::uint64_t moves_between_looks = 256;

/// C(n, k) for n <= most, rows one after the other.
class Binomials {
 public:
  explicit Binomials(unsigned most) : most_(most), value_((most + 1) * (std::size_t{most} + 2) / 2) {
    for (unsigned n = 0; n <= most; ++n) {
      double* row = &value_[start(n)];
      row[0] = row[n] = 1;
      const double* above = n > 0 ? &value_[start(n - 1)] : nullptr;
      for (unsigned k = 1; k < n; ++k) row[k] = above[k - 1] + above[k];
    }
  }
  double operator()(unsigned n, int k) const {
    if (k < 0 || k > static_cast<int>(n)) return 0;
    return n <= most_ ? value_[start(n) + static_cast<unsigned>(k)] : hopeless;
  }

 private:
  static std::size_t start(unsigned n) { return std::size_t{n} * (n + 1) / 2; }
  unsigned most_;
  std::vector<double> value_;
};

}  // namespace

struct LinearAnnealing::Chain {
  Chain(const ClassGraph& graph_in, Drivers drivers_in, std::uint64_t seed)
      : graph(graph_in),
        drivers(drivers_in),
        words((graph_in.classes() + 63) / 64),
        binomial(std::min<unsigned>(graph_in.classes(), most_width)),
        random(seed),
        adjacent(std::size_t{words} * graph_in.classes()),
        rows(words),
        wide(words),
        gone(words),
        touched(words) {
    for (Index v = 0; v < graph.classes(); ++v) {
      for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::uint64_t{1}]; ++k) {
        set(&adjacent[std::size_t{words} * v], graph.neighbour[k]);
      }
      if (graph.is_row(v)) set(rows.data(), v);
      if (graph.multiplicity[v] > 1) {
        set(wide.data(), v);
        any_wide = true;
      }
    }
  }

  static void set(Word* bits, Index v) { bits[v / 64] |= Word{1} << (v % 64); }
  static bool test(const Word* bits, Index v) { return (bits[v / 64] >> (v % 64) & 1) != 0; }

  /// What is known at a place of the sequence: before its class is taken.
  struct Place {
    double cost = 0;    // of taking the class
    double before = 0;  // costs of all places up to and without this one
    double after = 0;   // costs of all places after this one
    double states = 1;  // of the table before
    int balance = 0;    // members of rows eliminated less those of columns; of all where general
    unsigned frontier_rows = 0;
    unsigned frontier_columns = 0;
    bool passed = false;  // its class was closed already
  };

  const Word* adjacent_to(Index v) const { return &adjacent[std::size_t{words} * v]; }

  /// log2 of vectors of a frontier with larger multiplicities: the normal approximation.
  double states_of_wide(const Place& place, const Word* touched_now, const Word* gone_now) const noexcept;

  double states_at(const Place& place, const Word* touched_now, const Word* gone_now) const {
    if (any_wide) return states_of_wide(place, touched_now, gone_now);
    const unsigned width = place.frontier_rows + place.frontier_columns;
    if (graph.general) return std::exp2(std::clamp<double>(width - 1.0, 0, 1000));
    return binomial(width, place.balance + static_cast<int>(place.frontier_rows));
  }

  /// Takes v: changes the sets and makes `next` from `place`. The effort in word operations is counted.
  void take(Index v, Place& place, Place& next, Word* gone_now, Word* touched_now) noexcept;

  /// Places first .. last afresh, from the sets stored at `first`; false as soon as the costs with `rest`,
  /// those of the other places, exceed the limit. The new places and sets lie in the trial arrays.
  bool sweep(std::size_t first, std::size_t last, const std::vector<Index>& seq, double rest, double limit) {
    std::copy_n(&gone_at[words * first], words, gone.begin());
    std::copy_n(&touched_at[words * first], words, touched.begin());
    Place place = places[first];
    double sum = rest;
    for (std::size_t i = first; i <= last; ++i) {
      std::copy_n(gone.begin(), words, &gone_trial[words * i]);
      std::copy_n(touched.begin(), words, &touched_trial[words * i]);
      Place next;
      take(seq[i], place, next, gone.data(), touched.data());
      trial[i] = place;
      sum += place.cost;
      if (sum > limit) return false;
      place = next;
    }
    return true;
  }

  void accept(std::size_t first, std::size_t last) {
    std::copy(&trial[first], &trial[last] + 1, &places[first]);
    std::copy_n(&gone_trial[words * first], words * (last - first + 1), &gone_at[words * first]);
    std::copy_n(&touched_trial[words * first], words * (last - first + 1), &touched_at[words * first]);
    sum_up(first, last);
  }

  void sum_up(std::size_t first, std::size_t last) {
    double sum = first == 0 ? 0 : places[first - 1].before + places[first - 1].cost;
    for (std::size_t i = first; i < places.size(); ++i) {
      places[i].before = sum;
      sum += places[i].cost;
    }
    total = sum;
    sum = last + 1 < places.size() ? places[last + 1].after + places[last + 1].cost : 0;
    for (std::size_t i = last + 1; i-- > 0;) {
      places[i].after = sum;
      sum += places[i].cost;
    }
    effort += places.size() / 2;
  }

  void start(std::vector<Index> sequence_in) {
    sequence = std::move(sequence_in);
    const std::size_t n = sequence.size();
    places.assign(n, Place{});
    trial.assign(n, Place{});
    gone_at.assign(words * n, 0);
    touched_at.assign(words * n, 0);
    gone_trial.assign(words * n, 0);
    touched_trial.assign(words * n, 0);
    if (n > 0) {
      sweep(0, n - 1, sequence, 0, std::numeric_limits<double>::infinity());
      accept(0, n - 1);
    }
    best = sequence;
    best_total = total;
  }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(((random() >> 32) * n) >> 32); }
  double unit() { return unit_interval(random()); }

  /// A distance between 1 and n - 1, short ones more often: even over its logarithm.
  std::size_t distance(std::size_t n) {
    return std::min(n - 1, static_cast<std::size_t>(std::exp2(unit() * std::log2(static_cast<double>(n)))));
  }

  void move(double temperature) {
    const std::size_t n = sequence.size();
    ++moves;
    std::size_t from = below(n);
    // A class that is closed before its turn makes no difference; give it a chance now and then, so that it
    // becomes a driver.
    for (int tries = 0; tries < 8 && places[from].passed && below(8) != 0; ++tries) from = below(n);
    const std::size_t kind = below(8);
    std::size_t length = kind < 5 ? 1 : 1 + below(std::min<std::size_t>(n / 2, 12));
    length = std::min(length, n - from);
    std::size_t first = from;
    std::size_t last = from + length - 1;
    if (kind == 7) {
      if (length < 2) return;
      std::reverse(sequence.begin() + first, sequence.begin() + last + 1);
    } else {
      const std::size_t by = distance(n);
      const bool up = (random() & 1) != 0;
      if (up ? last + by >= n : by > first) return;
      const auto at = sequence.begin();
      if (up) {
        std::rotate(at + first, at + last + 1, at + last + by + 1);
        last += by;
      } else {
        std::rotate(at + (first - by), at + first, at + last + 1);
        first -= by;
      }
      moved_by = by;
      moved_up = up;
    }
    const double rest = places[first].before + places[last].after;
    const double limit = total * std::exp2(-temperature * std::log(std::max(unit(), 1e-300)));
    if (sweep(first, last, sequence, rest, limit)) {
      accept(first, last);
      if (total < best_total) {
        best_total = total;
        best = sequence;
      }
      return;
    }
    const auto at = sequence.begin();
    if (kind == 7) {
      std::reverse(at + first, at + last + 1);
    } else if (moved_up) {
      std::rotate(at + first, at + (last - length + 1), at + last + 1);
    } else {
      std::rotate(at + first, at + first + length, at + last + 1);
    }
  }

  void run(double hot, double cold, std::uint64_t budget, const StopSignal& stop) {
    if (sequence.size() < 2) return;
    const std::uint64_t begin = effort;
    while (effort - begin < budget) {
      stop.check();
      const double temperature =
          Cooling{hot, cold}.at(static_cast<double>(effort - begin) / static_cast<double>(budget));
      for (std::uint64_t i = 0; i < moves_between_looks && effort - begin < budget; ++i) {
        effort += 16;
        move(temperature);
      }
    }
  }

  ClassGraph graph;
  Drivers drivers;
  unsigned words;
  Binomials binomial;
  std::mt19937_64 random;
  std::vector<Word> adjacent, rows, wide;
  bool any_wide = false;

  std::vector<Index> sequence;
  std::vector<Place> places, trial;
  std::vector<Word> gone_at, touched_at, gone_trial, touched_trial;  // the sets before each place
  std::vector<Word> gone, touched;
  double total = 0;
  std::vector<Index> best;
  double best_total = 0;
  std::size_t moved_by = 0;
  bool moved_up = false;
  std::uint64_t effort = 0;
  std::uint64_t moves = 0;
};

COUNTPM_POPCOUNT_CLONES
double LinearAnnealing::Chain::states_of_wide(const Place& place, const Word* touched_now,
                                              const Word* gone_now) const noexcept {
  double all = 0;
  double variance = 0;
  double row_members = 0;
  double members = 0;
  for (unsigned w = 0; w < words; ++w) {
    const Word frontier = touched_now[w] & ~gone_now[w];
    const Word single = frontier & ~wide[w];
    const int singles = std::popcount(single);
    all += singles;
    members += singles;
    variance += 0.25 * singles;
    row_members += std::popcount(single & rows[w]);
    for (Word rest = frontier & wide[w]; rest != 0; rest &= rest - 1) {
      const Index v = w * 64 + static_cast<Index>(std::countr_zero(rest));
      const double m = graph.multiplicity[v];
      all += std::log2(m + 1);
      members += m;
      variance += m * (m + 2) / 12;
      if (graph.is_row(v)) row_members += m;
    }
  }
  if (members == 0) return 1;
  if (graph.general) return std::exp2(std::min(all - 1, 1000.0));
  const double off = place.balance + row_members - members / 2;
  const double bits =
      all - off * off / (2 * variance) * log2_of_e - 0.5 * std::log2(1 + 6.2831853 * variance);
  return std::exp2(std::clamp(bits, 0.0, 1000.0));
}

COUNTPM_POPCOUNT_CLONES
void LinearAnnealing::Chain::take(Index v, Place& place, Place& next, Word* gone_now,
                                  Word* touched_now) noexcept {
  effort += words + 4;
  if (test(gone_now, v)) {
    place.passed = true;
    place.cost = 0;
    next = place;
    return;
  }
  place.passed = false;
  const Word* around = adjacent_to(v);
  const bool known = test(touched_now, v);
  unsigned fresh = 0;
  unsigned old = 0;
  for (unsigned w = 0; w < words; ++w) {
    const Word open = around[w] & ~gone_now[w];
    fresh += static_cast<unsigned>(std::popcount(open & ~touched_now[w]));
    old += static_cast<unsigned>(std::popcount(open & touched_now[w]));
    touched_now[w] |= around[w];
  }
  set(gone_now, v);
  const auto sign = [&](Index u) { return graph.general || graph.is_row(u) ? 1 : -1; };
  next = place;
  next.balance += sign(v) * static_cast<int>(graph.multiplicity[v]);
  for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::uint64_t{1}]; ++k) {
    const Index u = graph.neighbour[k];
    if (test(gone_now, u) || graph.has_own(u)) continue;
    const Word* around_u = adjacent_to(u);
    bool closed = true;
    for (unsigned w = 0; w < words && closed; ++w) closed = (around_u[w] & ~gone_now[w]) == 0;
    effort += words;
    if (!closed) continue;
    set(gone_now, u);
    next.balance += sign(u) * static_cast<int>(graph.multiplicity[u]);
  }
  next.frontier_rows = next.frontier_columns = 0;
  for (unsigned w = 0; w < words; ++w) {
    const Word frontier = touched_now[w] & ~gone_now[w];
    next.frontier_rows += static_cast<unsigned>(std::popcount(frontier & rows[w]));
    next.frontier_columns += static_cast<unsigned>(std::popcount(frontier & ~rows[w]));
  }
  next.states = std::max(1.0, states_at(next, touched_now, gone_now));
  // Of the states before, those with v free have every fresh neighbour to choose and about half of the old.
  const double choices = fresh + 0.5 * old;
  place.cost = place.states * (known ? 0.5 + 0.5 * choices : choices) + next.states;
}

LinearAnnealing::LinearAnnealing(const ClassGraph& graph, Drivers drivers, std::uint64_t seed)
    : chain_(std::make_unique<Chain>(graph, drivers, seed)) {}
LinearAnnealing::~LinearAnnealing() = default;
LinearAnnealing::LinearAnnealing(LinearAnnealing&&) noexcept = default;
LinearAnnealing& LinearAnnealing::operator=(LinearAnnealing&&) noexcept = default;

void LinearAnnealing::start(std::vector<Index> sequence) {
  chain_->start(std::move(sequence));
}
void LinearAnnealing::run(double hot, double cold, std::uint64_t effort, const StopSignal& stop) {
  chain_->run(hot, cold, effort, stop);
}
const std::vector<Index>& LinearAnnealing::best() const {
  return chain_->best;
}
std::uint64_t LinearAnnealing::moves() const {
  return chain_->moves;
}

}  // namespace countpm
