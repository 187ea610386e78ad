// The mask of an operation at position i. Defined before: Mask (type of its values) and MASK, the kind of the mask:
// 0 none, 1 structural, 2 valued, 3 complemented structural, 4 complemented valued.
#include "bits.cuh"
__device__ __forceinline__ bool mask_allows(const Mask* mask_values, const u32* mask_bits, i64 i) {
  if (MASK == 0) return true;
  bool is_in_mask = has(mask_bits, i) && (MASK % 2 || cast<bool>(mask_values[i]));
  return is_in_mask == (MASK <= 2);
}
