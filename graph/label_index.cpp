#include "graph/label_index.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <stdexcept>
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

// Multiply-and-fold over 8 bytes at a time; only the spread matters here, not secrecy.
std::uint32_t hash_of(std::string_view label) {
  std::uint64_t hash = 0x9e3779b97f4a7c15U ^ label.size();
  const char* at = label.data();
  std::size_t left = label.size();
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0xff51afd7ed558ccdU;
    hash ^= hash >> 32U;
  };
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    mix(word);
  }
  if (left > 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, left);
    mix(word);
  }
  hash *= 0xc4ceb9fe1a85ec53U;
  return static_cast<std::uint32_t>(hash >> 32U);
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
  std::vector<Slot> old(size, Slot{0, no_index});
  old.swap(slots_);
  const std::size_t mask = size - 1;
  for (const Slot& slot : old) {
    if (slot.id == no_index) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].id != no_index) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

Index LabelIndex::id_of(std::string_view label) {
  const std::uint64_t number = short_number(label);
  if (number < direct_limit) return id_of_number(static_cast<std::uint32_t>(number), label);
  if (used_ * 3 >= slots_.size() * 2) grow();
  const std::uint32_t hash = hash_of(label);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].id != no_index; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && table_.stored(slots_[at].id) == label) return slots_[at].id;
  }
  const Index id = append(label);
  slots_[at] = Slot{hash, id};
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
