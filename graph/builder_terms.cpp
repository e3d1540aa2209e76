// What GraphBuilder does with weights that have letters: it keeps their numbers in a table of terms.
#include "graph/errors.hpp"
#include "graph/graph_builder.hpp"
#include "graph/text.hpp"

namespace countpm {

void GraphBuilder::add(Index from, Index to, std::uint64_t line, std::string_view weight) {
  Weight parsed = parse_weight_with_letters(weight, name_, line);
  if (parsed.has_letters()) {
    if (!options_.weights)
      throw InputError(name_, line,
                       "a number as a weight (letters need --weights; --ends 1,2 passes a third column over)",
                       shown(weight));
    note_letters(parsed, info_.letters);
    parsed = at_.put_into(std::move(parsed), name_, line);
  }
  add(from, to, line, parsed);
}

/// The edge itself has been stored, as for store_value().
void GraphBuilder::store_term(const Weight& weight) {
  const std::uint64_t line = lines_.line_of(edges_.size() - 1);
  if (!terms_) {
    // Numbers so far become terms without letters.
    terms_.emplace();
    std::vector<std::int64_t> numbers(edges_.size() - 1, 1);
    for (std::size_t k = 0; k < numbers.size() && values_.index() > 0; ++k) {
      Weight before{weight_kind_, std::int64_t{0}};
      if (values_.index() == 1) before.value = std::get<1>(values_)[k];
      if (values_.index() == 2) before.value = std::get<2>(values_)[k];
      numbers[k] = terms_->number_of(before, name_, line);
    }
    values_ = std::move(numbers);
    if (weight_kind_ > WeightKind::rational) terms_->number_of({weight_kind_}, name_, line);
  }
  std::get<1>(values_).push_back(terms_->number_of(weight, name_, line));
  weight_kind_ = WeightKind::rational;
}

/// The term of edge `to` becomes its sum with that of edge `from`.
void GraphBuilder::add_term(std::uint64_t to, std::uint64_t from) {
  std::vector<std::int64_t>& numbers = std::get<1>(values_);
  // A sum of 0 may be that of more to come.
  numbers[to] =
      numbers[to] == 0 ? numbers[from] : terms_->sum(numbers[to], numbers[from], name_, lines_.line_of(from));
}

}  // namespace countpm
