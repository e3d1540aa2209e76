// What a journal says of itself, for `countpm status`.
#include "src/countpm.hpp"
#include "src/journal/journal.hpp"
#include "src/journal/journal_file.hpp"

namespace countpm {

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
    last.arithmetic = task->arithmetic.name();
    last.units = journal.header.units_of(status.tasks.size() - 1, *task);
    last.predicted_seconds = task->predicted_seconds;
    last.double_check = status.tasks.size() > counted;
  }
  for (const JournalRecord& record : journal.records)
    status.tasks[record.task].units_done += record.finished.range.size();
  if (journal.header.part) {
    status.part = journal.header.part->number;
    status.parts = journal.header.part->of;
  }
  status.done = journal.done_share();
  status.elapsed_seconds = journal.progress.elapsed_seconds;
  status.remaining_seconds = journal.progress.remaining_seconds;
  status.remaining_low = journal.progress.remaining_low;
  status.remaining_high = journal.progress.remaining_high;
  status.count = journal.progress.count;
  status.bytes = journal.bytes;
  status.damaged_lines = journal.damaged_lines + journal.repeated_lines;
  status.in_use = journal_in_use(file);
  return status;
}

}  // namespace countpm
