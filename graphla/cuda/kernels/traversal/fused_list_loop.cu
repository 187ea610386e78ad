// A loop of  w = u' A  for a list u and short rows, and element-wise statements fused along the list w (fused_list.cuh); one
// statement makes the next u. All steps run in one cooperative launch.
//
// The loop runs `min_steps` steps (fewer if u becomes empty), and then continues, up to `max_steps`, while u has 1 to
// `max_size` entries.
// Work split: the product as in spmspv.cu, but without a queue of long rows; entries of u go to the warps of all
// blocks in turn. Statements: a thread per entry of w. Grid barriers separate the two.
// Conflicts: as in spmspv.cu: targets are claimed by atomicExch, values combined by the monoid's atomic in `accumulators`. New
// entries are appended warp-aggregated.
// Memory: as spmspv.cu and fused_list.cu for each step. Claims are 0 and accumulators the identity before and after.
#include "fused_list.cuh"
#include "spmv_multiply.cuh"
#include "atomics.cuh"
#include "host_result.cuh"
#include "grid.cuh"

// State of the grid in global memory, kept between launches.
struct State {
  u32 arrived, unused;
  u64 w_size[2], u_size[2];  // sizes of the lists of this step and the next, in turn
};

struct List {
  Index* keys;
  U* values;
};

// Let the statement with NEXT_INPUT write to `next_u`.
template <class P> __device__ __forceinline__ void set_output(Statement<P>& p, const List& next_u, u64* size) {
  if constexpr (P::NEXT_INPUT) p.c_keys = next_u.keys, p.c_values = next_u.values, p.c_size = size;
}
#define SET_OUTPUT(P) set_output(P##_statement, next_u, &state->u_size[turn]);

// Push the edges of the `u_size` entries of u; append the targets that are reached first to `w`.
__device__ __forceinline__ void push(u64 u_size, const Index* u_keys, const U* u_values, const Offset* row_offsets, const Columns* columns,
                                     const A* a_values, u32* claimed, u32 call_number, Word* accumulators, AppendBuffer<Index>& w) {
  i64 share = min((i64)WARP, ((i64)u_size + warps() - 1) / warps());
  for (i64 base = ((i64)(threadIdx.x / WARP) * gridDim.x + blockIdx.x) * share; base < (i64)u_size; base += warps() * share) {
    i64 k = base + lane(), row = 0, begin = 0;
    int degree = 0;
    U u = U();
    if (lane() < share && k < (i64)u_size) row = u_keys[k], begin = row_offsets[row], degree = row_offsets[row + 1] - begin, u = u_values[k];
    int end = warp_scan(degree), total = from_lane(end, WARP - 1);
    for (int t = lane(); t < (total + WARP - 1) / WARP * WARP; t += WARP) {
      int owner = owner_lane(end, t);
      i64 row_begin = from_lane(begin, owner), owner_row = from_lane(row, owner), target = 0;
      U owner_u = from_lane(u, owner);
      int first_edge = from_lane(end - degree, owner);
      bool is_first = false;
      if (t < total) {
        i64 p = row_begin + t - first_edge;
        target = columns[p];
        is_first = *(volatile u32*)&claimed[target] != call_number && atomicExch(&claimed[target], call_number) != call_number;
        atomic_accumulate(&accumulators[target], product(a_values, p, owner_u, owner_row, target));
      }
      w.append(is_first, (Index)target);
    }
  }
  w.flush_block();
}

// Even steps, counted from 0, write the next u to list 1, odd ones to list 0, which is copied to list 1 at the end.
extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    fused_list_loop(const u64* input_size, const Index* u_keys, const U* u_values, const Offset* row_offsets, const Columns* columns,
                    const A* a_values, u32* claimed, u32 call_number, Word* accumulators, i64 min_steps, i64 max_steps, i64 max_size, i64 capacity,
                    State* state, u64* last_w_size, Index* w_keys, Z* w_values, u64* last_u_size, Index* keys0, U* values0, Index* keys1, U* values1,
                    u64* host_words FOR_ALL(PARAMETERS)) {
  static_assert(sizeof(State) <= 8 * STATE_WORDS && AppendBuffer<Index>::BYTES == STAGE_BYTES, "the launcher allocates these");
  SHARED_ARRAY(Index, shared);
  FOR_ALL(CONSTRUCT)
  u64 u_size = *input_size;
  for (i64 steps = 0;;) {
    int turn = steps % 2;
    List next_u = turn ? List{keys0, values0} : List{keys1, values1};
    FOR_ALL(SET_OUTPUT)
    if (thread() == 0) state->u_size[turn] = state->w_size[1 - turn] = 0;
    AppendBuffer<Index> w(shared + threadIdx.x / WARP * AppendBuffer<Index>::CAPACITY, &state->w_size[turn], w_keys, capacity);
    push(u_size, u_keys, u_values, row_offsets, columns, a_values, claimed, call_number, accumulators, w);
    grid_barrier(&state->arrived);

    i64 w_size = __ldcg(&state->w_size[turn]);
    for (i64 first = ((i64)(threadIdx.x / WARP) * gridDim.x + blockIdx.x) * WARP; first < w_size; first += threads()) {
      i64 k = first + lane();
      if (k >= w_size) continue;
      i64 i = w_keys[k];
      Z z = w_values[k] = from_word(accumulators[i]);
      accumulators[i] = to_word(Add::identity());
      claimed[i] = 0;
      FOR_ALL(RUN)
    }
    grid_barrier(&state->arrived);

    u_size = __ldcg(&state->u_size[turn]), u_keys = next_u.keys, u_values = next_u.values;
    if (++steps, u_size && (steps < min_steps || (steps < max_steps && (i64)u_size <= max_size))) continue;
    if (turn)
      for (i64 k = thread(); k < (i64)u_size; k += threads()) keys1[k] = keys0[k], values1[k] = values0[k];
    if (thread() == 0) {
      *last_w_size = steps < min_steps ? 0 : w_size, *last_u_size = u_size;  // u became empty: the steps left give empty lists
      state->w_size[0] = state->w_size[1] = 0;
      if (host_words) publish(host_words, u_size, true);
    }
    return;
  }
}
