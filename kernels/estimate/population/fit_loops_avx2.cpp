// Compiled with this instruction set's own flags (kernels/CMakeLists.txt); called only where the processor
// has it.
#define COUNTPM_FIT_NAMESPACE avx2
#include "kernels/estimate/population/fit_loops.inc"
