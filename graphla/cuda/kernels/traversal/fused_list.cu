// Element-wise statements fused along a list (fused_list.cuh), in one pass.
//
// Work split: a thread per entry of the list, which runs all statements for it. Conflicts: entries of new lists are
// appended by warp-aggregated atomics, presence bits set by atomics.
// Memory: reads and writes the operands at the list's entries, each once.
// Defined before: what fused_list.cuh needs; SUMS: the list's values are still in the accumulators of spmspv.cu, and are
// collected from there.
#include "fused_list.cuh"
#include "atomics.cuh"
#include "host_result.cuh"
#define PUBLISH(P) \
  if (P::OUTPUT == NEW_LIST) publish_count(P##_statement.c_size, P##_statement.host_words);

extern "C" __global__ void fused_list(const u64* size, const Index* keys, Z* values, Word* accumulators FOR_ALL(PARAMETERS)) {
  FOR_ALL(CONSTRUCT)
  for (i64 k = thread(); k < *size; k += threads()) {
    i64 i = keys[k];
    Z z;
    if (SUMS) {
      values[k] = z = from_word(accumulators[i]);
      accumulators[i] = to_word(Add::identity());
    } else z = values[k];
    FOR_ALL(RUN)
  }
  FOR_ALL(PUBLISH)
}
