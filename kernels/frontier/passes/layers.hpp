#pragma once
// The tables of a linear elimination, all of them: what passes in both directions need.
//
// Layer 0 is the empty state, layer k the states after round k - 1 with the number of ways to reach each,
// weighted. A layer is the merge of its round's streams (frontier/tables/program.hpp), sorted by key; it is
// cut into parts that threads make independently: first the states of each part are counted, then room is
// made for exactly that many, then they are written. Where all layers together would not fit the memory
// limit, every k-th is kept, k growing as needed, and the others are made again when they are asked for from
// the last to the first. Time O(states * streams), a logarithmic factor more where layers are made again.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "kernels/arithmetic/wide_integer.hpp"
#include "kernels/frontier/tables/key.hpp"
#include "kernels/frontier/tables/program.hpp"
#include "kernels/frontier/tables/wide_value.hpp"
#include "kernels/passes/layer_limits.hpp"
#include "kernels/support/for_parts.hpp"

namespace countpm {

/// Keys as one unsigned integer, modulo 2^(64 Words), with carries: for where a sum may leave its field.
template <unsigned Words>
WideKey<Words> sum_of(const WideKey<Words>& a, const WideKey<Words>& b) {
  WideKey<Words> result = a;
  add_words(result.word, b.word);
  return result;
}
template <unsigned Words>
WideKey<Words> difference_of(const WideKey<Words>& a, const WideKey<Words>& b) {
  WideKey<Words> result = a;
  subtract_words(result.word, b.word);
  return result;
}

/// One stream of a round, with masks for bits.
template <unsigned Words>
class LayerStream {
 public:
  using Key = WideKey<Words>;

  explicit LayerStream(const StreamPlan& plan) : limit_(plan.limit), weight_(plan.weight) {
    for (const FieldChange& change : plan.changes) {
      put(mask_, change.field, (std::uint64_t{1} << change.field.width) - 1);
      put(value_, change.field, change.from);
      if (change.to > change.from) put(up_, change.field, change.to - change.from);
      if (change.to < change.from) put(down_, change.field, change.from - change.to);
    }
    if (plan.counted.width == 0) return;
    counts_ = true;
    word_ = plan.counted.offset / 64;
    shift_ = plan.counted.offset % 64;
    count_mask_ = (std::uint64_t{1} << plan.counted.width) - 1;
    put(up_, plan.counted, 1);
  }

  bool takes(const Key& state) const {
    return state.matches(mask_, value_) && (!counts_ || count(state) < limit_);
  }
  Key target(const Key& state) const { return difference_of(sum_of(state, up_), down_); }
  /// The only state that may come to this one by the stream; to be tested with takes() and target().
  Key source(const Key& target) const { return difference_of(sum_of(target, down_), up_); }
  /// States from this one on come to `target` and what follows it.
  Key least_source(const Key& target) const {
    const Key raised = sum_of(target, down_);
    return raised < up_ ? Key::zero() : difference_of(raised, up_);
  }
  /// Its place among the round's weights.
  std::uint32_t weight() const { return weight_; }

 private:
  static void put(Key& key, Field field, std::uint64_t count) {
    key.word[field.offset / 64] |= count << (field.offset % 64);
  }
  std::uint32_t count(const Key& state) const {
    return static_cast<std::uint32_t>(state.word[word_] >> shift_ & count_mask_);
  }

  Key mask_ = Key::zero();
  Key value_ = Key::zero();
  Key up_ = Key::zero();
  Key down_ = Key::zero();
  bool counts_ = false;
  unsigned word_ = 0;
  unsigned shift_ = 0;
  std::uint64_t count_mask_ = 0;
  std::uint32_t limit_ = 0;
  std::uint32_t weight_ = 0;
};

/// A round with everything that its passes look up.
template <unsigned Words>
struct LayerRound {
  std::vector<LayerStream<Words>> streams;
  std::vector<StepWeight> weights;
  std::vector<mpz_class> multipliers;  // of the weights
  std::vector<WideFactor> factors;     // the same modulo 2^(64 words)
};

template <unsigned Words>
struct Layer {
  std::vector<WideKey<Words>> keys;  // ascending
  std::vector<std::uint64_t> values;

  std::size_t states() const { return keys.size(); }
};

/// Zeros up to that size, with a look at the stop signal every few milliseconds: pages of large layers are
/// slow to come by.
template <class Value>
void grow(std::vector<Value>& values, std::size_t size, const StopSignal& stop) {
  constexpr std::size_t step = std::size_t{1} << 20;
  values.reserve(size);
  while (values.size() < size) {
    stop.check();
    values.resize(std::min(size, values.size() + step));
  }
}

template <unsigned Words>
class LayerStack {
 public:
  using Key = WideKey<Words>;

  /// `entry_values`: an integer for every matrix entry. Preconditions: the program is one table from end to
  /// end, and its keys leave a bit of Words words free.
  LayerStack(const Program& program, const std::vector<mpz_class>& entry_values, unsigned value_words,
             LayerLimits limits)
      : program_(program), entry_values_(entry_values), value_words_(value_words), limits_(limits) {
    Layer<Words> empty;
    empty.keys.emplace_back();
    empty.values.assign(value_words, 0);
    empty.values[0] = 1;
    sizes_.assign(rounds() + 1, 0);
    sizes_[0] = 1;
    stored_bytes_ = bytes(1);
    stored_.emplace(0, std::move(empty));
  }

  std::size_t rounds() const { return program_.rounds.size(); }
  unsigned value_words() const { return value_words_; }
  int threads() const { return limits_.threads; }
  /// States of layer k; known once it has been made.
  std::size_t states(std::size_t k) const { return sizes_[k]; }
  /// (State, stream) pairs of all layers that were made, those that were made again each time.
  std::uint64_t transitions() const { return transitions_; }
  std::uint64_t bytes(std::size_t states) const {
    return std::uint64_t{states} * (sizeof(Key) + sizeof(std::uint64_t) * value_words_);
  }
  /// States that a thread works on between two looks at the stop signal: some milliseconds.
  std::size_t part_states() const { return std::clamp<std::size_t>(32768 / value_words_, 16, 32768); }

  /// Other tables of the caller's, which count against the limit. Throws LayersTooLarge.
  void reserve(std::uint64_t bytes) {
    reserved_bytes_ = bytes;
    while (stored_bytes_ + reserved_bytes_ > limits_.memory_bytes && stored_.size() > 1) thin();
    if (stored_bytes_ + reserved_bytes_ > limits_.memory_bytes) {
      throw LayersTooLarge(stored_bytes_ + reserved_bytes_, limits_.memory_bytes);
    }
  }

  /// Layer k, made again where it is not stored: layers above it are dropped then, as a walk from the last
  /// layer to the first has it. Valid until the next call.
  const Layer<Words>& layer(std::size_t k, const StopSignal& stop) {
    const auto found = stored_.find(k);
    if (found != stored_.end()) return found->second;
    while (stored_.rbegin()->first > k) drop(std::prev(stored_.end()));
    const std::size_t base = stored_.rbegin()->first;
    std::size_t stride = 1;
    for (std::size_t next = base + 1; next <= k; ++next) {
      make(next, base, stride, stop);
      // Between base and `next` only multiples of the stride stay.
      if (next - 1 > base && (next - 1 - base) % stride != 0) drop(stored_.find(next - 1));
    }
    return stored_.rbegin()->second;
  }

  LayerRound<Words> round(std::size_t r) const {
    LayerRound<Words> result;
    const RoundPlan& plan = program_.rounds[r];
    for (const StreamPlan& stream : plan.streams) result.streams.emplace_back(stream);
    result.weights = plan.weights;
    for (const StepWeight& weight : plan.weights) {
      mpz_class multiplier =
          weight.entry == StepWeight::no_entry ? mpz_class(1) : entry_values_[weight.entry];
      for (std::uint32_t k = 0; k < weight.count; ++k) multiplier *= weight.top - k;
      result.factors.emplace_back(multiplier, value_words_);
      result.multipliers.push_back(std::move(multiplier));
    }
    return result;
  }

  /// Called with the number of each layer when it is made for the first time.
  void on_first_made(std::function<void(std::size_t)> made) { first_made_ = std::move(made); }

 private:
  using Stored = std::map<std::size_t, Layer<Words>>;

  void drop(typename Stored::iterator place) {
    stored_bytes_ -= bytes(place->second.states());
    stored_.erase(place);
  }

  // Forgets every second of the stored layers, layer 0 excepted.
  void thin() {
    bool keep = false;
    for (auto place = std::next(stored_.begin()); place != stored_.end();) {
      const auto next = std::next(place);
      if (!keep) drop(place);
      keep = !keep;
      place = next;
    }
  }

  // A part of a layer: what the streams bring to keys in [from, to).
  class Merge {
   public:
    Merge(const Layer<Words>& source, const LayerRound<Words>& round) : source_(source), round_(round) {}

    /// term(stream, source state, whether its target is new), by ascending targets.
    template <class Term>
    void run(const Key& from, const Key* to, const Term& term) {
      cursors_.clear();
      for (std::size_t j = 0; j < round_.streams.size(); ++j) {
        const Key least = round_.streams[j].least_source(from);
        const auto first = std::lower_bound(source_.keys.begin(), source_.keys.end(), least);
        Cursor cursor{j, static_cast<std::size_t>(first - source_.keys.begin()), {}};
        if (settle(cursor, to)) cursors_.push_back(cursor);
      }
      while (!cursors_.empty()) {
        Key least = cursors_[0].target;
        for (std::size_t c = 1; c < cursors_.size(); ++c) least = std::min(least, cursors_[c].target);
        bool fresh = true;
        for (std::size_t c = 0; c < cursors_.size();) {
          Cursor& cursor = cursors_[c];
          if (cursor.target == least) {
            term(cursor.stream, cursor.at, fresh);
            fresh = false;
            ++cursor.at;
            if (!settle(cursor, to)) {
              cursor = cursors_.back();
              cursors_.pop_back();
              continue;
            }
          }
          ++c;
        }
      }
    }

   private:
    struct Cursor {
      std::size_t stream;
      std::size_t at;
      Key target;
    };

    // On to the next state that the stream takes; false where it has no more for this part.
    bool settle(Cursor& cursor, const Key* to) const {
      const LayerStream<Words>& stream = round_.streams[cursor.stream];
      const std::size_t states = source_.keys.size();
      while (cursor.at < states && !stream.takes(source_.keys[cursor.at])) ++cursor.at;
      if (cursor.at == states) return false;
      cursor.target = stream.target(source_.keys[cursor.at]);
      return to == nullptr || cursor.target < *to;
    }

    const Layer<Words>& source_;
    const LayerRound<Words>& round_;
    std::vector<Cursor> cursors_;
  };

  // Where the parts of the next layer begin, but for the first: targets of evenly spread states.
  std::vector<Key> splitters(const Layer<Words>& source, const LayerRound<Words>& round,
                             const StopSignal& stop) const {
    std::vector<Key> candidates;
    const std::size_t spacing = part_states();
    for (const LayerStream<Words>& stream : round.streams) {
      for (std::size_t begin = spacing; begin < source.states(); begin += spacing) {
        stop.check();
        const std::size_t end = std::min(begin + spacing, source.states());
        std::size_t at = begin;
        while (at < end && !stream.takes(source.keys[at])) ++at;
        if (at < end) candidates.push_back(stream.target(source.keys[at]));
      }
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    return candidates;
  }

  void make(std::size_t next, std::size_t base, std::size_t& stride, const StopSignal& stop) {
    const Layer<Words>& source = stored_.find(next - 1)->second;
    const LayerRound<Words> round = this->round(next - 1);
    const std::vector<Key> cuts = splitters(source, round, stop);
    const std::size_t parts = cuts.size() + 1;
    const auto run_part = [&](std::size_t part, const auto& term) {
      Merge(source, round)
          .run(part == 0 ? Key::zero() : cuts[part - 1], part < cuts.size() ? &cuts[part] : nullptr, term);
    };
    std::vector<std::size_t> begin(parts + 1, 0);
    std::vector<std::uint64_t> moves(parts, 0);
    for_parts(parts, limits_.threads, stop, [&](std::size_t part) {
      std::size_t states = 0;
      std::uint64_t all = 0;
      run_part(part, [&](std::size_t, std::size_t, bool fresh) {
        states += fresh ? 1 : 0;
        ++all;
      });
      begin[part + 1] = states;
      moves[part] = all;
    });
    for (std::size_t part = 0; part < parts; ++part) {
      begin[part + 1] += begin[part];
      transitions_ += moves[part];
    }
    make_room(begin.back(), next, base, stride);

    Layer<Words> made;
    grow(made.keys, begin.back(), stop);
    grow(made.values, begin.back() * value_words_, stop);
    for_parts(parts, limits_.threads, stop, [&](std::size_t part) {
      std::size_t at = begin[part] - 1;  // wraps to the state before the first
      run_part(part, [&](std::size_t stream, std::size_t state, bool fresh) {
        const Key& key = source.keys[state];
        if (fresh) made.keys[++at] = round.streams[stream].target(key);
        wide::add_product(made.values.data() + at * value_words_, source.values.data() + state * value_words_,
                          round.factors[round.streams[stream].weight()], value_words_);
      });
    });
    if (first_made_ && next > made_) first_made_(next);
    made_ = std::max(made_, next);
    sizes_[next] = begin.back();
    stored_bytes_ += bytes(begin.back());
    stored_.emplace_hint(stored_.end(), next, std::move(made));
  }

  // So that layer `next` fits beside `base` and the layer before it: the stride of what is kept between
  // doubles.
  void make_room(std::size_t states, std::size_t next, std::size_t base, std::size_t& stride) {
    const std::uint64_t needed = bytes(states) + reserved_bytes_;
    while (stored_bytes_ + needed > limits_.memory_bytes) {
      if (stride > rounds()) throw LayersTooLarge(stored_bytes_ + needed, limits_.memory_bytes);
      stride *= 2;
      for (auto place = stored_.upper_bound(base); place != stored_.end();) {
        const auto after = std::next(place);
        if (place->first + 1 != next && (place->first - base) % stride != 0) drop(place);
        place = after;
      }
    }
  }

  const Program& program_;
  const std::vector<mpz_class>& entry_values_;
  unsigned value_words_;
  LayerLimits limits_;
  Stored stored_;
  std::uint64_t stored_bytes_ = 0;
  std::uint64_t reserved_bytes_ = 0;
  std::vector<std::size_t> sizes_;
  std::size_t made_ = 0;
  std::uint64_t transitions_ = 0;
  std::function<void(std::size_t)> first_made_;
};

}  // namespace countpm
