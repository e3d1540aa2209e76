#pragma once
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace countpm::testing {

/// A file's bytes; none where there is no such file.
inline std::string file_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace countpm::testing
