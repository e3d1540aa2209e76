#include "kernels/planar/kasteleyn_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/support/instruction_sets.hpp"

namespace countpm::planar {
namespace {

constexpr std::uint64_t most_units = 65536;
// Every unit yields a residue for each modulus, 0 for those of other units. So many units cost a tenth of a
// millisecond a unit and 4096 moduli, below a hundredth of what the eliminations of a unit take.
constexpr std::uint64_t many_moduli = 16384;
constexpr std::uint64_t units_of_many_moduli = 512;

std::uint64_t ceil_of(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

}  // namespace

std::vector<std::uint64_t> groups_of(const Arithmetic& some, const Arithmetic& all,
                                     const std::vector<std::uint64_t>& group_of) {
  std::vector<std::uint64_t> groups;
  groups.reserve(some.moduli.size());
  for (const Modulus& modulus : some.moduli) {
    const auto at = std::find(all.moduli.begin(), all.moduli.end(), modulus);
    if (at == all.moduli.end()) throw std::invalid_argument("planar: a modulus that the job does not have");
    groups.push_back(group_of[static_cast<std::size_t>(at - all.moduli.begin())]);
  }
  return groups;
}

int threads_for_pivots(std::uint64_t bytes_per_thread, const MethodOptions& options) {
  const std::uint64_t fitting = options.memory_bytes / std::max<std::uint64_t>(bytes_per_thread, 1);
  return static_cast<int>(
      std::clamp<std::uint64_t>(fitting, 1, static_cast<std::uint64_t>(std::max(options.threads, 1))));
}

KasteleynJob::KasteleynJob(Terms terms, const Arithmetic& arithmetic, std::uint64_t shares)
    : arithmetic_(arithmetic), terms_(std::move(terms)), shares_(shares) {
  cut_into_units();
}

KasteleynJob::KasteleynJob(const KasteleynJob& other, const Arithmetic& arithmetic)
    : Job(), arithmetic_(arithmetic), terms_(other.terms_), shares_(other.shares_) {
  cut_into_units();
}

KasteleynJob::KasteleynJob(const KasteleynJob& other, const Arithmetic& arithmetic, SameUnits tag)
    : KasteleynJob(other, arithmetic, tag, other.terms_) {}

KasteleynJob::KasteleynJob(const KasteleynJob& other, const Arithmetic& arithmetic, SameUnits /*tag*/,
                           Terms terms)
    : Job(),
      arithmetic_(arithmetic),
      terms_(std::move(terms)),
      group_(other.group_),
      shares_(other.shares_),
      units_(other.units_),
      group_of_(groups_of(arithmetic, other.arithmetic_, other.group_of_)) {}

void KasteleynJob::cut_into_units() {
  const std::uint64_t moduli = arithmetic_.moduli.size();
  const std::uint64_t most = (moduli < many_moduli ? most_units : units_of_many_moduli) / shares_;
  group_ = most_lanes * std::max<std::uint64_t>(ceil_of(moduli, most_lanes * most), 1);
  units_ = std::max<std::uint64_t>(ceil_of(moduli, group_), 1) * shares_;
  for (std::uint64_t k = 0; k < moduli; ++k) group_of_.push_back(k / group_);
}

Partial KasteleynJob::run(std::uint64_t unit, const StopSignal& stop) const {
  Partial result = zero(arithmetic_);
  if (terms_[0].sign == 0) return result;
  auto& residues = std::get<Residues>(result).residue;
  std::vector<std::size_t> own;
  for (std::size_t k = 0; k < group_of_.size(); ++k) {
    if (group_of_[k] == unit / shares_) own.push_back(k);
  }
  for (std::size_t first = 0; first < own.size(); first += most_lanes) {
    const std::size_t last = std::min<std::size_t>(first + most_lanes, own.size());
    std::vector<std::uint64_t> primes;
    for (std::size_t k = first; k < last; ++k) primes.push_back(arithmetic_.moduli[own[k]].prime);
    const std::vector<std::uint64_t> values = sum_of_terms(primes, unit % shares_, stop);
    for (std::size_t k = first; k < last; ++k) residues[own[k]] = values[k - first];
  }
  return result;
}

double KasteleynJob::log2_work() const {
  const double work = multiplications() * primes() * static_cast<double>(terms_.size());
  return std::log2(std::max(work, 1.0));
}

double KasteleynJob::nominal_rate() const {
  return processor_has(InstructionSet::avx512) ? 6e9 : 8e8;
}

double KasteleynJob::measured_rate(double seconds) const {
  if (terms_[0].sign == 0 || arithmetic_.moduli.empty()) return nominal_rate();
  const StopSignal& stop = stop_signal_here();
  std::vector<std::uint64_t> some =
      primes_from(0, std::min<std::size_t>(most_lanes, arithmetic_.moduli.size()));
  const LaneCode& code = code_for(some);
  some.resize(std::min<std::size_t>(code.width, some.size()));
  double work = 0;
  double elapsed = 0;
  do {
    TimeLimit limit{seconds - elapsed};
    try {
      determinant_of(terms_[0].matrix, code, some, 0, stop, &limit);
    } catch (const PivotsDiffer&) {
      return nominal_rate();
    }
    work += limit.work_done * static_cast<double>(some.size());
    elapsed += std::max(limit.elapsed, 1e-7);
  } while (elapsed < seconds);
  return std::max(work / elapsed, 1.0);
}

double KasteleynJob::speed_up(int threads) const {
  const double groups = std::ceil(primes() / static_cast<double>(group_));
  return std::clamp(groups * static_cast<double>(shares_), 1.0, static_cast<double>(std::max(threads, 1)));
}

std::uint64_t KasteleynJob::bytes_per_thread() const {
  return words() * most_lanes * sizeof(std::uint64_t) + std::uint64_t{terms_[0].matrix.graph.vertices} * 16 +
         4096;
}

std::string KasteleynJob::describe() const {
  const Term& term = terms_[0];
  if (term.path == 0) return {};
  return fmt::format(
      "vertices that may stay alone: {}, on one face; a path of {} more beside it tells even numbers of them "
      "from odd ones",
      term.alone, term.path);
}

double KasteleynJob::primes() const {
  return std::max(static_cast<double>(arithmetic_.moduli.size()), 1.0);
}

std::vector<std::uint64_t> KasteleynJob::primes_from(std::size_t first, std::size_t last) const {
  std::vector<std::uint64_t> primes;
  for (std::size_t k = first; k < last; ++k) primes.push_back(arithmetic_.moduli[k].prime);
  return primes;
}

const LaneCode& KasteleynJob::code_for(const std::vector<std::uint64_t>& primes) {
  const std::uint64_t largest = *std::max_element(primes.begin(), primes.end());
  const LaneCode* const lanes = wide_lanes();
  return lanes != nullptr && primes.size() > 1 && largest >> lanes->prime_bits == 0 ? *lanes
                                                                                    : portable_lanes();
}

std::vector<std::uint64_t> KasteleynJob::sum_of_terms(const std::vector<std::uint64_t>& primes,
                                                      std::uint64_t share, const StopSignal& stop) const {
  std::vector<std::vector<std::uint64_t>> determinants = all_side_by_side(primes, stop);
  if (!determinants.empty()) return sum_of(determinants, primes);
  for (const Term& term : terms_) determinants.push_back(side_by_side(term.matrix, primes, share, stop));
  return sum_of(determinants, primes);
}

std::vector<std::uint64_t> KasteleynJob::sum_of(const std::vector<std::vector<std::uint64_t>>& determinants,
                                                const std::vector<std::uint64_t>& primes) const {
  std::vector<std::uint64_t> sum(primes.size(), 0);
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    for (std::size_t k = 0; k < primes.size(); ++k) {
      const auto coefficient = static_cast<uint128>(coefficient_modulo(terms_[t], false, primes[k]));
      sum[k] = static_cast<std::uint64_t>((sum[k] + coefficient * determinants[t][k]) % primes[k]);
    }
  }
  return sum;
}

std::optional<Refusal> KasteleynJob::obstacle_to_primes_of(unsigned bits) const {
  const auto refuse = [](std::string why) { return Refusal{RefusalKind::no_gpu_form_here, std::move(why)}; };
  if (terms_[0].sign == 0) return refuse("no form for GPUs where the count is zero");
  if (are_complex(terms_)) return refuse("no form for GPUs on a one-sided surface");
  if (arithmetic_.moduli.empty()) return refuse("no form for GPUs where numbers are floating");
  const bool fit = std::all_of(arithmetic_.moduli.begin(), arithmetic_.moduli.end(),
                               [bits](const Modulus& modulus) { return modulus.prime >> bits == 0; });
  if (fit) return std::nullopt;
  return refuse(fmt::format("primes there have at most {} bits", bits));
}

std::vector<std::vector<std::uint64_t>> KasteleynJob::all_side_by_side(
    const std::vector<std::uint64_t>& primes, const StopSignal& stop) const {
  const LaneCode& code = code_for(primes);
  if (code.width > 1) {
    try {
      return determinants_of_all(code, primes, stop);
    } catch (const PivotsDiffer&) {
      // One prime at a time, as below.
    }
  }
  std::vector<std::vector<std::uint64_t>> result;
  for (const std::uint64_t prime : primes) {
    const std::vector<std::vector<std::uint64_t>> one = determinants_of_all(portable_lanes(), {prime}, stop);
    if (one.empty()) return {};
    result.resize(one.size());
    for (std::size_t t = 0; t < one.size(); ++t) result[t].push_back(one[t][0]);
  }
  return result;
}

std::vector<std::uint64_t> KasteleynJob::side_by_side(const SignedMatrix& matrix,
                                                      const std::vector<std::uint64_t>& primes,
                                                      std::uint64_t share, const StopSignal& stop) const {
  const LaneCode& code = code_for(primes);
  if (code.width > 1) {
    try {
      return determinant_of(matrix, code, primes, share, stop, nullptr);
    } catch (const PivotsDiffer&) {
      // One prime at a time then: no pivot is zero in some lanes only where there is but one.
    }
  }
  std::vector<std::uint64_t> result;
  result.reserve(primes.size());
  for (const std::uint64_t prime : primes)
    result.push_back(determinant_of(matrix, portable_lanes(), {prime}, share, stop, nullptr)[0]);
  return result;
}

}  // namespace countpm::planar
