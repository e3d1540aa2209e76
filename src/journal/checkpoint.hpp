#pragma once
// A running count's journal: a thread writes what the ledgers have, so that no worker waits for a disk.
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "src/journal/journal.hpp"
#include "src/journal/journal_file.hpp"

namespace countpm {

/// Of 128 bits, for JournalHeader::id.
std::string random_journal_id();

/// From begin() on, a finished unit is in the file within 20 ms (so that the process may be killed) and on
/// the disk within about a second (so that the machine may be). Where the file cannot be written, counting
/// goes on, the user is told, and writing is tried again, every time from the start: nothing that is finished
/// is forgotten while the process lives.
class Checkpoint {
 public:
  using Notice = std::function<void(const std::string&)>;  // called from the writer's thread
  using Now = std::function<JournalProgress()>;            // how far the count is; elapsed of this session

  /// A new journal. Throws as JournalFile::check_new.
  Checkpoint(std::string path, Notice notice);
  /// A journal to go on with: locked, read and checked. One that is done and sound is only read, so that it
  /// may be where nothing can be written. Throws InputError or UsageError.
  static std::unique_ptr<Checkpoint> resume(std::string path, Notice notice);
  /// Goes on with what several journals have together, in a new file; in memory where the path is empty.
  /// Throws as check_new.
  static std::unique_ptr<Checkpoint> joined(Journal journal, std::string path, Notice notice);
  /// In no file: for what goes on within a process.
  static std::unique_ptr<Checkpoint> in_memory();
  /// Writes what is left, as far as it can be written.
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  /// What was read, or joined; null for a new journal.
  const Journal* journal() const { return journal_ ? &*journal_ : nullptr; }
  /// Writes the file (for a journal that was read: what was sound of it) and starts the thread, where there
  /// is a file. The header of a journal that was read stays. Throws UsageError or UnableError where that
  /// fails.
  void begin(JournalHeader header, Now now);
  bool begun() const { return writer_.joinable(); }

  /// Of the task-th of JournalHeader::tasks().
  Ledger& ledger(std::size_t task) { return *ledgers_[task]; }
  /// Of the sampling-th of JournalHeader::samplings(). What it has is in the file within some 250 ms.
  SampleLedger& sample_ledger(std::size_t sampling) { return *sample_ledgers_[sampling]; }

  /// Of the piece-th of JournalRatio::pieces.
  RatioLedger& ratio_ledger(std::size_t piece) { return *ratio_ledgers_[piece]; }
  /// The number-th estimate of a ratio of sums apart, which this file keeps, too. Where the file has nothing
  /// of it, or less than `before`, it goes on with that.
  Checkpoint& sum(std::size_t number, std::optional<Journal> before);
  static constexpr std::size_t sums_a_round = 2;  // number k + 2 goes on with what number k has
  /// The samples that it has, as a journal that can be gone on with. After begin().
  Journal state() const;

  /// The count is done.
  void finish(const std::string& count);
  /// An estimate is where it was to get to.
  void finish_estimate();
  /// Stops the thread and writes the rest. Returns what the file then holds, for a message: "FILE holds 42 %
  /// of the predicted work", or why it does not.
  std::string close();
  /// After close(): why the file that was asked for is not what it should be by now, as half a sentence;
  /// empty where it is.
  std::string trouble() const;

 private:
  struct Existing {};
  Checkpoint(std::string path, Notice notice, Existing);
  Checkpoint(Journal journal, std::string path, Notice notice);
  void write_loop();
  void step(bool last);
  void note_failure(const std::exception& error, double now);
  void write_new(bool samples);
  void rewrite(bool fresh);
  using LineOf = std::function<std::string(const std::string& record)>;
  std::string records(bool all, bool samples, const LineOf& line_of);
  std::string records_of_sums(bool all, bool samples);
  std::string lines(bool all, bool samples);
  void take_longer(const Journal& before);
  std::uint64_t samples_drawn() const;
  std::string progress_text();
  std::string status_text() const;
  void finish_file();

  JournalFile file_;
  std::string asked_for_;  // the file's name, until another file has it
  bool only_read_ = false;
  Notice notice_;
  Now now_;
  std::optional<Journal> journal_;
  bool fresh_ = true;  // the file is not there yet
  JournalHeader header_;
  std::vector<std::unique_ptr<Ledger>> ledgers_;
  std::vector<std::unique_ptr<SampleLedger>> sample_ledgers_;
  std::vector<std::unique_ptr<RatioLedger>> ratio_ledgers_;
  std::map<std::size_t, std::unique_ptr<Checkpoint>> sums_;
  std::atomic<bool> ready_{false};  // of a sum: its ledgers are there
  bool header_written_ = false;     // likewise
  double elapsed_before_ = 0;
  std::uint64_t lost_before_ = 0;
  std::string count_;
  bool estimated_ = false;

  bool unsynced_ = false;
  double synced_at_ = 0;
  double samples_at_ = 0;  // when samples were last written
  std::uint64_t rewritten_size_ = 0;
  std::string failure_;  // why the last write failed; empty: it did not
  double retry_at_ = 0;
  double retry_wait_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool closing_ = false;
  std::string last_words_;
  std::thread writer_;
};

}  // namespace countpm
