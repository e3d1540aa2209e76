#include "src/matchings/passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "src/input/report.hpp"
#include "src/input/sound_options.hpp"
#include "src/structure/analysis.hpp"
#include "src/structure/blocks.hpp"
#include "src/text/format_quantity.hpp"

namespace countpm {
namespace {

std::vector<PieceSeconds> by_entries(const std::vector<Piece>& pieces) {
  std::vector<PieceSeconds> halves;
  halves.reserve(pieces.size());
  for (const Piece& piece : pieces) {
    const auto half = static_cast<double>(piece.entries.size()) / 2;
    halves.push_back({half, half});
  }
  return halves;
}

void cut_into_pieces(const Instance& instance, const CountOptions& options, Monitor& monitor,
                     PassInput& input) {
  Analysis analysis = analyse(
      instance, input.start.input, [&] { monitor.throw_if_stopped(); }, input.start.notes, options.matchings);
  input.start.violator = std::move(analysis.violator);
  if (!input.start.violator) input.pieces = cut_pieces(instance, analysis);
}

/// From lines and entries of the rest to those of the instance.
void put_back(const WithoutTrees& rest, Pieces& pieces) {
  const auto replace = [](const auto& was, auto& list) {
    for (auto& one : list) one = was[one];
  };
  replace(rest.entry, pieces.forced);
  for (Piece& piece : pieces.pieces) {
    replace(rest.row, piece.rows);
    replace(rest.column, piece.columns);
    replace(rest.entry, piece.entries);
  }
}

}  // namespace

bool has_negative(const Values& values) {
  return std::visit(
      [](const auto& list) {
        using List = std::decay_t<decltype(list)>;
        if constexpr (std::is_same_v<List, std::vector<std::int64_t>> ||
                      std::is_same_v<List, std::vector<mpq_class>>) {
          return std::any_of(list.begin(), list.end(), [](const auto& value) { return value < 0; });
        } else {
          return false;
        }
      },
      values);
}

ReadOptions reading_on_ranks(ReadOptions read_options, const CountOptions& options) {
  read_options.hash = read_options.hash || options.channel != nullptr;
  return read_options;
}

PassInput prepare_passes(ReadResult read, const CountOptions& options, Monitor& monitor, Trees trees) {
  monitor.enter("looking at the graph's structure");
  PassInput input;
  monitor.throw_if_stopped();
  summarise_input(read.graph, read.info, input.start);
  input.edges = read.graph.edges;
  input.instance = trees == Trees::apart
                       ? with_trees_apart(to_instance(std::move(read.graph)), options.matchings, input.trees)
                       : instance_of(std::move(read.graph), options.matchings);
  report_problem(input.instance, options.matchings, input.start);
  input.start.notes = report_notes(input.instance, input.start.input);
  monitor.throw_if_stopped();
  if (input.trees.empty()) {
    cut_into_pieces(input.instance, options, monitor, input);
  } else {
    const WithoutTrees rest = without_trees(input.instance, input.trees);
    if (!rest.row.empty() || !rest.column.empty()) cut_into_pieces(rest.instance, options, monitor, input);
    put_back(rest, input.pieces);
  }
  if (!input.start.violator) add_notes(resources_for(options), input.start.notes);
  monitor.throw_if_stopped();
  return input;
}

PassProgress::PassProgress(Monitor& monitor, const std::string& stage, const std::vector<Piece>& pieces,
                           std::uint64_t rounds)
    : PassProgress(monitor, stage, by_entries(pieces), rounds) {}

PassProgress::PassProgress(Monitor& monitor, const std::string& stage,
                           const std::vector<PieceSeconds>& pieces, std::uint64_t rounds)
    : monitor_(monitor), pieces_(pieces), start_{0} {
  for (const PieceSeconds& piece : pieces) start_.push_back(start_.back() + piece.before + piece.after);
  monitor_.begin_stage(stage, start_.back() * static_cast<double>(rounds));
}

void PassProgress::begin(std::size_t piece) {
  if (piece == 0 && done_ > 0) round_start_ += start_.back();
  half_start_ = round_start_ + start_[piece];
  half_ = pieces_[piece].before;
  piece_ = piece;
  go_to(half_start_);
}

void PassProgress::describe(const std::string& method) {
  monitor_.describe(method, piece_ + 1, start_.size() - 1);
}

void PassProgress::second_half() {
  half_start_ += half_;
  half_ = piece_ < pieces_.size() ? pieces_[piece_].after : 0;  // of no pieces: an input without choices
  go_to(half_start_);
}

void PassProgress::set(double share) {
  go_to(half_start_ + share * half_);
}

void PassProgress::go_to(double done) {
  monitor_.finish(done - done_);
  done_ = done;
}

void throw_too_large(const LayersTooLarge& error) {
  throw UnableError(
      fmt::format(
          "the frontier passes need {} of memory or more for their layers, and the limit leaves {} for "
          "them",
          format_bytes(error.needed()), format_bytes(error.limit())),
      "a larger --memory-limit may suffice; layers that do not fit are computed again, so that only the "
      "largest ones matter");
}

void add_method(const std::string& name, std::string& methods) {
  const std::string in_list = ", " + methods + ",";
  if (in_list.find(", " + name + ",") != std::string::npos) return;
  methods += (methods.empty() ? "" : ", ") + name;
}

PiecePasses::PiecePasses(const Piece& piece, const CountOptions& options, PassUse use,
                         std::function<void(double)> on_progress, const StopSignal& stop)
    : planned_(plan_passes(piece, options, use, std::move(on_progress), stop)),
      layers_fit_(planned_.forecast.again_seconds == 0) {}

std::string PiecePasses::method() const {
  return planned_.method();
}

void PiecePasses::go(LayerShares::Way way) {
  if (planned_.shares) planned_.shares->way = way;
}

void PiecePasses::go_back() {
  go(layers_fit_ ? LayerShares::Way::back_through_kept : LayerShares::Way::back_through_made_again);
}

const mpz_class& PiecePasses::total(const StopSignal& stop) {
  go(LayerShares::Way::forward);
  return std::visit([&](auto& passes) -> const mpz_class& { return passes.total(stop); }, planned_.passes);
}

EdgeUses PiecePasses::edge_uses(const StopSignal& stop) {
  total(stop);
  // Each layer's work is the same from either end.
  go(LayerShares::Way::back_through_made_again);
  return std::visit([&](auto& passes) { return passes.edge_uses(stop); }, planned_.passes);
}

void PiecePasses::prepare_draws(const StopSignal& stop) {
  if (planar() == nullptr) total(stop);
}

std::vector<PairList> PiecePasses::draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                                        std::uint64_t count, const StopSignal& stop) {
  if (planar() == nullptr) total(stop);
  go_back();
  return std::visit([&](auto& passes) { return passes.draw(seed, stream, first, count, stop); },
                    planned_.passes);
}

}  // namespace countpm
