// Steps of a search by push: q<~seen, replace> = q' A for a list q, and what follows for each entry of the new q; and
// again, up to `most` times, while q has entries and a growing q is light (struct Light).
//
// A target is claimed by its bit among those seen (traversal_epilogue.cuh). Rows of UNIT edges and more (LONGS: there may be some)
// are listed, and dealt to all warps once all have come to the barrier. New entries are gathered in shared memory:
// many of them take their places in the list by one addition.
#include "spmv_multiply.cuh"
#include "bits.cuh"
#include "traversal_epilogue.cuh"
#include "host_result.cuh"
#include "grid.cuh"
#include "long_rows.cuh"
enum { TOGETHER = UNIT / WARP, ROOM = 2 * UNIT };  // edges that a lane has under way; entries that a warp gathers

struct Entry {
  Index key;
  Z value;
};

struct List {
  Index* keys;
  Z* values;
  u64* count;
};

// Numbers of a step: entries and edges of the new q, long rows and their units. They begin as 0.
struct Numbers {
  u64 size, edges, nlong;
};
struct State {
  u32 arrived, unused;
  Numbers numbers[3];  // of this step, the next and the last
};

// Whether q is pushed on: what graphla/execution/push_pull.py says, by the same numbers.
struct Light {
  i64 before, unexplored, n, few;  // few: entries of a light q once it has been pulled; before that -1
  double alpha;
  __device__ __forceinline__ bool operator()(i64 size, i64 edges) {
    bool growing = size > before;
    before = size;
    if (!growing || unexplored < n) return true;
    if (few >= 0) return size <= few;
    unexplored -= edges;
    return edges <= unexplored / alpha;
  }
};

struct Found {
  const Follow& follow;
  const Offset* indptr;
  List list;
  Numbers* numbers;
  Entry* buffer;  // of this warp
  int size;
  u64 edges;

  __device__ __forceinline__ bool is_open(i64 i) const { return !(((volatile u32*)follow.seen())[i >> 5] >> (i & 31) & 1); }
  __device__ __forceinline__ bool claims(i64 i) const {
    u32 bit = 1u << (i & 31);
    return !(atomicOr(&follow.seen()[i >> 5], bit) & bit);
  }
  // Take the entries of the lanes that have one; all lanes of the warp come here.
  __device__ __forceinline__ void gather(bool has, i64 key, Z value) {
    u32 who = ballot(has);
    if (has) buffer[size + __popc(who & lanes_below_mask())] = {(Index)key, value};
    size += __popc(who);
  }
  __device__ __forceinline__ void write(i64 first) {
    __syncwarp();
    for (int k = lane(); k < size; k += WARP) {
      Entry e = buffer[k];
      list.keys[first + k] = e.key;
      list.values[first + k] = e.value;
      edges += indptr[e.key + 1] - indptr[e.key];
      follow.write(e.key, e.value);
      follow.mark(e.key);
    }
    __syncwarp();
  }
  __device__ __forceinline__ void spill() {
    if (size <= ROOM - UNIT) return;
    i64 first = 0;
    if (lane() == 0) first = atomicAdd(&numbers->size, (u64)size);
    write(from_lane(first, 0));
    size = 0;
  }
  // The end, for all threads of the block, whose warps add to the count together.
  __device__ __forceinline__ void finish() {
    __shared__ u32 total;
    __shared__ u64 begin, sum;
    if (threadIdx.x == 0) total = 0, sum = 0;
    __syncthreads();
    u32 place = 0;
    if (lane() == 0 && size) place = atomicAdd(&total, (u32)size);
    place = from_lane(place, 0);
    __syncthreads();
    if (threadIdx.x == 0 && total) begin = atomicAdd(&numbers->size, (u64)total);
    __syncthreads();
    write(begin + place);
    size = 0;
    edges = warp_sum(edges);
    if (lane() == 0 && edges) atomicAdd(&sum, edges);
    __syncthreads();
    if (threadIdx.x == 0 && sum) atomicAdd(&numbers->edges, sum);
  }
};

// The edges of `many` entries of q, those of short rows dealt to the warps that meet them.
__device__ __forceinline__ void push(i64 many, const List& q, const Offset* indptr, const Index* indices, const A* a, const LongRows& rows,
                                     u32* arrived, Found& found) {
  i64 share = min((i64)WARP, (many + warps() - 1) / warps());  // few entries are dealt to all warps
  for (i64 base = warp() * share; base < many; base += warps() * share) {
    i64 k = base + lane(), begin = 0, degree = 0, row = 0;
    if (lane() < share && k < many) row = q.keys[k], begin = indptr[row], degree = indptr[row + 1] - begin;
    if (LONGS && degree >= UNIT) rows.add(k, degree), degree = 0;
    i64 end = inclusive_scan(degree), total = from_lane(end, WARP - 1);
    for (i64 t = lane(); t < round_up_to_warps(total); t += WARP) {
      int owner = 0;  // the first lane whose edges end behind t
      for (int step = WARP / 2; step; step /= 2)
        if (from_lane(end, owner + step - 1) <= t) owner += step;
      i64 start = from_lane(end - degree, owner), p = from_lane(begin, owner) + t - start, its = from_lane(row, owner);
      i64 column = t < total ? (i64)indices[p] : 0;
      bool first = t < total && found.is_open(column) && found.claims(column);
      found.gather(first, column, first ? product(a, p, USES_U ? q.values[base + owner] : U(), its, column) : Z());
      found.spill();
    }
  }
  if (!LONGS) return;
  grid_barrier(arrived);
  u64 known = __ldcg(rows.count);
  i64 nrows = known >> 32, all = (u32)known, part = (all + warps() - 1) / warps();
  i64 unit = warp() * part, last = min(all, unit + part), r = 0;
  for (i64 after = nrows; r + 1 < after && unit < last;) {  // the row of the first unit
    i64 middle = (r + after) / 2;
    __ldcg(rows.begins + middle) <= unit ? r = middle : after = middle;
  }
  for (; unit < last; r++) {
    i64 k = __ldcg(rows.entries + r), row = q.keys[k], begin = indptr[row], end = indptr[row + 1];
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
        found.gather(its[t], column[t], its[t] ? product(a, p + t * WARP, USES_U ? q.values[k] : U(), row, column[t]) : Z());
      found.spill();
    }
  }
}

// `deeper` has bit 0, or 1, where the scalar of F0, or F1, is the depth, which is one more at each step.
extern "C" __global__ void __launch_bounds__(1024, 1)
    traversal_push(const u64* count, const Index* keys, const U* u, const Offset* indptr, const Index* indices, const A* a, i64* places,
              i64 nplaces, State* state, Index* keys0, Z* values0, u64* count0, Index* keys1, Z* values1, u64* count1, i64 most,
              i64 before, i64 unexplored, i64 n, i64 few, f64 alpha, i32 deeper, u64* host, u64* left, F0::C* c0, u32* bits0,
              F0::S s0, F1::C* c1, u32* bits1, F1::S s1) {
  SHARED_ARRAY(Entry, buffers);
  Follow f = {c0, bits0, s0, c1, bits1, s1};
  Light light = {before, unexplored, n, few, alpha};
  List q = {(Index*)keys, (Z*)u, 0};  // read alone
  i64 many = *count, steps = 0;
  for (bool on = true; on;) {
    Numbers *now = &state->numbers[steps % 3], *next = &state->numbers[(steps + 1) % 3];
    if (thread() == 0) *next = {0, 0, 0};
    if (deeper & 1) f.s0 = f.s0 + 1;
    if (deeper & 2) f.s1 = f.s1 + 1;
    List out = steps % 2 ? List{keys0, values0, count0} : List{keys1, values1, count1};
    Found found = {f, indptr, out, now, buffers + threadIdx.x / WARP * ROOM, 0, 0};
    push(many, q, indptr, indices, a, {places, places + nplaces, &now->nlong}, &state->arrived, found);
    found.finish();
    grid_barrier(&state->arrived);
    many = __ldcg(&now->size), steps++, q = out;
    bool is_light = !many || light(many, __ldcg(&now->edges));
    on = many && is_light && steps < most;
    if (on || thread()) continue;
    *out.count = many;
    if (host) publish(host, many, steps);
    if (left) publish(left, unexplored - light.unexplored, is_light);
  }
}
