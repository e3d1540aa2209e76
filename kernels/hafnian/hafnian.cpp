#include "kernels/hafnian/hafnian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/hafnian/gpu/form.hpp"
#include "kernels/hafnian/pairs.hpp"
#include "kernels/hafnian/scaling.hpp"
#include "kernels/hafnian/simd.hpp"
#include "kernels/support/pass_rates.hpp"

namespace countpm {
namespace {

constexpr Index most_vertices = 2 * pair_sets::most_pairs;

Index vertices_of(const AnyBlock& block) {
  return std::visit([](const auto& given) { return given.size(); }, block);
}

class HafnianJob : public Job, public GpuForm, public Repeatable {
 public:
  HafnianJob(AnyBlock block, Arithmetic arithmetic, LaneChoice choice)
      : block_(std::move(block)), arithmetic_(std::move(arithmetic)), choice_(choice) {
    trivial_ = vertices_of(block_) == 0 || (vertices_of(block_) % 2 != 0 && !has_monomers(block_));
    if (trivial_) return;
    pairing_ = pair_sets::pairing_of(block_);
    if (arithmetic_.kind == Arithmetic::Kind::floating)
      pairing_.exponents = pair_sets::balanced_exponents(block_, pairing_.twin_of);
  }

  std::uint64_t units() const override { return pairing_.units; }
  double log2_work() const override {
    return std::log2(static_cast<double>(pairing_.units)) + std::log2(static_cast<double>(pairing_.sets));
  }

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    if (trivial_) return from_factor(mpq_class(vertices_of(block_) == 0 ? 1 : 0), arithmetic_);
    return pair_sets::run_unit(block_, pairing_, arithmetic_, choice_, unit, stop);
  }

  double nominal_rate() const override {
    if (trivial_) return 1;
    return products_a_second() / products_a_set() / passes_of(arithmetic_);
  }
  double measured_rate(double seconds) const override {
    if (trivial_) return 1;
    const pair_sets::SliceTime time =
        pair_sets::time_unit(block_, pairing_, arithmetic_, choice_, seconds, stop_signal_here());
    return time.sets / std::max(time.seconds, 1e-9) / passes_of(arithmetic_);
  }

  std::uint64_t bytes_per_thread() const override {
    return pair_sets::bytes_of(pairing_.shape, arithmetic_) + 4096;
  }
  std::string describe() const override {
    if (trivial_) return {};
    return fmt::format("{} pairs of vertices{}", pairing_.shape.pairs,
                       pairing_.twins ? ", some of them alike" : "");
  }

  std::optional<Refusal> device_obstacle(const GpuInfo& /*gpu*/) const override {
    const char* text = nullptr;
    const bool floating = arithmetic_.kind == Arithmetic::Kind::floating;
    if (floating && arithmetic_.precision == Precision::mpfr) {
      text = "no form for GPUs in MPFR numbers (--arithmetic double-double has one)";
    } else if (!floating && !pair_sets::has_small_primes(arithmetic_)) {
      text = "no form for GPUs modulo a power of two or primes beyond 2^29";
    } else if (trivial_) {
      text = "no form for GPUs of what takes no sum";
    } else {
      return std::nullopt;
    }
    return Refusal{RefusalKind::no_gpu_form_here, text};
  }
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return nullptr;
    if (arithmetic_.kind == Arithmetic::Kind::floating) {
      const pair_sets::FloatingDeviceTask task{
          pairing_, pair_sets::floating_entries(block_, pairing_, arithmetic_), ball_bits(arithmetic_)};
      return on_gpu<pair_sets::FloatingPairSetForm>(gpu, task);
    }
    pair_sets::DeviceTask task{pairing_, {}};
    for (const Modulus& modulus : arithmetic_.moduli) {
      const std::vector<std::uint64_t> words = pair_sets::word_entries(block_, pairing_, modulus.prime);
      task.primes.push_back({static_cast<std::uint32_t>(modulus.prime), {words.begin(), words.end()}});
    }
    return on_gpu<pair_sets::PairSetForm>(gpu, task);
  }
  double nominal_device_rate(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return 0;
    const pair_sets::lanes::Kind kind = pair_sets::kind_of(arithmetic_, is_complex(block_));
    return pair_sets::nominal_device_products(gpu, kind) / products_a_set() / passes_of(arithmetic_);
  }

  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    LaneChoice lanes = choice_;
    if (lanes == LaneChoice::automatic)
      lanes = lanes_supported(LaneChoice::avx512) ? LaneChoice::avx512
              : lanes_supported(LaneChoice::avx2) ? LaneChoice::avx2
                                                  : LaneChoice::baseline;
    if (lanes != LaneChoice::scalar)
      lanes = lanes == LaneChoice::avx512 ? LaneChoice::avx2 : LaneChoice::baseline;
    return std::make_unique<HafnianJob>(block_, arithmetic, lanes);
  }
  std::string_view other_code() const override { return "the next narrower lanes"; }

 private:
  double products_a_set() const { return std::exp2(pair_sets::log2_products(pairing_.shape) - log2_work()); }
  /// AMD EPYC (Zen 4), one core beside other work, n = 30, 2026-11-25. In floating point the products of the
  /// magnitudes are beside them.
  double products_a_second() const {
    const unsigned lanes = pair_sets::lanes_of(pairing_, arithmetic_, choice_);
    const bool complex = is_complex(block_);
    const bool wide = lanes > 4;
    if (arithmetic_.kind == Arithmetic::Kind::residues) {
      constexpr double one_by_one = 4e8;
      return lanes == 1 ? one_by_one : lanes == 2 ? 3.4e9 : wide ? 9e9 : 7.4e9;
    }
    if (arithmetic_.precision == Precision::mpfr) return complex ? 3e6 : 1.2e7;
    if (lanes == 1) return complex ? 1e7 : 4e7;
    const double magnitudes = wide ? 1.1e10 : 1e10;
    const double pairs_of_doubles = complex ? (wide ? 7e8 : 6.4e8) : (wide ? 2.7e9 : 2.5e9);
    const double doubles = complex ? (wide ? 4.4e9 : 3.9e9) : magnitudes;
    const double own = arithmetic_.precision == Precision::plain ? doubles : pairs_of_doubles;
    return 1 / (1 / own + 1 / magnitudes);
  }

  AnyBlock block_;
  Arithmetic arithmetic_;
  LaneChoice choice_;
  bool trivial_ = false;
  pair_sets::Pairing pairing_;
};

class Hafnian : public Method {
 public:
  std::string_view name() const override { return "hafnian"; }
  std::string_view summary() const override {
    return "inclusion-exclusion over sets of pairs of vertices; dense graphs with odd cycles to about n = 60";
  }
  std::string_view complexity() const override { return "O(2^(n/2) n^2) time, O(n^3) memory"; }
  std::string_view reference() const override {
    return "A. Bjorklund, Counting perfect matchings as fast as Ryser, SODA 2012";
  }
  std::string_view work_name() const override { return "sets of pairs"; }
  MethodTraits traits() const override {
    MethodTraits traits;
    traits.prime_bits = pair_sets::lanes::prime_bits;
    return traits;
  }
  bool counts_general_graphs() const override { return true; }
  bool counts_monomers() const override { return true; }
  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    if (!is_general(block))
      return Refusal{RefusalKind::structure,
                     "it counts graphs with odd cycles; for bipartite ones and matrices others are faster"};
    if (tiles_of(block) != 0)
      return Refusal{RefusalKind::structure, "it counts matchings, and this block has sets of other sizes"};
    if (vertices_of(block) > most_vertices)
      return Refusal{RefusalKind::too_large,
                     fmt::format("the block has {} vertices, and {} is the most for hafnian",
                                 vertices_of(block), most_vertices)};
    return countpm::obstacle(block, arithmetic);
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions&) const override {
    return make_hafnian_job(block, arithmetic, LaneChoice::automatic);
  }
};

}  // namespace

std::unique_ptr<Job> make_hafnian_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                      LaneChoice choice) {
  return std::make_unique<HafnianJob>(block, arithmetic, choice);
}

const Method& hafnian_method() {
  static const Hafnian method;
  return method;
}

}  // namespace countpm
