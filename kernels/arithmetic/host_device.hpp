#pragma once
// COUNTPM_HD marks what both the CPU and a CUDA kernel call: the arithmetic and the steps are written once.
// COUNTPM_HD_INLINE: and which must be inlined on a GPU, as their arguments stay in registers only then.
#ifdef __CUDACC__
#define COUNTPM_HD __host__ __device__
#define COUNTPM_HD_INLINE __host__ __device__ __forceinline__
#else
#define COUNTPM_HD
#define COUNTPM_HD_INLINE inline
#endif

// COUNTPM_UNROLL before a loop whose bound is known to the compiler: on a GPU an array that such loops index
// stays in registers. COUNTPM_NO_UNROLL: the loop stays one.
#ifdef __CUDA_ARCH__
#define COUNTPM_UNROLL _Pragma("unroll")
#define COUNTPM_NO_UNROLL _Pragma("unroll 1")
#else
#define COUNTPM_UNROLL
#define COUNTPM_NO_UNROLL
#endif

namespace countpm {

/// The same pointer, of which a GPU's compiler does not know that: what was loaded from there before is
/// loaded again, and takes no register meanwhile.
template <class T>
COUNTPM_HD const T* unmoved(const T* pointer) {
#ifdef __CUDA_ARCH__
  unsigned offset = 0;
  asm volatile("" : "+r"(offset));
  return pointer + offset;
#else
  return pointer;
#endif
}

}  // namespace countpm
