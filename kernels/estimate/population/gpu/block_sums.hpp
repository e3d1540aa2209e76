#pragma once
// What all threads of a block add up together: integers, the same whoever adds what. Written for a GPU's
// block and the CPU executor's (kernels/gpu/cpu_executor.hpp).
#include <cstdint>
#include <cstring>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// Integers added up, or largest doubles found, by a block of T threads.
template <class Block, unsigned T>
class BlockSums {
 public:
  static constexpr unsigned warps = T / 32;
  struct Pair {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
  };
  /// Of the block's shared memory: what one sum leaves there may be read while the next one is made.
  struct Room {
    Pair of_warp[2][warps];
  };

  COUNTPM_HD BlockSums(Block& block, Room* room) : block_(block), room_(room) {}

  /// The sum of what of_thread(t) says for each thread, told to all. A sync() is in it.
  template <class F>
  COUNTPM_HD Pair sum(const F& of_thread) {
    Pair* const own_room = next_room();
    each_warp([&](auto& warp, unsigned w) {
      typename Block::Warp::template PerLane<Pair> own;
      warp.each([&](unsigned lane) { own[lane] = of_thread(32 * w + lane); });
      const Pair all = warp.reduce(own, add);
      warp.once([&] { own_room[w] = all; });
    });
    block_.sync();
    Pair total = own_room[0];
    for (unsigned w = 1; w < warps; ++w) total = add(total, own_room[w]);
    return total;
  }

  /// The largest of what of_thread(t) says, or 0, told to all; where one is not a number, that or infinity. A
  /// sync() is in it.
  template <class F>
  COUNTPM_HD double largest(const F& of_thread) {
    Pair* const own_room = next_room();
    each_warp([&](auto& warp, unsigned w) {
      typename Block::Warp::template PerLane<double> own;
      warp.each([&](unsigned lane) { own[lane] = of_thread(32 * w + lane); });
      const double all = warp.reduce(own, larger);
      warp.once([&] { memcpy(&own_room[w].first, &all, sizeof all); });
    });
    block_.sync();
    double result = 0;
    for (unsigned w = 0; w < warps; ++w) {
      double other = 0;
      memcpy(&other, &own_room[w].first, sizeof other);
      result = larger(result, other);
    }
    return result;
  }

  /// Calls store(i, sum of value(0 .. i - 1)) for every i < count, and tells the sum of all. No sync() is
  /// at its end: what is stored is there for others after one.
  template <class Value, class Store>
  COUNTPM_HD std::uint64_t running(std::uint32_t count, const Value& value, const Store& store) {
    // A warp has a range of whole tiles of 32.
    const std::uint32_t tiles = (count + 31) / 32;
    const std::uint32_t range = (tiles + warps - 1) / warps * 32;
    const Pair* const sums = room_->of_warp[room_number_ ^ 1U];
    const std::uint64_t all = sum([&](unsigned t) {
                                const std::uint32_t begin = t / 32 * range;
                                const std::uint32_t end = begin + range < count ? begin + range : count;
                                Pair own;
                                for (std::uint32_t i = begin + t % 32; i < end; i += 32)
                                  own.first += value(i);
                                return own;
                              }).first;
    each_warp([&](auto& warp, unsigned w) {
      std::uint64_t before = 0;
      for (unsigned v = 0; v < w; ++v) before += sums[v].first;
      const std::uint32_t begin = w * range;
      const std::uint32_t end = begin + range < count ? begin + range : count;
      for (std::uint32_t tile = begin; tile < end; tile += 32) {
        typename Block::Warp::template PerLane<std::uint64_t> own;
        warp.each([&](unsigned lane) { own[lane] = tile + lane < end ? value(tile + lane) : 0; });
        typename Block::Warp::template PerLane<std::uint64_t> up_to = own;
        for (unsigned apart = 1; apart < 32; apart *= 2) {
          typename Block::Warp::template PerLane<unsigned> source;
          warp.each([&](unsigned lane) { source[lane] = lane >= apart ? lane - apart : lane; });
          const auto lower = warp.from(up_to, source);
          warp.each([&](unsigned lane) { up_to[lane] += lane >= apart ? lower[lane] : 0; });
        }
        warp.each([&](unsigned lane) {
          if (tile + lane < end) store(tile + lane, before + up_to[lane] - own[lane]);
        });
        before += warp.broadcast(up_to, 31);
      }
    });
    return all;
  }

  /// Infinity and what is not a number win.
  static COUNTPM_HD double larger(double a, double b) { return a > b || a != a ? a : b; }

 private:
  static COUNTPM_HD Pair add(const Pair& a, const Pair& b) {
    return {a.first + b.first, a.second + b.second};
  }
  COUNTPM_HD Pair* next_room() {
    room_number_ ^= 1U;
    return room_->of_warp[room_number_];
  }
  template <class F>
  COUNTPM_HD void each_warp(const F& f) const {
    block_.each_warp([&](auto& warp) { f(warp, static_cast<unsigned>(warp.index() % warps)); });
  }

  Block& block_;
  Room* room_;
  unsigned room_number_ = 0;
};

}  // namespace countpm
