#include "src/matchings/shared_uses.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/input/report.hpp"
#include "src/machine/channel.hpp"
#include "src/matchings/range_bytes.hpp"

namespace countpm {
namespace {

// Task 0 is whole pieces by their numbers; of each piece come the steps of planar passes, of which the
// numbers are those of primes.
constexpr std::size_t whole_pieces = 0;
constexpr std::size_t prime_steps = 3;

std::size_t task_of(std::size_t piece, PrimeStep step) {
  return 1 + prime_steps * piece + static_cast<std::size_t>(step);
}

constexpr PassUse use_of_edges{marginal_layers_share, 0};

PieceUses uses_by(PiecePasses& passes, const StopSignal& stop, const std::function<void()>& second_half) {
  PieceUses found;
  found.method = passes.method();
  found.total = passes.total(stop);
  second_half();
  if (found.total != 0) found.uses = passes.edge_uses(stop);
  return found;
}

}  // namespace

std::size_t tasks_of_uses(const PassInput& input) {
  return 1 + prime_steps * input.pieces.pieces.size();
}

RangePlan plan_of_uses(const PassInput& input, const CountOptions& options, const std::string& question) {
  if (shared_name(input.start.input).empty())
    throw UsageError("several ranks need an input that each of them can read");
  return {"exact probabilities of the edges of " + pieces_digest(input.pieces) + question,
          shared_name(input.start.input), options.seed};
}

void share_ranges(Channel& channel, RangePlan plan, std::optional<SharedRanges>& shared) {
  if (channel.ranks() > 1) shared.emplace(channel, std::move(plan));
}

void follow_passes(GraphQuestion question, const Source& source, const ReadOptions& read_options,
                   const CountOptions& options,
                   const std::function<void(ReadResult read, Monitor& monitor)>& work) {
  CountOptions watched = options;
  watched.time_limit_seconds = std::numeric_limits<double>::infinity();
  check_options(watched);
  Monitor monitor(watched);
  monitor.explained([&] {
    ReadResult read = read_as_rank_0(source, read_options, *options.channel, monitor);
    refuse_kinds(question, read.graph, read.info, options);
    explained(monitor, [&] { work(std::move(read), monitor); });
  });
}

PieceUses UsesOfPieces::of(std::size_t piece) {
  if (done_.count(piece) > 0) return take_done(piece);
  progress_.begin(piece);
  const std::vector<Piece>& pieces = input_.pieces.pieces;
  if (shared_ != nullptr) shared_->prepare(task_of(piece, PrimeStep::total));
  PiecePasses passes(
      pieces[piece], options_, use_of_edges,
      [this](double share) {
        if (!on_ranks_) progress_.set(share);
      },
      monitor_.stop_signal());
  progress_.describe(passes.method());
  if (shared_ == nullptr) return here(passes);
  if (PlanarPasses* const planar = passes.planar()) {
    planar->share_primes([this, piece, planar](PrimeStep step, std::uint64_t first, std::uint64_t count) {
      return residues_on_ranks(piece, *planar, step, first, count);
    });
    return here(passes);
  }
  std::size_t last = piece + 1;
  while (last < pieces.size() && !planar_is_faster(pieces[last], options_, use_of_edges)) ++last;
  if (last == piece + 1) return here(passes);
  pieces_on_ranks({piece, last}, std::move(passes));
  return take_done(piece);
}

PieceUses UsesOfPieces::take_done(std::size_t piece) {
  auto node = done_.extract(piece);
  PieceUses uses = std::move(node.mapped());
  return uses;
}

PieceUses UsesOfPieces::here(PiecePasses& passes) {
  return uses_by(passes, monitor_.stop_signal(), [this] { progress_.second_half(); });
}

PrimeResidues UsesOfPieces::residues_on_ranks(std::size_t piece, PlanarPasses& passes, PrimeStep step,
                                              std::uint64_t first, std::uint64_t count) {
  PrimeResidues found(count);
  std::uint64_t there = 0;
  const auto put = [&](const UnitRange& numbers, PrimeResidues&& some) {
    std::move(some.begin(), some.end(), found.begin() + static_cast<std::ptrdiff_t>(numbers.first - first));
    there += numbers.size();
    progress_.set(static_cast<double>(there) / static_cast<double>(count));
  };
  const std::uint64_t lanes = PlanarPasses::lanes();
  const std::uint64_t groups = (count + lanes - 1) / lanes;
  const auto ranks = static_cast<std::uint64_t>(options_.channel->ranks());
  const auto threads = static_cast<std::uint64_t>(resources_for(options_).threads);
  SharedRanges::Work work;
  work.task = task_of(piece, step);
  work.numbers = {first, first + count};
  work.grain = lanes * std::clamp<std::uint64_t>(groups / ranks, 1, threads);
  work.own = [&](const UnitRange& numbers) {
    put(numbers, passes.residues(step, numbers.first, numbers.size(), monitor_.stop_signal()));
  };
  work.take = [&](const UnitRange& numbers, const std::string& bytes) {
    const std::vector<std::uint64_t>& primes = passes.primes(numbers.last);
    put(numbers, residues_from_bytes(bytes,
                                     {primes.begin() + static_cast<std::ptrdiff_t>(numbers.first),
                                      primes.begin() + static_cast<std::ptrdiff_t>(numbers.last)},
                                     passes.values_of(step)));
  };
  shared_->run(work, monitor_);
  return found;
}

void UsesOfPieces::pieces_on_ranks(const UnitRange& pieces, PiecePasses first) {
  std::optional<PiecePasses> planned(std::move(first));
  SharedRanges::Work work;
  work.task = whole_pieces;
  work.numbers = pieces;
  const auto put = [&](std::uint64_t piece, PieceUses&& uses) {
    done_.emplace(piece, std::move(uses));
    progress_.begin(pieces.first + done_.size() - 1);
  };
  work.own = [&](const UnitRange& numbers) {
    for (std::uint64_t p = numbers.first; p < numbers.last; ++p) {
      if (!planned || p != pieces.first)
        planned.emplace(input_.pieces.pieces[p], options_, use_of_edges, std::function<void(double)>{},
                        monitor_.stop_signal());
      put(p, uses_by(*planned, monitor_.stop_signal(), [] {}));
      planned.reset();
    }
  };
  work.take = [&](const UnitRange& numbers, const std::string& bytes) {
    std::vector<PieceUses> some = uses_from_bytes(bytes, numbers, input_.pieces.pieces);
    for (std::uint64_t k = 0; k < numbers.size(); ++k) put(numbers.first + k, std::move(some[k]));
  };
  on_ranks_ = true;
  shared_->run(work, monitor_);
  on_ranks_ = false;
}

/// Kept for what comes next of the same piece; emplace() frees those of another one first.
PiecePasses& FollowedUses::passes_of(std::size_t piece) {
  if (piece >= input_.pieces.pieces.size()) throw CheckError("rank 0 asks for the edges of no piece");
  if (!passes_ || piece_ != piece) {
    passes_.emplace(input_.pieces.pieces[piece], options_, use_of_edges, std::function<void(double)>{},
                    monitor_.stop_signal());
    piece_ = piece;
  }
  return *passes_;
}

void FollowedUses::prepare(std::size_t task) {
  if (task != whole_pieces) passes_of((task - 1) / prime_steps);
}

std::string FollowedUses::run(std::size_t task, const UnitRange& numbers) {
  const StopSignal& stop = monitor_.stop_signal();
  if (task == whole_pieces) {
    std::vector<PieceUses> some;
    for (std::uint64_t p = numbers.first; p < numbers.last; ++p) {
      some.push_back(uses_by(passes_of(p), stop, [] {}));
      passes_.reset();
    }
    return uses_to_bytes(some);
  }
  PlanarPasses* const planar = passes_of((task - 1) / prime_steps).planar();
  if (planar == nullptr) throw CheckError("rank 0 has planar passes, and this rank has none");
  return residues_to_bytes(planar->residues(static_cast<PrimeStep>((task - 1) % prime_steps), numbers.first,
                                            numbers.size(), stop));
}

}  // namespace countpm
