#include "kernels/published/sparse/gpu/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/gpu/device_rounds.hpp"
#include "kernels/subsets/gpu/job.hpp"
#include "kernels/subsets/gpu/tuning.hpp"
#include "kernels/subsets/prefix_batches.hpp"
#include "kernels/subsets/prefixes.hpp"

namespace countpm {
namespace {

using gray::PackedChoice;
using gray::Prefixes;
using Columns = IntegerColumns<std::int64_t>;

/// Inner columns that are chosen by the prefix, beyond those that skipper's kernel walks over.
constexpr unsigned most_chosen_columns = 8;

unsigned inner_columns(const SubsetPlan& plan) {
  return static_cast<unsigned>(plan.inner.size());
}
unsigned skip_columns(const SubsetPlan& plan) {
  return std::min(inner_columns(plan), gray::most_skip_columns);
}

constexpr const char* too_little_shared_memory =
    "its tables are larger than a multiprocessor's shared memory";

PackedChoice sparyser_form(const GpuInfo& gpu, const Columns& columns, const SubsetPlan& plan,
                           const Arithmetic& arithmetic) {
  PackedChoice choice = gray::packed_form(columns, plan, arithmetic);
  if (choice.form && !gray::sparyser_fits(gpu, *choice.form, inner_columns(plan)))
    return {{}, too_little_shared_memory};
  return choice;
}
PackedChoice skipper_form(const GpuInfo& gpu, const Columns& columns, const SubsetPlan& plan,
                          const Arithmetic& arithmetic) {
  PackedChoice choice = gray::packed_form(columns, plan, arithmetic);
  if (choice.form && !gray::skipper_fits(gpu, *choice.form, skip_columns(plan)))
    return {{}, too_little_shared_memory};
  if (inner_columns(plan) - skip_columns(plan) > most_chosen_columns)
    return {{},
            fmt::format("it walks over up to {} columns there, and these are {}",
                        gray::most_skip_columns + most_chosen_columns, inner_columns(plan))};
  return choice;
}

std::optional<Refusal> refusal_of(const PackedChoice& choice) {
  if (choice.form) return std::nullopt;
  return Refusal{RefusalKind::no_gpu_form_here, choice.obstacle};
}

/// What both methods' jobs share: Walk has sum(prefixes, stop), and walks over the first inner columns.
template <class Walker>
class SparseDeviceJob : public DeviceJob {
 public:
  SparseDeviceJob(const Columns& columns, const SubsetPlan& plan, Arithmetic arithmetic, unsigned walked,
                  std::unique_ptr<Walker> walker)
      : columns_(columns),
        plan_(plan),
        arithmetic_(std::move(arithmetic)),
        walked_(walked),
        walker_(std::move(walker)) {}

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    const double before = work_done();
    mpz_class sum;
    gray::for_each_batch(columns_, plan_, walked_, first, last, [&](const Prefixes<std::int64_t>& prefixes) {
      stop.check();
      sum += walker_->sum(prefixes, stop);
      subsets_ += std::ldexp(static_cast<double>(prefixes.size()), static_cast<int>(walked_));
    });
    work_of_run_ = work_done() - before;
    return share_of_permanent(sum, columns_.rows, plan_.shift, columns_.scale, arithmetic_);
  }

  double measured_rate(double seconds) override {
    return rate_of_ranges(*this, plan_.units, seconds, [this](std::uint64_t) { return work_of_run_; });
  }

  std::uint64_t device_bytes() const override { return walker_->bytes(); }

 private:
  /// In the method's own unit of work.
  double work_done() const {
    if constexpr (std::is_same_v<Walker, gray::SkipWalker>) {
      return static_cast<double>(walker_->visits());
    } else {
      return subsets_;
    }
  }

  const Columns& columns_;
  const SubsetPlan& plan_;
  Arithmetic arithmetic_;
  unsigned walked_;
  std::unique_ptr<Walker> walker_;
  double subsets_ = 0;      // of all runs so far
  double work_of_run_ = 0;  // of the last one
};

}  // namespace

std::optional<Refusal> sparyser_device_obstacle(const GpuInfo& gpu, const Columns& columns,
                                                const SubsetPlan& plan, const Arithmetic& arithmetic) {
  return refusal_of(sparyser_form(gpu, columns, plan, arithmetic));
}

std::optional<Refusal> skipper_device_obstacle(const GpuInfo& gpu, const Columns& columns,
                                               const SubsetPlan& plan, const Arithmetic& arithmetic) {
  return refusal_of(skipper_form(gpu, columns, plan, arithmetic));
}

std::unique_ptr<DeviceJob> make_sparyser_device_job(const GpuInfo& gpu, const Columns& columns,
                                                    const SubsetPlan& plan, const Arithmetic& arithmetic) {
  const auto form = sparyser_form(gpu, columns, plan, arithmetic).form;
  if (!form) return nullptr;
  const unsigned walked = inner_columns(plan);
  return std::make_unique<SparseDeviceJob<gray::IntegerWalker>>(
      columns, plan, arithmetic, walked,
      make_sparyser_walker(gpu, gray::walk_over(columns, plan, walked), *form));
}

double nominal_sparyser_device_rate(const GpuInfo& gpu, const Columns& columns, const SubsetPlan& plan,
                                    const Arithmetic& arithmetic) {
  if (!sparyser_form(gpu, columns, plan, arithmetic).form) return 0;
  // Of dense blocks, two thirds of ryser's; NVIDIA H200, n = 40: 4 and 10 times as fast at densities of 0.3
  // and 0.2 (bench/results/2026-11-22-gpu-published.md).
  return rate_by_row_sums(gpu, columns.rows, 10);
}

std::unique_ptr<DeviceJob> make_skipper_device_job(const GpuInfo& gpu, const Columns& columns,
                                                   const SubsetPlan& plan, const Arithmetic& arithmetic,
                                                   double log2_visits) {
  const auto form = skipper_form(gpu, columns, plan, arithmetic).form;
  if (!form) return nullptr;
  gray::SkipCut cut;
  cut.log2_visits = log2_visits;
  const unsigned walked = skip_columns(plan);
  return std::make_unique<SparseDeviceJob<gray::SkipWalker>>(
      columns, plan, arithmetic, walked,
      make_skipper_walker(gpu, gray::walk_over(columns, plan, walked), *form, cut));
}

double nominal_skipper_device_rate(const GpuInfo& gpu, const Columns& columns, const SubsetPlan& plan,
                                   const Arithmetic& arithmetic) {
  if (!skipper_form(gpu, columns, plan, arithmetic).form) return 0;
  // NVIDIA H200, n = 40: bench/results/2026-11-22-gpu-published.md.
  return rate_by_row_sums(gpu, columns.rows, 3);
}

}  // namespace countpm
