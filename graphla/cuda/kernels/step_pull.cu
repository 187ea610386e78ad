// One step of a search by pull: q<~seen, replace> = A q, and what follows for each entry of the new q (follow.cuh).
// Where a row lies is asked while the one before it is read.
#include "row.cuh"
#include "follow.cuh"
#include "tell.cuh"

struct Row {
  Offset begin, end;
};
__device__ __forceinline__ Row look_up(const Follow& f, i64 row, i64 n, const Offset* indptr) {
  Row r = {0, 0};
  if (row < n && !has(f.seen(), row)) r.begin = indptr[row], r.end = indptr[row + 1];
  return r;
}

extern "C" __global__ void __launch_bounds__(256, 8)
    step_pull(i64 n, const Offset* indptr, const Index* indices, const A* a, const U* u, const u32* ubits,
                                     Z* q, u32* qbits, u64* size, u64* host, F0::C* c0, u32* bits0, F0::S s0, F1::C* c1,
                                     u32* bits1, F1::S s1) {
  Follow f = {c0, bits0, s0, c1, bits1, s1};
  __shared__ u32 total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  u32 count = 0;
  Row next = look_up(f, thread(), n, indptr);
  for (i64 row = thread(); row < (n + 31) / 32 * 32; row += threads()) {
    Row its = next;
    next = look_up(f, row + threads(), n, indptr);
    bool any = false;
    Z z = Add::identity();
    sum_of_row(any, z, row, its.begin, its.end, indices, a, u, ubits);
    if (any) {
      q[row] = z;
      f.write(row, z);
    }
    put(qbits, row, any);
    f.mark_word(row, any);
    count += any;
  }
  count = from_lane((u32)inclusive_scan(count), WARP - 1);
  if (lane() == 0 && count) atomicAdd(&total, count);
  __syncthreads();
  if (threadIdx.x == 0 && total) atomicAdd(size, (u64)total);
  tell_count(size, host);
}
