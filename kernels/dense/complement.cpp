#include "kernels/dense/complement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "graph/errors.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/dense/complement_graph.hpp"
#include "kernels/dense/rook_numbers.hpp"
#include "kernels/dense/rook_order.hpp"

namespace countpm {
namespace {

using Clock = std::chrono::steady_clock;

// A full block of so many rows takes 2 s to read into a graph, and 0.5 GB.
constexpr Index most_rows = 4096;
// Wider frontiers are forecast, not planned: their tables fit no memory.
constexpr unsigned most_width = 44;
// Below 2^22 additions (some milliseconds) a better order saves less than it costs to find.
constexpr double log2_work_worth_annealing = 22;
// The first annealing: moves x (vertices + edges), some 0.1 s.
constexpr double first_annealing = 3e7;

/// sum over k of (-1)^k (n - k)! r_k, modulo `modulus` where that is not 0. By Horner's rule over m = n - k.
mpz_class factorial_sum(const std::vector<mpz_class>& numbers, Index n, const mpz_class& modulus) {
  mpz_class sum = 0;
  for (std::uint64_t m = n + std::uint64_t{1}; m-- > 0;) {
    const std::uint64_t k = n - m;
    sum *= static_cast<unsigned long>(m + 1);
    if (k < numbers.size()) sum += k % 2 == 0 ? numbers[k] : mpz_class(-numbers[k]);
    if (modulus != 0) mpz_fdiv_r(sum.get_mpz_t(), sum.get_mpz_t(), modulus.get_mpz_t());
  }
  return sum;
}

class ComplementJob : public Job {
 public:
  ComplementJob(const AnyBlock& block, const Arithmetic& arithmetic, const MethodOptions& options)
      : graph_(complement_graph(block)),
        arithmetic_(arithmetic),
        options_(options),
        order_(graph_, options.seed) {
    if (order_.forecast().log2_work > log2_work_worth_annealing) {
      const double size = graph_.vertices() + static_cast<double>(graph_.neighbour.size());
      order_.anneal(static_cast<std::uint64_t>(first_annealing / size));
    }
    plan_order();
  }

  std::uint64_t units() const override { return exact_ ? 1 : arithmetic_.moduli.size(); }
  bool wide() const override { return exact_; }
  double speed_up(int threads) const override {
    if (!exact_) return Job::speed_up(threads);
    // Small tables are filled by one thread.
    return log2_work() < log2_work_worth_annealing ? 1.0 : std::pow(std::max(threads, 1), 0.9);
  }

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    stop.check();
    const std::uint64_t bytes = exact_ ? bytes_shared() : bytes_per_thread();
    if (!plan_ || bytes > options_.memory_bytes) {
      throw UnableError(fmt::format("complement needs tables of 2^{:.0f} numbers, more than the memory limit",
                                    order_.forecast().log2_peak),
                        "another method or a higher --memory-limit");
    }
    RookRun run;
    run.stop = &stop;
    run.plain = graph_.plain;
    if (exact_) {
      run.threads = options_.threads;
      run.predicted = additions_;
      const mpz_class sum = factorial_sum(rook_numbers(*plan_, run), graph_.size, 0);
      return from_factor(factor() * mpq_class(sum), arithmetic_);
    }
    const Modulus& modulus = arithmetic_.moduli[unit];
    std::vector<mpz_class> numbers;
    for (const uint128 number : rook_numbers(*plan_, modulus, run)) numbers.push_back(to_mpz(number));
    Arithmetic own;
    own.moduli = {modulus};
    const mpz_class sum = factorial_sum(numbers, graph_.size, to_mpz(modulus));
    Partial share = from_factor(factor(), own);
    multiply(share, from_factor(mpq_class(sum), own), own);
    Residues result;
    result.residue.assign(arithmetic_.moduli.size(), 0);
    result.residue[unit] = std::get<Residues>(share).residue[0];
    return result;
  }

  double log2_work() const override {
    const double one = plan_ ? std::log2(additions_) : order_.forecast().log2_work;
    return one + std::log2(static_cast<double>(units()));
  }
  double nominal_rate() const override {
    if (!plan_) return graph_.plain ? 1e9 : 2e8;
    return additions_ / rook_seconds(*plan_, exact_, graph_.plain, additions_);
  }
  /// Times the first steps, whose vectors are short and tables small, and goes on from there by nominal
  /// figures.
  double measured_rate(double seconds) const override {
    if (!plan_) return nominal_rate();
    const auto start = Clock::now();
    double expected = 0;
    double elapsed = 0;
    do {
      RookRun run;
      run.plain = graph_.plain;
      run.seconds = std::max(seconds - elapsed, 1e-6);
      if (exact_) {
        rook_numbers(*plan_, run);
      } else {
        rook_numbers(*plan_, arithmetic_.moduli[0], run);
      }
      expected += rook_seconds(*plan_, exact_, graph_.plain, static_cast<double>(run.added) + 1);
      elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    } while (elapsed < seconds);
    return nominal_rate() * expected / elapsed;
  }

  std::uint64_t bytes_per_thread() const override { return exact_ ? 4096 : table_bytes_ + 4096; }
  std::uint64_t bytes_shared() const override { return exact_ ? table_bytes_ : 0; }

  bool improvable() const override { return log2_work() > log2_work_worth_annealing; }
  void improve(double seconds, const StopSignal& stop) override {
    WorkMeter meter(stop, seconds);
    const double size = graph_.vertices() + static_cast<double>(graph_.neighbour.size());
    const auto moves = static_cast<std::uint64_t>(std::max(first_annealing / size, 16.0));
    while (meter.look()) order_.anneal(moves, meter);
    plan_order();
  }

 private:
  mpq_class factor() const { return graph_.factor * mpq_class(plan_->isolated); }

  void plan_order() {
    plan_.reset();
    table_bytes_ = std::uint64_t{1} << 62;
    if (order_.forecast().width <= most_width) {
      plan_ = plan_rooks(graph_, order_.best());
      additions_ = rook_additions(*plan_);
      exact_ = rook_numbers_fit(*plan_);
      table_bytes_ = 0;
      if (exact_) table_bytes_ = rook_bytes(*plan_, true, {});
      if (!exact_) {
        for (const Modulus& modulus : arithmetic_.moduli)
          table_bytes_ = std::max(table_bytes_, rook_bytes(*plan_, false, modulus));
      }
    }
  }

  ComplementGraph graph_;
  Arithmetic arithmetic_;
  MethodOptions options_;
  RookOrder order_;
  std::optional<RookPlan> plan_;
  double additions_ = 1;
  bool exact_ = false;
  std::uint64_t table_bytes_ = 0;
};

class Complement : public Method {
 public:
  std::string_view name() const override { return "complement"; }
  std::string_view summary() const override {
    return "rook numbers of the sparse complement; blocks whose rows are mostly one value";
  }
  std::string_view complexity() const override {
    return "O(2^w n d) time and O(2^w n) memory, w the width and d the degree of the complement's graph";
  }
  std::string_view reference() const override {
    return "J. Riordan, An Introduction to Combinatorial Analysis (1958), chapters 7 and 8";
  }
  std::string_view work_name() const override { return "additions"; }
  double setup_seconds() const override { return 0.05; }  // it bounds tables
  std::optional<std::string> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    if (is_general(block)) return "the block is a general graph, not a matrix";
    if (arithmetic.kind == Arithmetic::Kind::floating)
      return "its terms alternate in sign and cancel, which takes exact arithmetic";
    if (auto why = countpm::obstacle(block, arithmetic)) return why;
    const Index rows = std::visit([](const auto& b) { return b.size(); }, block);
    if (rows > most_rows)
      return fmt::format("the block has {} rows, and {} is the most for a complement", rows, most_rows);
    if (rows > 0 && dense_rows(block) == 0)
      return "no row has one nonzero value in more than half of its columns";
    return std::nullopt;
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions& options) const override {
    return std::make_unique<ComplementJob>(block, arithmetic, options);
  }
};

}  // namespace

const Method& complement_method() {
  static const Complement method;
  return method;
}

}  // namespace countpm
