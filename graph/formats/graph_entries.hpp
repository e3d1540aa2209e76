#pragma once
// The graphs of a source one after another: files of several graphs are taken apart as they come in.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "graph/formats/input_bytes.hpp"
#include "graph/read.hpp"

namespace countpm {

/// How many bytes at the start of `text` are the first entry of a file, with what ends it; 0: that cannot be
/// told without more of the text. `whole`: no more comes, and the answer is not 0 unless `text` is empty.
using EntryLength = std::size_t (*)(std::string_view text, bool whole);
/// Of formats that have several graphs in a file; null: a file is one graph. A format that is to be split is
/// a row of the table behind this, and a reader that takes an entry's bytes as it takes a file's.
EntryLength entry_length(Format format);

/// One graph of a source.
struct GraphEntry {
  Source source;                 // its bytes alone, or all of a source that is one graph
  std::optional<Format> format;  // of one that was cut out; else the reader tells
  FormatBy format_by = FormatBy::content;
  std::uint64_t number = 1;  // among the source's graphs
  std::uint64_t line = 0;    // where it begins; 0: it is all of the source, or the format has no lines
  bool alone = true;         // it has the source's name for itself
  std::string text;  // of formats with a graph a line: the line, but for a header; of a molecule: its title
};

/// Reads one. As read_graph(), with the lines of the whole file in its errors.
ReadResult read_entry(const GraphEntry& entry, const ReadOptions& options);

/// Nothing is opened before the first next(), and no more is read than the next entry takes.
class GraphEntries {
 public:
  /// wait_seconds: for each graph, as InputBytes::limit_wait() has it.
  GraphEntries(Source source, std::optional<Format> format,
               double wait_seconds = std::numeric_limits<double>::infinity())
      : source_(std::move(source)), forced_(format), wait_seconds_(wait_seconds), by_line_(false) {}
  GraphEntries(const GraphEntries&) = delete;
  GraphEntries& operator=(const GraphEntries&) = delete;

  /// The next graph, once it has come in; nothing at the end. Throws InputError for what cannot be read, and
  /// for a file without a graph: there is nothing more then.
  std::optional<GraphEntry> next();
  /// How much of the source has been taken, 0 .. 1; nothing where that is not known.
  std::optional<double> share() const;

 private:
  bool find_format();
  GraphEntry all_of_it();
  std::optional<GraphEntry> cut();
  std::string_view first_lines(int number);
  bool is_last();

  Source source_;
  std::optional<Format> forced_;
  double wait_seconds_;
  std::unique_ptr<InputBytes> bytes_;
  std::optional<Format> format_;  // of a source that is taken apart
  FormatBy format_by_ = FormatBy::content;
  EntryLength length_ = nullptr;
  bool by_line_;  // graph6, sparse6 and digraph6, which may be mixed
  bool begun_ = false;
  bool ended_ = false;
  std::uint64_t number_ = 0;
  std::uint64_t line_ = 1;
};

}  // namespace countpm
