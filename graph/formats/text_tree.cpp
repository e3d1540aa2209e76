#include "graph/formats/text_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/errors.hpp"
#include "graph/text.hpp"

namespace countpm {

const TextTree* TextTree::part(std::string_view wanted, const std::string& file) const {
  const TextTree* found = nullptr;
  for (const TextTree& candidate : parts) {
    if (candidate.name != wanted) continue;
    if (found != nullptr)
      throw InputError(file, candidate.line, fmt::format("{} once", shown(wanted)),
                       fmt::format("a second one, first on line {}", found->line));
    found = &candidate;
  }
  return found;
}

std::string TextTree::kind_text() const {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
    case Kind::number:
      return text.empty() ? "a number" : quoted(text);
    case Kind::text:
      return "the text " + shown(text);
    case Kind::list:
      return "a list";
    case Kind::record:
      return "a record";
  }
  return "nothing";
}

}  // namespace countpm
