#include "src/sampling/split_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "kernels/arithmetic/bound.hpp"
#include "matching/fingerprint.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/sampling/block_key.hpp"
#include "src/structure/balance.hpp"
#include "src/text/format_number.hpp"

namespace countpm {
namespace {

// Nominal rates and plans that nothing was searched for forecast up to so many times too much.
constexpr double hopeless = 50;
// Of the time that is left, for the plans of blocks that can be sampled as well: where they are not done by
// then, the blocks are sampled.
constexpr double planning_share = 0.5;

std::size_t parts_of(const std::vector<ReducedBlock>& blocks) {
  std::size_t parts = 0;
  for (const ReducedBlock& block : blocks) parts += block.reduced.size();
  return parts;
}

/// The bits of the largest number in the entry, above and below its fraction's bar.
double bits_of(std::int64_t value) {
  return std::log2(std::abs(static_cast<double>(value)) + 1);
}
double bits_of(const mpz_class& value) {
  return static_cast<double>(mpz_sizeinbase(value.get_mpz_t(), 2));
}
double bits_of(const mpq_class& value) {
  return bits_of(mpz_class(value.get_num())) + bits_of(mpz_class(value.get_den()));
}
double bits_of(const ComplexRational& value) {
  return bits_of(value.re) + bits_of(value.im);
}

BlockPlan plan_one(const AnyBlock& block, std::size_t number, std::size_t blocks, double limit,
                   const SplitLimits& limits, Monitor& monitor) {
  CountOptions planning = limits.count;
  planning.time_limit_seconds = monitor.elapsed() + limit;
  PlanRequest request;
  request.candidates.method = limits.count.method;
  request.block = number;
  request.blocks = blocks;
  if (limits.estimate.guarantee && can_be_sampled(block, limits.estimate)) {
    request.nominal = true;
    BlockPlan nominal = plan_block(block, limits.weight_kind, planning, limits.resources, request, monitor);
    if (nominal.seconds > hopeless * limit) return nominal;
    request.nominal = false;
  }
  return plan_block(block, limits.weight_kind, planning, limits.resources, request, monitor);
}

/// The same for a block that can be sampled as well; empty where the planner's time is over.
std::optional<BlockPlan> plan_in_time(const AnyBlock& block, std::size_t number, std::size_t blocks,
                                      double limit, const SplitLimits& limits, Monitor& planner) {
  if (planner.limit_is_over()) return std::nullopt;
  try {
    return planner.explained([&] { return plan_one(block, number, blocks, limit, limits, planner); });
  } catch (const UnableError&) {
    if (!planner.limit_is_over()) throw;
    return std::nullopt;
  }
}

/// Of a block without negative weights, for which no sampler has a proven error.
std::string why_no_guarantee(const AnyBlock& block) {
  const char* const why = has_monomers(block) ? "its vertices may stay alone" : "it has odd cycles";
  return fmt::format("{}, and a guarantee is for perfect matchings of bipartite graphs and for cycle covers",
                     why);
}

[[noreturn]] void refuse_to_sample(const AnyBlock& block) {
  const std::string size = is_general(block)
                               ? fmt::format("{} and {}", counted(rows_of(block), "vertex", "vertices"),
                                             counted(entries_of(block), "edge"))
                               : fmt::format("{} and {}", counted(rows_of(block), "row"),
                                             counted(entries_of(block), "entry", "entries"));
  if (has_negative(block))
    throw UnableError(
        fmt::format("a block of {} cannot be sampled: the samplers take no negative or complex weights",
                    size),
        "'countpm', and 'countpm estimate' without --all-sampled, count it exactly if they can; --signed "
        "samples it with its signs");
  throw UnableError(
      fmt::format("a block of {} cannot be sampled: {}", size, why_no_guarantee(block)),
      "'countpm estimate' without --guarantee estimates it with a confidence interval; 'countpm' counts it "
      "exactly if it can");
}

}  // namespace

std::string estimate_goal_text(const EstimateOptions& options) {
  if (options.guarantee)
    return fmt::format("a guarantee of {},{}", options.guarantee->epsilon, options.guarantee->delta);
  if (options.samples > 0) return fmt::format("{} samples", options.samples);
  if (options.ln_error)
    return fmt::format("a standard error of {} in ln Z with confidence {}", *options.ln_error,
                       options.confidence);
  return fmt::format("a relative error of {} with confidence {}", options.relative_error, options.confidence);
}

/// A product of a weight, of choices out of the rows that there
/// are, and of the inverse of a probability, for every row; squared where samples are determinants.
double log2_most_sample(const AnyBlock& block) {
  constexpr double bits_a_row = 256;
  constexpr double bits_beside = 4096;
  return std::visit(
      [](const auto& b) {
        double bits = bits_beside;
        for (Index i = 0; i < b.matrix.rows; ++i) {
          double most = 0;
          for (std::uint64_t k = b.matrix.row_start[i]; k < b.matrix.row_start[i + std::uint64_t{1}]; ++k)
            most = std::max(most, bits_of(b.matrix.value[k]));
          bits += bits_a_row + 4 * most;
        }
        return bits;
      },
      block);
}

bool can_be_sampled(const AnyBlock& block, const EstimateOptions& options) {
  return !has_negative(block) && !(options.guarantee && is_general(block));
}

BlockSplit split_blocks(ReducedInstance reduced, const SplitLimits& limits, Monitor& monitor) {
  const std::size_t parts = parts_of(reduced.blocks);
  BlockSplit split;
  split.factor = std::move(reduced.factor);
  std::size_t number = 0;
  CountOptions planning = limits.count;
  planning.time_limit_seconds =
      planning_share * std::max(limits.estimate.time_limit_seconds - monitor.elapsed(), 0.0);
  Monitor planner(planning);
  const StopScope scope(&monitor.stop_signal());
  for (ReducedBlock& block : reduced.blocks) {
    if (limits.weight_kind >= WeightKind::real) balance(block);
    std::vector<AnyBlock> left = std::exchange(block.reduced, {});
    PlannedBlock planned(std::move(block));
    for (std::size_t r = 0; r < left.size(); ++r) {
      ++number;
      monitor.throw_if_stopped();
      const bool sampleable = can_be_sampled(left[r], limits.estimate);
      if (!sampleable && limits.estimate.all_sampled) refuse_to_sample(left[r]);
      const double time_left = std::max(limits.estimate.time_limit_seconds - monitor.elapsed(), 0.0);
      const double limit = sampleable ? std::min(limits.estimate.exact_below_seconds, time_left) : time_left;
      if (!(sampleable && limits.estimate.all_sampled)) {
        std::optional<BlockPlan> plan;
        if (sampleable) {
          const StopScope within(&planner.stop_signal());
          plan = plan_in_time(left[r], number, parts, limit, limits, planner);
        } else {
          plan = plan_one(left[r], number, parts, limit, limits, monitor);
        }
        if (plan && plan->job && plan->seconds <= limit) {
          planned.plans.push_back(std::move(*plan));
          planned.block.reduced.push_back(std::move(left[r]));
          continue;
        }
      }
      if (!sampleable && !has_negative(left[r])) refuse_to_sample(left[r]);
      planned.sampled.push_back(r);
      split.hard.push_back(std::move(left[r]));
    }
    split.exact.push_back(std::move(planned));
  }
  return split;
}

BlockSplit split_as_before(ReducedInstance reduced, const std::vector<JournalBlock>& journaled,
                           const SplitLimits& limits, Monitor& monitor) {
  const std::string& file = limits.count.checkpoint.name();
  if (reduced.blocks.size() != journaled.size()) throw_other_block(file, "another number of blocks");
  BlockSplit split;
  split.factor = std::move(reduced.factor);
  PlanRequest request;
  request.block = 0;
  request.blocks = parts_of(reduced.blocks);
  for (std::size_t b = 0; b < journaled.size(); ++b) {
    ReducedBlock& block = reduced.blocks[b];
    if (limits.weight_kind >= WeightKind::real) balance(block);
    std::vector<AnyBlock> left = std::exchange(block.reduced, {});
    if (left.size() != journaled[b].tasks.size() + journaled[b].sampled.size())
      throw_other_block(file, "another number of blocks after the reductions");
    PlannedBlock planned(std::move(block));
    for (std::size_t r = 0; r < left.size(); ++r) {
      ++request.block;
      monitor.throw_if_stopped();
      const std::size_t sampled = planned.sampled.size();
      if (sampled < journaled[b].sampled.size() && journaled[b].sampled[sampled].part == r) {
        if (fingerprint(left[r]) != journaled[b].sampled[sampled].fingerprint)
          throw_other_block(file, "a block to sample that is another matrix");
        planned.sampled.push_back(r);
        split.hard.push_back(std::move(left[r]));
        continue;
      }
      if (planned.plans.size() == journaled[b].tasks.size())
        throw_other_block(file, "other blocks that are sampled");
      planned.plans.push_back(plan_task_as_before(left[r], journaled[b].tasks[planned.plans.size()], file,
                                                  limits.weight_kind, limits.count, limits.resources, request,
                                                  monitor));
      planned.block.reduced.push_back(std::move(left[r]));
    }
    split.exact.push_back(std::move(planned));
  }
  CountOptions unlimited = limits.count;
  unlimited.time_limit_seconds = std::numeric_limits<double>::infinity();
  refuse_if_beyond_limits(split.exact, unlimited, limits.resources, monitor.elapsed());
  return split;
}

std::vector<AnyBlock> sampled_as_before(ReducedInstance reduced, const std::vector<JournalBlock>& journaled,
                                        WeightKind weight_kind, const std::string& file) {
  if (reduced.blocks.size() != journaled.size()) throw_other_block(file, "another number of blocks");
  std::vector<AnyBlock> hard;
  for (std::size_t b = 0; b < journaled.size(); ++b) {
    ReducedBlock& block = reduced.blocks[b];
    if (weight_kind >= WeightKind::real) balance(block);
    for (const JournalSampling& sampled : journaled[b].sampled) {
      if (sampled.part >= block.reduced.size())
        throw_other_block(file, "another number of blocks after the reductions");
      if (fingerprint(block.reduced[sampled.part]) != sampled.fingerprint)
        throw_other_block(file, "a block to sample that is another matrix");
      hard.push_back(std::move(block.reduced[sampled.part]));
    }
  }
  return hard;
}

JournalHeader estimate_header(const InputInfo& input, const BlockSplit& split,
                              const std::vector<std::string>& samplers, const SplitLimits& limits) {
  JournalHeader header = journal_header(input, split.exact, {}, limits.count);
  header.estimate = {limits.count.seed, estimate_goal_text(limits.estimate), random_rule};
  std::size_t next = 0;
  for (std::size_t b = 0; b < split.exact.size(); ++b) {
    for (const std::size_t part : split.exact[b].sampled) {
      const AnyBlock& block = split.hard[next];
      header.blocks[b].sampled.push_back(
          {part, fingerprint(block), rows_of(block), entries_of(block), samplers[next]});
      ++next;
    }
  }
  return header;
}

void check_same_estimate(const Journal& journal, const JournalHeader& header,
                         const std::vector<AnyBlock>& sampled, const EstimateOptions& options,
                         const std::string& file) {
  const JournalHeader& journaled = journal.header;
  const auto check = [&file](const std::string& expected, const std::string& found) {
    if (expected != found)
      throw InputError(file, 2, fmt::format("the checkpoint of {}", expected), "that of " + found);
  };
  const auto seed = [](const JournalHeader& of) { return fmt::format("seed {}", of.estimate->seed); };
  check("an estimate", journaled.estimate ? "an estimate" : "a count");
  const auto rule = [](const JournalHeader& of) {
    return fmt::format("random numbers by rule {}{}", of.estimate->rule,
                       of.estimate->rule < random_rule ? ", of an older countpm: start again" : "");
  };
  check(rule(header), rule(journaled));
  check(header.estimate->goal, journaled.estimate->goal);
  check(seed(header), seed(journaled));
  const std::vector<const JournalSampling*> now = header.samplings();
  const std::vector<const JournalSampling*> before = journaled.samplings();
  for (std::size_t k = 0; k < now.size(); ++k)
    check("samples by " + now[k]->sampler, "samples by " + before[k]->sampler);
  for (std::size_t k = 0; k < journal.drawn.size(); ++k) {
    const DrawnSamples& drawn = journal.drawn[k];
    check_possible(drawn, log2_most_sample(sampled[k]), file);
    if (options.guarantee && !drawn.moments.histogram.empty())
      throw InputError(file, 0, "trials, for a guarantee", "samples");
    if (!options.guarantee && drawn.moments.histogram.empty() && drawn.moments.nonzero > 0)
      throw InputError(file, 0, "samples with their sums", "trials, for a guarantee");
    if (!options.guarantee && options.samples > 0 && drawn.moments.samples > options.samples)
      throw InputError(file, 0, fmt::format("{} samples at most", options.samples),
                       fmt::format("{} of them", drawn.moments.samples));
  }
}

}  // namespace countpm
