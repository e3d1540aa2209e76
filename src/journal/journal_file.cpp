#include "src/journal/journal_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/formats/open_error.hpp"

namespace countpm {
namespace {

// Of those who may follow links: O_NOFOLLOW refuses the last one. A FIFO without a writer is not waited for.
constexpr int reading = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
constexpr mode_t permissions = 0777;

std::string system_text() {
  return std::generic_category().message(errno);
}

[[noreturn]] void throw_failure(const char* step, const std::string& path) {
  throw JournalFileError(fmt::format("cannot {} {}: {}", step, path, system_text()));
}

void write_all(int descriptor, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_failure("write", path);
    if (written == 0) {
      errno = ENOSPC;
      throw_failure("write", path);
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// From the beginning: as much as there is, and `most` at most. False where it cannot be read.
bool read_some(int descriptor, std::size_t most, std::string& text) {
  std::array<char, 65536> buffer{};
  text.clear();
  while (text.size() < most) {
    const ssize_t got = ::pread(descriptor, buffer.data(), std::min(buffer.size(), most - text.size()),
                                static_cast<off_t>(text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return true;
}

bool begins_as_journal(int descriptor) {
  std::string start;
  return read_some(descriptor, journal_magic.size(), start) && start == journal_magic;
}

/// False where another process has it. Where the file system has no locks, there is none.
bool lock(int descriptor) {
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    return errno != EWOULDBLOCK;
  }
  return true;
}

/// So that the name itself is on the disk.
void sync_folder_of(const std::string& path) {
  const std::string folder = folder_of(path);
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.is_open()) throw_failure("open the folder", folder);
  // Some file systems have nothing to sync there.
  if (::fsync(descriptor.get()) != 0 && errno != EINVAL) throw_failure("sync the folder", folder);
}

[[noreturn]] void throw_in_use(const std::string& path) {
  throw UsageError(fmt::format("another countpm is writing the checkpoint {}", quoted(path, 400)));
}

[[noreturn]] void throw_taken(const std::string& path) {
  const std::string name = quoted(path, 400);
  struct stat status {};
  const std::string_view kind = ::lstat(path.c_str(), &status) == 0 ? special_kind(status.st_mode) : "";
  if (!kind.empty()) {
    throw UsageError(fmt::format(
        "the checkpoint {} exists already, and is {}: give a name that nothing has yet", name, kind));
  }
  const Descriptor descriptor(::open(path.c_str(), reading | O_NOFOLLOW));
  if (descriptor.is_open() && begins_as_journal(descriptor.get())) {
    throw UsageError(
        fmt::format("the checkpoint {} exists already: 'countpm resume {}' goes on with it; for a "
                    "count from the start give another name, or remove it",
                    name, name));
  }
  throw UsageError(fmt::format(
      "the checkpoint {} exists already, and is no checkpoint of countpm: it is left alone; give a "
      "name that nothing has yet",
      name));
}

/// Whether the name, which is no link, leads to the open file.
bool leads_to(const std::string& path, int descriptor) {
  struct stat named {};
  struct stat open {};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(descriptor, &open) == 0 &&
         named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

void remove_if(const std::string& path, int descriptor) {
  if (leads_to(path, descriptor)) ::unlink(path.c_str());
}

/// Locked, and under a name that it still has: who removes what is left over locks it first.
NewFile make_locked(const std::string& path, mode_t mode) {
  constexpr int tries = 10;
  for (int attempt = 0; attempt < tries; ++attempt) {
    NewFile made = make_new_file(path, mode);
    if (!made.descriptor.is_open()) throw_failure("make", made.path);
    if (lock(made.descriptor.get()) && leads_to(made.path, made.descriptor.get())) return made;
  }
  throw JournalFileError(fmt::format("cannot make {}: it is removed each time", path));
}

std::string text_of(int descriptor, const std::string& path) {
  std::string text;
  const std::size_t most = begins_as_journal(descriptor) ? text.max_size() : 4096;
  if (!read_some(descriptor, most, text)) throw OpenError(path, quoted(system_text()));
  return text;
}

/// Opens without waiting; throws where that fails or it is no file of bytes. Not open where there is no leave
/// to write.
Descriptor open_bytes(const std::string& path, int flags) {
  Descriptor descriptor(::open(path.c_str(), flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  const int reason = errno;
  struct stat status {};
  const bool known = descriptor.is_open()        ? ::fstat(descriptor.get(), &status) == 0
                     : (flags & O_NOFOLLOW) != 0 ? ::lstat(path.c_str(), &status) == 0
                                                 : ::stat(path.c_str(), &status) == 0;
  if (const std::string_view kind = known ? special_kind(status.st_mode) : ""; !kind.empty()) {
    throw InputError(path, 0, "a checkpoint",
                     fmt::format("{}{}", kind, S_ISLNK(status.st_mode) ? "; name what it leads to" : ""));
  }
  if (descriptor.is_open()) return descriptor;
  errno = reason;
  const bool no_leave = (flags & O_ACCMODE) != O_RDONLY &&
                        (reason == EACCES || reason == EPERM || reason == EROFS || reason == ETXTBSY);
  if (!no_leave) throw OpenError(path, quoted(system_text()));
  return descriptor;
}

}  // namespace

void JournalFile::check_free() const {
  struct stat status {};
  if (::lstat(path_.c_str(), &status) == 0) throw_taken(path_);
}

void JournalFile::check_new() const {
  check_free();
  const NewFile made = make_new_file(path_, 0600);
  if (made.descriptor.is_open()) {
    remove_if(made.path, made.descriptor.get());
    return;
  }
  const bool bad_name = is_fault_of_name(errno);
  const std::string message = fmt::format("cannot write to {}: {}", quoted(path_, 400), system_text());
  if (bad_name) throw UsageError(message);
  throw UnableError(message, "try another place for the checkpoint, or make room on its disk");
}

void JournalFile::open_existing() {
  // Another process may rename a new file into its place between opening and locking.
  constexpr int tries = 10;
  for (int attempt = 0; attempt < tries; ++attempt) {
    Descriptor descriptor = open_bytes(path_, O_RDWR | O_APPEND | O_NOFOLLOW);
    if (!descriptor.is_open()) {
      obstacle_ = quoted(system_text());
      descriptor = open_bytes(path_, O_RDONLY | O_NOFOLLOW);
    }
    if (!lock(descriptor.get())) throw_in_use(path_);
    if (!leads_to(path_, descriptor.get())) continue;
    descriptor_ = std::move(descriptor);
    return;
  }
  throw_in_use(path_);
}

std::string JournalFile::text() const {
  return text_of(descriptor_.get(), path_);
}

JournalFile::Holder JournalFile::holder() const {
  struct stat named {};
  if (::lstat(path_.c_str(), &named) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return Holder::nobody;
    throw_failure("find", path_);
  }
  // Who writes into a file with this journal's inode makes it another one, too.
  const bool ours =
      descriptor_.is_open() && leads_to(path_, descriptor_.get()) && begins_as_journal(descriptor_.get());
  return ours ? Holder::this_journal : Holder::another_file;
}

/// The new file under the old one's name. False where the name turns out not to be the old one's any more.
bool JournalFile::take_own_place(const NewFile& made) {
#ifdef RENAME_EXCHANGE
  // Both names change hands at once, and what comes back is looked at: nothing can slip in between.
  if (::renameat2(AT_FDCWD, made.path.c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE) == 0) {
    if (leads_to(made.path, descriptor_.get())) {
      ::unlink(made.path.c_str());
      return true;
    }
    if (::renameat2(AT_FDCWD, made.path.c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE) != 0)
      throw_failure("give its file back to", path_);
    return false;
  }
  if (errno == ENOENT) return false;
  if (errno != EINVAL && errno != ENOSYS) throw_failure("rename to", path_);
#endif
  if (::rename(made.path.c_str(), path_.c_str()) != 0) throw_failure("rename to", path_);
  return true;
}

void JournalFile::take_another_name(const NewFile& made) {
  constexpr int last_number = 999;
  for (int number = 2; number <= last_number; ++number) {
    const std::string other = fmt::format("{}.{}", path_, number);
    if (rename_if_free(made.path, other)) {
      path_ = other;
      return;
    }
    if (errno != EEXIST) throw_failure("rename to", other);
  }
  throw JournalFileError(
      fmt::format("{} is another file now, and so are {}.2 to {}.{}", path_, path_, path_, last_number));
}

void JournalFile::take_name(const NewFile& made, bool fresh) {
  if (fresh) {
    if (rename_if_free(made.path, path_)) return;
    if (errno == EEXIST) throw_taken(path_);
    throw_failure("rename to", path_);
  }
  constexpr int tries = 10;
  for (int attempt = 0; attempt < tries; ++attempt) {
    switch (holder()) {
      case Holder::this_journal:
        if (take_own_place(made)) return;
        break;
      case Holder::nobody:
        if (rename_if_free(made.path, path_)) return;
        if (errno != EEXIST) throw_failure("rename to", path_);
        break;
      case Holder::another_file:
        return take_another_name(made);
    }
  }
  throw JournalFileError(fmt::format("cannot rename to {}: it is another file each time", path_));
}

void JournalFile::replace(std::string_view text, bool fresh) {
  struct stat old {};
  const bool known = descriptor_.is_open() && ::fstat(descriptor_.get(), &old) == 0;
  NewFile made = make_locked(path_, known ? old.st_mode & permissions : 0644);
  const int descriptor = made.descriptor.get();
  try {
    // Who may read and write it stays, whatever today's umask; where the file system has no such thing, not.
    if (known && ::fchmod(descriptor, old.st_mode & permissions) != 0 && errno != EPERM && errno != ENOTSUP)
      throw_failure("set the mode of", made.path);
    write_all(descriptor, text, made.path);
    if (::fsync(descriptor) != 0) throw_failure("sync", made.path);
    take_name(made, fresh);
  } catch (...) {
    remove_if(made.path, descriptor);
    throw;
  }
  descriptor_ = std::move(made.descriptor);
  size_ = text.size();
  sync_folder_of(path_);
}

void JournalFile::check_held() const {
  switch (holder()) {
    case Holder::this_journal:
      return;
    case Holder::nobody:
      throw JournalFileError(fmt::format("{} is gone: removed, or its file system is", path_));
    case Holder::another_file:
      throw JournalFileError(fmt::format("{} is another file now, which is left alone", path_));
  }
}

void JournalFile::append(std::string_view text) {
  check_held();
  write_all(descriptor_.get(), text, path_);
  size_ += text.size();
}

void JournalFile::sync() {
  if (::fdatasync(descriptor_.get()) != 0) throw_failure("sync", path_);
  check_held();
}

FileIdentity JournalFile::identity() const {
  struct stat status {};
  if (::fstat(descriptor_.get(), &status) != 0) throw_failure("look at", path_);
  return {status.st_dev, status.st_ino};
}

bool journal_in_use(const std::string& path) {
  const Descriptor descriptor(::open(path.c_str(), reading));
  if (!descriptor.is_open()) return false;
  return ::flock(descriptor.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

std::string read_journal_text(const std::string& path) {
  const Descriptor descriptor = open_bytes(path, O_RDONLY);
  return text_of(descriptor.get(), path);
}

void remove_journal(const std::string& path, const FileIdentity& which) {
  const Descriptor descriptor(::open(path.c_str(), reading | O_NOFOLLOW));
  struct stat status {};
  if (!descriptor.is_open() || ::fstat(descriptor.get(), &status) != 0) return;
  if (FileIdentity{status.st_dev, status.st_ino} == which && begins_as_journal(descriptor.get()))
    remove_if(path, descriptor.get());
}

void remove_unfinished_journals(const std::string& folder) {
  std::vector<std::string> names;
  {
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), &::closedir);
    if (!entries) return;
    while (const dirent* const entry = ::readdir(entries.get())) {
      if (is_unforeseen_name(entry->d_name)) names.emplace_back(folder + "/" + entry->d_name);
    }
  }
  for (const std::string& name : names) {
    const Descriptor descriptor(::open(name.c_str(), reading | O_NOFOLLOW));
    struct stat status {};
    if (!descriptor.is_open() || ::fstat(descriptor.get(), &status) != 0) continue;
    if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || status.st_nlink != 1) continue;
    if (status.st_size != 0 && !begins_as_journal(descriptor.get())) continue;
    // Without locks nobody knows whether it is in use.
    if (::flock(descriptor.get(), LOCK_EX | LOCK_NB) == 0) remove_if(name, descriptor.get());
  }
}

}  // namespace countpm
