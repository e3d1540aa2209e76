// What a journal says of itself, for `countpm status`.
#include <cmath>
#include <limits>

#include "kernels/estimate/samples/interval.hpp"
#include "src/api/entries.hpp"
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
