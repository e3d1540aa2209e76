// Several threads ask at a time, of one input and of their own, and each gets what it would get alone.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/library/random_arrays.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

constexpr int threads = 8;

TEST(LibraryThreads, EightAskAtATime) {
  const Input board(Source::from_argument("lattice:square:8x8"));
  const Input cube(Source::from_argument("lattice:cubic:3x3x4"));
  const std::string of_board = count(board).count;
  const std::string of_cube = count(cube).count;
  const std::vector<std::vector<Edge>> drawn = sample(board, 3);
  EXPECT_EQ(of_board, "12988816");
  std::vector<std::string> wrong(threads);
  std::vector<std::thread> running;
  running.reserve(threads);
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      std::mt19937_64 random(static_cast<std::uint64_t>(t));
      Options options;
      options.threads = 1 + t % 2;
      try {
        for (int run = 0; run < testing::repeats(60); ++run) {
          const testing::Arrays arrays = testing::random_arrays(6, false, random);
          if (std::get<mpz_class>(permanent(arrays.view(), options)) != testing::permanent_of(arrays))
            wrong[static_cast<std::size_t>(t)] += " permanent";
          if (run % 3 == 0 && count(board, options).count != of_board)
            wrong[static_cast<std::size_t>(t)] += " board";
          if (run % 3 == 1 && count(cube, options).count != of_cube)
            wrong[static_cast<std::size_t>(t)] += " cube";
          if (run % 3 == 2 && sample(board, 3, options) != drawn)
            wrong[static_cast<std::size_t>(t)] += " sample";
        }
      } catch (const std::exception& error) {
        wrong[static_cast<std::size_t>(t)] += error.what();
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  for (const std::string& found : wrong) EXPECT_EQ(found, "");
}

TEST(LibraryThreads, AnInterruptedCountDoesNotStopTheOthers) {
  const Input large(Source::from_argument("lattice:square:8x9"));
  const Input board(Source::from_argument("lattice:square:6x6"));
  std::vector<std::string> found(4);
  std::vector<std::thread> running;
  for (std::size_t t = 0; t < found.size(); ++t) {
    running.emplace_back([&, t] {
      Options options;
      options.threads = 1;
      if (t % 2 == 0) {
        options.interrupted = [] { return true; };
        options.method = "ryser";
        options.rules.enabled.fill(false);
      }
      try {
        for (int run = 0; run < 10; ++run) found[t] = count(t % 2 == 0 ? large : board, options).count;
      } catch (const InterruptedError&) {
        found[t] = "interrupted";
      } catch (const std::exception& error) {
        found[t] = error.what();
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(found, (std::vector<std::string>{"interrupted", "6728", "interrupted", "6728"}));
}

}  // namespace
}  // namespace countpm
