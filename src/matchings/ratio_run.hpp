#pragma once
// Samples of both sums of a ratio at a time, piece by piece.
#include <optional>
#include <string>
#include <vector>

#include "src/api/estimate_result.hpp"
#include "src/api/ratio_result.hpp"
#include "src/api/sampling_forecast.hpp"
#include "src/distributed/shared_ranges.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/ratio_apart.hpp"
#include "src/matchings/ratio_journal.hpp"
#include "src/matchings/ratio_piece.hpp"
#include "src/matchings/union_graph.hpp"

namespace countpm {

/// All that is given outlives it.
class RatioRun {
 public:
  RatioRun(const EstimateOptions& options, const CountOptions& count_options, Monitor& monitor,
           RatioJournal& journal, RatioResult& result)
      : options_(options),
        count_options_(count_options),
        monitor_(monitor),
        journal_(journal),
        result_(result) {}

  /// Makes the samplers, takes up what an earlier session drew, and draws the first samples of every piece.
  /// Returns whether they reach the goal.
  bool begin(UnionGraph all);
  /// After begin().
  RatioTrial trial() const;
  std::string sampler() const { return pieces_.empty() ? std::string() : pieces_.front().name(); }
  /// After begin(): all the others, together with other ranks where there is a channel.
  void run(Channel* channel);
  /// Another rank's part.
  void follow(UnionGraph all, Channel& channel);
  /// After begin(): what the first samples of every piece, and some more, foretell.
  void foretell(SamplingForecast& forecast);

 private:
  void prepare(UnionGraph all);
  void take_up();
  void check_again() const;
  void keep();
  RangePlan plan() const;
  RatioGoal goal_of_piece() const;
  double error() const;
  void sample();
  double wanted_samples() const;
  double goal_error() const;
  bool trusted() const;
  SecondOpinion second() const;
  void report();

  const EstimateOptions& options_;
  const CountOptions& count_options_;
  Monitor& monitor_;
  RatioJournal& journal_;
  RatioResult& result_;
  std::optional<PassInput> input_;
  std::vector<RatioPiece> pieces_;
  std::vector<std::unique_ptr<RatioLedger>> ledgers_;  // until a new journal begins
  std::optional<SharedRanges> shared_;
  double known_ = 0;  // ln of what no sample is needed for
};

}  // namespace countpm
