// Compiled with this instruction set's own flags (kernels/CMakeLists.txt); called only where the processor
// has it. What it gains is above all popcnt and blsr, of which each move takes several.
#define COUNTPM_MERGE_NAMESPACE merge_avx2
#define COUNTPM_MERGE_NAME "avx2"
#include "kernels/frontier/tables/merge_chunk.inc"
