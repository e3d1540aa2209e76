#pragma once
// The job of `frontier`, in all its forms: one table or branches, all moduli at once or in passes, with keys
// or without, on the CPU, on a GPU, or spread over several ranks. One plan says which.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/competitor.hpp"
#include "kernels/frontier/branching.hpp"
#include "kernels/frontier/gpu/plan.hpp"
#include "kernels/frontier/modulus_groups.hpp"
#include "kernels/frontier/order/order_search.hpp"
#include "kernels/frontier/ranked/ranked_program.hpp"
#include "kernels/frontier/tables/integer_weights.hpp"
#include "kernels/frontier/tables/merge_chunk.hpp"
#include "kernels/frontier/tables/program.hpp"
#include "kernels/frontier/tables/value_column.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/memory_gap.hpp"
#include "kernels/method.hpp"
#include "kernels/spread_form.hpp"
#include "kernels/support/plan_text.hpp"

namespace countpm {

class FrontierJob : public Job,
                    public GpuForm,
                    public Improvable,
                    public Repeatable,
                    public Competitor,
                    public ShortOfGpuMemory,
                    public SpreadForm {
 public:
  /// rival_seconds: what the best of the other methods takes, on one core.
  FrontierJob(const AnyBlock& block, const Arithmetic& arithmetic, const MethodOptions& options,
              double rival_seconds = std::numeric_limits<double>::infinity());
  /// The same plan over another arithmetic. Memory stays planned for the original's values: where units
  /// branch further depends on it.
  FrontierJob(const FrontierJob& other, const Arithmetic& arithmetic);

  /// The same search over other moduli, with units of its own; gpu: for GPUs like it alone. Of the two jobs
  /// one only is used further.
  FrontierJob(const FrontierJob& other, const Arithmetic& arithmetic, const GpuInfo* gpu);

  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    return std::make_unique<FrontierJob>(*this, arithmetic);
  }
  std::string_view other_code() const override;
  std::string describe() const override;
  std::string plan() const override;

  /// The passes of a branch are neighbours.
  std::uint64_t units() const override { return paths_.size() * passes(); }
  double log2_work() const override { return log2_work_; }
  bool sampled() const override { return forecast_.sampled; }
  bool runs_on_all_threads() const override;
  std::uint64_t bytes_per_thread() const override {
    return runs_on_all_threads() ? 0 : to_bytes(log2_bytes_);
  }
  std::uint64_t bytes_shared() const override {
    if (for_gpus_alone_) return static_cast<std::uint64_t>(fixed_bytes);
    return runs_on_all_threads() ? to_bytes(log2_bytes_) : 0;
  }
  /// Where the memory is less than any order takes, no search helps.
  bool improvable() const override {
    return search_ != nullptr && static_cast<double>(options_.memory_bytes) > fixed_bytes;
  }

  void improve(double seconds, const StopSignal& stop) override;
  void compete_with(double seconds, int cores) override;

  double nominal_rate() const override;
  double sorted_rate() const;  // of tables with keys
  double measured_rate(double seconds) const override;
  double measured_branch_rate(double seconds) const;
  double speed_up(int threads) const override;

  Partial run(std::uint64_t unit, const StopSignal& stop) const override;

  std::optional<Refusal> device_obstacle(const GpuInfo& gpu) const override;
  std::optional<MemoryGap> gpu_memory_gap(const GpuInfo& gpu) const override;
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override;
  double nominal_device_rate(const GpuInfo& gpu) const override;
  std::uint64_t waiting_bytes(const GpuInfo& gpu) const override;

  bool short_of_memory() const override {
    return search_ != nullptr && arithmetic_.kind == Arithmetic::Kind::residues && ranked_ == nullptr &&
           (units() > 1 || for_gpus_alone_ || !fits(value_bytes_));
  }
  std::unique_ptr<Job> with_primes(const Arithmetic& primes) const override {
    if (search_ == nullptr) return nullptr;
    return std::make_unique<FrontierJob>(*this, primes, nullptr);
  }
  std::unique_ptr<Job> for_gpus_alone(const Arithmetic& moduli, const GpuInfo& gpu) const override {
    if (search_ == nullptr) return nullptr;
    return std::make_unique<FrontierJob>(*this, moduli, &gpu);
  }
  bool is_for_gpus_alone() const override { return for_gpus_alone_; }

  bool wants_parts() const override;
  void offer_parts(const PartsOffered& offered) override;
  int parts() const override { return shared_ ? offered_.parts : 1; }
  Partial run_part(std::uint64_t unit, Exchange& exchange, const StopSignal& stop) const override;

 private:
  static constexpr std::uint64_t most_units = 65536;
  // A block of 64 places holds several states: 20 bytes of keys for each block come to about this many a
  // state. (20.4 bytes in all with values of 16 at 2^25 states: bench/results/frontier.md).
  static constexpr double key_bytes_a_state = 5;
  static constexpr double fixed_bytes = 1 << 20;
  // States are numbered by 32 bits (run_program.cpp). Two tables are alive at once.
  static constexpr double log2_most_states = 32;

  std::uint64_t passes() const { return std::max<std::uint64_t>(pass_sizes_.size(), 1); }
  const BranchPath& path_of(std::uint64_t unit) const { return paths_[unit / passes()]; }
  /// Those of a unit's pass that are in this job's arithmetic.
  SomeModuli moduli_of(std::uint64_t unit) const {
    if (passes() == 1) return moduli_among(arithmetic_, arithmetic_.moduli);
    return moduli_among(arithmetic_, pass_moduli_[unit % passes()]);
  }

  // Memory.

  /// Of a state in the pass that has the most.
  double pass_bytes() const {
    return passes() == 1 ? value_bytes_ : static_cast<double>(largest_group(modulus_bytes_, pass_sizes_));
  }
  /// Of a state where there are as many passes as there can be.
  double least_value_bytes() const {
    return modulus_bytes_.empty()
               ? value_bytes_
               : static_cast<double>(*std::max_element(modulus_bytes_.begin(), modulus_bytes_.end()));
  }

  /// log2 of the bytes for that many states, joined keys left aside.
  double log2_bytes_for(double log2_states) const {
    return log2_sum(log2_states + std::log2(pass_bytes() + key_bytes_a_state), std::log2(fixed_bytes));
  }
  /// log2 of the states that fit with so many bytes of values each.
  double log2_states_allowed(double value_bytes) const {
    return log2_states_in(static_cast<double>(options_.memory_bytes), value_bytes);
  }
  /// Whether the elimination's tables fit with so many bytes of values a state.
  bool fits(double value_bytes) const {
    return forecast_.log2_peak_states < log2_most_states &&
           forecast_.log2_peak_bytes_states <= log2_states_allowed(value_bytes);
  }
  static double log2_states_in(double bytes, double value_bytes) {
    // Less a little, for the roundings of logarithms: what just fits must not be reported as a byte too much.
    const double left = (bytes - fixed_bytes) * (1 - 1e-12) - 2;
    return left <= 0 ? 0
                     : std::min(std::log2(left / (value_bytes + key_bytes_a_state)), log2_most_states + 1);
  }
  static std::uint64_t to_bytes(double log2_bytes) {
    if (log2_bytes >= 64) return std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(std::exp2(log2_bytes));
  }

  // Running its units, and saying what it is: frontier_job.cpp.

  /// For the branches' factors. Not made with the job: a large block has entries times primes of them.
  const ValueColumns& columns() const;
  /// Modulo these alone, 0 modulo the others.
  Partial run_tables(const ClassGraph& graph, const Elimination& elimination, const SomeModuli& moduli,
                     const StopSignal& stop) const;
  Partial widened_to_all(const Partial& value, const SomeModuli& moduli) const {
    return passes() == 1 ? value : widened(value, moduli, arithmetic_);
  }
  Partial run_without_keys(int threads, const Arithmetic& arithmetic, const StopSignal& stop) const;

  std::string ranked_text() const;
  std::string passes_text() const;

  // Which form it takes: frontier_plan.cpp.

  /// Of one unit, in the elimination at hand.
  void start_figures();
  /// Whether values are integers, and whether tables are made from both ends: where that takes long enough
  /// for a second thread, and where neither end has many more states than the whole.
  void choose_values();

  /// Fixes units, work and memory from the order at hand.
  void make_plan();

  struct PlannedOrder {
    Elimination elimination;
    EliminationForecast forecast;
  };
  bool may_leave_keys_out() const;
  /// Takes tables without keys (ranked/) in the best of these orders, and whether it did: where there are
  /// such of the block, they fit the memory, and those with keys do not or take longer.
  bool leave_keys_out(std::vector<PlannedOrder> orders);
  /// Modulo a power of two no more than its words matter.
  std::uint32_t words_enough() const;

  /// Branches are never less work than the whole.
  bool is_too_slow_to_cut() const;

  /// The sizes of the fewest passes that fit; empty where none do.
  std::vector<std::uint32_t> passes_that_fit() const;

  /// Each takes every step of the elimination: passes multiply the work, and divide what a state holds.
  void take_passes(std::vector<std::uint32_t> sizes);
  std::ptrdiff_t count_joins() const;

  // Branches: frontier_branches.cpp.

  /// The memory set aside for the list of branches, beside what is fixed for it.
  std::uint64_t bytes_of_branches() const;
  /// log2 of the states that fit beside the list of branches, and no more than one table may have.
  double log2_states_in_a_branch() const;

  /// Cuts the count, in the passes at hand, into branches that fit, unless that would take too many.
  void branch();

  void take_branches(BranchPlan&& branches);

  /// How a unit's branches are counted.
  struct BranchRules {
    const Elimination* elimination;  // of the whole graph
    bool linear;                     // no joins
    double log2_states;              // that fit, alive at once
  };
  /// The count of one branch, given the log2 of the states alive at once.
  using RunBranch = std::function<Partial(const BranchGraph& branch, double log2_states)>;

  /// The sum over the path, or, where that needs too much, over paths that branch further.
  Partial run_branches(const BranchPath& path, const BranchRules& rules, const StopSignal& stop,
                       const RunBranch& run) const;

  /// Puts the better of the inherited order and a fresh one into the branch; log2 of the states that are
  /// alive at once.
  double better_order(BranchGraph& branch, const BranchRules& rules, const StopSignal& stop) const;

  // Tables shared by several ranks: frontier_spread.cpp.

  /// Exact, and on the CPU.
  bool may_be_shared() const;
  /// log2 of the states that all parts have room for, with so many bytes of values each.
  double log2_shared_states(double value_bytes) const;
  /// log2 of the bytes that each part takes.
  double log2_shared_bytes(const PartsOffered& offered) const;

  /// Whether there are parts, and a line whose tables fit them, modulo one modulus at a time at least.
  bool can_share() const;
  bool can_be_shared(const Elimination& elimination) const;
  /// Of all parts together, on one thread each.
  double shared_seconds() const;
  bool sharing_is_faster() const;
  /// The best line, in as few passes as fit all parts.
  void share();
  void share_tables();

  // How long it takes: frontier_rates.cpp.

  /// Of tables without keys, on each of all threads, as speed_up() takes it; nominal where the count is
  /// short.
  double rate_by_trial(double seconds) const;

  /// On all of this part's threads.
  double seconds_by_itself() const;
  double shared_step_seconds(double value_bytes) const;

  // Its plan as text, and another job's: frontier_plan_text.cpp.

  /// A step in a plan: the class that it eliminates, or one of these.
  static constexpr std::uint64_t push_number = no_index;
  static constexpr std::uint64_t join_number = push_number + 1;
  static std::uint64_t number_of(const EliminationStep& step);
  EliminationStep step_of(const mpz_class& number) const;

  /// Another job's elimination and branches.
  void follow(std::string_view text);

  /// Another job's passes.
  std::vector<std::uint32_t> journaled_passes(const PlanReader& reader) const;

  // On a GPU: frontier_device.cpp.

  /// Whatever the GPU.
  std::optional<Refusal> obstacle_of_all_gpus() const;
  bool joins_are_asked_for() const {
    return options_.order == OrderKind::tree || options_.order == OrderKind::nested_dissection;
  }
  /// For the order at hand; made when it is first asked for.
  std::shared_ptr<const FrontierDevicePlan> device_plan() const;
  /// Of a state in this arithmetic, in each pass that has any of its moduli.
  std::vector<ValueBytes> device_value_bytes() const;

  AnyBlock block_;
  Arithmetic arithmetic_;
  MethodOptions options_;
  double rival_seconds_ = std::numeric_limits<double>::infinity();
  bool left_uncut_ = false;  // it does not fit the memory, and no branches were looked for
  mutable std::once_flag columns_made_;
  mutable std::unique_ptr<ValueColumns> columns_;
  double value_bytes_;                   // a state's, of the arithmetic that was planned for
  ValueBytes modulus_bytes_;             // the same modulo each of its moduli
  std::shared_ptr<OrderSearch> search_;  // none: the plan is another job's
  std::shared_ptr<const ClassGraph> graph_;
  std::shared_ptr<const Elimination> elimination_;  // the best so far, and its forecast
  EliminationForecast forecast_;
  MergeCode code_ = MergeCode::best;
  std::optional<double> factor_words_;             // of a weight as an integer; once it is known
  bool integers_ = false;                          // in place of residues (integer_column.hpp)
  std::shared_ptr<const BothEnds> both_ends_;      // none: from the first step to the last
  std::shared_ptr<const IntegerWeights> weights_;  // of ranked_; once they are asked for
  std::shared_ptr<const RankedProgram> ranked_;    // tables without keys; none: they have keys
  double ranked_seconds_ = 0;                      // on one core, nominal
  double gain_of_ranked_ = 0;                      // in time; 0: tables with keys do not fit
  std::vector<Index> branched_;                    // the classes that paths_ choose for
  std::vector<BranchPath> paths_;
  std::vector<std::uint32_t> pass_sizes_;          // moduli of each pass; none: all in one
  std::vector<std::vector<Modulus>> pass_moduli_;  // the same, by name
  bool for_gpus_alone_ = false;
  PartsOffered offered_;        // that may share the tables
  bool shared_ = false;         // and do
  std::optional<GpuInfo> gpu_;  // whose memory the passes are made for, in place of options_'s
  double log2_work_ = 0;
  double log2_bytes_ = 0;

  mutable std::mutex trial_mutex_;
  mutable double first_touch_ns_ = 0;  // of a byte of tables without keys; as seen in trials

  mutable std::mutex device_plan_mutex_;
  mutable std::shared_ptr<const Elimination> device_planned_for_;
  mutable std::shared_ptr<const FrontierDevicePlan> device_plan_;
  mutable FormChoice device_form_;  // on the GPU last asked about
};

}  // namespace countpm
