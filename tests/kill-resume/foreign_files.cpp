// Files that are not a checkpoint's own: whatever stands where a journal is to be, before it, while it is
// written or after, keeps its bytes.
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "graph/errors.hpp"
#include "src/journal/checkpoint.hpp"
#include "src/journal/journal_file.hpp"
#include "tests/file_text.hpp"
#include "tests/kill-resume/resuming.hpp"

namespace countpm::test {
namespace {

namespace fs = std::filesystem;

using countpm::testing::file_text;

void put(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

/// Refused at once, exit 2, with these words.
void expect_refused(const std::vector<std::string>& arguments, const std::string& words) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 2) << arguments[0] << ' ' << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find(words), std::string::npos) << words << ": " << outcome.err;
  EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
}

/// A folder with a small input, a finished journal of it, and one of everything that is no file of bytes.
class ForeignFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    put(input_, "a x\na y\nb x\nb y\n");
    put(folder_ / "notes", "dear diary\n");
    ASSERT_EQ(run({place_.input(), "--method", "sparyser", "--checkpoint", at("done")}).code, 0);
    fs::create_directory(folder_ / "folder");
    ASSERT_EQ(mkfifo(at("fifo").c_str(), 0600), 0);
    fs::create_symlink(folder_ / "notes", folder_ / "link");
    fs::create_symlink(folder_ / "nothing", folder_ / "dangling");
    fs::create_symlink(folder_ / "done", folder_ / "link-to-done");
  }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }

  const Resuming place_{{"sparyser", 10, 50}};
  const fs::path folder_ = place_.folder();
  const std::string input_ = (folder_ / "input").string();
};

TEST_F(ForeignFiles, AFileWithTheNameThatNewOnesOnceHadStays) {
  put(folder_ / "run.new", "a b\nb c\nc d\nd a\n");
  const Outcome outcome = run({at("run.new"), "--format", "edgelist", "--checkpoint", at("run")});
  EXPECT_EQ(outcome.out, "2\n") << outcome.err;
  EXPECT_EQ(file_text(folder_ / "run.new"), "a b\nb c\nc d\nd a\n");
  put(folder_ / "done.new", "precious");
  put(folder_ / "p-1.part.new", "precious");
  put(folder_ / "whole.new", "precious");
  EXPECT_EQ(run({"resume", at("done")}).code, 0);
  ASSERT_EQ(run({"split", place_.input(), "--method", "sparyser", "-o", at("p")}).code, 0);
  for (const char* part : {"p-1.part", "p-2.part"}) ASSERT_EQ(run({"resume", at(part)}).code, 0);
  EXPECT_EQ(run({"merge", at("p-1.part"), at("p-2.part"), "-o", at("whole")}).out,
            run({"resume", at("done")}).out);
  for (const char* name : {"done.new", "p-1.part.new", "whole.new"})
    EXPECT_EQ(file_text(folder_ / name), "precious") << name;
}

TEST_F(ForeignFiles, ALinkThatLiesInWaitIsNotFollowed) {
  for (const char* name : {"slow.new", "done.new", "slow"}) {
    fs::create_symlink(folder_ / "notes", folder_ / name);
  }
  expect_refused({place_.input(), "--checkpoint", at("slow")}, "a symbolic link");
  EXPECT_EQ(run({"resume", at("done")}).code, 0);
  fs::remove(folder_ / "slow");
  EXPECT_EQ(run({place_.input(), "--checkpoint", at("slow")}).code, 0);
  EXPECT_EQ(file_text(folder_ / "notes"), "dear diary\n");
  EXPECT_TRUE(fs::is_symlink(folder_ / "slow.new"));
  EXPECT_FALSE(fs::is_symlink(folder_ / "done"));
}

TEST_F(ForeignFiles, WhatIsNoFileOfBytesIsRefusedAtOnce) {
  const std::vector<std::pair<std::string, std::string>> kinds{{"folder", "a folder"},
                                                               {"fifo", "a FIFO"},
                                                               {"link", "a symbolic link"},
                                                               {"dangling", "a symbolic link"}};
  for (const auto& [name, kind] : kinds) {
    expect_refused({input_, "--checkpoint", at(name)}, kind);
    expect_refused({"merge", at("done"), "-o", at(name)}, kind);
  }
  fs::create_directory(folder_ / "s-2.part");
  expect_refused({"split", input_, "-o", at("s")}, "a folder");
  EXPECT_FALSE(fs::exists(folder_ / "s-1.part"));
  for (const std::string command : {"status", "resume", "merge"}) {
    expect_refused({command, at("folder")}, "found a folder");
    expect_refused({command, at("fifo")}, "found a FIFO");
    expect_refused({command, "/dev/zero"}, "found a device");
    expect_refused({command, "/dev/full"}, "found a device");
    expect_refused({command, at("notes")}, "a checkpoint of countpm");
  }
  // A link to a journal is read, and never written through.
  EXPECT_EQ(run({"status", at("link-to-done")}).code, 0);
  expect_refused({"resume", at("link-to-done")}, "a symbolic link; name what it leads to");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link-to-done"));
}

TEST_F(ForeignFiles, AJournalIsNamedAsOneAndAnotherFileIsNot) {
  expect_refused({input_, "--checkpoint", at("done")}, "'countpm resume");
  expect_refused({input_, "--checkpoint", at("notes")}, "is no checkpoint of countpm");
  EXPECT_EQ(file_text(folder_ / "notes"), "dear diary\n");
}

TEST_F(ForeignFiles, WhatIsDoneIsOnlyRead) {
  const std::string before = file_text(folder_ / "done");
  const fs::file_time_type time = fs::last_write_time(folder_ / "done");
  const Outcome first = run({"resume", at("done")});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(file_text(folder_ / "done"), before);
  EXPECT_EQ(fs::last_write_time(folder_ / "done"), time);
  // Nor do two need it for themselves, or leave to write.
  chmod(at("done").c_str(), 0444);
  const Outcome again = run({"resume", at("done")});
  EXPECT_EQ(again.out, first.out) << again.err;
}

/// What a killed run leaves is removed by the next one that writes a journal there; nothing else is.
TEST_F(ForeignFiles, LeftOversDoNotPileUp) {
  const std::string digits = ".0123456789abcdef.new";
  const std::string journal = file_text(folder_ / "done");
  put(folder_ / ("old" + digits), journal);
  put(folder_ / ("empty" + digits), "");
  put(folder_ / ("notes" + digits), "dear diary\n");
  put(folder_ / "old.0123456789abcdeg.new", journal);
  put(folder_ / "old.new", journal);
  put(folder_ / ("held" + digits), journal);
  fs::create_symlink(folder_ / "done", folder_ / ("link" + digits));
  JournalFile held(at("held" + digits));
  held.open_existing();
  ASSERT_EQ(run({place_.input(), "--method", "sparyser", "--checkpoint", at("fresh")}).code, 0);
  EXPECT_FALSE(fs::exists(folder_ / ("old" + digits)));
  EXPECT_FALSE(fs::exists(folder_ / ("empty" + digits)));
  for (const std::string& name : {"notes" + digits, std::string("old.0123456789abcdeg.new"),
                                  std::string("old.new"), "held" + digits, "link" + digits})
    EXPECT_TRUE(fs::exists(folder_ / name)) << name;
}

/// One journal, written in this process: what others do to its name is seen at every step.
class Written : public ::testing::Test {
 protected:
  ~Written() override { fs::remove_all(folder_); }
  static fs::path make_folder() {
    std::string pattern = (fs::temp_directory_path() / "countpm-journal-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    return pattern;
  }
  const fs::path folder_ = make_folder();
  const std::string name_ = (folder_ / "j").string();
  const std::string start_ = std::string(journal_magic) + "1\n";
};

TEST_F(Written, AFileThatTookTheNameIsLeftAlone) {
  JournalFile file(name_);
  file.replace(start_ + "one\n", true);
  file.append("two\n");
  fs::remove(name_);
  put(name_, "notes");
  EXPECT_THROW(file.append("three\n"), JournalFileError);
  EXPECT_THROW(file.sync(), JournalFileError);
  EXPECT_EQ(file_text(name_), "notes");
  put(name_ + ".2", "more notes");
  file.replace(start_ + "all\n", false);
  EXPECT_EQ(file.path(), name_ + ".3");
  file.append("four\n");
  EXPECT_EQ(file_text(name_ + ".3"), start_ + "all\nfour\n");
  EXPECT_EQ(file_text(name_), "notes");
  EXPECT_EQ(file_text(name_ + ".2"), "more notes");
  EXPECT_EQ(names_in(folder_).size(), 3U);
}

TEST_F(Written, NotesInItsOwnInodeAreLeftAloneToo) {
  JournalFile file(name_);
  file.replace(start_, true);
  put(name_, "notes, written over the journal");
  EXPECT_THROW(file.append("more\n"), JournalFileError);
  file.replace(start_, false);
  EXPECT_EQ(file_text(name_), "notes, written over the journal");
  EXPECT_EQ(file.path(), name_ + ".2");
}

TEST_F(Written, FoldersLinksAndOtherJournalsAreLeftAlone) {
  const auto expect_left_alone = [&](const std::string& name, const auto& take) {
    JournalFile file((folder_ / name).string());
    file.replace(start_, true);
    fs::remove(file.path());
    take(folder_ / name);
    EXPECT_THROW(file.append("more\n"), JournalFileError) << name;
    file.replace(start_, false);
    EXPECT_EQ(file.path(), (folder_ / (name + ".2")).string());
  };
  expect_left_alone("folder", [](const fs::path& path) { fs::create_directory(path); });
  expect_left_alone("link", [&](const fs::path& path) { fs::create_symlink(folder_ / "link.old", path); });
  expect_left_alone("fifo", [](const fs::path& path) { mkfifo(path.c_str(), 0600); });
  expect_left_alone("journal", [&](const fs::path& path) {
    JournalFile other(path.string());
    other.replace(start_ + "another\n", true);
  });
  EXPECT_EQ(file_text(folder_ / "journal"), start_ + "another\n");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
}

TEST_F(Written, ANameThatIsFreeAgainIsTakenAgain) {
  JournalFile file(name_);
  file.replace(start_, true);
  fs::remove(name_);
  EXPECT_THROW(file.sync(), JournalFileError);
  file.replace(start_ + "all\n", false);
  EXPECT_EQ(file.path(), name_);
  EXPECT_EQ(file_text(name_), start_ + "all\n");
  JournalFile second(name_);
  EXPECT_THROW(second.replace(start_, true), UsageError);  // never over one that is there
  EXPECT_EQ(file_text(name_), start_ + "all\n");
  EXPECT_EQ(names_in(folder_).size(), 1U);
}

TEST_F(Written, PermissionsStay) {
  JournalFile file(name_);
  file.replace(start_, true);
  ASSERT_EQ(chmod(name_.c_str(), 0660), 0);
  file.replace(start_, false);
  struct stat status {};
  ASSERT_EQ(stat(name_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0660U);
}

/// A checkpoint that loses its name goes on beside it, says so, and says so again at the end.
TEST_F(Written, ACheckpointGoesOnBesideWhatTookItsName) {
  std::vector<std::string> notices;
  std::string trouble;
  {
    Checkpoint checkpoint(name_, [&](const std::string& text) { notices.push_back(text); });
    JournalHeader header;
    header.sha256 = std::string(64, '0');
    checkpoint.begin(header, [] { return JournalProgress(); });
    fs::remove(name_);
    put(name_, "notes");
    checkpoint.finish("42");
    trouble = checkpoint.trouble();
  }
  EXPECT_EQ(file_text(name_), "notes");
  EXPECT_NE(trouble.find("j is another file now, and was left alone: the checkpoint is "), std::string::npos)
      << trouble;
  ASSERT_FALSE(notices.empty());
  EXPECT_EQ(notices.back(), "all is done, but " + trouble);
  EXPECT_EQ(read_journal(name_ + ".2").progress.count, "42");
}

/// The same of the program, and of two that want one name.
TEST(ForeignFilesBeside, ARunWhoseNameIsTaken) {
  Resuming resuming({"sparyser", 24, 40, {"--threads", "1"}});
  const Outcome whole = run(resuming.uninterrupted());
  ASSERT_EQ(whole.code, 0);
  std::thread other([&] {
    for (int k = 0; k < 4000 && !fs::exists(resuming.file()); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    fs::remove(resuming.file());
    put(resuming.file(), "notes");
  });
  const Outcome outcome = run(resuming.session());
  other.join();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, whole.out);
  EXPECT_EQ(file_text(resuming.file()), "notes");
  EXPECT_NE(lines_of(outcome.err).back().find("the checkpoint is " + resuming.file() + ".2"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(run({"resume", resuming.file() + ".2"}).out, whole.out);
}

}  // namespace
}  // namespace countpm::test
