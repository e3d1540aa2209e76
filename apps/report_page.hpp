#pragma once
// The file of --html, and what a command puts into it.
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "apps/exit_codes.hpp"
#include "apps/options.hpp"
#include "apps/output_file.hpp"
#include "graph/errors.hpp"
#include "src/html/pages.hpp"

namespace countpm::app {

/// Made before the work whose result it is to hold: throws as OutputFile does. Where the request asks for no
/// page nothing happens here.
class ReportPage {
 public:
  explicit ReportPage(const Request& request);

  bool wanted() const { return file_.has_value(); }
  /// How it was asked for, and its picture, which must stay where it is, or why there is none.
  html::Beside beside(const std::optional<draw::Picture>& picture = {}, std::string no_picture = "") const;
  /// Writes the page, and on standard error, but with --quiet, where it is. Not twice.
  void write(const html::Fragment& fragment);
  /// The page says why there is no number. What hinders that is said on standard error; nothing is thrown.
  void refuse(const std::string& head, const std::string& message, int exit_code);
  /// Of what is beyond the limits.
  void refuse_at_limit(const std::string& message) {
    refuse("refused: beyond the limits, or no method can", message, exit_code::unable);
  }

  /// Runs the work. Where it is refused, or a check fails, the page says so before that goes on its way.
  template <class Work>
  auto or_refusal(Work work) {
    try {
      return work();
    } catch (const UnableError& error) {
      refuse_at_limit(error.what());
      throw;
    } catch (const CheckError& error) {
      refuse("a check failed, and no number is shown that did not pass", error.what(),
             exit_code::check_failed);
      throw;
    }
  }

 private:
  const Request& request_;
  std::mutex mutex_;  // the last words at the time limit come from another thread
  std::optional<OutputFile> file_;
};

}  // namespace countpm::app
