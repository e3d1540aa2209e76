// shift against the oracle, against ryser, with any shift and order, in every instruction set, and beyond 64
// rows.
#include "kernels/shift/shift.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/exact/ryser.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;

const Arithmetic two_primes = residues_modulo({first_prime, second_prime});

Residues shifted(const AnyBlock& block, const Arithmetic& arithmetic, const ShiftChoice& choice = {}) {
  return run_residues(*make_shift_job(block, arithmetic, 1, choice), arithmetic);
}

TEST(Shift, IntegersAgreeWithTheOracle) {
  Random random(51);
  for (int round = 0; round < 2000; ++round) {
    const auto block = random_integers(random, static_cast<Index>(below(random, 10)), below(random, 2) == 0);
    const mpq_class expected = permanent_by_states(block);
    const Arithmetic arithmetic = some_residues(random());
    ASSERT_EQ(shifted(block, arithmetic), residues_of(expected, arithmetic)) << "round " << round << "\n"
                                                                             << text_of(block);
  }
}

TEST(Shift, RationalsAgreeWithTheOracle) {
  Random random(52);
  for (int round = 0; round < 300; ++round) {
    const auto block =
        random_block<mpq_class>(random, static_cast<Index>(below(random, 8)), 0.5, below(random, 2) == 0,
                                [&] { return random_rational(random); });
    ASSERT_EQ(shifted(block, two_primes), residues_of(permanent_by_states(block), two_primes))
        << "round " << round << "\n"
        << text_of(block);
  }
}

TEST(Shift, AgreesWithRyserOnWiderBlocks) {
  Random random(53);
  for (int round = 0; round < 60; ++round) {
    const auto n = static_cast<Index>(12 + below(random, 8));
    const auto block =
        round % 4 == 0
            ? random_block<std::int64_t>(random, n, 0.3, false,
                                         [&] { return static_cast<std::int64_t>(below(random, 3)) - 3; })
            : random_pattern(random, n, 0.1 + 0.1 * static_cast<double>(below(random, 10)));
    ASSERT_EQ(shifted(block, two_primes),
              run_residues(*ryser_method().make_job(block, two_primes, {}), two_primes))
        << "round " << round << "\n"
        << text_of(block);
  }
}

/// The identity behind the method: x may be any vector of integers, and the columns come in any order.
TEST(Shift, AnyShiftAndAnyOrderCountTheSame) {
  Random random(54);
  for (int round = 0; round < 400; ++round) {
    const auto n = static_cast<Index>(1 + below(random, 14));
    const auto block = random_block<std::int64_t>(
        random, n, 0.2 + 0.1 * static_cast<double>(below(random, 7)), true,
        [&] { return round % 2 == 0 ? std::int64_t{1} : static_cast<std::int64_t>(below(random, 7)) - 3; });
    const std::uint64_t reach = std::vector<std::uint64_t>{2, 10, 200, 40000}[below(random, 4)];
    ShiftChoice choice;
    choice.most_tail_columns = static_cast<unsigned>(below(random, 10));
    choice.order.resize(n);
    std::iota(choice.order.begin(), choice.order.end(), Index{0});
    std::shuffle(choice.order.begin(), choice.order.end(), random);
    for (Index i = 0; i < n; ++i)
      choice.shift.push_back(static_cast<std::int64_t>(below(random, 2 * reach + 1)) -
                             static_cast<std::int64_t>(reach));
    const mpq_class expected = permanent_by_states(block);
    const Arithmetic arithmetic = some_residues(random());
    ASSERT_EQ(shifted(block, arithmetic, choice), residues_of(expected, arithmetic))
        << "round " << round << " tail " << choice.most_tail_columns << "\n"
        << text_of(block);
  }
}

TEST(Shift, EveryPathCountsTheSame) {
  Random random(55);
  for (int round = 0; round < 60; ++round) {
    const auto n = static_cast<Index>(8 + below(random, 8));
    const bool wide = round % 2 == 1;
    const auto block = random_block<std::int64_t>(random, n, 0.4, round % 3 != 0, [&] {
      return static_cast<std::int64_t>(1 + below(random, wide ? 40 : 2));
    });
    const Residues expected = residues_of(permanent_by_states(block), two_primes);
    for (const LaneChoice lanes :
         {LaneChoice::scalar, LaneChoice::baseline, LaneChoice::avx2, LaneChoice::avx512}) {
      if (!lanes_supported(lanes)) continue;
      ShiftChoice choice;
      choice.lanes = lanes;
      ASSERT_EQ(shifted(block, two_primes, choice), expected)
          << "round " << round << " lanes " << static_cast<int>(lanes) << "\n"
          << text_of(block);
    }
  }
}

}  // namespace
}  // namespace countpm
