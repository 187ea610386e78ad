// C<M, accum, replace> = A u, row by row: a thread begins a row, its warp ends it if it is long.
//
// A row that the mask excludes is not read, and one whose sum nothing can change any more is left.
#include "write.cuh"
#include "monoid.cuh"
#include "multiply.cuh"
enum { ALONE = 16, TOGETHER = 4 };  // entries that one thread reads before it asks for help; at a time

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

extern "C" __global__ void pull(i64 nrows, const Offset* indptr, const Index* indices, const A* a, const U* u, const u32* ubits,
                                const Mask* m, const u32* mbits, C* c, const u32* old, u32* cbits) {
  for (i64 row = thread(); row < whole_warps(nrows); row += threads()) {
    bool open = row < nrows && allowed(m, mbits, row), any = false;
    Z z = Add::identity();
    Offset p = open ? indptr[row] : 0, end = open ? indptr[row + 1] : 0;
    bool done = false;
    for (Offset stop = min(end, (Offset)(p + ALONE)); p < stop && !done; p += TOGETHER)
      done = add(any, z, a, p, stop, 1, indices, u, ubits, row);
    for (u32 long_rows = ballot(p < end && !done); long_rows; long_rows &= long_rows - 1) {
      int owner = __ffs(long_rows) - 1;
      Offset first = from_lane(p, owner), last = from_lane(end, owner);
      bool some = false, over = false;
      Z part = Add::identity();
      for (Offset q = first + lane(); q - lane() < last && !ballot(over); q += TOGETHER * WARP)
        over = add(some, part, a, q, last, WARP, indices, u, ubits, row - lane() + owner);
      u32 complete = ballot(over);
      if (complete) part = from_lane(part, __ffs(complete) - 1), some = true;  // that one decides
      else warp_sum(some, part), part = from_lane(part, 0), some = from_lane((int)some, 0);
      if (lane() == owner && some) include(any, z, part);
    }
    bool present = false;
    if (row < nrows) present = write(c, row, open, KEEPS && has(old, row), any, z);
    if (cbits) put_new(cbits, row, present);
  }
}
