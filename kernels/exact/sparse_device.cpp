#include "kernels/exact/sparse_device.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "kernels/exact/exact_walk.hpp"
#include "kernels/exact/ryser_tuning.hpp"

namespace countpm {
namespace {

using gray::PackedForm;
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

gray::Walk<std::int64_t> walk_over(const Columns& columns, const SubsetPlan& plan, unsigned walked) {
  gray::Walk<std::int64_t> walk;
  walk.rows = columns.rows;
  walk.columns = walked;
  for (unsigned c = 0; c < walked; ++c) {
    std::vector<std::int64_t> delta(columns.rows, 0);
    add_column(delta, columns, plan.shift, plan.inner[c], 1);
    walk.deltas.insert(walk.deltas.end(), delta.begin(), delta.end());
  }
  return walk;
}

std::optional<PackedForm> sparyser_form(const GpuInfo& gpu, const Columns& columns, const SubsetPlan& plan,
                                        const Arithmetic& arithmetic) {
  const auto form = gray::packed_form(columns, plan, arithmetic);
  if (!form || !gray::sparyser_fits(gpu, *form, inner_columns(plan))) return std::nullopt;
  return form;
}
std::optional<PackedForm> skipper_form(const GpuInfo& gpu, const Columns& columns, const SubsetPlan& plan,
                                       const Arithmetic& arithmetic) {
  const auto form = gray::packed_form(columns, plan, arithmetic);
  if (!form || !gray::skipper_fits(gpu, *form, skip_columns(plan))) return std::nullopt;
  if (inner_columns(plan) - skip_columns(plan) > most_chosen_columns) return std::nullopt;
  return form;
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
    mpz_class sum;
    Prefixes<std::int64_t> prefixes;
    const auto flush = [&] {
      if (prefixes.size() == 0) return;
      stop.check();
      sum += walker_->sum(prefixes, stop);
      prefixes = {};
    };
    for (std::uint64_t unit = first; unit < last; ++unit) {
      for_each_prefix(columns_, plan_, unit,
                      [&](const std::vector<std::int64_t>& start, const mpz_class& weight) {
                        add_prefixes(start, weight < 0, prefixes, flush);  // +1 or -1: no multiplicities
                        return true;
                      });
    }
    flush();
    return share_of_permanent(sum, columns_.rows, plan_.shift, columns_.scale, arithmetic_);
  }

  /// The work of ever longer ranges over their times, until one takes `seconds`: the start and the transfers
  /// count, as they do in a run.
  double measured_rate(double seconds) override {
    const StopSignal never;
    run(0, 1, never);  // the first launch loads the kernel
    for (std::uint64_t count = 1;; count *= 2) {
      count = std::min(count, plan_.units);
      const double before = work_done();
      const auto start = std::chrono::steady_clock::now();
      run(0, count, never);
      const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (elapsed >= seconds || count == plan_.units)
        return std::max((work_done() - before) / std::max(elapsed, 1e-9), 1.0);
    }
  }

  std::uint64_t device_bytes() const override { return walker_->bytes(); }

 private:
  /// One prefix for every subset of the inner columns that are not walked over.
  template <class Flush>
  void add_prefixes(const std::vector<std::int64_t>& start, bool minus, Prefixes<std::int64_t>& prefixes,
                    const Flush& flush) {
    const unsigned chosen = inner_columns(plan_) - walked_;
    for (std::uint64_t choice = 0; choice < std::uint64_t{1} << chosen; ++choice) {
      std::vector<std::int64_t> sums = start;
      bool odd = minus;
      for (unsigned c = 0; c < chosen; ++c) {
        if ((choice >> c & 1) == 0) continue;
        add_column(sums, columns_, plan_.shift, plan_.inner[walked_ + c], 1);
        odd = !odd;
      }
      prefixes.starts.insert(prefixes.starts.end(), sums.begin(), sums.end());
      prefixes.minuses.push_back(odd ? 1 : 0);
      subsets_ += std::ldexp(1.0, static_cast<int>(walked_));
      if (prefixes.size() == gray::most_prefixes) flush();
    }
  }
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
  double subsets_ = 0;  // of all runs so far
};

/// By the clock of each multiprocessor; an emulated GPU does as much as one of ryser does.
double nominal_rate(const GpuInfo& gpu, Index rows, double rows_a_clock) {
  if (gpu.emulated) return 1e6 / std::max<double>(rows, 1);
  return rows_a_clock * gpu.multiprocessors * gpu.clock_ghz * 1e9 / std::max<double>(rows, 1);
}

}  // namespace

std::unique_ptr<DeviceJob> make_sparyser_device_job(const GpuInfo& gpu, const Columns& columns,
                                                    const SubsetPlan& plan, const Arithmetic& arithmetic) {
  const auto form = sparyser_form(gpu, columns, plan, arithmetic);
  if (!form) return nullptr;
  const unsigned walked = inner_columns(plan);
  return std::make_unique<SparseDeviceJob<gray::IntegerWalker>>(
      columns, plan, arithmetic, walked, make_sparyser_walker(gpu, walk_over(columns, plan, walked), *form));
}

double nominal_sparyser_device_rate(const GpuInfo& gpu, const Columns& columns, const SubsetPlan& plan,
                                    const Arithmetic& arithmetic) {
  if (!sparyser_form(gpu, columns, plan, arithmetic)) return 0;
  // Of dense blocks, two thirds of ryser's; NVIDIA H200, n = 40: 4 and 10 times as fast at densities of 0.3
  // and 0.2 (bench/results/2026-11-22-gpu-published.md).
  return nominal_rate(gpu, columns.rows, 10);
}

std::unique_ptr<DeviceJob> make_skipper_device_job(const GpuInfo& gpu, const Columns& columns,
                                                   const SubsetPlan& plan, const Arithmetic& arithmetic,
                                                   double log2_visits) {
  const auto form = skipper_form(gpu, columns, plan, arithmetic);
  if (!form) return nullptr;
  gray::SkipCut cut;
  cut.log2_visits = log2_visits;
  const unsigned walked = skip_columns(plan);
  return std::make_unique<SparseDeviceJob<gray::SkipWalker>>(
      columns, plan, arithmetic, walked,
      make_skipper_walker(gpu, walk_over(columns, plan, walked), *form, cut));
}

double nominal_skipper_device_rate(const GpuInfo& gpu, const Columns& columns, const SubsetPlan& plan,
                                   const Arithmetic& arithmetic) {
  if (!skipper_form(gpu, columns, plan, arithmetic)) return 0;
  // NVIDIA H200, n = 40: bench/results/2026-11-22-gpu-published.md.
  return nominal_rate(gpu, columns.rows, 3);
}

}  // namespace countpm
