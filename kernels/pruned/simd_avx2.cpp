// Compiled with this instruction set's own flags (kernels/CMakeLists.txt); called only where the processor
// has it.
#define COUNTPM_PRUNED_NAMESPACE avx2
#define COUNTPM_PRUNED_NAME "avx2"
#define COUNTPM_PRUNED_BYTES 32
#include "kernels/pruned/simd.inc"
