// products: many products of features, each compared with the oracle; CONTRIBUTING.md says when.
//   products --cases N [--seed S] [--from K] [--jobs J] [--slow SECONDS] [--trace 1]
//   products --case 'question=count,weights=fraction,...,seed=17'
// Exit code 1 where one is wrong.
#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "tests/products/generator/campaign.hpp"

using namespace countpm::products;

namespace {

int repeat(const std::string& text) {
  const Product product = product_of(text);
  const Outcome outcome = ask(product);
  const char* const word = outcome.kind == Outcome::Kind::right      ? "right"
                           : outcome.kind == Outcome::Kind::refused  ? "refused"
                           : outcome.kind == Outcome::Kind::unjudged ? "not judged"
                                                                     : "wrong";
  fmt::print("{}\n{}: {}\n{}\n", to_text(product), word, outcome.what, repeated(product));
  return outcome.kind == Outcome::Kind::wrong ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t cases = 1000;
  std::uint64_t seed = 1;
  std::uint64_t from = 0;
  int jobs = 1;
  double slow = 5;
  bool trace = false;
  try {
    for (int a = 1; a < argc; a += 2) {
      const std::string name = argv[a];
      if (a + 1 == argc) throw std::invalid_argument(name + " takes a value");
      const std::string value = argv[a + 1];
      if (name == "--case") return repeat(value);
      if (name == "--cases")
        cases = std::stoull(value);
      else if (name == "--seed")
        seed = std::stoull(value);
      else if (name == "--from")
        from = std::stoull(value);
      else if (name == "--jobs")
        jobs = std::stoi(value);
      else if (name == "--trace")
        trace = value != "0";
      else if (name == "--slow")
        slow = std::stod(value);
      else
        throw std::invalid_argument("no option " + name);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "products: {}\n", error.what());
    return 2;
  }
  const Tally tally = run_products(
      from, from + cases, jobs,
      [&](std::uint64_t k) {
        const Product product = random_product(seed, k);
        if (trace) fmt::print(stderr, "{} {}\n", k, to_text(product));
        return product;
      },
      [&](std::uint64_t k, const Product& product, const Outcome& outcome) {
        if (outcome.kind == Outcome::Kind::wrong)
          fmt::print("product {} of seed {}: {}\n  {}\n", k, seed, to_text(product), outcome.what);
        if (outcome.seconds + outcome.oracle_seconds > slow)
          fmt::print("slow: {:.1f} s, {:.1f} s in the oracle: {}\n", outcome.seconds, outcome.oracle_seconds,
                     to_text(product));
        std::fflush(stdout);
      });
  fmt::print("seed {}, products {} to {}\n{}", seed, from, from + cases - 1, report(tally));
  return tally.wrong == 0 ? 0 : 1;
}
