#include "src/count/count_modulo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "src/checks/count_checks.hpp"
#include "src/number/residues_of_block.hpp"
#include "src/plan/plan_modulo.hpp"

namespace countpm {
namespace {

const char* const counted_again = "counted again";
// Of the time that counting took, or so many seconds.
constexpr double largest_recount_share = 0.2;
constexpr double least_recount_seconds = 0.1;
constexpr std::uint64_t most_rows_for_others = 64;
constexpr double recount_share_of_time_left = 0.5;

double seconds_of_blocks(const BlockCounts& counts) {
  double seconds = 0;
  for (const std::vector<TaskResult>& block : counts.results) {
    for (const TaskResult& result : block) seconds += result.seconds;
  }
  return seconds;
}

class Recounts {
 public:
  Recounts(const PlannedCount& plan, const BlockCounts& counts, const CountOptions& options, Monitor& monitor,
           Checks& checks)
      : plan_(plan),
        counts_(counts),
        options_(options),
        monitor_(monitor),
        checks_(checks),
        arithmetic_(number_arithmetic(plan.weight_kind, options)),
        end_(monitor.elapsed() +
             std::max(least_recount_seconds, largest_recount_share * seconds_of_blocks(counts))) {}

  /// By another method where that is soon done, else in another order.
  void verify(std::size_t number) {
    const double left =
        std::min(end_ - monitor_.elapsed(),
                 recount_share_of_time_left * (options_.time_limit_seconds - monitor_.elapsed()));
    if (left <= 0) return too_long();
    CountOptions limited = options_;
    limited.progress = nullptr;
    limited.time_limit_seconds = left;
    Monitor watch(limited);
    try {
      watch.explained([&] {
        // Other methods than that of a large block take long to set up, and to be left out.
        const bool large = rows_of(plan_.blocks[number].block.original) > most_rows_for_others;
        for (const bool same_methods : {false, true}) {
          if (large && !same_methods) continue;
          const double allowed = left - watch.elapsed();
          std::vector<PlannedBlock> one;
          one.push_back(plan_recount_modulo(plan_.blocks[number], {true, same_methods}, true, options_,
                                            plan_.resources, watch));
          if (predicted_seconds(one) > allowed) continue;
          return compare(number, one, watch);
        }
        too_long();
      });
    } catch (const UnableError& error) {
      monitor_.throw_if_stopped();
      if (watch.limit_is_over()) return too_long();
      checks_.not_applicable(counted_again, error.what());
    } catch (const std::bad_alloc&) {
      checks_.not_applicable(counted_again, "there is not enough memory left for it");
    }
  }

 private:
  void too_long() {
    checks_.not_applicable(counted_again, "it would take more than a fifth of the count's time");
  }

  void compare(std::size_t number, const std::vector<PlannedBlock>& recount, Monitor& watch) {
    const BlockCounts second = run_planned(recount, arithmetic_, counted_again, plan_.resources, watch);
    verify_recount(counts_.counts[number], recount.front(), second.counts.front(), counted_again, checks_);
  }

  const PlannedCount& plan_;
  const BlockCounts& counts_;
  const CountOptions& options_;
  Monitor& monitor_;
  Checks& checks_;
  NumberArithmetic arithmetic_;
  double end_;
};

[[noreturn]] void refuse_residue(const std::string& what) {
  throw UsageError("no residue is to be had modulo a number: " + what);
}

}  // namespace

void refuse_without_residue(const Graph& graph, const CountOptions& options) {
  if (options.modulo.empty()) return;
  if (options.checkpoint.used() || options.channel != nullptr)
    throw UsageError(
        "a count modulo a number is made by one process in one go: checkpoints, parts, ranks and workers are "
        "for counts themselves");
  if (options.proof) throw UsageError("a proof is of a number, and not of its residues");
  if (graph.letters)
    refuse_residue("weights have letters, and the sum is a polynomial (--at x=1 substitutes numbers)");
  if (letter_of(graph))
    refuse_residue(graph.covers ? "a polynomial is counted (--ring-weight 1 makes it a number)"
                                : "a polynomial is counted (--monomers 1 makes it a number)");
  if (graph.weight_kind == WeightKind::complex) refuse_residue("weights are complex");
  if (graph.weight_kind == WeightKind::real)
    refuse_residue(
        "decimal weights are summed in floating point (--exact takes them as the fractions that they spell)");
  require_inverses(graph.values, options.modulo);
}

std::vector<PlannedBlock> plan_for_residues(std::vector<ReducedBlock> blocks, const PlannedCount& count,
                                            const CountOptions& options, Monitor& monitor) {
  const ModuloGoal goal(options.modulo);
  const std::string exactly = why_exactly(count.factor, blocks, goal, count.digit.has_value());
  return plan_blocks_modulo(std::move(blocks), goal, exactly, count.weight_kind, options, count.resources,
                            monitor);
}

void report_residues(const mpq_class& total, const std::vector<mpz_class>& numbers, const Checks& checks,
                     CountResult& result) {
  for (const mpz_class& number : numbers) {
    const std::optional<mpz_class> residue = residue_of(total, number);
    if (!residue)
      throw UsageError(fmt::format("the sum {} has no residue modulo {}: its denominator has no inverse",
                                   total.get_str(), number.get_str()));
    result.residues.push_back({number, *residue});
  }
  result.count.clear();
  result.value = result.residues.front().residue;
  result.log10 = std::numeric_limits<double>::quiet_NaN();
  result.checks = checks.list();
}

void verify_residues(const PlannedCount& plan, const BlockCounts& counts, const CountOptions& options,
                     Monitor& monitor, Checks& checks) {
  Recounts recounts(plan, counts, options, monitor, checks);
  for (std::size_t b = 0; b < plan.blocks.size(); ++b)
    if (plan.blocks[b].modulus != 0) recounts.verify(b);
}

}  // namespace countpm
