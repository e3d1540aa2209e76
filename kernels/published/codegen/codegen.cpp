#include "kernels/published/codegen/codegen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/clock.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/gpu/device_rounds.hpp"
#include "kernels/gpu/runtime_compiler.hpp"
#include "kernels/published/codegen/floating.hpp"
#include "kernels/published/codegen/gpu/form.hpp"
#include "kernels/published/codegen/interpreter.hpp"
#include "kernels/published/codegen/report.hpp"
#include "kernels/subsets/gpu/job.hpp"
#include "kernels/subsets/prefixes.hpp"
#include "kernels/subsets/visits_forecast.hpp"

namespace countpm {
namespace {

using codegen::Overrides;
using codegen::Program;
using Columns = IntegerColumns<std::int64_t>;

// Units of up to 2^23 subsets: about a second of interpretation, and no more of them than a GPU's host makes
// prefixes for in a tenth of a second, one after another.
constexpr double log2_unit_subsets = 23;
constexpr unsigned most_inner_columns = 40;
constexpr unsigned slice_columns = 14;

/// The sum is wanted modulo 2^this; 0: exactly.
unsigned modulus_bits(const Arithmetic& arithmetic) {
  unsigned bits = 0;
  for (const Modulus& modulus : arithmetic.moduli) {
    if (modulus.prime != 0) return 0;
    bits = std::max(bits, modulus.power_of_two);
  }
  return bits;
}

class CodegenJob : public Job, public GpuForm, public Repeatable {
 public:
  CodegenJob(Columns columns, const Arithmetic& arithmetic, Overrides wishes)
      : columns_(std::move(columns)),
        arithmetic_(arithmetic),
        wishes_(wishes),
        plan_(plan_subsets(order(), columns_.multiplicity, ryser_form_for(arithmetic), most_inner_columns,
                           log2_unit_subsets)),
        program_(codegen::make_program(columns_, plan_, modulus_bits(arithmetic), wishes)) {}

  std::uint64_t units() const override { return plan_.units; }
  double log2_work() const override { return plan_.log2_terms; }

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    mpz_class sum;
    for_each_prefix(columns_, plan_, unit,
                    [&](const std::vector<std::int64_t>& start, const mpz_class& weight) {
                      sum += weight * walk_sum(program_, start, stop);
                      return true;
                    });
    return share_of_permanent(sum, columns_.rows, plan_.form, columns_.scale, arithmetic_);
  }

  std::string plan() const override { return to_text(plan_); }
  std::string describe() const override { return program_.describe(); }

  double nominal_rate() const override {
    // Interpreted, one core of an AMD EPYC, 2026-11-22: er_n40_p20, _p30, _p50 18, 10 and 6.3 M
    // subsets/s, 3.0, 4.0 and 4.6e8 of a step's instructions.
    return 3.5e8 * terms_per_instruction();
  }

  double measured_rate(double seconds) const override {
    const SubsetPlan slice =
        plan_subsets(order(), columns_.multiplicity, plan_.form, slice_columns, slice_columns);
    const Program program = codegen::make_program(columns_, slice, modulus_bits(arithmetic_), wishes_);
    const std::vector<std::int64_t> start = shifted_sums(columns_, slice);
    const StopSignal& stop = stop_signal_here();
    const double begin = seconds_now();
    double done = 0;
    do {
      walk_sum(program, start, stop);
      done += std::ldexp(1.0, static_cast<int>(slice.inner.size()));
    } while (seconds_now() - begin < seconds);
    return done / std::max(seconds_now() - begin, 1e-9);
  }

  std::optional<Refusal> device_obstacle(const GpuInfo& gpu) const override {
    if (program_.limbs > codegen::most_device_limbs)
      return Refusal{RefusalKind::no_gpu_form_here,
                     fmt::format("sums there have at most {} words of 64 bits, and {} are needed",
                                 codegen::most_device_limbs, program_.limbs)};
    if (has_twins(columns_.multiplicity))
      return Refusal{RefusalKind::no_gpu_form_here, no_gpu_form_for_twins};
    return compiler_obstacle(gpu);
  }
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return nullptr;
    auto walker = codegen::make_walker(gpu, program_);
    CodegenReport report = codegen::report_of(program_.describe(), *walker);
    std::vector<IntegerDeviceJob::Share> shares;
    shares.push_back({std::move(walker), arithmetic_});
    return std::make_unique<codegen::ReportingJob>(
        std::make_unique<IntegerDeviceJob>(columns_, plan_, static_cast<unsigned>(plan_.inner.size()),
                                           std::move(shares)),
        std::move(report));
  }
  double nominal_device_rate(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return 0;
    if (gpu.emulated) return nominal_rate();
    // NVIDIA H200, n = 40: 74 to 78 (bench/results/counting-gpu.md).
    constexpr double instructions_per_cycle = 70;
    const double rate =
        instructions_per_cycle * terms_per_instruction() * gpu.multiprocessors * gpu.clock_ghz * 1e9;
    return codegen::rate_with_compilation(rate, std::exp2(plan_.log2_terms));
  }

  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    auto job = std::make_unique<CodegenJob>(*this);
    job->arithmetic_ = arithmetic;
    return job;
  }

  std::uint64_t bytes_per_thread() const override { return std::uint64_t{columns_.rows} * 64 + 4096; }

 private:
  std::vector<Index> order() const {
    return wishes_.ordered ? codegen::permanent_order(columns_) : given_order(columns_.columns());
  }
  double terms_per_instruction() const {
    return std::exp2(program_.log2_step_terms()) / codegen::step_instructions(program_);
  }
  static mpz_class walk_sum(const Program& program, const std::vector<std::int64_t>& start,
                            const StopSignal& stop) {
    codegen::Interpreter interpreter(program);
    const std::vector<std::int32_t> starts = codegen::placed(program, start);
    std::vector<std::int32_t> globals(program.rows - program.registers);
    std::vector<std::uint32_t> total(program.limbs, 0);
    const std::uint64_t choices = std::uint64_t{1} << program.chosen();
    for (std::uint64_t choice = 0; choice < choices; ++choice) {
      stop.check();
      interpreter.add_item(starts.data(), choice, false, {globals.data(), 1}, total.data());
    }
    mpz_class sum = codegen::sum_of_totals(total, program.limbs);
    sum <<= program.halvings;
    return sum;
  }

  Columns columns_;
  Arithmetic arithmetic_;
  Overrides wishes_;
  SubsetPlan plan_;
  Program program_;
};

class Codegen : public Method {
 public:
  std::string_view name() const override { return "codegen"; }
  std::string_view summary() const override {
    return "ryser in a GPU kernel that is generated and compiled for the matrix; without a GPU it is "
           "interpreted, slowly";
  }
  std::string_view complexity() const override {
    return "O(2^(n-1) n) time, O(n^2) memory, and seconds to compile";
  }
  std::string_view reference() const override {
    return "D. Elbek, K. Kaya, Fully-automated code generation for efficient computation of sparse matrix "
           "permanents on GPUs, arXiv:2501.15126 (2025)";
  }
  std::string_view work_name() const override { return "subsets"; }
  /// NVRTC's library is opened where a GPU is asked about: 110 MB.
  double setup_seconds() const override { return 0.1; }

  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    if (auto general = countpm::obstacle(block, arithmetic)) return general;
    const Index rows = std::visit([](const auto& b) { return b.size(); }, block);
    if (auto why = too_many_rows_to_order(rows)) return why;
    if (arithmetic.kind == Arithmetic::Kind::floating) return floating_obstacle(block, arithmetic);
    const AnyIntegerColumns columns = integer_columns(block);
    const auto* const narrow = std::get_if<Columns>(&columns);
    if (narrow == nullptr || !codegen::in_bounds(*narrow))
      return Refusal{RefusalKind::too_large, "the weights of a row, made integers, add up to 2^30 or more"};
    return std::nullopt;
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions& options) const override {
    const codegen::Wishes wishes = codegen::wishes_of(options.settings);
    if (arithmetic.kind == Arithmetic::Kind::floating)
      return make_generated_job(block, arithmetic, {wishes}, options);
    return make_codegen_job(block, arithmetic, {wishes});
  }

 private:
  static std::optional<Refusal> floating_obstacle(const AnyBlock& block, const Arithmetic& arithmetic) {
    if (arithmetic.precision == Precision::mpfr)
      return Refusal{RefusalKind::arithmetic,
                     "it counts in doubles and double-doubles alone, not at a precision in bits"};
    if (std::visit([](const auto& b) { return b.size(); }, block) > gray::most_floating_rows)
      return Refusal{RefusalKind::too_large,
                     fmt::format("it counts up to {} rows in floating point", gray::most_floating_rows)};
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Job> make_codegen_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                      const Overrides& wishes) {
  return std::make_unique<CodegenJob>(std::get<Columns>(integer_columns(block)), arithmetic, wishes);
}

CodegenReport codegen_report(DeviceJob& job) {
  return dynamic_cast<codegen::ReportingJob&>(job).report();
}

const Method& codegen_method() {
  static const Codegen method;
  return method;
}

}  // namespace countpm
