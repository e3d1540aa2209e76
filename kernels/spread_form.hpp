#pragma once
// A job that one machine's memory need not suffice for: class XJob : public Job, public SpreadForm.
#include <cstdint>

#include "kernels/method.hpp"
#include "kernels/support/exchange.hpp"

namespace countpm {

/// Parts that may share a unit: all alike, each with so much memory.
struct PartsOffered {
  int parts = 1;
  std::uint64_t bytes_each = 0;
};

/// A job each of whose units may be spread over several parts, which hold a share of its tables each.
class SpreadForm {
 public:
  virtual ~SpreadForm() = default;

  /// Whether an offer might be taken: the job does not fit the memory, or takes one part long by itself.
  virtual bool wants_parts() const = 0;
  /// Before the first run() only. The job takes the parts where it needs them, or is predicted to be done
  /// sooner with them: parts() says so; bytes and rates are of one part then, which is no Job::run() any more
  /// unless the memory suffices.
  virtual void offer_parts(const PartsOffered& offered) = 0;
  /// How many share each unit; 1: none, run() is all there is.
  virtual int parts() const = 0;
  /// The unit's share of the permanent, the same on every part. All parts run the same units in the same
  /// order, each with its end of the exchange. Throws Stopped; UnableError where this part's memory does not
  /// suffice.
  virtual Partial run_part(std::uint64_t unit, Exchange& exchange, const StopSignal& stop) const = 0;
};

/// How many parts a job's units are spread over.
inline int parts_of(const Job& job) {
  const auto* const form = dynamic_cast<const SpreadForm*>(&job);
  return form == nullptr ? 1 : form->parts();
}

}  // namespace countpm
