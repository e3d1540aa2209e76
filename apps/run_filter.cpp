#include "apps/run_filter.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "apps/memory_limit.hpp"
#include "graph/errors.hpp"
#include "graph/stop_signal.hpp"

namespace countpm::app {
namespace {

constexpr const char* remedy = "use a file name ending in .svg to get the SVG";

/// Both ends of a pipe.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw UnableError(fmt::format("no pipe: {}", std::strerror(errno)), remedy);
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int end(std::size_t which) const { return ends_[which]; }
  void close_end(std::size_t which) {
    if (ends_[which] >= 0) ::close(ends_[which]);
    ends_[which] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};  // to read, to write
};

pid_t start(const std::vector<std::string>& command, const Pipe& in, const Pipe& out, const Pipe& errors) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.end(0), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.end(1), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.end(1), STDERR_FILENO);
  pid_t child = 0;
  const LimitOfOthers others;
  const int failure = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0)
    throw UnableError(fmt::format("{} does not start: {}", command[0], std::strerror(failure)), remedy);
  return child;
}

// Reads what there is; false at the end.
bool take(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(descriptor, buffer.data(), buffer.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (got <= 0) return false;
  text.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

// Feeds and reads at once, as much as the pipes take.
void exchange(std::string_view input, Pipe& in, Pipe& out, Pipe& errors, std::string& output,
              std::string& messages) {
  fcntl(in.end(1), F_SETFL, O_NONBLOCK);
  while (out.end(0) >= 0 || errors.end(0) >= 0) {
    if (input.empty()) in.close_end(1);
    std::array<pollfd, 3> wait{
        {{in.end(1), POLLOUT, 0}, {out.end(0), POLLIN, 0}, {errors.end(0), POLLIN, 0}}};
    constexpr int patience_ms = 50;
    check_stop();
    if (poll(wait.data(), wait.size(), current_stop_signal() == nullptr ? -1 : patience_ms) < 0 &&
        errno != EINTR)
      return;
    if (wait[0].revents != 0) {
      const ssize_t written = ::write(in.end(1), input.data(), input.size());
      if (written >= 0) {
        input.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno != EAGAIN && errno != EINTR) {
        input = {};  // the program does not listen any more, and its messages say why
      }
    }
    if (wait[1].revents != 0 && !take(out.end(0), output)) out.close_end(0);
    if (wait[2].revents != 0 && !take(errors.end(0), messages)) errors.close_end(0);
  }
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

std::string run_filter(const std::vector<std::string>& command, std::string_view input) {
  Pipe in;
  Pipe out;
  Pipe errors;
  const pid_t child = start(command, in, out, errors);
  in.close_end(0);
  out.close_end(1);
  errors.close_end(1);
  std::string output;
  std::string messages;
  int status = 0;
  const auto wait = [&] {
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  };
  try {
    exchange(input, in, out, errors, output, messages);
  } catch (...) {
    kill(child, SIGKILL);
    wait();
    throw;
  }
  wait();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || output.empty()) {
    throw UnableError(fmt::format("{} failed: {}", command[0], quoted(last_line(messages), 200)), remedy);
  }
  return output;
}

}  // namespace countpm::app
