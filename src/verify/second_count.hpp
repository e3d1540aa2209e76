#pragma once
// Counts blocks again, modulo one prime, for a verification.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/plan/plan.hpp"

namespace countpm {

/// A random prime between 2^60 and 2^61.
std::uint64_t random_prime();

/// A way to count one block modulo one prime, or why there is none in the time; and what it found.
struct Recount {
  std::string before;  // the method that counted the block
  const Method* method = nullptr;
  std::unique_ptr<Job> job;
  double seconds = 0;
  std::string why_not;
  std::optional<Partial> value;
};

class SecondCount {
 public:
  SecondCount(WeightKind weight_kind, const CountOptions& options, const Modulus& prime, Monitor& monitor);

  /// By another method where that fits in the time beside those before, else by the same.
  Recount way_to_recount(const AnyBlock& block, const std::string& before);

  /// Those by another method whose forecast is a sample, one after the other. Such forecasts may be too low
  /// by any factor, so each has a limit of its own, and where it is over, this block and those that are left
  /// are planned again, by the methods that counted them before.
  void try_the_unsure(const std::vector<AnyBlock>& blocks, std::vector<Recount>& ways);

  /// All that have no value yet. Throws what the monitor says.
  void run(std::vector<Recount>& ways);

  const Arithmetic& arithmetic() const { return one_; }

 private:
  double time_left() const;
  std::optional<Recount> way(const AnyBlock& block, const PlanRequest& request, double budget, double& least);
  Recount by_the_same(const AnyBlock& block, const std::string& before);

  const WeightKind weight_kind_;
  const CountOptions& options_;
  const Resources resources_;
  Arithmetic one_;
  Monitor& monitor_;
  double planned_seconds_ = 0;
};

}  // namespace countpm
