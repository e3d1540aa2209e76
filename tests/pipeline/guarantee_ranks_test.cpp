// A guarantee on several ranks, which are threads here: the trials of one process, or a clear refusal.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "graph/errors.hpp"
#include "src/distributed/sample_board.hpp"
#include "src/estimate/estimate_on_board.hpp"
#include "src/estimate/sample_worker.hpp"
#include "tests/pipeline/board_testing.hpp"
#include "tests/pipeline/estimate_ranks.hpp"

namespace countpm::guarantee_ranks_test {
namespace {

using Json = nlohmann::json;
using testing::alone;
using testing::Asked;
using testing::expect_to_go_on;
using testing::figures;
using testing::guaranteed;
using testing::on_ranks;
using testing::Post;

TEST(GuaranteeRanks, DrawTheTrialsOfOneProcess) {
  int given_away = 0;
  for (const bool coins : {true, false}) {
    SCOPED_TRACE(coins ? "coins" : "bets");
    const Asked asked = guaranteed(coins);
    const Json expected = figures(alone(asked));
    for (const int ranks : {1, 2, 4}) {
      Post post(ranks);
      const EstimateResult result = on_ranks(
          ranks, asked, [](int rank, Asked& own) { own.count.threads = 1 + rank % 2; }, &post);
      EXPECT_EQ(figures(result), expected) << ranks;
      EXPECT_EQ(result.ranks, ranks);
      given_away += post.sent["draw"];
    }
  }
  EXPECT_GT(given_away, 0);
}

TEST(GuaranteeRanks, DifferInGpus) {
  Asked asked = guaranteed(false);
  const Json expected = figures(alone(asked));
  asked.count.emulated_gpus = 3;
  for (const int with : {0, 1}) {
    EXPECT_EQ(
        figures(on_ranks(
            2, asked, [with](int rank, Asked& own) { own.estimate.device = rank == with ? "gpu" : "cpu"; })),
        expected)
        << with;
  }
}

TEST(GuaranteeRanks, GoOnFromACheckpointOnAnyNumberOfThem) {
  Asked asked = guaranteed(true);
  const Json expected = figures(alone(asked));
  const std::string input = ::testing::TempDir() + "countpm-guarantee-ranks.txt";
  std::ofstream(input) << asked.source.bytes;
  asked.source = Source::from_argument(input);
  expect_to_go_on(asked, expected, "countpm-guarantee-ranks.journal");
  std::remove(input.c_str());
}

TEST(GuaranteeRanks, RanksThatDrawSamplesAreRefused) {
  for (const int without : {0, 1}) {
    const Asked asked = guaranteed(true);
    try {
      on_ranks(2, asked, [without](int rank, Asked& own) {
        if (rank != without) return;
        own.estimate.guarantee.reset();
        own.estimate.sampler.kind = SamplerKind::rasmussen_plus;
        own.estimate.samples = 200000;
      });
      FAIL() << "rank " << without << " draws samples";
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(without == 0 ? "would draw trials" : "by rejection"),
                std::string::npos)
          << error.what();
    }
  }
}

/// What rank 0 says where rank 1's batches are changed, their checksums right. Rank 1 may be too late, or
/// what it draws takes longer to draw again than there is time: then it is tried again.
std::string said_of_forged(bool coins, const std::function<void(SampleBatch&, unsigned share_bits)>& how) {
  const Asked asked = guaranteed(coins);
  for (int k = 0; k < 20; ++k) {
    Post post(2);
    JournalHeader header;
    unsigned share_bits = 0;
    post.change = [&](int from, std::string& text) {
      const auto [word, content] = protocol::parts(text);
      if (word == "draw") share_bits = nlohmann::json::parse(content)["share_bits"];
      if (word == "samplers") header = parse_journal(content, "the plan").header;
      if (from != 1 || word != "results") return;
      std::istringstream lines(content);
      text = "results\n";
      for (std::string line; std::getline(lines, line);) {
        SampleBatch batch = parse_batch_line(header, line).value();
        how(batch, share_bits);
        text += batch_line(header, batch);
      }
    };
    try {
      on_ranks(2, asked, {}, &post);
    } catch (const CheckError& error) {
      return error.what();
    }
  }
  return "nothing is refused";
}

TEST(GuaranteeRanks, ForgedTrialsAreRefused) {
  // More hits than a trial can have; two of the same trial; samples in the place of trials.
  const std::string many = said_of_forged(true, [](SampleBatch& batch, unsigned share_bits) {
    batch.hits = {{batch.range.first, (std::uint64_t{1} << share_bits) + 1}};
    batch.moments.nonzero = 1;
  });
  // Beyond 2^16 there are none at all.
  EXPECT_TRUE(many.find("cannot have") != std::string::npos ||
              many.find("checksum is wrong") != std::string::npos)
      << many;
  const std::string twice = said_of_forged(false, [](SampleBatch& batch, unsigned) {
    batch.hits = {{batch.range.first, 1}, {batch.range.first, 1}};
    batch.moments.nonzero = 2;
  });
  EXPECT_NE(twice.find("checksum is wrong"), std::string::npos) << twice;
  const std::string samples = said_of_forged(false, [](SampleBatch& batch, unsigned) {
    const std::uint64_t all = batch.moments.samples;
    batch.hits.clear();
    batch.moments = {};
    batch.moments.add({0.5, 1});
    batch.moments.samples = all;
  });
  EXPECT_NE(samples.find("cannot have"), std::string::npos) << samples;
  // Trials that could be the block's, but have others' hits.
  const std::string others = said_of_forged(false, [](SampleBatch& batch, unsigned) {
    const bool first_alone = batch.moments.nonzero == 1 && batch.hits.front().trial == batch.range.first;
    batch.hits.clear();
    if (!first_alone) batch.hits.push_back({batch.range.first, 1});
    batch.moments.nonzero = batch.hits.size();
  });
  EXPECT_NE(others.find("drawn again"), std::string::npos) << others;
}

TEST(GuaranteeBoard, WorkersDrawTheTrialsOfOneProcess) {
  std::uint64_t refused = 0;
  for (const bool coins : {true, false}) {
    SCOPED_TRACE(coins ? "coins" : "bets");
    const Asked asked = guaranteed(coins);
    std::mt19937 random(coins ? 1U : 2U);
    SampleBoard board(0);
    std::optional<SampleWorker> worker;
    const EstimateResult result = testing::served(
        board,
        [&] { return estimate_on_board(board, read_graph(asked.source, {}), asked.count, asked.estimate); },
        [&] {
          const std::optional<UnitOrder> order = board.take(0.01, 2);
          if (!order) return;
          if (!worker) {
            Asked own = asked;
            own.count.threads = 2;
            const std::string plan = board.plan_of(*order);
            JournalHeader other = parse_journal(plan, "the plan").header;
            for (JournalBlock& block : other.blocks) {
              for (JournalSampling& sampling : block.sampled) sampling.sampler = "scaling";
            }
            EXPECT_THROW(
                SampleWorker(read_graph(own.source, {}), header_lines(other), own.count, own.estimate),
                UsageError);
            worker.emplace(read_graph(own.source, {}), plan, own.count, own.estimate);
            EXPECT_THROW(worker->run(1, order->range, own.count), UsageError);  // guarantees have no second
          }
          std::string records = worker->run(order->task, order->range, asked.count);
          if (random() % 4 == 0) return board.give_back(*order);
          if (random() % 4 == 0) records[random() % records.size()] ^= 2;
          if (random() % 4 == 0) records += records;
          refused += board.deliver(*order, records).refused;
        });
    EXPECT_EQ(figures(result), figures(alone(asked)));
    EXPECT_TRUE(testing::has_check(result, "samples of others"));
  }
  EXPECT_GT(refused, 0U);
}

}  // namespace
}  // namespace countpm::guarantee_ranks_test
