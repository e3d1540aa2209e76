#pragma once
// Methods that count a block in polynomial time, or in that and a factor known beforehand, and look at it
// once for all that is asked of it.
#include "kernels/at_points.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// A method and one block, before any arithmetic is chosen: what is found out about the block serves the
/// bound that decides the arithmetic, the question whether the method can, and the job. Asked in this order,
/// from one thread.
class Preparation {
 public:
  virtual ~Preparation() = default;
  /// An upper bound on log2 |count * denominator(block)|, proved and rounded upwards, where the method knows
  /// one of its own; infinity where it does not, or cannot count the block. The same for any number of
  /// threads.
  virtual double log2_bound(int threads) = 0;
  /// As Method::obstacle().
  virtual std::optional<Refusal> obstacle(const Arithmetic& arithmetic) = 0;
  /// As Method::make_job(). Once.
  virtual std::unique_ptr<Job> make_job(const Arithmetic& arithmetic, const MethodOptions& options) = 0;
};

/// Of large blocks those that need planar graphs are asked first, and where one can that settles them
/// (MethodTraits), the others no more.
class PolynomialMethod : public Method {
 public:
  /// For one block, which outlives it; no more work than what is asked of it.
  virtual std::unique_ptr<Preparation> prepare(const AnyBlock& block) const = 0;
  /// Whether there are blocks that it counts at points, too.
  virtual bool has_points() const { return false; }
  /// For a block whose weights are c 2^(bits k), k >= 0, with |log2 |c|| < bits / 2: the same at points. Null
  /// where the method has nothing of the kind or cannot count the block.
  virtual std::unique_ptr<CountAtPoints> at_points(const AnyBlock& /*block*/, std::uint64_t /*bits*/,
                                                   const MethodOptions& /*options*/) const {
    return nullptr;
  }

  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override;
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions& options) const override;
};

/// Of any method: what a polynomial one prepares, else its own answers and no bound. Both outlive it.
std::unique_ptr<Preparation> prepare(const Method& method, const AnyBlock& block);
bool is_polynomial(const Method& method);

}  // namespace countpm
