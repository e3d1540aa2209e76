#pragma once
// Files that a command writes beside standard output: pictures, tables.
#include <string>
#include <string_view>

namespace countpm::app {

/// Opened before a long computation, so that a name that cannot be written is known at once. What was in the
/// file stays until the first write. Where a command fails before close(), a file that was not there before
/// is taken away again. All throw OutputError, which names the file.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  /// Everything is written.
  void close();
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(int reason) const;

  std::string path_;
  int descriptor_ = -1;
  bool created_ = false;
  bool begun_ = false;
};

}  // namespace countpm::app
