// countpm explain INPUT: what a count would do and cost.
#include <optional>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "apps/picture_file.hpp"
#include "apps/report.hpp"
#include "src/draw/matrix.hpp"

namespace countpm::app {

namespace {

/// The picture of the matrix: for --svg, for the page, or for both.
class PatternPicture {
 public:
  explicit PatternPicture(const Request& request) : request_(request) {
    if (request.svg) file_.emplace(*request.svg, request.overwrite);
  }

  /// Empty where nobody wants the picture.
  PatternSink sink() {
    if (!file_ && !request_.html) return {};
    return [this](const PatternStages& stages) {
      try {
        draw(stages);
      } catch (const UnableError& error) {
        if (file_) throw;
        why_not_ = error.what();
      }
    };
  }
  const std::optional<draw::Picture>& picture() const { return picture_; }
  const std::string& why_not() const { return why_not_; }
  void write() {
    if (file_ && picture_) file_->limited(request_, [&] { file_->write(request_, *picture_); });
  }

 private:
  void draw(const PatternStages& stages) {
    if (stages.pattern.entries() == 0)
      throw UnableError("a graph without edges has no picture", file_ ? "leave --svg out" : "");
    const auto work = [&] {
      picture_ = draw::draw_patterns(stages, quoted(request_.arguments.front(), 100), request_.page);
    };
    if (file_) return file_->limited(request_, work);
    time_.limited(request_, no_picture_on_page, work);
  }

  const Request& request_;
  DrawingTime time_;
  std::optional<PictureFile> file_;
  std::optional<draw::Picture> picture_;
  std::string why_not_;
};

}  // namespace

int run_explain(const Request& request) {
  ReportPage page(request);
  PatternPicture picture(request);
  const double limit = request.count.time_limit_seconds;
  const Explanation explanation = page.or_refusal([&] {
    return asked(request, {limit, &page}, [&](const ReadOptions& read, const CountOptions& options) {
      return explain(input_of(request), read, options, picture.sink());
    });
  });
  show_forecast(request, explanation, explain_report(explanation, limit, output_width()));
  if (page.wanted())
    page.write(html::explain_fragment(explanation, limit, page.beside(picture.picture(), picture.why_not())));
  picture.write();
  return 0;
}

}  // namespace countpm::app
