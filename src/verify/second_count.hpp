#pragma once
// Counts blocks again, for a verification: by other methods where that is cheap, and by their own.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/plan/plan.hpp"

namespace countpm {

/// A random prime between 2^60 and 2^61.
std::uint64_t random_prime();

/// What a block was counted as, or why it was not; and how that was chosen.
struct Recount {
  std::string before;              // the method that counted it
  const Method* method = nullptr;  // that counted it again
  ArithmeticChoice choice;
  std::optional<Partial> value;
  std::string remark;  // what there is to say of the method: " (others take over 100 times as long)"
  std::string why_not;
};

/// Those that counted a block again, in turn.
std::vector<std::string> methods_of(const std::vector<Recount>& recounts);

class SecondCount {
 public:
  /// Exact weights: modulo the prime. No prime: in the arithmetic that the weights and the options ask for.
  SecondCount(WeightKind weight_kind, const CountOptions& options, std::optional<Modulus> prime,
              Monitor& monitor);

  /// Told of every value as soon as it is there, of some blocks of two; what it throws ends it all.
  using Found = std::function<void(std::size_t block, const Recount& recount)>;

  /// Every block as far as the time goes; once. First by the method that counted it before, in another order,
  /// where that is soon done: a wrong number is known then, whatever else takes too long. Then by another
  /// one for as long as is worth it: a second, or a hundred times what the same methods take; but
  /// not for the time that these still need. Last by the same again, what is left. `before` are methods'
  /// names, beside `blocks`. Throws InterruptedError.
  std::vector<Recount> count(const std::vector<AnyBlock>& blocks, const std::vector<std::string>& before,
                             const Found& found);

 private:
  /// A way to count a block.
  struct Way {
    std::unique_ptr<AnyBlock> form;  // that the job counts; empty: the block itself
    const Method* method = nullptr;
    ArithmeticChoice choice;
    std::unique_ptr<Job> job;  // empty: there is none
    double seconds = 0;
  };

  double time_left() const;
  std::vector<std::size_t> uncounted() const;
  Way way(const AnyBlock& block, const PlanRequest& request, const CountOptions& options,
          Monitor& monitor) const;
  void plan_the_same(const std::vector<AnyBlock>& blocks);
  /// What other methods are worth.
  double seconds_for_others() const;
  std::vector<Way> plan_others(const std::vector<AnyBlock>& blocks);
  void run_others(std::vector<Way>& others);
  void note_too_slow(std::size_t block);
  /// Whether it was done in the time that it is worth.
  bool run_within_limit(const std::vector<std::size_t>& which, std::vector<Way>& ways);
  void drop_beyond_limit();
  std::string predicted_text(double seconds) const;
  void run(const std::vector<std::size_t>& which, std::vector<Way>& ways, Monitor& monitor);

  const WeightKind weight_kind_;
  const CountOptions& options_;
  const Resources resources_;
  const std::optional<Modulus> prime_;
  Monitor& monitor_;

  const Found* found_ = nullptr;
  std::vector<Recount> recounts_;
  std::vector<Way> same_;
  double same_seconds_ = 0;
  bool all_same_ = true;  // whether there are ways for all
  double planning_seconds_ = 0;
  double others_end_ = 0;  // on the clock
};

}  // namespace countpm
