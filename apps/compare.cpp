// countpm compare INPUT...: exact beside estimated.
#include <fmt/format.h>

#include <optional>
#include <vector>

#include "apps/commands.hpp"
#include "apps/compare_lines.hpp"
#include "apps/compare_plot.hpp"
#include "apps/exit_codes.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/picture_file.hpp"
#include "apps/progress_scope.hpp"
#include "apps/ranks.hpp"
#include "apps/report_page.hpp"
#include "apps/signals.hpp"
#include "graph/text.hpp"
#include "src/estimate/compare.hpp"

namespace countpm::app {
namespace {

/// One input after the other: what cannot be sampled or counted is reported, and the others go on.
class CompareRun {
 public:
  explicit CompareRun(const Request& request) : request_(request), lines_(request), page_(request) {
    if (request.svg) file_.emplace(*request.svg, request.overwrite);
  }

  int run() {
    check_compare_options(request_.estimate, request_.compare);
    show(lines_.head());
    try {
      for (std::size_t k = 0; k < request_.arguments.size(); ++k) compare_or_refuse(k);
    } catch (const InterruptedError&) {
      write_page("interrupted: what had been estimated until then");
      draw();
      throw;
    } catch (const CheckError& error) {
      write_page(fmt::format("a check failed: {}", error.what()));
      throw;
    }
    write_page("");
    if (file_ && sampled().empty() && code_ == 0)
      throw UnableError("--svg: nothing to draw, for the reductions leave nothing to sample",
                        "compare without --svg");
    draw();
    return code_;
  }

 private:
  /// What has been estimated so far.
  void draw() {
    if (file_ && !sampled().empty()) file_->write(request_, compare_plot(sampled(), request_.page));
  }

  /// The inputs that have something to plot.
  std::vector<ComparedInput> sampled() const {
    std::vector<ComparedInput> some;
    for (const ComparedInput& input : compared_)
      if (!input.estimates.empty()) some.push_back(input);
    return some;
  }

  void write_page(const std::string& stopped) {
    if (!page_.wanted()) return;
    std::optional<draw::Picture> picture;
    if (const std::vector<ComparedInput> inputs = sampled(); !inputs.empty())
      picture = compare_plot(inputs, request_.page);
    page_.write(html::comparison_fragment({request_.count.seed, compared_, refused_, stopped, notes_},
                                          page_.beside(picture)));
  }

  void compare_or_refuse(std::size_t k) {
    try {
      compare_input(k);
    } catch (const UnableError& error) {
      refuse(k, error.what());
    }
  }

  void compare_input(std::size_t k) {
    ProgressScope scope(request_);
    CountOptions options = request_.count;
    scope.watch(options);
    ComparisonStart start;
    const auto started = [&](const ComparisonStart& begun) {
      start = begun;
      scope.hide();
      show(lines_.start(start));
      if (file_ || page_.wanted()) compared_.push_back({start, {}});
    };
    const auto row = [&](const ComparedEstimate& estimate) {
      scope.hide();
      show(lines_.line(start, estimate));
      if (estimate.number > 0 || (!file_ && !page_.wanted())) return;
      compared_.back().estimates.push_back(estimate);
      allow_time_to_stop();  // what there is now, a picture or a page is to have
    };
    const auto left_out = [&](const LeftOutSampler& one) {
      scope.hide();
      const std::string note =
          fmt::format("{}: {} left out: {}", quoted(request_.arguments[k], 400), one.sampler, one.why);
      write_error("countpm: " + printable(note) + "\n");
      notes_.push_back(note);
    };
    const std::size_t estimates =
        compare(source_on_ranks(request_, request_.arguments[k]), request_.read, options, request_.estimate,
                request_.compare, started, row, left_out, [&](const ComparedCoverage& coverage) {
                  scope.hide();
                  show(lines_.coverage(start, coverage));
                });
    if (estimates == 0) show(lines_.nothing_sampled(start));
  }

  static void show(const std::string& text) {
    write_output(text);
    flush_output();
  }

  void refuse(std::size_t k, const std::string& reason) {
    const std::string message = fmt::format("{}: {}", quoted(request_.arguments[k], 400), reason);
    write_error("countpm: " + printable(message) + "\n");
    if (request_.json) show(error_text({"unable", message, exit_code::unable}, true));
    refused_.push_back({request_.arguments[k], reason});
    code_ = exit_code::unable;
  }

  const Request& request_;
  CompareLines lines_;
  std::vector<ComparedInput> compared_;  // with --svg or --html
  std::vector<html::Refused> refused_;
  std::vector<std::string> notes_;
  ReportPage page_;
  std::optional<PictureFile> file_;
  int code_ = 0;
};

}  // namespace

int run_compare(const Request& request) {
  if (follows(request)) follow_with_others(request);
  return CompareRun(request).run();
}

}  // namespace countpm::app
