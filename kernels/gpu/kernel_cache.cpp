// Compiled kernels on disk: a first line with the lengths, the key, the code, and the SHA-256 of both. That
// is for damage, and no secret: what keeps others from having their code run is that folder and file must be
// of this user and to be written by nobody else.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "graph/new_file.hpp"
#include "graph/sha256.hpp"
#include "kernels/gpu/runtime_compiler.hpp"

namespace countpm {
namespace {

std::string sha256_of(const std::string& text) {
  Sha256 hash;
  hash.update(text);
  return hash.digest();
}

/// What comes before the code; as long for any code.
std::string file_start(const std::string& key, std::size_t code_bytes) {
  constexpr std::size_t width = 20;
  std::string size = std::to_string(code_bytes);
  size.insert(0, width - size.size(), '0');
  return "countpm kernel 1 " + std::to_string(key.size()) + " " + size + "\n" + key;
}

constexpr std::size_t digest_bytes = 64;

/// Of this user, and nobody else may write to it.
bool is_own(const struct stat& status) {
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// The folder itself, not what a link of that name leads to.
Descriptor open_any_folder(std::string folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// Not open where there is none, or it is not to be trusted.
Descriptor open_own_folder(const std::string& folder) {
  Descriptor descriptor = open_any_folder(folder);
  struct stat status {};
  if (!descriptor.is_open() || ::fstat(descriptor.get(), &status) != 0 || !is_own(status)) return {};
  return descriptor;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Empty where it is no file of this user alone.
std::string read_own(int folder, const std::string& name) {
  const Descriptor file(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) return {};
  if (!S_ISREG(status.st_mode) || !is_own(status) || status.st_nlink != 1) return {};
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t got = ::read(file.get(), bytes.data() + at, bytes.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    at += static_cast<std::size_t>(got);
  }
  return bytes;
}

/// What programs left that were killed while they wrote: no file of ours takes a day.
void remove_left_over(const std::string& path, int folder) {
  constexpr std::time_t day = 86'400;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    struct stat status {};
    if (!is_unforeseen_name(name) || ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if (S_ISREG(status.st_mode) && is_own(status) && std::time(nullptr) - status.st_mtime > day)
      ::unlinkat(folder, name.c_str(), 0);
  }
}

}  // namespace

KernelCache KernelCache::of_environment() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (const std::string own = variable("COUNTPM_KERNEL_CACHE"); !own.empty())
    return {own == "off" ? "" : own};
  if (const std::string caches = variable("XDG_CACHE_HOME"); !caches.empty()) return {caches + "/countpm"};
  if (const std::string home = variable("HOME"); !home.empty()) return {home + "/.cache/countpm"};
  return {};
}

std::string KernelCache::name_of(const std::string& key) {
  return sha256_of(key) + ".kernel";
}

std::string KernelCache::file_of(const std::string& key) const {
  return folder + "/" + name_of(key);
}

std::string KernelCache::obstacle() const {
  if (folder.empty()) return {};
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0) return {};  // it is made, or cannot be, which is no error
  if (S_ISLNK(status.st_mode)) return folder + " is a link";
  if (!S_ISDIR(status.st_mode)) return folder + " is no folder";
  if (status.st_uid != ::geteuid()) return folder + " is another user's";
  return is_own(status) ? "" : "others may write to " + folder;
}

std::optional<std::string> KernelCache::find(const std::string& key) const {
  if (folder.empty()) return std::nullopt;
  const Descriptor opened = open_own_folder(folder);
  if (!opened.is_open()) return std::nullopt;
  const std::string bytes = read_own(opened.get(), name_of(key));
  const std::size_t start = file_start(key, 0).size();
  if (bytes.size() < start + digest_bytes) return std::nullopt;
  const std::size_t size = bytes.size() - start - digest_bytes;
  const bool whole = bytes.compare(0, start, file_start(key, size)) == 0 &&
                     bytes.compare(start + size, digest_bytes, sha256_of(bytes.substr(0, start + size))) == 0;
  if (!whole) return std::nullopt;
  return bytes.substr(start, size);
}

void KernelCache::keep(const std::string& key, const std::string& code) const {
  if (folder.empty()) return;
  const std::filesystem::path path(folder);
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  ::mkdir(path.c_str(), S_IRWXU);
  const Descriptor opened = open_own_folder(folder);
  if (!opened.is_open()) return;
  remove_left_over(folder, opened.get());
  const std::string name = name_of(key);
  const std::string aside = unforeseen_name(name);
  Descriptor file(::openat(opened.get(), aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           S_IRUSR | S_IWUSR));
  if (!file.is_open()) return;
  const std::string bytes = file_start(key, code.size()) + code;
  const bool written =
      write_all(file.get(), bytes) && write_all(file.get(), sha256_of(bytes)) && ::close(file.release()) == 0;
  if (!written || ::renameat(opened.get(), aside.c_str(), opened.get(), name.c_str()) != 0)
    ::unlinkat(opened.get(), aside.c_str(), 0);
}

}  // namespace countpm
