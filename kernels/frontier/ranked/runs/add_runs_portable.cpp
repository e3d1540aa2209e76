// add_runs.inc for any processor.
#define COUNTPM_RUNS_NAMESPACE runs_portable
#include "kernels/frontier/ranked/runs/add_runs.inc"
