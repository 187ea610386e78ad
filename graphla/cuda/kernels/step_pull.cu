// Steps of a search by pull: q<~seen, replace> = A q, and what follows for each entry of the new q (follow.cuh); and
// again, up to `most` times, while q grows or has more than `few` entries.
//
// q is a bitmap: of the entries of a list (keys), or given (bits0). In the end it is one, and a list where there is
// room for it. Where a row lies is asked while the one before it is read.
#include "row.cuh"
#include "follow.cuh"
#include "tell.cuh"
#include "grid.cuh"
#include "collect.cuh"

struct Row {
  Offset begin, end;
};
__device__ __forceinline__ Row look_up(const Follow& f, i64 row, i64 n, const Offset* indptr) {
  Row r = {0, 0};
  if (row < n && !has(f.seen(), row)) r.begin = indptr[row], r.end = indptr[row + 1];
  return r;
}

struct State {
  u32 arrived, unused;
  u64 size[3];  // of q after this step, the next and the last; they begin as 0
};

// The entries of a list as those of a bitmap; all threads come here.
__device__ __forceinline__ void spread(i64 n, i64 many, const Index* keys, const U* x, U* values, u32* bits, u32* arrived) {
  for (i64 w = thread(); w < (n + 31) / 32; w += threads()) bits[w] = 0;
  grid_barrier(arrived);
  for (i64 k = thread(); k < many; k += threads()) {
    i64 i = keys[k];
    if (USES_U) values[i] = x[k];
    set(bits, i);
  }
  grid_barrier(arrived);
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    step_pull(i64 n, const Offset* indptr, const Index* indices, const A* a, const u64* many, const Index* keys, const U* listed,
              Z* values0, u32* qbits0, Z* values1, u32* qbits1, State* state, i64 most, i64 before, i64 few, i32 deeper, Index* out,
              Z* x, u64* count, u64* host, u64* left, F0::C* c0, u32* bits0, F0::S s0, F1::C* c1, u32* bits1, F1::S s1) {
  __shared__ u32 total;
  __shared__ i64 steps, last;
  if (keys) spread(n, *many, keys, listed, (U*)values0, qbits0, &state->arrived);
  if (threadIdx.x == 0) steps = 0, last = before;
  for (bool on = true; on;) {
    if (threadIdx.x == 0) total = 0, steps++;
    __syncthreads();
    bool odd = steps & 1;
    Follow f = {c0, bits0, deeper & 1 ? (F0::S)(s0 + steps) : s0, c1, bits1, deeper & 2 ? (F1::S)(s1 + steps) : s1};
    const U* u = (const U*)(odd ? values0 : values1);
    Z* q = odd ? values1 : values0;
    u32 *ubits = odd ? qbits0 : qbits1, *qbits = odd ? qbits1 : qbits0;
    u32 found = 0;
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
      found += any;
    }
    found = from_lane((u32)inclusive_scan(found), WARP - 1);
    if (lane() == 0 && found) atomicAdd(&total, found);
    __syncthreads();
    int now = steps % 3;
    if (threadIdx.x == 0 && total) atomicAdd(&state->size[now], (u64)total);
    if (thread() == 0) state->size[(now + 1) % 3] = 0;
    grid_barrier(&state->arrived);
    i64 size = __ldcg(&state->size[now]);
    bool is_light = size <= last && size <= few;
    on = size && !is_light && steps < most;
    __syncthreads();
    if (threadIdx.x == 0) last = size;
    if (on) continue;
    if (out && size) collect_entries((n + 31) / 32, qbits, q, out, x, count);
    if (thread()) continue;
    if (host) tell(host, size, steps);
    if (left) tell(left, (i64)0, is_light);  // no edges of q were counted
  }
}
