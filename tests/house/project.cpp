#include "tests/house/project.hpp"
#include "test_paths.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace countpm::house {
namespace fs = std::filesystem;

std::vector<std::string> project_files() {
  const fs::path top = COUNTPM_SOURCE_DIR;
  std::vector<std::string> result;
  for (auto at = fs::recursive_directory_iterator(top); at != fs::recursive_directory_iterator(); ++at) {
    const std::string name = at->path().filename().string();
    const bool hidden = name.starts_with('.') && name != ".ci";
    if (at->is_directory()) {
      const bool output = (at.depth() == 0 && name.starts_with("build")) || name == "__pycache__";
      if (hidden || output || at->is_symlink()) at.disable_recursion_pending();
    } else if (!hidden && at->is_regular_file()) {
      result.push_back(at->path().lexically_relative(top).generic_string());
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::string> folders_of(const std::vector<std::string>& files) {
  std::set<std::string> result;
  for (const std::string& file : files) {
    for (std::size_t slash = file.find('/'); slash != std::string::npos; slash = file.find('/', slash + 1)) {
      result.insert(file.substr(0, slash));
    }
  }
  return {result.begin(), result.end()};
}

std::string contents(const std::string& path) {
  std::ifstream file(fs::path(COUNTPM_SOURCE_DIR) / path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("cannot read " + path);
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

bool ends_with_any(const std::string& path, const std::vector<std::string>& endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](const std::string& ending) { return path.ends_with(ending); });
}

bool is_plain_name(const std::string& path) {
  return !path.empty() && path.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "._-+/") == std::string::npos;
}

std::string top_folder(const std::string& path) {
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

}  // namespace countpm::house
