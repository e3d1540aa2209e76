#include "graph/formats/graph_entries.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <utility>

#include "graph/errors.hpp"
#include "graph/formats/formats.hpp"
#include "graph/formats/planar_code.hpp"
#include "graph/formats/reader.hpp"
#include "graph/molecules/pi_system.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

std::size_t length_of_line(std::string_view text, bool whole) {
  const std::size_t end = text.find('\n');
  if (end != std::string_view::npos) return end + 1;
  return whole ? text.size() : 0;
}

// A molecule, its data, and the line $$$$ behind them. Blank lines alone are none.
std::size_t length_of_molecule(std::string_view text, bool whole) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    if (text.substr(at).starts_with("$$$$")) return end + 1;
    at = end + 1;
  }
  return whole ? text.size() : 0;
}

// On its first line; may be blank.
std::string title_of_molecule(std::string_view text) {
  TextLines lines(text);
  if (!lines.next() || lines.line_done()) return "";
  const std::string_view line = lines.line();
  const std::size_t first = line.find_first_not_of(" \t");
  return std::string(line.substr(first, line.find_last_not_of(" \t") + 1 - first));
}

std::size_t length_in_planar_code(std::string_view text, bool whole) {
  return length_of_planar_code(text, false).value_or(whole ? text.size() : 0);
}
std::size_t length_in_big_endian_planar_code(std::string_view text, bool whole) {
  return length_of_planar_code(text, true).value_or(whole ? text.size() : 0);
}

struct SplitFormat {
  Format format;
  EntryLength length;
};

constexpr std::array<SplitFormat, 6> split_formats{{{Format::graph6, length_of_line},
                                                    {Format::digraph6, length_of_line},
                                                    {Format::sparse6, length_of_line},
                                                    {Format::mol, length_of_molecule},
                                                    {Format::sdf, length_of_molecule},
                                                    {Format::planar_code, length_in_planar_code}}};

// What comes before the first graph is needed by those behind it, too: it says in which order bytes are.
constexpr std::string_view big_endian_header = ">>planar_code be<<";

// By so many lines every format can be told that is to be taken apart: a molfile has its version on the
// fourth.
constexpr int telling_lines = 4;

bool is_blank_text(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// A line without its end and without a header of nauty's.
std::string_view line_of_graph(std::string_view bytes) {
  while (!bytes.empty() && (bytes.back() == '\n' || bytes.back() == '\r')) bytes.remove_suffix(1);
  for (const std::string_view header : {">>graph6<<", ">>sparse6<<", ">>digraph6<<"}) {
    if (bytes.starts_with(header)) bytes.remove_prefix(header.size());
  }
  return bytes;
}

/// nauty's programs tell the three apart line by line, too.
Format format_of_line(std::string_view line, Format otherwise) {
  if (line.starts_with(':')) return Format::sparse6;
  if (line.starts_with('&')) return Format::digraph6;
  return otherwise == Format::graph6 || line.starts_with(';') ? otherwise : Format::graph6;
}

bool is_regular_file(const std::string& name) {
  struct stat status {};
  return stat(name.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

EntryLength entry_length(Format format) {
  const auto* const found = std::find_if(split_formats.begin(), split_formats.end(),
                                         [&](const SplitFormat& split) { return split.format == format; });
  return found == split_formats.end() ? nullptr : found->length;
}

ReadResult read_entry(const GraphEntry& entry, const ReadOptions& options) {
  if (!entry.format) return read_graph(entry.source, options);
  ReadOptions own = options;
  own.format = entry.format;
  own.format_by = entry.format_by;
  const SettledFormat settled{*entry.format, entry.format_by};
  try {
    return read_graph(entry.source, own);
  } catch (const NoPiSystem& none) {
    if (entry.line == 0) throw;
    throw NoPiSystem(InputError(none.file(), entry.line, none.expected(), none.found()), none.reason(),
                     none.info());
  } catch (const InputError& error) {
    if (entry.line > 0) {
      const std::uint64_t line = std::max<std::uint64_t>(error.line(), 1) + entry.line - 1;
      throw FormatError(InputError(error.file(), line, error.expected(), error.found()), settled);
    }
    if (entry.alone) throw;
    throw FormatError(InputError(fmt::format("{}, graph {}", error.file(), entry.number), 0, error.expected(),
                                 error.found()),
                      settled);
  }
}

std::optional<GraphEntry> GraphEntries::next() {
  if (ended_) return std::nullopt;
  ended_ = true;  // unless all goes well
  if (bytes_) bytes_->limit_wait(wait_seconds_);
  if (!begun_) {
    begun_ = true;
    if (!find_format()) return all_of_it();
  }
  std::optional<GraphEntry> entry = cut();
  ended_ = !entry;
  if (!entry && number_ == 0) throw InputError(source_.name, 0, "a graph", "none");
  return entry;
}

std::optional<double> GraphEntries::share() const {
  if (ended_) return 1;
  return bytes_ ? bytes_->share() : std::optional<double>(0);
}

/// Whether it is a source to be taken apart. What nothing is opened for is none.
bool GraphEntries::find_format() {
  if (source_.kind == Source::Kind::lattice) return false;
  const std::optional<Format> known = forced_ ? forced_ : format_by_ending(source_.name);
  const bool named = source_.kind == Source::Kind::file && known;
  if (named && entry_length(*known) == nullptr) return false;
  bytes_ = std::make_unique<InputBytes>(source_, false);
  bytes_->limit_wait(wait_seconds_);
  ContentGuess guess = guess_format(first_lines(1));
  if (!guess.format && !known) guess = guess_format(first_lines(telling_lines));
  // Another content than the ending promises is for the reader to refuse.
  const bool contradicts = !forced_ && known && guess.certain && guess.format != known;
  const std::optional<Format> format = known ? known : guess.format;
  if (contradicts || !format || bytes_->unread().empty()) return false;
  length_ = entry_length(*format);
  if (format == Format::planar_code && bytes_->unread().starts_with(big_endian_header))
    length_ = length_in_big_endian_planar_code;
  format_ = format;
  format_by_ = forced_ ? FormatBy::option : named ? FormatBy::ending : FormatBy::content;
  by_line_ = length_ == length_of_line;
  return length_ != nullptr;
}

/// Up to the first line that says something of the format, or so many lines; a header that says all is
/// enough.
std::string_view GraphEntries::first_lines(int number) {
  std::size_t seen = 0;
  int told = 0;
  int lines = 0;
  for (;;) {
    const std::string_view text = bytes_->unread();
    if (text.starts_with(">>planar_code")) return text;
    while (seen < text.size()) {
      const std::size_t end = text.find('\n', seen);
      if (end == std::string_view::npos) break;
      const std::string_view line = text.substr(seen, end - seen);
      seen = end + 1;
      ++lines;
      if (!is_blank_text(line) && line[0] != '#' && line[0] != '%') ++told;
      if (told > 0 && (number == 1 || lines >= number)) return text.substr(0, seen);
    }
    if (!bytes_->read_more()) return bytes_->unread();
  }
}

GraphEntry GraphEntries::all_of_it() {
  GraphEntry entry;
  entry.source = source_;
  const bool can_be_opened_again =
      source_.kind != Source::Kind::standard_input &&
      (source_.kind != Source::Kind::file || !bytes_ || is_regular_file(source_.name));
  if (!can_be_opened_again) {
    const std::string_view head = bytes_->head();
    if (head.empty()) throw InputError(source_.name, 0, "a graph", "an empty file");
    std::optional<Format> likely = forced_ ? forced_ : format_by_ending(source_.name);
    if (!likely) likely = guess_format(head).format;
    // What it is read as is for the reader to tell, as of a file.
    const Format limits = likely.value_or(Format::edge_list);
    entry.source = Source::from_bytes(std::string(bytes_->all(line_limit_of(limits), size_limit_of(limits))),
                                      source_.name);
  }
  bytes_.reset();
  return entry;
}

std::optional<GraphEntry> GraphEntries::cut() {
  for (;;) {
    std::string_view text = bytes_->unread();
    std::size_t length = length_(text, false);
    while (length == 0 && bytes_->read_more()) {
      text = bytes_->unread();
      length = length_(text, false);
    }
    if (length == 0) length = length_(bytes_->unread(), true);
    text = bytes_->unread().substr(0, length);
    if (text.empty()) return std::nullopt;
    const std::uint64_t line = line_;
    line_ += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    const std::string_view content = by_line_ ? line_of_graph(text) : text;
    if (is_blank_text(content)) {
      bytes_->drop(length);
      continue;
    }
    GraphEntry entry;
    entry.number = ++number_;
    if (*format_ != Format::planar_code) entry.line = line;
    entry.format = by_line_ && !forced_ ? format_of_line(content, *format_) : *format_;
    entry.format_by = format_by_;
    const bool headless = length_ == length_in_big_endian_planar_code && number_ > 1;
    entry.source = Source::from_bytes(
        (headless ? std::string(big_endian_header) : "") + std::string(by_line_ ? content : text),
        source_.name);
    if (by_line_) entry.text = entry.source.bytes;
    if (length_ == length_of_molecule) entry.text = title_of_molecule(text);
    bytes_->drop(length);
    entry.alone = number_ == 1 && source_.kind == Source::Kind::file && is_last();
    return entry;
  }
}

/// Whether nothing but blanks is left. Files only: of a pipe one would wait for it.
bool GraphEntries::is_last() {
  if (!is_regular_file(source_.name)) return false;
  do {
    if (!is_blank_text(bytes_->unread())) return false;
  } while (bytes_->read_more());
  return true;
}

}  // namespace countpm
