#include "src/matchings/integration.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "graph/errors.hpp"
#include "graph/letters.hpp"
#include "graph/parse_weight.hpp"
#include "graph/text.hpp"
#include "graph/validate.hpp"
#include "graph/weight_values.hpp"
#include "src/input/with_graph.hpp"
#include "src/sampling/check_options.hpp"

namespace countpm {
namespace {

void require_letter(const ReadResult& read, char letter) {
  const std::string letters = read.graph.letters ? read.graph.letters->letters : std::string();
  if (letters.find(letter) == std::string::npos)
    throw UsageError(
        fmt::format("{} has no weight with the letter {} to integrate over", quoted(read.info.path), letter));
  if (letters.size() == 1) return;
  const char other = letters[0] == letter ? letters[1] : letters[0];
  throw UsageError(fmt::format(
      "the weights have the letter {}, too: --at {}=VALUE puts a number in its place", other, other));
}

/// With the number in the place of the letter. Precondition: require_letter().
ReadResult with_value(const ReadResult& read, const mpq_class& value) {
  ReadResult numbers(read);
  const std::vector<Monomial>& table = read.graph.letters->weight;
  std::vector<mpq_class> of_place;
  of_place.reserve(table.size());
  for (const Monomial& weight : table)
    of_place.emplace_back(weight.coefficient * letter_power({value, 0}, weight.exponent[0]).re);
  std::vector<mpq_class> values;
  values.reserve(read.graph.edges.size());
  for (std::size_t e = 0; e < read.graph.edges.size(); ++e)
    values.push_back(of_place[exact_value(read.graph.values, e).get_num().get_ui()]);
  numbers.graph.values = std::move(values);
  numbers.graph.weight_kind = WeightKind::rational;
  numbers.graph.letters.reset();
  return numbers;
}

std::string place_of(const ReadResult& read, const LetterRange& range, const mpq_class& value) {
  return fmt::format("{} at {}={}", read.info.path, range.letter, value.get_str());
}

/// The graph at both ends, each with its name: to, from.
std::pair<ReadResult, ReadResult> ends_of(const ReadResult& read, const LetterRange& range,
                                          const Options& options) {
  validate(read.graph, read.info.path);
  refuse_kinds(GraphQuestion::integral, read.graph, read.info, options);
  if (range.from <= 0 || range.to <= 0)
    throw UsageError("a letter is integrated over from a positive number to another");
  require_letter(read, range.letter);
  std::pair<ReadResult, ReadResult> ends{with_value(read, range.to), with_value(read, range.from)};
  ends.second.info.path = place_of(read, range, range.from);
  return ends;
}

RatioEnds both_ends(const LetterRange& range, const Options& options) {
  return {fmt::format("{}={}:{}", range.letter, range.from.get_str(), range.to.get_str()),
          [range, options](const ReadResult& read) { return ends_of(read, range, options); }};
}

ReadOptions with_letters(ReadOptions reading) {
  reading.letters = true;
  return reading;
}

ReadResult read_with_letters(const Source& source, const ReadOptions& read_options,
                             const CountOptions& count_options, const EstimateOptions& options) {
  const CountOptions own = monitored(count_options, options);
  return with_graph(GraphQuestion::integral, source, with_letters(read_options), own,
                    [](Monitor&, ReadResult read) { return read; });
}

}  // namespace

LetterRange letter_range(std::string_view text) {
  const auto refuse = [&] {
    throw UsageError(fmt::format("--integrate {}: expected a letter and two positive numbers, such as x=1:4",
                                 quoted(std::string(text))));
  };
  const std::size_t colon = text.find(':');
  if (text.size() < 5 || text[1] != '=' || colon == std::string_view::npos) refuse();
  LetterRange range;
  range.letter = text[0];
  const auto number = [&](std::string_view one) -> mpq_class {
    try {
      const Weight weight = parse_weight(one, "--integrate", 0);
      if (const auto* integer = std::get_if<std::int64_t>(&weight.value))
        return mpq_class(static_cast<std::int64_t>(*integer));
      if (const auto* fraction = std::get_if<mpq_class>(&weight.value)) return *fraction;
    } catch (const InputError&) {
      refuse();
    }
    return mpq_class(0);
  };
  range.from = number(text.substr(2, colon - 2));
  range.to = number(text.substr(colon + 1));
  if (range.from <= 0 || range.to <= 0) refuse();
  return range;
}

RatioResult integrate(const ReadResult& read, const LetterRange& range, const CountOptions& count_options,
                      const EstimateOptions& options) {
  return ratio_of_ends(read, both_ends(range, count_options), count_options, options);
}

RatioResult integrate(const Source& source, const ReadOptions& read_options, const LetterRange& range,
                      const CountOptions& count_options, const EstimateOptions& options) {
  return ratio_of_ends(source, both_ends(range, count_options), with_letters(read_options), count_options,
                       options);
}

void follow_integral(const Source& source, const ReadOptions& read_options, const LetterRange& range,
                     const CountOptions& count_options, const EstimateOptions& options) {
  follow_ratio_of_ends(source, both_ends(range, count_options), with_letters(read_options), count_options,
                       options);
}

SamplingForecast explain_integral(const ReadResult& read, const LetterRange& range,
                                  const CountOptions& count_options, const EstimateOptions& options) {
  const auto [to, from] = ends_of(read, range, count_options);
  return explain_ratio(to, from, count_options, options);
}

SamplingForecast explain_integral(const Source& source, const ReadOptions& read_options,
                                  const LetterRange& range, const CountOptions& count_options,
                                  const EstimateOptions& options) {
  return explain_integral(read_with_letters(source, read_options, count_options, options), range,
                          count_options, options);
}

}  // namespace countpm
