// Which moduli a candidate counts with, where GPUs or little memory ask for others.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "src/plan/candidates.hpp"
#include "src/plan/gpu_teams.hpp"

namespace countpm {

void Candidate::fit_primes(const Resources& resources) {
  predict(resources);
  const unsigned bits = job->device_prime_bits();
  if (pinned || resources.gpus.empty() || bits == 0 || !processors.gpus.empty()) return;
  ArithmeticChoice other_choice = with_prime_bits(choice, log2_bound, bits, skip_primes);
  std::unique_ptr<Job> other_job = job->with_primes(other_choice.arithmetic);
  const double seconds = log10_seconds;
  std::swap(choice, other_choice);
  std::swap(job, other_job);
  predict(resources);
  const bool wanted = !processors.gpus.empty() && (!resources.cpu || log10_seconds < seconds);
  if (wanted) {
    measured = false;
    return;
  }
  std::swap(choice, other_choice);
  std::swap(job, other_job);
  predict(resources);
}

void Candidate::prefer(ArithmeticChoice other_choice, std::unique_ptr<Job> other_job,
                       const Resources& resources) {
  if (!other_job) return;
  const auto runs = [&] { return fits && (resources.cpu || !processors.gpus.empty()); };
  const bool could = runs();
  const double seconds = log10_seconds;
  const std::uint64_t bytes = memory_bytes;
  const double too_large = log10_too_large;
  const bool waited = tables_wait();
  std::swap(choice, other_choice);
  std::swap(job, other_job);
  predict(resources);
  // Figures of other primes are nominal: what is hardly better is not taken, unless it spares the host's
  // memory.
  const double log10_clearly = waited && !tables_wait() ? 0 : 0.1;
  const bool faster = runs() && could && log10_seconds < seconds - log10_clearly;
  const bool smaller = resources.cpu && !fits && !could && memory_bytes < bytes && !job->is_for_gpus_alone();
  const bool nearer = !resources.cpu && !runs() && !could && log10_too_large < too_large;
  if ((runs() && !could) || faster || smaller || nearer) {
    measured = false;
    return;
  }
  std::swap(choice, other_choice);
  std::swap(job, other_job);
  predict(resources);
}

void Candidate::fit_memory(const Resources& resources) {
  // More primes take a while to find, and passes over so many of them are for those who have the time.
  constexpr std::size_t most_moduli = 64;
  // A state modulo the smallest primes takes half of the bytes, or a bit less: what is larger than that by
  // far would be cut into branches however small they are.
  constexpr std::uint64_t out_of_reach = 4;
  if (pinned || !job) return;
  // An emulated GPU has no memory of its own, and another machine may have no GPU.
  const bool gpus = !resources.gpus.empty() && !resources.gpus.front().emulated && resources.machines == 1;
  const bool short_here = first_choice || job->short_of_memory();
  // Other primes may spare a GPU the host's memory, as they may make it possible at all.
  const bool none_alone = processors.gpus.empty() || tables_wait();
  if (!short_here && !(gpus && !resources.cpu && none_alone)) return;
  if (choice.arithmetic.moduli.size() > most_moduli) return;
  // What is planned for the host's memory is of no use to GPUs that count alone, with memory of their own.
  const bool for_host = resources.cpu || !gpus;
  const bool near = for_host && short_here && (fits || memory_bytes / out_of_reach <= resources.memory_bytes);
  if (!near && !gpus) return;
  if (!first_choice) first_choice = choice;
  constexpr std::array<unsigned, 2> sizes{61, 31};
  std::vector<ArithmeticChoice> choices{*first_choice};
  for (const unsigned size : sizes)
    choices.push_back(with_prime_bits(*first_choice, log2_bound, size, skip_primes));
  const HostRoom host{resources.memory_bytes, !resources.assumed_gpus};
  for (const ArithmeticChoice& other : choices) {
    if (near && (other.arithmetic.moduli != choice.arithmetic.moduli || job->is_for_gpus_alone()))
      prefer(other, job->with_primes(other.arithmetic), resources);
    if (gpus) prefer(other, cut_for_gpus(*job, other.arithmetic, resources.gpus, host), resources);
  }
}

}  // namespace countpm
