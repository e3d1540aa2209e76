#pragma once
// Generated kernels as a C++ compiler sees them: what CUDA's words mean on the CPU, a compiler at hand, and
// the library that it makes.
#include <dlfcn.h>
#include <sys/wait.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace countpm::testing {

/// A folder of its own, removed with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "countpm-codegen-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder " + name);
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The launch of one thread after another.
inline constexpr const char* cuda_on_the_cpu = R"(
struct Three { unsigned x; };
static Three threadIdx, blockIdx, blockDim, gridDim;
#define __global__
#define __launch_bounds__(threads, blocks)
#define __constant__ static const
extern "C" void set_grid(unsigned blocks, unsigned threads) { gridDim.x = blocks; blockDim.x = threads; }
extern "C" void set_thread(unsigned block, unsigned thread) { blockIdx.x = block; threadIdx.x = thread; }
)";

/// C++ text, compiled by the compiler of this build and loaded.
class HostLibrary {
 public:
  /// Where it does not compile or load: not loaded(), and why.
  HostLibrary(const std::string& text, const std::string& compiler, const std::string& options = "") {
    const std::string source = folder_.path() + "/kernels.cpp";
    const std::string library = folder_.path() + "/kernels.so";
    std::ofstream(source) << text;
    const std::string command = compiler + " -std=c++17 -O1 -w -shared -fPIC " + options + " -o " + library +
                                " " + source + " 2> " + folder_.path() + "/errors";
    result_ = std::system(command.c_str());  // NOLINT(concurrency-mt-unsafe): one thread
    if (result_ != 0) {
      std::ifstream errors(folder_.path() + "/errors");
      std::getline(errors, error_, '\0');
      return;
    }
    handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) error_ = dlerror();
  }
  ~HostLibrary() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  HostLibrary(const HostLibrary&) = delete;
  HostLibrary& operator=(const HostLibrary&) = delete;

  bool loaded() const { return handle_ != nullptr; }
  /// The compiler of this build is not on this machine.
  bool without_compiler() const {
    constexpr int shell_found_none = 127;
    return WIFEXITED(result_) && WEXITSTATUS(result_) == shell_found_none;
  }
  const std::string& error() const { return error_; }
  template <class F>
  F* function(const std::string& name) const {
    return reinterpret_cast<F*>(dlsym(handle_, name.c_str()));
  }

 private:
  ScratchFolder folder_;
  int result_ = 0;
  void* handle_ = nullptr;
  std::string error_;
};

}  // namespace countpm::testing
