#pragma once
// Which format a source is in: by --format, by the name's ending checked against the content, or by content.
#include <optional>
#include <string>
#include <string_view>

#include "graph/errors.hpp"
#include "graph/read_options.hpp"

namespace countpm {

/// The ending of a file's name, in lower case and with its point: ".mtx" of "a/b.MTX.gz". Empty where there
/// is none: of "graph", ".graph", "n50.40" (digits alone), "tmp.x8Gh4kLm01" (more than 8 characters); and of
/// ".txt", ".dat" and ".data", which say nothing.
std::string ending_of(std::string_view name);

/// The format that a name's ending stands for ("x.mtx.gz" counts as "x.mtx"); nothing for unknown endings.
std::optional<Format> format_by_ending(std::string_view name);

/// What the first bytes of a text look like.
struct ContentGuess {
  std::optional<Format> format;  // unset: nothing but an edge list is possible, or nothing is known
  bool certain = false;          // a header that no other format has; otherwise only likely
  bool ambiguous = false;        // rows of numbers that are a matrix as well as edges
  bool of_weights = false;       // not of 0 and 1 alone
  bool commas = false;           // commas as well as blanks may part the labels
  bool tabs = false;             // tabs as well as blanks may
};
ContentGuess guess_format(std::string_view head);

/// The format to read, by `forced`, ending and content in this order, and which of them said so. Throws
/// InputError where ending and content contradict each other, where the content is ambiguous, and where the
/// ending is none of a format that is read.
struct SettledFormat {
  Format format = Format::edge_list;
  FormatBy by = FormatBy::content;
};
SettledFormat settle_format(const std::string& name, std::string_view head, std::optional<Format> forced);

/// An error of a reader, whose message ends in the format that was assumed, and why: "... (read as edgelist,
/// as the ending .el says)".
class FormatError : public InputError {
 public:
  FormatError(const InputError& error, const SettledFormat& settled);
  const char* what() const noexcept override { return text_.what(); }

 private:
  std::runtime_error text_;  // which copies without throwing
};

}  // namespace countpm
