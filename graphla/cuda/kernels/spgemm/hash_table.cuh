// Hash tables with open addressing that many threads fill at once, and sums that they share.
template <int bytes> struct Word { typedef u32 T; };
template <> struct Word<8> { typedef u64 T; };

template <class Key> __device__ __forceinline__ u32 scatter(Key k, u32 capacity) {
  u32 h = (u32)(k ^ (Key)((u64)k >> 32)) * 0x9E3779B1u;
  return (h ^ h >> 16) & (capacity - 1);
}

// The place of k in a table of 2^n keys, free ones being ~0; `fresh`: this thread put it there.
template <class Key> __device__ __forceinline__ u32 insert(Key* keys, u32 capacity, Key k, bool& fresh) {
  const Key FREE = ~(Key)0;
  for (u32 h = scatter(k, capacity);; h = (h + 1) & (capacity - 1)) {
    Key there = *(volatile Key*)&keys[h];
    if (there == FREE) there = atomicCAS(&keys[h], FREE, k);
    fresh = there == FREE;
    if (fresh || there == k) return h;
  }
}
// The place of k, or `capacity` where it is not there. At least one key is free.
template <class Key> __device__ __forceinline__ u32 find(const Key* keys, u32 capacity, Key k) {
  for (u32 h = scatter(k, capacity);; h = (h + 1) & (capacity - 1)) {
    Key there = keys[h];
    if (there == k) return h;
    if (there == ~(Key)0) return capacity;
  }
}
// Smallest 2^n >= 2 count, from 32.
__device__ __forceinline__ u32 room(i64 count, u32 most) {
  u32 capacity = 32;
  while (capacity < most && capacity < 2 * count) capacity *= 2;
  return capacity;
}

// A sum as a word of 32 or 64 bits, which is what atomics take.
typedef typename Word<sizeof(Z)>::T Sum;
union Pun { Sum sum; Z z; };
__device__ __forceinline__ Sum pack(Z z) { Pun p; p.sum = 0; p.z = z; return p.sum; }
__device__ __forceinline__ Z unpack(Sum s) { Pun p; p.sum = s; return p.z; }

// *sum = *sum (+) t. Where nothing changes the identity (any), each t is as good as another.
// NATIVE: the hardware's own operation on NativeZ, if it has one.
__device__ __forceinline__ void accumulate(Sum* sum, Z t) {
#ifdef NATIVE
  if (Add::TERMINAL) {  // a sum that may stay as it is: to read it is cheaper
    Z old = unpack(*(volatile Sum*)sum);
    if (Add::of(old, t) == old) return;
  }
  NATIVE((NativeZ*)sum, (NativeZ)t);
#else
  if (Add::TERMINAL && Add::done(Add::identity())) {
    *sum = pack(t);
    return;
  }
  Sum old = *(volatile Sum*)sum;
  while (!(Add::TERMINAL && Add::done(unpack(old)))) {
    Sum now = pack(Add::of(unpack(old), t));
    if (now == old) return;
    Sum seen = atomicCAS(sum, old, now);
    if (seen == old) return;
    old = seen;
  }
#endif
}
