// Estimates in parts: together they are the estimate of one process, or it is said what is missing.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "graph/errors.hpp"
#include "src/estimate/estimate_parts.hpp"
#include "src/journal/journal.hpp"
#include "src/journal/journal_file.hpp"
#include "tests/file_text.hpp"
#include "tests/pipeline/estimate_ranks.hpp"
#include "tests/repeats.hpp"

namespace countpm::estimate_parts_test {
namespace {

using testing::alone;
using testing::Asked;
using testing::asked_of;
using testing::figures;
using testing::guaranteed;
using testing::has_check;
using testing::repeats;

/// A folder of parts, taken away again.
class Parts {
 public:
  Parts(const Asked& asked, std::uint64_t parts) : asked_(asked) {
    folder_ = fmt::format("{}countpm-estimate-parts-{}", ::testing::TempDir(), getpid());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    for (std::uint64_t k = 1; k <= parts; ++k) files_.push_back(fmt::format("{}/{}.part", folder_, k));
    split_estimate(asked.source, {}, asked.count, asked.estimate, files_);
  }
  ~Parts() { std::filesystem::remove_all(folder_); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  const std::vector<std::string>& files() const { return files_; }
  const std::string& file(std::size_t k) const { return files_[k]; }
  std::string another(const std::string& name) const { return folder_ + "/" + name; }

  void resume(std::size_t k, int threads = 1) const {
    Asked own = asked_;
    own.count.threads = threads;
    own.count.checkpoint.file = files_[k];
    own.count.checkpoint.resume = true;
    resume_estimate_part(own.source, {}, own.count, own.estimate);
  }

  EstimateResult merge(const std::vector<std::string>& files, const std::string& into = "") const {
    Asked own = asked_;
    own.count.checkpoint.file = into;
    own.count.checkpoint.merge = files;
    return alone(own);
  }

 private:
  Asked asked_;
  std::string folder_;
  std::vector<std::string> files_;
};

TEST(EstimateParts, AreTogetherTheEstimateOfOneProcess) {
  for (const auto kind : {std::optional<SamplerKind>(), std::optional(SamplerKind::rasmussen_plus)}) {
    Asked asked = asked_of("lattice:square:8x8", 1001);
    asked.estimate.sampler.kind = kind;
    const nlohmann::json expected = figures(alone(asked));
    for (const std::uint64_t parts : {1U, 3U, 8U}) {
      const Parts all(asked, parts);
      for (std::size_t k = 0; k < parts; ++k) all.resume(k, 1 + static_cast<int>(k % 2));
      const EstimateResult merged = all.merge(all.files());
      EXPECT_EQ(figures(merged), expected) << parts;
      EXPECT_TRUE(has_check(merged, "checkpoint run again"));
    }
  }
}

TEST(EstimateParts, DrawOnGpusWhatCpusDraw) {
  Asked asked = asked_of("lattice:square:8x8", 900);
  asked.estimate.sampler.kind = SamplerKind::rasmussen;
  asked.estimate.sampler.tail_rows = 0;
  const nlohmann::json expected = figures(alone(asked));
  asked.count.emulated_gpus = 1;
  const Parts parts(asked, 2);
  parts.resume(0);
  Asked on_gpu = asked;
  on_gpu.estimate.device = "gpu";
  on_gpu.count.checkpoint.file = parts.file(1);
  on_gpu.count.checkpoint.resume = true;
  resume_estimate_part(on_gpu.source, {}, on_gpu.count, on_gpu.estimate);
  EXPECT_EQ(figures(parts.merge(parts.files())), expected);
}

// Twice three samples, and blocks that are counted.
TEST(EstimateParts, OfMoreThanThereAreSamples) {
  Asked asked = asked_of("lattice:square:6x6", 3);
  asked.estimate.all_sampled = true;
  const Parts parts(asked, 5);
  for (std::size_t k = 0; k < 5; ++k) parts.resume(k);
  EXPECT_EQ(figures(parts.merge(parts.files())), figures(alone(asked)));
}

TEST(EstimateParts, GoOnWhereTheyWereInterrupted) {
  Asked asked = asked_of("lattice:square:10x10", 4000);
  asked.estimate.sampler.kind = SamplerKind::scaling_plus;
  const Parts parts(asked, 2);
  parts.resume(0);
  // Cut off at some records, as a kill would.
  parts.resume(1);
  const std::string whole = testing::file_text(parts.file(1));
  std::mt19937 random(1);
  const nlohmann::json expected = figures(alone(asked));
  const std::size_t header = whole.find('\n', whole.find('\n') + 1) + 1;
  for (int k = 0; k < repeats(6); ++k) {
    const std::size_t kept = std::uniform_int_distribution<std::size_t>(header, whole.size())(random);
    std::ofstream(parts.file(1), std::ios::trunc) << whole.substr(0, kept);
    EXPECT_EQ(journal_status(parts.file(1)).part, 2U);
    parts.resume(1);
    EXPECT_EQ(figures(parts.merge(parts.files())), expected) << kept;
  }
}

TEST(EstimateParts, SayWhatIsMissing) {
  const Asked asked = asked_of("lattice:square:8x8", 300);
  const Parts parts(asked, 3);
  parts.resume(0);
  parts.resume(2);
  const auto said = [&](const std::vector<std::string>& files) -> std::string {
    try {
      parts.merge(files, parts.another("joined"));
    } catch (const InterruptedError& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_NE(said({parts.file(0), parts.file(2)}).find("not given: part 2 of 3"), std::string::npos);
  EXPECT_NE(said(parts.files()).find("not done: " + parts.file(1)), std::string::npos) << said(parts.files());
  EXPECT_FALSE(std::filesystem::exists(parts.another("joined")));
  parts.resume(1);
  // A copy counts once; what is joined is a checkpoint.
  std::filesystem::copy_file(parts.file(1), parts.another("copy"));
  std::vector<std::string> with_copy = parts.files();
  with_copy.insert(with_copy.begin(), parts.another("copy"));
  const nlohmann::json expected = figures(alone(asked));
  EXPECT_EQ(figures(parts.merge(with_copy, parts.another("joined"))), expected);
  Asked again = asked;
  again.count.checkpoint.file = parts.another("joined");
  again.count.checkpoint.resume = true;
  EXPECT_EQ(figures(alone(again)), expected);
}

TEST(EstimateParts, WhatIsNoneIsRefused) {
  Asked asked = asked_of("lattice:square:8x8", 300);
  const Parts parts(asked, 2);
  for (std::size_t k = 0; k < 2; ++k) parts.resume(k);
  // A part is no checkpoint of an estimate, and another's parts are none of this one.
  Asked as_checkpoint = asked;
  as_checkpoint.count.checkpoint.file = parts.file(0);
  as_checkpoint.count.checkpoint.resume = true;
  EXPECT_THROW(alone(as_checkpoint), UsageError);
  EXPECT_THROW(count(asked.source, {}, as_checkpoint.count), UsageError);
  for (const auto& change : std::vector<std::function<void(JournalHeader&)>>{
           [](JournalHeader& header) { header.estimate->seed = 8; },
           [](JournalHeader& header) { header.part->of = 3; },
           [](JournalHeader& header) { header.blocks[0].sampled[0].sampler = "another"; },
           [](JournalHeader& header) { header.version = "0.0.1"; },
           [](JournalHeader& header) {
             header.part->samples = UnitRange{151, 301};
           }}) {
    JournalHeader header = read_journal(parts.file(1)).header;
    change(header);
    std::string text = header_lines(header);
    const Journal journal = read_journal(parts.file(1));
    SampleRecord record{0, journal.drawn[0]};
    record.drawn.moments.samples = header.part->samples->size();
    text += samples_line(header, record);
    std::ofstream(parts.another("other"), std::ios::trunc) << text;
    EXPECT_THROW(parts.merge({parts.file(0), parts.another("other")}), InputError);
  }
  const auto split_of = [&](const std::function<void(Asked&)>& change) {
    Asked other = asked;
    change(other);
    split_estimate(other.source, {}, other.count, other.estimate, {parts.another("new")});
  };
  EXPECT_THROW(split_of([](Asked& other) { other.estimate.samples = 0; }), UsageError);
  EXPECT_THROW(split_of([](Asked& other) { other.estimate.replicates = 2; }), UsageError);
  EXPECT_THROW(split_of([](Asked& other) { other.source = Source::from_bytes("a b\na c\n"); }), UsageError);
  EXPECT_THROW(split_of([](Asked& other) { other.source = Source::from_argument("lattice:square:3x3"); }),
               UnableError);
  EXPECT_FALSE(std::filesystem::exists(parts.another("new")));
  // The time limit ends a part, which can go on.
  Asked slow = asked_of("lattice:square:20x20", 1000000);
  slow.estimate.sampler.kind = SamplerKind::scaling_plus;
  const Parts long_parts(slow, 2);
  slow.estimate.time_limit_seconds = 0.3;
  slow.count.checkpoint.file = long_parts.file(0);
  slow.count.checkpoint.resume = true;
  EXPECT_THROW(resume_estimate_part(slow.source, {}, slow.count, slow.estimate), UnableError);
  EXPECT_FALSE(journal_status(long_parts.file(0)).estimated);
}

/// A guarantee of a matrix in a file, taken away again: parts need an input that can be read again.
struct GuaranteeOfFile {
  explicit GuaranteeOfFile(bool coins)
      : asked(guaranteed(coins)),
        file(fmt::format("{}countpm-guarantee-parts-{}.txt", ::testing::TempDir(), getpid())) {
    std::ofstream(file) << asked.source.bytes;
    asked.source = Source::from_argument(file);
  }
  ~GuaranteeOfFile() { std::remove(file.c_str()); }
  GuaranteeOfFile(const GuaranteeOfFile&) = delete;
  GuaranteeOfFile& operator=(const GuaranteeOfFile&) = delete;
  Asked asked;
  std::string file;
};

TEST(GuaranteeParts, AreTogetherTheGuaranteeOfOneProcess) {
  for (const bool coins : {true, false}) {
    SCOPED_TRACE(coins ? "coins" : "bets");
    const GuaranteeOfFile given(coins);
    const Asked& asked = given.asked;
    const nlohmann::json expected = figures(alone(asked));
    const Parts parts(asked, 3);
    for (std::size_t k = 0; k < 3; ++k) parts.resume(k, 1 + static_cast<int>(k % 2));
    const EstimateResult merged = parts.merge(parts.files(), parts.another("joined"));
    EXPECT_EQ(figures(merged), expected);
    EXPECT_TRUE(has_check(merged, "checkpoint run again"));
    // What is joined is a checkpoint.
    Asked again = asked;
    again.count.checkpoint.file = parts.another("joined");
    again.count.checkpoint.resume = true;
    EXPECT_EQ(figures(alone(again)), expected);
    // Cut off at some records, as a kill would.
    const std::string whole = testing::file_text(parts.file(1));
    const std::size_t header = whole.find('\n', whole.find('\n') + 1) + 1;
    const std::size_t first_record = whole.find('\n', whole.find("\"trials\"", header)) + 1;
    std::mt19937 random(1);
    for (int k = 0; k < 1 + repeats(2); ++k) {
      const std::size_t kept =
          k == 0 ? first_record
                 : std::uniform_int_distribution<std::size_t>(header, whole.size() - 2)(random);
      std::ofstream(parts.file(1), std::ios::trunc) << whole.substr(0, kept);
      parts.resume(1);
      EXPECT_EQ(figures(parts.merge(parts.files())), expected) << kept;
    }
  }
}

/// The header of a part that is not begun, changed.
void rewrite(const std::string& file, const std::function<void(JournalHeader&)>& change) {
  JournalHeader header = read_journal(file).header;
  change(header);
  std::ofstream(file, std::ios::trunc) << header_lines(header);
}

TEST(GuaranteeParts, WhoeverMergesDrawsWhatIsMissing) {
  const GuaranteeOfFile given(true);
  const Asked& asked = given.asked;
  const Parts parts(asked, 1);
  rewrite(parts.file(0), [](JournalHeader& header) { header.part->trials[0].range.last /= 2; });
  parts.resume(0);
  EXPECT_EQ(figures(parts.merge(parts.files())), figures(alone(asked)));
}

TEST(GuaranteeParts, WhatIsNoneIsRefused) {
  const GuaranteeOfFile given(true);
  const Asked& asked = given.asked;
  const Parts parts(asked, 2);
  EXPECT_THROW(parts.merge(parts.files()), InterruptedError);
  parts.resume(0);
  // By another rule than that of the others, and than is planned.
  rewrite(parts.file(1), [](JournalHeader& header) { header.part->trials[0].share_bits = 8; });
  parts.resume(1);
  EXPECT_THROW(parts.merge(parts.files()), InputError);
  const Parts others(asked, 1);
  rewrite(others.file(0), [](JournalHeader& header) { header.part->trials[0].share_bits = 8; });
  others.resume(0);
  EXPECT_THROW(others.merge(others.files()), InputError);
  // Damaged, though their checksums are right: trials that are not the part's, not in order, not counted.
  const Journal sound = read_journal(others.file(0));
  ASSERT_GT(sound.drawn[0].trials->size(), 2U);
  for (const auto& change : std::vector<std::function<void(DrawnSamples&)>>{
           [](DrawnSamples& drawn) { drawn.trials->back().trial = drawn.moments.samples; },
           [](DrawnSamples& drawn) { std::swap(drawn.trials->front(), drawn.trials->back()); },
           [](DrawnSamples& drawn) { drawn.trials->pop_back(); },
           [](DrawnSamples& drawn) { drawn.trials.reset(); }}) {
    SampleRecord record{0, sound.drawn[0]};
    change(record.drawn);
    const Journal read =
        parse_journal(header_lines(sound.header) + samples_line(sound.header, record), "changed");
    EXPECT_EQ(read.damaged_lines, 1U);
    EXPECT_FALSE(read.has_all_samples());
  }
  // A part of samples is none of trials.
  Asked samples = asked;
  samples.estimate.guarantee.reset();
  samples.estimate.samples = 100;
  samples.count.checkpoint.file = parts.file(0);
  samples.count.checkpoint.resume = true;
  EXPECT_ANY_THROW(resume_estimate_part(samples.source, {}, samples.count, samples.estimate));
  Asked gpu = asked;
  gpu.estimate.device = "gpu";
  EXPECT_THROW(split_estimate(gpu.source, {}, gpu.count, gpu.estimate, {parts.another("new")}), UsageError);
}

}  // namespace
}  // namespace countpm::estimate_parts_test
