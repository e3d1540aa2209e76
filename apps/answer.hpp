#pragma once
// What commands with one result have in common: they ask within progress and limits, and show what comes.
#include <string>
#include <vector>

#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/report_lines.hpp"
#include "apps/report_page.hpp"
#include "apps/resume.hpp"
#include "apps/structure_picture.hpp"
#include "src/words/result_words.hpp"

namespace countpm::app {

/// Around the work: its time limit, and what is to know of it, where there is such a thing.
struct Around {
  double limit_seconds;
  ReportPage* page = nullptr;           // has the last words at the limit
  StructurePicture* picture = nullptr;  // keeps the graph
};

/// The result of ask(read, options): with progress, Ctrl-C and the limit watched, what a checkpoint keeps
/// where the command takes one, and the input's checksum where the answer has a place for it.
template <class Ask>
auto asked(const Request& request, const Around& around, const Ask& ask) {
  ProgressScope scope(request);
  if (around.page != nullptr)
    scope.before_the_end([&](const std::string& message) { around.page->refuse_at_limit(message); });
  ReadOptions read = request.read;
  read.hash = request.json || request.proof || (around.page != nullptr && around.page->wanted());
  CountOptions options = request.count;
  scope.watch(options, around.limit_seconds);
  if (around.picture != nullptr) around.picture->watch(options);
  if (!could_take(request, "checkpoint")) return ask(read, options);
  options.checkpoint.options = kept_options(request);
  if (options.checkpoint.used()) options.checkpoint.notice = say_notice;
  return scope.advising_checkpoints(options, [&] { return ask(read, options); });
}
template <class Ask>
auto asked(const Request& request, const Ask& ask) {
  return asked(request, {request.count.time_limit_seconds}, ask);
}

/// Writes the answer: JSON, or text(). On standard error report(), where that is wanted; whether it was.
template <class Result, class Text, class Report>
bool show(const Request& request, const Result& result, const Text& text, const Report& report) {
  write_output(request.json ? indented(json_of(result)) : text());
  flush_output();
  const bool wanted = !request.quiet && (error_is_terminal() || request.report);
  if (wanted) write_error(report());
  return wanted;
}

/// Writes a forecast, or its JSON.
template <class Forecast>
void show_forecast(const Request& request, const Forecast& forecast, const std::string& text) {
  write_output(request.json ? indented(json_of(forecast)) : text);
  flush_output();
}

/// A report: the input, facts, and notes.
template <class Result>
std::string report_of(const Result& result, const std::vector<words::Fact>& facts) {
  std::string text = line("input", words::input_text(result));
  for (const words::Fact& fact : facts) text += line(fact.head, fact.text);
  for (const std::string& note : result.notes) text += line("note", note);
  return text;
}

}  // namespace countpm::app
