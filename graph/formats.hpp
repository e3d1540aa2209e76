#pragma once
// Which format a source is in: by --format, by the name's ending checked against the content, or by content.
#include <optional>
#include <string>
#include <string_view>

#include "graph/read.hpp"

namespace countpm {

/// The format that a name's ending stands for ("x.mtx.gz" counts as "x.mtx"); nothing for unknown endings.
std::optional<Format> format_by_ending(std::string_view name);

/// What the first bytes of a text look like.
struct ContentGuess {
  std::optional<Format> format;  // unset: nothing but an edge list is possible, or nothing is known
  bool certain = false;          // a header that no other format has; otherwise only likely
  bool ambiguous = false;        // rows of numbers that are a matrix as well as edges
  bool of_weights = false;       // not of 0 and 1 alone
};
ContentGuess guess_format(std::string_view head);

/// The format to read, by `forced`, ending and content in this order. Throws InputError where ending and
/// content contradict each other and where the content is ambiguous.
Format settle_format(const std::string& name, std::string_view head, std::optional<Format> forced);

}  // namespace countpm
