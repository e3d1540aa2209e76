#include "graph/nearest_word.hpp"

#include <algorithm>

namespace countpm {
namespace {

char small_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::size_t typing_distance(std::string_view a, std::string_view b) {
  // rows[i][j]: from the first i letters of a to the first j of b.
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) rows[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  const auto same = [&](std::size_t i, std::size_t j) {
    return small_letter(a[i - 1]) == small_letter(b[j - 1]);
  };
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      rows[i][j] =
          std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (same(i, j) ? 0 : 1)});
      if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j))
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t longest = 64;
  if (word.empty() || word.size() > longest) return {};
  std::size_t best = std::max<std::size_t>(1, std::min<std::size_t>(word.size(), 9) / 3) + 1;
  std::string_view found;
  std::vector<std::string_view> longer;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = typing_distance(word, candidate);
    if (distance < best) best = distance, found = candidate;
    if (word.size() >= 3 && candidate.starts_with(word)) longer.push_back(candidate);
  }
  return best > 1 && longer.size() == 1 ? longer.front() : found;
}

}  // namespace countpm
