// What is drawn or named: VAX pictures, boards, planar_code, fullerenes by spirals, benzenoids; and files of
// many graphs.
#include "graph/formats/graph_entries.hpp"
#include "graph/lattices/benzenoid.hpp"
#include "graph/lattices/fullerene.hpp"
#include "graph/lattices/lattice.hpp"
#include "tests/graph/frontier_count.hpp"
#include "tests/graph/molecule_text.hpp"
#include "tests/graph/read_support.hpp"

namespace countpm::regions_test {
namespace {

using testing::carbons;
using testing::edge_labels;
using testing::in_format;
using testing::input_error;
using testing::Labels;
using testing::read_text;
using testing::ring;
using testing::v2000;

int structures(const std::string& spec) {
  return static_cast<int>(count_matchings(lattice_graph(spec)).get_d());
}

// The values of vax_sage.txt, and an Aztec diamond of order 2 (2^3).
TEST(Vax, PublishedCounts) {
  const auto count = [](const std::string& text) {
    const ReadResult read = read_text(text);
    EXPECT_EQ(read.info.format, Format::vax);
    return count_matchings(read.graph);
  };
  EXPECT_EQ(count("AVVA\nVAAV"), 2);
  EXPECT_EQ(count("XXX\nX X\nXXX"), 2);
  EXPECT_EQ(count("XXX\nX"), 1);
  EXPECT_EQ(count(" XX\nXXXX\nXXXX\n XX\n\n"), 8);
}

TEST(Vax, EveryDirection) {
  const auto edges = [](const std::string& text) {
    return edge_labels(read_text(text, in_format(Format::vax)).graph);
  };
  EXPECT_EQ(edges("XX\nXX"), (Labels{"r0c0 r0c1", "r0c0 r1c0", "r1c0 r1c1", "r0c1 r1c1"}));
  EXPECT_EQ(edges("V\nX"), Labels{});
  EXPECT_EQ(edges("X\nA"), Labels{});
  EXPECT_EQ(edges("A\nV"), (Labels{"r0c0 r1c0"}));
  EXPECT_EQ(edges("X<"), Labels{});
  EXPECT_EQ(edges(">X"), Labels{});
  EXPECT_EQ(edges("<>"), (Labels{"r0c0 r0c1"}));
}

TEST(Vax, CommentsAndSizes) {
  const std::string text = "# of vaxrandom\n2 4\nAVVA % above\nVAAV\n";
  EXPECT_EQ(count_matchings(read_text(text, {}, "a.vax").graph), 2);
  EXPECT_NE(std::string(input_error("1 4\nXX\nXX\n", in_format(Format::vax)).what()).find("at most 1 rows"),
            std::string::npos);
  const InputError error = input_error("XX\nXO\n", in_format(Format::vax));
  EXPECT_EQ(error.line(), 2U);
  EXPECT_NE(error.found().find("column 2"), std::string::npos);
}

TEST(Board, CellsAndHoles) {
  const ReadResult ring_board = read_text("###\n#.#\n###\n");
  EXPECT_EQ(ring_board.info.format, Format::board);
  EXPECT_EQ(count_matchings(ring_board.graph), 2);
  ASSERT_EQ(ring_board.graph.positions.size(), 8U);
  EXPECT_EQ(ring_board.graph.positions[4].x, 2);
  EXPECT_EQ(ring_board.graph.positions[4].y, 1);
  EXPECT_EQ(ring_board.graph.left_labels.label(4), "r1c2");
  EXPECT_EQ(count_matchings(read_text("####\n####\n####\n####\n", {}, "a.board").graph), 36);
  // Lines of # alone are comments elsewhere.
  EXPECT_EQ(read_text("####\na b\n").info.format, Format::edge_list);
  EXPECT_EQ(input_error("##\n#x\n", {}, "a.board").line(), 2U);
  // One line of cells, or never three beside each other: comments are as likely.
  for (const char* text :
       {"#\n", "##\n", "# #\n", "#\n#\n", "##\n##\n", "#\r\n \r\n#\r\n", "#.\n", "#####\n", "#....\n"}) {
    const InputError error = input_error(text);
    EXPECT_NE(error.found().find("comments or cells"), std::string::npos) << text << error.what();
    EXPECT_NE(error.expected().find("--format board"), std::string::npos) << text;
    EXPECT_EQ(read_text(text, in_format(Format::board)).info.format, Format::board) << text;
    EXPECT_EQ(input_error(text, in_format(Format::edge_list)).found(), "only blank lines and comments");
    EXPECT_NE(input_error(text, {}, "a.edges").found().find("comments or cells"), std::string::npos);
  }
  for (const char* text : {"###\n###\n", "# ###\n###\n", "#.\n##\n"})
    EXPECT_EQ(read_text(text).info.format, Format::board) << text;
  for (const char* text : {"%\n", "%%%%\n%%%%\n", "# a b\n", "\n"})
    EXPECT_EQ(input_error(text).found(), "only blank lines and comments") << text;
  for (const char* text : {"X\n", "X X\n", "XX XX\nXX XX\n"}) input_error(text);
  EXPECT_EQ(input_error("..\n").expected(), "a cell: #");
}

std::string code(const std::vector<std::vector<int>>& lists, const std::string& header, int width = 1) {
  std::string text = header;
  const auto put = [&](int value) {
    if (width == 1) {
      text += static_cast<char>(value);
    } else if (header.find("be") != std::string::npos) {
      text += {static_cast<char>(value / 256), static_cast<char>(value % 256)};
    } else {
      text += {static_cast<char>(value % 256), static_cast<char>(value / 256)};
    }
  };
  if (width == 2) text += '\0';
  put(static_cast<int>(lists.size()));
  for (const std::vector<int>& list : lists) {
    for (const int neighbour : list) put(neighbour);
    put(0);
  }
  return text;
}

const std::vector<std::vector<int>> tetrahedron{{2, 3, 4}, {1, 4, 3}, {1, 2, 4}, {1, 3, 2}};

TEST(PlanarCode, BothWidthsAndOrders) {
  for (const std::string header : {">>planar_code<<", ">>planar_code le<<", ">>planar_code be<<"}) {
    for (const int width : {1, 2}) {
      const ReadResult read = read_text(code(tetrahedron, header, width));
      EXPECT_EQ(read.info.format, Format::planar_code);
      EXPECT_EQ(edge_labels(read.graph), (Labels{"1 2", "1 3", "1 4", "2 3", "2 4", "3 4"}));
    }
  }
  EXPECT_EQ(read_text(code(tetrahedron, ""), in_format(Format::planar_code)).graph.edges.size(), 6U);
}

TEST(PlanarCode, Refusals) {
  const auto found = [](const std::string& text) {
    return std::string(input_error(text, in_format(Format::planar_code)).what());
  };
  const std::string good = code(tetrahedron, ">>planar_code<<");
  EXPECT_NE(found(good.substr(0, good.size() - 2)).find("the end of the file"), std::string::npos);
  EXPECT_NE(found(good + good.substr(15)).find("countpm many"), std::string::npos);
  EXPECT_NE(found(code({{2}, {}}, "")).find("1 2 in one"), std::string::npos);
  EXPECT_NE(found(code({{3}, {1}}, "")).find("3 beside vertex 1"), std::string::npos);
  EXPECT_NE(found(code({{2, 2}, {1, 1}}, "")).find("each edge once"), std::string::npos);
  EXPECT_NE(found(">>planar_code<<").find("header alone"), std::string::npos);
  EXPECT_NE(found(">>edge_code<<x").find(">>edge_code<<"), std::string::npos);
}

// Spirals: P. W. Fowler, D. E. Manolopoulos, An Atlas of Fullerenes (1995). Counts: two other programs.
TEST(Fullerene, SpiralsOfTheAtlas) {
  EXPECT_EQ(structures("lattice:fullerene:20:1,2,3,4,5,6,7,8,9,10,11,12"), 36);
  EXPECT_EQ(structures("lattice:fullerene:24:1,2,3,4,5,7,8,10,11,12,13,14"), 54);
  const Graph buckminster = lattice_graph("lattice:fullerene:60:1,7,9,11,13,15,18,20,22,24,26,32");
  EXPECT_EQ(buckminster.left_labels.size(), 60U);
  EXPECT_EQ(buckminster.edges.size(), 90U);
  EXPECT_EQ(count_matchings(buckminster), 12500);
  EXPECT_EQ(structures("lattice:fullerene:60:1,2,3,4,5,6,27,28,29,30,31,32"), 16501);
  EXPECT_EQ(structures("lattice:fullerene:70:1,7,9,11,13,15,27,29,31,33,35,37"), 52168);
}

TEST(Fullerene, OtherPlaneGraphs) {
  EXPECT_EQ(wind_spiral({3, 3, 3, 3}).edges.size(), 6U);
  EXPECT_EQ(wind_spiral({4, 4, 4, 4, 4, 4}).edges.size(), 12U);
  EXPECT_TRUE(wind_spiral({3, 3, 3}).stuck_at.has_value());
  EXPECT_TRUE(wind_spiral({}).stuck_at.has_value());
}

TEST(Fullerene, Refusals) {
  const auto message = [](const std::string& spec) -> std::string {
    try {
      lattice_graph(spec);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message("lattice:fullerene:60:1,2,3,4,5,7,9,11,13,15,17,19").find("stuck at face"),
            std::string::npos);
  EXPECT_NE(message("lattice:fullerene:22:1,2").find("even number of atoms"), std::string::npos);
  EXPECT_NE(message("lattice:fullerene:20:1,2,3").find("12 pentagons, found 3"), std::string::npos);
  EXPECT_NE(message("lattice:fullerene:20:1,2,3,4,5,6,7,8,9,10,12,11").find("increasing"), std::string::npos);
  EXPECT_NE(message("lattice:fullerene:20:1,2,3,4,5,6,7,8,9,10,11,12:weights=1").find("weights"),
            std::string::npos);
  EXPECT_NE(message("lattice:benzenoid:0,0+5,5").find("not connected"), std::string::npos);
  EXPECT_NE(message("lattice:benzenoid:0,0+0,0").find("twice"), std::string::npos);
  EXPECT_NE(message("lattice:benzenoid:0,x").find("Q,R"), std::string::npos);
  EXPECT_NE(message("lattice:benzenoid:56").find("from 1 to 5"), std::string::npos);
  EXPECT_NE(message("lattice:benzenoid:555").find("does not close"), std::string::npos);
}

TEST(Benzenoid, CoordinatesAndCodes) {
  EXPECT_EQ(structures("lattice:benzenoid:0,0"), 2);
  EXPECT_EQ(structures("lattice:benzenoid:6"), 2);
  EXPECT_EQ(structures("lattice:benzenoid:0,0+1,0"), 3);
  EXPECT_EQ(structures("lattice:benzenoid:55"), 3);
  EXPECT_EQ(structures("lattice:benzenoid:5252"), 4);     // anthracene
  EXPECT_EQ(structures("lattice:benzenoid:5351"), 5);     // phenanthrene
  EXPECT_EQ(structures("lattice:benzenoid:4343"), 6);     // pyrene
  EXPECT_EQ(structures("lattice:benzenoid:333333"), 20);  // coronene
  EXPECT_EQ(structures("lattice:benzenoid:0,0+1,0+0,1+-1,1+-1,0+0,-1+1,-1"), 20);
  EXPECT_EQ(structures("lattice:benzenoid:323232323232"), 980);  // circumcoronene
  EXPECT_EQ(structures("lattice:benzenoid:424242"), 0);          // triangulene
  const Graph triangulene = lattice_graph("lattice:benzenoid:424242");
  EXPECT_EQ(triangulene.left_labels.size(), 22U);
  EXPECT_EQ(triangulene.positions.size(), 22U);
  EXPECT_EQ(structures("lattice:benzenoid:6:remove=C1+C2"), 1);
}

// The sizes of the graphs of a file, 0 for one that is refused.
std::vector<std::size_t> sizes_of(const std::string& file, const std::string& name,
                                  std::vector<std::uint64_t>& lines) {
  std::vector<std::size_t> sizes;
  GraphEntries entries(Source::from_bytes(file, name), std::nullopt);
  while (const std::optional<GraphEntry> entry = entries.next()) {
    lines.push_back(entry->line);
    if (entry->number == 1 && entry->format == Format::sdf) {
      EXPECT_EQ(entry->text, "benzene");
    }
    try {
      sizes.push_back(read_entry(*entry, {}).graph.edges.size());
    } catch (const InputError&) {
      sizes.push_back(0);
    }
  }
  return sizes;
}

using Sizes = std::vector<std::size_t>;

TEST(Entries, MoleculesOfAnSdf) {
  const std::string benzene = v2000(carbons(6), ring(6), "benzene");
  const std::string file =
      benzene + "> <ID>\n1\n\n$$$$\n" + "broken\n$$$$\n" + v2000(carbons(2), {{1, 2, 2}}) + "$$$$\n\n\n";
  for (const std::string name : {"a.sdf", "<stdin>"}) {
    std::vector<std::uint64_t> lines;
    EXPECT_EQ(sizes_of(file, name, lines), (Sizes{6, 0, 1})) << name;
    EXPECT_EQ(lines, (std::vector<std::uint64_t>{1, 22, 24})) << name;
  }
  std::vector<std::uint64_t> lines;
  EXPECT_EQ(sizes_of(benzene, "a.mol", lines), Sizes{6});
  EXPECT_EQ(sizes_of(v2000(carbons(2), {{1, 2, 2}}), "<stdin>", lines), Sizes{1})
      << "no title on the first line";
}

TEST(Entries, GraphsInPlanarCode) {
  for (const std::string header : {">>planar_code<<", ">>planar_code be<<"}) {
    const std::string wide = code(tetrahedron, header, 2);
    const std::string file = wide + code({{2}, {1}}, "") + wide.substr(header.size()) + '\2' + '\2';
    for (const std::string name : {"a.plc", "<stdin>"}) {
      std::vector<std::uint64_t> lines;
      EXPECT_EQ(sizes_of(file, name, lines), (Sizes{6, 1, 6, 0})) << header << " " << name;
      EXPECT_EQ(lines, (std::vector<std::uint64_t>(4, 0)));
    }
  }
}

}  // namespace
}  // namespace countpm::regions_test
