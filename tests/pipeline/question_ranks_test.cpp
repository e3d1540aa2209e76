// Series, comparisons and replicates on several ranks, which are threads here: what one process says.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <limits>
#include <random>

#include "graph/errors.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/estimate/compare.hpp"
#include "src/series/count_series.hpp"
#include "tests/pipeline/estimate_ranks.hpp"
#include "tests/repeats.hpp"

namespace countpm::question_ranks_test {
namespace {

using testing::alone;
using testing::Asked;
using testing::asked_of;
using testing::figures;
using testing::on_all_ranks;
using testing::on_ranks;
using testing::Post;
using testing::QueueChannel;

using Change = std::function<void(int rank, CountOptions& options)>;

/// work(options) on rank 0, the others following. Throws what that throws.
template <class Work>
void led(Post& post, const CountOptions& options, const EstimateOptions& estimate_options,
         const Change& change, const Work& work) {
  const auto asked_by = [&](Channel& channel) {
    CountOptions own = options;
    own.channel = &channel;
    if (change && channel.rank() != 0) change(channel.rank(), own);
    return own;
  };
  on_all_ranks(
      post,
      [&](Channel& channel) {
        work(asked_by(channel));
        return true;
      },
      [&](Channel& channel) { follow_questions({}, asked_by(channel), estimate_options); });
}

std::string random_ones(unsigned rows, unsigned seed) {
  std::minstd_rand random(seed);
  std::string text;
  for (unsigned i = 0; i < rows; ++i) {
    for (unsigned j = 0; j < rows; ++j) text += i == j || (random() >> 8 & 1U) != 0 ? "1 " : "0 ";
    text += '\n';
  }
  return text;
}

/// A graph of n <= 62 vertices in graph6, each edge with a probability of one half.
std::string random_graph6(unsigned n, unsigned seed) {
  std::minstd_rand random(seed);
  std::string line(1, static_cast<char>(63 + n));
  unsigned bits = 0;
  unsigned got = 0;
  for (unsigned k = 0; k < n * (n - 1) / 2; ++k) {
    bits = bits << 1 | (random() >> 8 & 1U);
    if (++got < 6) continue;
    line += static_cast<char>(63 + bits);
    bits = got = 0;
  }
  if (got > 0) line += static_cast<char>(63 + (bits << (6 - got)));
  return line + '\n';
}

/// Files that are taken away again.
class Files {
 public:
  ~Files() {
    for (const std::string& name : names_) std::remove(name.c_str());
  }
  std::string add(const std::string& name, const std::string& text) {
    names_.push_back(::testing::TempDir() + "countpm-question-ranks-" + std::to_string(getpid()) + '-' +
                     name);
    std::ofstream(names_.back()) << text;
    return names_.back();
  }

 private:
  std::vector<std::string> names_;
};

struct Row {
  std::string input;
  std::string count;
  std::string failure;
  bool operator==(const Row&) const = default;
};
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.input << ' ' << row.count << ' ' << row.failure;
}

std::vector<Row> rows_of(const std::vector<std::string>& arguments, const CountOptions& options) {
  SeriesOptions series;
  series.count = options;
  std::vector<Row> rows;
  count_series(
      series_items(arguments), series,
      [&](const SeriesRow& row) {
        rows.push_back({row.input, row.count, row.failure ? row.failure->message : ""});
      },
      [] {});
  return rows;
}

/// Matrices, a file of two graphs, lattices, and a file that is none.
std::vector<std::string> arguments_of(Files& files) {
  return {files.add("one.dense", random_ones(28, 1)), "lattice:square:4x4", files.add("none.mtx", "rubbish"),
          files.add("two.g6", random_graph6(34, 2) + random_graph6(24, 3)),
          files.add("another.dense", random_ones(27, 4))};
}

CountOptions of_one_thread() {
  CountOptions options;
  options.threads = 1;
  return options;
}

TEST(QuestionRanks, ASeriesHasTheRowsOfOneProcess) {
  Files files;
  const std::vector<std::string> arguments = arguments_of(files);
  const CountOptions options = of_one_thread();
  const std::vector<Row> expected = rows_of(arguments, options);
  ASSERT_EQ(expected.size(), 6U);
  for (const int ranks : {1, 2, 3}) {
    if (testing::sanitized && ranks == 2) continue;
    Post post(ranks);
    std::vector<Row> rows;
    led(post, options, {}, {}, [&](const CountOptions& own) { rows = rows_of(arguments, own); });
    EXPECT_EQ(rows, expected) << ranks;
    if (ranks > 1) {
      EXPECT_GE(post.sent["job"], 2 * (ranks - 1));
      EXPECT_EQ(post.sent["over"], post.sent["job"]);
    }
  }
  SeriesOptions together;
  together.jobs = 2;
  Post post(1);
  QueueChannel channel(post, 0);
  together.count.channel = &channel;
  EXPECT_THROW(count_series(
                   series_items(arguments), together, [](const SeriesRow&) {}, [] {}),
               UsageError);
}

// A rank that cannot take part costs the count of the row, or nothing where rank 0 hears of it too late.
TEST(QuestionRanks, ASeriesGoesOnAfterARankThatCannot) {
  Files files;
  const std::vector<std::string> arguments = arguments_of(files);
  const CountOptions options = of_one_thread();
  const std::vector<Row> expected = rows_of(arguments, options);
  Post post(3);
  std::vector<Row> rows;
  const auto without_memory = [](int rank, CountOptions& own) {
    if (rank == 1) own.memory_limit_bytes = 1;
  };
  led(post, options, {}, without_memory, [&](const CountOptions& own) { rows = rows_of(arguments, own); });
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k] == expected[k]) continue;
    EXPECT_EQ(rows[k].input, expected[k].input);
    EXPECT_NE(rows[k].failure.find("rank 1"), std::string::npos) << rows[k].failure;
  }
}

TEST(QuestionRanks, AnInterruptedRankEndsTheWhole) {
  Files files;
  const std::vector<std::string> arguments{files.add("long.dense", random_ones(48, 5))};
  CountOptions options = of_one_thread();
  options.method = "ryser";  // days
  options.time_limit_seconds = std::numeric_limits<double>::infinity();
  Post post(2);
  EXPECT_THROW(led(
                   post, options, {},
                   [](int rank, CountOptions& own) {
                     if (rank == 1) own.interrupted = [] { return true; };
                   },
                   [&](const CountOptions& own) { rows_of(arguments, own); }),
               InterruptedError);
}

/// All that a comparison says, but for times.
std::vector<std::string> comparison(const CountOptions& options, const EstimateOptions& estimate_options,
                                    const CompareOptions& compare_options) {
  std::vector<std::string> lines;
  compare(
      Source::from_argument("lattice:square:8x8"), {}, options, estimate_options, compare_options,
      [&](const ComparisonStart& start) { lines.push_back(start.exact->count); },
      [&](const ComparedEstimate& row) {
        lines.push_back(fmt::format("{} {} {} {} {} {} {}", row.sampler, row.number, row.samples,
                                    row.estimate.log10, row.estimate.low_log10, row.estimate.high_log10,
                                    row.estimate.nonzero));
      },
      [&](const LeftOutSampler& one) { lines.push_back("without " + one.sampler); },
      [&](const ComparedCoverage& all) { lines.push_back(fmt::format("{} of {}", all.covered, all.shown)); });
  return lines;
}

TEST(QuestionRanks, AComparisonSaysWhatOneProcessSays) {
  CountOptions options = of_one_thread();
  options.seed = 3;
  EstimateOptions estimate_options;
  estimate_options.second = SecondOpinion::none;
  CompareOptions compare_options;
  compare_options.samplers = {SamplerKind::rasmussen, SamplerKind::scaling};
  compare_options.samples = {200, testing::sanitized ? 1000U : 5000U};
  compare_options.seeds = 2;
  const std::vector<std::string> expected = comparison(options, estimate_options, compare_options);
  EXPECT_EQ(expected.size(), 1U + 2 * 2 * (2 + 1));
  int given_away = 0;
  for (const int ranks : {2, 3}) {
    Post post(ranks);
    std::vector<std::string> lines;
    led(post, options, estimate_options, {},
        [&](const CountOptions& own) { lines = comparison(own, estimate_options, compare_options); });
    EXPECT_EQ(lines, expected) << ranks;
    given_away += post.sent["draw"];
  }
  EXPECT_GT(given_away, 0);
}

TEST(QuestionRanks, ReplicatesAreThoseOfOneProcess) {
  Asked asked = asked_of("lattice:square:8x8", testing::sanitized ? 1000 : 4000);
  asked.estimate.sampler.kind = SamplerKind::scaling;
  asked.estimate.replicates = 3;
  const EstimateResult expected = alone(asked);
  Post post(3);
  const EstimateResult found = on_ranks(3, asked, {}, &post);
  EXPECT_EQ(figures(found), figures(expected));
  ASSERT_EQ(found.replicates.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(found.replicates[k].log10, expected.replicates[k].log10) << k;
  EXPECT_EQ(post.sent["job"], 2 * 3);
}

TEST(QuestionRanks, JobsThatAreNoneAreRefused) {
  const RankJob job{"count", Source::from_bytes("a b\n\n\1", "name"), Format::edge_list, 7, "scaling", 100};
  const RankJob again = parse_job(job_text(job));
  EXPECT_EQ(again.source.bytes, job.source.bytes);
  EXPECT_EQ(again.source.name, "name");
  EXPECT_EQ(again.format, Format::edge_list);
  EXPECT_EQ(again.seed, 7U);
  EXPECT_EQ(again.samples, 100U);
  EXPECT_THROW(job_text({"count", Source::from_argument("-")}), UsageError);
  const std::string unknown = job_text({"dance", Source::from_argument("lattice:square:2x2"), {}, 1, "", 0});
  for (const std::string& text : {std::string("job\nrubbish"), std::string("job\n{}\n"),
                                  std::string("plan\n"), std::string("over\n"), "job\n" + unknown}) {
    Post post(2);
    post.queues[1].push_back({0, text});
    post.queues[1].push_back({0, "end\n"});
    QueueChannel channel(post, 1);
    CountOptions options = of_one_thread();
    options.channel = &channel;
    follow_to_end(channel, [&] { follow_questions({}, options, {}); });
    ASSERT_EQ(post.queues[0].size(), 2U) << text;
    EXPECT_TRUE(post.queues[0].front().text.starts_with("failed\n")) << text;
    EXPECT_EQ(post.queues[0].back().text, "bye\n") << text;
  }
}

}  // namespace
}  // namespace countpm::question_ranks_test
