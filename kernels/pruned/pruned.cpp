#include "kernels/pruned/pruned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <utility>

#include "graph/clock.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/pruned/gpu/form.hpp"
#include "kernels/pruned/gpu/tuning.hpp"
#include "kernels/pruned/prefix_list.hpp"
#include "kernels/pruned/search/column_classes.hpp"
#include "kernels/pruned/search/forecast.hpp"
#include "kernels/pruned/search/search.hpp"
#include "kernels/pruned/simd_walk.hpp"
#include "kernels/pruned/units.hpp"
#include "kernels/subsets/prefixes.hpp"
#include "kernels/subsets/visits_forecast.hpp"
#include "kernels/subsets/wide_products.hpp"
#include "kernels/support/parallel_ranges.hpp"
#include "kernels/support/plan_text.hpp"

namespace countpm {
namespace {

// Units of some 2^17 visits or 2^18 products: about 3 ms. Several prefixes a unit, taken at equal distances,
// even out what their trees differ in. Where the most are not enough they grow: er_n48_p50 on four H200 had
// one of 16384 run again on a CPU for 24 s after 31 s of counting (2026-11-21).
constexpr double log2_unit_visits = 17;
constexpr std::uint64_t most_units = 65536;
constexpr double prefixes_a_unit = 4;
constexpr std::size_t prefixes_listed = 65536;  // at least, and as many a unit as that
// Of the forecast: one that costs some 3 ms at n = 40, and one that costs 50 ms and is right to some 2 %; in
// between, one that takes about a hundredth of the walk (AMD EPYC, Zen 4, 2026-11-21).
constexpr double first_population = 1000;
constexpr double best_population = 20000;
constexpr double seconds_worth_the_best = 5, seconds_a_member = 2.5e-6;
// A round of the search takes some 10 ms, as many visits as this one.
constexpr double log2_worth_searching = 18;
constexpr unsigned both_sides_rounds = 4;
constexpr unsigned most_rounds = 400;
constexpr Index most_transposed_rows = 512;
constexpr unsigned device_warps = pruned_tuning::threads / 32;

template <class Int>
class PrunedJobOf : public PrunedJob, public GpuForm, public Improvable, public Repeatable {
 public:
  PrunedJobOf(IntegerColumns<Int> columns, const Arithmetic& arithmetic, std::uint64_t seed,
              PrunedChoice choice)
      : arithmetic_(arithmetic), seed_(seed), choice_(std::move(choice)) {
    const bool prescribed = !choice_.order.empty() || !choice_.shift.empty();
    const unsigned most_tail = std::is_same_v<Int, std::int64_t> ? choice_.most_tail_columns : 0;
    if (choice_.plan) {
      follow(std::move(columns), pruned_units_from<Int>(*choice_.plan), most_tail);
      return;
    }
    std::optional<IntegerColumns<Int>> other;
    if (choice_.transposed) other = countpm::transposed(columns);
    const bool is_transposed = other.has_value();
    if (is_transposed) columns = std::move(*other);
    if (!prescribed) columns = with_few_classes(std::move(columns), most_tail);
    sides_.push_back(std::make_unique<Side>(std::move(columns), is_transposed));
    side_ = sides_.front().get();
    plan_ = first_plan(side_->columns, most_tail, seed_);
    if (!choice_.order.empty()) plan_.order = choice_.order;
    for (std::size_t i = 0; i < choice_.shift.size(); ++i)
      plan_.shift[i] = static_cast<std::int64_t>(choice_.shift[i]);
    settle(first_population);
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      if (!prescribed && std::max(forecast_.log2_visits, forecast_.log2_leaves) >= log2_worth_searching)
        search();
    }
  }

  /// On the same tree, with the next narrower instruction set: another code path.
  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    return std::unique_ptr<Job>(new PrunedJobOf(*this, arithmetic));
  }
  std::string_view other_code() const override { return "the next narrower instruction set"; }
  std::string plan() const override {
    return to_text(PrunedUnits<Int>{side_->transposed, plan_, prefix_levels_, units_});
  }
  std::string describe() const override {
    return fmt::format("2^{:.1f} products, {}{}", forecast_.log2_leaves,
                       side_->search ? counted_rounds(side_->search->rounds()) : "not searched",
                       side_->transposed ? ", the transpose" : "");
  }

  bool improvable() const override {
    // A search of a tenth of the walk is worth its time.
    return side_->search && side_->search->rounds() < most_rounds &&
           nominal_seconds() > 10 * (searched_ + next_round_seconds_);
  }
  void improve(double seconds, const StopSignal& stop) override {
    if (!side_->search) return;
    const double start = seconds_now();
    given_ += seconds;  // a round that takes more than what is left waits for the next call
    while (searched_ + seconds_now() - start + next_round_seconds_ <= given_ &&
           side_->search->rounds() < most_rounds) {
      stop.check();
      search_round();
    }
    // The forecast of a plan that is no better need not be repeated.
    const double most = std::clamp(seconds / seconds_a_member, first_population, best_population);
    const double population =
        std::clamp(best_population * nominal_seconds() / seconds_worth_the_best, first_population, most);
    if (!settled_ || population > 2 * settled_population_) settle(population);
    searched_ += seconds_now() - start;
  }

  std::uint64_t units() const override { return units_; }
  double log2_work() const override { return forecast_.log2_visits; }
  bool sampled() const override { return true; }

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    stop.check();
    WorkMeter meter(stop);
    std::uint64_t leaves = 0;
    return share_of_permanent(unit_sum(unit, meter, stop, leaves), side_->columns.rows, RyserForm::classic,
                              side_->columns.scale, arithmetic_);
  }

  double nominal_rate() const override {
    if (packed_) return 1 / packed_->visit_seconds(products_a_visit());
    return slowed(2e8 / std::max<double>(side_->columns.rows, 8), term_seconds(side_->columns));
  }
  double measured_rate(double seconds) const override {
    if (is_too_slow_to_measure(side_->columns, seconds)) return nominal_rate();
    const StopSignal& stop = stop_signal_here();
    const PrefixList& list = prefixes(stop);
    WorkMeter meter(stop, seconds);
    std::uint64_t leaves = 0;
    std::uint64_t runs = 0;
    // Prefixes from all over the tree: the first ones, which take few columns, have by far the most leaves,
    // and a slice of 30 ms of them alone was five times slower than the whole count.
    if (list.count != 0) {
      std::mt19937_64 random(seed_);
      PackedWalk::Workspace workspace = workspace_of_walk();
      do {
        prefix_sum(list, random() % list.count, workspace, meter, leaves);
        ++runs;
      } while (meter.done() != 0 && meter.look());
    }
    // a tree without levels before the tail has no visits, and is forecast as one
    const auto visits = static_cast<double>(std::max(meter.done(), runs));
    return std::max(visits / std::max(meter.elapsed_seconds(), 1e-9), 1.0);
  }
  std::uint64_t bytes_per_thread() const override {
    return (packed_ ? packed_->bytes_per_thread() : 0) + wide_bytes(side_->columns) +
           std::uint64_t{side_->columns.rows} * 64 + tree_.levels.size() * (sizeof(TailSet) + 16) + 4096;
  }
  std::uint64_t bytes_shared() const override {
    return most_prefixes() * sizeof(Index) * prefix_levels_ + tree_.masks.size() * sizeof(TailSet) +
           (packed_ ? packed_->bytes_shared() : 0);
  }

  std::optional<Refusal> device_obstacle(const GpuInfo& gpu) const override {
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      if (std::string why = countpm::device_obstacle(side_->columns, plan_); !why.empty())
        return Refusal{RefusalKind::no_gpu_form_here, std::move(why)};
      const DeviceLayout least =
          lay_out_for_device(side_->columns, plan_, device_tail(), most_device_limbs, 0, device_warps);
      if (block_shared_bytes(least.shape, device_warps) > gpu.shared_bytes)
        return Refusal{RefusalKind::no_gpu_form_here,
                       "its tables are larger than a multiprocessor's shared memory"};
      if (device_limbs() <= most_device_limbs) return std::nullopt;
      return Refusal{RefusalKind::no_gpu_form_here, "sums are wider than those of GPUs"};
    }
    return Refusal{RefusalKind::no_gpu_form_here, "weights go beyond 64 bits"};
  }
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override {
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      if (!device_obstacle(gpu)) return on_gpu<PrunedForm>(gpu, device_task(gpu));
    }
    return nullptr;
  }
  double nominal_device_rate(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return 0;
    const double slower =
        packed_ ? packed_->visit_seconds(products_a_visit()) / packed_->visit_seconds(1) : 1;
    return pruned_tuning::nominal_visits_a_cycle / slower * gpu.clock_ghz * 1e9 * gpu.multiprocessors;
  }

  Profile measure(std::uint64_t first, std::uint64_t last) const override {
    const StopSignal& stop = stop_signal_here();
    WorkMeter meter(stop);
    Profile profile;
    std::uint64_t leaves = 0;
    for (std::uint64_t unit = first; unit < last; ++unit) unit_sum(unit, meter, stop, leaves);
    profile.visits = static_cast<double>(meter.done() + prefixes(stop).visits);
    profile.leaves = static_cast<double>(leaves);
    return profile;
  }
  Profile forecast() const override {
    return {std::exp2(forecast_.log2_visits), std::exp2(forecast_.log2_leaves)};
  }
  bool transposed() const override { return side_->transposed; }
  std::string path() const override {
    if (!packed_) return "whole numbers";
    return fmt::format("{}, {}-bit lanes, {} block(s), {} limb(s)", packed_->variant_name(),
                       8 * packed_->lane_bytes(), packed_->blocks(), packed_->limbs());
  }

 private:
  /// The settled job in another arithmetic.
  PrunedJobOf(const PrunedJobOf& from, const Arithmetic& arithmetic)
      : arithmetic_(arithmetic),
        seed_(from.seed_),
        choice_(from.choice_),
        plan_(from.plan_),
        tree_(from.tree_),
        forecast_(from.forecast_),
        units_(from.units_),
        prefix_levels_(from.prefix_levels_) {
    sides_.push_back(std::make_unique<Side>(from.side_->columns, from.side_->transposed));
    side_ = sides_.front().get();
    if (from.packed_) pack(narrower(choice_.lanes));
    forget_prefixes();
  }
  static LaneChoice narrower(LaneChoice lanes) {
    if (lanes == LaneChoice::automatic)
      lanes = lanes_supported(LaneChoice::avx512) ? LaneChoice::avx512 : LaneChoice::avx2;
    return lanes == LaneChoice::avx512 ? LaneChoice::avx2 : LaneChoice::baseline;
  }
  static std::string counted_rounds(unsigned rounds) {
    return fmt::format("{} round{} of search", rounds, rounds == 1 ? "" : "s");
  }

  struct Side {
    Side(IntegerColumns<Int> given, bool is_transposed)
        : columns(std::move(given)), transposed(is_transposed) {}
    IntegerColumns<Int> columns;
    bool transposed;
    std::optional<PrunedSearch> search;
  };

  /// Another job's tree and units. Columns are numbered as they are after a search.
  void follow(IntegerColumns<Int> columns, const PrunedUnits<Int>& given, unsigned most_tail) {
    columns = with_few_classes(std::move(columns), most_tail);
    if (given.transposed) {
      auto other = countpm::transposed(columns);
      if (!other) throw PlanError("a plan transposes what cannot be");
      columns = with_few_classes(std::move(*other), choice_.most_tail_columns);
    }
    check_fits(given.plan, columns);
    sides_.push_back(std::make_unique<Side>(std::move(columns), given.transposed));
    side_ = sides_.front().get();
    plan_ = given.plan;
    settle(first_population);
    if (plan_.tail != given.plan.tail || given.prefix_levels > tree_.levels.size())
      throw PlanError("a plan's tree is not that of this version");
    units_ = given.units;
    // As cut() has them, with room for what another forecast of the same tree said.
    constexpr double log2_room = 3;
    if (forecast_.log2_survivors[given.prefix_levels] >
        std::log2(static_cast<double>(most_prefixes())) + log2_room)
      throw PlanError("a plan lists too many prefixes");
    prefix_levels_ = given.prefix_levels;
    forget_prefixes();
  }

  /// The first rounds, on both sides.
  void search() {
    if (choice_.either_side && side_->columns.rows <= most_transposed_rows) {
      auto other = countpm::transposed(side_->columns);
      if (other) {
        sides_.push_back(std::make_unique<Side>(
            with_few_classes(std::move(*other), choice_.most_tail_columns), !side_->transposed));
      }
    }
    for (const auto& side : sides_)
      side->search.emplace(side->columns, choice_.most_tail_columns, seed_, choice_.threads);
    search_round();
    settle(first_population);
  }

  /// Of both sides for the first rounds, then of the cheaper one.
  void search_round() {
    const double start = seconds_now();
    parallel_ranges(static_cast<int>(choice_.threads), sides_.size(), 1, [&](std::uint64_t k, std::uint64_t) {
      const auto& side = sides_[k];
      if (side.get() == side_ || side->search->rounds() < both_sides_rounds) side->search->round();
    });
    choose_side();
    next_round_seconds_ = 2 * (seconds_now() - start);  // as PrunedSearch says
  }

  void choose_side() {
    side_ = sides_.front().get();
    for (const auto& side : sides_) {
      if (side->search && side->search->log2_cost() < side_->search->log2_cost()) side_ = side.get();
    }
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      if (!side_->search) return;
      const PrunedPlan<Int>& best = side_->search->plan();
      if (settled_ && settled_transposed_ == side_->transposed && best.order == plan_.order &&
          best.shift == plan_.shift)
        return;
      plan_ = best;
      settled_ = false;
    }
  }

  double nominal_seconds() const { return std::exp2(log2_work()) / nominal_rate(); }
  double products_a_visit() const { return std::exp2(forecast_.log2_leaves - forecast_.log2_visits); }
  /// Everything that follows from the plan.
  void settle(double most_population) {
    tree_ = make_prune_tree(side_->columns, plan_);
    pack(choice_.lanes);
    if (!packed_ && plan_.tail != 0) {
      plan_.tail = 0;
      tree_ = make_prune_tree(side_->columns, plan_);
    }
    const double size = std::max(1.0, static_cast<double>(side_->columns.rows) * side_->columns.columns());
    const double population = std::clamp(most_population * 2304 / size, 16.0, most_population);
    forecast_ = forecast_tree(tree_, static_cast<std::size_t>(population), seed_);
    settled_ = true;
    settled_transposed_ = side_->transposed;
    settled_population_ = most_population;
    cut();
  }

  void pack(LaneChoice lanes) {
    packed_.reset();
    if constexpr (std::is_same_v<Int, std::int64_t>)
      packed_ = PackedWalk::make(side_->columns, tree_, limbs(), lanes);
  }

  void forget_prefixes() {
    list_ = std::make_unique<PrefixList>();
    listed_ = std::make_unique<std::once_flag>();
  }

  std::uint64_t most_prefixes() const {
    return std::max<std::uint64_t>(prefixes_listed, static_cast<std::uint64_t>(prefixes_a_unit) * units_);
  }

  void cut() {
    const double log2_cost = std::max(forecast_.log2_visits, forecast_.log2_leaves - 1);
    const double wanted =
        std::clamp(std::exp2(std::ceil(log2_cost - log2_unit_visits)), 1.0, static_cast<double>(most_units));
    units_ = static_cast<std::uint64_t>(wanted);
    prefix_levels_ = 0;
    // The forecast may be below what comes.
    const double most = std::log2(static_cast<double>(most_prefixes())) - 1;
    while (units_ > 1 && prefix_levels_ < tree_.levels.size() &&
           forecast_.log2_survivors[prefix_levels_] < std::log2(prefixes_a_unit * wanted) &&
           forecast_.log2_survivors[prefix_levels_ + 1] <= most)
      ++prefix_levels_;
    forget_prefixes();
  }

  unsigned limbs() const {
    unsigned bits = 0;
    for (const Modulus& modulus : arithmetic_.moduli) {
      if (modulus.prime != 0) return 0;
      bits = std::max(bits, modulus.power_of_two);
    }
    return bits / 64;
  }

  /// Listed when they are first asked for, so that a job that never runs costs no time.
  const PrefixList& prefixes(const StopSignal& stop) const {
    std::call_once(*listed_, [&] { *list_ = list_prefixes(tree_, prefix_levels_, stop); });
    return *list_;
  }

  /// The words of a GPU's sums.
  unsigned device_limbs() const requires std::is_same_v<Int, std::int64_t> {
    const unsigned exact = exact_device_limbs(side_->columns, plan_.shift);
    return limbs() == 0 ? exact : std::min(limbs(), exact);
  }

  /// Columns of a GPU's tail, at most: no longer than what is below a prefix.
  unsigned device_tail() const {
    const std::size_t below = side_->columns.columns() - prefix_levels_;
    return static_cast<unsigned>(std::min<std::size_t>(below, choice_.most_device_tail_columns));
  }

  PrunedDeviceTask device_task(const GpuInfo& gpu) const {
    PrunedDeviceTask task;
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      const StopSignal& stop = stop_signal_here();
      const PrefixList& list = prefixes(stop);
      task.limbs = device_limbs();
      task.layout = lay_out_for_device(side_->columns, plan_, device_tail(), task.limbs, gpu.shared_bytes,
                                       device_warps);
      task.digits.reserve(list.digits.size());
      for (std::size_t k = 0; k < list.count; ++k)
        task.digits.insert(task.digits.end(), list.dealt(k), list.dealt(k) + prefix_levels_);
      task.prefix_levels = prefix_levels_;
      task.prefixes = list.count;
      task.units = units_;
      task.log2_visits = forecast_.log2_visits;
      task.budget = choice_.device_budget;
      task.rows = side_->columns.rows;
      task.scale = side_->columns.scale;
      task.arithmetic = arithmetic_;
    }
    return task;
  }

  /// Cut short where the meter calls time.
  mpz_class unit_sum(std::uint64_t unit, WorkMeter& meter, const StopSignal& stop,
                     std::uint64_t& leaves) const {
    const PrefixList& list = prefixes(stop);
    PackedWalk::Workspace workspace = workspace_of_walk();
    mpz_class sum;
    for (std::uint64_t k = unit; k < list.count; k += units_) {
      sum += prefix_sum(list, k, workspace, meter, leaves);
      if (!meter.look()) break;
    }
    return sum;
  }

  /// Empty where nothing is packed.
  PackedWalk::Workspace workspace_of_walk() const {
    return packed_ ? packed_->workspace() : PackedWalk::Workspace();
  }

  /// What the subsets below the k-th prefix add up to, its weight included.
  mpz_class prefix_sum(const PrefixList& list, std::uint64_t k, PackedWalk::Workspace& workspace,
                       WorkMeter& meter, std::uint64_t& leaves) const {
    Prefix<Int> prefix = prefix_of(tree_, {list.dealt(k), list.dealt(k) + prefix_levels_});
    const mpz_class weight = weight_of(tree_, prefix.digits);
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      if (packed_) {
        PackedWalk::Tally tally;
        packed_->run(prefix, workspace, meter, tally);
        leaves += tally.leaves;
        return weight * tally.sum;
      }
    }
    return weight * whole_sum(tree_, prefix, meter, leaves);
  }

  std::vector<std::unique_ptr<Side>> sides_;
  Side* side_ = nullptr;  // the one that is walked
  Arithmetic arithmetic_;
  std::uint64_t seed_;
  PrunedChoice choice_;
  PrunedPlan<Int> plan_;
  PruneTree<Int> tree_;
  std::optional<PackedWalk> packed_;
  TreeForecast forecast_;
  bool settled_ = false;  // tree_ and forecast_ are those of plan_
  bool settled_transposed_ = false;
  double settled_population_ = 0;
  double searched_ = 0, given_ = 0;  // seconds, and those that were to be searched
  double next_round_seconds_ = 0;
  std::uint64_t units_ = 1;
  std::size_t prefix_levels_ = 0;
  std::unique_ptr<PrefixList> list_;
  std::unique_ptr<std::once_flag> listed_;
};

}  // namespace

std::unique_ptr<PrunedJob> make_pruned_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                           std::uint64_t seed, const PrunedChoice& choice) {
  return std::visit(
      [&](auto&& columns) -> std::unique_ptr<PrunedJob> {
        using Int = typename decltype(std::decay_t<decltype(columns)>::value)::value_type;
        return std::make_unique<PrunedJobOf<Int>>(std::forward<decltype(columns)>(columns), arithmetic, seed,
                                                  choice);
      },
      integer_columns(block));
}

}  // namespace countpm
