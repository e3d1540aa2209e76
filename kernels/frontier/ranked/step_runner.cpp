#include "kernels/frontier/ranked/step_runner.hpp"
#include "graph/first_failure.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>

namespace countpm {
namespace {

constexpr std::uint64_t states_a_chunk = std::uint64_t{1} << 14;
constexpr std::uint64_t most_chunks = 1024;
// The signal is asked every so many values pulled.
constexpr std::uint64_t pulls_between_polls = std::uint64_t{1} << 18;

}  // namespace

StepRunner::StepRunner(const RankedProgram& program, const RankedStep& step, const RankedTable& from,
                       RankedTable& to, RunCode code, const StopSignal& stop)
    : step_(step),
      old_counts_(step.from),
      counts_(step.to),
      from_(from),
      to_(to),
      stop_(stop),
      negative_(program.negative),
      from_words_(
          std::clamp(std::min(words_for_bits(from.bits, negative_), from.words), to.words - 1, to.words)),
      kernel_(run_kernel(to.words, from_words_, negative_, code)),
      cut_(cut_step(step)),
      runs_(step, cut_, stop),
      old_fields_(step.from.fields) {
  std::erase_if(old_fields_, [&](const SetField& field) { return field.low < cut_.from_low; });
}

void StepRunner::run(int threads, const std::function<void(double share)>& tell) const {
  const std::uint64_t chunks = std::clamp<std::uint64_t>(step_.to_states / states_a_chunk, 1, most_chunks);
  const auto last = static_cast<std::int64_t>(chunks);
  if (step_.to_states < states_for_threads) threads = 1;
  std::atomic<std::int64_t> made{0};
  std::atomic<std::uint64_t> top{0};  // of the values made
  std::atomic<std::uint64_t> next{0};
  FirstFailure failure;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::int64_t c = 0; c < last; ++c) {
    failure.guard([&] {
      if (stop_.requested()) return;
      const HighestWords highest = run_stretch(static_cast<std::uint64_t>(c), chunks);
      top |= highest.top;
      next |= highest.next;
      const std::int64_t now = made.fetch_add(1, std::memory_order_relaxed) + 1;
      if (omp_get_thread_num() == 0 && now < last) tell(static_cast<double>(now) / static_cast<double>(last));
    });
  }
  failure.rethrow();
  stop_.check();
  to_.bits = HighestWords{top.load(), next.load()}.bits(to_.words);
  tell(1);
}

HighestWords StepRunner::run_stretch(std::uint64_t k, std::uint64_t count) const {
  return run_blocks(first_of(k, count), first_of(k + 1, count));
}

std::uint64_t StepRunner::longest_to() const {
  std::uint64_t longest = 0;
  for (int ones = cut_.least_ones; ones <= cut_.most_ones; ++ones)
    longest = std::max(longest, counts_(cut_.to_low, counts_.rest(step_.to.number, ones)));
  return longest;
}

/// The high part that a stretch begins with: stretches are of whole blocks.
std::uint64_t StepRunner::first_of(std::uint64_t stretch, std::uint64_t count) const {
  if (stretch == count) return std::uint64_t{1} << (step_.to.width - cut_.to_low);
  const std::uint64_t rank = step_.to_states / count * stretch;
  return counts_.high_part(step_.to, cut_.to_low, rank);
}

HighestWords StepRunner::run_blocks(std::uint64_t first, std::uint64_t end) const {
  HighestWords highest;
  const int most = std::max(cut_.most_ones, 1);
  const auto next = [&](std::uint64_t word) {
    return next_in_order(step_.to.fields, word, cut_.to_low, cut_.least_ones, most, end);
  };
  std::uint64_t high = next(first);
  if (high >= end) return highest;
  std::uint64_t at = counts_.rank(high, cut_.to_low, step_.to.number);
  std::uint64_t pulled = 0;
  for (; high < end; high = next(high + 1)) {
    const int ones = std::popcount(high);
    if (ones > cut_.most_ones) break;
    const std::int64_t number = counts_.rest(step_.to.number, ones);
    const std::uint64_t size = counts_(cut_.to_low, number);
    if (size == 0) continue;
    pulled += size * fill(high, number, size, at);
    highest.look_at(to_, at & to_.mask, (at & to_.mask) + size, negative_);
    at += size;
    if (pulled >= pulls_between_polls) {
      pulled = 0;
      if (stop_.requested()) return highest;
    }
  }
  return highest;
}

/// The block of a high part; returns from how many kinds of sets it pulled, and one.
std::uint64_t StepRunner::fill(std::uint64_t high, std::int64_t number, std::uint64_t size,
                               std::uint64_t at) const {
  const std::uint64_t set = high << cut_.to_low;
  const std::uint64_t old = step_.old_place(set);
  const std::uint64_t high_bits = ~((std::uint64_t{1} << cut_.to_low) - 1);
  RunTask task;
  task.to = to_.values.data() + (at & to_.mask);
  task.to_stride = to_.stride;
  task.from_stride = from_.stride;
  task.to_words = to_.words;
  std::uint64_t pulled = 1;
  for (std::size_t p = 0; p < step_.pulls.size(); ++p) {
    const RankedPull& pull = step_.pulls[p];
    if ((set & pull.mask & high_bits) != (pull.value & high_bits)) continue;
    const std::span<const RankedRun> runs = runs_.of(number, p);
    if (runs.empty()) continue;
    std::uint64_t old_set = old ^ pull.flip;
    if (!put_in_order(old_fields_, old_set)) continue;
    const std::uint64_t old_high = old_set >> cut_.from_low;
    task.from =
        from_.values.data() + (old_counts_.rank(old_high, cut_.from_low, step_.from.number) & from_.mask);
    task.runs = runs.data();
    task.count = runs.size();
    task.weight = pull.weight;
    if (pulled++ == 1) {
      if (runs.front().length == size && pull.weight.is_one()) {
        kernel_.write(task);
        continue;
      }
      clear(task.to, size);
    }
    (pull.weight.is_one() ? kernel_.add : kernel_.add_times)(task);
  }
  if (pulled == 1) clear(task.to, size);
  return pulled;
}

void StepRunner::clear(std::uint64_t* to, std::uint64_t size) const {
  for (std::uint32_t w = 0; w < to_.words; ++w, to += to_.stride) std::fill(to, to + size, std::uint64_t{0});
}

}  // namespace countpm
