// Lines sorted by piece, against the piece of every line.
#include "matching/line_groups.hpp"

#include <gtest/gtest.h>

namespace countpm {
namespace {

TEST(LineGroups, AreAscendingAndNumbered) {
  const LineGroups groups = group_lines({2, 0, 2, 3, 0, 2}, 5);
  const auto piece = [&](Index p) { return std::vector<Index>(groups[p].begin(), groups[p].end()); };
  EXPECT_EQ(piece(0), (std::vector<Index>{1, 4}));
  EXPECT_EQ(piece(1), (std::vector<Index>{}));
  EXPECT_EQ(piece(2), (std::vector<Index>{0, 2, 5}));
  EXPECT_EQ(piece(3), (std::vector<Index>{3}));
  EXPECT_EQ(piece(4), (std::vector<Index>{}));
  EXPECT_EQ(groups.numbers(), (std::vector<Index>{0, 0, 1, 0, 1, 2}));
}

TEST(LineGroups, OfNothing) {
  EXPECT_TRUE(group_lines({}, 0).numbers().empty());
  EXPECT_TRUE(group_lines({}, 3)[2].empty());
}

}  // namespace
}  // namespace countpm
