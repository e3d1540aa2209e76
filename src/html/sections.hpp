#pragma once
// What pages share: their frame, facts, tables, bars, long numbers, pictures, and the sections that most
// results have.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/html/html_writer.hpp"
#include "src/html/pages.hpp"
#include "src/words/result_words.hpp"

namespace countpm::html {

/// The frame: style sheet, header, column; finish() adds the footer.
class Report {
 public:
  /// above: "perfect matchings of"; below the heading: the graph's size.
  Report(std::string_view above, std::string_view heading, std::string_view below);
  HtmlWriter& html() { return html_; }
  Fragment finish(std::string title);

 private:
  HtmlWriter html_;
};

/// A section with its heading; open as long as it lives.
class Section {
 public:
  Section(HtmlWriter& html, std::string_view heading, std::string_view style = "");
  ~Section() { html_.close(); }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

 private:
  HtmlWriter& html_;
};

struct Bar {
  double share = 0;                  // 0 .. 1 of the width
  std::optional<double> limit = {};  // a line across it
  bool over = false;                 // beyond the limit
  bool pale = false;                 // of what was not chosen
};

struct Cell {
  Cell(std::string words) : text(std::move(words)) {}  // NOLINT(google-explicit-constructor)
  Cell(const char* words) : text(words) {}             // NOLINT(google-explicit-constructor)
  Cell(const Bar& shown) : bar(shown) {}               // NOLINT(google-explicit-constructor)
  std::string text;
  std::optional<Bar> bar;
  std::string folded;  // behind the text: all of it
};
/// A number; long ones are shortened, with all digits folded behind.
Cell number_cell(const std::string& count, double log10);

struct Column {
  std::string_view head;
  bool right = false;  // flush right
  bool whole = false;  // on a phone: a line of its own
};

/// A table that turns into cards where there is little room. Styles: "wide", it is moved sideways there
/// instead; "bars", most of it is bars; "slim", few short columns.
class Table {
 public:
  Table(HtmlWriter& html, std::string_view style, std::vector<Column> columns);
  void row(const std::vector<Cell>& cells, std::string_view style = "");
  void finish();

 private:
  HtmlWriter& html_;
  bool wide_;
  std::vector<Column> columns_;
};

void write_facts(HtmlWriter& html, const std::vector<words::Fact>& facts, std::string_view style = "");
void write_chips(HtmlWriter& html, const std::vector<std::string>& chips);
/// "7 checks passed"
std::string checks_chip(const std::vector<Check>& checks);

// Each writes a section, or nothing where there is nothing to say.
void write_picture(HtmlWriter& html, const Beside& beside);
void write_violator(HtmlWriter& html, const std::optional<ViolatorReport>& violator);
void write_checks(HtmlWriter& html, const std::vector<Check>& checks);
void write_times(HtmlWriter& html, const Seconds& seconds);
/// What of the input may be read in another way. Below the answer, which it may make another one.
void write_warnings(HtmlWriter& html, const std::vector<std::string>& warnings);
void write_notes(HtmlWriter& html, const std::vector<std::string>& notes);
void write_refused(HtmlWriter& html, const std::vector<Refused>& refused);
/// The command and the input.
void write_asked(HtmlWriter& html, const InputSummary* input, const Beside& beside);

/// A table of the rules, those that did nothing in a sentence. No section of its own.
void write_rules(HtmlWriter& html, const std::vector<RuleReport>& rules);

/// So many blocks of a result are listed.
inline constexpr std::size_t most_blocks = 500;
/// How many blocks are not listed, if any. No section of its own.
void write_more_blocks(HtmlWriter& html, std::size_t all, std::size_t listed);

}  // namespace countpm::html
