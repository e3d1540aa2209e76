#pragma once
// The file of --output: what a command would write to standard output goes there.
#include <optional>
#include <string>
#include <string_view>

#include "apps/options.hpp"
#include "apps/output_file.hpp"

namespace countpm::app {

/// The file that a request names for its answer. Not of split and merge, where --output names what they make.
std::optional<std::string> answer_file(const Request& request);

/// As long as it lives write_output() writes to the request's file, where it names one. Throws as OutputFile
/// does.
class AnswerFile {
 public:
  explicit AnswerFile(const Request& request);
  ~AnswerFile();
  AnswerFile(const AnswerFile&) = delete;
  AnswerFile& operator=(const AnswerFile&) = delete;

  /// The answer is whole: the file gets its name. Without this call there is none, or what was there before.
  void close();

 private:
  void take(std::string_view text);

  std::optional<OutputFile> file_;
  std::string waiting_;  // until it is worth a call of the system
};

}  // namespace countpm::app
