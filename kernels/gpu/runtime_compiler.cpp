#include "kernels/gpu/runtime_compiler.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "graph/clock.hpp"
#include "graph/errors.hpp"

namespace countpm {
namespace {

// NVRTC's C interface, as its documentation gives it (nvrtc.h is not needed): handles are opaque, 0 is
// success.
using Program = void*;
using Result = int;

template <class F>
void bind(void* library, const char* name, F*& function) {
  function = reinterpret_cast<F*>(dlsym(library, name));
  if (function == nullptr) throw UnableError(std::string("NVRTC has no ") + name, "CUDA 11.2 or newer has");
}

std::vector<std::string> places() {
  if (const char* const named = std::getenv("COUNTPM_NVRTC")) return {named};
  std::vector<std::string> folders{""};
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back((program.parent_path().parent_path() / "lib").string() + "/");
  // Where we are part of a Python package: beside it those of PyPI's nvidia-cuda-nvrtc for CUDA 13 and 12.
  Dl_info own;
  static const char here = 0;
  if (dladdr(&here, &own) != 0 && own.dli_fname != nullptr) {
    const std::filesystem::path packages = std::filesystem::path(own.dli_fname).parent_path().parent_path();
    for (const char* const package : {"nvidia/cu13/lib/", "nvidia/cuda_nvrtc/lib/"})
      folders.push_back((packages / package).string());
  }
  folders.emplace_back("/usr/local/cuda/lib64/");
  std::vector<std::string> result;
  for (const std::string& folder : folders) {
    for (const char* const name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
      result.push_back(folder + name);
  }
  return result;
}

class Nvrtc {
 public:
  Nvrtc() {
    void* library = nullptr;
    std::string reason;
    for (const std::string& place : places()) {
      library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library != nullptr) break;
      // The last place has every version's name.
      if (const char* const text = dlerror()) reason = text;
    }
    if (library == nullptr)
      throw UnableError("no NVRTC, which compiles kernels at run time: " + reason,
                        "CUDA's libnvrtc has it; COUNTPM_NVRTC may name the file");
    bind(library, "nvrtcVersion", version_);
    bind(library, "nvrtcCreateProgram", create_);
    bind(library, "nvrtcDestroyProgram", destroy_);
    bind(library, "nvrtcCompileProgram", compile_);
    bind(library, "nvrtcGetProgramLogSize", log_size_);
    bind(library, "nvrtcGetProgramLog", log_);
    bind(library, "nvrtcGetCUBINSize", cubin_size_);
    bind(library, "nvrtcGetCUBIN", cubin_);
    bind(library, "nvrtcGetErrorString", error_string_);
    open_builtins();
  }

  std::string version() const {
    int major = 0;
    int minor = 0;
    check(version_(&major, &minor), "nvrtcVersion");
    return std::to_string(major) + "." + std::to_string(minor);
  }

  std::string compile(const std::string& source, const std::vector<std::string>& options,
                      const std::vector<KernelHeader>& headers) const {
    std::vector<const char*> header_texts;
    std::vector<const char*> header_names;
    for (const KernelHeader& header : headers) {
      header_texts.push_back(header.text.c_str());
      header_names.push_back(header.name.c_str());
    }
    Program program = nullptr;
    check(create_(&program, source.c_str(), "countpm.cu", static_cast<int>(headers.size()),
                  header_texts.data(), header_names.data()),
          "nvrtcCreateProgram");
    const auto destroy = [this](void* handle) { destroy_(&handle); };
    const std::unique_ptr<void, decltype(destroy)> owner(program, destroy);
    std::vector<const char*> texts;
    texts.reserve(options.size());
    for (const std::string& option : options) texts.push_back(option.c_str());
    const Result result = compile_(program, static_cast<int>(texts.size()), texts.data());
    if (result != 0)
      throw UnableError("NVRTC does not compile a generated kernel (" + options.front() +
                            "): " + error_string_(result) + "\n" + log(program),
                        "--method ryser needs no compiler");
    std::size_t size = 0;
    check(cubin_size_(program, &size), "nvrtcGetCUBINSize");
    std::string code(size, '\0');
    check(cubin_(program, code.data()), "nvrtcGetCUBIN");
    return code;
  }

 private:
  /// NVRTC opens its other half by name alone and so finds it only where the loader looks, though it was
  /// opened elsewhere itself. One of that name that is open already is taken: the one beside it, if it is
  /// there.
  void open_builtins() const {
    Dl_info opened;
    if (dladdr(reinterpret_cast<void*>(version_), &opened) == 0 || opened.dli_fname == nullptr) return;
    const std::filesystem::path beside(opened.dli_fname);
    dlopen((beside.parent_path() / ("libnvrtc-builtins.so." + version())).c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  void check(Result result, const char* call) const {
    if (result != 0)
      throw UnableError(std::string(call) + ": " + error_string_(result), "--method ryser needs no compiler");
  }
  std::string log(Program program) const {
    std::size_t size = 0;
    if (log_size_(program, &size) != 0) return {};
    std::string text(size, '\0');
    if (log_(program, text.data()) != 0) return {};
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
    return text;
  }

  Result (*version_)(int*, int*) = nullptr;
  Result (*create_)(Program*, const char*, const char*, int, const char* const*,
                    const char* const*) = nullptr;
  Result (*destroy_)(Program*) = nullptr;
  Result (*compile_)(Program, int, const char* const*) = nullptr;
  Result (*log_size_)(Program, std::size_t*) = nullptr;
  Result (*log_)(Program, char*) = nullptr;
  Result (*cubin_size_)(Program, std::size_t*) = nullptr;
  Result (*cubin_)(Program, char*) = nullptr;
  const char* (*error_string_)(Result) = nullptr;
};

/// Opened once, never closed: the library keeps threads and tables of its own. Throws where it is not there.
const Nvrtc& nvrtc() {
  static const Nvrtc library;
  return library;
}

}  // namespace

std::optional<std::string> runtime_compiler_obstacle() {
  try {
    nvrtc();
    return std::nullopt;
  } catch (const UnableError& error) {
    return error.what();
  }
}

std::optional<Refusal> compiler_obstacle(const GpuInfo& gpu) {
  if (gpu.emulated) return std::nullopt;
  std::optional<std::string> why = runtime_compiler_obstacle();
  if (!why) return std::nullopt;
  return Refusal{RefusalKind::no_gpu_compiler, std::move(*why)};
}

std::string how_compiled(const std::string& what, const CompiledKernel& kernel) {
  if (kernel.from_cache) return fmt::format("compiled for {} before, from the cache", what);
  std::string text = fmt::format("compiled for {} in {:.2f} s", what, kernel.seconds);
  if (!kernel.cache_obstacle.empty())
    text += fmt::format(", and not kept: {}", quoted(kernel.cache_obstacle, 400));
  return text;
}

CompiledKernel compile_kernel(const std::string& source, int major, int minor, const KernelCache& cache,
                              const std::vector<KernelHeader>& headers) {
  const double start = seconds_now();
  std::vector<std::string> options{"--gpu-architecture=sm_" + std::to_string(major) + std::to_string(minor),
                                   "--std=c++17", "--fmad=false"};
  // Headers are those of the CPU's code, too.
  if (!headers.empty())
    options.insert(options.end(), {"-default-device", "--device-int128", "--define-macro=__extension__="});
  std::string key = "NVRTC " + nvrtc().version();
  for (const std::string& option : options) key += " " + option;
  key += "\n" + source;
  for (const KernelHeader& header : headers) key += "\n" + header.name + "\n" + header.text;
  CompiledKernel result;
  if (auto kept = cache.find(key)) {
    result.cubin = std::move(*kept);
    result.from_cache = true;
  } else {
    result.cubin = nvrtc().compile(source, options, headers);
    cache.keep(key, result.cubin);
    result.cache_obstacle = cache.obstacle();
  }
  result.seconds = seconds_now() - start;
  return result;
}

}  // namespace countpm
