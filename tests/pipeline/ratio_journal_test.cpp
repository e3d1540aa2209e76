// Ratios that go on from a checkpoint: the digits of one session, or a clear refusal.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

#include "graph/errors.hpp"
#include "src/estimate/estimate.hpp"
#include "src/journal/journal.hpp"
#include "src/matchings/integration.hpp"
#include "src/matchings/ratio.hpp"
#include "tests/file_text.hpp"
#include "tests/pipeline/queue_ranks.hpp"
#include "tests/repeats.hpp"

namespace countpm::ratio_journal_test {
namespace {

namespace fs = std::filesystem;
using Random = std::mt19937_64;

class Place {
 public:
  Place() : folder_(fs::temp_directory_path() / fmt::format("countpm-ratio-{}", std::random_device()())) {
    fs::create_directories(folder_);
  }
  ~Place() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  std::string file(const std::string& name = "journal") const { return (folder_ / name).string(); }

 private:
  fs::path folder_;
};

struct Asked {
  Source a;
  Source b;
  ReadOptions read = {};
  CountOptions count = {};
  EstimateOptions estimate = {};
};

Asked asked_of(const std::string& a, const std::string& b) {
  Asked asked{Source::from_argument(a), Source::from_argument(b)};
  asked.read.weights = true;
  asked.count.threads = 2;
  asked.count.seed = 5;
  asked.estimate.all_sampled = true;
  asked.estimate.second = SecondOpinion::none;
  asked.estimate.time_limit_seconds = std::numeric_limits<double>::infinity();
  asked.estimate.ln_error = 0.02;
  return asked;
}

Asked both_at_a_time() {
  Asked asked = asked_of("lattice:triangular:6x6:weights=1.05,1,1", "lattice:triangular:6x6");
  asked.estimate.sampler.kind = SamplerKind::bethe;
  asked.estimate.ln_error = 0.008;
  return asked;
}

Asked each_by_itself() {
  Asked asked = asked_of("lattice:triangular:6x6:weights=3,1,1", "lattice:triangular:6x6");
  asked.estimate.sampler.kind = SamplerKind::bethe;
  asked.estimate.ln_error = 0.06;
  return asked;
}

/// Two circulant graphs, in which some edges weigh more.
Asked of_two_pieces(const Place& place) {
  Asked asked = both_at_a_time();
  const auto text = [](const char* weight) {
    std::string edges;
    for (const char piece : {'a', 'b'}) {
      for (int i = 0; i < 14; ++i) {
        for (const int step : {1, 2, 5}) {
          const int j = (i + step) % 14;
          edges += fmt::format("{}{} {}{} {}\n", piece, i, piece, j, j % 3 == 1 ? weight : "1");
        }
      }
    }
    return edges;
  };
  for (const auto& [name, weight] : {std::pair("a.edgelist", "1.02"), std::pair("b.edgelist", "1")}) {
    std::ofstream(place.file(name)) << text(weight);
    (name[0] == 'a' ? asked.a : asked.b) = Source::from_argument(place.file(name));
  }
  return asked;
}

std::string figures(const RatioResult& result) {
  return fmt::format("{:a} {:a} {:a} {:a} {:a} {} {} {} {} {}", result.ln, result.ln_error, result.low,
                     result.high, result.pareto_k, result.samples, result.sampler, result.apart, result.doubt,
                     result.goal_missed);
}

std::string ratio_by(const Asked& asked) {
  return figures(ratio(asked.a, asked.b, asked.read, asked.count, asked.estimate));
}

std::string resumed(Asked asked, const std::string& file) {
  asked.count.checkpoint.file = file;
  asked.count.checkpoint.resume = true;
  return ratio_by(asked);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line + "\n");
  return lines;
}

void write(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// Some lines of the finished file are left out, damaged and in another order; the rest goes on.
void expect_to_go_on(const Asked& asked, const std::string& file, const std::string& expected,
                     Random& random) {
  const std::vector<std::string> lines = lines_of(testing::file_text(file));
  ASSERT_GT(lines.size(), 4U);
  for (int k = 0; k < testing::repeats(9); ++k) {
    SCOPED_TRACE(fmt::format("{}, {}", asked.a.name, k));
    std::vector<std::string> some(lines.begin(), lines.begin() + 2);
    const std::size_t last = 2 + random() % (lines.size() - 1);
    for (std::size_t l = 2; l < last; ++l) {
      if (random() % 4 > 0) some.push_back(lines[l]);
    }
    if (random() % 2 == 0) std::shuffle(some.begin() + 2, some.end(), random);
    if (some.size() > 2 && random() % 2 == 0) {
      std::string& damaged = some[2 + random() % (some.size() - 2)];
      damaged[random() % (damaged.size() - 1)] ^= 4;
    }
    std::string text;
    for (const std::string& line : some) text += line;
    write(file, text);
    Asked again = asked;
    again.count.threads = static_cast<int>(1 + random() % 3);
    EXPECT_EQ(resumed(again, file), expected);
    EXPECT_TRUE(journal_status(file).estimated);
    EXPECT_EQ(journal_status(file).damaged_lines, 0U);
  }
}

TEST(RatioJournal, GoesOnToTheDigitsOfOneSession) {
  Random random(1);
  const Place inputs;
  const std::string apart = each_by_itself().a.name;
  for (const Asked& asked : {both_at_a_time(), of_two_pieces(inputs), each_by_itself()}) {
    const Place place;
    const std::string file = place.file();
    const std::string expected = ratio_by(asked);
    Asked kept = asked;
    kept.count.checkpoint.file = file;
    EXPECT_EQ(ratio_by(kept), expected);
    EXPECT_TRUE(journal_status(file).estimated);
    EXPECT_EQ(read_journal(file).header.ratio->way == RatioWay::apart, asked.a.name == apart);
    expect_to_go_on(asked, file, expected, random);
  }
}

// Trials that promised too much: what both sums have not met adds up, and more samples are wanted.
TEST(RatioJournal, GoesOnWithFurtherRoundsOfBothSums) {
  Random random(2);
  const Place place;
  const std::string file = place.file();
  Asked asked = asked_of("lattice:square:6x6:weights=4,1", "lattice:square:6x6");
  asked.estimate.ln_error = 0.05;
  asked.count.checkpoint.file = file;
  ratio_by(asked);
  asked.count.checkpoint = {};
  JournalHeader header = read_journal(file).header;
  ASSERT_EQ(header.ratio->way, RatioWay::apart);
  header.ratio->trial_variance = 100;
  write(file, header_lines(header));
  const std::string expected = resumed(asked, file);
  const Journal whole = read_journal(file);
  ASSERT_TRUE(whole.sums[2].header.estimate && whole.sums[3].header.estimate);
  EXPECT_GT(whole.sums[2].drawn.at(0).moments.samples, whole.sums[0].drawn.at(0).moments.samples);
  expect_to_go_on(asked, file, expected, random);
}

TEST(RatioJournal, GoesOnWithOtherRanks) {
  const Asked asked = both_at_a_time();
  const Place place;
  Asked kept = asked;
  kept.count.checkpoint.file = place.file();
  const std::string expected = ratio_by(kept);
  const Journal journal = read_journal(place.file());
  ASSERT_GT(journal.ratio_records.size(), 8U);
  std::string text = header_lines(journal.header);
  std::size_t number = 0;
  for (const RatioRecord& record : journal.ratio_records) {
    if (number++ % 3 == 1) text += text_line(journal.header, ratio_text(record));
  }
  write(place.file(), text);
  testing::Post post(2);
  const auto asked_by = [&](Channel& channel) {
    Asked own = asked;
    own.count.channel = &channel;
    return own;
  };
  EXPECT_EQ(testing::on_all_ranks(
                post, [&](Channel& channel) { return resumed(asked_by(channel), place.file()); },
                [&](Channel& channel) {
                  const Asked own = asked_by(channel);
                  follow_ratio(own.a, own.b, own.read, own.count, own.estimate);
                }),
            expected);
  EXPECT_EQ(read_journal(place.file()).ratio_records.size(), journal.ratio_records.size());
}

Asked over_a_letter(const LetterRange& range) {
  Asked asked = asked_of("lattice:triangular:6x6:weights=x,1,1", "");
  asked.estimate.sampler.kind = SamplerKind::bethe;
  asked.estimate.ln_error = range.to < 2 ? 0.008 : 0.06;
  return asked;
}

// Both ways: close ends by samples of both, which ranks share, and far ones each by itself, which rank 0
// draws.
TEST(RatioJournal, AnIntegralIsTheSameOnRanksAndGoesOnWithThem) {
  for (const char* const to : {"21/20", "3"}) {
    const LetterRange range{'x', 1, mpq_class(to)};
    const Asked asked = over_a_letter(range);
    const Place place;
    Asked kept = asked;
    kept.count.checkpoint.file = place.file();
    const std::string expected = figures(integrate(kept.a, kept.read, range, kept.count, kept.estimate));
    EXPECT_EQ(read_journal(place.file()).header.ratio->integral, fmt::format("x=1:{}", to));
    const auto on_ranks = [&](const CheckpointOptions& checkpoint) {
      testing::Post post(2);
      const auto asked_by = [&](Channel& channel) {
        Asked own = asked;
        own.count.channel = &channel;
        return own;
      };
      return testing::on_all_ranks(
          post,
          [&](Channel& channel) {
            Asked own = asked_by(channel);
            own.count.checkpoint = checkpoint;
            return figures(integrate(own.a, own.read, range, own.count, own.estimate));
          },
          [&](Channel& channel) {
            const Asked own = asked_by(channel);
            follow_integral(own.a, own.read, range, own.count, own.estimate);
          });
    };
    EXPECT_EQ(on_ranks({}), expected) << to;
    std::vector<std::string> lines = lines_of(testing::file_text(place.file()));
    lines.resize(2 + (lines.size() - 2) / 2);
    std::string half;
    for (const std::string& line : lines) half += line;
    write(place.file(), half);
    CheckpointOptions checkpoint;
    checkpoint.file = place.file();
    checkpoint.resume = true;
    EXPECT_EQ(on_ranks(checkpoint), expected) << to;
    EXPECT_TRUE(journal_status(place.file()).estimated);
  }
}

TEST(RatioJournal, GraphsInMemoryAreKeptWhereTheyHaveAName) {
  const LetterRange range{'x', 1, mpq_class("21/20")};
  const Asked asked = over_a_letter(range);
  ReadOptions reading = asked.read;
  reading.letters = true;
  const Place place;
  CountOptions kept = asked.count;
  kept.checkpoint.file = place.file();
  ReadResult read = read_graph(asked.a, reading);
  EXPECT_THROW(integrate(read, range, kept, asked.estimate), UsageError);
  EXPECT_FALSE(fs::exists(place.file()));
  read.info.sha256 = "a graph of ours";
  const std::string expected = figures(integrate(read, range, asked.count, asked.estimate));
  EXPECT_EQ(figures(integrate(read, range, kept, asked.estimate)), expected);
  kept.checkpoint.resume = true;
  EXPECT_EQ(figures(integrate(read, range, kept, asked.estimate)), expected);
  EXPECT_THROW(integrate(read, {'x', 1, mpq_class("11/10")}, kept, asked.estimate), InputError);
  read.info.sha256 = "another one";
  EXPECT_THROW(integrate(read, range, kept, asked.estimate), InputError);
}

TEST(RatioJournal, RefusesWhatIsNotItsOwn) {
  const Asked asked = both_at_a_time();
  const Place place;
  const std::string file = place.file();
  Asked kept = asked;
  kept.count.checkpoint.file = file;
  ratio_by(kept);
  const std::string sound = testing::file_text(file);
  const Journal journal = read_journal(file);
  ASSERT_FALSE(journal.ratio_records.empty());
  const auto with = [&](const JournalHeader& header, const std::function<void(RatioSamples&)>& change) {
    std::string text = header_lines(header);
    for (RatioRecord record : journal.ratio_records) {
      change(record.samples);
      text += text_line(header, ratio_text(record));
    }
    write(file, text);
    return Asked(asked);
  };
  const auto none = [](RatioSamples&) {};
  Asked other = asked;
  other.b = Source::from_argument("lattice:triangular:6x6:weights=1,1,1");
  EXPECT_THROW(resumed(other, file), InputError);
  other = asked;
  other.count.seed = 6;
  EXPECT_THROW(resumed(other, file), InputError);
  other = asked;
  other.estimate.ln_error = 0.01;
  EXPECT_THROW(resumed(other, file), InputError);
  other = asked;
  other.estimate.sampler.kind = SamplerKind::annealed;
  EXPECT_THROW(resumed(other, file), InputError);
  other = asked;
  other.count.checkpoint.file = file;
  other.count.checkpoint.resume = true;
  EXPECT_THROW(estimate(other.a, other.read, other.count, other.estimate), UsageError);
  EXPECT_THROW(count(other.a, other.read, other.count), UsageError);
  EXPECT_THROW(
      ratio(read_graph(asked.a, asked.read), read_graph(asked.b, asked.read), other.count, other.estimate),
      UsageError);
  JournalHeader header = journal.header;
  header.ratio->pieces[0].rows += 1;
  EXPECT_THROW(resumed(with(header, none), file), InputError);
  header = journal.header;
  header.estimate->rule = 1;
  EXPECT_THROW(resumed(with(header, none), file), InputError);
  header = journal.header;
  header.ratio.reset();
  EXPECT_THROW(resumed(with(header, none), file), InputError);
  // Samples that cannot be, and some that are others'.
  const JournalHeader& own = journal.header;
  EXPECT_THROW(resumed(with(own, [](RatioSamples& samples) { samples.pop_back(); }), file), InputError);
  EXPECT_THROW(resumed(with(own, [](RatioSamples& samples) { samples[3].log_b = 1e11; }), file), InputError);
  EXPECT_THROW(resumed(with(own, [](RatioSamples& samples) { samples[0].log_a += 1e-6; }), file), CheckError);
  write(file, sound);
  EXPECT_EQ(resumed(asked, file), ratio_by(asked));
}

TEST(RatioJournal, RecordsAreReadAsTheyWereWritten) {
  constexpr double zero = -std::numeric_limits<double>::infinity();
  const RatioRecord record{2, 7, {{0.1, 1.0 / 3, -2e-300}, {5, zero, 4.25}, {zero, zero, zero}}};
  const RatioRecord again = parse_ratio(ratio_text(record));
  EXPECT_EQ(again.piece, 2U);
  EXPECT_EQ(again.chunk, 7U);
  ASSERT_EQ(again.samples.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(again.samples[k].log, record.samples[k].log);
    EXPECT_EQ(again.samples[k].log_a, record.samples[k].log_a);
    EXPECT_EQ(again.samples[k].log_b, record.samples[k].log_b);
  }
  for (const char* samples :
       {"[]", "[[1,2]]", "[[1,2,3,4]]", "[[null,1,2]]", "[[1,\"2\",3]]", "[[1e13,1,1]]", "[1,2,3]", "{}"})
    EXPECT_ANY_THROW(parse_ratio(fmt::format(R"({{"piece":0,"chunk":0,"samples":{}}})", samples))) << samples;
  EXPECT_ANY_THROW(parse_ratio(R"({"piece":-1,"chunk":0,"samples":[[1,2,3]]})"));
  EXPECT_ANY_THROW(parse_ratio(R"({"piece":0,"chunk":4503599627370496,"samples":[[1,2,3]]})"));
}

}  // namespace
}  // namespace countpm::ratio_journal_test
