// Every pair of values of different dimensions, and in the long set every triple, in products that the oracle
// judges.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "graph/read.hpp"
#include "test_paths.hpp"
#include "tests/products/generator/campaign.hpp"
#include "tests/products/generator/covering.hpp"
#include "tests/products/generator/refusals.hpp"
#include "tests/repeats.hpp"

namespace countpm::products {
namespace {

/// Asks the products of a covering array; says which combinations no product has.
Tally run_array(std::size_t strength) {
  std::vector<Product> array = covering_array(strength, 1);
  // The sanitizers look for what a path does wrong, and take ten times as long.
  if (testing::sanitized) array.resize(array.size() / (strength == 2 ? 6 : 60));
  Combinations combinations(strength);
  std::vector<std::pair<Product, Outcome::Kind>> asked;
  Tally tally = run_products(
      0, array.size(), 1, [&](std::uint64_t k) { return array[k]; },
      [&](std::uint64_t, const Product& product, const Outcome& outcome) {
        combinations.cover(product);
        asked.emplace_back(product, outcome.kind);
      });
  if (testing::sanitized) {
    EXPECT_EQ(tally.wrong, 0U) << tally.differences.front();
    return tally;
  }
  // What is refused in company is asked again among plain values, a few times.
  Random random(2);
  Combinations answered(strength);
  for (const auto& [product, outcome] : asked)
    if (outcome == Outcome::Kind::right) answered.cover(product);
  std::uint64_t more = 0;
  for (int round = 0; round < 4 && strength == 2; ++round) {
    for (const std::vector<Place>& combination : answered.missing()) {
      if (!answered.is_open(combination)) continue;
      const Product product = *complete(combination, random, true);
      const Outcome outcome = ask(product);
      tally.add(product, outcome);
      ++more;
      if (outcome.kind == Outcome::Kind::right) answered.cover(product);
    }
  }
  // Most of the others are a method, or letters, with a question that they are not for.
  constexpr double least_answered = 0.75;
  EXPECT_GE(static_cast<double>(answered.covered()),
            least_answered * static_cast<double>(answered.possible()));
  std::cout << answered.covered() << " combinations answered, after " << more << " more products\n";
  std::cout << combinations.covered() << " of " << combinations.possible() << " combinations of " << strength
            << " values\n"
            << report(tally);
  EXPECT_EQ(combinations.covered(), combinations.possible());
  for (const std::vector<Place>& combination : combinations.missing()) {
    ADD_FAILURE() << "no product has " << combinations.text(combination);
    break;
  }
  EXPECT_EQ(tally.wrong, 0U) << tally.differences.front();
  return tally;
}

std::string page() {
  std::ifstream file(COUNTPM_SOURCE_DIR "/docs/internals/products.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Products, HaveTheValuesThatThePageHas) {
  std::string wanted;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto dimension = static_cast<Dimension>(d);
    wanted += "| " + std::string(name_of(dimension)) + " | ";
    for (std::size_t v = 0; v < values(dimension).size(); ++v)
      wanted += (v == 0 ? "" : ", ") + values(dimension)[v];
    wanted += " |\n";
  }
  EXPECT_NE(page().find(wanted), std::string::npos) << wanted;
}

TEST(Products, HaveEveryValueThatThereIs) {
  const auto named = [](Dimension dimension, std::size_t number) {
    EXPECT_EQ(values(dimension).size(), number) << name_of(dimension);
  };
  named(Dimension::question, static_cast<std::size_t>(Question::ended));
  named(Dimension::weights, static_cast<std::size_t>(Weights::ended));
  named(Dimension::arithmetic, static_cast<std::size_t>(Arithmetic::ended));
  named(Dimension::input, static_cast<std::size_t>(InputSort::ended));
  named(Dimension::format, static_cast<std::size_t>(Form::ended));
  named(Dimension::edit, static_cast<std::size_t>(Edit::ended));
  named(Dimension::check, static_cast<std::size_t>(Check::ended));
  named(Dimension::device, static_cast<std::size_t>(Device::ended));
  // Molecules and drawn regions have tests of their own: their graphs follow from chemistry and pictures.
  const std::set<std::string_view> drawn{"mol", "sdf", "xyz", "planar_code", "vax", "board"};
  const std::vector<std::string>& forms = values(Dimension::format);
  for (const FormatInfo& format : formats())
    EXPECT_TRUE(drawn.contains(format.name) ||
                std::find(forms.begin(), forms.end(), format.name) != forms.end())
        << "no product has the format " << format.name;
}

TEST(Products, OfEveryPairAreRight) {
  run_array(2);
}

TEST(LongProducts, OfEveryTripleAreRight) {
  const Tally tally = run_array(3);
  if (testing::sanitized) return;
  for (std::size_t r = 0; r < refusals().size(); ++r)
    EXPECT_TRUE(!refusals()[r].always || tally.by_reason.contains(static_cast<int>(r)))
        << "nothing is refused any more: " << refusals()[r].words;
  for (int residues = 2; residues <= 6; ++residues)
    EXPECT_TRUE(tally.by_residues.contains(residues))
        << "nothing was counted modulo " << residues << " primes";
}

}  // namespace
}  // namespace countpm::products
