// merge_chunk.inc for any processor.
#define COUNTPM_MERGE_NAMESPACE merge_portable
#define COUNTPM_MERGE_NAME "portable"
#include "kernels/frontier/tables/merge_chunk.inc"
