#include "kernels/planar/points_job.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/planar/elimination/determinant.hpp"
#include "kernels/planar/elimination/dissection.hpp"
#include "kernels/planar/gpu/form.hpp"
#include "kernels/planar/gpu/lane.hpp"
#include "kernels/planar/kasteleyn_job.hpp"
#include "kernels/planar/orientation/root_of_minus_one.hpp"
#include "kernels/support/instruction_sets.hpp"
#include "kernels/support/ring_power.hpp"

namespace countpm::planar {
namespace {

// Every unit yields a residue for each modulus, 0 for those of other units: as KasteleynJob's. A journal has
// a sum for each unit, and whoever joins journals holds as many: so many residues in all, where units are
// long.
constexpr std::uint64_t most_point_units = 512;
constexpr std::uint64_t fewest_point_units = 32;
constexpr std::uint64_t most_unit_residues = std::uint64_t{1} << 23;

/// A weight: the coefficient times the letter to the exponent.
struct LetterTerm {
  mpq_class coefficient;
  std::uint64_t exponent = 0;
};

double log2_magnitude(const mpz_class& value) {
  std::int64_t exponent = 0;
  const double mantissa = std::abs(mpz_get_d_2exp(&exponent, value.get_mpz_t()));
  return std::log2(mantissa) + static_cast<double>(exponent);
}

LetterTerm letter_term(const mpq_class& value, std::uint64_t bits) {
  const double size = log2_magnitude(value.get_num()) - log2_magnitude(value.get_den());
  const double exponent = std::round(size / static_cast<double>(bits));
  if (!(exponent >= 0)) throw std::invalid_argument("planar: a weight that is no power of the letter");
  LetterTerm term{value, static_cast<std::uint64_t>(exponent)};
  mpq_div_2exp(term.coefficient.get_mpq_t(), value.get_mpq_t(), term.exponent * bits);
  return term;
}

/// What all jobs for one block share.
struct PointsBlock {
  struct DevicePlan {
    PlanarLayout layout;
    int sign;  // of the product of its pivots
  };

  PointsBlock(Terms oriented, std::uint64_t bits, const MethodOptions& options)
      : terms(std::move(oriented)),
        tree(dissection_tree(terms[0].matrix.graph, options.threads)),
        threads(threads_for_pivots(bytes_per_thread(), options)) {
    for (const mpq_class& value : terms[0].matrix.values) letters.push_back(letter_term(value, bits));
  }
  /// By other fronts.
  explicit PointsBlock(const PointsBlock& other)
      : terms(other.terms),
        letters(other.letters),
        tree(other_tree(terms[0].matrix.graph)),
        threads(other.threads) {}
  PointsBlock& operator=(const PointsBlock&) = delete;

  static FrontTree other_tree(const BlockGraph& graph) {
    constexpr std::uint64_t seed = 2;
    return front_tree(graph, dissection_order(graph, seed));
  }

  std::uint64_t bytes_per_thread() const {
    const std::uint64_t words = tree.total.front_words + tree.total.stack_words;
    return words * most_lanes * sizeof(std::uint64_t) + std::uint64_t{terms[0].matrix.graph.vertices} * 16 +
           4096;
  }

  /// As planar's: of a single term; null where there is nothing to eliminate, or nothing is left of it.
  const DevicePlan* device_plan() const {
    if (tree.fronts.empty()) return nullptr;
    std::call_once(device_plan_once, [&] {
      if (const auto order = reference_pivots(terms[0].matrix, tree, threads, stop_signal_here()))
        device_plan_made.emplace(
            DevicePlan{planar_layout(terms[0].matrix, tree, *order, threads), order->sign});
    });
    return device_plan_made ? &*device_plan_made : nullptr;
  }

  Terms terms;
  std::vector<LetterTerm> letters;  // beside the matrices' values
  FrontTree tree;
  int threads;  // for all but the units
  mutable std::once_flag device_plan_once;
  mutable std::optional<DevicePlan> device_plan_made;
};

class PointsJob : public Job, public GpuForm, public Repeatable {
 public:
  PointsJob(std::shared_ptr<const PointsBlock> block, Arithmetic arithmetic,
            std::shared_ptr<const LetterRoots> roots)
      : block_(std::move(block)), arithmetic_(std::move(arithmetic)), roots_(std::move(roots)) {
    const std::uint64_t moduli = arithmetic_.moduli.size();
    const std::uint64_t most = std::clamp(most_unit_residues / std::max<std::uint64_t>(moduli, 1),
                                          fewest_point_units, most_point_units);
    const std::uint64_t lanes = std::uint64_t{most_lanes} * most;
    group_ = most_lanes * std::max<std::uint64_t>((moduli + lanes - 1) / lanes, 1);
    units_ = std::max<std::uint64_t>((moduli + group_ - 1) / group_, 1);
    for (std::uint64_t k = 0; k < moduli; ++k) unit_of_.push_back(k / group_);
  }
  /// The same units modulo some of the moduli, by other fronts.
  PointsJob(const PointsJob& other, const Arithmetic& some)
      : Job(),
        block_(std::make_shared<const PointsBlock>(*other.block_)),
        arithmetic_(some),
        roots_(other.roots_),
        group_(other.group_),
        units_(other.units_),
        unit_of_(groups_of(some, other.arithmetic_, other.unit_of_)) {}

  std::uint64_t units() const override { return units_; }
  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    Partial result = zero(arithmetic_);
    auto& residues = std::get<Residues>(result).residue;
    std::vector<std::size_t> own;
    for (std::size_t k = 0; k < unit_of_.size(); ++k) {
      if (unit_of_[k] != unit) continue;
      own.push_back(k);
      if (own.size() < most_lanes) continue;
      count(own, residues, stop);
      own.clear();
    }
    if (!own.empty()) count(own, residues, stop);
    return result;
  }
  double log2_work() const override {
    return std::log2(std::max(multiplications() * static_cast<double>(arithmetic_.moduli.size()), 1.0));
  }
  double nominal_rate() const override { return processor_has(InstructionSet::avx512) ? 6e9 : 8e8; }
  double measured_rate(double seconds) const override {
    std::vector<std::size_t> some;
    for (std::size_t k = 0; k < std::min<std::size_t>(most_lanes, arithmetic_.moduli.size()); ++k)
      some.push_back(k);
    if (some.empty()) return nominal_rate();
    const LaneCode& code = code_for(some);
    some.resize(std::min<std::size_t>(code.width, some.size()));
    double work = 0;
    double elapsed = 0;
    do {
      TimeLimit limit{seconds - elapsed};
      try {
        determinants(block_->terms[0].matrix, some, code, stop_signal_here(), &limit);
      } catch (const PivotsDiffer&) {
        return nominal_rate();
      }
      work += limit.work_done * static_cast<double>(some.size());
      elapsed += std::max(limit.elapsed, 1e-7);
    } while (elapsed < seconds);
    return std::max(work / elapsed, 1.0);
  }
  double speed_up(int threads) const override {
    return std::clamp(static_cast<double>(units_), 1.0, static_cast<double>(std::max(threads, 1)));
  }
  std::uint64_t bytes_per_thread() const override { return block_->bytes_per_thread(); }

  std::optional<Refusal> device_obstacle(const GpuInfo& /*gpu*/) const override {
    const auto refuse = [](const char* why) { return Refusal{RefusalKind::no_gpu_form_here, why}; };
    if (block_->terms.size() != 1) return refuse("no form for GPUs on a torus or another closed surface");
    if (std::any_of(arithmetic_.moduli.begin(), arithmetic_.moduli.end(),
                    [](const Modulus& modulus) { return modulus.prime >> planar_step::prime_bits != 0; }))
      return refuse("primes there are smaller");
    if (block_->device_plan() == nullptr) return refuse("no form for GPUs where the count is zero");
    return std::nullopt;
  }
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return nullptr;
    const PointsBlock::DevicePlan* plan = block_->device_plan();
    PlanarDeviceTask task;
    task.layout = &plan->layout;
    task.values = &block_->terms[0].matrix.values;
    task.residues = [this](std::size_t k) { return values_modulo(k); };
    task.arithmetic = &arithmetic_;
    task.primes_a_unit = group_;
    task.sign = block_->terms[0].sign * plan->sign;
    task.multiplications = block_->tree.total.multiplications;
    task.on_cpu = [this](std::size_t k, const StopSignal& stop) { return sums({k}, stop)[0]; };
    return on_gpu<PlanarForm>(gpu, task);
  }
  double nominal_device_rate(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return 0;
    return planar_tuning::nominal_multiplications_a_cycle * gpu.clock_ghz * 1e9 * gpu.multiprocessors;
  }
  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& some) const override {
    return std::make_unique<PointsJob>(*this, some);
  }
  std::string_view other_code() const override { return "another elimination order"; }

 private:
  double multiplications() const {
    return block_->tree.total.multiplications * static_cast<double>(block_->terms.size());
  }
  const LaneCode& code_for(const std::vector<std::size_t>& own) const {
    const LaneCode* const lanes = wide_lanes();
    const bool fit = lanes != nullptr && own.size() > 1 &&
                     std::all_of(own.begin(), own.end(), [this, lanes](std::size_t k) {
                       return arithmetic_.moduli[k].prime >> lanes->prime_bits == 0;
                     });
    return fit ? *lanes : portable_lanes();
  }
  /// The values of the matrices' entries modulo number k.
  std::vector<std::uint64_t> values_modulo(std::size_t k) const {
    const Modulus& modulus = arithmetic_.moduli[k];
    const PrimeRing ring(modulus.prime);
    const PrimeRing::Element letter =
        ring_power(ring, ring.from_residue(roots_->at(modulus.prime)), modulus.power_of_two);
    std::vector<std::uint64_t> values;
    values.reserve(block_->letters.size());
    const std::vector<std::uint8_t>& imaginary = block_->terms[0].matrix.imaginary;
    const PrimeRing::Element root =
        imaginary.empty() ? ring.one() : ring.from_residue(root_of_minus_one(modulus.prime));
    for (std::size_t v = 0; v < block_->letters.size(); ++v) {
      const LetterTerm& term = block_->letters[v];
      PrimeRing::Element value =
          ring.mul(ring.from_mpq(term.coefficient), ring_power(ring, letter, term.exponent));
      if (!imaginary.empty() && imaginary[v] != 0) value = ring.mul(value, root);
      values.push_back(static_cast<std::uint64_t>(ring.to_residue(value)));
    }
    return values;
  }
  /// At most code.width of them. Throws PivotsDiffer.
  std::vector<std::uint64_t> determinants(const SignedMatrix& matrix, const std::vector<std::size_t>& own,
                                          const LaneCode& code, const StopSignal& stop,
                                          TimeLimit* limit) const {
    std::vector<std::uint64_t> primes;
    std::vector<std::vector<std::uint64_t>> values;
    for (const std::size_t k : own) {
      primes.push_back(arithmetic_.moduli[k].prime);
      values.push_back(values_modulo(k));
    }
    const LaneArithmetic lanes(code, primes);
    std::vector<std::uint64_t> result =
        determinant(matrix, block_->tree, lanes, LaneValues(matrix, lanes, values), stop, limit);
    result.resize(own.size());
    return result;
  }
  std::vector<std::uint64_t> side_by_side(const SignedMatrix& matrix, const std::vector<std::size_t>& own,
                                          const StopSignal& stop) const {
    const LaneCode& code = code_for(own);
    if (code.width > 1) {
      try {
        return determinants(matrix, own, code, stop, nullptr);
      } catch (const PivotsDiffer&) {
        // One at a time then.
      }
    }
    std::vector<std::uint64_t> result;
    result.reserve(own.size());
    for (const std::size_t k : own)
      result.push_back(determinants(matrix, {k}, portable_lanes(), stop, nullptr)[0]);
    return result;
  }
  /// The count modulo these moduli.
  std::vector<std::uint64_t> sums(const std::vector<std::size_t>& own, const StopSignal& stop) const {
    std::vector<std::uint64_t> sum(own.size(), 0);
    for (const Term& term : block_->terms) {
      const std::vector<std::uint64_t> values = side_by_side(term.matrix, own, stop);
      for (std::size_t k = 0; k < own.size(); ++k) {
        const std::uint64_t prime = arithmetic_.moduli[own[k]].prime;
        const auto coefficient = static_cast<uint128>(coefficient_modulo(term, false, prime));
        sum[k] = static_cast<std::uint64_t>((sum[k] + coefficient * values[k]) % prime);
      }
    }
    return sum;
  }
  void count(const std::vector<std::size_t>& own, std::vector<uint128>& residues,
             const StopSignal& stop) const {
    const std::vector<std::uint64_t> values = sums(own, stop);
    for (std::size_t k = 0; k < own.size(); ++k) residues[own[k]] = values[k];
  }

  std::shared_ptr<const PointsBlock> block_;
  Arithmetic arithmetic_;
  std::shared_ptr<const LetterRoots> roots_;
  std::uint64_t group_ = most_lanes;  // moduli a unit
  std::uint64_t units_ = 1;
  std::vector<std::uint64_t> unit_of_;  // beside the moduli
};

class PlanarAtPoints : public CountAtPoints {
 public:
  PlanarAtPoints(Terms terms, std::uint64_t bits, const MethodOptions& options)
      : block_(std::make_shared<const PointsBlock>(std::move(terms), bits, options)) {}

  unsigned prime_bits() const override { return kasteleyn_traits().prime_bits; }
  unsigned device_prime_bits() const override { return planar_step::prime_bits; }
  std::unique_ptr<Job> make_job(const Arithmetic& arithmetic,
                                std::shared_ptr<const LetterRoots> roots) const override {
    return std::make_unique<PointsJob>(block_, arithmetic, std::move(roots));
  }

 private:
  std::shared_ptr<const PointsBlock> block_;
};

}  // namespace

std::unique_ptr<CountAtPoints> count_at_points(const AnyBlock& block, std::uint64_t bits,
                                               const MethodOptions& options) {
  if (!std::holds_alternative<Block<mpq_class>>(block)) return nullptr;
  auto oriented = oriented_terms(block);
  auto* const terms = std::get_if<Terms>(&oriented);
  if (terms == nullptr || (*terms)[0].sign == 0) return nullptr;
  return std::make_unique<PlanarAtPoints>(std::move(*terms), bits, options);
}

}  // namespace countpm::planar
