#include "kernels/planar/planar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "graph/stop_poll.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/planar/elimination/determinant.hpp"
#include "kernels/planar/elimination/dissection.hpp"
#include "kernels/planar/gpu/form.hpp"
#include "kernels/planar/gpu/lane.hpp"
#include "kernels/planar/kasteleyn_job.hpp"
#include "kernels/planar/points_job.hpp"
#include "kernels/planar/seam_elimination.hpp"

namespace countpm {
namespace planar {
namespace {

class PlanarJob : public KasteleynJob {
 public:
  PlanarJob(Terms terms, const Arithmetic& arithmetic, const MethodOptions& options)
      : KasteleynJob(std::move(terms), arithmetic),
        seam_(SeamElimination::of(this->terms(),
                                  lattice_work(graph()) * static_cast<double>(this->terms().size()))),
        tree_(seam_ ? nullptr : shared(dissection_tree(graph(), options.threads))),
        threads_(threads_for_pivots(bytes_per_thread(), options)) {}

  /// The same modulo other primes.
  PlanarJob(const PlanarJob& other, const Arithmetic& arithmetic)
      : KasteleynJob(other, arithmetic), seam_(other.seam_), tree_(other.tree_), threads_(other.threads_) {}

  /// The same units by other fronts, which are found on so many threads.
  PlanarJob(const KasteleynJob& other, const Arithmetic& arithmetic, SameUnits same, int threads)
      : KasteleynJob(other, arithmetic, same),
        tree_(shared(other_dissection_tree(graph(), threads))),
        threads_(threads) {}

  std::optional<Refusal> device_obstacle(const GpuInfo& /*gpu*/) const override {
    if (terms().size() != 1)
      return Refusal{RefusalKind::no_gpu_form_here, "no form for GPUs on a torus or another closed surface"};
    if (terms()[0].matrix.values.size() >= most_device_values)
      return Refusal{RefusalKind::no_gpu_form_here,
                     fmt::format("it takes up to {} entries there", most_device_values - 1)};
    if (auto why = obstacle_to_primes_of(planar_step::prime_bits)) return why;
    if (device_plan() != nullptr) return std::nullopt;
    return Refusal{RefusalKind::no_gpu_form_here, "no form for GPUs where the count is zero"};
  }
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return nullptr;
    const DevicePlan* plan = device_plan();
    PlanarDeviceTask task;
    task.layout = &plan->layout;
    task.values = &terms()[0].matrix.values;
    task.arithmetic = &arithmetic();
    task.primes_a_unit = primes_a_unit();
    task.sign = terms()[0].sign * plan->sign;
    task.multiplications = tree_->total.multiplications;
    task.on_cpu = [this](std::size_t k, const StopSignal& stop) {
      return sum_of_terms(primes_from(k, k + 1), 0, stop)[0];
    };
    return on_gpu<PlanarForm>(gpu, task);
  }
  double nominal_device_rate(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return 0;
    return planar_tuning::nominal_multiplications_a_cycle * gpu.clock_ghz * 1e9 * gpu.multiprocessors;
  }

  unsigned device_prime_bits() const override { return are_complex(terms()) ? 0 : planar_step::prime_bits; }
  std::unique_ptr<Job> with_primes(const Arithmetic& primes) const override {
    return std::make_unique<PlanarJob>(*this, primes);
  }
  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& some) const override {
    return by_other_fronts(*this, some, threads_);
  }
  std::string_view other_code() const override { return "another elimination order"; }
  std::string describe() const override {
    if (!seam_) {
      if (terms().size() < 2 || !terms()[0].loops) return KasteleynJob::describe();
      return fmt::format("{} Pfaffians on a closed surface", terms().size());
    }
    return fmt::format("{} Pfaffians on a closed surface by one elimination, with {} open vertices for each",
                       terms().size(), seam_->open_vertices());
  }

 protected:
  std::vector<std::uint64_t> determinant_of(const SignedMatrix& matrix, const LaneCode& code,
                                            const std::vector<std::uint64_t>& primes, std::uint64_t /*share*/,
                                            const StopSignal& stop, TimeLimit* limit) const override {
    if (seam_ && limit != nullptr) {
      seam_->measure(code, primes, stop, *limit);
      return std::vector<std::uint64_t>(primes.size(), 0);
    }
    return determinant(matrix, *tree_, code, primes, stop, limit);
  }
  std::vector<std::vector<std::uint64_t>> determinants_of_all(const LaneCode& code,
                                                              const std::vector<std::uint64_t>& primes,
                                                              const StopSignal& stop) const override {
    if (!seam_) return {};
    return seam_->determinants(code, primes, stop);
  }
  double multiplications() const override {
    if (seam_) return seam_->multiplications() / static_cast<double>(terms().size());
    return tree_->total.multiplications;
  }
  std::uint64_t words() const override {
    return seam_ ? seam_->words() : tree_->total.front_words + tree_->total.stack_words;
  }

 private:
  struct DevicePlan {
    PlanarLayout layout;
    int sign;  // of the product of its pivots
  };

  const BlockGraph& graph() const { return terms()[0].matrix.graph; }

  static constexpr std::size_t most_device_values = std::size_t{1} << 31;

  static std::shared_ptr<const FrontTree> shared(FrontTree tree) {
    return std::make_shared<const FrontTree>(std::move(tree));
  }

  /// Of a single term. Null where there is nothing to eliminate, or nothing is left of it. Made when it is
  /// first asked for.
  const DevicePlan* device_plan() const {
    const planar::Term& term = terms()[0];
    if (tree_->fronts.empty()) return nullptr;
    std::call_once(device_plan_once_, [&] {
      const StopSignal& stop = stop_signal_here();
      // A count that is zero by cancellation has no pivots to repeat; the CPU finds that out soon.
      if (const auto order = reference_pivots(term.matrix, *tree_, threads_, stop))
        device_plan_.emplace(DevicePlan{planar_layout(term.matrix, *tree_, *order, threads_), order->sign});
    });
    return device_plan_ ? &*device_plan_ : nullptr;
  }

  std::shared_ptr<const SeamElimination> seam_;  // of all terms, where there are several and it serves
  std::shared_ptr<const FrontTree> tree_;        // of each, else
  int threads_;                                  // for all but the units
  mutable std::once_flag device_plan_once_;
  mutable std::optional<DevicePlan> device_plan_;
};

std::unique_ptr<Job> make_planar_job(Terms terms, const Arithmetic& arithmetic,
                                     const MethodOptions& options) {
  return std::make_unique<PlanarJob>(std::move(terms), arithmetic, options);
}

class Planar : public PolynomialMethod {
 public:
  std::string_view name() const override { return "planar"; }
  std::string_view summary() const override {
    return "FKT: Kasteleyn's determinant or Pfaffian, by nested dissection; planar graphs and lattices on a "
           "torus, Moebius strip or Klein bottle, of any size";
  }
  std::string_view complexity() const override {
    return "O(n^1.5) multiplications a prime, O(n) primes, O(n log n) memory";
  }
  std::string_view reference() const override {
    return "P. W. Kasteleyn, The statistics of dimers on a lattice, Physica 27 (1961) 1209";
  }
  std::string_view work_name() const override { return "multiplications"; }
  bool counts_general_graphs() const override { return true; }
  bool counts_monomers() const override { return true; }  // those on one face
  MethodTraits traits() const override {
    MethodTraits traits = kasteleyn_traits();
    traits.settles_large_blocks = true;
    traits.log_form = LogForm::sparse;
    return traits;
  }

  std::unique_ptr<Preparation> prepare(const AnyBlock& block) const override {
    return std::make_unique<PlanarPreparation>(block, make_planar_job);
  }
  bool has_points() const override { return true; }
  std::unique_ptr<CountAtPoints> at_points(const AnyBlock& block, std::uint64_t bits,
                                           const MethodOptions& options) const override {
    return count_at_points(block, bits, options);
  }
};

}  // namespace

std::unique_ptr<Job> by_other_fronts(const KasteleynJob& job, const Arithmetic& arithmetic, int threads) {
  return std::make_unique<PlanarJob>(job, arithmetic, KasteleynJob::SameUnits{}, threads);
}

}  // namespace planar

const Method& planar_method() {
  static const planar::Planar method;
  return method;
}

}  // namespace countpm
