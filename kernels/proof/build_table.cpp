#include "kernels/proof/build_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "graph/stop_signal.hpp"
#include "kernels/proof/four_word_key.hpp"
#include "kernels/support/parallel_ranges.hpp"

namespace countpm {
namespace {

/// The bits up to the highest one of `bits`, that one among them.
template <class Key>
Key up_to_highest(Key bits) {
  for (unsigned shift = 1; shift < 8 * sizeof(Key); shift *= 2) bits |= bits >> shift;
  return bits;
}

/// From where on the stream's states become `from` or later ones: no key before it does.
template <class Key>
std::uint64_t first_to(const StepStream<Key>& stream, const StateBlocks<Key>& before, Key from) {
  const Key* const begin = before.key.data();
  const Key* const end = begin + before.blocks();
  if (stream.required != 0) {
    if ((from & stream.required) == 0)
      return static_cast<std::uint64_t>(std::lower_bound(begin, end, Key(from | stream.required)) - begin);
    // Of what has another vertex's bit in the place: those whose bits above it are more.
    const Key last = from | up_to_highest(stream.required);
    return static_cast<std::uint64_t>(std::upper_bound(begin, end, last) - begin);
  }
  const Key missing = stream.added & ~from;
  const Key least = (from & ~stream.added) & ~up_to_highest(missing);
  return static_cast<std::uint64_t>(std::lower_bound(begin, end, least) - begin);
}

/// Blocks one behind the other, of which nobody knows how many there will be: in pieces that stay where they
/// are. Vectors that grow are copied, page fault by page fault: for tables of 2^28 blocks together of
/// spaceStation_1 that took 6.6 s of CPU and 18.2 of the system, and now 5.2 and 14.0 (2-core AMD EPYC, Zen
/// 4, 2026-11-30).
template <class Key>
class BlockList {
 public:
  void push(const Key& key, std::uint64_t reached) {
    if (in_last_ == room_) {
      room_ = pieces_.empty() ? least_room : std::min(2 * room_, most_room);
      pieces_.push_back({PlainArray<Key>(room_), PlainArray<std::uint64_t>(room_)});
      in_last_ = 0;
    }
    pieces_.back().key[in_last_] = key;
    pieces_.back().reached[in_last_] = reached;
    ++in_last_;
    ++size_;
  }
  std::uint64_t size() const { return size_; }

  /// call(keys, reached, how many), piece after piece.
  template <class Call>
  void each(const Call& call) const {
    for (const Piece& piece : pieces_)
      call(piece.key.data(), piece.reached.data(), &piece == &pieces_.back() ? in_last_ : piece.key.size());
  }

 private:
  struct Piece {
    PlainArray<Key> key;
    PlainArray<std::uint64_t> reached;
  };
  static constexpr std::uint64_t least_room = 256;
  static constexpr std::uint64_t most_room = std::uint64_t{1} << 21;  // huge pages, but for the ends
  std::vector<Piece> pieces_;
  std::uint64_t room_ = 0, in_last_ = 0, size_ = 0;
};

/// The blocks of the table after the step with from <= key, and key < to where there is a `to`.
template <class Key>
struct MergedRange {
  BlockList<Key> blocks;
  std::uint64_t states = 0;
};

template <class Key>
struct MergeCursor {
  const StepStream<Key>* stream;
  std::uint64_t at;
  Key next;
  bool more;

  void settle(const StateBlocks<Key>& before) {
    while (at < before.blocks() &&
           (!stream->takes(before.key[at]) || (before.reached[at] & stream->places) == 0))
      ++at;
    more = at < before.blocks();
    if (more) next = stream->taken(before.key[at]);
  }
};

constexpr std::uint64_t blocks_a_look = 4096;  // at the stop signal

template <class Key>
MergedRange<Key> merge_range(const StateBlocks<Key>& before, const StepStreams<Key>& streams, Key from,
                             const Key* to) {
  std::vector<MergeCursor<Key>> cursors;
  for (const StepStream<Key>& stream : streams.stream) {
    MergeCursor<Key> cursor{&stream, first_to(stream, before, from), 0, false};
    cursor.settle(before);
    // A stream whose keys are filtered may begin below.
    while (cursor.more && cursor.next < from) {
      ++cursor.at;
      cursor.settle(before);
    }
    if (cursor.more) cursors.push_back(cursor);
  }
  MergedRange<Key> result;
  while (!cursors.empty()) {
    Key least = cursors.front().next;
    for (const MergeCursor<Key>& cursor : cursors) least = std::min(least, cursor.next);
    if (to != nullptr && least >= *to) break;
    std::uint64_t reached = 0;
    bool ended = false;
    for (MergeCursor<Key>& cursor : cursors) {
      if (cursor.next != least) continue;
      reached |= cursor.stream->moved(before.reached[cursor.at]);
      ++cursor.at;
      cursor.settle(before);
      ended = ended || !cursor.more;
    }
    if (ended) std::erase_if(cursors, [](const MergeCursor<Key>& cursor) { return !cursor.more; });
    result.blocks.push(least, reached);
    if (result.blocks.size() % blocks_a_look == 0) check_stop();
  }
  return result;
}

COUNTPM_POPCOUNT_CLONES std::uint64_t bits_of(const std::uint64_t* reached, std::uint64_t blocks) noexcept {
  std::uint64_t bits = 0;
  for (std::uint64_t i = 0; i < blocks; ++i) bits += static_cast<std::uint64_t>(std::popcount(reached[i]));
  return bits;
}

COUNTPM_POPCOUNT_CLONES void number_values(const std::uint64_t* reached, std::uint64_t blocks,
                                           std::uint64_t* first) noexcept {
  std::uint64_t bits = 0;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    first[i] = bits;
    bits += static_cast<std::uint64_t>(std::popcount(reached[i]));
  }
}

// So many blocks are worth threads.
constexpr std::uint64_t blocks_for_threads = 1024;
constexpr std::uint64_t ranges_a_thread = 8;

/// Where the ranges of keys begin that are merged apart; the first begins at 0.
template <class Key>
std::vector<Key> range_starts(const StateBlocks<Key>& before, int threads) {
  std::vector<Key> starts{0};
  if (threads < 2 || before.blocks() < blocks_for_threads) return starts;
  const std::uint64_t ranges = ranges_a_thread * static_cast<std::uint64_t>(threads);
  Key last = 0;
  for (std::uint64_t i = 1; i < ranges; ++i) {
    const Key key = before.key[before.blocks() / ranges * i];
    if (!(key > last)) continue;
    starts.push_back(key);
    last = key;
  }
  return starts;
}

/// Where the block of a key is, at once: a bit for every key there might be, and how many blocks come before
/// each word of them. Only where keys are dense enough.
template <class Key>
class BlockPlaces {
 public:
  explicit BlockPlaces(const StateBlocks<Key>& table) {
    if (table.blocks() == 0) return;
    const Key last = table.key[table.blocks() - 1];
    const auto highest = static_cast<std::uint64_t>(last);
    if (Key(highest) != last || highest / most_keys_a_block >= table.blocks()) return;
    words_.resize(highest / keys_a_word + 1);
    for (std::uint64_t i = 0; i < table.blocks(); ++i) {
      const auto key = static_cast<std::uint64_t>(table.key[i]);
      words_[key / keys_a_word].present |= std::uint64_t{1} << (key % keys_a_word);
    }
    std::uint64_t blocks = 0;
    for (Word& word : words_) {
      word.before = blocks;
      blocks += static_cast<std::uint64_t>(std::popcount(word.present));
    }
    const std::uint64_t end = words_.size() * keys_a_word;
    end_ = end;
  }

  bool known() const { return !words_.empty(); }

  /// Its place, or `none`; where known().
  [[gnu::always_inline]] std::uint64_t of(const Key& key, std::uint64_t none) const {
    if (!(key < end_)) return none;
    const auto own = static_cast<std::uint64_t>(key);
    const Word& word = words_[own / keys_a_word];
    const std::uint64_t bit = std::uint64_t{1} << (own % keys_a_word);
    if ((word.present & bit) == 0) return none;
    return word.before + static_cast<std::uint64_t>(std::popcount(word.present & (bit - 1)));
  }

 private:
  struct Word {
    std::uint64_t present = 0, before = 0;
  };
  static constexpr std::uint64_t keys_a_word = 64;
  static constexpr std::uint64_t most_keys_a_block = place_bytes(1) * keys_a_word / sizeof(Word);
  std::vector<Word> words_;
  Key end_ = 0;
};

enum class How : std::uint8_t { plain, negated, weighted };

/// One stream's way through the table before the step, as the keys after it grow.
template <class Key>
struct PullCursor {
  const StepStream<Key>* stream;
  FieldElement weight;
  How how;
  std::uint64_t at = 0;
  bool begun = false;
};

/// Steps on to the first key from `at` on that is not less; by doubled steps, then halves.
template <class Key>
std::uint64_t gallop(const Key* key, std::uint64_t size, std::uint64_t at, Key wanted) {
  std::uint64_t step = 1;
  std::uint64_t low = at;
  while (at < size && key[at] < wanted) {
    low = at + 1;
    at += step;
    step *= 2;
  }
  return static_cast<std::uint64_t>(std::lower_bound(key + low, key + std::min(at, size), wanted) - key);
}

/// The place of the key's block, or the number of blocks.
template <class Key>
[[gnu::always_inline]] inline std::uint64_t place_of(const StateBlocks<Key>& before,
                                                     const BlockPlaces<Key>& places, PullCursor<Key>& cursor,
                                                     const Key& wanted) {
  if (places.known()) return places.of(wanted, before.blocks());
  const Key* const begin = before.key.data();
  cursor.at =
      cursor.begun
          ? gallop(begin, before.blocks(), cursor.at, wanted)
          : static_cast<std::uint64_t>(std::lower_bound(begin, begin + before.blocks(), wanted) - begin);
  cursor.begun = true;
  return cursor.at < before.blocks() && before.key[cursor.at] == wanted ? cursor.at : before.blocks();
}

/// change(sum, value) for every state of the block that takes part.
template <class Sum, class Change>
[[gnu::always_inline]] inline void change_sums(std::uint64_t reached, std::uint64_t places,
                                               const FieldElement* value, Sum* sums, const Change& change) {
  if ((reached & ~places) == 0) {
    for (; reached != 0; reached &= reached - 1) change(sums[std::countr_zero(reached)], *value++);
    return;
  }
  for (std::uint64_t left = reached & places; left != 0; left &= left - 1) {
    const std::uint64_t bit = left & -left;
    change(sums[std::countr_zero(left)], value[std::popcount(reached & (bit - 1))]);
  }
}

COUNTPM_POPCOUNT_CLONES void add_products(const FieldElement& weight, std::uint64_t reached,
                                          std::uint64_t places, const FieldElement* value,
                                          ProductSum* sums) noexcept {
  change_sums(reached, places, value, sums,
              [&weight](ProductSum& sum, const FieldElement& own) { sum.add(weight, own); });
}

/// The products' sums are added to the others.
void reduce_products(const PrimeField& field, std::uint64_t reached, ProductSum* products, ElementSum* sums) {
  for (; reached != 0; reached &= reached - 1) {
    const auto place = static_cast<std::size_t>(std::countr_zero(reached));
    sums[place].add(field.reduce(products[place]));
    products[place] = {};
  }
}

/// What a thread needs to make blocks' values.
template <class Key>
struct PullSpace {
  std::vector<PullCursor<Key>> cursors;
  std::vector<const FieldElement*> aligned;  // values of sources, place by place those of the block
  // Of the others, without and with weights; 0 between blocks.
  std::array<ElementSum, 64> sums{};
  std::array<ProductSum, 64> products{};
};

template <class Key>
COUNTPM_POPCOUNT_CLONES void pull_block(const PrimeField& field, const StateTable<Key>& before,
                                        const BlockPlaces<Key>& places, Key vertex, const Key& key,
                                        std::uint64_t reached, FieldElement* value,
                                        PullSpace<Key>& space) noexcept {
  std::size_t aligned = 0;
  const FieldElement** const aligned_value = space.aligned.data();
  bool others = false;
  bool weighted = false;
  for (PullCursor<Key>& cursor : space.cursors) {
    const StepStream<Key>& stream = *cursor.stream;
    if ((key & stream.added) != stream.added || (key & ~stream.added & vertex) != 0) continue;
    const std::uint64_t at = place_of(before, places, cursor, (key & ~stream.added) | stream.required);
    if (at == before.blocks()) continue;
    const std::uint64_t own = before.reached[at];
    const FieldElement* const from = before.value.data() + before.first[at];
    if (cursor.how == How::weighted) {
      add_products(cursor.weight, own, stream.places, from, space.products.data() + stream.shift);
      weighted = true;
    } else if (cursor.how == How::negated) {
      change_sums(own, stream.places, from, space.sums.data() + stream.shift,
                  [&field](ElementSum& sum, const FieldElement& element) { sum.add(field.negate(element)); });
      others = true;
    } else if (stream.shift == 0 && own == reached && (reached & ~stream.places) == 0) {
      aligned_value[aligned++] = from;
    } else {
      change_sums(own, stream.places, from, space.sums.data() + stream.shift,
                  [](ElementSum& sum, const FieldElement& element) { sum.add(element); });
      others = true;
    }
  }
  if (weighted) reduce_products(field, reached, space.products.data(), space.sums.data());
  std::size_t i = 0;
  for (std::uint64_t left = reached; left != 0; left &= left - 1, ++i) {
    ElementSum sum;
    if (others || weighted) std::swap(sum, space.sums[static_cast<std::size_t>(std::countr_zero(left))]);
    for (std::size_t k = 0; k < aligned; ++k) sum.add(aligned_value[k][i]);
    value[i] = field.reduce(sum);
  }
}

template <class Key>
void pull_values(const PrimeField& field, const StateTable<Key>& before, const BlockPlaces<Key>& places,
                 const StepStreams<Key>& streams, const std::vector<FieldElement>& weight,
                 StateTable<Key>& after, std::uint64_t first, std::uint64_t last) {
  const FieldElement minus_one = field.negate(field.one());
  PullSpace<Key> space;
  for (std::size_t i = 0; i < streams.stream.size(); ++i) {
    const How how = weight[i] == field.one() ? How::plain
                    : weight[i] == minus_one ? How::negated
                                             : How::weighted;
    space.cursors.push_back({&streams.stream[i], weight[i], how});
  }
  space.aligned.resize(streams.stream.size());
  for (std::uint64_t block = first; block < last; ++block)
    pull_block<Key>(field, before, places, streams.vertex, after.key[block], after.reached[block],
                    after.value.data() + after.first[block], space);
}

}  // namespace

template <class Key>
StateTable<Key> first_table(const PrimeField& field) {
  StateTable<Key> table;
  table.key = PlainArray<Key>(1);
  table.reached = PlainArray<std::uint64_t>(1);
  table.first = PlainArray<std::uint64_t>(1);
  table.value = PlainArray<FieldElement>(1);
  table.key[0] = 0;
  table.reached[0] = 1;
  table.first[0] = 0;
  table.value[0] = field.one();
  table.states = 1;
  return table;
}

template <class Key>
StateBlocks<Key> blocks_after(const StateBlocks<Key>& before, const StepStreams<Key>& streams, int threads) {
  const std::vector<Key> starts = range_starts(before, threads);
  std::vector<MergedRange<Key>> ranges(starts.size());
  parallel_ranges(threads, starts.size(), 1, [&](std::uint64_t range, std::uint64_t) {
    const Key* const to = range + 1 < starts.size() ? &starts[range + 1] : nullptr;
    ranges[range] = merge_range(before, streams, starts[range], to);
    ranges[range].blocks.each([&](const Key*, const std::uint64_t* reached, std::uint64_t own) {
      ranges[range].states += bits_of(reached, own);
    });
  });
  StateBlocks<Key> after;
  std::vector<std::uint64_t> first(ranges.size());
  std::uint64_t blocks = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    first[i] = blocks;
    blocks += ranges[i].blocks.size();
    after.states += ranges[i].states;
  }
  after.key = PlainArray<Key>(blocks);
  after.reached = PlainArray<std::uint64_t>(blocks);
  parallel_ranges(threads, ranges.size(), 1, [&](std::uint64_t i, std::uint64_t) {
    std::uint64_t at = first[i];
    ranges[i].blocks.each([&](const Key* key, const std::uint64_t* reached, std::uint64_t own) {
      std::copy_n(key, own, after.key.data() + at);
      std::copy_n(reached, own, after.reached.data() + at);
      at += own;
    });
    ranges[i] = {};
  });
  return after;
}

template <class Key>
StateTable<Key> table_after(const PrimeField& field, const StateTable<Key>& before,
                            const StepStreams<Key>& streams, const std::vector<FieldElement>& weight,
                            int threads) {
  StateTable<Key> after;
  static_cast<StateBlocks<Key>&>(after) = blocks_after<Key>(before, streams, threads);
  after.first = PlainArray<std::uint64_t>(after.blocks());
  number_values(after.reached.data(), after.blocks(), after.first.data());
  after.value = PlainArray<FieldElement>(after.states);
  const std::uint64_t chunk =
      threads < 2 ? std::max(after.blocks(), blocks_a_look)
                  : std::max(after.blocks() / (ranges_a_thread * static_cast<std::uint64_t>(threads)) + 1,
                             blocks_for_threads / 4);
  // A look at the stop signal is due after so many blocks, on one thread too.
  constexpr std::uint64_t most_chunk = 1 << 14;
  const BlockPlaces<Key> places(before);
  parallel_ranges(threads, after.blocks(), std::min(chunk, most_chunk),
                  [&](std::uint64_t from, std::uint64_t to) {
                    pull_values(field, before, places, streams, weight, after, from, to);
                  });
  return after;
}

template StateTable<std::uint64_t> first_table(const PrimeField&);
template StateTable<uint128> first_table(const PrimeField&);
template StateTable<FourWordKey> first_table(const PrimeField&);
template StateBlocks<std::uint64_t> blocks_after(const StateBlocks<std::uint64_t>&,
                                                 const StepStreams<std::uint64_t>&, int);
template StateBlocks<uint128> blocks_after(const StateBlocks<uint128>&, const StepStreams<uint128>&, int);
template StateBlocks<FourWordKey> blocks_after(const StateBlocks<FourWordKey>&,
                                               const StepStreams<FourWordKey>&, int);
template StateTable<std::uint64_t> table_after(const PrimeField&, const StateTable<std::uint64_t>&,
                                               const StepStreams<std::uint64_t>&,
                                               const std::vector<FieldElement>&, int);
template StateTable<uint128> table_after(const PrimeField&, const StateTable<uint128>&,
                                         const StepStreams<uint128>&, const std::vector<FieldElement>&, int);
template StateTable<FourWordKey> table_after(const PrimeField&, const StateTable<FourWordKey>&,
                                             const StepStreams<FourWordKey>&,
                                             const std::vector<FieldElement>&, int);

}  // namespace countpm
