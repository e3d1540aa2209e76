#pragma once
// A file that cannot be opened, in the words that everybody knows.
#include <string>

#include "graph/errors.hpp"

namespace countpm {

/// An InputError (exit 2) whose what() is "FILE: REASON", the reason as the operating system has it: "No such
/// file or directory".
class OpenError : public InputError {
 public:
  OpenError(const std::string& file, const std::string& reason)
      : InputError(file, 0, "a readable file", reason), message_(quoted(file, 400) + ": " + reason) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

}  // namespace countpm
