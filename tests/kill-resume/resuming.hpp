#pragma once
// Inputs that take a few seconds, and what must be true of a checkpoint after every session.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/journal/journal.hpp"
#include "tests/cli/run_binary.hpp"

namespace countpm::test {

using Random = std::mt19937_64;

/// A random 0/1 matrix with a full diagonal, as dense text; the same for the same seed.
inline std::string random_matrix(unsigned rows, unsigned percent, std::uint64_t seed) {
  Random random(seed);
  std::string text;
  for (unsigned i = 0; i < rows; ++i) {
    for (unsigned j = 0; j < rows; ++j) {
      if (j > 0) text += ' ';
      text += i == j || random() % 100 < percent ? '1' : '0';
    }
    text += '\n';
  }
  return text;
}

/// One count: by which method, of what.
struct Job {
  std::string method;
  unsigned rows;
  unsigned percent;
  std::vector<std::string> more = {};  // options
};

class Resuming {
 public:
  explicit Resuming(const Job& job, std::uint64_t seed = 7)
      : folder_(std::filesystem::temp_directory_path() /
                ("countpm-resume-" + job.method + "-" + std::to_string(std::random_device()()))) {
    std::filesystem::create_directories(folder_);
    input_ = (folder_ / "matrix.dense").string();
    file_ = (folder_ / "journal").string();
    std::ofstream(input_) << random_matrix(job.rows, job.percent, seed);
    options_ = {"--method", job.method, "--time-limit", "none"};
    options_.insert(options_.end(), job.more.begin(), job.more.end());
  }
  ~Resuming() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Resuming(const Resuming&) = delete;
  Resuming& operator=(const Resuming&) = delete;

  const std::string& file() const { return file_; }
  const std::string& input() const { return input_; }
  std::filesystem::path folder() const { return folder_; }

  std::vector<std::string> uninterrupted() const {
    std::vector<std::string> arguments{input_};
    arguments.insert(arguments.end(), options_.begin(), options_.end());
    return arguments;
  }
  /// The first session, or one that goes on.
  std::vector<std::string> session() const {
    if (std::filesystem::exists(file_)) return {"resume", file_};
    std::vector<std::string> arguments = uninterrupted();
    arguments.insert(arguments.end(), {"--checkpoint", file_});
    return arguments;
  }

  /// After a session: what was finished before is still there, and no unit twice.
  void expect_nothing_lost() {
    if (!std::filesystem::exists(file_)) {
      EXPECT_TRUE(done_.empty());
      return;
    }
    const Journal journal = read_journal(file_);
    EXPECT_LE(journal.damaged_lines, 1U);  // the line that was being written
    EXPECT_EQ(journal.repeated_lines, 0U);
    std::set<std::pair<std::size_t, std::uint64_t>> done;
    for (const JournalRecord& record : journal.records) {
      for (std::uint64_t unit = record.finished.range.first; unit < record.finished.range.last; ++unit)
        EXPECT_TRUE(done.insert({record.task, unit}).second);
    }
    for (const auto& unit : done_) EXPECT_TRUE(done.contains(unit)) << unit.first << ": " << unit.second;
    done_ = std::move(done);
  }
  std::size_t units_done() const { return done_.size(); }

  void start_again() {
    std::filesystem::remove(file_);
    done_.clear();
  }

 private:
  std::filesystem::path folder_;
  std::string input_;
  std::string file_;
  std::vector<std::string> options_;
  std::set<std::pair<std::size_t, std::uint64_t>> done_;
};

}  // namespace countpm::test
