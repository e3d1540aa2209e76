#include "kernels/estimate/population/count_fit.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/support/instruction_sets.hpp"

namespace countpm {
namespace {

using fit_loops::lanes;
using fit_loops::row_unit;

// Larger quotients of y and its mean, and of mu, count as this: a few samples must not decide everything.
constexpr double most_quotient = 8;
constexpr double most_logarithmic_weight = 4;
// In logarithms y is no smaller than this, over its offset, and weighs no less than as if it were that.
constexpr double least_ratio = 0x1p-4;
constexpr double share_of_small_y = 0.25;
constexpr double penalty = 1;
constexpr double most_coefficient = 6;
constexpr int newton_steps = 2;

/// Bit k of row i becomes bit i of row k.
void transpose_bits(std::array<std::uint64_t, 64>& rows) {
  std::uint64_t mask = 0x00000000ffffffffU;
  for (unsigned width = 32; width != 0; width /= 2, mask ^= mask << width) {
    for (unsigned k = 0; k < 64; k = ((k | width) + 1) & ~width) {
      const std::uint64_t swapped = (rows[k] >> width ^ rows[k | width]) & mask;
      rows[k] ^= swapped << width;
      rows[k | width] ^= swapped;
    }
  }
}

}  // namespace

const fit_loops::Code& widest_fit_loops() {
#ifdef __x86_64__
  if (processor_has(InstructionSet::avx512)) return fit_loops::avx512::code;
  if (processor_has(InstructionSet::avx2)) return fit_loops::avx2::code;
#endif
  return fit_loops::baseline::code;
}

struct CountFit::Scratch {
  const fit_loops::Code& loops = widest_fit_loops();
  std::size_t unknowns = 0;  // the constant, then the coefficients
  std::size_t stride = 0;
  double scale_y = 1;
  double scale_offset = 1;
  std::vector<double> x;
  std::vector<float> x_in_floats;
  std::vector<double> matrix;  // its upper half
  std::vector<double> right;
  // Of every part:
  std::vector<std::vector<float>> curvatures;  // the lower half
  std::vector<std::vector<float>> slopes;
  // Of every sample a row of what it has of the unknowns, 1 or 0, and those that it has.
  std::vector<float> has;
  std::vector<unsigned> list;
  std::vector<unsigned> listed;

  bool run(const std::vector<std::uint64_t>& features, const CountFitSamples& samples, StepTeam& team);
  void begin(const std::vector<std::uint64_t>& features, std::size_t samples);
  void take_features(const std::vector<std::uint64_t>& features, const CountFitSamples& samples,
                     std::size_t first, std::size_t last);
  void add_logarithms(const CountFitSamples& samples, std::size_t first, std::size_t last, std::size_t part);
  void add_slopes(const CountFitSamples& samples, std::size_t first, std::size_t last, std::size_t part);
  bool move(std::size_t parts, bool new_matrix);
  void solve();
};

void CountFit::Scratch::begin(const std::vector<std::uint64_t>& features, std::size_t samples) {
  unknowns = features.size() + 1;
  stride = (unknowns + row_unit - 1) / row_unit * row_unit;
  x.assign(unknowns, 0.0);
  x_in_floats.assign(stride, 0.0F);
  const std::size_t parts = parts_of_samples(samples);
  if (curvatures.size() < parts) {
    curvatures.resize(parts);
    slopes.resize(parts);
  }
  has.resize(samples * stride);
  list.resize(samples * stride);
  listed.resize(samples);
}

void CountFit::Scratch::take_features(const std::vector<std::uint64_t>& features,
                                      const CountFitSamples& samples, std::size_t first, std::size_t last) {
  std::array<std::uint64_t, 64> of_trait{};
  for (std::size_t k = first; k < last; ++k) of_trait[k - first] = samples.traits[k];
  transpose_bits(of_trait);
  std::fill(has.data() + first * stride, has.data() + last * stride, 0.0F);
  for (std::size_t k = first; k < last; ++k) {
    has[k * stride] = 1;
    list[k * stride] = 0;
    listed[k] = 1;
  }
  const std::uint64_t all = last - first == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (last - first)) - 1;
  for (std::size_t f = 0; f < features.size(); ++f) {
    std::uint64_t those = all;
    for (std::uint64_t traits = features[f]; traits != 0; traits &= traits - 1)
      those &= of_trait[static_cast<std::size_t>(std::countr_zero(traits))];
    for (; those != 0; those &= those - 1) {
      const std::size_t k = first + static_cast<std::size_t>(std::countr_zero(those));
      has[k * stride + f + 1] = 1;
      list[k * stride + listed[k]++] = static_cast<unsigned>(f + 1);
    }
  }
}

// Of ln(y / offset), each with the weight that its y has.
void CountFit::Scratch::add_logarithms(const CountFitSamples& samples, std::size_t first, std::size_t last,
                                       std::size_t part) {
  std::vector<float>& slope = slopes[part];
  std::vector<float>& curvature = curvatures[part];
  std::vector<float> row(stride);
  for (std::size_t k = first; k < last; ++k) {
    const double y = samples.y[k] * scale_y;
    const double offset = samples.offset[k] * scale_offset;
    const double weight =
        samples.weight[k] * std::max(std::min(y, most_logarithmic_weight),
                                     share_of_small_y * std::min(offset, most_logarithmic_weight));
    const double log_ratio = plain_log(std::max(y, least_ratio * offset) / offset);
    const float* own = has.data() + k * stride;
    const auto narrow = static_cast<float>(weight);
    for (std::size_t f = 0; f < stride; ++f) row[f] = narrow * own[f];
    loops.add_rows(list.data() + k * stride, listed[k], row.data(), stride, curvature.data());
    loops.add_multiple(static_cast<float>(log_ratio), row.data(), stride, slope.data());
  }
}

// Of the likelihood.
void CountFit::Scratch::add_slopes(const CountFitSamples& samples, std::size_t first, std::size_t last,
                                   std::size_t part) {
  std::array<double, lanes> value{};
  for (std::size_t k = first; k < last; ++k)
    value[k - first] =
        std::clamp<double>(loops.dot(x_in_floats.data(), has.data() + k * stride, stride), -200, 200);
  loops.exponentials(value.data(), lanes, value.data());
  for (std::size_t k = first; k < last; ++k) {
    const double mu = std::min(most_quotient, samples.offset[k] * scale_offset * value[k - first]);
    const double y = std::min(most_quotient, samples.y[k] * scale_y);
    loops.add_multiple(static_cast<float>(samples.weight[k] * (y - mu)), has.data() + k * stride, stride,
                       slopes[part].data());
  }
}

void CountFit::Scratch::solve() {
  for (std::size_t i = 0; i < unknowns; ++i) {
    const double* row = matrix.data() + i * stride;
    right[i] /= row[i];
    for (std::size_t k = i + 1; k < unknowns; ++k) right[k] -= row[k] * right[i];
  }
  for (std::size_t i = unknowns; i-- > 0;) {
    const double* row = matrix.data() + i * stride;
    for (std::size_t k = i + 1; k < unknowns; ++k) right[i] -= row[k] * right[k];
    right[i] /= row[i];
  }
}

bool CountFit::Scratch::move(std::size_t parts, bool new_matrix) {
  right.assign(unknowns, 0.0);
  for (std::size_t f = 1; f < unknowns; ++f) right[f] = -penalty * x[f];
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t f = 0; f < unknowns; ++f) right[f] += slopes[part][f];
  }
  if (new_matrix) {
    matrix.assign(unknowns * stride, 0.0);
    std::vector<double> lower(stride);
    for (std::size_t f = 0; f < unknowns; ++f) {
      std::fill(lower.begin(), lower.end(), 0.0);
      for (std::size_t part = 0; part < parts; ++part) {
        const float* own = curvatures[part].data() + f * stride;
        for (std::size_t g = 0; g <= f; ++g) lower[g] += own[g];
      }
      lower[f] += f == 0 ? 1e-9 : penalty;
      for (std::size_t g = 0; g <= f; ++g) matrix[g * stride + f] = lower[g];
    }
    if (!loops.factorise(matrix.data(), unknowns, stride)) return false;
  }
  solve();
  for (std::size_t f = 0; f < unknowns; ++f) {
    x[f] += right[f];
    if (!(std::fabs(x[f]) < 300)) return false;
    x_in_floats[f] = static_cast<float>(x[f]);
  }
  return true;
}

bool CountFit::Scratch::run(const std::vector<std::uint64_t>& features, const CountFitSamples& samples,
                            StepTeam& team) {
  double weights = 0;
  double counts = 0;
  double offsets = 0;
  const std::size_t all = samples.y.size();
  for (std::size_t k = 0; k < all; ++k) {
    weights += samples.weight[k];
    counts += samples.weight[k] * samples.y[k];
    offsets += samples.weight[k] * samples.offset[k];
  }
  if (!(counts > 0) || !(offsets > 0) || !std::isfinite(counts) || !std::isfinite(offsets)) return false;
  scale_y = weights / counts;
  scale_offset = weights / offsets;
  begin(features, all);
  const std::uint32_t parts = parts_of_samples(all);
  // Calls call(first, last, part) for at most `lanes` samples at a time.
  const auto in_parts = [&](const auto& call) {
    team.run(parts, [&](std::uint32_t part) {
      const std::size_t end = std::min(all, (part + std::size_t{1}) * samples_a_part);
      slopes[part].assign(stride, 0.0F);
      for (std::size_t first = part * samples_a_part; first < end; first += lanes)
        call(first, std::min<std::size_t>(end, first + lanes), part);
    });
  };
  in_parts([&](std::size_t first, std::size_t last, std::size_t part) {
    if (first == part * samples_a_part) curvatures[part].assign(unknowns * stride, 0.0F);
    take_features(features, samples, first, last);
    add_logarithms(samples, first, last, part);
  });
  if (!move(parts, true)) return false;
  for (int step = 0; step < newton_steps; ++step) {
    in_parts([&](std::size_t first, std::size_t last, std::size_t part) {
      add_slopes(samples, first, last, part);
    });
    if (!move(parts, false)) return false;
  }
  return true;
}

CountFit::CountFit() : scratch_(std::make_unique<Scratch>()) {}
CountFit::~CountFit() = default;

std::vector<double> CountFit::run(const std::vector<std::uint64_t>& features, const CountFitSamples& samples,
                                  StepTeam& team) {
  if (!scratch_->run(features, samples, team)) return {};
  std::vector<double> result;
  for (std::size_t f = 1; f < scratch_->unknowns; ++f)
    result.push_back(std::clamp(scratch_->x[f], -most_coefficient, most_coefficient));
  return result;
}

double plain_exp(double x) {
  constexpr double log_2 = 0x1.62e42fefa39efp-1;
  const double shift = std::floor(x / log_2 + 0.5);
  const double rest = x - shift * log_2;
  double sum = 1;
  for (int k = 14; k > 0; --k) sum = 1 + sum * rest / k;
  return std::ldexp(sum, static_cast<int>(shift));
}

double plain_log(double x) {
  constexpr double log_2 = 0x1.62e42fefa39efp-1;
  int shift = 0;
  double mantissa = std::frexp(x, &shift);
  if (mantissa < 0x1.6a09e667f3bcdp-1) {
    mantissa *= 2;
    --shift;
  }
  const double s = (mantissa - 1) / (mantissa + 1);
  double sum = 0;
  for (int k = 19; k > 0; k -= 2) sum = sum * s * s + 1.0 / k;
  return 2 * s * sum + shift * log_2;
}

}  // namespace countpm
