#include "python/src/kept_file.hpp"

#include <filesystem>
#include <utility>

namespace countpm::python {

void Notices::add(const std::string& notice) {
  const std::lock_guard lock(mutex_);
  notices_.push_back(notice);
}

std::vector<std::string> Notices::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(notices_, {});
}

CheckpointOptions checkpoint_at(const std::string& file, Notices& notices) {
  CheckpointOptions checkpoint;
  if (file.empty()) return checkpoint;
  std::error_code error;
  checkpoint.file = file;
  checkpoint.resume = std::filesystem::exists(std::filesystem::symlink_status(file, error));
  checkpoint.notice = [&notices](const std::string& notice) { notices.add(notice); };
  return checkpoint;
}

}  // namespace countpm::python
