#pragma once
// What every exact method looks like from outside: can it, how much work, cut into units, run a unit.
//
// A new method has a Method and a Job. What a job can do beside counting it says by what else it is: a
// GpuForm, an Improvable, a Repeatable. What the planner asks of a method beside that are its MethodTraits.
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "graph/refusal.hpp"
#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/order_kind.hpp"
#include "kernels/settings.hpp"
#include "matching/block.hpp"
#include "matching/rules.hpp"

namespace countpm {

class DeviceJob;  // kernels/gpu/device_job.hpp
struct GpuInfo;   // kernels/gpu/device_info.hpp

/// One method bound to one block and one arithmetic: a list of units 0 .. units() - 1 whose partial values
/// add up to the permanent. Work is counted in the method's own operations (Method::work_name). Making a job
/// is cheap whatever the block (polynomial time and memory); improving it takes the time that it is given;
/// running it may take any time.
class Job {
 public:
  virtual ~Job() = default;

  /// 1 to 2^24, small ones 1 to 65536: of the block, the seed, where it runs on all threads the memory limit,
  /// and how long the job was improved; never of the number of threads. Once it has been run it stays.
  virtual std::uint64_t units() const = 0;
  /// Yields the unit's share. Thread-safe, in any order, twice if need be, always the same.
  virtual Partial run(std::uint64_t unit, const StopSignal& stop) const = 0;
  /// log2 of the whole job's operations. May be sampled (`sampled()`); never +-inf or NaN.
  virtual double log2_work() const = 0;
  /// Operations a second on one core: a nominal figure for this block's size ...
  virtual double nominal_rate() const = 0;
  /// ... or measured by running a slice of this very job for about `seconds`.
  virtual double measured_rate(double seconds) const = 0;
  /// Memory beyond the job itself, for each thread that runs a unit.
  virtual std::uint64_t bytes_per_thread() const = 0;

  // What most jobs leave as it is.
  virtual bool sampled() const { return false; }
  /// Memory beyond bytes_per_thread(), once, whatever the threads: tables that they share.
  virtual std::uint64_t bytes_shared() const { return 0; }
  /// One unit keeps all MethodOptions::threads threads busy: units run one after another.
  virtual bool runs_on_all_threads() const { return false; }
  /// By how much `threads` threads are predicted to divide the time of one: at most `threads`.
  virtual double speed_up(int threads) const;
  /// What fixes the units beside the block, the arithmetic and the rules, as text (plan_text.hpp): make_job()
  /// with it in MethodOptions::plan has the same units on any machine. Empty where nothing else does. May
  /// take as long as the first run of a unit takes to be prepared.
  virtual std::string plan() const { return {}; }
  /// For `explain`, what the plan looks like: "2^24.1 states at the widest, 8 branches". May be empty.
  virtual std::string describe() const { return {}; }
  /// What reduction rules the units run so far have applied (forbert-marx); for the report. Thread-safe.
  virtual RuleTally tally() const { return {}; }

  // What may be asked of any job, and is answered by what it is beside one: the functions of that name in
  // GpuForm, Improvable and Repeatable. A job that is none of these has no GPU form and no other code, and
  // is not improvable.
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const;
  std::optional<Refusal> device_obstacle(const GpuInfo& gpu) const;
  double nominal_device_rate(const GpuInfo& gpu) const;
  std::uint64_t waiting_bytes(const GpuInfo& gpu) const;
  unsigned device_prime_bits() const;
  std::unique_ptr<Job> with_primes(const Arithmetic& primes) const;
  bool short_of_memory() const;
  std::unique_ptr<Job> for_gpus_alone(const Arithmetic& moduli, const GpuInfo& gpu) const;
  bool is_for_gpus_alone() const;
  bool improvable() const;
  void improve(double seconds, const StopSignal& stop);
  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const;
  std::string_view other_code() const;
};

/// A job whose units run on GPUs too: class XJob : public Job, public GpuForm.
class GpuForm {
 public:
  virtual ~GpuForm() = default;

  /// Why no GPU like this one takes this block in this arithmetic; empty where it does. Makes no device job.
  virtual std::optional<Refusal> device_obstacle(const GpuInfo& gpu) const = 0;
  /// The same units on a GPU; empty, or an UnableError with its text, where there is an obstacle. What has
  /// been improved before is carried over; the job must outlive it. Throws CudaError, or UnableError where
  /// free memory does not suffice.
  virtual std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const = 0;
  /// Operations a second that the whole GPU is expected to do: a nominal figure; 0 where there is an
  /// obstacle.
  virtual double nominal_device_rate(const GpuInfo& gpu) const = 0;
  /// Host memory that it takes for tables which do not fit such a GPU's: at most GpuInfo::host_bytes.
  virtual std::uint64_t waiting_bytes(const GpuInfo& gpu) const;
  /// Where it wants smaller primes than the CPU's: their bits; 0 where it takes the job's moduli.
  virtual unsigned device_prime_bits() const { return 0; }
  /// The same plan over any other moduli, with units of its own; empty where there is none. Made of a job
  /// that has not been run.
  virtual std::unique_ptr<Job> with_primes(const Arithmetic& primes) const;
  /// Whether memory is what its units were cut for, or does not suffice: modulo primes of fewer bits,
  /// with_primes() may do with less.
  virtual bool short_of_memory() const { return false; }
  /// The same for GPUs like this one alone: cut for their memory, whatever the CPU's is. Empty where that is
  /// of no use.
  virtual std::unique_ptr<Job> for_gpus_alone(const Arithmetic& moduli, const GpuInfo& gpu) const;
  /// Whether it is such a job: the CPU's memory may not suffice for one unit.
  virtual bool is_for_gpus_alone() const { return false; }
};

/// A job of a method that searches for a good order or shift.
class Improvable {
 public:
  virtual ~Improvable() = default;

  /// Whether more search may lower log2_work.
  virtual bool improvable() const = 0;
  /// Searches for about `seconds`, on MethodOptions::threads at most; may change units(), log2_work(), bytes
  /// and rates, never the count. Throws Stopped. Before the first run() only; not thread-safe.
  virtual void improve(double seconds, const StopSignal& stop) = 0;
};

/// A job whose units can be run again by themselves: audits, checks of journals.
class Repeatable {
 public:
  virtual ~Repeatable() = default;

  /// The same plan over another arithmetic, whose moduli are among the job's own: the same units, each of the
  /// same share of the count.
  virtual std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const = 0;
  /// What of that job's code is not run()'s: "another elimination order". Empty where it is all the same.
  virtual std::string_view other_code() const { return {}; }
};

/// What methods may take into account beside the block.
struct MethodOptions {
  RuleSet rules;           // forbert-marx: which rules the expansion may use
  std::uint64_t seed = 1;  // for sampling predictions and searching orders; never changes a count
  int threads = 1;         // for jobs that run on all of them
  std::uint64_t memory_bytes = ~std::uint64_t{0};  // those cut themselves into units that fit
  OrderKind order = OrderKind::automatic;          // frontier: which eliminations it may use
  /// Job::plan() of another job for the same block: its units, and no search. What would not fit the memory
  /// says so by its bytes, as ever.
  std::optional<std::string> plan = {};
  Settings settings = {};  // of any method: each reads its own
};

/// By which elimination a method's matrix gives ln Z in floating point, for --ln-z.
enum class LogForm { none, sparse, dense };  // dense: on GPUs too

/// What the planner asks of a method beside what Method answers: it knows none by its name.
struct MethodTraits {
  /// It multiplies and adds alone, and takes 2^64 or 2^128 rather than primes where the count fits. Methods
  /// that halve (those in Nijenhuis-Wilf form) would need a longer form there.
  bool prefers_wrap_around = false;
  /// Above 128 bits too: its moduli run side by side, and 2^128 is the cheapest 128 bits of them.
  bool wraps_beside_primes = false;
  /// Of the primes that it computes with, where one alone is not enough.
  unsigned prime_bits = 61;
  /// The one that counts tiny matrices (bipartite graphs), or tiny general graphs, before any other is set
  /// up.
  bool for_tiny_matrices = false;
  bool for_tiny_graphs = false;
  /// Where it can count a block of many rows, no other needs to be asked.
  bool settles_large_blocks = false;
  /// Methods of one formula are no second opinion on each other. Empty: its own.
  std::string_view formula = {};
  /// It takes planar graphs alone: a refusal says what of the input is not planar.
  bool needs_planarity = false;
  /// Setting it up takes by the entries rather than by the rows.
  bool sets_up_by_entries = false;
  /// What it looks for, sparse blocks hardly have: of these, others are asked before.
  bool for_dense_blocks = false;
  /// It counts decimals exactly, as the fractions that they spell.
  bool exact_decimals = false;
  LogForm log_form = LogForm::none;
};

/// A method: stateless, one object each, in the table of methods.cpp.
class Method {
 public:
  virtual ~Method() = default;
  virtual std::string_view name() const = 0;        // as after --method
  virtual std::string_view summary() const = 0;     // a line of help
  virtual std::string_view complexity() const = 0;  // "O(2^(n-1) n) time, O(n^2) memory"
  virtual std::string_view reference() const = 0;
  virtual std::string_view work_name() const = 0;  // of its operations: "subsets", "permutations", ...
  virtual MethodTraits traits() const { return {}; }
  /// Whether it takes blocks with Block::general set; the others are not asked about them.
  virtual bool counts_general_graphs() const { return false; }
  /// Of these, whether it takes those with Block::monomers set, too.
  virtual bool counts_monomers() const { return false; }

  /// About how long setting up a job for some hundred rows takes: the planner asks the quick ones first, and
  /// leaves out those that would take longer to ask than the best of the others takes to count.
  virtual double setup_seconds() const { return 0.0003; }

  /// Empty where the method can do it, else why not. Not a question of time.
  virtual std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const = 0;
  /// Empty where the rules that may be used leave the method something of its own to do on this block; else
  /// why not. It then would hand the block to another method, which is not what its name promises.
  virtual std::optional<Refusal> nothing_to_do(const AnyBlock& block, const RuleSet& rules) const;
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
