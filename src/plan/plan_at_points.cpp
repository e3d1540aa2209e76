#include "src/plan/plan_at_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "graph/stop_signal.hpp"
#include "kernels/polynomial_method.hpp"
#include "src/structure/blocks.hpp"

namespace countpm {
namespace {

// As plan_block()'s.
constexpr double worth_measuring_point_seconds = 0.1;
constexpr double worth_gpus_seconds = 0.5;
constexpr double point_measuring_share = 0.02;
constexpr double most_point_measuring_seconds = 0.3;

struct MethodAtPoints {
  const PolynomialMethod* method = nullptr;
  std::unique_ptr<CountAtPoints> count;
};

/// The one of that name, or any where it is "auto".
MethodAtPoints method_at_points(const AnyBlock& block, const PackedForm& form, const std::string& name,
                                const Resources& resources) {
  MethodOptions options;
  options.threads = resources.threads;
  options.memory_bytes = resources.memory_bytes;
  for (const Method* method : exact_methods()) {
    if (name != "auto" && name != method->name()) continue;
    const auto* polynomial = dynamic_cast<const PolynomialMethod*>(method);
    if (polynomial == nullptr) continue;
    if (auto count = polynomial->at_points(block, form.base_bits, options))
      return {polynomial, std::move(count)};
  }
  return {};
}

std::optional<Candidate> candidate_at_points(const MethodAtPoints& points, const PackedForm& form,
                                             std::optional<PointResidues> residues,
                                             const Resources& resources) {
  if (!residues) return std::nullopt;
  Candidate candidate;
  candidate.method = points.method;
  candidate.log2_bound = form.log2_bound();
  candidate.asked = true;
  candidate.pinned = true;
  candidate.choice.denominator = form.denominator;
  candidate.choice.is_signed = form.is_signed;
  candidate.choice.arithmetic = residues->arithmetic();
  candidate.job = points.count->make_job(candidate.choice.arithmetic, residues->roots());
  candidate.choice.points = std::make_shared<const PointResidues>(std::move(*residues));
  candidate.predict(resources);
  return candidate;
}

void measure_if_long(Candidate& candidate, const Resources& resources, double worth) {
  const double seconds = std::pow(10, candidate.log10_seconds);
  if (seconds < worth) return;
  candidate.measure(std::min(point_measuring_share * seconds, most_point_measuring_seconds), resources);
}

BlockPlan plan_of(Candidate candidate, const AnyBlock& block) {
  BlockPlan plan;
  plan.forecast.rows = rows_of(block);
  plan.forecast.entries = entries_of(block);
  plan.forecast.general = is_general(block);
  plan.forecast.log2_bound = candidate.log2_bound;
  plan.forecast.arithmetic = candidate.choice.name();
  plan.forecast.methods.push_back(candidate.forecast());
  plan.forecast.methods.back().chosen = true;
  plan.method = candidate.method;
  plan.choice = std::move(candidate.choice);
  plan.job = std::move(candidate.job);
  plan.processors = std::move(candidate.processors);
  plan.seconds = std::pow(10, candidate.log10_seconds);
  return plan;
}

}  // namespace

std::optional<BlockPlan> plan_at_points(const AnyBlock& block, const PackedForm& form,
                                        const CountOptions& options, const Resources& given_resources,
                                        bool nominal, Monitor& monitor) {
  Resources resources = given_resources;
  try {
    const MethodAtPoints points = method_at_points(block, form, options.method, resources);
    if (!points.count) return std::nullopt;
    const auto choose = [&form](unsigned bits) { return PointResidues::choose(form, bits); };
    std::optional<Candidate> best;
    if (resources.cpu)
      best = candidate_at_points(points, form, choose(points.count->prime_bits()), resources);
    if (best && !nominal) measure_if_long(*best, resources, worth_measuring_point_seconds);
    if (options.device == "auto" && resources.gpus.empty() && best && !nominal &&
        best->log10_seconds > std::log10(worth_gpus_seconds))
      resources.gpus = choose_gpus(options);
    if (!resources.gpus.empty()) {
      auto on_gpus = candidate_at_points(points, form, choose(points.count->device_prime_bits()), resources);
      if (on_gpus && !on_gpus->processors.gpus.empty()) {
        if (!nominal) measure_if_long(*on_gpus, resources, worth_gpus_seconds);
        if (!best || on_gpus->log10_seconds < best->log10_seconds) best = std::move(on_gpus);
      }
    }
    if (!best || !best->can()) return std::nullopt;
    return plan_of(std::move(*best), block);
  } catch (const Stopped&) {
    monitor.throw_if_stopped();
    throw;
  }
}

std::optional<BlockPlan> plan_at_points_as_before(const AnyBlock& block, const PackedForm& form,
                                                  const PointsBefore& before, const CountOptions& options,
                                                  const Resources& given_resources, bool nominal,
                                                  Monitor& monitor) {
  Resources resources = given_resources;
  try {
    const MethodAtPoints points = method_at_points(block, form, before.method, resources);
    if (!points.count) return std::nullopt;
    auto made = candidate_at_points(
        points, form, PointResidues::chosen(form, before.windows, points.count->prime_bits(), before.prove),
        resources);
    if (!made) return std::nullopt;
    const auto measured = [&] {
      if (!nominal)
        measure_if_long(*made, resources,
                        made->processors.gpus.empty() ? worth_measuring_point_seconds : worth_gpus_seconds);
    };
    measured();
    if (options.device == "auto" && resources.gpus.empty() && !nominal &&
        made->log10_seconds > std::log10(worth_gpus_seconds)) {
      resources.gpus = choose_gpus(options);
      made->predict(resources);
      if (!made->processors.gpus.empty()) measured();
    }
    if (!resources.cpu && made->processors.gpus.empty()) {
      made->fits = false;
      made->obstacle = Refusal{RefusalKind::no_gpu_form, "its points have primes that no GPU here takes"};
    }
    const bool can = made->can();
    BlockPlan plan = plan_of(*std::move(made), block);
    if (can) return plan;
    plan.job.reset();
    plan.seconds = std::numeric_limits<double>::infinity();
    return plan;
  } catch (const Stopped&) {
    monitor.throw_if_stopped();
    throw;
  }
}

}  // namespace countpm
