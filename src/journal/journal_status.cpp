// What a journal says of itself, for `countpm status`.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/estimate/samples/interval.hpp"
#include "src/api/entries.hpp"
#include "src/journal/checkpoint.hpp"
#include "src/journal/journal.hpp"
#include "src/journal/journal_file.hpp"

namespace countpm {
namespace {

JournalSamplingStatus sampling_status(const JournalSampling& sampling, const DrawnSamples& drawn) {
  JournalSamplingStatus status;
  status.rows = sampling.rows;
  status.entries = sampling.entries;
  status.sampler = sampling.sampler;
  status.samples = drawn.moments.samples;
  status.nonzero = drawn.moments.nonzero;
  status.goal = drawn.goal;
  status.log10 = -std::numeric_limits<double>::infinity();
  status.relative_error = std::numeric_limits<double>::infinity();
  if (drawn.moments.sum.is_zero()) return status;
  const SampledMean mean = sampled_mean(drawn.moments);
  status.log10 = mean.log_mean / std::log(10.0);
  if (mean.doubt.empty()) status.relative_error = std::sqrt(mean.variance);
  return status;
}

/// Of samples of both sums at a time.
JournalSamplingStatus piece_status(const JournalSampling& piece, const std::vector<RatioRecord>& records,
                                   std::size_t number) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  JournalSamplingStatus status;
  status.rows = piece.rows;
  status.entries = piece.entries;
  status.sampler = piece.sampler;
  double largest_a = none;
  double largest_b = none;
  for (const RatioRecord& record : records) {
    if (record.piece != number) continue;
    for (const RatioSample& sample : record.samples) {
      ++status.samples;
      status.nonzero += std::isfinite(sample.log) ? 1 : 0;
      largest_a = std::max(largest_a, sample.log_a);
      largest_b = std::max(largest_b, sample.log_b);
    }
  }
  status.log10 = none;
  status.relative_error = std::numeric_limits<double>::infinity();
  if (std::isinf(largest_a) || std::isinf(largest_b)) return status;
  double a = 0;
  double b = 0;
  double aa = 0;
  double ab = 0;
  double bb = 0;
  for (const RatioRecord& record : records) {
    if (record.piece != number) continue;
    for (const RatioSample& sample : record.samples) {
      const double x = std::exp(sample.log_a - largest_a);
      const double y = std::exp(sample.log_b - largest_b);
      a += x, b += y, aa += x * x, ab += x * y, bb += y * y;
    }
  }
  status.log10 = (std::log(a / b) + largest_a - largest_b) / std::log(10.0);
  if (status.samples > 1)
    status.relative_error = std::sqrt(std::max(aa / (a * a) - 2 * ab / (a * b) + bb / (b * b), 0.0));
  return status;
}

/// The samples of a ratio: of its pieces, or of the estimates of both sums that went furthest.
std::vector<JournalSamplingStatus> ratio_status(const Journal& journal) {
  std::vector<JournalSamplingStatus> all;
  const std::vector<JournalSampling>& pieces = journal.header.ratio->pieces;
  for (std::size_t k = 0; k < pieces.size(); ++k)
    all.push_back(piece_status(pieces[k], journal.ratio_records, k));
  for (std::size_t k = 0; k < journal.sums.size(); ++k) {
    const Journal& sum = journal.sums[k];
    const std::size_t next = k + Checkpoint::sums_a_round;
    if (!sum.header.estimate || (next < journal.sums.size() && journal.sums[next].header.estimate)) continue;
    const std::vector<const JournalSampling*> samplings = sum.header.samplings();
    for (std::size_t s = 0; s < samplings.size(); ++s)
      all.push_back(sampling_status(*samplings[s], sum.drawn[s]));
  }
  return all;
}

}  // namespace

JournalStatus journal_status(const std::string& file) {
  const Journal journal = read_journal(file);
  JournalStatus status;
  status.version = journal.header.version;
  status.input = journal.header.input;
  status.sha256 = journal.header.sha256;
  status.options = journal.header.options;
  std::size_t counted = 0;
  for (const JournalBlock& block : journal.header.blocks) counted += block.tasks.size();
  for (const JournalTask* task : journal.header.tasks()) {
    JournalTaskStatus& last = status.tasks.emplace_back();
    last.rows = task->rows;
    last.entries = task->entries;
    last.method = task->method;
    last.arithmetic = task->points.empty() ? task->arithmetic.name() : name_of(task->points);
    last.units = journal.header.units_of(status.tasks.size() - 1, *task);
    last.predicted_seconds = task->predicted_seconds;
    last.double_check = status.tasks.size() > counted;
  }
  for (const JournalRecord& record : journal.records)
    status.tasks[record.task].units_done += record.finished.range.size();
  const std::vector<const JournalSampling*> samplings = journal.header.samplings();
  for (std::size_t k = 0; k < samplings.size(); ++k)
    status.samplings.push_back(sampling_status(*samplings[k], journal.drawn[k]));
  if (const auto& ratio = journal.header.ratio) {
    if (ratio->integral.empty()) status.ratio_to = ratio->other;
    status.samplings = ratio_status(journal);
  }
  if (journal.header.estimate) status.estimate = journal.header.estimate->goal;
  status.estimated = journal.progress.estimated;
  if (journal.header.part) {
    status.part = journal.header.part->number;
    status.parts = journal.header.part->of;
  }
  status.done = journal.done_share();
  status.elapsed_seconds = journal.progress.elapsed_seconds;
  status.remaining_seconds = journal.progress.remaining_seconds;
  status.remaining_low = journal.progress.remaining_low;
  status.remaining_high = journal.progress.remaining_high;
  status.lost_ranks = journal.progress.lost_ranks;
  status.count = journal.progress.count;
  status.bytes = journal.bytes;
  status.damaged_lines = journal.damaged_lines + journal.repeated_lines;
  status.in_use = journal_in_use(file);
  return status;
}

}  // namespace countpm
