// Polynomials at points: from random residues back, and counts beside the packed way modulo primes alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "kernels/arithmetic/prime_ring.hpp"
#include "src/api/entries.hpp"
#include "src/count/letter_reversal.hpp"
#include "src/library/countpm.hpp"
#include "src/number/point_residues.hpp"
#include "tests/repeats.hpp"

namespace countpm::point_residues_test {
namespace {

using Random = std::mt19937_64;

mpz_class random_below(unsigned bits, Random& random) {
  mpz_class number = 0;
  for (unsigned k = 0; k < bits; ++k) number = 2 * number + static_cast<unsigned long>(random() % 2);
  return number;
}

struct Packed {
  PackedForm form;
  std::vector<mpz_class> coefficient;

  mpz_class number() const {
    mpz_class sum = 0;
    for (std::size_t d = coefficient.size(); d-- > 0;)
      sum = (sum << (form.base_bits * form.parts)) + coefficient[d];
    return sum << (form.base_bits * form.offset);
  }
  /// The residue of the number over the denominator with the letter's point.
  uint128 residue(const Modulus& modulus, const LetterRoots& roots) const {
    const PrimeRing ring(modulus.prime);
    PrimeRing::Element letter = ring.one();
    const PrimeRing::Element root = ring.from_residue(roots.at(modulus.prime));
    for (unsigned k = 0; k < modulus.power_of_two; ++k) letter = ring.mul(letter, root);
    PrimeRing::Element step = ring.one();
    for (std::uint64_t k = 0; k < form.parts; ++k) step = ring.mul(step, letter);
    PrimeRing::Element sum = ring.zero();
    for (std::size_t d = coefficient.size(); d-- > 0;) {
      const mpz_class own = coefficient[d] % static_cast<unsigned long>(modulus.prime);
      sum = ring.add(ring.mul(sum, step), ring.from_int64(own.get_si()));
    }
    for (std::uint64_t k = 0; k < form.offset; ++k) sum = ring.mul(sum, letter);
    return ring.to_residue(ring.mul(sum, ring.inverse(ring.from_mpq(form.denominator))));
  }
};

/// Bounds that are met, and bounds that are far from it; of any shape.
Packed random_packed(Random& random) {
  Packed packed;
  PackedForm& form = packed.form;
  const std::size_t many = 1 + random() % 60;
  form.parts = std::uint64_t{1} << (random() % 3);
  form.offset = random() % 5;
  form.is_signed = random() % 2 == 0;
  form.palindromic = random() % 2 == 0;
  form.denominator = 1 + static_cast<unsigned long>(random() % 30);
  unsigned most = 0;
  for (std::size_t d = 0; d < many; ++d) {
    const std::size_t mirror = many - 1 - d;
    if (form.palindromic && mirror < d) {
      packed.coefficient.push_back(packed.coefficient[mirror]);
      form.log2_bounds.push_back(form.log2_bounds[mirror] + static_cast<double>(random() % 3));
      continue;
    }
    const auto bits = static_cast<unsigned>(random() % (random() % 4 == 0 ? 400 : 70));
    mpz_class value = random() % 3 == 0 ? mpz_class(mpz_class(1) << bits) : random_below(bits, random);
    if (random() % 8 == 0) value = 0;
    if (form.is_signed && random() % 2 == 0) value = -value;
    const bool zero = value == 0 && random() % 2 == 0;
    form.log2_bounds.push_back(zero ? -std::numeric_limits<double>::infinity() : bits);
    packed.coefficient.push_back(std::move(value));
    most = std::max(most, bits);
  }
  form.base_bits = (most + 8) / form.parts + 1;
  return packed;
}

TEST(PointResidues, GiveThePackedNumberBack) {
  const int repeats = testing::repeats(150);
  Random random(20261127);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Packed packed = random_packed(random);
    for (const unsigned bits : {29U, 50U}) {
      const auto points = PointResidues::choose(packed.form, bits);
      ASSERT_TRUE(points);
      Residues residues;
      for (const Modulus& modulus : points->arithmetic().moduli)
        residues.residue.push_back(packed.residue(modulus, *points->roots()));
      ASSERT_EQ(points->join(residues), packed.number()) << repeat << ", " << bits << " bits";
      // Every residue is needed: the last coefficient that any prime determines has that prime's points.
      if (residues.residue.empty()) continue;
      uint128& one = residues.residue[random() % residues.residue.size()];
      one = one == 0 ? 1 : one - 1;
      EXPECT_NE(points->join(residues), packed.number()) << repeat;
    }
  }
}

/// One thing that is not as it was.
void change(std::vector<PrimeWindow>& windows, Random& random) {
  const std::size_t k = random() % windows.size();
  switch (random() % 7) {
    case 0:
      windows.erase(windows.begin() + static_cast<std::ptrdiff_t>(k));
      break;
    case 1:
      windows.push_back(windows[k]);
      break;
    case 2:
      std::swap(windows[k], windows[random() % windows.size()]);
      break;
    case 3:
      windows[k].prime += 2 * (random() % 1000) + 1;
      break;
    case 4:
      windows[k].first += random() % 3;
      break;
    case 5:
      windows[k].last -= std::min<std::uint64_t>(random() % 3, windows[k].last);
      break;
    default:
      windows[k].points += random() % 2 == 0 ? 1 : -1;
      break;
  }
}

TEST(PointResidues, AreTakenFromOthersWhereTheyDetermineAll) {
  const int repeats = testing::repeats(300);
  Random random(20261129);
  int taken = 0;
  int refused = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Packed packed = random_packed(random);
    const unsigned bits = random() % 2 == 0 ? 29 : 50;
    const auto points = PointResidues::choose(packed.form, bits);
    ASSERT_TRUE(points);
    std::vector<PrimeWindow> windows = points->windows();
    const auto same = PointResidues::chosen(packed.form, windows, bits, true);
    ASSERT_TRUE(same);
    EXPECT_EQ(same->arithmetic().moduli, points->arithmetic().moduli);
    EXPECT_EQ(*same->roots(), *points->roots());
    EXPECT_EQ(same->windows(), windows);
    change(windows, random);
    const auto other = PointResidues::chosen(packed.form, windows, bits, true);
    ++(other ? taken : refused);
    if (!other) continue;
    Residues residues;
    for (const Modulus& modulus : other->arithmetic().moduli)
      residues.residue.push_back(packed.residue(modulus, *other->roots()));
    ASSERT_EQ(other->join(residues), packed.number()) << repeat;
  }
  EXPECT_GT(taken, 0);
  EXPECT_GT(refused, taken);
}

TEST(PointResidues, AreFewerWhereBoundsAreAndOfPalindromes) {
  PackedForm form;
  form.base_bits = 4010;
  form.log2_bounds.assign(401, 4000.0);
  const std::size_t all = PointResidues::choose(form, 50)->arithmetic().moduli.size();
  EXPECT_NEAR(static_cast<double>(all), 401 * 81, 401);
  form.palindromic = true;
  const std::size_t half = PointResidues::choose(form, 50)->arithmetic().moduli.size();
  EXPECT_NEAR(static_cast<double>(half), 201 * 81, 201);
  for (std::size_t d = 0; d < 401; ++d)
    form.log2_bounds[d] = 4000 - 20 * std::abs(static_cast<double>(d) - 200);
  EXPECT_NEAR(static_cast<double>(PointResidues::choose(form, 50)->arithmetic().moduli.size()),
              static_cast<double>(half) / 2, 201);
}

/// A part of a lattice of that many rows and columns: edges by direction, and diagonals where it is general.
std::string random_lattice(std::size_t rows, std::size_t columns, bool diagonals, Random& random) {
  const auto weight = [&](const char* letter) {
    const long number = 1 + static_cast<long>(random() % 3);
    const std::string text =
        random() % 4 == 0 ? fmt::format("-{}/{}", number, 1 + random() % 2) : std::to_string(number);
    const auto exponent = static_cast<int>(random() % 3) - (random() % 4 == 0 ? 1 : 0);
    return random() % 6 == 0 ? text : fmt::format("{}*{}^{}", text, letter, exponent);
  };
  const char* const letters[] = {"x", random() % 3 == 0 ? "y" : "x", "x"};
  std::string text;
  const auto add = [&](std::size_t a, std::size_t b, const char* letter) {
    if (random() % 12 != 0) text += fmt::format("{} {} {}\n", a, b, weight(letter));
  };
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const std::size_t v = r * columns + c;
      if (c + 1 < columns) add(v, v + 1, letters[0]);
      if (r + 1 < rows) add(v, v + columns, letters[1]);
      if (diagonals && r + 1 < rows && c + 1 < columns) add(v, v + columns + 1, letters[2]);
    }
  }
  return text;
}

CountResult counted(const Source& source, const char* method) {
  ReadOptions reading;
  reading.weights = true;
  CountOptions options;
  options.method = method;
  options.threads = 1;
  return count(source, reading, options);
}

void expect_same(const CountResult& found, const CountResult& expected, const std::string& text) {
  ASSERT_EQ(found.count, expected.count) << text;
  ASSERT_TRUE(found.polynomial && expected.polynomial);
  ASSERT_EQ(found.polynomial->terms.size(), expected.polynomial->terms.size()) << text;
  for (std::size_t k = 0; k < found.polynomial->terms.size(); ++k) {
    EXPECT_EQ(found.polynomial->terms[k].exponents, expected.polynomial->terms[k].exponents) << text;
    EXPECT_EQ(found.polynomial->terms[k].coefficient, expected.polynomial->terms[k].coefficient) << text;
  }
}

bool at_points(const CountResult& result) {
  return std::any_of(result.blocks.begin(), result.blocks.end(), [](const BlockReport& block) {
    return block.arithmetic.find(" points each") != std::string::npos;
  });
}

TEST(PointResidues, CountWhatPackedNumbersCount) {
  const int repeats = testing::repeats(60);
  Random random(20261128);
  int with_points = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const bool general = random() % 2 == 0;
    const std::size_t rows = 2 + random() % 5;
    const std::string text = random_lattice(rows, 2 * (1 + random() % 4), general, random);
    const Source source = Source::from_bytes(text);
    const CountResult points = counted(source, "planar");
    const CountResult packed = counted(source, "condensation");
    with_points += at_points(points) ? 1 : 0;
    EXPECT_FALSE(at_points(packed));
    expect_same(points, packed, text);
  }
  EXPECT_GT(with_points, repeats / 5);
}

/// A board of which no reduction and no other method makes less.
std::string board(int side) {
  std::string text;
  for (int r = 0; r < side; ++r) {
    for (int c = 0; c < side; ++c) {
      const int v = r * side + c;
      if (c + 1 < side) text += fmt::format("{} {} {}\n", v, v + 1, r == 0 ? "-1/3*x" : "2*x");
      if (r + 1 < side) text += fmt::format("{} {} 1\n", v, v + side);
    }
  }
  return text;
}

/// A random input as a file, and journals beside it; they go away.
class InFiles {
 public:
  explicit InFiles(Random& random)
      : folder_(std::filesystem::temp_directory_path() / fmt::format("countpm-letters-{:016x}", random())) {
    std::filesystem::create_directories(folder_);
    reading_.weights = true;
    options_.threads = 1;
  }
  ~InFiles() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  InFiles(const InFiles&) = delete;
  InFiles& operator=(const InFiles&) = delete;

  CountOptions& options() { return options_; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  Source write(const std::string& text) const {
    std::ofstream(path("graph.edges")) << text;
    return Source::from_argument(path("graph.edges"));
  }
  CountResult count_with(const Source& source, const CheckpointOptions& checkpoint) const {
    CountOptions own = options_;
    own.checkpoint = checkpoint;
    return count(source, reading_, own);
  }
  /// Some records of the journal are lost, and one is damaged.
  void lose_some(const std::string& file, Random& random) const {
    std::ifstream in(file);
    std::string kept;
    std::string line;
    for (int k = 0; std::getline(in, line); ++k) {
      if (k >= 2 && line.find("\"elapsed\"") != std::string::npos) continue;
      if (k >= 2 && random() % 3 == 0) continue;
      if (k >= 2 && random() % 4 == 0) line[random() % line.size()] ^= 1;
      kept += line + "\n";
    }
    in.close();
    std::ofstream(file) << kept;
  }
  CountResult count_in_parts(const Source& source, std::size_t parts) const {
    CheckpointOptions merging;
    for (std::size_t k = 0; k < parts; ++k) merging.merge.push_back(path(fmt::format("{}.part", k)));
    split(source, reading_, options_, merging.merge);
    for (const std::string& file : merging.merge) {
      CountOptions own = options_;
      own.checkpoint.file = file;
      own.checkpoint.resume = true;
      resume_part(source, reading_, own);
    }
    return count_with(source, merging);
  }

 private:
  std::filesystem::path folder_;
  ReadOptions reading_;
  CountOptions options_;
};

TEST(PointResidues, GoOnFromJournalsAndInParts) {
  const int repeats = testing::repeats(30);
  Random random(20261130);
  int with_points = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const std::size_t rows = 2 + random() % 5;
    const std::string lattice = random_lattice(rows, 2 * (1 + random() % 4), random() % 2 == 0, random);
    const std::string text = repeat == 0 ? board(8) : lattice;
    InFiles files(random);
    files.options().method = repeat > 0 && random() % 3 == 0 ? "auto" : "planar";
    files.options().double_check = random() % 4 == 0;
    const Source source = files.write(text);
    const CountResult expected = files.count_with(source, {});
    CheckpointOptions checkpoint;
    checkpoint.file = files.path("journal");
    const CountResult first = files.count_with(source, checkpoint);
    with_points += at_points(first) ? 1 : 0;
    EXPECT_EQ(at_points(first), at_points(expected)) << text;
    expect_same(first, expected, text);
    files.lose_some(checkpoint.file, random);
    checkpoint.resume = true;
    expect_same(files.count_with(source, checkpoint), expected, text);
    expect_same(files.count_in_parts(source, 1 + random() % 4), expected, text);
  }
  EXPECT_GT(with_points, 0);  // the first
}

// Not reduced, with as many primes and points; by a method that was not asked for, where it is clear which.
TEST(PointResidues, AreThoseThatExplainSays) {
  struct Case {
    const char* lattice;
    const char* method;
  };
  for (const Case& c : {Case{"square:14x14:weights=x,1", "auto"}, Case{"square:4x40:weights=x,3", "planar"},
                        Case{"triangular:6x6:weights=x,1,1/2", "planar"},
                        Case{"square:12x10:weights=x,-1", "condensation"}}) {
    SCOPED_TRACE(c.lattice);
    if (testing::sanitized && std::string(c.lattice).starts_with("square:4x40")) continue;
    const Source source = Source::from_argument("lattice:" + std::string(c.lattice));
    CountOptions options;
    options.method = c.method;
    options.threads = 1;
    options.device = "cpu";
    const Explanation explanation = explain(source, {}, options);
    const CountResult found = count(source, {}, options);
    ASSERT_EQ(explanation.blocks.size(), found.blocks.size());
    ASSERT_EQ(found.blocks.size(), 1U);
    EXPECT_EQ(explanation.blocks[0].arithmetic, found.blocks[0].arithmetic);
    EXPECT_EQ(at_points(found), std::string(c.method) != "condensation");
    int chosen = 0;
    for (const MethodForecast& method : explanation.blocks[0].methods) {
      if (!method.chosen) continue;
      ++chosen;
      EXPECT_EQ(method.method, found.blocks[0].method);
      EXPECT_EQ(method.log10_seconds, explanation.log10_total_seconds);
    }
    EXPECT_EQ(chosen, 1);
  }
}

/// Every coefficient, beside a count with a number in the letter's place that is larger than all of them.
void expect_coefficients(const std::string& lattice, const std::string& points) {
  const Source source = Source::from_argument("lattice:" + lattice);
  const CountResult found = counted(source, "planar");
  ASSERT_FALSE(found.blocks.empty());
  EXPECT_NE(found.blocks[0].arithmetic.find(points), std::string::npos) << found.blocks[0].arithmetic;
  mpz_class largest = 1;
  for (const PolynomialTerm& term : found.polynomial->terms) {
    ASSERT_EQ(term.coefficient.get_den(), 1);
    if (term.coefficient > largest) largest = term.coefficient.get_num();
  }
  ReadOptions numbers;
  numbers.at = {"x=1" + std::string(largest.get_str().size() + 1, '0')};
  const mpz_class base(numbers.at[0].substr(2));
  mpz_class sum = 0;
  for (const PolynomialTerm& term : found.polynomial->terms) {
    mpz_class power;
    mpz_pow_ui(power.get_mpz_t(), base.get_mpz_t(), static_cast<unsigned long>(term.exponents[0]));
    sum += term.coefficient.get_num() * power;
  }
  CountOptions options;
  options.threads = 1;
  EXPECT_EQ(count(source, numbers, options).count, sum.get_str());
}

// 26 coefficients, of which 13 are computed, at the first 14 of 27 points; a rectangle has no symmetry that
// reverses it, nor has a board where one direction counts more.
TEST(PointResidues, OfBoardsTakeHalfOfThePoints) {
  expect_coefficients("square:10x10:weights=x,1", " at up to 14 points each");
  expect_coefficients("square:10x10:weights=3*x,1", " at up to 27 points each");
  expect_coefficients("square:8x12:weights=x,1", " points each");
  expect_coefficients("torus:6x8:weights=x,1", " points each");
}

// So many coefficients that each has a bound of its own.
TEST(PointResidues, OfLargeBoardsHaveBoundsOfTheirOwn) {
  expect_coefficients("square:30x30:weights=x,1", " at up to 11");
  if (!testing::sanitized) expect_coefficients("square:24x36:weights=x,1", " points each");
}

TEST(PointResidues, AuditAndDoubleCheckRunThem) {
  CountOptions options;
  options.method = "planar";
  options.audit_share = 1;
  options.double_check = true;
  const CountResult result = count(Source::from_argument("lattice:square:8x8:weights=x,1"), {}, options);
  ASSERT_TRUE(at_points(result));
  ASSERT_TRUE(result.audit);
  EXPECT_EQ(result.polynomial->terms.size(), 17U);
}

/// A board with the places 1 and 2 for the weights of its directions.
Block<std::int64_t> board(std::size_t rows, std::size_t columns) {
  Block<std::int64_t> block;
  block.general = true;
  SparseMatrix<std::int64_t>& matrix = block.matrix;
  matrix.rows = matrix.columns = static_cast<Index>(rows * columns);
  matrix.row_start.assign(1, 0);
  for (std::size_t v = 0; v < rows * columns; ++v) {
    const auto add = [&](std::size_t u, std::int64_t place) {
      matrix.column.push_back(static_cast<Index>(u));
      matrix.value.push_back(place);
    };
    if (v >= columns) add(v - columns, 1);
    if (v % columns != 0) add(v - 1, 2);
    if (v % columns + 1 != columns) add(v + 1, 2);
    if (v + columns < rows * columns) add(v + columns, 1);
    matrix.row_start.push_back(matrix.column.size());
  }
  return block;
}

TEST(LetterReversal, IsFoundWhereDirectionsAreExchanged) {
  LetterWeights letters;
  letters.letters = "x";
  letters.weight.resize(4);
  letters.weight[2].exponent[0] = 1;
  letters.weight[3].coefficient = 2;
  EXPECT_EQ(letter_reversal(board(6, 6), letters), std::vector<std::int64_t>{18});
  EXPECT_EQ(letter_reversal(board(7, 8), letters), std::nullopt);
  // Of other weight, one edge breaks the symmetry; so do coefficients that differ by direction.
  Block<std::int64_t> broken = board(6, 6);
  for (const auto& [row, column] : {std::pair<Index, Index>{0, 1}, {1, 0}}) {
    for (std::uint64_t k = broken.matrix.row_start[row]; k < broken.matrix.row_start[row + 1]; ++k) {
      if (broken.matrix.column[k] == column) broken.matrix.value[k] = 3;
    }
  }
  EXPECT_EQ(letter_reversal(broken, letters), std::nullopt);
  letters.weight[2].coefficient = 5;
  EXPECT_EQ(letter_reversal(board(6, 6), letters), std::nullopt);
}

}  // namespace
}  // namespace countpm::point_residues_test
