// Molfiles, SDF, xyz: which atoms are vertices, how many Kekule structures there are, and what is refused.
#include <cmath>
#include <numbers>

#include "graph/molecules/pi_system.hpp"
#include "tests/graph/frontier_count.hpp"
#include "tests/graph/molecule_text.hpp"
#include "tests/graph/read_support.hpp"

namespace countpm::molecule_test {
namespace {

using testing::carbons;
using testing::edge_labels;
using testing::in_format;
using testing::input_error;
using testing::joined;
using testing::Labels;
using testing::MolBonds;
using testing::read_text;
using testing::ring;
using testing::v2000;
using testing::v3000;

struct Case {
  const char* molecule;
  std::vector<std::string> atoms;
  MolBonds bonds;
  Index vertices;
  int structures;
};

// Structures that a chemist would draw.
std::vector<Case> cases() {
  const MolBonds six = ring(6);
  return {
      {"benzene", carbons(6), six, 6, 2},
      {"benzene, aromatic bonds", carbons(6), ring(6, 4), 6, 2},
      {"naphthalene", carbons(10), joined(ring(10), {{1, 6, 1}}), 10, 3},
      {"azulene", carbons(10), joined(ring(10), {{1, 5, 1}}), 10, 2},
      {"biphenyl: its middle bond is an edge", carbons(12), joined(joined(six, ring(6, 0, 7)), {{1, 7, 1}}),
       12, 4},
      {"butadiene", carbons(4), {{1, 2, 2}, {2, 3, 1}, {3, 4, 2}}, 4, 1},
      {"toluene", carbons(7), joined(six, {{1, 7, 1}}), 6, 2},
      {"phenol with its hydrogen",
       {"C", "C", "C", "C", "C", "C", "O", "H"},
       joined(six, {{1, 7, 1}, {7, 8, 1}}),
       6,
       2},
      {"pyridine", {"N", "C", "C", "C", "C", "C"}, six, 6, 2},
      {"pyridine, aromatic bonds", {"N", "C", "C", "C", "C", "C"}, ring(6, 4), 6, 2},
      {"pyrrole, aromatic bonds", {"N", "C", "C", "C", "C", "H"}, joined(ring(5, 4), {{1, 6, 1}}), 4, 1},
      {"furan, aromatic bonds", {"O", "C", "C", "C", "C"}, ring(5, 4), 4, 1},
      {"thiophene", {"S", "C", "C", "C", "C"}, {{1, 2, 1}, {2, 3, 2}, {3, 4, 1}, {4, 5, 2}, {5, 1, 1}}, 4, 1},
      {"pyrylium, aromatic bonds", {"O+", "C", "C", "C", "C", "C"}, ring(6, 4), 6, 2},
      {"cyclopentadienide, aromatic bonds", {"C-", "C", "C", "C", "C"}, ring(5, 4), 4, 1},
      {"pyridinium", {"N+", "C", "C", "C", "C", "C"}, six, 6, 2},
      {"benzoquinone",
       {"C", "C", "C", "C", "C", "C", "O", "O"},
       {{1, 2, 1}, {2, 3, 2}, {3, 4, 1}, {4, 5, 1}, {5, 6, 2}, {6, 1, 1}, {1, 7, 2}, {4, 8, 2}},
       8,
       1},
      {"diphenylacetylene: a cumulene between quinoid rings is no structure here", carbons(14),
       joined(joined(six, ring(6, 0, 7)), {{1, 13, 1}, {13, 14, 3}, {14, 7, 1}}), 14, 4},
      {"benzonitrile", {"C", "C", "C", "C", "C", "C", "C", "N"}, joined(six, {{1, 7, 1}, {7, 8, 3}}), 8, 2},
      {"nitrobenzene, charges",
       {"C", "C", "C", "C", "C", "C", "N+", "O", "O-"},
       joined(six, {{1, 7, 1}, {7, 8, 2}, {7, 9, 1}}),
       8,
       2},
      {"nitrobenzene, five bonds",
       {"C", "C", "C", "C", "C", "C", "N", "O", "O"},
       joined(six, {{1, 7, 1}, {7, 8, 2}, {7, 9, 2}}),
       6,
       2},
      {"methyl phenyl sulfone",
       {"C", "C", "C", "C", "C", "C", "S", "O", "O", "C"},
       joined(six, {{1, 7, 1}, {7, 8, 2}, {7, 9, 2}, {7, 10, 1}}),
       6,
       2},
      {"phenylallene: the cumulated bonds stay", carbons(9), joined(six, {{1, 7, 1}, {7, 8, 2}, {8, 9, 2}}),
       6, 2},
      {"allene", carbons(3), {{1, 2, 2}, {2, 3, 2}}, 0, 1},
      {"butatriene", carbons(4), {{1, 2, 2}, {2, 3, 2}, {3, 4, 2}}, 0, 1},
      {"vinylallene", carbons(5), {{1, 2, 2}, {2, 3, 1}, {3, 4, 2}, {4, 5, 2}}, 2, 1},
      {"carbon dioxide", {"O", "C", "O"}, {{1, 2, 2}, {2, 3, 2}}, 0, 1},
      {"allyl radical", {"C", "C", "C."}, {{1, 2, 2}, {2, 3, 1}}, 3, 0},
      {"trimethylenemethane", {"C", "C", "C.", "C."}, {{1, 2, 2}, {1, 3, 1}, {1, 4, 1}}, 4, 0},
      {"xylylene as a diradical",
       {"C", "C", "C", "C", "C", "C", "C.", "C."},
       joined(six, {{1, 7, 1}, {2, 8, 1}}),
       8,
       1},
      {"cyclohexene", carbons(6), {{1, 2, 2}, {2, 3, 1}, {3, 4, 1}, {4, 5, 1}, {5, 6, 1}, {6, 1, 1}}, 2, 1},
  };
}

TEST(Molecule, KekuleStructures) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.molecule);
    for (const std::string& text : {v2000(one.atoms, one.bonds), v3000(one.atoms, one.bonds)}) {
      const ReadResult read = read_text(text);
      EXPECT_EQ(read.info.format, Format::mol);
      EXPECT_EQ(read.graph.left_labels.size(), one.vertices);
      EXPECT_EQ(count_matchings(read.graph), one.structures);
    }
  }
}

TEST(Molecule, BothVersionsAreOneMolecule) {
  for (const Case& one : cases()) {
    Molecule second = parse_molfile(v2000(one.atoms, one.bonds), "test");
    Molecule third = parse_molfile(v3000(one.atoms, one.bonds), "test");
    for (Molecule* molecule : {&second, &third}) {
      for (Atom& atom : molecule->atoms) atom.x = atom.y = 0;
      for (Bond& bond : molecule->bonds) bond.line = 0;
    }
    EXPECT_EQ(second, third) << one.molecule;
  }
}

TEST(Molecule, LabelsAreElementsAndNumbers) {
  const ReadResult read = read_text(v2000({"N", "H", "C", "O"}, {{1, 2, 1}, {1, 3, 2}, {3, 4, 1}}));
  EXPECT_EQ(edge_labels(read.graph), (Labels{"N1 C3"}));
  ASSERT_EQ(read.info.assumptions.size(), 1U);
  EXPECT_NE(read.info.assumptions[0].find("2 of 3 atoms"), std::string::npos) << read.info.assumptions[0];
  EXPECT_NE(read.info.assumptions[0].find("O4"), std::string::npos) << read.info.assumptions[0];
}

TEST(Molecule, DrawnCoordinatesArePositions) {
  const ReadResult drawn = read_text(v2000(carbons(3), {{1, 2, 1}, {2, 3, 2}}));
  ASSERT_EQ(drawn.graph.positions.size(), 2U);  // of C2 and C3
  EXPECT_DOUBLE_EQ(std::hypot(drawn.graph.positions[1].x - drawn.graph.positions[0].x,
                              drawn.graph.positions[1].y - drawn.graph.positions[0].y),
                   1);
  EXPECT_LT(drawn.graph.positions[0].y, drawn.graph.positions[1].y);  // y = 0.8 is above 0
  EXPECT_TRUE(read_text(v3000({"C", "C"}, {{1, 2, 2}})).graph.positions.size() == 2);
  std::string flat = v2000({"C", "C"}, {{1, 2, 2}});
  flat.replace(flat.find("    0.0000 C"), 10, "    0.9000");
  EXPECT_TRUE(read_text(flat).graph.positions.empty()) << "three dimensions are no drawing";
}

TEST(Molecule, RemovedAtomsTakeTheirPositionsAlong) {
  ReadOptions options;
  options.remove = {"C1"};
  const ReadResult read = read_text(v2000(carbons(6), ring(6)), options);
  ASSERT_EQ(read.graph.positions.size(), 5U);
  EXPECT_NEAR(read.graph.positions[4].x - read.graph.positions[0].x,
              4 * (read.graph.positions[1].x - read.graph.positions[0].x), 1e-9);
}

TEST(Molecule, ColumnsWithoutBlanks) {
  // 100 atoms and 100 bonds: "100100", "100  1".
  const std::string text = v2000(carbons(100), ring(100));
  ASSERT_NE(text.find("\n100100"), std::string::npos);
  EXPECT_EQ(count_matchings(read_text(text).graph), 2);
}

TEST(Molecule, ChargesOfTheAtomLines) {
  std::string text = v2000({"C", "C", "C"}, {{1, 2, 2}, {2, 3, 1}});
  const std::size_t third = text.rfind(" C   0  0");
  std::string radical = text;
  radical.replace(third, 9, " C   0  4");
  EXPECT_EQ(read_text(radical).graph.left_labels.size(), 3U);
  std::string cation = text;
  cation.replace(third, 9, " C   0  3");
  EXPECT_EQ(read_text(cation).graph.left_labels.size(), 2U);
  // A line M  RAD replaces them.
  radical.insert(radical.find("M  END"), "M  RAD  1   1   0\n");
  EXPECT_EQ(read_text(radical).graph.left_labels.size(), 2U);
}

TEST(Molecule, HandWrittenFilesAndOldOnes) {
  const std::string text = "ethene\n\n\n2 1\n0.0 0.0 0.0 C\n1.3 0 0 C 0 0\n1 2 2\n";
  EXPECT_EQ(edge_labels(read_text(text, in_format(Format::mol)).graph), (Labels{"C1 C2"}));
}

TEST(Molecule, OneMoleculeOfAnSdf) {
  const std::string benzene = v2000(carbons(6), ring(6), "benzene");
  const ReadResult read = read_text(benzene + "> <ID>\n7\n\n$$$$\n\n");
  EXPECT_EQ(read.info.format, Format::sdf);
  ASSERT_NE(read.info.molecule, nullptr);
  EXPECT_EQ(read.info.molecule->molecule.title, "benzene");
  const InputError error = input_error(benzene + "$$$$\n" + benzene + "$$$$\n");
  EXPECT_NE(std::string(error.what()).find("countpm many"), std::string::npos) << error.what();
  EXPECT_EQ(error.line(), 19U);
}

TEST(Molecule, Refusals) {
  const std::string benzene = v2000(carbons(6), ring(6));
  const auto found = [](const std::string& text) { return std::string(input_error(text).what()); };
  std::string text = benzene;
  text.replace(text.find("  1  2  2"), 9, "  1  7  2");
  EXPECT_NE(found(text).find("test:11: expected an atom from 1 to 6, found 7"), std::string::npos)
      << found(text);
  text = benzene;
  text.replace(text.find("  1  2  2"), 9, "  1  2  8");
  EXPECT_NE(found(text).find("type 1, 2, 3 or 4"), std::string::npos) << found(text);
  text = benzene;
  text.replace(text.find("  1  2  2"), 9, "  1  1  2");
  EXPECT_NE(found(text).find("to itself"), std::string::npos) << found(text);
  text = benzene;
  text.replace(text.find(" C  "), 4, " Xx ");
  EXPECT_NE(found(text).find("symbol of an element"), std::string::npos) << found(text);
  text = benzene;
  text.replace(text.find("V2000"), 5, "V4000");
  EXPECT_NE(std::string(input_error(text, in_format(Format::mol)).what())
                .find("expected the version V2000 or V3000"),
            std::string::npos);
  text = benzene.substr(0, benzene.find("M  END"));
  EXPECT_NE(found(text).find("M  END"), std::string::npos) << found(text);
  EXPECT_NE(found(v2000(carbons(6), ring(6, 1))).find("only single bonds"), std::string::npos);
  // Aromatic bonds whose atoms bring no electron.
  EXPECT_NE(found(v2000({"C+", "C-", "O"}, ring(3, 4))).find("whose atoms bring none or two"),
            std::string::npos);
  EXPECT_NE(found(v2000(carbons(2), {{1, 2, 2}, {2, 1, 1}}))
                .find("one bond between two atoms, found 2 and 1 again"),
            std::string::npos);
}

TEST(Molecule, WithoutAPiSystem) {
  const std::string ethane = v2000(carbons(2), {{1, 2, 1}}, "ethane");
  try {
    read_text(ethane);
    FAIL() << "read";
  } catch (const NoPiSystem& none) {
    EXPECT_NE(none.reason().find("only single bonds"), std::string::npos) << none.reason();
    ASSERT_TRUE(none.info());
    EXPECT_EQ(none.info()->format, Format::mol);
    EXPECT_EQ(none.info()->molecule->molecule.title, "ethane");
  }
  EXPECT_THROW(read_text("2\nmethyl lithium\nLi 0 0 0\nH 1.6 0 0\n"), NoPiSystem);
  // No atom at all is another matter.
  try {
    read_text(v2000({}, {}));
    FAIL() << "read";
  } catch (const InputError& error) {
    EXPECT_EQ(dynamic_cast<const NoPiSystem*>(&error), nullptr) << error.what();
  }
}

std::string polygon(int atoms, double bond, bool hydrogens) {
  std::string lines;
  const double radius = bond / 2 / std::sin(std::numbers::pi / atoms);
  for (int k = 0; k < atoms; ++k) {
    const double angle = 2 * std::numbers::pi * k / atoms;
    lines += fmt::format("C {} {} 0.1\n", radius * std::cos(angle), radius * std::sin(angle));
    if (hydrogens)
      lines +=
          fmt::format("H {} {} 0.1\n", (radius + 1.09) * std::cos(angle), (radius + 1.09) * std::sin(angle));
  }
  return lines;
}

TEST(Xyz, RingsByTheirBondLengths) {
  const ReadResult bare = read_text("6\n\n" + polygon(6, 1.4, false));
  EXPECT_EQ(bare.info.format, Format::xyz);
  EXPECT_EQ(edge_labels(bare.graph), (Labels{"C1 C2", "C1 C6", "C2 C3", "C3 C4", "C4 C5", "C5 C6"}));
  const ReadResult whole = read_text("12\nbenzene\n" + polygon(6, 1.4, true) + "\n");
  EXPECT_EQ(whole.graph.left_labels.label(1), "C3");
  EXPECT_EQ(whole.info.molecule->molecule.bonds.size(), 12U);
  EXPECT_EQ(count_matchings(whole.graph), 2);
}

TEST(Xyz, ElementsByNumberAndFourNeighbours) {
  // Ethene, and methane beside it, which has no vertex.
  const std::string text =
      "11\n\n6 0 0 0\nC2 1.33 0 0\nH -0.55 0.9 0\nH -0.55 -0.9 0\nH 1.9 0.9 0\nH 1.9 -0.9 0\n"
      "C 5 0 0\nH 5.63 0.63 0.63\nH 4.37 -0.63 0.63\nH 5.63 -0.63 -0.63\nH 4.37 0.63 -0.63\n";
  const ReadResult read = read_text(text, {}, "a.xyz");
  EXPECT_EQ(edge_labels(read.graph), (Labels{"C1 C2"}));
  EXPECT_EQ(read.graph.left_labels.size(), 2U);
  EXPECT_NE(read.info.assumptions.back().find("C7"), std::string::npos) << read.info.assumptions.back();
}

TEST(Xyz, Refusals) {
  const std::string benzene = polygon(6, 1.4, false);
  EXPECT_EQ(input_error("6\n\n" + benzene + "6\n\n" + benzene).line(), 9U);
  EXPECT_EQ(input_error("7\n\n" + benzene).line(), 8U);
  EXPECT_NE(input_error("6\n\n" + polygon(6, 0.14, false)).expected().find("apart from each other"),
            std::string::npos);
  EXPECT_EQ(input_error("1\n\nC 0 zero 0\n", in_format(Format::xyz)).line(), 3U);
  EXPECT_EQ(input_error("1\n\nQ 0 0 0\n", in_format(Format::xyz)).line(), 3U);
}

}  // namespace
}  // namespace countpm::molecule_test
