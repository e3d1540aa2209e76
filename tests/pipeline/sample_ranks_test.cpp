// An estimate on several ranks, which are threads here, and by a board's workers: the same figures, or a
// clear refusal.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "graph/errors.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/sample_board.hpp"
#include "src/estimate/estimate_on_board.hpp"
#include "src/estimate/follow_estimate.hpp"
#include "src/estimate/sample_worker.hpp"
#include "tests/pipeline/board_testing.hpp"
#include "tests/pipeline/estimate_ranks.hpp"
#include "tests/repeats.hpp"

namespace countpm::sample_ranks_test {
namespace {

using Json = nlohmann::json;
using testing::alone;
using testing::Asked;
using testing::asked_of;
using testing::Change;
using testing::expect_to_go_on;
using testing::figures;
using testing::has_check;
using testing::on_ranks;
using testing::Post;
using testing::QueueChannel;
using testing::repeats;

/// Two grids beside each other, one of them with weights: blocks that are sampled in turns.
Source two_blocks() {
  std::string text;
  const auto grid = [&text](char name, int width, int height, int weight) {
    for (int x = 0; x < width; ++x) {
      for (int y = 0; y < height; ++y) {
        if (x + 1 < width)
          text += fmt::format("{}{}_{} {}{}_{} {}\n", name, x, y, name, x + 1, y, 1 + (x * y) % weight);
        if (y + 1 < height) text += fmt::format("{}{}_{} {}{}_{} 1\n", name, x, y, name, x, y + 1);
      }
    }
  };
  grid('a', 8, 8, 3);
  grid('b', 6, 9, 1);
  return Source::from_bytes(text, "grids.edgelist");
}

TEST(SampleRanks, DrawWhatOneDrawsByEverySampler) {
  int given_away = 0;
  for (const SamplerInfo& info : samplers()) {
    SCOPED_TRACE(info.name);
    Asked asked = asked_of("lattice:square:8x8");
    asked.estimate.sampler.kind = info.kind;
    asked.estimate.second =
        info.kind == SamplerKind::scaling ? SecondOpinion::annealed : SecondOpinion::automatic;
    // Some hundredths of a second each.
    asked.estimate.samples = info.kind == SamplerKind::annealed     ? 40
                             : info.kind == SamplerKind::population ? 60
                             : info.walks                           ? 2000
                                                                    : 1000;
    Post post(3);
    const EstimateResult result = on_ranks(3, asked, {}, &post);
    EXPECT_EQ(figures(result), figures(alone(asked)));
    EXPECT_EQ(result.ranks, 3);
    given_away += post.sent["draw"];
  }
  EXPECT_GT(given_away, 0);
}

TEST(SampleRanks, StopWhereOneStops) {
  Asked asked = asked_of("", 0);
  asked.source = two_blocks();
  asked.estimate.relative_error = 0.03;
  const Json expected = figures(alone(asked));
  EXPECT_EQ(expected["blocks"].size(), 2U);
  for (const int ranks : {1, 2, 4}) {
    Post post(ranks);
    const EstimateResult result = on_ranks(
        ranks, asked, [](int rank, Asked& own) { own.count.threads = 1 + rank % 2; }, &post);
    EXPECT_EQ(figures(result), expected) << ranks;
    if (ranks > 1) {
      EXPECT_GT(post.sent["draw"], 0);
      EXPECT_TRUE(has_check(result, "samples of others"));
    }
  }
}

/// The lines of --ln-weights; what other ranks draw comes to rank 0 alone.
template <class Draw>
std::string weights_by(Asked asked, const Draw& draw) {
  std::string lines;
  asked.estimate.weights = [&lines](const SampleWeights& some) {
    std::uint64_t sample = some.first;
    for (const double ln : some.ln)
      lines += fmt::format("{} {} {} {:a}\n", some.replicate, some.block, sample++, ln);
  };
  draw(asked);
  return lines;
}

TEST(SampleRanks, BringTheWeightsThatOneHas) {
  const std::size_t samples = testing::sanitized ? 100 : 400;
  Asked asked = asked_of("", samples);
  asked.source = two_blocks();
  asked.estimate.sampler.kind = SamplerKind::rasmussen;  // some of its samples are 0
  asked.estimate.second = SecondOpinion::none;
  for (const unsigned replicates : {1U, 2U}) {
    asked.estimate.replicates = replicates;
    const std::string expected = weights_by(asked, alone);
    EXPECT_EQ(static_cast<std::size_t>(std::count(expected.begin(), expected.end(), '\n')),
              2 * samples * replicates);
    EXPECT_NE(expected.find("-inf"), std::string::npos);
    Post post(3);
    EXPECT_EQ(weights_by(asked,
                         [&post](const Asked& own) {
                           on_ranks(
                               3, own,
                               [](int rank, Asked& one) {
                                 if (rank != 0) one.estimate.weights = [](const SampleWeights&) {};
                               },
                               &post);
                         }),
              expected);
    EXPECT_GT(post.sent["draw"], 0);
  }
}

TEST(SampleRanks, DifferInGpus) {
  Asked asked = asked_of("lattice:square:8x8", 4000);
  asked.estimate.sampler.kind = SamplerKind::rasmussen;
  const Json expected = figures(alone(asked));
  asked.count.emulated_gpus = 3;
  EXPECT_EQ(figures(on_ranks(3, asked,
                             [](int rank, Asked& own) { own.estimate.device = rank == 1 ? "gpu" : "cpu"; })),
            expected);
}

TEST(SampleRanks, GoOnFromACheckpointOnAnyNumberOfThem) {
  Asked asked = asked_of("lattice:square:10x10", 3000);
  asked.estimate.sampler.kind = SamplerKind::scaling_plus;
  const Json expected = figures(alone(asked));
  expect_to_go_on(asked, expected, "countpm-sample-ranks.journal");
}

TEST(SampleRanks, NobodyIsNeededForWhatIsExact) {
  Asked asked = asked_of("lattice:square:4x4");
  asked.estimate.all_sampled = false;
  EXPECT_EQ(on_ranks(3, asked).exact_count, "36");
  asked.source = Source::from_bytes("a b\na c\n", "star.edgelist");
  EXPECT_EQ(on_ranks(2, asked).exact_count, "0");
}

/// What rank 0 throws, as text; empty: nothing.
template <class Error>
std::string refusal(const Asked& asked, const Change& change, Post* post = nullptr) {
  try {
    on_ranks(2, asked, change, post);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(SampleRanks, OthersThanRank0SaysAreRefused) {
  const Asked asked = asked_of("lattice:square:10x10", 20000);
  const auto of_rank_1 = [](const std::function<void(Asked&)>& differ) {
    return [differ](int rank, Asked& own) {
      if (rank == 1) differ(own);
    };
  };
  const auto said = [&](const std::function<void(Asked&)>& differ) {
    return refusal<UsageError>(asked, of_rank_1(differ));
  };
  EXPECT_NE(said([](Asked& own) {
              own.source = Source::from_argument("lattice:square:10x8");
            }).find("another than rank 0's"),
            std::string::npos);
  EXPECT_NE(said([](Asked& own) { own.count.seed = 8; }).find("seed 8"), std::string::npos);
  EXPECT_NE(said([](Asked& own) {
              own.estimate.sampler.kind = SamplerKind::rasmussen;
            }).find("would draw samples by rasmussen"),
            std::string::npos);
  EXPECT_NE(refusal<UnableError>(asked, of_rank_1([](Asked& own) { own.estimate.gpus = 64; })).find("rank 1"),
            std::string::npos);
}

/// Rank 1 may be too late to draw any: then it is tried again.
TEST(SampleRanks, SamplesWithoutTheWeightsAreRefused) {
  Asked asked = asked_of("lattice:square:8x8", 1000);
  asked.estimate.weights = [](const SampleWeights&) {};
  std::string said;
  for (int k = 0; k < 20 && said.empty(); ++k) {
    try {
      on_ranks(2, asked, [](int rank, Asked& own) {
        if (rank == 1) own.estimate.weights = nullptr;
      });
    } catch (const CheckError& error) {
      said = error.what();
    }
  }
  EXPECT_NE(said.find("samples that the block cannot have"), std::string::npos) << said;
}

/// What rank 0 says where the lines with rank 1's samples are changed. Rank 1 may be too late, or what
/// it draws takes longer to draw again than there is time: then it is tried again.
std::string said_of_changed(const Asked& asked,
                            const std::function<void(std::string& line, const JournalHeader& header)>& how) {
  for (int k = 0; k < 20; ++k) {
    Post post(2);
    JournalHeader header;
    post.change = [&](int from, std::string& text) {
      const auto [word, content] = protocol::parts(text);
      if (word == "samplers") header = parse_journal(content, "the plan").header;
      if (from != 1 || word != "results") return;
      std::istringstream lines(content);
      text = "results\n";
      for (std::string line; std::getline(lines, line);) {
        how(line, header);
        text += line + "\n";
      }
    };
    std::string said = refusal<CheckError>(asked, {}, &post);
    if (!said.empty()) return said;
  }
  return "nothing is refused";
}

/// The same of samples with a checksum that is right.
std::string said_of_forged(const Asked& asked, const std::function<void(SampleBatch&)>& how) {
  return said_of_changed(asked, [how](std::string& line, const JournalHeader& header) {
    SampleBatch batch = parse_batch_line(header, line).value();
    how(batch);
    line = batch_line(header, batch);
    line.pop_back();
  });
}

TEST(SampleRanks, DamagedAndForgedSamplesAreRefused) {
  Asked asked = asked_of("lattice:square:8x8", 40000);
  asked.estimate.sampler.kind = SamplerKind::rasmussen_plus;
  const std::string damaged =
      said_of_changed(asked, [](std::string& line, const JournalHeader&) { line[line.size() / 2] ^= 1; });
  EXPECT_NE(damaged.find("checksum is wrong"), std::string::npos) << damaged;
  // No sample of the block is that large.
  const std::string large = said_of_forged(asked, [](SampleBatch& batch) {
    batch.moments = {};
    batch.moments.add({0.5, 1 << 20});
    batch.moments.samples = batch.range.size();
  });
  EXPECT_NE(large.find("cannot have"), std::string::npos) << large;
  // Samples that could be the block's, but are none of its.
  const std::string others = said_of_forged(asked, [](SampleBatch& batch) {
    batch.moments = {};
    batch.moments.samples = batch.range.size();
  });
  EXPECT_NE(others.find("drawn again"), std::string::npos) << others;
}

TEST(SampleRanks, WhatARankMakesUpIsRefused) {
  for (const char* const message :
       {"ready\n", "ready\n[]", "ready\n{\"slots\":0,\"lead\":0.1}", "ready\n{\"slots\":1,\"lead\":1e300}",
        "results\nrubbish", "failed\n{}", "hello"}) {
    Post post(2);
    post.queues[0].push_back({1, message});
    QueueChannel channel(post, 0);
    Asked asked = asked_of("lattice:square:8x8", 20000);
    asked.count.channel = &channel;
    EXPECT_THROW(estimate(asked.source, {}, asked.count, asked.estimate), CheckError) << message;
  }
  for (const char* const message : {"plan\nrubbish", "draw\n{}", "phase\n{}"}) {
    Post post(2);
    post.queues[1].push_back({0, message});
    post.queues[1].push_back({0, "end\n"});
    QueueChannel channel(post, 1);
    Asked asked = asked_of("lattice:square:6x6", 10);
    asked.count.channel = &channel;
    follow_to_end(channel, [&] { follow_estimate(asked.source, {}, asked.count, asked.estimate); });
    EXPECT_EQ(post.queues[0].back().text, "bye\n");
    // What comes before there is a plan came too late for another one.
    EXPECT_EQ(post.queues[0].front().text.starts_with("failed"), std::string(message).find("draw") != 0)
        << message;
  }
}

ReadResult read_of(const Asked& asked) {
  return read_graph(asked.source, {});
}

/// An estimate by a board, on a thread of its own; `serve` is called until it is over.
template <class Serve>
EstimateResult on_board(SampleBoard& board, const Asked& asked, const Serve& serve) {
  return testing::served(
      board, [&] { return estimate_on_board(board, read_of(asked), asked.count, asked.estimate); }, serve);
}

TEST(SampleBoard, CountsEverySampleOnceWhateverBecomesOfOrders) {
  Asked asked = asked_of("", 0);
  asked.source = two_blocks();
  const Json expected = figures(alone(asked));
  std::uint64_t repeated = 0;
  std::uint64_t refused = 0;
  for (int round = 0; round < repeats(3); ++round) {
    std::mt19937 random(static_cast<unsigned>(round));
    SampleBoard board(0);
    std::optional<SampleWorker> worker;
    std::vector<std::pair<UnitOrder, std::string>> kept;
    const EstimateResult result = on_board(board, asked, [&] {
      if (!worker && !board.plan().empty())
        worker.emplace(read_of(asked), board.plan(), asked.count, asked.estimate);
      if (!kept.empty() && random() % 2 == 0) {
        repeated += board.deliver(kept.back().first, kept.back().second).repeated;
        kept.pop_back();
      }
      const std::optional<UnitOrder> order = board.take(0.01, 1 + random() % 3);
      if (!order) return;
      std::string records = worker->run(order->task, order->range, asked.count);
      switch (random() % 6) {
        case 0:  // lost
          board.give_back(*order);
          return;
        case 1:  // damaged, or torn
          records[random() % records.size()] ^= 2;
          break;
        case 2:  // late: others draw them meanwhile
          board.give_back(*order);
          kept.emplace_back(*order, records);
          return;
        case 3:
          records += records;
          break;
        case 4:  // of other samples than were asked for
          records = worker->run(order->task, {order->range.first, order->range.last + 1}, asked.count);
          break;
        default:
          break;
      }
      const UnitDelivery delivery = board.deliver(*order, records);
      repeated += delivery.repeated;
      refused += delivery.refused;
    });
    EXPECT_EQ(figures(result), expected) << "seed " << round;
  }
  EXPECT_GT(repeated, 0U);
  EXPECT_GT(refused, 0U);
}

TEST(SampleBoard, WorkersOfAnotherPlanAreRefused) {
  const Asked asked = asked_of("lattice:square:8x8", 300);
  SampleBoard board(0);
  bool tried = false;
  std::optional<SampleWorker> worker;
  on_board(board, asked, [&] {
    const std::string plan = board.plan();
    if (plan.empty()) return;
    if (!std::exchange(tried, true)) {
      const auto make = [&](const Asked& other, const std::string& header) {
        return SampleWorker(read_of(other), header, other.count, other.estimate);
      };
      EXPECT_THROW(make(asked_of("lattice:square:8x6", 300), plan), InputError);
      Asked seed = asked;
      seed.count.seed = 8;
      EXPECT_THROW(make(seed, plan), UsageError);
      Asked sampler = asked;
      sampler.estimate.sampler.kind = SamplerKind::rasmussen;
      EXPECT_THROW(make(sampler, plan), UsageError);
      JournalHeader version = parse_journal(plan, "the plan").header;
      version.version = "0.0.1";
      EXPECT_THROW(make(asked, header_lines(version)), UsageError);
      EXPECT_THROW(make(asked, "countpm journal 1\n"), InputError);
      worker.emplace(read_of(asked), plan, asked.count, asked.estimate);
      EXPECT_THROW(worker->run(7, {0, 1}, asked.count), UsageError);
      EXPECT_THROW(worker->run(0, {1, 1}, asked.count), UsageError);
    }
    if (const std::optional<UnitOrder> order = board.take(1, 1))
      board.deliver(*order, worker->run(order->task, order->range, asked.count));
  });
  EXPECT_TRUE(tried);
  Asked gpu = asked;
  gpu.estimate.device = "gpu";
  EXPECT_THROW(estimate_on_board(board, read_of(gpu), gpu.count, gpu.estimate), UsageError);
}

/// What each plan's worker brings; now and then what an order of a plan that is over brings, too.
EstimateResult by_workers(const Asked& asked, std::uint64_t& stale) {
  SampleBoard board(0);
  std::string plan;
  std::optional<SampleWorker> worker;
  std::optional<std::pair<UnitOrder, std::string>> late;
  return on_board(board, asked, [&] {
    const std::optional<UnitOrder> order = board.take(0.002, 2);
    if (!order) return;
    const std::string header = board.plan_of(*order);
    if (header != plan) {
      plan = header;
      Asked own = asked;
      own.count.threads = 2;
      worker.emplace(read_of(own), plan, own.count, own.estimate);
    }
    const std::string records = worker->run(order->task, order->range, asked.count);
    if (late && late->first.plan != order->plan) {
      const UnitDelivery delivery = board.deliver(late->first, late->second);
      EXPECT_EQ(delivery.units, 0U);
      EXPECT_EQ(delivery.refused, 0U);
      board.give_back(late->first);
      EXPECT_TRUE(board.plan_of(late->first).empty());
      late.reset();
      ++stale;
    }
    if (!late) late.emplace(*order, records);
    board.deliver(*order, records);
  });
}

TEST(SampleBoard, BringsReplicatesAndWeights) {
  Asked asked = asked_of("", testing::sanitized ? 60 : 200);
  asked.source = two_blocks();
  asked.estimate.sampler.kind = SamplerKind::rasmussen;  // some of its samples are 0
  asked.estimate.second = SecondOpinion::none;
  asked.estimate.replicates = 3;
  std::uint64_t stale = 0;
  EXPECT_EQ(figures(by_workers(asked, stale)), figures(alone(asked)));
  EXPECT_GT(stale, 0U);
  Asked weighing = asked;
  weighing.estimate.replicates = 2;
  const auto draw = [&stale](const Asked& own) { return by_workers(own, stale); };
  const std::string weights = weights_by(weighing, alone);
  EXPECT_NE(weights.find("-inf"), std::string::npos);
  EXPECT_EQ(weights_by(weighing, draw), weights);
}

}  // namespace
}  // namespace countpm::sample_ranks_test
