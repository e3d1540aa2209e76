#include "src/journal/journal_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "graph/errors.hpp"

namespace countpm {
namespace {

std::string system_text() {
  return std::generic_category().message(errno);
}

[[noreturn]] void throw_failure(const char* step, const std::string& path) {
  throw JournalFileError(fmt::format("cannot {} {}: {}", step, path, system_text()));
}

/// Closes on the way out, unless it is released.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

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
  const std::size_t slash = path.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.get() < 0) throw_failure("open the folder", folder);
  // Some file systems have nothing to sync there.
  if (::fsync(descriptor.get()) != 0 && errno != EINVAL) throw_failure("sync the folder", folder);
}

bool exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

[[noreturn]] void throw_exists(const std::string& path) {
  throw UsageError(
      fmt::format("the checkpoint {} exists already: 'countpm resume {}' goes on with it; for a "
                  "count from the start give another name, or remove it",
                  quoted(path, 400), quoted(path, 400)));
}

[[noreturn]] void throw_in_use(const std::string& path) {
  throw UsageError(fmt::format("another countpm is writing the checkpoint {}", quoted(path, 400)));
}

/// Whether the name leads to the open file.
bool leads_to(const std::string& path, int descriptor) {
  struct stat named {};
  struct stat open {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(descriptor, &open) == 0 &&
         named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

/// Renames where nothing is in the way; on a file system that cannot promise that, looks first.
void rename_fresh(const std::string& from, const std::string& to) {
#ifdef RENAME_NOREPLACE
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return;
  if (errno == EEXIST) throw_exists(to);
  if (errno != EINVAL && errno != ENOSYS) throw_failure("rename to", to);
#endif
  if (exists(to)) throw_exists(to);
  if (::rename(from.c_str(), to.c_str()) != 0) throw_failure("rename to", to);
}

std::string new_name(const std::string& path) {
  return path + ".new";
}

}  // namespace

JournalFile::~JournalFile() {
  close();
}

void JournalFile::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void JournalFile::check_new() const {
  if (exists(path_)) throw_exists(path_);
  const std::string temporary = new_name(path_);
  const Descriptor descriptor(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  if (descriptor.get() < 0) {
    throw UnableError(fmt::format("no checkpoint can be written there: cannot make {}: {}",
                                  quoted(temporary, 400), system_text()),
                      "a folder that is there and can be written would do it");
  }
  if (!lock(descriptor.get())) throw_in_use(path_);
  ::unlink(temporary.c_str());
}

void JournalFile::lock_existing() {
  // Another process may rename a new file into its place between opening and locking.
  constexpr int tries = 10;
  for (int attempt = 0; attempt < tries; ++attempt) {
    Descriptor descriptor(::open(path_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC));
    if (descriptor.get() < 0)
      throw InputError(path_, 0, "a journal that can be read and written", system_text());
    if (!lock(descriptor.get())) throw_in_use(path_);
    if (!leads_to(path_, descriptor.get())) continue;
    close();
    descriptor_ = descriptor.release();
    return;
  }
  throw_in_use(path_);
}

void JournalFile::replace(std::string_view text, bool fresh) {
  const std::string temporary = new_name(path_);
  Descriptor descriptor(::open(temporary.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (descriptor.get() < 0) throw_failure("make", temporary);
  if (!lock(descriptor.get())) throw_in_use(path_);
  try {
    if (::ftruncate(descriptor.get(), 0) != 0) throw_failure("empty", temporary);
    write_all(descriptor.get(), text, temporary);
    if (::fsync(descriptor.get()) != 0) throw_failure("sync", temporary);
    if (fresh) {
      rename_fresh(temporary, path_);
    } else if (::rename(temporary.c_str(), path_.c_str()) != 0) {
      throw_failure("rename to", path_);
    }
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  close();
  descriptor_ = descriptor.release();
  size_ = text.size();
  sync_folder_of(path_);
}

void JournalFile::append(std::string_view text) {
  write_all(descriptor_, text, path_);
  size_ += text.size();
}

void JournalFile::sync() {
  if (::fdatasync(descriptor_) != 0) throw_failure("sync", path_);
  if (!leads_to(path_, descriptor_))
    throw JournalFileError(fmt::format("{} is gone: removed, or its file system is", path_));
}

bool journal_in_use(const std::string& path) {
  const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.get() < 0) return false;
  return ::flock(descriptor.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace countpm
