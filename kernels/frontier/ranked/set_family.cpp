#include "kernels/frontier/ranked/set_family.hpp"

#include <algorithm>
#include <utility>

namespace countpm {

bool cuts_a_field(const std::vector<SetField>& fields, std::uint32_t at) {
  return std::any_of(fields.begin(), fields.end(),
                     [at](const SetField& field) { return field.low < at && at < field.end(); });
}

SetCounts::Tables SetCounts::make_tables(const SetFamily& family) {
  const bool parity = family.rule == SetRule::parity;
  Tables tables;
  tables.numbers = parity ? 2 : family.width + std::size_t{1};
  tables.words.assign((family.width + std::size_t{1}) * tables.numbers, 0);
  tables.below.assign(family.width * tables.numbers, 0);
  tables.ones_from.assign(family.width, 1);
  tables.words[0] = 1;
  // Words of the bits below `low` that have the number together with so many ones.
  const auto words_for = [&](std::uint32_t low, std::size_t number, std::uint32_t ones) -> std::uint64_t {
    if (parity) return tables.words[low * tables.numbers + ((number + ones) & 1)];
    return ones > number ? 0 : tables.words[low * tables.numbers + (number - ones)];
  };
  auto field = family.fields.begin();
  for (std::uint32_t low = 0; low < family.width;) {
    SetField bits{low, 1, 0, 1};
    if (field != family.fields.end() && field->low == low) bits = *field++;
    for (std::size_t number = 0; number < tables.numbers; ++number) {
      std::uint64_t below = 0;
      for (std::uint32_t ones = 0; ones <= bits.width; ++ones) {
        if (ones > 0) {
          tables.ones_from[low + ones - 1] = static_cast<std::uint8_t>(ones);
          tables.below[(low + ones - 1) * tables.numbers + number] = below;
        }
        if (ones >= bits.least && ones <= bits.most) below += words_for(low, number, ones);
      }
      tables.words[bits.end() * tables.numbers + number] = below;
    }
    low = bits.end();
  }
  return tables;
}

SetCounts::SetCounts(const SetFamily& family) : rule_(family.rule) {
  // All binomial coefficients up to there are below 2^64.
  constexpr std::uint32_t widest = 63;
  static const auto plain_ones = std::make_shared<const Tables>(make_tables({SetRule::ones, widest, 0, {}}));
  static const auto plain_parity =
      std::make_shared<const Tables>(make_tables({SetRule::parity, widest, 0, {}}));
  if (family.fields.empty()) {
    tables_ = rule_ == SetRule::ones ? plain_ones : plain_parity;
  } else {
    tables_ = std::make_shared<const Tables>(make_tables(family));
  }
}

std::uint64_t SetCounts::high_part(const SetFamily& family, std::uint32_t low, std::uint64_t rank) const {
  std::uint64_t high = 0;
  std::int64_t number = family.number;
  auto field = family.fields.rbegin();
  for (std::uint32_t end = family.width; end > low;) {
    SetField bits{end - 1, 1, 0, 1};
    if (field != family.fields.rend() && field->end() == end) bits = *field++;
    std::uint32_t ones = bits.least;
    for (; ones < bits.most; ++ones) {
      const std::uint64_t words = (*this)(bits.low, rest(number, static_cast<int>(ones)));
      if (rank < words) break;
      rank -= words;
    }
    number = rest(number, static_cast<int>(ones));
    high = high << bits.width | ((std::uint64_t{1} << ones) - 1);
    end = bits.low;
  }
  return high;
}

PartsByOnes SetCounts::high_parts(const SetFamily& family, std::uint32_t low, std::uint64_t mask,
                                  std::uint64_t value) {
  PartsByOnes parts{};
  parts[0] = 1;
  std::uint32_t most = 0;  // of ones so far
  std::uint64_t singles = (std::uint64_t{1} << family.width) - (std::uint64_t{1} << low);
  PartsByOnes next;
  for (const SetField& field : family.fields) {
    if (field.low < low) continue;
    singles &= ~field.mask();
    next.fill(0);
    for (std::uint32_t ones = field.least; ones <= field.most; ++ones) {
      const std::uint64_t bits = ((std::uint64_t{1} << ones) - 1) << field.low;
      if ((bits & mask) != (value & field.mask())) continue;
      for (std::uint32_t k = 0; k <= most; ++k) next[k + ones] += parts[k];
    }
    most += field.most;
    parts = next;
  }
  const auto fixed = static_cast<std::uint32_t>(std::popcount(singles & value));
  const auto free_bits = static_cast<std::uint32_t>(std::popcount(singles & ~mask));
  const SetCounts& counts = set_counts(SetRule::ones);
  next.fill(0);
  for (std::uint32_t ones = 0; ones <= free_bits; ++ones) {
    const auto ways = static_cast<double>(counts(free_bits, ones));
    for (std::uint32_t k = 0; k <= most; ++k) next[k + fixed + ones] += ways * parts[k];
  }
  return next;
}

const SetCounts& set_counts(SetRule rule) {
  static const SetCounts ones({SetRule::ones, 0, 0, {}});
  static const SetCounts parity({SetRule::parity, 0, 0, {}});
  return rule == SetRule::ones ? ones : parity;
}

namespace {

/// The least word from `word` on whose fields are in order, as far as one step goes: what it gives is larger
/// where it is not the word itself.
std::uint64_t put_highest_in_order(const std::vector<SetField>& fields, std::uint64_t word,
                                   std::uint32_t low) {
  for (auto field = fields.rbegin(); field != fields.rend() && field->low >= low; ++field) {
    const std::uint32_t at = field->low - low;
    const std::uint64_t bits = word >> at & ((std::uint64_t{1} << field->width) - 1);
    // The first in order from there on, which has its highest bit.
    const auto ones = std::max(static_cast<std::uint32_t>(std::bit_width(bits)), field->least);
    const std::uint64_t in_order = (std::uint64_t{1} << ones) - 1;
    if (ones > field->most) return ((word >> (at + field->width)) + 1) << (at + field->width);
    if (in_order != bits) return (word >> (at + field->width) << (at + field->width)) | in_order << at;
  }
  return word;
}

}  // namespace

std::uint64_t next_in_order(const std::vector<SetField>& fields, std::uint64_t word, std::uint32_t low,
                            int least, int most, std::uint64_t end) {
  while (true) {
    word = next_with_ones(word, least, most);
    if (word >= end || fields.empty()) return word;
    const std::uint64_t in_order = put_highest_in_order(fields, word, low);
    if (in_order == word) return word;
    word = in_order;
  }
}

}  // namespace countpm
