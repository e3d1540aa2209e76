#include "graph/new_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <random>

namespace countpm {
namespace {

constexpr std::size_t random_digits = 16;
constexpr std::string_view ending = ".new";

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    number_ = other.release();
  }
  return *this;
}

void Descriptor::close() {
  if (number_ >= 0) ::close(release());
}

std::string unforeseen_name(const std::string& name) {
  std::random_device random;
  return fmt::format("{}.{:08x}{:08x}{}", name, random(), random(), ending);
}

bool is_unforeseen_name(std::string_view name) {
  if (name.size() <= random_digits + ending.size() + 1 || !name.ends_with(ending)) return false;
  name.remove_suffix(ending.size());
  const std::string_view digits = name.substr(name.size() - random_digits);
  return name[name.size() - random_digits - 1] == '.' &&
         std::all_of(digits.begin(), digits.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

NewFile make_new_file(const std::string& path, mode_t mode) {
  constexpr int tries = 10;
  NewFile made;
  for (int attempt = 0; attempt < tries; ++attempt) {
    made.path = unforeseen_name(path);
    made.descriptor = Descriptor(
        ::open(made.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC, mode));
    if (made.descriptor.is_open() || errno != EEXIST) break;
  }
  return made;
}

bool is_fault_of_name(int reason) {
  switch (reason) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case EACCES:
    case EPERM:
    case EROFS:
    case ELOOP:
    case ENAMETOOLONG:
    case EBADF:
      return true;
    default:
      return false;
  }
}

bool rename_if_free(const std::string& from, const std::string& to) {
#ifdef RENAME_NOREPLACE
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
#endif
  // A second name is never given to a place that is taken, either.
  if (::link(from.c_str(), to.c_str()) == 0) {
    ::unlink(from.c_str());
    return true;
  }
  if (errno != EPERM && errno != EOPNOTSUPP && errno != EMLINK && errno != ENOSYS) return false;
  // Neither is to be had here (FAT): looking first is all that is left.
  struct stat status {};
  if (::lstat(to.c_str(), &status) == 0) {
    errno = EEXIST;
    return false;
  }
  return ::rename(from.c_str(), to.c_str()) == 0;
}

std::string_view special_kind(mode_t mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace countpm
