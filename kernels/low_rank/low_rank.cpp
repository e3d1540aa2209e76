#include "kernels/low_rank/low_rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/low_rank/block_shape.hpp"
#include "kernels/support/pass_rates.hpp"
#include "matching/pattern_of.hpp"

namespace countpm {
namespace {

using low_rank::BlockShape;

constexpr Index most_rows_of_low_rank = 1024;
// Beyond, tables fit no memory.
constexpr double most_log2_terms = 40;
// With more, runs are so short that vectors gain nothing.
constexpr std::uint64_t most_letters_in_lanes = 9;

bool has_lanes(const Arithmetic& arithmetic) {
  return std::all_of(arithmetic.moduli.begin(), arithmetic.moduli.end(),
                     [](const Modulus& modulus) { return modulus.prime >> low_rank::lane_prime_bits == 0; });
}

/// Rows without a column in common are independent, and there are so many at least.
double least_rank(const SparsePattern& pattern) {
  std::vector<std::uint64_t> in_column(pattern.columns, 0);
  for (const Index j : pattern.column) ++in_column[j];
  std::uint64_t widest = 1;
  for (Index i = 0; i < pattern.rows; ++i)
    widest = std::max(widest, pattern.row_start[i + std::uint64_t{1}] - pattern.row_start[i]);
  const std::uint64_t highest =
      in_column.empty() ? 1
                        : std::max<std::uint64_t>(1, *std::max_element(in_column.begin(), in_column.end()));
  return static_cast<double>(pattern.rows) / (static_cast<double>(widest) * static_cast<double>(highest));
}

void mix(std::uint64_t& hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
  hash ^= hash >> 29;
}
void mix(std::uint64_t& hash, std::int64_t value) {
  mix(hash, static_cast<std::uint64_t>(value));
}
void mix(std::uint64_t& hash, const mpz_class& value) {
  mix(hash, static_cast<std::uint64_t>(mpz_fdiv_ui(value.get_mpz_t(), 0xffffffffffffffc5U)));
}
void mix(std::uint64_t& hash, const mpq_class& value) {
  mix(hash, mpz_class(value.get_num()));
  mix(hash, mpz_class(value.get_den()));
}
void mix(std::uint64_t& hash, const ComplexRational& value) {
  mix(hash, value.re);
  mix(hash, value.im);
}

/// A prime of 61 bits that depends on all entries: none can be made to have a small rank modulo it and a
/// larger one over the rationals. It divides no denominator.
std::uint64_t prime_of(const AnyBlock& block) {
  std::uint64_t hash = pattern_of(block).rows;
  for (const Index j : pattern_of(block).column) mix(hash, std::uint64_t{j});
  std::visit(
      [&](const auto& given) {
        for (const auto& value : given.matrix.value) mix(hash, value);
      },
      block);
  mpz_class prime = hash >> 4 | std::uint64_t{1} << 60;
  Arithmetic alone;
  do {
    mpz_nextprime(prime.get_mpz_t(), prime.get_mpz_t());
    alone.moduli = {{prime.get_ui(), 0}};
  } while (obstacle(block, alone));
  return prime.get_ui();
}

/// Modulo another prime the rank is hardly ever larger: that of the rationals is at least each of them.
std::optional<BlockShape> shape_of(const AnyBlock& block) {
  if (least_rank(pattern_of(block)) > static_cast<double>(low_rank::most_rank)) return std::nullopt;
  return low_rank::shape_of(PrimeRing(prime_of(block)), block);
}

class LowRankJob : public Job, public Repeatable {
 public:
  LowRankJob(AnyBlock block, const Arithmetic& arithmetic, BlockShape shape)
      : block_(std::move(block)),
        arithmetic_(arithmetic),
        unit_moduli_(arithmetic.moduli),
        shape_(std::move(shape)),
        lanes_(has_lanes(arithmetic) && shape_.row_product().letters <= most_letters_in_lanes) {}

  /// A prime each.
  std::uint64_t units() const override { return unit_moduli_.size(); }
  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    Residues result;
    result.residue.assign(arithmetic_.moduli.size(), 0);
    for (std::size_t k = 0; k < arithmetic_.moduli.size(); ++k) {
      if (!(arithmetic_.moduli[k] == unit_moduli_[unit])) continue;
      const PrimeRing ring(unit_moduli_[unit].prime);
      WorkMeter meter(stop);
      result.residue[k] = ring.to_residue(*low_rank::count_modulo(ring, block_, shape_, lanes_, meter));
    }
    return result;
  }
  double log2_work() const override {
    return std::log2(std::max(shape_.multiplications(), 1.0) * passes_of(arithmetic_));
  }
  /// AMD EPYC, one core beside other work, 2026-11-29: with more letters vectors are shorter.
  double nominal_rate() const override {
    const auto letters = static_cast<double>(shape_.row_product().letters);
    return lanes_ ? 1.2e9 / (1 + letters * letters / 36) : 5e8;
  }
  double measured_rate(double seconds) const override {
    const PrimeRing ring(arithmetic_.moduli.front().prime);
    return low_rank::FormProduct::measured_rate(shape_.row_product(), ring, lanes_, seconds,
                                                stop_signal_here());
  }
  std::uint64_t bytes_per_thread() const override { return shape_.bytes(lanes_) + 4096; }
  std::string describe() const override {
    std::string text = fmt::format("rank {}", shape_.rank);
    const auto add = [&](std::size_t number, const char* one, const char* several, const char* joint) {
      if (number != 0) text += fmt::format(" {} {} {}", joint, number, number == 1 ? one : several);
    };
    if (shape_.general) {
      add(shape_.rows_beside.size(), "vertex", "vertices", "beside");
    } else {
      add(shape_.rows_beside.size(), "row", "rows", "beside");
      add(shape_.columns_beside.size(), "column", "columns", shape_.rows_beside.empty() ? "beside" : "and");
    }
    return fmt::format("{}, 2^{:.1f} terms", text, shape_.log2_terms());
  }

  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    auto job = std::make_unique<LowRankJob>(*this);
    job->arithmetic_ = arithmetic;
    job->lanes_ = false;
    return job;
  }
  std::string_view other_code() const override { return "numbers of 64 bits, one after another"; }

 private:
  AnyBlock block_;
  Arithmetic arithmetic_;
  std::vector<Modulus> unit_moduli_;
  BlockShape shape_;
  bool lanes_;
};

class LowRank : public Method {
 public:
  std::string_view name() const override { return "low-rank"; }
  std::string_view summary() const override {
    return "a product of linear forms; matrices and graphs of small rank, beside a few rows, columns or "
           "vertices";
  }
  std::string_view complexity() const override {
    return "O(C(n+r-1, r) 2^s) time and O(C(n+r-1, r-1) 2^s) memory, r the rank, s the rows beside";
  }
  std::string_view reference() const override {
    return "A. I. Barvinok, Two algorithmic results for the traveling salesman problem, Math. Oper. Res. 21 "
           "(1996) 65-84";
  }
  std::string_view work_name() const override { return "multiplications"; }
  MethodTraits traits() const override {
    MethodTraits traits;
    traits.prime_bits = low_rank::lane_prime_bits;
    traits.for_dense_blocks = true;
    return traits;
  }
  double setup_seconds() const override { return 0.002; }  // it eliminates rows
  bool counts_general_graphs() const override { return true; }
  bool counts_monomers() const override { return true; }

  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    if (auto why = obstacle_of_kind(block, arithmetic)) return why;
    const auto shape = shape_of(block);
    if (!shape)
      return Refusal{RefusalKind::structure,
                     fmt::format("the block's rank is above {}", low_rank::most_rank)};
    if (shape->log2_terms() > most_log2_terms)
      return Refusal{RefusalKind::too_large, fmt::format("the block's rank is {}, which makes 2^{:.0f} terms",
                                                         shape->rank, shape->log2_terms())};
    return std::nullopt;
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions&) const override {
    auto shape = shape_of(block);
    if (!shape) throw std::logic_error("low-rank: a job for a block that it does not take");
    return std::make_unique<LowRankJob>(block, arithmetic, *std::move(shape));
  }

 private:
  static std::optional<Refusal> obstacle_of_kind(const AnyBlock& block, const Arithmetic& arithmetic) {
    if (arithmetic.kind == Arithmetic::Kind::floating)
      return Refusal{RefusalKind::arithmetic,
                     "a rank is small by exact cancellation, and rounded numbers have none (--exact counts "
                     "decimals as the fractions that they spell)"};
    if (tiles_of(block) != 0)
      return Refusal{RefusalKind::structure, "it counts matchings, and this block has sets of other sizes"};
    const auto prime = [](const Modulus& modulus) { return modulus.prime != 0; };
    if (!std::all_of(arithmetic.moduli.begin(), arithmetic.moduli.end(), prime))
      return Refusal{RefusalKind::arithmetic, "it divides, which takes primes"};
    if (auto why = countpm::obstacle(block, arithmetic)) return why;
    const Index rows = pattern_of(block).rows;
    if (rows > most_rows_of_low_rank)
      return Refusal{
          RefusalKind::too_large,
          fmt::format("the block has {} rows, and {} is the most for low-rank", rows, most_rows_of_low_rank)};
    return std::nullopt;
  }
};

}  // namespace

const Method& low_rank_method() {
  static const LowRank method;
  return method;
}

}  // namespace countpm
