// Compiled with this instruction set's own flags (kernels/CMakeLists.txt); called only where the processor
// has it.
#define COUNTPM_LANES_NAMESPACE baseline
#define COUNTPM_LANES_NAME "baseline"
#define COUNTPM_LANES_BYTES 16
#include "kernels/hafnian/simd.inc"
