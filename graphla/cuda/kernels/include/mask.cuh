// The mask of an operation. A call defines Mask, the type of its values, and MASK:
// 0 none, 1 structure, 2 values, 3 the structure's complement, 4 the values'.
#include "bits.cuh"
__device__ __forceinline__ bool allowed(const Mask* m, const u32* mbits, i64 i) {
  if (MASK == 0) return true;
  bool in = has(mbits, i) && (MASK % 2 || cast<bool>(m[i]));
  return in == (MASK <= 2);
}
