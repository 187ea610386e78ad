// Atomic update of a monoid value in memory: *address = Add(*address, z), in a Word (monoid_word.cuh).
//
// Defined before: Z, Add and, if the hardware has this operation, NATIVE (e.g. atomicAdd) on values of type NativeZ.
// Without NATIVE a compare-and-swap loop is used.
#include "monoid_word.cuh"
__device__ __forceinline__ void atomic_accumulate(Word* address, Z z) {
#ifdef NATIVE
  if (Add::TERMINAL) {  // min, max: z often changes nothing, and a plain read is cheaper than the atomic
    Z old = from_word(*(volatile Word*)address);
    if (Add::of(old, z) == old) return;
  }
  NATIVE((NativeZ*)address, (NativeZ)z);
#else
  for (Word old = *(volatile Word*)address, seen;; old = seen) {
    Word next = to_word(Add::of(from_word(old), z));
    if (next == old || (seen = atomicCAS(address, old, next)) == old) return;
  }
#endif
}
