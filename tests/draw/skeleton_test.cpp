// Molecules with bond orders, and Kekule structures side by side, read back.
#include "src/draw/skeleton.hpp"

#include <gtest/gtest.h>

#include "tests/draw/svg_reader.hpp"

namespace countpm::test::skeleton_test {
namespace {

// C1=C2-N3=C4 with a methyl group C5 at C2, and a triple bond's fixed pi bond between C4 and C6.
draw::Skeleton chain() {
  draw::Skeleton skeleton;
  skeleton.position = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 1}, {4, 0}};
  skeleton.label = {"C1", "C2", "N3", "C4", "C5", "C6"};
  skeleton.counted = {true, true, true, true, false, false};
  skeleton.bonds = {
      {0, 1, 0, 1}, {1, 2, 1, 1}, {2, 3, 2, 1}, {1, 4, draw::no_edge, 1}, {3, 5, draw::no_edge, 2}};
  skeleton.about = "by hand";
  return skeleton;
}

std::size_t strokes(const Element& path) {
  return subpaths(attribute(path.tree, "d")).size();
}

TEST(BondOrders, AreOnTheirBonds) {
  const auto picture =
      draw::draw_bond_orders(chain(), {{1, "1"}, {0, "0"}, {0.5, "1/2"}}, "title", "caption");
  const auto root = parse_svg(picture.svg);
  const auto edges = elements(root, "path", "edge");
  ASSERT_EQ(edges.size(), 3U);
  EXPECT_GT(std::stod(attribute(edges[0].tree, "stroke-width")),
            std::stod(attribute(edges[2].tree, "stroke-width")));
  EXPECT_GT(std::stod(attribute(edges[2].tree, "stroke-width")),
            std::stod(attribute(edges[1].tree, "stroke-width")));
  const auto labels = elements(only(root, "g", "labels"), "text");
  ASSERT_EQ(labels.size(), 3U);
  EXPECT_EQ(labels[2].tree.data(), "1/2");
  const auto atoms = elements(only(root, "g", "atoms"), "text");
  ASSERT_EQ(atoms.size(), 6U);
  EXPECT_EQ(atoms[2].tree.data(), "N3");
  const auto fixed = elements(only(root, "g", "fixed"), "path");
  ASSERT_EQ(fixed.size(), 2U);
  EXPECT_EQ(strokes(fixed[0]), 1U);
  EXPECT_EQ(strokes(fixed[1]), 2U);
}

TEST(Sheet, HasADrawingForEachStructure) {
  const std::vector<std::vector<bool>> doubled{
      {true, false, true}, {false, true, false}, {false, false, false}};
  const auto root = parse_svg(draw::draw_structures(chain(), doubled, "title", "caption").svg);
  const auto structures = elements(root, "path", "structure");
  ASSERT_EQ(structures.size(), 3U);
  // Five bonds, one of them with two lines; and one more for each double bond.
  EXPECT_EQ(strokes(structures[0]), 8U);
  EXPECT_EQ(strokes(structures[1]), 7U);
  EXPECT_EQ(strokes(structures[2]), 6U);
  std::size_t symbols = 0;
  for (const auto& text : elements(only(root, "g", "symbols"), "text"))
    symbols += text.tree.data() == "N" ? 1 : 0;
  EXPECT_EQ(symbols, 3U);
}

}  // namespace
}  // namespace countpm::test::skeleton_test
