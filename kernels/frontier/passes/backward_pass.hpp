#pragma once
// How often each edge is used, over all perfect matchings: the backward pass over the layers.
//
// With f(s) the ways to reach state s and g(s) the ways to go on from it to the end, the matchings in which
// state s takes edge e to state t weigh f(s) w_e g(t); g(s) is the sum of w_e g(t) over the moves of s.
// Layers are walked from the last to the first; a layer and the one after it are both sorted, and a stream
// keeps the order, so that targets are found by walking along. Time O(states * streams), memory two layers of
// g beside the stack of layers. The sums are the same for any number of threads: they are integers modulo
// 2^(64 words).
#include <mutex>

#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/frontier/passes/layers.hpp"

namespace countpm {

template <unsigned Words>
class BackwardPass {
 public:
  BackwardPass(LayerStack<Words>& stack, std::size_t entries)
      : stack_(stack), words_(stack.value_words()), uses_(entries * words_, 0) {}

  /// The sum over all perfect matchings of weight times number of pairs, for every entry that a round names.
  /// All 0 where the last layer is empty. progress(share): how far it is, 0 .. 1.
  template <class Progress>
  std::vector<mpz_class> run(const StopSignal& stop, const Progress& progress) {
    std::size_t largest = 0;
    double all_states = 1;
    for (std::size_t k = 0; k <= stack_.rounds(); ++k) {
      largest = std::max(largest, stack_.states(k));
      all_states += static_cast<double>(stack_.states(k));
    }
    stack_.reserve(stack_.bytes(2 * largest) + sizeof(std::uint64_t) * uses_.size());
    Layer<Words> after;  // keys, and for values the ways to go on
    after.keys = stack_.layer(stack_.rounds(), stop).keys;
    after.values.assign(after.states() * words_, 0);
    if (after.states() > 0) after.values[0] = 1;
    double done = 0;
    for (std::size_t r = stack_.rounds(); r-- > 0;) {
      after = step(r, after, stop);
      done += static_cast<double>(after.states());
      progress(done / all_states);
    }
    stack_.reserve(0);
    std::vector<mpz_class> result;
    result.reserve(uses_.size() / words_);
    for (std::size_t at = 0; at < uses_.size(); at += words_)
      result.push_back(to_mpz(uses_.data() + at, words_, true));
    return result;
  }

 private:
  Layer<Words> step(std::size_t r, const Layer<Words>& after, const StopSignal& stop) {
    const LayerRound<Words> round = stack_.round(r);
    const Layer<Words>& layer = stack_.layer(r, stop);
    Layer<Words> before;
    before.keys = layer.keys;
    grow(before.values, layer.states() * words_, stop);
    const std::size_t streams = round.streams.size();
    std::vector<std::uint64_t> uses(streams * words_, 0);  // of each stream, but for its weight
    std::mutex mutex;
    const std::size_t size = stack_.part_states();
    for_parts((layer.states() + size - 1) / size, stack_.threads(), stop, [&](std::size_t part) {
      const std::size_t begin = part * size;
      const std::size_t end = std::min(begin + size, layer.states());
      std::vector<std::uint64_t> part_uses(streams * words_, 0);
      std::vector<std::uint64_t> scratch(2 * std::size_t{words_});
      for (std::size_t j = 0; j < streams; ++j) {
        walk({layer, after, before, round, round.streams[j], begin, end}, part_uses.data() + j * words_,
             scratch.data());
      }
      const std::lock_guard lock(mutex);
      for (std::size_t j = 0; j < streams; ++j)
        wide::add(uses.data() + j * words_, part_uses.data() + j * words_, words_);
    });
    for (std::size_t j = 0; j < streams; ++j) {
      const std::uint32_t weight = round.streams[j].weight();
      const std::uint64_t entry = round.weights[weight].entry;
      if (entry == StepWeight::no_entry) continue;
      wide::add_product(uses_.data() + entry * words_, uses.data() + j * words_, round.factors[weight],
                        words_);
    }
    return before;
  }

  struct Walk {
    const Layer<Words>& layer;
    const Layer<Words>& after;
    Layer<Words>& before;
    const LayerRound<Words>& round;
    const LayerStream<Words>& stream;
    std::size_t begin;
    std::size_t end;
  };

  void walk(const Walk& walk, std::uint64_t* uses, std::uint64_t* scratch) const {
    const std::vector<WideKey<Words>>& targets = walk.after.keys;
    std::size_t at = targets.size();
    bool placed = false;
    const std::uint32_t weight = walk.stream.weight();
    const bool pairs = walk.round.weights[weight].entry != StepWeight::no_entry;
    for (std::size_t state = walk.begin; state < walk.end; ++state) {
      const WideKey<Words>& key = walk.layer.keys[state];
      if (!walk.stream.takes(key)) continue;
      const WideKey<Words> target = walk.stream.target(key);
      if (!placed) {
        at = static_cast<std::size_t>(std::lower_bound(targets.begin(), targets.end(), target) -
                                      targets.begin());
        placed = true;
      }
      while (targets[at] < target) ++at;  // the forward pass has made every target
      const std::uint64_t* after = walk.after.values.data() + at * words_;
      wide::add_product(walk.before.values.data() + state * words_, after, walk.round.factors[weight],
                        words_);
      if (pairs) wide::add_product(uses, walk.layer.values.data() + state * words_, after, words_, scratch);
    }
  }

  LayerStack<Words>& stack_;
  unsigned words_;
  std::vector<std::uint64_t> uses_;
};

}  // namespace countpm
