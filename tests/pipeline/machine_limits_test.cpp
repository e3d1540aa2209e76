// What the machine allows, from made-up /proc and /sys files, and from limits that are real.
#include "src/machine/machine_limits.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "graph/errors.hpp"
#include "src/machine/resources.hpp"
#include "src/machine/startable_threads.hpp"

namespace countpm {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mib = std::uint64_t{1} << 20U;
constexpr const char* no_limit_1 = "9223372036854771712\n";

/// A folder with files as /proc and /sys have them; a machine with 8 GiB available.
class Machine {
 public:
  Machine() {
    std::string pattern = (fs::temp_directory_path() / "countpm-machine-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    root_ = pattern;
    put("/proc/meminfo",
        "MemTotal:       16777216 kB\nMemFree:         1048576 kB\nMemAvailable:    8388608 kB\n");
  }
  ~Machine() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  void put(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  /// A group of version 2.
  void put_group(const std::string& path, const std::string& limit, std::uint64_t used,
                 std::uint64_t reclaimable = 0) const {
    put(path + "/memory.max", limit + "\n");
    put(path + "/memory.high", "max\n");
    put(path + "/memory.current", std::to_string(used) + "\n");
    put(path + "/memory.stat",
        "anon 4096\nfile 8192\ninactive_file " + std::to_string(reclaimable) + "\nactive_file 4096\n");
  }
  void mount_2(const std::string& top = "/") const {
    put("/proc/self/mountinfo",
        "24 1 0:22 / /proc rw,relatime shared:5 - proc proc rw\n"
        "30 23 0:26 " +
            top + " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  }
  void mount_1() const {
    put("/proc/self/mountinfo",
        "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
        "36 31 0:33 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n");
  }
  const std::string& root() const { return root_; }
  std::uint64_t memory() const { return available_memory(root_).bytes; }
  std::string source() const { return available_memory(root_).source; }

 private:
  std::string root_;
};

/// A variable of the environment, for a test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (value == nullptr) {
      unsetenv(name);
    } else {
      setenv(name, value, 1);
    }
  }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

/// A soft limit, for a test.
class SoftLimit {
 public:
  SoftLimit(__rlimit_resource kind, std::uint64_t bytes) : kind_(kind) {
    getrlimit(kind_, &before_);
    rlimit now = before_;
    now.rlim_cur = bytes;
    setrlimit(kind_, &now);
  }
  ~SoftLimit() { setrlimit(kind_, &before_); }
  SoftLimit(const SoftLimit&) = delete;
  SoftLimit& operator=(const SoftLimit&) = delete;

 private:
  __rlimit_resource kind_;
  rlimit before_{};
};

TEST(MachineLimits, WithoutGroupsTheMachinesMemoryCounts) {
  const Machine machine;
  EXPECT_EQ(machine.memory(), 8192 * mib);
  EXPECT_EQ(machine.source(), "the machine's available memory");
  EXPECT_FALSE(core_quota(machine.root()));
}

TEST(MachineLimits, NothingIsKnownOfAMachineWithoutFiles) {
  EXPECT_EQ(available_memory("/nowhere").bytes, room_in_limits("/nowhere").bytes);
}

TEST(MachineLimits, AGroupOfVersion2) {
  const Machine machine;
  machine.mount_2();
  machine.put("/proc/self/cgroup", "0::/job/task\n");
  machine.put_group("/sys/fs/cgroup/job/task", "max", 10 * mib);
  EXPECT_EQ(machine.memory(), 8192 * mib);
  machine.put_group("/sys/fs/cgroup/job/task", std::to_string(100 * mib), 70 * mib, 20 * mib);
  EXPECT_EQ(machine.memory(), 50 * mib) << "100 less 70, of which 20 can be taken back";
  EXPECT_NE(machine.source().find("/job/task/memory.max"), std::string::npos) << machine.source();
  machine.put("/sys/fs/cgroup/job/task/memory.high", std::to_string(90 * mib));
  EXPECT_EQ(machine.memory(), 40 * mib);
  machine.put_group("/sys/fs/cgroup/job/task", std::to_string(100 * mib), 120 * mib);
  EXPECT_EQ(machine.memory(), 0U);
}

TEST(MachineLimits, GroupsAboveLimitToo) {
  const Machine machine;
  machine.mount_2();
  machine.put("/proc/self/cgroup", "0::/job/step/task\n");
  machine.put_group("/sys/fs/cgroup/job/step/task", std::to_string(500 * mib), mib);
  machine.put_group("/sys/fs/cgroup/job", std::to_string(300 * mib), 100 * mib);
  EXPECT_EQ(machine.memory(), 200 * mib);
  machine.put_group("/sys/fs/cgroup", std::to_string(150 * mib), 100 * mib);
  EXPECT_EQ(machine.memory(), 50 * mib);
}

TEST(MachineLimits, AContainerSeesItsOwnGroupAsTheMount) {
  const Machine machine;
  machine.put_group("/sys/fs/cgroup", std::to_string(64 * mib), 4 * mib);
  machine.mount_2("/docker/abc");  // no namespace: the path is the host's
  machine.put("/proc/self/cgroup", "0::/docker/abc\n");
  EXPECT_EQ(machine.memory(), 60 * mib);
  machine.put("/proc/self/cgroup", "0::/docker/abcdef\n");  // not below what is mounted
  EXPECT_EQ(machine.memory(), 60 * mib);
  machine.mount_2();  // a namespace, joined from outside
  machine.put("/proc/self/cgroup", "0::/../other\n");
  EXPECT_EQ(machine.memory(), 60 * mib);
}

TEST(MachineLimits, AGroupOfVersion1) {
  const Machine machine;
  machine.mount_1();
  machine.put("/proc/self/cgroup", "9:cpu,cpuacct:/slurm\n4:memory:/slurm/job\n0::/\n");
  const std::string at = "/sys/fs/cgroup/memory/slurm/job/memory.";
  machine.put(at + "limit_in_bytes", no_limit_1);
  machine.put(at + "usage_in_bytes", std::to_string(80 * mib));
  EXPECT_EQ(machine.memory(), 8192 * mib);
  machine.put(at + "limit_in_bytes", std::to_string(200 * mib));
  EXPECT_EQ(machine.memory(), 120 * mib);
  machine.put(at + "stat", "cache 1\ninactive_file 7\ntotal_inactive_file " + std::to_string(30 * mib));
  EXPECT_EQ(machine.memory(), 150 * mib);
  machine.put("/sys/fs/cgroup/memory/slurm/memory.limit_in_bytes", std::to_string(100 * mib));
  machine.put("/sys/fs/cgroup/memory/slurm/memory.usage_in_bytes", std::to_string(90 * mib));
  EXPECT_EQ(machine.memory(), 10 * mib);
}

TEST(MachineLimits, Quotas) {
  const Machine machine;
  machine.mount_2();
  machine.put("/proc/self/cgroup", "0::/a/b\n");
  machine.put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  EXPECT_FALSE(core_quota(machine.root()));
  machine.put("/sys/fs/cgroup/a/b/cpu.max", "250000 100000\n");
  EXPECT_EQ(core_quota(machine.root()), 3) << "two and a half";
  machine.put("/sys/fs/cgroup/a/cpu.max", "50000 100000\n");
  EXPECT_EQ(core_quota(machine.root()), 1);
  EXPECT_EQ(available_cores(machine.root()), 1);

  const Machine older;
  older.mount_1();
  older.put("/proc/self/cgroup", "9:cpu,cpuacct:/slurm\n4:memory:/slurm\n");
  older.put("/sys/fs/cgroup/cpu,cpuacct/slurm/cpu.cfs_period_us", "100000\n");
  older.put("/sys/fs/cgroup/cpu,cpuacct/slurm/cpu.cfs_quota_us", "-1\n");
  EXPECT_FALSE(core_quota(older.root()));
  older.put("/sys/fs/cgroup/cpu,cpuacct/slurm/cpu.cfs_quota_us", "400000\n");
  EXPECT_EQ(core_quota(older.root()), 4);
}

TEST(MachineLimits, Slurm) {
  const Machine machine;
  {
    const Variable node("SLURM_MEM_PER_NODE", "1000");
    EXPECT_EQ(machine.memory(), 1000 * mib);
    EXPECT_EQ(machine.source(), "Slurm's SLURM_MEM_PER_NODE");
    machine.put("/proc/self/statm", "9000 256 100 5 0 300 0\n");  // 256 pages are resident
    EXPECT_EQ(machine.memory(), 1000 * mib - 256 * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
  }
  machine.put("/proc/self/statm", "0 0 0 0 0 0 0\n");
  const Variable all("SLURM_MEM_PER_NODE", "0");
  EXPECT_EQ(machine.memory(), 8192 * mib);
  const Variable core("SLURM_MEM_PER_CPU", "300");
  const Variable cores("SLURM_CPUS_ON_NODE", "3");
  EXPECT_EQ(machine.memory(), 900 * mib);
  const Variable task("SLURM_CPUS_PER_TASK", "1");
  EXPECT_EQ(available_cores(machine.root()), 1);
}

#ifndef COUNTPM_SANITIZED  // whose shadow memory is beyond any limit
TEST(MachineLimits, UlimitsLessWhatIsMapped) {
  const std::uint64_t data = data_bytes();
  ASSERT_GT(data, 0U);
  {
    const SoftLimit limit(RLIMIT_DATA, data + 50 * mib);
    const MemoryRoom room = room_in_limits();
    EXPECT_LE(room.bytes, 51 * mib);
    EXPECT_GE(room.bytes, 40 * mib);
    EXPECT_EQ(room.source, "ulimit -d");
    EXPECT_LE(available_memory().bytes, 51 * mib);
    CountOptions options;
    options.threads = 1;
    EXPECT_LE(resources_for(options).memory_bytes, 48 * mib) << "less a part for what is not planned";
  }
  const Machine machine;  // says that nothing is mapped
  machine.put("/proc/self/statm", "0 0 0 0 0 0 0\n");
  const SoftLimit limit(RLIMIT_AS, std::uint64_t{1} << 40U);
  EXPECT_EQ(room_in_limits(machine.root()).bytes, std::uint64_t{1} << 40U);
  EXPECT_EQ(room_in_limits(machine.root()).source, "ulimit -v");
}

TEST(Resources, StacksTakeNoMoreThanAQuarterOfWhatIsLeft) {
  const SoftLimit limit(RLIMIT_DATA, data_bytes() + 12 * thread_stack_bytes());
  CountOptions options;
  options.threads = 64;
  const Resources resources = resources_for(options);
  EXPECT_LE(resources.threads, 4);
  ASSERT_FALSE(resources.notes.empty()) << "and perhaps one about the cores that there are";
  EXPECT_NE(resources.notes[0].find("of 64 threads"), std::string::npos) << resources.notes[0];
}

TEST(StartableThreads, AreNoMoreThanMemoryForTheirStacks) {
  const SoftLimit limit(RLIMIT_DATA, data_bytes() + 40 * thread_stack_bytes());
  const int threads = try_threads(900);
  EXPECT_GE(threads, 20);
  EXPECT_LE(threads, 130) << "some stacks are kept by the C library";
}
#endif

TEST(StartableThreads, AreAllWhereNothingForbidsThem) {
  EXPECT_EQ(startable_threads(1), 1);
  EXPECT_EQ(startable_threads(20), 20);
}

TEST(Resources, NeverMoreThanTheMostThreads) {
  CountOptions options;
  options.threads = 100'000;
  const Resources resources = resources_for(options);
  EXPECT_LE(resources.threads, most_threads);
  EXPECT_FALSE(resources.notes.empty());
}

TEST(Resources, FitThreadsToTheMemory) {
  Resources resources;
  resources.threads = 8;
  resources.memory_bytes = 1000;
  std::vector<std::string> notes;
  EXPECT_TRUE(fit_threads(125, resources, notes));
  EXPECT_EQ(resources.threads, 8);
  EXPECT_TRUE(notes.empty());
  EXPECT_TRUE(fit_threads(300, resources, notes));
  EXPECT_EQ(resources.threads, 3);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0], "3 of 8 threads: more do not fit the 1000 B of memory");
  EXPECT_FALSE(fit_threads(1001, resources, notes));
}

}  // namespace
}  // namespace countpm
