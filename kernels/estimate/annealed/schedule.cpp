#include "kernels/estimate/annealed/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/stop_poll.hpp"
#include "kernels/estimate/annealed/bulk_random.hpp"
#include "kernels/estimate/annealed/chain.hpp"
#include "kernels/estimate/annealed/even_holes.hpp"

namespace countpm {
namespace {

// At the last stage so many vertices are holes, about: half of all matchings or more are perfect.
constexpr double holes_at_last = 1.5;
constexpr double stage_ratio = 1.5;
// Corrections of a stage's activities, and moves for every vertex between two: more where holes are few and
// have far to go.
constexpr int rounds = 6;
constexpr double fewest_learning_sweeps = 32;
constexpr double most_over_fewest_sweeps = 64;
constexpr double share_of_fewest_sweeps = 0.02;
// All of them together, but no fewer than 8 a vertex and round: some 8 s on a core.
constexpr double most_learning = 2e8;
constexpr double least_sweeps = 8;
constexpr double first_gain = 0.5;
constexpr double most_correction = 3;
constexpr int batches = 16;
constexpr std::uint64_t learning_substream = (std::uint64_t{1} << 62) + (std::uint64_t{1} << 32);

double sweeps_at(double share) {
  return fewest_learning_sweeps * std::clamp(share_of_fewest_sweeps / share, 1.0, most_over_fewest_sweeps);
}

class Learning {
 public:
  Learning(const SampleGraph& graph, std::uint64_t seed, std::uint64_t stream)
      : graph_(graph),
        vertices_(graph.vertices()),
        random_(seed, stream, learning_substream),
        chain_(graph),
        looks_(graph.vertices()),
        even_(graph),
        correction_(graph.vertices()) {}

  AnnealingSchedule schedule(double first) {
    AnnealingSchedule result;
    const double last = std::min(holes_at_last / vertices_, first);
    const int steps = static_cast<int>(std::ceil(std::log(first / last) / std::log(stage_ratio)));
    std::vector<double> shares{first};
    for (int k = 1; k <= steps; ++k)
      shares.push_back(first * std::pow(last / first, static_cast<double>(k) / steps));
    double moves = 0;
    for (const double share : shares) moves += 1.25 * rounds * sweeps_at(share) * vertices_;
    slower_ = std::min(1.0, most_learning / moves);
    std::vector<double> activity(graph_.vertices());
    for (const double share : shares) {
      even_.settle(share);
      for (std::size_t v = 0; v < activity.size(); ++v)
        activity[v] = std::min(even_.log_activity()[v] + correction_[v], even_.most()[v]);
      learn(activity, share);
      result.stages.push_back({share, activity, 0, 0});
      if (settled(activity)) break;
    }
    measure(result);
    return result;
  }

 private:
  /// Whether every vertex that may stay alone has its own weight, and there is no other.
  bool settled(const std::vector<double>& activity) const {
    for (std::size_t v = 0; v < activity.size(); ++v) {
      if (activity[v] < even_.most()[v]) return false;
    }
    return true;
  }

  /// Where holes are is looked at so rarely that it costs no more than the moves.
  std::uint64_t moves_a_look(double share) const {
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(share * vertices_));
  }
  std::uint64_t looks_at(double share) const {
    const double moves = std::max(slower_ * sweeps_at(share), least_sweeps) * vertices_;
    return static_cast<std::uint64_t>(moves / static_cast<double>(moves_a_look(share))) + 1;
  }

  void learn(std::vector<double>& activity, double share) {
    const std::uint64_t stride = moves_a_look(share);
    const std::uint64_t looks = looks_at(share);
    const double expected = share * static_cast<double>(looks);
    for (int round = 0; round < rounds; ++round) {
      chain_.settle(activity, share);
      run(looks / 4, stride, [] {});
      std::fill(looks_.begin(), looks_.end(), 0.0);
      run(looks, stride, [this] {
        for (const std::uint32_t v : chain_.holes()) looks_[v] += 1;
      });
      // Robbins and Monro: the mean of looks_ over `expected` goes to 1, and noise is averaged out.
      const double gain = first_gain / (1 + 0.5 * round);
      for (std::size_t v = 0; v < activity.size(); ++v) {
        const double off = std::min(looks_[v] / expected - 1, most_correction);
        const double now = std::min(activity[v] + gain * off, even_.most()[v]);
        correction_[v] += now - activity[v];
        activity[v] = now;
      }
    }
  }

  void measure(AnnealingSchedule& schedule) {
    chain_.clear();
    for (std::size_t k = 0; k < schedule.stages.size(); ++k) {
      AnnealingSchedule::Stage& stage = schedule.stages[k];
      const bool last = k + 1 == schedule.stages.size();
      const std::uint64_t stride = moves_a_look(stage.share);
      const std::uint64_t looks_a_batch = looks_at(stage.share) / batches + 1;
      chain_.settle(stage.log_activity, stage.share);
      run(4 * looks_a_batch, stride, [] {});
      std::vector<double> mean(batches, 0.0);
      for (double& batch : mean) {
        run(looks_a_batch, stride, [&] { batch += last ? final_weight(schedule) : climbed(schedule, k); });
        batch /= static_cast<double>(looks_a_batch);
      }
      const double all = std::accumulate(mean.begin(), mean.end(), 0.0) / batches;
      double squares = 0;
      for (const double batch : mean) squares += (batch - all) * (batch - all);
      double variance = squares / (batches - 1);
      // Of the mean at the end over itself; where nothing was seen that counts, one batch in 16 might have.
      if (last) variance = all > 0 ? variance / (all * all) : batches;
      stage.fluctuation = variance * static_cast<double>(looks_a_batch * stride);
    }
  }

  double climbed(const AnnealingSchedule& schedule, std::size_t k) const {
    double sum = 0;
    for (const std::uint32_t v : chain_.holes())
      sum += schedule.stages[k + 1].log_activity[v] - schedule.stages[k].log_activity[v];
    return sum;
  }
  double final_weight(const AnnealingSchedule& schedule) const {
    double weight = 1;
    for (const std::uint32_t v : chain_.holes())
      weight *= graph_.alone[v] * std::exp(schedule.stages.back().log_activity[v]);
    return weight;
  }

  template <class Look>
  void run(std::uint64_t looks, std::uint64_t stride, const Look& look) {
    for (std::uint64_t k = 0; k < looks; ++k) {
      chain_.run(stride, random_);
      poll_.steps(stride);
      look();
    }
  }

  const SampleGraph& graph_;
  double vertices_;
  BulkRandom random_;
  MatchingChain chain_;
  std::vector<double> looks_;
  EvenHoles even_;
  std::vector<double> correction_;  // of what belief propagation says
  double slower_ = 1;               // of the sweeps
  StopPoll poll_;
};

double sum_of_roots(const AnnealingSchedule& schedule) {
  double sum = 0;
  for (const auto& stage : schedule.stages) sum += std::sqrt(stage.fluctuation);
  return sum;
}

}  // namespace

void AnnealingSchedule::share_out(double moves) {
  // The sum of fluctuation / moves is least where moves are in proportion to the root.
  const double all = sum_of_roots(*this);
  for (Stage& stage : stages) {
    const double share =
        all > 0 ? std::sqrt(stage.fluctuation) / all : 1.0 / static_cast<double>(stages.size());
    stage.moves = static_cast<std::uint64_t>(std::ceil(share * moves)) + stages.front().log_activity.size();
  }
}

std::uint64_t AnnealingSchedule::moves() const {
  std::uint64_t all = 0;
  for (const Stage& stage : stages) all += stage.moves;
  return all;
}

double AnnealingSchedule::moves_for(double spread) const {
  const double all = sum_of_roots(*this);
  return all * all / (spread * spread);
}

AnnealingSchedule learn_schedule(const SampleGraph& graph, double first_share, std::uint64_t seed,
                                 std::uint64_t stream) {
  return Learning(graph, seed, stream).schedule(first_share);
}

}  // namespace countpm
