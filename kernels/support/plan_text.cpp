#include "kernels/support/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/errors.hpp"

namespace countpm {
namespace {

// Far beyond what sums of weights come to.
constexpr std::size_t most_digits = 1 << 20;
constexpr std::size_t shown = 40;

/// As PlanWriter writes numbers: in decimal, and no zero before others.
bool is_number(const std::string& word) {
  const std::size_t first = word.starts_with('-') ? 1 : 0;
  if (word.size() == first || word.size() > most_digits) return false;
  if (word[first] == '0' && word.size() > 1) return false;
  return std::all_of(word.begin() + static_cast<std::ptrdiff_t>(first), word.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

/// The words of a text between `separator`s; empty ones left out.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace

void PlanWriter::begin(std::string_view key) {
  if (!text_.empty()) text_ += "; ";
  text_ += key;
}

void PlanWriter::add(const mpz_class& number) {
  text_ += ' ';
  text_ += number.get_str();
}

PlanReader::PlanReader(std::string_view text) {
  for (const std::string& part : split(text, ';')) {
    const std::vector<std::string> words = split(part, ' ');
    if (words.empty()) throw PlanError("a plan has an empty part");
    std::vector<mpz_class> numbers;
    for (std::size_t k = 1; k < words.size(); ++k) {
      if (!is_number(words[k]))
        throw PlanError(fmt::format("'{}' in a plan is no number", quoted(words[k], shown)));
      numbers.emplace_back(words[k], 10);
    }
    if (!numbers_.emplace(words[0], std::move(numbers)).second)
      throw PlanError(fmt::format("a plan has '{}' twice", quoted(words[0], shown)));
  }
}

const std::vector<mpz_class>& PlanReader::all(std::string_view key) const {
  const auto found = numbers_.find(key);
  if (found == numbers_.end()) throw PlanError(fmt::format("a plan has no '{}'", key));
  return found->second;
}

std::uint64_t PlanReader::number(std::string_view key) const {
  const std::vector<mpz_class>& numbers = all(key);
  if (numbers.size() != 1 || !numbers[0].fits_ulong_p())
    throw PlanError(fmt::format("'{}' of a plan is not one number of 64 bits", key));
  return numbers[0].get_ui();
}

std::uint64_t PlanReader::number(std::string_view key, std::uint64_t least, std::uint64_t most) const {
  const std::uint64_t found = number(key);
  if (found < least || found > most)
    throw PlanError(fmt::format("'{}' of a plan is {}, and not from {} to {}", key, found, least, most));
  return found;
}

std::vector<Index> PlanReader::indices(std::string_view key) const {
  std::vector<Index> result;
  for (const mpz_class& number : all(key)) {
    if (number < 0 || number >= no_index)
      throw PlanError(fmt::format("'{}' of a plan has a number that is no index", key));
    result.push_back(static_cast<Index>(number.get_ui()));
  }
  return result;
}

std::vector<Index> PlanReader::distinct(std::string_view key, Index size) const {
  std::vector<Index> result = indices(key);
  std::vector<bool> seen(size);
  for (const Index index : result) {
    if (index >= size || seen[index])
      throw PlanError(fmt::format("'{}' of a plan has a number twice, or one beyond {}", key, size));
    seen[index] = true;
  }
  return result;
}

std::vector<Index> PlanReader::permutation(std::string_view key, Index size) const {
  std::vector<Index> result = distinct(key, size);
  if (result.size() != size) throw PlanError(fmt::format("'{}' of a plan is no permutation", key));
  return result;
}

}  // namespace countpm
