#include "src/verify/second_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "src/plan/planned_block.hpp"
#include "src/run/executor.hpp"
#include "src/structure/blocks.hpp"
#include "src/text/format_duration.hpp"

namespace countpm {
namespace {

// Other methods are worth so many times what the same ones take, and so many times their planning;
// and so much whatever that is.
constexpr double far_longer = 100;
constexpr double planning_factor = 10;
constexpr double soon_seconds = 1;
// What is done first, by the same methods, takes no more than so much of the time that is left.
constexpr double first_share = 0.1;
// What is kept back for the same methods, whose forecasts may be too low.
constexpr double reserve_factor = 3;
constexpr double least_reserve_seconds = 0.02;

constexpr const char* far_slower = " (over 100 times as long)";
constexpr const char* others_far_slower = " (others take over 100 times as long)";
constexpr const char* no_time_for_others = " (no time for others)";
constexpr const char* others_too_slow = " (others take longer than predicted)";

}  // namespace

std::uint64_t random_prime() {
  std::random_device random;
  for (;;) {
    const std::uint64_t start = std::uint64_t{1} << 60 | (std::uint64_t{random()} << 28 ^ random());
    mpz_class prime;
    mpz_nextprime(prime.get_mpz_t(), mpz_class(static_cast<std::uint64_t>(start)).get_mpz_t());
    if (mpz_sizeinbase(prime.get_mpz_t(), 2) == 61) return prime.get_ui();
  }
}

std::vector<std::string> methods_of(const std::vector<Recount>& recounts) {
  std::vector<std::string> methods;
  for (const Recount& recount : recounts) {
    if (recount.value) methods.emplace_back(recount.method->name());
  }
  return methods;
}

SecondCount::SecondCount(WeightKind weight_kind, const CountOptions& options, std::optional<Modulus> prime,
                         Monitor& monitor)
    : weight_kind_(weight_kind),
      options_(options),
      resources_(resources_for(options)),
      prime_(prime),
      monitor_(monitor) {}

std::vector<Recount> SecondCount::count(const std::vector<AnyBlock>& blocks,
                                        const std::vector<std::string>& before, const Found& found) {
  found_ = &found;
  recounts_ = std::vector<Recount>(blocks.size());
  for (std::size_t k = 0; k < blocks.size(); ++k) recounts_[k].before = before[k];
  try {
    plan_the_same(blocks);
    if (same_seconds_ <= std::min(soon_seconds, first_share * time_left())) run(uncounted(), same_, monitor_);
    std::vector<Way> others = plan_others(blocks);
    run_others(others);
    others.clear();
    drop_beyond_limit();
    run(uncounted(), same_, monitor_);
  } catch (const UnableError& error) {
    for (const std::size_t k : uncounted()) recounts_[k].why_not = error.what();
  }
  return std::move(recounts_);
}

double SecondCount::time_left() const {
  return options_.time_limit_seconds - monitor_.elapsed();
}

std::vector<std::size_t> SecondCount::uncounted() const {
  std::vector<std::size_t> which;
  for (std::size_t k = 0; k < recounts_.size(); ++k) {
    if (!recounts_[k].value) which.push_back(k);
  }
  return which;
}

SecondCount::Way SecondCount::way(const AnyBlock& block, const PlanRequest& request,
                                  const CountOptions& options, Monitor& monitor) const {
  Way found;
  BlockPlan plan = plan_block(block, weight_kind_, options, resources_, request, monitor);
  if (!plan.job) return found;
  found.method = plan.method;
  found.seconds = plan.seconds;
  if (!prime_) {
    found.choice = std::move(plan.choice);
    found.job = std::move(plan.job);
    return found;
  }
  found.choice.arithmetic.moduli = {*prime_};
  if (plan.method->obstacle(block, found.choice.arithmetic)) return found;
  found.seconds /= static_cast<double>(plan.choice.arithmetic.moduli.size());
  MethodOptions how{options.rules, options.seed, resources_.threads, resources_.memory_bytes,
                    options.order, {},           options.settings};
  const std::string text = plan.job->plan();
  if (!text.empty()) how.plan = text;
  found.job = plan.method->make_job(block, found.choice.arithmetic, how);
  return found;
}

/// In another order: general blocks are renumbered, and all are searched by another seed.
void SecondCount::plan_the_same(const std::vector<AnyBlock>& blocks) {
  const double start = monitor_.elapsed();
  CountOptions options = options_;
  ++options.seed;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    monitor_.throw_if_stopped();
    PlanRequest request;
    request.candidates.method = recounts_[k].before;
    auto form = is_general(blocks[k]) ? std::make_unique<AnyBlock>(relabelled(blocks[k])) : nullptr;
    Way same = way(form ? *form : blocks[k], request, options, monitor_);
    same.form = std::move(form);
    if (same.job) {
      same_seconds_ += same.seconds;
    } else {
      all_same_ = false;
      recounts_[k].why_not = "no method can";
    }
    same_.push_back(std::move(same));
  }
  planning_seconds_ = monitor_.elapsed() - start;
}

double SecondCount::seconds_for_others() const {
  double reserve = 0;
  for (const std::size_t k : uncounted()) reserve += same_[k].job ? same_[k].seconds : 0;
  // What would not suffice is nothing to keep.
  if (reserve > time_left()) reserve = 0;
  if (reserve > 0) reserve = std::min(reserve_factor * reserve + least_reserve_seconds, time_left() / 2);
  const double worth =
      all_same_ ? std::max(soon_seconds, far_longer * same_seconds_ + planning_factor * planning_seconds_)
                : std::numeric_limits<double>::infinity();
  return std::min(worth, time_left() - reserve);
}

std::vector<SecondCount::Way> SecondCount::plan_others(const std::vector<AnyBlock>& blocks) {
  std::vector<Way> others(blocks.size());
  CountOptions limited = options_;
  limited.progress = nullptr;
  limited.time_limit_seconds = seconds_for_others();
  others_end_ = seconds_now() + limited.time_limit_seconds;
  double planned = 0;
  Monitor monitor(limited);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    Recount& recount = recounts_[k];
    PlanRequest request;
    request.candidates.exclude = {recount.before};
    Way other;
    try {
      monitor.throw_if_stopped();
      other = monitor.explained([&] { return way(blocks[k], request, limited, monitor); });
    } catch (const UnableError&) {
      monitor_.throw_if_stopped();
      recount.remark = no_time_for_others;
      continue;
    }
    if (!other.job) continue;
    const bool far = same_[k].job && other.seconds > far_longer * same_[k].seconds;
    if (other.seconds > others_end_ - seconds_now() - planned) {
      recount.remark = far ? others_far_slower : no_time_for_others;
      recount.why_not = predicted_text(other.seconds);
      continue;
    }
    recount.remark = far ? far_slower : "";
    planned += other.seconds;
    others[k] = std::move(other);
  }
  return others;
}

/// Forecasts made from samples may be too low by any factor, so each of these has a limit of its own, until
/// one is over; all others are run together.
void SecondCount::run_others(std::vector<Way>& others) {
  std::vector<std::size_t> sure;
  bool too_slow = false;
  for (std::size_t k = 0; k < others.size(); ++k) {
    if (!others[k].job) continue;
    if (!others[k].job->sampled()) {
      sure.push_back(k);
    } else if (too_slow || !run_within_limit({k}, others)) {
      too_slow = true;
      note_too_slow(k);
    }
  }
  if (run_within_limit(sure, others)) return;
  for (const std::size_t k : sure) note_too_slow(k);
}

void SecondCount::note_too_slow(std::size_t block) {
  recounts_[block].remark = others_too_slow;
  recounts_[block].why_not = "it takes longer than predicted";
}

bool SecondCount::run_within_limit(const std::vector<std::size_t>& which, std::vector<Way>& ways) {
  double seconds = 0;
  bool in_reserve = true;  // the same methods
  for (const std::size_t k : which) {
    seconds += ways[k].seconds;
    in_reserve = in_reserve && (recounts_[k].value || same_[k].job);
  }
  const double left = others_end_ - seconds_now();
  CountOptions limited = options_;
  limited.time_limit_seconds =
      in_reserve ? seconds_of_trial(seconds, 2 * left) : left;  // all of what is left
  double told = 0;
  limited.progress = [&](const Progress& progress) {
    monitor_.finish(progress.done * seconds - std::exchange(told, progress.done * seconds));
  };
  monitor_.begin_stage("verify", seconds);
  try {
    Monitor monitor(limited);
    monitor.explained([&] { run(which, ways, monitor); });
    return true;
  } catch (const UnableError&) {
    monitor_.throw_if_stopped();
    return false;
  }
}

void SecondCount::drop_beyond_limit() {
  double planned = 0;
  for (const std::size_t k : uncounted()) {
    if (!same_[k].job) continue;
    if (planned + same_[k].seconds <= time_left()) {
      planned += same_[k].seconds;
    } else {
      recounts_[k].why_not = predicted_text(same_[k].seconds);
      same_[k].job.reset();
    }
  }
}

std::string SecondCount::predicted_text(double seconds) const {
  return fmt::format("predicted to take {}{}", format_duration(seconds), prime_ ? " modulo one prime" : "");
}

/// Those that have a job.
void SecondCount::run(const std::vector<std::size_t>& which, std::vector<Way>& ways, Monitor& monitor) {
  std::vector<Task> tasks;
  std::vector<std::size_t> of_task;
  double seconds = 0;
  for (const std::size_t k : which) {
    const Way& one = ways[k];
    if (!one.job) continue;
    tasks.push_back({one.job.get(), &one.choice.arithmetic, std::string(one.method->name()), one.seconds});
    of_task.push_back(k);
    seconds += one.seconds;
  }
  if (tasks.empty()) return;
  monitor.begin_stage("verify", seconds);
  std::vector<TaskResult> results =
      run_tasks(tasks, fitting_threads(tasks, resources_.threads, resources_.memory_bytes), monitor);
  for (std::size_t t = 0; t < results.size(); ++t) {
    Recount& recount = recounts_[of_task[t]];
    recount.method = ways[of_task[t]].method;
    recount.choice = ways[of_task[t]].choice;
    recount.value = std::move(results[t].value);
    if (*found_) (*found_)(of_task[t], recount);
  }
}

}  // namespace countpm
