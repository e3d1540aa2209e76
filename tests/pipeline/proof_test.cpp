// Proofs that count() makes, of all kinds of sums, checked from their text by a checker that shares no code
// with the prover but for the hash (tests/kernels/proof/check_rounds.hpp).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <random>

#include "graph/errors.hpp"
#include "graph/read.hpp"
#include "src/api/entries.hpp"
#include "src/proof/count_proof.hpp"
#include "src/watch/monitor.hpp"
#include "tests/kernels/proof/check_rounds.hpp"
#include "tests/repeats.hpp"

namespace countpm::pipeline_proof_test {
namespace {

using countpm::testing::repeats;
using ProofText = nlohmann::json;

/// A term modulo p: "-3/2*x^2*y^-1".
mpz_class residue_of_term(const std::string& term, const mpz_class& p, const HashBytes& hash) {
  std::size_t star = term.find('*');
  const mpq_class coefficient(term.substr(0, star));
  mpz_class residue;
  mpz_invert(residue.get_mpz_t(), coefficient.get_den_mpz_t(), p.get_mpz_t());
  residue = residue * coefficient.get_num() % p;
  while (star != std::string::npos) {
    const std::size_t next = term.find('*', star + 1);
    const std::string factor = term.substr(star + 1, next == std::string::npos ? next : next - star - 1);
    const mpz_class value = number_of(hash_of(hash, std::string("letter ") + factor[0])) % p;
    const mpz_class exponent(factor.size() > 1 ? factor.substr(2) : "1");
    mpz_class power;
    mpz_powm(power.get_mpz_t(), value.get_mpz_t(), exponent.get_mpz_t(), p.get_mpz_t());
    residue = residue * power % p;
    star = next;
  }
  return residue;
}

/// Whether the text proves its count, by tables.
bool proves(const std::string& text) {
  const ProofText proof = ProofText::parse(text);
  proof_test::CheckedCount count;
  const Index n = count.shape.vertices = proof["vertices"];
  std::string hashed = fmt::format("countpm-proof 2\nvertices {} edges {}\n", n, proof["edges"].size());
  std::vector<std::string> weights;
  const auto add = [&](const ProofText& set, bool edge) {
    const bool weighted = set.back().is_string();
    const std::size_t size = set.size() - (weighted ? 1 : 0);
    if (!edge) hashed += fmt::format("{} ", size);
    for (std::size_t i = 0; i < size; ++i) {
      count.shape.member.push_back(set[i]);
      hashed += fmt::format("{} ", set[i].get<Index>());
    }
    count.shape.start.push_back(count.shape.member.size());
    weights.push_back(weighted ? set.back().get<std::string>() : "1");
    hashed += weights.back() + "\n";
  };
  for (const ProofText& edge : proof["edges"]) add(edge, true);
  if (proof.contains("sets")) {
    hashed += fmt::format("sets {}\n", proof["sets"].size());
    for (const ProofText& set : proof["sets"]) add(set, false);
  }
  std::vector<std::string> monomers(n, "0");
  if (proof.contains("monomers")) monomers = proof["monomers"].get<std::vector<std::string>>();
  if (std::any_of(monomers.begin(), monomers.end(), [](const std::string& m) { return m != "0"; })) {
    hashed += "monomers";
    for (const std::string& monomer : monomers) hashed += " " + monomer;
    hashed += "\n";
  }
  hashed += "order";
  for (const ProofText& v : proof["order"]) {
    count.order.push_back(v);
    hashed += fmt::format(" {}", v.get<Index>());
  }
  const std::string claimed = proof["count"];
  hashed += "\ncount " + claimed + "\n";
  const HashBytes hash = hash_of(hashed);
  const mpz_class p = field_of(hash).prime();
  for (const std::string& weight : weights) count.weight.push_back(residue_of_term(weight, p, hash));
  for (const std::string& monomer : monomers) count.monomer.push_back(residue_of_term(monomer, p, hash));
  mpz_class claim = 0;
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t plus = claimed.find('+', at);
    claim += residue_of_term(claimed.substr(at, plus == std::string::npos ? plus : plus - at), p, hash);
    at = plus == std::string::npos ? plus : plus + 1;
  }
  return proof_test::rounds_are_right(count, p, hash, claim, proof["rounds"].get<std::vector<std::string>>());
}

CountResult proved_count(const std::string& text, const ReadOptions& reading, CountOptions options = {}) {
  options.proof = true;
  options.threads = 1;
  return count(read_graph(Source::from_bytes(text), reading), options);
}

struct Question {
  std::string text;
  ReadOptions reading;
  CountOptions options;
};

Question random_question(std::mt19937_64& random) {
  const auto below = [&random](std::uint64_t n) { return random() % n; };
  Question question;
  const std::uint64_t n = 2 + below(8);
  const std::uint64_t m = 2 + below(6);
  const std::uint64_t percent = 30 + below(70);
  const std::uint64_t kind = below(9);
  const std::uint64_t weights = kind == 7 ? 3 : kind >= 5 ? below(2) : below(3);
  const auto weight = [&]() -> std::string {
    const int number = static_cast<int>(below(7)) - 3;
    if (weights == 1) return fmt::format(" {}", number == 0 ? 4 : number);
    if (weights == 2) return fmt::format(" {}/{}", number == 0 ? 1 : number, 1 + below(5));
    if (weights == 3) return below(2) == 0 ? " x" : below(2) == 0 ? " -2*y^-2" : " 3/2";
    return "";
  };
  const bool sides = kind == 2 || kind == 3;
  for (std::uint64_t u = 0; u < n; ++u) {
    for (std::uint64_t v = kind == 1 || sides ? 0 : u + 1; v < (sides ? m : n); ++v) {
      if (below(100) >= percent) continue;
      question.text +=
          sides ? fmt::format("r{} c{}{}\n", u, v, weight()) : fmt::format("{} {}{}\n", u, v, weight());
    }
  }
  if (question.text.empty()) question.text = sides ? "r0 c0" + weight() + "\n" : "0 1" + weight() + "\n";
  question.reading.format = Format::edge_list;
  question.reading.weights = weights != 0;
  question.reading.letters = true;
  if (kind == 1) question.reading.kind = GraphKind::directed;
  if (sides) question.reading.kind = GraphKind::bipartite;
  if (kind == 3) question.options.matchings = MatchingSize::smaller_side;
  if (kind == 4) question.reading.monomers = below(2) == 0 ? "1" : "-2/3";
  if (kind == 5) question.reading.monomers = "t";
  if (kind == 6) {
    question.reading.rings = {3, 5};
    if (below(2) == 0) question.reading.ring_weight = "2";
  }
  if (kind == 8) question.options.matchings = MatchingSize::maximum;
  return question;
}

TEST(CountProof, IsAcceptedOfAllKindsOfSums) {
  const int all = repeats(3000);
  int proved = 0;
  for (int seed = 0; seed < all; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const Question question = random_question(random);
    try {
      const CountResult result = proved_count(question.text, question.reading, question.options);
      ASSERT_TRUE(proves(result.proof)) << "seed " << seed << "\n" << question.text << result.proof;
      ++proved;
    } catch (const UnableError& error) {
      // Maximum matchings that leave vertices free on both sides.
      ASSERT_EQ(question.options.matchings, MatchingSize::maximum) << error.what() << " seed " << seed;
    }
  }
  EXPECT_GT(proved, all * 9 / 10);
}

TEST(CountProof, HasTheSameBytesOnThreadsAndInLittleMemory) {
  CountOptions options;
  options.proof = true;
  const ReadOptions reading;
  const Source board = Source::from_argument("lattice:cubic:3x4x4");
  options.threads = 1;
  const std::string one = count(board, reading, options).proof;
  options.threads = 3;
  EXPECT_EQ(count(board, reading, options).proof, one);
  EXPECT_TRUE(proves(one));
}

TEST(CountProof, IsRefusedBeforeCountingWhereThereIsNone) {
  ReadOptions reading;
  reading.weights = true;
  EXPECT_THROW(proved_count("a b 0.5\n", reading), UnableError);
  EXPECT_THROW(proved_count("a b (1,2)\n", reading), UnableError);
  reading.exact = true;
  EXPECT_TRUE(proves(proved_count("a b 0.5\n", reading).proof));
  ReadOptions factors;
  factors.degree = 2;
  EXPECT_THROW(proved_count("a b\nb c\na c\n", factors), UnableError);
  CountOptions maximum;
  maximum.matchings = MatchingSize::maximum;
  EXPECT_THROW(proved_count("a b\nb c\na c\n", {}, maximum), UnableError);
  CountOptions limits;
  limits.proof = true;
  limits.memory_limit_bytes = 20 << 20;
  EXPECT_THROW(count(Source::from_argument("lattice:complete-bipartite:22x22"), {}, limits), UnableError);
}

/// What would do is named.
TEST(CountProof, IsRefusedBeforeCountingWhereTimeIsShort) {
  CountOptions options;
  options.proof = true;
  options.threads = 1;
  options.time_limit_seconds = 20;
  try {
    count(Source::from_argument("lattice:complete-bipartite:40x40"), {}, options);
    FAIL() << "it was not refused";
  } catch (const UnableError& error) {
    const std::string words = error.what();
    EXPECT_NE(words.find("the proof needs tables of about"), std::string::npos) << words;
    EXPECT_NE(words.find("try --time-limit"), std::string::npos) << words;
    EXPECT_NE(words.find("count without --proof"), std::string::npos) << words;
  }
}

TEST(CountProof, NeedsTimeForTheCountAndForItself) {
  CountOptions options;
  options.proof = true;
  options.time_limit_seconds = 1000;
  const ReadResult read = read_graph(Source::from_argument("lattice:square:6x6"));
  Monitor monitor(options);
  const CountProof proof(read.graph, read.info, options, monitor);
  proof.require_within_limits();
  proof.require_within_limits(500);
  EXPECT_THROW(proof.require_within_limits(1000), UnableError);
}

/// A band, whose columns rows elsewhere see, and whose rows see columns elsewhere: these go first, or there
/// are states for all sets of what the band might have been matched with.
TEST(CountProof, TakesWhatHangsOnALargeBlockBeforeIt) {
  constexpr int size = 24;
  std::string text;
  for (int i = 0; i < size; ++i) {
    for (int j = std::max(0, i - 2); j < std::min(size, i + 3); ++j) text += fmt::format("r{} c{}\n", i, j);
    text += fmt::format("s{0} d{0}\nt{0} e{0}\n", i);
    for (int j = i % 4; j < size; j += 4) text += fmt::format("s{0} c{1}\nr{0} e{1}\n", i, j);
  }
  CountOptions options;
  options.proof = true;
  ReadOptions reading;
  reading.kind = GraphKind::bipartite;
  const ReadResult read = read_graph(Source::from_bytes(text), reading);
  Monitor monitor(options);
  const CountProof proof(read.graph, read.info, options, monitor);
  EXPECT_LT(proof.forecast().states, 1000U);
  EXPECT_TRUE(proves(proved_count(text, reading).proof));
}

/// What stops in the proof does not lose the count.
TEST(CountProof, SaysTheCountWhereItIsInterrupted) {
  CountOptions options;
  options.proof = true;
  options.threads = 1;
  std::atomic<bool> proving{false};
  options.progress = [&](const Progress& progress) { proving = proving || progress.stage == "proof"; };
  options.interrupted = [&] { return proving.load(); };
  try {
    count(Source::from_argument("lattice:complete-bipartite:24x24"), {}, options);
    FAIL() << "it was not interrupted";
  } catch (const InterruptedError& error) {
    EXPECT_EQ(std::string(error.what()),
              "interrupted while the proof was made; the count is 620448401733239439360000; 'countpm prove' "
              "proves a result of --json or a checkpoint");
  }
}

TEST(CountProof, IsNothingWhereItIsNotAskedFor) {
  EXPECT_EQ(count(Source::from_bytes("a b\n"), {}, {}).proof, "");
}

/// A statement of which the proof's tables are too many is planned away from them, if the graph is planar.
TEST(CountProof, OfPlanarGraphsIsTheirEmbedding) {
  CountOptions options;
  options.proof = true;
  const CountResult result = count(Source::from_argument("lattice:square:30x30"), {}, options);
  const ProofText proof = ProofText::parse(result.proof);
  EXPECT_FALSE(proof.contains("rounds"));
  ASSERT_TRUE(proof.contains("planar"));
  EXPECT_EQ(proof["planar"]["rotation"].size(), 900U);
  EXPECT_EQ(proof["planar"]["orientation"].get<std::string>().size(), proof["edges"].size());
}

}  // namespace
}  // namespace countpm::pipeline_proof_test
