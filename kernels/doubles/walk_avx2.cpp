// Compiled with this instruction set's own flags (kernels/CMakeLists.txt); called only where the processor
// has it.
#define COUNTPM_LANES_NAMESPACE avx2
#define COUNTPM_LANES_BYTES 32
#include "kernels/doubles/walk.inc"
