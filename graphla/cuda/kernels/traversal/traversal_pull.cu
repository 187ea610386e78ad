// Steps of a search by pull: q<~seen, replace> = A q, and what follows for each entry of the new q (traversal_epilogue.cuh); and
// again, up to `most` times, while q grows or has more than `few` entries.
//
// q is a bitmap: of the entries of a list (keys), or given (bits0). In the end it is one, and a list where there is
// room for it. A warp takes the rows of WORDS words of bits (a call defines it) and lists those with `some` entries that
// are not seen, however few they are. Most need no other entry than the head (hub_neighbors.cu), where heads are given: these are
// asked first, BATCH by each lane at once. The rows of the others are read to their first entry in q. What has been found
// is written in the end, row by row; where GROUP rows that lie together have no entries but those found now, something is
// written for all of them, as the memory takes parts of its units at several times the cost.
#include "early_exit_row.cuh"
#include "traversal_epilogue.cuh"
#include "host_result.cuh"
#include "grid.cuh"
#include "bitmap_to_list.cuh"
enum { ROWS = 32 * WORDS, BATCH = 4, GROUP = 8 };

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

// The rows of a warp that are not seen, by their numbers among its rows, and which of all these have been found.
struct Share {
  Z value[ROWS];
  u16 open[ROWS];
  u8 found[ROWS];

  // List the rows of words that are not seen, none of which has been found yet; returns how many there are.
  __device__ __forceinline__ int list(const u32 (&word)[WORDS]) {
    for (int b = lane(); b < ROWS; b += WARP) found[b] = 0;
    int many = 0;
#pragma unroll
    for (int k = 0; k < WORDS; k++)
      for (int bit = lane(); bit < 32; bit += WARP) many = keep(word[k] >> bit & 1, k * 32 + bit, many);  // once, of 32 lanes
    __syncwarp();
    return many;
  }
  // List those of the lanes' rows that are to be, behind `many` others.
  __device__ __forceinline__ int keep(bool is, int row, int many) {
    u32 who = ballot(is);
    if (is) open[many + __popc(who & lanes_below_mask())] = row;
    return many + __popc(who);
  }
  __device__ __forceinline__ void take(int at, Z z) { value[at] = z, found[at] = 1; }
  // Write what has been found of word k, whose rows are from `first` on and had those entries `absent`; returns its bits.
  __device__ __forceinline__ u32 write(int k, i64 first, u32 absent, const Follow& f, Z* q) const {
    u32 all = 0;
    for (int bit = lane(); bit < 32; bit += WARP) {
      int at = k * 32 + bit;
      u32 its = ballot(found[at]) << (bit - lane()), group = ((1u << GROUP) - 1) << (bit / GROUP * GROUP);
      all |= its;
      if (its & group && (found[at] || (WARP == 32 && (absent & group) == group))) {
        Z z = value[found[at] ? at : k * 32 + __ffs(its & group) - 1];
        q[first + bit] = z;
        f.write(first + bit, z);
      }
    }
    return all;
  }
};

extern "C" __global__ void __launch_bounds__(1024, 1)
    traversal_pull(i64 n, const Index* heads, const u32* some, const Offset* indptr, const Index* indices, const A* a, const u64* many,
              const Index* keys, const U* listed, Z* values0, u32* qbits0, Z* values1, u32* qbits1, State* state, i64 most,
              i64 before, i64 few, i32 deeper, Index* out, Z* x, u64* count, u64* host, u64* left, F0::C* c0, u32* bits0, F0::S s0,
              F1::C* c1, u32* bits1, F1::S s1) {
  SHARED_ARRAY(u64, shares);
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
    Share& share = ((Share*)shares)[threadIdx.x / WARP];
    u32 size_here = 0;
    i64 words = (n + 31) / 32, stride = warps() * WORDS;
    u32 next[WORDS];
    auto ask = [&](i64 first) {
#pragma unroll
      for (int k = 0; k < WORDS; k++) next[k] = first + k < words ? f.seen()[first + k] : ~0u;
    };
    ask(warp() * WORDS);
    for (i64 first = warp() * WORDS; first < words; first += stride) {
      u32 seen[WORDS], open[WORDS];
#pragma unroll
      for (int k = 0; k < WORDS; k++) seen[k] = next[k], open[k] = first + k < words ? some[first + k] & ~seen[k] : 0;
      ask(first + stride);
      int all = share.list(open), left = heads ? 0 : all;
      for (int i = lane(); heads && i - lane() < all; i += BATCH * WARP) {
        int at[BATCH];
        Index head[BATCH];
        bool there[BATCH];
#pragma unroll
        for (int k = 0; k < BATCH; k++) at[k] = i + k * WARP < all ? share.open[i + k * WARP] : -1;
        __syncwarp();  // those that are kept may take these places
#pragma unroll
        for (int k = 0; k < BATCH; k++) head[k] = at[k] >= 0 ? heads[first * 32 + at[k]] : (Index)-1;
#pragma unroll
        for (int k = 0; k < BATCH; k++) there[k] = head[k] >= 0 && has(ubits, head[k]);
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
          if (there[k]) share.take(at[k], product(a, 0, USES_U ? u[head[k]] : U(), first * 32 + at[k], head[k]));
          left = share.keep(head[k] >= 0 && !there[k], at[k], left);
        }
      }
      __syncwarp();
      for (int i = lane(); i - lane() < left; i += WARP) {
        int at = i < left ? share.open[i] : 0;
        i64 row = first * 32 + at;
        bool any = false;
        Z z = Add::identity();
        sum_row(any, z, row, i < left ? indptr[row] : 0, i < left ? indptr[row + 1] : 0, indices, a, u, ubits);
        if (any) share.take(at, z);
      }
      __syncwarp();
#pragma unroll
      for (int k = 0; k < WORDS; k++) {
        i64 w = first + k;
        if (w >= words) break;
        u32 found = all ? share.write(k, w * 32, n - w * 32 < 32 ? 0 : ~(seen[k] | f.other(w)), f, q) : 0;
        __syncwarp();  // all lanes have read the bits that are written now
        if (lane() != k % WARP) continue;
        qbits[w] = found;
        f.mark_word(w, found);
        size_here += __popc(found);
      }
      __syncwarp();
    }
    size_here = from_lane((u32)inclusive_scan(size_here), WARP - 1);
    if (lane() == 0 && size_here) atomicAdd(&total, size_here);
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
    if (out && size) append_bitmap_entries((n + 31) / 32, qbits, q, out, x, count);
    if (thread()) continue;
    if (host) publish(host, size, steps);
    if (left) publish(left, (i64)0, is_light);  // no edges of q were counted
  }
}
