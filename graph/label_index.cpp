#include "graph/label_index.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

namespace countpm {
namespace {

// Numbers below this go through the direct table: at most 2^25 x 4 bytes = 128 MiB, of which only touched
// pages count.
constexpr std::uint64_t direct_limit = std::uint64_t{1} << 25;

// The value of a decimal number without leading zeros below direct_limit, or direct_limit where the label is
// anything else.
std::uint64_t short_number(std::string_view label) {
  if (label.empty() || label.size() > 8) return direct_limit;
  if (label[0] == '0' && label.size() > 1) return direct_limit;
  std::uint64_t number = 0;
  for (const char c : label) {
    const auto digit = static_cast<unsigned char>(c - '0');
    if (digit > 9) return direct_limit;
    number = number * 10 + digit;
  }
  return std::min(number, direct_limit);
}

__extension__ using Product = unsigned __int128;

// Both halves of a 64 x 64 bit product, folded: every input bit reaches every part of the result. Only the
// spread matters here, not secrecy.
std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  const Product product = static_cast<Product>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

constexpr std::uint64_t odd_a = 0x9e3779b97f4a7c15U;
constexpr std::uint64_t odd_b = 0xff51afd7ed558ccdU;

// Up to 8 bytes as a number; a table keeps different lengths apart.
std::uint64_t short_key(const char* at, std::size_t length) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, length);
  return word;
}

std::uint64_t key_of(std::string_view label) {
  if (label.size() <= 8) return short_key(label.data(), label.size());
  std::uint64_t hash = odd_a ^ label.size();
  const char* at = label.data();
  std::size_t left = label.size();
  for (; left > 8; at += 8, left -= 8) hash = fold(hash ^ short_key(at, 8), odd_b);
  return fold(hash ^ short_key(at, left), odd_b);
}

std::size_t slot_of(std::uint64_t key, std::uint32_t length) {
  return static_cast<std::size_t>(fold(key ^ (odd_b * length), odd_a));
}

}  // namespace

Index LabelIndex::append(std::string_view label) {
  return table_.append(label);
}

Index LabelIndex::id_of_number(std::uint32_t number, std::string_view label) {
  if (number >= direct_size_) {
    const std::uint64_t size = std::bit_ceil(std::max<std::uint64_t>(number + std::uint64_t{1}, 1024));
    std::unique_ptr<Index[], Free> larger(static_cast<Index*>(std::calloc(size, sizeof(Index))));
    if (!larger) throw std::bad_alloc();
    if (direct_) std::memcpy(larger.get(), direct_.get(), direct_size_ * sizeof(Index));
    direct_ = std::move(larger);
    direct_size_ = size;
  }
  Index& slot = direct_[number];
  if (slot == 0) slot = append(label) + 1;
  return slot - 1;
}

void LabelIndex::grow() {
  const std::size_t size = std::max<std::size_t>(64, slots_.size() * 2);
  std::vector<Slot> old(size, Slot{0, 0, no_index});
  old.swap(slots_);
  const std::size_t mask = size - 1;
  for (const Slot& slot : old) {
    if (slot.id == no_index) continue;
    std::size_t at = slot_of(slot.key, slot.length) & mask;
    while (slots_[at].id != no_index) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

Index LabelIndex::id_of(std::string_view label) {
  const std::uint64_t number = short_number(label);
  if (number < direct_limit) return id_of_number(static_cast<std::uint32_t>(number), label);
  if (used_ * 3 >= slots_.size() * 2) grow();
  const std::uint64_t key = key_of(label);
  const auto length = static_cast<std::uint32_t>(label.size());
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = slot_of(key, length) & mask;
  for (; slots_[at].id != no_index; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.key == key && slot.length == length && (length <= 8 || table_.stored(slot.id) == label))
      return slot.id;
  }
  const Index id = append(label);
  slots_[at] = Slot{key, length, id};
  ++used_;
  return id;
}

LabelTable LabelIndex::take() {
  LabelTable result = std::move(table_);
  table_ = LabelTable();
  direct_.reset();
  direct_size_ = 0;
  slots_ = {};
  used_ = 0;
  return result;
}

}  // namespace countpm
