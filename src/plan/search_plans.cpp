#include "src/plan/search_plans.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>

#include "src/plan/side_by_side.hpp"

namespace countpm {
namespace {

constexpr double share_of_count = 0.2;
constexpr double share_of_planning = 0.3;  // with all that was set up and measured before
// The first rounds find most, and are made even where all that came before took too long: on 16 cores a count
// of 0.2 s was planned at 1.2, as setting up and measuring had taken 0.36 (polbooks, 2026-11-27).
constexpr double share_of_first_rounds = 0.12;
constexpr double share_of_limit = 0.1;
// Below this many predicted seconds a search costs more than it could save.
constexpr double worth_searching_seconds = 0.03;
constexpr double first_share = 0.04;  // the first slices: of the best prediction, and at most
constexpr double first_seconds = 0.25;
constexpr double least_seconds = 0.002;
constexpr double growth = 2;
// Annealing stands still for a while now and then.
constexpr int patient_rounds = 3;
constexpr double least_gain = 0.004;  // log10, 1 %
// A job that is behind the best is hoped to gain, with every doubling of its time, this share of what it
// gained by the doubling before; to begin with, of its better one of the last two slices. Without a slice yet
// it is hoped to gain as much as stands below (log10).
constexpr double lasting_gain = 0.6;
constexpr double log10_first_hope = 10;
// Beyond the time limit: the least that is searched before hope is measured. The farther beyond (log10), the
// less, but for what large blocks need for their first orders.
struct Patience {
  double log10_gap;
  double seconds;
};
constexpr std::array<Patience, 3> patience_beyond{{{12, 0.5}, {6, 1}, {0, 3}}};
constexpr double patient_seconds_an_entry = 4e-5;
// Of a block beyond the time limit: what the best prediction is hoped to gain with every doubling of the time
// searched, in units of what the last doubling gained.
constexpr double optimism = 1.5;
// Without a limit: four months.
constexpr double longest_seconds = 1e7;

struct Searcher {
  Job* job;
  Candidate* candidate;  // whose job it is
  double gain = 0;       // log10, of the last slice and the one before
  double gain_before = 0;
  double searched = 0;
  int idle_slices = 0;
};

/// What a searcher does in a round.
struct Slice {
  Searcher* searcher;
  double before = 0;  // log10 of its prospect
  std::exception_ptr failure;
};

class Search {
 public:
  Search(std::vector<Candidate>& candidates, const SearchContext& context)
      : candidates_(candidates),
        context_(context),
        start_(context.clock()),
        seconds_left_(std::min(context.seconds_left, longest_seconds)) {
    find_searchers();
  }

  double run() {
    if (searchers_.empty()) return 0;
    double slice = std::clamp(first_share * work_seconds(), least_seconds, first_seconds);
    history_.push_back({0, log10_best(), log10_best_prospect()});
    while (worth_going_on()) {
      const bool any = run_round(slice);
      history_.push_back({spent(), log10_best(), log10_best_prospect()});
      if (!any) break;
      if (context_.join && context_.join(spent())) find_searchers();
      slice *= growth;
    }
    return spent();
  }

 private:
  struct Moment {
    double spent;
    double log10_best;
    double log10_prospect;
  };

  /// Those that search already keep what is known of them; candidates may have moved.
  void find_searchers() {
    for (Candidate& candidate : candidates_) {
      if (!candidate.job) continue;
      const auto known = std::find_if(searchers_.begin(), searchers_.end(), [&](const Searcher& searcher) {
        return searcher.job == candidate.job.get();
      });
      if (known != searchers_.end()) {
        known->candidate = &candidate;
      } else if (candidate.job->improvable()) {
        searchers_.push_back({candidate.job.get(), &candidate});
      }
    }
  }

  double spent() const { return context_.clock() - start_; }
  /// Of the jobs that could still be chosen: infinity where none can.
  double log10_best() const {
    double best = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : candidates_) {
      if (candidate.can()) best = std::min(best, candidate.log10_seconds);
    }
    return best;
  }
  /// Seconds and memory in one figure: beyond the limit of memory by so much, the seconds count as many
  /// times.
  static double log10_prospect(const Candidate& candidate) {
    return candidate.fits ? candidate.log10_seconds : candidate.log10_seconds + candidate.log10_too_large;
  }
  double log10_best_prospect() const {
    double best = log10_best();
    for (const Searcher& searcher : searchers_) best = std::min(best, log10_prospect(*searcher.candidate));
    return best;
  }
  /// By how much the nearest candidate misses the limits of time and memory.
  double log10_gap(double log10_seconds_left) const {
    double gap = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : candidates_) {
      if (!candidate.job) continue;
      const double late = candidate.log10_seconds - log10_seconds_left;
      const double large = log10_prospect(candidate) - candidate.log10_seconds;
      gap = std::min(gap, candidate.fits ? late : std::max(late, 0.0) + large);
    }
    return gap;
  }
  double seconds_of_best() const { return std::pow(10, std::min(log10_best(), 300.0)); }
  /// Of these, what another plan could save.
  double work_seconds() const {
    double start = 0;
    double best = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : candidates_) {
      if (!candidate.can() || !(candidate.log10_seconds < best)) continue;
      best = candidate.log10_seconds;
      start = candidate.start_seconds;
    }
    return std::max(seconds_of_best() - start, 0.0);
  }
  bool beyond_limit() const { return seconds_of_best() > seconds_left_ - spent(); }
  double budget() const {
    if (beyond_limit()) return share_of_limit * seconds_left_;
    const double work = work_seconds();
    const double left = share_of_planning * work - context_.planned_seconds;
    return std::min(share_of_count * work, std::max(left, share_of_first_rounds * work));
  }

  bool hopeful(const Searcher& searcher) const {
    if (!searcher.candidate->job->improvable() || searcher.idle_slices >= patient_rounds) return false;
    const double gap = log10_prospect(*searcher.candidate) - log10_best_prospect();
    if (searcher.searched == 0) return !(gap > log10_first_hope);
    const double left = budget() - spent();
    const double doublings = std::log2(1 + left / searcher.searched);
    const double gains = lasting_gain * (1 - std::pow(lasting_gain, doublings)) / (1 - lasting_gain);
    return !(gap > std::max(searcher.gain, searcher.gain_before) * gains);
  }

  /// A slice for everyone who is hopeful, side by side on as many threads as there are. False: for nobody.
  bool run_round(double slice) {
    std::vector<Slice> slices;
    for (Searcher& searcher : searchers_) {
      if (hopeful(searcher)) slices.push_back({&searcher, 0, nullptr});
    }
    const auto threads = static_cast<std::size_t>(std::max(context_.resources->threads, 1));
    bool any = false;
    for (std::size_t first = 0; first < slices.size(); first += threads) {
      const double seconds = std::min(slice, budget() - spent());
      if (seconds < least_seconds) break;
      any = true;
      improve(slices.data() + first, std::min(threads, slices.size() - first), seconds);
    }
    return any;
  }

  void improve(Slice* slices, std::size_t count, double seconds) {
    const auto run = [&](Slice& slice) {
      const StopScope scope(context_.stop);
      try {
        slice.searcher->candidate->job->improve(seconds, *context_.stop);
      } catch (...) {
        slice.failure = std::current_exception();
      }
    };
    for (std::size_t k = 0; k < count; ++k) {
      slices[k].before = log10_prospect(*slices[k].searcher->candidate);
      if (context_.before_slice) context_.before_slice(*slices[k].searcher->candidate, seconds, budget());
    }
    do_side_by_side(count, count, [&](std::size_t k) { run(slices[k]); });
    for (std::size_t k = 0; k < count; ++k) {
      if (slices[k].failure) std::rethrow_exception(slices[k].failure);
    }
    context_.stop->check();
    for (std::size_t k = 0; k < count; ++k) book(*slices[k].searcher, slices[k].before, seconds);
  }

  void book(Searcher& searcher, double before, double slice) {
    searcher.candidate->predict(*context_.resources);
    searcher.searched += slice;
    searcher.gain_before = searcher.gain;
    searcher.gain = before - log10_prospect(*searcher.candidate);
    // Of the best prediction, so that what is far behind does not count the seconds it saves there.
    const bool any_can = std::isfinite(log10_best());
    const double saved = any_can ? seconds_of_best() * (1 - std::pow(10, -searcher.gain)) : 0;
    searcher.idle_slices = searcher.gain < least_gain && saved < slice ? searcher.idle_slices + 1 : 0;
  }

  bool worth_going_on() const {
    if (spent() >= budget()) return false;
    if (beyond_limit()) return may_come_within_limit();
    return work_seconds() > worth_searching_seconds && pays();
  }

  /// Whether one of the last rounds has saved more seconds than it took.
  bool pays() const {
    const std::size_t rounds = history_.size() - 1;
    if (rounds < static_cast<std::size_t>(patient_rounds)) return true;
    for (std::size_t k = rounds - patient_rounds + 1; k <= rounds; ++k) {
      const double saved = std::pow(10, std::min(history_[k - 1].log10_best, 300.0)) -
                           std::pow(10, std::min(history_[k].log10_best, 300.0));
      if (saved > history_[k].spent - history_[k - 1].spent) return true;
    }
    return false;
  }

  double least_beyond_seconds(double log10_gap) const {
    const auto* const patience = std::find_if(patience_beyond.begin(), patience_beyond.end() - 1,
                                              [&](const Patience& one) { return log10_gap > one.log10_gap; });
    const double large = std::min(patient_seconds_an_entry * context_.entries, patience_beyond[1].seconds);
    return std::min(std::max(patience->seconds, large), budget());
  }

  /// What the last doubling of the time spent has gained, as often as it can be doubled within the budget.
  bool may_come_within_limit() const {
    const double now = spent();
    const double gap = log10_gap(std::log10(std::max(seconds_left_ - now, 1e-9)));
    if (now < least_beyond_seconds(gap)) return true;
    double before = history_.front().log10_prospect;
    for (const Moment& moment : history_) {
      if (moment.spent <= now / 2) before = moment.log10_prospect;
    }
    const double gain = before - log10_best_prospect();
    return optimism * gain * std::log2(budget() / now) >= gap;
  }

  std::vector<Candidate>& candidates_;
  const SearchContext& context_;
  double start_;
  double seconds_left_;
  std::vector<Searcher> searchers_;
  std::vector<Moment> history_;
};

}  // namespace

double search_plans(std::vector<Candidate>& candidates, const SearchContext& context) {
  return Search(candidates, context).run();
}

}  // namespace countpm
