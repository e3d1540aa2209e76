#include "kernels/support/growing_buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <utility>

namespace countpm {
namespace {

constexpr std::uint64_t large = 3 * huge_page_bytes / sizeof(std::uint64_t) + 5;

TEST(GrowingBuffer, GrowsFromSmallToLargeAndOn) {
  Buffer<std::uint64_t> buffer;
  EXPECT_EQ(buffer.capacity(), 0U);
  for (const std::uint64_t count : {std::uint64_t{7}, large, 2 * large, std::uint64_t{9}}) {
    buffer.ensure(count);
    ASSERT_GE(buffer.capacity(), count);
    EXPECT_EQ(buffer.bytes(), buffer.capacity() * sizeof(std::uint64_t));
    for (std::uint64_t k = 0; k < count; ++k) buffer[k] = k ^ count;
    for (std::uint64_t k = 0; k < count; ++k) ASSERT_EQ(buffer[k], k ^ count);
  }
  EXPECT_EQ(buffer.capacity(), 2 * large);
  buffer.release();
  EXPECT_EQ(buffer.capacity(), 0U);
  buffer.ensure(3);
  EXPECT_EQ(buffer.capacity(), 3U);
}

TEST(GrowingBuffer, KeepsItsPagesWhereItGrows) {
  Buffer<std::uint64_t> buffer;
  buffer.ensure(large);
  for (std::uint64_t k = 0; k < large; ++k) buffer[k] = k + 1;
  buffer.ensure(4 * large);
  // A new page would be all zeros.
  for (std::uint64_t k = 0; k < large; ++k) ASSERT_EQ(buffer[k], k + 1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % huge_page_bytes, 0U);
}

TEST(GrowingBuffer, SwapsAndMoves) {
  Buffer<std::uint64_t> one;
  Buffer<std::uint64_t> other;
  one.ensure(large);
  one[large - 1] = 1;
  other.ensure(2);
  other[1] = 2;
  std::swap(one, other);
  EXPECT_EQ(one.capacity(), 2U);
  EXPECT_EQ(one[1], 2U);
  EXPECT_EQ(other.capacity(), large);
  EXPECT_EQ(other[large - 1], 1U);
}

TEST(GrowingBuffer, MoreThanThereAreAddressesIsBadAlloc) {
  Buffer<std::uint64_t> buffer;
  buffer.ensure(large);
  EXPECT_THROW(buffer.ensure(std::uint64_t{1} << 57), std::bad_alloc);
  buffer.ensure(large);
  buffer[large - 1] = 3;
  EXPECT_EQ(buffer[large - 1], 3U);
}

}  // namespace
}  // namespace countpm
