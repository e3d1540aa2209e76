#pragma once
// Jobs whose units are primes: the sum of the terms' determinants (Pfaffians) modulo a few primes a unit, by
// whichever elimination the job has.
#include <string>
#include <vector>

#include "kernels/planar/elimination/lane_arithmetic.hpp"
#include "kernels/planar/elimination/time_limit.hpp"
#include "kernels/planar/preparation.hpp"

namespace countpm::planar {

class KasteleynJob : public Job, public GpuForm, public Repeatable {
 public:
  std::uint64_t units() const override { return units_; }
  Partial run(std::uint64_t unit, const StopSignal& stop) const override;
  double log2_work() const override;
  double nominal_rate() const override;
  double measured_rate(double seconds) const override;
  double speed_up(int threads) const override;
  std::uint64_t bytes_per_thread() const override;
  /// With monomers: where they may be.
  std::string describe() const override;

  /// The same units as the other job's, modulo some of its primes.
  struct SameUnits {};

 protected:
  /// shares: parts of the sum of terms, each of its own units for every group of primes.
  KasteleynJob(Terms terms, const Arithmetic& arithmetic, std::uint64_t shares = 1);
  /// The same modulo other primes, with units of its own.
  KasteleynJob(const KasteleynJob& other, const Arithmetic& arithmetic);
  KasteleynJob(const KasteleynJob& other, const Arithmetic& arithmetic, SameUnits);
  /// By terms of another form.
  KasteleynJob(const KasteleynJob& other, const Arithmetic& arithmetic, SameUnits, Terms terms);

  /// A share of the determinant's (Pfaffian's) residues: at most code.width primes. Throws PivotsDiffer
  /// (code.width > 1 only), Stopped. With a time limit it may stop there, and the result then says nothing.
  virtual std::vector<std::uint64_t> determinant_of(const SignedMatrix& matrix, const LaneCode& code,
                                                    const std::vector<std::uint64_t>& primes,
                                                    std::uint64_t share, const StopSignal& stop,
                                                    TimeLimit* limit) const = 0;
  /// Those of all terms at once, [terms][primes], where that takes less; empty: one by one. Throws likewise.
  virtual std::vector<std::vector<std::uint64_t>> determinants_of_all(
      const LaneCode& /*code*/, const std::vector<std::uint64_t>& /*primes*/,
      const StopSignal& /*stop*/) const {
    return {};
  }
  /// Of one term modulo one prime, all shares together.
  virtual double multiplications() const = 0;
  /// Words that one elimination needs for each prime of its group.
  virtual std::uint64_t words() const = 0;

  const Arithmetic& arithmetic() const { return arithmetic_; }
  const Terms& terms() const { return terms_; }
  std::uint64_t primes_a_unit() const { return group_; }
  /// Why GPUs whose primes have so many bits do not compute the terms; empty where they may.
  std::optional<Refusal> obstacle_to_primes_of(unsigned bits) const;
  std::vector<std::uint64_t> primes_from(std::size_t first, std::size_t last) const;
  /// The count's residues; at most `most_lanes` primes.
  std::vector<std::uint64_t> sum_of_terms(const std::vector<std::uint64_t>& primes, std::uint64_t share,
                                          const StopSignal& stop) const;
  /// The same of the terms' determinants (Pfaffians): [terms][primes].
  std::vector<std::uint64_t> sum_of(const std::vector<std::vector<std::uint64_t>>& determinants,
                                    const std::vector<std::uint64_t>& primes) const;

 private:
  void cut_into_units();
  double primes() const;
  static const LaneCode& code_for(const std::vector<std::uint64_t>& primes);
  std::vector<std::vector<std::uint64_t>> all_side_by_side(const std::vector<std::uint64_t>& primes,
                                                           const StopSignal& stop) const;
  std::vector<std::uint64_t> side_by_side(const SignedMatrix& matrix,
                                          const std::vector<std::uint64_t>& primes, std::uint64_t share,
                                          const StopSignal& stop) const;

  Arithmetic arithmetic_;
  Terms terms_;
  std::uint64_t group_ = most_lanes;  // primes a unit
  std::uint64_t shares_ = 1;          // units of a group
  std::uint64_t units_ = 1;
  std::vector<std::uint64_t> group_of_;  // beside the moduli: the group in whose units each is computed
};

/// Of which group each of some moduli is, beside all of them. Throws std::invalid_argument at one that is not
/// among them.
std::vector<std::uint64_t> groups_of(const Arithmetic& some, const Arithmetic& all,
                                     const std::vector<std::uint64_t>& group_of);

/// On how many threads reference_pivots() may run (gpu/pivot_order.hpp), for units of so many bytes a thread:
/// as many as may run units. One prime takes an eighth of eight primes' memory, so that there is room for
/// what waits between the parts of an elimination, too.
int threads_for_pivots(std::uint64_t bytes_per_thread, const MethodOptions& options);

/// The job's units again, modulo some of its primes, by nested dissection in another order than planar's own,
/// so that the pivots are others, found on so many threads; a prime by itself goes through other code than
/// eight side by side (planar.cpp).
std::unique_ptr<Job> by_other_fronts(const KasteleynJob& job, const Arithmetic& arithmetic, int threads);

}  // namespace countpm::planar
