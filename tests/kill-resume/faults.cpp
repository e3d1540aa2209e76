// Disks that fail while a count writes its checkpoint: the count is right, and the checkpoint whole or said
// not to be.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include "tests/cli/programs.hpp"
#include "tests/file_text.hpp"
#include "tests/kill-resume/resuming.hpp"

namespace countpm::test {
namespace {

struct Fault {
  const char* call;
  int error;
  int first;
  int times;
};

Wiring with_fault(const Fault& fault, const std::string& file) {
  Wiring wiring;
  wiring.environment = {
      {"LD_PRELOAD", COUNTPM_DISK_FAULTS},
      {"COUNTPM_FAULT_FILE", file},
      {"COUNTPM_FAULT", std::string(fault.call) + ":" + std::to_string(fault.error) + ":" +
                            std::to_string(fault.first) + ":" + std::to_string(fault.times)}};
  return wiring;
}

class Faults : public ::testing::Test {
 protected:
  void SetUp() override { COUNTPM_NOT_SANITIZED("takes no preloaded library"); }
  const Job job_{"sparyser", 27, 40, {"--threads", "2"}};
};
using LongFaults = Faults;  // in the long set

TEST_F(Faults, AtTheStartAreSaidAndNothingIsLeft) {
  for (const Fault& fault : {Fault{"write", ENOSPC, 1, 1}, Fault{"write", EIO, 1, 1},
                             Fault{"fsync", EIO, 1, 1}, Fault{"rename", EROFS, 1, 1}}) {
    Resuming resuming(job_);
    const Outcome outcome = run(resuming.session(), with_fault(fault, "journal"));
    EXPECT_EQ(outcome.code, 3) << fault.call << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("checkpoint cannot be written"), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(resuming.file()));
    // The input alone.
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(resuming.folder()), {}), 1);
  }
}

/// A number that is there is shown again, whatever the disk is like by now.
TEST_F(Faults, WhatIsDoneNeedsNoDisk) {
  Resuming resuming({"sparyser", 20, 40});
  const Outcome whole = run(resuming.session());
  ASSERT_EQ(whole.code, 0) << whole.err;
  for (const Fault& fault : {Fault{"write", ENOSPC, 1, 100000}, Fault{"open", EROFS, 1, 100000},
                             Fault{"open", EACCES, 1, 100000}, Fault{"fsync", EIO, 1, 100000}}) {
    const Outcome again = run({"resume", resuming.file()}, with_fault(fault, "journal"));
    EXPECT_EQ(again.code, 0) << fault.call << again.err;
    EXPECT_EQ(again.out, whole.out);
  }
  // What is not done does: without its last line the count is not there.
  Journal journal = read_journal(resuming.file());
  std::ofstream(resuming.file(), std::ios::binary) << header_lines(journal.header);
  const Outcome refused = run({"resume", resuming.file()}, with_fault({"open", EROFS, 1, 100000}, "journal"));
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_NE(refused.err.find("can be read and written"), std::string::npos) << refused.err;
}

/// Whose journal is behind at the end is told so last, and in the result's notes.
TEST_F(Faults, AnEndThatTheJournalDoesNotHaveIsSaid) {
  Resuming resuming({"sparyser", 22, 40});
  std::vector<std::string> arguments = resuming.session();
  arguments.emplace_back("--report");
  const Outcome outcome = run(arguments, with_fault({"write", ENOSPC, 3, 100000}, "journal"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string said = "the checkpoint " + resuming.file() + " could not be written to the end";
  EXPECT_NE(outcome.err.find("countpm: all is done, but " + said), std::string::npos) << outcome.err;
  EXPECT_GT(outcome.err.find("\nnote        the checkpoint "), outcome.err.find("\ntime "));
  EXPECT_EQ(run({"resume", resuming.file()}).out, outcome.out);
}

/// A batch system's limit on the size of files ends no count, and leaves nothing half.
TEST_F(Faults, ALimitOnTheSizeOfFiles) {
  Resuming resuming({"sparyser", 24, 40, {"--threads", "2"}});
  const Outcome whole = run(resuming.uninterrupted());
  Wiring limited;
  limited.launcher = {"/bin/sh", "-c", "ulimit -f 2; exec \"$0\" \"$@\""};
  const Outcome outcome = run(resuming.session(), limited);
  EXPECT_EQ(outcome.code, 0) << outcome.code << outcome.err;
  EXPECT_EQ(outcome.out, whole.out);
  EXPECT_NE(outcome.err.find("File too large"), std::string::npos) << outcome.err;
  resuming.expect_nothing_lost();
  EXPECT_EQ(run({"resume", resuming.file()}).out, whole.out);
  // From the start there is no room for a header.
  limited.launcher[2].replace(limited.launcher[2].find('2'), 1, "0");
  const std::string other = (resuming.folder() / "other").string();
  EXPECT_EQ(run({resuming.input(), "--checkpoint", other}, limited).code, 3);
  EXPECT_EQ(run({"sample", "lattice:square:20x20", "--svg", other}, limited).code, 1);
  EXPECT_EQ(run({"split", resuming.input(), "-o", other}, limited).code, 3);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(resuming.folder()), {}), 2);
}

/// Where the file system neither swaps names nor looks for itself whether one is free (NFS).
TEST_F(Faults, AFileSystemWithoutSwaps) {
  Resuming resuming({"sparyser", 20, 40});
  const Wiring plain = with_fault({"swap", EINVAL, 1, 100000}, "journal");
  const Outcome whole = run(resuming.session(), plain);
  ASSERT_EQ(whole.code, 0) << whole.err;
  const Journal journal = read_journal(resuming.file());
  EXPECT_EQ(journal.progress.count + "\n", whole.out);
  // One that is not done is written anew, over itself.
  std::ofstream(resuming.file(), std::ios::binary) << header_lines(journal.header);
  EXPECT_EQ(run({"resume", resuming.file()}, plain).out, whole.out);
  EXPECT_EQ(read_journal(resuming.file()).progress.count, journal.progress.count);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(resuming.folder()), {}), 2);
}

/// Where the file system has no nameless files a picture is made all the same, whole, and alone.
TEST_F(Faults, APictureWithoutNamelessFiles) {
  Resuming resuming(job_);
  const std::string file = (resuming.folder() / "a.svg").string();
  const std::vector<std::string> arguments{"sample", "lattice:aztec:5", "--svg", file, "--overwrite"};
  ASSERT_EQ(run(arguments).code, 0);
  const std::string expected = testing::file_text(file);
  const std::string folder = resuming.folder().filename().string();
  for (const bool there : {true, false}) {
    if (!there) std::filesystem::remove(file);
    const Outcome outcome = run(arguments, with_fault({"open", EOPNOTSUPP, 1, 1}, folder));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(testing::file_text(file), expected);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(resuming.folder()), {}), 2);
  }
  // Nor is there room for any file.
  const Outcome refused = run(arguments, with_fault({"open", ENOSPC, 1, 100}, folder));
  EXPECT_EQ(refused.code, 1);
  EXPECT_EQ(refused.out, "");
}

TEST_F(LongFaults, InTheMiddleNeverChangeTheNumberAndPass) {
  Resuming resuming(job_);
  const Outcome whole = run(resuming.uninterrupted());
  ASSERT_EQ(whole.code, 0);
  for (const Fault& fault :
       {Fault{"write", ENOSPC, 4, 2}, Fault{"write", EIO, 5, 1}, Fault{"fsync", EIO, 2, 1},
        Fault{"write", ENOSPC, 3, 100000}, Fault{"fsync", EIO, 2, 100000}}) {
    resuming.start_again();
    const Outcome outcome = run(resuming.session(), with_fault(fault, "journal"));
    EXPECT_EQ(outcome.code, 0) << fault.call << outcome.err;
    EXPECT_EQ(outcome.out, whole.out) << fault.call;
    EXPECT_NE(outcome.err.find("counting goes on"), std::string::npos) << fault.call << outcome.err;
    // What is there is whole, or ends in one torn line.
    resuming.expect_nothing_lost();
    const Outcome again = run({"resume", resuming.file()});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(again.out, whole.out);
  }
}

TEST_F(Faults, AFullDiskAtAnInterruptionIsSaid) {
  Resuming resuming(job_);
  const Outcome whole = run(resuming.uninterrupted());
  Wiring wiring = with_fault({"write", ENOSPC, 3, 100000}, "journal");
  wiring.signals = {{std::max(0.3, whole.seconds / 2), SIGTERM}};
  const Outcome outcome = run(resuming.session(), wiring);
  if (outcome.code == 128 + SIGTERM) {
    EXPECT_NE(outcome.err.find("is lost"), std::string::npos) << outcome.err;
  }
  resuming.expect_nothing_lost();
  const Outcome again = run({"resume", resuming.file()});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out, whole.out);
}

TEST_F(Faults, AFolderThatCannotBeWritten) {
  Resuming resuming(job_);
  for (const char* file : {"/proc/journal", "/nonexistent/journal", "/dev/null/journal"}) {
    const Outcome outcome = run({resuming.input(), "--checkpoint", file});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(std::string("cannot write to ") + file), std::string::npos) << outcome.err;
  }
}

/// The folder is renamed away in the middle: as a file system that is gone.
TEST_F(Faults, AFolderThatVanishes) {
  Resuming resuming({"sparyser", 26, 40, {"--threads", "2"}});
  const Outcome whole = run(resuming.uninterrupted());
  const std::filesystem::path folder = resuming.folder() / "gone";
  std::filesystem::create_directories(folder);
  std::vector<std::string> arguments = resuming.uninterrupted();
  arguments.insert(arguments.end(), {"--checkpoint", (folder / "journal").string()});
  std::thread mover([&] {
    for (int k = 0; k < 2000 && !std::filesystem::exists(folder / "journal"); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::error_code ignored;
    std::filesystem::rename(folder, resuming.folder() / "elsewhere", ignored);
  });
  const Outcome outcome = run(arguments);
  mover.join();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, whole.out);
}

/// Two processes on one checkpoint: the second is refused, the first goes on.
TEST_F(Faults, OneProcessAtATime) {
  Resuming resuming(job_);
  Wiring wiring;
  for (double seconds = 0.5; seconds < 60 && !std::filesystem::exists(resuming.file()); seconds *= 2) {
    wiring.signals = {{seconds, SIGTERM}};  // before the first unit there is no file
    run(resuming.session(), wiring);
  }
  ASSERT_TRUE(std::filesystem::exists(resuming.file()));
  const int descriptor = open(resuming.file().c_str(), O_RDWR);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(flock(descriptor, LOCK_EX), 0);
  const Outcome refused = run({"resume", resuming.file()});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("another countpm"), std::string::npos) << refused.err;
  close(descriptor);
  EXPECT_EQ(run({"resume", resuming.file()}).code, 0);
}

TEST_F(Faults, StoppedAndContinued) {
  Resuming resuming({"sparyser", 26, 40});
  const Outcome whole = run(resuming.uninterrupted());
  Wiring wiring;
  wiring.signals = {{0.1, SIGSTOP}, {1.0, SIGCONT}, {1.1, SIGSTOP}, {1.5, SIGCONT}};
  const Outcome outcome = run(resuming.session(), wiring);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, whole.out);
  resuming.expect_nothing_lost();
}

/// Someone sets the wall clock, forwards, backwards and to 1970, while a count runs, is interrupted and goes
/// on.
TEST_F(Faults, AClockThatJumps) {
  Resuming resuming({"sparyser", 24, 40, {"--threads", "2"}});
  const Outcome whole = run(resuming.uninterrupted());
  Wiring jumps;
  jumps.environment = {{"LD_PRELOAD", COUNTPM_CLOCK_JUMPS}};
  Wiring stopped = jumps;
  stopped.signals = {{std::max(0.2, whole.seconds / 2), SIGTERM}};
  run(resuming.session(), stopped);
  resuming.expect_nothing_lost();
  std::vector<std::string> last = resuming.session();
  last.emplace_back("--progress=json");
  const Outcome outcome = run(last, jumps);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, whole.out);
  EXPECT_LT(read_journal(resuming.file()).progress.elapsed_seconds, 600);
  // A time limit is no time of day: a day ahead does not end the count, a day back does not let it go on.
  std::vector<std::string> limited = resuming.uninterrupted();
  limited.insert(limited.end(), {"--time-limit", "300s"});
  limited.erase(std::find(limited.begin(), limited.end(), "none") - 1,
                std::find(limited.begin(), limited.end(), "none") + 1);
  EXPECT_EQ(run(limited, jumps).out, whole.out);
}

}  // namespace
}  // namespace countpm::test
