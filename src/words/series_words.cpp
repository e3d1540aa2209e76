#include "src/words/series_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/text/format_probability.hpp"

namespace countpm::words {
namespace {

// A table's counts that are longer are rounded: --csv and --json have every digit.
constexpr std::size_t most_shown = 30;
constexpr unsigned shown_digits = 10;

}  // namespace

std::string shortened_count(const std::string& count) {
  if (count.size() <= most_shown) return count;
  const mpq_class value(count);
  return format_fraction(value.get_num(), value.get_den(), shown_digits);
}

const char* failure_text(const SeriesFailure& failure) {
  switch (failure.kind) {
    case SeriesFailure::Kind::unable:
      return "refused";
    case SeriesFailure::Kind::check:
      return "check failed";
    default:
      return "bad input";
  }
}

SeriesWords series_words(const SeriesRow& row) {
  SeriesWords words;
  if (row.vertices) words.vertices = std::to_string(*row.vertices);
  if (row.edges) words.edges = std::to_string(*row.edges);
  if (row.entropy) {
    words.ln_z = fmt::format("{:.6f}", row.entropy->ln_z);
    words.per_vertex = fmt::format("{:.7f}", row.entropy->per_vertex);
    words.per_dimer = fmt::format("{:.7f}", row.entropy->per_dimer);
    if (row.entropy->limit) words.limit = fmt::format("{:.7f}", row.entropy->limit->per_vertex);
  }
  words.seconds = fmt::format("{:.3f}", row.seconds);
  if (!row.ratio.empty()) words.ratio = row.ratio;
  if (!row.method.empty()) words.method = row.method;
  if (!row.count.empty()) words.count = row.exact ? shortened_count(row.count) : row.count;
  if (row.digits) words.digits = std::to_string(*row.digits);
  if (row.failure) words.count = words.digits = failure_text(*row.failure);
  return words;
}

std::vector<std::string> limit_texts(const std::vector<SeriesRow>& rows) {
  std::vector<std::string> texts;
  for (const SeriesRow& row : rows) {
    const std::string text = limit_text(row);
    if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  return texts;
}

std::string limit_text(const SeriesRow& row) {
  if (!row.entropy || !row.entropy->limit) return "";
  const KnownLimit& limit = *row.entropy->limit;
  return fmt::format("infinite-lattice limit {:.12g} per vertex: {}; {}", limit.per_vertex, limit.lattice,
                     limit.source);
}

}  // namespace countpm::words
