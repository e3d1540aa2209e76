// countpm many INPUT...: many counts, a line each.
#include <fmt/format.h>

#include <algorithm>

#include "apps/commands.hpp"
#include "apps/exit_codes.hpp"
#include "apps/ln_z.hpp"
#include "apps/output.hpp"
#include "apps/output_file.hpp"
#include "apps/picture_file.hpp"
#include "apps/progress_scope.hpp"
#include "apps/ranks.hpp"
#include "apps/report_page.hpp"
#include "apps/series_lines.hpp"
#include "apps/series_plot.hpp"
#include "apps/signals.hpp"
#include "graph/text.hpp"
#include "src/series/count_series.hpp"
#include "src/words/series_words.hpp"

namespace countpm::app {
namespace {

/// Has the series counted, and writes each row as it comes; a picture and a page hold them all.
class SeriesRun {
 public:
  explicit SeriesRun(const Request& request)
      : request_(request),
        series_(series_items(request.arguments, request.count.time_limit_seconds)),
        lines_(request, series_),
        page_(request) {}

  int run() {
    if (request_.asks(Question::logarithm)) check_ln_z(request_);
    check_files();
    if (request_.svg) open_picture();
    for (const std::string& note : series_.notes) say(note);
    try {
      count_all();
    } catch (const InterruptedError&) {
      flush_output();
      show("interrupted: what had been counted until then");
      throw;
    }
    if (!begun_) write_output(lines_.head(nullptr));
    write_output(lines_.foot(limits_));
    flush_output();
    show("");
    return code_;
  }

 private:
  /// Of folders and lists, too, no input is written over.
  void check_files() {
    if (!request_.svg && !request_.html) return;
    std::vector<std::string> inputs;
    for (const SeriesItem& item : series_.items) inputs.push_back(item.input);
    check_outputs(request_, inputs);
  }

  void open_picture() {
    if (series_.groups.size() > most_plotted_groups) {
      throw UsageError(
          fmt::format("--svg: a plot has colours for {} ranges, files and single lattices together "
                      "being one; found {}",
                      most_plotted_groups, series_.groups.size()));
    }
    file_.emplace(*request_.svg, request_.overwrite);
  }

  void count_all() {
    ProgressScope scope(request_);
    SeriesOptions options;
    options.read = request_.read;
    options.count = request_.count;
    options.ln_z = request_.asks(Question::logarithm);
    options.jobs = static_cast<int>(request_.jobs);
    scope.watch(options.count);
    count_series(
        series_, options,
        [&](SeriesRow row) {
          scope.hide();
          tell(std::move(row));
        },
        [] { flush_output(); });
  }

  /// What has been counted so far, as a picture and as a page.
  void show(const std::string& stopped) {
    write_page(stopped);
    if (file_ && !rows_.empty()) file_->write(request_, series_plot(series_, rows_, request_.page));
  }

  void write_page(const std::string& stopped) {
    if (!page_.wanted()) return;
    std::optional<draw::Picture> picture;
    std::string why_not;
    if (series_.groups.size() > most_plotted_groups) {
      why_not = fmt::format("a plot has colours for {} ranges", most_plotted_groups);
    } else if (!rows_.empty()) {
      picture = series_plot(series_, rows_, request_.page);
    }
    std::string title;
    for (const SeriesGroup& group : series_.groups) title += (title.empty() ? "" : ", ") + group.name;
    page_.write(html::series_fragment({title, rows_, refused_, !request_.no_counts, request_.ratio, stopped},
                                      page_.beside(picture, why_not)));
  }

  void tell(SeriesRow row) {
    if (request_.ratio) {
      if (!first_ && !row.failure) first_ = row;
      if (first_) row.ratio = count_ratio(row, *first_);
    }
    if (!begun_) write_output(lines_.head(&row));
    begun_ = true;
    write_output(lines_.line(row));
    if (row.failure) return refuse(row);
    if (file_ || page_.wanted()) {
      allow_time_to_stop();  // what there is now, a picture or a page is to have
      flush_output();
      rows_.push_back(row);
    }
    const std::string limit = words::limit_text(row);
    if (!limit.empty() && std::find(limits_.begin(), limits_.end(), limit) == limits_.end())
      limits_.push_back(limit);
  }

  /// The exit code is the largest of those that single counts would have had.
  void refuse(const SeriesRow& row) {
    flush_output();
    const SeriesFailure& failure = *row.failure;
    const bool names_itself = failure.kind == SeriesFailure::Kind::input;
    say(names_itself ? failure.message : fmt::format("{}: {}", quoted(row.input, 400), failure.message));
    if (page_.wanted()) refused_.push_back({row.input, failure.message});
    code_ = std::max(code_, exit_code_of(failure));
  }

  static void say(const std::string& message) { write_error("countpm: " + printable(message) + "\n"); }

  const Request& request_;
  Series series_;
  SeriesLines lines_;
  bool begun_ = false;               // the head is written
  std::vector<SeriesRow> rows_;      // for a picture or a page
  std::vector<std::string> limits_;  // for the foot
  std::optional<SeriesRow> first_;   // that ratios are to
  std::vector<html::Refused> refused_;
  ReportPage page_;
  std::optional<PictureFile> file_;
  int code_ = 0;
};

}  // namespace

int run_series(const Request& request) {
  if (follows(request)) follow_with_others(request);
  return SeriesRun(request).run();
}

}  // namespace countpm::app
