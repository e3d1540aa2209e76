#include "kernels/pruned/simd_walk.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/pruned/search/column_classes.hpp"

namespace countpm {
namespace {

constexpr std::int64_t largest_byte = 127;
constexpr std::int64_t largest_two_bytes = 32767;
constexpr double narrow = 30.99;  // bits: below 2^31, and log2's error
// Visits between two looks at the stop signal: a visit may have 512 products, of some 15 ns each with one
// block and one or two limbs: 2^10 of them are 10 ms at the worst (AMD EPYC, Zen 4, 2026-11-21).
constexpr std::uint64_t slice_visits = 1 << 10;

pruned::Variant variant_of([[maybe_unused]] InstructionSet set) {
#ifdef __x86_64__
  if (set == InstructionSet::avx512) return pruned::avx512::variant();
  if (set == InstructionSet::avx2) return pruned::avx2::variant();
#endif
  return pruned::baseline::variant();
}

/// What the columns before the tail can make of each row's sum, the shift included.
std::vector<SumRange> sums_before_tail(const PruneTree<std::int64_t>& tree) {
  std::vector<SumRange> result;
  for (const std::int64_t x : tree.shift) result.push_back({x, x});
  for (const auto& level : tree.levels) {
    for (const auto& entry : level.entries) {
      SumRange& range = result[entry.row];
      (entry.value < 0 ? range.least : range.most) += entry.value * std::int64_t{level.copies};
    }
  }
  return result;
}

}  // namespace

void PackedWalk::set_lane(unsigned char* block, std::size_t lane, std::int64_t value) const {
  if (lane_bytes_ == 1) {
    block[lane] = static_cast<unsigned char>(value);
  } else {
    const auto wrapped = static_cast<std::uint16_t>(value);
    std::memcpy(block + 2 * lane, &wrapped, sizeof wrapped);
  }
}

std::optional<PackedWalk> PackedWalk::make(const IntegerColumns<std::int64_t>& columns,
                                           const PruneTree<std::int64_t>& tree, unsigned limbs,
                                           LaneChoice choice) {
  const std::optional<InstructionSet> set = instruction_set_for(choice);
  if (!set) return std::nullopt;
  std::uint64_t class_copies = 0;
  for (const auto& level : tree.levels) class_copies += level.copies > 1 ? level.copies : 0;
  if (class_copies > most_class_copies) return std::nullopt;

  const std::vector<std::int64_t> largest = largest_sums(columns, tree.shift);
  const std::int64_t widest = largest.empty() ? 0 : *std::max_element(largest.begin(), largest.end());
  if (widest > largest_two_bytes) return std::nullopt;
  PackedWalk walk;
  walk.variant_ = variant_of(*set);
  walk.rows_ = columns.rows;
  walk.lane_bytes_ = widest > largest_byte ? 2 : 1;
  walk.blocks_ = std::max(
      1U, static_cast<unsigned>((std::uint64_t{columns.rows} * walk.lane_bytes_ + pruned::block_bytes - 1) /
                                pruned::block_bytes));
  if (walk.blocks_ > pruned::max_blocks) return std::nullopt;
  // |sum| <= 2^n prod of the largest sums
  double bits = columns.rows;
  for (const std::int64_t sum : largest)
    bits += std::log2(static_cast<double>(std::max<std::int64_t>(sum, 1)));
  const auto exact_limbs = static_cast<unsigned>(std::ceil((bits * (1 + 1e-9) + 2) / 64));
  walk.limbs_ = limbs == 0 ? exact_limbs : std::min(limbs, exact_limbs);
  if (walk.limbs_ > pruned::max_limbs) return std::nullopt;
  walk.slice_ = std::max<std::uint64_t>(slice_visits / (walk.blocks_ * (1 + walk.limbs_ / 4)), 4);
  // a level's nodes in the second-level cache, and room for all children of one
  walk.room_ = walk.blocks_ == 1 ? 64 : 16;
  for (const auto& level : tree.levels) walk.room_ = std::max<unsigned>(walk.room_, level.copies + 1);
  walk.place_rows(largest);
  walk.lay_out(tree);
  return walk;
}

/// Rows by falling largest sum go to the words in turn, so that the words' products are about as large; lanes
/// left over hold 1.
void PackedWalk::place_rows(const std::vector<std::int64_t>& largest) {
  const std::size_t words = std::size_t{blocks_} * pruned::words_a_block;
  const std::size_t lanes_a_word = pruned::block_bytes / lane_bytes_ / pruned::words_a_block;
  std::vector<std::size_t> order(rows_);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return largest[a] > largest[b]; });
  lane_.resize(rows_);
  std::vector<double> bits(words, 0);
  for (std::size_t k = 0; k < rows_; ++k) {
    const std::size_t turn = k / words;
    const std::size_t word = turn % 2 == 0 ? k % words : words - 1 - k % words;
    // halves of a word fill up alike
    const std::size_t lane = lane_bytes_ == 1 ? turn % 2 * (lanes_a_word / 2) + turn / 2 : turn;
    lane_[order[k]] = word * lanes_a_word + lane;
    bits[word] += std::log2(static_cast<double>(std::max<std::int64_t>(largest[order[k]], 1)));
  }
  grouped_ = blocks_ == 1 && lane_bytes_ == 1 && halves_fit(largest);
  // multiplied pairwise while both are below 2^31
  folds_ = 0;
  while (blocks_ == 1 && lane_bytes_ == 1 && folds_ < 2 &&
         *std::max_element(bits.begin(), bits.end()) < narrow) {
    for (std::size_t k = 0; 2 * k < bits.size(); ++k) bits[k] = bits[2 * k] + bits[2 * k + 1];
    bits.resize(bits.size() / 2);
    ++folds_;
  }
}

/// Whether the four lanes of each half word, multiplied with those of the half word two further on, are below
/// 2^31: what pruned/simd.inc multiplies first.
bool PackedWalk::halves_fit(const std::vector<std::int64_t>& largest) const {
  constexpr std::size_t lanes = 4;
  std::vector<double> bits(pruned::block_bytes / lanes, 0);
  for (std::size_t i = 0; i < rows_; ++i)
    bits[lane_[i] / lanes] += std::log2(static_cast<double>(std::max<std::int64_t>(largest[i], 1)));
  for (std::size_t k = 0; k < bits.size(); ++k) {
    if (k % 4 < 2 && bits[k] + bits[k + 2] >= narrow) return false;
  }
  return true;
}

/// What a row that is masked at `level` needs, its masks appended to `masks`.
pruned::TailRow PackedWalk::lay_out_masks(const PruneTree<std::int64_t>& tree,
                                          const PruneTree<std::int64_t>::Level& level, Index i,
                                          const SumRange& range, std::vector<TailSet>& masks) const {
  const auto& from = tree.tail_masks[i];
  pruned::TailRow row{static_cast<std::uint32_t>(lane_[i]), 0, 0, -from.floor, from.reach};
  for (const auto& entry : level.entries) {
    if (entry.row == i) row.entry = static_cast<std::int32_t>(entry.value);
  }
  const auto size = static_cast<std::int64_t>(sizeof(TailSet));
  row.first = static_cast<std::int64_t>(masks.size()) * size;
  if (lane_bytes_ != 1) {
    const auto first = tree.masks.begin() + from.first;
    masks.insert(masks.end(), first, first + from.reach + 1);
    return row;
  }
  row.first -= range.least * size;
  for (std::int64_t sum = range.least; sum <= range.most; ++sum) {
    const std::int64_t index = -sum - from.floor;
    const bool out_of_reach = index < 0 || index >= static_cast<std::int64_t>(from.reach);
    masks.push_back(tree.masks[from.first + (out_of_reach ? from.reach : static_cast<std::size_t>(index))]);
  }
  return row;
}

void PackedWalk::lay_out(const PruneTree<std::int64_t>& tree) {
  const std::size_t bytes = vector_bytes();
  const std::size_t head = tree.levels.size();
  vectors_ = allocate_aligned<unsigned char>(bytes * (2 * head + 64 + 8));
  std::memset(vectors_.get(), 0, bytes * (2 * head + 64 + 8));
  unsigned char* at = vectors_.get();
  const auto next = [&] {
    unsigned char* vector = at;
    at += bytes;
    return vector;
  };
  std::vector<TailSet> masks;
  const std::vector<SumRange> head_sums = sums_before_tail(tree);
  double weight_bits = 0;
  ways_.reserve(head);
  levels_.resize(head);
  for (std::size_t k = 0; k < head; ++k) {
    const auto& from = tree.levels[k];
    pruned::Level& level = levels_[k];
    unsigned char* column = next();
    for (const auto& entry : from.entries) set_lane(column, lane_[entry.row], entry.value);
    level.column = column;
    unsigned char* open = next();
    std::memset(open, 0xff, bytes);
    for (const Index i : from.tested) set_lane(open, lane_[i], 0);
    level.open = open;
    level.tests = from.tested.empty() ? 0 : 1;
    level.copies = from.copies;
    level.first_row = static_cast<std::uint32_t>(tail_rows_.size());
    for (const Index i : from.masked) tail_rows_.push_back(lay_out_masks(tree, from, i, head_sums[i], masks));
    level.last_row = static_cast<std::uint32_t>(tail_rows_.size());
    ways_.emplace_back(std::size_t{from.copies} + 1, 1);
    std::vector<std::int64_t>& ways = ways_.back();
    for (Index t = 1; t <= from.copies; ++t) {
      mpz_class binomial;
      mpz_bin_uiui(binomial.get_mpz_t(), from.copies, t);
      ways[t] = t % 2 == 0 ? binomial.get_si() : -binomial.get_si();
    }
    level.ways = ways.data();
    weight_bits += std::log2(static_cast<double>(
        std::abs(*std::max_element(ways.begin(), ways.end(), [](std::int64_t a, std::int64_t b) {
          return std::abs(a) < std::abs(b);
        }))));
  }
  mask_bytes_ = masks.size() * sizeof(TailSet);
  masks_ = allocate_aligned<unsigned char>(mask_bytes_);
  if (!masks.empty()) std::memcpy(masks_.get(), masks.data(), mask_bytes_);
  unsigned char* low = at;
  for (unsigned subset = 0; subset < 64 + 8; ++subset) {
    unsigned char* sums = next();
    std::vector<std::int64_t> sum(rows_, 0);
    for (std::size_t c = 0; c < tree.tail.size(); ++c) {
      const bool in =
          subset < 64 ? (c < 6 && (subset >> c & 1) != 0) : (c >= 6 && (subset >> (c - 6) & 1) != 0);
      if (!in) continue;
      for (const auto& entry : tree.tail[c].entries) sum[entry.row] += entry.value;
    }
    for (std::size_t i = 0; i < rows_; ++i) set_lane(sums, lane_[i], sum[i]);
  }
  tree_ = {lane_bytes_,
           blocks_,
           static_cast<unsigned>(head),
           folds_,
           grouped_ && weight_bits < pruned::grouped_weight_bits - 0.01,
           limbs_,
           nullptr,
           nullptr,
           masks_.get(),
           low,
           low + 64 * bytes};
}

PackedWalk::Workspace PackedWalk::workspace() const {
  return {OwnPages(nodes() * node_bytes()), std::vector<std::uint32_t>(levels_.size() + 1),
          std::vector<std::uint32_t>(pruned::leaf_room)};
}

bool PackedWalk::run(const Prefix<std::int64_t>& prefix, Workspace& workspace, WorkMeter& meter,
                     Tally& tally) const {
  const std::size_t bytes = vector_bytes();
  unsigned char* const values = workspace.nodes.data();  // all of them, then all sets, then all weights
  unsigned char* const sets = values + bytes * nodes();
  auto* const weight = reinterpret_cast<std::int64_t*>(sets + sizeof(TailSet) * nodes());
  std::fill_n(weight, nodes(), 1);
  std::vector<std::uint32_t>& count = workspace.count;
  std::fill(count.begin(), count.end(), 0);
  pruned::Tree tree = tree_;
  tree.levels = levels_.data();
  tree.rows = tail_rows_.data();
  const auto depth = static_cast<unsigned>(prefix.digits.size());
  pruned::Stack stack{values,
                      reinterpret_cast<std::uint64_t*>(sets),
                      weight,
                      count.data(),
                      workspace.leaves.data(),
                      room_,
                      depth,
                      depth};
  count[depth] = 1;
  unsigned char* root = values + bytes * depth * room_;
  for (std::size_t lane = 0; lane < bytes / lane_bytes_; ++lane) set_lane(root, lane, 1);
  for (std::size_t i = 0; i < rows_; ++i) set_lane(root, lane_[i], prefix.sums[i]);
  std::memcpy(sets + sizeof(TailSet) * depth * room_, prefix.set.data(), sizeof(TailSet));

  pruned::Totals totals{};
  bool in_time = true;
  for (bool more = true; more && in_time;) {
    const std::uint64_t before = totals.visits;
    more = variant_.walk(tree, stack, totals, slice_);
    if (meter.spend(totals.visits - before)) in_time = meter.look();
  }
  tally.leaves += totals.leaves;
  tally.sum += to_mpz(totals.limb, limbs_, true);
  return in_time;
}

// AMD EPYC (Zen 4), AVX-512, beside other work, 2026-11-25, of random matrices with 0.7 to 256 products a
// visit: 6 to 9 ns a visit, 6 to 13 ns a product in one word, 7 to 16 in two, 35 to 60 in 3 to 6.
double PackedWalk::visit_seconds(double products) const {
  constexpr double visit = 8e-9;
  constexpr double one_limb = 9e-9;
  constexpr double two_limbs = 12e-9;
  const double many_limbs = (5e-9 + 0.4e-9 * limbs_) * pruned::words_a_block;
  const double product = limbs_ == 1 ? one_limb : limbs_ == 2 ? two_limbs : many_limbs;
  return blocks_ * (visit + products * product);
}

std::uint64_t PackedWalk::bytes_per_thread() const {
  return nodes() * node_bytes() + sizeof(pruned::Totals) + pruned::leaf_room * sizeof(std::uint32_t);
}

}  // namespace countpm
