// w = u' A for a list u and short rows, statements along the list w, and so on with the list that one of them makes, u.
//
// A cooperative launch, in which all threads wait for each other between a product and what follows. After `times` steps
// it goes on, up to `cap`, while u has 1 to `most` entries. Claims and sums (spmspv.cu) are left as they were found.
#include "fused_list.cuh"
#include "spmv_multiply.cuh"
#include "atomics.cuh"
#include "host_result.cuh"
#include "grid.cuh"

struct State {
  u32 arrived, unused;
  u64 w[2], u[2];  // sizes of this step's lists and the next one's
};

struct List {
  Index* keys;
  U* values;
};

// What is written next is the next u.
template <class P> __device__ __forceinline__ void feed(Step<P>& p, const List& next, u64* size) {
  if constexpr (P::FEED) p.keys = next.keys, p.c = next.values, p.size = size;
}
#define FEED_NEXT(P) feed(P##_step, next, &state->u[now]);

// The edges of `many` entries, which are dealt to all warps, at most one to a lane.
__device__ __forceinline__ void push(u64 many, const Index* keys, const U* u, const Offset* indptr, const Columns* indices, const A* a,
                                     u32* claims, u32 call, Word* sums, AppendBuffer<Index>& out) {
  i64 each = min((i64)WARP, ((i64)many + warps() - 1) / warps());
  for (i64 base = ((i64)(threadIdx.x / WARP) * gridDim.x + blockIdx.x) * each; base < (i64)many; base += warps() * each) {
    i64 k = base + lane(), row = 0, begin = 0;
    int degree = 0;
    U x = U();
    if (lane() < each && k < (i64)many) row = keys[k], begin = indptr[row], degree = indptr[row + 1] - begin, x = u[k];
    int end = warp_scan(degree), total = from_lane(end, WARP - 1);
    for (int t = lane(); t < (total + WARP - 1) / WARP * WARP; t += WARP) {
      int owner = owner_lane(end, t);
      i64 from = from_lane(begin, owner), mine = from_lane(row, owner), target = 0;
      U its = from_lane(x, owner);
      int before = from_lane(end - degree, owner);
      bool first = false;
      if (t < total) {
        i64 p = from + t - before;
        target = indices[p];
        first = *(volatile u32*)&claims[target] != call && atomicExch(&claims[target], call) != call;
        atomic_accumulate(&sums[target], product(a, p, its, mine, target));
      }
      out.append(first, (Index)target);
    }
  }
  out.flush_block();
}

extern "C" __global__ void __launch_bounds__(1024, 1)
    fused_list_loop(const u64* count, const Index* keys, const U* u, const Offset* indptr, const Columns* indices, const A* a, u32* claims, u32 call,
          Word* sums, i64 times, i64 cap, i64 most, i64 capacity, State* state, u64* w_count, Index* w_keys, Z* w, u64* u_count, Index* keys0,
          U* u0, Index* keys1, U* u1, u64* host ALL(GIVEN)) {
  SHARED_ARRAY(Index, shared);
  ALL(TAKE)
  u64 many = *count;
  for (i64 done = 0;;) {
    int now = done % 2;
    List next = now ? List{keys0, u0} : List{keys1, u1};
    ALL(FEED_NEXT)
    if (thread() == 0) state->u[now] = state->w[1 - now] = 0;
    AppendBuffer<Index> out(shared + threadIdx.x / WARP * AppendBuffer<Index>::CAPACITY, &state->w[now], w_keys, capacity);
    push(many, keys, u, indptr, indices, a, claims, call, sums, out);
    grid_barrier(&state->arrived);

    i64 found = __ldcg(&state->w[now]);
    for (i64 first = ((i64)(threadIdx.x / WARP) * gridDim.x + blockIdx.x) * WARP; first < found; first += threads()) {
      i64 k = first + lane();
      if (k >= found) continue;
      i64 i = w_keys[k];
      Z own = w[k] = from_word(sums[i]);
      sums[i] = to_word(Add::identity());
      claims[i] = 0;
      ALL(RUN)
    }
    grid_barrier(&state->arrived);

    many = __ldcg(&state->u[now]), keys = next.keys, u = next.values;
    if (++done, many && (done < times || (done < cap && (i64)many <= most))) continue;
    if (now)
      for (i64 k = thread(); k < (i64)many; k += threads()) keys1[k] = keys0[k], u1[k] = u0[k];
    if (thread() == 0) {
      *w_count = done < times ? 0 : found, *u_count = many;  // what follows an empty list is empty
      state->w[0] = state->w[1] = 0;
      if (host) publish(host, many, true);
    }
    return;
  }
}
