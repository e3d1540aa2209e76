#pragma once
// Between a count's plans and its journal: what is written of them, and how they are made again from it.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/journal/checkpoint.hpp"
#include "src/number/point_residues.hpp"
#include "src/plan/planned_block.hpp"

namespace countpm {

/// The journal that the options ask for: new, or read and locked; null where they ask for none. Throws as
/// Checkpoint does.
std::unique_ptr<Checkpoint> open_checkpoint(const CheckpointOptions& options);

/// How to read what may have a checkpoint. Throws UsageError where it has one and cannot be read again.
ReadOptions reading_for_checkpoint(const Source& source, const ReadOptions& options,
                                   const CheckpointOptions& checkpoint);
/// Throws UsageError where a checkpoint is asked for: a graph in memory cannot be read again.
void refuse_checkpoint_of_graph(const CheckpointOptions& checkpoint);

/// Throws InputError where the journal is of another input, or of another version of the program, which may
/// cut the work otherwise.
void check_same_input(const Checkpoint& checkpoint, const InputInfo& input, const CountOptions& options);

/// The same of a ratio's second input.
void check_same_other_input(const Checkpoint& checkpoint, const InputInfo& other,
                            const CountOptions& options);

/// Throws UsageError where the journal is one part of a count, which has no number of its own, or that of an
/// estimate.
void refuse_other_journals(const Checkpoint& checkpoint, const CountOptions& options);

/// What needs no unit, into the checkpoint: one that is done. The header is that of a new journal; null:
/// there is none.
void finish_at_once(Checkpoint* checkpoint, JournalHeader header, const std::string& count, Monitor& monitor);

/// How far the count is, for the journal. The monitor must outlive it.
Checkpoint::Now progress_of(Monitor& monitor);

/// Works. Where an interruption or a limit ends that, what is thrown says, too, what the checkpoint then
/// holds; null: there is none.
void annotate_interruption(Checkpoint* checkpoint, const std::function<void()>& work);

/// The names of a set's rules, as a header has them.
std::vector<std::string> rules_in_use(const RuleSet& set);

/// What resume reads again.
std::string input_argument(const InputInfo& input);

/// For a new journal: everything that fixes the plans' units.
JournalHeader journal_header(const InputInfo& input, const std::vector<PlannedBlock>& planned,
                             const std::vector<PlannedBlock>& recounts, const CountOptions& options);

/// Throws InputError: the journal is of other blocks.
[[noreturn]] void throw_other_block(const std::string& file, const std::string& why);

/// One of the journal's plans for the same block; the rest is as of plan_as_before.
BlockPlan plan_task_as_before(const AnyBlock& block, const JournalTask& task, const std::string& file,
                              WeightKind weight_kind, const CountOptions& options, const Resources& resources,
                              PlanRequest request, Monitor& monitor);

/// What a count of a polynomial says of its blocks, by number.
struct PackedBlocks {
  std::function<const PackedForm*(std::size_t)> form;  // null where a block is not counted at points
  std::function<std::uint64_t(std::size_t)> digit_bits;
  bool prove = true;  // as PointsBefore's
};

/// The plans of the journal for the same blocks, timed on this machine (nominal: not timed). file: for
/// messages. Throws InputError where the blocks are others than the journal's, UnableError where a plan does
/// not fit the limits or the devices here.
std::vector<PlannedBlock> plan_as_before(std::vector<ReducedBlock> blocks,
                                         const std::vector<JournalBlock>& journaled, const std::string& file,
                                         WeightKind weight_kind, const CountOptions& options,
                                         const Resources& resources, Monitor& monitor, bool nominal = false,
                                         const PackedBlocks& packed = {});
/// And of its double-check.
std::vector<PlannedBlock> plan_recounts_as_before(const std::vector<PlannedBlock>& planned,
                                                  const std::vector<JournalBlock>& journaled,
                                                  const std::string& file, WeightKind weight_kind,
                                                  const CountOptions& options, const Resources& resources,
                                                  Monitor& monitor, bool nominal = false);

/// Throws UnableError where one unit by itself is predicted beyond the time limit: it would never be done.
void refuse_units_beyond_limit(const std::vector<PlannedBlock>& planned, const CountOptions& options,
                               const Resources& resources, double elapsed_seconds);

/// Of the plans in turn, beginning with the first-th task of the journal; none where there is no journal.
std::vector<Ledger*> ledgers_of(const std::vector<PlannedBlock>& planned, std::size_t first,
                                Checkpoint* checkpoint);

/// How parts read their input: such that another one is noticed. Throws UsageError where it cannot be read
/// again.
ReadOptions reading_of_parts(const Source& source, ReadOptions options);
/// Before the plans, which may take long: throws where a name is taken, or no files can be made where the
/// first is to be.
void check_new_parts(const std::vector<std::string>& files);
/// All or none: what was made is taken away again where one cannot be.
void write_parts(const std::vector<std::string>& files, const std::vector<std::string>& texts);

}  // namespace countpm
