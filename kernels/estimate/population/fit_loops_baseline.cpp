// fit_loops.inc for any processor.
#define COUNTPM_FIT_NAMESPACE baseline
#include "kernels/estimate/population/fit_loops.inc"
