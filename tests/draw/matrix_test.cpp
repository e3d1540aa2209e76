// The views of a matrix's structure, and their picture.
#include "src/draw/matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "src/structure/analysis.hpp"
#include "tests/draw/svg_reader.hpp"

namespace countpm::test {
namespace {

PatternStages stages_of(const std::string& text) {
  PatternStages stages;
  explain(Source::from_bytes(text), {}, {}, [&](const PatternStages& told) { stages = told; });
  return stages;
}

bool is_permutation_of(std::vector<Index> lines, Index size) {
  std::sort(lines.begin(), lines.end());
  for (Index k = 0; k < lines.size(); ++k) {
    if (lines[k] != k) return false;
  }
  return lines.size() == size;
}

// Calls visit(row's place, column's place, kind).
template <class Visit>
void for_entries(const PatternStages& stages, const PatternView& view, const Visit& visit) {
  std::vector<Index> row_place(view.rows.size());
  std::vector<Index> column_place(view.columns.size());
  for (Index at = 0; at < view.rows.size(); ++at) row_place[view.rows[at]] = at;
  for (Index at = 0; at < view.columns.size(); ++at) column_place[view.columns[at]] = at;
  for (Index i = 0; i < stages.pattern.rows; ++i) {
    for (std::uint64_t k = stages.pattern.row_start[i]; k < stages.pattern.row_start[i + 1]; ++k)
      visit(row_place[i], column_place[stages.pattern.column[k]], stages.kind[k]);
  }
}

std::string random_matrix(unsigned seed, int rows, int columns, double density, bool diagonal) {
  std::mt19937 random(seed);
  std::bernoulli_distribution there(density);
  std::string body;
  int entries = 0;
  for (int i = 1; i <= rows; ++i) {
    for (int j = 1; j <= columns; ++j) {
      if (!there(random) && !(diagonal && i == j)) continue;
      body += std::to_string(i) + " " + std::to_string(j) + "\n";
      ++entries;
    }
  }
  return "%%MatrixMarket matrix coordinate pattern general\n" + std::to_string(rows) + " " +
         std::to_string(columns) + " " + std::to_string(entries) + "\n" + body;
}

TEST(PatternStages, AreBlockUpperTriangular) {
  std::size_t blocks = 0;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const PatternStages stages = stages_of(random_matrix(seed, 14, 14, 0.1, true));
    ASSERT_EQ(stages.views.size(), 3U);
    for (const PatternView& view : stages.views) {
      EXPECT_TRUE(is_permutation_of(view.rows, 14));
      EXPECT_TRUE(is_permutation_of(view.columns, 14));
    }
    for (std::size_t v = 1; v < 3; ++v) {
      const PatternView& view = stages.views[v];
      blocks += view.frames.size();
      for_entries(stages, view, [&](Index row, Index column, EntryKind kind) {
        const auto block_of = [&](Index place) {
          return std::find_if(view.frames.begin(), view.frames.end(), [&](const PatternFrame& frame) {
            return place >= frame.row && place < frame.row + frame.rows;
          });
        };
        const auto row_block = block_of(row);
        const auto column_block = block_of(column);
        EXPECT_LE(row_block, column_block) << seed;
        EXPECT_EQ(kind == EntryKind::dropped, row_block != column_block) << seed;
        EXPECT_EQ(kind == EntryKind::forced, row_block == column_block && row_block->rows == 1) << seed;
      });
    }
    // A perfect matching on the diagonal.
    std::set<Index> on_diagonal;
    for_entries(stages, stages.views[1], [&](Index row, Index column, EntryKind) {
      if (row == column) on_diagonal.insert(row);
    });
    EXPECT_EQ(on_diagonal.size(), 14U);
  }
  EXPECT_GT(blocks, 8U * 2 * 3);
}

// Parts: too many columns, square, too many rows; nothing below them, and the surplus is where it is said.
TEST(PatternStages, WithoutAPerfectMatchingAreCoarse) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const PatternStages stages = stages_of(random_matrix(seed, 12, 11, 0.15, false));
    ASSERT_EQ(stages.views.size(), 2U);
    const PatternView& view = stages.views[1];
    EXPECT_TRUE(is_permutation_of(view.rows, 12));
    EXPECT_TRUE(is_permutation_of(view.columns, 11));
    for (const PatternFrame& frame : view.frames) {
      for_entries(stages, view, [&](Index row, Index column, EntryKind kind) {
        const bool in_rows = row >= frame.row && row < frame.row + frame.rows;
        const bool in_columns = column >= frame.column && column < frame.column + frame.columns;
        if (!in_rows) return;
        EXPECT_GE(column, frame.column);
        if (!in_columns) return;
        EXPECT_EQ(kind, frame.rows == frame.columns ? EntryKind::square : EntryKind::surplus);
      });
    }
    EXPECT_GT(view.frames.back().rows, view.frames.back().columns) << seed;
  }
}

TEST(PatternStages, OfGeneralGraphs) {
  // Two triangles joined by an edge; and an edge by itself.
  const PatternStages stages = stages_of("a b\nb c\nc a\nc d\nd e\ne f\nf d\ng h\n");
  ASSERT_EQ(stages.views.size(), 3U);
  EXPECT_TRUE(is_permutation_of(stages.views[2].rows, 8));
  EXPECT_EQ(stages.views[2].rows, stages.views[2].columns);
  EXPECT_EQ(std::count(stages.kind.begin(), stages.kind.end(), EntryKind::dropped), 2 * 4);
  EXPECT_EQ(std::count(stages.kind.begin(), stages.kind.end(), EntryKind::forced), 2 * 4);
  const PatternStages odd = stages_of("a b\nb c\nc a\n");
  EXPECT_EQ(odd.views.size(), 2U);
  EXPECT_EQ(odd.kind.front(), EntryKind::unknown);
}

TEST(PatternPicture, HasADotForEveryEntryAndAFrameForEveryBlock) {
  const PatternStages stages = stages_of(random_matrix(3, 14, 14, 0.1, true));
  const auto picture = draw::draw_patterns(stages, "t");
  const auto root = parse_svg(picture.svg);
  const auto panels = elements(root, "g", "panel");
  ASSERT_EQ(panels.size(), 3U);
  for (std::size_t v = 0; v < 3; ++v) {
    std::size_t dots = 0;
    for (const Element& path : elements(panels[v].tree, "path", "kind"))
      dots += subpaths(attribute(path.tree, "d")).size();
    EXPECT_EQ(dots, stages.pattern.entries());
    const std::vector<PatternFrame>& frames = stages.views[v].frames;
    EXPECT_EQ(elements(panels[v].tree, "rect", "frame").size(),
              static_cast<std::size_t>(std::count_if(
                  frames.begin(), frames.end(), [](const PatternFrame& frame) { return frame.rows > 1; })));
  }
  for (const draw::Swatch& swatch : picture.legend.swatches)
    EXPECT_NE(picture.svg.find("stroke=\"" + std::string(swatch.colour.code)), std::string::npos)
        << swatch.meaning;
}

TEST(PatternPicture, OfALargeMatrixHasDotsForManyEntries) {
  std::string body;
  for (int i = 1; i <= 2000; ++i) body += std::to_string(i) + " " + std::to_string(i) + "\n";
  const auto picture = draw::draw_patterns(
      stages_of("%%MatrixMarket matrix coordinate pattern general\n2000 2000 2000\n" + body), "t");
  EXPECT_LT(picture.svg.size(), 50'000U);
  EXPECT_EQ(picture.legend.remarks.back(), "Each dot stands for 7 x 7 entries.");
}

}  // namespace
}  // namespace countpm::test
