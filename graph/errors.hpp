#pragma once
// The one family of exceptions. The library throws these and never prints, exits or aborts; apps/ alone turns
// them into messages and exit codes.
#include <cstdint>
#include <stdexcept>
#include <string>

namespace countpm {

/// Base of everything that countpm throws on purpose. Anything else that escapes is an internal fault (exit
/// 1).
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An option, method or rule that does not exist or does not fit (exit 2). The message lists what does.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// Input that is not what it claims to be (exit 2). what() is one line:
/// "FILE:LINE: expected EXPECTED, found FOUND" (":LINE" is left out where line == 0, as for binary data or a
/// missing file).
class InputError : public Error {
 public:
  InputError(std::string file, std::uint64_t line, std::string expected, std::string found);

  const std::string& file() const { return file_; }
  std::uint64_t line() const { return line_; }
  const std::string& expected() const { return expected_; }
  const std::string& found() const { return found_; }

 private:
  std::string file_;
  std::uint64_t line_;
  std::string expected_;
  std::string found_;
};

/// The work does not fit the limits given, or no method here can do it (exit 3). `remedy` says what would.
class UnableError : public Error {
 public:
  UnableError(const std::string& reason, std::string remedy);
  const std::string& remedy() const { return remedy_; }

 private:
  std::string remedy_;
};

/// A check on a result failed: the message names both values (exit 4). Nothing was counted.
class CheckError : public Error {
 public:
  using Error::Error;
};

/// The user asked to stop (exit 130).
class InterruptedError : public Error {
 public:
  using Error::Error;
};

/// Text from a file made safe for a one-line message, as printable() of graph/text.hpp makes it, and cut at
/// `limit` bytes.
std::string quoted(const std::string& text, std::size_t limit = 40);

}  // namespace countpm
