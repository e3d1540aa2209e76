#pragma once
// estimate/bethe/walk.hpp by a GPU's warps, a sample each (kernels/gpu/cpu_executor.hpp says how a kernel is
// written). A warp's graph is in global memory, and so is where it stands: a launch lasts for some time, and
// the next one goes on. By time, not by steps: those of a warp may take several times as long as another's.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/estimate/bethe/walk.hpp"
#include "kernels/estimate/samples/sample_numbers.hpp"
#include "kernels/estimate/walks/exact_tail.hpp"
#include "kernels/estimate/walks/gpu/warp_random.hpp"
#include "kernels/estimate/walks/gpu/warp_tail.hpp"
#include "kernels/estimate/walks/walk.hpp"
#include "kernels/gpu/atomic.hpp"
#include "kernels/gpu/device_clock.hpp"

namespace countpm {

/// Where a warp's walk stands between launches; cleared memory: nowhere.
struct BetheWalkPlace {
  std::uint64_t sample;  // its number within the launch
  BetheBranch branch;
  std::uint32_t drawn;  // random numbers
  std::uint32_t walking;
  std::uint32_t tail_rows;  // of the next tail, at most
  std::uint32_t unused;
};

/// As SampleTail for a BetheGraph: weights have grown together in contractions, and rows are scaled.
template <class Warp>
class BetheTail {
 public:
  COUNTPM_HD BetheTail(Warp& warp, const TailLayout& layout, std::byte* own, std::uint32_t& rows)
      : warp_(warp), tail_(warp, layout, own), rows_(rows) {}

  COUNTPM_HD bool operator()(const BetheGraph& graph, Scaled& rest) {
    const std::uint32_t left = graph.left();
    if (left > rows_) return false;
    typename Warp::template PerLane<std::int64_t> exponent;
    typename Warp::template PerLane<int> least;
    warp_.each([&](unsigned lane) {
      exponent[lane] = 0;
      least[lane] = 0;
      for (BetheGraph::Vertex i = lane; i < graph.size(); i += 32) {
        if (!graph.is_left(i)) continue;
        const int most = most_exponent(graph, i);
        exponent[lane] += most;
        for (const BetheGraph::EdgeNumber e : graph.edges(i)) {
          const int lower = std::ilogb(graph.edge(e).weight) - most;
          if (lower < least[lane]) least[lane] = lower;
        }
      }
    });
    const std::int64_t all = warp_.reduce(exponent, [](std::int64_t a, std::int64_t b) { return a + b; });
    const int lowest = warp_.reduce(least, [](int a, int b) { return a < b ? a : b; });
    if (lowest * static_cast<int>(left) >= ExactTail::least_product_log2 &&
        tail_.count(Rest{graph}, left, rest)) {
      rest.exponent += all;
      return true;
    }
    rows_ = rows_of_next_tail(left);
    return false;
  }

 private:
  static COUNTPM_HD int most_exponent(const BetheGraph& graph, BetheGraph::Vertex i) {
    int most = -(1 << 30);
    for (const BetheGraph::EdgeNumber e : graph.edges(i)) {
      const int exponent = std::ilogb(graph.edge(e).weight);
      if (exponent > most) most = exponent;
    }
    return most;
  }

  struct Rest {
    const BetheGraph& graph;
    COUNTPM_HD std::uint32_t size() const { return graph.size(); }
    COUNTPM_HD bool row(std::uint32_t i) const { return graph.is_left(i); }
    COUNTPM_HD bool column(std::uint32_t j) const { return graph.is_left(graph.size() + j); }
    template <class F>
    COUNTPM_HD void entries(std::uint32_t i, const F& f) const {
      const int most = most_exponent(graph, i);
      for (const BetheGraph::EdgeNumber e : graph.edges(i)) {
        const BetheGraph::Edge& edge = graph.edge(e);
        f(edge.end[1] - graph.size(), std::ldexp(edge.weight, -most));
      }
    }
  };

  Warp& warp_;
  WarpTail<Warp> tail_;
  std::uint32_t& rows_;
};

struct BetheWalkKernel {
  static constexpr unsigned threads = 32;
  static constexpr unsigned blocks_per_multiprocessor = 16;

  BetheLayout layout;
  BetheSettings settings;
  TailLayout tail;
  const std::byte* image = nullptr;   // what every walk begins with
  std::byte* memory = nullptr;        // [warp][layout.bytes + tail.bytes]
  BetheWalkPlace* places = nullptr;   // [warp]
  std::uint64_t* counters = nullptr;  // samples begun, samples done
  std::uint32_t steps = 0;            // of a warp and launch, at most
  std::uint64_t nanoseconds = 0;      // of a launch; on the CPU executor they do not pass
  SampleNumbers numbers{};
  Scaled* samples = nullptr;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each_warp([&](auto& warp) { walk(warp); });
  }

 private:
  template <class Warp>
  COUNTPM_HD void walk(Warp& warp) const {
    std::byte* const own = memory + warp.index() * (layout.bytes + tail.bytes);
    const BetheGraph graph(layout, own);
    const BetheSteps<Warp> walking(warp, graph, settings);
    const BetheForks<Warp> forks(warp, graph, settings);
    BetheWalkPlace place = places[warp.index()];
    BetheTail<Warp> exact(warp, tail, own + layout.bytes, place.tail_rows);
    std::uint32_t left = steps;
    const std::uint64_t start = device_nanoseconds();
    for (;;) {
      if (place.walking == 0) {
        place = {take(warp), {}, 0, 1, tail.rows, 0};
        if (place.sample >= numbers.count) {
          place.walking = 0;
          break;
        }
        begin(warp, own);
      }
      if (left == 0) break;
      WarpRandom<Warp> random(warp, numbers.seed, numbers.stream, numbers.first + place.sample, place.drawn);
      bool more = true;
      for (; left > 0 && more; --left) {
        forks.look(place.branch);
        more = walking.step(random, exact, place.branch.value) || forks.go_on(place.branch);
        if (time_is_up(warp, start)) left = 1;
      }
      place.drawn = random.drawn();
      if (more) continue;
      place.walking = 0;
      place.branch.sum.exponent += numbers.exponent;
      warp.once([&] {
        samples[place.sample] = place.branch.sum;
        add_atomically(counters + 1, std::uint64_t{1});
      });
    }
    warp.once([&] { places[warp.index()] = place; });
  }

  /// As lane 0 sees it.
  template <class Warp>
  COUNTPM_HD bool time_is_up(Warp& warp, std::uint64_t start) const {
    typename Warp::template PerLane<std::uint64_t> elapsed;
    warp.each(1, [&](unsigned lane) { elapsed[lane] = device_nanoseconds() - start; });
    return warp.broadcast(elapsed, 0) > nanoseconds;
  }

  template <class Warp>
  COUNTPM_HD std::uint64_t take(Warp& warp) const {
    typename Warp::template PerLane<std::uint64_t> taken;
    warp.each(
        [&](unsigned lane) { taken[lane] = lane == 0 ? add_atomically(counters, std::uint64_t{1}) : 0; });
    return warp.broadcast(taken, 0);
  }

  template <class Warp>
  COUNTPM_HD void begin(Warp& warp, std::byte* own) const {
    struct alignas(16) Piece {
      std::uint64_t word[2];
    };
    const auto* const from = reinterpret_cast<const Piece*>(image);
    auto* const to = reinterpret_cast<Piece*>(own);
    warp.sync();
    warp.each([&](unsigned lane) {
      for (std::size_t k = lane; k < layout.image_bytes / sizeof(Piece); k += 32) to[k] = from[k];
    });
    warp.sync();
  }
};

}  // namespace countpm
