#pragma once
// Runs a codegen program on the CPU, step for step as the generated code does: the same groups, the same
// limbs.
#include <gmpxx.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/published/codegen/program.hpp"

namespace countpm::codegen {

/// totals: [limb][thread], each thread's a number modulo 2^(32 limbs). Their sum, in two's complement.
/// threads < 2^32.
mpz_class sum_of_totals(const std::vector<std::uint32_t>& totals, unsigned limbs);

/// One thread's row sums in global memory, among the interleaved ones of others.
struct GlobalRows {
  std::int32_t* base = nullptr;
  std::size_t stride = 1;
  std::int32_t& operator[](unsigned i) const { return base[i * stride]; }
};

/// One a thread; the program must outlive it.
class Interpreter {
 public:
  explicit Interpreter(const Program& program);

  /// total += the terms of one item, negated where `minus`: a number modulo 2^(32 limbs), lowest limb first.
  /// starts: by place, without any of the program's columns; choice: bit c for column walked + c. `globals`
  /// has rows - registers places, whose contents are lost. O(2^walked (rows + limbs^2)).
  void add_item(const std::int32_t* starts, std::uint64_t choice, bool minus, const GlobalRows& globals,
                std::uint32_t* total);

 private:
  using Limbs = std::vector<std::uint32_t>;

  /// A signed product as sign and magnitude.
  struct Signed {
    bool minus = false;
    Limbs magnitude;
  };

  void flip(const std::vector<RowAdd>& column, int sign, const GlobalRows& globals);
  std::int32_t group_product(const Group& group, const GlobalRows& globals) const;
  void multiply(Limbs& product, const Limbs& factor);
  void multiply_group(Signed& product, std::int32_t group);
  void multiply_unrolled(Signed& product);
  void refresh(const GlobalRows& globals);
  void add_term(bool minus, std::uint32_t* total);

  const Program& program_;
  std::vector<std::int32_t> sums_;                // of the register rows
  std::vector<std::vector<std::int32_t>> shift_;  // by state of the unrolled columns and place: what they add
  Signed global_product_;
  Signed product_;
  Limbs scratch_;
};

}  // namespace countpm::codegen
