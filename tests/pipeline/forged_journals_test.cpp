// Journals, parts and results that were damaged or made up, with checksums that fit: refused or right, never
// a crash. tests/fuzz/forged_journals.hpp makes them; each failure prints the seed that makes it again.
#include "tests/fuzz/forged_journals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "kernels/support/plan_text.hpp"
#include "src/journal/journal.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

const forge::Trials& trials() {
  static const forge::Trials all;
  return all;
}

void expect_none_wrong(std::uint64_t first_seed, std::uint64_t count) {
  forge::Tally tally;
  for (std::uint64_t k = 0; k < count; ++k) forge::try_one(trials(), first_seed + k, tally);
  EXPECT_EQ(tally.wrong, 0U) << tally.first_wrong;
  EXPECT_EQ(tally.forged + tally.damaged, count);
  EXPECT_GT(tally.refused, count / 2);
  EXPECT_GT(tally.right, count / 100);  // damage that costs a record, and changes that mean the same
}

TEST(ForgedJournals, SoundOnesGoOn) {
  for (std::size_t k = 0; k < forge::Trials::cases().size(); ++k) {
    SCOPED_TRACE(forge::Trials::cases()[k].name);
    const std::string& sound = trials().journal(k);
    EXPECT_EQ(forge::with_checksums(forge::contents_of(sound)), sound);
    const forge::Outcome outcome = trials().resume(k, sound);
    EXPECT_EQ(outcome.answer, trials().answer(k)) << outcome.refused << outcome.broken;
  }
}

TEST(ForgedJournals, AreRefusedOrRight) {
  expect_none_wrong(1, testing::repeats(1500));
}

/// For scripts/attack: as many as fit so many seconds, and how far it is on standard error.
void attack(double seconds, std::uint64_t seed) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  constexpr std::uint64_t enough_wrong = 20;
  constexpr double told_every = 10;
  forge::Tally tally;
  double told = 0;
  while (elapsed() < seconds && tally.wrong < enough_wrong) {
    forge::try_one(trials(), seed++, tally);
    if (!tally.first_wrong.empty()) std::cerr << "FAILED: " << std::exchange(tally.first_wrong, {}) << "\n";
    if (elapsed() - told < told_every) continue;
    told = elapsed();
    std::cerr << "journals so far: " << tally.forged << " forged, " << tally.damaged << " damaged, "
              << tally.wrong << " wrong; " << static_cast<int>(std::max(seconds - told, 0.0)) << " s left\n";
  }
  std::cerr << "journals: " << tally.forged << " forged, " << tally.damaged << " damaged; " << tally.refused
            << " refused, " << tally.right << " right, " << tally.wrong << " wrong\n";
  EXPECT_EQ(tally.wrong, 0U);
}

TEST(LongForgedJournals, AreRefusedOrRight) {
  const char* const seconds = std::getenv("COUNTPM_ATTACK_SECONDS");
  const char* const seed = std::getenv("COUNTPM_ATTACK_SEED");
  if (seconds != nullptr && seed != nullptr)
    return attack(std::atof(seconds), std::strtoull(seed, nullptr, 10));
  expect_none_wrong(1000000, testing::repeats(4000));
}

/// One field at a time, of which it is known that it must be refused: by `resume`, as an InputError.
TEST(ForgedJournals, WhatCannotBeIsRefusedAsInput) {
  struct Change {
    const char* name;  // of the case
    const char* from;
    const char* to;
  };
  const std::vector<Change> changes{
      {"pruned", "\"skip_primes\":0", "\"skip_primes\":4294967295"},
      {"ryser", "\"skip_primes\":0", "\"skip_primes\":4294967295"},
      {"ryser", "\"skip_primes\":0", "\"skip_primes\":3"},
      {"pruned", "order ", "order 018 "},
      {"pruned", "order ", "order 2147483647 "},
      {"pruned", "shift ", "shift 9223372036854775807 "},
      {"pruned", "dealt-units ", "dealt-units 6553600"},
      {"frontier", "steps ", "steps 4294967295 "},
      {"frontier", "branches", "branches 3 3 3 3 3"},
      {"rook", "decided", "decided 99999"},
      {"forbert-marx", "wanted ", "wanted 0"},
      {"forbert-marx", "wanted ", "wanted 6553"},
      {"skipper", "inner ", "inner 65 "},
      {"skipper real", "form 0", "form 2"},
      {"planar", "\"plan\":\"", "\"plan\":\"x 1"},
      {"ryser", "\"method\":\"ryser\"", "\"method\":\"auto\""},
      {"ryser", "\"method\":\"ryser\"", "\"method\":\"planar\""},
      {"ryser", "\"method\":\"ryser\"", "\"method\":\"nothing\""},
      {"ryser", "\"units\":", "\"units\":-"},
      {"ryser", "\"rows\":9", "\"rows\":10"},
      {"ryser", "\"moduli\":[\"", "\"moduli\":[\"0"},
      {"ryser", "\"moduli\":[\"", "\"moduli\":[\"1000000016000000063\",\""},
      {"ryser real", "\"bits\":128", "\"bits\":4294967295"},
      {"ryser real", "\"floating\":", "\"floating\":9"},
      {"ryser", "\"predicted_seconds\":", "\"predicted_seconds\":-"},
      {"letters", "\"reduced\":false", "\"reduced\":true"},
      {"letters", "\"digit_bits\":", "\"digit_bits\":1"},
      {"letters", "\"points\":[[", "\"points\":[[3,0,0,1],["},
      {"letters", "\"points\":[[", "\"points\":[[1"},
      {"letters as numbers", "\"digit_bits\":", "\"digit_bits\":4"},
      {"ryser", "\"recounts\":[]", "\"recounts\":[],\"estimate\":{\"seed\":-1,\"goal\":\"\"}"},
      {"ratio", "\"way\":\"together\"", "\"way\":\"neither\""},
      {"ratio", "\"pieces\":[{\"part\":0", "\"pieces\":[{\"part\":-1"},
      {"ratio", "\"pieces\":[{\"part\":0", "\"pieces\":[{\"part\":0},{\"part\":0"},
      {"ratio", "\"sampler\":\"bethe\"", "\"sampler\":\"boundary\""},
      {"ratio", "\"ratio\":{", "\"quotient\":{"},
      {"ratio", "\"ratio\":{\"other\":{", "\"ratio\":{\"other\":{\"no\":1},\"none\":{"},
      {"ratio", "\"blocks\":[]", "\"blocks\":[{\"reduced\":true,\"same_methods\":false,\"tasks\":[]}]"},
      {"ratio apart", "\"trial_variance\":", "\"trial_variance\":-"},
      {"ratio apart", "\"trial_trusted\":", "\"trial_trusted\":1"},
  };
  for (const Change& change : changes) {
    SCOPED_TRACE(std::string(change.name) + ": " + change.to);
    const auto& cases = forge::Trials::cases();
    const auto at = std::find_if(cases.begin(), cases.end(),
                                 [&](const forge::Case& one) { return one.name == change.name; });
    ASSERT_NE(at, cases.end());
    const auto number = static_cast<std::size_t>(at - cases.begin());
    std::vector<std::string> contents = forge::contents_of(trials().journal(number));
    const std::size_t place = contents[0].find(change.from);
    ASSERT_NE(place, std::string::npos) << contents[0];
    contents[0].replace(place, std::string(change.from).size(), change.to);
    const forge::Outcome outcome = trials().resume(number, forge::with_checksums(contents));
    EXPECT_EQ(outcome.answer + outcome.broken, "");
    EXPECT_NE(outcome.refused.find("expected"), std::string::npos) << outcome.refused;
  }
}

/// Records of samples: what cannot be is left out, as what is damaged.
TEST(ForgedJournals, SamplesThatCannotBeAreLeftOut) {
  const auto& cases = forge::Trials::cases();
  const auto at =
      std::find_if(cases.begin(), cases.end(), [](const forge::Case& one) { return one.name == "estimate"; });
  const std::vector<std::string> sound =
      forge::contents_of(trials().journal(static_cast<std::size_t>(at - cases.begin())));
  const auto record = std::find_if(sound.begin(), sound.end(), [](const std::string& line) {
    return line.find("\"samples\":100,") != std::string::npos;
  });
  ASSERT_NE(record, sound.end());
  EXPECT_EQ(parse_samples(*record).drawn.moments.samples, 100U);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = *record;
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    return text.replace(place, from.size(), to);
  };
  for (const std::string& text :
       {changed("\"samples\":100", "\"samples\":18446744073709551615"),
        changed("\"samples\":100", "\"samples\":9007199254740992"),
        changed("\"samples\":100", "\"samples\":1e2"), changed("\"sums\":[[\"", "\"sums\":[[\"0"),
        changed("\"sums\":[[\"", "\"sums\":[[\"ffffffffffffffff"), changed("\"goal\":", "\"goal\":-"),
        changed("\"bins\":[", "\"bins\":[[99999,1],"), changed("\"seconds\":", "\"seconds\":-"),
        changed("\"sampling\":0", "\"sampling\":-1")})
    EXPECT_ANY_THROW(parse_samples(text)) << text;
}

TEST(PlanReader, TakesNumbersInOneFormAlone) {
  EXPECT_EQ(PlanReader("a 0 10 -7; b").all("a").size(), 3U);
  for (const char* text : {"a 018", "a 00", "a -0", "a +1", "a 0x1", "a 1e3", "a -", "a 1.0", "a 1; a 2"})
    EXPECT_THROW(PlanReader{text}, PlanError) << text;
  EXPECT_THROW(PlanReader("a " + std::string(std::size_t{2} << 20, '9')), PlanError);
  const PlanReader reader("a 3; p 2 0 1; d 2 2; far 4294967295");
  EXPECT_EQ(reader.number("a", 1, 3), 3U);
  EXPECT_THROW(reader.number("a", 0, 2), PlanError);
  EXPECT_THROW(reader.number("a", 4, 9), PlanError);
  EXPECT_EQ(reader.permutation("p", 3).size(), 3U);
  EXPECT_THROW(reader.permutation("p", 4), PlanError);
  EXPECT_THROW(reader.permutation("p", 2), PlanError);
  EXPECT_THROW(reader.distinct("d", 9), PlanError);
  EXPECT_THROW(reader.indices("far"), PlanError);
}

}  // namespace
}  // namespace countpm
