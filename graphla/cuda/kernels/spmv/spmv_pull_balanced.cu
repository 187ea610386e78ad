// C<M, accum, replace> = A u where every entry of a row counts: sums without an early end.
//
// A warp takes WARP rows and gives each as many lanes as their mean length asks for. Rows of LONG
// entries (a call defines it) and more are cut into pieces of LONG, whose sums `finish` adds. Where the first values of u
// are read most, as in a graph sorted by degree, they lie in shared memory.
#include "masked_write.cuh"
#include "monoid.cuh"
#include "spmv_multiply.cuh"
enum { TOGETHER = 4 };  // loads that a lane has in flight

struct Rows {
  const Offset* indptr;
  const Index* indices;
  const A* a;
  const U* u;
  const u32* ubits;
  const U* hubs;
  Index nhubs;
};

__device__ __forceinline__ U look_up(const Rows& r, Index column) {
  if (!USES_U) return U();
  return column < r.nhubs ? r.hubs[column] : r.u[column];
}

// Add the entries p, p + step, ..., TOGETHER of them: all, or those before end. What is loaded is under way at once.
template <bool ALL> __device__ __forceinline__ void add_some(bool& any, Z& z, const Rows& r, i64 row, i64 p, i64 end, int step) {
  Index column[TOGETHER];
  A a[TOGETHER];
  U x[TOGETHER];
  bool there[TOGETHER];
#pragma unroll
  for (int t = 0; t < TOGETHER; t++) {
    there[t] = ALL || p + t * step < end;
    if (there[t]) column[t] = load_streaming(r.indices + p + t * step);
  }
#pragma unroll
  for (int t = 0; t < TOGETHER; t++)
    if (USES_A && there[t]) a[t] = A_ISO ? r.a[0] : load_streaming(r.a + p + t * step);
#pragma unroll
  for (int t = 0; t < TOGETHER; t++) {
    there[t] = there[t] && (U_FULL || has(r.ubits, column[t]));
    if (there[t]) x[t] = look_up(r, column[t]);
  }
#pragma unroll
  for (int t = 0; t < TOGETHER; t++) {
    if (!there[t]) continue;
    Z one = product(a + t, 0, x[t], row, column[t]);
    if (U_FULL) z = Add::of(z, one);
    else accumulate(any, z, one);
  }
}

// Add the entries p, p + step, ... before end.
__device__ __forceinline__ void add_all(bool& any, Z& z, const Rows& r, i64 row, i64 p, i64 end, int step) {
  if (U_FULL) any |= p < end;
  for (; p + (TOGETHER - 1) * step < end; p += TOGETHER * step) add_some<true>(any, z, r, row, p, end, step);
  if (p < end) add_some<false>(any, z, r, row, p, end, step);
}

// What the lane `d` behind has, of as many lanes as sum up one row.
template <class X> __device__ __forceinline__ X from_behind(X x, int d, int lanes) {
#ifdef SIMULATED
  return from_lane(x, lane() + d);
#else
  return __shfl_down_sync(~0u, x, d, lanes);
#endif
}

__device__ __forceinline__ void lanes_sum(bool& any, Z& z, int lanes) {
  for (int d = lanes / 2; d; d /= 2) {
    Z x = from_behind(z, d, lanes);
    bool more = from_behind((int)any, d, lanes);
    if (U_FULL) z = Add::of(z, x), any |= more;  // what lane 0 adds is never its own
    else if (more && lane() % lanes + d < lanes) accumulate(any, z, x);
  }
}

extern "C" __global__ void __launch_bounds__(1024, 1)
    spmv_pull_balanced(i64 nrows, const Offset* indptr, const Index* indices, const A* a, const U* u, const u32* ubits, i64 nhubs, i64 npieces,
             const i64* pieces, const i64* owners, Z* sums, bool* anys, const Mask* m, const u32* mbits, C* c, const u32* old, u32* cbits) {
  SHARED_ARRAY(U, hubs);
  for (i64 k = threadIdx.x; k < nhubs; k += blockDim.x) hubs[k] = u[k];
  __syncthreads();
  Rows r = {indptr, indices, a, u, ubits, hubs, (Index)nhubs};
  i64 groups = (nrows + WARP - 1) / WARP;
  for (i64 task = warp(); task < npieces + groups; task += warps()) {
    bool any = false;
    Z z = Add::identity();
    if (task < npieces) {
      i64 row = owners[task], begin = pieces[task], end = min((i64)indptr[row + 1], begin + LONG);
      if (mask_allows(m, mbits, row)) add_all(any, z, r, row, begin + lane(), end, WARP);
      lanes_sum(any, z, WARP);
      if (lane() == 0) sums[task] = z, anys[task] = any;
      continue;
    }
    i64 base = (task - npieces) * WARP, row = base + lane();
    bool open = row < nrows && mask_allows(m, mbits, row);
    i64 begin = open ? indptr[row] : 0, length = open ? indptr[row + 1] - begin : 0;
    bool whole = length < LONG;
    if (!whole) length = 0;
    i64 total = from_lane(inclusive_scan(length), WARP - 1);
    int lanes = 1;
    while (lanes < WARP && lanes * WARP * TOGETHER < total) lanes *= 2;
    int rows = WARP / lanes;
    for (int pass = 0; pass < lanes; pass++) {
      int its = pass * rows + lane() / lanes;
      i64 first = from_lane(begin, its), last = first + from_lane(length, its);
      bool some = false;
      Z part = Add::identity();
      add_all(some, part, r, base + its, first + lane() % lanes, last, lanes);
      lanes_sum(some, part, lanes);
      Z its_z = from_lane(part, lane() % rows * lanes);
      bool its_any = from_lane((int)some, lane() % rows * lanes);
      if (lane() / rows == pass) z = its_z, any = its_any;
    }
    bool present = false;
    if (row < nrows && whole) present = masked_write(c, row, open, READS_OLD_C && has(old, row), any, z);
    else if (row < nrows) present = READS_OLD_C && has(old, row);  // for `finish`
    if (cbits) store_bit_in_new_word(cbits, old, row, present);
  }
}

// The rows that were cut: the pieces of the k-th are those before ends[k], one after the other.
extern "C" __global__ void reduce_row_pieces(i64 nlong, const i64* rows, const i64* ends, const Z* sums, const bool* anys, const Mask* m,
                                  const u32* mbits, C* c, const u32* old, u32* cbits) {
  for (i64 k = warp(); k < nlong; k += warps()) {
    bool any = false;
    Z z = Add::identity();
    for (i64 p = (k ? ends[k - 1] : 0) + lane(); p < ends[k]; p += WARP)
      if (anys[p]) accumulate(any, z, sums[p]);
    lanes_sum(any, z, WARP);
    if (lane()) continue;
    i64 row = rows[k];
    bool present = masked_write(c, row, mask_allows(m, mbits, row), READS_OLD_C && has(old, row), any, z);
    if (cbits && present) set(cbits, row);
    else if (cbits) clear(cbits, row);
  }
}
