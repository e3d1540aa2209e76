#pragma once
// Methods whose work, rate and gains by searching are a script: to test the planner and the executor without
// a stopwatch.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/least_seconds.hpp"
#include "kernels/memory_gap.hpp"
#include "kernels/method.hpp"

namespace countpm::testing {

/// What a fake does. Its value is 1 a unit.
struct Script {
  std::string name = "fake";
  std::uint64_t units = 1;
  double log2_work = 20;
  double nominal_rate = 1e6;
  double measured_rate = 1e6;
  std::uint64_t bytes_per_thread = 0;
  std::uint64_t bytes_shared = 0;
  bool runs_on_all_threads = false;
  double setup_seconds = 0.0003;
  double least_seconds = 0;
  double device_rate = 0;  // nominal and measured; 0: no GPU form
  /// Run for every range that a GPU gets.
  std::function<void(int gpu, std::uint64_t first, std::uint64_t last, const StopSignal& stop)> during_range;
  std::optional<Refusal> obstacle;
  MethodTraits traits = {};
  std::optional<Refusal> device_obstacle;  // and then no GPU form
  /// By how many doublings a GPU's memory is too small after so many seconds of search; empty: never.
  std::function<double(double searched)> gpu_memory_gap;
  /// log2 of the work after so many seconds of search; empty: not improvable.
  std::function<double(double searched)> search;
  /// Run inside improve().
  std::function<void(const StopSignal& stop)> during_search;
  /// Run inside a unit.
  std::function<void(std::uint64_t unit, const StopSignal& stop)> during_run;
};

/// What happened to a fake's jobs.
struct Diary {
  int jobs = 0;
  std::atomic<int> measurements = 0;
  std::atomic<int> device_jobs = 0;  // made, or asked for
  std::vector<double> slices;
  double searched() const {
    double sum = 0;
    for (const double slice : slices) sum += slice;
    return sum;
  }
};

/// A GPU that does the units as the fake job does, one after another, on the calling thread.
class FakeDevice : public DeviceJob {
 public:
  FakeDevice(const Script& script, const Arithmetic& arithmetic, const Job& job, int gpu)
      : script_(script), arithmetic_(arithmetic), job_(job), gpu_(gpu) {}
  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    if (script_.during_range) script_.during_range(gpu_, first, last, stop);
    Partial sum = zero(arithmetic_);
    for (std::uint64_t unit = first; unit < last; ++unit) add(sum, job_.run(unit, stop), arithmetic_);
    return sum;
  }
  double measured_rate(double) override { return script_.device_rate; }
  std::uint64_t device_bytes() const override { return 0; }

 private:
  const Script& script_;
  const Arithmetic& arithmetic_;
  const Job& job_;
  int gpu_;
};

class FakeJob : public Job, public GpuForm, public Improvable, public ShortOfGpuMemory {
 public:
  FakeJob(Script script, Arithmetic arithmetic, Diary& diary, double* clock)
      : script_(std::move(script)), arithmetic_(std::move(arithmetic)), diary_(diary), clock_(clock) {}

  std::uint64_t units() const override { return script_.units; }
  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    if (script_.during_run) script_.during_run(unit, stop);
    Partial value = zero(arithmetic_);
    for (uint128& residue : std::get<Residues>(value).residue) residue = 1;
    return value;
  }
  double log2_work() const override { return script_.search ? script_.search(searched_) : script_.log2_work; }
  double nominal_rate() const override { return script_.nominal_rate; }
  double measured_rate(double) const override {
    ++diary_.measurements;
    return script_.measured_rate;
  }
  std::uint64_t bytes_per_thread() const override { return script_.bytes_per_thread; }
  std::uint64_t bytes_shared() const override { return script_.bytes_shared; }
  bool runs_on_all_threads() const override { return script_.runs_on_all_threads; }
  std::optional<Refusal> device_obstacle(const GpuInfo&) const override {
    if (script_.device_obstacle) return script_.device_obstacle;
    if (gpu_memory_gap({})) return Refusal{RefusalKind::gpu_memory, "the GPU is full"};
    if (script_.device_rate > 0) return std::nullopt;
    return Refusal{RefusalKind::no_gpu_form, "it does not run on a GPU"};
  }
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override {
    ++diary_.device_jobs;
    if (script_.device_rate == 0) return nullptr;
    return std::make_unique<FakeDevice>(script_, arithmetic_, *this, gpu.index);
  }
  double nominal_device_rate(const GpuInfo&) const override {
    return gpu_memory_gap({}) ? 0 : script_.device_rate;
  }
  std::optional<MemoryGap> gpu_memory_gap(const GpuInfo&) const override {
    const double doublings = script_.gpu_memory_gap ? script_.gpu_memory_gap(searched_) : 0;
    if (doublings <= 0) return std::nullopt;
    return MemoryGap{doublings, std::exp2(log2_work()) / script_.device_rate};
  }
  bool improvable() const override { return script_.search != nullptr; }
  void improve(double seconds, const StopSignal& stop) override {
    if (script_.during_search) script_.during_search(stop);
    stop.check();
    diary_.slices.push_back(seconds);
    searched_ += seconds;
    if (clock_ != nullptr) *clock_ += seconds;
  }

 private:
  Script script_;
  Arithmetic arithmetic_;
  Diary& diary_;
  double* clock_;
  double searched_ = 0;
};

class FakeMethod : public Method, public BoundedBelow {
 public:
  explicit FakeMethod(Script script, double* clock = nullptr) : script_(std::move(script)), clock_(clock) {}

  std::string_view name() const override { return script_.name; }
  std::string_view summary() const override { return "scripted"; }
  std::string_view complexity() const override { return "as scripted"; }
  std::string_view reference() const override { return "none"; }
  std::string_view work_name() const override { return "steps"; }
  double setup_seconds() const override { return script_.setup_seconds; }
  double least_seconds(const AnyBlock&) const override { return script_.least_seconds; }
  MethodTraits traits() const override { return script_.traits; }
  std::optional<Refusal> obstacle(const AnyBlock&, const Arithmetic&) const override {
    return script_.obstacle;
  }
  std::unique_ptr<Job> make_job(const AnyBlock&, const Arithmetic& arithmetic,
                                const MethodOptions&) const override {
    ++diary_.jobs;
    return std::make_unique<FakeJob>(script_, arithmetic, diary_, clock_);
  }

  const Diary& diary() const { return diary_; }

 private:
  Script script_;
  double* clock_;
  mutable Diary diary_;
};

}  // namespace countpm::testing
