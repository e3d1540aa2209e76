// Compiled with this instruction set's own flags (kernels/CMakeLists.txt); called only where the processor
// has it.
#define COUNTPM_RUNS_NAMESPACE runs_avx2
#include "kernels/frontier/ranked/runs/add_runs.inc"
