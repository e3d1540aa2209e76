#pragma once
// The records of a table of fields or words, one after the other.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {

class CsvRecords {
 public:
  /// delimiter ' ': words; 0: as the first line says. Both texts must outlive this.
  CsvRecords(std::string_view bytes, const std::string& name, char delimiter)
      : name_(name), lines_(bytes), delimiter_(delimiter) {}

  /// The next line with fields, split; false at the end. Throws InputError.
  bool next();

  /// Without the blanks and quotation marks around them.
  const std::vector<std::string>& fields() const { return fields_; }
  std::uint64_t line() const { return lines_.number(); }
  char delimiter() const { return delimiter_; }

  [[noreturn]] void fail(std::string expected, std::string found) const;

 private:
  bool split_words(std::string_view line);
  void split(std::string_view line);
  std::size_t take_quoted(std::string_view line, std::size_t at, std::string& field) const;

  // NOLINTNEXTLINE(cppcoreguidelines-avoid-const-or-ref-data-members): lives as long as one reading
  const std::string& name_;
  TextLines lines_;
  StopPoll poll_;
  char delimiter_;
  std::vector<std::string> fields_;
};

}  // namespace countpm
