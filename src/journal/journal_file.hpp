#pragma once
// A journal's file: made whole under another name and renamed, then appended to; locked while it is in use.
// What is not a journal of countpm, or not the one that was opened, is never written to, renamed over or
// removed.
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "graph/new_file.hpp"

namespace countpm {

/// How every journal begins; the number of its format follows.
inline constexpr std::string_view journal_magic = "countpm journal ";

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

  /// Throws UsageError where the name is taken, whatever by.
  void check_free() const;
  /// The same where no file can be made by that name, and UnableError where the disk takes none. Leaves
  /// nothing behind.
  void check_new() const;
  /// Opens the file that is there, which must be one of bytes, and locks it; without leave to write it is
  /// opened to be read (obstacle()). Throws InputError where there is none, UsageError where another process
  /// has it.
  void open_existing();
  /// Why the file that was opened cannot be written; empty where it can.
  const std::string& obstacle() const { return obstacle_; }
  /// All of what was opened; of what does not begin as a journal, the beginning alone.
  std::string text() const;
  void close() { descriptor_.close(); }

  /// The file becomes this text: written under a name that nobody can foresee, synced, locked, renamed.
  /// fresh: only where nothing has the name (UsageError). Else over the file that is open, if the name still
  /// leads to it and it still is a journal; where something else has the name by now that stays, and the
  /// journal is NAME.2, or .3, ... from then on: path() says so.
  void replace(std::string_view text, bool fresh);
  /// Throws, without writing, where the name no longer leads to this journal.
  void append(std::string_view text);
  /// To the disk. Also finds out whether the name still leads to this journal.
  void sync();
  std::uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }

  /// Of what is open.
  FileIdentity identity() const;

 private:
  enum class Holder { this_journal, nobody, another_file };
  Holder holder() const;
  void check_held() const;
  void take_name(const NewFile& made, bool fresh);
  bool take_own_place(const NewFile& made);
  void take_another_name(const NewFile& made);

  std::string path_;
  std::string obstacle_;
  Descriptor descriptor_;
  std::uint64_t size_ = 0;
};

/// Whether a process has the journal locked.
bool journal_in_use(const std::string& path);

/// What begins as a journal, whole; of another file the beginning, which will do to say what it is not.
/// Follows links, waits for nothing. Throws InputError where it cannot be read, or is a folder, FIFO or
/// device.
std::string read_journal_text(const std::string& path);

/// Removes a journal if it still is that file.
void remove_journal(const std::string& path, const FileIdentity& which);

/// Removes from a folder the journals that were killed before they had their names: files of this user that
/// are named as make_new_file() does, begin as journals or are empty, and are locked by nobody.
void remove_unfinished_journals(const std::string& folder);

}  // namespace countpm
