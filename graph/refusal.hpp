#pragma once
// Why something is not done, as data: of which kind, for what is decided by it, and in words, for people.
#include <string>

namespace countpm {

enum class RefusalKind {
  arithmetic,        // the numbers are not of a kind that it computes in
  structure,         // the block has not the structure that it needs
  too_large,         // more rows, edges or digits than it takes, whatever the memory
  nothing_to_do,     // the rules that are on leave it nothing of its own
  memory,            // beyond the memory limit
  no_gpu_form,       // no GPU does it, and the CPU does
  no_gpu_form_here,  // GPUs do, but not this block, in this arithmetic
  gpu_memory,        // the GPU has too little
  no_gpu_compiler,   // kernels that are compiled for the block cannot be compiled or loaded here
};

/// text: as the end of "METHOD cannot: ...".
struct Refusal {
  RefusalKind kind = RefusalKind::structure;
  std::string text;
  bool operator==(const Refusal&) const = default;
};

/// Whether it refuses the GPU, and the CPU may do the same.
constexpr bool is_of_gpu(RefusalKind kind) {
  return kind == RefusalKind::no_gpu_form || kind == RefusalKind::no_gpu_form_here ||
         kind == RefusalKind::gpu_memory || kind == RefusalKind::no_gpu_compiler;
}

}  // namespace countpm
