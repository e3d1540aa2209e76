#pragma once
// A journal's file: made whole under another name and renamed, then appended to; locked while it is in use.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace countpm {

/// What the system said no to, in words: "cannot write FILE: No space left on device".
class JournalFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Every step that can fail throws JournalFileError; the file under the name is then as it was, or ends in a
/// torn line, which readers leave out.
class JournalFile {
 public:
  explicit JournalFile(std::string path) : path_(std::move(path)) {}
  ~JournalFile();
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  /// Throws UsageError where there is a file of that name, UnableError where none can be made there. Leaves
  /// nothing behind.
  void check_new() const;
  /// Locks the file that is there. Throws InputError where there is none, UsageError where another process
  /// has it.
  void lock_existing();

  /// The file becomes this text: written to FILE.new, synced, locked, renamed; `fresh`: only where there is
  /// none yet (UsageError).
  void replace(std::string_view text, bool fresh);
  void append(std::string_view text);
  /// To the disk. Also finds out whether the name still leads to this file.
  void sync();
  std::uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  void close();

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// Whether a process has the journal locked.
bool journal_in_use(const std::string& path);

}  // namespace countpm
