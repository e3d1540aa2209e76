#include "tests/products/generator/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "tests/products/generator/covering.hpp"
#include "tests/products/generator/refusals.hpp"

namespace countpm::products {
namespace {

constexpr std::size_t most_differences = 100;

}  // namespace

void Tally::add(const Product& product, const Outcome& outcome) {
  ++asked;
  seconds += outcome.seconds;
  oracle_seconds += outcome.oracle_seconds;
  if (outcome.residues > 0) ++by_residues[outcome.residues];
  if (!outcome.method.empty()) ++by_method[outcome.method];
  switch (outcome.kind) {
    case Outcome::Kind::right:
      ++right;
      break;
    case Outcome::Kind::refused:
      ++refused;
      ++by_reason[outcome.reason];
      break;
    case Outcome::Kind::unjudged:
      ++unjudged;
      break;
    case Outcome::Kind::wrong:
      ++wrong;
      if (differences.size() < most_differences)
        differences.push_back(
            fmt::format("{}\n  {}\n  {}", to_text(product), outcome.what, repeated(product)));
      break;
  }
}

Product random_product(std::uint64_t seed, std::uint64_t k) {
  Random random(seed * 0x9e3779b97f4a7c15 + k);
  // A method by its name refuses most inputs, and edits and devices some questions: half of the products have
  // none.
  std::vector<Place> fixed;
  for (const Dimension dimension : {Dimension::method, Dimension::edit, Dimension::device, Dimension::check})
    if (random.once_in(2)) fixed.emplace_back(dimension, 0);
  // And half of those that have one leave it something to count.
  if ((fixed.empty() || fixed.front().first != Dimension::method) && random.once_in(2)) {
    constexpr std::array inputs{InputSort::sparse_bipartite,
                                InputSort::dense_bipartite,
                                InputSort::twins,
                                InputSort::dense_directed,
                                InputSort::grid,
                                InputSort::triangles,
                                InputSort::dense_general};
    const InputSort input = inputs[random.next() % inputs.size()];
    fixed.emplace_back(Dimension::question, static_cast<std::uint8_t>(Question::count));
    fixed.emplace_back(Dimension::input, static_cast<std::uint8_t>(input));
    fixed.emplace_back(Dimension::reductions, static_cast<std::uint8_t>(random.between(0, 1)));
  }
  return *complete(fixed, random);
}

Tally run_products(std::uint64_t first, std::uint64_t end, int jobs,
                   const std::function<Product(std::uint64_t)>& product,
                   const std::function<void(std::uint64_t, const Product&, const Outcome&)>& each) {
  Tally tally;
  std::mutex lock;
  std::atomic<std::uint64_t> next{first};
  const auto work = [&] {
    for (std::uint64_t k = next++; k < end; k = next++) {
      const Product one = product(k);
      const Outcome outcome = ask(one);
      const std::lock_guard<std::mutex> hold(lock);
      tally.add(one, outcome);
      if (each) each(k, one, outcome);
    }
  };
  std::vector<std::thread> threads;
  for (int t = 1; t < jobs; ++t) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return tally;
}

std::string report(const Tally& tally) {
  std::string text;
  for (const std::string& difference : tally.differences) text += "DIFFERENCE " + difference + "\n";
  text += fmt::format(
      "{} products: {} right, {} refused, {} not judged, {} wrong; {:.1f} s in the library, {:.1f} s in the "
      "oracle\n",
      tally.asked, tally.right, tally.refused, tally.unjudged, tally.wrong, tally.seconds,
      tally.oracle_seconds);
  text += "residues:";
  for (const auto& [residues, number] : tally.by_residues) text += fmt::format(" {}: {}", residues, number);
  text += "\nmethods:";
  for (const auto& [method, number] : tally.by_method) text += fmt::format(" {}: {}", method, number);
  text += "\n";
  std::vector<std::pair<std::uint64_t, int>> reasons;
  for (const auto& [reason, number] : tally.by_reason) reasons.emplace_back(number, reason);
  std::sort(reasons.rbegin(), reasons.rend());
  for (const auto& [number, reason] : reasons)
    text += fmt::format("{:8} refused: {}\n", number, refusals()[static_cast<std::size_t>(reason)].reason);
  return text;
}

}  // namespace countpm::products
