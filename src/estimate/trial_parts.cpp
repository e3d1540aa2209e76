#include "src/estimate/trial_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "src/run/scheduler.hpp"
#include "src/units/in_order.hpp"

namespace countpm {
namespace {

constexpr double more_than_expected = 1.125;
// A record has all trials with hits: written again once there are so many more of them, or after a while.
constexpr double record_growth = 1.0 / 32;
constexpr double record_seconds = 1;
constexpr std::uint64_t trials_at_once = 4096;
// Some 50 MB of text.
constexpr std::uint64_t most_trials_with_hits = std::uint64_t{1} << 22U;
constexpr double trial_share_seconds = 0.05;

/// Of one block, from the first that is missing to the part's last.
class PartOfTrials : public Work {
 public:
  PartOfTrials(const GuaranteedBlock& block, const TrialShare& share, SampleLedger& ledger,
               std::size_t number, std::size_t blocks, Monitor& monitor)
      : block_(block),
        share_(share),
        ledger_(ledger),
        number_(number),
        blocks_(blocks),
        monitor_(monitor),
        drawn_(ledger.get()),
        in_order_(drawn_.moments.samples) {
    drawn_.goal = share.range.size();
    drawn_.share_bits = share.share_bits;
    if (!drawn_.trials) drawn_.trials.emplace();
  }

  void draw(int threads) {
    Scheduler scheduler(*this, 0, threads, monitor_.stop_signal());
    if (drawn_.moments.samples < share_.range.size())
      scheduler.put(0, {drawn_.moments.samples, share_.range.size()});
    scheduler.run();
    ledger_.put(drawn_);
    monitor_.throw_if_stopped();
  }

 private:
  Pace on_cpu(std::size_t) const override {
    Pace pace;
    pace.seconds = trial_share_seconds;
    return pace;
  }

  void run(std::size_t, const UnitRange& range) override {
    const double start = seconds_now();
    std::vector<TrialHits> hits = block_.trials.hits(share_.range.first + range.first, range.size(),
                                                     share_.share_bits, monitor_.stop_signal());
    for (TrialHits& trial : hits) trial.trial -= share_.range.first;
    const double now = seconds_now();
    const std::lock_guard lock(mutex_);
    drawn_.seconds += now - start;
    in_order_.add(range, std::move(hits), [this](const UnitRange& next, const std::vector<TrialHits>& found) {
      drawn_.moments.samples += next.size();
      drawn_.moments.nonzero += found.size();
      drawn_.trials->insert(drawn_.trials->end(), found.begin(), found.end());
    });
    if (drawn_.trials->size() > most_trials_with_hits)
      throw UnableError(fmt::format("more than {} trials of this part have hits", most_trials_with_hits),
                        "more --parts, or a larger EPS");
    monitor_.finish(now - start);
    monitor_.describe(fmt::format("rejection, {} of {} trials", drawn_.moments.samples, share_.range.size()),
                      number_, blocks_);
    const auto written = static_cast<double>(written_);
    if (now - written_at_ < record_seconds && drawn_.trials->size() < trials_at_once) return;
    if (drawn_.trials->size() >= trials_at_once &&
        static_cast<double>(drawn_.trials->size()) < (1 + record_growth) * written)
      return;
    written_ = drawn_.trials->size();
    written_at_ = now;
    ledger_.put(drawn_);
  }
  void stop_others() override { monitor_.request_stop(); }

  const GuaranteedBlock& block_;
  const TrialShare& share_;
  SampleLedger& ledger_;
  std::size_t number_;
  std::size_t blocks_;
  Monitor& monitor_;
  std::mutex mutex_;
  DrawnSamples drawn_;
  InOrder<std::vector<TrialHits>> in_order_;
  std::uint64_t written_ = 0;  // trials of the last record
  double written_at_ = 0;
};

}  // namespace

UnitRange share_of_part(std::uint64_t samples, std::uint64_t number, std::uint64_t parts) {
  const auto before = [&](std::uint64_t k) { return samples / parts * k + std::min(k, samples % parts); };
  return {before(number), before(number + 1)};
}

TrialsAhead trials_ahead(const std::vector<AnyBlock>& hard, const GuaranteeGoal& goal, std::uint64_t seed,
                         Monitor& monitor) {
  std::vector<GuaranteedBlock> blocks = guaranteed_blocks(hard, seed, 1, monitor);
  TrialMeans means;
  plan_guarantee(blocks, goal, means, std::numeric_limits<double>::infinity(), monitor);
  TrialsAhead all;
  for (const GuaranteedBlock& block : blocks) {
    const double trials = std::ceil(more_than_expected * block.rule.expected_trials());
    if (!(trials < static_cast<double>(most_samples_of_a_series)))
      throw UnableError(fmt::format("a block would take {:.2g} trials", trials), "a larger EPS");
    all.of_blocks.push_back({{0, static_cast<std::uint64_t>(trials)}, block.rule.share_bits()});
    all.trials += all.of_blocks.back().range.size();
    all.predicted_seconds += trials * block.trial_seconds;
  }
  return all;
}

std::vector<TrialShare> trials_of_part(const TrialsAhead& all, std::uint64_t number, std::uint64_t parts) {
  std::vector<TrialShare> shares = all.of_blocks;
  for (TrialShare& share : shares) share.range = share_of_part(share.range.last, number, parts);
  return shares;
}

void draw_trials_of_part(const std::vector<GuaranteedBlock>& blocks, const JournalPart& part,
                         Checkpoint& checkpoint, int threads, Monitor& monitor) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    PartOfTrials(blocks[b], part.trials[b], checkpoint.sample_ledger(b), b + 1, blocks.size(), monitor)
        .draw(threads);
  }
}

}  // namespace countpm
