// In programs that have the emulated GPU: it is there. Beside it in them: every method's gpu/emulated.cpp.
#include "kernels/gpu/device_info.hpp"

namespace countpm {
namespace {

struct Linked {
  Linked() noexcept { emulated_gpu_linked = true; }
};
const Linked linked;

}  // namespace
}  // namespace countpm
