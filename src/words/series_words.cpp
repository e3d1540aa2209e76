#include "src/words/series_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/text/format_probability.hpp"

namespace countpm::words {
namespace {

// A table's counts that are longer are rounded: --csv and --json have every digit.
constexpr std::size_t most_shown = 30;
constexpr unsigned shown_digits = 10;

std::string shortened(const SeriesRow& row) {
  if (row.count.size() <= most_shown || !row.exact) return row.count;
  const mpq_class value(row.count);
  return format_fraction(value.get_num(), value.get_den(), shown_digits);
}

}  // namespace

SeriesWords series_words(const SeriesRow& row) {
  SeriesWords words;
  if (row.entropy) {
    words.ln_z = fmt::format("{:.6f}", row.entropy->ln_z);
    words.per_vertex = fmt::format("{:.7f}", row.entropy->per_vertex);
    words.per_dimer = fmt::format("{:.7f}", row.entropy->per_dimer);
    if (row.entropy->limit) words.limit = fmt::format("{:.7f}", row.entropy->limit->per_vertex);
  }
  words.seconds = fmt::format("{:.3f}", row.seconds);
  if (!row.ratio.empty()) words.ratio = row.ratio;
  words.count = shortened(row);
  if (row.digits) words.digits = std::to_string(*row.digits);
  return words;
}

std::vector<std::string> limit_texts(const std::vector<SeriesRow>& rows) {
  std::vector<std::string> texts;
  std::vector<std::string> told;
  for (const SeriesRow& row : rows) {
    if (!row.entropy || !row.entropy->limit) continue;
    const KnownLimit& limit = *row.entropy->limit;
    if (std::find(told.begin(), told.end(), limit.lattice) != told.end()) continue;
    told.push_back(limit.lattice);
    texts.push_back(
        fmt::format("limit {:.12g} a vertex: {}; {}", limit.per_vertex, limit.lattice, limit.source));
  }
  return texts;
}

}  // namespace countpm::words
