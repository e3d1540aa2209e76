#pragma once
// COUNTPM_HD marks what both the CPU and a CUDA kernel call: the arithmetic and the steps are written once.
#ifdef __CUDACC__
#define COUNTPM_HD __host__ __device__
#else
#define COUNTPM_HD
#endif
