#include "apps/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "apps/answer_file.hpp"
#include "apps/output.hpp"
#include "apps/parse_value.hpp"
#include "graph/errors.hpp"

namespace countpm::app {
namespace {

constexpr mode_t permissions = 0777;
constexpr mode_t for_all = 0666;  // but for the umask

/// The number of the open descriptor that a path names; none where it names a file.
std::optional<int> named_descriptor(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    constexpr std::uint64_t most = 1'000'000;
    const auto number = parse_integer(path.substr(folder.size()));
    if (number && *number <= most) return static_cast<int>(*number);
  }
  return std::nullopt;
}

/// The reason, or 0.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return ENOSPC;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// All of a file to another; the reason, or 0.
int copy_all(int from, int to) {
  std::array<char, 65536> buffer{};
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(from, buffer.data(), buffer.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return 0;
    if (const int reason = write_all(to, {buffer.data(), static_cast<std::size_t>(got)})) return reason;
    at += got;
  }
}

/// A file, or a place where there is none yet.
struct Identity {
  FileIdentity file;  // or of the folder,
  std::string name;   // in which it is to have this name
  bool operator==(const Identity&) const = default;
};

std::optional<Identity> identity_of(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return Identity{{status.st_dev, status.st_ino}, ""};
}

std::optional<Identity> identity_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return std::nullopt;
  return identity_of(status);
}

std::optional<Identity> identity_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return identity_of(status);
  if (::stat(folder_of(path).c_str(), &status) != 0) return std::nullopt;
  return Identity{{status.st_dev, status.st_ino}, path.substr(path.find_last_of('/') + 1)};
}

}  // namespace

OutputFile::OutputFile(std::string path, bool overwrite) : path_(std::move(path)), overwrite_(overwrite) {
  if (const auto number = named_descriptor(path_)) {
    file_ = Descriptor(::fcntl(*number, F_DUPFD_CLOEXEC, 3));
    if (!file_.is_open()) fail(errno);
    as_it_is_ = true;
    return;
  }
  if (look() == Place::as_it_is) {
    open_device();
  } else {
    open_nameless();
  }
}

OutputFile::Place OutputFile::look() {
  struct stat status {};
  if (::lstat(path_.c_str(), &status) != 0) {
    if (errno != ENOENT) fail(errno);
    return Place::free;
  }
  if (S_ISCHR(status.st_mode)) return Place::as_it_is;
  const std::string name = quoted(path_, 400);
  if (const std::string_view kind = special_kind(status.st_mode); !kind.empty()) {
    throw UsageError(fmt::format(
        "cannot write to {}: it is {}; {}", name, kind,
        S_ISLNK(status.st_mode) ? "name what it leads to, or something else" : "give the name of a file"));
  }
  if (!overwrite_) {
    throw UsageError(
        fmt::format("{} exists already, and is left alone: give another name, or --overwrite", name));
  }
  if (::access(path_.c_str(), W_OK) != 0) fail(errno);
  mode_ = status.st_mode & permissions;
  return Place::taken;
}

void OutputFile::open_device() {
  file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!file_.is_open() || ::fstat(file_.get(), &status) != 0) fail(errno);
  if (!S_ISCHR(status.st_mode)) throw UsageError(quoted(path_, 400) + " was a device, and is none any more");
  ::fcntl(file_.get(), F_SETFL, 0);  // a terminal may be slow
  as_it_is_ = true;
}

/// In the folder where it is to be, so that it is known now whether one can be made there.
void OutputFile::open_nameless() {
#ifdef O_TMPFILE
  file_ = Descriptor(::open(folder_of(path_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, for_all));
  if (file_.is_open()) return;
#endif
  NewFile made = make_new_file(path_, for_all);
  if (!made.descriptor.is_open()) fail(errno);
  ::unlink(made.path.c_str());
  file_ = std::move(made.descriptor);
}

void OutputFile::write(std::string_view text) {
  if (const int reason = write_all(file_.get(), text)) fail(reason);
}

/// What was written, under a name that nobody can foresee: itself, or where the file system does not give
/// names to what has none, a copy.
std::string OutputFile::under_a_name() {
  if (mode_) ::fchmod(file_.get(), *mode_);
  if (::fsync(file_.get()) != 0 && errno != EINVAL) fail(errno);
  std::string name = unforeseen_name(path_);
  const std::string self = fmt::format("/proc/self/fd/{}", file_.get());
  if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return name;
  const NewFile made = make_new_file(path_, for_all);
  if (!made.descriptor.is_open()) fail(errno);
  if (mode_) ::fchmod(made.descriptor.get(), *mode_);
  int reason = copy_all(file_.get(), made.descriptor.get());
  if (reason == 0 && ::fsync(made.descriptor.get()) != 0 && errno != EINVAL) reason = errno;
  if (reason == 0) return made.path;
  ::unlink(made.path.c_str());
  fail(reason);
}

void OutputFile::close() {
  if (as_it_is_) {
    if (::close(file_.release()) != 0) fail(errno);
    return;
  }
  const Place place = look();  // once more: much may have happened since
  if (place == Place::as_it_is) fail(EEXIST);
  const std::string name = under_a_name();
  const bool named =
      place == Place::taken ? ::rename(name.c_str(), path_.c_str()) == 0 : rename_if_free(name, path_);
  if (!named) {
    const int reason = errno;
    ::unlink(name.c_str());
    fail(reason);
  }
  file_.close();
}

void OutputFile::fail(int reason) const {
  const std::string message =
      fmt::format("cannot write to {}: {}", quoted(path_, 400), std::strerror(reason));
  if (!file_.is_open() && is_fault_of_name(reason)) throw UsageError(message);
  throw OutputError(message);
}

void check_outputs(const Request& request, const std::vector<std::string>& inputs) {
  struct Known {
    std::string what;
    Identity identity;
  };
  std::vector<Known> known;
  const auto add = [&](std::string what, const std::optional<Identity>& identity) {
    if (identity) known.push_back({std::move(what), *identity});
  };
  for (const std::string& argument : inputs) {
    if (argument == "-") {
      add("standard input", identity_of(STDIN_FILENO));
    } else if (!argument.starts_with("lattice:")) {
      add("the input " + quoted(argument, 400), identity_of(argument));
    }
  }
  if (const std::string& file = request.count.checkpoint.file; !file.empty())
    add("the checkpoint " + quoted(file, 400), identity_of(file));
  const std::optional<std::string> answer = answer_file(request);
  if (!request.output.empty() && !answer) add("the file of --output", identity_of(request.output));
  add("where standard output goes", identity_of(STDOUT_FILENO));
  add("where standard error goes", identity_of(STDERR_FILENO));
  const std::pair<const char*, const std::optional<std::string>&> outputs[] = {
      {"--output", answer},           {"--svg", request.svg},
      {"--heights", request.heights}, {"--ln-weights", request.ln_weights},
      {"--html", request.html},       {"--structures", request.structures},
      {"--sheet", request.sheet},     {"--proof", request.proof}};
  for (const auto& [option, file] : outputs) {
    if (!file || named_descriptor(*file)) continue;
    const std::optional<Identity> identity = identity_of(*file);
    for (const Known& other : known) {
      if (identity == other.identity)
        throw UsageError(fmt::format("{} {}: that is {}", option, quoted(*file, 400), other.what));
    }
    add(fmt::format("the file of {}", option), identity);
  }
}

}  // namespace countpm::app
