#include "src/matchings/matching_check.hpp"

#include <optional>
#include <variant>

#include "graph/errors.hpp"
#include "graph/stop_signal.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/sampling/sample_chunks.hpp"
#include "src/sampling/second_sampler.hpp"

namespace countpm {
namespace {

double share_of(SecondOpinion how) {
  return how == SecondOpinion::annealed ? share_of_asked_second : share_of_second;
}

/// None where it does not take the block, and where there is no time left.
std::optional<BlockSampler> other_sampler(const CheckedSamples& first, SecondOpinion how,
                                          const Monitor& monitor) {
  try {
    return how == SecondOpinion::annealed
               ? second_by_annealing(first.block, first.key, first.stream)
               : second_sampler(first.block, first.sampler.kind(), first.key, first.stream);
  } catch (const UnableError&) {
    if (how == SecondOpinion::annealed) throw;
  } catch (const Stopped&) {
    if (!monitor.limit_is_over()) throw;
  }
  return std::nullopt;
}

}  // namespace

MatchingCheck check_samples(const CheckedSamples& first, SecondOpinion how, double confidence,
                            double deadline, int threads, Monitor& monitor) {
  if (how == SecondOpinion::none || !first.mean.doubt.empty() || monitor.limit_is_over()) return {};
  const std::optional<BlockSampler> second = other_sampler(first, how, monitor);
  if (!second) return {};
  MatchingCheck check;
  check.sampler = sampler_info(second->kind()).name;
  const std::uint64_t wanted = second_samples(first.sampler.work(), *second, first.number, share_of(how));
  SampleMoments moments;
  SampleChunks<SampleMoments> chunks(
      [&](std::uint64_t number) { return second->run(number, 1, monitor.stop_signal()); },
      [&](SampleMoments&& next) { moments.join(next); }, deadline, monitor);
  chunks.draw(wanted, threads);
  check.samples = moments.samples;
  if (moments.samples > 0)
    check.contradiction =
        contradiction(first.mean, sampled_mean(moments, second->walks()), check.sampler, confidence);
  return check;
}

PieceForecast forecast_of(const Piece& piece, const MatchingSampler& sampler) {
  PieceForecast forecast;
  forecast.rows = piece.rows.size();
  forecast.entries = piece.entries.size();
  forecast.general = is_general(piece.block);
  if (forecast.general) {
    std::visit(
        [&](const auto& block) {
          const auto& matrix = block.matrix;
          for (Index v = 0; v < matrix.rows; ++v) {
            for (std::uint64_t k = matrix.row_start[v]; k < matrix.row_start[v + std::uint64_t{1}]; ++k)
              if (matrix.column[k] < v) --forecast.entries;  // an edge stands there twice, a loop once
          }
        },
        piece.block);
  }
  forecast.sampler = sampler_info(sampler.kind()).name;
  return forecast;
}

void foretell_check(const CheckedSamples& first, SecondOpinion how, const Monitor& monitor,
                    PieceForecast& piece) {
  if (how == SecondOpinion::none || piece.samples == 0) return;
  const std::optional<BlockSampler> second = other_sampler(first, how, monitor);
  if (!second) return;
  piece.second = sampler_info(second->kind()).name;
  const std::uint64_t chunks = second_samples(first.sampler.work(), *second, piece.samples, share_of(how));
  piece.second_samples = chunks;
  const double work = first.sampler.work() * static_cast<double>(piece.samples);
  if (work > 0) piece.seconds *= 1 + second->work() * static_cast<double>(chunks) / work;
}

double share_before_check(SecondOpinion how) {
  return how == SecondOpinion::none ? 1 : 1 / (1 + share_of(how));
}

}  // namespace countpm
