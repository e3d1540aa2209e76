#pragma once
// From numbers to perfect matchings: a walk back through the layers.
//
// Of the ways to reach the last state every one owns as many of the integers 0 .. total - 1 as it weighs: a
// state's predecessors share its integers in the order of the streams, and within a predecessor they stand
// for its own ways, each repeated as often as the move weighs. So an integer drawn evenly below the total is
// a matching drawn with probability proportional to its weight, exactly. All walks go through the layers
// together. Time O(rounds * streams * log(states)) a walk.
#include <stdexcept>

#include "kernels/frontier/passes/layers.hpp"

namespace countpm {

/// The entries taken by each walk, in the order of rounds from the last to the first.
using EntryPaths = std::vector<std::vector<std::uint64_t>>;

/// Preconditions: weights are not negative, and 0 <= numbers[k] < total.
template <unsigned Words, class Progress>
EntryPaths draw_backward(LayerStack<Words>& stack, std::vector<mpz_class> numbers, const StopSignal& stop,
                         const Progress& progress) {
  const unsigned words = stack.value_words();
  EntryPaths paths(numbers.size());
  std::vector<WideKey<Words>> at(numbers.size());  // all in the last state, whose key is 0
  constexpr std::size_t walks_a_part = 256;
  for (std::size_t r = stack.rounds(); r-- > 0;) {
    const LayerRound<Words> round = stack.round(r);
    const Layer<Words>& layer = stack.layer(r, stop);
    const auto step_back = [&](std::size_t walk) {
      mpz_class share;
      for (const LayerStream<Words>& stream : round.streams) {
        const WideKey<Words> source = stream.source(at[walk]);
        if (!stream.takes(source) || stream.target(source) != at[walk]) continue;
        const auto found = std::lower_bound(layer.keys.begin(), layer.keys.end(), source);
        if (found == layer.keys.end() || *found != source) continue;
        mpz_t ways;  // a view, not a copy
        mpz_roinit_n(ways, layer.values.data() + static_cast<std::size_t>(found - layer.keys.begin()) * words,
                     words);
        const std::uint32_t weight = stream.weight();
        mpz_mul(share.get_mpz_t(), ways, round.multipliers[weight].get_mpz_t());
        if (numbers[walk] >= share) {
          numbers[walk] -= share;
          continue;
        }
        mpz_fdiv_r(numbers[walk].get_mpz_t(), numbers[walk].get_mpz_t(), ways);
        if (round.weights[weight].entry != StepWeight::no_entry)
          paths[walk].push_back(round.weights[weight].entry);
        at[walk] = source;
        return;
      }
      throw std::logic_error("draw_backward: a state without predecessors for its number");
    };
    for_parts((numbers.size() + walks_a_part - 1) / walks_a_part, stack.threads(), stop,
              [&](std::size_t part) {
                const std::size_t end = std::min((part + 1) * walks_a_part, numbers.size());
                for (std::size_t walk = part * walks_a_part; walk < end; ++walk) step_back(walk);
              });
    progress(1 - static_cast<double>(r) / static_cast<double>(stack.rounds()));
  }
  return paths;
}

}  // namespace countpm
