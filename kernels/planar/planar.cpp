#include "kernels/planar/planar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/up_float.hpp"
#include "kernels/cuda/cpu_executor.hpp"
#include "kernels/instruction_sets.hpp"
#include "kernels/planar/determinant.hpp"
#include "kernels/planar/determinant_bound.hpp"
#include "kernels/planar/dissection.hpp"
#include "kernels/planar/embedding.hpp"
#include "kernels/planar/planar_device.hpp"
#include "kernels/planar/short_cycle_embedding.hpp"
#include "kernels/planar/torus_kasteleyn.hpp"
#include "kernels/polynomial_method.hpp"

namespace countpm {
namespace {

using namespace planar;

constexpr std::uint64_t most_units = 65536;
// METIS counts vertices and directed edges in 31 bits.
constexpr std::uint64_t most_edges = std::uint64_t{1} << 29;

// What shows that a graph is not planar is looked for in small ones only: some hundred planarity tests.
constexpr std::uint64_t most_edges_to_show = 128;

// How many rows each is fitted by for the bound: a few where the elimination is over in no time. 200 x 200
// (2-core AMD EPYC, Zen 4, 2026-11-21): Bregman-Minc 22,811 bits, 8 rows 17,837 bits in 0.016 s, 16 rows
// 17,341 in 0.048 s, 24 rows 17,133 in 0.097 s, 48 rows 16,982 in 0.36 s; the count has 16,740 bits. Eight
// primes, 400 bits, take 0.05 s; at 500 x 500 0.5 s.
unsigned rows_to_fit_by(std::uint64_t vertices) {
  if (vertices < 16) return 0;
  if (vertices < 16384) return 8;
  return vertices < 131072 ? 16 : 24;
}

/// An oriented matrix, and the sign that its determinant (Pfaffian) comes with; 0 where there is no perfect
/// matching.
struct Term {
  SignedMatrix matrix;
  int sign = 0;
};

/// What is counted: a plane graph's one term, or half the sum of the four of a graph on a torus. They differ
/// in orientation alone.
using Terms = std::vector<Term>;

class PlanarJob : public Job {
 public:
  PlanarJob(Terms terms, const Arithmetic& arithmetic)
      : arithmetic_(arithmetic),
        terms_(std::move(terms)),
        tree_(front_tree(terms_[0].matrix.graph, dissection_order(terms_[0].matrix.graph))) {
    primes_ = std::max(static_cast<double>(arithmetic.moduli.size()), 1.0);
    group_ = primes_a_unit(arithmetic);
  }

  /// The same modulo other primes.
  PlanarJob(const PlanarJob& other, const Arithmetic& arithmetic)
      : arithmetic_(arithmetic),
        terms_(other.terms_),
        tree_(other.tree_),
        primes_(std::max(static_cast<double>(arithmetic.moduli.size()), 1.0)),
        group_(primes_a_unit(arithmetic)) {}

  std::uint64_t units() const override {
    return std::max<std::uint64_t>((arithmetic_.moduli.size() + group_ - 1) / group_, 1);
  }

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    Partial result = zero(arithmetic_);
    if (terms_[0].sign == 0) return result;
    auto& residues = std::get<Residues>(result).residue;
    const std::size_t end = std::min<std::size_t>((unit + 1) * group_, residues.size());
    for (std::size_t first = unit * group_; first < end; first += most_lanes) {
      const std::size_t last = std::min<std::size_t>(first + most_lanes, end);
      const std::vector<std::uint64_t> values = sum_of_terms(primes_from(first, last), stop);
      std::copy(values.begin(), values.end(), residues.begin() + static_cast<std::ptrdiff_t>(first));
    }
    return result;
  }

  double log2_work() const override {
    return std::log2(
        std::max(tree_.total.multiplications * primes_ * static_cast<double>(terms_.size()), 1.0));
  }

  double nominal_rate() const override { return processor_has(InstructionSet::avx512) ? 6e9 : 8e8; }

  double measured_rate(double seconds) const override {
    if (terms_[0].sign == 0 || arithmetic_.moduli.empty()) return nominal_rate();
    const StopSignal never;
    const std::vector<std::uint64_t> primes =
        primes_from(0, std::min<std::size_t>(most_lanes, arithmetic_.moduli.size()));
    const LaneCode& code = code_for(primes);
    double work = 0;
    double elapsed = 0;
    do {
      TimeLimit limit{seconds - elapsed};
      const std::vector<std::uint64_t> some(
          primes.begin(), primes.begin() + std::min<std::ptrdiff_t>(code.width, std::ssize(primes)));
      try {
        determinant(terms_[0].matrix, tree_, code, some, never, &limit);
      } catch (const LanesDiffer&) {
        return nominal_rate();
      }
      work += limit.work_done * static_cast<double>(some.size());
      elapsed += std::max(limit.elapsed, 1e-7);
    } while (elapsed < seconds);
    return std::max(work / elapsed, 1.0);
  }

  double speed_up(int threads) const override {
    return std::clamp(std::ceil(primes_ / static_cast<double>(group_)), 1.0,
                      static_cast<double>(std::max(threads, 1)));
  }

  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override {
    const DevicePlan* plan = device_plan();
    if (plan == nullptr) return nullptr;
    PlanarDeviceTask task;
    task.layout = &plan->layout;
    task.values = &terms_[0].matrix.values;
    task.arithmetic = &arithmetic_;
    task.primes_a_unit = group_;
    task.sign = terms_[0].sign * plan->sign;
    task.multiplications = tree_.total.multiplications;
    task.on_cpu = [this](std::size_t k, const StopSignal& stop) {
      return sum_of_terms(primes_from(k, k + 1), stop)[0];
    };
    return gpu.emulated ? make_planar_device_job<CpuDevice>(task, gpu) : planar_on_gpu(task, gpu);
  }
  double nominal_device_rate(const GpuInfo& gpu) const override {
    if (device_plan() == nullptr) return 0;
    return planar_tuning::nominal_multiplications_a_cycle * gpu.clock_ghz * 1e9 * gpu.multiprocessors;
  }

  unsigned device_prime_bits() const override { return planar_step::prime_bits; }
  std::unique_ptr<Job> over(const Arithmetic& primes) const override {
    return std::make_unique<PlanarJob>(*this, primes);
  }

  std::uint64_t bytes_per_thread() const override {
    const std::uint64_t words = tree_.total.front_words + tree_.total.stack_words;
    return words * most_lanes * sizeof(std::uint64_t) + std::uint64_t{terms_[0].matrix.graph.vertices} * 16 +
           4096;
  }

 private:
  static std::uint64_t primes_a_unit(const Arithmetic& arithmetic) {
    const std::uint64_t moduli = arithmetic.moduli.size();
    return most_lanes *
           std::max<std::uint64_t>((moduli + most_lanes * most_units - 1) / (most_lanes * most_units), 1);
  }

  struct DevicePlan {
    PlanarLayout layout;
    int sign;  // of the product of its pivots
  };

  /// Null where a GPU has nothing to do or does not do it (the four terms of a torus). Made when it is first
  /// asked for.
  const DevicePlan* device_plan() const {
    const Term& term = terms_[0];
    const bool fits =
        terms_.size() == 1 && term.sign != 0 && !arithmetic_.moduli.empty() &&
        term.matrix.values.size() < std::size_t{1} << 31 &&
        std::all_of(arithmetic_.moduli.begin(), arithmetic_.moduli.end(),
                    [](const Modulus& modulus) { return modulus.prime >> planar_step::prime_bits == 0; });
    if (!fits || tree_.fronts.empty()) return nullptr;
    std::call_once(device_plan_once_, [&] {
      const StopSignal never;
      // A count that is zero by cancellation has no pivots to repeat; the CPU finds that out soon.
      if (const auto order = reference_pivots(term.matrix, tree_, never))
        device_plan_.emplace(DevicePlan{planar_layout(term.matrix, tree_, *order), order->sign});
    });
    return device_plan_ ? &*device_plan_ : nullptr;
  }

  std::vector<std::uint64_t> primes_from(std::size_t first, std::size_t last) const {
    std::vector<std::uint64_t> primes;
    for (std::size_t k = first; k < last; ++k) primes.push_back(arithmetic_.moduli[k].prime);
    return primes;
  }

  static const LaneCode& code_for(const std::vector<std::uint64_t>& primes) {
    const std::uint64_t largest = *std::max_element(primes.begin(), primes.end());
    const bool lanes = primes.size() > 1 && processor_has(InstructionSet::avx512) &&
                       largest >> avx512_lanes().prime_bits == 0;
    return lanes ? avx512_lanes() : portable_lanes();
  }

  std::vector<std::uint64_t> sum_of_terms(const std::vector<std::uint64_t>& primes,
                                          const StopSignal& stop) const {
    std::vector<std::uint64_t> sum(primes.size(), 0);
    for (const Term& term : terms_) {
      const std::vector<std::uint64_t> values = side_by_side(term.matrix, primes, stop);
      for (std::size_t k = 0; k < primes.size(); ++k) {
        const std::uint64_t value = term.sign > 0 || values[k] == 0 ? values[k] : primes[k] - values[k];
        sum[k] = (sum[k] + value) % primes[k];
      }
    }
    if (terms_.size() == 1) return sum;
    // The half: an even number's, or that of the number plus the prime.
    for (std::size_t k = 0; k < primes.size(); ++k) sum[k] = (sum[k] + (sum[k] % 2 == 0 ? 0 : primes[k])) / 2;
    return sum;
  }

  std::vector<std::uint64_t> side_by_side(const SignedMatrix& matrix,
                                          const std::vector<std::uint64_t>& primes,
                                          const StopSignal& stop) const {
    const LaneCode& code = code_for(primes);
    if (code.width > 1) {
      try {
        return determinant(matrix, tree_, code, primes, stop);
      } catch (const LanesDiffer&) {
        // One prime at a time then: no pivot is zero in some lanes only where there is but one.
      }
    }
    std::vector<std::uint64_t> result;
    result.reserve(primes.size());
    for (const std::uint64_t prime : primes)
      result.push_back(determinant(matrix, tree_, portable_lanes(), {prime}, stop)[0]);
    return result;
  }

  Arithmetic arithmetic_;
  Terms terms_;
  FrontTree tree_;
  double primes_ = 1;
  std::uint64_t group_ = most_lanes;
  mutable std::once_flag device_plan_once_;
  mutable std::optional<DevicePlan> device_plan_;
};

class PlanarPreparation : public Preparation {
 public:
  explicit PlanarPreparation(const AnyBlock& block) : block_(block) {}

  double log2_bound() override {
    if (std::holds_alternative<Block<ComplexRational>>(block_) || not_planar())
      return std::numeric_limits<double>::infinity();
    double bound = -std::numeric_limits<double>::infinity();
    for (const Term& term : terms_)
      bound =
          std::max(bound, log2_determinant_bound(term.matrix, rows_to_fit_by(term.matrix.graph.vertices)));
    if (terms_.size() == 4) bound = UpFloat::up(bound + 1);  // half of four such terms
    const mpz_class scale = denominator(block_);
    if (scale != 1) bound = UpFloat::up(bound + log2_up(UpFloat::of(scale)));
    return std::max(bound, 0.0);  // an integer other than 0 is at least 1
  }

  std::optional<std::string> obstacle(const Arithmetic& arithmetic) override {
    if (arithmetic.kind == Arithmetic::Kind::floating) {
      return "it counts exactly, modulo primes; write the weights as fractions or decimals, or take frontier";
    }
    for (const Modulus& modulus : arithmetic.moduli) {
      if (modulus.prime == 0) return "it divides, which takes primes and not a power of two";
    }
    if (std::optional<std::string> reason = countpm::obstacle(block_, arithmetic)) return reason;
    return not_planar();
  }

  std::unique_ptr<Job> make_job(const Arithmetic& arithmetic, const MethodOptions& /*options*/) override {
    if (not_planar()) throw std::invalid_argument("planar: the block is not planar");
    return std::make_unique<PlanarJob>(std::move(terms_), arithmetic);
  }

 private:
  /// Embeds and orients the block, the first time that it is asked.
  std::optional<std::string> not_planar() {
    if (!terms_.empty()) return std::nullopt;
    if (reason_.empty()) reason_ = try_to_embed();
    return reason_.empty() ? std::nullopt : std::optional(reason_);
  }

  std::string try_to_embed() {
    const std::uint64_t vertices = vertices_of(block_);
    const std::uint64_t edges = edges_of(block_);
    if (vertices + edges > most_edges) return fmt::format("{} edges are too many", edges);
    const bool too_many = too_many_edges(vertices, edges, !is_general(block_));
    // A torus has 2 edges a vertex where bipartite, and 3 else, at most.
    if (!too_many || edges <= (is_general(block_) ? 3 : 2) * vertices) {
      BlockGraph graph = block_graph(block_);
      if (embed_in_plane(graph, too_many) || embed_on_torus(graph)) return {};
      if (!too_many) return not_planar_reason(graph);
    }
    return fmt::format(
        "the graph is not planar: {} vertices, and with {} edges more than a planar {}graph has", vertices,
        edges, is_general(block_) ? "" : "bipartite ");
  }

  static std::string not_planar_reason(const BlockGraph& graph) {
    std::string reason = "the graph is not planar, nor a lattice closed to a torus";
    if (graph.edges.size() <= most_edges_to_show) {
      reason +=
          fmt::format(": {} of its edges are a subdivision of K5 or K3,3", kuratowski_subgraph(graph).size());
    }
    return reason;
  }

  bool embed_in_plane(const BlockGraph& graph, bool too_many) {
    if (too_many) return false;
    const Planarity planarity = test_planarity(graph);
    if (!planarity.planar) return false;
    Orientation orientation = kasteleyn_orientation(graph, planarity.embedding);
    const std::vector<Index> matching = one_perfect_matching(graph);
    const int sign = matching.empty() && graph.vertices != 0 ? 0 : term_sign(graph, orientation, matching);
    terms_.push_back({signed_matrix(block_, graph, std::move(orientation)), sign});
    return true;
  }

  bool embed_on_torus(const BlockGraph& graph) {
    const std::optional<Embedding> embedding = short_cycle_embedding(graph, Surface::torus);
    if (!embedding) return false;
    const std::vector<Index> matching = one_perfect_matching(graph);
    if (matching.empty()) {
      terms_.push_back({signed_matrix(block_, graph, Orientation(graph.edges.size(), 1)), 0});
      return true;
    }
    for (TorusTerm& term : torus_terms(graph, *embedding, matching))
      terms_.push_back({signed_matrix(block_, graph, std::move(term.orientation)), term.sign});
    return true;
  }

  const AnyBlock& block_;
  Terms terms_;
  std::string reason_;  // why there is none
};

class Planar : public PolynomialMethod {
 public:
  std::string_view name() const override { return "planar"; }
  std::string_view summary() const override {
    return "Kasteleyn's determinant or Pfaffian by nested dissection; planar graphs and lattices on a torus, "
           "of any size";
  }
  std::string_view complexity() const override {
    return "O(n^1.5) multiplications a prime, O(n) primes, O(n log n) memory";
  }
  std::string_view reference() const override {
    return "P. W. Kasteleyn, The statistics of dimers on a lattice, Physica 27 (1961) 1209";
  }
  std::string_view work_name() const override { return "multiplications"; }
  bool counts_general_graphs() const override { return true; }

  std::unique_ptr<Preparation> prepare(const AnyBlock& block) const override {
    return std::make_unique<PlanarPreparation>(block);
  }
};

}  // namespace

const Method& planar_method() {
  static const Planar method;
  return method;
}

}  // namespace countpm
