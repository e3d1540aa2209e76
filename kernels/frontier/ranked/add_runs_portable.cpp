#define COUNTPM_RUNS_NAMESPACE runs_portable
#include "kernels/frontier/ranked/add_runs.inc"
