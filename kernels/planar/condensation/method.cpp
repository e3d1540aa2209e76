#include "kernels/planar/condensation/method.hpp"

#include "kernels/gpu/launch.hpp"
#include "kernels/planar/condensation/condensation.hpp"
#include "kernels/planar/condensation/gpu/form.hpp"
#include "kernels/planar/condensation/gpu/layout.hpp"
#include "kernels/planar/condensation/gpu/tuning.hpp"
#include "kernels/planar/gpu/lane.hpp"
#include "kernels/planar/kasteleyn_job.hpp"

namespace countpm {
namespace planar {
namespace {

class CondensationJob : public KasteleynJob {
 public:
  CondensationJob(Terms terms, const Arithmetic& arithmetic) : KasteleynJob(std::move(terms), arithmetic) {}

  /// The same modulo other primes.
  CondensationJob(const CondensationJob& other, const Arithmetic& arithmetic)
      : KasteleynJob(other, arithmetic) {}

  std::optional<Refusal> device_obstacle(const GpuInfo& gpu) const override {
    if (auto why = obstacle_to_primes_of(planar_step::prime_bits)) return why;
    if (fits_device(form(), terms()[0].matrix.values.size(), gpu)) return std::nullopt;
    return Refusal{RefusalKind::gpu_memory,
                   "the GPU has too little memory for this block's dense matrix modulo one prime"};
  }
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return nullptr;
    CondensationTask task;
    task.form = form();
    for (const Term& term : terms()) task.entries.push_back(dense_entries(term.matrix));
    task.values = &terms()[0].matrix.values;
    task.arithmetic = &arithmetic();
    task.primes_a_unit = primes_a_unit();
    task.multiplications = multiplications();
    task.sum = [this](const auto& determinants, const auto& primes) { return sum_of(determinants, primes); };
    return on_gpu<CondensationForm>(gpu, task);
  }
  double nominal_device_rate(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return 0;
    return condensation_tuning::nominal_multiplications_a_cycle * gpu.clock_ghz * 1e9 * gpu.multiprocessors;
  }
  unsigned device_prime_bits() const override { return are_complex(terms()) ? 0 : planar_step::prime_bits; }
  std::unique_ptr<Job> with_primes(const Arithmetic& primes) const override {
    return std::make_unique<CondensationJob>(*this, primes);
  }

  /// By nested dissection.
  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& some) const override {
    return by_other_fronts(*this, some, 1);
  }
  std::string_view other_code() const override { return "nested dissection"; }

 protected:
  std::vector<std::uint64_t> determinant_of(const SignedMatrix& matrix, const LaneCode& code,
                                            const std::vector<std::uint64_t>& primes, std::uint64_t /*share*/,
                                            const StopSignal& stop, TimeLimit* limit) const override {
    return condensation(matrix, code, primes, stop, limit);
  }
  double multiplications() const override { return condensation_multiplications(terms()[0].matrix.graph); }
  std::uint64_t words() const override { return condensation_words(terms()[0].matrix.graph); }

 private:
  DenseForm form() const { return dense_form(terms()[0].matrix.graph); }
};

std::unique_ptr<Job> make_condensation_job(Terms terms, const Arithmetic& arithmetic,
                                           const MethodOptions& /*options*/) {
  return std::make_unique<CondensationJob>(std::move(terms), arithmetic);
}

class Condensation : public PolynomialMethod {
 public:
  std::string_view name() const override { return "condensation"; }
  std::string_view summary() const override {
    return "planar's determinant or Pfaffian by condensation of the dense matrix; small blocks, and a check "
           "of planar";
  }
  std::string_view complexity() const override {
    return "O(n^3) multiplications a prime, O(n) primes, O(n^2) memory";
  }
  std::string_view reference() const override {
    return "S. A. Haque, M. Moreno Maza, Determinant computation on the GPU using the condensation method, "
           "J. Phys. "
           "Conf. Ser. 341 (2012) 012031";
  }
  std::string_view work_name() const override { return "multiplications"; }
  bool counts_general_graphs() const override { return true; }
  bool counts_monomers() const override { return true; }  // those on one face
  MethodTraits traits() const override {
    MethodTraits traits = kasteleyn_traits();
    traits.log_form = LogForm::dense;
    return traits;
  }
  // After planar.
  double setup_seconds() const override { return 0.0004; }

  std::unique_ptr<Preparation> prepare(const AnyBlock& block) const override {
    return std::make_unique<PlanarPreparation>(block, make_condensation_job);
  }
};

}  // namespace
}  // namespace planar

const Method& condensation_method() {
  static const planar::Condensation method;
  return method;
}

}  // namespace countpm
