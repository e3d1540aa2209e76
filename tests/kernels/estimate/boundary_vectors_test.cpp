// The boundary's vectors: the same bits with every instruction set of this processor, and the sums that they
// are to be.
#include "kernels/estimate/boundary/vectors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernels/support/instruction_sets.hpp"
#include "tests/repeats.hpp"

namespace countpm::boundary_vectors {
namespace {

std::vector<const Code*> codes_here() {
  std::vector<const Code*> codes{&baseline::code};
#ifdef __x86_64__
  if (processor_has(InstructionSet::avx2)) codes.push_back(&avx2::code);
  if (processor_has(InstructionSet::avx512)) codes.push_back(&avx512::code);
#endif
  return codes;
}

template <class Real>
std::vector<Real> numbers(std::mt19937_64& random, Size size) {
  std::vector<Real> result(size);
  for (Real& x : result) x = random() % 5 == 0 ? Real(0) : std::normal_distribution<Real>()(random);
  return result;
}

TEST(BoundaryVectors, TheSameBitsWithEveryInstructionSet) {
  std::mt19937_64 random(5);
  for (int repeat = 0; repeat < testing::repeats(60); ++repeat) {
    const Size rows = 1 + random() % 40;
    const Size columns = 1 + random() % 70;
    const auto matrix = numbers<double>(random, rows * columns);
    const auto row = numbers<double>(random, columns);
    const auto other = numbers<double>(random, columns * rows);
    const auto floats = numbers<float>(random, rows * columns);
    const auto across = numbers<float>(random, rows);
    const auto along = numbers<float>(random, columns);
    struct Results {
      double dot;
      float dot_of_floats;
      std::vector<double> product, rest, part, turned, square;
      bool turning;
      std::vector<float> row_product, column_product;
      bool operator==(const Results&) const = default;
    };
    const auto results_of = [&](const Code& code) {
      Results result{};
      result.dot = code.dot(matrix.data(), row.data(), columns);
      result.dot_of_floats = code.dot_of_floats(floats.data(), along.data(), columns);
      result.product.assign(rows * rows, 1.0);
      code.add_product(matrix.data(), other.data(), rows, columns, rows, result.product.data());
      result.rest = row;
      result.part.assign(rows, 0.0);
      code.take_out(matrix.data(), rows, columns, result.rest.data(), result.part.data());
      result.turned = matrix;
      for (Size i = 0; i < rows; ++i)
        result.square.push_back(code.dot(matrix.data() + i * columns, matrix.data() + i * columns, columns));
      result.turning =
          code.rotate_all(result.turned.data(), rows, columns, result.square.data(), 1e-30, 1e-11);
      result.row_product.assign(columns, 7.0F);
      code.row_times(across.data(), floats.data(), rows, columns, result.row_product.data());
      result.column_product.assign(rows, 7.0F);
      code.times_column(floats.data(), along.data(), rows, columns, result.column_product.data());
      return result;
    };
    const Results expected = results_of(baseline::code);
    for (const Code* code : codes_here())
      EXPECT_TRUE(results_of(*code) == expected) << rows << " " << columns;
    double dot = 0;
    float row_product = 0;
    float column_product = 0;
    double product = 1;
    for (Size j = 0; j < columns; ++j) {
      dot += matrix[j] * row[j];
      product += matrix[j] * other[j * rows];
      column_product += floats[j] * along[j];
    }
    for (Size i = 0; i < rows; ++i) row_product += floats[i * columns] * across[i];
    EXPECT_NEAR(expected.dot, dot, 1e-11);
    EXPECT_NEAR(expected.product[0], product, 1e-11);
    EXPECT_NEAR(expected.column_product[0], column_product, 1e-3);
    EXPECT_NEAR(expected.row_product[0], row_product, 1e-3);
  }
}

}  // namespace
}  // namespace countpm::boundary_vectors
