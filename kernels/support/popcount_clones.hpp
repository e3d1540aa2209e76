#pragma once
// For functions whose inner loops count bits: compiled twice, and the one with the processor's own
// instruction is taken where it has it. Without, x86-64 counts bits by a call into the compiler's library:
// 28 % of an estimate of a sparse matrix of 300 rows, its planning included (perf, AMD EPYC, 2026-11-25).
// They must not throw: with g++ 12 an exception that leaves one ends in std::terminate or in destructors of
// garbage, as a time limit did that was over within minimum_fill_order().

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define COUNTPM_POPCOUNT_CLONES __attribute__((target_clones("popcnt", "default")))
#else
#define COUNTPM_POPCOUNT_CLONES
#endif
