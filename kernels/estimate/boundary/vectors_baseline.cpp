// vectors.inc for any x86-64 or ARM processor.
#define COUNTPM_VECTORS_NAMESPACE baseline
#define COUNTPM_VECTORS_BYTES 16
#include "kernels/estimate/boundary/vectors.inc"
