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
  bool wide = false;
  double setup_seconds = 0.0003;
  std::optional<std::string> obstacle;
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
  int measurements = 0;
  std::vector<double> slices;
  double searched() const {
    double sum = 0;
    for (const double slice : slices) sum += slice;
    return sum;
  }
};

class FakeJob : public Job {
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
  bool wide() const override { return script_.wide; }
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

class FakeMethod : public Method {
 public:
  explicit FakeMethod(Script script, double* clock = nullptr) : script_(std::move(script)), clock_(clock) {}

  std::string_view name() const override { return script_.name; }
  std::string_view summary() const override { return "scripted"; }
  std::string_view complexity() const override { return "as scripted"; }
  std::string_view reference() const override { return "none"; }
  std::string_view work_name() const override { return "steps"; }
  double setup_seconds() const override { return script_.setup_seconds; }
  std::optional<std::string> obstacle(const AnyBlock&, const Arithmetic&) const override {
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
