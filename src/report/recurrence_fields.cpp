// The recurrence of a family, described for JSON.
#include "src/report/head.hpp"
#include "src/report/json.hpp"
#include "src/report/recurrence_json.hpp"
#include "src/words/recurrence_words.hpp"

namespace countpm {
namespace {

std::vector<std::string> fraction_texts(const std::vector<mpq_class>& numbers) {
  std::vector<std::string> texts;
  texts.reserve(numbers.size());
  for (const mpq_class& one : numbers) texts.push_back(one.get_str());
  return texts;
}

}  // namespace

const Fields<RootInterval>& fields_of(const RootInterval*) {
  static const auto fields =
      Fields<RootInterval>()
          .add("lower", "a decimal, rounded down",
               [](const RootInterval& root) { return words::decimal_text(root.lower, false); })
          .add("upper", "likewise, rounded up",
               [](const RootInterval& root) { return words::decimal_text(root.upper, true); });
  return fields;
}

const Fields<FamilyRecurrence>& fields_of(const FamilyRecurrence*) {
  static const auto fields =
      bare_head<FamilyRecurrence>("recurrence")
          .add("family", "the lattice with N, or the range",
               [](const FamilyRecurrence& r) { return r.family; })
          .add("first", "b(k) is the count for n = `first` + `step` k", &FamilyRecurrence::first)
          .add("step", "all other terms are 0", &FamilyRecurrence::step)
          .add("order", "of the recurrence of b",
               [](const FamilyRecurrence& r) { return std::uint64_t{r.recurrence.order}; })
          .add("coefficients",
               "c_1, c_2, ..., integers or `p/q`: b(k) = c_1 b(k-1) + c_2 b(k-2) + ... from k = `order` on",
               [](const FamilyRecurrence& r) { return fraction_texts(r.coefficients()); })
          .add("values", "b(0), b(1), ..., as many as the order",
               [](const FamilyRecurrence& r) { return fraction_texts(r.values); })
          .add("numerator", "of the generating function, the sum of b(k) x^k: by degree",
               [](const FamilyRecurrence& r) { return fraction_texts(r.recurrence.numerator); })
          .add("denominator", "likewise",
               [](const FamilyRecurrence& r) { return fraction_texts(r.recurrence.denominator); })
          .add("growth",
               "the largest root of the characteristic polynomial, which is `denominator` reversed, is above "
               "`lower` and not above `upper`; null where a term is negative and where there is none",
               &FamilyRecurrence::growth)
          .add("counted_from", "n of the first count", &FamilyRecurrence::counted_from)
          .add("counted_to", "and of the last", &FamilyRecurrence::counted_to)
          .add("terms", "of b, that were counted", &FamilyRecurrence::terms)
          .add("checked", "of those, that were not needed to find the recurrence and agree with it",
               &FamilyRecurrence::checked)
          .add("order_bound", "no recurrence of b is longer; null: no bound is known",
               &FamilyRecurrence::order_bound)
          .add("proved", "the terms are as many as the bound and the order: it holds for all n",
               &FamilyRecurrence::proved)
          .add("seconds", "of all", &FamilyRecurrence::seconds);
  return fields;
}

std::string json_text(const FamilyRecurrence& result) {
  return one_line(json_of(result));
}

}  // namespace countpm
