#include "kernels/frontier/ranked/ranked_trial.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <exception>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "graph/clock.hpp"
#include "kernels/frontier/ranked/step_runner.hpp"
#include "kernels/support/run_on_threads.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t most_from_ring_bytes = std::uint64_t{16} << 20;
constexpr std::uint64_t most_to_ring_bytes = std::uint64_t{4} << 20;
static_assert(most_from_ring_bytes + most_to_ring_bytes == trial_bytes);
constexpr int threads_of_whole_rings = 2;
constexpr int least_ring_share = 4;  // one in so many
constexpr double most_steps_tried = 6;
// Long enough for what neighbouring blocks share to be in the caches, as it is in a count.
constexpr std::uint64_t states_a_stretch = std::uint64_t{1} << 16;
// So much of a ring is read before it is taken out of the caches again.
constexpr double share_of_ring = 0.25;
// Stretches are taken from all over a step, however many there will be: at multiples of the golden section.
constexpr double golden_section = 0.6180339887498949;

/// Takes the table's place, or a ring of it where it is larger; what was touched stays.
void shape(RankedTable& table, std::uint64_t states, std::uint32_t words, std::uint64_t ring_bytes,
           std::uint64_t longest_block) {
  const std::uint64_t ring = std::bit_floor(ring_bytes / sizeof(std::uint64_t) / words);
  table.mask = states <= ring ? ~std::uint64_t{0} : ring - 1;
  table.stride = std::min(states, ring) + longest_block;
  table.values.ensure(table.stride * words);
}

void take_out_of_caches(const RankedTable& table, std::uint32_t words) {
#ifdef __SSE2__
  constexpr std::uint64_t words_a_line = 8;
  for (std::uint64_t k = 0; k < table.stride * words; k += words_a_line) _mm_clflush(&table.values[k]);
  _mm_mfence();
#else
  // Tables look faster than they are.
  static_cast<void>(table);
  static_cast<void>(words);
#endif
}

/// A step to try, with its runs.
struct TriedStep {
  std::size_t number = 0;
  double nominal_seconds = 0;
  double slower = 0;  // of all threads together
};

/// One thread's part.
class TrialThread {
 public:
  TrialThread(const RankedProgram& program, const StopSignal& stop, const TrialOptions& options,
              double offset)
      : program_(program), stop_(stop), options_(options), offset_(offset) {
    const int share = std::clamp(options.threads / threads_of_whole_rings, 1, least_ring_share);
    from_ring_bytes_ = most_from_ring_bytes / static_cast<std::uint64_t>(share);
    to_ring_bytes_ = most_to_ring_bytes / static_cast<std::uint64_t>(share);
  }

  std::uint64_t ring_bytes() const { return from_ring_bytes_ + to_ring_bytes_; }

  /// Seconds that it takes to write the rings for the first time.
  double touch() {
    const double start = seconds_now();
    for (const auto& [table, bytes] :
         {std::pair(&from_, from_ring_bytes_), std::pair(&to_, to_ring_bytes_)}) {
      table->values.ensure(bytes / sizeof(std::uint64_t));
      std::fill_n(table->values.data(), bytes / sizeof(std::uint64_t), std::uint64_t{0});
    }
    return seconds_now() - start;
  }

  /// How many times the nominal seconds the step's stretches take; listing: gets the seconds for its runs.
  double try_step(const TriedStep& tried, double seconds, double& listing) {
    const RankedStep& step = program_.steps[tried.number];
    from_.words = step.from_words;
    from_.bits = 64 * step.from_words;
    to_.words = step.to_words;
    double start = seconds_now();
    const StepRunner runner(program_, step, from_, to_, options_.code, stop_);
    listing += seconds_now() - start;
    shape(from_, step.from_states, step.from_words, from_ring_bytes_, runner.longest_from());
    shape(to_, step.to_states, step.to_words, to_ring_bytes_, runner.longest_to());
    const bool in_memory = ~from_.mask != 0;
    const std::uint64_t stretches = std::max<std::uint64_t>(step.to_states / states_a_stretch, 1);
    const double share = 1 / static_cast<double>(stretches);
    const double read = step.moves * share * step.from_words * sizeof(std::uint64_t);
    double busy = 0;
    double place = offset_;
    std::uint64_t done = 0;
    const auto from_ring = static_cast<double>(from_ring_bytes_);
    double read_now = from_ring;
    const double end = seconds_now() + seconds;
    do {
      stop_.check();
      if (in_memory && read_now > share_of_ring * from_ring) {
        take_out_of_caches(from_, step.from_words);
        read_now = 0;
      }
      start = seconds_now();
      runner.run_stretch(static_cast<std::uint64_t>(place * static_cast<double>(stretches)), stretches);
      busy += seconds_now() - start;
      place = std::fmod(place + golden_section, 1.0);
      read_now += read;
      ++done;
    } while (seconds_now() < end);
    return busy / (static_cast<double>(done) * share * tried.nominal_seconds);
  }

 private:
  const RankedProgram& program_;
  const StopSignal& stop_;
  const TrialOptions& options_;
  double offset_;
  std::uint64_t from_ring_bytes_;
  std::uint64_t to_ring_bytes_;
  RankedTable from_;
  RankedTable to_;
};

/// Steps whose times depend on the same: words of a value, and whether runs or the values in them take most.
using StepKind = std::pair<std::uint32_t, bool>;

/// Of each kind, those in the midst of its nominal time; of few kinds several. Kinds that take next to
/// nothing are not tried.
std::vector<TriedStep> steps_to_try(const RankedProgram& program, const std::vector<StepKind>& kinds) {
  std::map<StepKind, std::vector<TriedStep>> of_kind;
  std::map<StepKind, double> seconds;
  double sum = 0;
  for (std::size_t k = 0; k < program.steps.size(); ++k) {
    const RankedStep& step = program.steps[k];
    if (step.to_states < states_for_threads) continue;  // threads do not share it
    of_kind[kinds[k]].push_back({k, step_seconds(step), 0});
    seconds[kinds[k]] += of_kind[kinds[k]].back().nominal_seconds;
    sum += of_kind[kinds[k]].back().nominal_seconds;
  }
  std::vector<TriedStep> tried;
  for (const auto& [kind, steps] : of_kind) {
    const auto parts = static_cast<std::size_t>(std::ceil(most_steps_tried * seconds[kind] / sum - 0.5));
    double passed = 0;
    for (std::size_t k = 0, part = 0; k < steps.size() && part < parts; ++k) {
      passed += steps[k].nominal_seconds;
      if (passed < (static_cast<double>(part) + 0.5) / static_cast<double>(parts) * seconds[kind]) continue;
      tried.push_back(steps[k]);
      ++part;
    }
  }
  return tried;
}

}  // namespace

RankedRates try_ranked(const RankedProgram& program, const StopSignal& stop, const TrialOptions& options) {
  RankedRates rates = nominal_rates(program);
  rates.threads = std::max(options.threads, 1);
  std::vector<StepKind> kinds;
  kinds.reserve(program.steps.size());
  for (const RankedStep& step : program.steps) kinds.emplace_back(step.to_words, is_of_short_runs(step));
  std::vector<TriedStep> tried = steps_to_try(program, kinds);
  if (tried.empty()) return rates;
  const double seconds = options.seconds / static_cast<double>(tried.size());
  double touching = 0, listing = 0;
  int threads = 0;  // that have come so far
  std::exception_ptr failure;
  std::mutex mutex;
  run_on_threads(static_cast<std::uint64_t>(rates.threads), [&] {
    std::unique_lock lock(mutex);
    const double offset = std::fmod(++threads * golden_section / rates.threads, 1.0);
    lock.unlock();
    try {
      TrialThread own(program, stop, options, offset);
      const double touched = own.touch() / static_cast<double>(own.ring_bytes());
      std::vector<double> slower;
      slower.reserve(tried.size());
      double listed = 0;
      for (const TriedStep& step : tried) slower.push_back(own.try_step(step, seconds, listed));
      lock.lock();
      touching += touched;
      listing += listed;
      for (std::size_t k = 0; k < tried.size(); ++k) tried[k].slower += slower[k];
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      failure = std::current_exception();
    }
  });
  if (failure) std::rethrow_exception(failure);
  rates.page_byte_ns = touching / threads * 1e9;
  rates.listing_ns = listing / threads / static_cast<double>(tried.size()) * 1e9;
  // By kind, or as all together where it was not tried.
  std::map<StepKind, std::pair<double, double>> of_kind;  // seconds, and nominal ones
  std::pair<double, double> all;
  for (const TriedStep& step : tried) {
    for (auto* const sum : {&of_kind[kinds[step.number]], &all}) {
      sum->first += step.slower / threads * step.nominal_seconds;
      sum->second += step.nominal_seconds;
    }
  }
  for (std::size_t k = 0; k < program.steps.size(); ++k) {
    const auto known = of_kind.find(kinds[k]);
    const auto& [measured, nominal] = known != of_kind.end() ? known->second : all;
    rates.slower[k] = measured / nominal;
  }
  return rates;
}

}  // namespace countpm
