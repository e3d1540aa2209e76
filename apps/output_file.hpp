#pragma once
// Files that a command writes beside standard output: pictures, tables.
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "apps/options.hpp"
#include "graph/new_file.hpp"

namespace countpm::app {

/// Looked at before a long computation, so that a name that cannot be written is known at once. What is
/// written has no name before close(), which gives it its own: there is the whole file, or what was there
/// before, also where the program is killed or the disk is full. A device (/dev/null) and an open descriptor
/// (/dev/stdout, /dev/fd/N) are written to as they are. Its constructor throws UsageError where something has
/// the name that may not be replaced, or no file can have it (is_fault_of_name() of graph/new_file.hpp);
/// where the system says no for other reasons, then or later, it is OutputError. Both name the file.
class OutputFile {
 public:
  OutputFile(std::string path, bool overwrite);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  /// Everything is written.
  void close();
  const std::string& path() const { return path_; }

 private:
  enum class Place { free, taken, as_it_is };
  Place look();
  void open_device();
  void open_nameless();
  std::string under_a_name();
  [[noreturn]] void fail(int reason) const;

  std::string path_;
  bool overwrite_;
  std::optional<mode_t> mode_;  // of the file that is to be replaced
  Descriptor file_;
  bool as_it_is_ = false;  // a device, or a descriptor of others
};

/// Before anything is read: throws UsageError where a file that the request writes is one of the inputs that
/// it reads, or two of them are the same. --overwrite does not change that.
void check_outputs(const Request& request, const std::vector<std::string>& inputs);

}  // namespace countpm::app
