#include "apps/answer_file.hpp"

#include "apps/output.hpp"

namespace countpm::app {

std::optional<std::string> answer_file(const Request& request) {
  if (request.output.empty() || request.command == "split" || request.command == "merge") return {};
  return request.output;
}

AnswerFile::AnswerFile(const Request& request) {
  const std::optional<std::string> path = answer_file(request);
  if (!path || output_is_muted()) return;
  file_.emplace(*path, request.overwrite);
  redirect_output([this](std::string_view text) { take(text); });
}

AnswerFile::~AnswerFile() {
  if (file_) redirect_output({});
}

void AnswerFile::take(std::string_view text) {
  constexpr std::size_t enough = 65536;
  waiting_ += text;
  if (waiting_.size() < enough) return;
  file_->write(waiting_);
  waiting_.clear();
}

void AnswerFile::close() {
  if (!file_) return;
  redirect_output({});
  file_->write(waiting_);
  file_->close();
  file_.reset();
}

}  // namespace countpm::app
