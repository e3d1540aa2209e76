#include "apps/report_page.hpp"

#include <fmt/format.h>

#include "apps/command_line.hpp"
#include "apps/output.hpp"
#include "graph/text.hpp"

namespace countpm::app {
namespace {

/// Nobody wants HTML under a picture's name.
void check_page_name(const std::string& path) {
  const std::string lower = ascii_lower(path);
  for (const char* ending : {".pdf", ".svg", ".png", ".json", ".csv"}) {
    if (lower.ends_with(ending))
      throw UsageError(fmt::format("{}: a page is HTML; give a name that ends in .html", quoted(path, 400)));
  }
}

}  // namespace

ReportPage::ReportPage(const Request& request) : request_(request) {
  if (request.html) check_page_name(*request.html);
  if (request.html) file_.emplace(*request.html, request.overwrite);
}

html::Beside ReportPage::beside(const std::optional<draw::Picture>& picture, std::string no_picture) const {
  html::Beside beside;
  beside.command = request_.begun_as.empty()
                       ? command_line(request_)
                       : fmt::format("{}\n(begun as: {})", request_.asked_as, request_.begun_as);
  beside.picture = picture ? &*picture : nullptr;
  beside.no_picture = std::move(no_picture);
  return beside;
}

void ReportPage::write(const html::Fragment& fragment) {
  const std::lock_guard lock(mutex_);
  if (!file_) return;
  file_->write(html::page_of(fragment));
  file_->close();
  const std::string path = file_->path();
  file_.reset();
  if (!request_.quiet) write_error(fmt::format("page        {}\n", quoted(path, 400)));
}

void ReportPage::refuse(const std::string& head, const std::string& message, int exit_code) {
  if (!request_.html) return;
  try {
    const std::string input = request_.arguments.empty() ? "" : request_.arguments.front();
    write(html::no_number_fragment({input, head, message, exit_code}, beside()));
  } catch (const Error& error) {
    write_error("countpm: " + printable(error.what()) + "\n");
  }
}

}  // namespace countpm::app
