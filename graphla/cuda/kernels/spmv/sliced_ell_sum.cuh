// Sums along rows in slices. What a lane adds up, and how, the caller's Terms say:
//   Sum; Loaded<N>; BATCH: quadruples that a lane asks for at once; ALL: all rows are open
//   start()          where a sum begins           open(row)    whether the row's sum is asked for
//   load<N>(place)   N items, as they are         add(sum, l)  add what they stand for
//   meet(row, z)     add the sum of a piece to its row's          nothing()   an item that changes no sum
#include "sliced_ell.cuh"

// Slices first..last-1 of one block of columns, whose values lie in shared memory; or, with block -1, of none.
struct Work { i32 block, first, last; };

struct Stretch {
  i64 begin;
  int width;  // items of a lane
};

struct Slices {
  const i64* begins;
  const i32* rows;
  __device__ __forceinline__ Stretch stretch(i64 s, i64 last) const {
    if (s >= last) return {0, 0};
    i64 begin = begins[s];
    return {begin, (int)((begins[s + 1] - begin) / SLICE)};
  }
};

// Elements that no other thread reads: what is gathered shall stay in the cache, not these.
template <class X, int N> struct alignas(N * sizeof(X)) Group { X of[N]; };
template <int N, class X> __device__ __forceinline__ Group<X, N> group_once(const X* x) {
  if constexpr (N == 1) return {load_streaming(x)};
#ifdef SIMULATED
  return *(const Group<X, N>*)x;
#else
  union { Group<X, N> all; u32 word; uint2 two; uint4 part[(sizeof(X) * N + 15) / 16]; } f;
  if constexpr (sizeof(f.all) == 4) f.word = __ldcs((const u32*)x);
  else if constexpr (sizeof(f.all) == 8) f.two = __ldcs((const uint2*)x);
  else
#pragma unroll
    for (int k = 0; k < sizeof(f.all) / 16; k++) f.part[k] = __ldcs((const uint4*)x + k);
  return f.all;
#endif
}

// Add COUNT groups of N items, each one 32 groups behind the last. All are asked for before any is used.
template <int COUNT, int N, class Terms> __device__ __forceinline__ void add_groups(const Terms& t, i64 place, typename Terms::Sum& z) {
  typename Terms::template Loaded<N> f[COUNT];
#pragma unroll
  for (int k = 0; k < COUNT; k++) f[k] = t.template load<N>(place + k * N * SLICE);
#pragma unroll
  for (int k = 0; k < COUNT; k++) t.add(z, f[k]);
}

// The same of `count` groups, of which there are not more than MOST.
template <int MOST, int N, class Terms> __device__ __forceinline__ void add_rest(const Terms& t, int count, i64 place, typename Terms::Sum& z) {
  if constexpr (MOST > 0) {
    if (count == MOST) add_groups<MOST, N>(t, place, z);
    else add_rest<MOST - 1, N>(t, count, place, z);
  }
}

// Slices s, s + step, ... below `last`: what each lane sums up meets the sum of its row. A warp has few loads under way, so
// that each waits for as little as can be: where the next slice lies is asked for beforehand, and single items before the
// quadruples are. To bring the next slice into the cache beforehand made it slower.
template <class Terms> __device__ __forceinline__ void add_slices(const Slices& slices, i64 s, i64 last, i64 step, const Terms& t) {
  const int BATCH = Terms::BATCH;
  Stretch now = slices.stretch(s, last);
  for (; s < last; s += step) {
    Stretch next = slices.stretch(s + step, last);
    for (int l = lane(); l < SLICE; l += WARP) {
      i32 row = load_streaming(&slices.rows[s * SLICE + l]);
      bool open = t.open(row);
      int width = Terms::ALL || open ? now.width : 0, count = width / 4;  // ALL: items do not wait for `row`
      i64 place = now.begin + 4 * l, single = now.begin + 4 * count * SLICE + l;
      typename Terms::Sum z = t.start();
      typename Terms::template Loaded<1> rest[3];
#pragma unroll
      for (int k = 0; k < 3; k++) rest[k] = k < width % 4 ? t.template load<1>(single + k * SLICE) : t.nothing();
#pragma unroll 1
      for (; count >= BATCH; count -= BATCH, place += BATCH * 4 * SLICE) add_groups<BATCH, 4>(t, place, z);
      add_rest<BATCH - 1, 4>(t, count, place, z);
#pragma unroll
      for (int k = 0; k < 3; k++) t.add(z, rest[k]);
      if (open) t.meet(row, z);
    }
    now = next;
  }
}

// Let all blocks share works: `load` copies the values of a block of columns into shared memory, `add` does a work.
// A block asks for its next work while it does one.
template <class Load, class Add> __device__ __forceinline__ void each_work(const Work* works, i64 count, u64* taken, Load load, Add add) {
  __shared__ u64 next;
  if (threadIdx.x == 0) next = atomicAdd(taken, 1ull);
  i32 loaded = -1;
  for (;;) {
    __syncthreads();
    u64 w = next;
    if (w >= count) return;
    __syncthreads();
    Work work = works[w];
    if (threadIdx.x == 0) next = atomicAdd(taken, 1ull);
    if (work.block >= 0 && work.block != loaded) {
      load(loaded = work.block);
      __syncthreads();
    }
    add(work, (i64)work.first + threadIdx.x / WARP, (i64)work.last, (i64)blockDim.x / WARP);
  }
}
