// Compiled kernels on disk: a first line with the lengths, the key, the code, and the SHA-256 of both.
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "graph/sha256.hpp"
#include "kernels/cuda/runtime_compiler.hpp"

namespace countpm {
namespace {

std::string sha256_of(const std::string& text) {
  Sha256 hash;
  hash.update(text);
  return hash.digest();
}

/// What comes before the code; as long for any code.
std::string file_start(const std::string& key, std::size_t code_bytes) {
  constexpr std::size_t width = 20;
  std::string size = std::to_string(code_bytes);
  size.insert(0, width - size.size(), '0');
  return "countpm kernel 1 " + std::to_string(key.size()) + " " + size + "\n" + key;
}

constexpr std::size_t digest_bytes = 64;

}  // namespace

KernelCache KernelCache::of_environment() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (const std::string own = variable("COUNTPM_KERNEL_CACHE"); !own.empty())
    return {own == "off" ? "" : own};
  if (const std::string caches = variable("XDG_CACHE_HOME"); !caches.empty()) return {caches + "/countpm"};
  if (const std::string home = variable("HOME"); !home.empty()) return {home + "/.cache/countpm"};
  return {};
}

std::string KernelCache::file_of(const std::string& key) const {
  return folder + "/" + sha256_of(key) + ".kernel";
}

std::optional<std::string> KernelCache::find(const std::string& key) const {
  if (folder.empty()) return std::nullopt;
  std::ifstream file(file_of(key), std::ios::binary);
  if (!file) return std::nullopt;
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::size_t start = file_start(key, 0).size();
  if (bytes.size() < start + digest_bytes) return std::nullopt;
  const std::size_t size = bytes.size() - start - digest_bytes;
  const bool whole = bytes.compare(0, start, file_start(key, size)) == 0 &&
                     bytes.compare(start + size, digest_bytes, sha256_of(bytes.substr(0, start + size))) == 0;
  if (!whole) return std::nullopt;
  return bytes.substr(start, size);
}

void KernelCache::keep(const std::string& key, const std::string& code) const {
  if (folder.empty()) return;
  static std::atomic<unsigned> number{0};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string file = file_of(key);
  const std::string aside = file + "." + std::to_string(getpid()) + "." + std::to_string(number++) + ".part";
  const std::string bytes = file_start(key, code.size()) + code;
  bool written = false;
  {
    std::ofstream out(aside, std::ios::binary);
    out << bytes << sha256_of(bytes);
    out.close();
    written = !out.fail();
  }
  if (written) std::filesystem::rename(aside, file, error);
  if (!written || error) std::filesystem::remove(aside, error);
}

}  // namespace countpm
