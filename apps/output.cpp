#include "apps/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "apps/terminal_width.hpp"

namespace countpm::app {
namespace {

bool& muted() {
  static bool value = false;
  return value;
}

std::function<void(std::string_view)>& other_place() {
  static std::function<void(std::string_view)> place;
  return place;
}

[[noreturn]] void throw_write_failure(int reason) {
  if (reason == EPIPE) throw BrokenPipe();
  throw OutputError(std::string("cannot write to standard output: ") + std::strerror(reason));
}

}  // namespace

void mute_output(bool mute) {
  muted() = mute;
}

bool output_is_muted() {
  return muted();
}

void redirect_output(std::function<void(std::string_view)> place) {
  other_place() = std::move(place);
}

void write_output(std::string_view text) {
  if (muted()) return;
  if (other_place()) return other_place()(text);
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw_write_failure(errno);
}

void flush_output() {
  if (other_place()) return;
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw_write_failure(errno == 0 ? EIO : errno);
}

void write_error_object(std::string_view text) {
  redirect_output({});
  write_output(text);
  flush_output();
}

std::size_t output_width() {
  return text_width(other_place() ? -1 : STDOUT_FILENO);
}

std::size_t error_width() {
  return text_width(STDERR_FILENO);
}

void write_error(std::string_view text) {
  if (muted()) return;
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool output_is_terminal() {
  return !other_place() && isatty(STDOUT_FILENO) == 1;
}

bool error_is_terminal() {
  return isatty(STDERR_FILENO) == 1;
}

void prepare_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    // Read-only for output too: a write to a closed stream must still fail.
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF && open("/dev/null", O_RDONLY) != descriptor)
      return;
  }
}

}  // namespace countpm::app
