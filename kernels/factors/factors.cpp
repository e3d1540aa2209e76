#include "kernels/factors/factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/factors/walk.hpp"
#include "matching/pattern_of.hpp"

namespace countpm {
namespace {

using factors::FactorGraph;
using factors::FactorPlan;
using factors::FactorWalk;
using factors::IntegerRing;
using factors::StateTable;
using factors::WalkRing;

// A graph of most_vertices vertices has no more ports and hubs together.
constexpr Index most_gadget_rows = 2 * factors::most_vertices * (factors::most_vertices - 1);
// With a sign, and room for the rounding of the bound.
constexpr double most_bits_of_words = 126;

/// The sums are integers; as such they are counted, in 128 bits where they surely fit.
class FactorsJob : public Job, public Repeatable {
 public:
  FactorsJob(FactorGraph graph, FactorPlan plan, Arithmetic arithmetic)
      : graph_(std::move(graph)),
        plan_(std::move(plan)),
        arithmetic_(std::move(arithmetic)),
        in_words_(plan_.log2_bound < most_bits_of_words) {}

  std::uint64_t units() const override { return 1; }
  Partial run(std::uint64_t, const StopSignal& stop) const override {
    WorkMeter meter(stop);
    if (by_residues_) {
      Residues sums;
      for (const Modulus& modulus : arithmetic_.moduli)
        sums.residue.push_back(with_exact_ring(
            modulus, [&](const auto& ring) { return ring.to_residue(*walk(WalkRing(ring), meter)); }));
      Partial share = sums;
      multiply(share, from_factor(graph_.scale, arithmetic_), arithmetic_);
      return share;
    }
    const mpz_class sum = in_words_
                              ? from_twos_complement(to_mpz(*walk(WalkRing(WrapRing<uint128>()), meter)), 128)
                              : *walk(IntegerRing(), meter);
    return from_factor(graph_.scale * sum, arithmetic_);
  }

  double log2_work() const override {
    return std::log2(plan_.transitions * (by_residues_ ? static_cast<double>(arithmetic_.moduli.size()) : 1));
  }
  /// AMD EPYC, one core, 2026-11-30.
  double nominal_rate() const override { return in_words_ || by_residues_ ? 8e6 : 5e6; }
  double measured_rate(double seconds) const override {
    WorkMeter meter(stop_signal_here(), seconds);
    do {
      const bool ended = in_words_ ? walk(WalkRing(WrapRing<uint128>()), meter).has_value()
                                   : walk(IntegerRing(), meter).has_value();
      if (!ended) break;
    } while (meter.elapsed_seconds() < seconds);
    return std::max(static_cast<double>(meter.done()) / meter.elapsed_seconds(), 1.0);
  }
  std::uint64_t bytes_per_thread() const override {
    const double element = in_words_ ? 16 : 32 + plan_.log2_bound / 8;
    // two steps' tables
    const double bytes = 2 * StateTable<uint128>::bytes(plan_.most_states, plan_.key_words(), element);
    return 65536 + static_cast<std::uint64_t>(std::min(bytes, 1e18));
  }
  std::string describe() const override {
    return fmt::format("factors of a graph of {} vertices and {} edges, 2^{:.1f} states at the widest",
                       graph_.needs.size(), graph_.edges.size(), std::log2(plan_.most_states));
  }

  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    auto job = std::make_unique<FactorsJob>(*this);
    job->arithmetic_ = arithmetic;
    job->by_residues_ = true;
    return job;
  }
  std::string_view other_code() const override { return "residues in place of exact numbers"; }

 private:
  template <class Ring>
  std::optional<typename Ring::Element> walk(const Ring& ring, WorkMeter& meter) const {
    return FactorWalk<Ring>(graph_, plan_, ring, meter).run();
  }

  FactorGraph graph_;
  FactorPlan plan_;
  Arithmetic arithmetic_;
  bool in_words_;
  bool by_residues_ = false;
};

class Factors : public Method {
 public:
  std::string_view name() const override { return "f-factors"; }
  std::string_view summary() const override {
    return "vertex by vertex, by how many edges the others still need; factors (--degree) of dense graphs";
  }
  std::string_view complexity() const override {
    return "O((f+1)^n) states of n vertices of degree f, C(m+f, f) of m equal ones";
  }
  std::string_view reference() const override {
    return "J. W. Miller, M. T. Harrison, Exact sampling and counting for fixed-margin matrices, Ann. "
           "Statist. 41 (2013) 1569-1592";
  }
  std::string_view work_name() const override { return "transitions"; }
  bool counts_general_graphs() const override { return true; }

  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    if (auto why = obstacle_of_kind(block, arithmetic)) return why;
    const auto graph = factors::factor_graph_of(block);
    if (!graph) return Refusal{RefusalKind::structure, "no graph's factors (--degree) are behind the block"};
    if (graph->needs.size() > factors::most_vertices)
      return Refusal{RefusalKind::too_large,
                     fmt::format("the graph has {} vertices, and {} is the most for f-factors",
                                 graph->needs.size(), factors::most_vertices)};
    if (!factors::plan_factors(*graph))
      return Refusal{RefusalKind::too_large,
                     fmt::format("the graph of {} vertices has too many states", graph->needs.size())};
    return std::nullopt;
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions&) const override {
    auto graph = factors::factor_graph_of(block);
    auto plan = graph ? factors::plan_factors(*graph) : std::nullopt;
    if (!plan) throw std::logic_error("factors: a job for a block that it does not take");
    return std::make_unique<FactorsJob>(*std::move(graph), *std::move(plan), arithmetic);
  }

 private:
  static std::optional<Refusal> obstacle_of_kind(const AnyBlock& block, const Arithmetic& arithmetic) {
    if (has_monomers(block))
      return Refusal{RefusalKind::structure, "it counts factors, and vertices may stay alone here"};
    if (arithmetic.kind == Arithmetic::Kind::floating)
      return Refusal{RefusalKind::arithmetic,
                     "it counts in whole numbers (--exact counts decimals as the fractions that they spell)"};
    const Index rows = pattern_of(block).rows;
    if (rows > most_gadget_rows)
      return Refusal{
          RefusalKind::too_large,
          fmt::format("the block has {} rows, and {} is the most for f-factors", rows, most_gadget_rows)};
    return countpm::obstacle(block, arithmetic);
  }
};

}  // namespace

const Method& factors_method() {
  static const Factors method;
  return method;
}

}  // namespace countpm
