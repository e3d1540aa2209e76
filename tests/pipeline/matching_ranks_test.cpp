// Random matchings and edge probabilities, exact and sampled, on several ranks, which are threads here: those
// of one process, or a clear refusal.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "graph/errors.hpp"
#include "graph/sha256.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/leader.hpp"
#include "src/matchings/follow_matchings.hpp"
#include "src/matchings/range_bytes.hpp"
#include "src/matchings/ratio.hpp"
#include "src/matchings/sampled_marginals.hpp"
#include "tests/pipeline/queue_ranks.hpp"
#include "tests/repeats.hpp"

namespace countpm::matching_ranks_test {
namespace {

using testing::on_all_ranks;
using testing::Post;
using testing::QueueChannel;

struct Asked {
  Source source;
  ReadOptions read = {};
  CountOptions count = {};
  SampleOptions sample = {};
  EdgeSampling sampling = {};
  PairRequest pairs = {};
};

Asked asked_of(Source source, std::uint64_t count) {
  Asked asked{std::move(source)};
  asked.count.threads = 1;
  asked.count.seed = 11;
  asked.sample.count = count;
  return asked;
}

std::string drawn_by(const Asked& asked) {
  std::string lines;
  sample_matchings(asked.source, asked.read, asked.count, asked.sample,
                   [&](const std::vector<std::pair<std::string, std::string>>& pairs) {
                     for (const auto& [from, to] : pairs) lines += fmt::format("{}-{} ", from, to);
                     lines += '\n';
                     return true;
                   });
  return lines;
}

std::string edges_by(const Asked& asked) {
  std::string lines;
  const SampledMarginals all = sampled_marginals(asked.source, asked.read, asked.count, asked.sampling, {},
                                                 [&](const SampledEdge& edge) {
                                                   lines += fmt::format("{}-{}\n", edge.from, edge.to);
                                                   return true;
                                                 });
  for (std::size_t e = 0; e < all.probability.size(); ++e)
    lines += fmt::format("{:a} {:a}\n", all.probability[e], all.error[e]);
  return lines + fmt::format("{} {:a} {}", all.samples, all.effective_samples, all.sampler);
}

/// The pairs that are asked for.
std::string sampled_pair_marginals_by(const Asked& asked) {
  std::string lines;
  const SampledPairMarginals all = sampled_pair_marginals(
      asked.source, asked.read, asked.count, asked.sampling, {}, asked.pairs, [&](const SampledPair& pair) {
        lines +=
            fmt::format("{}-{} {}-{}\n", pair.first.from, pair.first.to, pair.second.from, pair.second.to);
        return true;
      });
  for (const PairShares& pair : all.pairs)
    lines += fmt::format("{:a} {:a} {:a} {:a}\n", pair.joint, pair.joint_error, pair.covariance,
                         pair.covariance_error);
  return lines + fmt::format("{} {:a} {}", all.samples, all.effective_samples, all.sampler);
}

using Change = std::function<void(int rank, Asked& asked)>;

/// What rank 0 has drawn, on so many ranks; `change` makes a rank differ. Throws what rank 0 throws.
template <class Draw, class Follow>
std::string on_ranks(Post& post, const Asked& asked, const Draw& draw, const Follow& follow,
                     const Change& change = {}) {
  const auto asked_by = [&](Channel& channel) {
    Asked own = asked;
    own.count.channel = &channel;
    if (change) change(channel.rank(), own);
    return own;
  };
  return on_all_ranks(
      post, [&](Channel& channel) { return draw(asked_by(channel)); },
      [&](Channel& channel) { follow(asked_by(channel)); });
}

void follow_draws(const Asked& own) {
  follow_sample(own.source, own.read, own.count, own.sample);
}
void follow_edges(const Asked& own) {
  follow_sampled_marginals(own.source, own.read, own.count, own.sampling);
}

void follow_their_pairs(const Asked& own) {
  follow_sampled_pair_marginals(own.source, own.read, own.count, own.sampling, {}, own.pairs);
}

/// A random bipartite graph, no grid among them, beside a square: two pieces.
Source two_pieces() {
  std::minstd_rand random(5);
  std::string text = "w x\nx y\ny z\nz w\n";
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) {
      if (i == j || (random() >> 8) % 3 == 0) text += fmt::format("a{} b{}\n", i, j);
    }
  }
  return Source::from_bytes(text, "pieces.edgelist");
}

TEST(MatchingRanks, DrawTheMatchingsOfOneProcess) {
  Asked monomers = asked_of(Source::from_argument("lattice:square:4x5"), 300);
  monomers.read.monomers = "1";
  int given_away = 0;
  for (const Asked& asked :
       {asked_of(Source::from_argument("lattice:square:10x10"), 400),
        asked_of(Source::from_argument("lattice:triangular:4x6"), 1000),
        asked_of(Source::from_argument("lattice:aztec:16"), 500), asked_of(two_pieces(), 1000), monomers}) {
    SCOPED_TRACE(asked.source.name);
    const std::string expected = drawn_by(asked);
    for (const int ranks : {1, 2, 3}) {
      if (testing::sanitized && ranks == 2) continue;
      Post post(ranks);
      EXPECT_EQ(on_ranks(post, asked, drawn_by, follow_draws), expected) << ranks;
      given_away += post.sent["take"];
    }
  }
  EXPECT_GT(given_away, 0);
  for (const Asked& none : {asked_of(Source::from_bytes("a b\na c\n", "star.edgelist"), 10),
                            asked_of(Source::from_argument("lattice:square:4x4"), 0)}) {
    Post post(3);
    EXPECT_EQ(on_ranks(post, none, drawn_by, follow_draws), "");
  }
}

TEST(MatchingRanks, SampleTheEdgesOfOneProcess) {
  int given_away = 0;
  for (const std::uint64_t samples : {std::uint64_t{3000}, std::uint64_t{0}}) {
    for (const Source& source : {Source::from_argument("lattice:square:6x6"), two_pieces()}) {
      SCOPED_TRACE(source.name);
      Asked asked = asked_of(source, 0);
      asked.sampling.samples = samples;
      asked.sampling.error = 0.02;
      asked.sampling.time_limit_seconds = std::numeric_limits<double>::infinity();
      const std::string expected = edges_by(asked);
      for (const int ranks : {1, 2, 3}) {
        if (testing::sanitized && ranks == 2) continue;
        Post post(ranks);
        EXPECT_EQ(on_ranks(post, asked, edges_by, follow_edges,
                           [](int rank, Asked& own) { own.count.threads = 1 + rank % 2; }),
                  expected)
            << ranks;
        given_away += post.sent["take"];
      }
    }
  }
  EXPECT_GT(given_away, 0);
}

/// Every edge with its exact probability, or the pairs that are asked for.
std::string exactly_by(const Asked& asked) {
  std::string lines;
  MarginalOptions exact;
  exact.digits = 60;
  exact.started = [&](const ListStart& start) { lines += start.method + '\n'; };
  if (asked.pairs.given || !asked.pairs.pairs.empty()) {
    pair_probabilities(asked.source, asked.read, asked.count, exact, asked.pairs,
                       [&](const PairProbability& pair) {
                         lines += fmt::format("{}-{} {}-{} {} {}\n", pair.first.from, pair.first.to,
                                              pair.second.from, pair.second.to, pair.joint, pair.covariance);
                         return true;
                       });
    return lines;
  }
  marginals(asked.source, asked.read, asked.count, exact, [&](const EdgeProbability& edge) {
    lines += fmt::format("{}-{} {}\n", edge.from, edge.to, edge.probability);
    return true;
  });
  return lines;
}

void follow_exactly(const Asked& own) {
  if (own.pairs.given || !own.pairs.pairs.empty())
    return follow_pairs(own.source, own.read, own.count, {}, own.pairs);
  follow_marginals(own.source, own.read, own.count);
}

/// So many parts of random edges, each of 2 n vertices, whose probabilities need frontier; a part of a
/// ladder's beside them.
Source random_parts(int parts, int n) {
  std::minstd_rand random(7);
  std::string text;
  for (int part = 0; part < parts; ++part) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (i == j || j == (i + 1) % n || (random() >> 8) % 3 == 0)
          text += fmt::format("p{}a{} p{}b{} {}\n", part, i, part, j, 1 + random() % 5);
      }
    }
  }
  return Source::from_bytes(text, "parts.edgelist");
}

/// Planar, and large enough for several groups of primes.
Asked large_square() {
  return asked_of(Source::from_argument("lattice:square:60x60"), 0);
}

TEST(MatchingRanks, FindTheExactProbabilitiesOfOneProcess) {
  Asked parts = asked_of(random_parts(6, 9), 0);
  parts.read.weights = true;
  Asked monomers = asked_of(Source::from_argument("lattice:square:4x5"), 0);
  monomers.read.monomers = "1";
  struct Case {
    Asked asked;
    const char* method;
    bool given_away;  // whether there is more than rank 0 begins with
  };
  for (const Case& one :
       {Case{asked_of(Source::from_argument("lattice:square:14x14"), 0), "planar", false},
        Case{large_square(), "planar", true},
        Case{asked_of(Source::from_argument("lattice:torus:14x14"), 0), "planar", false},
        Case{asked_of(Source::from_argument("lattice:triangular:4x6"), 0), "frontier", false},
        Case{parts, "frontier", true}, Case{monomers, "frontier", false},
        Case{asked_of(Source::from_bytes("a b\na c\n", "star.edgelist"), 0), "", false}}) {
    SCOPED_TRACE(one.asked.source.name);
    const std::string expected = exactly_by(one.asked);
    EXPECT_EQ(expected.substr(0, expected.find('\n')), one.method);
    for (const int ranks : {1, 2, 3}) {
      if (testing::sanitized && ranks == 2) continue;
      Post post(ranks);
      EXPECT_EQ(on_ranks(post, one.asked, exactly_by, follow_exactly,
                         [](int rank, Asked& own) { own.count.threads = 1 + rank % 2; }),
                expected)
          << ranks;
      if (one.given_away && ranks > 1) {
        EXPECT_GT(post.sent["take"], 0) << ranks;
      }
    }
  }
}

TEST(MatchingRanks, FindThePairsOfOneProcess) {
  int given_away = 0;
  int sampled_away = 0;
  for (const Source& source : {Source::from_argument("lattice:square:6x6"), two_pieces()}) {
    SCOPED_TRACE(source.name);
    Asked asked = asked_of(source, 0);
    const Graph graph = read_graph(source, {}).graph;
    const auto name = [&](std::size_t edge) {
      const Edge& one = graph.edges[edge % graph.edges.size()];
      const bool sides = graph.kind == GraphKind::bipartite;
      return EdgeName{graph.left_labels.label(one.from),
                      (sides ? graph.right_labels : graph.left_labels).label(one.to)};
    };
    for (std::size_t k = 0; k < 24; ++k) asked.pairs.pairs.emplace_back(name(k / 2), name(5 * k));
    asked.sampling.samples = 3000;
    asked.sampling.time_limit_seconds = std::numeric_limits<double>::infinity();
    const std::string expected = exactly_by(asked);
    const std::string of_samples = sampled_pair_marginals_by(asked);
    for (const int ranks : {1, 2, 3}) {
      if (testing::sanitized && ranks == 2) continue;
      Post post(ranks);
      EXPECT_EQ(on_ranks(post, asked, exactly_by, follow_exactly), expected) << ranks;
      given_away += post.sent["take"];
      Post of_sampled(ranks);
      EXPECT_EQ(on_ranks(of_sampled, asked, sampled_pair_marginals_by, follow_their_pairs), of_samples)
          << ranks;
      sampled_away += of_sampled.sent["take"];
    }
    Asked given = asked;
    given.pairs.pairs.clear();
    given.pairs.given = name(3);
    const std::string of_given = exactly_by(given);
    Post post(2);
    EXPECT_EQ(on_ranks(post, given, exactly_by, follow_exactly), of_given);
  }
  EXPECT_GT(given_away, 0);
  EXPECT_GT(sampled_away, 0);
}

/// Two graphs that are alike: samples of both at a time say more than of each for itself.
struct AskedRatio {
  Source a;
  Source b;
  CountOptions count = {};
  EstimateOptions estimate = {};
};

std::string ratio_by(const AskedRatio& asked) {
  const RatioResult result = ratio(asked.a, asked.b, {}, asked.count, asked.estimate);
  return fmt::format("{:a} {:a} {:a} {:a} {} {}", result.ln, result.low, result.high, result.pareto_k,
                     result.samples, result.sampler);
}

TEST(MatchingRanks, HaveTheRatioOfOneProcess) {
  AskedRatio asked{Source::from_argument("lattice:cubic:4x4x4:weights=1.01,1,1"),
                   Source::from_argument("lattice:cubic:4x4x4")};
  asked.count.threads = 1;
  asked.count.seed = 5;
  asked.estimate.all_sampled = true;
  asked.estimate.second = SecondOpinion::none;
  asked.estimate.time_limit_seconds = std::numeric_limits<double>::infinity();
  asked.estimate.samples = 1000;
  const std::string expected = ratio_by(asked);
  for (const int ranks : {2, 3}) {
    Post post(ranks);
    const auto asked_by = [&](Channel& channel) {
      AskedRatio own = asked;
      own.count.channel = &channel;
      return own;
    };
    EXPECT_EQ(on_all_ranks(
                  post, [&](Channel& channel) { return ratio_by(asked_by(channel)); },
                  [&](Channel& channel) {
                    const AskedRatio own = asked_by(channel);
                    follow_ratio(own.a, own.b, {}, own.count, own.estimate);
                  }),
              expected)
        << ranks;
    EXPECT_GT(post.sent["take"], 0) << ranks;
  }
}

/// What rank 0 throws, as text, where rank 1 differs. Rank 0 may be done before it hears of it: then it is
/// tried again.
std::string said(const std::function<void(Asked&)>& differ) {
  for (int k = 0; k < 20; ++k) {
    Post post(2);
    try {
      on_ranks(post, asked_of(Source::from_argument("lattice:square:16x16"), 200), drawn_by, follow_draws,
               [&](int rank, Asked& own) {
                 if (rank == 1) differ(own);
               });
    } catch (const UsageError& error) {
      return error.what();
    }
  }
  return "";
}

TEST(MatchingRanks, OthersThanRank0SaysAreRefused) {
  EXPECT_NE(said([](Asked& own) { own.count.seed = 12; }).find("seed 12"), std::string::npos);
  EXPECT_NE(said([](Asked& own) { own.sample.count = 301; }).find("301 matchings"), std::string::npos);
  EXPECT_NE(said([](Asked& own) {
              own.source = Source::from_argument("lattice:square:16x14");
            }).find("another than rank 0's"),
            std::string::npos);
  Asked graph = asked_of(Source::from_bytes("a b\nb c\nc d\nd a\n", "square.edgelist"), 10);
  Post post(2);
  QueueChannel channel(post, 0);
  graph.count.channel = &channel;
  EXPECT_THROW(sample_matchings(read_graph(graph.source, {}), graph.count, graph.sample,
                                [](const std::vector<Edge>&) { return true; }),
               UsageError);
}

/// What rank 0 says of bytes that rank 1 did not draw. how: false: their checksum stays as it is. Rank 1 may
/// be too late: then it is tried again.
template <class Draw, class Follow>
std::string said_of_forged(const Asked& asked, const Draw& draw, const Follow& follow,
                           const std::function<bool(std::string& bytes, std::uint64_t count)>& how) {
  for (int k = 0; k < 20; ++k) {
    Post post(2);
    std::string id;
    post.change = [&](int from, std::string& text) {
      const auto [word, content] = protocol::parts(text);
      if (from == 0 && word == "plan") id = nlohmann::json::parse(content)["id"];
      if (from != 1 || word != "brought") return;
      auto [head, bytes] = protocol::parts(content);
      nlohmann::json json = nlohmann::json::parse(head);
      const auto count = json["last"].get<std::uint64_t>() - json["first"].get<std::uint64_t>();
      if (how(bytes, count)) {
        Sha256 sum;
        sum.update(id);
        for (const char* const name : {"task", "first", "last"}) sum.update_number(json[name]);
        sum.update(bytes);
        json["checksum"] = sum.digest();
      }
      text = "brought\n" + json.dump() + '\n' + bytes;
    };
    try {
      on_ranks(post, asked, draw, follow);
    } catch (const CheckError& error) {
      return error.what();
    }
  }
  return "nothing is refused";
}

TEST(MatchingRanks, DamagedAndForgedDrawsAreRefused) {
  const Asked asked = asked_of(Source::from_argument("lattice:square:12x12"), 600);
  const auto forged = [&](const std::function<bool(std::string&)>& how) {
    return said_of_forged(asked, drawn_by, follow_draws,
                          [&how](std::string& bytes, std::uint64_t) { return how(bytes); });
  };
  const std::string damaged = forged([](std::string& bytes) {
    bytes[bytes.size() / 2] ^= 1;
    return false;
  });
  EXPECT_NE(damaged.find("checksum is wrong"), std::string::npos) << damaged;
  const std::string none = forged([](std::string& bytes) {
    bytes[8] = bytes[16];  // the first pair's row, that of the second
    return true;
  });
  EXPECT_NE(none.find("no matchings"), std::string::npos) << none;
  const std::string fewer = forged([](std::string& bytes) {
    bytes.pop_back();
    return true;
  });
  EXPECT_NE(fewer.find("fewer bytes"), std::string::npos) << fewer;
  // Matchings, but those of other numbers.
  std::string first;
  const std::string others = forged([&first](std::string& bytes) {
    constexpr std::size_t draw = 8 + 72 * 8;
    if (first.empty()) first = bytes.substr(0, draw);
    for (std::size_t at = 0; at < bytes.size(); at += draw) bytes.replace(at, draw, first);
    return true;
  });
  EXPECT_NE(others.find("is another"), std::string::npos) << others;
}

TEST(MatchingRanks, ForgedTilingsAndTalliesAreRefused) {
  const Asked tilings = asked_of(Source::from_argument("lattice:aztec:24"), 600);
  const std::string none =
      said_of_forged(tilings, drawn_by, follow_draws, [](std::string& bytes, std::uint64_t) {
        bytes[23] = bytes[23] == 1 ? 3 : 1;  // a cell of the first row
        return true;
      });
  EXPECT_NE(none.find("no tiling"), std::string::npos) << none;
  Asked edges = asked_of(Source::from_argument("lattice:square:8x8"), 0);
  edges.sampling.samples = 40000;
  edges.sampling.time_limit_seconds = std::numeric_limits<double>::infinity();
  const auto forged = [&](const std::function<void(PieceTally&)>& how) {
    return said_of_forged(edges, edges_by, follow_edges, [&how](std::string& bytes, std::uint64_t count) {
      std::vector<PieceTally> tallies = tallies_from_bytes(bytes, count, 112, 0);
      for (PieceTally& tally : tallies) how(tally);
      bytes = tallies_to_bytes(tallies);
      return true;
    });
  };
  const std::string negative = forged([](PieceTally& tally) { tally.entry_squares.back() = -1; });
  EXPECT_NE(negative.find("cannot be"), std::string::npos) << negative;
  const std::string others = forged([](PieceTally& tally) { tally.weights *= 1.5; });
  EXPECT_NE(others.find("are others"), std::string::npos) << others;
}

TEST(MatchingRanks, ForgedExactProbabilitiesAreRefused) {
  const Asked planar = large_square();
  // Its first residue.
  const std::string residues =
      said_of_forged(planar, exactly_by, follow_exactly, [](std::string& bytes, std::uint64_t) {
        bytes[8] ^= 1;
        return true;
      });
  EXPECT_NE(residues.find("do not share all matchings"), std::string::npos) << residues;
  const std::string larger =
      said_of_forged(planar, exactly_by, follow_exactly, [](std::string& bytes, std::uint64_t) {
        bytes[15] = 1;
        return true;
      });
  EXPECT_NE(larger.find("beyond their prime"), std::string::npos) << larger;
  const std::string parts = said_of_forged(
      asked_of(random_parts(40, 9), 0), exactly_by, follow_exactly, [](std::string& bytes, std::uint64_t) {
        const std::size_t at = 8 + std::string("frontier").size() + 8;  // the first digit of the total
        bytes[at] = bytes[at] == '1' ? '2' : '1';
        return true;
      });
  EXPECT_NE(parts.find("do not add up"), std::string::npos) << parts;
}

}  // namespace
}  // namespace countpm::matching_ranks_test
