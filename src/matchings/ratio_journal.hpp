#pragma once
// What a ratio keeps in a checkpoint, so that it can go on later: how both sums are found, and the samples.
#include <functional>
#include <optional>
#include <string>

#include "src/api/entries.hpp"
#include "src/api/estimate_result.hpp"
#include "src/api/ratio_result.hpp"
#include "src/journal/checkpoint.hpp"
#include "src/matchings/ratio_apart.hpp"

namespace countpm {

/// The standard error of ln of the ratio that is asked for.
double error_wanted(const EstimateOptions& options);
/// What is asked for, in words.
std::string ratio_goal_text(const EstimateOptions& options);

/// Of one ratio; the checkpoint outlives it.
class RatioJournal {
 public:
  /// Nothing is kept.
  RatioJournal() = default;
  /// In the checkpoint. Throws InputError where that is of other inputs, another seed, goal, rule of random
  /// numbers or version. integral: as JournalRatio has it; both inputs are then the same.
  RatioJournal(Checkpoint& checkpoint, const InputInfo& a, const InputInfo& b, const CountOptions& options,
               const EstimateOptions& estimate_options, const std::string& integral = {});

  bool kept() const { return checkpoint_ != nullptr; }
  /// As an earlier session chose; empty: there was none.
  std::optional<RatioWay> way() const;
  bool begun() const { return begun_; }
  /// Seconds of earlier sessions.
  double seconds_before() const;

  /// Writes the file, or goes on with that which is there: throws InputError where its pieces are others.
  void begin(JournalRatio how);
  RatioLedger& ledger(std::size_t piece) const { return checkpoint_->ratio_ledger(piece); }

  /// What is written of sums that are drawn apart, and what an earlier session wrote. Precondition of the
  /// latter: way() is that.
  static JournalRatio apart(const ApartGoal& goal);
  ApartGoal goal_apart(const EstimateOptions& options) const;

  /// Throws an InputError that names the file where the check throws a CheckError.
  void check(const std::function<void()>& work) const;

  /// All that there is to draw now is drawn. Says in the result, and to whoever listens, what became of the
  /// file.
  void end(RatioResult& result);

  Checkpoint* checkpoint() const { return checkpoint_; }
  const std::string& file() const { return file_; }

 private:
  Checkpoint* checkpoint_ = nullptr;
  JournalHeader header_;
  std::string file_;
  Checkpoint::Notice notice_;
  bool begun_ = false;
};

}  // namespace countpm
