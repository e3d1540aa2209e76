#include "src/journal/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <random>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "graph/look_out.hpp"
#include "src/api/entries.hpp"
#include "src/machine/startable_threads.hpp"

namespace countpm {
namespace {

constexpr auto write_period = std::chrono::milliseconds(20);
constexpr double sync_seconds = 1;
// A record of samples has all of them: a few kilobytes each time.
constexpr double samples_seconds = 0.25;
// The file is written anew, with its ranges merged, once it has grown to twice its size and by this much.
constexpr std::uint64_t least_rewrite_growth = std::uint64_t{1} << 18;
constexpr double first_retry_seconds = 1;
constexpr double longest_retry_seconds = 30;

/// Whether nothing is left to be counted or drawn, nor to be mended in the file.
bool is_done(const Journal& journal) {
  if (journal.damaged_lines + journal.repeated_lines > 0 || journal.units_done() < journal.units())
    return false;
  const bool part_of_count = journal.header.part && !journal.header.estimate;
  return part_of_count || !journal.progress.count.empty() || journal.progress.estimated;
}

}  // namespace

std::string random_journal_id() {
  std::random_device random;
  std::string id;
  for (int k = 0; k < 4; ++k) id += fmt::format("{:08x}", random());
  return id;
}

Checkpoint::Checkpoint(std::string path, Notice notice)
    : file_(std::move(path)), asked_for_(file_.path()), notice_(std::move(notice)) {
  file_.check_free();
  remove_unfinished_journals(folder_of(file_.path()));
  file_.check_new();
}

std::unique_ptr<Checkpoint> Checkpoint::resume(std::string path, Notice notice) {
  return std::unique_ptr<Checkpoint>(new Checkpoint(std::move(path), std::move(notice), Existing()));
}

Checkpoint::Checkpoint(std::string path, Notice notice, Existing)
    : file_(std::move(path)), asked_for_(file_.path()), notice_(std::move(notice)), fresh_(false) {
  file_.open_existing();
  journal_ = parse_journal(file_.text(), file_.path());
  if (is_done(*journal_)) {
    only_read_ = true;
    file_.close();
    return;
  }
  if (!file_.obstacle().empty())
    throw InputError(file_.path(), 0, "a checkpoint that can be read and written", file_.obstacle());
  remove_unfinished_journals(folder_of(file_.path()));
  if (journal_->damaged_lines + journal_->repeated_lines > 0) {
    notice_(
        fmt::format("the checkpoint {} is damaged: {} of its lines are left out, and their units are counted "
                    "again",
                    quoted(file_.path(), 400), journal_->damaged_lines + journal_->repeated_lines));
  }
}

std::unique_ptr<Checkpoint> Checkpoint::joined(Journal journal, std::string path, Notice notice) {
  return std::unique_ptr<Checkpoint>(new Checkpoint(std::move(journal), std::move(path), std::move(notice)));
}

std::unique_ptr<Checkpoint> Checkpoint::in_memory() {
  auto checkpoint = joined({}, {}, [](const std::string&) {});
  checkpoint->journal_.reset();
  return checkpoint;
}

Checkpoint::Checkpoint(Journal journal, std::string path, Notice notice)
    : file_(std::move(path)),
      asked_for_(file_.path()),
      notice_(std::move(notice)),
      journal_(std::move(journal)) {
  if (!file_.path().empty()) {
    file_.check_free();
    remove_unfinished_journals(folder_of(file_.path()));
    file_.check_new();
  }
  journal_->header.id = random_journal_id();
}

Checkpoint::~Checkpoint() {
  if (begun()) close();
}

Checkpoint& Checkpoint::sum(std::size_t number, std::optional<Journal> before) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Checkpoint>& sum = sums_[number];
  if (!sum) {
    sum = in_memory();
    const bool kept = journal_ && number < journal_->sums.size() && journal_->sums[number].header.estimate;
    sum->journal_ = kept ? std::move(journal_->sums[number]) : std::exchange(before, std::nullopt);
  }
  if (before && sum->ready_) sum->take_longer(*before);
  return *sum;
}

/// Samples of the same blocks, where there are more.
void Checkpoint::take_longer(const Journal& before) {
  const std::vector<const JournalSampling*> own = header_.samplings();
  const std::vector<const JournalSampling*> others = before.header.samplings();
  for (std::size_t k = 0; k < own.size() && k < others.size(); ++k) {
    if (own[k]->fingerprint == others[k]->fingerprint && own[k]->sampler == others[k]->sampler &&
        sample_ledgers_[k]->get().moments.samples < before.drawn[k].moments.samples)
      sample_ledgers_[k]->put(before.drawn[k]);
  }
}

Journal Checkpoint::state() const {
  Journal journal;
  journal.header = header_;
  for (const std::unique_ptr<SampleLedger>& ledger : sample_ledgers_) journal.drawn.push_back(ledger->get());
  journal.stretches.resize(journal.drawn.size());
  return journal;
}

void Checkpoint::begin(JournalHeader header, Now now) {
  if (ready_) return;
  now_ = std::move(now);
  if (journal_) {
    header_ = journal_->header;
    elapsed_before_ = journal_->progress.elapsed_seconds;
    lost_before_ = journal_->progress.lost_ranks;
    count_ = journal_->progress.count;
    estimated_ = journal_->progress.estimated;
  } else {
    header_ = std::move(header);
    header_.version = version();
    header_.id = random_journal_id();
  }
  const std::vector<const JournalTask*> tasks = header_.tasks();
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    ledgers_.push_back(
        std::make_unique<Ledger>(tasks[k]->units, tasks[k]->arithmetic, header_.share_of(k, *tasks[k])));
  }
  if (journal_) {
    for (const JournalRecord& record : journal_->records) ledgers_[record.task]->add(record.finished);
  }
  for (std::size_t k = 0; k < header_.samplings().size(); ++k) {
    sample_ledgers_.push_back(std::make_unique<SampleLedger>());
    if (journal_) sample_ledgers_.back()->put(journal_->drawn[k]);
  }
  for (std::size_t k = 0; header_.ratio && k < header_.ratio->pieces.size(); ++k)
    ratio_ledgers_.push_back(std::make_unique<RatioLedger>());
  if (journal_) {
    for (const RatioRecord& record : journal_->ratio_records)
      ratio_ledgers_[record.piece]->put(record.chunk, record.samples);
    // What no session comes to is kept, too.
    for (std::size_t k = 0; k < journal_->sums.size(); ++k) {
      if (journal_->sums[k].header.estimate) sum(k, std::nullopt).begin({}, {});
    }
  }
  ready_ = true;
  if (file_.path().empty()) return;
  if (only_read_) {
    last_words_ = status_text();
    return;
  }
  if constexpr (one_thread)
    throw UnableError("this build of countpm writes no checkpoints: it has one thread alone",
                      "countpm as installed on a machine writes them");
  try {
    rewrite(fresh_);
  } catch (const JournalFileError& error) {
    throw UnableError(fmt::format("the checkpoint cannot be written: {}", quoted(error.what(), 400)),
                      "try another place for --checkpoint, or make room on its disk");
  }
  writer_ = start_thread([this] { write_loop(); });
}

void Checkpoint::write_loop() {
  std::unique_lock lock(mutex_);
  for (bool last = false; !last;) {
    wake_.wait_for(lock, write_period, [this] { return closing_; });
    last = closing_;
    lock.unlock();
    const bool failed_before = !failure_.empty();
    step(last);
    // The last time there is: what another file stood in the way of can be written beside it.
    if (last && !failed_before && !failure_.empty()) step(last);
    lock.lock();
  }
}

/// One turn of the writer.
void Checkpoint::step(bool last) {
  const double now = seconds_now();
  const bool failed_before = !failure_.empty();
  if (failed_before && now < retry_at_ && !last) return;
  try {
    const std::string path_before = file_.path();
    if (failed_before || file_.size() > 2 * rewritten_size_ + least_rewrite_growth) {
      rewrite(false);
    } else {
      const bool samples = last || now - samples_at_ >= samples_seconds;
      write_new(samples);
      if (samples) samples_at_ = now;
      if (last || (unsynced_ && now - synced_at_ >= sync_seconds)) {
        file_.append(progress_text());
        file_.sync();
        unsynced_ = false;
        synced_at_ = now;
      }
    }
    if (failed_before) {
      notice_(file_.path() == path_before
                  ? fmt::format("the checkpoint {} is written again", quoted(file_.path(), 400))
                  : fmt::format("{} is left alone, and the checkpoint goes on as {}",
                                quoted(path_before, 400), quoted(file_.path(), 400)));
    }
    failure_.clear();
    retry_wait_ = 0;
  } catch (const std::exception& error) {
    note_failure(error, now);
  }
}

/// On a thread that nothing may leave: where no memory is left for the message, either, it is not told.
void Checkpoint::note_failure(const std::exception& error, double now) {
  const bool first = failure_.empty();
  failure_ = "no memory";  // no longer than a string is without any
  retry_wait_ = retry_wait_ == 0 ? first_retry_seconds : std::min(2 * retry_wait_, longest_retry_seconds);
  retry_at_ = now + retry_wait_;
  try {
    failure_ = error.what();
    if (!first) return;
    notice_(fmt::format("{}; counting goes on, and so do attempts to write the checkpoint",
                        quoted(failure_, 400)));
  } catch (const std::bad_alloc&) {
    // Then without.
  }
}

/// What is not in the file yet, each record by line_of; all: what is, too.
std::string Checkpoint::records(bool all, bool samples, const LineOf& line_of) {
  std::string text;
  for (std::size_t task = 0; task < ledgers_.size(); ++task) {
    if (!all && !ledgers_[task]->has_new()) continue;
    for (FinishedRange& finished : all ? ledgers_[task]->take_all() : ledgers_[task]->take_new())
      text += line_of(record_text({task, std::move(finished)}));
  }
  for (std::size_t k = 0; samples && k < sample_ledgers_.size(); ++k) {
    if (!all && !sample_ledgers_[k]->has_new()) continue;
    if (DrawnSamples drawn = sample_ledgers_[k]->take(); drawn.goal > 0)
      text += line_of(samples_text({k, std::move(drawn)}));
  }
  for (std::size_t k = 0; k < ratio_ledgers_.size(); ++k) {
    if (!all && !ratio_ledgers_[k]->has_new()) continue;
    for (const RatioRecord& record : ratio_ledgers_[k]->take(k, all)) text += line_of(ratio_text(record));
  }
  return text;
}

/// Of all estimates that this file keeps.
std::string Checkpoint::records_of_sums(bool all, bool samples) {
  std::vector<std::pair<std::size_t, Checkpoint*>> sums;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, sum] : sums_) {
      if (sum->ready_) sums.emplace_back(number, sum.get());
    }
  }
  std::string text;
  for (const auto& [number, sum] : sums) {
    const std::size_t own = number;
    if (all || !sum->header_written_) text += sum_header_line(header_, own, sum->header_);
    sum->header_written_ = true;
    text +=
        sum->records(all, samples, [&](const std::string& record) { return sum_line(header_, own, record); });
  }
  return text;
}

/// The lines of both.
std::string Checkpoint::lines(bool all, bool samples) {
  return records(all, samples, [this](const std::string& record) { return text_line(header_, record); }) +
         records_of_sums(all, samples);
}

void Checkpoint::write_new(bool samples) {
  const std::string text = lines(false, samples);
  if (text.empty()) return;
  file_.append(text);
  unsynced_ = true;
}

std::string Checkpoint::progress_text() {
  JournalProgress progress = now_();
  progress.elapsed_seconds += elapsed_before_;
  progress.lost_ranks += lost_before_;
  {
    const std::lock_guard lock(mutex_);
    progress.count = count_;
    progress.estimated = estimated_;
  }
  return progress_line(header_, progress);
}

void Checkpoint::rewrite(bool fresh) {
  std::string text = header_lines(header_) + lines(true, true);
  text += progress_text();
  file_.replace(text, fresh);
  rewritten_size_ = file_.size();
  unsynced_ = true;
}

void Checkpoint::finish(const std::string& count) {
  {
    const std::lock_guard lock(mutex_);
    count_ = count;
  }
  finish_file();
}

void Checkpoint::finish_estimate() {
  {
    const std::lock_guard lock(mutex_);
    estimated_ = true;
  }
  finish_file();
}

void Checkpoint::finish_file() {
  close();
  if (const std::string text = trouble(); !text.empty()) notice_("all is done, but " + text);
}

std::string Checkpoint::trouble() const {
  const std::string path = quoted(file_.path(), 400);
  if (!failure_.empty()) {
    return fmt::format("the checkpoint {} could not be written to the end and is behind: {}", path,
                       quoted(failure_, 400));
  }
  if (file_.path() == asked_for_) return {};
  return fmt::format("{} is another file now, and was left alone: the checkpoint is {}",
                     quoted(asked_for_, 400), path);
}

std::string Checkpoint::close() {
  if (!begun()) return last_words_;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  writer_.join();
  last_words_ = status_text();
  return last_words_;
}

/// Of estimates that follow one another, those of the last, which are also those of the ones before.
std::uint64_t Checkpoint::samples_drawn() const {
  std::uint64_t samples = 0;
  for (const std::unique_ptr<SampleLedger>& ledger : sample_ledgers_)
    samples += ledger->get().moments.samples;
  for (const std::unique_ptr<RatioLedger>& ledger : ratio_ledgers_) samples += ledger->samples();
  const std::lock_guard lock(mutex_);
  for (auto sum = sums_.rbegin(); sum != sums_.rend(); ++sum) {
    const bool again = sums_.contains(sum->first + sums_a_round);
    if (sum->second->ready_ && !again) samples += sum->second->samples_drawn();
  }
  return samples;
}

std::string Checkpoint::status_text() const {
  const std::string path = quoted(file_.path(), 400);
  if (!failure_.empty())
    return fmt::format("what was counted since the last good write is lost: {}", quoted(failure_, 400));
  if (header_.estimate) {
    const std::uint64_t samples = samples_drawn();
    return fmt::format("{} holds {} samples: 'countpm resume {}' goes on", path, samples, path);
  }
  double all = 0;
  double done = 0;
  const std::vector<const JournalTask*> tasks = header_.tasks();
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const double unit_seconds = tasks[k]->predicted_seconds / static_cast<double>(tasks[k]->units);
    all += unit_seconds * static_cast<double>(ledgers_[k]->share_units());
    done += unit_seconds * static_cast<double>(ledgers_[k]->units_done());
  }
  const double percent = all > 0 ? std::floor(1000 * done / all) / 10 : 100;
  return fmt::format("{} holds {:.1f} % of the work: 'countpm resume {}' goes on", path, percent, path);
}

}  // namespace countpm
