#pragma once
// CUDA source text to code for one GPU, at run time, by NVIDIA's NVRTC. Compiles without nvcc, and runs
// without a GPU: the library is opened where it is first asked for, and nothing is linked to it.
#include <optional>
#include <string>
#include <vector>

#include "graph/refusal.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/kernel_header.hpp"

namespace countpm {

/// Where compiled kernels are kept; empty: nowhere.
struct KernelCache {
  std::string folder;

  /// $COUNTPM_KERNEL_CACHE ("off" for none), else $XDG_CACHE_HOME/countpm, else ~/.cache/countpm.
  static KernelCache of_environment();
  /// Why nothing is kept in a folder that is there: it, or what is in it, may be another user's. Empty where
  /// it is used, or cannot be made.
  std::string obstacle() const;
  /// The code that was kept under this key. Empty where there is none, or what is there is not whole, not for
  /// this key, a link, unreadable, or to be written by others.
  std::optional<std::string> find(const std::string& key) const;
  /// Keeps it, all or nothing (written aside, then renamed); does nothing where the folder does not take it.
  void keep(const std::string& key, const std::string& code) const;
  /// The file of a key: by SHA-256.
  std::string file_of(const std::string& key) const;
  static std::string name_of(const std::string& key);
};

struct CompiledKernel {
  std::string cubin;
  bool from_cache = false;
  double seconds = 0;
  std::string cache_obstacle = {};  // KernelCache::obstacle()
};

/// Why nothing can be compiled here, as a sentence; empty where it can. COUNTPM_NVRTC names the library; else
/// libnvrtc.so.13, .so.12 and .so are tried: as the loader finds them, in ../lib beside the program, by a
/// Python module where PyPI's packages of NVRTC have them, and in /usr/local/cuda/lib64.
std::optional<std::string> runtime_compiler_obstacle();
/// The same of jobs for this GPU, whose kernels are compiled; an emulated one needs no compiler.
std::optional<Refusal> compiler_obstacle(const GpuInfo& gpu);

/// For reports: "compiled for WHAT in 0.23 s", or "compiled for WHAT before, from the cache". Where there is
/// an obstacle to keeping it, that, too.
std::string how_compiled(const std::string& what, const CompiledKernel& kernel);

/// For compute capability major.minor, a * b + c rounded twice as everywhere else. Throws UnableError with
/// NVRTC's own log where it refuses, and where there is no NVRTC, whose version is part of a cache's key, as
/// are the headers that the source may include.
CompiledKernel compile_kernel(const std::string& source, int major, int minor, const KernelCache& cache,
                              const std::vector<KernelHeader>& headers = {});

}  // namespace countpm
