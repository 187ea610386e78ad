// C<M, accum, replace> = A u where few entries of a row decide its sum: any one of them, or one True or False.
//
// `heads` asks two entries of each row, which are kept side by side for all rows, and marks the rows
// that these leave undecided. `pull` ends those, or does all rows where no heads are kept: a thread
// begins a row, its warp ends it if it is long. A row that the mask excludes is not read.
#include "write.cuh"
#include "monoid.cuh"
#include "multiply.cuh"
enum { ALONE = 16, TOGETHER = 4 };  // entries that one thread reads before it asks for help; at a time
enum { SHARE = WARP < 8 ? WARP : 8 };  // words of rows that a warp takes at once

// Two columns of a row: the second is -1 where there is none, and -2 - column where there is no third.
struct alignas(2 * sizeof(Index)) Pair {
  Index one, two;
  __device__ __forceinline__ i64 column(int k) const { return k == 0 ? one : two < -1 ? -2 - (i64)two : two; }
  __device__ __forceinline__ bool whole() const { return two < 0; }
};

// The structure of u, its first columns' in shared memory.
struct Structure {
  const u32 *first, *all;
  i64 nfirst;
  __device__ __forceinline__ bool has(i64 column) const { return column < nfirst ? ::has(first, column) : ::has(all, column); }
};

// Add what the threads of a block have counted to a number of all.
__device__ __forceinline__ void tally(i64 mine, u64* count) {
  __shared__ u64 of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  i64 of_warp = from_lane(inclusive_scan(mine), WARP - 1);
  if (lane() == 0) atomicAdd(&of_block, (u64)of_warp);
  __syncthreads();
  if (threadIdx.x == 0 && of_block) atomicAdd(count, of_block);
}

extern "C" __global__ void __launch_bounds__(1024, 1)
    heads(i64 nrows, const Pair* pairs, const A* a, const U* u, const u32* ubits, i64 nfirst, const Mask* m, const u32* mbits, C* c,
          const u32* old, u32* cbits, u32* undecided, u64* count) {
  SHARED_ARRAY(u32, first);
  for (i64 k = threadIdx.x; k < nfirst / 32; k += blockDim.x) first[k] = ubits[k];
  __syncthreads();
  const Structure columns = {first, ubits, nfirst};
  i64 found = 0;
  for (i64 begin = warp() * TOGETHER * WARP; begin < nrows; begin += warps() * TOGETHER * WARP) {
    bool open[TOGETHER], there[TOGETHER][2];
    Pair pair[TOGETHER];
#pragma unroll
    for (int t = 0; t < TOGETHER; t++) {
      i64 row = begin + t * WARP + lane();
      open[t] = row < nrows && allowed(m, mbits, row);
    }
#pragma unroll
    for (int t = 0; t < TOGETHER; t++) {
      pair[t] = {-1, -1};
      if (open[t]) pair[t] = pairs[begin + t * WARP + lane()];
    }
#pragma unroll
    for (int t = 0; t < TOGETHER; t++)
      for (int k = 0; k < 2; k++) there[t][k] = pair[t].column(k) >= 0 && columns.has(pair[t].column(k));
#pragma unroll
    for (int t = 0; t < TOGETHER; t++) {
      i64 row = begin + t * WARP + lane();
      if (begin + t * WARP >= nrows) break;
      bool any = false;
      Z z = Add::identity();
      for (int k = 0; k < 2; k++)
        if (there[t][k] && !(any && Add::done(z))) {
          i64 column = pair[t].column(k);
          include(any, z, product(a, 0, USES_U ? u[column] : U(), row, column));
        }
      bool decided = pair[t].whole() || (any && Add::done(z)), present = row < nrows && KEEPS && has(old, row);
      if (row < nrows && decided) present = write(c, row, open[t], present, any, z);
      put(undecided, row, !decided);
      if (cbits) put(cbits, row, present);
      found += present;
    }
  }
  if (count) tally(found, count);
}

// Add the entries p, p + step, ... before end; whether nothing can change the sum any more.
__device__ __forceinline__ bool add(bool& any, Z& z, const A* a, i64 p, i64 end, int step, const Index* indices, const U* u,
                                    const u32* ubits, i64 row) {
  i64 column[TOGETHER];
  bool there[TOGETHER];
#pragma unroll
  for (int t = 0; t < TOGETHER; t++) column[t] = p + t * step < end ? (i64)indices[p + t * step] : -1;
#pragma unroll
  for (int t = 0; t < TOGETHER; t++) there[t] = column[t] >= 0 && has(ubits, column[t]);
#pragma unroll
  for (int t = 0; t < TOGETHER; t++)
    if (there[t] && !(any && Add::done(z))) include(any, z, product(a, p + t * step, USES_U ? u[column[t]] : U(), row, column[t]));
  return any && Add::done(z);
}

// The place of the k-th bit that is set.
__device__ __forceinline__ int place_of_bit(u32 word, int k) {
  int place = 0;
  for (int width = 16; width; width /= 2) {
    int below = __popc(word & ((1u << width) - 1));
    if (k >= below) k -= below, word >>= width, place += width;
  }
  return place;
}

// A warp takes the rows that are set in SHARE words; all rows where there are no words.
extern "C" __global__ void __launch_bounds__(256, 8)
    pull(i64 nrows, const Offset* indptr, const Index* indices, const A* a, const U* u, const u32* ubits, const u32* undecided,
         const Mask* m, const u32* mbits, C* c, const u32* old, u32* cbits, u64* count) {
  i64 words = (nrows + 31) / 32, found = 0;
  for (i64 w = warp() * SHARE; w < words; w += warps() * SHARE) {
    u32 word = lane() < SHARE && w + lane() < words ? undecided ? undecided[w + lane()] : ~0u : 0;
    i64 behind = inclusive_scan(__popc(word)), total = from_lane(behind, WARP - 1);
    for (i64 k = lane(); k < whole_warps(total); k += WARP) {
      int owner = 0;  // the first lane whose rows end behind the k-th
      for (int step = SHARE / 2; step; step /= 2)
        if (from_lane(behind, owner + step - 1) <= k) owner += step;
      u32 its = from_lane(word, owner);
      i64 row = (w + owner) * 32 + place_of_bit(its, k - from_lane(behind, owner) + __popc(its));
      bool real = k < total && row < nrows, open = real && allowed(m, mbits, row), any = false;
      Z z = Add::identity();
      Offset p = open ? indptr[row] : 0, end = open ? indptr[row + 1] : 0;
      bool done = false;
      for (Offset stop = min(end, (Offset)(p + ALONE)); p < stop && !done; p += TOGETHER)
        done = add(any, z, a, p, stop, 1, indices, u, ubits, row);
      for (u32 long_rows = ballot(p < end && !done); long_rows; long_rows &= long_rows - 1) {
        int owner = __ffs(long_rows) - 1;
        Offset first = from_lane(p, owner), last = from_lane(end, owner);
        i64 its_row = from_lane(row, owner);
        bool some = false, over = false;
        Z part = Add::identity();
        for (Offset q = first + lane(); q - lane() < last && !ballot(over); q += TOGETHER * WARP)
          over = add(some, part, a, q, last, WARP, indices, u, ubits, its_row);
        u32 complete = ballot(over);
        if (complete) part = from_lane(part, __ffs(complete) - 1), some = true;  // that one decides
        else warp_sum(some, part), part = from_lane(part, 0), some = from_lane((int)some, 0);
        if (lane() == owner && some) include(any, z, part);
      }
      bool before = real && KEEPS && has(old, row), present = real && write(c, row, open, before, any, z);
      found += present - (undecided && before);  // which `heads` has counted
      if (!cbits) continue;
      if (!undecided) put(cbits, row, present);
      else if (present != before) present ? set(cbits, row) : unset(cbits, row);
    }
  }
  if (count) tally(found, count);
}
