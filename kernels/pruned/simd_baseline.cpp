// Compiled with this instruction set's own flags (kernels/CMakeLists.txt); called only where the processor
// has it.
#define COUNTPM_PRUNED_NAMESPACE baseline
#define COUNTPM_PRUNED_NAME "baseline"
#define COUNTPM_PRUNED_BYTES 16
#include "kernels/pruned/simd.inc"
