#pragma once
// A Dulmage-Mendelsohn block with the plans for what its reductions left: planned, run and checked as one.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "src/api/entries.hpp"
#include "src/number/number.hpp"
#include "src/plan/plan.hpp"
#include "src/run/executor.hpp"
#include "src/structure/blocks.hpp"

namespace countpm {

struct PlannedBlock {
  explicit PlannedBlock(ReducedBlock reduced_block) : block(std::move(reduced_block)) {}
  // Jobs are not copied, and vectors move only what cannot throw.
  PlannedBlock(PlannedBlock&&) noexcept = default;
  // NOLINTNEXTLINE(bugprone-exception-escape): numbers are moved by swapping
  PlannedBlock& operator=(PlannedBlock&&) noexcept = default;

  ReducedBlock block;
  std::vector<BlockPlan> plans;  // beside block.reduced
  bool reduced = true;           // by the count's rules; false: by none (a recount, a polynomial at points)
  bool same_methods = false;     // a recount by the count's own methods
  /// Not 0: what it counts is right modulo this alone, a recount in residues (recount_in_residues.hpp) or a
  /// count modulo what was asked for (plan_modulo.hpp).
  mpz_class modulus = 0;
  std::uint64_t digit_bits = 0;  // of the polynomial's that the count packs; 0: it is none
  /// Of an estimate: numbers, among what the reductions left, of the parts that are sampled: neither in
  /// block.reduced nor planned.
  std::vector<std::size_t> sampled;

  /// Whether its plans count all of the block.
  bool whole() const { return sampled.empty(); }
};

/// What a journal recorded of a block's recount.
struct RecountVariant {
  bool reduced = true;
  bool same_methods = false;
};
/// The block in another form, reduced as the recount was, without plans.
PlannedBlock relabelled_block(const PlannedBlock& planned, const RecountVariant& variant,
                              WeightKind weight_kind, const CountOptions& options, Monitor& monitor);

/// Methods whose agreement with these plans would say little: their own, and those of the same formulas.
std::vector<std::string> methods_without_news(const std::vector<BlockPlan>& plans);

/// How many primes a recount leaves out, so that its own are others: as many as the count has, and one at
/// least.
unsigned primes_to_skip(const std::vector<BlockPlan>& plans);

/// Tells the monitor that blocks are planned from now on, and how large the largest is.
void enter_planning(const std::vector<ReducedBlock>& blocks, Monitor& monitor);

std::vector<PlannedBlock> plan_blocks(std::vector<ReducedBlock> blocks, WeightKind weight_kind,
                                      const CountOptions& options, const Resources& resources,
                                      Monitor& monitor);

/// A second plan for the same blocks in another form (transposed, or renumbered) and by other methods with
/// other primes: without any reduction where that takes not much longer than the count itself, with them
/// otherwise. Where no other method can do it in the time, the same one does, by another order. Unsure ones
/// are left out where a journal or other ranks are told the plan, and it cannot be changed any more. Blocks
/// whose count needs no method are reduced again, relabelled.
std::vector<PlannedBlock> plan_double_check(const std::vector<PlannedBlock>& planned, WeightKind weight_kind,
                                            const CountOptions& options, const Resources& resources,
                                            Monitor& monitor);

/// The recount by the block's own methods, in another order: of a block whose other method takes too long.
PlannedBlock plan_recount_by_same_methods(const PlannedBlock& planned, WeightKind weight_kind,
                                          const CountOptions& options, const Resources& resources,
                                          Monitor& monitor);
/// Whether a recount may take much longer than predicted: another method's, with a forecast by samples.
bool is_unsure(const PlannedBlock& recount);
/// How many seconds work is worth whose forecast is unsure: ten times that or five, and half of those that
/// are left of the time limit.
double seconds_of_trial(double forecast, double seconds_left);

/// The predicted seconds of all plans; infinity where one has no job.
double predicted_seconds(const std::vector<PlannedBlock>& planned);
void refuse_if_beyond_limits(const std::vector<PlannedBlock>& planned, const CountOptions& options,
                             const Resources& resources, double elapsed_seconds);

/// What running the plans gave. results[b][r] belongs to planned[b].plans[r], and so does numbers[b][r], its
/// value as a number; counts[b] is the whole block's count.
struct BlockCounts {
  std::vector<std::vector<TaskResult>> results;
  std::vector<std::vector<Number>> numbers;
  std::vector<Number> counts;
  int threads = 1;          // that ran the units
  int fitting_threads = 1;  // that the memory is enough for
};
/// Runs tasks on `threads` threads: run_tasks(), or what does the same on several machines.
using TaskRunner = std::function<std::vector<TaskResult>(const std::vector<Task>&, int threads, Monitor&)>;
/// ledgers: of every plan in turn, or none.
BlockCounts run_planned(const std::vector<PlannedBlock>& planned, const NumberArithmetic& arithmetic,
                        const std::string& stage, const Resources& resources, Monitor& monitor,
                        const std::vector<Ledger*>& ledgers = {}, const TaskRunner& run = run_tasks);

}  // namespace countpm
