// The method "pruned" as the planner sees it; its jobs are in pruned.cpp.
#include <algorithm>

#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/pruned/pruned.hpp"
#include "kernels/subsets/visits_forecast.hpp"

namespace countpm {
namespace {

// More would find hardly better plans.
constexpr std::uint64_t most_chains = 32;

Index rows_in(const AnyBlock& block) {
  return std::visit([](const auto& one) { return one.size(); }, block);
}

/// As many as threads, where their samples of the tree, of some thousands of prefixes with all row sums, are
/// a small part of the memory.
unsigned chains_for(Index rows, const MethodOptions& options) {
  constexpr std::uint64_t part_of_memory = 8;
  const std::uint64_t bytes_a_chain = std::uint64_t{64000} * (rows + 16);
  const std::uint64_t fit = options.memory_bytes / part_of_memory / bytes_a_chain;
  const auto threads = static_cast<std::uint64_t>(std::max(options.threads, 1));
  return static_cast<unsigned>(std::max<std::uint64_t>(std::min({threads, fit, most_chains}), 1));
}

class PrunedMethod : public Method {
 public:
  std::string_view name() const override { return "pruned"; }
  std::string_view summary() const override {
    return "inclusion-exclusion with a free integer shift, pruned where a row sum is zero; medium density";
  }
  std::string_view complexity() const override {
    return "O(visited prefixes) additions of packed row sums, at most 2^n prefixes, O(n^2) memory";
  }
  std::string_view reference() const override {
    return "K. Kaya, Parallel algorithms for computing sparse matrix permanents, Turk. J. Elec. Eng. & Comp. "
           "Sci. 27 (2019) 4284, as a tree with an integer shift";
  }
  std::string_view work_name() const override { return "visited nodes"; }
  MethodTraits traits() const override {
    MethodTraits traits;
    traits.prefers_wrap_around = true;
    return traits;
  }
  double setup_seconds() const override { return 0.045; }  // it samples

  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    if (arithmetic.kind == Arithmetic::Kind::floating || is_complex(block)) {
      return Refusal{RefusalKind::arithmetic,
                     "real and complex row sums are hardly ever zero, so that nothing would be pruned; ryser "
                     "or sparyser count in floating point"};
    }
    if (auto why = too_many_rows_to_order(rows_in(block))) return why;
    return countpm::obstacle(block, arithmetic);
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions& options) const override {
    PrunedChoice choice;
    choice.plan = options.plan;
    choice.threads = chains_for(rows_in(block), options);
    return make_pruned_job(block, arithmetic, options.seed, choice);
  }
};

}  // namespace

const Method& pruned_method() {
  static const PrunedMethod method;
  return method;
}

}  // namespace countpm
