#pragma once
// Goes through the states of a FactorPlan, over any ring.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "kernels/factors/plan.hpp"
#include "kernels/support/work_meter.hpp"

namespace countpm::factors {

/// Integers without a bound, as a ring that the walk takes.
struct IntegerRing {
  using Element = mpz_class;
  Element zero() const { return 0; }
  Element one() const { return 1; }
  void add_to(Element& a, const Element& b) const { a += b; }
  void mul_to(Element& a, const Element& b) const { a *= b; }
  Element from_mpz(const mpz_class& value) const { return value; }
};

/// A ring of kernels/arithmetic as one that the walk takes.
template <class R>
struct WalkRing : R {
  using Element = typename R::Element;
  explicit WalkRing(const R& ring) : R(ring) {}
  Element from_mpz(const mpz_class& value) const { return R::from_mpq(mpq_class(value)); }
};

/// States and what the choices that lead to each add up to.
template <class Element>
class StateTable {
 public:
  explicit StateTable(unsigned words) : words_(words) { rehash(64); }

  std::size_t size() const { return value_.size(); }
  const std::uint64_t* key(std::size_t at) const { return key_.data() + at * words_; }
  const Element& value(std::size_t at) const { return value_[at]; }

  /// The value of that key, which is zero where it is new.
  Element& at(const std::uint64_t* key, const Element& zero) {
    std::uint64_t hash = 0;
    for (unsigned w = 0; w < words_; ++w) {
      hash = (hash ^ key[w]) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 31;
    }
    const std::uint64_t mask = slot_.size() - 1;
    std::uint64_t s = hash & mask;
    while (slot_[s] != 0) {
      const std::size_t found = slot_[s] - 1;
      if (std::memcmp(this->key(found), key, words_ * sizeof(std::uint64_t)) == 0) return value_[found];
      s = (s + 1) & mask;
    }
    key_.insert(key_.end(), key, key + words_);
    value_.push_back(zero);
    hash_.push_back(hash);
    slot_[s] = value_.size();
    if (value_.size() * 2 > slot_.size()) rehash(slot_.size() * 2);
    return value_.back();
  }

  /// Of so many states, with what vectors that grow may have to spare.
  static double bytes(double states, unsigned words, double element_bytes) {
    return states * (2 * (8.0 * words + 8 + element_bytes) + 32);
  }

 private:
  void rehash(std::size_t slots) {
    slot_.assign(slots, 0);
    for (std::size_t k = 0; k < hash_.size(); ++k) {
      std::uint64_t s = hash_[k] & (slots - 1);
      while (slot_[s] != 0) s = (s + 1) & (slots - 1);
      slot_[s] = k + 1;
    }
  }

  unsigned words_;
  std::vector<std::uint64_t> key_;
  std::vector<Element> value_;
  std::vector<std::uint64_t> hash_;
  std::vector<std::uint64_t> slot_;  // 1 + where the state is
};

template <class Ring>
class FactorWalk {
 public:
  using Element = typename Ring::Element;

  FactorWalk(const FactorGraph& graph, const FactorPlan& plan, const Ring& ring, WorkMeter& meter)
      : graph_(graph), plan_(plan), ring_(ring), meter_(meter), words_(plan.key_words()), key_(words_) {
    for (const EdgeWeight& weight : graph.weights) {
      in_.push_back(ring.from_mpz(weight.in));
      out_.push_back(ring.from_mpz(weight.out));
    }
    std::size_t largest = 0;
    for (const FactorStep& step : plan.steps) {
      for (const TwinClass& c : step.classes) largest = std::max(largest, c.vertices.size());
    }
    for (std::size_t n = 0; n <= largest; ++n) {
      for (std::size_t k = 0; k <= n; ++k) {
        mpz_class value;
        mpz_bin_uiui(value.get_mpz_t(), n, k);
        binomial_.push_back(ring.from_mpz(value));
      }
    }
  }

  /// The sum over all factors; empty where the meter's time is up. Throws Stopped.
  std::optional<Element> run() {
    StateTable<Element> table(words_);
    const std::vector<std::uint64_t> nothing(words_, 0);
    table.at(nothing.data(), ring_.zero()) = ring_.one();
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      step_ = &plan_.steps[s];
      next_ = s + 1 < plan_.steps.size() ? &plan_.steps[s + 1] : nullptr;
      StateTable<Element> made(words_);
      made_ = &made;
      prepare_step();
      for (std::size_t k = 0; k < table.size(); ++k) {
        if (meter_.spend(1) && !meter_.look()) return std::nullopt;
        if (!spread(table.key(k), table.value(k))) return std::nullopt;
      }
      made_ = nullptr;
      table = std::move(made);
    }
    return table.size() == 0 ? ring_.zero() : table.at(nothing.data(), ring_.zero());
  }

 private:
  /// Numbers of vertices of one class that need so many edges, and may be given one.
  struct Slot {
    Index count;  // of those, in counts_
    Index to;     // of those that are given one, in next_counts_
    Index keep;   // of the others
    Index in_class;
    bool last_of_class;
  };

  const Element& binomial(Index n, Index k) const { return binomial_[n * (n + std::size_t{1}) / 2 + k]; }

  void prepare_step() {
    counts_.assign(step_->counts, 0);
    next_counts_.assign(next_ != nullptr ? next_->counts : 0, 0);
    // in^k out^(size - k) of each class that is joined
    powers_.assign(step_->classes.size(), {});
    if (graph_.plain()) return;
    for (std::size_t c = 0; c < step_->classes.size(); ++c) {
      const auto& weight = step_->steps[c].weight;
      if (!weight) continue;
      const std::size_t size = step_->classes[c].vertices.size() - (c == step_->of_class ? 1 : 0);
      std::vector<Element> out{ring_.one()};
      for (std::size_t k = 0; k < size; ++k) {
        out.push_back(out.back());
        ring_.mul_to(out.back(), out_[*weight]);
      }
      Element in = ring_.one();
      for (std::size_t k = 0; k <= size; ++k) {
        powers_[c].push_back(out[size - k]);
        ring_.mul_to(powers_[c].back(), in);
        ring_.mul_to(in, in_[*weight]);
      }
    }
  }

  void decode(const std::uint64_t* key) {
    std::fill(counts_.begin(), counts_.end(), 0);
    unsigned bit = 0;
    const auto read = [&](unsigned bits) {
      std::uint64_t value = key[bit / 64] >> (bit % 64);
      if (bit % 64 + bits > 64) value |= key[bit / 64 + 1] << (64 - bit % 64);
      bit += bits;
      return static_cast<Index>(value & ((std::uint64_t{1} << bits) - 1));
    };
    for (const TwinClass& c : step_->classes) {
      Index* const counts = counts_.data() + c.first_count;
      const auto size = static_cast<Index>(c.vertices.size());
      if (c.untouched) {
        for (const Index v : c.vertices) ++counts[graph_.needs[v]];
      } else if (c.as_counts) {
        counts[0] = size;
        for (Index need = 1; need <= c.most; ++need) {
          counts[need] = read(c.bits);
          counts[0] -= counts[need];
        }
      } else if (c.bits == 0) {
        counts[0] = size;
      } else {
        for (Index k = 0; k < size; ++k) ++counts[read(c.bits)];
      }
    }
  }

  /// Of next_counts_.
  void encode() {
    std::fill(key_.begin(), key_.end(), 0);
    unsigned bit = 0;
    const auto write = [&](std::uint64_t value, unsigned bits) {
      key_[bit / 64] |= value << (bit % 64);
      if (bit % 64 + bits > 64) key_[bit / 64 + 1] |= value >> (64 - bit % 64);
      bit += bits;
    };
    if (next_ == nullptr) return;
    for (const TwinClass& c : next_->classes) {
      const Index* const counts = next_counts_.data() + c.first_count;
      if (c.untouched || c.bits == 0) continue;
      if (c.as_counts) {
        for (Index need = 1; need <= c.most; ++need) write(counts[need], c.bits);
      } else {
        for (Index need = 0; need <= c.most; ++need) {
          for (Index k = 0; k < counts[need]; ++k) write(need, c.bits);
        }
      }
    }
  }

  /// Where vertices of a class that need so many edges are counted afterwards; no_index where they need more
  /// than they can get.
  Index place(Index in_class, Index need) const {
    const TwinClass& c = next_->classes[step_->steps[in_class].next];
    return need > c.most ? no_index : c.first_count + need;
  }

  /// All that may come of one state.
  bool spread(const std::uint64_t* key, const Element& value) {
    decode(key);
    const TwinClass& own = step_->classes[step_->of_class];
    // Of twins the one that needs most.
    Index need = own.most;
    while (need > 0 && counts_[own.first_count + need] == 0) --need;
    --counts_[own.first_count + need];
    std::fill(next_counts_.begin(), next_counts_.end(), 0);
    slots_.clear();
    available_.clear();
    Element start = value;
    for (Index c = 0; c < step_->classes.size(); ++c) {
      const TwinClass& other = step_->classes[c];
      const std::size_t first_slot = slots_.size();
      for (Index needs = 0; needs <= other.most; ++needs) {
        const Index count = counts_[other.first_count + needs];
        if (count == 0) continue;
        const Index keep = place(c, needs);
        if (step_->steps[c].weight && needs > 0) {
          slots_.push_back({count, place(c, needs - 1), keep, c, false});
          continue;
        }
        if (keep == no_index) return true;
        next_counts_[keep] += count;
      }
      if (slots_.size() > first_slot) {
        slots_.back().last_of_class = true;
      } else if (!powers_[c].empty()) {
        ring_.mul_to(start, powers_[c][0]);  // none of them may be given an edge
      }
    }
    available_.assign(slots_.size() + 1, 0);
    for (std::size_t s = slots_.size(); s-- > 0;) available_[s] = available_[s + 1] + slots_[s].count;
    if (need > available_[0]) return true;
    return choose(0, need, 0, start);
  }

  /// `left` edges for the slots from that one on; of_class: how many its class has been given before.
  bool choose(std::size_t s, Index left, Index of_class, const Element& product) {
    if (s == slots_.size()) {
      if (meter_.spend(1) && !meter_.look()) return false;
      encode();
      ring_.add_to(made_->at(key_.data(), ring_.zero()), product);
      return true;
    }
    const Slot& slot = slots_[s];
    const Index least = left > available_[s + 1] ? left - available_[s + 1] : 0;
    for (Index k = least; k <= std::min(left, slot.count); ++k) {
      const Index kept = slot.count - k;
      if ((k > 0 && slot.to == no_index) || (kept > 0 && slot.keep == no_index)) continue;
      if (k > 0) next_counts_[slot.to] += k;
      if (kept > 0) next_counts_[slot.keep] += kept;
      const bool times_power = slot.last_of_class && !powers_[slot.in_class].empty();
      bool on = true;
      if ((k == 0 || kept == 0) && !times_power) {
        on = choose(s + 1, left - k, slot.last_of_class ? 0 : of_class + k, product);
      } else {
        Element next = product;
        if (k != 0 && kept != 0) ring_.mul_to(next, binomial(slot.count, k));
        if (times_power) ring_.mul_to(next, powers_[slot.in_class][of_class + k]);
        on = choose(s + 1, left - k, slot.last_of_class ? 0 : of_class + k, next);
      }
      if (k > 0) next_counts_[slot.to] -= k;
      if (kept > 0) next_counts_[slot.keep] -= kept;
      if (!on) return false;
    }
    return true;
  }

  const FactorGraph& graph_;
  const FactorPlan& plan_;
  Ring ring_;
  WorkMeter& meter_;
  unsigned words_;
  std::vector<std::uint64_t> key_;
  std::vector<Element> in_;
  std::vector<Element> out_;
  std::vector<Element> binomial_;  // [n][k]
  const FactorStep* step_ = nullptr;
  const FactorStep* next_ = nullptr;
  StateTable<Element>* made_ = nullptr;
  std::vector<Index> counts_;
  std::vector<Index> next_counts_;
  std::vector<std::vector<Element>> powers_;
  std::vector<Slot> slots_;
  std::vector<Index> available_;
};

}  // namespace countpm::factors
