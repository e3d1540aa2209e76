#pragma once
// The GPUs of this machine. Compiles without nvcc; a build without CUDA answers that there are none.
#include <cstdint>
#include <string>
#include <vector>

namespace countpm {

struct GpuInfo {
  int index = 0;     // as CUDA numbers them, after CUDA_VISIBLE_DEVICES
  std::string name;  // "NVIDIA H200"
  int major = 0;     // compute capability major.minor
  int minor = 0;
  std::uint64_t memory_bytes = 0;  // all of it, free or not
  int multiprocessors = 0;
  std::uint64_t shared_bytes = 48 * 1024;  // the most that a block may ask for
  double clock_ghz = 0;                    // the highest of its multiprocessors
  bool emulated = false;                   // not there: kernels run on the CPU (cpu_executor.hpp)
  bool static_share = false;  // its even share of a job's units comes at once, however fast it is
  unsigned grid = 0;  // blocks of a launch, where methods fill it with them; 0: as many as are resident
  /// What kernels of another GPU of this host are expected to read of its memory a second; 0: they cannot,
  /// and what they need is copied.
  double link_bytes_a_second = 0;
  /// Of the host's memory, what tables that do not fit its own may wait in; 0: none.
  std::uint64_t host_bytes = 0;
  /// At which it copies from and to there a second, both ways at once, each.
  double host_link_bytes_a_second = 0;
  /// Where it stands for several that hold one job's tables together: the others of them.
  std::vector<GpuInfo> others = {};
};

/// Several GPUs as one, for jobs that take them: with the first one's figures, and the slowest link.
/// Precondition: there is one at least, and they are of a kind.
GpuInfo joined_gpus(const std::vector<GpuInfo>& gpus);

/// A GPU that is emulated on the CPU: for tests where there is none. Its code is in the tests' programs
/// alone.
GpuInfo emulated_gpu(int index);

/// Of links between the GPUs of a host, where both read: NVLink (two H200, 2026-11-27), and PCI Express
/// (nominal).
inline constexpr double nvlink_bytes_a_second = 3.4e11;
inline constexpr double pci_bytes_a_second = 2e10;
/// The same GPU with that much of the host's memory beside its own. measured: at the rate of this machine's
/// link, which is looked at once; else at a nominal one.
GpuInfo with_host_memory(GpuInfo gpu, std::uint64_t bytes, bool measured);

/// Whether it is in this program (emulated.cpp).
bool has_emulated_gpu();
inline constinit bool emulated_gpu_linked = false;

/// Whether this build has CUDA code in it; says nothing of the machine.
bool cuda_built();

/// All CUDA devices that this build can use, in order of index; empty where there is none, no driver, or no
/// CUDA in this build. Why it is empty: gpu_obstacle(). Throws UnableError where a device that is there does
/// not answer.
std::vector<GpuInfo> gpus();

/// Empty where gpus() is not; else one reason: "built without CUDA", or the runtime's own words ("no
/// CUDA-capable device is detected", ...).
std::string gpu_obstacle();

}  // namespace countpm
