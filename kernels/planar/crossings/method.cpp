#include "kernels/planar/crossings/method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/arithmetic/up_float.hpp"
#include "kernels/competitor.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/planar/crossings/branch_sum.hpp"
#include "kernels/planar/crossings/separate_sum.hpp"
#include "kernels/planar/elimination/determinant_bound.hpp"
#include "kernels/planar/elimination/dissection.hpp"
#include "kernels/planar/kasteleyn_job.hpp"
#include "kernels/planar/planar.hpp"
#include "kernels/special_case.hpp"
#include "kernels/support/plan_text.hpp"

namespace countpm {
namespace planar {
namespace {

/// A graph with its planar part and the curves of all other edges; its term is the matrix with the curves'
/// orientation and the sign of the sum.
struct Drawn {
  std::shared_ptr<const PlanarPart> part;
  Curves curves;
  Terms terms;
};

Drawn drawn(SignedMatrix matrix, std::shared_ptr<const PlanarPart> part, std::uint64_t seed) {
  Drawn result{std::move(part), {}, {}};
  result.curves = draw_curves(matrix.graph, *result.part, seed);
  matrix.orientation = result.curves.orientation;
  const std::vector<Index> matching = one_perfect_matching(matrix.graph);
  const bool none = matching.empty() && matrix.graph.vertices != 0;
  const int sign = none ? 0 : sign_with_curves(matrix.graph, *result.part, result.curves, matching);
  result.terms.push_back({std::move(matrix), sign});
  return result;
}

/// The first decisions of every share; each share is what follows one of these.
std::vector<Decisions> first_decisions(const BlockGraph& graph, const PlanarPart& part,
                                       const BranchPlan& plan, std::size_t decisions) {
  std::vector<Decisions> shares{{}};
  for (std::size_t i = 0; i < decisions; ++i) {
    const auto& edge = graph.edges[part.crossing[plan.order[i]]];
    const auto is_free = [&](const Decisions& share) {
      for (std::size_t k = 0; k < i; ++k) {
        const auto& other = graph.edges[part.crossing[plan.order[k]]];
        const bool meet = other.a == edge.a || other.b == edge.b || other.a == edge.b || other.b == edge.a;
        if (share[k] != 0 && meet) return false;
      }
      return true;
    };
    std::vector<Decisions> longer;
    for (Decisions& share : shares) {
      if (is_free(share)) {
        longer.push_back(share);
        longer.back().push_back(1);
      }
      longer.push_back(std::move(share));
      longer.back().push_back(0);
    }
    shares = std::move(longer);
  }
  return shares;
}

/// The sum over the sets by whichever form takes less work, cut into shares.
struct Sum {
  BranchPlan plan;
  std::optional<FrontTree> whole;  // of the whole graph, where each set has an elimination of its own
  std::vector<Decisions> shares;

  double separate_work() const {
    return static_cast<double>(plan.nodes.back()) * whole->total.multiplications;
  }
};

/// After how many decisions the sum is cut: few primes are too few units, but a share of a sum that branches
/// does again what is common to all.
std::size_t decisions_of_shares(const Sum& sum, std::size_t moduli) {
  constexpr std::uint64_t enough_units = 64;
  constexpr double least_own_work = 8;  // times what is done again
  const BranchPlan& plan = sum.plan;
  const std::uint64_t groups = std::max<std::uint64_t>((moduli + most_lanes - 1) / most_lanes, 1);
  std::size_t decisions = 0;
  double again = plan.base_work();
  while (decisions + 1 < plan.nodes.size() && groups * plan.nodes[decisions] < enough_units) {
    again += plan.multiplications[decisions + 1];
    const double own = plan.work_after(decisions + 1) / static_cast<double>(plan.nodes[decisions + 1]);
    if (!sum.whole && own < least_own_work * again) break;
    ++decisions;
  }
  return decisions;
}

/// order: of deciding, empty where it is to be found.
Sum sum_over_sets(const Drawn& graph, std::vector<std::size_t> order) {
  constexpr std::uint64_t seed = 1;
  const BlockGraph& whole = graph.terms[0].matrix.graph;
  Sum sum{branch_plan(whole, *graph.part, graph.curves, std::move(order), seed), {}, {}};
  // An elimination of the whole graph costs more than that of what is not open.
  const double least_separate = sum.plan.base_work() * static_cast<double>(sum.plan.nodes.back());
  if (sum.plan.base_work() + sum.plan.work_after(0) > least_separate) {
    sum.whole = dissection_tree(whole);
    if (sum.plan.base_work() + sum.plan.work_after(0) <= sum.separate_work()) sum.whole.reset();
  }
  return sum;
}

/// The same shares by other orders of elimination.
Sum other_sum(const Drawn& graph, const Sum& sum) {
  constexpr std::uint64_t seed = 2;
  const BlockGraph& whole = graph.terms[0].matrix.graph;
  Sum result{branch_plan(whole, *graph.part, graph.curves, sum.plan.order, seed), {}, sum.shares};
  if (sum.whole) result.whole = front_tree(whole, dissection_order(whole, seed));
  return result;
}

class NearlyPlanarJob : public KasteleynJob, public SpecialCase {
 public:
  // cppcheck-suppress passedByValue ; it is moved from
  NearlyPlanarJob(Drawn graph, Sum sum, const Arithmetic& arithmetic)
      : KasteleynJob(std::move(graph.terms), arithmetic, sum.shares.size()),
        part_(std::move(graph.part)),
        curves_(std::move(graph.curves)),
        sum_(std::move(sum)) {}

  /// The same units of a graph drawn by other curves.
  // cppcheck-suppress passedByValue ; it is moved from
  NearlyPlanarJob(const NearlyPlanarJob& other, Drawn graph, Sum sum, const Arithmetic& arithmetic)
      : KasteleynJob(other, arithmetic, SameUnits{}, std::move(graph.terms)),
        part_(std::move(graph.part)),
        curves_(std::move(graph.curves)),
        sum_(std::move(sum)) {}

  std::string plan() const override {
    PlanWriter writer;
    writer.put_all("edges", sum_.plan.edges(*part_));
    writer.put("decided", sum_.shares[0].size());
    return writer.text();
  }
  std::string describe() const override {
    const std::size_t edges = part_->crossing.size();
    const std::string sets = fmt::format("{} crossing edge{}, {} planar count{}", edges,
                                         edges == 1 ? "" : "s", part_->sets, part_->sets == 1 ? "" : "s");
    if (sum_.whole) return sets + ", each by itself";
    return fmt::format("{}, {} vertices open", sets, sum_.plan.open.size());
  }

  std::optional<Refusal> device_obstacle(const GpuInfo& /*gpu*/) const override {
    return Refusal{RefusalKind::no_gpu_form, "it does not run on a GPU"};
  }
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& /*gpu*/) const override { return nullptr; }
  double nominal_device_rate(const GpuInfo& /*gpu*/) const override { return 0; }

  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& some) const override {
    constexpr std::uint64_t seed = 2;
    Drawn other = drawn(terms()[0].matrix, part_, seed);
    Sum sum = other_sum(other, sum_);
    return std::make_unique<NearlyPlanarJob>(*this, std::move(other), std::move(sum), some);
  }
  std::string_view other_code() const override { return "other curves and another elimination order"; }
  const Method* simpler_method() const override {
    return part_->crossing.empty() ? &planar_method() : nullptr;
  }

 protected:
  std::vector<std::uint64_t> determinant_of(const SignedMatrix& matrix, const LaneCode& code,
                                            const std::vector<std::uint64_t>& primes, std::uint64_t share,
                                            const StopSignal& stop, TimeLimit* limit) const override {
    const Decisions& first = sum_.shares[share];
    if (sum_.whole)
      return separate_sum(matrix, *part_, curves_, sum_.plan.order, *sum_.whole, first, code, primes, stop,
                          limit);
    return branch_sum(matrix, *part_, curves_, sum_.plan, first, code, primes, stop, limit);
  }
  double multiplications() const override {
    if (sum_.whole) return sum_.separate_work();
    // Every share begins anew, and goes through the first decisions alone.
    const std::size_t decided = sum_.shares[0].size();
    double path = sum_.plan.base_work();
    for (std::size_t i = 1; i <= decided; ++i) path += sum_.plan.multiplications[i];
    return static_cast<double>(sum_.shares.size()) * path + sum_.plan.work_after(decided);
  }
  std::uint64_t words() const override {
    const FrontWork& work = sum_.whole ? sum_.whole->total : sum_.plan.tree.total;
    return work.front_words + work.stack_words +
           (sum_.whole ? terms()[0].matrix.graph.edges.size() : sum_.plan.words);
  }

 private:
  std::shared_ptr<const PlanarPart> part_;
  Curves curves_;
  Sum sum_;
};

class NearlyPlanarPreparation : public Preparation, public Competitor {
 public:
  explicit NearlyPlanarPreparation(const AnyBlock& block) : block_(block) {}

  void compete_with(double seconds, int cores) override {
    constexpr double share_of_search = 0.1;
    constexpr double seconds_a_set = 1e-6;  // less than any set takes
    limits_.seconds = share_of_search * seconds;
    const double affordable = seconds * std::max(cores, 1) / seconds_a_set;
    if (affordable < static_cast<double>(most_sets)) limits_.sets = static_cast<std::uint64_t>(affordable);
  }

  /// A bound on every set's matrix, times the sets.
  double log2_bound(int threads) override {
    if (std::holds_alternative<Block<ComplexRational>>(block_) || far_from_planar())
      return std::numeric_limits<double>::infinity();
    const SignedMatrix& matrix = graph_->terms[0].matrix;
    std::vector<std::uint8_t> open(matrix.graph.vertices, 0);
    for (std::size_t i = 0; i < graph_->part->crossing.size(); ++i) {
      for (const Index v : concerned(matrix.graph, *graph_->part, graph_->curves, i)) open[v] = 1;
    }
    const double of_one =
        log2_determinant_bound(matrix, rows_to_fit_by(matrix.graph.vertices), threads, open);
    return with_denominator(block_, UpFloat::up(of_one + log2_up(UpFloat::of(sets()))));
  }

  std::optional<Refusal> obstacle(const Arithmetic& arithmetic) override {
    if (auto reason = obstacle_of_primes(block_, arithmetic)) return reason;
    return far_from_planar();
  }

  std::unique_ptr<Job> make_job(const Arithmetic& arithmetic, const MethodOptions& options) override {
    if (far_from_planar()) throw std::invalid_argument("nearly-planar: the block is far from planar");
    if (options.plan) return planned_job(arithmetic, *options.plan);
    Sum sum = sum_over_sets(*graph_, {});
    cut_into_shares(sum, decisions_of_shares(sum, arithmetic.moduli.size()));
    return std::make_unique<NearlyPlanarJob>(std::move(*graph_), std::move(sum), arithmetic);
  }

 private:
  void cut_into_shares(Sum& sum, std::size_t decisions) const {
    sum.shares = first_decisions(graph_->terms[0].matrix.graph, *graph_->part, sum.plan, decisions);
  }

  /// With the crossing edges of another machine, which may find others itself.
  std::unique_ptr<Job> planned_job(const Arithmetic& arithmetic, const std::string& text) {
    constexpr std::uint64_t most_shares = 512;
    const PlanReader reader(text);
    const BlockGraph& graph = graph_->terms[0].matrix.graph;
    const std::vector<Index> edges = reader.distinct("edges", static_cast<Index>(graph.edges.size()));
    const std::uint64_t decided = reader.number("decided", 0, edges.size());
    std::optional<PlanarPart> part = part_without(graph, edges);
    if (!part) throw PlanError("nearly-planar: the graph is not planar without the plan's edges");
    std::vector<std::size_t> order;
    for (const Index e : edges) {
      const auto at = std::lower_bound(part->crossing.begin(), part->crossing.end(), e);
      order.push_back(static_cast<std::size_t>(at - part->crossing.begin()));
    }
    graph_ = drawn(std::move(graph_->terms[0].matrix), std::make_shared<PlanarPart>(std::move(*part)), 1);
    Sum sum = sum_over_sets(*graph_, std::move(order));
    if (sum.plan.nodes[decided] > most_shares) throw PlanError("nearly-planar: the plan has too many shares");
    cut_into_shares(sum, decided);
    return std::make_unique<NearlyPlanarJob>(std::move(*graph_), std::move(sum), arithmetic);
  }

  mpz_class sets() const { return static_cast<std::uint64_t>(graph_->part->sets); }

  /// Looks for a planar part, the first time that it is asked.
  std::optional<Refusal> far_from_planar() {
    if (graph_) return std::nullopt;
    if (!reason_) reason_ = draw();
    return graph_ ? std::nullopt : reason_;
  }

  /// Makes graph_, or says why not; what it says otherwise means nothing.
  Refusal draw() {
    const std::uint64_t edges = edges_of(block_);
    if (vertices_of(block_) + edges > most_ordered)
      return {RefusalKind::too_large, fmt::format("{} edges are too many", edges)};
    BlockGraph graph = block_graph(block_);
    auto part = planar_part(graph, limits_);
    if (auto* const refusal = std::get_if<Refusal>(&part)) return std::move(*refusal);
    Orientation none(graph.edges.size(), 0);
    graph_ = drawn(signed_matrix(block_, std::move(graph), std::move(none)),
                   std::make_shared<PlanarPart>(std::move(std::get<PlanarPart>(part))), 1);
    return {};
  }

  const AnyBlock& block_;
  PartLimits limits_;
  std::optional<Drawn> graph_;
  std::optional<Refusal> reason_;  // why there is none
};

class NearlyPlanar : public PolynomialMethod {
 public:
  std::string_view name() const override { return "nearly-planar"; }
  std::string_view summary() const override {
    return "planar's determinant or Pfaffian for every set of crossing edges that a matching may use; graphs "
           "that are planar without a few edges or a vertex";
  }
  std::string_view complexity() const override {
    return "O(n^1.5 + s m^3) multiplications a prime, O(n) primes; s sets, m vertices near crossing edges";
  }
  std::string_view reference() const override {
    return "S. Norine, Pfaffian graphs, T-joins and crossing numbers, Combinatorica 28 (2008) 89";
  }
  std::string_view work_name() const override { return "multiplications"; }
  bool counts_general_graphs() const override { return true; }
  MethodTraits traits() const override {
    MethodTraits traits = kasteleyn_traits();
    traits.needs_planarity = false;
    return traits;
  }
  // A hundred planarity tests of some hundred vertices and edges; more for blocks of hundreds of rows.
  double setup_seconds() const override { return 0.04; }

  std::unique_ptr<Preparation> prepare(const AnyBlock& block) const override {
    return std::make_unique<NearlyPlanarPreparation>(block);
  }
};

}  // namespace
}  // namespace planar

const Method& nearly_planar_method() {
  static const planar::NearlyPlanar method;
  return method;
}

}  // namespace countpm
