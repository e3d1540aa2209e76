#include "src/proof/count_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/proof/prove_count.hpp"
#include "src/machine/resources.hpp"
#include "src/proof/planar_form.hpp"
#include "src/proof/proof_file.hpp"
#include "src/proof/proof_order.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/text/format_quantity.hpp"

namespace countpm {
namespace {

// Of one thread, 2-core AMD EPYC (Zen 4), 2026-11-29 (bench/results/proofs.md).
constexpr double seconds_a_state = 5e-8;
constexpr double seconds_an_addition = 5e-9;
constexpr double seconds_a_product = 1.2e-8;  // of a weight and a value
constexpr double seconds_a_round = 1.5e-5;
// An order is searched for while that takes less than this share of what it leads to, and no longer than so.
constexpr double search_share = 0.2;
constexpr double longest_search_seconds = 60;
constexpr double first_slice_seconds = 0.02;
constexpr double slice_growth = 2;
// What is under this needs no search.
constexpr double fast_seconds = 0.02;
// Where tables take longer, planar graphs are proved by their embedding.
constexpr double seconds_for_tables = 2;
constexpr double seconds_of_planar = 1e-6;  // times vertices^1.5
// Tables that have together so many times the states that the memory has room for are out of reach, also if
// most of them are made again.
constexpr double states_beyond_memory = 64;
// By a bound, which may be too large by some bits: beyond, tables are not looked at.
constexpr double log2_bound_margin = 6;
constexpr unsigned number_bytes = 16;  // of a round
// How many states are likely is sampled for so long; it is right within about that.
constexpr double sampling_seconds = 0.3;
constexpr double log2_likely_margin = 2;
// Where there is no hope, orders are searched for so long.
constexpr double hopeless_search_seconds = 0.5;
// Of one thread, where only the tables' sizes are looked at.
constexpr double seconds_a_state_looked_at = 1.6e-8;
// What is shorter is planned without saying so.
constexpr double plan_shown_from_seconds = 0.2;
// For more no time limit is advised.
constexpr double most_advised_states = 1e12;

const char* const without_proof = "count without --proof";

double seconds_of(double states, int threads) {
  return states * seconds_a_state / threads;
}

[[noreturn]] void refuse_other_sum(const PrimeField& field, const CountResult& result,
                                   const FieldElement& counted, const FieldElement& found) {
  throw CheckError(
      fmt::format("two counts disagree, and one of them is wrong: modulo {}, a prime, "
                  "{} counts {}, and the proof {}",
                  field.prime().get_str(), result.method, field.number(counted).get_str(),
                  field.number(found).get_str()));
}

}  // namespace

struct CountProof::Parts {
  ProofStatement statement;
  std::string sha256;
  InputInfo input;
  Resources resources;
  std::vector<Index> order;
  EliminationPlan plan;
  ProofSizes sizes;
  ProofMemory memory;
  std::optional<EmbeddingProof> planar;  // in place of tables
};

CountProof::CountProof(const Graph& graph, const InputInfo& input, const CountOptions& options,
                       Monitor& monitor)
    : options_(options), monitor_(monitor), parts_(std::make_unique<Parts>()) {
  monitor.enter("planning the proof");
  Parts& parts = *parts_;
  parts.statement = statement_of(graph, input, options.matchings);
  parts.input = input;
  parts.resources = resources_for(options);
  const int threads = parts.resources.threads;

  ProofOrder search(parts.statement);
  if (seconds_of(std::exp2(search.log2_states()), threads) > seconds_for_tables) {
    parts.planar = planar_form(parts.statement);
    if (parts.planar) {
      const double vertices = parts.statement.shape.vertices;
      forecast_.planar = true;
      forecast_.seconds = seconds_of_planar * vertices * std::sqrt(vertices);
      forecast_.file_bytes =
          proof_text(parts.statement, parts.planar->order, "", planar_member(*parts.planar), input).size();
      return;
    }
  }
  // What the limits allow, in states of all tables and of one.
  const double room = static_cast<double>(parts.resources.memory_bytes) / sizeof(FieldElement);
  const double states_in_time = options.time_limit_seconds * threads / seconds_a_state;
  const double most_states = std::min({room * states_beyond_memory, states_in_time, 1e15});
  const double reach = std::log2(std::max(most_states, 1.0)) + log2_bound_margin;
  double searched = 0;
  double slice = first_slice_seconds;
  while (search.improvable()) {
    const double predicted = seconds_of(std::exp2(search.log2_states()), threads);
    const double worth = std::min(predicted, options.time_limit_seconds - monitor.elapsed());
    const double allowed = std::min(search_share * worth, longest_search_seconds);
    if (predicted < fast_seconds || searched + slice > allowed) break;
    if (searched > hopeless_search_seconds && search.log2_states() > reach) break;
    if (slice > plan_shown_from_seconds) {
      monitor.begin_stage("plan", allowed, searched);
      monitor.describe("order of the proof", 1, 1);
    }
    search.improve(slice, threads);
    searched += slice;
    slice *= slice_growth;
  }
  parts.order = search.order();
  parts.plan = plan_eliminations(parts.statement.shape, parts.order);
  forecast_.rounds = parts.plan.steps.size();
  std::vector<std::string> rounds;  // as long as they will be
  for (const EliminationStepPlan& step : parts.plan.steps)
    rounds.emplace_back((std::max(step.degree(), 1U) * number_bytes + 2) / 3 * 4, 'A');
  forecast_.file_bytes = proof_text(parts.statement, parts.order, "", rounds_member(rounds), input).size();
  if (parts.plan.bits > most_state_bits)
    throw UnableError(fmt::format("the proof needs tables over {} vertices at a time, and {} is the most",
                                  parts.plan.bits, most_state_bits),
                      without_proof);
  const auto refuse_states = [&](const std::string& states, double log2_states) {
    const bool in_time = most_states == states_in_time;
    std::string remedy = without_proof;
    if (!in_time) {
      remedy = fmt::format("try a larger --memory-limit, or {}", without_proof);
    } else if (log2_states < log2_bound_margin + std::log2(most_advised_states)) {
      remedy = fmt::format("{}; or {}",
                           advised_time_limit(monitor.elapsed(), seconds_of(std::exp2(log2_states), threads)),
                           without_proof);
    }
    throw UnableError(
        fmt::format("the proof needs tables of {} states together, and the {} allows about {}", states,
                    in_time ? "time limit" : "memory", format_power(std::log10(most_states))),
        remedy);
  };
  const auto refuse_table = [&](const char* about, double states) {
    throw UnableError(
        fmt::format("the proof needs {} {} states in memory at a time, and there is room for {}", about,
                    format_power(std::log10(states)), format_power(std::log10(room))),
        fmt::format("try a --memory-limit above {}, or {}",
                    format_bytes(static_cast<std::uint64_t>(std::min(states, 1e15) * sizeof(FieldElement))),
                    without_proof));
  };
  if (search.log2_states() > reach)
    refuse_states("about " + format_power(search.log2_states() * std::log10(2)), search.log2_states());
  // What the bound does not allow may be less; but it is not looked at where that is not likely.
  const double log2_room = std::log2(std::max(room, 1.0));
  if (search.log2_states() > std::min(std::log2(most_states), log2_room)) {
    const ProofOrder::Likely likely = search.likely(sampling_seconds);
    if (likely.log2_states > std::log2(most_states) + log2_likely_margin)
      refuse_states("about " + format_power(likely.log2_states * std::log10(2)), likely.log2_states);
    if (likely.log2_widest > log2_room + log2_likely_margin)
      refuse_table("about", std::exp2(likely.log2_widest));
  }
  const double predicted_look = std::exp2(search.log2_states()) * seconds_a_state_looked_at / threads;
  if (predicted_look > plan_shown_from_seconds) {
    monitor.begin_stage("plan", predicted_look);
    monitor.describe("tables of the proof", 1, 1);
  }
  // Somewhat beyond the memory, to say how much would do.
  const double most_in_two = 2 * room;
  parts.sizes =
      measure_tables(parts.plan, static_cast<std::uint64_t>(most_states), threads,
                     static_cast<std::uint64_t>(most_in_two), [&](std::uint64_t states) {
                       monitor.finish(static_cast<double>(states) * seconds_a_state_looked_at / threads);
                     });
  if (!parts.sizes.whole && parts.sizes.states <= static_cast<std::uint64_t>(most_states))
    refuse_table("more than", most_in_two);
  if (!parts.sizes.whole)
    refuse_states("more than " + format_power(std::log10(parts.sizes.states)), search.log2_states());
  parts.memory = plan_memory(parts.plan, parts.sizes, parts.resources.memory_bytes);
  forecast_.states = parts.sizes.states;
  forecast_.widest = parts.sizes.widest;
  forecast_.memory_bytes = parts.memory.bytes;
  forecast_.again = parts.memory.again;
  const double each = parts.statement.weight.empty() ? seconds_an_addition : seconds_a_product;
  forecast_.seconds = seconds_of(static_cast<double>(parts.sizes.states), threads) +
                      parts.sizes.transitions * (1 + parts.memory.again) * each / threads +
                      seconds_a_round * static_cast<double>(forecast_.rounds);
}

CountProof::~CountProof() = default;

void CountProof::require_within_limits(double count_seconds) const {
  if (forecast_.memory_bytes > parts_->resources.memory_bytes) {
    throw UnableError(
        fmt::format("the proof needs {} of memory ({} states, of which {} in the largest table), and there "
                    "are {}",
                    format_bytes(forecast_.memory_bytes), forecast_.states, forecast_.widest,
                    format_bytes(parts_->resources.memory_bytes)),
        fmt::format("try a larger --memory-limit, or {}", without_proof));
  }
  const double elapsed = monitor_.elapsed();
  const double seconds = count_seconds + forecast_.seconds;
  if (elapsed + seconds > options_.time_limit_seconds) {
    const std::string count =
        count_seconds > 0 ? fmt::format(", the count before it {}", format_duration(count_seconds)) : "";
    throw UnableError(
        fmt::format("the proof is predicted to take {}{}, and the time limit is {}",
                    format_duration(forecast_.seconds), count, format_duration(options_.time_limit_seconds)),
        fmt::format("{}; or {}", advised_time_limit(elapsed, seconds), without_proof));
  }
}

std::string CountProof::of(const CountResult& result) {
  Parts& parts = *parts_;
  const std::vector<ProofTerm> claim = claim_of(parts.statement, result);
  const std::string claimed = text_of(claim);
  const std::vector<Index>& order = parts.planar ? parts.planar->order : parts.order;
  const HashBytes hash = hash_of(hashed_text(parts.statement, order, claimed));
  const PrimeField field = field_of(hash);
  ProofWeights weights;
  FieldElement sum;
  try {
    const ProofResidues residues(field, hash, parts.statement.letters);
    if (parts.statement.weight.empty()) {
      weights.set.assign(parts.statement.shape.sets(), field.one());
    } else {
      for (const ProofTerm& weight : parts.statement.weight) weights.set.push_back(residues.of(weight));
    }
    for (const ProofTerm& weight : parts.statement.monomer_weight)
      weights.monomer.push_back(residues.of(weight));
    sum = residues.of(claim);
  } catch (const NoResidue&) {
    throw UnableError("the prime of the proof divides a denominator, which happens once in 10^36 times",
                      "change the graph's numbering, or count without --proof");
  }
  monitor_.begin_stage("proof", forecast_.seconds);
  monitor_.describe(parts.planar ? "embedding" : "tables", 1, 1);
  if (parts.planar) {
    const FieldElement found = pfaffian(field, parts.statement, *parts.planar, weights.set);
    if (!(found == sum) && !(found == field.negate(sum))) refuse_other_sum(field, result, sum, found);
    return proof_text(parts.statement, parts.planar->order, claimed, planar_member(*parts.planar),
                      parts.input);
  }
  double finished = 0;
  ProofHooks hooks;
  hooks.done = [&](double share) {
    monitor_.finish((share - finished) * forecast_.seconds);
    finished = share;
  };
  const ProofRounds rounds = prove_count(parts.plan, parts.sizes, parts.memory, field, weights, sum, hash,
                                         parts.resources.threads, hooks);
  if (!(rounds.sum == sum)) refuse_other_sum(field, result, sum, rounds.sum);
  std::vector<std::string> texts;
  texts.reserve(rounds.rounds.size());
  for (const ProofRound& round : rounds.rounds) texts.push_back(text_of(field, round));
  return proof_text(parts.statement, parts.order, claimed, rounds_member(texts), parts.input);
}

}  // namespace countpm
