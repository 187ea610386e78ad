// The sum of a row of A u where few entries decide it: a thread begins a row, its warp ends it if it is long.
#include "monoid.cuh"
#include "bits.cuh"
#include "spmv_multiply.cuh"
enum { ALONE = 16, AT_ONCE = 4 };  // entries that one thread reads before it asks for help; at a time

// Add the entries p, p + step, ... before end; whether nothing can change the sum any more.
__device__ __forceinline__ bool add(bool& any, Z& z, const A* a, i64 p, i64 end, int step, const Index* indices, const U* u,
                                    const u32* ubits, i64 row) {
  Index column[AT_ONCE];
  bool there[AT_ONCE];
#pragma unroll
  for (int t = 0; t < AT_ONCE; t++) column[t] = p + t * step < end ? indices[p + t * step] : (Index)-1;
#pragma unroll
  for (int t = 0; t < AT_ONCE; t++) there[t] = column[t] >= 0 && has(ubits, column[t]);
#pragma unroll
  for (int t = 0; t < AT_ONCE; t++)
    if (there[t] && !(any && Add::done(z))) accumulate(any, z, product(a, p + t * step, USES_U ? u[column[t]] : U(), row, column[t]));
  return any && Add::done(z);
}

// The sum of this lane's row, whose entries are p and those before end; it is left when nothing can change it any
// more. All lanes of the warp come here.
__device__ __forceinline__ void sum_of_row(bool& any, Z& z, i64 row, Offset p, Offset end, const Index* indices, const A* a,
                                           const U* u, const u32* ubits) {
  bool done = false;
  for (Offset stop = min(end, (Offset)(p + ALONE)); p < stop && !done; p += AT_ONCE)
    done = add(any, z, a, p, stop, 1, indices, u, ubits, row);
  for (u32 long_rows = ballot(p < end && !done); long_rows; long_rows &= long_rows - 1) {
    int owner = __ffs(long_rows) - 1;
    Offset first = from_lane(p, owner), last = from_lane(end, owner);
    i64 its = from_lane(row, owner);
    bool some = false, over = false;
    Z part = Add::identity();
    for (Offset q = first + lane(); q - lane() < last && !ballot(over); q += AT_ONCE * WARP)
      over = add(some, part, a, q, last, WARP, indices, u, ubits, its);
    u32 complete = ballot(over);
    if (complete) part = from_lane(part, __ffs(complete) - 1), some = true;  // that one decides
    else warp_sum(some, part), part = from_lane(part, 0), some = from_lane((int)some, 0);
    if (lane() == owner && some) accumulate(any, z, part);
  }
}
