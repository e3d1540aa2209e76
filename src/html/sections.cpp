#include "src/html/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "src/html/numbers.hpp"
#include "src/html/style.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"

namespace countpm::html {
namespace {

constexpr std::size_t most_names = 2000;   // of a violator's vertices
constexpr std::size_t folded_beyond = 12;  // names: as many as a sentence has
constexpr std::size_t most_odd_components = 200;

void write_names(HtmlWriter& html, const std::vector<std::string>& names, std::string_view summary) {
  const Within details(html, "details");
  html.element("summary", {}, summary);
  const Within list(html, "ul", {{"class", "names"}});
  for (std::size_t i = 0; i < names.size() && i < most_names; ++i)
    html.element("li", {}, quoted(names[i], 200));
  if (names.size() > most_names)
    html.element("li", {}, fmt::format("... {} more (--json has all)", names.size() - most_names));
}

/// What the vertices of a side are called: "rows", "left vertices".
std::string kind_of(const std::string& side) {
  return side == "left" || side == "right" ? side + " vertices" : side;
}

void write_bar(HtmlWriter& html, const Bar& bar) {
  const auto percent = [](double share) { return draw::number(100 * std::clamp(share, 0.0, 1.0)) + "%"; };
  const std::string style = fmt::format("bar{}{}", bar.over ? " over" : "", bar.pale ? " pale" : "");
  const Within span(html, "span", {{"class", style}, {"aria-hidden", "true"}});
  html.element("span", {{"class", "fill"}, {"style", ("width:" + percent(bar.share))}}, "");
  if (bar.limit) html.element("span", {{"class", "limit"}, {"style", ("left:" + percent(*bar.limit))}}, "");
}

}  // namespace

Report::Report(std::string_view above, std::string_view heading, std::string_view below) {
  html_.open("article", {{"class", "countpm-report"}, {"lang", "en"}});
  html_.open("style");
  html_.verbatim(style_sheet());
  html_.close();
  html_.open("div", {{"class", "column"}});
  const Within header(html_, "header");
  html_.element("p", {{"class", "eyebrow"}}, above);
  html_.element("h1", {}, heading);
  if (!below.empty()) html_.element("p", {{"class", "soft"}}, below);
}

Fragment Report::finish(std::string title) {
  html_.element("footer", {}, fmt::format("countpm {}", version()));
  return {std::move(title), html_.finish()};
}

Section::Section(HtmlWriter& html, std::string_view heading, std::string_view style) : html_(html) {
  html_.open("section", {{"class", style}});
  if (!heading.empty()) html_.element("h2", {}, heading);
}

Cell number_cell(const std::string& count, double log10) {
  if (count.size() <= longest_in_line) return count;
  Cell cell(short_number(count, log10));
  cell.folded = count;
  return cell;
}

Table::Table(HtmlWriter& html, std::string_view style, std::vector<Column> columns)
    : html_(html), wide_(style == "wide"), columns_(std::move(columns)) {
  // What is moved sideways can be moved by the keyboard, too.
  if (wide_) {
    html_.open("div", {{"class", "wide"}, {"tabindex", "0"}, {"role", "group"}, {"aria-label", "table"}});
  }
  html_.open("table", {{"class", wide_ ? "" : fmt::format("cards {}", style)}});
  {
    const Within head(html_, "thead");
    const Within row(html_, "tr");
    for (const Column& column : columns_)
      html_.element("th", {{"scope", "col"}, {"class", column.right ? "right" : ""}}, column.head);
  }
  html_.open("tbody");
}

void Table::row(const std::vector<Cell>& cells, std::string_view style) {
  const Within row(html_, "tr", {{"class", style}});
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const Cell& cell = cells[c];
    const Column& column = columns_[c];
    const std::string classes = fmt::format("{}{}{}", column.right ? "right " : "",
                                            column.whole ? "whole " : "", cell.bar ? "barred" : "");
    if (c == 0 || wide_ || column.head.empty() || cell.bar) {
      html_.open("td", {{"class", classes}});
    } else {
      html_.open("td", {{"class", classes}, {"data-head", column.head}});
    }
    if (cell.bar) {
      write_bar(html_, *cell.bar);
    } else if (cell.folded.empty()) {
      html_.text(cell.text);
    } else {
      write_folded_digits(html_, cell.folded, cell.text);
    }
    html_.close();
  }
}

void Table::finish() {
  html_.close();
  html_.close();
  if (wide_) html_.close();
}

void write_facts(HtmlWriter& html, const std::vector<words::Fact>& facts, std::string_view style) {
  if (facts.empty()) return;
  const Within list(html, "dl", {{"class", style}});
  for (const words::Fact& fact : facts) {
    html.element("dt", {}, fact.head);
    html.element("dd", {}, fact.text);
  }
}

void write_chips(HtmlWriter& html, const std::vector<std::string>& chips) {
  const Within list(html, "ul", {{"class", "chips"}});
  for (const std::string& chip : chips) html.element("li", {}, chip);
}

std::string checks_chip(const std::vector<Check>& checks) {
  const auto passed = static_cast<std::uint64_t>(
      std::count_if(checks.begin(), checks.end(), [](const Check& check) { return check.ran && check.ok; }));
  return counted(passed, "check") + " passed";
}

void write_violator(HtmlWriter& html, const std::optional<ViolatorReport>& violator) {
  if (!violator) return;
  const Section section(html, "Why there is none", "large");
  html.element("p", {}, words::violator_text(*violator));
  if (!violator->odd_components.empty()) {
    std::size_t shown = 0;
    for (const std::vector<std::string>& component : violator->odd_components) {
      if (violator->vertices.size() <= folded_beyond || shown == most_odd_components) break;
      ++shown;
      write_names(
          html, component,
          fmt::format("odd component {}: {}", shown, counted(component.size(), "vertex", "vertices")));
    }
  } else if (violator->vertices.size() > folded_beyond) {
    write_names(html, violator->vertices,
                fmt::format("all {} {}", violator->vertices.size(), kind_of(violator->side)));
  }
  if (violator->neighbours.size() > folded_beyond)
    write_names(html, violator->neighbours,
                fmt::format("all {}", counted(violator->neighbours.size(), "neighbour")));
}

void write_checks(HtmlWriter& html, const std::vector<Check>& checks) {
  if (checks.empty()) return;
  const Section section(html, "Checks", "large");
  const Within list(html, "ul", {{"class", "checks"}});
  for (const Check& check : checks) {
    const Within item(html, "li");
    const bool failed = check.ran && !check.ok;
    html.element("span",
                 {{"class", !check.ran ? "soft"
                            : failed   ? "bad"
                                       : "good"}},
                 !check.ran ? "left out"
                 : failed   ? "failed"
                            : "ok");
    html.element("span", {}, check.name);
    if (const std::string detail = words::detail_text(check); !detail.empty())
      html.element("span", {{"class", "detail soft small"}}, detail);
  }
}

void write_times(HtmlWriter& html, const Seconds& seconds) {
  const Section section(html, "Time");
  Table table(html, "bars", {{"stage"}, {""}, {"time", true}});
  for (const auto& [name, value] : words::stages_of(seconds))
    table.row({name, Bar{seconds.total > 0 ? value / seconds.total : 0}, format_duration(value)});
  table.row({"total", "", format_duration(seconds.total)});
  table.finish();
}

namespace {

void write_list(HtmlWriter& html, std::string_view heading, std::string_view style,
                const std::vector<std::string>& sentences) {
  if (sentences.empty()) return;
  const Section section(html, heading, style);
  const Within list(html, "ul", {{"class", "notes"}});
  for (const std::string& sentence : sentences) html.element("li", {}, sentence);
}

}  // namespace

void write_warnings(HtmlWriter& html, const std::vector<std::string>& warnings) {
  write_list(html, "Warnings", "large", warnings);
}

void write_notes(HtmlWriter& html, const std::vector<std::string>& notes) {
  write_list(html, "Notes", "", notes);
}

void write_refused(HtmlWriter& html, const std::vector<Refused>& refused) {
  if (refused.empty()) return;
  const Section section(html, "Without a number", "large");
  std::vector<words::Fact> facts;
  facts.reserve(refused.size());
  for (const Refused& one : refused) facts.push_back({one.input, one.why});
  write_facts(html, facts);
}

void write_asked(HtmlWriter& html, const InputSummary* input, const Beside& beside) {
  if (input == nullptr && beside.command.empty()) return;
  const Section section(html, "What was asked");
  if (!beside.command.empty()) html.element("pre", {}, beside.command);
  if (input == nullptr) return;
  std::vector<words::Fact> facts{{"input", words::input_text(*input)},
                                 {"problem", words::problem_name(*input) + words::matched_text(*input)}};
  if (!input->input.sha256.empty()) facts.push_back({"SHA-256", input->input.sha256});
  write_facts(html, facts, "below");
}

void write_rules(HtmlWriter& html, const std::vector<RuleReport>& rules) {
  std::string idle;
  bool some = false;
  for (const RuleReport& rule : rules) {
    some = some || rule.applied > 0;
    if (rule.applied == 0) idle += (idle.empty() ? "" : ", ") + rule.rule;
  }
  html.element("h3", {}, "Reductions");
  if (some) {
    Table table(html, "slim", {{"rule"}, {"applied", true}, {"removed", true}});
    for (const RuleReport& rule : rules)
      if (rule.applied > 0)
        table.row({rule.rule, std::to_string(rule.applied), std::to_string(rule.removed)});
    table.finish();
  }
  if (!idle.empty())
    html.element("p", {{"class", "soft small"}}, (some ? "not applied: " : "none applied: ") + idle);
}

void write_more_blocks(HtmlWriter& html, std::size_t all, std::size_t listed) {
  if (all > listed)
    html.element("p", {{"class", "soft small"}},
                 fmt::format("... and {} more blocks (--json has all)", all - listed));
}

}  // namespace countpm::html
