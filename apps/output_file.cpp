#include "apps/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "apps/output.hpp"
#include "graph/errors.hpp"

namespace countpm::app {

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  constexpr mode_t mode = 0666;
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  created_ = descriptor_ >= 0;
  if (!created_ && errno == EEXIST) descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail(errno);
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (created_) unlink(path_.c_str());
}

void OutputFile::write(std::string_view text) {
  if (!begun_) {
    // Devices and pipes cannot be cut, and need not be.
    struct stat status {};
    if (fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode) && ftruncate(descriptor_, 0) != 0)
      fail(errno);
    begun_ = true;
  }
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::close() {
  write("");
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) fail(errno);
}

void OutputFile::fail(int reason) const {
  throw OutputError(fmt::format("cannot write to {}: {}", quoted(path_, 400), std::strerror(reason)));
}

}  // namespace countpm::app
