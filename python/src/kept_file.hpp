#pragma once
// A checkpoint that is kept for Python: where it is there it is gone on with.
#include <nanobind/nanobind.h>

#include <mutex>
#include <string>
#include <vector>

#include "src/api/entries.hpp"

namespace countpm::python {

/// What befalls a file, from any thread.
class Notices {
 public:
  void add(const std::string& notice);
  /// Those since the last call.
  std::vector<std::string> take();

 private:
  std::mutex mutex_;
  std::vector<std::string> notices_;
};

/// file: empty for none. The notices outlive the count.
CheckpointOptions checkpoint_at(const std::string& file, Notices& notices);

/// work(checkpoint); however that ends, the list has the notices then. With Python's lock.
template <class Work>
auto with_kept_file(const std::string& file, nanobind::list& heard, const Work& work) {
  Notices notices;
  const auto tell = [&] {
    for (const std::string& notice : notices.take()) heard.append(notice);
  };
  try {
    auto result = work(checkpoint_at(file, notices));
    tell();
    return result;
  } catch (...) {
    tell();
    throw;
  }
}

}  // namespace countpm::python
