#include "src/series/find_recurrence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

#include "graph/clock.hpp"
#include "graph/lattices/lattice_range.hpp"
#include "graph/text.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"

namespace countpm {
namespace {

constexpr std::string_view lattice_head = "lattice:";
constexpr std::size_t no_place = std::string::npos;
constexpr unsigned growth_bits = 64;
// So many states fit the numbers of terms that anybody counts.
constexpr std::uint64_t most_layer = 40;

/// Where the letter stands: behind the shape, between x, : and the end.
std::size_t place_of_letter(const std::string& family) {
  if (!family.starts_with(lattice_head)) return no_place;
  const std::size_t sizes = family.find(':', lattice_head.size());
  if (sizes == no_place) return no_place;
  const std::size_t end = std::min(family.find(':', sizes + 1), family.size());
  std::size_t found = no_place;
  for (std::size_t at = sizes + 1; at < end;) {
    const std::size_t next = std::min(family.find('x', at), end);
    if (family.compare(at, next - at, "N") == 0) {
      if (found != no_place) return no_place;
      found = at;
    }
    at = next + 1;
  }
  return found;
}

std::string with_size(const std::string& family, std::size_t place, std::uint64_t n) {
  return family.substr(0, place) + std::to_string(n) + family.substr(place + 1);
}

/// The vertices of a layer of lattice:square:AxN and lattice:cubic:AxBxN with nothing behind, whose layers
/// are all alike and have edges to the next ones alone; else nothing. What a layer leaves to the next is a
/// set of its vertices.
std::optional<std::uint64_t> layer_of(const std::string& family) {
  const std::vector<std::string_view> parts = split(family, ':');
  if (parts.size() != 3 || (parts[1] != "square" && parts[1] != "cubic")) return std::nullopt;
  std::uint64_t vertices = 1;
  for (const std::string_view size : split(parts[2], 'x')) {
    if (size == "N") continue;
    if (size.empty() || size.size() > 3 || size.find_first_not_of("0123456789") != std::string_view::npos)
      return std::nullopt;
    vertices *= std::stoull(std::string(size));
    if (vertices > most_layer) return std::nullopt;
  }
  return vertices;
}

class FamilyTerms {
 public:
  FamilyTerms(const std::string& family, const SeriesOptions& options, const std::function<void()>& idle)
      : family_(family), options_(options), idle_(idle) {}

  /// n and the lattices; a leading one that there is none of is left out where `open`.
  void count(const std::vector<std::pair<std::uint64_t, std::string>>& lattices, bool open) {
    Series series;
    series.groups.push_back({family_, lattices.size()});
    for (const auto& [n, spec] : lattices) series.items.push_back({spec, 0, std::nullopt, std::nullopt});
    std::size_t at = 0;
    count_series(
        series, options_,
        [&](const SeriesRow& row) {
          const std::uint64_t n = lattices[at++].first;
          if (row.failure) {
            const bool none = row.failure->kind == SeriesFailure::Kind::usage ||
                              row.failure->kind == SeriesFailure::Kind::input;
            if (open && none && values_.empty()) {
              if (first_failure_.empty()) first_failure_ = row.failure->message;
              return;
            }
            throw UnableError(fmt::format("{}: {}", row.input, row.failure->message),
                              fmt::format("what was counted until then is {}", counted()));
          }
          const std::optional<mpq_class> value = exact_count(row);
          if (!value)
            throw UsageError(
                fmt::format("{}: a recurrence is of exact numbers, and this count is not one", row.input));
          values_.emplace(n, *value);
        },
        idle_);
  }

  std::string counted() const {
    return values_.empty() ? "no term"
                           : fmt::format("n = {} to {}", values_.begin()->first, values_.rbegin()->first);
  }
  const std::map<std::uint64_t, mpq_class>& values() const { return values_; }
  const std::string& first_failure() const { return first_failure_; }

  /// Of those that are not 0 the first n and the step, in units of `least`: all others are 0.
  std::pair<std::uint64_t, std::uint64_t> steps(std::uint64_t least) const {
    std::uint64_t first = values_.empty() ? 1 : values_.begin()->first;
    std::uint64_t step = 0;
    bool any = false;
    for (const auto& [n, value] : values_) {
      if (value == 0) continue;
      if (!any) first = n;
      any = true;
      step = std::gcd(step, n - first);
    }
    return {first, step == 0 ? least : step};
  }

 private:
  const std::string& family_;
  const SeriesOptions& options_;
  const std::function<void()>& idle_;
  std::map<std::uint64_t, mpq_class> values_;
  std::string first_failure_;
};

/// b(0), b(1), ...
std::vector<mpq_class> every_step(const std::map<std::uint64_t, mpq_class>& values, std::uint64_t first,
                                  std::uint64_t step) {
  std::vector<mpq_class> result;
  for (auto at = values.find(first); at != values.end(); at = values.find(at->first + step))
    result.push_back(at->second);
  return result;
}

class RecurrenceSearch {
 public:
  RecurrenceSearch(const std::string& family, const SeriesOptions& options, const RecurrenceOptions& wanted,
                   const std::function<void()>& idle)
      : family_(family), options_(options), wanted_(wanted), terms_(family, options, idle) {}

  FamilyRecurrence run() {
    const std::size_t place = place_of_letter(family_);
    if (place != no_place) {
      look_further(place);
    } else {
      count_range();
    }
    const std::vector<mpq_class> own = every_step(terms_.values(), first_, step_);
    const std::size_t order = order_modulo_a_prime(own);
    std::optional<LinearRecurrence> found;
    if (2 * order + wanted_.checked <= own.size()) found = linear_recurrence(own, wanted_.checked);
    if (!found) refuse(own.size());
    return report(*std::move(found), own);
  }

 private:
  void count_range() {
    if (!family_.starts_with(lattice_head) || !is_lattice_range(family_))
      throw UsageError(fmt::format(
          "{}: a recurrence is of a lattice with N as one of its sizes (lattice:square:4xN), or of a "
          "range of growing ones (lattice:square:4x1..4x40)",
          quoted(family_, 200)));
    const Series series = series_items({family_});
    std::vector<std::pair<std::uint64_t, std::string>> lattices;
    for (const SeriesItem& item : series.items) {
      if (!item.size) throw UsageError(fmt::format("{}: no size grows in this range", quoted(family_, 200)));
      lattices.emplace_back(*item.size, item.input);
    }
    for (std::size_t k = 1; k < lattices.size(); ++k) {
      if (lattices[k].first - lattices[k - 1].first != lattices[1].first - lattices[0].first)
        throw UsageError(fmt::format("{}: the sizes grow by unequal steps", quoted(family_, 200)));
    }
    least_step_ = lattices.size() > 1 ? lattices[1].first - lattices[0].first : 1;
    terms_.count(lattices, false);
    std::tie(first_, step_) = terms_.steps(least_step_);
  }

  /// Some more terms, as often as needed.
  void look_further(std::size_t place) {
    constexpr std::uint64_t at_first = 24;
    constexpr double growth = 1.3;
    std::uint64_t next = 1;
    std::uint64_t last = at_first;
    while (true) {
      last = std::min(last, wanted_.most_terms);
      if (next > last) return;
      std::vector<std::pair<std::uint64_t, std::string>> lattices;
      for (; next <= last; ++next) lattices.emplace_back(next, with_size(family_, place, next));
      terms_.count(lattices, true);
      if (terms_.values().empty()) throw UsageError(terms_.first_failure());
      std::tie(first_, step_) = terms_.steps(1);
      const std::vector<mpq_class> own = every_step(terms_.values(), first_, step_);
      const std::size_t order = order_modulo_a_prime(own);
      const std::size_t needed = 2 * order + wanted_.checked;
      if (needed <= own.size()) return;
      throw_if_over();
      last = std::max(last + 1, static_cast<std::uint64_t>(growth * static_cast<double>(last)));
      // Where more than half of the terms agree with it already, the rest is known, too.
      if (2 * order + 2 < own.size()) last = std::min(last, first_ + step_ * (needed - 1));
    }
  }

  void throw_if_over() const {
    if (seconds_now() - start_ < options_.count.time_limit_seconds) return;
    throw UnableError(
        fmt::format("the time limit of {} is over, and {} has no recurrence yet: {}",
                    format_duration(options_.count.time_limit_seconds), family_, what_does_not_fit()),
        "a longer --time-limit counts more terms");
  }

  std::string what_does_not_fit() const {
    const std::size_t own = every_step(terms_.values(), first_, step_).size();
    const std::string all = terms_.counted() + (step_ == 1 ? "" : fmt::format(" in steps of {}", step_));
    if (own < wanted_.checked) return fmt::format("{} are fewer than {} terms", all, wanted_.checked);
    return fmt::format("none of order {} or less fits {}", (own - wanted_.checked) / 2, all);
  }

  [[noreturn]] void refuse(std::size_t own) const {
    const std::size_t order = own >= wanted_.checked ? (own - wanted_.checked) / 2 + 1 : 1;
    throw UnableError(
        fmt::format("no recurrence of {} was found: {}", family_, what_does_not_fit()),
        fmt::format("one of order {} takes {} more: 2 for each order, and {} to check it", order,
                    countpm::counted(2 * order + wanted_.checked - own, "term"), wanted_.checked));
  }

  FamilyRecurrence report(LinearRecurrence found, const std::vector<mpq_class>& own) const {
    FamilyRecurrence result;
    result.family = family_;
    result.first = first_;
    result.step = step_;
    result.counted_from = terms_.values().begin()->first;
    result.counted_to = terms_.values().rbegin()->first;
    result.recurrence = std::move(found);
    result.terms = own.size();
    result.checked = own.size() - 2 * result.recurrence.order;
    result.values.assign(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(result.recurrence.order));
    const bool plain = options_.count.matchings == MatchingSize::perfect && !options_.read.weights &&
                       options_.read.monomers.empty() && options_.read.rings.empty() &&
                       options_.read.remove.empty();
    const std::optional<std::uint64_t> layer = plain ? layer_of(family_) : std::nullopt;
    if (layer) {
      result.order_bound = std::uint64_t{1} << *layer;
      result.proved = own.size() >= *result.order_bound + result.recurrence.order;
    }
    const bool negative = std::any_of(own.begin(), own.end(), [](const mpq_class& term) { return term < 0; });
    if (!negative && result.recurrence.order > 0)
      result.growth = largest_positive_root(result.characteristic(), growth_bits);
    result.seconds = seconds_now() - start_;
    return result;
  }

  const std::string& family_;
  const SeriesOptions& options_;
  const RecurrenceOptions& wanted_;
  FamilyTerms terms_;
  std::uint64_t first_ = 1;
  std::uint64_t step_ = 1;
  std::uint64_t least_step_ = 1;
  double start_ = seconds_now();
};

}  // namespace

std::vector<mpq_class> FamilyRecurrence::characteristic() const {
  std::vector<mpq_class> reversed(recurrence.denominator.rbegin(), recurrence.denominator.rend());
  return reversed;
}

std::vector<mpq_class> FamilyRecurrence::coefficients() const {
  std::vector<mpq_class> result;
  for (std::size_t i = 1; i < recurrence.denominator.size(); ++i)
    result.emplace_back(-recurrence.denominator[i]);
  return result;
}

bool is_open_family(const std::string& family) {
  return place_of_letter(family) != no_place;
}

FamilyRecurrence find_recurrence(const std::string& family, const SeriesOptions& options,
                                 const RecurrenceOptions& wanted, const std::function<void()>& idle) {
  if (options.count.channel != nullptr)
    throw UsageError("a recurrence is found by one process: several ranks count single graphs");
  return RecurrenceSearch(family, options, wanted, idle).run();
}

}  // namespace countpm
