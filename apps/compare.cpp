// countpm compare INPUT...: exact beside estimated.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
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
#include "graph/text.hpp"
#include "src/estimate/compare.hpp"

namespace countpm::app {
namespace {

/// One input after the other: what cannot be sampled or counted is reported, and the others go on.
class CompareRun {
 public:
  explicit CompareRun(const Request& request) : request_(request), lines_(request) {
    if (request.svg) file_.emplace(*request.svg, request.overwrite);
  }

  int run() {
    check_compare_options(request_.estimate, request_.compare);
    show(lines_.head());
    try {
      for (std::size_t k = 0; k < request_.arguments.size(); ++k) compare_or_refuse(k);
    } catch (const InterruptedError&) {
      draw();
      throw;
    }
    if (file_ && compared_.empty() && code_ == 0)
      throw UnableError("--svg: nothing to draw, for the reductions leave nothing to sample",
                        "compare without --svg");
    draw();
    return code_;
  }

 private:
  /// What has been estimated so far.
  void draw() {
    if (file_ && !compared_.empty()) file_->write(request_, compare_plot(compared_));
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
    bool first = true;  // of the input's estimates
    const auto started = [&](const ComparisonStart& begun) {
      start = begun;
      scope.hide();
      show(lines_.start(start));
    };
    const auto row = [&](const ComparedEstimate& estimate) {
      scope.hide();
      show(lines_.line(start, estimate));
      if (!file_) return;
      if (first) compared_.push_back({start, {}});
      first = false;
      compared_.back().estimates.push_back(estimate);
    };
    const auto left_out = [&](const LeftOutSampler& one) {
      scope.hide();
      write_error(fmt::format("countpm: {}: {} left out: {}\n", quoted(request_.arguments[k], 400),
                              one.sampler, printable(one.why)));
    };
    const std::size_t estimates =
        compare(Source::from_argument(request_.arguments[k]), request_.read, options, request_.estimate,
                request_.compare, started, row, left_out);
    if (estimates == 0) show(lines_.nothing_sampled(start));
  }

  static void show(const std::string& text) {
    write_output(text);
    flush_output();
  }

  void refuse(std::size_t k, const std::string& reason) {
    const std::string message = fmt::format("{}: {}", quoted(request_.arguments[k], 400), reason);
    write_error("countpm: " + printable(message) + "\n");
    if (request_.json) show(one_line(error_json("unable", message, exit_code::unable)) + "\n");
    code_ = exit_code::unable;
  }

  const Request& request_;
  CompareLines lines_;
  std::vector<ComparedInput> compared_;  // with --svg
  std::optional<PictureFile> file_;
  int code_ = 0;
};

}  // namespace

int run_compare(const Request& request) {
  return CompareRun(request).run();
}

}  // namespace countpm::app
