#include "src/matchings/ratio_journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/sampling/block_key.hpp"

namespace countpm {
namespace {

/// What a ratio is to reach, exactly.
std::string kept_goal(const EstimateOptions& options) {
  if (options.samples > 0) return fmt::format("{} samples of a ratio", options.samples);
  if (options.ln_error)
    return fmt::format("a standard error of {} in ln of a ratio with confidence {}", *options.ln_error,
                       options.confidence);
  return fmt::format("a relative error of {} of a ratio with confidence {}", options.relative_error,
                     options.confidence);
}

std::string way_text(RatioWay way) {
  return way == RatioWay::counted    ? "sums that are counted"
         : way == RatioWay::together ? "samples of both sums"
                                     : "samples of each sum";
}

std::string question_text(const std::string& integral) {
  return integral.empty() ? "a ratio of two inputs" : "an integral over " + integral;
}

void expect_same(const std::string& file, const std::string& expected, const std::string& found) {
  if (expected != found)
    throw InputError(file, 2, "the checkpoint of " + expected, "that of " + quoted(found, 400));
}

}  // namespace

double error_wanted(const EstimateOptions& options) {
  if (options.ln_error) return *options.ln_error;
  return std::log1p(options.relative_error) / two_sided_quantile(options.confidence);
}

std::string ratio_goal_text(const EstimateOptions& options) {
  return options.samples > 0
             ? fmt::format("{} samples", options.samples)
             : fmt::format("a standard error of {:.2g} in ln of the ratio", error_wanted(options));
}

RatioJournal::RatioJournal(Checkpoint& checkpoint, const InputInfo& a, const InputInfo& b,
                           const CountOptions& options, const EstimateOptions& estimate_options,
                           const std::string& integral)
    : checkpoint_(&checkpoint),
      header_(journal_header(a, {}, {}, options)),
      file_(options.checkpoint.name()),
      notice_(options.checkpoint.notice) {
  header_.estimate = {options.seed, kept_goal(estimate_options), random_rule};
  header_.ratio.emplace();
  header_.ratio->other = input_argument(b);
  header_.ratio->sha256 = b.sha256;
  header_.ratio->integral = integral;
  if (checkpoint.journal() == nullptr) return;
  check_same_input(checkpoint, a, options);
  check_same_other_input(checkpoint, b, options);
  expect_same(file_, question_text(integral), question_text(checkpoint.journal()->header.ratio->integral));
  const JournalEstimate& before = checkpoint.journal()->header.estimate.value();
  expect_same(file_, header_.estimate->goal, before.goal);
  expect_same(file_, fmt::format("seed {}", options.seed), fmt::format("seed {}", before.seed));
  expect_same(file_, fmt::format("random numbers by rule {}", random_rule),
              fmt::format("random numbers by rule {}", before.rule));
}

std::optional<RatioWay> RatioJournal::way() const {
  if (checkpoint_ == nullptr || checkpoint_->journal() == nullptr) return std::nullopt;
  return checkpoint_->journal()->header.ratio->way;
}

double RatioJournal::seconds_before() const {
  return way() ? checkpoint_->journal()->progress.elapsed_seconds : 0;
}

void RatioJournal::begin(JournalRatio how) {
  if (checkpoint_ == nullptr) return;
  if (way()) {
    const JournalRatio& before = *checkpoint_->journal()->header.ratio;
    expect_same(file_, way_text(how.way), way_text(before.way));
    const auto named = [](const JournalRatio& ratio) {
      std::string text = fmt::format("{} pieces", ratio.pieces.size());
      for (const JournalSampling& piece : ratio.pieces)
        text += fmt::format(", {} ({} rows, {} entries) by {}", piece.fingerprint, piece.rows, piece.entries,
                            piece.sampler);
      return text;
    };
    expect_same(file_, named(how), named(before));
  }
  header_.ratio->way = how.way;
  header_.ratio->pieces = std::move(how.pieces);
  header_.ratio->trial_variance = how.trial_variance;
  header_.ratio->trial_trusted = how.trial_trusted;
  header_.ratio->sampler = std::move(how.sampler);
  checkpoint_->begin(header_, [begin = seconds_now()] {
    JournalProgress progress;
    progress.elapsed_seconds = seconds_now() - begin;
    return progress;
  });
  begun_ = true;
}

JournalRatio RatioJournal::apart(const ApartGoal& goal) {
  JournalRatio how;
  how.way = RatioWay::apart;
  how.trial_variance = std::min(goal.trial.variance, std::numeric_limits<double>::max());
  how.trial_trusted = goal.trial.trusted;
  if (goal.kind) how.sampler = sampler_info(*goal.kind).name;
  return how;
}

ApartGoal RatioJournal::goal_apart(const EstimateOptions& options) const {
  const JournalRatio& before = *checkpoint_->journal()->header.ratio;
  ApartGoal goal{error_wanted(options), ratio_goal_text(options), {}, {}};
  goal.trial = {before.trial_variance, before.trial_trusted};
  if (!before.sampler.empty()) goal.kind = sampler_named(before.sampler);
  return goal;
}

void RatioJournal::check(const std::function<void()>& work) const {
  try {
    work();
  } catch (const CheckError& error) {
    throw InputError(file_, 0, "samples of this ratio", error.what());
  }
}

void RatioJournal::end(RatioResult& result) {
  if (checkpoint_ == nullptr) return;
  if (result.exact) {
    checkpoint_->finish(result.exact->get_str());
  } else if (result.goal_missed.empty()) {
    checkpoint_->finish_estimate();
  } else {
    const std::string holds = checkpoint_->close();
    if (notice_) notice_(holds);
  }
  if (std::string trouble = checkpoint_->trouble(); !trouble.empty())
    result.notes.push_back(std::move(trouble));
}

}  // namespace countpm
