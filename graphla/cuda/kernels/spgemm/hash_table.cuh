// Hash sets with open addressing into which many threads insert at once, and sums that many threads add to.
//
// A set is an array of keys (words of 32 or 64 bits) whose empty slots are ~0; the sums of the keys are in the same slots of
// a second array. Defined before: Z, Add and, if the hardware has this operation, NATIVE on values of type NativeZ.
#include "monoid_word.cuh"

// Fibonacci hashing: a slot of a table of `capacity` slots, a power of two.
template <class Key> __device__ __forceinline__ u32 hash(Key key, u32 capacity) {
  u32 h = (u32)(key ^ (Key)((u64)key >> 32)) * 0x9E3779B1u;
  return (h ^ h >> 16) & (capacity - 1);
}

// The slot of `key`, which is inserted if it is missing; `is_new`: this thread inserted it. An empty slot is ~0.
template <class Key> __device__ __forceinline__ u32 insert(Key* keys, u32 capacity, Key key, bool& is_new) {
  const Key EMPTY = ~(Key)0;
  for (u32 slot = hash(key, capacity);; slot = (slot + 1) & (capacity - 1)) {
    Key stored = *(volatile Key*)&keys[slot];
    if (stored == EMPTY) stored = atomicCAS(&keys[slot], EMPTY, key);
    is_new = stored == EMPTY;
    if (is_new || stored == key) return slot;
  }
}
// The slot of `key`, or `capacity` if it is missing. At least one slot is empty.
template <class Key> __device__ __forceinline__ u32 find(const Key* keys, u32 capacity, Key key) {
  for (u32 slot = hash(key, capacity);; slot = (slot + 1) & (capacity - 1)) {
    Key stored = keys[slot];
    if (stored == key) return slot;
    if (stored == ~(Key)0) return capacity;
  }
}
// The least power of two that is at least 32 and 2 `count`, but at most `max_capacity`.
__device__ __forceinline__ u32 table_capacity(i64 count, u32 max_capacity) {
  u32 capacity = 32;
  while (capacity < max_capacity && capacity < 2 * count) capacity *= 2;
  return capacity;
}

// *address = Add(*address, z). Unlike that of atomics.cuh it also works for monoids whose identity is terminal (`any`), for
// which any z may be stored.
__device__ __forceinline__ void atomic_accumulate(Word* address, Z z) {
#ifdef NATIVE
  if (Add::TERMINAL) {  // min, max: z often changes nothing, and a plain read is cheaper than the atomic
    Z old = from_word(*(volatile Word*)address);
    if (Add::of(old, z) == old) return;
  }
  NATIVE((NativeZ*)address, (NativeZ)z);
#else
  if (Add::TERMINAL && Add::done(Add::identity())) {
    *address = to_word(z);
    return;
  }
  Word old = *(volatile Word*)address;
  while (!(Add::TERMINAL && Add::done(from_word(old)))) {
    Word next = to_word(Add::of(from_word(old), z));
    if (next == old) return;
    Word seen = atomicCAS(address, old, next);
    if (seen == old) return;
    old = seen;
  }
#endif
}
