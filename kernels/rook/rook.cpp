#include "kernels/rook/rook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/rook/branches.hpp"
#include "kernels/rook/complement_graph.hpp"
#include "kernels/rook/order.hpp"
#include "kernels/rook/polynomials.hpp"
#include "kernels/support/plan_text.hpp"

namespace countpm {
namespace {

// A full block of so many rows takes 2 s to read into a graph, and 0.5 GB.
constexpr Index most_rows = 4096;
// Wider frontiers are forecast, not planned: their tables fit no memory.
constexpr unsigned most_width = 44;
// Below 2^22 additions (some milliseconds) a better order saves less than it costs to find.
constexpr double log2_work_worth_annealing = 22;
// Each branch is planned when the job is made, in some 0.2 ms at n = 48.
constexpr std::size_t most_branches = 4096;
// The first annealing: moves x (vertices + edges), some 0.1 s.
constexpr double first_annealing = 3e7;

/// sum over k of (-1)^k (n - k)! r_k, r_k = numbers[k - rooks], modulo `modulus` where that is not 0; of a
/// general graph with n = 2 m vertices of (-1)^k (2 (m - k) - 1)!! base^(m - k) r_k. By Horner's rule over
/// the factors of what stands before r_k.
mpz_class factorial_sum(const std::vector<mpz_class>& numbers, std::size_t rooks,
                        const ComplementGraph& graph, const mpz_class& modulus) {
  mpz_class sum = 0;
  const std::uint64_t most = graph.general ? graph.size / 2 : graph.size;
  for (std::uint64_t free = most + 1; free-- > 0;) {
    const std::uint64_t k = most - free;
    sum *= static_cast<std::uint64_t>(graph.general ? 2 * free + 1 : free + 1);
    if (graph.general) sum *= graph.base;
    if (k >= rooks && k - rooks < numbers.size())
      sum += k % 2 == 0 ? numbers[k - rooks] : mpz_class(-numbers[k - rooks]);
    if (modulus != 0) mpz_fdiv_r(sum.get_mpz_t(), sum.get_mpz_t(), modulus.get_mpz_t());
  }
  return sum;
}

class RookJob : public Job, public Improvable, public Repeatable {
 public:
  RookJob(const AnyBlock& block, const Arithmetic& arithmetic, const MethodOptions& options)
      : graph_(complement_graph(block)),
        arithmetic_(arithmetic),
        options_(options),
        order_(order_of(graph_, options)) {
    if (options.plan) {
      follow(*options.plan);
      return;
    }
    if (order_.forecast().log2_work > log2_work_worth_annealing) {
      const double size = graph_.vertices() + static_cast<double>(graph_.neighbour.size());
      order_.anneal(static_cast<std::uint64_t>(first_annealing / size));
    }
    plan_order();
  }

  std::uint64_t units() const override {
    return branches_.size() > 1 ? branches_.size() : exact_ ? 1 : unit_moduli_.size();
  }
  /// All threads share the tables, but where a modulus is a unit.
  bool runs_on_all_threads() const override { return exact_ || branches_.size() > 1; }
  double speed_up(int threads) const override {
    if (!runs_on_all_threads()) return Job::speed_up(threads);
    // Small tables are filled by one thread.
    return log2_work() < log2_work_worth_annealing ? 1.0 : std::pow(std::max(threads, 1), 0.9);
  }

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    stop.check();
    if (!plan_ || table_bytes_ > options_.memory_bytes) {
      throw UnableError(fmt::format("rook needs tables of 2^{:.0f} numbers, more than the memory limit",
                                    order_.forecast().log2_peak),
                        "another method or a higher --memory-limit");
    }
    if (branches_.size() > 1) {
      const RookBranch branch = branches_.branch(graph_, unit);
      return share_of(plan_of(branch.graph), branch, stop);
    }
    RookBranch whole;
    if (exact_) return share_of(*plan_, whole, stop);
    // a unit is one modulus
    Residues result;
    for (const Modulus& modulus : arithmetic_.moduli) {
      const bool own = modulus == unit_moduli_[unit];
      result.residue.push_back(own ? residue_of(*plan_, whole, modulus, 1, stop) : 0);
    }
    return result;
  }

  /// The same branches; by residues of the table's numbers where they were counted exactly, if the memory
  /// allows: another code path.
  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    auto job = std::make_unique<RookJob>(*this);
    job->arithmetic_ = arithmetic;
    job->by_residues_ = true;
    return job;
  }
  std::string_view other_code() const override { return "residues in place of exact numbers"; }
  std::string plan() const override {
    PlanWriter writer;
    writer.put_all("order", order_.best());
    writer.put_all("decided", branches_.decided());
    return writer.text();
  }
  std::string describe() const override {
    if (!plan_) return {};
    std::string text = fmt::format("2^{} states at the widest", widest_);
    if (branches_.size() > 1)
      text += fmt::format(", {} branches over {} vertices", branches_.size(), branches_.decided().size());
    return text;
  }

  double log2_work() const override {
    const double one = plan_ ? std::log2(additions_) : order_.forecast().log2_work;
    return one + (runs_on_all_threads() ? 0 : std::log2(static_cast<double>(units())));
  }
  double nominal_rate() const override {
    if (!plan_) return graph_.plain ? 1e9 : 2e8;
    return additions_ / nominal_seconds_;
  }
  /// Times the first steps, whose vectors are short and tables small, and goes on from there by nominal
  /// figures.
  double measured_rate(double seconds) const override {
    if (!plan_) return nominal_rate();
    const double start = seconds_now();
    double expected = 0;
    double elapsed = 0;
    do {
      RookRun run;
      run.plain = graph_.plain;
      run.seconds = std::max(seconds - elapsed, 1e-6);
      if (exact_) {
        rook_numbers(*plan_, run);
      } else {
        rook_numbers(*plan_, arithmetic_.moduli[0], run);
      }
      expected += rook_seconds(*plan_, exact_, graph_.plain, static_cast<double>(run.added) + 1);
      elapsed = seconds_now() - start;
    } while (elapsed < seconds);
    return nominal_rate() * expected / elapsed;
  }

  std::uint64_t bytes_per_thread() const override {
    return runs_on_all_threads() ? 4096 : table_bytes_ + 4096;
  }
  std::uint64_t bytes_shared() const override {
    return (runs_on_all_threads() ? table_bytes_ : 0) + list_bytes();
  }

  bool improvable() const override { return !options_.plan && log2_work() > log2_work_worth_annealing; }
  void improve(double seconds, const StopSignal& stop) override {
    WorkMeter meter(stop, seconds);
    const double size = graph_.vertices() + static_cast<double>(graph_.neighbour.size());
    const auto moves = static_cast<std::uint64_t>(std::max(first_annealing / size, 16.0));
    while (meter.look()) order_.anneal(moves, meter);
    plan_order();
  }

 private:
  static RookOrder order_of(const ComplementGraph& graph, const MethodOptions& options) {
    if (options.plan) return RookOrder(graph, PlanReader(*options.plan).indices("order"));
    return RookOrder(graph, options.seed);
  }

  /// Another job's branches, whether they fit the memory or not.
  void follow(std::string_view text) {
    if (!plan_whole()) throw PlanError("a plan's tables are too wide");
    RookBranches branches;
    for (const Index v : PlanReader(text).indices("decided")) {
      const auto& decided = branches.decided();
      const bool again = std::find(decided.begin(), decided.end(), v) != decided.end();
      auto more = v < graph_.vertices() && !again ? branches.with(graph_, v, most_branches) : std::nullopt;
      // One that leaves a single choice is free to be decided, but not for ever.
      constexpr std::size_t most_decisions = std::size_t{1} << 22;
      if (!more || more->size() == 0 || more->size() * more->decided().size() > most_decisions)
        throw PlanError("a plan's branches are for another complement");
      branches = std::move(*more);
    }
    if (branches.size() > 1) plan_branches(branches, ~std::uint64_t{0});
  }

  /// What a branch adds to the permanent, in every modulus; all threads share its tables.
  Partial share_of(const RookPlan& plan, const RookBranch& branch, const StopSignal& stop) const {
    if (rook_numbers_fit(plan) && !(by_residues_ && residues_fit_memory(plan))) {
      RookRun run = shared_run(plan, 1, stop);
      const mpz_class sum = factorial_sum(rook_numbers(plan, run), branch.rooks, graph_, 0);
      return from_factor(graph_.factor * mpq_class(plan.isolated * branch.weight * sum), arithmetic_);
    }
    Residues result;
    for (const Modulus& modulus : arithmetic_.moduli)
      result.residue.push_back(residue_of(plan, branch, modulus, options_.threads, stop));
    return result;
  }

  uint128 residue_of(const RookPlan& plan, const RookBranch& branch, const Modulus& modulus, int threads,
                     const StopSignal& stop) const {
    RookRun run = shared_run(plan, arithmetic_.moduli.size(), stop);
    run.threads = threads;
    std::vector<mpz_class> numbers;
    for (const uint128 number : rook_numbers(plan, modulus, run)) numbers.push_back(to_mpz(number));
    Arithmetic own;
    own.moduli = {modulus};
    const mpz_class sum = factorial_sum(numbers, branch.rooks, graph_, to_mpz(modulus));
    Partial share = from_factor(graph_.factor * mpq_class(plan.isolated * branch.weight), own);
    multiply(share, from_factor(mpq_class(sum), own), own);
    return std::get<Residues>(share).residue[0];
  }

  RookRun shared_run(const RookPlan& plan, std::size_t passes, const StopSignal& stop) const {
    RookRun run;
    run.stop = &stop;
    run.plain = graph_.plain;
    run.threads = options_.threads;
    run.predicted = runs_on_all_threads() ? rook_additions(plan) * static_cast<double>(passes) : 0;
    return run;
  }

  std::uint64_t bytes_of(const RookPlan& plan, bool exact) const {
    if (exact) return rook_bytes(plan, true, {});
    std::uint64_t most = 0;
    for (const Modulus& modulus : arithmetic_.moduli) most = std::max(most, rook_bytes(plan, false, modulus));
    return most;
  }
  bool residues_fit_memory(const RookPlan& plan) const {
    return bytes_of(plan, false) <= options_.memory_bytes;
  }

  /// In the best order of the whole graph.
  RookPlan plan_of(const ComplementGraph& graph) const {
    std::vector<Index> order;
    for (const Index v : order_.best()) {
      if (graph.degree(v) != 0) order.push_back(v);
    }
    return plan_rooks(graph, order);
  }

  void plan_order() {
    plan_whole();
    if (table_bytes_ > table_limit()) cut_to_fit();
  }

  /// Without branches. False where that is hopeless.
  bool plan_whole() {
    branches_ = {};
    plan_.reset();
    table_bytes_ = std::uint64_t{1} << 62;
    unit_moduli_ = arithmetic_.moduli;
    if (order_.forecast().width <= most_width) {
      plan_ = plan_rooks(graph_, order_.best());
      exact_ = rook_numbers_fit(*plan_);
      start_figures();
      add_figures(*plan_);
    }
    return plan_.has_value();
  }

  /// The rest is for what threads need beside the tables.
  std::uint64_t table_limit() const { return options_.memory_bytes - options_.memory_bytes / 16; }
  std::uint64_t list_bytes() const {
    return branches_.decided().empty() ? 0
                                       : branches_.size() * (branches_.decided().size() + 4) * sizeof(Index);
  }

  void start_figures() {
    additions_ = 0;
    nominal_seconds_ = 0;
    table_bytes_ = 0;
    widest_ = 0;
  }
  void add_figures(const RookPlan& plan) {
    const bool exact = rook_numbers_fit(plan);
    // of a modulus by itself where that is a unit
    const double passes = exact || branches_.size() <= 1 ? 1 : static_cast<double>(arithmetic_.moduli.size());
    const double additions = rook_additions(plan);
    additions_ += passes * additions;
    nominal_seconds_ += passes * rook_seconds(plan, exact, graph_.plain, additions);
    table_bytes_ = std::max(table_bytes_, bytes_of(plan, exact));
    for (const RookStep& step : plan.steps) widest_ = std::max(widest_, step.new_bits());
  }

  /// Decides vertices until every branch's tables fit the memory; where that takes too many, all stays as it
  /// was.
  void cut_to_fit() {
    RookBranches branches;
    while (auto vertex = vertex_to_decide(graph_, order_, branches.decided())) {
      auto more = branches.with(graph_, *vertex, most_branches);
      if (!more || more->size() == 0) return;
      branches = std::move(*more);
      std::vector<bool> removed(graph_.vertices());
      for (const Index v : branches.decided()) removed[v] = true;
      const RookForecast forecast = order_.evaluate(order_.best(), removed);
      // at least 8 bytes a number; what is planned then may be twice as large
      if (forecast.width > most_width ||
          forecast.log2_peak + 3 > std::log2(static_cast<double>(table_limit())) + 1)
        continue;
      if (plan_branches(branches, table_limit())) return;
    }
  }

  /// False, and all as it was, where they do not fit.
  bool plan_branches(const RookBranches& branches, std::uint64_t most_bytes) {
    if (branches.size() == 1) return false;
    RookJob before = *this;
    branches_ = branches;
    start_figures();
    for (std::size_t k = 0; k < branches.size(); ++k) {
      RookPlan plan = plan_of(branches.branch(graph_, k).graph);
      add_figures(plan);
      if (table_bytes_ + list_bytes() > most_bytes) {
        *this = std::move(before);
        return false;
      }
      if (k == 0) {
        exact_ = rook_numbers_fit(plan);
        plan_ = std::move(plan);
      }
    }
    return true;
  }

  ComplementGraph graph_;
  Arithmetic arithmetic_;
  MethodOptions options_;
  RookOrder order_;
  RookBranches branches_;
  std::optional<RookPlan> plan_;  // of the whole graph, or of branch 0
  bool exact_ = false;            // that one
  bool by_residues_ = false;
  std::vector<Modulus> unit_moduli_;
  double additions_ = 1;  // of all branches
  double nominal_seconds_ = 1;
  unsigned widest_ = 0;
  std::uint64_t table_bytes_ = 0;
};

class Rook : public Method {
 public:
  std::string_view name() const override { return "rook"; }
  std::string_view summary() const override {
    return "rook numbers of the sparse complement, matchings where it has odd cycles; blocks mostly of one "
           "value";
  }
  std::string_view complexity() const override {
    return "O(2^w n d) time and O(2^w n) memory, w the width and d the degree of the complement's graph";
  }
  std::string_view reference() const override {
    return "J. Riordan, An Introduction to Combinatorial Analysis (1958), chapters 7 and 8";
  }
  std::string_view work_name() const override { return "additions"; }
  double setup_seconds() const override { return 0.05; }  // it bounds tables
  bool counts_general_graphs() const override { return true; }
  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    if (has_monomers(block))
      return Refusal{RefusalKind::structure, "it counts perfect matchings, and vertices may stay alone here"};
    if (arithmetic.kind == Arithmetic::Kind::floating)
      return Refusal{RefusalKind::arithmetic,
                     "its terms alternate in sign and cancel, which takes exact arithmetic"};
    if (auto why = countpm::obstacle(block, arithmetic)) return why;
    const Index rows = std::visit([](const auto& b) { return b.size(); }, block);
    if (rows > most_rows)
      return Refusal{RefusalKind::too_large,
                     fmt::format("the block has {} rows, and {} is the most for rook", rows, most_rows)};
    if (is_general(block)) {
      if (rows > 0 && !is_dense_graph(block))
        return Refusal{RefusalKind::structure,
                       "no nonzero value is that of more than half of all pairs of vertices"};
      return std::nullopt;
    }
    if (rows > 0 && dense_rows(block) == 0)
      return Refusal{RefusalKind::structure, "no row has one nonzero value in more than half of its columns"};
    return std::nullopt;
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions& options) const override {
    return std::make_unique<RookJob>(block, arithmetic, options);
  }
};

}  // namespace

const Method& rook_method() {
  static const Rook method;
  return method;
}

}  // namespace countpm
