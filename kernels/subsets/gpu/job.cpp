#include "kernels/subsets/gpu/job.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "kernels/gpu/device_rounds.hpp"
#include "kernels/subsets/prefix_batches.hpp"
#include "kernels/subsets/prefixes.hpp"

namespace countpm {
namespace {

using gray::Prefixes;

/// Of subsets, units being alike.
double rate_of(DeviceJob& job, std::uint64_t units, double log2_work, double seconds) {
  const double work = std::exp2(log2_work) / static_cast<double>(units);
  return rate_of_ranges(job, units, seconds,
                        [work](std::uint64_t count) { return work * static_cast<double>(count); });
}

template <class Value>
class FloatingDeviceJob : public DeviceJob {
 public:
  FloatingDeviceJob(FloatingDevicePlan<Value> plan, const Arithmetic& arithmetic,
                    std::unique_ptr<gray::FloatingWalker<Value>> walker)
      : plan_(std::move(plan)), bits_(ball_bits(arithmetic)), walker_(std::move(walker)) {}

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    Ball total = zero_ball(bits_);
    const auto sum_up = [&](const Prefixes<Value>& prefixes) {
      add(total, plan_.share(walker_->sum(prefixes, stop)));
    };
    gray::PrefixBatch<Value, decltype(sum_up)> batch(sum_up);
    for (std::uint64_t unit = first; unit < last; ++unit) {
      plan_.for_each_prefix(unit, [&](const std::vector<Value>& start, const mpz_class& weight) {
        batch.add(start, weight < 0);  // +1 or -1
        return true;
      });
    }
    batch.flush();
    return total;
  }
  double measured_rate(double seconds) override {
    return rate_of(*this, plan_.units, plan_.log2_terms, seconds);
  }
  std::uint64_t device_bytes() const override { return walker_->bytes(); }
  std::string kernel() const override {
    // What MPFR numbers have become is told here alone.
    constexpr bool triples =
        std::is_same_v<Value, TripleDouble> || std::is_same_v<Value, Complex<TripleDouble>>;
    return walker_->kernel() + (triples ? ", in triple-doubles" : "");
  }

 private:
  FloatingDevicePlan<Value> plan_;
  mpfr_prec_t bits_;
  std::unique_ptr<gray::FloatingWalker<Value>> walker_;
};

}  // namespace

double rate_by_row_sums(const GpuInfo& gpu, Index rows, double sums_a_clock) {
  if (gpu.emulated) return 1e6 / std::max<double>(rows, 1);
  return sums_a_clock * gpu.multiprocessors * gpu.clock_ghz * 1e9 / std::max<double>(rows, 1);
}

IntegerDeviceJob::IntegerDeviceJob(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan,
                                   unsigned walked, std::vector<Share> shares, mpz_class scale)
    : columns_(columns), plan_(plan), walked_(walked), shares_(std::move(shares)), scale_(std::move(scale)) {}

Partial IntegerDeviceJob::run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) {
  std::vector<mpz_class> sums(shares_.size());
  gray::for_each_batch(columns_, plan_, walked_, first, last, [&](const Prefixes<std::int64_t>& prefixes) {
    for (std::size_t k = 0; k < shares_.size(); ++k) sums[k] += shares_[k].walker->sum(prefixes, stop);
  });
  Residues result;
  for (std::size_t k = 0; k < shares_.size(); ++k) {
    const Partial share = share_of_permanent(mpz_class(sums[k] * scale_), columns_.rows, plan_.form,
                                             columns_.scale, shares_[k].arithmetic);
    const std::vector<uint128>& residue = std::get<Residues>(share).residue;
    result.residue.insert(result.residue.end(), residue.begin(), residue.end());
  }
  return result;
}

double IntegerDeviceJob::measured_rate(double seconds) {
  return rate_of(*this, plan_.units, plan_.log2_terms, seconds);
}

std::uint64_t IntegerDeviceJob::device_bytes() const {
  std::uint64_t bytes = 0;
  for (const Share& share : shares_) bytes += share.walker->bytes();
  return bytes;
}

std::string IntegerDeviceJob::kernel() const {
  return shares_.empty() ? "" : shares_.front().walker->kernel();
}

template <class Value>
std::unique_ptr<DeviceJob> make_floating_device_job(FloatingDevicePlan<Value> plan,
                                                    const Arithmetic& arithmetic,
                                                    std::unique_ptr<gray::FloatingWalker<Value>> walker) {
  return std::make_unique<FloatingDeviceJob<Value>>(std::move(plan), arithmetic, std::move(walker));
}
template std::unique_ptr<DeviceJob> make_floating_device_job(FloatingDevicePlan<double>, const Arithmetic&,
                                                             std::unique_ptr<gray::FloatingWalker<double>>);
template std::unique_ptr<DeviceJob> make_floating_device_job(
    FloatingDevicePlan<DoubleDouble>, const Arithmetic&, std::unique_ptr<gray::FloatingWalker<DoubleDouble>>);
template std::unique_ptr<DeviceJob> make_floating_device_job(
    FloatingDevicePlan<TripleDouble>, const Arithmetic&, std::unique_ptr<gray::FloatingWalker<TripleDouble>>);
template std::unique_ptr<DeviceJob> make_floating_device_job(
    FloatingDevicePlan<Complex<double>>, const Arithmetic&,
    std::unique_ptr<gray::FloatingWalker<Complex<double>>>);
template std::unique_ptr<DeviceJob> make_floating_device_job(
    FloatingDevicePlan<Complex<DoubleDouble>>, const Arithmetic&,
    std::unique_ptr<gray::FloatingWalker<Complex<DoubleDouble>>>);
template std::unique_ptr<DeviceJob> make_floating_device_job(
    FloatingDevicePlan<Complex<TripleDouble>>, const Arithmetic&,
    std::unique_ptr<gray::FloatingWalker<Complex<TripleDouble>>>);

}  // namespace countpm
