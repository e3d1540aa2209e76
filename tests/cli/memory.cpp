// Limits on memory and threads, from --memory-limit, ulimit and control groups: kept, said, and never a
// signal.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "apps/memory_limit.hpp"
#include "kernels/gpu/wake_gpu.hpp"
#include "src/machine/machine_limits.hpp"
#include "tests/cli/programs.hpp"
#include "tests/cli/run_binary.hpp"
#include "tests/repeats.hpp"

namespace countpm::test {
namespace {

namespace fs = std::filesystem;

/// Runs a command of the shell first, in the same process: ulimit.
Wiring after(const std::string& command) {
  Wiring wiring;
  wiring.launcher = {"bash", "-c", command + R"(; exec "$0" "$@")"};
  return wiring;
}

/// A file that inflates to `mebibytes` of `line`s.
std::string bomb(const std::string& name, const std::string& head, const std::string& line, int mebibytes) {
  std::string path = file_with("", name);
  gzFile const file = gzopen(path.c_str(), "wb1");
  gzwrite(file, head.data(), static_cast<unsigned>(head.size()));
  std::string block;
  while (block.size() < std::size_t{1} << 20U) block += line;
  for (int k = 0; k < mebibytes; ++k) gzwrite(file, block.data(), static_cast<unsigned>(block.size()));
  gzclose(file);
  return path;
}

/// What docs/limits.md says that the program itself takes beside the limit.
#ifdef COUNTPM_HAVE_CUDA
constexpr int own_mib = 20;
#else
constexpr int own_mib = 16;
#endif

struct Peak {
  int code = -1;
  double mib = 0;  // resident, as last seen before the end
};

/// What the program has resident at most: VmHWM, looked at every millisecond. (getrusage would tell this
/// program's own, which the other one had before it was executed.)
Peak peak_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), tested_program());
  const pid_t child = fork();
  if (child == 0) {
    const int null = open("/dev/null", O_RDWR);
    for (int descriptor = 0; descriptor < 3; ++descriptor) dup2(null, descriptor);
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  Peak peak;
  int status = 0;
  const std::string folder = "/proc/" + std::to_string(child);
  while (waitpid(child, &status, WNOHANG) == 0) {
    std::error_code gone;
    const bool started = fs::read_symlink(folder + "/exe", gone) == fs::path(tested_program());
    std::ifstream file(folder + "/status");
    for (std::string line; started && std::getline(file, line);) {
      if (line.starts_with("VmHWM:")) peak.mib = std::max(peak.mib, std::stod(line.substr(6)) / 1024);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  peak.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return peak;
}

TEST(Memory, IsWithinTheLimitAndTheProgramsOwn) {
  COUNTPM_NOT_SANITIZED("knows no limit of memory");
  const std::string text = [] {
    std::string lines;
    for (int k = 0; k < 400'000; ++k)
      lines += "l" + std::to_string(k) + " r" + std::to_string(k % 1000 + k / 1000) + "\n";
    return lines;
  }();
  const std::string large = file_with(text, "large.edgelist");
  const std::vector<std::pair<double, std::vector<std::string>>> runs{
      {64, {"explain", "lattice:square:400x400", "--time-limit", "3"}},
      {64, {"lattice:square:500x500", "--ln-z", "--time-limit", "3"}},
      {64, {"many", "lattice:square:100x100,400x400", "--time-limit", "3"}},
      {64, {"estimate", "lattice:square:60x60", "--time-limit", "1"}},
      {4, {"lattice:square:8x8", "--method", "pruned", "--threads", "16"}},
      {1, {"lattice:square:6x6"}},
      {4, {large, "--kind", "bipartite"}},
      {40, {"list", large, "--kind", "bipartite", "--number", "1"}},
      {64, {bomb("newlines.edgelist.gz", "", "\n", 160)}},
      {64, {bomb("long.dot.gz", "graph {\n", "a -- b;\n", 160)}},
      {8, {file_with(":~~?C????", "claim.s6")}},
      {8,
       {file_with("%%MatrixMarket matrix coordinate pattern general\n4000000000 4000000000 1\n1 1\n",
                  "c.mtx")}},
  };
  for (const auto& [mib, arguments] : runs) {
    std::vector<std::string> with_limit = arguments;
    with_limit.insert(with_limit.end(), {"--memory-limit", std::to_string(static_cast<int>(mib)) + "M"});
    const Peak peak = peak_of(with_limit);
    EXPECT_TRUE(peak.code == 0 || peak.code == 2 || peak.code == 3) << arguments[0] << ": " << peak.code;
    EXPECT_LE(peak.mib, mib + own_mib) << arguments[0] << " " << arguments.back();
  }
}

TEST(Memory, RunningOutOfItSaysWhatTheLimitIs) {
  COUNTPM_NOT_SANITIZED("knows no limit of memory");
  const Outcome outcome = run({bomb("newlines.edgelist.gz", "", "\n", 60), "--memory-limit", "20M"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(
      outcome.err.find(fmt::format("the limit is 20 MiB, beside {} MiB for the program itself", own_mib)),
      std::string::npos)
      << outcome.err;
}

TEST(Memory, RunningOutOfItWithinGmpIsNoAbort) {
  COUNTPM_NOT_SANITIZED("knows no limit of memory");
  const std::string lines = [] {
    std::string text;
    constexpr int rows = 40;
    for (int row = 0; row < rows; ++row) {
      for (const int step : {0, 1, 2, 5}) {
        const int digits = 1'000'000 + (row * 7919 + step * 104'729) % 1'000'003;
        text += fmt::format("r{} c{} 1{:040}\n", row, (row + step * (1 + row % 3)) % rows, digits);
      }
    }
    return text;
  }();
  const std::string file = file_with(lines, "large_weights.edgelist");
  // Where it runs out depends on the threads and on the library: somewhere between these limits it is within
  // GMP.
  for (const std::string threads : {"1", "2"}) {
    for (const int limit : {500'000, 800'000, 900'000, 1'000'000, 1'100'000, 1'300'000, 1'500'000}) {
      const Outcome outcome = run({file, "--kind", "bipartite", "--weights", "--method", "pruned",
                                   "--threads", threads, "--memory-limit", std::to_string(limit)});
      SCOPED_TRACE(threads + " threads within " + std::to_string(limit) + ": " + outcome.err);
      EXPECT_TRUE(outcome.code == 3 || (outcome.code == 0 && limit > 500'000)) << outcome.code;
      EXPECT_EQ(outcome.code == 3, outcome.err.find("out of memory") != std::string::npos);
    }
  }
}

/// What `work` returns, in a process of its own, whose limits go with it.
template <class Work>
int apart(const Work& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A file in /dev that NVIDIA's driver makes gave every program that room, also without CUDA: 778 MiB were
// resident at a limit of 8 MiB.
TEST(Memory, RoomForTheDriverIsThereOnceItStarts) {
  const auto room = [] {
    rlimit now{};
    getrlimit(RLIMIT_DATA, &now);
    return now.rlim_cur;
  };
  const auto mebibytes = [](std::uint64_t number) { return number << 20U; };
  if (available_memory().bytes < mebibytes(2048)) GTEST_SKIP() << "less than 2 GiB are free here";
  CountOptions options;
  options.memory_limit_bytes = mebibytes(8);
  EXPECT_EQ(apart([&] {
              const std::uint64_t stack = thread_stack_bytes();
              app::apply_memory_limit(options);
              const std::uint64_t before = room();
              if (before > data_bytes() + mebibytes(8 + 16)) return 1;
              if (thread_stack_bytes() > stack || thread_stack_bytes() > mebibytes(1)) return 2;
              announce_driver();
              if (room() < before + mebibytes(1024)) return 3;
              if (thread_stack_bytes() != stack) return 4;
              const std::uint64_t after = room();
              announce_driver();
              return room() == after ? 0 : 5;
            }),
            0);
  // No more than there is.
  options.memory_limit_bytes = 0;
  EXPECT_EQ(apart([&] {
              app::apply_memory_limit(options);
              const std::uint64_t before = room();
              announce_driver();
              return room() == before ? 0 : 1;
            }),
            0);
}

TEST(Memory, LongDotEndsAsSoonAsItIsTooLong) {
  COUNTPM_NOT_SANITIZED("knows no limit of memory");
  const Outcome outcome = run({bomb("long.dot.gz", "graph {\n", "a -- b;\n", 160), "--memory-limit", "130M"});
  EXPECT_EQ(outcome.code, 2) << "160 MiB would not have fitted: " << outcome.err;
  EXPECT_NE(outcome.err.find("at most 64 MiB of DOT"), std::string::npos) << outcome.err;
}

TEST(Memory, UlimitsOnMemoryEndInExit3) {
  COUNTPM_NOT_SANITIZED("knows no limit of memory");
  const std::string newlines = bomb("newlines.edgelist.gz", "", "\n", 220);
  for (const char* limit : {"ulimit -v 250000", "ulimit -d 100000"}) {
    const Outcome bombed = run({newlines}, after(limit));
    EXPECT_EQ(bombed.code, 3) << bombed.err;
    EXPECT_NE(bombed.err.find("out of memory"), std::string::npos) << bombed.err;
    EXPECT_NE(bombed.err.find(std::string(limit).substr(0, 9)), std::string::npos) << bombed.err;
    const Outcome fine = run({"lattice:square:8x8"}, after(limit));
    EXPECT_EQ(fine.out, "12988816\n") << fine.err;
  }
}

TEST(Memory, ManyThreadsUnderUlimitV) {
  COUNTPM_NOT_SANITIZED("knows no limit of memory");
  // Stacks of 8 MiB, or arenas of malloc, would not fit.
  const Outcome outcome = run({"lattice:square:12x12", "--method", "frontier", "--threads", "200", "--json"},
                              after("ulimit -v 400000"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("53060477521960000"), std::string::npos);
  const Outcome tight = run({"lattice:square:12x12", "--method", "frontier", "--threads", "200", "--json"},
                            after("ulimit -v 150000"));
  EXPECT_TRUE(tight.code == 0 || tight.code == 3) << tight.code << tight.err;
}

/// A control group of this test's own; its folder is empty where none can be made.
class Group {
 public:
  explicit Group(std::uint64_t mebibytes) {
    const std::string name = "/countpm-test-" + std::to_string(getpid());
    const std::string limit = std::to_string(mebibytes << 20U);
    for (const auto& [parent, file] :
         {std::pair<std::string, std::string>{"/sys/fs/cgroup/memory" + own(":memory:"),
                                              "/memory.limit_in_bytes"},
          {"/sys/fs/cgroup" + own("0::"), "/memory.max"}}) {
      std::error_code error;
      if (!fs::create_directory(parent + name, error)) continue;
      folder_ = parent + name;
      std::ofstream out(folder_ + file);
      out << limit << std::flush;
      if (out && fs::exists(folder_ + "/cgroup.procs")) return;
      fs::remove(folder_, error);
      folder_.clear();
    }
  }
  ~Group() {
    for (int k = 0; k < 100 && !folder_.empty() && rmdir(folder_.c_str()) != 0; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  bool made() const { return !folder_.empty(); }
  Wiring inside() const { return after("echo $$ > " + folder_ + "/cgroup.procs"); }

 private:
  /// Where this process is, by the line of /proc/self/cgroup that holds `mark`.
  static std::string own(const std::string& mark) {
    std::ifstream file("/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
      const std::size_t at = line.find(mark);
      if (at != std::string::npos && line != mark + "/") return line.substr(at + mark.size());
    }
    return {};
  }
  std::string folder_;
};

TEST(Memory, AControlGroupsLimitIsNeverTheKernelsToEnforce) {
  COUNTPM_NOT_SANITIZED("knows no limit of memory");
  const Group group(60);
  if (!group.made()) GTEST_SKIP() << "no control group with a memory limit can be made here";
  const std::vector<std::vector<std::string>> runs{
      {bomb("newlines.edgelist.gz", "", "\n", 160)},
      {"lattice:square:1000x1000"},
      {"lattice:square:90x90", "--method", "condensation", "--time-limit", "20"},
      {"lattice:square:40x40", "--method", "frontier", "--time-limit", "20"},
      {"explain", "lattice:square:600x600", "--memory-limit", "1G"},
  };
  for (const std::vector<std::string>& arguments : runs) {
    const Outcome outcome = run(arguments, group.inside());
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 3)
        << arguments[0] << ": " << outcome.code << outcome.err;
  }
  const Outcome bombed = run(runs[0], group.inside());
  EXPECT_EQ(bombed.code, 3);
  EXPECT_NE(bombed.err.find("control group"), std::string::npos) << bombed.err;
  EXPECT_EQ(run({"lattice:square:8x8"}, group.inside()).out, "12988816\n");
}

TEST(Threads, AreCappedWhateverOmpNumThreadsSays) {
  Wiring wiring;
  wiring.environment["OMP_NUM_THREADS"] = "100000";
  const Outcome outcome =
      run({file_with(complete_bipartite(11)), "--no-rule", "twins", "--method", "codegen", "--json"}, wiring);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("of 100000 threads"), std::string::npos) << outcome.out;
}

TEST(Threads, ThatCannotBeStartedAreDoneWithoutOrRefused) {
  COUNTPM_NOT_SANITIZED("starts a thread of its own");
  // Limits on processes do not hold for root, and count all processes of a user: it takes one of its own.
  if (geteuid() != 0) GTEST_SKIP() << "another user's processes cannot be started here";
  const std::string user = std::to_string(1'000'000 + getpid());
  const std::vector<std::string> become{"setpriv", "--reuid", user, "--regid", user, "--clear-groups"};
  // By a shell, as below: setpriv's own call may have more rights than what it starts.
  Wiring other = after("true");
  other.launcher.insert(other.launcher.begin(), become.begin(), become.end());
  if (run({"version"}, other).code != 0) GTEST_SKIP() << "another user cannot run the program here";
  for (const int processes : {1, 2, 3, 5, 8, 20}) {
    Wiring limited = after("ulimit -u " + std::to_string(processes));
    limited.launcher.insert(limited.launcher.begin(), become.begin(), become.end());
    const Outcome outcome =
        run({"lattice:square:12x12", "--method", "frontier", "--threads", "8", "--json"}, limited);
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 3) << processes << ": " << outcome.code << outcome.err;
    const bool refused = outcome.err.find("starts no more threads") != std::string::npos;
    EXPECT_EQ(refused, outcome.code == 3) << outcome.err;
    const bool fewer = outcome.out.find("of 8 threads: the system starts no more") != std::string::npos;
    if (processes == 1) {
      EXPECT_TRUE(refused) << outcome.err;
    } else if (processes == 8) {
      EXPECT_TRUE(fewer) << outcome.out;
    } else if (processes == 20) {
      EXPECT_FALSE(fewer) << outcome.out;
    }
  }
}

TEST(Threads, AsManyAsFitTheMemoryAreTaken) {
  const std::vector<std::string> input{"lattice:square:12x12", "--method", "frontier"};
  const auto with = [&](const std::string& command, std::vector<std::string> more) {
    std::vector<std::string> arguments{command};
    arguments.insert(arguments.end(), input.begin(), input.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  const auto explained = nlohmann::json::parse(with("explain", {"--threads", "1", "--json"}).out);
  std::uint64_t each = 0;
  for (const auto& method : explained["blocks"][0]["methods"]) {
    if (method["method"] == "frontier") each = method["memory_bytes"];
  }
  ASSERT_GT(each, 100'000U);
  // Some of the limit is kept for what is not in the plan; the sanitizer knows no limits.
  const std::string limit = std::to_string(each * (testing::sanitized ? 7 : 10) / 2);
  const Outcome many = with("count", {"--threads", "4", "--memory-limit", limit, "--json"});
  EXPECT_EQ(many.code, 0) << many.err;
  // Their tables, or their stacks.
  EXPECT_NE(many.out.find("3 of 4 threads: "), std::string::npos) << many.out;

  // What was planned on one thread, in no more than that needs, is gone on with on any number.
  const std::string parts = file_with("", "parts");
  const std::string tight = std::to_string(each + 1000);
  ASSERT_EQ(with("split", {"--parts", "1", "--threads", "1", "--memory-limit", tight, "-o", parts}).code, 0);
  for (const char* threads : {"1", "3", "8"}) {
    const std::string part = parts + "-1.part";
    const std::string copy = file_with("", "copy.part");
    std::filesystem::copy_file(part, copy, std::filesystem::copy_options::overwrite_existing);
    const Outcome resumed = run({"resume", copy, "--threads", threads, "--memory-limit", tight});
    EXPECT_EQ(resumed.code, 0) << threads << resumed.err;
  }
}

// The nodes of many threads' walks lie on pages that go back: malloc's arenas took 1.5 MiB a thread for 0.4.
TEST(Memory, OfShiftIsAsPredictedOnManyThreads) {
  std::string text;
  std::uint64_t state = 1;
  for (int i = 0; i < 34; ++i) {
    for (int j = 0; j < 34; ++j) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      text += i == j || state >> 33 < (std::uint64_t{3} << 31) / 10 ? "1 " : "0 ";
    }
    text += '\n';
  }
  const Outcome outcome =
      run({file_with(text, "m.dense"), "--method", "pruned", "--threads", "64", "--memory-limit", "32M"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

}  // namespace
}  // namespace countpm::test
