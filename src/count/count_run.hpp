#pragma once
// A planned count on its way: its units run on this machine, on all ranks or wherever a board's units are
// run, and are kept where a journal or an audit wants them.
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "src/api/entries.hpp"
#include "src/checks/checks.hpp"
#include "src/count/planned_count.hpp"
#include "src/distributed/leader.hpp"
#include "src/distributed/unit_board.hpp"
#include "src/journal/checkpoint.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

class CountRun {
 public:
  /// Tells the other ranks or the board the plan, where there are any, and begins the journal, where there is
  /// one (null: there is none). All of them outlive the run. keep: every finished unit, for ledgers(). Throws
  /// as Checkpoint::begin does.
  CountRun(const PlannedCount& plan, const InputInfo& input, const CountOptions& options, Monitor& monitor,
           Checkpoint* checkpoint, bool keep, UnitBoard* board = nullptr);
  CountRun(const CountRun&) = delete;
  CountRun& operator=(const CountRun&) = delete;

  /// Some of what the journal brought runs again (rerun_journaled_units), if it brought anything. Throws
  /// CheckError.
  void check_journaled_units(Checks& checks);
  /// The blocks' counts; throws as run_planned() does.
  BlockCounts count();
  /// After count(): a random share of its units again (audit_units). Throws CheckError.
  AuditReport audit(Checks& checks);
  /// The second counts, of --double-check. Recounts that are unsure and take too long are planned again, by
  /// the blocks' own methods.
  BlockCounts recount(std::vector<PlannedBlock>& recounts);

  /// Of the plans in turn; none where nothing is kept.
  const std::vector<Ledger*>& ledgers() const { return ledgers_; }
  const NumberArithmetic& arithmetic() const { return arithmetic_; }

 private:
  BlockCounts run(const std::vector<PlannedBlock>& planned, const std::string& stage,
                  const std::vector<Ledger*>& ledgers, std::size_t first);
  std::optional<BlockCounts> try_recount(const std::vector<PlannedBlock>& recounts);

  const PlannedCount& plan_;
  const CountOptions& options_;
  Monitor& monitor_;
  NumberArithmetic arithmetic_;
  std::optional<Leader> leader_;
  UnitBoard* board_;
  bool goes_on_ = false;                            // from a journal
  std::vector<std::unique_ptr<Ledger>> in_memory_;  // where there is no journal
  std::vector<Ledger*> ledgers_;                    // of the plan's blocks
  std::vector<Ledger*> recount_ledgers_;
};

}  // namespace countpm
