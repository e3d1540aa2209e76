// Compiled with this instruction set's own flags (kernels/CMakeLists.txt); called only where the processor
// has it.
#define COUNTPM_VECTORS_NAMESPACE avx2
#define COUNTPM_VECTORS_BYTES 32
#include "kernels/estimate/boundary/vectors.inc"
