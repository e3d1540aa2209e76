// A disk that fails, for tests: preloaded (LD_PRELOAD), it stands before write, fsync, fdatasync, rename,
// renameat2 and open for writing, and fails those that touch a file whose name contains COUNTPM_FAULT_FILE.
// COUNTPM_FAULT is CALL:ERRNO:FIRST:TIMES, such as write:28:3:2 for the third and fourth write; rename is
// both of that name, swap renameat2 alone. A write that fails with 28 (no space) first writes half of what it
// was given, as a full disk does.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Fault {
  char call[32] = "";
  int error = 0;
  long first = 0;
  long times = 0;
  const char* file = nullptr;

  Fault() {
    const char* const text = std::getenv("COUNTPM_FAULT");
    file = std::getenv("COUNTPM_FAULT_FILE");
    if (text == nullptr || std::sscanf(text, "%31[a-z]:%d:%ld:%ld", call, &error, &first, &times) != 4)
      file = nullptr;
  }
};

bool fails(const char* call, const char* path) {
  static const Fault fault;
  static std::atomic<long> seen{0};
  if (fault.file == nullptr || std::strcmp(call, fault.call) != 0 || std::strstr(path, fault.file) == nullptr)
    return false;
  const long now = ++seen;
  if (now < fault.first || now >= fault.first + fault.times) return false;
  errno = fault.error;
  return true;
}

bool fails(const char* call, int descriptor) {
  char link[64];
  char path[4096];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  const ssize_t size = readlink(link, path, sizeof(path) - 1);
  if (size <= 0) return false;
  path[size] = '\0';
  return fails(call, path);
}

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// mode: where the function called so takes one.
template <class... Mode>
int open_by(const char* name, const char* path, int flags, Mode... mode) {
  if ((flags & O_ACCMODE) != O_RDONLY && fails("open", path)) return -1;
  return real<int (*)(const char*, int, Mode...)>(name)(path, flags, mode...);
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* data, size_t size) {
  static const auto next = real<ssize_t (*)(int, const void*, size_t)>("write");
  if (fails("write", descriptor)) {
    const int error = errno;
    if (error == ENOSPC && size > 1) next(descriptor, data, size / 2);
    errno = error;
    return -1;
  }
  return next(descriptor, data, size);
}

int fsync(int descriptor) {
  static const auto next = real<int (*)(int)>("fsync");
  return fails("fsync", descriptor) ? -1 : next(descriptor);
}

int fdatasync(int descriptor) {
  static const auto next = real<int (*)(int)>("fdatasync");
  return fails("fsync", descriptor) ? -1 : next(descriptor);
}

int rename(const char* from, const char* to) {
  static const auto next = real<int (*)(const char*, const char*)>("rename");
  return fails("rename", to) ? -1 : next(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  static const auto next = real<int (*)(int, const char*, int, const char*, unsigned)>("renameat2");
  return fails("swap", to) || fails("rename", to) ? -1 : next(from_folder, from, to_folder, to, flags);
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const auto mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : mode_t{0};
  va_end(more);
  return open_by("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const auto mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : mode_t{0};
  va_end(more);
  return open_by("open64", path, flags, mode);
}

// What open() is where the compiler looks for buffers that overflow (_FORTIFY_SOURCE, which Ubuntu's has on).
int __open_2(const char* path, int flags) {
  return open_by("__open_2", path, flags);
}

int __open64_2(const char* path, int flags) {
  return open_by("__open64_2", path, flags);
}

}  // extern "C"
