// METIS behind one door: the orders that its callers got before there was one, from any number of threads,
// with the process's signals left as they were.
#include "kernels/support/nested_dissection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include "kernels/orders/class_graph.hpp"
#include "kernels/planar/elimination/dissection.hpp"

namespace countpm {
namespace {

/// A square lattice as a general block: vertex i is next to i + 1 (in the same line) and i + n.
Block<std::int64_t> lattice(Index n) {
  Block<std::int64_t> block;
  block.general = true;
  block.matrix.rows = block.matrix.columns = n * n;
  for (Index i = 0; i < n * n; ++i) {
    const bool first = i % n == 0;
    const bool last = (i + 1) % n == 0;
    if (i >= n) block.matrix.column.push_back(i - n);
    if (!first) block.matrix.column.push_back(i - 1);
    if (!last) block.matrix.column.push_back(i + 1);
    if (i + n < n * n) block.matrix.column.push_back(i + n);
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  block.matrix.value.assign(block.matrix.column.size(), 1);
  return block;
}

std::vector<Index> order_of(const ClassGraph& graph, std::uint64_t seed) {
  return nested_dissection(graph.start, graph.neighbour, seed);
}

/// FNV-1a over whole numbers.
std::uint64_t hash_of(const std::vector<Index>& order) {
  std::uint64_t hash = 1469598103934665603ULL;
  for (const Index v : order) hash = (hash ^ v) * 1099511628211ULL;
  return hash;
}

// As the frontier's and the planar method's own calls gave them (METIS 5.1.0 of Debian 12, 2026-11-21).
TEST(NestedDissection, GivesWhatItGaveToEachCaller) {
  const AnyBlock block = lattice(16);
  const ClassGraph graph = class_graph(block);
  EXPECT_EQ(hash_of(order_of(graph, 1)), 0xafe22120179fcac3ULL);
  EXPECT_EQ(hash_of(order_of(graph, 77)), 0xfa090004c2a2e227ULL);
  EXPECT_EQ(hash_of(order_of(graph, 0xffffffffffULL)), 0xd206cd3dfbcb1fb9ULL);
  EXPECT_EQ(planar::dissection_order(planar::block_graph(block)), order_of(graph, 1));
}

TEST(NestedDissection, OrdersEveryVertexOnce) {
  for (const Index n : {1U, 2U, 3U, 11U}) {
    const ClassGraph graph = class_graph(lattice(n), false);
    std::vector<Index> order = order_of(graph, 5);
    std::sort(order.begin(), order.end());
    ASSERT_EQ(order.size(), n * n);
    for (Index v = 0; v < n * n; ++v) EXPECT_EQ(order[v], v);
  }
  EXPECT_TRUE(nested_dissection(std::vector<std::uint64_t>{0}, {}, 1).empty());
  EXPECT_EQ(nested_dissection(std::vector<std::uint64_t>{0, 0, 0}, {}, 1), (std::vector<Index>{0, 1}));
}

TEST(NestedDissection, CallersDoNotDisturbEachOther) {
  const AnyBlock block = lattice(30);
  const ClassGraph graph = class_graph(block);
  const planar::BlockGraph plane = planar::block_graph(block);
  const std::vector<Index> planar_order = planar::dissection_order(plane);
  std::vector<std::vector<Index>> alone;
  for (std::uint64_t seed = 0; seed < 8; ++seed) alone.push_back(order_of(graph, seed));
  ASSERT_NE(alone[1], alone[2]);  // glibc seeds alike with 0 and 1
  std::atomic<int> different{0};
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      threads.emplace_back([&, seed] {
        for (int turn = 0; turn < 4; ++turn) {
          if (order_of(graph, seed) != alone[seed]) ++different;
          if (planar::dissection_order(plane) != planar_order) ++different;
        }
      });
    }
  }
  EXPECT_EQ(different, 0);
}

volatile std::sig_atomic_t terms = 0;
void count_term(int) {
  terms = terms + 1;
}

/// SIGTERM handled by count_term while it lives, with flags and a mask that signal() knows nothing of.
class TermHandled {
 public:
  TermHandled() {
    struct sigaction action {};
    action.sa_handler = count_term;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(SIGTERM, &action, &before_);
  }
  ~TermHandled() { sigaction(SIGTERM, &before_, nullptr); }
  TermHandled(const TermHandled&) = delete;
  TermHandled& operator=(const TermHandled&) = delete;

 private:
  struct sigaction before_ {};
};

TEST(NestedDissection, LeavesSignalsAsTheyWere) {
  const TermHandled handled;
  const ClassGraph graph = class_graph(lattice(8));
  ASSERT_FALSE(order_of(graph, 1).empty());
  struct sigaction after {};
  sigaction(SIGTERM, nullptr, &after);
  EXPECT_EQ(after.sa_handler, &count_term);
  EXPECT_EQ(after.sa_flags & (SA_RESTART | SA_RESETHAND | SA_NODEFER), SA_RESTART);
  EXPECT_EQ(sigismember(&after.sa_mask, SIGUSR1), 1);
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGTERM), 0);
}

// One that comes while METIS runs waits for the handler that was there before.
TEST(NestedDissection, SignalsWaitUntilItIsDone) {
  const TermHandled handled;
  const ClassGraph graph = class_graph(lattice(120));
  const std::vector<Index> undisturbed = order_of(graph, 3);
  terms = 0;
  std::atomic<bool> done{false};
  int sent = 0;
  {
    const pthread_t target = pthread_self();
    const std::jthread sender([&] {
      while (!done) {
        pthread_kill(target, SIGTERM);  // NOLINT(bugprone-bad-signal-to-kill-thread): it is handled
        ++sent;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    for (int turn = 0; turn < 5; ++turn) EXPECT_EQ(order_of(graph, 3), undisturbed);
    done = true;
  }
  EXPECT_GT(sent, 5);
  EXPECT_GT(terms, 0);
}

}  // namespace
}  // namespace countpm
