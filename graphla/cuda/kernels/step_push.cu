// One step of a search by push: q<~seen, replace> = q' A for a list q, and what follows for each entry of the new q.
//
// A target is claimed by its bit among those seen (follow.cuh). Rows of UNIT edges and more (LONGS: there may be some)
// are listed, and dealt to all warps once all have come to the barrier. New entries are gathered in shared memory:
// many of them take their places in the list by one addition.
#include "multiply.cuh"
#include "bits.cuh"
#include "follow.cuh"
#include "tell.cuh"
#include "grid.cuh"
#include "long_rows.cuh"
enum { TOGETHER = UNIT / WARP, ROOM = 2 * UNIT };  // edges that a lane has under way; entries that a warp gathers

struct Entry {
  Index key;
  Z value;
};

struct Found {
  const Follow& follow;
  Index* keys;
  Z* values;
  u64* count;
  Entry* buffer;  // of this warp
  int size;

  __device__ __forceinline__ bool is_open(i64 i) const { return !(((volatile u32*)follow.seen())[i >> 5] >> (i & 31) & 1); }
  __device__ __forceinline__ bool claims(i64 i) const {
    u32 bit = 1u << (i & 31);
    return !(atomicOr(&follow.seen()[i >> 5], bit) & bit);
  }
  // Take the entries of the lanes that have one; all lanes of the warp come here.
  __device__ __forceinline__ void gather(bool has, i64 key, Z value) {
    u32 who = ballot(has);
    if (has) buffer[size + __popc(who & lanes_below())] = {(Index)key, value};
    size += __popc(who);
  }
  __device__ __forceinline__ void write(i64 first) const {
    __syncwarp();
    for (int k = lane(); k < size; k += WARP) {
      Entry e = buffer[k];
      keys[first + k] = e.key;
      values[first + k] = e.value;
      follow.write(e.key, e.value);
      follow.mark(e.key);
    }
    __syncwarp();
  }
  __device__ __forceinline__ void spill() {
    if (size <= ROOM - UNIT) return;
    i64 first = 0;
    if (lane() == 0) first = atomicAdd(count, (u64)size);
    write(from_lane(first, 0));
    size = 0;
  }
  // The end, for all threads of the block, whose warps add to the count together.
  __device__ __forceinline__ void finish() {
    __shared__ u32 total;
    __shared__ u64 begin;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    u32 place = 0;
    if (lane() == 0 && size) place = atomicAdd(&total, (u32)size);
    place = from_lane(place, 0);
    __syncthreads();
    if (threadIdx.x == 0 && total) begin = atomicAdd(count, (u64)total);
    __syncthreads();
    write(begin + place);
  }
};

extern "C" __global__ void __launch_bounds__(1024, 1)
    step_push(const u64* count, const Index* keys, const U* u, const Offset* indptr, const Index* indices, const A* a, Index* out,
              Z* values, u64* size, u64* host, i64* places, i64 most, u64* nlong, F0::C* c0, u32* bits0, F0::S s0, F1::C* c1,
              u32* bits1, F1::S s1) {
  SHARED_ARRAY(Entry, buffers);
  Follow f = {c0, bits0, s0, c1, bits1, s1};
  Found found = {f, out, values, size, buffers + threadIdx.x / WARP * ROOM, 0};
  Long rows = {places, places + most, nlong};
  i64 many = *count, share = min((i64)WARP, (many + warps() - 1) / warps());  // few entries are dealt to all warps
  for (i64 base = warp() * share; base < many; base += warps() * share) {
    i64 k = base + lane(), begin = 0, degree = 0, row = 0;
    if (lane() < share && k < many) row = keys[k], begin = indptr[row], degree = indptr[row + 1] - begin;
    if (LONGS && degree >= UNIT) rows.add(k, degree), degree = 0;
    i64 end = inclusive_scan(degree), total = from_lane(end, WARP - 1);
    for (i64 t = lane(); t < whole_warps(total); t += WARP) {
      int owner = 0;  // the first lane whose edges end behind t
      for (int step = WARP / 2; step; step /= 2)
        if (from_lane(end, owner + step - 1) <= t) owner += step;
      i64 start = from_lane(end - degree, owner), p = from_lane(begin, owner) + t - start, its = from_lane(row, owner);
      i64 column = t < total ? (i64)indices[p] : 0;
      bool first = t < total && found.is_open(column) && found.claims(column);
      found.gather(first, column, first ? product(a, p, USES_U ? u[base + owner] : U(), its, column) : Z());
      found.spill();
    }
  }
  if (LONGS) {
    grid_barrier((u32*)(nlong + 1));
    u64 known = *(volatile u64*)nlong;
    i64 nrows = known >> 32, all = (u32)known, part = (all + warps() - 1) / warps();
    i64 unit = warp() * part, last = min(all, unit + part), r = 0;
    for (i64 after = nrows; r + 1 < after && unit < last;) {  // the row of the first unit
      i64 middle = (r + after) / 2;
      __ldcg(rows.begins + middle) <= unit ? r = middle : after = middle;
    }
    for (; unit < last; r++) {
      i64 k = __ldcg(rows.entries + r), row = keys[k], begin = indptr[row], end = indptr[row + 1];
      i64 first = __ldcg(rows.begins + r), behind = min(last, r + 1 < nrows ? (i64)__ldcg(rows.begins + r + 1) : all);
      for (; unit < behind; unit++) {
        i64 column[TOGETHER], p = begin + (unit - first) * UNIT + lane();
        bool its[TOGETHER];
#pragma unroll
        for (int t = 0; t < TOGETHER; t++) column[t] = p + t * WARP < end ? (i64)indices[p + t * WARP] : -1;
#pragma unroll
        for (int t = 0; t < TOGETHER; t++) its[t] = column[t] >= 0 && found.is_open(column[t]);
#pragma unroll
        for (int t = 0; t < TOGETHER; t++) its[t] = its[t] && found.claims(column[t]);
#pragma unroll
        for (int t = 0; t < TOGETHER; t++)
          found.gather(its[t], column[t], its[t] ? product(a, p + t * WARP, USES_U ? u[k] : U(), row, column[t]) : Z());
        found.spill();
      }
    }
  }
  found.finish();
  tell_count(size, host);
}
