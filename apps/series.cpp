// countpm series INPUT...: many counts, a line each.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/exit_codes.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/picture_file.hpp"
#include "apps/progress_scope.hpp"
#include "apps/report_page.hpp"
#include "apps/series_lines.hpp"
#include "apps/series_plot.hpp"
#include "apps/signals.hpp"
#include "graph/text.hpp"

namespace countpm::app {
namespace {

/// Counts one after the other. A lattice that is refused ends its range, whose others are larger; what comes
/// after the range goes on.
class SeriesRun {
 public:
  explicit SeriesRun(const Request& request)
      : request_(request),
        series_(series_items(request.arguments)),
        lines_(request, series_),
        page_(request) {}

  int run() {
    if (request_.svg) open_picture();
    write_output(lines_.head());
    try {
      for (std::size_t k = 0; k < series_.items.size(); ++k) k = count_or_refuse(k);
    } catch (const InterruptedError&) {
      show("interrupted: what had been counted until then");
      throw;
    } catch (const CheckError& error) {
      write_page(fmt::format("a check failed: {}", error.what()));
      throw;
    }
    write_output(lines_.foot(rows_));
    flush_output();
    show("");
    return code_;
  }

 private:
  void open_picture() {
    if (series_.groups.size() > most_plotted_groups) {
      throw UsageError(
          fmt::format("--svg: a plot has colours for {} ranges, files and single lattices together "
                      "being one; found {}",
                      most_plotted_groups, series_.groups.size()));
    }
    file_.emplace(*request_.svg, request_.overwrite);
  }

  /// What has been counted so far, as a picture and as a page.
  void show(const std::string& stopped) {
    write_page(stopped);
    if (file_ && !rows_.empty()) file_->write(request_, series_plot(series_, rows_));
  }

  void write_page(const std::string& stopped) {
    if (!page_.wanted()) return;
    std::optional<draw::Picture> picture;
    std::string why_not;
    if (series_.groups.size() > most_plotted_groups) {
      why_not = fmt::format("a plot has colours for {} ranges", most_plotted_groups);
    } else if (!rows_.empty()) {
      picture = series_plot(series_, rows_);
    }
    std::string title;
    for (const SeriesGroup& group : series_.groups) title += (title.empty() ? "" : ", ") + group.name;
    page_.write(html::series_fragment({title, rows_, refused_, !request_.no_counts, request_.ratio, stopped},
                                      page_.beside(picture, why_not)));
  }

  /// The last item that is dealt with.
  std::size_t count_or_refuse(std::size_t k) {
    try {
      tell(series_row(series_.items[k], count_item(k)));
      return k;
    } catch (const UnableError& error) {
      return refuse(k, error);
    }
  }

  CountResult count_item(std::size_t k) {
    ProgressScope scope(request_);
    CountOptions options = request_.count;
    scope.watch(options);
    const std::string stage =
        fmt::format("{} ({} of {})", series_.items[k].input, k + 1, series_.items.size());
    options.progress = [stage, show = options.progress](const Progress& progress) {
      Progress named = progress;
      named.stage = stage;
      show(named);
    };
    return count(Source::from_argument(series_.items[k].input), request_.read, options);
  }

  void tell(SeriesRow row) {
    if (request_.ratio) row.ratio = count_ratio(row, rows_.empty() ? row : rows_.front());
    rows_.push_back(std::move(row));
    if (file_ || page_.wanted()) allow_time_to_stop();  // what there is now, a picture or a page is to have
    write_output(lines_.line(rows_.back()));
    flush_output();
  }

  /// The last item that is not to be tried any more.
  std::size_t refuse(std::size_t k, const UnableError& error) {
    const SeriesItem& item = series_.items[k];
    std::size_t last = k;
    if (item.size) {
      while (last + 1 < series_.items.size() && series_.items[last + 1].group == item.group) ++last;
    }
    std::string why = error.what();
    if (last > k) why += fmt::format("; its range stops there, {} more left out", last - k);
    const std::string message = fmt::format("{}: {}", quoted(item.input, 400), why);
    refused_.push_back({item.input, why});
    write_error("countpm: " + printable(message) + "\n");
    if (request_.json) write_output(one_line(error_json("unable", message, exit_code::unable)) + "\n");
    flush_output();
    code_ = exit_code::unable;
    return last;
  }

  const Request& request_;
  Series series_;
  SeriesLines lines_;
  std::vector<SeriesRow> rows_;
  std::vector<html::Refused> refused_;
  ReportPage page_;
  std::optional<PictureFile> file_;
  int code_ = 0;
};

}  // namespace

int run_series(const Request& request) {
  return SeriesRun(request).run();
}

}  // namespace countpm::app
