#include "kernels/estimate/population/fit_guess.hpp"

#include <algorithm>
#include <cmath>
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

bool set_has(const std::uint64_t* set, std::uint32_t bit) {
  return (set[bit / 64] >> bit % 64 & 1) != 0;
}

/// exp(f) of states as they are recorded.
class TermProduct {
 public:
  TermProduct(const std::map<GuessTerm, std::int32_t>& terms, const PlanColumns& columns,
              const GuessPowers& powers)
      : powers_(powers) {
    for (const auto& [term, exponent] : terms) {
      Factor factor{{}, exponent};
      for (int k = 0; k < 3; ++k)
        factor.bit[k] = columns.bit(term[k] == GuessFit::no_column ? term[0] : term[k]);
      factors_.push_back(factor);
    }
  }
  double of(const std::uint64_t* set) const {
    const auto has = [set](std::uint32_t bit) { return set[bit / 64] >> bit % 64; };
    std::int64_t sum = 0;
    for (const Factor& factor : factors_) {
      const std::uint64_t all = has(factor.bit[0]) & has(factor.bit[1]) & has(factor.bit[2]) & 1;
      sum += factor.exponent & -static_cast<std::int32_t>(all);
    }
    return powers_(static_cast<std::int32_t>(std::clamp<std::int64_t>(sum, -largest_sum, largest_sum)));
  }

 private:
  struct Factor {
    std::uint32_t bit[3];
    std::int32_t exponent;
  };
  const GuessPowers& powers_;
  std::vector<Factor> factors_;
};

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

// The sum over the states that a step makes of one of what its priority is multiplied by, but for of_states.
double GuessFit::next_sum(std::size_t step, const std::uint64_t* set, std::uint64_t near_used,
                          const StepFactors& factors) const {
  const std::uint64_t first = plan_.first_entry[step];
  const std::uint64_t last = plan_.first_entry[step + 1];
  double kept = 1;
  std::uint32_t unused_closing = 0;
  std::uint64_t forced = 0;
  for (std::uint64_t e = first; e < last; ++e) {
    const PopulationPlan::Entry& entry = plan_.entries[e];
    if (set_has(set, entry.bit)) {
      kept *= entry.kept;
    } else if (entry.last) {
      ++unused_closing;
      forced = e;
    }
  }
  if (unused_closing > 1) return 0;
  double sum = 0;
  for (std::uint64_t e = first; e < last; ++e) {
    if (set_has(set, plan_.entries[e].bit) || (unused_closing == 1 && e != forced)) continue;
    std::int32_t exponent = 0;
    for (const Factor& factor : factors.of_entries[e - first])
      exponent += (factor.columns & ~near_used) == 0 ? factor.exponent : 0;
    sum += plan_.entries[e].taken * powers_(exponent);
  }
  return kept * sum;
}

bool GuessFit::fit(const PopulationTrace& trace, const StopSignal& stop) {
  if (!columns_.sparse()) return false;
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
    const TermProduct now(terms, columns_, powers_);
    const std::vector<double>& priority = trace.priority[t];
    double total = 0;
    for (const double value : priority) total += value;
    CountFitSamples samples;
    for (std::size_t k = 0; k < priority.size(); ++k) {
      const std::uint64_t* set = trace.sets[t].data() + k * trace.words;
      std::uint64_t used = 0;
      for (std::size_t a = 0; a < step.near.size(); ++a)
        used |= static_cast<std::uint64_t>(set_has(set, columns_.bit(step.near[a])) ? 1 : 0) << a;
      samples.weight.push_back(priority[k] / total * static_cast<double>(priority.size()));
      samples.offset.push_back(now.of(set));
      samples.y.push_back(samples.offset.back() * next_sum(t, set, used, step));
      samples.traits.push_back(used);
    }
    const std::vector<Term> fitted = terms_near(t, active);
    std::vector<std::uint64_t> features;
    features.reserve(fitted.size());
    for (const Term& term : fitted) features.push_back(traits_of(term, step.near));
    std::int64_t all_changes = 0;
    const std::vector<double> change = fit_counts(features, samples);
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
