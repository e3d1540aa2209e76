// countpm chem: docs/chem.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "test_paths.hpp"
#include "tests/cli/run_binary.hpp"
#include "tests/file_text.hpp"
#include "tests/graph/molecule_text.hpp"

namespace countpm::test::chem_test {
namespace {

using testing::carbons;
using testing::file_text;
using testing::ring;
using testing::v2000;

std::string beside(const std::string& name) {
  return (std::filesystem::path(file_with("", "beside-chem")).parent_path() / name).string();
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Chem, StructuresAndOrders) {
  const Outcome outcome = run({"chem", file_with(v2000(carbons(6), ring(6)), "benzene.mol")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "Kekule structures  2\n"
            "Clar number        1\n"
            "Clar covers        2 + x\n"
            "\n"
            "atom  atom  order  (Pauling bond order)\n"
            "C1    C2    1/2    0.5000\n"
            "C2    C3    1/2    0.5000\n"
            "C3    C4    1/2    0.5000\n"
            "C4    C5    1/2    0.5000\n"
            "C5    C6    1/2    0.5000\n"
            "C6    C1    1/2    0.5000\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(Chem, NotesAreInTheReport) {
  const std::string toluene =
      file_with(v2000(carbons(7), testing::joined(ring(6), {{1, 7, 1}})), "toluene.mol");
  const Outcome outcome = run({"chem", toluene, "--report"});
  EXPECT_NE(outcome.err.find("(C7)"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("6 of 7 atoms"), std::string::npos) << outcome.err;
}

// Orders of the textbook: 30 bonds between hexagons, 60 along pentagons.
TEST(Chem, CsvAndJsonOfBuckminsterfullerene) {
  const std::string spec = "lattice:fullerene:60:1,7,9,11,13,15,18,20,22,24,26,32";
  const Outcome csv = run({"chem", spec, "--csv"});
  EXPECT_EQ(csv.code, 0) << csv.err;
  EXPECT_EQ(times(csv.out, ",11/25,0.44\r\n"), 30U);
  EXPECT_EQ(times(csv.out, ",7/25,0.28\r\n"), 60U);
  const auto object = nlohmann::ordered_json::parse(run({"chem", spec, "--json"}).out);
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"version", "input", "formula", "structures", "no_pi_system",
                                            "unpaired", "clar_number", "clar_covers", "bonds", "violator",
                                            "notes", "warnings"}));
  EXPECT_EQ(object["structures"], "12500");
  EXPECT_EQ(object["bonds"].size(), 90U);
  EXPECT_TRUE(object["formula"].is_null());
}

TEST(Chem, NoStructureIsAPlainSentence) {
  const Outcome outcome = run({"chem", "lattice:benzenoid:424242"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(
      outcome.out.starts_with("Kekule structures  0\n\nThere is no Kekule structure: however double bonds "
                              "are drawn, 2 of the 22 atoms of the pi "
                              "system have none (a diradical).\nWhy: "))
      << outcome.out;
  const std::string picture = beside("triangulene.svg");
  EXPECT_EQ(run({"chem", "lattice:benzenoid:424242", "--svg", picture}).code, 3);
  EXPECT_FALSE(std::filesystem::exists(picture));
  const auto object = nlohmann::ordered_json::parse(run({"chem", "lattice:benzenoid:424242", "--json"}).out);
  EXPECT_EQ(object["unpaired"], 2);
  EXPECT_FALSE(object["violator"].is_null());
}

TEST(Chem, StructuresComeBackFromTheirSdf) {
  // A pyridine with a methyl group: hydrogens and what is outside the pi system stay.
  const std::string input = file_with(v2000({"N", "C", "C", "C", "C", "C", "C", "H"},
                                            testing::joined(ring(6, 4), {{2, 7, 1}, {4, 8, 1}}), "picoline"),
                                      "picoline.mol");
  const std::string sdf = beside("picoline.sdf");
  const Outcome outcome = run({"chem", input, "--structures", sdf});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string text = file_text(sdf);
  EXPECT_EQ(times(text, "$$$$\n"), 2U);
  EXPECT_TRUE(text.starts_with("picoline 1\n")) << text;
  EXPECT_EQ(times(text, "  2  0\n"), 6U);  // double bonds
  const std::string first = file_with(text.substr(0, text.find("$$$$") + 5), "first.sdf");
  EXPECT_EQ(run({first}).out, "2\n");
  EXPECT_EQ(run({"chem", first}).out, run({"chem", input}).out);
}

TEST(Chem, TooManyStructuresAreRefused) {
  const std::string spec = "lattice:fullerene:60:1,7,9,11,13,15,18,20,22,24,26,32";
  const std::string sdf = beside("C60.sdf");
  const Outcome refused = run({"chem", spec, "--structures", sdf});
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find("12500"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("--limit N"), std::string::npos) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(sdf));
  EXPECT_EQ(run({"chem", spec, "--structures", sdf, "--limit", "3"}).code, 0);
  EXPECT_EQ(times(file_text(sdf), "$$$$\n"), 3U);
  EXPECT_EQ(run({"chem", spec, "--sheet", beside("C60.svg")}).code, 3);
}

TEST(Chem, PicturesHaveLabelsAndStructures) {
  const std::string orders = beside("naphthalene.svg");
  const std::string sheet = beside("sheet.svg");
  const Outcome outcome = run({"chem", "lattice:benzenoid:55", "--svg", orders, "--sheet", sheet});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string text = file_text(orders);
  for (int atom = 1; atom <= 10; ++atom) EXPECT_EQ(times(text, fmt::format(">C{}<", atom)), 1U) << atom;
  EXPECT_EQ(times(text, ">1/3<"), 7U);
  EXPECT_EQ(times(text, ">2/3<"), 4U);
  EXPECT_EQ(times(file_text(sheet), "class=\"structure\""), 3U);
}

TEST(Chem, DirectedGraphsAreRefused) {
  const Outcome outcome = run({"chem", file_with("&B?\n", "two.d6")});
  EXPECT_EQ(outcome.code, 2) << outcome.out;
}

TEST(Chem, MatricesOfMolecules) {
  const std::string matrix = file_with(
      "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 4\n2 1\n3 2\n4 3\n4 1\n", "ring.mtx");
  const Outcome refused = run({"chem", matrix});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("found a bipartite one (--as undirected"), std::string::npos) << refused.err;
  EXPECT_TRUE(run({"chem", matrix, "--as", "undirected"}).out.starts_with("Kekule structures  2\n"));
}

TEST(Chem, SentencesOfSmallRadicals) {
  const auto chem = [](const std::string& text) {
    return run({"chem", "--format", "edgelist", file_with(text, "radical.el")}).out;
  };
  EXPECT_NE(chem("#! vertex C1\n").find("Why: C1 has no neighbour in it.\n"), std::string::npos);
  EXPECT_NE(chem("C1 C2\nC2 C3\n").find("Why: C1, C3 have only 1 neighbour in it: C2.\n"), std::string::npos);
}

std::string entry(const std::string& molfile) {
  return molfile + "$$$$\n";
}

std::string library_of_molecules(bool damaged) {
  std::string allene = v2000(carbons(3), {{1, 2, 2}, {2, 3, 2}}, "allene");
  if (damaged) allene.replace(allene.find("  1  2  2"), 9, "  1  9  2");
  return entry(v2000(carbons(6), ring(6), "benzene")) + entry(allene) +
         entry(v2000({"C", "C", "O"}, {{1, 2, 1}, {2, 3, 1}}, "ethanol")) +
         entry(v2000({"C", "C", "C."}, {{1, 2, 2}, {2, 3, 1}}, "=allyl")) +
         entry(v2000(carbons(10), testing::joined(ring(6), {{1, 7, 1}, {7, 8, 2}, {8, 9, 1}, {9, 10, 2}})));
}

TEST(Chem, MoleculesOfAFileAreRows) {
  const std::string sdf = file_with(library_of_molecules(false), "library.sdf");
  const Outcome table = run({"chem", sdf});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_EQ(table.err, "");
  EXPECT_EQ(table.out,
            "molecule     line      structures  unpaired  Clar  formula         title\n"
            "       1        1               2         0     1  -               benzene\n"
            "       2       19               1         0     0  -               allene\n"
            "       3       30    no pi system         -     -  -               ethanol\n"
            "       4       41               0         1     -  -               =allyl\n"
            "       5       53               2         0     1  -\n");
  EXPECT_EQ(run({"chem", "-"}, feeding(library_of_molecules(false))).out, table.out);
  const Outcome csv = run({"chem", sdf, "--csv"});
  EXPECT_EQ(
      csv.out,
      "molecule,line,title,formula,atoms,structures,unpaired,clar_number,clar_covers,no_pi_system,"
      "error\r\n"
      "1,1,benzene,,6,2,0,1,2 + x,,\r\n"
      "2,19,allene,,0,1,0,0,1,,\r\n"
      "3,30,ethanol,,,,,,,\"it has single bonds alone (in a skeleton without bond orders give the bonds "
      "the type 4, aromatic)\",\r\n"
      "4,41,'=allyl,,3,0,1,,,,\r\n"
      "5,53,,,10,2,0,1,2 + x,,\r\n");
}

TEST(Chem, ADamagedMoleculeIsARowAndTheRestGoesOn) {
  const std::string sdf = file_with(library_of_molecules(true), "damaged.sdf");
  const Outcome outcome = run({"chem", sdf, "--json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("molecule 2 (allene): "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find(":26: expected an atom from 1 to 3, found 9"), std::string::npos) << outcome.err;
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 5U);
  std::vector<std::string> keys;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto object = nlohmann::ordered_json::parse(lines[k]);
    std::vector<std::string> own;
    for (const auto& [key, value] : object.items()) own.push_back(key);
    if (k == 0) keys = own;
    EXPECT_EQ(own, keys);
    EXPECT_EQ(object["molecule"], k + 1);
    EXPECT_EQ(object["error"].is_null(), k != 1);
    EXPECT_EQ(object["structures"].is_null(), k == 1 || k == 2);
    EXPECT_EQ(object["no_pi_system"].is_null(), k != 2);
  }
  const auto error = nlohmann::ordered_json::parse(lines[1])["error"];
  EXPECT_EQ(error["file"], sdf);
  EXPECT_EQ(error["line"], 26);
  EXPECT_EQ(error["exit_code"], 2);
  const auto benzene = nlohmann::ordered_json::parse(lines[0]);
  EXPECT_EQ(benzene["bonds"].size(), 6U);
}

TEST(Chem, StructuresOfAllMoleculesAreInOneSdf) {
  const std::string sdf = file_with(library_of_molecules(false), "all.sdf");
  const std::string written = beside("all-structures.sdf");
  const Outcome outcome = run({"chem", sdf, "--structures", written});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("5 of 5 written"), std::string::npos) << outcome.err;
  const std::string text = file_text(written);
  for (const char* title : {"benzene 1\n", "benzene 2\n", "allene 1\n", "molecule 5 1\n", "molecule 5 2\n"})
    EXPECT_EQ(times(text, title), 1U) << title;
  const Outcome pictures = run({"chem", sdf, "--svg", beside("several.svg")});
  EXPECT_EQ(pictures.code, 2);
  EXPECT_NE(pictures.err.find("--svg draws one molecule"), std::string::npos) << pictures.err;
  EXPECT_FALSE(std::filesystem::exists(beside("several.svg")));
}

// What holds for molecules holds for graphs, which other formats have one after another.
TEST(Chem, GraphsOfAFileAreRows) {
  const Outcome outcome = run({"chem", file_with("E?~o\nCr\n", "two.g6"), "--csv"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 3U) << outcome.out;
  EXPECT_TRUE(lines[2].starts_with("2,2,Cr,,4,2,0,")) << lines[2];
}

TEST(Chem, AMoleculeWithoutAPiSystemIsAnAnswer) {
  const std::string ethanol = file_with(v2000({"C", "C", "O"}, {{1, 2, 1}, {2, 3, 1}}), "ethanol.mol");
  const Outcome outcome = run({"chem", ethanol});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with(
      "Kekule structures  none\n\nThe molecule has no pi system: it has single bonds"))
      << outcome.out;
  const auto object = nlohmann::ordered_json::parse(run({"chem", ethanol, "--json"}).out);
  EXPECT_TRUE(object["structures"].is_null());
  EXPECT_TRUE(object["no_pi_system"].is_string());
  EXPECT_EQ(run({ethanol}).code, 2) << "there is no graph to count matchings of";
  EXPECT_EQ(run({"chem", ethanol, "--structures", beside("none.sdf")}).code, 3);
}

TEST(Chem, CumulenesHaveOneStructure) {
  const std::string allene = file_with(v2000(carbons(3), {{1, 2, 2}, {2, 3, 2}}), "allene.mol");
  const Outcome outcome = run({"chem", allene});
  EXPECT_TRUE(outcome.out.starts_with("Kekule structures  1\n")) << outcome.out;
  EXPECT_NE(outcome.out.find("as in allene"), std::string::npos) << outcome.out;
  const std::string sdf = beside("allene.sdf");
  EXPECT_EQ(run({"chem", allene, "--structures", sdf}).code, 0);
  EXPECT_EQ(times(file_text(sdf), "  2  0\n"), 2U);
}

TEST(Chem, SmilesAreToldTheWayThatReadsThem) {
  const std::string file = file_with("c1ccccc1 benzene\n", "benzene.smi");
  for (const std::string& input : {file, std::string("c1cc[nH]c1"), std::string("F/C=C\\F")}) {
    const Outcome outcome = run({"chem", input});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("python3 -c \"import countpm; print("), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("'" + input + "'"), std::string::npos) << outcome.err;
  }
  for (const char* name : {"no-such-file", "C60.sdf", "[a'b]"})
    EXPECT_NE(run({"chem", name}).err.find("No such file"), std::string::npos) << name;
}

TEST(Chem, WeightsAreNotUsedAndANoteSaysSo) {
  for (const std::string& input :
       {std::string("lattice:square:2x2:weights=2,3"), file_with("a b 2\nb c\nc d\nd a\n", "heavy.el")}) {
    const Outcome outcome = run({"chem", input, "--report"});
    EXPECT_TRUE(outcome.out.starts_with("Kekule structures  2\n")) << outcome.out;
    EXPECT_NE(outcome.err.find("whatever the weights"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("--weights"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace countpm::test::chem_test
