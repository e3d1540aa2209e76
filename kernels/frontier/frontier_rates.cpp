// FrontierJob: how long it takes, by figures that were measured and by a trial.
#include "kernels/frontier/frontier_job.hpp"

#include <chrono>
#include <condition_variable>
#include <new>
#include <optional>
#include <stop_token>
#include <thread>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "graph/look_out.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/frontier/ranked/ranked_cost.hpp"
#include "kernels/frontier/ranked/ranked_trial.hpp"
#include "kernels/frontier/tables/integer_column.hpp"
#include "kernels/support/fresh_pages.hpp"

namespace countpm {
namespace {

// Tables with this many states are worth several threads.
constexpr double log2_wide_states = 18;
// AMD EPYC (Zen 4), one core, 2026-11-21: bench/results/frontier.md.
constexpr double most_transitions_a_second = 2.4e8;
// Of tables that several parts share, each of which merges what it makes before it sends it, and what it gets
// (bench/results/checkpoints-and-ranks.md): transitions against those of one process ...
constexpr double shared_efficiency = 0.33;
// ... and the bytes that each sends a second. A network of 10 Gbit/s carries as much; shared memory more.
constexpr double sent_bytes_a_second = 1e9;

// A trial takes some 20 ms, three in turn: not where the count is hardly longer.
constexpr double seconds_worth_a_trial = 0.3;
// Nor where no longer slice is asked for, as a rival takes less than that: er_n48_p15's 0.25 s by pruned were
// planned for 0.29 s longer for such a trial on 16 threads (2026-11-27).
constexpr double least_trial_seconds = 0.002;
// Tables of so many bytes are worth a look at how soon fresh pages come.
constexpr double bytes_worth_touching = 5e8;

}  // namespace

bool FrontierJob::runs_on_all_threads() const {
  return units() > 1 || forecast_.log2_peak_states > log2_wide_states || both_ends_ != nullptr ||
         ranked_ != nullptr || for_gpus_alone_ || shared_;
}

double FrontierJob::seconds_by_itself() const {
  return std::exp2(log2_work_) / nominal_rate() / speed_up(options_.threads);
}

double FrontierJob::shared_step_seconds(double value_bytes) const {
  return (1 + value_bytes / 16) / most_transitions_a_second / shared_efficiency +
         (value_bytes + key_bytes_a_state) / sent_bytes_a_second;
}

double FrontierJob::nominal_rate() const {
  return ranked_ ? ranked_->moves / ranked_seconds_ : sorted_rate();
}

double FrontierJob::sorted_rate() const {
  if (integers_) {
    // AMD EPYC (Zen 4), one core, 2026-11-25. Values grow from nothing to all words, from both ends to half.
    const double share = both_ends_ ? 0.25 : 0.5;
    return 1e9 / (10 + 0.65 * share * integer_words(arithmetic_) * *factor_words_);
  }
  if (shared_) return 1 / shared_step_seconds(pass_bytes());
  // What is done with a value modulo a small prime takes no less time than modulo a large one.
  double bytes = value_bytes_;
  for (const std::uint64_t one : modulus_bytes_) bytes += one < 8 ? static_cast<double>(8 - one) : 0;
  return most_transitions_a_second / (1 + bytes / static_cast<double>(passes()) / 16);
}

double FrontierJob::measured_rate(double seconds) const {
  if (paths_.size() > 1) return measured_branch_rate(seconds);
  if (both_ends_ || shared_) return nominal_rate();
  // The first steps of a long run are small and slow, and say nothing of the large ones.
  const double work = std::exp2(log2_work_) / static_cast<double>(units());
  if (work > seconds * nominal_rate()) return ranked_ ? rate_by_trial(seconds) : nominal_rate();
  const double start = seconds_now();
  try {
    if (ranked_) {
      run_without_keys(1, arithmetic_, stop_signal_here());
    } else {
      run(0, stop_signal_here());
    }
  } catch (const UnableError&) {
    return nominal_rate();
  }
  const double elapsed = seconds_now() - start;
  return std::max(work / std::max(elapsed, 1e-9), 1.0);
}

double FrontierJob::rate_by_trial(double seconds) const {
  // A machine that is assumed may have more cores than this one.
  const auto here = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  const int threads = std::max(options_.threads, 1);
  const double together = speed_up(threads);
  if (seconds < least_trial_seconds || threads > here ||
      static_cast<std::uint64_t>(threads) * trial_bytes > options_.memory_bytes ||
      ranked_seconds_ < seconds_worth_a_trial * together)
    return nominal_rate();
  TrialOptions trial;
  trial.threads = threads;
  trial.seconds = seconds;
  RankedRates rates;
  try {
    rates = try_ranked(*ranked_, stop_signal_here(), trial);
  } catch (const std::bad_alloc&) {
    return nominal_rate();
  }
  const double bytes = ranked_bytes(*ranked_);
  if (bytes > bytes_worth_touching)
    rates.page_byte_ns =
        std::max(rates.page_byte_ns,
                 fresh_pages_here(static_cast<std::uint64_t>(bytes)).seconds_for(bytes) / bytes * 1e9);
  {
    // What is tried again is on pages that were in use here before.
    const std::lock_guard lock(trial_mutex_);
    first_touch_ns_ = rates.page_byte_ns = std::max(rates.page_byte_ns, first_touch_ns_);
  }
  return ranked_->moves / ranked_seconds(*ranked_, rates) / together;
}

double FrontierJob::measured_branch_rate(double seconds) const {
  const double work = std::exp2(log2_work_) / static_cast<double>(units());  // a unit's, as forecast
  if (work > seconds * nominal_rate()) return nominal_rate();
  // Units of small tables take longer than their transitions say, and those that branch further much longer.
  constexpr double patience = 4;
  constexpr std::size_t most = 16;
  const double start = seconds_now();
  const auto elapsed = [&] { return seconds_now() - start; };
  StopSignal stop;
  std::mutex mutex;
  std::condition_variable_any over;
  std::size_t done = 0;
  {
    const StopSignal& outer = stop_signal_here();
    const std::chrono::duration<double> tick(std::min(0.02, seconds * patience));
    const auto is_over = [&] { return outer.requested() || elapsed() > seconds * patience; };
    std::optional<LookOut> look_out;
    std::jthread watch;
    if constexpr (one_thread) {
      look_out.emplace(tick.count(), [&] {
        if (is_over()) stop.request();
      });
    } else {
      watch = std::jthread([&](const std::stop_token& token) {
        std::unique_lock lock(mutex);
        while (!over.wait_for(lock, token, tick, [&] { return token.stop_requested(); }))
          if (is_over()) return stop.request();
      });
    }
    try {
      for (std::size_t k = 0; k < most && (k == 0 || elapsed() < seconds); ++k, ++done)
        run(k * units() / most, stop);
    } catch (const Stopped&) {
      done = std::max<std::size_t>(done, 1);  // at best
    } catch (const UnableError&) {
      return nominal_rate();
    }
  }
  check_stop();
  return std::max(work * static_cast<double>(done) / std::max(elapsed(), 1e-9), 1.0);
}

double FrontierJob::speed_up(int threads) const {
  if (!runs_on_all_threads()) return Job::speed_up(threads);
  if (both_ends_ && forecast_.log2_peak_states <= log2_wide_states) return threads > 1 ? 1.9 : 1;
  // Threads share a table: small ones are one thread's.
  if (paths_.size() > 1 && log2_states_in_a_branch() < log2_wide_states) return 1;
  if (passes() > 1 && forecast_.log2_peak_states < log2_wide_states) return 1;
  // What is done by one thread: small tables, joins, cutting into stretches.
  constexpr double serial = 0.06;
  const auto count = static_cast<double>(std::max(threads, 1));
  return 1 / (serial + (1 - serial) / count);
}

}  // namespace countpm
