#include "kernels/frontier/frontier.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/frontier/frontier_job.hpp"
#include "kernels/frontier/order/least_transitions.hpp"
#include "kernels/least_seconds.hpp"

namespace countpm {
namespace {

// Transitions in tables without keys, on one core: bench/results/frontier.md, 2026-11-27.
constexpr double most_moves_a_second = 2e9;

class Frontier : public Method, public BoundedBelow, public CompetingMethod {
 public:
  std::string_view name() const override { return "frontier"; }
  std::string_view summary() const override {
    return "dynamic programming over a frontier of partly matched vertices; sparse or path-like blocks";
  }
  std::string_view complexity() const override {
    return "O(sum over steps of states x degree) time, O(states) memory, at most 2^w states for frontiers of "
           "w";
  }
  std::string_view reference() const override {
    return "D. Cifuentes, P. A. Parrilo, An efficient tree decomposition method for permanents and mixed "
           "discriminants, Linear Algebra Appl. 493 (2016)";
  }
  std::string_view work_name() const override { return "state transitions"; }
  double setup_seconds() const override { return 0.01; }  // greedy orders
  MethodTraits traits() const override {
    MethodTraits traits;
    traits.prefers_wrap_around = true;
    traits.sets_up_by_entries = true;
    traits.wraps_beside_primes = true;
    return traits;
  }
  bool counts_general_graphs() const override { return true; }
  bool counts_monomers() const override { return true; }
  double least_seconds(const AnyBlock& block) const override {
    if (tiles_of(block) != 0) return 0;
    return std::exp2(std::min(log2_least_transitions(class_graph(block)), 1000.0)) / most_moves_a_second;
  }
  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    return countpm::obstacle(block, arithmetic);
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions& options) const override {
    return std::make_unique<FrontierJob>(block, arithmetic, options);
  }
  std::unique_ptr<Job> make_job_beside(double core_seconds, const AnyBlock& block,
                                       const Arithmetic& arithmetic,
                                       const MethodOptions& options) const override {
    return std::make_unique<FrontierJob>(block, arithmetic, options, core_seconds);
  }
};

}  // namespace

const Method& frontier_method() {
  static const Frontier method;
  return method;
}

}  // namespace countpm
