#include "kernels/estimate/population/fit_guess.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>

#include "kernels/estimate/population/count_fit.hpp"

namespace countpm {
namespace {

constexpr std::size_t most_active_columns = 40;
constexpr std::size_t most_fitted_terms = 192;
// Rows with more live columns have pairs of them, but no triples.
constexpr std::size_t most_columns_of_triples = 6;
// In GuessFactors' units: a term at most, the least change that is worth a factor, and what the factors of a
// step or an entry may come to, so that no product of them leaves the range of doubles.
constexpr std::int32_t largest_term = 32 << guess_unit_bits;
constexpr std::int32_t least_change = 1000;
constexpr std::int32_t largest_sum = 400 << guess_unit_bits;

constexpr double log_of_2 = 0x1.62e42fefa39efp-1;

using GuessTerm = GuessFit::Term;

GuessTerm term_of(std::uint32_t a, std::uint32_t b = GuessFit::no_column,
                  std::uint32_t c = GuessFit::no_column) {
  GuessTerm term{a, b, c};
  std::sort(term.begin(), term.end());
  return term;
}

bool share_a_member(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    if (a[i] == b[k]) return true;
    if (a[i] < b[k]) {
      ++i;
    } else {
      ++k;
    }
  }
  return false;
}

std::uint64_t traits_of(const GuessTerm& term, const std::vector<std::uint32_t>& near,
                        std::uint32_t but = GuessFit::no_column) {
  std::uint64_t traits = 0;
  for (const std::uint32_t column : term) {
    if (column == GuessFit::no_column || column == but) continue;
    traits |= std::uint64_t{1} << (std::find(near.begin(), near.end(), column) - near.begin());
  }
  return traits;
}

}  // namespace

GuessPowers::GuessPowers() {
  for (std::size_t k = 0; k < 256; ++k) {
    table_[k] = plain_exp(static_cast<double>(k) * log_of_2 / 0x1p8);
    table_[256 + k] = plain_exp(static_cast<double>(k) * log_of_2 / 0x1p16);
  }
}

std::vector<GuessTerm> GuessFit::terms_near(std::size_t step,
                                            const std::vector<std::uint32_t>& active) const {
  std::vector<Term> terms;
  terms.reserve(active.size());
  for (const std::uint32_t j : active) terms.push_back(term_of(j));
  std::vector<Term> further;
  for (std::size_t a = 0; a < active.size(); ++a) {
    const auto& beside = columns_.neighbours(active[a]);
    for (std::size_t b = 0; b < a; ++b) {
      if (std::binary_search(beside.begin(), beside.end(), active[b])) {
        terms.push_back(term_of(active[a], active[b]));
      } else if (rows_ >= 2 && share_a_member(beside, columns_.neighbours(active[b]))) {
        further.push_back(term_of(active[a], active[b]));
      }
    }
  }
  std::vector<std::uint32_t> rows;
  for (const std::uint32_t j : active) {
    for (const std::uint32_t s : columns_.steps_of(j)) {
      if (s >= step) rows.push_back(s);
    }
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::vector<Term> triples;
  for (const std::uint32_t s : rows) {
    std::vector<std::uint32_t> live;
    for (const std::uint32_t j : columns_.of_step(s)) {
      if (std::find(active.begin(), active.end(), j) != active.end()) live.push_back(j);
    }
    if (live.size() > most_columns_of_triples) continue;
    for (std::size_t a = 0; a < live.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        for (std::size_t c = 0; c < b; ++c) triples.push_back(term_of(live[a], live[b], live[c]));
      }
    }
  }
  std::sort(triples.begin(), triples.end());
  triples.erase(std::unique(triples.begin(), triples.end()), triples.end());
  terms.insert(terms.end(), triples.begin(), triples.end());
  terms.insert(terms.end(), further.begin(), further.end());
  if (terms.size() > most_fitted_terms) terms.resize(most_fitted_terms);
  return terms;
}

// The factors of the step's entries by the terms after it; their columns are near then. False: too many.
bool GuessFit::take_entries(std::size_t step, const Terms& after, std::vector<std::uint32_t>& near,
                            StepFactors& factors) const {
  const auto& columns = columns_.of_step(step);
  factors.of_entries.resize(columns.size());
  for (std::size_t e = 0; e < columns.size(); ++e) {
    const std::uint32_t j = columns[e];
    if (plan_.entries[plan_.first_entry[step] + e].last) continue;
    std::int64_t sum = 0;
    for (const auto& [term, value] : after) {
      if (std::find(term.begin(), term.end(), j) == term.end()) continue;
      bool possible = true;  // of two columns that the step makes live a state has at most one
      for (const std::uint32_t other : term)
        possible = possible && (other == j || other == no_column || columns_.first_step(other) < step);
      if (!possible) continue;
      for (const std::uint32_t other : term) {
        if (other == j || other == no_column) continue;
        if (std::find(near.begin(), near.end(), other) == near.end()) near.push_back(other);
      }
      if (near.size() > GuessFactors::most_near) return false;
      sum += std::abs(value);
      if (sum > largest_sum) return false;
      factors.of_entries[e].push_back({traits_of(term, near, j), value});
    }
  }
  return true;
}

/// What is fitted of a step: the sum over the states that it makes of one of weight times guess.
class GuessFit::Lookahead {
 public:
  /// after: the terms after the step that are about columns live before it.
  Lookahead(const GuessFit& fit, std::size_t step, const Terms& after, const StepFactors& factors)
      : fit_(fit), step_(step), place_(fit.plan_.width, nowhere) {
    for (const auto& [term, exponent] : after) {
      fit_loops::Term one{{}, exponent};
      for (std::size_t k = 0; k < 3; ++k)
        one.column[k] = place(fit.columns_.bit(term[k] == no_column ? term[0] : term[k]));
      terms_.push_back(one);
    }
    for (const std::uint32_t j : factors.near) near_.push_back(place(fit.columns_.bit(j)));
    const PopulationPlan& plan = fit.plan_;
    for (std::uint64_t e = plan.first_entry[step]; e < plan.first_entry[step + 1]; ++e) {
      Entry& own = entries_.emplace_back(Entry{&plan.entries[e], place(plan.entries[e].bit), {}});
      for (const Factor& factor : factors.of_entries[e - plan.first_entry[step]]) {
        fit_loops::Term one{{every, every, every}, factor.exponent};
        std::size_t k = 0;
        for (std::uint64_t columns = factor.columns; columns != 0; columns &= columns - 1)
          one.column[k++] = near_[static_cast<std::size_t>(std::countr_zero(columns))];
        own.terms.push_back(one);
      }
    }
  }

  /// Of states first .. last - 1 of the trace, at most fit_loops::lanes: all but the weights.
  void look(const PopulationTrace& trace, std::size_t first, std::size_t last,
            CountFitSamples& samples) const {
    Masks mask(bit_.size());
    std::array<fit_loops::Word, lanes> word{};
    for (std::size_t w = 0; w < trace.words; ++w) {
      for (std::size_t k = first; k < last; ++k) word[k - first] = trace.sets[step_][k * trace.words + w];
      for (std::size_t c = 1; c < bit_.size(); ++c) {
        if (bit_[c] / 64 == w) fit_.loops_.expand(word.data(), bit_[c] % 64, mask[c].lane);
      }
    }
    std::fill(mask[every].lane, mask[every].lane + lanes, -1);
    fit_loops::Lanes sum{};
    fit_.loops_.add_terms(terms_.data(), terms_.size(), mask.data(), sum.lane);
    Masks of_entry(entries_.size());
    for (std::size_t e = 0; e < entries_.size(); ++e)
      fit_.loops_.add_terms(entries_[e].terms.data(), entries_[e].terms.size(), mask.data(),
                            of_entry[e].lane);
    for (std::size_t k = 0; k < last - first; ++k) {
      std::uint64_t used = 0;
      for (std::size_t a = 0; a < near_.size(); ++a)
        used |= static_cast<std::uint64_t>(mask[near_[a]].lane[k] & 1) << a;
      samples.traits[first + k] = used;
      const double offset = fit_.powers_(std::clamp(sum.lane[k], -largest_sum, largest_sum));
      samples.offset[first + k] = offset;
      samples.y[first + k] = offset * next_sum(k, mask, of_entry);
    }
  }

 private:
  static constexpr std::size_t lanes = fit_loops::lanes;
  using Masks = std::vector<fit_loops::Lanes>;
  struct Entry {
    const PopulationPlan::Entry* entry;
    unsigned column;
    std::vector<fit_loops::Term> terms;
  };

  unsigned place(std::uint32_t bit) {
    if (place_[bit] == nowhere) {
      place_[bit] = static_cast<unsigned>(bit_.size());
      bit_.push_back(bit);
    }
    return place_[bit];
  }

  double next_sum(std::size_t k, const Masks& mask, const Masks& of_entry) const {
    double kept = 1;
    unsigned unused_closing = 0;
    std::size_t forced = 0;
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      if (mask[entries_[e].column].lane[k] != 0) {
        kept *= entries_[e].entry->kept;
      } else if (entries_[e].entry->last) {
        ++unused_closing;
        forced = e;
      }
    }
    if (unused_closing > 1) return 0;
    double sum = 0;
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      if (mask[entries_[e].column].lane[k] != 0 || (unused_closing == 1 && e != forced)) continue;
      sum += entries_[e].entry->taken * fit_.powers_(of_entry[e].lane[k]);
    }
    return kept * sum;
  }

  static constexpr unsigned nowhere = ~0U;
  static constexpr unsigned every = 0;  // a column that all states have

  const GuessFit& fit_;
  std::size_t step_;
  std::vector<unsigned> place_;        // of every bit
  std::vector<std::uint32_t> bit_{0};  // of every column that plays a part, in the order of their masks
  std::vector<fit_loops::Term> terms_;
  std::vector<unsigned> near_;
  std::vector<Entry> entries_;
};

bool GuessFit::fit(const PopulationTrace& trace, const StopSignal& stop, int threads) {
  if (!columns_.sparse()) return false;
  StepTeam team(threads);
  CountFit regression;
  CountFitSamples samples;
  const std::size_t n = plan_.steps();
  std::vector<StepFactors> steps(n);
  Terms terms;  // after the step, then before it
  for (std::size_t t = n; t-- > 0;) {
    stop.check();
    StepFactors& step = steps[t];
    const std::vector<std::uint32_t> active =
        t == 0 ? std::vector<std::uint32_t>() : columns_.near(t, rows_, most_active_columns);
    step.near = active;
    if (!take_entries(t, terms, step.near, step)) return false;
    if (t == 0) break;
    std::erase_if(terms, [&](const auto& item) {
      return std::any_of(item.first.begin(), item.first.end(),
                         [&](std::uint32_t j) { return j != no_column && columns_.first_step(j) == t; });
    });
    const std::vector<double>& priority = trace.priority[t];
    const std::size_t states = priority.size();
    samples.resize(states);
    double total = 0;
    for (const double value : priority) total += value;
    for (std::size_t k = 0; k < states; ++k)
      samples.weight[k] = priority[k] / total * static_cast<double>(states);
    const Lookahead lookahead(*this, t, terms, step);
    team.run(parts_of_samples(states), [&](std::uint32_t part) {
      const std::size_t end = std::min(states, (part + std::size_t{1}) * samples_a_part);
      for (std::size_t first = part * samples_a_part; first < end; first += fit_loops::lanes)
        lookahead.look(trace, first, std::min<std::size_t>(end, first + fit_loops::lanes), samples);
    });
    const std::vector<Term> fitted = terms_near(t, active);
    std::vector<std::uint64_t> features;
    features.reserve(fitted.size());
    for (const Term& term : fitted) features.push_back(traits_of(term, step.near));
    std::int64_t all_changes = 0;
    const std::vector<double> change = regression.run(features, samples, team);
    if (change.size() != fitted.size()) return false;
    for (std::size_t f = 0; f < fitted.size(); ++f) {
      const auto old = terms.find(fitted[f]);
      const std::int32_t value = old == terms.end() ? 0 : old->second;
      const double units = std::floor(change[f] / log_of_2 * (1 << guess_unit_bits) + 0.5);
      const std::int32_t next =
          std::clamp(value + static_cast<std::int32_t>(units), -largest_term, largest_term);
      if (std::abs(next - value) < least_change) continue;
      step.of_states.push_back({features[f], value - next});
      all_changes += std::abs(next - value);
      terms[fitted[f]] = next;
    }
    if (all_changes > largest_sum) return false;
  }
  flatten(steps);
  return !factors_.of_steps.low.empty();
}

void GuessFit::flatten(const std::vector<StepFactors>& steps) {
  GuessFactors all;
  all.first_near.push_back(0);
  all.of_steps.first.push_back(0);
  all.of_entries.first.push_back(0);
  for (const StepFactors& step : steps) {
    for (const std::uint32_t j : step.near) all.near.push_back(columns_.bit(j));
    all.first_near.push_back(all.near.size());
    for (const Factor& factor : step.of_states) all.of_steps.add(factor.columns, factor.exponent);
    all.of_steps.first.push_back(all.of_steps.low.size());
    for (const auto& list : step.of_entries) {
      for (const Factor& factor : list) all.of_entries.add(factor.columns, factor.exponent);
      all.of_entries.first.push_back(all.of_entries.low.size());
    }
  }
  factors_ = std::move(all);
}

}  // namespace countpm
