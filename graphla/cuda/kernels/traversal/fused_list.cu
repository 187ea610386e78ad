// Statements along one list, one after the other. With SUMS its values are still to be collected from there.
#include "fused_list.cuh"
#include "atomics.cuh"
#include "host_result.cuh"
#define TELL(P) \
  if (P::WAY == PART) publish_count(P##_step.size, P##_step.host);

extern "C" __global__ void fused_list(const u64* count, const Index* keys, Z* values, Word* sums ALL(GIVEN)) {
  ALL(TAKE)
  for (i64 k = thread(); k < *count; k += threads()) {
    i64 i = keys[k];
    Z own;
    if (SUMS) {
      values[k] = own = from_word(sums[i]);
      sums[i] = to_word(Add::identity());
    } else own = values[k];
    ALL(RUN)
  }
  ALL(TELL)
}
