#pragma once
// What every exact method looks like from outside: can it, how much work, cut into units, run a unit.
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/order_kind.hpp"
#include "matching/block.hpp"
#include "matching/rules.hpp"

namespace countpm {

class DeviceJob;  // kernels/gpu/device_job.hpp
struct GpuInfo;   // kernels/gpu/device_info.hpp

/// One method bound to one block and one arithmetic: a list of work units 0 .. units() - 1 whose partial
/// values add up to the permanent. Making a job is cheap whatever the block (polynomial time and memory);
/// improving it takes the time that it is given; running it may take any time.
class Job {
 public:
  virtual ~Job() = default;

  /// 1 <= units() <= 65536; depends on the block, the seed, for wide jobs the memory limit, and on how long
  /// the job was improved; never on the number of threads. Once it has been run it stays.
  virtual std::uint64_t units() const = 0;
  /// Yields the unit's share. Thread-safe, in any order, twice if need be, always the same.
  virtual Partial run(std::uint64_t unit, const StopSignal& stop) const = 0;

  /// log2 of the whole job's work in the method's own unit of work (Method::work_name). May be sampled
  /// (`sampled()`); never +-inf or NaN.
  virtual double log2_work() const = 0;
  virtual bool sampled() const { return false; }
  /// Work units a second on one core: a nominal figure for this block's size ...
  virtual double nominal_rate() const = 0;
  /// ... or measured by running a slice of this very job for about `seconds`.
  virtual double measured_rate(double seconds) const = 0;
  /// Memory beyond the job itself, for each thread that runs a unit.
  virtual std::uint64_t bytes_per_thread() const = 0;
  /// Memory beyond that, once, whatever the threads: a wide job's tables.
  virtual std::uint64_t bytes_shared() const { return 0; }

  /// A wide job's unit keeps MethodOptions::threads threads busy by itself: its units run one after another.
  virtual bool wide() const { return false; }
  /// By how much `threads` threads are predicted to divide the time of one: at most `threads`.
  virtual double speed_up(int threads) const;

  /// Methods that search for a good order or shift: whether more search may lower log2_work.
  virtual bool improvable() const { return false; }
  /// Searches for about `seconds`, on one thread; may change units(), log2_work(), bytes and rates, never the
  /// count. Throws Stopped. Before the first run() only; not thread-safe.
  virtual void improve(double seconds, const StopSignal& stop);
  /// The same plan over another arithmetic, whose moduli are among the job's own: the same units, each of the
  /// same share of the count. For running a unit again by itself. Empty where the method cannot.
  virtual std::unique_ptr<Job> with(const Arithmetic& arithmetic) const;
  /// What of that job's code is not run()'s: "another elimination order". Empty where it is all the same.
  virtual std::string_view other_code() const { return {}; }

  /// The same units on a GPU; empty where the method, or this arithmetic, has no GPU form. What has been
  /// improved before is carried over; the job must outlive it. Throws CudaError, or UnableError where memory
  /// does not suffice.
  virtual std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const;
  /// Why on_device() is empty where it is for this block or arithmetic alone. Empty where the method has no
  /// GPU form at all, and where on_device() itself says why.
  virtual std::string device_obstacle(const GpuInfo& gpu) const;
  /// Work units a second that the whole GPU is expected to do: a nominal figure; 0 where on_device is empty.
  virtual double nominal_device_rate(const GpuInfo& gpu) const;
  /// Where the GPU form wants smaller primes than the CPU's: their bits; 0 where it takes the job's moduli.
  virtual unsigned device_prime_bits() const { return 0; }
  /// The same plan over any other primes, with units of its own. Empty where device_prime_bits() is 0. Made
  /// of a job that has not been run.
  virtual std::unique_ptr<Job> over(const Arithmetic& primes) const;

  /// What fixes the units beside the block, the arithmetic and the rules, as text (plan_text.hpp): make_job()
  /// with it in MethodOptions::plan has the same units on any machine. Empty where nothing else does. May
  /// take as long as the first run of a unit takes to be prepared.
  virtual std::string plan() const { return {}; }
  /// For `explain`, what the plan looks like: "2^24.1 states at the widest, 8 branches". May be empty.
  virtual std::string describe() const { return {}; }
  /// What reduction rules the units run so far have applied (forbert-marx); for the report. Thread-safe.
  virtual RuleTally tally() const { return {}; }
};

/// What methods may take into account beside the block.
struct MethodOptions {
  RuleSet rules;           // forbert-marx: which rules the expansion may use
  std::uint64_t seed = 1;  // for sampling predictions and searching orders; never changes a count
  int threads = 1;         // for wide jobs
  std::uint64_t memory_bytes = ~std::uint64_t{0};  // wide jobs cut themselves into units that fit
  OrderKind order = OrderKind::automatic;          // frontier: which eliminations it may use
  /// Job::plan() of another job for the same block: its units, and no search. What would not fit the memory
  /// says so by its bytes, as ever.
  std::optional<std::string> plan = {};
};

/// A method: stateless, one object each, in the table below.
class Method {
 public:
  virtual ~Method() = default;
  virtual std::string_view name() const = 0;        // as after --method
  virtual std::string_view summary() const = 0;     // a line of help
  virtual std::string_view complexity() const = 0;  // "O(2^(n-1) n) time, O(n^2) memory"
  virtual std::string_view reference() const = 0;
  virtual std::string_view work_name() const = 0;  // "subsets", "permutations", "visited subsets", ...
  /// Whether it takes blocks with Block::general set; the others are not asked about them.
  virtual bool counts_general_graphs() const { return false; }

  /// About how long setting up a job for some hundred rows takes: the planner asks the quick ones first, and
  /// leaves out those that would take longer to ask than the best of the others takes to count.
  virtual double setup_seconds() const { return 0.0003; }

  /// Empty where the method can do it, else why not, as the end of "METHOD cannot: ...". Not a question of
  /// time.
  virtual std::optional<std::string> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const = 0;
  /// Empty where the rules that may be used leave the method something of its own to do on this block; else
  /// why not. It then would hand the block to another method, which is not what its name promises.
  virtual std::optional<std::string> idle(const AnyBlock& block, const RuleSet& rules) const;
  /// Precondition: no obstacle. Throws PlanError (plan_text.hpp) where options.plan is none for this block.
  virtual std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                        const MethodOptions& options) const = 0;
};

/// make_job() with options.plan, whose job must have that very plan: PlanError where it has another, as it
/// may in another version.
std::unique_ptr<Job> make_planned_job(const Method& method, const AnyBlock& block,
                                      const Arithmetic& arithmetic, const MethodOptions& options);

/// All exact methods (methods.cpp).
const std::vector<const Method*>& exact_methods();
/// UsageError listing the valid names where there is none of that name.
const Method& method_named(std::string_view name);

}  // namespace countpm
