#include "tests/cli/run_binary.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tests/cli/programs.hpp"

namespace countpm::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "countpm-cli-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  return ends;
}

/// The program that is shipped, or, where it is to emulate GPUs, the tests' own.
const char* program_for(const Wiring& wiring) {
  const auto emulated = wiring.environment.find("COUNTPM_EMULATED_GPUS");
  return tested_program(emulated != wiring.environment.end() && emulated->second != "0");
}

void stay_on_one_core() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return;
  int first = 0;
  while (first < CPU_SETSIZE - 1 && !CPU_ISSET(first, &cores)) ++first;
  CPU_ZERO(&cores);
  CPU_SET(first, &cores);
  sched_setaffinity(0, sizeof cores, &cores);
}

[[noreturn]] void become(const std::vector<std::string>& arguments, const Wiring& wiring, int in, int out,
                         int err) {
  // A background job of a shell has SIGINT ignored; the program under test must not inherit that.
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) std::signal(number, SIG_DFL);
  for (const auto& [name, value] : wiring.environment) setenv(name.c_str(), value.c_str(), 1);
  if (!wiring.folder.empty() && chdir(wiring.folder.c_str()) != 0) _exit(127);
  if (wiring.one_core) stay_on_one_core();
  if (wiring.output_file) out = open(wiring.output_file->c_str(), O_WRONLY);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (wiring.close_output) close(STDOUT_FILENO);
  std::vector<char*> argv;
  for (const std::string& word : wiring.launcher) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(const_cast<char*>(program_for(wiring)));
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  _exit(127);
}

// Whether the process handles this signal, or blocks it for a thread that waits for it.
bool catches(pid_t process, int number) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  const unsigned place = static_cast<unsigned>(number) - 1;
  for (std::string line; std::getline(status, line);) {
    for (const std::string name : {"SigCgt:", "SigBlk:"})
      if (line.starts_with(name) && (std::stoull(line.substr(name.size()), nullptr, 16) >> place & 1U) != 0)
        return true;
  }
  return false;
}

// Moves what is ready; false once the stream has ended.
bool take(int descriptor, std::string& into) {
  std::array<char, 65536> buffer{};
  const ssize_t got = read(descriptor, buffer.data(), buffer.size());
  if (got <= 0) return false;
  into.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

}  // namespace

Outcome run(const std::vector<std::string>& arguments, const Wiring& wiring) {
  std::signal(SIGPIPE, SIG_IGN);
  const auto in = make_pipe();
  const auto out = make_pipe();
  const auto err = make_pipe();
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) become(arguments, wiring, in[0], out[1], err[1]);
  close(in[0]);
  close(out[1]);
  close(err[1]);
  fcntl(in[1], F_SETFL, O_NONBLOCK);

  Outcome outcome;
  std::size_t fed = 0;
  std::size_t sent = 0;
  std::optional<double>
      watched;  // since when the program watches for the first signal and has printed enough
  const auto wait_for = [&](int number) {
    return number == SIGINT || number == SIGTERM ? watched.value_or(patience) : 0;
  };
  std::array<pollfd, 3> streams{{{in[1], POLLOUT, 0}, {out[0], POLLIN, 0}, {err[0], POLLIN, 0}}};
  // A test that sends signals may want standard input to stay open.
  const bool hold_input = !wiring.signals.empty() && wiring.input.empty();
  if (hold_input) streams[0].fd = -1;
  while (streams[1].fd >= 0 || streams[2].fd >= 0) {
    poll(streams.data(), streams.size(), 20);
    if (!watched && sent < wiring.signals.size() && catches(child, wiring.signals[sent].second) &&
        std::count(outcome.out.begin(), outcome.out.end(), '\n') >= wiring.after_lines &&
        (wiring.after_file.empty() || fs::exists(wiring.after_file)))
      watched = elapsed();
    while (sent < wiring.signals.size() &&
           elapsed() >= wiring.signals[sent].first + wait_for(wiring.signals[sent].second))
      kill(child, wiring.signals[sent++].second);
    if (streams[0].fd >= 0 && (streams[0].revents != 0 || wiring.input.empty())) {
      const ssize_t wrote = fed == wiring.input.size()
                                ? -1
                                : write(in[1], wiring.input.data() + fed, wiring.input.size() - fed);
      if (wrote > 0) fed += static_cast<std::size_t>(wrote);
      if (fed == wiring.input.size() || (wrote < 0 && errno != EAGAIN)) {
        close(in[1]);
        streams[0].fd = -1;
      }
    }
    if (streams[1].fd >= 0 && streams[1].revents != 0 &&
        (!take(out[0], outcome.out) || (wiring.read_only && outcome.out.size() >= *wiring.read_only))) {
      close(out[0]);
      streams[1].fd = -1;
    }
    if (streams[2].fd >= 0 && streams[2].revents != 0 && !take(err[0], outcome.err)) {
      close(err[0]);
      streams[2].fd = -1;
    }
    if (elapsed() > 240) kill(child, SIGKILL);
  }
  if (hold_input || streams[0].fd >= 0) close(in[1]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.seconds = elapsed();
  for (const timeval& time : {usage.ru_utime, usage.ru_stime})
    outcome.cpu_seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  return outcome;
}

Outcome run_within(double seconds, std::vector<std::string> arguments, const Wiring& wiring) {
  constexpr double longest = 150;
  arguments.emplace_back("--time-limit");
  for (;; seconds *= 4) {
    std::vector<std::string> limited = arguments;
    limited.push_back(std::to_string(seconds) + "s");
    Outcome outcome = run(limited, wiring);
    const bool too_short = outcome.err.find("is over while ") != std::string::npos ||
                           outcome.err.find("is over before anything was counted") != std::string::npos;
    if (outcome.code != 3 || !too_short || seconds > longest) return outcome;
  }
}

Wiring feeding(std::string input) {
  Wiring wiring;
  wiring.input = std::move(input);
  return wiring;
}

Wiring in_locale(const std::string& name) {
  Wiring wiring;
  wiring.environment = {{"LC_ALL", name}, {"LANG", name}};
  return wiring;
}

std::string file_with(const std::string& text, const std::string& name) {
  static const Folder folder;
  static int number = 0;
  const fs::path inside = folder.path() / std::to_string(number++);
  fs::create_directory(inside);
  const fs::path path = inside / name;
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

std::string complete_bipartite(int n) {
  std::ostringstream text;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) text << 'l' << i << " r" << j << '\n';
  }
  return text.str();
}

std::string identity(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += 'l' + std::to_string(i) + " r" + std::to_string(i) + '\n';
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace countpm::test
