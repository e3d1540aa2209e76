#include "kernels/published/sparse/gpu/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/gpu/device_rounds.hpp"
#include "kernels/published/sparse/gpu/skipper_kernel.hpp"
#include "kernels/published/sparse/gpu/sparyser_kernel.hpp"
#include "kernels/subsets/gpu/job.hpp"
#include "kernels/subsets/prefix_batches.hpp"
#include "kernels/subsets/prefixes.hpp"

namespace countpm {
namespace gray {

bool sparyser_fits(const GpuInfo& gpu, const PackedForm& form, unsigned columns) {
  return with_packed_form(form, [&](auto packed, auto width) {
    using Kernel = SparyserKernel<typename decltype(packed)::type, width.value>;
    return Kernel::shared_bytes(columns) <= gpu.shared_bytes;
  });
}

bool skipper_fits(const GpuInfo& gpu, const PackedForm& form, unsigned columns) {
  return with_packed_form(form, [&](auto packed, auto width) {
    using Kernel = SkipperKernel<typename decltype(packed)::type, width.value>;
    return Kernel::shared_bytes(columns, std::min(columns, Kernel::most_fast)) <= gpu.shared_bytes;
  });
}

}  // namespace gray
namespace {

using gray::PackedChoice;
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

std::vector<IntegerDeviceJob::Share> share(std::unique_ptr<gray::IntegerWalker> walker,
                                           const Arithmetic& arithmetic) {
  std::vector<IntegerDeviceJob::Share> shares;
  shares.push_back({std::move(walker), arithmetic});
  return shares;
}

/// Its work is visits.
class SkipperDeviceJob : public IntegerDeviceJob {
 public:
  /// walker: that of the one share.
  SkipperDeviceJob(const gray::SkipWalker& walker, const Columns& columns, const SubsetPlan& plan,
                   unsigned walked, std::vector<Share> shares)
      : IntegerDeviceJob(columns, plan, walked, std::move(shares)), plan_(plan), walker_(walker) {}

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    const std::uint64_t before = walker_.visits();
    Partial sum = IntegerDeviceJob::run(first, last, stop);
    visits_of_run_ = walker_.visits() - before;
    return sum;
  }
  double measured_rate(double seconds) override {
    return rate_of_ranges(*this, plan_.units, seconds,
                          [this](std::uint64_t) { return static_cast<double>(visits_of_run_); });
  }

 private:
  const SubsetPlan& plan_;
  const gray::SkipWalker& walker_;
  std::uint64_t visits_of_run_ = 0;
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
  return std::make_unique<IntegerDeviceJob>(
      columns, plan, walked,
      share(make_sparyser_walker(gpu, gray::walk_over(columns, plan, walked), *form), arithmetic));
}

double nominal_sparyser_device_rate(const GpuInfo& gpu, const Columns& columns, const SubsetPlan& plan,
                                    const Arithmetic& arithmetic) {
  if (!sparyser_form(gpu, columns, plan, arithmetic).form) return 0;
  // Of dense blocks, two thirds of ryser's; NVIDIA H200, n = 40: 4 and 10 times as fast at densities of 0.3
  // and 0.2 (bench/results/counting-gpu.md).
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
  auto walker = make_skipper_walker(gpu, gray::walk_over(columns, plan, walked), *form, cut);
  const gray::SkipWalker& skipping = *walker;
  return std::make_unique<SkipperDeviceJob>(skipping, columns, plan, walked,
                                            share(std::move(walker), arithmetic));
}

double nominal_skipper_device_rate(const GpuInfo& gpu, const Columns& columns, const SubsetPlan& plan,
                                   const Arithmetic& arithmetic) {
  if (!skipper_form(gpu, columns, plan, arithmetic).form) return 0;
  // NVIDIA H200, n = 40: bench/results/counting-gpu.md.
  return rate_by_row_sums(gpu, columns.rows, 3);
}

}  // namespace countpm
